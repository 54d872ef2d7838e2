/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/liveness.h - is a mount's server answering? Two witnesses, never one.
 *
 * Layer:   policy (pure).
 * Purpose: DESIGN section 6, rule `unresponsive`: the NULL call fails and the
 *          mount's replies do not advance while requests are outstanding, or a
 *          child is stuck, or the lease is expired in two readings. Where NULL
 *          is impossible the counters alone decide.
 */
#pragma once

#include "policy/observation.h"

/* State of one superblock; valid when zeroed. */
struct liveness_state {
        enum liveness verdict;
        bool     have_counters;
        uint64_t last_sends;
        uint64_t last_receives;
        uint64_t last_connects;
        uint64_t idle_gap;              /* sends - receives when all was quiet: retransmissions leave a gap */
        bool     after_replies;         /* replies came in the interval before the last reading */
        unsigned silent_readings;       /* readings in a row: requests outstanding, no reply came */
        unsigned expired_readings;      /* readings in a row with lease_expired > 0 */
        bool     null_failed;           /* the last NULL call got no answer */
        bool     null_impossible;
        bool     null_contradicted;     /* replies went on coming after a failed NULL call: a firewall between? */
        bool     null_is_fresh;         /* the NULL call failed since the last reading */
        unsigned progress_readings;     /* readings in a row in which replies came after a failed NULL call */
        bool     child_stuck;           /* a child did not come back within its deadline, or still sits there */
        usec_t   since_usec;            /* of the verdict */
};

enum liveness_change {
        LIVENESS_SAME,
        LIVENESS_WENT_SILENT,           /* log `unresponsive` */
        LIVENESS_CAME_BACK,             /* log `recovered` */
};

/* Feeds one reading of the counters (every passive_interval). */
enum liveness_change liveness_counters(struct liveness_state *s, const struct counters *c, usec_t now_usec);

/* Feeds the answer of a NULL call. */
enum liveness_change liveness_null(struct liveness_state *s, enum answer a, usec_t now_usec);

/* Feeds whether a child that touches the mount was killed at its deadline
 * (true), or came back in time having touched it (false). */
enum liveness_change liveness_child(struct liveness_state *s, bool stuck, usec_t now_usec);

/* Should a NULL call be made now, because the counters or a child cast doubt,
 * or because the verdict is unresponsive? */
bool liveness_wants_null(const struct liveness_state *s);

/* Words: what proves the verdict ("NULL call unanswered; 3 readings without a
 * reply while requests are outstanding"). NULL on -ENOMEM; caller frees. */
char *liveness_words(const struct liveness_state *s, usec_t now_usec) must_check;
