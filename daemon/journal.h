/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/journal.h - every line that nfstuned logs. DESIGN section 10.
 *
 * Layer:   daemon. External library: sd-journal.
 * Purpose: one function per event; each has its MESSAGE_ID, its priority and
 *          its fields in journal_message.c, a change in journal_change.c; systemd/nfstuned.catalog
 *          explains each id. Without a journal (started by hand on a terminal)
 *          the same lines go to standard error when the object says so.
 */
#pragma once

#include <systemd/sd-id128.h>

#include "policy/advice.h"
#include "policy/compare.h"
#include "policy/observation.h"

struct journal {
        bool to_stderr;         /* --foreground, --once: for people; else the journal */
        bool quiet;             /* log nothing below warning (tests, --json) */
};

enum event {
        EVENT_STARTED,
        EVENT_RECOMMENDATION,
        EVENT_RESOLVED,
        EVENT_PROBE,
        EVENT_UNRESPONSIVE,
        EVENT_RECOVERED,
        EVENT_CONFIG_ERROR,
        EVENT_APPLIED,
        EVENT_ARMED,                    /* the new mount waits beneath the old one, which is busy */
        EVENT_VERIFIED,
        EVENT_ROLLED_BACK,
        EVENT_REFUSED,
        EVENT_NOTHING_TO_CHANGE,        /* the daily info line */
        EVENT_COUNT
};

const char *event_name(enum event e);           /* NFSTUNED_EVENT: "recommendation" */
sd_id128_t event_message_id(enum event e);

/* @round: number of the round, NFSTUNED_ROUND. */
void journal_recommendation(const struct journal *j, const struct observation *o, const struct recommendation *r,
                            const struct plan *plan, uint64_t round);
void journal_resolved(const struct journal *j, const struct observation *o, enum rule rule, uint64_t round);
void journal_probe(const struct journal *j, const struct observation *o, uint64_t round);
void journal_unresponsive(const struct journal *j, const struct observation *o, uint64_t round);
void journal_recovered(const struct journal *j, const struct observation *o, usec_t silent_usec, uint64_t round);
/* @errors: the text of config_read(); one entry per line of it, with CONFIG_FILE and CONFIG_LINE. */
void journal_config_error(const struct journal *j, const char *errors, bool old_kept);
void journal_started(const struct journal *j, size_t n_mounts, size_t n_leftover_children, const char *mode);
void journal_nothing_to_change(const struct journal *j, size_t n_mounts);
/* One change of one mount. Borrowed for the call. */
struct change_story {
        const struct mount_facts *mount;
        const char *rules;              /* "stale-io-size sync-client"; "" where none is known (a roll back by hand) */
        enum method method;
        const struct options *keys;     /* what changes */
        const struct options *from;     /* complete option lists; may be NULL for `refused` */
        const struct options *to;       /* `rolled-back`: from what is taken back, to what holds again */
        uint64_t read_ahead_from_kib;   /* equal or both 0: it does not change */
        uint64_t read_ahead_kib;
        char *const *shares;            /* other mount points of the superblock */
        size_t n_shares;
        const char *sharers;            /* METHOD_LIVE: in words, those of other mount namespaces as well; or NULL */
        const char *words;              /* why, or what else there is to say; or NULL */
        const struct comparison *comparison;    /* of the verification, after against before the change, also where it
                                                 * is taken back; or NULL: not measured */
        const char *fstab;              /* the line to write so that it lasts; or NULL */
        bool by_hand;
        bool persisted;
        uint64_t round;
};
void journal_applied(const struct journal *j, const struct change_story *s);
void journal_armed(const struct journal *j, const struct change_story *s);
void journal_verified(const struct journal *j, const struct change_story *s);
void journal_rolled_back(const struct journal *j, const struct change_story *s);
void journal_refused(const struct journal *j, const struct change_story *s);
/* Anything else, at a syslog priority. */
void journal_log(const struct journal *j, int priority, const char *format, ...) printf_like(3, 4);
/* The same, one entry for each line of @lines. */
void journal_log_lines(const struct journal *j, int priority, const char *lines);
