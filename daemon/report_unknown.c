/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What could not be judged, once for all mounts that lack the same. See report_parts.h.
 *
 * A thousand mounts read from files lack the same probe: one line, not a
 * thousand.
 */

#include "daemon/report_parts.h"

#include <errno.h>
#include <string.h>

#include "daemon/utf8.h"
#include "policy/names.h"

_Static_assert(RULE_COUNT <= 8 * sizeof(size_t), "struct unknown holds a bit for every rule");

/* One entry of some mount's cannot_tell[]. */
struct lack {
        const struct cannot_tell *what;
        size_t group, mount;            /* @mount counts on over all groups */
};

static const char *missing_of(const struct lack *l)
{
        return l->what->missing ? l->what->missing : "";
}

/* By what is missing, then in the order of the mounts. */
static int compare_lacks(const void *a, const void *b)
{
        const struct lack *p = a, *q = b;
        int c = strcmp(missing_of(p), missing_of(q));

        return c != 0 ? c : (p->mount > q->mount) - (p->mount < q->mount);
}

static int compare_unknowns(const void *a, const void *b)
{
        const struct unknown *p = a, *q = b;

        if (p->first_mount != q->first_mount)
                return (p->first_mount > q->first_mount) - (p->first_mount < q->first_mount);
        return strcmp(p->missing, q->missing);
}

static size_t count_lacks(const struct report_group *groups, size_t n)
{
        size_t count = 0;

        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < groups[i].n_members; k++)
                        count += group_item(&groups[i], k)->advice->n_cannot_tell;
        return count;
}

static void fill_lacks(const struct report_group *groups, size_t n, struct lack *ret)
{
        size_t mount = 0, count = 0;

        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < groups[i].n_members; k++, mount++) {
                        const struct advice *a = group_item(&groups[i], k)->advice;

                        for (size_t j = 0; j < a->n_cannot_tell; j++)
                                ret[count++] = (struct lack) { .what = &a->cannot_tell[j], .group = i,
                                                               .mount = mount };
                }
}

/* @u is the last one of the list so far. */
static bool belongs_to(const struct unknown *u, const struct lack *l)
{
        return strcmp(u->missing, missing_of(l)) == 0;
}

static void count_in(struct unknown *u, const struct lack *l)
{
        u->rules |= (size_t) 1 << l->what->rule;
        u->n_mounts += l->mount != u->last_mount;
        u->last_mount = l->mount;
        u->last_group = MAX(u->last_group, l->group);
        u->first_group = MIN(u->first_group, l->group);
}

static struct unknown unknown_begin(const struct lack *l)
{
        return (struct unknown) {
                .missing = missing_of(l),
                .command = l->what->command,
                .first_mount = l->mount,
                .last_mount = SIZE_MAX,
                .first_group = l->group,
        };
}

int unknowns_collect(const struct report_group *groups, size_t n_groups, struct unknowns *ret)
{
        size_t n = count_lacks(groups, n_groups);
        struct lack *lacks = calloc(n + 1, sizeof(*lacks));
        struct unknown *items = calloc(n + 1, sizeof(*items));
        size_t n_items = 0;

        if (!lacks || !items) {
                free(lacks);
                free(items);
                return -ENOMEM;
        }
        fill_lacks(groups, n_groups, lacks);
        qsort(lacks, n, sizeof(*lacks), compare_lacks);
        for (size_t i = 0; i < n; i++) {
                if (n_items == 0 || !belongs_to(&items[n_items - 1], &lacks[i]))
                        items[n_items++] = unknown_begin(&lacks[i]);
                count_in(&items[n_items - 1], &lacks[i]);
        }
        qsort(items, n_items, sizeof(*items), compare_unknowns);
        free(lacks);
        *ret = (struct unknowns) { .items = items, .n_items = n_items, .quiet_group = n_groups - 1 };
        return 0;
}

/* "a probe (async-export, read-ahead)" */
static void add_unknown(struct text *t, const struct unknown *u)
{
        const char *separator = " (";

        text_add_printable(t, u->missing);
        for (size_t i = 0; i < RULE_COUNT; i++)
                if (u->rules & (size_t) 1 << i) {
                        text_add(t, "%s%s", separator, rule_name((enum rule) i));
                        separator = ", ";
                }
        text_add(t, ")");
}

/* Is it in a file that could have been given? */
static bool is_in_mountstats(const struct unknowns *u, const struct unknown *one)
{
        return u->lacks_mountstats && strstr(one->missing, "/proc/self/mountstats");
}

static bool same_command(const struct unknown *a, const struct unknown *b)
{
        return b && a->n_mounts == b->n_mounts && a->command && b->command && strcmp(a->command, b->command) == 0;
}

/* In one piece: it is meant to be copied. Said once where the next one's is the same. */
static void say_command(struct page *p, const struct unknown *u, const struct unknown *next, bool or_file,
                        size_t indent)
{
        if (!u->command || !u->command[0] || (same_command(u, next) && !or_file))
                return;
        text_add(&p->t, "%*s%s", (int) indent, "", u->n_mounts > 1 ? "to see, for example: " : "to see: ");
        text_add_printable(&p->t, u->command);
        text_add(&p->t, "\n");
        if (or_file)
                text_add(&p->t, "%*sor give --mountstats FILE, read on that host\n", (int) indent, "");
}

static bool is_of(const struct unknown *u, size_t only, size_t quiet)
{
        if (only == SIZE_MAX)
                return u->first_group != u->last_group || u->first_group == quiet;
        return u->first_group == only && u->last_group == only;
}

/* The next one from @i on that is to be said, or NULL. */
static const struct unknown *find_next(const struct unknowns *u, size_t only, size_t *i)
{
        while (*i < u->n_items && !is_of(&u->items[*i], only, u->quiet_group))
                (*i)++;
        return *i < u->n_items ? &u->items[(*i)++] : NULL;
}

static void say_unknown(struct page *p, const struct unknown *u, size_t indent)
{
        struct text t = {};

        if (u->n_mounts > 1)
                text_add(&t, "for %zu mounts: ", u->n_mounts);
        add_unknown(&t, u);
        text_add(&p->t, "%*s", (int) indent, "");
        p->t.failed |= t.failed;
        text_add_wrapped(&p->t, t.data ? t.data : "", indent, indent + 4);
        text_done(&t);
}

void say_unknowns(struct page *p, const struct unknowns *u, size_t only)
{
        size_t indent = only == SIZE_MAX ? 2 : 4, i = 0;
        const struct unknown *next, *now = find_next(u, only, &i);

        if (!now)
                return;
        text_add(&p->t, only == SIZE_MAX ? "Cannot be told yet; what is missing:\n"
                                             : "\n  cannot be told yet; what is missing:\n");
        for (; now; now = next) {
                next = find_next(u, only, &i);
                say_unknown(p, now, indent);
                say_command(p, now, next, is_in_mountstats(u, now), indent + 4);
        }
        if (only == SIZE_MAX)
                text_add(&p->t, "\n");
}
