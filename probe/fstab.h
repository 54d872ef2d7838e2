/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/fstab.h - the NFS lines of an fstab, with their line numbers.
 *
 * Layer:   probe. External library: libmount, which decides what a valid line is
 *          and decodes it; it is fed one physical line at a time, because it does
 *          not tell line numbers (and an fstab knows no continuation lines).
 * Flaws:   a line that is NFS beyond doubt but has something wrong with it is an
 *          entry with problem and mended set; one that cannot be read at all is a
 *          bad line.
 */
#pragma once

#include "policy/options.h"

/* An fstab longer than this is refused with -EFBIG. */
#define FSTAB_BYTES_MAX (4 * MIB)

struct fstab_entry {
        unsigned line;          /* 1-based */
        char *text;             /* the line as it is, without its newline; a carriage return stays */
        char *source;           /* decoded */
        char *target;           /* decoded */
        char *fstype;           /* "nfs", "nfs4", or "auto" with a source that has a host */
        char *options_text;     /* the fourth column as written (as meant, where it is torn apart); "" when there
                                 * is none */
        struct options options; /* decoded */
        char *problem;          /* what is wrong with the line, in words; or NULL */
        char *mended;           /* the line without that; NULL when there is no problem */
};

struct fstab_bad_line {
        unsigned line;
        char *text;
        const char *problem;    /* words; static */
        const char *advice;     /* likewise: what to do about it */
        bool looks_nfs;         /* a host before the path, nfs in a column, or the rest of an NFS line */
};

struct fstab {
        struct fstab_entry *entries;    /* NFS only, in the order of the file */
        size_t n_entries;
        struct fstab_bad_line *bad_lines;       /* no reader of fstab accepts them, or not as what they are meant */
        size_t n_bad_lines;
        size_t n_good_lines;                    /* of any file system */
};

/* Return: 0 or -ENOMEM. */
int fstab_parse(const char *text, size_t length_bytes, struct fstab *ret) must_check;

/* Return: 0, -ENOMEM, or the negative errno of reading @path. */
int fstab_read(const char *path, struct fstab *ret) must_check;

void fstab_done(struct fstab *f);
