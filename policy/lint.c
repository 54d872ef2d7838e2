/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/lint.c - what is wrong with an option list. See lint.h.
 *
 * Each option is looked at by itself first (name, value, age), then beside the others; it gets one problem at most.
 * What mount.nfs and the kernel make of it: an unknown name or a bad value fails the whole mount (EINVAL) unless
 * "sloppy" is given; of several settings of one thing the last one holds, except for the version, of which mount.nfs
 * takes only one.
 */
#include "policy/lint.h"

#include <errno.h>
#include <string.h>

#include "policy/exports.h"
#include "policy/nearest.h"
#include "policy/option_table.h"
#include "policy/text.h"

struct item {
        const struct mount_option *option;
        const struct option_info *info; /* NULL: unknown */
        bool usable;                    /* known, and its value is one */
};

struct reading {
        const struct options *options;
        struct item *items;             /* one per option */
        struct nfs_options meaning;
        bool suffixes;                  /* 32k is a size here */
        const char *refused;            /* what becomes of a mount with an option that is none */
        struct lint *lint;
};

/* ---- problems --------------------------------------------------------------------- */

static void problem_done(struct lint_problem *p)
{
        free(p->option);
        free(p->drop);
        free(p->set);
        free(p->words);
        *p = (struct lint_problem){ 0 };
}

void lint_done(struct lint *l)
{
        for (size_t i = 0; i < l->n_problems; i++)
                problem_done(&l->problems[i]);
        free(l->problems);
        *l = (struct lint){ 0 };
}

/* What to say of one option. Texts that are NULL say nothing. */
struct verdict_words {
        bool obsolete;
        bool guess;
        bool keep;                      /* do not propose to remove it */
        const char *set_name;           /* NULL: nothing is written instead */
        const char *set_value;
        struct text words;
};

static bool is_secret(const char *name)
{
        return strncmp(name, "pass", 4) == 0;
}

static char *option_text(const char *name, const char *value)
{
        struct text t = { 0 };

        text_add_option(&t, &(struct mount_option){
                .name = (char *)name, .value = is_secret(name) ? NULL : (char *)value,
        });
        return text_take(&t);
}

static int problem_fill(struct lint_problem *p, const struct mount_option *o, struct verdict_words *v)
{
        p->obsolete = v->obsolete;
        p->guess = v->guess;
        p->option = option_text(o->name, o->value);
        if (!v->keep)
                p->drop = option_text(o->name, o->value);
        if (v->set_name)
                p->set = option_text(v->set_name, v->set_value);
        p->words = text_take(&v->words);
        return p->option && p->words && (v->keep || p->drop) && (!v->set_name || p->set) ? 0 : -ENOMEM;
}

/* Return: 1 (a problem was found), or -ENOMEM. */
static int problem_add(struct lint *l, const struct mount_option *o, struct verdict_words *v)
{
        struct lint_problem p = { 0 }, *bigger = reallocarray(l->problems, l->n_problems + 1, sizeof(*bigger));

        if (bigger)
                l->problems = bigger;
        if (problem_fill(&p, o, v) < 0 || !bigger) {
                text_done(&v->words);
                problem_done(&p);
                return -ENOMEM;
        }
        l->problems[l->n_problems++] = p;
        return 1;
}

/* ---- names that are none ------------------------------------------------------------- */

static const struct {
        const char *name;
        const char *whose;
} foreign_options[] = {
        { "allow_other", "FUSE file systems" },  { "barrier", "ext4" },
        { "codepage", "vfat" },                  { "commit", "ext4" },
        { "compress", "btrfs" },                 { "cred", "cifs" },
        { "credentials", "cifs" },               { "data", "ext4" },
        { "dir_mode", "cifs" },                  { "discard", "local file systems on flash storage" },
        { "dmask", "vfat" },                     { "domain", "cifs" },
        { "errors", "ext4" },                    { "file_mode", "cifs" },
        { "fmask", "vfat" },                     { "gid", "vfat and cifs" },
        { "grpquota", "local file systems" },    { "inode64", "xfs" },
        { "iocharset", "vfat and cifs" },        { "logbufs", "xfs" },
        { "mode", "tmpfs" },                     { "nls", "ntfs" },
        { "nobarrier", "local file systems" },   { "nobootwait", "Ubuntu's old mountall" },
        { "nodiscard", "local file systems" },   { "noperm", "cifs" },
        { "noquota", "local file systems" },     { "password", "cifs" },
        { "quota", "local file systems" },       { "size", "tmpfs" },
        { "space_cache", "btrfs" },              { "subvol", "btrfs" },
        { "uid", "vfat and cifs" },              { "umask", "vfat" },
        { "user_xattr", "ext4" },                { "username", "cifs" },
        { "usrquota", "local file systems" },    { "utf8", "vfat" },
};

static const char *foreign_owner(const char *name)
{
        for (size_t i = 0; i < ARRAY_SIZE(foreign_options); i++)
                if (strcmp(name, foreign_options[i].name) == 0)
                        return foreign_options[i].whose;
        return NULL;
}

/* NULL: it has no capitals, or -ENOMEM (*ret_failed). */
static char *in_small_letters(const char *name, bool *ret_failed)
{
        bool capitals = false;
        char *small = strdup(name);

        *ret_failed = !small;
        for (char *c = small; c && *c; c++)
                if (*c >= 'A' && *c <= 'Z') {
                        *c = (char)(*c - 'A' + 'a');
                        capitals = true;
                }
        if (!capitals) {
                free(small);
                return NULL;
        }
        return small;
}

static bool value_fits(const char *name, const char *value)
{
        const struct option_info *info = option_info(name);

        return info && option_value_is_valid(info, value);
}

/* @meant: the known name; @sure: only its letters were wrong. */
static int misspelt_add(const struct reading *r, const struct mount_option *o, const char *meant, bool sure)
{
        struct verdict_words v = { .guess = !sure };

        if (value_fits(meant, o->value)) {
                v.set_name = meant;
                v.set_value = o->value;
        }
        if (sure)
                text_add(&v.words, "is not known in this spelling, option names are written in small letters: %s",
                         r->refused);
        else
                text_add(&v.words, "is no option of an NFS mount: %s; was %s meant?", r->refused, meant);
        return problem_add(r->lint, o, &v);
}

/* What is neither known nor near to anything known may come from a newer kernel. */
static int unknown_lint(const struct reading *r, const struct mount_option *o)
{
        const char *owner = foreign_owner(o->name);
        cleanup_free char *small = NULL;
        struct verdict_words v = { 0 };
        const char *near;
        bool failed;

        if (!*o->name && o->value) {
                text_add(&v.words, "has no name: %s", r->refused);
                return problem_add(r->lint, o, &v);
        }
        if (export_option_is_known(o->name)) {
                text_add(&v.words, "is an option of the server's export and belongs into /etc/exports there: %s",
                         r->refused);
                return problem_add(r->lint, o, &v);
        }
        if (owner) {
                text_add(&v.words, "is an option of %s, not of NFS: %s", owner, r->refused);
                return problem_add(r->lint, o, &v);
        }
        if (!o->value && value_fits("sec", o->name)) {
                v = (struct verdict_words){ .guess = true, .set_name = "sec", .set_value = o->name };
                text_add(&v.words, "is a kind of security, not an option: %s; was sec=%s meant?", r->refused, o->name);
                return problem_add(r->lint, o, &v);
        }
        small = in_small_letters(o->name, &failed);
        if (failed)
                return -ENOMEM;
        if (small && option_info(small))
                return misspelt_add(r, o, small, true);
        near = *o->name ? option_nearest(small ? small : o->name) : NULL;
        return near ? misspelt_add(r, o, near, false) : 0;
}

/* ---- values that are none --------------------------------------------------------------- */

static bool is_version(const struct item *it)
{
        return strcmp(it->info->canonical, "vers") == 0;
}

static bool is_cifs_version(const char *value)
{
        static const char *const versions[] = { "1.0", "2.0", "2.1", "3.0", "3.02", "3.1.1" };

        return WORD_IS_ONE_OF(value, versions);
}

/* Numbers are always near to one another. */
static const char *nearest_word(const struct option_info *i, const char *value)
{
        const char *const *words = i->words;

        if (!words || !value)
                return NULL;
        for (; *words; words++)
                if (!strchr("0123456789", **words) && word_is_near(value, *words))
                        return *words;
        return NULL;
}

static void text_add_choices(struct text *t, const char *const *words)
{
        text_add(t, "has a value that is none, it can be ");
        for (size_t i = 0; words[i]; i++)
                text_add(t, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

static void text_add_range(struct text *t, const struct option_info *i)
{
        text_add(t, "needs a number ");
        if (i->max > 0)
                text_add(t, "from %llu to %llu", (unsigned long long)i->min, (unsigned long long)i->max);
        else
                text_add(t, "of at least %llu", (unsigned long long)i->min);
        if (i->unit)
                text_add(t, " (%s)", i->unit);
}

static void text_add_value_problem(struct text *t, const struct item *it)
{
        const char *value = it->option->value;

        if (!value || !*value)
                text_add(t, "needs a value");
        else if (it->info->kind == OPTION_FLAG)
                text_add(t, "takes no value");
        else if (is_version(it) && is_cifs_version(value))
                text_add(t, "names a version of cifs, not of NFS");
        else if (it->info->words)
                text_add_choices(t, it->info->words);
        else if (it->info->kind == OPTION_NUMBER || it->info->kind == OPTION_SIZE)
                text_add_range(t, it->info);
        else
                text_add(t, "has a value that is none");
}

static const char *value_consequence(const struct reading *r, const struct item *it)
{
        if (strcmp(it->info->name, "retry") == 0)
                return "mount.nfs takes its default instead";
        switch (it->info->reader) {
        case READER_SYSTEMD:
                return "systemd passes over it";
        case READER_MOUNT:
                return "it does nothing";
        case READER_KERNEL:
        case READER_VFS:
        case READER_MOUNT_NFS:
        case READER_COUNT:
                break;
        }
        return r->refused;
}

/* Without it the mount would go somewhere else, or be protected less: nothing to leave out on a guess. */
static bool is_vital(const struct option_info *i)
{
        static const char *const names[] = { "port", "mountport", "sec", "xprtsec", "addr", "mountaddr", "mounthost" };

        return WORD_IS_ONE_OF(i->canonical, names);
}

static int value_lint(const struct reading *r, const struct item *it)
{
        const char *near = it->info->kind == OPTION_FLAG ? NULL : nearest_word(it->info, it->option->value);
        struct verdict_words v = { .guess = near || is_vital(it->info), .keep = !near && is_vital(it->info) };

        text_add_value_problem(&v.words, it);
        text_add(&v.words, ": %s", value_consequence(r, it));
        if (near) {
                v.set_name = it->option->name;
                v.set_value = near;
                text_add(&v.words, "; was %s meant?", near);
        }
        return problem_add(r->lint, it->option, &v);
}

/* ---- what has had its day ------------------------------------------------------------------ */

/* The version option that stands last; NULL: none. minorversion= is no version by itself. */
static const struct item *version_item(const struct reading *r)
{
        for (size_t i = r->options->n_items; i > 0; i--)
                if (r->items[i - 1].usable && is_version(&r->items[i - 1]) &&
                    strcmp(r->items[i - 1].option->name, "minorversion") != 0)
                        return &r->items[i - 1];
        return NULL;
}

/* "4" of vers=4, nfsvers=4 and v4 */
static const char *meaning_of(const struct item *it)
{
        if (it->info->canonical_value)
                return it->info->canonical_value;
        return it->option->value ? it->option->value : it->option->name;
}

static bool is_plain_version_4(const struct item *version)
{
        return strcmp(meaning_of(version), "4") == 0;
}

/* Its value is checked: a digit. The version option keeps its name, so that it is replaced where it stands. */
static int minorversion_lint(const struct reading *r, const struct item *it)
{
        const struct item *version = version_item(r);
        struct verdict_words v = { .obsolete = true };
        char value[] = "4.x";

        if (version && !is_plain_version_4(version)) {
                text_add(&v.words, "does nothing beside ");
                text_add_option(&v.words, version->option);
                return problem_add(r->lint, it->option, &v);
        }
        value[2] = it->option->value[0];
        v.set_name = version && version->option->value ? version->option->name : "vers";
        v.set_value = value;
        text_add(&v.words, "is the old spelling of a minor version: %s=%s says the same", v.set_name, value);
        return problem_add(r->lint, it->option, &v);
}

static bool has_usable(const struct reading *r, const char *name)
{
        for (size_t i = 0; i < r->options->n_items; i++)
                if (r->items[i].usable && strcmp(r->items[i].option->name, name) == 0)
                        return true;
        return false;
}

static int obsolete_lint(const struct reading *r, const struct item *it)
{
        struct verdict_words v = { .obsolete = true };

        if (strcmp(it->option->name, "minorversion") == 0)
                return minorversion_lint(r, it);
        if (strcmp(it->option->name, "v4") == 0 && it == version_item(r) && has_usable(r, "minorversion")) {
                text_add(&v.words, "belongs to the old spelling with minorversion=");
                return problem_add(r->lint, it->option, &v);
        }
        if (is_version(it) && strcmp(meaning_of(it), "2") == 0) {
                text_add(&v.words, "asks for version 2 of NFS, which current servers and mount.nfs no longer speak; "
                                   "without it the version is negotiated");
                return problem_add(r->lint, it->option, &v);
        }
        /* UDP still works where the kernel has it: a question of its own (udp-transport) */
        if (!it->info->obsolete || strcmp(it->info->canonical, "proto") == 0)
                return 0;
        text_add(&v.words, "is obsolete (%s)", it->info->obsolete);
        return problem_add(r->lint, it->option, &v);
}

/* ---- beside the others ------------------------------------------------------------------------- */

/* x-systemd.requires= and comments add up. */
static bool adds_up(const struct item *it)
{
        return it->info->reader == READER_SYSTEMD || it->info->name[strlen(it->info->name) - 1] == '-' ||
               strcmp(it->info->name, "comment") == 0;
}

static bool same_name(const struct item *a, const struct item *b)
{
        return strcmp(a->option->name, b->option->name) == 0;
}

static bool same_value(const struct item *a, const struct item *b)
{
        const char *left = a->option->value, *right = b->option->value;

        return left && right ? strcmp(left, right) == 0 : left == right;
}

/* The last usable option behind @i that @is (to items[i]); NULL: none. */
static const struct item *last_behind(const struct reading *r, size_t i,
                                      bool (*is)(const struct item *, const struct item *))
{
        for (size_t j = r->options->n_items - 1; j > i; j--)
                if (r->items[j].usable && is(&r->items[i], &r->items[j]))
                        return &r->items[j];
        return NULL;
}

/* Said at the first of them, for all. */
static int repetition_lint(const struct reading *r, size_t i)
{
        const struct item *last = last_behind(r, i, same_name);
        struct verdict_words v = { 0 };
        bool differ = false;
        unsigned n = 0;

        if (!last || adds_up(last))
                return 0;
        for (size_t j = 0; j < r->options->n_items; j++) {
                if (!r->items[j].usable || !same_name(&r->items[i], &r->items[j]))
                        continue;
                if (j < i)
                        return 0;
                n++;
                differ = differ || !same_value(&r->items[i], &r->items[j]);
        }
        v.set_name = last->option->name;
        v.set_value = last->option->value;
        v.guess = differ && is_version(last);
        text_add(&v.words, "stands %u times ", n);
        if (is_version(last))
                text_add(&v.words, "in the list: mount.nfs takes only one version option");
        else if (differ)
                text_add(&v.words, "with different values; the last one holds: %s=%s", v.set_name, v.set_value);
        else
                text_add(&v.words, "with the same value: once is enough");
        return problem_add(r->lint, r->items[i].option, &v);
}

static bool same_family(const struct item *a, const struct item *b)
{
        return strcmp(a->info->canonical, b->info->canonical) == 0 && !same_name(a, b);
}

static int contradiction_lint(const struct reading *r, size_t i)
{
        const struct item *last = last_behind(r, i, same_family), *it = &r->items[i];
        struct verdict_words v = { 0 };
        bool agree;

        if (!last || adds_up(it))
                return 0;
        agree = strcmp(meaning_of(it), meaning_of(last)) == 0;
        text_add(&v.words, "%s ", agree ? "says the same as" : "contradicts");
        text_add_option(&v.words, last->option);
        if (is_version(it)) {
                v.guess = !agree;
                text_add(&v.words, " after it: mount.nfs takes only one version option");
        } else {
                text_add(&v.words, "%s", agree ? " after it: one of them is enough"
                                               : ", which comes after it and holds");
        }
        return problem_add(r->lint, it->option, &v);
}

static bool is_cache_time(const char *name)
{
        static const char *const names[] = { "actimeo", "acregmin", "acregmax", "acdirmin", "acdirmax" };

        return WORD_IS_ONE_OF(name, names);
}

/* noac,actimeo=0 is some vendors' prescription, says one thing twice, and harms nobody. */
static bool is_zero(const char *value)
{
        return value && value[strspn(value, "0")] == '\0';
}

static int noac_lint(const struct reading *r, const struct item *it)
{
        struct verdict_words v = { 0 };

        if (!r->meaning.noac)
                return 0;
        if (is_cache_time(it->option->name) && !is_zero(it->option->value))
                text_add(&v.words, "does nothing beside noac, which sets all attribute cache times to 0");
        else if (strcmp(it->option->name, "async") == 0)
                text_add(&v.words, "does nothing beside noac, with which the kernel always mounts sync");
        else
                return 0;
        return problem_add(r->lint, it->option, &v);
}

static bool is_later_actimeo(const struct item *it, const struct item *later)
{
        return is_cache_time(it->option->name) && strcmp(it->option->name, "actimeo") != 0 &&
               strcmp(later->option->name, "actimeo") == 0;
}

static bool is_same_bound_above(const struct item *it, const struct item *other)
{
        const char *name = it->option->name, *above = other->option->name;
        size_t n = strlen(name);

        return is_cache_time(name) && n == strlen(above) && strncmp(name, above, n - 3) == 0 &&
               strcmp(name + n - 3, "min") == 0 && strcmp(above + n - 3, "max") == 0;
}

static const struct item *find_beside(const struct reading *r, const struct item *it,
                                      bool (*is)(const struct item *, const struct item *))
{
        for (size_t i = r->options->n_items; i > 0; i--)
                if (r->items[i - 1].usable && is(it, &r->items[i - 1]))
                        return &r->items[i - 1];
        return NULL;
}

static bool number_is_above(const struct reading *r, const struct item *a, const struct item *b)
{
        uint64_t left, right;

        return options_u64(r->options, a->option->name, &left) == 0 &&
               options_u64(r->options, b->option->name, &right) == 0 && left > right;
}

static int cache_time_lint(const struct reading *r, size_t i)
{
        const struct item *it = &r->items[i], *other = last_behind(r, i, is_later_actimeo);
        struct verdict_words v = { 0 };

        if (other) {
                text_add_option(&v.words, other->option);
                text_add(&v.words, " behind it sets all four attribute cache times");
                return problem_add(r->lint, it->option, &v);
        }
        other = find_beside(r, it, is_same_bound_above);
        if (!other || !number_is_above(r, it, other))
                return 0;
        v.guess = true;
        text_add(&v.words, "is above its upper bound ");
        text_add_option(&v.words, other->option);
        return problem_add(r->lint, it->option, &v);
}

static int udp_lint(const struct reading *r, size_t i)
{
        const struct item *it = &r->items[i];
        struct verdict_words v = { .guess = true };

        if (r->meaning.version_major != 4 || r->meaning.proto != NFS_PROTO_UDP ||
            strcmp(it->info->canonical, "proto") != 0)
                return 0;
        text_add(&v.words, "does not go with version 4, which has no UDP: the mount is refused");
        return problem_add(r->lint, it->option, &v);
}

/* mount.nfs writes out the suffixes of nfsmount.conf, and of nothing else; the kernel knows none. */
static int suffix_lint(const struct reading *r, const struct item *it)
{
        cleanup(text_done) struct text bytes = { 0 };
        cleanup_free char *plain = NULL;
        struct verdict_words v = { .set_name = it->option->name };
        uint64_t n = 0;

        if (r->suffixes || !option_size_has_suffix(it->info, it->option->value) ||
            options_u64(r->options, it->option->name, &n) < 0)
                return 0;
        text_add(&bytes, "%llu", (unsigned long long)n);
        plain = text_take(&bytes);
        if (!plain)
                return -ENOMEM;
        v.set_value = plain;
        text_add(&v.words, "has a suffix, which only nfsmount.conf may have, the kernel wants plain bytes: %s",
                 r->refused);
        return problem_add(r->lint, it->option, &v);
}

/* ---- the whole ----------------------------------------------------------------------------------- */

/* Return: 1 when a problem was found, 0, or -ENOMEM. */
static int option_lint(const struct reading *r, size_t i)
{
        const struct item *it = &r->items[i];
        int found;

        if (!it->info)
                return *it->option->name || it->option->value ? unknown_lint(r, it->option) : 0;
        if (!it->usable)
                return value_lint(r, it);
        found = obsolete_lint(r, it);
        if (found == 0)
                found = suffix_lint(r, it);
        /* what has no effect at all is no repetition worth a word */
        if (found == 0)
                found = noac_lint(r, it);
        if (found == 0)
                found = cache_time_lint(r, i);
        if (found == 0)
                found = repetition_lint(r, i);
        if (found == 0)
                found = contradiction_lint(r, i);
        if (found == 0)
                found = udp_lint(r, i);
        return found;
}

static void items_read(struct reading *r)
{
        for (size_t i = 0; i < r->options->n_items; i++) {
                struct item *it = &r->items[i];

                it->option = &r->options->items[i];
                it->info = option_info(it->option->name);
                it->usable = it->info && option_value_is_valid(it->info, it->option->value);
        }
}

int lint_options(const struct options *o, bool suffixes, struct lint *ret)
{
        cleanup(lint_done) struct lint l = { 0 };
        cleanup_free char *room = calloc(o->n_items + 1, sizeof(struct item));
        struct reading r = { .options = o, .items = (void *)room, .suffixes = suffixes, .lint = &l };

        *ret = (struct lint){ 0 };
        if (!room)
                return -ENOMEM;
        nfs_options_read(o, &r.meaning);
        r.refused = options_has(o, "sloppy") ? "it is passed over because of sloppy" : "the mount is refused";
        items_read(&r);
        for (size_t i = 0; i < o->n_items; i++) {
                int found = option_lint(&r, i);

                if (found < 0)
                        return found;
        }
        *ret = l;
        l = (struct lint){ 0 };
        return 0;
}
