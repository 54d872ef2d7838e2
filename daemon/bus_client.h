/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/bus_client.h - nfstunectl's side of daemon/bus.h.
 *
 * Layer:  daemon. External library: sd-bus.
 * Errors: one line on standard error with what helps.
 */
#pragma once

#include "policy/base.h"

enum bus_method {
        BUS_STATUS,
        BUS_ADVICE,
        BUS_PROBE,
        BUS_APPLY,
        BUS_ROLLBACK,
        BUS_RESUME,
};

struct bus_call {
        enum bus_method method;
        const char *progress;           /* "applying": what a person is told while it takes long */
        const char *mount;              /* "": all, where that is possible */
        const char *form;               /* ADVICE, PROBE */
        const char *const *rules;       /* APPLY */
        size_t n_rules;
        const char *busy;
        bool dry_run;
        bool persist;                   /* APPLY, ROLLBACK */
};

#define BUS_REPLY_TEXTS 3

/* STATUS, ADVICE, PROBE: one text; else end, words, JSON. */
struct bus_reply {
        char *texts[BUS_REPLY_TEXTS];
};
void bus_reply_done(struct bus_reply *r);

/* Return: 0, or the exit status when the trouble has been said. */
int bus_client_call(const struct bus_call *call, struct bus_reply *ret) must_check;
