/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/reveal.h - the mount that waits beneath a busy one.
 *
 * Layer: nfstuned-mount only. Asks no server, but the last user of the old superblock may have to write its data back.
 */
#pragma once

#include "daemon/apply_request.h"
#include "daemon/intent.h"
#include "daemon/mountpoint.h"

/* One more plain unmount of the old mount, which is on top; with @detach whoever uses it goes on with it. Ends: DONE (the
 * new one is on top, also when somebody else unmounted the old one), ARMED (still busy), NOTHING (the two are not there as
 * they were: the administrator has unmounted or covered them; the record is removed). Return: 0 or -ENOMEM. */
int reveal_run(const char *target, bool detach, int state_fd, struct apply_answer *ret) must_check;

/* The same for a record that was read, in a place that was entered. NOTHING too when the new one was being put over the old
 * one (before Linux 6.5): it is taken off again. */
int reveal(struct intent *i, const struct mountpoint *place, bool detach, int state_fd,
           struct apply_answer *ret) must_check;
