/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/counter_means.h - means and rates of the kernel's counters, and words for them.
 *
 * Layer:   policy (pure).
 * Purpose: counters are sums over the mount's life. The rules look at quotients
 *          only, so that the difference of two readings would serve as well.
 *          A row that contradicts itself (recorded files hold such, and old
 *          kernels let the queue's time wrap) counts as absent.
 */
#pragma once

#include "policy/rules.h"
#include "policy/text.h"

/* From here on one time is "far above" another: what separates storage from the way to it. */
#define FAR_ABOVE 10

/* Fewer calls of a kind have no mean. */
#define KIND_CALLS_MIN 5

/* Fewer answers to NULL have no median. */
#define NULL_REPLIES_MIN 3

/* GETATTR, ACCESS and LOOKUP: the server answers them from memory, as a rule. */
struct cheap_calls {
        uint64_t calls;         /* of the kinds that have a mean */
        unsigned kinds;
        usec_t least_usec;      /* the smallest of the kinds' mean round trips; 0 without any */
        usec_t most_usec;       /* the largest */
        usec_t mean_usec;       /* of all */
        usec_t queue_usec;      /* mean wait before they are sent */
        uint64_t major_timeouts; /* the server was away: the wait for it is in queue_usec */
};

struct cheap_calls cheap_calls_read(const struct counters *k);

/* "GETATTR takes 18.6 ms (36 calls), ACCESS 20 ms (13 calls)": nothing without any. */
void text_add_cheap_calls(struct text *t, const struct counters *k);

/* Is the row free of contradictions? */
bool rpc_op_is_sound(const struct rpc_op_counters *op);

/* Mean round trip. 0: too few calls, or a row that contradicts itself. */
usec_t rpc_op_mean_usec(const struct rpc_op_counters *op);

/* Of a sum of milliseconds. 0 when @calls is. */
usec_t mean_of_msec_usec(uint64_t sum_msec, uint64_t calls);

/* a + b, at most UINT64_MAX. */
uint64_t add_saturated(uint64_t a, uint64_t b);

/* Is the median of the probe's NULL calls one? */
bool null_is_known(const struct server_facts *s);

/* "0.41 %" */
void text_add_percent(struct text *t, uint64_t part, uint64_t whole);

/* A mean size for people: rounded, "12 KiB", "1024 MiB". */
void text_add_mean_size(struct text *t, uint64_t bytes);

/* " (mountstats, since the mount was made 30 h ago)" */
void text_add_since_mount(struct text *t, const struct counters *k);

/* Verdict of a rule that lives on counters, while they are not known: quiet
 * after a probe or without a mount, else "cannot tell" with what would.
 * Return: an enum verdict or -ENOMEM. */
int judge_without_counters(const struct rule_context *c, struct rule_result *ret) must_check;
