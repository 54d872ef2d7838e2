/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/recover.h - what a record says was begun: finished, undone or discarded.
 *
 * Layer:   nfstuned-mount only; may block on NFS.
 * Purpose: DESIGN section 9: a crash at any instant ends, after the next start, with the path mounted. A record of
 *          another boot, or of a mount that was changed from outside since, is discarded and never mounted again.
 */
#pragma once

#include "daemon/apply_request.h"

/* Ends: DONE (the new options hold; the record stays until the daemon has remembered it), ARMED, NOTHING (as it was
 * before, or somebody else's by now; the record is gone), FAILED (words; where the path is without a mount the record
 * stays, so that it can be tried again). Return: 0 or -ENOMEM. */
int recover_run(const char *target, int state_fd, struct apply_answer *ret) must_check;
