/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tests/unit/policy_counters.h - worlds with counters, for the rules that read them.
 *
 * Header only, because a policy test links libpolicy.a and nothing else of ours.
 */
#pragma once

#include "tests/unit/policy_case.h"

#define TCP4 "rw,vers=4.2,rsize=1048576,wsize=1048576,hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1"

/* A row of one operation: so many calls, so long each. */
struct op_row {
        uint64_t calls;
        uint64_t mean_usec;
};

static inline void world_op(struct world *w, enum rpc_op op, struct op_row row)
{
        uint64_t msec = row.calls * row.mean_usec / 1000;

        w->o.counters.known = true;
        w->o.counters.age_sec = 30 * 3600;
        w->o.counters.op[op] = (struct rpc_op_counters){
                .calls = row.calls, .transmissions = row.calls, .round_trip_msec = msec, .execute_msec = msec,
        };
}

/* "possible", "observed" ...; "cannot tell"; "quiet" */
static inline const char *world_verdict(const struct world *w, enum rule rule)
{
        const struct recommendation *r = world_find(w, rule);

        if (r)
                return confidence_name(r->confidence);
        return world_undecided(w, rule) ? "cannot tell" : "quiet";
}

static inline void world_check_verdict(const struct world *w, enum rule rule, const char *want, const char *name)
{
        ck_assert_msg(strcmp(world_verdict(w, rule), want) == 0, "%s: %s is %s, not %s", name, rule_name(rule),
                      world_verdict(w, rule), want);
}

/* What every finding of counters and server has in common. */
static inline void world_check_words(const struct recommendation *r, const char *name)
{
        ck_assert_msg(r->summary && *r->summary && r->evidence && *r->evidence && r->risk && *r->risk,
                      "%s: words are missing", name);
        ck_assert_msg(!r->urgent && !r->question && r->n_drop == 0, "%s: drops or orders", name);
}

static inline void world_check_contains(const char *text, const char *part, const char *name)
{
        ck_assert_msg(text && strstr(text, part), "%s: no \"%s\" in: %s", name, part, text ? text : "(null)");
}

static inline void world_server(struct world *w, const char *server)
{
        free(w->o.mount.server);
        w->o.mount.server = world_copy(server);
}

/* A profile for the host "server", to be filled in. */
static inline struct server_profile *world_profile(struct world *w)
{
        struct server_profile *p = calloc(1, sizeof(*p));

        ck_assert_ptr_nonnull(p);
        p->name = world_copy("test");
        p->hosts = calloc(1, sizeof(*p->hosts));
        ck_assert_ptr_nonnull(p->hosts);
        p->hosts[0] = world_copy("server");
        p->n_hosts = 1;
        w->p.profiles = (struct server_profiles){ .items = p, .n_items = 1 };
        return p;
}
