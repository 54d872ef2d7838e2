/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/testfile.h - one file of ours: created, written, closed, read back,
 * removed.
 *
 * Layer:   probe, helper only: blocks on NFS.
 * Safety:  created with O_EXCL|O_NOFOLLOW relative to a checked descriptor,
 *          closed before it is removed (else the client renames it and the name
 *          stays until the close), and removed in every case.
 */
#pragma once

#include "policy/observation.h"
#include "probe/ownfile.h"
#include "probe/sample.h"

/* Bytes and time that all files of one probe share. */
struct budget {
        uint64_t bytes_left;
        usec_t deadline_usec;           /* CLOCK_MONOTONIC */
};

/* Neither out of time nor asked to end by a signal that is blocked and pending? */
bool budget_lasts(const struct budget *b);

/* How a file is written. */
struct shape {
        size_t piece_bytes;             /* per write(2) */
        unsigned pieces;
        bool stable;                    /* fsync after each write, timed together with it */
        bool flush_first;               /* only the fsync is timed: the data went to the server before */
        size_t read_bytes;              /* per read(2) when it is read back; 0: 64 KiB */
        bool must_verify;               /* a file that cannot be read back has failed, by the read's errno or by time */
};

struct testfile {
        int dir_fd;
        const struct ownfile_identity *identity;
        unsigned number;                /* in its name */
        uint64_t seed;
};

/* Runs one file through its life. Fills the outcome, error, written_bytes,
 * open, write, stable, close and total times, stalls and verified of *ret, and
 * takes what it wrote from *budget.
 * Return: 0 or -ENOMEM. */
int testfile_run(const struct testfile *f, const struct shape *shape, struct budget *budget,
                 struct workload_result *ret) must_check;

enum outcome outcome_of_errno(int error);
