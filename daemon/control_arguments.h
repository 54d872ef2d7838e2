/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/control_arguments.h - the command lines of the commands that ask nfstuned.
 *
 * Layer: daemon.
 */
#pragma once

#include "daemon/arguments.h"

/* Not done: refused, taken back, failed, not permitted. */
#define EXIT_NOT_DONE 1

enum {
        OPT_CONTROL_JSON = 256,
        OPT_CONTROL_COLOR,
        OPT_CONTROL_DRY_RUN,
        OPT_CONTROL_PERSIST,
        OPT_CONTROL_BUSY,
        OPT_CONTROL_RULE,
        OPT_CONTROL_HELP,
};

struct control_command {
        const char *name;
        const char *help;
        const struct option *options;
        bool takes_mount;
        bool needs_mount;
};

/* Everything but @mount and @rules is borrowed from argv. */
struct control_arguments {
        char *mount;                    /* NULL: none was given */
        const char **rules;
        size_t n_rules;
        const char *busy;
        bool json;
        bool color;
        bool dry_run;
        bool persist;
};
void control_arguments_done(struct control_arguments *a);

/* Return: 0; -1 when the help was printed or the trouble was said: *ret_status is the exit status then. */
int control_arguments_read(const struct control_command *c, int argc, char **argv, struct control_arguments *ret,
                           int *ret_status) must_check;

/* The mount point as the mount table has it, by its text alone: @typed may be relative to @directory, and have
 * superfluous slashes and dots. Nothing is asked of the file system, for its server may be dead; ".." is refused, for
 * its meaning is the file system's.
 * Return: NULL on -ENOMEM, or with *ret_problem; the caller frees. */
char *mount_point_of(const char *typed, const char *directory, const char **ret_problem) must_check;
