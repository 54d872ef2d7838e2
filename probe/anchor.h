/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/anchor.h - descriptors that are surely on the mount that was observed.
 *
 * Layer:   probe, helper only: resolves paths on NFS.
 * Purpose: a path can lead elsewhere by the time it is used: the mount was
 *          replaced, covered, or is gone and the local directory below it
 *          shows. Whatever is opened relative to an anchor cannot.
 */
#pragma once

#include <sys/types.h>

#include "policy/observation.h"

enum anchor_end {
        ANCHOR_HELD,
        ANCHOR_MOUNT_CHANGED,           /* the path is not the observed mount */
        ANCHOR_UNSAFE,                  /* a symlink, another mount or ".." on the way to the directory */
};

/* Opens the mount's root as an O_PATH descriptor, without triggering an
 * automount, and compares mount id and device number.
 * Return: an enum anchor_end, or a negative errno. */
int anchor_open_root(const struct mount_facts *m, int *ret_fd) must_check;

/* Opens @directory (NULL: the root itself) below @root_fd for reading.
 * Return: an enum anchor_end, or a negative errno. */
int anchor_open_directory(const struct mount_facts *m, int root_fd, const char *directory, int *ret_fd) must_check;

/* Asks the server for the root's attributes; blocks while it is silent.
 * Return: 0 or a negative errno. */
int anchor_ask_server(int root_fd) must_check;

int anchor_owner(int fd, uid_t *ret_user, gid_t *ret_group) must_check;
