/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/recorded.h - a host out of files alone: no root, no daemon, no NFS.
 *
 * Layer:   probe. Reads nothing but the given files and standard input.
 * Purpose: the snapshot that observe() would have made there, as far as the
 *          files go; what is not given is unknown and nothing of this host
 *          fills the gap.
 * Unusable: a file that is missing, empty, binary (a NUL byte), ends in the
 *          middle of a line, is longer than its kind may be, has an over-long
 *          line, or of which no line could be understood. A file without any
 *          NFS mount in it is usable.
 */
#pragma once

#include "policy/advice.h"
#include "policy/exports.h"
#include "policy/observation.h"

enum recorded_kind {
        RECORDED_MOUNTS,                /* /proc/mounts */
        RECORDED_MOUNTINFO,
        RECORDED_MOUNTSTATS,
        RECORDED_FSTAB,
        RECORDED_NFSMOUNT_CONF,
        RECORDED_EXPORTS,
        RECORDED_OBSERVATION,           /* JSON of one observation, or an array of them */
        RECORDED_COUNT
};

/* One file as it was asked for. */
struct recorded_file {
        enum recorded_kind kind;
        const char *path;               /* "-": standard input */
};

struct recorded {
        struct snapshot snapshot;       /* mounts first; then, with only_requested, the NFS lines of fstab that no mount
                                         * belongs to, and without any mount or line the sections of nfsmount.conf */
        struct exports exports;         /* sorted, not judged yet: daemon/check.c asks the policy */
        struct findings findings;       /* malformed lines */
        char *notes;                    /* lines about what was skipped in mount tables and nfsmount.conf; or NULL */
};

/* Several files of one kind are allowed (mountinfo and mountstats only once).
 * mounts and mountinfo together: mountinfo has the mounts. mountstats without
 * either: its blocks are the mounts (devices unknown; blocks of one superblock
 * are told by equal counters). Blocks, lines and entries that belong to a mount are joined to it.
 * Return: 0; 1 when a file is unusable, with *ret_error one line
 * "FILE[:LINE]: what, remedy" (caller frees); -ENOMEM. *ret is written only on 0. */
int recorded_read(const struct recorded_file *files, size_t n_files, struct recorded *ret, char **ret_error) must_check;

/* The same for files where they are, which nobody can have cut in copying: a
 * last line without its newline is as good as any. */
int recorded_read_originals(const struct recorded_file *files, size_t n_files, struct recorded *ret,
                            char **ret_error) must_check;
void recorded_done(struct recorded *r);
