/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/privilege.h - what the helper may do, and for how long it lives.
 *
 * Layer: probe, helper only: changes the calling process.
 */
#pragma once

#include <sys/types.h>

#include "policy/base.h"

/* Dies with the parent: the kernel kills this process when @parent, the parent
 * seen first, ends. Changing the user undoes it; so privilege_become() repeats it.
 * Return: 0, -ESRCH when the parent has ended already, or another negative errno. */
int privilege_follow_parent(pid_t parent) must_check;

/* Keeps only the capabilities the helper uses, gains none by execution, and
 * shows its memory to nobody.
 * Return: 0 or a negative errno. */
int privilege_reduce(void) must_check;

/* Becomes an unprivileged user for good.
 * Return: 0, -EPERM when the process may not, or another negative errno. */
int privilege_become(uid_t user, gid_t group) must_check;
