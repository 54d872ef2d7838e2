/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/roundtrip.h - do bytes survive the way to the server and back, at full transfer size?
 *
 * Layer:   probe, helper only: forks; its children block on NFS.
 * Purpose: there are servers, and boxes on the way to them, that agree to large requests and then break or drop
 *          them. Who is about to put a mount in place of a working one has to know before.
 */
#pragma once

#include "policy/observation.h"

/* Writes one file through the mount, at least 2 x wsize in one write(2), and reads it back past the cache, at least
 * 2 x rsize in one read. @m: the facts of that mount itself (mount id and device are compared), @root_fd: its root.
 * @user and @directory as in probe/request.h; where root is squashed, as the owner of the root.
 * @deadline_usec: CLOCK_MONOTONIC; a child that does not come back is killed before it, and the file it
 * left behind is removed by another one.
 * *ret_outcome: OK; CORRUPT; TIME_BUDGET when something hung; ERROR (a read or write failed), READ_ONLY, DENIED,
 * NO_SPACE, QUOTA, UNSAFE; NOT_RUN where the directory (ENOENT, ENOTDIR) or the user (ESRCH) does not exist.
 * *ret_error: its errno or 0.
 * Return: 0 or a negative errno of this process itself. */
int roundtrip_check(int root_fd, const struct mount_facts *m, const char *user, const char *directory,
                    uint64_t rsize_bytes, uint64_t wsize_bytes, usec_t deadline_usec, enum outcome *ret_outcome,
                    int *ret_error) must_check;
