/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/shares.c - sorts the mounts by what one superblock has in common.
 */
#include "probe/shares.h"

#include <errno.h>
#include <string.h>

typedef int compare_fn(const struct observation *a, const struct observation *b);

/* Names the others of the group in @o. */
static int shares_name(struct observation *o, struct observation *const *group, size_t n)
{
        size_t max = MIN(n - 1, (size_t)SHARES_MAX);

        o->shares_superblock_with = calloc(max + 1, sizeof(*o->shares_superblock_with));
        if (!o->shares_superblock_with)
                return -ENOMEM;
        for (size_t i = 0; i < n && o->n_shares < max; i++) {
                const struct mount_facts *other = &group[i]->mount;

                if (group[i] == o || other->duplicate || strcmp(other->target, o->mount.target) == 0)
                        continue;
                char *copy = strdup(other->target);
                if (!copy)
                        return -ENOMEM;
                o->shares_superblock_with[o->n_shares++] = copy;
        }
        return 0;
}

static int compare_in_order(const void *a, const void *b, void *by)
{
        const struct observation *x = *(struct observation *const *)a, *y = *(struct observation *const *)b;
        compare_fn *const *compare = by;
        int order = (*compare)(x, y);

        return order ? order : (x > y) - (x < y);       /* then in the order of the table */
}

static int groups_name(struct observation **sorted, size_t n, compare_fn *compare)
{
        if (n > 1)
                qsort_r(sorted, n, sizeof(*sorted), compare_in_order, &compare);
        for (size_t i = 0, of_group; i < n; i += of_group) {
                for (of_group = 1; i + of_group < n && compare(sorted[i], sorted[i + of_group]) == 0; of_group++)
                        continue;
                for (size_t k = i; of_group > 1 && k < i + of_group; k++) {
                        int r = shares_name(sorted[k], sorted + i, of_group);

                        if (r < 0)
                                return r;
                }
        }
        return 0;
}

static void arrayp(struct observation ***a)
{
        free(*a);
}

static int shares_find(struct snapshot *s, bool (*takes_part)(const struct observation *o), compare_fn *compare)
{
        cleanup(arrayp) struct observation **sorted = calloc(s->n_mounts + 1, sizeof(*sorted));
        size_t n = 0;

        if (!sorted)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_mounts; i++)
                if (takes_part(&s->mounts[i]))
                        sorted[n++] = &s->mounts[i];
        return groups_name(sorted, n, compare);
}

/* ---- by device --------------------------------------------------------------------- */

/* /proc/mounts does not say */
static bool device_known(const struct observation *o)
{
        return o->mount.device.major != 0 || o->mount.device.minor != 0;
}

static int compare_devices(const struct observation *a, const struct observation *b)
{
        struct device d = a->mount.device, e = b->mount.device;

        if (d.major != e.major)
                return d.major < e.major ? -1 : 1;
        return (d.minor > e.minor) - (d.minor < e.minor);
}

int shares_by_device(struct snapshot *s)
{
        return shares_find(s, device_known, compare_devices);
}

/* ---- by counters --------------------------------------------------------------------- */

static bool counters_tell(const struct observation *o)
{
        bool called = false;

        for (unsigned i = 0; i < RPC_OP_COUNT; i++)
                called |= o->counters.op[i].calls > 0;
        return o->counters.known && called && !device_known(o);
}

/* The figures of the superblock itself; those of the transport belong to a
 * whole client. What applications read and write (the first columns of bytes:,
 * events:) may go on between two blocks, when the file lies on such a mount. */
static int compare_counters(const struct observation *a, const struct observation *b)
{
        const struct counters *x = &a->counters, *y = &b->counters;
        const uint64_t figures[][2] = {
                { x->age_sec, y->age_sec },
                { x->server_read_bytes, y->server_read_bytes },
                { x->server_write_bytes, y->server_write_bytes },
        };

        for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
                if (figures[i][0] != figures[i][1])
                        return figures[i][0] < figures[i][1] ? -1 : 1;
        int by_ops = memcmp(x->op, y->op, sizeof(x->op));       /* numbers of 64 bits, no padding */
        return by_ops ? by_ops : strcmp(a->mount.server, b->mount.server);
}

int shares_by_counters(struct snapshot *s)
{
        return shares_find(s, counters_tell, compare_counters);
}
