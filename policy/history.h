/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/history.h - what was changed before, by us and by others, and what that forbids.
 *
 * Layer:   policy (pure). Times are CLOCK_REALTIME, for they outlive a boot; a time in the future (a clock that was
 *          set back) counts as now.
 * Purpose: DESIGN section 9: one change per mount per day; a change that failed is not tried again for 7 days; the
 *          administrator wins for 7 days; two failed changes stop automatic mode for the host until `resume`.
 */
#pragma once

#include "policy/options.h"

#define HISTORY_DAY_USEC      USEC_PER_DAY
#define HISTORY_PATIENCE_USEC (7 * USEC_PER_DAY)
#define HISTORY_BREAKER       2         /* failed changes that stop automatic mode */

/* One mount point with one source; valid when zeroed. */
struct mount_history {
        char *target;
        char *source;
        char boot[33];                  /* of the last own change */
        usec_t changed_usec;            /* last own change, verified or not; 0: never */
        bool   verified;                /* it was kept */
        bool   rolled_back;             /* and what is in force is `from` again */
        char *from;                     /* option string before it (complete, as in struct staging) */
        char *to;                       /* after it */
        char *keys;                     /* "rsize,wsize,sync" */
        uint64_t read_ahead_from_kib;
        uint64_t read_ahead_kib;
        char *effective;                /* the superblock's options right after it: what is ours, whoever else changed it
                                         * since then shows by a difference */
        usec_t failed_usec;             /* last change that was taken back or did not succeed; 0: never */
        char *failed_to;                /* which one */
        char *failed_words;             /* why */
        usec_t outside_usec;            /* somebody else changed the mount; 0: never */
        uint64_t median_before_usec;    /* of the verification; 0: not measured */
        uint64_t median_after_usec;
        bool   persisted;
        char *written;                  /* what it wrote where the options come from, for the way back; in the form of
                                         * source_edits_to_json(); NULL: nothing */
};

struct history {
        struct mount_history *mounts;
        size_t n_mounts;
        unsigned failures;              /* since the last resume */
        bool stopped;                   /* the breaker fell */
        usec_t stopped_usec;
};

void mount_history_done(struct mount_history *h);
void history_done(struct history *h);

/* NULL: nothing is remembered of it. */
struct mount_history *history_find(const struct history *h, const char *target, const char *source);

/* The same, made where there is none; of more than HISTORY_MAX the one with the oldest event is given up. Pointers of
 * before are no longer valid.
 * NULL on -ENOMEM. */
#define HISTORY_MAX 4096
struct mount_history *history_get(struct history *h, const char *target, const char *source) must_check;

/* A change was made, not verified yet; the caller fills in the read-ahead. Strings are copied.
 * Return: 0, or -ENOMEM and nothing is different. */
int history_changed(struct mount_history *m, const char *boot, const char *from, const char *to, const char *keys,
                    const char *effective, usec_t now_realtime_usec) must_check;

/* It was verified. That this very change failed, or was taken back, before no longer counts. */
void history_kept(struct mount_history *m);

/* It was taken back (then the caller sets rolled_back), or did not succeed. Counts for the breaker, even on -ENOMEM.
 * @to: the options that were tried. */
int history_failed(struct history *h, struct mount_history *m, const char *to, const char *words,
                   usec_t now_realtime_usec) must_check;

void history_outside(struct mount_history *m, usec_t now_realtime_usec);
void history_resume(struct history *h);         /* the breaker, and every mount's failures and suspensions */

/* How long ago; 0 for what lies in the future, USEC_INFINITY for what never happened. */
usec_t history_age(usec_t event_realtime_usec, usec_t now_realtime_usec);

/* Moves what lies in the future to now, so that a clock that ran ahead for a while forbids nothing for as long. To be
 * called after reading the history and once per round. Return: whether something has to be written. */
bool history_settle(struct history *h, usec_t now_realtime_usec);

/* Do an option string of the past and @to ask for the same in the families @keys? Return: 1, 0 or -ENOMEM. */
int history_same(const char *asked_before, const struct options *keys, const struct options *to) must_check;

/* Is what is effective now still as we left it, in the options we set or dropped: after a change as it was right after
 * it, after a roll-back as it was before? False on another boot. */
bool history_is_own(const struct mount_history *m, const char *boot, const struct options *effective);
