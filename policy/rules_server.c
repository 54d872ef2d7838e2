/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/rules_server.c - the rules about the server. DESIGN section 6. */
#include "policy/rules.h"

#include <errno.h>

#include "policy/names.h"
#include "policy/recommend.h"
#include "policy/stable.h"

/* ---- async-export ---------------------------------------------------------- */

#define LOOK_AT_THE_SERVER "async export or non-volatile cache, look with exportfs -v on the server"

static void add_stable_figures(struct text *t, const struct observation *o)
{
        for (size_t i = 0; i < STABLE_SIZES; i++) {
                const struct stable_latency *s = &o->probe.stable[i];

                if (s->latency.n == 0)
                        continue;
                text_add(t, "%s", t->length_bytes > 0 ? ", " : "a stable write of ");
                text_add_size(t, s->size_bytes);
                text_add(t, " takes ");
                text_add_usec(t, s->latency.p50_usec);
        }
        if (t->length_bytes == 0)
                return;
        text_add(t, " (medians, probe); a NULL call takes ");
        text_add_usec(t, o->server.null_median_usec);
}

static int write_async_evidence(const struct rule_context *c, struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        add_stable_figures(&t, c->o);
        if (r->confidence == CONFIDENCE_CONFIGURED)
                text_add(&t, "%sexport = async (configuration)", t.length_bytes > 0 ? "; " : "");
        return recommend_words(&r->evidence, &t);
}

static int write_async_words(const struct rule_context *c, struct recommendation *r)
{
        const char *summary = r->confidence == CONFIDENCE_CONFIGURED
                                      ? "the export is async: export it sync"
                                      : "stable writes cost about a round trip: " LOOK_AT_THE_SERVER;
        static const char risk[] =
                "with an async export data is lost when the server crashes, even what close() and fsync() reported as "
                "written; an export with sync is slower unless the client mounts async; a cache that survives a power "
                "cut is fine (stable_storage = yes)";

        if (recommend_sentence(&r->summary, summary) < 0 || recommend_sentence(&r->risk, risk) < 0)
                return -ENOMEM;
        return write_async_evidence(c, r);
}

/* Why there are no figures, in words. */
static const char *probe_gap(const struct observation *o)
{
        const struct workload_result *w = &o->probe.results[WORKLOAD_COMMIT];

        if (o->probe.state != PROBE_ACTIVE)
                return o->probe.reason ? o->probe.reason : probe_state_name(o->probe.state);
        if (w->outcome != OUTCOME_OK)
                return outcome_name(w->outcome);
        return "too few samples";
}

int rule_async_export(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        enum export_setting setting = c->mount_params->export_setting;
        enum stable_look look = stable_look(c->o);

        /* A mount that nobody here writes to has nothing to lose by it. */
        if (setting == EXPORT_SYNC || c->mount_params->stable_storage || c->o->mount.read_only)
                return VERDICT_QUIET;
        if (setting == EXPORT_AUTO && look == STABLE_STORED)
                return VERDICT_QUIET;
        if (setting == EXPORT_AUTO && look == STABLE_UNKNOWN)
                return cannot_tell(c, "a probe of stable writes", probe_gap(c->o), ret);
        r->confidence = setting == EXPORT_ASYNC ? CONFIDENCE_CONFIGURED : CONFIDENCE_POSSIBLE;
        r->method = METHOD_SERVER;
        return write_async_words(c, r) < 0 ? -ENOMEM : VERDICT_FIRES;
}

/* ---- unresponsive ---------------------------------------------------------- */

int rule_unresponsive(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        static const char risk[] =
                "no mount option helps: look at the server and the network between; programs that use the mount wait";
        cleanup(text_done) struct text summary = { 0 };

        if (c->o->liveness != LIVENESS_UNRESPONSIVE)
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_OBSERVED;
        r->method = METHOD_NONE;
        text_add(&summary, "server %s does not answer", c->o->mount.server ? c->o->mount.server : "");
        if (recommend_words(&r->summary, &summary) < 0 || recommend_sentence(&r->risk, risk) < 0 ||
            recommend_sentence(&r->evidence, c->o->liveness_witnesses ? c->o->liveness_witnesses : "") < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

int rule_server_storage(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_write_regression(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}
