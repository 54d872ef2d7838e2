/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/child.h - work on NFS that may never come back, in a process that may be left behind.
 *
 * Layer:   probe, helper only: forks.
 * Purpose: a caller with a deadline of its own must not wait for a server. The child ends by its own timer, by a
 *          SIGKILL, both at the deadline, or with the caller; where nothing of that reaches it (an uninterruptible
 *          wait), the caller goes on without it.
 */
#pragma once

#include "policy/base.h"

/* Zeroed memory that the caller and its children share; NULL on -ENOMEM. */
void *child_memory_new(size_t size_bytes) must_check;
void child_memory_free(void *memory, size_t size_bytes);

/* Runs work(shared) in a child. TERM, INT and HUP are blocked there and stay pending (budget_lasts() of
 * probe/testfile.h sees them). @deadline_usec: CLOCK_MONOTONIC.
 * Return: what @work returned (0 or a negative errno), -ETIMEDOUT when it was killed at the deadline, -ECHILD when it
 * ended in another way, or the negative errno of fork. What it stored in @shared until then can be read in every case,
 * but for -ETIMEDOUT it may still be writing. */
int child_run(int (*work)(void *shared), void *shared, usec_t deadline_usec) must_check;

/* The same for work that needs one descriptor of the caller's: where it hangs for good, it holds nothing else, neither a
 * mount nor a connection. */
int child_run_alone(int (*work)(void *shared), void *shared, int keep_fd, usec_t deadline_usec) must_check;
