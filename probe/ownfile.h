/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/ownfile.h - names of our files, and the sweep of leftovers.
 *
 * Layer:   probe, helper only.
 * Name:    ".nfstuned-MACHINE-BOOT-PID-START-N": MACHINE is the machine id made
 *          application-specific (sd-id128, so that the real id does not leak to
 *          a shared server), BOOT the boot id likewise, START the process's
 *          start time in clock ticks (/proc/PID/stat field 22). A leftover is
 *          ours when MACHINE is equal, and stale when BOOT differs or no
 *          process PID with that START lives. Files of other hosts are never
 *          touched.
 */
#pragma once

#include <limits.h>

#include "policy/base.h"

struct ownfile_identity {
        char machine[33];
        char boot[33];
        uint64_t pid;
        uint64_t start_ticks;
};

int ownfile_identity_self(struct ownfile_identity *ret) must_check;

/* Writes the name of our file number @n. */
void ownfile_name(const struct ownfile_identity *id, unsigned n, char ret[static NAME_MAX + 1]);

/* Is @name a leftover of this host whose process is gone? Pure but for
 * /proc/PID/stat of @proc ("/proc"). */
bool ownfile_is_stale(const struct ownfile_identity *self, const char *proc, const char *name);

/* Unlinks every stale regular file of ours in @dir_fd (at most 10,000 entries
 * are looked at). Return: number removed, or a negative errno. */
int ownfile_sweep(const struct ownfile_identity *self, int dir_fd) must_check;
