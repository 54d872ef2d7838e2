/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The connection: it may be missing at the start, and may break.
 *
 * sd-bus waits for the socket to appear; a connection that was lost, or that could
 * not be tried, is tried again after a pause.
 */
#include "daemon/bus.h"

#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "daemon/bus_parts.h"

#define BUS_ADDRESS "unix:path=/run/dbus/system_bus_socket"
/* A bus that is started anew is back by then. */
#define RETRY_USEC   (2 * USEC_PER_SEC)
/* When a bus has not come by then, it is said. */
#define MISSING_USEC (10 * USEC_PER_SEC)
#define LOCAL "org.freedesktop.DBus.Local"

static const struct journal *journal_of(const struct bus *b)
{
        return &b->core->options->journal;
}

static void arm(struct bus *b, usec_t after_usec)
{
        int r = sd_event_source_set_time_relative(b->retry_timer, after_usec);

        if (r >= 0)
                r = sd_event_source_set_enabled(b->retry_timer, SD_EVENT_ONESHOT);
        if (r < 0)
                journal_log(journal_of(b), LOG_ERR, "D-Bus: a timer cannot be armed: %s", strerror(-r));
}

static void tell_missing(struct bus *b, const char *why)
{
        if (!b->told)
                journal_log(journal_of(b), LOG_NOTICE,
                            "D-Bus cannot be used (%s): nfstuned works, but nfstunectl status, apply and the like do "
                            "not until it can", why);
        b->told = true;
}

static void drop_connection(struct bus *b)
{
        b->connected = false;
        if (b->connection)
                (void) sd_bus_detach_event(b->connection);
        b->connection = sd_bus_close_unref(b->connection);
}

/* ---- what the bus says ------------------------------------------------------------- */

static int on_named(sd_bus_message *m, void *userdata, sd_bus_error *unused may_be_unused)
{
        struct bus *b = userdata;
        const sd_bus_error *e = sd_bus_message_get_error(m);

        if (e) {
                tell_missing(b, e->message ? e->message : e->name);
                return 0;
        }
        if (b->told)
                journal_log(journal_of(b), LOG_INFO, "D-Bus is there: nfstunectl can be used");
        b->told = false;
        return 0;
}

static int on_connected(sd_bus_message *unused may_be_unused, void *userdata, sd_bus_error *e may_be_unused)
{
        struct bus *b = userdata;
        int r;

        b->connected = true;
        (void) sd_event_source_set_enabled(b->retry_timer, SD_EVENT_OFF);
        r = sd_bus_request_name_async(b->connection, NULL, BUS_NAME, 0, on_named, b);
        if (r < 0)
                tell_missing(b, strerror(-r));
        return 0;
}

/* Within a turn of the connection itself, which has to stay until it is over. */
static int on_disconnected(sd_bus_message *unused may_be_unused, void *userdata, sd_bus_error *e may_be_unused)
{
        struct bus *b = userdata;

        b->connected = false;
        arm(b, RETRY_USEC);
        return 0;
}

/* ---- connecting ----------------------------------------------------------------------- */

static int set_up(struct bus *b)
{
        const char *address = secure_getenv("DBUS_SYSTEM_BUS_ADDRESS");
        int r = sd_bus_new(&b->connection);

        if (r >= 0)
                r = sd_bus_set_description(b->connection, "nfstuned");
        if (r >= 0)
                r = sd_bus_set_address(b->connection, address ? address : BUS_ADDRESS);
        if (r >= 0)
                r = sd_bus_set_bus_client(b->connection, true);
        if (r >= 0)
                r = sd_bus_set_watch_bind(b->connection, true);
        if (r >= 0)
                r = sd_bus_set_connected_signal(b->connection, true);
        if (r >= 0)
                r = sd_bus_set_exit_on_disconnect(b->connection, false);
        return r;
}

/* Both signals are this process's own: nothing is asked of the bus. */
static int add_matches(struct bus *b)
{
        int r = sd_bus_match_signal_async(b->connection, NULL, LOCAL, NULL, LOCAL, "Connected", on_connected, NULL, b);

        if (r >= 0)
                r = sd_bus_match_signal_async(b->connection, NULL, LOCAL, NULL, LOCAL, "Disconnected", on_disconnected,
                                              NULL, b);
        return r;
}

static void connect_to_bus(struct bus *b)
{
        int r = set_up(b);

        if (r >= 0)
                r = sd_bus_attach_event(b->connection, b->core->event, SD_EVENT_PRIORITY_NORMAL);
        if (r >= 0)
                r = bus_add_object(b);
        if (r >= 0)
                r = add_matches(b);
        if (r >= 0)
                r = sd_bus_start(b->connection);
        if (r < 0) {
                tell_missing(b, strerror(-r));
                drop_connection(b);
        }
        arm(b, MISSING_USEC);
}

static int on_retry(sd_event_source *s may_be_unused, uint64_t usec may_be_unused, void *userdata)
{
        struct bus *b = userdata;

        if (b->core->stopping)
                return 0;
        /* sd-bus is waiting for it, and goes on waiting. */
        if (b->connection && sd_bus_is_open(b->connection) > 0) {
                tell_missing(b, "no answer yet");
                return 0;
        }
        drop_connection(b);
        connect_to_bus(b);
        return 0;
}

/* ---- the daemon's side ------------------------------------------------------------------ */

static void on_changed(void *userdata, const char *target, const char *event, const char *words)
{
        struct bus *b = userdata;

        /* What is sent before there is a bus would be kept for it. */
        if (b->connected)
                bus_emit_changed(b, target, event, words);
}

static int on_reloaded(sd_bus_message *m, void *userdata, sd_bus_error *unused may_be_unused)
{
        const struct bus *b = userdata;
        const sd_bus_error *e = sd_bus_message_get_error(m);

        if (e)
                journal_log(journal_of(b), LOG_WARNING,
                            "systemd did not read its units anew (%s): systemctl daemon-reload does it",
                            e->message ? e->message : e->name);
        return 0;
}

void bus_reload_systemd(struct bus *b)
{
        int r;

        if (!b)
                return;
        r = !b->connected ? -ENOTCONN
                          : sd_bus_call_method_async(b->connection, NULL, "org.freedesktop.systemd1",
                                                     "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
                                                     "Reload", on_reloaded, b, NULL);
        if (r < 0)
                journal_log(journal_of(b), LOG_WARNING,
                            "systemd cannot be asked to read its units anew (%s): systemctl daemon-reload does it",
                            strerror(-r));
}

static int add_timers(struct bus *b)
{
        int r = sd_event_add_time(b->core->event, &b->retry_timer, CLOCK_MONOTONIC, USEC_INFINITY, USEC_PER_SEC / 10,
                                  on_retry, b);

        if (r >= 0)
                r = sd_event_add_time(b->core->event, &b->probe_timer, CLOCK_MONOTONIC, USEC_INFINITY,
                                      USEC_PER_SEC / 100, bus_look_at_probes, b);
        if (r >= 0)
                (void) sd_event_source_set_description(b->retry_timer, "bus-retry");
        if (r >= 0)
                (void) sd_event_source_set_description(b->probe_timer, "bus-probes");
        return r;
}

int bus_new(struct core *c, struct applying *a, struct bus **ret)
{
        struct bus *b = calloc(1, sizeof(*b));
        int r;

        if (!b)
                return -ENOMEM;
        *b = (struct bus) { .core = c, .applying = a };
        r = add_timers(b);
        if (r < 0) {
                bus_free(b);
                return r;
        }
        connect_to_bus(b);
        applying_set_observer(a, on_changed, b);
        *ret = b;
        return 0;
}

void bus_free(struct bus *b)
{
        if (!b)
                return;
        while (b->waiting)
                bus_waiting_fail(b->waiting, SD_BUS_ERROR_NO_REPLY, "nfstuned is stopping");
        drop_connection(b);
        sd_event_source_disable_unref(b->retry_timer);
        sd_event_source_disable_unref(b->probe_timer);
        free(b);
}
