/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/digest.h - a number for a text: FNV-1a, 64 bits.
 *
 * Layer:  policy (pure). Small, and nobody attacks what only decides about one
 *         more line in the journal, or about the order of a comparison in full.
 */
#pragma once

#include "policy/base.h"

#define DIGEST_START 0xcbf29ce484222325ULL

uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t n);
uint64_t digest_number(uint64_t digest, uint64_t number);

/* With its NUL, so that "a","b" is not "ab"; NULL is not "". */
uint64_t digest_string(uint64_t digest, const char *s);
uint64_t digest_strings(uint64_t digest, char *const *strings, size_t n);
