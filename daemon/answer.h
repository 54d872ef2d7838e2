/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/answer.h - how the operations of nfstuned-mount end.
 *
 * Layer: nfstuned-mount.
 */
#pragma once

#include "daemon/apply_request.h"

/* Writes the end and, unless @format is NULL, the words; notes that were made before are kept behind them.
 * Return: 1, or -ENOMEM. */
int answer_end(struct apply_answer *a, enum apply_end end, const char *format, ...) printf_like(3, 4);

/* The same with words that are taken over (NULL: out of memory). */
int answer_end_words(struct apply_answer *a, enum apply_end end, char *words);

/* Appends something to be told that changes nothing. Without memory it is lost. */
void answer_note(struct apply_answer *a, const char *format, ...) printf_like(2, 3);

/* Does somebody still wait for the answer? A daemon that was killed remembers nothing of what is done now. */
bool answer_is_awaited(void);
