/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/journal_message.h - what an event says, as fields and values.
 *
 * Layer:   daemon. External library: sd-id128 (no journal is touched here, so
 *          that tests read the fields).
 * Fields:  DESIGN section 10. Values are exact bytes; MESSAGE alone is made
 *          printable. A recommendation has all fields, empty where there is
 *          nothing to say; so has a change, but for the figures of a
 *          comparison that was not made. daemon/journal.h explains the events.
 */
#pragma once

#include "daemon/journal.h"

struct journal_field {
        const char *name;
        char *value;            /* owned; never NULL */
};

#define JOURNAL_FIELDS_MAX 32

struct journal_message {
        int priority;           /* of syslog(3) */
        struct journal_field fields[JOURNAL_FIELDS_MAX];
        size_t n_fields;
        bool failed;            /* out of memory: some field is missing */
};

void message_recommendation(struct journal_message *m, const struct observation *o, const struct recommendation *r,
                            const struct plan *plan, uint64_t round);
void message_resolved(struct journal_message *m, const struct observation *o, enum rule rule, uint64_t round);
void message_probe(struct journal_message *m, const struct observation *o, uint64_t round);
void message_unresponsive(struct journal_message *m, const struct observation *o, uint64_t round);
void message_recovered(struct journal_message *m, const struct observation *o, usec_t silent_usec, uint64_t round);
/* @error: one line of config_read()'s errors, without its newline. */
void message_config_error(struct journal_message *m, const char *error, bool old_kept);
void message_started(struct journal_message *m, size_t n_mounts, size_t n_leftover_children, const char *mode);
void message_nothing_to_change(struct journal_message *m, size_t n_mounts);

/* journal_change.c */
void message_applied(struct journal_message *m, const struct change_story *s);
void message_armed(struct journal_message *m, const struct change_story *s);
void message_verified(struct journal_message *m, const struct change_story *s);
void message_rolled_back(struct journal_message *m, const struct change_story *s);
void message_refused(struct journal_message *m, const struct change_story *s);

/* Value of a field, or NULL. */
const char *message_value(const struct journal_message *m, const char *name);

void journal_message_done(struct journal_message *m);
