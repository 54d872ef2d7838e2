/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/utab.h - /run/mount/utab: what was asked for when mounting.
 *
 * Layer: probe. Own parser, because libmount versions differ in what they
 *        write: 2.41.5 puts no blank behind UNIQID=n (KERNEL-FACTS 10).
 */
#pragma once

#include "policy/base.h"

#define UTAB_BYTES_MAX (16 * MIB)

struct utab_entry {
        char *source;
        char *target;           /* both decoded, the target without a trailing slash */
        char *options_text;     /* ATTRS=, decoded */
        char *text;             /* the line */
        unsigned line;
};

struct utab {
        struct utab_entry *entries;     /* lines with a source, a target and ATTRS= */
        size_t n_entries;
};

/* Return: 0 or -ENOMEM. */
int utab_parse(const char *text, size_t length_bytes, struct utab *ret) must_check;

/* Return: 0, -ENOMEM, or the negative errno of reading @path. */
int utab_read(const char *path, struct utab *ret) must_check;

void utab_done(struct utab *u);
