/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/exports.c - what the server's exports file says of a mount, and what is wrong with it. See exports.h. */
#include "policy/exports.h"

#include <errno.h>
#include <string.h>

#include "policy/address.h"
#include "policy/nearest.h"
#include "policy/option_table.h"
#include "policy/text.h"

void export_entry_done(struct export_entry *e)
{
        free(e->path);
        free(e->client);
        options_done(&e->options);
        place_done(&e->place);
        free(e->text);
        *e = (struct export_entry){ 0 };
}

void exports_done(struct exports *e)
{
        for (size_t i = 0; i < e->n_entries; i++)
                export_entry_done(&e->entries[i]);
        free(e->entries);
        *e = (struct exports){ 0 };
}

/* ---- whose entry is it? ------------------------------------------------------------ */

/* In the order in which the server looks: exports(5), "Machine Name Formats". */
enum client_class {
        CLIENT_HOST,
        CLIENT_NETWORK,
        CLIENT_PATTERN,
        CLIENT_NETGROUP,
        CLIENT_WORLD,
        CLIENT_CLASS_COUNT
};

enum match {
        MATCH_NO,
        MATCH_MAYBE,
        MATCH_YES,
};

/* "255.255.252.0" as a number of bits. */
static int netmask_bits(const char *text, unsigned *ret)
{
        struct address mask;
        unsigned bits = 0;

        if (address_parse(text, &mask) < 0 || mask.length_bytes != 4)
                return -EINVAL;
        while (bits < 32 && mask.bytes[bits / 8] & (0x80 >> bits % 8))
                bits++;
        for (unsigned i = bits; i < 32; i++)
                if (mask.bytes[i / 8] & (0x80 >> i % 8))
                        return -EINVAL;
        *ret = bits;
        return 0;
}

/* "192.0.2.0/24", "192.0.2.0/255.255.255.0", "2001:db8::7".
 * Return: 0, -EINVAL when it is a name, or -ENOMEM. */
static int network_parse(const char *client, struct address *ret, unsigned *ret_bits)
{
        cleanup_free char *base = NULL;
        const char *slash = strchr(client, '/');

        if (!slash || !strchr(slash, '.'))
                return prefix_parse(client, ret, ret_bits);
        base = strndup(client, (size_t)(slash - client));
        if (!base)
                return -ENOMEM;
        return address_parse(base, ret) < 0 ? -EINVAL : netmask_bits(slash + 1, ret_bits);
}

static enum client_class name_class(const char *client)
{
        if (client[0] == '@')
                return CLIENT_NETGROUP;
        if (client[0] == '\0' || strcmp(client, "*") == 0)
                return CLIENT_WORLD;
        return strpbrk(client, "*?[") ? CLIENT_PATTERN : CLIENT_HOST;
}

/* @address: of this client, or NULL. Names may be this client's: there is nobody to ask. */
static int client_match(const char *client, const struct address *address, enum client_class *ret_class,
                        enum match *ret)
{
        struct address network;
        unsigned bits;
        int err = network_parse(client, &network, &bits);

        if (err == -ENOMEM)
                return err;
        if (err < 0) {
                *ret_class = name_class(client);
                *ret = *ret_class == CLIENT_WORLD ? MATCH_YES : MATCH_MAYBE;
                return 0;
        }
        *ret_class = bits == network.length_bytes * 8 ? CLIENT_HOST : CLIENT_NETWORK;
        *ret = MATCH_MAYBE;
        if (address)
                *ret = address_has_prefix(address, &network, bits) ? MATCH_YES : MATCH_NO;
        return 0;
}

/* The address that the client told a version 4 server; 0.0.0.0 means that it told none. */
static bool own_address(const struct mount_facts *m, struct address *ret)
{
        static const unsigned char nothing[16] = { 0 };
        const char *text = options_value(&m->super, "clientaddr");

        return text && address_parse(text, ret) == 0 && memcmp(ret->bytes, nothing, ret->length_bytes) != 0;
}

/* ---- which path? ----------------------------------------------------------------------- */

/* Is @path the directory @above, or below it? By components. */
static bool path_is_below(const char *path, const char *above)
{
        size_t n = strlen(above);

        if (strcmp(above, "/") == 0)
                return path[0] == '/';
        return strncmp(path, above, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* Made by the server for the paths that lead to the exports: says nothing of files. */
static bool is_pseudo(const struct export_entry *e)
{
        return options_has(&e->options, "v4root");
}

static bool is_root_of_v4(const struct export_entry *e)
{
        const char *fsid = options_value(&e->options, "fsid");

        return fsid && !is_pseudo(e) && (strcmp(fsid, "0") == 0 || strcmp(fsid, "root") == 0);
}

/* What a version 4 client calls /data is @root/data on the server. */
static char *path_from_root(const char *root, const char *path)
{
        struct text t = { 0 };

        if (strcmp(root, "/") == 0)
                text_add(&t, "%s", path);
        else
                text_add(&t, "%s%s", root, strcmp(path, "/") == 0 ? "" : path);
        return text_take(&t);
}

/* ---- judging --------------------------------------------------------------------------------- */

/* One entry with what it is to this client. */
struct candidate {
        const struct export_entry *entry;
        enum client_class class;
        enum match match;
};

static bool same_export(const struct export_entry *a, const struct export_entry *b)
{
        return strcmp(a->path, b->path) == 0 && strcmp(a->client, b->client) == 0;
}

/* exportfs keeps the first of several entries for one path and client. */
static bool is_repetition(const struct candidate *c, size_t n, const struct export_entry *e)
{
        for (size_t i = 0; i < n; i++)
                if (same_export(c[i].entry, e))
                        return true;
        return false;
}

/* The entries of the longest path that holds @path and may concern this client.
 * @ret has room for all. Return: 0 or -ENOMEM. */
static int candidates_find(const struct exports *e, const char *path, const struct address *address,
                           struct candidate *ret, size_t *ret_n)
{
        size_t n = 0, longest = 0;

        for (size_t i = 0; i < e->n_entries; i++) {
                struct candidate c = { .entry = &e->entries[i] };
                size_t length = strlen(c.entry->path);
                int err;

                if (is_pseudo(c.entry) || length < longest || !path_is_below(path, c.entry->path))
                        continue;
                err = client_match(c.entry->client, address, &c.class, &c.match);
                if (err < 0)
                        return err;
                if (c.match == MATCH_NO)
                        continue;
                if (length > longest)
                        n = 0;
                longest = length;
                ret[n++] = c;
        }
        *ret_n = n;
        return 0;
}

/* Entries behind the first kind that certainly holds are not looked at by the server. */
static size_t candidates_narrow(struct candidate *c, size_t n)
{
        enum client_class decisive = CLIENT_CLASS_COUNT;
        size_t kept = 0;

        for (size_t i = 0; i < n; i++)
                if (c[i].match == MATCH_YES && c[i].class < decisive)
                        decisive = c[i].class;
        for (size_t i = 0; i < n; i++)
                if (c[i].class <= decisive)
                        c[kept++] = c[i];
        return kept;
}

/* The last of sync and async; *ret_said: it is written there. exportfs's default is sync since nfs-utils 1.0.0. */
static bool entry_is_async(const struct export_entry *e, bool *ret_said)
{
        bool async = false;

        *ret_said = false;
        for (size_t i = 0; i < e->options.n_items; i++) {
                const char *name = e->options.items[i].name;

                if (strcmp(name, "sync") != 0 && strcmp(name, "async") != 0)
                        continue;
                async = name[0] == 'a';
                *ret_said = true;
        }
        return async;
}

static int facts_write(const struct export_entry *e, bool async, bool said, struct export_facts *ret)
{
        cleanup(export_facts_done) struct export_facts f = { .known = true, .async = async };
        struct text t = { 0 };

        text_add(&t, "%s%s", e->text, said ? "" : " (says neither sync nor async: sync is the default)");
        f.text = text_take(&t);
        if (!f.text || place_copy(&e->place, &f.place) < 0)
                return -ENOMEM;
        *ret = f;
        f = (struct export_facts){ 0 };
        return 0;
}

/* ret->known stays false where nothing holds the path, or where the entries differ. */
static int path_judge(const struct exports *e, const char *path, const struct address *address,
                      struct export_facts *ret)
{
        cleanup_free char *room = calloc(e->n_entries + 1, sizeof(struct candidate));
        struct candidate *c = (void *)room;
        bool async, said, other_said;
        size_t n;

        if (!c || candidates_find(e, path, address, c, &n) < 0)
                return -ENOMEM;
        n = candidates_narrow(c, n);
        if (n == 0)
                return 0;
        async = entry_is_async(c[0].entry, &said);
        for (size_t i = 1; i < n; i++)
                if (entry_is_async(c[i].entry, &other_said) != async && !is_repetition(c, i, c[i].entry))
                        return 0;
        return facts_write(c[0].entry, async, said, ret);
}

static bool is_version_4(const struct mount_facts *m)
{
        struct nfs_options o;

        nfs_options_read(&m->super, &o);
        return o.version_major == 4 || (o.version_major == 0 && m->fstype && strcmp(m->fstype, "nfs4") == 0);
}

/* Joins what two roots say: both have to agree. */
static void facts_merge(struct export_facts *into, struct export_facts *f, bool first)
{
        if (first) {
                *into = *f;
                *f = (struct export_facts){ 0 };
        } else if (!f->known || !into->known || f->async != into->async) {
                export_facts_done(into);
        }
}

/* A server has one or two; each of them is a walk through all entries. */
#define ROOTS_MAX 64

/* With an fsid=0 export, version 4 paths begin there; clients may have different ones. */
static int roots_judge(const struct exports *e, const char *path, const struct address *address,
                       struct export_facts *ret, bool *ret_any)
{
        const char *judged = NULL;
        unsigned roots = 0;

        *ret_any = false;
        for (size_t i = 0; i < e->n_entries; i++) {
                cleanup(export_facts_done) struct export_facts f = { 0 };
                cleanup_free char *inner = NULL;
                enum client_class class;
                enum match match;

                if (!is_root_of_v4(&e->entries[i]) || (judged && strcmp(judged, e->entries[i].path) == 0))
                        continue;
                inner = path_from_root(e->entries[i].path, path);
                if (!inner || client_match(e->entries[i].client, address, &class, &match) < 0)
                        return -ENOMEM;
                if (match == MATCH_NO)
                        continue;
                if (++roots <= ROOTS_MAX && path_judge(e, inner, address, &f) < 0)
                        return -ENOMEM;
                facts_merge(ret, &f, !*ret_any);
                *ret_any = true;
                judged = e->entries[i].path;
        }
        return 0;
}

static char *path_without_slash(const char *path)
{
        size_t n = strlen(path);

        while (n > 1 && path[n - 1] == '/')
                n--;
        return strndup(path, n);
}

int exports_judge(const struct exports *e, const struct mount_facts *m, struct export_facts *ret)
{
        cleanup(export_facts_done) struct export_facts f = { 0 };
        cleanup_free char *path = path_without_slash(m->export_path ? m->export_path : "");
        struct address address;
        const struct address *own = own_address(m, &address) ? &address : NULL;
        bool any = false;

        *ret = (struct export_facts){ 0 };
        if (!path || (is_version_4(m) && roots_judge(e, path, own, &f, &any) < 0) ||
            (!any && path_judge(e, path, own, &f) < 0))
                return -ENOMEM;
        *ret = f;
        f = (struct export_facts){ 0 };
        return 0;
}

/* ---- lint ------------------------------------------------------------------------------------------ */

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

        return entry_is_async(e, &said) && options_has(&e->options, "rw");
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

static int compare_exports(const void *left, const void *right)
{
        const struct export_entry *a = *(const struct export_entry *const *)left;
        const struct export_entry *b = *(const struct export_entry *const *)right;
        int order = strcmp(a->path, b->path);

        if (order == 0)
                order = strcmp(a->client, b->client);
        return order != 0 ? order : (a > b) - (a < b);
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
        cleanup_free char *room = calloc(e->n_entries + 1, sizeof(struct export_entry *));
        const struct export_entry **sorted = (void *)room, *first = NULL;
        size_t n = 0;
        int err = 0;

        if (!sorted)
                return -ENOMEM;
        for (size_t i = 0; i < e->n_entries; i++)
                if (!is_pseudo(&e->entries[i]))
                        sorted[n++] = &e->entries[i];
        qsort(sorted, n, sizeof(*sorted), compare_exports);
        for (size_t i = 0; i < n && err == 0; i++) {
                if (!first || !same_export(first, sorted[i]))
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
                if (!is_pseudo(&e->entries[i]))
                        err = group_lint(&e->entries[i], n, ret);
        }
        return err == 0 ? repetitions_lint(e, ret) : err;
}
