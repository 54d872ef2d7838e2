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
#include "probe/shares.h"

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
        return mountstats_join(root->mountstats, s);
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
                r = shares_by_device(s);
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
