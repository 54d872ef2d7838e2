/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/nfsmountconf.h - nfsmount.conf and its directories.
 *
 * Layer:   probe. nfsmount.conf(5), KERNEL-FACTS 10; mount.nfs adds these
 *          options to what fstab or the command line leaves out.
 * Entries: one per "key = value" line, so that a change can name its line.
 *          Keys are spelt as mount options: "background=True" is "bg",
 *          "Ac=False" is "noac", "Rsize=32k" is "rsize=32k". Keys that only seed
 *          the negotiation (Default*) are left out. Of several lines that say the same
 *          thing for one section the last one counts, the others are left out.
 */
#pragma once

#include "policy/base.h"
#include "policy/text.h"

#define NFSMOUNTCONF_BYTES_MAX (1 * MIB)
#define NFSMOUNTCONF_FILES_MAX 256
#define NFSMOUNTCONF_LINES_MAX 1024

enum nfsmountconf_scope {
        NFSMOUNTCONF_MOUNTPOINT,        /* strongest */
        NFSMOUNTCONF_SERVER,
        NFSMOUNTCONF_GLOBAL,
        NFSMOUNTCONF_SCOPE_COUNT
};

struct nfsmountconf_entry {
        enum nfsmountconf_scope scope;
        char *argument;         /* mount point or server name; NULL for the global section */
        char *option;           /* "rsize=32k", "noac" */
        char *text;             /* the line as it is */
        char *file;
        unsigned line;
};

struct nfsmountconf {
        struct nfsmountconf_entry *entries;     /* weakest first, in the order they were read */
        size_t n_entries;
        size_t n_lines;                         /* neither blank nor comment */
        size_t n_lines_known;                   /* a section that is known, or a setting in one */
        size_t n_left_out;                      /* settings behind the first NFSMOUNTCONF_LINES_MAX */
};

/* Adds the lines of one file. Return: 0 or -ENOMEM. */
int nfsmountconf_add(struct nfsmountconf *c, const char *text, size_t length_bytes, const char *file) must_check;

/* @paths: files, and directories whose names end in ".d", weakest first,
 * NULL-terminated. What cannot be read is named in *problems.
 * Return: 0 or -ENOMEM. */
int nfsmountconf_read(const char *const *paths, struct nfsmountconf *ret, struct text *problems) must_check;

/* Does the entry concern a mount of @server (as written in the source) at @target? */
bool nfsmountconf_concerns(const struct nfsmountconf_entry *e, const char *target, const char *server);

/* Do both stand below the same heading? */
bool nfsmountconf_same_section(const struct nfsmountconf_entry *a, const struct nfsmountconf_entry *b);

void nfsmountconf_done(struct nfsmountconf *c);
