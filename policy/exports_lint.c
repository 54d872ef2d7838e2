/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/exports_lint.c - what is wrong with the entries of an exports file. See exports.h. */
#include "policy/exports.h"

#include <errno.h>
#include <string.h>

#include "policy/nearest.h"
#include "policy/option_table.h"
#include "policy/text.h"

/* Of exports(5), and the two that the kernel's own list adds. */
static const char *const known_options[] = {
        "acl", "all_squash", "anongid", "anonuid", "async", "auth_nlm", "crossmnt", "fsid", "hide", "insecure",
        "insecure_locks", "mapping", "map_daemon", "map_identity", "map_nis", "map_static", "mountpoint", "mp",
        "no_acl", "no_all_squash", "no_auth_nlm", "no_pnfs", "no_root_squash", "no_security_label",
        "no_subtree_check", "no_wdelay", "nocrossmnt", "nohide", "nordirplus", "pnfs", "reexport", "refer", "replicas",
        "ro", "root_squash", "rw", "sec", "secure", "secure_locks", "security_label", "squash_gids", "squash_uids",
        "subtree_check", "sync", "uuid", "v4root", "wdelay", "xprtsec",
};

bool export_option_is_known(const char *name)
{
        return WORD_IS_ONE_OF(name, known_options);
}

static const char *nearest_known(const char *name)
{
        const char *best = NULL;
        unsigned best_distance = 0;

        for (size_t i = 0; i < ARRAY_SIZE(known_options); i++) {
                unsigned distance = word_distance(name, known_options[i]);

                if (!word_is_near(name, known_options[i]) || (best && distance >= best_distance))
                        continue;
                best = known_options[i];
                best_distance = distance;
        }
        return best;
}

static int finding_about(struct findings *f, enum rule rule, const struct export_entry *e, struct text *what,
                         const char *advice)
{
        cleanup(text_done) struct text evidence = { 0 }, words = { 0 };
        cleanup_free char *clause = text_take(what);

        if (!clause)
                return -ENOMEM;
        text_add(&evidence, "%s: %s", e->text, clause);
        text_add(&words, "%s", advice);
        return findings_add(f, rule, &e->place, &evidence, &words);
}

static bool is_identifier(const struct mount_option *o)
{
        return strcmp(o->name, "anonuid") == 0 || strcmp(o->name, "anongid") == 0;
}

static bool is_integer(const char *text)
{
        size_t sign = text[0] == '-';

        return text[sign] && text[sign + strspn(text + sign, "0123456789")] == '\0';
}

static int option_lint(const struct export_entry *e, const struct mount_option *o, struct findings *f)
{
        const char *near = export_option_is_known(o->name) || option_info(o->name) ? NULL : nearest_known(o->name);
        cleanup(text_done) struct text what = { 0 };

        text_add_option(&what, o);
        if (export_option_is_known(o->name)) {
                if (!is_identifier(o) || (o->value && is_integer(o->value)))
                        return 0;
                text_add(&what, " needs a number: exportfs refuses the entry");
                return finding_about(f, RULE_INVALID_OPTION, e, &what, "write a numeric id");
        }
        if (option_info(o->name)) {
                text_add(&what, " is an option of the client's mount: exportfs does not know it and refuses the entry");
                return finding_about(f, RULE_INVALID_OPTION, e, &what, "take it out here; it belongs into the fstab "
                                                                       "of the client, if anywhere");
        }
        if (!near)
                return 0;
        text_add(&what, " is no option that exportfs knows, it refuses the entry; was %s meant?", near);
        return finding_about(f, RULE_INVALID_OPTION, e, &what, "correct the spelling, then exportfs -ra");
}

/* "-options" of a line stand in each of its entries: said once. */
static bool stands_in(const struct export_entry *e, const struct mount_option *o)
{
        for (size_t i = 0; i < e->options.n_items; i++) {
                const struct mount_option *other = &e->options.items[i];

                if (strcmp(other->name, o->name) == 0 &&
                    (other->value == NULL) == (o->value == NULL) && (!o->value || strcmp(other->value, o->value) == 0))
                        return true;
        }
        return false;
}

static int options_lint(const struct export_entry *e, const struct export_entry *before, struct findings *f)
{
        int err = 0;

        for (size_t i = 0; i < e->options.n_items && err == 0; i++) {
                const struct mount_option *o = &e->options.items[i];

                if (o->name[0] != '\0' && !(before && stands_in(before, o)))
                        err = option_lint(e, o, f);
        }
        return err;
}

static bool lacks_subtree_choice(const struct export_entry *e)
{
        return !e->complete && !options_has(&e->options, "subtree_check") &&
               !options_has(&e->options, "no_subtree_check");
}

/* Read-only is the default, and nobody loses what cannot be written; rw may hold for one kind of security only. */
static bool is_async_and_written(const struct export_entry *e)
{
        bool said;

        return export_is_async(e, &said) && options_has(&e->options, "rw");
}

/* "; the same for b, c": the other entries of the line that @has. */
static void text_add_others(struct text *t, const struct export_entry *e, size_t n,
                            bool (*has)(const struct export_entry *))
{
        bool any = false;

        for (size_t i = 1; i < n; i++)
                if (has(&e[i])) {
                        text_add(t, "%s%s", any ? ", " : "; the same for ", *e[i].client ? e[i].client : "everybody");
                        any = true;
                }
}

/* One finding for all entries of a line that @has. */
static int line_lint(const struct export_entry *e, size_t n, bool (*has)(const struct export_entry *), enum rule rule,
                     const char *clause, const char *advice, struct findings *f)
{
        cleanup(text_done) struct text what = { 0 };

        while (n > 0 && !has(e)) {
                e++;
                n--;
        }
        if (n == 0)
                return 0;
        text_add(&what, "%s", clause);
        text_add_others(&what, e, n, has);
        return finding_about(f, rule, e, &what, advice);
}

static bool has_blank(const struct export_entry *e)
{
        return e->blank_before_options;
}

/* The entries of one line. */
static int group_lint(const struct export_entry *e, size_t n, struct findings *f)
{
        int err = line_lint(e, n, has_blank, RULE_INVALID_OPTION,
                            "a blank stands before the parenthesis: these options hold for every host, and the client "
                            "named before them gets the defaults",
                            "remove the blank; if everybody is meant, write *(...)", f);

        if (err == 0)
                err = line_lint(e, n, is_async_and_written, RULE_ASYNC_EXPORT,
                                "the server answers before the data are on stable storage: when it crashes, files that "
                                "clients closed and fsynced are lost, without an error",
                                "write sync instead, unless the data may be lost; then exportfs -ra. Many small "
                                "stable writes take longer afterwards", f);
        if (err == 0)
                err = line_lint(e, n, lacks_subtree_choice, RULE_OBSOLETE_OPTION,
                                "says neither subtree_check nor no_subtree_check: relies on a default that changed in "
                                "nfs-utils 1.1.0, and exportfs warns about it",
                                "write no_subtree_check, which is the default now", f);
        for (size_t i = 0; i < n && err == 0; i++)
                err = options_lint(&e[i], i > 0 ? &e[i - 1] : NULL, f);
        return err;
}

static bool same_line(const struct place *a, const struct place *b)
{
        return a->line == b->line && a->line > 0 && a->kind == b->kind && (a->file == NULL) == (b->file == NULL) &&
               (!a->file || strcmp(a->file, b->file) == 0);
}

static int repetition_add(const struct export_entry *first, const struct export_entry *again, struct findings *f)
{
        cleanup(text_done) struct text what = { 0 };

        text_add(&what, "the same path and client stand in line %u already: exportfs keeps that one and ignores this",
                 first->place.line);
        return finding_about(f, RULE_INVALID_OPTION, again, &what, "keep one of the two lines");
}

static int repetitions_lint(const struct exports *e, struct findings *f)
{
        cleanup(export_listp) const struct export_entry **sorted = NULL;
        const struct export_entry *first = NULL;
        size_t n = 0;
        int err = exports_by_client(e, &sorted, &n);

        for (size_t i = 0; i < n && err == 0; i++) {
                if (!first || !export_repeats(first, sorted[i]))
                        first = sorted[i];
                else if (!sorted[i]->complete)
                        err = repetition_add(first, sorted[i], f);
        }
        return err;
}

int exports_lint(const struct exports *e, struct findings *ret)
{
        int err = 0;

        for (size_t i = 0, n; i < e->n_entries && err == 0; i += n) {
                for (n = 1; i + n < e->n_entries && same_line(&e->entries[i].place, &e->entries[i + n].place); n++)
                        continue;
                if (!export_is_pseudo(&e->entries[i]))
                        err = group_lint(&e->entries[i], n, ret);
        }
        return err == 0 ? repetitions_lint(e, ret) : err;
}
