/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/ini_reader.h - strict reading of one "key = value" file after the other.
 *
 * Layer:   daemon. External library: inih (ini_reader.c).
 * Purpose: lines, comments, sections and the words of errors, the same for
 *          nfstuned.conf and servers.d; what the keys mean is its caller's.
 * Errors:  collected with file and line, never the end: the caller asks at the end.
 */
#pragma once

#include "policy/text.h"

struct ini_reader {
        /* Set by the caller. @name: without brackets and outer blanks; @userdata is the reader's.
         * A header says here whether the keys below it are wanted: skip = false. */
        void (*on_section)(void *userdata, const char *name);
        void (*on_key)(void *userdata, const char *name, const char *value);
        void *userdata;
        const char *some_section;       /* "[daemon] or another one", for a key before the first section */

        bool skip;                      /* keys are passed over: no section yet, or a bad one */
        bool section_begun;             /* some header came, even a bad one */
        struct text errors;
        unsigned n_errors;
        bool out_of_memory;
        /* the present file */
        char *file;                     /* printable */
        const char *at, *end;
        unsigned line;
};

/* Frees everything. */
void ini_reader_done(struct ini_reader *r);

/* Names the file of the next errors. Return: 0 or -ENOMEM. */
int ini_reader_begin(struct ini_reader *r, const char *name) must_check;

/* Reads one text; @text must be followed by a NUL. Return: 0 or -ENOMEM. */
int ini_reader_text(struct ini_reader *r, const char *text, size_t length_bytes) must_check;

/* Both for the file @path. Return: 0, with the error noted when it cannot be read; -ENOMEM. */
int ini_reader_file(struct ini_reader *r, const char *path, bool may_be_missing) must_check;

/* One error at the present line; the pieces are literals or printable. */
void ini_error(struct ini_reader *r, const char *format, ...) printf_like(2, 3);

/* Starts an error elsewhere, "FILE:LINE: "; the caller goes on in r->errors and
 * ends the line. False when there are too many already. */
bool ini_error_begin(struct ini_reader *r, const char *file, unsigned line);

/* "bad value "x" for key; write " (or @why in the place of the first words); the
 * caller goes on with what may be written and ends the line. False: too many, or no memory. */
bool ini_error_bad_value(struct ini_reader *r, const char *name, const char *value, const char *why);

/* Return: 0; 1 when there were errors, handed over in *ret_errors; -ENOMEM. */
int ini_reader_end(struct ini_reader *r, char **ret_errors) must_check;

/* A copy without control characters; NULL on -ENOMEM. */
char *ini_printable(const char *raw) must_check;
