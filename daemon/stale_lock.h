/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/stale_lock.h - the lock file FILE~ that a program left behind which was killed, or whose machine lost power.
 *
 * Layer:   nfstuned-mount only.
 * Purpose: libmount makes it by link(2), takes a record lock on it, and removes it in the end; one that is left keeps
 *          everybody away until somebody removes it by hand. A record lock ends with its process, so that a lock
 *          file without one belongs to nobody.
 */
#pragma once

#include "policy/base.h"

/* Waits until there is no such file, and removes it when it has been nobody's for some seconds.
 * Return: 0, -EBUSY when somebody holds it after @patience_usec, or another negative errno. */
int stale_lock_clear(const char *path, usec_t patience_usec) must_check;
