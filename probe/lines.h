/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/lines.h - lines with their numbers, and the escapes of mount files.
 *
 * Layer: probe (pure text).
 */
#pragma once

#include "policy/base.h"

/* Start: { text, text + length, 0 }. */
struct line_reader {
        const char *next;
        const char *end;
        unsigned number;        /* 1-based number of the line last returned */
};

/* The next line without its newline; the last one needs none. false at the end. */
bool lines_next(struct line_reader *r, const char **ret_line, size_t *ret_length_bytes);

/* Leading and trailing blanks (space, tab, carriage return) removed, in place. */
void blanks_trim(const char **text, size_t *length_bytes);

/* Decodes \ooo escapes of mountinfo, mountstats and utab; \000 stays as it is
 * written. NULL on -ENOMEM. The caller frees. */
char *octal_decode(const char *text, size_t length_bytes) must_check;

/* "/a/b/" and "/a/b//" become "/a/b" in place; "/" stays. */
void trailing_slash_strip(char *path);

/* Is @path the directory @dir, or something below it? By the text alone. */
bool path_is_at_or_above(const char *dir, const char *path);

/* Removes the "//deleted" that the kernel appends to a mount point that was
 * removed, in place. true: it was there. */
bool deleted_strip(char *path);

/* Does @text, looked at for @length_bytes bytes, begin with @prefix? */
bool text_starts(const char *text, size_t length_bytes, const char *prefix);
