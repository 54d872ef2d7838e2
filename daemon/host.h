/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/host.h - all NFS superblocks of this host, one judgement each.
 *
 * Layer:     daemon.
 * Purpose:   joins each new reading of the mount table to what is remembered.
 *            Several mounts of one superblock are judged once, through the one
 *            that can be used best: not deleted, not below autofs, then the
 *            first of the table. A covered mount is none: nobody reaches it
 *            (a change that waits beneath a busy mount is one).
 * Ownership: owns its states and the snapshot they point into.
 */
#pragma once

#include "daemon/mountstate.h"
#include "probe/root.h"

/* What was said about a mount that is gone, for a day: automounts come and go,
 * and a mount that was mounted anew with better options is `resolved`. */
struct ghost {
        char *target;
        char *source;
        struct ledger ledger;
        usec_t deep_commit_usec;
        usec_t gone_usec;
};

#define GHOSTS_MAX 256

struct host {
        struct snapshot snapshot;
        struct mountstate **states;     /* in the order of the mount table */
        size_t n_states;
        struct ghost ghosts[GHOSTS_MAX];        /* a ring: the oldest is overwritten */
        size_t next_ghost;
        uint64_t generations;
};

/* Reads everything that files say. @targets: only mounts at these mount points
 * (NULL-terminated), or NULL for all. On an error the host is as it was.
 * *ret_problems (may be NULL) as in probe/observe.h.
 * Return: 0, or a negative errno. */
int host_observe(struct host *h, const struct probe_root *root, const char *const *targets, usec_t now_usec,
                 char **ret_problems) must_check;

/* The same with a snapshot that was read elsewhere; taken over on success. */
int host_replace(struct host *h, struct snapshot *snapshot, const char *const *targets, usec_t now_usec) must_check;

/* Reads the counters only. On an error some of them may be new. */
int host_read_counters(struct host *h, const struct probe_root *root) must_check;

/* Nothing is known of them until they are read again. */
void host_forget_counters(struct host *h);

/* A superblock's key in the states and in the pool. */
uint64_t host_key(struct device d);

/* The superblock's state, or NULL. */
struct mountstate *host_find_device(const struct host *h, struct device d);

/* The mount that one gets who goes to @target, or NULL where that is no NFS mount. Text only. */
struct observation *host_find_target(const struct host *h, const char *target);

/* NULL when that superblock is gone. */
struct mountstate *host_find(const struct host *h, uint64_t key, uint64_t generation);

/* Is @target the mount point @wanted, but for trailing slashes? Text only. */
bool host_target_equal(const char *target, const char *wanted);

void host_done(struct host *h);
