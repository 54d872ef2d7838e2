/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/option_rows.h - the rows behind option_table.h; only option_table.c looks at them directly.
 *
 * Layer: policy types (pure, constant data).
 */
#pragma once

#include "policy/option_table.h"

/* Sorted by name, in the order of strcmp(). */
extern const struct option_info option_rows[];
extern const size_t option_rows_n;
