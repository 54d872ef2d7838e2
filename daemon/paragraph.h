/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/paragraph.h - words for a terminal: broken between words, labelled, coloured.
 *
 * Layer: daemon. Pure.
 */
#pragma once

#include <stdio.h>

#include "policy/text.h"

/* Where lines are broken: no terminal is narrower. What is meant to be copied stays in one piece, however long. */
#define PAGE_COLUMNS 80

/* Escape sequences, or empty strings. */
struct style {
        const char *bold, *red, *yellow, *green, *plain;
};

extern const struct style style_plain, style_color;

/* What is being written, all of it in memory: nothing is printed before all of it is right. */
struct page {
        struct text t;
        const struct style *style;
};

/* A blank where no line is broken. It stands in no printable text. */
#define PAGE_GLUE '\x1f'

/* Appends @words from column @column on, broken between words; further lines
 * are indented by @indent. Ends the line. A line break in @words is a blank. */
void text_add_wrapped(struct text *t, const char *words, size_t column, size_t indent);

/* "  label:      words", wrapped, with further lines below the first word.
 * Consumes @words; nothing for an empty one. */
void page_add_line(struct page *p, size_t indent, const char *label, struct text *words);

/* The same for words that may hold anything; nothing for NULL or "". */
void page_add_words(struct page *p, size_t indent, const char *label, const char *words);

/* The same for words with shell commands in them, which are copied: no line is broken inside one, nor inside a
 * quoted word. Where a command begins and ends is told by its looks; a mistake moves a line break. */
void page_add_commands(struct page *p, size_t indent, const char *label, const char *words);

/* Words without a label, wrapped; nothing for NULL or "". */
void page_add_paragraph(struct page *p, size_t indent, const char *words);

/* The same, consuming @words. */
void page_add_text(struct page *p, size_t indent, struct text *words);

/* Writes the page and empties it. Return: 0, -ENOMEM, or the negative errno of writing. */
int page_print(struct page *p, FILE *out) must_check;
