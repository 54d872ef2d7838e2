/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/intent.h - what is being done to a mount at this moment, on disk before it is done.
 *
 * Layer:   daemon and nfstuned-mount. External library: jansson.
 * Purpose: DESIGN section 9: a crash at any instant ends, after the next start, with the path mounted. nfstuned-mount
 *          writes a record before each step; the daemon removes it when it has remembered the outcome, or has it
 *          recovered (daemon/recover.h) when the helper did not come back.
 * Files:   intent-HASH.json in the state directory, one per mount point; HASH is a digest of the mount point.
 */
#pragma once

#include "policy/staging.h"

enum intent_step {
        INTENT_STAGING,         /* nothing was moved yet */
        INTENT_BENEATH,         /* the new mount is being put beneath the old one (before Linux 6.5: over it) */
        INTENT_ARMED,           /* it waits there; the old one is busy */
        INTENT_SWAP,            /* old kernels, not shared: the old one is being unmounted, the new one put in its place */
        INTENT_LIVE,            /* the superblock is being reconfigured */
        INTENT_DONE,            /* the new options hold; the daemon has not remembered it yet */
        INTENT_COUNT
};

/* Of the old mount's copies in other mount namespaces, and at other places of the host's, those whose own flags (ro, nosuid ...)
 * are not the host's: a new mount would come there with the latter. */
struct mount_copy {
        uint64_t namespace;             /* 4026531841 of "mnt:[4026531841]" */
        char *path;                     /* from the root of that namespace */
        struct options vfs;
        uint64_t pid;                   /* of a process there when it was read; not on disk, 0: look for one */
};
void mount_copies_free(struct mount_copy *copies, size_t n);

#define MOUNT_COPIES_MAX 512

struct intent {
        char boot[33];
        enum intent_step step;
        struct mount_facts mount;       /* the old one */
        struct staging staging;
        uint64_t new_mount_id;          /* from BENEATH and SWAP on; 0: none yet */
        struct device new_device;
        struct mount_copy *copies;      /* from BENEATH and SWAP on, until they were given their flags */
        size_t n_copies;
        bool rollback;                  /* this change takes an earlier one back */
        bool by_hand;
        bool persist;                   /* asked for with --persist */
        usec_t started_realtime_usec;
};

void intent_done(struct intent *i);

/* They have got their flags: frees the copies of a record, and leaves it without any. */
void intent_forget_copies(struct intent *i);
const char *intent_step_name(enum intent_step s);

/* Return: 0 or a negative errno; without the record on disk nothing may be changed. */
int intent_write(int state_fd, const struct intent *i) must_check;
int intent_remove(int state_fd, const char *target) must_check;

/* Return: 0, -ENOENT, -EINVAL for one that cannot be read (the caller removes it and says so), or another errno. */
int intent_read(int state_fd, const char *target, struct intent *ret) must_check;

/* All of them. Unreadable ones are removed, and named in *ret_problems (lines; NULL: none; caller frees).
 * Return: 0 or a negative errno. */
int intent_read_all(int state_fd, struct intent **ret, size_t *ret_n, char **ret_problems) must_check;

/* Waits until nobody else works on that mount point, and keeps others away for as long as @ret_fd is open in this process
 * (children do not hold it). Return: 0 or a negative errno. */
int intent_lock(int state_fd, const char *target, int *ret_fd) must_check;
