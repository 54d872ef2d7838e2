/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/exports.h - the text of /etc/exports, or what exportfs -v prints.
 *
 * Layer:  probe (pure text). exports(5), exportfs(8); recognised by its looks.
 */
#pragma once

#include "policy/exports.h"

#define EXPORTS_BYTES_MAX (4 * MIB)

/* Quoted and escaped paths, "-options" for the whole line, several clients a
 * line, backslash continuations, comments; exportfs -v's two-line entries.
 * @file is remembered as the place. Lines that cannot be read become findings
 * (invalid-option). Return: 0 or -ENOMEM. */
int exports_parse(const char *text, size_t length_bytes, const char *file, struct exports *ret,
                  struct findings *findings) must_check;
