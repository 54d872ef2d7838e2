/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/profiles.h - servers.d/NAME.conf: what is known of kinds of servers.
 *
 * Layer:   daemon.
 * Strict:  as daemon/config.h: unknown key, bad value, duplicate: an error with
 *          file, line and remedy; all errors of all files are collected.
 * Format:  one [server] section a file; nfstuned.conf(5). One of hosts, addresses
 *          and implementations has to be there; empty, it matches nothing and says
 *          that only an administrator's copy can know.
 */
#pragma once

#include "policy/profile.h"

/* Weakest first: NFSTUNED_LIBEXECDIR, /run/nfstuned, NFSTUNED_SYSCONFDIR/nfstuned, each /servers.d. */
extern const char *const profile_dirs_default[];

/* Reads the *.conf files of @dirs (NULL-terminated); a file of the same name in
 * a later directory replaces the earlier one, one without a section removes it. @build_dir (may be NULL):
 * a directory that is read as the weakest one, for running from the build tree.
 * Return: 0; 1 when something is wrong, with *ret_errors in words, one
 * "FILE:LINE: what, remedy" a line (caller frees); -ENOMEM. *ret is written only on 0. */
int profiles_read(const char *build_dir, const char *const *dirs, struct server_profiles *ret,
                  char **ret_errors) must_check;
