/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/once.h - one round for a person: nfstuned --once.
 *
 * Layer:   daemon. External library: sd-event.
 * Output:  the report on standard output; what will be written, progress and
 *          trouble on standard error.
 */
#pragma once

#include "daemon/core.h"

/* Return: exit status; 2 when a given mount point is no NFS mount. */
int once_run(struct core *c);
