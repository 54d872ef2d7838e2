/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/pairs.h - the same save on two mounts in turn.
 *
 * Layer:   probe, helper only: blocks on NFS.
 * What:    editor-save in its short form (DESIGN section 7): 256 KiB in 8 KiB writes, timed from open to the end of
 *          close; read back and removed outside of the timed part.
 * Order:   A B, B A, A B ...: what drifts meanwhile falls on both alike. One run of each goes before and is not
 *          counted: connections, caches and the server's own warm up in it.
 * Length:  PAIRS_MAX pairs, fewer where bytes or time end before. It never ends early because the answer looks clear:
 *          an interval that decides when to stop is none.
 */
#pragma once

#include "policy/observation.h"
#include "probe/testfile.h"

#define PAIRS_MAX 12
#define PAIRS_MIN 6                     /* fewer say nothing: policy/compare.h */
#define PAIRS_BYTES (2 * 256 * KIB)     /* that one pair writes */

struct pairs {
        unsigned n;                             /* whole pairs */
        usec_t before_usec[PAIRS_MAX];          /* never 0 */
        usec_t after_usec[PAIRS_MAX];
        enum outcome outcome;                   /* OK; TIME_BUDGET: fewer than PAIRS_MIN; else of the failing run */
        int error;                              /* errno of the outcome, 0 for none */
        bool in_after;                          /* which side is being run, or failed */
};

/* Both directories must be writable for the calling process. *ret is kept up to date while it runs: where it lies in
 * shared memory, somebody else sees how far it came.
 * Return: 0 or -ENOMEM. */
int pairs_run(int before_dir_fd, int after_dir_fd, const struct ownfile_identity *identity, struct budget *budget,
              struct pairs *ret) must_check;
