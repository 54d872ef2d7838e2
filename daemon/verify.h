/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/verify.h - the changed mount against a private one with the old options.
 *
 * Layer:   nfstuned-mount only; blocks on NFS.
 */
#pragma once

#include "daemon/apply_request.h"

/* Asks the mount for its root's attributes; then, where r->may_write, saves as an editor does (the short form) in
 * turn on a private mount of r->staging.from (nosharecache) and on the mount, A B B A, PAIRS_MIN to PAIRS_MAX pairs
 * within r->budget_usec; as the owner of the mount's root where root is squashed. Fills end (DONE: it answers; FAILED:
 * it does not, or its bytes were wrong; REFUSED: another mount stands there), words, compared, comparison.
 * Where the old options cannot be mounted beside it, words say so and nothing is compared.
 * Return: 0 or -ENOMEM. */
int verify_run(const struct apply_request *r, struct apply_answer *ret) must_check;
