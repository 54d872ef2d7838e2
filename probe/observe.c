/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/observe.c - puts the passive sources together.
 */
#include "probe/observe.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "policy/text.h"
#include "probe/bdi.h"
#include "probe/mountstats.h"
#include "probe/mounttable.h"
#include "probe/requested.h"

static void sourcesp(struct requested_sources **s)
{
        requested_sources_free(*s);
}

/* Moves the facts of the table into a snapshot. */
static int mounts_take(struct mounttable *t, struct snapshot *s)
{
        s->mounts = calloc(t->n_mounts + 1, sizeof(*s->mounts));
        if (!s->mounts)
                return -ENOMEM;
        for (size_t i = 0; i < t->n_mounts; i++) {
                s->mounts[i].mount = t->mounts[i];
                t->mounts[i] = (struct mount_facts){ 0 };
                for (unsigned w = 0; w < WORKLOAD_COUNT; w++)
                        s->mounts[i].probe.results[w].workload = (enum workload)w;
        }
        s->n_mounts = t->n_mounts;
        return 0;
}

static int table_read(const struct probe_root *root, struct snapshot *s, struct text *problems)
{
        cleanup(mounttable_done) struct mounttable t = { 0 };
        int r = mounttable_read(root->mountinfo, &t);

        if (r < 0)
                return r;
        if (t.n_lines_bad > 0)
                text_add(problems, "%s: %zu of %zu lines cannot be read\n", root->mountinfo, t.n_lines_bad,
                         t.n_lines_total);
        return mounts_take(&t, s);
}

int observe_counters(const struct probe_root *root, struct snapshot *s)
{
        cleanup(mountstats_done) struct mountstats m = { 0 };
        int r = mountstats_read(root->mountstats, &m);

        return r < 0 ? r : mountstats_join(&m, s);
}

static int requested_read(const struct probe_root *root, struct snapshot *s, struct text *problems)
{
        cleanup(sourcesp) struct requested_sources *sources = NULL;
        cleanup_free char *words = NULL;
        int r = requested_sources_read(root, &sources, &words);

        if (words)
                text_add(problems, "%s", words);
        for (size_t i = 0; r == 0 && i < s->n_mounts; i++) {
                struct observation *o = &s->mounts[i];

                r = requested_find(sources, &o->mount, &o->requested, &o->n_requested);
        }
        return r;
}

/* Not every mount has a bdi any more when it is looked at: no problem to report. */
static int bdis_read(const struct probe_root *root, struct snapshot *s)
{
        for (size_t i = 0; i < s->n_mounts; i++) {
                struct observation *o = &s->mounts[i];

                if (o->mount.device.major == 0 && o->mount.device.minor == 0)
                        continue;       /* /proc/mounts does not say */
                int r = bdi_read_ahead(root->sys, o->mount.device, &o->read_ahead_kib);
                if (r == -ENOMEM)
                        return r;
                o->read_ahead_known = r == 0;
        }
        return 0;
}

/* ---- who shares a superblock -------------------------------------------------- */

static int compare_devices(const void *a, const void *b)
{
        const struct observation *x = *(struct observation *const *)a, *y = *(struct observation *const *)b;
        struct device d = x->mount.device, e = y->mount.device;

        if (d.major != e.major)
                return d.major < e.major ? -1 : 1;
        if (d.minor != e.minor)
                return d.minor < e.minor ? -1 : 1;
        return (x > y) - (x < y);       /* then in the order of the table */
}

/* Names the others of the group in @o. */
static int shares_name(struct observation *o, struct observation *const *group, size_t n)
{
        size_t max = MIN(n - 1, (size_t)OBSERVE_SHARES_MAX);

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

static int group_name(struct observation *const *group, size_t n)
{
        struct device d = group[0]->mount.device;

        if (n == 1 || (d.major == 0 && d.minor == 0))
                return 0;
        for (size_t i = 0; i < n; i++) {
                int r = shares_name(group[i], group, n);

                if (r < 0)
                        return r;
        }
        return 0;
}

static void arrayp(struct observation ***a)
{
        free(*a);
}

static int shares_find(struct snapshot *s)
{
        cleanup(arrayp) struct observation **sorted = calloc(s->n_mounts + 1, sizeof(*sorted));

        if (!sorted)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_mounts; i++)
                sorted[i] = &s->mounts[i];
        if (s->n_mounts > 1)
                qsort(sorted, s->n_mounts, sizeof(*sorted), compare_devices);
        for (size_t i = 0, n; i < s->n_mounts; i += n) {
                struct device d = sorted[i]->mount.device;

                for (n = 1; i + n < s->n_mounts && device_equal(sorted[i + n]->mount.device, d); n++)
                        continue;
                int r = group_name(sorted + i, n);
                if (r < 0)
                        return r;
        }
        return 0;
}

/* ---- the whole -------------------------------------------------------------------- */

static int release_read(const struct probe_root *root, struct snapshot *s)
{
        struct utsname u;

        if (strncmp(root->mountinfo, "/proc/", strlen("/proc/")) != 0 || uname(&u) < 0)
                return 0;
        s->kernel_release = strdup(u.release);
        return s->kernel_release ? 0 : -ENOMEM;
}

static int sources_read(const struct probe_root *root, struct snapshot *s, struct text *problems)
{
        int r = table_read(root, s, problems);

        if (r < 0)
                return r;
        r = observe_counters(root, s);
        if (r == -ENOMEM)
                return r;
        if (r < 0 && s->n_mounts > 0)
                text_add(problems, "%s: %s\n", root->mountstats, strerror(-r));
        r = requested_read(root, s, problems);
        if (r == 0)
                r = bdis_read(root, s);
        if (r == 0)
                r = shares_find(s);
        return r < 0 ? r : release_read(root, s);
}

int observe(const struct probe_root *root, struct snapshot *ret, char **ret_problems)
{
        cleanup(snapshot_done) struct snapshot s = { 0 };
        cleanup(text_done) struct text problems = { 0 };
        int r = sources_read(root, &s, &problems);

        if (r < 0)
                return r;
        if (problems.failed)
                return -ENOMEM;
        if (ret_problems)
                *ret_problems = problems.length_bytes ? text_take(&problems) : NULL;
        *ret = s;
        s = (struct snapshot){ 0 };
        return 0;
}
