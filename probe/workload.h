/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/workload.h - short write/close tests on a live mount.
 *
 * Layer:   probe, helper only: blocks on NFS.
 * Safety:  DESIGN section 7. Files of our own only (probe/ownfile.h), below a
 *          directory descriptor whose mount id was compared with the observed
 *          one; O_EXCL|O_NOFOLLOW; closed before they are unlinked; always
 *          removed; a byte and a time budget over all workloads together.
 */
#pragma once

#include "policy/observation.h"
#include "probe/request.h"

/* Runs editor-save, copy and commit in their short forms.
 * Changes the calling process's user when root is squashed (request->user).
 * Return: 0 with *ret filled (each workload has its outcome), or -ENOMEM. */
int workload_run(const struct probe_request *request, struct probe_result *ret) must_check;
