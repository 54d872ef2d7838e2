/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/counter_means.c - means and rates of the kernel's counters. See counter_means.h. */
#include "policy/counter_means.h"

#include "policy/names.h"
#include "policy/recommend.h"

static const enum rpc_op cheap_ops[] = { RPC_OP_GETATTR, RPC_OP_ACCESS, RPC_OP_LOOKUP };

uint64_t add_saturated(uint64_t a, uint64_t b)
{
        uint64_t sum;

        return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

bool rpc_op_is_sound(const struct rpc_op_counters *op)
{
        return op->transmissions >= op->calls && op->major_timeouts <= op->transmissions &&
               op->queue_msec <= op->execute_msec;
}

usec_t mean_of_msec_usec(uint64_t sum_msec, uint64_t calls)
{
        usec_t sum_usec;

        if (__builtin_mul_overflow(sum_msec, USEC_PER_MSEC, &sum_usec))
                sum_usec = USEC_INFINITY;
        return calls > 0 ? sum_usec / calls : 0;
}

static bool has_mean(const struct rpc_op_counters *op)
{
        return op->calls >= KIND_CALLS_MIN && rpc_op_is_sound(op);
}

usec_t rpc_op_mean_usec(const struct rpc_op_counters *op)
{
        return has_mean(op) ? mean_of_msec_usec(op->round_trip_msec, op->calls) : 0;
}

struct cheap_calls cheap_calls_read(const struct counters *k)
{
        struct cheap_calls cheap = { 0 };
        uint64_t round_trip_msec = 0, queue_msec = 0;

        for (size_t i = 0; i < ARRAY_SIZE(cheap_ops); i++) {
                const struct rpc_op_counters *op = &k->op[cheap_ops[i]];
                usec_t mean = rpc_op_mean_usec(op);

                if (!has_mean(op))
                        continue;
                cheap.least_usec = cheap.kinds > 0 ? MIN(cheap.least_usec, mean) : mean;
                cheap.most_usec = MAX(cheap.most_usec, mean);
                cheap.kinds++;
                cheap.calls = add_saturated(cheap.calls, op->calls);
                round_trip_msec = add_saturated(round_trip_msec, op->round_trip_msec);
                queue_msec = add_saturated(queue_msec, op->queue_msec);
                cheap.major_timeouts = add_saturated(cheap.major_timeouts, op->major_timeouts);
        }
        cheap.mean_usec = mean_of_msec_usec(round_trip_msec, cheap.calls);
        cheap.queue_usec = mean_of_msec_usec(queue_msec, cheap.calls);
        return cheap;
}

bool null_is_known(const struct server_facts *s)
{
        return s->null_replies >= NULL_REPLIES_MIN;
}

/* ---- words ------------------------------------------------------------------ */

void text_add_cheap_calls(struct text *t, const struct counters *k)
{
        bool first = true;

        for (size_t i = 0; i < ARRAY_SIZE(cheap_ops); i++) {
                const struct rpc_op_counters *op = &k->op[cheap_ops[i]];

                if (!has_mean(op))
                        continue;
                text_add(t, first ? "%s takes " : ", %s ", rpc_op_name(cheap_ops[i]));
                text_add_usec(t, rpc_op_mean_usec(op));
                text_add(t, " (%llu calls)", (unsigned long long)op->calls);
                first = false;
        }
}

void text_add_percent(struct text *t, uint64_t part, uint64_t whole)
{
        text_add(t, "%.2f %%", whole > 0 ? 100.0 * (double)part / (double)whole : 0.0);
}

void text_add_mean_size(struct text *t, uint64_t bytes)
{
        uint64_t unit = bytes >= MIB ? MIB : bytes >= KIB ? KIB : 1;

        text_add_size(t, bytes - bytes % unit);
}

void text_add_since_mount(struct text *t, const struct counters *k)
{
        text_add(t, " (mountstats, since the mount was made");
        if (k->age_sec > 0 && k->age_sec < USEC_INFINITY / USEC_PER_SEC) {
                text_add(t, " ");
                text_add_usec(t, k->age_sec * USEC_PER_SEC);
                text_add(t, " ago");
        }
        text_add(t, ")");
}

int judge_without_counters(const struct rule_context *c, struct rule_result *ret)
{
        if (c->o->only_requested || c->o->probe.state == PROBE_ACTIVE)
                return VERDICT_QUIET;
        return cannot_tell(c, "the mount's counters (/proc/self/mountstats)", NULL, ret);
}
