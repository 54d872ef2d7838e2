/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/status_table.h - Status for a person: which mount, what state, what to do.
 *
 * Layer:   daemon. External library: jansson. Pure but for the printing.
 */
#pragma once

#include <stdio.h>

#include "policy/base.h"

/* @json: what Status returned. @now_realtime_usec: for "2 h ago".
 * Return: 0, -EINVAL for what is no such text, -ENOMEM, or the negative errno of writing. */
int status_table(FILE *out, const char *json, usec_t now_realtime_usec, bool color) must_check;
