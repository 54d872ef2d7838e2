/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/utf8.h - is it text, and may a terminal see it?
 *
 * Layer:   daemon. Pure.
 * Purpose: mount points and sources may hold any byte. What people read
 *          (MESSAGE, standard error, the report) shows control characters and
 *          bytes that are no UTF-8 as \xNN, so that no name can move the cursor
 *          or look like a line of ours. Fields that scripts read stay as they are.
 */
#pragma once

#include "policy/text.h"

/* Length in bytes (1..4) of the UTF-8 character at @text, 0 when there is none:
 * overlong forms, surrogates and values above U+10FFFF are none. */
size_t utf8_character(const char *text, size_t length_bytes);

/* Is the whole of it UTF-8? */
bool utf8_is_valid(const char *text, size_t length_bytes);

/* Its code point. @n: what utf8_character() said, not 0. */
uint32_t utf8_value(const char *text, size_t n);

/* Does it move the cursor, or turn what is around it: a control character (but the
 * tab), a line or paragraph separator, a mark of the writing direction? */
bool utf8_is_control(const char *text, size_t n);

/* Appends @raw (NULL: nothing) with everything that is not printable as \xNN. */
void text_add_printable(struct text *t, const char *raw);

/* The same of its first bytes alone, with "..." behind them where there are more: mount tables name paths of any length. */
void text_add_printable_start(struct text *t, const char *raw);
