/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/requested.c - joins mounts with the places that ask for their options.
 */
#include "probe/requested.h"

#include <errno.h>
#include <string.h>

#include "policy/text.h"
#include "probe/cmdline.h"
#include "probe/lines.h"
#include "probe/units.h"
#include "probe/utab.h"

/* Strongest first. A unit that is not generated has won over the one generated
 * from fstab, otherwise systemd would not have loaded it. */
enum rank {
        RANK_CMDLINE,
        RANK_UNIT,
        RANK_FSTAB,
        RANK_GENERATED,         /* listed only where fstab does not have the line any more */
        RANK_UTAB,
        RANK_COUNT
};

/* A source that names its target. */
struct bound {
        char *target;           /* without a trailing slash */
        char *source;           /* likewise; NULL: does not say */
        enum rank rank;
        size_t sequence;        /* in the order of reading */
        struct requested requested;
};

struct requested_sources {
        struct bound *bound;    /* sorted by target, rank, sequence */
        size_t n_bound;
        size_t allocated;
        struct nfsmountconf conf;
};

/* ---- copies ---------------------------------------------------------------- */

static int string_copy(const char *s, char **ret)
{
        *ret = s ? strdup(s) : NULL;
        return s && !*ret ? -ENOMEM : 0;
}

static int requested_copy(const struct requested *r, struct requested *ret)
{
        *ret = (struct requested){
                .is_default = r->is_default,
                .is_record = r->is_record,
                .is_generated = r->is_generated,
        };
        if (place_copy(&r->place, &ret->place) < 0 || string_copy(r->text, &ret->text) < 0 ||
            string_copy(r->options_text, &ret->options_text) < 0 ||
            string_copy(r->section, &ret->section) < 0 || options_copy(&r->options, &ret->options) < 0 ||
            string_copy(r->line_problem, &ret->line_problem) < 0 ||
            string_copy(r->line_mended, &ret->line_mended) < 0) {
                requested_done(ret);
                return -ENOMEM;
        }
        return 0;
}

static char *stripped_copy(const char *path)
{
        char *copy = strdup(path);

        if (copy)
                trailing_slash_strip(copy);
        return copy;
}

/* ---- collecting ------------------------------------------------------------- */

static void bound_done(struct bound *b)
{
        free(b->target);
        free(b->source);
        requested_done(&b->requested);
        *b = (struct bound){ 0 };
}

/* Takes *b over, also on failure. */
static int bound_push(struct requested_sources *s, struct bound *b)
{
        if (s->n_bound == s->allocated) {
                size_t more = s->allocated ? s->allocated * 2 : 16;
                struct bound *bigger = reallocarray(s->bound, more, sizeof(*bigger));

                if (!bigger) {
                        bound_done(b);
                        return -ENOMEM;
                }
                s->bound = bigger;
                s->allocated = more;
        }
        b->sequence = s->n_bound;
        s->bound[s->n_bound++] = *b;
        return 0;
}

/* What one source says; everything borrowed. @problems below: may be NULL. */
struct said {
        enum rank rank;
        const char *target;
        const char *source;             /* NULL: does not say */
        enum place_kind kind;
        const char *file;
        unsigned line;
        const char *text;
        const char *options_text;       /* as written */
        const struct options *options;  /* NULL: parse options_text */
        const char *line_problem;       /* NULL: none */
        const char *line_mended;
        bool is_record;
        bool is_generated;
};

static int said_copy(const struct said *from, struct bound *b)
{
        struct requested *r = &b->requested;

        b->rank = from->rank;
        b->target = stripped_copy(from->target);
        b->source = from->source ? stripped_copy(from->source) : NULL;
        r->is_record = from->is_record;
        r->is_generated = from->is_generated;
        r->place.kind = from->kind;
        r->place.line = from->line;
        if (!b->target || (from->source && !b->source) || string_copy(from->file, &r->place.file) < 0 ||
            string_copy(from->text, &r->text) < 0 || string_copy(from->options_text, &r->options_text) < 0 ||
            string_copy(from->line_problem, &r->line_problem) < 0 ||
            string_copy(from->line_mended, &r->line_mended) < 0)
                return -ENOMEM;
        return from->options ? options_copy(from->options, &r->options)
                             : options_parse(from->options_text, strlen(from->options_text), &r->options);
}

static int said_add(struct requested_sources *s, const struct said *from, struct text *problems)
{
        struct bound b = { 0 };
        int r = said_copy(from, &b);

        if (r == 0)
                return bound_push(s, &b);
        bound_done(&b);
        if (r == -ENOMEM)
                return r;
        if (problems)
                text_add(problems, "%s:%u: %s\n", from->file, from->line,
                         r == -E2BIG ? "more options than are read" : "options that cannot be read");
        return 0;
}

/* Return: 0 when there is nothing to do about @r, else -ENOMEM. */
static int unreadable(int r, const char *file, struct text *problems)
{
        if (r == -ENOMEM)
                return r;
        if (r != -ENOENT)
                text_add(problems, "%s: %s\n", file, strerror(-r));
        return 0;
}

static int cmdline_collect(struct requested_sources *s, const char *file, struct text *problems)
{
        cleanup(nfsroot_done) struct nfsroot n = { 0 };
        int r = cmdline_read(file, &n);

        if (r < 0)
                return unreadable(r, file, problems);
        if (!n.found)
                return 0;
        struct said said = {
                .rank = RANK_CMDLINE, .target = "/", .kind = PLACE_CMDLINE, .file = file, .line = 1,
                .text = n.text, .options_text = n.options_text,
        };
        return said_add(s, &said, problems);
}

static struct said fstab_said(const struct fstab_entry *e, const char *file)
{
        return (struct said){
                .rank = RANK_FSTAB, .target = e->target, .source = e->source, .kind = PLACE_FSTAB, .file = file,
                .line = e->line, .text = e->text, .options_text = e->options_text, .options = &e->options,
                .line_problem = e->problem, .line_mended = e->mended,
        };
}

int requested_sources_fstab(struct requested_sources *s, const struct fstab *f, const char *file)
{
        for (size_t i = 0; i < f->n_entries; i++) {
                struct said said = fstab_said(&f->entries[i], file);
                int r = said_add(s, &said, NULL);

                if (r < 0)
                        return r;
        }
        return 0;
}

static int fstab_collect(struct requested_sources *s, const char *file, struct text *problems)
{
        cleanup(fstab_done) struct fstab f = { 0 };
        int r = fstab_read(file, &f);

        if (r < 0)
                return unreadable(r, file, problems);
        for (size_t i = 0; i < f.n_bad_lines; i++)
                text_add(problems, "%s:%u: %s\n", file, f.bad_lines[i].line, f.bad_lines[i].problem);
        return requested_sources_fstab(s, &f, file);
}

/* Where a generated unit's options are written. */
static void generated_place(struct said *said, const struct unit *u, const struct probe_root *root)
{
        said->rank = RANK_GENERATED;
        said->is_generated = true;
        said->line = 0;
        if (strcmp(u->source_path, "/etc/fstab") == 0 || strcmp(u->source_path, root->fstab) == 0) {
                said->kind = PLACE_FSTAB;
                said->file = root->fstab;
                return;
        }
        if (strcmp(u->source_path, "/proc/cmdline") == 0)
                said->kind = PLACE_CMDLINE;
        said->file = u->source_path;
}

static int unit_collect(struct requested_sources *s, const struct unit *u, const struct probe_root *root,
                        struct text *problems)
{
        const char *options = u->options_text ? u->options_text : "";
        struct said said = {
                .rank = RANK_UNIT, .target = u->where, .source = u->what, .kind = PLACE_UNIT, .file = u->file,
                .line = u->line, .text = options, .options_text = options,
        };

        /* a drop-in on top of a generated unit is what has to be edited */
        if (u->source_path && !u->dropin)
                generated_place(&said, u, root);
        return said_add(s, &said, problems);
}

static int units_collect(struct requested_sources *s, const struct probe_root *root, struct text *problems)
{
        cleanup(units_done) struct units u = { 0 };
        int r = units_read(root->unit_dirs, &u, problems);

        for (size_t i = 0; r == 0 && i < u.n_units; i++)
                r = unit_collect(s, &u.units[i], root, problems);
        return r;
}

static int utab_collect(struct requested_sources *s, const char *file, struct text *problems)
{
        cleanup(utab_done) struct utab u = { 0 };
        int r = utab_read(file, &u);

        if (r < 0)
                return unreadable(r, file, problems);
        for (size_t i = 0; i < u.n_entries; i++) {
                const struct utab_entry *e = &u.entries[i];
                struct said said = {
                        .rank = RANK_UTAB, .target = e->target, .source = e->source, .kind = PLACE_UNKNOWN,
                        .file = file, .line = e->line, .text = e->text, .options_text = e->options_text,
                        .is_record = true,
                };

                r = said_add(s, &said, problems);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int compare_bound(const void *a, const void *b)
{
        const struct bound *x = a, *y = b;
        int by_target = strcmp(x->target, y->target);

        if (by_target != 0)
                return by_target;
        if (x->rank != y->rank)
                return x->rank < y->rank ? -1 : 1;
        return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

void requested_sources_sort(struct requested_sources *s)
{
        if (s->n_bound > 1)
                qsort(s->bound, s->n_bound, sizeof(*s->bound), compare_bound);
}

static int collect(struct requested_sources *s, const struct probe_root *root, struct text *problems)
{
        int r = cmdline_collect(s, root->cmdline, problems);

        if (r == 0)
                r = units_collect(s, root, problems);
        if (r == 0)
                r = fstab_collect(s, root->fstab, problems);
        if (r == 0)
                r = utab_collect(s, root->utab, problems);
        if (r == 0)
                r = nfsmountconf_read(root->nfsmount_confs, &s->conf, problems);
        if (r == 0)
                requested_sources_sort(s);
        return r;
}

static void sourcesp(struct requested_sources **s)
{
        requested_sources_free(*s);
}

struct requested_sources *requested_sources_new(void)
{
        return calloc(1, sizeof(struct requested_sources));
}

int requested_sources_conf(struct requested_sources *s, const char *text, size_t length_bytes, const char *file)
{
        return nfsmountconf_add(&s->conf, text, length_bytes, file);
}

const struct nfsmountconf *requested_sources_confs(const struct requested_sources *s)
{
        return &s->conf;
}

int requested_sources_read(const struct probe_root *root, struct requested_sources **ret, char **ret_problems)
{
        cleanup(sourcesp) struct requested_sources *s = requested_sources_new();
        cleanup(text_done) struct text problems = { 0 };

        if (!s)
                return -ENOMEM;
        int r = collect(s, root, &problems);
        if (r < 0)
                return r;
        if (problems.failed)
                return -ENOMEM;
        if (ret_problems)
                *ret_problems = problems.length_bytes ? text_take(&problems) : NULL;
        *ret = TAKE(s);
        return 0;
}

void requested_sources_free(struct requested_sources *s)
{
        if (!s)
                return;
        for (size_t i = 0; i < s->n_bound; i++)
                bound_done(&s->bound[i]);
        free(s->bound);
        nfsmountconf_done(&s->conf);
        free(s);
}

/* ---- finding ------------------------------------------------------------------ */

/* The answer in the making. */
struct answer_list {
        struct requested *items;
        size_t n;
};

static void answer_list_done(struct answer_list *l)
{
        for (size_t i = 0; i < l->n; i++)
                requested_done(&l->items[i]);
        free(l->items);
        *l = (struct answer_list){ 0 };
}

/* Room for one more, zeroed and counted. */
static struct requested *answer_new(struct answer_list *l)
{
        struct requested *bigger = reallocarray(l->items, l->n + 1, sizeof(*bigger));

        if (!bigger)
                return NULL;
        l->items = bigger;
        bigger[l->n] = (struct requested){ 0 };
        return &bigger[l->n++];
}

static int answer_copy(struct answer_list *l, const struct bound *b)
{
        struct requested *r = answer_new(l);

        return r ? requested_copy(&b->requested, r) : -ENOMEM;
}

/* First entry for @target, or the number of entries. */
static size_t bound_first(const struct requested_sources *s, const char *target)
{
        size_t low = 0, high = s->n_bound;

        while (low < high) {
                size_t middle = low + (high - low) / 2;

                if (strcmp(s->bound[middle].target, target) < 0)
                        low = middle + 1;
                else
                        high = middle;
        }
        return low;
}

/* The one of several entries of equal target and rank that counts: with the
 * mount's source if there is one; of fstab lines the first (libmount and the
 * generator take that), of utab's records the last. */
static const struct bound *bound_choose(const struct bound *b, size_t n, const char *source)
{
        const struct bound *chosen = NULL;
        bool chosen_equal = false;

        for (size_t i = 0; i < n; i++) {
                bool equal = !b[i].source || strcmp(b[i].source, source) == 0;
                bool later_counts = b[i].rank == RANK_UTAB && equal == chosen_equal;

                if (!chosen || (equal && !chosen_equal) || later_counts) {
                        chosen = &b[i];
                        chosen_equal = equal;
                }
        }
        return chosen;
}

static int bound_find(const struct requested_sources *s, const char *target, const char *source,
                      struct answer_list *l)
{
        bool seen[RANK_COUNT] = { 0 };

        for (size_t i = bound_first(s, target), n; i < s->n_bound; i += n) {
                const struct bound *b = &s->bound[i];

                if (strcmp(b->target, target) != 0)
                        return 0;
                for (n = 1; i + n < s->n_bound && b[n].rank == b->rank && strcmp(b[n].target, target) == 0; n++)
                        continue;
                seen[b->rank] = true;
                if (b->rank == RANK_GENERATED && seen[RANK_FSTAB])
                        continue;
                int r = answer_copy(l, bound_choose(b, n, source));
                if (r < 0)
                        return r;
        }
        return 0;
}

/* The heading above the line, as nfsmount.conf(5) spells it. NULL on -ENOMEM. */
static char *conf_heading(const struct nfsmountconf_entry *e)
{
        static const char *const names[NFSMOUNTCONF_SCOPE_COUNT] = {
                [NFSMOUNTCONF_MOUNTPOINT] = "MountPoint",
                [NFSMOUNTCONF_SERVER] = "Server",
                [NFSMOUNTCONF_GLOBAL] = "NFSMount_Global_Options",
        };
        cleanup(text_done) struct text t = { 0 };

        if (e->argument)
                text_add(&t, "[ %s \"%s\" ]", names[e->scope], e->argument);
        else
                text_add(&t, "[ %s ]", names[e->scope]);
        return text_take(&t);
}

static int conf_copy(const struct nfsmountconf_entry *e, struct requested *r)
{
        r->section = conf_heading(e);
        if (!r->section)
                return -ENOMEM;
        r->is_default = true;
        r->place.kind = PLACE_NFSMOUNT_CONF;
        r->place.line = e->line;
        if (string_copy(e->file, &r->place.file) < 0 || string_copy(e->text, &r->text) < 0 ||
            string_copy(e->option, &r->options_text) < 0)
                return -ENOMEM;
        return options_parse(e->option, strlen(e->option), &r->options);
}

static int conf_add(const struct nfsmountconf_entry *e, struct answer_list *l)
{
        struct requested *new = answer_new(l);

        if (!new)
                return -ENOMEM;
        int r = conf_copy(e, new);
        if (r == -ENOMEM)
                return r;
        if (r < 0)              /* a value with an open quote: nothing to say about it */
                requested_done(&l->items[--l->n]);
        return 0;
}

static int conf_find(const struct requested_sources *s, const char *target, const char *server,
                     enum nfsmountconf_scope scope, struct answer_list *l)
{
        for (size_t i = 0; i < s->conf.n_entries; i++) {
                const struct nfsmountconf_entry *e = &s->conf.entries[i];

                if (e->scope != scope || !nfsmountconf_concerns(e, target, server))
                        continue;
                int r = conf_add(e, l);
                if (r < 0)
                        return r;
        }
        return 0;
}

/* What nfsmount.conf says is added to *l, which is handed over. */
static int find_end(const struct requested_sources *s, const char *target, const char *server, struct answer_list *l,
                    struct requested **ret, size_t *ret_n)
{
        int r = 0;

        for (unsigned scope = 0; r == 0 && scope < NFSMOUNTCONF_SCOPE_COUNT; scope++)
                r = conf_find(s, target, server, (enum nfsmountconf_scope)scope, l);
        if (r < 0)
                return r;
        *ret = l->items;
        *ret_n = l->n;
        *l = (struct answer_list){ 0 };
        return 0;
}

int requested_find(const struct requested_sources *s, const struct mount_facts *m,
                   struct requested **ret, size_t *ret_n)
{
        cleanup(answer_list_done) struct answer_list l = { 0 };
        cleanup_free char *target = stripped_copy(m->target), *source = stripped_copy(m->source);

        if (!target || !source)
                return -ENOMEM;
        int r = bound_find(s, target, source, &l);
        return r < 0 ? r : find_end(s, target, m->server, &l, ret, ret_n);
}

int requested_of_line(const struct requested_sources *s, const struct fstab_entry *e, const char *file,
                      const struct mount_facts *m, struct requested **ret, size_t *ret_n)
{
        cleanup(answer_list_done) struct answer_list l = { 0 };
        cleanup(bound_done) struct bound b = { 0 };
        struct said said = fstab_said(e, file);
        int r = said_copy(&said, &b);

        if (r == 0)
                r = answer_copy(&l, &b);
        return r < 0 ? r : find_end(s, b.target, m->server, &l, ret, ret_n);
}

int requested_of_section(const struct requested_sources *s, const struct nfsmountconf_entry *section,
                         struct requested **ret, size_t *ret_n)
{
        cleanup(answer_list_done) struct answer_list l = { 0 };

        for (size_t i = 0; i < s->conf.n_entries; i++) {
                const struct nfsmountconf_entry *e = &s->conf.entries[i];
                int r = nfsmountconf_same_section(e, section) ? conf_add(e, &l) : 0;

                if (r < 0)
                        return r;
        }
        *ret = l.items;
        *ret_n = l.n;
        l = (struct answer_list){ 0 };
        return 0;
}
