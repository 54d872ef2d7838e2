/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/whole_file.h - files that are written whole or not at all.
 *
 * Layer:   daemon and nfstuned-mount.
 * How:     a temporary file beside it (".NAME.nfstuned-PID"), fsync, rename, fsync of the directory. What a process
 *          that was killed left behind goes with the next writing of the same file.
 * Links:   no symbolic link is followed, neither in the last component nor above it.
 */
#pragma once

#include <sys/types.h>

#include "policy/base.h"

/* Opens the absolute @path for reading, component by component; @make: what is missing is made, with @mode.
 * Return: 0, -ELOOP for a symbolic link on the way, or another negative errno. */
int directory_walk(const char *path, bool make, mode_t mode, int *ret_fd) must_check;

struct whole_file {
        int dir_fd;             /* borrowed */
        int fd;                 /* of the temporary file */
        char *name;
        char *temporary;        /* its name; NULL: there is none */
};
#define WHOLE_FILE_NONE { .dir_fd = -1, .fd = -1 }

/* Writes @bytes to the temporary file and syncs it. @like_fd: mode, owner, group and security label are taken from
 * this file; -1: @mode, and the caller's. On an error nothing stays. Return: 0 or a negative errno. */
int whole_file_begin(struct whole_file *f, int dir_fd, const char *name, const char *bytes, size_t n_bytes,
                     int like_fd, mode_t mode) must_check;

/* Puts it in its place. Return: 0 or a negative errno, then the old file is as it was; -EIO may also mean that it is
 * in its place, but the directory could not be synced. */
int whole_file_commit(struct whole_file *f) must_check;

/* Removes the temporary file, where there is one still. For cleanup(), too. */
void whole_file_done(struct whole_file *f);
