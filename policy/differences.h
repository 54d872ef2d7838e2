/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/differences.h - the requested options that are not effective.
 *
 * Layer:     policy (pure).
 * Ownership: differences_done() frees.
 */
#pragma once

#include "policy/option_table.h"
#include "policy/options.h"

/* A setting that was asked for and does not hold. */
struct difference {
        const struct option_info *info; /* the family's row; never NULL */
        char *requested;                /* "rsize=1048576", "soft": canonical, as one would write it */
        char *effective;                /* "rsize=524288", "hard", or NULL: absent */
};

/* What of @requested is not effective: only settings of the kernel's and of the
 * VFS that mountinfo would show (option_printed), where the effective list
 * shows otherwise. @effective: the mount's flags and the superblock's options,
 * one after the other; a "ro" in either makes the mount read-only. What this
 * version of NFS has no use for (nolock on version 4) is no difference. A
 * requested rsize or wsize is compared after the client's rounding and clamping
 * is taken into account as far as that is known without the server (page, 1 MiB,
 * UDP). Versions: "4" asks for any 4.N.
 * Return: 0 or -ENOMEM. The caller frees with differences_done(). */
int differences_find(const struct options *requested, const struct options *effective, struct difference **ret,
                     size_t *ret_n) must_check;
void differences_done(struct difference *d, size_t n);
