/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/requested.h - who asked for the options of a mount.
 *
 * Layer:   probe. Reads fstab (probe/fstab.h, libmount), .mount units and their
 *          drop-ins (probe/units.h), nfsmount.conf and its directories
 *          (probe/nfsmountconf.h), utab (probe/utab.h), the kernel command line
 *          (probe/cmdline.h). KERNEL-FACTS 10.
 * Order:   strongest first. fstab line or .mount unit (a unit generated from
 *          fstab counts as the fstab line and is listed once), then utab's
 *          record, then nfsmount.conf MountPoint, Server, Global sections.
 */
#pragma once

#include "policy/observation.h"
#include "probe/root.h"

/* Everything that was read once per round; joined to mounts afterwards. */
struct requested_sources;

/* Missing files are no error. Unreadable or broken ones are skipped and named
 * in *ret_problems (may be NULL), one per line, caller frees.
 * Return: 0 or -ENOMEM. */
int requested_sources_read(const struct probe_root *root, struct requested_sources **ret,
                           char **ret_problems) must_check;
void requested_sources_free(struct requested_sources *s);

/* Finds the sources of @m and stores copies in *ret (array; the caller frees
 * each with requested_done() and the array).
 * Matching: target equal after decoding and removal of a trailing slash, and
 * the source equal; where the source differs (host name against address,
 * resolved by mount.nfs) the target alone decides, provided the fstype is NFS.
 * Return: 0 or -ENOMEM. */
int requested_find(const struct requested_sources *s, const struct mount_facts *m,
                   struct requested **ret, size_t *ret_n) must_check;
