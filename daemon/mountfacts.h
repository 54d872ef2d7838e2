/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/mountfacts.h - one mount of our own mount table.
 *
 * Layer:     daemon. Text of /proc/self/mountinfo only.
 * Ownership: mount_facts_done() frees.
 */
#pragma once

#include "policy/observation.h"

/* Return: 0, -ENOENT when no NFS mount has that id, or another negative errno. */
int mountfacts_by_id(uint64_t mount_id, struct mount_facts *ret) must_check;

/* Is it still the mount that was looked at, unchanged? The kernel gives the lowest free number to mounts and devices: one
 * that is unmounted and mounted anew often has both of the old one again, and only what is mounted there tells. */
bool mountfacts_same(const struct mount_facts *then, const struct mount_facts *now);
