/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/fscontext.h - new NFS mounts and changed superblocks through fsopen(2) and its kin.
 *
 * Layer:   nfstuned-mount only: blocks on NFS, needs CAP_SYS_ADMIN.
 * Why not mount.nfs: it adds what nfsmount.conf says (which may be the very option that is to go), reports "busy" as
 *          success, and one against a dead server outlives its killed parent (TRIED section 1). The kernel does the
 *          negotiation itself and says in words what it refused.
 */
#pragma once

#include "policy/options.h"

/* Makes a detached mount. @options: one by one to fsconfig(2); must hold addr=. @attributes: MOUNT_ATTR_*.
 * Return: 0 with *ret_fd (caller closes), or a negative errno with *ret_error in words (the kernel's own message where
 * it gave one; caller frees; may stay NULL on -ENOMEM). */
int fscontext_mount(const char *fstype, const char *source, const struct options *options, unsigned attributes,
                    int *ret_fd, char **ret_error) must_check;

/* Changes flags of the superblock mounted at @target ("sync", "async"); @repeat: options that the kernel wants to hear
 * again (fsc: KERNEL-FACTS 2.1). Return: as above. */
int fscontext_reconfigure(int mount_fd, const char *flag, const struct options *repeat, char **ret_error) must_check;
