/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/probing.h - asks servers and tries mounts through the helpers, and
 * puts the answers where they belong.
 *
 * Layer: daemon.
 */
#pragma once

#include "daemon/core.h"

/* A server that is there answers the staged mount in less than a second. */
#define STAGE_DEADLINE_USEC (10 * USEC_PER_SEC)

/* May the short workloads run on it now? *ret_reason says why not; the caller
 * frees it (NULL on -ENOMEM or when they may). */
bool probing_may_write(const struct core *c, const struct mountstate *s, char **ret_reason);

/* Starts one job; core->ended() is called when it and what follows from it (a
 * staged mount, where the server does not tell its limits) are over or their
 * deadlines have passed; never, when the superblock is gone by then.
 * Return: 0; -EBUSY while an earlier child of this superblock lives; -EAGAIN
 * when there are too many; another negative errno when the helper cannot be
 * started. */
int probing_start(struct core *c, struct mountstate *s, enum probing_kind kind) must_check;
