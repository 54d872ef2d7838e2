/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/text.h - a growing string, the only place of policy/ that formats.
 *
 * Layer:     policy types (pure: memory only; vsnprintf writes to memory).
 * Ownership: the caller owns the struct; text_done() frees it; text_take()
 *            hands the characters over.
 * Errors:    sticky. After a failed allocation every call is a no-op and
 *            text_take() returns NULL, so that callers check once, at the end.
 */
#pragma once

#include <stdarg.h>

#include "policy/base.h"

struct text {
        char  *data;            /* NUL-terminated, or NULL while empty */
        size_t length_bytes;    /* without the NUL */
        size_t size_bytes;      /* allocated */
        bool   failed;
};

/* Appends formatted text. */
void text_add(struct text *t, const char *format, ...) printf_like(2, 3);

/* Appends @length_bytes bytes of @data as they are. */
void text_add_bytes(struct text *t, const char *data, size_t length_bytes);

/* Appends a size for people: "32 KiB", "1 MiB", "1000 bytes". */
void text_add_size(struct text *t, uint64_t bytes);

/* Appends a duration for people: "850 us", "5.2 ms", "13.1 s", "3 h". */
void text_add_usec(struct text *t, usec_t usec);

/* Appends "; " when a clause stands there already. */
void text_add_clause(struct text *t);

/* Returns the characters (never NULL unless an allocation failed; "" when
 * nothing was added) and leaves *t empty. The caller frees them. */
char *text_take(struct text *t) must_check;

void text_done(struct text *t);

/* Is @word one of @words? */
bool word_is_one_of(const char *word, const char *const *words, size_t n);
#define WORD_IS_ONE_OF(word, array) word_is_one_of((word), (array), ARRAY_SIZE(array))
