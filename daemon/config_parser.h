/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/config_parser.h - sections and keys of nfstuned.conf, one file after the other.
 *
 * Layer: daemon, for config.c only.
 */
#pragma once

#include "daemon/config_keys.h"
#include "daemon/ini_reader.h"

/* What is known of a [mount NAME] section beside its parameters. */
struct mount_section {
        char *file;             /* where it stood first, printable */
        unsigned line;
        bool path_is_bad;       /* and that was told */
        unsigned seen[CONFIG_KEYS];  /* line of each key in the present file */
};

struct config_parser {
        struct ini_reader reader;       /* feeds it; the errors are there */
        struct params params;
        struct mount_section *mounts;   /* beside params.mounts */
        unsigned seen[CONFIG_KEYS];     /* line of each key outside [mount], in the present file */
        const char *section;            /* a member of sections[], or NULL: skip keys */
        size_t mount;                   /* index, while section is "mount" */
};

/* *c must stay where it is. Return: 0 or -ENOMEM. */
int config_parser_init(struct config_parser *c) must_check;

/* Frees everything, the parameters too. */
void config_parser_done(struct config_parser *c);

/* Forgets which keys were seen. */
void config_parser_next_file(struct config_parser *c);

/* What can only be seen at the end: mounts without a path, or with one path.
 * Return: as ini_reader_end(). */
int config_parser_end(struct config_parser *c, char **ret_errors) must_check;

/* Moves the parameters out. */
void config_parser_take(struct config_parser *c, struct params *ret);
