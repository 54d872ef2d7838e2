/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/rules_coherence.c - the rules about sync, caches and what others see. DESIGN section 6. */
#include "policy/rules.h"

#include <errno.h>

#include "policy/recommend.h"
#include "policy/sources.h"
#include "policy/stable.h"

/* ---- sync-client ----------------------------------------------------------- */

/* noac brings sync with it, and the kernel puts it back: dropping sync alone does nothing. */
static bool sync_is_chosen(const struct rule_context *c)
{
        return c->effective.sync && !c->effective.noac && !c->o->mount.read_only &&
               !mount_params_keeps(c->mount_params, "sync");
}

static bool export_is_believed_async(const struct rule_context *c)
{
        if (c->mount_params->export_setting != EXPORT_AUTO)
                return c->mount_params->export_setting == EXPORT_ASYNC;
        return !c->mount_params->stable_storage && stable_look(c->o) == STABLE_NOT_WAITED_FOR;
}

static bool path_wants_sync(enum path_class class)
{
        return class == PATH_DATABASE || class == PATH_HYPERVISOR || class == PATH_MAIL_SPOOL;
}

static const char *export_words(const struct rule_context *c)
{
        if (c->mount_params->export_setting == EXPORT_SYNC)
                return "the export is sync (configuration)";
        if (c->mount_params->export_setting == EXPORT_ASYNC)
                return "the export is async (configuration)";
        switch (stable_look(c->o)) {
        case STABLE_STORED:
                return "the export looks sync (probe)";
        case STABLE_NOT_WAITED_FOR:
                return "the export looks async or has a non-volatile cache (probe)";
        case STABLE_UNKNOWN:
                break;
        }
        return "whether the export is sync is not known";
}

static int write_sync_evidence(const struct rule_context *c, struct recommendation *r)
{
        const struct requested *source = source_naming(c->o, "sync");
        cleanup(text_done) struct text t = { 0 };

        text_add(&t, "the mount is rw,sync (mountinfo); ");
        if (source) {
                text_add_source(&t, source);
                text_add(&t, " asks for it; ");
        }
        text_add(&t, "%s", export_words(c));
        text_add_sharers(&t, c->o);
        return recommend_words(&r->evidence, &t);
}

/* What the mount waits for once, at close, when it is async: a COMMIT, or the
 * slowest stable write that was seen. 0: not measured. */
static usec_t commit_usec(const struct probe_result *p)
{
        for (size_t i = STABLE_SIZES; i > 0; i--)
                if (p->stable[i - 1].latency.n > 0)
                        return p->stable[i - 1].latency.p50_usec;
        return 0;
}

static bool save_is_measured(const struct observation *o)
{
        const struct workload_result *w = &o->probe.results[WORKLOAD_EDITOR_SAVE];

        return o->probe.state == PROBE_ACTIVE && (w->outcome == OUTCOME_OK || w->outcome == OUTCOME_TIME_BUDGET) &&
               w->write.n > 0 && w->written_bytes > 0 && w->total_usec > 0;
}

static void add_bound(struct text *t, const struct observation *o, usec_t total_usec)
{
        usec_t commit = commit_usec(&o->probe), trip = o->server.null_replies > 0 ? o->server.null_median_usec : 0;
        usec_t best = commit + trip;

        text_add(t, "at best about one round trip plus one COMMIT");
        if (commit == 0 || best >= total_usec)
                return;
        text_add(t, ", ");
        text_add_usec(t, best);
        text_add(t, " (");
        if (trip > 0) {
                text_add_usec(t, trip);
                text_add(t, " and ");
        }
        text_add_usec(t, commit);
        text_add(t, ", probe): an upper bound, not a trial");
}

/* An upper bound from the probe that ran while the mount was sync. */
static int write_sync_gain(const struct rule_context *c, struct recommendation *r)
{
        const struct workload_result *w = &c->o->probe.results[WORKLOAD_EDITOR_SAVE];
        cleanup(text_done) struct text t = { 0 };

        if (!save_is_measured(c->o))
                return 0;
        text_add(&t, "each 8 KiB write waits ");
        text_add_usec(&t, w->write.p50_usec);
        text_add(&t, " for stable storage now (");
        text_add_size(&t, w->written_bytes);
        text_add(&t, " in ");
        text_add_usec(&t, w->total_usec);
        text_add(&t, "); async waits once, at close: ");
        add_bound(&t, c->o, w->total_usec);
        return recommend_words(&r->gain, &t);
}

static int write_sync_risk(const struct rule_context *c, bool ask, struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        if (ask && path_wants_sync(c->path_class))
                text_add(&t, "is sync intended here? The path looks like %s; ", path_class_words(c->path_class));
        else if (ask)
                text_add(&t, "is sync intended here? An async export keeps no promise at close() either; ");
        text_add(&t,
                 "close() and fsync() still wait until the server has the data%s; given up: data of a file that is "
                 "not closed yet is lost when this client crashes, and a program that does not check the result of "
                 "close() misses a late error; keep sync where another host reads a file while it is being written",
                 ask && !path_wants_sync(c->path_class) ? "" : " on stable storage, as long as the export is sync");
        return recommend_words(&r->risk, &t);
}

int rule_sync_client(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        bool ask = export_is_believed_async(c) || path_wants_sync(c->path_class);

        if (!sync_is_chosen(c))
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_CONFIGURED;
        r->method = METHOD_LIVE;
        r->automatic = !ask;
        if (recommend_drop(r, "sync") < 0 || recommend_place(r, c) < 0 ||
            recommend_sentence(&r->summary, "sync makes every write wait for the server's stable storage") < 0 ||
            write_sync_evidence(c, r) < 0 || write_sync_gain(c, r) < 0 || write_sync_risk(c, ask, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

int rule_noac(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_attribute_cache_off(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_lookupcache_none(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}
