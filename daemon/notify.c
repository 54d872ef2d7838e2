/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The notification protocol of sd_notify(3), as helpers that cannot be left half done. */
#include <stdarg.h>
#include <stdio.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "daemon/notify.h"

bool notify_is_service(void)
{
        const char *socket = getenv("NOTIFY_SOCKET");

        return socket && *socket;
}

void notify_ready(void)
{
        (void) sd_notify(0, "READY=1");
}

void notify_stopping(void)
{
        (void) sd_notify(0, "STOPPING=1");
}

void notify_status(const char *format, ...)
{
        char words[512];
        va_list args;

        va_start(args, format);
        (void) vsnprintf(words, sizeof(words), format, args);   /* a longer status is cut */
        va_end(args);
        (void) sd_notifyf(0, "STATUS=%s", words);
}

void notify_watchdog(void)
{
        (void) sd_notify(0, "WATCHDOG=1");
}

usec_t notify_watchdog_usec(void)
{
        uint64_t usec = 0;

        return sd_watchdog_enabled(0, &usec) > 0 ? usec : 0;
}

struct notify_reload notify_reload_begin(void)
{
        struct timespec now = { 0 };

        /* Without the time in the same message systemd cannot tell this reload
         * from an earlier one and waits for ever. */
        (void) clock_gettime(CLOCK_MONOTONIC, &now);
        (void) sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%llu",
                          (unsigned long long) now.tv_sec * USEC_PER_SEC + (unsigned long long) now.tv_nsec / 1000);
        return (struct notify_reload) { .begun = true };
}

void notify_reload_end(struct notify_reload *r)
{
        if (r->begun)
                notify_ready();
        r->begun = false;
}
