/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up /proc in the directory of the test. */
#pragma once

#include "tests/unit/tree.h"

#define HOST "mnt:[1]"
#define OTHER "mnt:[2]"

/* Valid until the next call. */
static inline const char *process_path(unsigned pid, const char *name)
{
        static char path[128];

        snprintf(path, sizeof(path), "%u/%s", pid, name);
        return path;
}

static inline void add_process(unsigned pid, const char *namespace, const char *root, const char *comm,
                               const char *table)
{
        tree_link(process_path(pid, "ns/mnt"), namespace);
        tree_link(process_path(pid, "root"), root);
        tree_link(process_path(pid, "cwd"), root);
        tree_link(process_path(pid, "exe"), "/usr/bin/true");
        tree_write(process_path(pid, "comm"), comm);
        tree_write(process_path(pid, "stat"), "1 (a ) b) S 1 1 1 0 -1 4194560 0\n");
        tree_write(process_path(pid, "maps"), "");
        tree_write(process_path(pid, "mountinfo"), table);
        ck_assert_int_eq(mkdir(tree_path(process_path(pid, "fd")), 0700), 0);
}

static inline void add_self(const char *table)
{
        tree_link("self", "100");
        tree_write("version", "Linux");
        add_process(100, HOST, "/", "nfstuned-mount\n", table);
}
