/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/leftovers.h - children of an earlier run that could not be killed.
 *
 * Layer:   daemon.
 * Purpose: KillMode=process lets the service stop although a child sits in an
 *          uninterruptible wait; the child stays in our control group and is
 *          found there by the next run. They end when their server returns.
 */
#pragma once

#include <sys/types.h>

#include "policy/base.h"

/* @proc_cgroup: "/proc/self/cgroup"; @cgroup_root: "/sys/fs/cgroup"; @self is not
 * counted. To be called before the first child is started.
 * Return: 0, or a negative errno (*ret is then untouched). */
int leftovers_count(const char *proc_cgroup, const char *cgroup_root, pid_t self, size_t *ret) must_check;
