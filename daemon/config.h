/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/config.h - nfstuned.conf and its drop-ins.
 *
 * Layer:   daemon. External library: inih (ini_parse_stream with an own
 *          line-counting reader; STYLE c4 says what inih does otherwise).
 * Strict:  unknown section or key, bad value, duplicate key in one file,
 *          over-long line, indented continuation: an error with file, line and
 *          remedy; all errors of all files are collected. What a later version
 *          will know (trials = auto) is an error that says so: nothing is
 *          ignored silently.
 * Comments: a line whose first character (after blanks) is ';' or '#', and what
 *          follows a ';' with a blank before it. '#' inside a line belongs to
 *          the value.
 */
#pragma once

#include "policy/params.h"

#define CONFIG_FILE_DEFAULT NFSTUNED_SYSCONFDIR "/nfstuned/nfstuned.conf"

/* Drop-in directories, weakest first: /usr/lib, /run, /etc nfstuned/conf.d. */
extern const char *const config_dirs_default[];

/* Reads @file and the *.conf files of @dirs (NULL-terminated array, or NULL for
 * none); all drop-ins sorted by base name over all directories, the same name
 * in a later directory replaces the earlier one; later wins key by key. A
 * missing @file is no error unless @file_must_exist.
 * Return: 0; 1 when the configuration is wrong, with *ret_errors in words, one
 * "FILE:LINE: what, remedy" a line (caller frees); -ENOMEM. *ret is written only on 0. */
int config_read(const char *file, bool file_must_exist, const char *const *dirs,
                struct params *ret, char **ret_errors) must_check;

/* The same for one text instead of files; @name stands for the file in
 * messages. Return: as config_read(). */
int config_parse(const char *name, const char *text, size_t length_bytes,
                 struct params *ret, char **ret_errors) must_check;

/* The keys of this version, for messages, tests and the drift check. */
struct config_key_info {
        const char *section;
        const char *name;
        const char *fallback;           /* the default as it is written in a file; "" for none */
};

/* Key number @i, or section == NULL behind the last one. */
struct config_key_info config_key(size_t i);
