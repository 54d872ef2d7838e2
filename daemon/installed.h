/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/installed.h - where the program finds what comes with it.
 *
 * Layer:   daemon.
 * Purpose: run from the build tree, a program uses that tree's helpers and
 *          profiles; installed, the installed ones. The same for nfstuned and nfstunectl.
 */
#pragma once

#include "policy/base.h"

/* The directory of nfstuned-probe and nfstuned-mount. NULL on -ENOMEM. The caller frees. */
char *installed_helpers(void) must_check;

/* The source tree's etc/servers.d, *ret == NULL when run from elsewhere: for
 * profiles_read(). The caller frees. Return: 0 or -ENOMEM. */
int installed_profiles(char **ret) must_check;

/* The same for a program in the directory @dir, for tests. */
int installed_profiles_beside(const char *dir, char **ret) must_check;
