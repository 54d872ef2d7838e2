/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_size.c - the rules about rsize and wsize. DESIGN section 6.
 *
 * A small size alone proves nothing: the server's own limit follows its memory,
 * old servers stop at 32 KiB. Proof is a source that asks for the size, or a
 * server that offers more.
 */
#include "policy/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy/names.h"
#include "policy/recommend.h"
#include "policy/sizes.h"
#include "policy/sources.h"

/* What one rule makes of one direction. */
struct judgement {
        enum verdict verdict;
        enum confidence confidence;     /* with VERDICT_FIRES */
};

static const struct judgement quiet = { VERDICT_QUIET, CONFIDENCE_POSSIBLE };
static const struct judgement unknown = { VERDICT_CANNOT_TELL, CONFIDENCE_POSSIBLE };

static struct judgement fires(enum confidence confidence)
{
        return (struct judgement){ VERDICT_FIRES, confidence };
}

/* ---- words --------------------------------------------------------------- */

/* Is there the same to say about both directions, so that it is said once? */
static bool alike(const struct direction d[static DIRECTION_COUNT])
{
        return !d[DIRECTION_READ].source == !d[DIRECTION_WRITE].source &&
               d[DIRECTION_READ].limit_bytes == d[DIRECTION_WRITE].limit_bytes &&
               d[DIRECTION_READ].offer_bytes == d[DIRECTION_WRITE].offer_bytes;
}

/* "fstab line 7 asks for rsize=32768" */
static void add_asked(struct text *t, const struct direction *d)
{
        const char *value = options_value(&d->source->options, d->name);

        text_add_source(t, d->source);
        text_add(t, " asks for %s=%s", d->name, value ? value : "");
}

static void add_use(struct text *t, const struct rule_context *c, const struct direction *d)
{
        text_add(t, "%s ", c->o->only_requested ? "a line asks for" : "the mount uses");
        text_add_size(t, d->effective_bytes);
        text_add(t, " for %s", d->noun);
}

static void add_limit(struct text *t, const struct rule_context *c, const struct direction *d, const char *noun)
{
        if (d->limit_bytes == 0) {
                text_add(t, "the server's limit for %s is not known", noun);
                if (c->o->server.limit_detail)
                        text_add(t, " (%s)", c->o->server.limit_detail);
                return;
        }
        text_add(t, "the server offers ");
        text_add_size(t, d->limit_bytes);
        text_add(t, " for %s (%s)", noun, limit_source_name(c->o->server.limit_source));
        if (d->offer_bytes > 0 && d->offer_bytes < d->limit_bytes) {
                text_add(t, ", of which this client uses at most ");
                text_add_size(t, d->offer_bytes);
        }
}

static void add_both_asked(struct text *t, const struct direction d[static DIRECTION_COUNT])
{
        const struct direction *w = &d[DIRECTION_WRITE];
        const char *value = options_value(&w->source->options, w->name);

        add_asked(t, &d[DIRECTION_READ]);
        text_add(t, " and ");
        if (w->source == d[DIRECTION_READ].source)
                text_add(t, "%s=%s", w->name, value ? value : "");
        else
                add_asked(t, w);
}

static void add_both_uses(struct text *t, const struct rule_context *c,
                          const struct direction d[static DIRECTION_COUNT])
{
        add_use(t, c, &d[DIRECTION_READ]);
        text_add(t, " and ");
        if (d[DIRECTION_READ].effective_bytes != d[DIRECTION_WRITE].effective_bytes) {
                text_add_size(t, d[DIRECTION_WRITE].effective_bytes);
                text_add(t, " for ");
        }
        text_add(t, "%s", d[DIRECTION_WRITE].noun);
}

/* What a line without a mount asks for is said by its source. */
static bool use_is_asked(const struct rule_context *c, const struct direction *d)
{
        return c->o->only_requested && d->source;
}

/* "fstab line 7 asks for rsize=32768; the mount uses 32 KiB for reads; the server offers 1 MiB for reads (fsinfo)" */
static void add_direction(struct text *t, const struct rule_context *c, const struct direction *d)
{
        text_add_clause(t);
        if (d->source) {
                add_asked(t, d);
                text_add(t, "; ");
        }
        if (!use_is_asked(c, d)) {
                add_use(t, c, d);
                text_add(t, "; ");
        }
        add_limit(t, c, d, d->noun);
}

/* "fstab line 7 asks for rsize=32768 and wsize=32768; the mount uses 32 KiB for reads and writes; the server offers
 * 1 MiB for reads and writes (fsinfo)" */
static void add_both_directions(struct text *t, const struct rule_context *c,
                                const struct direction d[static DIRECTION_COUNT])
{
        text_add_clause(t);
        if (d[DIRECTION_READ].source) {
                add_both_asked(t, d);
                text_add(t, "; ");
        }
        if (!use_is_asked(c, &d[DIRECTION_READ])) {
                add_both_uses(t, c, d);
                text_add(t, "; ");
        }
        add_limit(t, c, &d[DIRECTION_READ], "reads and writes");
}

static void add_directions(struct text *t, const struct rule_context *c,
                           const struct direction d[static DIRECTION_COUNT], const bool which[static DIRECTION_COUNT])
{
        if (which[DIRECTION_READ] && which[DIRECTION_WRITE] && alike(d)) {
                add_both_directions(t, c, d);
                return;
        }
        for (size_t i = 0; i < DIRECTION_COUNT; i++)
                if (which[i])
                        add_direction(t, c, &d[i]);
}

/* Only in evidence: where to look when nothing proves the origin. */
static void add_where_to_look(struct text *t, const struct direction d[static DIRECTION_COUNT],
                              const bool which[static DIRECTION_COUNT], const struct recommendation *r)
{
        if (r->confidence > CONFIDENCE_POSSIBLE)
                return;
        for (size_t i = 0; i < DIRECTION_COUNT; i++)
                if (which[i] && d[i].explained)
                        return;
        text_add(t, "; nothing proves where the size comes from: look for it in fstab, .mount units, "
                    "nfsmount.conf, autofs maps, the kernel command line and volume definitions");
}

static int write_evidence(const struct rule_context *c, const struct direction d[static DIRECTION_COUNT],
                          const bool which[static DIRECTION_COUNT], struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        add_directions(&t, c, d, which);
        add_where_to_look(&t, d, which, r);
        text_add_sharers(&t, c->o);
        return recommend_words(&r->evidence, &t);
}

/* What vendors of databases and hypervisors prescribe (SAP HANA 256 KiB, Oracle 32 KiB or more) was tested with what
 * lives there; only a trial says more. */
static bool may_be_prescribed(const struct rule_context *c, const struct recommendation *r)
{
        return r->confidence != CONFIDENCE_MEASURED && path_may_be_deliberate(c->path_class);
}

/* Sizes are written down for these reasons, or copied from a line that is twenty years old. */
static int write_keep(const struct rule_context *c, struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        if (r->question)
                text_add(&t, "Were the sizes prescribed for what lives here? The path looks like %s. ",
                         path_class_words(c->path_class));
        text_add(&t, "%seep the sizes if they were measured here, if large transfers stalled on this network before, "
                     "if they work round a server that fails with large replies, or if the storage's vendor prescribes "
                     "them", r->question ? "K" : "k");
        if (c->effective.proto == NFS_PROTO_UDP)
                text_add(&t, "; on UDP one lost fragment costs the whole request, so that small ones can be wanted");
        if (c->path_class == PATH_ORACLE)
                text_add(&t, "; Oracle opens its files only with rsize and wsize of 32768 or more: what is negotiated "
                             "must not be less");
        return recommend_words(&r->keep, &t);
}

static unsigned percent(unsigned permille)
{
        return (permille + 5) / 10;
}

/* "in a trial copy with rsize=65536,wsize=65536 took 60 % of the present time (95 % interval 55 to 64 %, 8 pairs)" */
static int write_trial_gain(const struct trial_facts *trial, struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        text_add(&t, "in a trial %s with %s took %u %% of the present time (95 %% interval %u to %u %%, %u pairs)",
                 workload_name(trial->workload), trial->options, percent(trial->ratio_permille),
                 percent(trial->ratio_low_permille), percent(trial->ratio_high_permille), trial->pairs);
        r->gain_permille = trial->ratio_permille < 1000 ? 1000 - trial->ratio_permille : 0;
        return recommend_words(&r->gain, &t);
}

static int drop_directions(const struct rule_context *c, const struct direction d[static DIRECTION_COUNT],
                           const bool which[static DIRECTION_COUNT], struct recommendation *r)
{
        for (size_t i = 0; i < DIRECTION_COUNT; i++) {
                int err = which[i] ? recommend_drop_option(r, c->o, d[i].name) : 0;

                if (err < 0)
                        return err;
        }
        return recommend_place(r, c);
}

/* Both sizes, or only the ones that somebody asks for: what nobody wrote cannot
 * be taken away. */
static int drop_both(const struct rule_context *c, const struct direction d[static DIRECTION_COUNT],
                     struct recommendation *r)
{
        bool asked = d[DIRECTION_READ].source || d[DIRECTION_WRITE].source;
        bool which[DIRECTION_COUNT];

        for (size_t i = 0; i < DIRECTION_COUNT; i++)
                which[i] = !asked || d[i].source;
        return drop_directions(c, d, which, r);
}

static int cannot_tell_limit(const struct rule_context *c, struct rule_result *ret)
{
        return cannot_tell(c, "the server's transfer limit", c->o->server.limit_detail, ret);
}

/* ---- stale-io-size --------------------------------------------------------- */

/* Where the transport's own cap is small, small sizes are often its default or
 * a wish, and many servers never offered more. */
static bool transport_is_small(const struct direction *d)
{
        return d->cap_bytes < CLIENT_MAX_BYTES;
}

/* A server of this kind gives its best at this size already. */
static bool suits_profile(const struct rule_context *c, const struct direction *d)
{
        return c->profile && c->profile->transfer_max_bytes > 0 &&
               d->effective_bytes >= c->profile->transfer_max_bytes;
}

static struct judgement stale_without_limit(const struct rule_context *c, const struct direction *d)
{
        if (suits_profile(c, d))
                return quiet;
        if (d->explained)
                return fires(d->effective_bytes <= OLD_HABIT_BYTES && !transport_is_small(d) ? CONFIDENCE_CONFIGURED
                                                                                              : CONFIDENCE_POSSIBLE);
        /* It got less than it asked for: that is the server's or a session's doing, as far as one can see. */
        if (d->asked_more || c->o->mount.read_only || d->effective_bytes > OLD_HABIT_BYTES)
                return unknown;
        return fires(CONFIDENCE_POSSIBLE);
}

static struct judgement direction_is_stale(const struct rule_context *c, const struct direction *d)
{
        if (d->effective_bytes == 0 || d->effective_bytes >= d->cap_bytes || d->session_limited ||
            mount_params_keeps(c->mount_params, d->name))
                return quiet;
        if (d->offer_bytes == 0)
                return stale_without_limit(c, d);
        if (!d->below_offer)
                return quiet;
        return fires(d->explained ? CONFIDENCE_CONFIGURED : CONFIDENCE_OBSERVED);
}

/* A trial with a larger size in this direction proves more than any source. */
static struct judgement with_trial(struct judgement j, const struct size_trials *trials, const struct direction *d,
                                   size_t i)
{
        if (j.verdict != VERDICT_QUIET && trials->larger && trials->larger_bytes[i] > d->effective_bytes)
                return fires(CONFIDENCE_MEASURED);
        return j;
}

/* Trials showed that larger sizes are no better, or that smaller ones are. */
static bool trials_speak_against(const struct size_trials *t)
{
        return t->smaller || (t->larger_is_slower && !t->larger);
}

/* The other direction goes too when a source pins it as well: one dropped and
 * one left would become an io-size-mismatch. */
static bool drops_along(const struct direction *d)
{
        return d->place && d->source == d->place && d->asked_bytes < CLIENT_MAX_BYTES;
}

static void choose_stale(const struct direction d[static DIRECTION_COUNT],
                         const struct judgement f[static DIRECTION_COUNT], enum confidence confidence,
                         bool ret[static DIRECTION_COUNT])
{
        for (size_t i = 0; i < DIRECTION_COUNT; i++) {
                ret[i] = f[i].verdict == VERDICT_FIRES && (f[i].confidence > CONFIDENCE_POSSIBLE ||
                                                           confidence == CONFIDENCE_POSSIBLE);
                ret[i] = ret[i] || drops_along(&d[i]);
        }
}

static int write_stale_summary(const struct direction d[static DIRECTION_COUNT],
                               const struct judgement f[static DIRECTION_COUNT], struct recommendation *r)
{
        const struct direction *first = f[DIRECTION_READ].verdict == VERDICT_FIRES ? &d[DIRECTION_READ]
                                                                                    : &d[DIRECTION_WRITE];
        cleanup(text_done) struct text t = { 0 };

        text_add_joined(&t, r->drop, r->n_drop);
        if (first->offer_bytes > 0) {
                text_add(&t, " pin%s the transfer size below the ", r->n_drop == 1 ? "s" : "");
                text_add_size(&t, first->offer_bytes);
                text_add(&t, " the server offers");
        } else {
                text_add(&t, " %s the transfer size at ", r->confidence == CONFIDENCE_POSSIBLE ? "may pin"
                                                          : r->n_drop == 1                     ? "pins"
                                                                                               : "pin");
                text_add_size(&t, first->effective_bytes);
        }
        return recommend_words(&r->summary, &t);
}

/* The first story's own finding: no promise for what it was about. */
static int write_stale_words(const struct rule_context *c, const struct size_trials *trials, struct recommendation *r)
{
        static const char unmeasured[] =
                "for small sequential writes dropping the sizes alone changes nothing; it is large reads and writes "
                "that need fewer calls";
        static const char measured[] = "the gain is that of the trial's workload; others may see less";

        if (r->confidence == CONFIDENCE_MEASURED && write_trial_gain(trials->larger, r) < 0)
                return -ENOMEM;
        if (write_keep(c, r) < 0)
                return -ENOMEM;
        return recommend_replace_risk(r, c, r->confidence == CONFIDENCE_MEASURED ? measured : unmeasured);
}

/* Return: the stronger of both verdicts; the confidences go into @r. */
static enum verdict judge_stale(const struct rule_context *c, const struct direction d[static DIRECTION_COUNT],
                                const struct size_trials *trials, struct judgement f[static DIRECTION_COUNT],
                                struct recommendation *r)
{
        enum verdict verdict = VERDICT_QUIET;

        if (trials_speak_against(trials))
                return VERDICT_QUIET;
        for (size_t i = 0; i < DIRECTION_COUNT; i++) {
                f[i] = with_trial(direction_is_stale(c, &d[i]), trials, &d[i], i);
                if (f[i].verdict == VERDICT_FIRES)
                        r->confidence = MAX(r->confidence, f[i].confidence);
                if (verdict != VERDICT_FIRES && f[i].verdict != VERDICT_QUIET)
                        verdict = f[i].verdict;
        }
        return verdict;
}

int rule_stale_io_size(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct direction d[DIRECTION_COUNT];
        struct judgement f[DIRECTION_COUNT];
        struct size_trials trials;
        bool dropped[DIRECTION_COUNT];
        enum verdict verdict;

        directions_read(c->o, &c->effective, d);
        if (size_trials_read(c->o, d, &trials) < 0)
                return -ENOMEM;
        verdict = judge_stale(c, d, &trials, f, r);
        if (verdict == VERDICT_CANNOT_TELL)
                return cannot_tell_limit(c, ret);
        if (verdict == VERDICT_QUIET)
                return VERDICT_QUIET;
        choose_stale(d, f, r->confidence, dropped);
        r->method = METHOD_REPLACE;
        r->question = may_be_prescribed(c, r);
        r->automatic = !r->question;
        if (drop_directions(c, d, dropped, r) < 0 || write_evidence(c, d, dropped, r) < 0 ||
            write_stale_summary(d, f, r) < 0 || write_stale_words(c, &trials, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

/* ---- io-size-mismatch ------------------------------------------------------ */

/* Close sizes differ by what a session subtracts, not by anybody's wish. */
static bool differ(uint64_t a, uint64_t b)
{
        return MIN(a, b) < MAX(a, b) - MAX(a, b) / 8;
}

static bool pins(const struct direction *d)
{
        return d->explained && d->effective_bytes < d->cap_bytes;
}

static struct judgement sizes_mismatch(const struct rule_context *c, const struct direction *r,
                                       const struct direction *w)
{
        const struct direction *small = r->effective_bytes < w->effective_bytes ? r : w;
        const struct direction *large = small == r ? w : r;

        if (r->effective_bytes == 0 || w->effective_bytes == 0 || !differ(r->effective_bytes, w->effective_bytes) ||
            r->session_limited || w->session_limited || KEEPS(c, "rsize", "wsize"))
                return quiet;
        if (r->offer_bytes > 0 && w->offer_bytes > 0) {
                if (r->offer_bytes != w->offer_bytes || !small->below_offer)
                        return quiet;
                return fires(pins(small) ? CONFIDENCE_CONFIGURED : CONFIDENCE_OBSERVED);
        }
        if (pins(small))
                return fires(transport_is_small(small) ? CONFIDENCE_POSSIBLE : CONFIDENCE_CONFIGURED);
        /* It asked for more than it got: the server's limits differ, as far as one can see. */
        if (small->asked_more || (small->source && large->asked_more))
                return unknown;
        return fires(CONFIDENCE_POSSIBLE);
}

static int write_mismatch_words(const struct rule_context *c, const struct direction d[static DIRECTION_COUNT],
                                struct recommendation *r)
{
        static const char risk[] = "two different sizes tend to be worse than equal ones, though not always";
        const bool both[DIRECTION_COUNT] = { true, true };
        cleanup(text_done) struct text summary = { 0 };

        text_add(&summary, "the transfer size %s ", c->o->only_requested ? "asked for is" : "is");
        text_add_size(&summary, d[DIRECTION_READ].effective_bytes);
        text_add(&summary, " for reads and ");
        text_add_size(&summary, d[DIRECTION_WRITE].effective_bytes);
        text_add(&summary, " for writes, %s",
                 r->confidence == CONFIDENCE_POSSIBLE ? "perhaps pinned" : "pinned and not the server's doing");
        if (recommend_words(&r->summary, &summary) < 0 || write_keep(c, r) < 0 ||
            recommend_replace_risk(r, c, risk) < 0)
                return -ENOMEM;
        return write_evidence(c, d, both, r);
}

int rule_io_size_mismatch(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct direction d[DIRECTION_COUNT];
        struct size_trials trials;
        struct judgement f;

        directions_read(c->o, &c->effective, d);
        if (size_trials_read(c->o, d, &trials) < 0)
                return -ENOMEM;
        if (trials_speak_against(&trials))
                return VERDICT_QUIET;
        f = sizes_mismatch(c, &d[DIRECTION_READ], &d[DIRECTION_WRITE]);
        if (f.verdict == VERDICT_CANNOT_TELL)
                return cannot_tell_limit(c, ret);
        if (f.verdict == VERDICT_QUIET)
                return VERDICT_QUIET;
        r->confidence = f.confidence;
        r->method = METHOD_REPLACE;
        r->question = may_be_prescribed(c, r);
        r->automatic = !r->question;
        if (drop_both(c, d, r) < 0 || write_mismatch_words(c, d, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

/* ---- limit-below-size ------------------------------------------------------ */

static int write_limit_words(const struct rule_context *c, const struct direction d[static DIRECTION_COUNT],
                             const bool below[static DIRECTION_COUNT], struct recommendation *r)
{
        const struct direction *first = below[DIRECTION_READ] ? &d[DIRECTION_READ] : &d[DIRECTION_WRITE];
        static const char risk[] =
                "replace the mount with the sizes dropped; until then a larger request can hang for ever; the change "
                "needs an unmount, and data that waits for such a request may be lost; or give the server its old "
                "limit back (memory, /proc/fs/nfsd/max_block_size)";
        bool both = below[DIRECTION_READ] && below[DIRECTION_WRITE] &&
                    d[DIRECTION_READ].effective_bytes == d[DIRECTION_WRITE].effective_bytes;
        cleanup(text_done) struct text summary = { 0 };

        text_add(&summary, "the server now takes at most ");
        text_add_size(&summary, first->limit_bytes);
        text_add(&summary, " while the mount uses ");
        text_add_size(&summary, first->effective_bytes);
        text_add(&summary, " for %s: larger requests hang", both ? "reads and writes" : first->noun);
        if (recommend_words(&r->summary, &summary) < 0 || recommend_sentence(&r->risk, risk) < 0)
                return -ENOMEM;
        return write_evidence(c, d, below, r);
}

int rule_limit_below_size(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct direction d[DIRECTION_COUNT];
        bool below[DIRECTION_COUNT];

        directions_read(c->o, &c->effective, d);
        /* Mounting a line negotiates anew. */
        for (size_t i = 0; i < DIRECTION_COUNT; i++)
                below[i] = !c->o->only_requested && d[i].limit_bytes > 0 && d[i].effective_bytes > d[i].limit_bytes;
        if (!below[DIRECTION_READ] && !below[DIRECTION_WRITE])
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_OBSERVED;
        r->method = METHOD_REPLACE;
        r->automatic = true;
        r->urgent = true;
        if (drop_both(c, d, r) < 0 || write_limit_words(c, d, below, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

/* ---- large-io-stall -------------------------------------------------------- */

struct stalls {
        unsigned n;
        usec_t longest_usec;
};

static struct stalls stalls_seen(const struct probe_result *p)
{
        struct stalls s = { 0 };

        for (size_t i = 0; i < WORKLOAD_COUNT && p->state == PROBE_ACTIVE; i++) {
                const struct workload_result *w = &p->results[i];

                if (w->outcome != OUTCOME_OK && w->outcome != OUTCOME_TIME_BUDGET)
                        continue;
                s.n += w->stalls;
                s.longest_usec = w->stalls > 0 ? MAX(s.longest_usec, w->longest_stall_usec) : s.longest_usec;
        }
        return s;
}

static void add_stalls(struct text *t, const struct stalls *s)
{
        text_add(t, "%u stall%s in the probe, the longest ", s->n, s->n == 1 ? "" : "s");
        text_add_usec(t, s->longest_usec);
}

static int cannot_tell_stall(const struct rule_context *c, const struct stalls *s, struct rule_result *ret)
{
        cleanup(text_done) struct text t = { 0 };
        cleanup_free char *reason = NULL;

        add_stalls(&t, s);
        reason = text_take(&t);
        if (!reason || cannot_tell(c, "a trial with smaller sizes, which this version does not make", reason, ret) < 0)
                return -ENOMEM;
        free(ret->cannot_tell.command);         /* none would tell */
        ret->cannot_tell.command = NULL;
        return VERDICT_CANNOT_TELL;
}

static int set_sizes(const struct rule_context *c, const struct trial_facts *trial, struct recommendation *r)
{
        static const char *const names[] = { "rsize", "wsize" };
        cleanup(options_done) struct options tried = { 0 };
        int err = options_parse(trial->options, strlen(trial->options), &tried);

        for (size_t i = 0; i < ARRAY_SIZE(names) && err == 0; i++) {
                cleanup(text_done) struct text t = { 0 };
                cleanup_free char *word = NULL;

                text_add(&t, "%s=%s", names[i], options_value(&tried, names[i]));
                word = text_take(&t);
                err = word ? recommend_set(r, word) : -ENOMEM;
                if (err == 0 && source_to_edit(c->o, names[i]))
                        err = recommend_drop_option(r, c->o, names[i]);
        }
        return err < 0 ? err : recommend_place(r, c);
}

static int write_stall_evidence(const struct rule_context *c, const struct direction d[static DIRECTION_COUNT],
                                const struct stalls *s, struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        add_stalls(&t, s);
        text_add(&t, "; the mount uses ");
        for (size_t i = 0; i < DIRECTION_COUNT; i++) {
                text_add_size(&t, d[i].effective_bytes);
                text_add(&t, " for %s%s", d[i].noun, i == DIRECTION_READ ? " and " : "");
        }
        text_add_sharers(&t, c->o);
        return recommend_words(&r->evidence, &t);
}

static int write_stall_words(const struct rule_context *c, const struct trial_facts *trial, struct recommendation *r)
{
        static const char keep[] =
                "keep the present sizes if long sequential transfers matter more here than what the trial ran: they "
                "need more calls with smaller ones";
        cleanup(text_done) struct text summary = { 0 };

        text_add(&summary, "large transfers stall here; ");
        text_add_joined(&summary, r->set, r->n_set);
        text_add(&summary, " was faster");
        if (recommend_words(&r->summary, &summary) < 0 || recommend_sentence(&r->keep, keep) < 0 ||
            write_trial_gain(trial, r) < 0)
                return -ENOMEM;
        return recommend_replace_risk(r, c, "smaller sizes hide a network or a server that loses large requests, they "
                                            "do not mend it");
}

int rule_large_io_stall(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct stalls stalls = stalls_seen(&c->o->probe);
        struct direction d[DIRECTION_COUNT];
        struct size_trials trials;

        directions_read(c->o, &c->effective, d);
        if (stalls.n == 0 || KEEPS(c, "rsize", "wsize") ||
            MAX(d[DIRECTION_READ].effective_bytes, d[DIRECTION_WRITE].effective_bytes) <= OLD_HABIT_BYTES)
                return VERDICT_QUIET;
        if (size_trials_read(c->o, d, &trials) < 0)
                return -ENOMEM;
        if (!trials.smaller)
                return cannot_tell_stall(c, &stalls, ret);
        r->confidence = CONFIDENCE_MEASURED;
        r->method = METHOD_REPLACE;
        r->automatic = true;
        if (set_sizes(c, trials.smaller, r) < 0 || write_stall_evidence(c, d, &stalls, r) < 0 ||
            write_stall_words(c, trials.smaller, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}
