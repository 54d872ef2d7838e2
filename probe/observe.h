/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/observe.h - the passive part of a round: files only, no server.
 *
 * Layer:   probe. Makes no system call that resolves a path on an NFS mount;
 *          safe in the daemon.
 */
#pragma once

#include "policy/observation.h"
#include "probe/root.h"

/* Reads the mount table, the counters, the requested options and the bdi of
 * every NFS mount. Server facts, probe and liveness stay empty. The kernel's
 * release is asked for only when the mount table is one of /proc.
 * *ret_problems (may be NULL): words about unreadable sources, one per line, or
 * NULL.
 * Return: 0, or a negative errno when the mount table cannot be read. */
int observe(const struct probe_root *root, struct snapshot *ret, char **ret_problems) must_check;

/* Reads the counters anew into @s, in place (every passive_interval). */
int observe_counters(const struct probe_root *root, struct snapshot *s) must_check;
