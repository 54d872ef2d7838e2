/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/exports.c - what the server's exports file says of a mount. See exports.h.
 *
 * Entries and mounts come in tens of thousands: the entries are sorted by path once, and each mount looks for the few
 * directories that lead to it.
 */
#include "policy/exports.h"

#include <errno.h>
#include <string.h>

#include "policy/address.h"
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

/* An entry with what its words mean. */
struct client {
        const struct export_entry *entry;
        enum client_class class;
        bool is_name;                   /* not a network */
        bool async;
        bool says_async;                /* or sync: one of them is written there */
        struct address network;
        unsigned bits;
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

/* exportfs's default is sync since nfs-utils 1.0.0. */
bool export_is_async(const struct export_entry *e, bool *ret_said)
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

static int client_read(const struct export_entry *e, struct client *ret)
{
        int err = network_parse(e->client, &ret->network, &ret->bits);

        if (err == -ENOMEM)
                return err;
        ret->entry = e;
        ret->is_name = err < 0;
        ret->class = ret->is_name ? name_class(e->client)
                                  : ret->bits == ret->network.length_bytes * 8 ? CLIENT_HOST : CLIENT_NETWORK;
        ret->async = export_is_async(e, &ret->says_async);
        return 0;
}

/* @address: of this client, or NULL. Names may be this client's: there is nobody to ask. */
static enum match client_match(const struct client *c, const struct address *address)
{
        if (c->is_name)
                return c->class == CLIENT_WORLD ? MATCH_YES : MATCH_MAYBE;
        if (!address)
                return MATCH_MAYBE;
        return address_has_prefix(address, &c->network, c->bits) ? MATCH_YES : MATCH_NO;
}

/* The address that the client told a version 4 server; 0.0.0.0 means that it told none. */
static bool own_address(const struct mount_facts *m, struct address *ret)
{
        static const unsigned char nothing[16] = { 0 };
        const char *text = options_value(&m->super, "clientaddr");

        return text && address_parse(text, ret) == 0 && memcmp(ret->bytes, nothing, ret->length_bytes) != 0;
}

/* ---- the index --------------------------------------------------------------------------- */

struct export_index {
        struct client *clients;         /* by path, then in the order of the file; what counts of the entries */
        size_t n_clients;
        const struct client **roots;    /* of version 4, in the order of the file */
        size_t n_roots;
};

static void index_free(struct export_index *x)
{
        if (!x)
                return;
        free(x->clients);
        free(x->roots);
        free(x);
}

static void indexp(struct export_index **x)
{
        index_free(*x);
}

bool export_is_pseudo(const struct export_entry *e)
{
        return options_has(&e->options, "v4root");
}

bool export_repeats(const struct export_entry *a, const struct export_entry *b)
{
        return strcmp(a->path, b->path) == 0 && strcmp(a->client, b->client) == 0;
}

static int compare_places(const struct export_entry *a, const struct export_entry *b)
{
        return (a > b) - (a < b);       /* of one array, in the order of the file */
}

static int compare_exports(const void *left, const void *right)
{
        const struct export_entry *a = *(const struct export_entry *const *)left;
        const struct export_entry *b = *(const struct export_entry *const *)right;
        int order = strcmp(a->path, b->path);

        if (order == 0)
                order = strcmp(a->client, b->client);
        return order != 0 ? order : compare_places(a, b);
}

int exports_by_client(const struct exports *e, const struct export_entry ***ret, size_t *ret_n)
{
        const struct export_entry **sorted = calloc(e->n_entries + 1, sizeof(*sorted));
        size_t n = 0;

        if (!sorted)
                return -ENOMEM;
        for (size_t i = 0; i < e->n_entries; i++)
                if (!export_is_pseudo(&e->entries[i]))
                        sorted[n++] = &e->entries[i];
        qsort(sorted, n, sizeof(*sorted), compare_exports);
        *ret = sorted;
        *ret_n = n;
        return 0;
}

static int compare_clients(const void *left, const void *right)
{
        const struct client *a = left, *b = right;
        int order = strcmp(a->entry->path, b->entry->path);

        return order != 0 ? order : compare_places(a->entry, b->entry);
}

static int compare_roots(const void *left, const void *right)
{
        return compare_places((*(const struct client *const *)left)->entry,
                              (*(const struct client *const *)right)->entry);
}

static bool is_root_of_v4(const struct export_entry *e)
{
        const char *fsid = options_value(&e->options, "fsid");

        return fsid && (strcmp(fsid, "0") == 0 || strcmp(fsid, "root") == 0);
}

/* exportfs keeps the first of several entries for one path and client. */
static int clients_collect(const struct exports *e, struct export_index *x)
{
        cleanup(export_listp) const struct export_entry **sorted = NULL;
        size_t n = 0;

        if (exports_by_client(e, &sorted, &n) < 0)
                return -ENOMEM;
        x->clients = calloc(n + 1, sizeof(*x->clients));
        x->roots = calloc(n + 1, sizeof(*x->roots));
        if (!x->clients || !x->roots)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                if ((i == 0 || !export_repeats(sorted[i - 1], sorted[i])) &&
                    client_read(sorted[i], &x->clients[x->n_clients++]) < 0)
                        return -ENOMEM;
        qsort(x->clients, x->n_clients, sizeof(*x->clients), compare_clients);
        return 0;
}

int exports_sort(struct exports *e)
{
        cleanup(indexp) struct export_index *x = calloc(1, sizeof(*x));

        if (!x || clients_collect(e, x) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < x->n_clients; i++)
                if (is_root_of_v4(x->clients[i].entry))
                        x->roots[x->n_roots++] = &x->clients[i];
        qsort(x->roots, x->n_roots, sizeof(*x->roots), compare_roots);
        index_free(e->index);
        e->index = TAKE(x);
        return 0;
}

void exports_done(struct exports *e)
{
        for (size_t i = 0; i < e->n_entries; i++)
                export_entry_done(&e->entries[i]);
        free(e->entries);
        index_free(e->index);
        *e = (struct exports){ 0 };
}

/* ---- which path? ----------------------------------------------------------------------- */

/* Are the first @n bytes of @path a directory that leads to it, or itself? */
static bool is_directory_of(const char *path, size_t n)
{
        return path[n] == '\0' || path[n] == '/' || (n == 1 && path[0] == '/');
}

/* Order of the first @n bytes of @path and an exported path. */
static int compare_path(const char *path, size_t n, const char *exported)
{
        int order = strncmp(path, exported, n);

        return order != 0 ? order : exported[n] != '\0' ? -1 : 0;
}

/* The entries of exactly this path. NULL: there are none. */
static const struct client *clients_of_path(const struct export_index *x, const char *path, size_t length,
                                            size_t *ret_n)
{
        size_t low = 0, high = x->n_clients, n = 0;

        while (low < high) {
                size_t middle = low + (high - low) / 2;

                if (compare_path(path, length, x->clients[middle].entry->path) > 0)
                        low = middle + 1;
                else
                        high = middle;
        }
        while (low + n < x->n_clients && compare_path(path, length, x->clients[low + n].entry->path) == 0)
                n++;
        *ret_n = n;
        return n > 0 ? &x->clients[low] : NULL;
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

static int facts_write(const struct client *c, struct export_facts *ret)
{
        cleanup(export_facts_done) struct export_facts f = { .known = true, .async = c->async };
        struct text t = { 0 };

        text_add(&t, "%s%s", c->entry->text,
                 c->says_async ? "" : " (says neither sync nor async: sync is the default)");
        f.text = text_take(&t);
        if (!f.text || place_copy(&c->entry->place, &f.place) < 0)
                return -ENOMEM;
        *ret = f;
        f = (struct export_facts){ 0 };
        return 0;
}

/* Entries behind the first kind that certainly holds are not looked at by the server. */
static enum client_class decisive_class(const struct client *c, size_t n, const struct address *address)
{
        enum client_class decisive = CLIENT_CLASS_COUNT;

        for (size_t i = 0; i < n; i++)
                if (c[i].class < decisive && client_match(&c[i], address) == MATCH_YES)
                        decisive = c[i].class;
        return decisive;
}

/* The entries of one path. ret->known stays false where they differ.
 * Return: 1; 0 when none concerns this client; -ENOMEM. */
static int clients_judge(const struct client *c, size_t n, const struct address *address, struct export_facts *ret)
{
        enum client_class decisive = decisive_class(c, n, address);
        const struct client *first = NULL;

        for (size_t i = 0; i < n; i++) {
                if (c[i].class > decisive || client_match(&c[i], address) == MATCH_NO)
                        continue;
                if (first && c[i].async != first->async)
                        return 1;
                if (!first)
                        first = &c[i];
        }
        if (!first)
                return 0;
        return facts_write(first, ret) < 0 ? -ENOMEM : 1;
}

/* The longest path that holds @path and has an entry for this client decides.
 * ret->known stays false where none does. */
static int path_judge(const struct exports *e, const char *path, const struct address *address,
                      struct export_facts *ret)
{
        int r = 0;

        for (size_t length = strlen(path); r == 0 && length > 0; length--) {
                const struct client *c;
                size_t n;

                if (!is_directory_of(path, length))
                        continue;
                c = clients_of_path(e->index, path, length, &n);
                if (c)
                        r = clients_judge(c, n, address, ret);
        }
        return r < 0 ? r : 0;
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

/* A server has one or two; each of them is looked at for each mount. */
#define ROOTS_MAX 64

/* With an fsid=0 export, version 4 paths begin there; clients may have different ones. */
static int roots_judge(const struct exports *e, const char *path, const struct address *address,
                       struct export_facts *ret, bool *ret_any)
{
        const char *judged = NULL;
        unsigned roots = 0;

        *ret_any = false;
        for (size_t i = 0; i < e->index->n_roots; i++) {
                cleanup(export_facts_done) struct export_facts f = { 0 };
                cleanup_free char *inner = NULL;
                const struct client *root = e->index->roots[i];

                if ((judged && strcmp(judged, root->entry->path) == 0) || client_match(root, address) == MATCH_NO)
                        continue;
                inner = path_from_root(root->entry->path, path);
                if (!inner || (++roots <= ROOTS_MAX && path_judge(e, inner, address, &f) < 0))
                        return -ENOMEM;
                facts_merge(ret, &f, !*ret_any);
                *ret_any = true;
                if (!ret->known)
                        return 0;       /* the others cannot agree any more */
                judged = root->entry->path;
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
        if (!e->index)
                return 0;
        if (!path || (is_version_4(m) && roots_judge(e, path, own, &f, &any) < 0) ||
            (!any && path_judge(e, path, own, &f) < 0))
                return -ENOMEM;
        *ret = f;
        f = (struct export_facts){ 0 };
        return 0;
}
