/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/canonical.h - what option strings mean, in one spelling.
 *
 * Layer:   policy types (pure).
 * Purpose: nfsvers=4,minorversion=1 is vers=4.1; actimeo=5 is four values; noac
 *          brings sync and four zeros; tcp is proto=tcp; 32k is 32768; the last
 *          of several wins; order is nothing. So that "what was asked for" and
 *          "what is effective" can be compared.
 */
#pragma once

#include "policy/option_table.h"
#include "policy/options.h"

/* One setting per family, sorted by key. A flag family has a value too:
 * hard=soft, sync=async, suid=nosuid, ac=noac (the family's key, then the
 * name of the flag that holds). Options that the table does not know keep their name
 * and value. Empty fields, "defaults" and x-*, comment= and the like are kept
 * only as far as they carry a setting; x-systemd.after= and its kind may stand
 * there several times. vers= takes up minorversion= when it has no minor version
 * of its own, wherever both stand; of noac,async noac wins, as in the kernel.
 * Return: 0 or -ENOMEM. */
int canonical_make(const struct options *o, struct options *ret) must_check;

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

/* Do both mean the same? (canonical forms equal, defaults of the table counted as said) */
int canonical_equal(const struct options *a, const struct options *b, bool *ret) must_check;
