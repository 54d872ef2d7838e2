/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/recorded_input.h - the bytes of a recorded file, or why they are of no use.
 *
 * Layer:  probe. Files, pipes and standard input are read to their end, in pieces;
 *         a bad one is given up at the first bad piece, so that neither an endless
 *         device nor a line of 100 MB costs time or memory.
 * Return: everywhere 0; 1 with one line of words in *error; -ENOMEM.
 */
#pragma once

#include "policy/text.h"

struct recorded_input {
        const char *path;               /* "-": standard input */
        const char *name;               /* what places say: the path, or "standard input" */
        const char *shown;              /* the name as it can be printed */
        bool original;                  /* no copy that may have been cut */
        uint64_t cap_bytes;
        uint64_t line_cap_bytes;        /* whole MiB, both */
        struct text *error;
};

/* What the reading saw of the last line. */
struct recorded_end {
        unsigned line;                  /* its number */
        bool open;                      /* it has no newline and is not blank */
};

typedef int recorded_take_fn(void *context, const char *data, size_t length_bytes);

/* Hands the pieces to @take, whose errors end the reading. */
int recorded_input_stream(const struct recorded_input *in, recorded_take_fn *take, void *context,
                          struct recorded_end *ret_end) must_check;

/* All of it, NUL-terminated. */
int recorded_input_text(const struct recorded_input *in, struct text *ret, struct recorded_end *ret_end) must_check;

/* Words "FILE[:LINE]: WHAT" into *in->error. Return: 1. */
int recorded_unusable(const struct recorded_input *in, unsigned line, const char *format, ...) printf_like(3, 4);

/* The text with its control characters written as "\x1b": one line whatever was
 * in it. NULL on -ENOMEM. */
char *recorded_shown(const char *text) must_check;
