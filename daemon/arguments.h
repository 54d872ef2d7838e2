/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/arguments.h - the command lines of nfstuned and of nfstunectl's commands.
 *
 * Layer:  daemon.
 * Errors: one line on standard error that names what was probably meant and where the help is.
 */
#pragma once

#include <getopt.h>

#include "policy/base.h"

/* Wrong usage, unusable input, or a report that could not be written. */
#define EXIT_UNUSABLE 2

/* What arguments_next() returns when the trouble has been said. */
#define ARGUMENT_WRONG '?'

/* The next option of @command ("check"; NULL: of the program itself), by its value; -1 behind the last one.
 * getopt_long(3) with its globals, whose words would not name the nearest option. */
int arguments_next(const char *command, int argc, char **argv, const struct option *options);

/* "PROGRAM: WORDS; see PROGRAM COMMAND --help". @command may be NULL. Return: EXIT_UNUSABLE. */
int arguments_wrong(const char *command, const char *format, ...) printf_like(2, 3);

/* The best of candidates that are offered one by one. */
struct nearest {
        const char *word;
        const char *best;               /* NULL: none was near so far */
        unsigned distance;
};

void nearest_offer(struct nearest *n, const char *candidate);

/* The rule whose name is probably meant, or NULL. */
const char *nearest_rule(const char *word);

/* Is standard output a terminal that shows colours, of somebody who wants them? */
bool output_has_color(void);

/* Flushes standard output. Return: EXIT_SUCCESS, or EXIT_UNUSABLE with words. */
int output_end(void);
