/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/rules_server.c - the rules about the server. DESIGN section 6. */
#include "policy/rules.h"

#include <errno.h>

#include "policy/counter_means.h"
#include "policy/names.h"
#include "policy/recommend.h"
#include "policy/sources.h"
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

/* Who proves it: the administrator's word here, or the server's own. */
static void add_proof(struct text *t, const struct rule_context *c)
{
        const struct export_facts *e = &c->o->export_facts;

        text_add_clause(t);
        if (c->mount_params->export_setting == EXPORT_ASYNC) {
                text_add(t, "export = async (configuration)");
                return;
        }
        text_add_place(t, &e->place);
        text_add(t, " says %s", e->text ? e->text : "async");
}

static int write_async_evidence(const struct rule_context *c, struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        add_stable_figures(&t, c->o);
        if (r->confidence == CONFIDENCE_CONFIGURED)
                add_proof(&t, c);
        return recommend_words(&r->evidence, &t);
}

static int write_async_words(const struct rule_context *c, struct recommendation *r)
{
        const char *summary = r->confidence == CONFIDENCE_CONFIGURED
                                      ? "the export is async: export it sync"
                                      : "stable writes cost about a round trip: " LOOK_AT_THE_SERVER;
        static const char keep[] =
                "keep it where the server's cache survives a power cut (stable_storage = yes) or where all data can be "
                "made again";
        static const char risk[] =
                "with an async export data is lost when the server crashes, even what close() and fsync() reported as "
                "written; an export with sync is slower unless the client mounts async";

        if (recommend_sentence(&r->summary, summary) < 0 || recommend_sentence(&r->keep, keep) < 0 ||
            recommend_sentence(&r->risk, risk) < 0)
                return -ENOMEM;
        return write_async_evidence(c, r);
}

/* Why there are no figures, in words; NULL: nobody has looked yet. */
static const char *probe_gap(const struct observation *o)
{
        const struct workload_result *w = &o->probe.results[WORKLOAD_COMMIT];

        if (o->probe.state != PROBE_ACTIVE)
                return o->probe.reason || o->probe.state == PROBE_NONE ? o->probe.reason
                                                                       : probe_state_name(o->probe.state);
        if (w->outcome != OUTCOME_OK)
                return outcome_name(w->outcome);
        return "too few samples";
}

/* The administrator's word first, then the server's. */
static enum export_setting export_proved(const struct rule_context *c)
{
        if (c->mount_params->export_setting != EXPORT_AUTO || !c->o->export_facts.known)
                return c->mount_params->export_setting;
        return c->o->export_facts.async ? EXPORT_ASYNC : EXPORT_SYNC;
}

/* A mount that nobody here writes to has nothing to lose by it. */
static bool nothing_to_lose(const struct rule_context *c)
{
        return c->mount_params->stable_storage || c->o->mount.read_only;
}

static int async_by_its_looks(const struct rule_context *c, struct rule_result *ret)
{
        bool survives = c->profile && c->profile->non_volatile == PROFILE_YES;
        enum stable_look look = stable_look(c->o);

        if (survives || c->o->only_requested || look == STABLE_STORED)
                return VERDICT_QUIET;
        if (look == STABLE_UNKNOWN)
                return cannot_tell(c, "a test of small forced writes", probe_gap(c->o), ret);
        if (!stable_look_is_confirmed(c->o))
                return cannot_tell(c, "a second test of small forced writes", NULL, ret);
        ret->recommendation.confidence = CONFIDENCE_POSSIBLE;
        return VERDICT_FIRES;
}

static int async_proved(const struct rule_context *c, struct recommendation *r)
{
        r->confidence = CONFIDENCE_CONFIGURED;
        if (c->mount_params->export_setting == EXPORT_AUTO && place_copy(&c->o->export_facts.place, &r->place) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

int rule_async_export(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        enum export_setting proved = export_proved(c);
        int verdict;

        if (proved == EXPORT_SYNC || nothing_to_lose(c))
                return VERDICT_QUIET;
        verdict = proved == EXPORT_ASYNC ? async_proved(c, r) : async_by_its_looks(c, ret);
        if (verdict != VERDICT_FIRES)
                return verdict;
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

/* ---- server-storage -------------------------------------------------------- */

/* What a person notices; a disk without a cache takes half of that for a small file and its journal. */
#define STORAGE_USEC_MIN (100 * USEC_PER_MSEC)

/* A probe is a handful of writes, in which a busy moment weighs more. */
#define STABLE_USEC_MIN (2 * STORAGE_USEC_MIN)

#define COMMITS_MIN 10

/* What a healthy disk stores of one stream, and a network of 1 Gbit/s brings: such a COMMIT is long, not slow. */
#define STREAM_MIB_PER_SEC 100
#define CHEAP_CALLS_MIN 20

/* Slow storage, and far slower than the way to it. */
static bool is_storage(usec_t stored_usec, usec_t least_usec, usec_t round_trip_usec)
{
        return stored_usec >= least_usec && stored_usec / FAR_ABOVE >= round_trip_usec;
}

/* MiB of written data per second of COMMIT; 0: nothing was written, or not known. */
static double stored_mib_per_sec(const struct counters *k)
{
        const struct rpc_op_counters *write = &k->op[RPC_OP_WRITE], *commit = &k->op[RPC_OP_COMMIT];
        usec_t usec = rpc_op_mean_usec(commit);
        uint64_t bytes = commit->calls > 0 ? write->sent_bytes / commit->calls : 0;

        if (usec == 0 || bytes == 0 || !rpc_op_is_sound(write))
                return 0;
        return (double)bytes / (double)MIB / ((double)usec / (double)USEC_PER_SEC);
}

static bool commits_wait(const struct counters *k)
{
        struct cheap_calls cheap = cheap_calls_read(k);
        const struct rpc_op_counters *commit = &k->op[RPC_OP_COMMIT];

        return k->known && commit->calls >= COMMITS_MIN && cheap.calls >= CHEAP_CALLS_MIN &&
               is_storage(rpc_op_mean_usec(commit), STORAGE_USEC_MIN, cheap.least_usec) &&
               stored_mib_per_sec(k) < STREAM_MIB_PER_SEC;
}

static bool stable_writes_wait(const struct observation *o)
{
        const struct earlier_probe *e = &o->earlier;

        if (!null_is_known(&o->server) ||
            !is_storage(stable_small_usec(o), STABLE_USEC_MIN, o->server.null_median_usec))
                return false;
        return !e->awaited || (e->known && is_storage(e->stable_small_usec, STABLE_USEC_MIN, e->null_median_usec));
}

/* How much one COMMIT has to bring to the disk, and how fast that is. */
static void add_commit_size(struct text *t, const struct counters *k)
{
        double speed = stored_mib_per_sec(k);

        if (speed <= 0)
                return;
        text_add(t, " for about ");
        text_add_mean_size(t, k->op[RPC_OP_WRITE].sent_bytes / k->op[RPC_OP_COMMIT].calls);
        text_add(t, " of written data each, %.1f MiB/s", speed);
}

static int write_storage_evidence(const struct rule_context *c, bool commits, bool stable, struct recommendation *r)
{
        const struct rpc_op_counters *commit = &c->o->counters.op[RPC_OP_COMMIT];
        cleanup(text_done) struct text t = { 0 };

        if (stable)
                add_stable_figures(&t, c->o);
        if (commits) {
                text_add_clause(&t);
                text_add(&t, "COMMIT takes ");
                text_add_usec(&t, rpc_op_mean_usec(commit));
                text_add(&t, " (%llu calls)", (unsigned long long)commit->calls);
                add_commit_size(&t, &c->o->counters);
                text_add(&t, ", while ");
                text_add_cheap_calls(&t, &c->o->counters);
                text_add_since_mount(&t, &c->o->counters);
        }
        return recommend_words(&r->evidence, &t);
}

/* Where the mount itself asks for a wait per write, the rules about that speak. */
static bool mount_asks_for_waits(const struct rule_context *c)
{
        return c->effective.sync || c->effective.noac;
}

int rule_server_storage(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        bool commits = commits_wait(&c->o->counters), stable = stable_writes_wait(c->o);
        static const char summary[] =
                "the server's storage makes close() and fsync() wait: no mount option will fix this";
        static const char risk[] =
                "faster stable storage on the server: a log device or controller cache that survives a power cut "
                "(SLOG, NVRAM, battery), the end of a RAID rebuild or scrub, disks that take small synchronous writes "
                "well (shingled ones, SMR, do not); an async export would only hide the wait and lose data in a crash";

        if (c->o->mount.read_only || mount_asks_for_waits(c))
                return VERDICT_QUIET;
        if (!commits && !stable)
                return c->o->counters.known ? VERDICT_QUIET : judge_without_counters(c, ret);
        r->confidence = CONFIDENCE_OBSERVED;
        r->method = METHOD_SERVER;
        if (recommend_sentence(&r->summary, summary) < 0 || recommend_sentence(&r->risk, risk) < 0 ||
            write_storage_evidence(c, commits, stable, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

/* ---- write-regression -------------------------------------------------------- */

#define BASELINE_SAMPLES_MIN 20
#define RECENT_SAMPLES_MIN 5
#define NOISE_DEVIATIONS 3
#define NOISE_PART 4                    /* a quarter of the median */

static bool got_slower(const struct baseline_facts *b)
{
        usec_t noise = MAX(NOISE_DEVIATIONS * MIN(b->deviation_usec, USEC_INFINITY / NOISE_DEVIATIONS),
                           b->median_usec / NOISE_PART);

        return b->known && b->samples >= BASELINE_SAMPLES_MIN && b->recent_samples >= RECENT_SAMPLES_MIN &&
               b->recent_median_usec > b->median_usec && b->recent_median_usec - b->median_usec > noise;
}

static void add_since(struct text *t, const struct rule_context *c)
{
        usec_t since = c->o->baseline.since_usec;

        if (since == 0 || since > c->now_usec)
                return;
        text_add(t, " for ");
        text_add_usec(t, c->now_usec - since);
}

static int write_regression_words(const struct rule_context *c, struct recommendation *r)
{
        const struct baseline_facts *b = &c->o->baseline;
        static const char risk[] =
                "no mount option is to blame, they are the same as before: look at what changed then on the server "
                "(disks, load, release) and in the network";
        cleanup(text_done) struct text summary = { 0 }, evidence = { 0 };

        text_add(&summary, "writing has been slower than before on this mount");
        add_since(&summary, c);
        text_add(&evidence, "%s takes ", workload_name(b->workload));
        text_add_usec(&evidence, b->recent_median_usec);
        text_add(&evidence, " (median of the last %u probes), before that ", b->recent_samples);
        text_add_usec(&evidence, b->median_usec);
        text_add(&evidence, " (median of %u, give or take ", b->samples);
        text_add_usec(&evidence, b->deviation_usec);
        text_add(&evidence, "), with the same options");
        if (b->grown)
                text_add(&evidence, "; what grew: %s", b->grown);
        if (recommend_words(&r->summary, &summary) < 0 || recommend_words(&r->evidence, &evidence) < 0)
                return -ENOMEM;
        return recommend_sentence(&r->risk, risk);
}

int rule_write_regression(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;

        if (!got_slower(&c->o->baseline))
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_OBSERVED;
        r->method = METHOD_NONE;
        return write_regression_words(c, r) < 0 ? -ENOMEM : VERDICT_FIRES;
}
