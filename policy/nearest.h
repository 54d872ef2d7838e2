/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/nearest.h - "did you mean ...?"
 *
 * Layer: policy types (pure).
 */
#pragma once

#include "policy/base.h"

/* Number of insertions, deletions, replacements and swaps of neighbours
 * between two words; words longer than 63 bytes are not compared (UINT_MAX). */
unsigned word_distance(const char *a, const char *b);

/* May @candidate be what was meant by @word? At most one difference in three letters. */
bool word_is_near(const char *word, const char *candidate);
