/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/file.h - read a whole small file, with a cap.
 *
 * Layer: probe.
 */
#pragma once

#include "policy/base.h"

/* Reads at most @cap_bytes of @path (works for /proc files, whose size is 0).
 * The result is NUL-terminated; the caller frees it. No terminal is acquired,
 * the open never blocks (O_NONBLOCK).
 * Return: 0, -EFBIG when longer, or the negative errno of open or read. */
int file_read(const char *path, size_t cap_bytes, char **ret, size_t *ret_length_bytes) must_check;

/* Strict number parsers: the whole text, no sign, no blanks.
 * Return: 0, -EINVAL, -ERANGE. */
int u64_parse(const char *text, uint64_t *ret) must_check;
