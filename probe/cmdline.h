/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/cmdline.h - nfsroot= of the kernel command line.
 *
 * Layer: probe. Documentation/admin-guide/nfs/nfsroot.rst:
 *        nfsroot=[server-ip:]root-dir[,options].
 */
#pragma once

#include "policy/base.h"

struct nfsroot {
        bool  found;
        char *text;             /* "nfsroot=..." as written */
        char *options_text;     /* "" when there are none */
};

/* The last nfsroot= counts. Return: 0 or -ENOMEM. */
int cmdline_parse(const char *text, size_t length_bytes, struct nfsroot *ret) must_check;

/* Return: 0, -ENOMEM, or the negative errno of reading @path. */
int cmdline_read(const char *path, struct nfsroot *ret) must_check;

void nfsroot_done(struct nfsroot *n);
