/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/check.h - nfstunectl check: the judgement out of files alone.
 *
 * Layer:   daemon.
 * Purpose: no root, no daemon, no NFS, no question to a server. Files may come
 *          from any host; without any, this host's own are read.
 * Output:  everything is judged before the first byte is printed.
 */
#pragma once

#include <stdio.h>

#include "probe/recorded.h"
#include "probe/root.h"

struct check_request {
        const struct recorded_file *files;
        size_t n_files;                 /* 0: this host */
        const struct probe_root *root;  /* this host */
        const char *config_file;        /* NULL: this host's for this host, none for files */
        const char *servers_dir;        /* NULL: where they are installed */
        bool json;
        bool color;
        bool progress;                  /* tell a person on standard error what takes long */
};

/* Prints the report to @out, everything else to @err. Return: the exit status:
 * 0 nothing to say, 1 recommendations or findings, 2 unusable. */
int check_run(const struct check_request *c, FILE *out, FILE *err);

/* The command. */
int check_main(int argc, char **argv);
