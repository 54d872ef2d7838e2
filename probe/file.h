/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/file.h - read a whole small file, with a cap; list a directory of
 * configuration snippets.
 *
 * Layer: probe.
 */
#pragma once

#include "policy/base.h"

/* Reads at most @cap_bytes of @path (works for /proc files, whose size is 0).
 * The result is NUL-terminated; the caller frees it. No terminal is acquired,
 * the open never blocks (O_NONBLOCK).
 * Return: 0, -EFBIG when longer, -EOPNOTSUPP for a pipe (it would seem empty
 * before its writer comes), or the negative errno of open or read. */
int file_read(const char *path, size_t cap_bytes, char **ret, size_t *ret_length_bytes) must_check;

/* The same from where @fd stands to its end. @cap_bytes: below SIZE_MAX / 4. */
int fd_read(int fd, size_t cap_bytes, char **ret, size_t *ret_length_bytes) must_check;

/* Opens what is closed of standard input, output and error, so that none of
 * our own files gets such a number and is written to by mistake; using the
 * opened ones fails as before. Return: 0 or a negative errno. */
int files_open_standard(void) must_check;

/* The same as file_read() for @name in the directory @dir, without following a symbolic link
 * in the last component (-ELOOP): where it leads to, a server may be dead. */
int file_read_in(const char *dir, const char *name, size_t cap_bytes, char **ret, size_t *ret_length_bytes) must_check;

/* Text of the symbolic link @dir/@name. Return: 0 or a negative errno. */
int link_read_in(const char *dir, const char *name, char **ret) must_check;

/* Names in @path that end in @suffix and do not start with a dot, sorted by
 * @compare. A missing directory has none. At most @max are taken.
 * Return: 0, 1 when there were more, or a negative errno.
 * The caller frees with names_free(). */
int dir_list(const char *path, const char *suffix, size_t max, int (*compare)(const char *, const char *),
             char ***ret, size_t *ret_n) must_check;
void names_free(char **names, size_t n);

/* "@dir/@name"; NULL on -ENOMEM. */
char *path_join(const char *dir, const char *name) must_check;

/* Strict number parsers: the whole text, no sign, no blanks.
 * Return: 0, -EINVAL, -ERANGE. */
int u64_parse(const char *text, uint64_t *ret) must_check;
