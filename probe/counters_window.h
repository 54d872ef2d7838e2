/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/counters_window.h - how a mount's counters changed meanwhile.
 *
 * Layer: probe. Reads mountstats, which contacts no server.
 */
#pragma once

#include "policy/observation.h"

struct counters_window {
        const struct mount_facts *mount;
        struct rpc_op_counters write;
        struct rpc_op_counters commit;
        bool known;
};

/* Begins at this moment. @path: "/proc/self/mountstats". */
struct counters_window counters_window_open(const struct mount_facts *m, const char *path);

/* Ends at this moment and stores the change in *ret. */
void counters_window_close(const struct counters_window *w, const char *path, struct workload_result *ret);
