/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of one superblock: what is filled in from it and for how long. */
#include <string.h>

#include "daemon/mountstate.h"
#include "policy/stable.h"

void mountstate_free(struct mountstate *s)
{
        if (!s)
                return;
        advice_done(&s->advice);
        free(s);
}

static bool is_fresh(usec_t then_usec, usec_t now_usec)
{
        return now_usec < then_usec || now_usec - then_usec < LIMITS_REMEMBERED_USEC;
}

static void limits_to_observation(const struct mountstate *s)
{
        struct server_facts *f = &s->observation->server;

        f->limit_source = s->limit_source;
        f->read_max_bytes = s->read_max_bytes;
        f->write_max_bytes = s->write_max_bytes;
        free(TAKE(f->limit_detail));
}

void mountstate_take_server(struct mountstate *s, struct server_facts *facts, usec_t now_usec)
{
        struct server_facts *f = &s->observation->server;

        server_facts_done(f);
        *f = *facts;
        *facts = (struct server_facts) { 0 };
        if (f->limit_source != LIMIT_UNKNOWN) {
                s->limit_source = f->limit_source;
                s->read_max_bytes = f->read_max_bytes;
                s->write_max_bytes = f->write_max_bytes;
                s->limits_usec = now_usec;
        } else if (s->limit_source != LIMIT_UNKNOWN && is_fresh(s->limits_usec, now_usec)) {
                limits_to_observation(s);
        }
        if (f->versions_known) {
                s->versions = f->versions;
                s->versions_usec = now_usec;
        } else if (s->versions_usec && is_fresh(s->versions_usec, now_usec)) {
                f->versions_known = true;
                f->versions = s->versions;
        }
}

void mountstate_take_staged(struct mountstate *s, uint64_t rsize_bytes, uint64_t wsize_bytes, usec_t now_usec)
{
        s->limit_source = LIMIT_STAGED;
        s->read_max_bytes = rsize_bytes;
        s->write_max_bytes = wsize_bytes;
        s->limits_usec = now_usec;
        limits_to_observation(s);
}

void mountstate_forget_limits(struct mountstate *s)
{
        s->limit_source = LIMIT_UNKNOWN;
        s->versions_usec = 0;
}

void mountstate_take_reading(struct mountstate *s, usec_t now_usec)
{
        const struct counters *c = &s->observation->counters;
        uint64_t writes = c->op[RPC_OP_WRITE].calls;

        if (!c->known) {
                s->have_reading = false;
                s->writes_per_sec = 0;
                return;
        }
        if (s->have_reading && now_usec <= s->reading_usec)
                return;
        /* A counter that went back: the superblock was set up anew. */
        if (s->have_reading && writes >= s->reading_writes)
                s->writes_per_sec = (writes - s->reading_writes) * USEC_PER_SEC / (now_usec - s->reading_usec);
        else
                s->writes_per_sec = 0;
        s->have_reading = true;
        s->reading_writes = writes;
        s->reading_usec = now_usec;
}

bool mountstate_is_busy(const struct mountstate *s)
{
        return s->writes_per_sec > BUSY_WRITES_PER_SEC;
}

void mountstate_set_probe(struct mountstate *s, enum probe_state state, const char *reason)
{
        struct probe_result *p = &s->observation->probe;

        probe_result_done(p);
        p->state = state;
        p->reason = reason ? strdup(reason) : NULL;
}

void mountstate_remember_probe(struct mountstate *s)
{
        struct observation *o = s->observation;

        if (o->probe.state == PROBE_ACTIVE && o->probe.started_usec != s->probe_usec) {
                s->probe_usec = o->probe.started_usec;
                s->before = s->last;
                s->last = (struct earlier_probe) { .known = true, .null_median_usec = o->server.null_median_usec,
                                                   .stable_small_usec = stable_small_usec(o) };
        }
        o->earlier = s->before;
        o->earlier.awaited = true;
}
