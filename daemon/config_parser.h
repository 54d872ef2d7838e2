/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/config_parser.h - one text of nfstuned.conf after the other.
 *
 * Layer: daemon, for config.c only. External library: inih (config_parser.c).
 */
#pragma once

#include "daemon/config_keys.h"

/* What is known of a [mount NAME] section beside its parameters. */
struct mount_section {
        char *file;             /* where it stood first, printable */
        unsigned line;
        bool path_is_bad;       /* and that was told */
        unsigned seen[CONFIG_KEYS];  /* line of each key in the present file */
};

struct config_parser {
        struct params params;
        struct mount_section *mounts;   /* beside params.mounts */
        unsigned seen[CONFIG_KEYS];          /* line of each key outside [mount], in the present file */
        struct text errors;
        unsigned n_errors;
        bool out_of_memory;
        /* the present file */
        char *file;                     /* printable */
        const char *at, *end;
        unsigned line;
        const char *section;            /* a member of sections[], or NULL: skip keys */
        bool section_begun;             /* some header came, even a bad one */
        size_t mount;                   /* index, while section is "mount" */
};

/* Frees everything, the parameters too. */
void config_parser_done(struct config_parser *c);

/* Names the file of the next errors, and forgets which keys were seen. Return: 0 or -ENOMEM. */
int config_parser_begin(struct config_parser *c, const char *name) must_check;

/* Reads one text; @text must be followed by a NUL. Errors are collected in
 * c->errors. Return: 0 or -ENOMEM. */
int config_parser_text(struct config_parser *c, const char *text, size_t length_bytes) must_check;

/* One error at the present line; the pieces are literals or printable. */
void config_error(struct config_parser *c, const char *format, ...) printf_like(2, 3);

/* What can only be seen at the end: mounts without a path, or with one path.
 * Return: 0; 1 when there were errors, handed over in *ret_errors; -ENOMEM. */
int config_parser_end(struct config_parser *c, char **ret_errors) must_check;

/* Moves the parameters out. */
void config_parser_take(struct config_parser *c, struct params *ret);
