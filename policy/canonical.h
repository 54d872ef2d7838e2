/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/canonical.h - what option strings mean, in one spelling.
 *
 * Layer:   policy (pure).
 * Purpose: nfsvers=4,minorversion=1 is vers=4.1; actimeo=5 is four values; noac
 *          brings sync and four zeros; tcp is proto=tcp; 32k is 32768; the last
 *          of several wins; order is nothing. So that what was asked for and
 *          what is effective can be compared (differences.h).
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

/* What holds of a family when nothing is said; it may depend on the transport. NULL: negotiated, or nothing.
 * @canonical: as canonical_make() makes it, as below. */
const char *canonical_fallback(const struct options *canonical, const struct option_info *info);

/* What holds of the family @key: what is said, or what holds then. */
const char *canonical_value(const struct options *canonical, const char *key);

/* Of two values, each NULL where there is none. */
bool values_equal(const char *a, const char *b);

/* Is it a flag in our own spelling, the "soft" of hard=soft? */
bool is_canonical_flag(const struct option_info *info, const char *value);
