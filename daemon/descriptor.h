/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/descriptor.h - file descriptors that close themselves.
 *
 * Layer:   daemon (header only).
 */
#pragma once

#include <unistd.h>

#include "policy/base.h"

static inline void close_descriptor(int *fd)
{
        if (*fd >= 0)
                (void) close(*fd);      /* for those that nothing was written through */
        *fd = -1;
}
