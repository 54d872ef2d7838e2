/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/recorded.c - the files of a host, kind by kind, into one snapshot.
 */
#include "probe/recorded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "policy/text.h"
#include "probe/exports.h"
#include "probe/lines.h"
#include "probe/mountstats.h"
#include "probe/mounttable.h"
#include "probe/observation_json.h"
#include "probe/recorded_input.h"
#include "probe/requested.h"
#include "probe/shares.h"
#include "probe/unmounted.h"

struct given_fstab {
        char *file;
        struct fstab fstab;
        bool *used;                     /* per entry: a mount comes from it */
};

/* What is remembered until the snapshot is whole. */
struct reading {
        struct recorded r;
        size_t allocated;               /* of r.snapshot.mounts */
        struct requested_sources *sources;
        struct given_fstab *fstabs;
        size_t n_fstabs;
        struct text error, notes;
};

static const struct {
        const char *name;
        uint64_t cap_bytes;
        bool only_once;
} kinds[RECORDED_COUNT] = {
        [RECORDED_MOUNTS] = { "mounts", 64 * MIB, false },
        [RECORDED_MOUNTINFO] = { "mountinfo", 64 * MIB, true },
        [RECORDED_MOUNTSTATS] = { "mountstats", 1024 * MIB, true },
        [RECORDED_FSTAB] = { "fstab", FSTAB_BYTES_MAX, false },
        [RECORDED_NFSMOUNT_CONF] = { "nfsmount.conf", NFSMOUNTCONF_BYTES_MAX, false },
        [RECORDED_EXPORTS] = { "exports", EXPORTS_BYTES_MAX, false },
        [RECORDED_OBSERVATION] = { "observation", 64 * MIB, false },
};

static const char cut_words[] = "ends in the middle of a line: copy the whole file";

static void reading_done(struct reading *r)
{
        recorded_done(&r->r);
        requested_sources_free(r->sources);
        for (size_t i = 0; i < r->n_fstabs; i++) {
                free(r->fstabs[i].file);
                fstab_done(&r->fstabs[i].fstab);
                free(r->fstabs[i].used);
        }
        free(r->fstabs);
        text_done(&r->error);
        text_done(&r->notes);
}

/* One more observation, zeroed and counted. NULL on -ENOMEM. */
static struct observation *observation_new(struct reading *r)
{
        struct snapshot *s = &r->r.snapshot;

        if (s->n_mounts == r->allocated) {
                size_t more = r->allocated ? r->allocated + r->allocated / 2 : 16;
                struct observation *bigger = reallocarray(s->mounts, more, sizeof(*bigger));

                if (!bigger)
                        return NULL;
                s->mounts = bigger;
                r->allocated = more;
        }
        struct observation *o = &s->mounts[s->n_mounts++];
        *o = (struct observation){ 0 };
        for (unsigned w = 0; w < WORKLOAD_COUNT; w++)
                o->probe.results[w].workload = (enum workload)w;
        return o;
}

/* ---- the mount table --------------------------------------------------------- */

static void fclosep(FILE **f)
{
        if (*f)
                (void)fclose(*f);       /* memory */
}

static size_t columns_count(const char *line, size_t length)
{
        size_t n = 0;

        for (size_t i = 0; i < length; i++)
                n += line[i] != ' ' && line[i] != '\t' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t');
        return n;
}

static void last_line(const struct text *t, const char **ret, size_t *ret_length)
{
        size_t end = t->length_bytes;

        while (end > 0 && t->data[end - 1] == '\n')
                end--;
        const char *newline = memrchr(t->data, '\n', end);
        *ret = newline ? newline + 1 : t->data;
        *ret_length = (size_t)(t->data + end - *ret);
        blanks_trim(ret, ret_length);
}

/* A last line without its newline is whole where the format says how many
 * columns a whole line has: fstab and /proc/mounts. */
static bool is_whole(const struct text *t)
{
        const char *line;
        size_t length;

        last_line(t, &line, &length);
        return line[0] == '#' || columns_count(line, length) >= 6;
}

/* All of a file whose last line must be whole. @columns_tell: see is_whole(). */
static int lines_read(const struct recorded_input *in, bool columns_tell, struct text *ret,
                      struct recorded_end *ret_end)
{
        int r = recorded_input_text(in, ret, ret_end);

        if (r == 0 && ret_end->open && !in->original && !(columns_tell && is_whole(ret)))
                return recorded_unusable(in, ret_end->line, cut_words);
        return r;
}

/* The kernel prints addr= last, behind sizes that are never below 1 KiB: does the last
 * mount of a mountinfo that was cut, and then got a newline from an editor, lack it? */
static bool options_cut(const struct mounttable *t)
{
        const struct options *o = &t->mounts[t->n_mounts - 1].super;
        const char *name = o->n_items ? o->items[o->n_items - 1].name : "addr";
        uint64_t size;

        if (options_has(o, "addr"))
                return false;
        if ((strcmp(name, "rsize") == 0 || strcmp(name, "wsize") == 0) &&
            (options_u64(o, name, &size) < 0 || size < KIB))
                return true;
        bool others_have = options_has(o, "namlen");
        for (size_t i = 0; i + 1 < t->n_mounts && !others_have; i++)
                others_have = options_has(&t->mounts[i].super, "addr");
        return others_have;
}

static int table_take(struct reading *r, struct mounttable *t)
{
        for (size_t i = 0; i < t->n_mounts; i++) {
                struct observation *o = observation_new(r);

                if (!o)
                        return -ENOMEM;
                o->mount = t->mounts[i];
                t->mounts[i] = (struct mount_facts){ 0 };
        }
        return 0;
}

static bool last_line_is_nfs(const struct text *t)
{
        const char *line;
        size_t length;

        last_line(t, &line, &length);
        return memmem(line, length, " - nfs ", 7) || memmem(line, length, " - nfs4 ", 8);
}

static int table_parse(const struct recorded_input *in, const struct text *t, struct mounttable *ret)
{
        cleanup(fclosep) FILE *f = fmemopen(t->data, t->length_bytes, "r");

        if (!f)
                return -ENOMEM;
        int r = mounttable_parse(f, ret);
        if (r == -ENOMEM)
                return r;
        if (r == -E2BIG)
                return recorded_unusable(in, 0, "more than %d NFS mounts", MOUNTTABLE_NFS_MAX);
        return r < 0 ? recorded_unusable(in, 0, "%s", strerror(-r)) : 0;
}

/* @keep: its mounts are those of the snapshot. */
static int table_read(struct reading *r, const struct recorded_input *in, bool mountinfo, bool keep)
{
        cleanup(text_done) struct text text = { 0 };
        cleanup(mounttable_done) struct mounttable t = { 0 };
        struct recorded_end end;
        int status = lines_read(in, !mountinfo, &text, &end);

        if (status != 0)
                return status;
        status = table_parse(in, &text, &t);
        if (status != 0)
                return status;
        if (t.n_lines_bad == t.n_lines_total)
                return recorded_unusable(in, 0, "no line of it is one of a mount table: is it /proc/self/mountinfo "
                                                "or /proc/mounts?");
        if (t.n_mounts > 0 && last_line_is_nfs(&text) && options_cut(&t))
                return recorded_unusable(in, end.line - !end.open, cut_words);
        if (t.n_lines_bad > 0)
                text_add(&r->notes, "%s: %zu of %zu lines cannot be read; a mount there is not judged\n", in->shown,
                         t.n_lines_bad, t.n_lines_total);
        return keep ? table_take(r, &t) : 0;
}

/* ---- mountstats ----------------------------------------------------------------- */

/* A block is a mount where no table is given. */
static int block_take(void *context, struct mountstats_entry *e)
{
        struct observation *o = observation_new(context);
        struct nfs_options of_mount;

        if (!o)
                return -ENOMEM;
        struct mount_facts *m = &o->mount;
        m->target = TAKE(e->target);
        m->source = TAKE(e->source);
        m->fstype = TAKE(e->fstype);
        m->propagation = strdup("");
        m->super = e->options;
        e->options = (struct options){ 0 };
        o->counters = e->counters;
        e->counters = (struct counters){ 0 };
        nfs_options_read(&m->super, &of_mount);
        m->read_only = of_mount.read_only;
        return m->propagation && options_copy(&m->super, &m->vfs) == 0 ? mount_source_split(m) : -ENOMEM;
}

static int stats_piece(void *stream, const char *data, size_t length)
{
        return mountstats_feed(stream, data, length);
}

static int stats_stream(const struct recorded_input *in, struct mountstats_stream *s)
{
        struct recorded_end end = { 0 };
        int r = recorded_input_stream(in, stats_piece, s, &end);

        if (r == 0)
                r = mountstats_end(s);
        if (r != 0)
                return r;
        if (s->n_devices == 0)
                return recorded_unusable(in, 0, "no \"device\" line in it: is it /proc/self/mountstats?");
        if (end.open)
                return recorded_unusable(in, end.line, cut_words);
        if (s->counters_cut)
                return recorded_unusable(in, end.line - 1, "ends in the middle of a mount: copy the whole file");
        return 0;
}

static void joinerp(struct mountstats_joiner **j)
{
        mountstats_joiner_free(*j);
}

static int stats_join(struct reading *r, const struct recorded_input *in)
{
        cleanup(joinerp) struct mountstats_joiner *j = mountstats_joiner_new(&r->r.snapshot);
        cleanup(mountstats_stream_done) struct mountstats_stream s = { .take = mountstats_joiner_take, .context = j };

        return j ? stats_stream(in, &s) : -ENOMEM;      /* no mount has counters yet: nothing to forget at the end */
}

static int stats_read(struct reading *r, const struct recorded_input *in, bool has_table)
{
        cleanup(mountstats_stream_done) struct mountstats_stream s = {
                .take = block_take, .context = r, .options_wanted = true,
        };

        return has_table ? stats_join(r, in) : stats_stream(in, &s);
}

/* ---- fstab ------------------------------------------------------------------------ */

/* Length of what is quoted of a line that cannot be read: it may be anything. */
#define QUOTED_MAX 200

static int bad_line_find(struct reading *r, const char *file, const struct fstab_bad_line *b)
{
        cleanup(text_done) struct text evidence = { 0 }, words = { 0 };
        struct place place = { .kind = PLACE_FSTAB, .file = (char *)file, .line = b->line };
        const char *line = b->text;
        size_t length = strlen(line);

        blanks_trim(&line, &length);
        text_add(&evidence, "\"%.*s%s\" %s", (int)MIN(length, (size_t)QUOTED_MAX), line,
                 length > QUOTED_MAX ? "..." : "", b->problem);
        text_add(&words, "%s", b->advice);
        return findings_add(&r->r.findings, RULE_INVALID_OPTION, &place, &evidence, &words);
}

static int bad_lines_find(struct reading *r, const char *file, const struct fstab *f)
{
        int status = 0;

        for (size_t i = 0; status == 0 && i < f->n_bad_lines; i++)
                if (f->bad_lines[i].looks_nfs)
                        status = bad_line_find(r, file, &f->bad_lines[i]);
        return status;
}

/* Not one line can be read. */
static int bad_lines_only(const struct recorded_input *in, const struct fstab *f)
{
        for (size_t i = 0; i < f->n_bad_lines; i++) {
                const struct fstab_bad_line *b = &f->bad_lines[i];

                if (b->looks_nfs)
                        return recorded_unusable(in, b->line, "the line %s; %s", b->problem, b->advice);
        }
        return recorded_unusable(in, f->bad_lines[0].line, "no line of it is one of an fstab");
}

/* Room for one more, zeroed and counted. NULL on -ENOMEM. */
static struct given_fstab *fstab_new(struct reading *r, const char *file)
{
        struct given_fstab *bigger = reallocarray(r->fstabs, r->n_fstabs + 1, sizeof(*bigger));

        if (!bigger)
                return NULL;
        r->fstabs = bigger;
        bigger[r->n_fstabs] = (struct given_fstab){ .file = strdup(file) };
        return bigger[r->n_fstabs++].file ? &bigger[r->n_fstabs - 1] : NULL;
}

static int fstab_file_read(struct reading *r, const struct recorded_input *in)
{
        cleanup(text_done) struct text text = { 0 };
        struct recorded_end end;
        int status = lines_read(in, true, &text, &end);

        if (status != 0)
                return status;
        struct given_fstab *g = fstab_new(r, in->name);
        if (!g || fstab_parse(text.data, text.length_bytes, &g->fstab) < 0)
                return -ENOMEM;
        g->used = calloc(g->fstab.n_entries + 1, sizeof(*g->used));
        if (!g->used)
                return -ENOMEM;
        if (g->fstab.n_good_lines == 0 && g->fstab.n_bad_lines > 0)
                return bad_lines_only(in, &g->fstab);
        status = bad_lines_find(r, g->file, &g->fstab);
        return status < 0 ? status : requested_sources_fstab(r->sources, &g->fstab, g->file);
}

/* ---- nfsmount.conf, exports, observations ------------------------------------------- */

static int conf_read(struct reading *r, const struct recorded_input *in)
{
        cleanup(text_done) struct text text = { 0 };
        const struct nfsmountconf *c = requested_sources_confs(r->sources);
        size_t lines = c->n_lines, known = c->n_lines_known, left_out = c->n_left_out;
        struct recorded_end end;
        int status = lines_read(in, false, &text, &end);

        if (status != 0)
                return status;
        status = requested_sources_conf(r->sources, text.data, text.length_bytes, in->name);
        if (status < 0)
                return status;
        if (c->n_lines > lines && c->n_lines_known == known)
                return recorded_unusable(in, 0, "no section of nfsmount.conf in it: expected "
                                                "[ NFSMount_Global_Options ], [ Server \"NAME\" ] or "
                                                "[ MountPoint \"PATH\" ]");
        if (c->n_left_out > left_out)
                text_add(&r->notes, "%s: more than %d settings, %zu of it are not judged\n", in->shown,
                         NFSMOUNTCONF_LINES_MAX, c->n_left_out - left_out);
        return 0;
}

static int entries_append(struct exports *to, struct exports *from)
{
        struct export_entry *bigger =
                reallocarray(to->entries, to->n_entries + from->n_entries + 1, sizeof(*bigger));

        if (!bigger)
                return -ENOMEM;
        to->entries = bigger;
        if (from->n_entries)
                memcpy(bigger + to->n_entries, from->entries, from->n_entries * sizeof(*bigger));
        to->n_entries += from->n_entries;
        free(from->entries);    /* the texts have moved */
        *from = (struct exports){ 0 };
        return 0;
}

static int exports_read(struct reading *r, const struct recorded_input *in)
{
        cleanup(text_done) struct text text = { 0 };
        cleanup(exports_done) struct exports e = { 0 };
        size_t findings = r->r.findings.n_items;
        struct recorded_end end;
        int status = lines_read(in, false, &text, &end);

        if (status != 0)
                return status;
        status = exports_parse(text.data, text.length_bytes, in->name, &e, &r->r.findings);
        if (status < 0)
                return status;
        if (e.n_entries == 0 && r->r.findings.n_items > findings)
                return recorded_unusable(in, r->r.findings.items[findings].place.line,
                                         "no line of it is one of an exports file");
        return entries_append(&r->r.exports, &e);
}

static int observations_read(struct reading *r, const struct recorded_input *in)
{
        cleanup(text_done) struct text text = { 0 };
        cleanup(snapshot_done) struct snapshot s = { 0 };
        cleanup_free char *words = NULL;
        struct recorded_end end;
        int status = recorded_input_text(in, &text, &end);

        if (status != 0)
                return status;
        status = observations_from_json(text.data, text.length_bytes, &s, &words);
        if (status == -EINVAL)
                return recorded_unusable(in, 0, "%s", words ? words : "no observation");
        for (size_t i = 0; status == 0 && i < s.n_mounts; i++) {
                struct observation *o = observation_new(r);

                if (!o)
                        return -ENOMEM;
                *o = s.mounts[i];
                s.mounts[i] = (struct observation){ 0 };
        }
        return status;
}

/* ---- who asked ------------------------------------------------------------------------- */

static int compare_line(const void *key, const void *entry)
{
        unsigned line = *(const unsigned *)key, other = ((const struct fstab_entry *)entry)->line;

        return (line > other) - (line < other);
}

static void line_use(struct reading *r, const struct place *p)
{
        for (size_t i = 0; i < r->n_fstabs; i++) {
                struct given_fstab *g = &r->fstabs[i];
                const struct fstab_entry *e = NULL;

                if (strcmp(g->file, p->file) == 0 && g->fstab.n_entries > 0)
                        e = bsearch(&p->line, g->fstab.entries, g->fstab.n_entries, sizeof(*e), compare_line);
                if (e)
                        g->used[e - g->fstab.entries] = true;
        }
}

static int requested_join(struct reading *r)
{
        struct snapshot *s = &r->r.snapshot;

        requested_sources_sort(r->sources);
        for (size_t i = 0; i < s->n_mounts; i++) {
                struct observation *o = &s->mounts[i];
                int status = requested_find(r->sources, &o->mount, &o->requested, &o->n_requested);

                if (status < 0)
                        return status;
                for (size_t k = 0; k < o->n_requested; k++)
                        if (o->requested[k].place.kind == PLACE_FSTAB)
                                line_use(r, &o->requested[k].place);
        }
        return 0;
}

/* ---- what no mount belongs to ------------------------------------------------------------ */

static int line_add(struct reading *r, const struct fstab_entry *e, const char *file)
{
        struct observation *o = observation_new(r);

        return o ? unmounted_line(r->sources, e, file, o) : -ENOMEM;
}

static int compare_strings(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted mount points of the recorded observations, which say themselves who
 * asked for them. NULL on -ENOMEM. */
static const char **targets_sorted(const struct snapshot *s, size_t first, size_t *ret_n)
{
        const char **targets = calloc(s->n_mounts - first + 1, sizeof(*targets));

        *ret_n = s->n_mounts - first;
        for (size_t i = first; targets && i < s->n_mounts; i++)
                targets[i - first] = s->mounts[i].mount.target;
        if (targets && *ret_n > 1)
                qsort(targets, *ret_n, sizeof(*targets), compare_strings);
        return targets;
}

static void stringsp(const char ***strings)
{
        free(*strings);
}

/* The observations from @first on are recorded ones. */
static int lines_add(struct reading *r, size_t first)
{
        size_t n;
        cleanup(stringsp) const char **targets = targets_sorted(&r->r.snapshot, first, &n);
        int status = targets ? 0 : -ENOMEM;

        for (size_t i = 0; i < r->n_fstabs; i++) {
                const struct given_fstab *g = &r->fstabs[i];

                for (size_t k = 0; status == 0 && k < g->fstab.n_entries; k++) {
                        const struct fstab_entry *e = &g->fstab.entries[k];

                        if (!g->used[k] && !bsearch(&e->target, targets, n, sizeof(*targets), compare_strings))
                                status = line_add(r, e, g->file);
                }
        }
        return status;
}

/* nfsmount.conf alone: its sections, in the order of their first lines. */
static int sections_add(struct reading *r)
{
        const struct nfsmountconf *c = requested_sources_confs(r->sources);

        for (size_t i = 0; i < c->n_entries; i++) {
                bool first = true;

                for (size_t k = 0; k < i; k++)
                        first &= !nfsmountconf_same_section(&c->entries[k], &c->entries[i]);
                if (!first)
                        continue;
                struct observation *o = observation_new(r);
                if (!o)
                        return -ENOMEM;
                int status = unmounted_section(r->sources, &c->entries[i], o);
                if (status < 0)
                        return status;
        }
        return 0;
}

/* ---- the whole ------------------------------------------------------------------------------ */

struct request {
        const struct recorded_file *files;
        size_t n_files;
        bool originals;
        bool has[RECORDED_COUNT];
};

static int file_take(struct reading *r, const struct request *q, const struct recorded_file *f,
                     const struct recorded_input *in)
{
        switch (f->kind) {
        case RECORDED_MOUNTS:
                return table_read(r, in, false, !q->has[RECORDED_MOUNTINFO]);
        case RECORDED_MOUNTINFO:
                return table_read(r, in, true, true);
        case RECORDED_MOUNTSTATS:
                return stats_read(r, in, q->has[RECORDED_MOUNTS] || q->has[RECORDED_MOUNTINFO]);
        case RECORDED_FSTAB:
                return fstab_file_read(r, in);
        case RECORDED_NFSMOUNT_CONF:
                return conf_read(r, in);
        case RECORDED_EXPORTS:
                return exports_read(r, in);
        case RECORDED_OBSERVATION:
                return observations_read(r, in);
        default:
                return recorded_unusable(in, 0, "a file of no known kind");
        }
}

static int file_read_one(struct reading *r, const struct request *q, const struct recorded_file *f)
{
        const char *name = strcmp(f->path, "-") == 0 ? "standard input" : f->path;
        cleanup_free char *shown = recorded_shown(name);
        const struct recorded_input in = {
                .path = f->path, .name = name, .shown = shown, .original = q->originals,
                .cap_bytes = kinds[f->kind].cap_bytes,
                .line_cap_bytes = f->kind == RECORDED_OBSERVATION ? kinds[f->kind].cap_bytes : MIB, .error = &r->error,
        };

        return shown ? file_take(r, q, f, &in) : -ENOMEM;
}

static int kind_read(struct reading *r, const struct request *q, enum recorded_kind kind)
{
        int status = 0;

        for (size_t i = 0; status == 0 && i < q->n_files; i++)
                if (q->files[i].kind == kind)
                        status = file_read_one(r, q, &q->files[i]);
        return status;
}

static void second_say(struct text *error, const struct recorded_file *f)
{
        cleanup_free char *shown = recorded_shown(f->path);

        if (shown)
                text_add(error, "%s: a second %s file: give one", shown, kinds[f->kind].name);
        else
                error->failed = true;
}

/* Asked for twice what can be read once. */
static int request_check(struct request *q, struct text *error)
{
        bool standard = false;

        for (size_t i = 0; i < q->n_files; i++) {
                const struct recorded_file *f = &q->files[i];
                bool this_standard = strcmp(f->path, "-") == 0;

                if (kinds[f->kind].only_once && q->has[f->kind])
                        second_say(error, f);
                else if (standard && this_standard)
                        text_add(error, "standard input: can be read for one file only");
                if (error->length_bytes || error->failed)
                        return error->failed ? -ENOMEM : 1;
                q->has[f->kind] = true;
                standard |= this_standard;
        }
        return 0;
}

static int files_read(struct reading *r, const struct request *q)
{
        static const enum recorded_kind before[] = {
                RECORDED_MOUNTINFO, RECORDED_MOUNTS, RECORDED_MOUNTSTATS, RECORDED_FSTAB, RECORDED_NFSMOUNT_CONF,
                RECORDED_EXPORTS,
        };
        int status = 0;

        for (size_t i = 0; status == 0 && i < ARRAY_SIZE(before); i++)
                status = kind_read(r, q, before[i]);
        if (status == 0)
                status = exports_sort(&r->r.exports);
        if (status == 0)
                status = requested_join(r);
        if (status == 0)
                status = shares_by_device(&r->r.snapshot);
        if (status == 0)
                status = shares_by_counters(&r->r.snapshot);
        size_t first = r->r.snapshot.n_mounts;
        if (status == 0)
                status = kind_read(r, q, RECORDED_OBSERVATION);
        if (status == 0)
                status = lines_add(r, first);
        if (status == 0 && r->r.snapshot.n_mounts == 0)
                status = sections_add(r);
        return status;
}

static int request_read(struct request *q, struct recorded *ret, char **ret_error)
{
        cleanup(reading_done) struct reading r = { .sources = requested_sources_new() };

        if (!r.sources)
                return -ENOMEM;
        int status = request_check(q, &r.error);
        if (status == 0)
                status = files_read(&r, q);
        if (status > 0 && !(*ret_error = text_take(&r.error)))
                return -ENOMEM;
        if (status != 0)
                return status;
        if (r.notes.failed || (r.notes.length_bytes > 0 && !(r.r.notes = text_take(&r.notes))))
                return -ENOMEM;
        *ret = r.r;
        r.r = (struct recorded){ 0 };
        return 0;
}

int recorded_read(const struct recorded_file *files, size_t n_files, struct recorded *ret, char **ret_error)
{
        struct request q = { .files = files, .n_files = n_files };

        return request_read(&q, ret, ret_error);
}

int recorded_read_originals(const struct recorded_file *files, size_t n_files, struct recorded *ret, char **ret_error)
{
        struct request q = { .files = files, .n_files = n_files, .originals = true };

        return request_read(&q, ret, ret_error);
}

void recorded_done(struct recorded *r)
{
        snapshot_done(&r->snapshot);
        exports_done(&r->exports);
        findings_done(&r->findings);
        free_charp(&r->notes);
}
