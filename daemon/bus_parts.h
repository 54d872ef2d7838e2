/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/bus_parts.h - what the bus_*.c files share.
 *
 * Layer: daemon, for bus_*.c only. External library: sd-bus.
 */
#pragma once

#include <systemd/sd-bus.h>

#include "daemon/bus.h"

/* Calls that wait for something. Whoever may call them needs no more. */
#define BUS_WAITING_MAX 64

struct bus {
        struct core *core;
        struct applying *applying;
        sd_bus *connection;             /* NULL: none is being tried now */
        sd_event_source *retry_timer;   /* a new connection; while one is tried: it has not come yet */
        sd_event_source *probe_timer;   /* off while nobody waits for a probe */
        bool connected;
        bool told;                      /* that there is no bus */
        struct bus_waiting *waiting;
        unsigned n_waiting;
};

/* A call that is answered later. */
struct bus_waiting {
        struct bus *bus;
        struct bus_waiting *next, *previous;
        sd_bus_message *call;
        int (*run)(struct bus_waiting *w, sd_bus_error *error);
        /* of a probe */
        bool is_probe;
        bool started;                   /* a probe runs that was begun after the call, or with it */
        uint64_t key;                   /* of the superblock */
        uint64_t generation;
        usec_t deadline_usec;
        char *target;
        const char *form;               /* within the message */
};

/* ---- bus_methods.c ---------------------------------------------------------------- */

/* Return: 0 or a negative errno. */
int bus_add_object(struct bus *b) must_check;

/* ---- bus_waiting.c ------------------------------------------------------------------ */

/* Of a method of the vtable: asks the bus who calls and goes on with @run if it is root. @words: "Only root may ...".
 * @run answers later, or returns an error: then it has not kept the call. */
int bus_privileged(struct bus *b, sd_bus_message *call, int (*run)(struct bus_waiting *w, sd_bus_error *error),
                   sd_bus_error *error) must_check;

/* Answers and frees. */
void bus_waiting_fail(struct bus_waiting *w, const char *name, const char *words);
void bus_waiting_text(struct bus_waiting *w, const char *text);
void bus_waiting_outcome(void *userdata, const struct apply_outcome *o);

void bus_emit_changed(const struct bus *b, const char *target, const char *event, const char *words);

/* ---- bus_probe.c ----------------------------------------------------------------------- */

/* Waits for a probe of the superblock at @target. @form is within the call. */
int bus_probe(struct bus_waiting *w, struct mountstate *s, const char *target, const char *form,
              sd_bus_error *error) must_check;

/* A timer's. */
int bus_look_at_probes(sd_event_source *source, uint64_t usec, void *userdata);

/* ---- bus_arguments.c -------------------------------------------------------------------- */

/* Return: the superblock at that mount point; NULL with an error set. */
struct mountstate *bus_find_mount(const struct bus *b, const char *target, sd_bus_error *error) must_check;

/* Return: 0, or the negative errno of the error set. */
int bus_check_form(const char *form, sd_bus_error *error) must_check;
int bus_check_busy(const char *word, enum busy_mode *ret, sd_bus_error *error) must_check;

/* The array of rules that comes next in @call; *ret_any: there was one. */
int bus_read_rules(sd_bus_message *call, bool rules[static RULE_COUNT], bool *ret_any, sd_bus_error *error) must_check;

/* ---- bus_report.c: no sd-bus in it ---------------------------------------------------------- */

/* The report of all mounts, or of the superblock @only. Return: 0 or a negative errno. */
int bus_report(const struct core *c, const struct mountstate *only, const char *form, char **ret) must_check;

/* Return: 0 or -ENOMEM. */
int bus_status(const struct core *c, const struct applying *a, char **ret) must_check;
