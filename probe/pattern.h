/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/pattern.h - bytes to write, and to know again when they are read back.
 *
 * Layer:   probe (pure).
 * Content: a function of a seed and of the place in the file. Neither
 *          compressible nor the same in two files, so that no server saves
 *          itself the work, and a block of another place or file shows.
 */
#pragma once

#include "policy/base.h"

void pattern_fill(uint64_t seed, uint64_t offset_bytes, void *ret, size_t length_bytes);

/* Are these the bytes that pattern_fill() gives? */
bool pattern_matches(uint64_t seed, uint64_t offset_bytes, const void *data, size_t length_bytes);
