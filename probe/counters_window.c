/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The WRITE and COMMIT calls between two moments. */
#include "probe/counters_window.h"

#include <string.h>
#include <unistd.h>

#include "probe/file.h"
#include "probe/mountstats.h"

#define MOUNTSTATS_BYTES_MAX (64 * MIB)

/* NULL when there is none, or when mounts are stacked there: mountstats does
 * not say which is which. */
static const struct counters *find(const struct mountstats *stats, const struct mount_facts *m)
{
        const struct counters *found = NULL;

        for (size_t i = 0; i < stats->n_entries; i++) {
                const struct mountstats_entry *e = &stats->entries[i];

                if (strcmp(e->target, m->target) != 0)
                        continue;
                if (found)
                        return NULL;
                found = &e->counters;
        }
        return found && found->known ? found : NULL;
}

struct counters_window counters_window_open(const struct mount_facts *m, int mountstats_fd)
{
        struct counters_window w = { .mount = m, .mountstats_fd = mountstats_fd };
        struct mountstats stats = { 0 };
        size_t length = 0;
        cleanup_free char *text = NULL;

        if (lseek(mountstats_fd, 0, SEEK_SET) < 0 ||
            fd_read(mountstats_fd, MOUNTSTATS_BYTES_MAX, &text, &length) < 0 ||
            mountstats_parse(text, length, &stats) < 0)
                return w;
        const struct counters *c = find(&stats, m);
        if (c) {
                w.known = true;
                w.write = c->op[RPC_OP_WRITE];
                w.commit = c->op[RPC_OP_COMMIT];
        }
        mountstats_done(&stats);
        return w;
}

void counters_window_close(const struct counters_window *w, struct workload_result *ret)
{
        if (!w->known)
                return;
        struct counters_window now = counters_window_open(w->mount, w->mountstats_fd);
        ret->counters_known = now.known &&
                              rpc_op_counters_delta(&w->write, &now.write, &ret->write_calls) &&
                              rpc_op_counters_delta(&w->commit, &now.commit, &ret->commit_calls);
}
