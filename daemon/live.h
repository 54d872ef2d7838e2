/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/live.h - changes of a superblock in use: sync, async, read-ahead.
 *
 * Layer:   nfstuned-mount only; blocks on NFS (the kernel flushes all dirty data and asks the server: KERNEL-FACTS 2.1).
 */
#pragma once

#include "daemon/apply_request.h"
#include "daemon/intent.h"

/* Touches the named superblock flag and nothing else (fspick, fsconfig); where the kernel refuses that, remounts without
 * options and with every flag as it is. Changes every mount of the superblock, in all namespaces. Ends: DONE, REFUSED,
 * FAILED. Return: 0 or -ENOMEM. */
int live_run(const struct apply_request *request, int state_fd, struct apply_answer *ret) must_check;

/* After an interruption: DONE when the new options hold, else NOTHING and the record is removed.
 * Return: 1, or a negative errno. */
int live_recover(const struct intent *i, int state_fd, struct apply_answer *ret) must_check;
