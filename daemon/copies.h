/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/copies.h - what a mount's copies in other mount namespaces have of their own, and keep.
 *
 * Layer:   nfstuned-mount only; needs CAP_SYS_ADMIN, CAP_SYS_CHROOT and CAP_SYS_PTRACE.
 * Purpose: a service with ProtectSystem=strict sees an NFS mount of the host read-only. What takes its place there comes
 *          with the flags of the host's mount, and is given those of the copy that it replaced at once.
 * Limits:  the kernel opens no mount that is covered. So for the time from the unmount of the old mount to the last call
 *          here (some milliseconds) the flags of the host hold in those namespaces.
 */
#pragma once

#include "daemon/apply_request.h"
#include "daemon/intent.h"
#include "daemon/namespaces.h"

/* The copies of all->mount that a new mount in its place may reach, and whose flags differ from those of all->mount.
 * Return: 0; 1 with words when the flags of one cannot be kept; or -ENOMEM. */
int copies_read(const struct namespaces *all, struct mount_copy **ret, size_t *ret_n, char **ret_words) must_check;

/* Before Linux 6.5 the new mount is put over the old one, which is unmounted then. The former spreads through the old
 * mount, the latter through the one it stands on: where a copy has a propagation of its own (`mount --make-private`), it
 * would be taken away and nothing come in its place.
 * Return: 0: there is none; 1 with words about it; or -ENOMEM. */
int copies_check_lost(const struct namespaces *all, char **ret_words) must_check;

/* Do both name the same, in the same order? */
bool copies_equal(const struct mount_copy *a, size_t n_a, const struct mount_copy *b, size_t n_b);

/* Right after @new_device came on top: it gets the flags in each of those places where it stands by now. What cannot be
 * done is told in notes. */
void copies_restore(const struct mount_copy *copies, size_t n, struct device new_device, struct apply_answer *ret);
