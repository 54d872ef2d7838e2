/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/notify.h - what systemd hears of us.
 *
 * Layer:   daemon. External library: sd-daemon.
 * Without NOTIFY_SOCKET every call does nothing. Failures are ignored: there is
 * nobody else to tell, and systemd has its own timeouts.
 */
#pragma once

#include "policy/base.h"

/* Were we started as a service of Type=notify? */
bool notify_is_service(void);

void notify_ready(void);
void notify_stopping(void);
void notify_status(const char *format, ...) printf_like(1, 2);

/* Fed from the end of a round, never from a timer of its own: a loop that turns
 * without doing rounds is not alive. */
void notify_watchdog(void);

/* WatchdogSec=, or 0 when there is none. */
usec_t notify_watchdog_usec(void);

/* RELOADING=1 now, READY=1 when the variable goes out of scope, on every path. */
struct notify_reload {
        bool begun;
};
struct notify_reload notify_reload_begin(void) must_check;
void notify_reload_end(struct notify_reload *r);
#define cleanup_notify_reload cleanup(notify_reload_end)
