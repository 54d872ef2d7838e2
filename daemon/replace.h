/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/replace.h - a new mount in place of one that is in use.
 *
 * Layer:   nfstuned-mount only; blocks on NFS.
 * Purpose: DESIGN section 9. The new mount is staged in a private namespace and checked there; on Linux 6.5 and later it is
 *          put beneath the old one, which is unmounted then; before, it is put over the old one, which is unmounted from
 *          beneath it: at no moment is the path without its mount, which systemd would see and stop what is bound to it.
 *          Where they are not shared, the old one is unmounted and the new one attached at once, with detached clones of
 *          both in hand, so that a failure puts the old one back without the server.
 *          Every step is on disk before it is done (daemon/intent.h).
 */
#pragma once

#include "daemon/apply_request.h"

/* The whole change. @state_fd: the state directory. The record stays on disk, as DONE or ARMED, for the daemon; it is
 * removed when nothing was changed. Return: 0 with *ret filled, or -ENOMEM before anything was done. */
int replace_run(const struct apply_request *request, int state_fd, struct apply_answer *ret) must_check;
