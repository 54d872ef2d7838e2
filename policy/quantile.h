/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/quantile.h - order statistics of small samples.
 *
 * Layer: policy types (pure; usable by every layer).
 */
#pragma once

#include "policy/base.h"

/* Sorts @values in place and returns the nearest-rank quantile: the smallest
 * value such that at least @permille/1000 of the sample is not larger.
 * 500 is the (lower) median, 1000 the maximum. 0 for an empty sample. */
uint64_t quantile_permille(uint64_t *values, size_t n, unsigned permille);
