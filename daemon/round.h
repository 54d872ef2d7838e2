/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/round.h - what is made of the observations: liveness, advice, news.
 *
 * Layer:   daemon. Decides nothing itself: policy/ does, the journal is told.
 */
#pragma once

#include "daemon/core.h"

/* After a recovery the mount is probed within this time. */
#define RECOVERY_SPREAD_USEC (10 * USEC_PER_SEC)

/* Feeds the counters of every superblock to its liveness and asks the servers
 * that cast doubt. A reading less than @apart_usec after the one before is left
 * out: within a storm of mounts or reloads, silence is nothing but haste. */
void round_take_counters(struct core *c, usec_t apart_usec);

/* Puts the verdict into the observation and logs a change of it. */
void round_liveness(struct core *c, struct mountstate *s, enum liveness_change change);

/* Evaluates one superblock and logs what is news (--once: logs nothing). */
void round_judge(struct core *c, struct mountstate *s);

struct round_summary {
        size_t n_judged;
        size_t n_with_advice;           /* something stands that was recommended */
        size_t n_unresponsive;
        bool   all_probed;              /* every superblock was judged with a whole probe */
};
struct round_summary round_summarize(const struct core *c);
