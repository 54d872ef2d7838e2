/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/memory.h - struct history on disk: changes.json in the state directory.
 *
 * Layer:   daemon. External library: jansson.
 */
#pragma once

#include "policy/history.h"

/* A missing file is an empty history. A damaged one, or one of a newer version, is set aside as changes.json.damaged, and
 * *ret_problem (caller frees) says so: then automatic mode must start stopped, for what it did is not known:
 * ret->stopped is set, and has to be written back by the caller, or the next start would not know.
 * Return: 0, 1 with a problem, or a negative errno. */
int memory_read(int state_fd, struct history *ret, char **ret_problem) must_check;
int memory_write(int state_fd, const struct history *h) must_check;
