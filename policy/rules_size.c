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

/* "rsize=32768,wsize=32768" */
static void add_drops(struct text *t, const struct recommendation *r)
{
        for (size_t i = 0; i < r->n_drop; i++)
                text_add(t, "%s%s", i > 0 ? "," : "", r->drop[i]);
}

static void add_limit(struct text *t, const struct rule_context *c, const struct direction *d)
{
        if (d->limit_bytes == 0) {
                text_add(t, "the server's limit for %s is not known", d->noun);
                if (c->o->server.limit_detail)
                        text_add(t, " (%s)", c->o->server.limit_detail);
                return;
        }
        text_add(t, "the server offers ");
        text_add_size(t, d->limit_bytes);
        text_add(t, " for %s (%s)", d->noun, limit_source_name(c->o->server.limit_source));
        if (d->offer_bytes > 0 && d->offer_bytes < d->limit_bytes) {
                text_add(t, ", of which this client uses at most ");
                text_add_size(t, d->offer_bytes);
        }
}

/* "fstab line 7 asks for rsize=32768; the mount uses 32 KiB for reads; the server offers 1 MiB for reads (fsinfo)" */
static void add_direction(struct text *t, const struct rule_context *c, const struct direction *d)
{
        if (t->length_bytes > 0)
                text_add(t, "; ");
        if (d->source) {
                const char *value = options_value(&d->source->options, d->name);

                text_add_source(t, d->source);
                text_add(t, " asks for %s=%s; ", d->name, value ? value : "");
        }
        text_add(t, "the mount uses ");
        text_add_size(t, d->effective_bytes);
        text_add(t, " for %s; ", d->noun);
        add_limit(t, c, d);
}

/* Only in evidence: where to look when nothing proves the origin. */
static void add_where_to_look(struct text *t, const struct recommendation *r)
{
        if (r->confidence == CONFIDENCE_POSSIBLE)
                text_add(t, "; nothing proves where the size comes from: look for it in fstab, .mount units, "
                            "nfsmount.conf, autofs maps, the kernel command line and volume definitions");
}

static int write_evidence(const struct rule_context *c, const struct direction d[static DIRECTION_COUNT],
                          const bool which[static DIRECTION_COUNT], struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        for (size_t i = 0; i < DIRECTION_COUNT; i++)
                if (which[i])
                        add_direction(&t, c, &d[i]);
        add_where_to_look(&t, r);
        text_add_sharers(&t, c->o);
        return recommend_words(&r->evidence, &t);
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

static struct judgement direction_is_stale(const struct rule_context *c, const struct direction *d)
{
        if (d->effective_bytes == 0 || d->effective_bytes >= d->cap_bytes || d->session_limited ||
            mount_params_keeps(c->mount_params, d->name))
                return quiet;
        if (d->offer_bytes > 0) {
                if (!d->below_offer)
                        return quiet;
                return fires(d->explained ? CONFIDENCE_CONFIGURED : CONFIDENCE_OBSERVED);
        }
        if (d->explained)
                return fires(d->effective_bytes <= OLD_HABIT_BYTES ? CONFIDENCE_CONFIGURED : CONFIDENCE_POSSIBLE);
        /* It got less than it asked for: that is the server's or a session's doing, as far as one can see. */
        if (d->asked_more || c->o->mount.read_only || d->effective_bytes > OLD_HABIT_BYTES)
                return unknown;
        return fires(CONFIDENCE_POSSIBLE);
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

        add_drops(&t, r);
        if (first->offer_bytes > 0) {
                text_add(&t, " pins the transfer size below the ");
                text_add_size(&t, first->offer_bytes);
                text_add(&t, " the server offers");
        } else {
                text_add(&t, r->confidence == CONFIDENCE_POSSIBLE ? " may pin the transfer size at "
                                                                   : " pins the transfer size at ");
                text_add_size(&t, first->effective_bytes);
        }
        return recommend_words(&r->summary, &t);
}

/* The first story's own finding: no promise for what it was about. */
static const char stale_risk[] =
        "the gain is not measured; for small sequential writes dropping the sizes alone changes nothing, it is large "
        "reads and writes that need fewer calls; keep the sizes if large transfers stalled on this network before; "
        "the change needs an unmount, so programs have to leave the mount";

int rule_stale_io_size(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct direction d[DIRECTION_COUNT];
        struct judgement f[DIRECTION_COUNT];
        bool dropped[DIRECTION_COUNT], any = false;

        directions_read(c->o, &c->effective, d);
        for (size_t i = 0; i < DIRECTION_COUNT; i++) {
                f[i] = direction_is_stale(c, &d[i]);
                if (f[i].verdict == VERDICT_FIRES) {
                        any = true;
                        r->confidence = MAX(r->confidence, f[i].confidence);
                }
        }
        if (!any)
                return f[0].verdict == VERDICT_QUIET && f[1].verdict == VERDICT_QUIET ? VERDICT_QUIET
                                                                                     : cannot_tell_limit(c, ret);
        choose_stale(d, f, r->confidence, dropped);
        r->method = METHOD_REPLACE;
        r->automatic = true;
        if (drop_directions(c, d, dropped, r) < 0 || write_evidence(c, d, dropped, r) < 0 ||
            write_stale_summary(d, f, r) < 0 || recommend_sentence(&r->risk, stale_risk) < 0)
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

static struct judgement sizes_mismatch(const struct rule_context *c, const struct direction *r, const struct direction *w)
{
        const struct direction *small = r->effective_bytes < w->effective_bytes ? r : w;
        const struct direction *large = small == r ? w : r;

        if (r->effective_bytes == 0 || w->effective_bytes == 0 || !differ(r->effective_bytes, w->effective_bytes) ||
            r->session_limited || w->session_limited || mount_params_keeps(c->mount_params, r->name) ||
            mount_params_keeps(c->mount_params, w->name))
                return quiet;
        if (r->offer_bytes > 0 && w->offer_bytes > 0) {
                if (r->offer_bytes != w->offer_bytes || !small->below_offer)
                        return quiet;
                return fires(pins(small) ? CONFIDENCE_CONFIGURED : CONFIDENCE_OBSERVED);
        }
        if (pins(small))
                return fires(CONFIDENCE_CONFIGURED);
        /* It asked for more than it got: the server's limits differ, as far as one can see. */
        if (small->asked_more || (small->source && large->asked_more))
                return unknown;
        return fires(CONFIDENCE_POSSIBLE);
}

static int write_mismatch_words(const struct rule_context *c, const struct direction d[static DIRECTION_COUNT],
                                struct recommendation *r)
{
        static const char risk[] =
                "the gain is not measured: two different sizes tend to be worse than equal ones; keep them if they "
                "were measured on this network; the change needs an unmount, so programs have to leave the mount";
        const bool both[DIRECTION_COUNT] = { true, true };
        cleanup(text_done) struct text summary = { 0 };

        text_add(&summary, "the transfer size is ");
        text_add_size(&summary, d[DIRECTION_READ].effective_bytes);
        text_add(&summary, " for reads and ");
        text_add_size(&summary, d[DIRECTION_WRITE].effective_bytes);
        text_add(&summary, " for writes, %s",
                 r->confidence == CONFIDENCE_POSSIBLE ? "perhaps pinned" : "pinned and not the server's doing");
        if (recommend_words(&r->summary, &summary) < 0 || recommend_sentence(&r->risk, risk) < 0)
                return -ENOMEM;
        return write_evidence(c, d, both, r);
}

int rule_io_size_mismatch(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct direction d[DIRECTION_COUNT];
        struct judgement f;

        directions_read(c->o, &c->effective, d);
        f = sizes_mismatch(c, &d[DIRECTION_READ], &d[DIRECTION_WRITE]);
        if (f.verdict == VERDICT_CANNOT_TELL)
                return cannot_tell_limit(c, ret);
        if (f.verdict == VERDICT_QUIET)
                return VERDICT_QUIET;
        r->confidence = f.confidence;
        r->method = METHOD_REPLACE;
        r->automatic = true;
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
        for (size_t i = 0; i < DIRECTION_COUNT; i++)
                below[i] = d[i].limit_bytes > 0 && d[i].effective_bytes > d[i].limit_bytes;
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

int rule_large_io_stall(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}
