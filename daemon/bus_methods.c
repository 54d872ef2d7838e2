/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The object's methods. See bus.h. */
#include <errno.h>

#include "daemon/bus_parts.h"

/* ---- for everybody ------------------------------------------------------------------ */

static int on_status(sd_bus_message *call, void *userdata, sd_bus_error *error may_be_unused)
{
        const struct bus *b = userdata;
        cleanup_free char *text = NULL;
        int r = bus_status(b->core, b->applying, &text);

        return r < 0 ? r : sd_bus_reply_method_return(call, "s", text);
}

static int on_advice(sd_bus_message *call, void *userdata, sd_bus_error *error)
{
        const struct bus *b = userdata;
        const struct mountstate *only = NULL;
        cleanup_free char *text = NULL;
        const char *target, *form;
        int r = sd_bus_message_read(call, "ss", &target, &form);

        if (r >= 0)
                r = bus_check_form(form, error);
        if (r >= 0 && *target) {
                only = bus_find_mount(b, target, error);
                r = only ? 0 : -sd_bus_error_get_errno(error);
        }
        if (only && !only->judged)
                r = sd_bus_error_set(error, BUS_ERROR_NOT_YET,
                                     "that mount is not judged yet: nfstuned does it within 10 s, then try again");
        if (r >= 0)
                r = bus_report(b->core, only, form, &text);
        return r < 0 ? r : sd_bus_reply_method_return(call, "s", text);
}

/* ---- for root ------------------------------------------------------------------------- */

static int run_probe(struct bus_waiting *w, sd_bus_error *error)
{
        const char *target, *form;
        struct mountstate *s;
        int r = sd_bus_message_read(w->call, "ss", &target, &form);

        if (r >= 0)
                r = bus_check_form(form, error);
        if (r < 0)
                return r;
        s = bus_find_mount(w->bus, target, error);
        return s ? bus_probe(w, s, target, form, error) : -sd_bus_error_get_errno(error);
}

static int run_apply(struct bus_waiting *w, sd_bus_error *error)
{
        struct apply_wish wish = {};
        bool rules[RULE_COUNT], any = false;
        const char *busy;
        int dry_run, persist, r = sd_bus_message_read(w->call, "s", &wish.target);

        if (r >= 0)
                r = bus_read_rules(w->call, rules, &any, error);
        if (r >= 0)
                r = sd_bus_message_read(w->call, "sbb", &busy, &dry_run, &persist);
        if (r >= 0)
                r = bus_check_busy(busy, &wish.busy, error);
        if (r >= 0 && !bus_find_mount(w->bus, wish.target, error))
                r = -sd_bus_error_get_errno(error);
        if (r < 0)
                return r;
        wish.rules = any ? rules : NULL;
        wish.dry_run = dry_run;
        wish.persist = persist;
        applying_apply(w->bus->applying, &wish, bus_waiting_outcome, w);
        return 0;
}

static int run_rollback(struct bus_waiting *w, sd_bus_error *error)
{
        const char *target;
        int persist, r = sd_bus_message_read(w->call, "sb", &target, &persist);

        if (r >= 0 && !bus_find_mount(w->bus, target, error))
                r = -sd_bus_error_get_errno(error);
        if (r >= 0)
                applying_rollback(w->bus->applying, target, persist, bus_waiting_outcome, w);
        return r;
}

static int run_resume(struct bus_waiting *w, sd_bus_error *error may_be_unused)
{
        applying_resume(w->bus->applying, bus_waiting_outcome, w);
        return 0;
}

static int on_probe(sd_bus_message *call, void *userdata, sd_bus_error *error)
{
        return bus_privileged(userdata, call, run_probe, error);
}

static int on_apply(sd_bus_message *call, void *userdata, sd_bus_error *error)
{
        return bus_privileged(userdata, call, run_apply, error);
}

static int on_rollback(sd_bus_message *call, void *userdata, sd_bus_error *error)
{
        return bus_privileged(userdata, call, run_rollback, error);
}

static int on_resume(sd_bus_message *call, void *userdata, sd_bus_error *error)
{
        return bus_privileged(userdata, call, run_resume, error);
}

/* UNPRIVILEGED: sd-bus itself would ask the bus and block; bus_privileged() asks in its place. */
static const sd_bus_vtable vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD_WITH_ARGS("Status", SD_BUS_NO_ARGS, SD_BUS_RESULT("s", json), on_status,
                                SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD_WITH_ARGS("Advice", SD_BUS_ARGS("s", mount, "s", form), SD_BUS_RESULT("s", report), on_advice,
                                SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD_WITH_ARGS("Probe", SD_BUS_ARGS("s", mount, "s", form), SD_BUS_RESULT("s", report), on_probe,
                                SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD_WITH_ARGS("Apply",
                                SD_BUS_ARGS("s", mount, "as", rules, "s", busy, "b", dry_run, "b", persist),
                                SD_BUS_RESULT("s", end, "s", words, "s", json), on_apply, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD_WITH_ARGS("Rollback", SD_BUS_ARGS("s", mount, "b", persist),
                                SD_BUS_RESULT("s", end, "s", words, "s", json), on_rollback,
                                SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD_WITH_ARGS("Resume", SD_BUS_NO_ARGS, SD_BUS_RESULT("s", end, "s", words, "s", json), on_resume,
                                SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_SIGNAL_WITH_ARGS("Changed", SD_BUS_ARGS("s", mount, "s", event, "s", words), 0),
        SD_BUS_VTABLE_END,
};

int bus_add_object(struct bus *b)
{
        return sd_bus_add_object_vtable(b->connection, NULL, BUS_PATH, BUS_INTERFACE, vtable, b);
}
