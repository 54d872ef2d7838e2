/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/look.h - who would notice?
 *
 * Layer:   nfstuned-mount only. Never asks a server: text below /proc, and links of /proc/PID.
 */
#pragma once

#include "daemon/apply_request.h"

/* Mounts of the superblock in other mount namespaces and at other places of this one, read from
 * PROC/PID/mountinfo, each namespace once. A copy is reached when its parent is in the peer group of our mount's
 * parent or a slave of it. @proc: "/proc". Sets a->elsewhere and appends to a->users.
 * Return: 0 or a negative errno. */
int look_elsewhere(const char *proc, const struct mount_facts *m, struct apply_answer *a) must_check;

/* Processes of any namespace whose working directory, root, open files or maps are on the superblock's device: links
 * and fdinfo only (KERNEL-FACTS 8.1), never a stat. At most 64 are named. */
int look_users(const char *proc, const struct mount_facts *m, struct apply_answer *a) must_check;
