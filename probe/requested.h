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
#include "probe/fstab.h"
#include "probe/nfsmountconf.h"
#include "probe/root.h"

/* Everything that was read once per round; joined to mounts afterwards. */
struct requested_sources;

/* Missing files are no error. Unreadable or broken ones are skipped and named
 * in *ret_problems (may be NULL), one per line, caller frees.
 * Return: 0 or -ENOMEM. */
int requested_sources_read(const struct probe_root *root, struct requested_sources **ret,
                           char **ret_problems) must_check;
void requested_sources_free(struct requested_sources *s);

/* The same out of texts: new (NULL on -ENOMEM), what there is in the order of
 * reading, and sorted once before anything is looked for. @file becomes the
 * place. Return: 0 or -ENOMEM. */
struct requested_sources *requested_sources_new(void) must_check;
int requested_sources_fstab(struct requested_sources *s, const struct fstab *f, const char *file) must_check;
int requested_sources_conf(struct requested_sources *s, const char *text, size_t length_bytes,
                           const char *file) must_check;
void requested_sources_sort(struct requested_sources *s);

/* Every line of nfsmount.conf that counts. Borrowed. */
const struct nfsmountconf *requested_sources_confs(const struct requested_sources *s);

/* Finds the sources of @m and stores copies in *ret (array; the caller frees
 * each with requested_done() and the array).
 * Matching: target equal after decoding and removal of a trailing slash, and
 * the source equal; where the source differs (host name against address,
 * resolved by mount.nfs) the target alone decides, provided the fstype is NFS.
 * Return: 0 or -ENOMEM. */
int requested_find(const struct requested_sources *s, const struct mount_facts *m,
                   struct requested **ret, size_t *ret_n) must_check;

/* The same for the fstab line @e, which no mount @m comes from yet: the line,
 * then what nfsmount.conf adds to it. */
int requested_of_line(const struct requested_sources *s, const struct fstab_entry *e, const char *file,
                      const struct mount_facts *m, struct requested **ret, size_t *ret_n) must_check;

/* The lines of the section that @section belongs to. */
int requested_of_section(const struct requested_sources *s, const struct nfsmountconf_entry *section,
                         struct requested **ret, size_t *ret_n) must_check;
