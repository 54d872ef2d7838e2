/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/root.h - where the system's files are read from.
 *
 * Layer:   probe.
 * Purpose: every reader takes its paths from here, so that tests and recorded
 *          cases point it at a directory of their own. None of the paths is on
 *          NFS on a sane host, and none is ever derived from a mount point.
 */
#pragma once

#include "policy/base.h"

struct probe_root {
        const char *mountinfo;          /* "/proc/self/mountinfo" */
        const char *mountstats;         /* "/proc/self/mountstats" */
        const char *fstab;              /* "/etc/fstab" */
        const char *utab;               /* "/run/mount/utab" */
        const char *cmdline;            /* "/proc/cmdline" */
        const char *sys;                /* "/sys" */
        const char *const *unit_dirs;   /* strongest first, NULL-terminated */
        const char *const *nfsmount_confs; /* files and .d directories, weakest first, NULL-terminated */
};

/* This host. Constant. */
extern const struct probe_root probe_root_host;
