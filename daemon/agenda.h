/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/agenda.h - what is due for which mount, in the service.
 *
 * Layer: daemon. Times are CLOCK_BOOTTIME of core_now().
 */
#pragma once

#include "daemon/core.h"

/* Gives every superblock that has none yet its first dates: questions to the
 * server at once, the probe at a random point within the spread. */
void agenda_welcome(struct core *c);

/* After a reload: dates that no longer fit the parameters are made anew. */
void agenda_reloaded(struct core *c);

/* Starts every job that is due. What cannot be started now gets a later date. */
void agenda_start_due(struct core *c);

/* When agenda_start_due() has something to do; USEC_INFINITY: nothing. */
usec_t agenda_next_usec(const struct core *c);
