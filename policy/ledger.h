/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/ledger.h - which recommendations are news.
 *
 * Layer:   policy (pure; virtual-time tests run weeks in milliseconds).
 * Purpose: DESIGN section 10: a recommendation is logged when it appears,
 *          changes or is resolved, and repeated once a day; not every round.
 */
#pragma once

#include "policy/advice.h"

enum news {
        NEWS_APPEARED,
        NEWS_CHANGED,           /* confidence, drop, set or place differ */
        NEWS_REPEATED,          /* a day has passed */
        NEWS_RESOLVED,          /* fired before, is quiet now */
};

/* One line to log. For RESOLVED only rule is meaningful. */
struct news_item {
        enum news kind;
        enum rule rule;
        const struct recommendation *recommendation;    /* borrowed from the advice; NULL for RESOLVED */
};

/* What was said about one superblock; valid when zeroed. */
struct ledger {
        struct ledger_entry {
                bool   standing;        /* said and not resolved */
                uint64_t digest;        /* of confidence, drop, set, place */
                usec_t said_usec;
        } entry[RULE_COUNT];
};

/* Compares @a with what was said and records what is said now. At most
 * RULE_COUNT items are written to @items; returns their number.
 * A rule for which the advice says "cannot tell" keeps its standing: it is not
 * resolved because a probe failed. While the advice contains `unresponsive`
 * nothing else is resolved. RULE_UNRESPONSIVE itself is not handled here: it
 * has its own events (policy/liveness.h). */
size_t ledger_update(struct ledger *l, const struct advice *a, usec_t now_usec,
                     struct news_item items[static RULE_COUNT]);
