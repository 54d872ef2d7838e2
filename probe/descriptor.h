/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/descriptor.h - descriptors and directories that close themselves: for cleanup().
 *
 * Layer:   probe (header only).
 */
#pragma once

#include <dirent.h>
#include <unistd.h>

#include "policy/base.h"

static inline void close_descriptor(int *fd)
{
        if (*fd >= 0)
                (void) close(*fd);      /* only where nothing was written, or it is synced by then */
        *fd = -1;
}

static inline void close_directory(DIR **d)
{
        if (*d)
                (void) closedir(*d);
        *d = NULL;
}
