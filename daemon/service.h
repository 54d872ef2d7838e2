/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/service.h - the life of the service: what happens when.
 *
 * Layer:   daemon. External library: sd-event.
 * When:    a round every passive_interval (and for the watchdog's sake more
 *          often), after changes of the mount table and after a reload; each
 *          mount's probe at a time of its own (policy/schedule.h).
 */
#pragma once

#include "daemon/core.h"

/* Until SIGTERM. Return: exit status. */
int service_run(struct core *c);
