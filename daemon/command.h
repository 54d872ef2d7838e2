/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/command.h - nfstuned's command line. DESIGN section 12.
 *
 * Layer: daemon.
 */
#pragma once

#include "daemon/manager.h"

/* Wrong options, wrong configuration, or a mount point that is none. */
#define EXIT_USAGE 2

struct command {
        struct manager_options options; /* borrows from argv; helper_dir is left to the caller */
        bool check_config;
        bool foreground;
        bool done;                      /* --help and --version: printed, nothing is left to do */
};

/* @ret: zeroed but for defaults of the options, which the command line replaces.
 * Return: 0, or -EINVAL when the trouble has been said on standard error. */
int command_parse(int argc, char **argv, struct command *ret) must_check;
