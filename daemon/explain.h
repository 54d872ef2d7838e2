/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/explain.h - nfstunectl explain: rules and mount options in words.
 *
 * Layer: daemon. External library: jansson, for --json.
 */
#pragma once

#include <stdio.h>

#include "policy/base.h"

/* Explains @name, a rule or a mount option (or both: noac), on @out.
 * Return: 0; 1 when there is no such name; or the negative errno of writing. */
int explain_name(FILE *out, const char *name, bool json, bool color) must_check;

/* The command. Return: the exit status. */
int explain_main(int argc, char **argv);
