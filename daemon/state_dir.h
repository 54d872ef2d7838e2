/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/state_dir.h - where records are kept, and files that are written whole or not at all.
 *
 * Layer:   daemon.
 * Where:   $STATE_DIRECTORY (systemd's StateDirectory=), else /var/lib/nfstuned. Where the mount table says that
 *          this is on NFS, the daemon would have to ask a server: then /run/nfstuned/state, which a reboot forgets.
 */
#pragma once

#include "policy/base.h"

#define STATE_DIR_DEFAULT "/var/lib/nfstuned"
#define STATE_DIR_RUN     "/run/nfstuned/state"

/* Opens it, made with mode 0700 where it is missing (parents too). It and nothing of its contents is followed through
 * symbolic links, and it must belong to root or to the caller. *ret_path (may be NULL): caller frees.
 * Return: 0 or a negative errno. */
int state_dir_open(int *ret_fd, char **ret_path) must_check;

/* Writes @text to @name in it: a temporary file, fsync, rename, fsync of the directory. On an error the old file is
 * as it was and no temporary file stays. Return: 0 or a negative errno. */
int state_file_write(int dir_fd, const char *name, const char *text) must_check;

/* At most @cap_bytes. Return: 0, -ENOENT, -EFBIG, or another negative errno. */
int state_file_read(int dir_fd, const char *name, size_t cap_bytes, char **ret, size_t *ret_length_bytes) must_check;

/* Removes it and syncs the directory; a missing one is fine. */
int state_file_remove(int dir_fd, const char *name) must_check;

/* Is the longest mount point above @path NFS, by the text of mountinfo? */
bool path_is_on_nfs(const char *mountinfo, const char *path);

/* This boot's id, 32 digits. Return: 0 or a negative errno. */
int boot_id_read(char ret[static 33]) must_check;
