/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/counters_window.h - how a mount's counters changed meanwhile.
 *
 * Layer: probe. Reads mountstats, which contacts no server, from a descriptor
 *        that was opened as root: another user must not open it.
 */
#pragma once

#include "policy/observation.h"

struct counters_window {
        const struct mount_facts *mount;
        int mountstats_fd;
        struct rpc_op_counters write;
        struct rpc_op_counters commit;
        bool known;
};

/* Begins at this moment. @mountstats_fd: of /proc/self/mountstats, borrowed. */
struct counters_window counters_window_open(const struct mount_facts *m, int mountstats_fd);

/* Ends at this moment and stores the change in *ret. */
void counters_window_close(const struct counters_window *w, struct workload_result *ret);
