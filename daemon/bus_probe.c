/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes that somebody waits for. See bus_parts.h. */
#include <errno.h>
#include <string.h>

#include "daemon/bus_parts.h"
#include "daemon/probing.h"

/* An earlier child of the superblock is in the way, or there are too many: it is tried again. */
#define LOOK_USEC (200 * USEC_PER_MSEC)
/* Beyond the probe's own budgets: an earlier one may still run, and a staged mount follow. */
#define PATIENCE_USEC (20 * USEC_PER_SEC)

static void look_later(struct bus *b)
{
        int r = sd_event_source_set_time_relative(b->probe_timer, LOOK_USEC);

        if (r >= 0)
                (void) sd_event_source_set_enabled(b->probe_timer, SD_EVENT_ONESHOT);
}

/* Return: 0, also when it is to be tried again; a negative errno. */
static int try_start(struct bus_waiting *w, struct mountstate *s)
{
        int r = probing_start(w->bus->core, s, PROBING_FULL);

        w->started = r == 0;
        return r == -EBUSY || r == -EAGAIN ? 0 : r;
}

int bus_probe(struct bus_waiting *w, struct mountstate *s, const char *target, const char *form, sd_bus_error *error)
{
        struct bus *b = w->bus;
        const struct params *p = b->core->params;
        int r;

        if (b->core->stopping)
                return sd_bus_error_set(error, BUS_ERROR_NO_PROBE, "nfstuned is stopping");
        w->target = strdup(target);
        if (!w->target)
                return -ENOMEM;
        w->key = s->key;
        w->generation = s->generation;
        w->form = form;
        w->deadline_usec = core_now(b->core) + 2 * (p->connect_timeout_usec + p->probe_time_usec) + PATIENCE_USEC;
        r = try_start(w, s);
        if (r < 0)
                return sd_bus_error_setf(error, BUS_ERROR_NO_PROBE, "the probe cannot be started: %s", strerror(-r));
        w->is_probe = true;
        look_later(b);
        return 0;
}

static void answer(struct bus_waiting *w, const struct mountstate *s)
{
        cleanup_free char *text = NULL;
        int r = bus_report(w->bus->core, s, w->form, &text);

        if (r < 0)
                bus_waiting_fail(w, BUS_ERROR_NO_PROBE, strerror(-r));
        else
                bus_waiting_text(w, text);
}

void bus_probe_ended(struct bus *b, const struct mountstate *s, enum probing_kind kind)
{
        if (!b || kind != PROBING_FULL)
                return;
        for (struct bus_waiting *w = b->waiting, *next; w; w = next) {
                next = w->next;
                if (w->is_probe && w->key == s->key && w->generation == s->generation)
                        answer(w, s);
        }
}

static void look(struct bus_waiting *w)
{
        struct bus *b = w->bus;
        struct mountstate *s = host_find(&b->core->host, w->key, w->generation);
        int r = 0;

        if (!s) {
                bus_waiting_fail(w, BUS_ERROR_NO_SUCH_MOUNT, "the file system was unmounted meanwhile");
                return;
        }
        if (core_now(b->core) >= w->deadline_usec) {
                bus_waiting_fail(w, BUS_ERROR_NO_PROBE,
                                 w->started ? "the probe did not come back"
                                            : "an earlier probe does not come back: the server may not answer");
                return;
        }
        if (!w->started && !b->core->stopping)
                r = try_start(w, s);
        if (r < 0)
                bus_waiting_fail(w, BUS_ERROR_NO_PROBE, strerror(-r));
}

int bus_look_at_probes(sd_event_source *unused may_be_unused, uint64_t usec may_be_unused, void *userdata)
{
        struct bus *b = userdata;
        bool any = false;

        for (struct bus_waiting *w = b->waiting, *next; w; w = next) {
                next = w->next;
                if (w->is_probe)
                        look(w);
        }
        for (const struct bus_waiting *w = b->waiting; w; w = w->next)
                any = any || w->is_probe;
        if (any)
                look_later(b);
        return 0;
}
