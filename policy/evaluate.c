/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/evaluate.c - one observation in, advice out. See evaluate.h. */
#include "policy/evaluate.h"

#include <errno.h>
#include <string.h>

#include "policy/address.h"
#include "policy/plan.h"
#include "policy/recommend.h"
#include "policy/rules.h"

/* One row per rule, in the order of printing. */
static const struct rule_row {
        enum rule rule;
        rule_fn *fn;
        bool needs_answer;      /* says nothing while the server is unresponsive */
} rules[] = {
        { RULE_UNRESPONSIVE,         rule_unresponsive,          false },
        { RULE_LIMIT_BELOW_SIZE,     rule_limit_below_size,      false },
        { RULE_INVALID_OPTION,       rule_invalid_option,        false },
        { RULE_SOFT_MOUNT,           rule_soft_mount,            false },
        { RULE_SYNC_CLIENT,          rule_sync_client,           false },
        { RULE_NOAC,                 rule_noac,                  false },
        { RULE_ATTRIBUTE_CACHE_OFF,  rule_attribute_cache_off,   false },
        { RULE_LOOKUPCACHE_NONE,     rule_lookupcache_none,      false },
        { RULE_STALE_IO_SIZE,        rule_stale_io_size,         false },
        { RULE_IO_SIZE_MISMATCH,     rule_io_size_mismatch,      false },
        { RULE_LARGE_IO_STALL,       rule_large_io_stall,        true  },
        { RULE_UDP_TRANSPORT,        rule_udp_transport,         false },
        { RULE_SHORT_TIMEOUT,        rule_short_timeout,         false },
        { RULE_RETRANSMISSIONS,      rule_retransmissions,       true  },
        { RULE_SINGLE_CONNECTION,    rule_single_connection,     true  },
        { RULE_READ_AHEAD,           rule_read_ahead,            true  },
        { RULE_RESERVED_PORT,        rule_reserved_port,         false },
        { RULE_ASYNC_EXPORT,         rule_async_export,          true  },
        { RULE_SERVER_STORAGE,       rule_server_storage,        true  },
        { RULE_NETWORK,              rule_network,               true  },
        { RULE_SMALL_FILES,          rule_small_files,           true  },
        { RULE_WRITE_REGRESSION,     rule_write_regression,      true  },
        { RULE_OLD_VERSION,          rule_old_version,           false },
        { RULE_FIRST_MOUNT_WINS,     rule_first_mount_wins,      false },
        { RULE_REQUESTED_DRIFT,      rule_requested_drift,       false },
        { RULE_OBSOLETE_OPTION,      rule_obsolete_option,       false },
};
_Static_assert(ARRAY_SIZE(rules) == RULE_COUNT, "a rule has no row");

bool server_is_loopback(const struct rule_context *c)
{
        return address_is_loopback(c->effective.address) || address_is_loopback(c->o->mount.server);
}

bool server_is_proxied(const struct rule_context *c)
{
        return server_is_loopback(c) && c->effective.port != 0 && c->effective.port != NFS_PORT;
}

/* DESIGN section 9: what others own gets advice only. */
static bool owned_by_others(const struct rule_context *c)
{
        const struct mount_facts *m = &c->o->mount;

        return m->below_autofs || server_is_proxied(c) || strcmp(m->target, "/") == 0 || (m->server && !*m->server) ||
               c->path_class == PATH_KUBELET || c->path_class == PATH_CONTAINER || c->path_class == PATH_STORAGE_DRIVER;
}

static int run_rule(const struct rule_context *c, const struct rule_row *row, struct rule_result *ret)
{
        if (row->needs_answer && c->o->liveness == LIVENESS_UNRESPONSIVE)
                return cannot_tell(c, "an answer of the server", NULL, ret);
        return row->fn(c, ret);
}

static void cannot_tell_done(struct cannot_tell *t)
{
        free(t->missing);
        free(t->command);
        *t = (struct cannot_tell){ 0 };
}

/* Moves what the rule wrote into the advice, which has room for every rule. */
static int judge(const struct rule_context *c, const struct rule_row *row, struct advice *a)
{
        struct rule_result result = { 0 };
        int verdict = run_rule(c, row, &result);

        if (verdict == VERDICT_FIRES) {
                struct recommendation *r = &a->recommendations[a->n_recommendations++];

                *r = result.recommendation;
                r->rule = row->rule;
                /* nothing is mounted that could be changed: only the line can */
                if (c->o->only_requested && (r->method == METHOD_LIVE || r->method == METHOD_REPLACE))
                        r->method = METHOD_SOURCE;
                if (r->confidence == CONFIDENCE_POSSIBLE || r->question || owned_by_others(c))
                        r->automatic = false;
                return 0;
        }
        recommendation_done(&result.recommendation);
        if (verdict == VERDICT_CANNOT_TELL) {
                struct cannot_tell *t = &a->cannot_tell[a->n_cannot_tell++];

                *t = result.cannot_tell;
                t->rule = row->rule;
                return 0;
        }
        cannot_tell_done(&result.cannot_tell);
        return verdict < 0 ? verdict : 0;
}

/* Nobody reaches a covered or removed mount point by its path, and the second
 * line of the same mount says nothing that the first did not. */
static bool out_of_reach(const struct mount_facts *m)
{
        return m->covered || m->deleted || m->duplicate;
}

/* Rooms for every rule of every mount would be most of the memory of a large host. */
static void give_back_rooms(struct advice *a)
{
        struct recommendation *r = reallocarray(a->recommendations, a->n_recommendations + 1, sizeof(*r));
        struct cannot_tell *t = reallocarray(a->cannot_tell, a->n_cannot_tell + 1, sizeof(*t));

        if (r)
                a->recommendations = r;
        if (t)
                a->cannot_tell = t;
}

int evaluate(const struct observation *o, const struct params *p, usec_t now_usec, struct advice *ret)
{
        cleanup(advice_done) struct advice a = { 0 };
        struct rule_context c = {
                .o = o,
                .params = p,
                .mount_params = params_for_mount(p, o->mount.target),
                .path_class = path_classify(o->mount.target),
                .now_usec = now_usec,
        };
        int r = 0;

        *ret = (struct advice){ 0 };
        if (out_of_reach(&o->mount))
                return 0;
        nfs_options_read(&o->mount.super, &c.effective);
        c.profile = profile_find(&p->profiles, o->mount.server, c.effective.address, o->counters.implementation);
        a.recommendations = calloc(RULE_COUNT, sizeof(*a.recommendations));
        a.cannot_tell = calloc(RULE_COUNT, sizeof(*a.cannot_tell));
        if (!a.recommendations || !a.cannot_tell)
                return -ENOMEM;
        for (size_t i = 0; i < ARRAY_SIZE(rules) && r == 0; i++)
                r = judge(&c, &rules[i], &a);
        if (r == 0)
                r = plan_make(o, a.recommendations, a.n_recommendations, PLAN_SHOWN, &a.plan);
        if (r < 0)
                return r;
        give_back_rooms(&a);
        *ret = a;
        a = (struct advice){ 0 };
        return 0;
}

/* ---- may it be written to? --------------------------------------------------- */

static bool is_automounted(const struct observation *o)
{
        if (o->mount.below_autofs)
                return true;
        for (size_t i = 0; i < o->n_requested; i++)
                if (options_has(&o->requested[i].options, "x-systemd.automount"))
                        return true;
        return false;
}

/* What no setting changes. NULL: nothing stands against it. */
static const char *impossible_to_write(const struct mount_facts *m)
{
        struct nfs_options super;

        nfs_options_read(&m->super, &super);
        if (m->read_only || super.read_only)
                return "mounted read-only";
        if (m->covered)
                return "covered by another mount";
        if (m->deleted)
                return "its mount point was removed";
        return m->duplicate ? "the same mount is listed twice" : NULL;
}

/* What active = auto leaves alone: files in other people's mounts are an imposition. */
static const char *better_not_written(const struct observation *o)
{
        enum path_class class = path_classify(o->mount.target);

        if (is_automounted(o))
                return "automounted: a probe would keep it from expiring";
        if (!path_may_be_written(class))
                return path_class_words(class);
        return o->mount.server && !*o->mount.server ? path_class_words(PATH_CONTAINER) : NULL;
}

static const char *reason_not_to_write(const struct observation *o, const struct params *p)
{
        const char *impossible = impossible_to_write(&o->mount);

        if (impossible)
                return impossible;
        switch (params_for_mount(p, o->mount.target)->probe) {
        case PROBE_SETTING_ACTIVE:
                return NULL;
        case PROBE_SETTING_PASSIVE:
                return "probe = passive in its [mount] section";
        case PROBE_SETTING_OFF:
                return "probe = off in its [mount] section";
        case PROBE_SETTING_DEFAULT:
        case PROBE_SETTING_COUNT:
                break;
        }
        if (p->active == ACTIVE_NO)
                return "active = no in [probe]";
        return p->active == ACTIVE_YES ? NULL : better_not_written(o);
}

bool probe_may_write(const struct observation *o, const struct params *p, const char **ret_reason)
{
        const char *reason = reason_not_to_write(o, p);

        if (ret_reason)
                *ret_reason = reason;
        return reason == NULL;
}

bool probe_may_ask(const struct observation *o, const struct params *p)
{
        return params_for_mount(p, o->mount.target)->probe != PROBE_SETTING_OFF;
}
