/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/liveness.c - is a mount's server answering? See liveness.h.
 *
 * What a reading tells. The transport counts what was sent and what was
 * received; the difference is the requests outstanding, plus every
 * retransmission there ever was. That remainder is idle_gap, and it is learned
 * only when something else says that nothing is outstanding: a first reading, a
 * NULL call that is answered while the counters stand still, or (where NULL
 * cannot be asked) a quiet interval right after one with replies.
 *
 * A reading is silent when requests that were outstanding at the reading before
 * got no reply since: a request caught in flight is never enough.
 */
#include "policy/liveness.h"

#include "policy/text.h"

/* With a failed NULL call one silent interval is the second witness; alone the
 * counters have to say it three times. */
#define SILENT_WITH_NULL 1
#define SILENT_ALONE 3

/* One reading can fall between a slow renewal and its reply. */
#define EXPIRED_READINGS 2

/* Before the counters may say that a server is back which NULL calls cannot reach. */
#define PROGRESS_OVER_NULL 3

static bool counters_alone(const struct liveness_state *s)
{
        return s->null_impossible || s->null_contradicted;
}

static bool is_doubtful(const struct liveness_state *s)
{
        return s->silent_readings >= SILENT_WITH_NULL || s->expired_readings >= EXPIRED_READINGS || s->child_stuck;
}

static bool is_silent(const struct liveness_state *s)
{
        if (counters_alone(s))
                return s->silent_readings >= SILENT_ALONE || s->expired_readings >= EXPIRED_READINGS;
        return s->null_failed && is_doubtful(s);
}

static enum liveness_change set_verdict(struct liveness_state *s, enum liveness verdict, usec_t now_usec)
{
        enum liveness before = s->verdict;

        if (verdict == before)
                return LIVENESS_SAME;
        s->verdict = verdict;
        s->since_usec = now_usec;
        if (verdict == LIVENESS_UNRESPONSIVE)
                return LIVENESS_WENT_SILENT;
        return before == LIVENESS_UNRESPONSIVE ? LIVENESS_CAME_BACK : LIVENESS_SAME;
}

static enum liveness_change judge_silence(struct liveness_state *s, usec_t now_usec)
{
        return is_silent(s) ? set_verdict(s, LIVENESS_UNRESPONSIVE, now_usec) : LIVENESS_SAME;
}

static enum liveness_change judge_progress(struct liveness_state *s, usec_t now_usec)
{
        if (s->null_failed && !counters_alone(s))
                return LIVENESS_SAME;
        return set_verdict(s, LIVENESS_ALIVE, now_usec);
}

static uint64_t gap(uint64_t sends, uint64_t receives)
{
        return sends > receives ? sends - receives : 0;
}

/* Replies after a failed NULL call: those of the interval in which it failed
 * may have come before it. */
static void weigh_null(struct liveness_state *s, bool progress)
{
        bool fresh = s->null_is_fresh;

        s->null_is_fresh = false;
        if (!s->null_failed || fresh)
                return;
        s->progress_readings = progress ? s->progress_readings + 1 : 0;
        if (s->progress_readings >= (s->verdict == LIVENESS_UNRESPONSIVE ? PROGRESS_OVER_NULL : 1))
                s->null_contradicted = true;
}

static void remember(struct liveness_state *s, const struct transport_counters *t)
{
        s->last_sends = t->sends;
        s->last_receives = t->receives;
        s->last_connects = t->connects;
        s->idle_gap = MIN(s->idle_gap, gap(t->sends, t->receives));
}

/* The first reading, or the client was set up anew: what is missing in it is history. */
static void start_over(struct liveness_state *s, const struct transport_counters *t)
{
        s->have_counters = true;
        s->silent_readings = 0;
        s->after_replies = false;
        s->idle_gap = gap(t->sends, t->receives);
        remember(s, t);
}

static bool went_backwards(const struct liveness_state *s, const struct transport_counters *t)
{
        return t->sends < s->last_sends || t->receives < s->last_receives || t->connects < s->last_connects;
}

/* Replies prove more than a lease that somebody failed to renew. */
static void read_lease(struct liveness_state *s, const struct counters *c, bool progress)
{
        if (!progress && c->lease_known && c->lease_expired_sec > 0)
                s->expired_readings++;
        else
                s->expired_readings = 0;
}

static void read_silence(struct liveness_state *s, const struct transport_counters *t)
{
        bool quiet = t->sends == s->last_sends && t->connects == s->last_connects;

        if (counters_alone(s) && quiet && s->after_replies)
                s->idle_gap = gap(s->last_sends, s->last_receives);
        s->after_replies = false;
        if (gap(s->last_sends, s->last_receives) <= s->idle_gap)
                s->silent_readings = 0;
        else if (t->connects == s->last_connects)
                s->silent_readings++;
        /* else: a connection was made, somebody is there; the requests were sent again and may be answered */
}

enum liveness_change liveness_counters(struct liveness_state *s, const struct counters *c, usec_t now_usec)
{
        const struct transport_counters *t = &c->transport;
        bool progress;

        if (!c->known)
                return LIVENESS_SAME;
        progress = s->have_counters && t->receives > s->last_receives;
        read_lease(s, c, progress);
        if (!s->have_counters || went_backwards(s, t)) {
                start_over(s, t);
                return judge_silence(s, now_usec);
        }
        weigh_null(s, progress);
        if (progress) {
                s->silent_readings = 0;
                s->after_replies = true;
        } else {
                read_silence(s, t);
        }
        remember(s, t);
        return progress ? judge_progress(s, now_usec) : judge_silence(s, now_usec);
}

/* The server answers: whatever stood against it is history. */
static enum liveness_change null_answered(struct liveness_state *s, usec_t now_usec)
{
        if (s->silent_readings > 0)
                s->idle_gap = gap(s->last_sends, s->last_receives);
        s->silent_readings = 0;
        s->expired_readings = 0;
        s->child_stuck = false;
        s->null_failed = false;
        s->null_impossible = false;
        s->null_contradicted = false;
        s->null_is_fresh = false;
        s->progress_readings = 0;
        return set_verdict(s, LIVENESS_ALIVE, now_usec);
}

static enum liveness_change null_went_unanswered(struct liveness_state *s, usec_t now_usec)
{
        if (!s->null_failed) {
                s->null_is_fresh = true;
                s->progress_readings = 0;
        }
        s->null_failed = true;
        s->null_impossible = false;
        return judge_silence(s, now_usec);
}

enum liveness_change liveness_null(struct liveness_state *s, enum answer a, usec_t now_usec)
{
        switch (a) {
        case ANSWER_OK:
                return null_answered(s, now_usec);
        case ANSWER_NONE:
        case ANSWER_NOT_NFS:
                return null_went_unanswered(s, now_usec);
        case ANSWER_IMPOSSIBLE:
                s->null_failed = false;
                s->null_impossible = true;
                return judge_silence(s, now_usec);
        case ANSWER_UNTRIED:
        case ANSWER_COUNT:
                break;
        }
        return LIVENESS_SAME;
}

enum liveness_change liveness_child(struct liveness_state *s, bool stuck, usec_t now_usec)
{
        s->child_stuck = stuck;
        return judge_silence(s, now_usec);
}

bool liveness_wants_null(const struct liveness_state *s)
{
        return !s->null_impossible && (s->verdict == LIVENESS_UNRESPONSIVE || is_doubtful(s));
}

static void add_separator(struct text *t)
{
        if (t->length_bytes > 0)
                text_add(t, "; ");
}

char *liveness_words(const struct liveness_state *s, usec_t now_usec)
{
        cleanup(text_done) struct text t = { 0 };

        if (s->null_failed)
                text_add(&t, "NULL call unanswered");
        else if (s->null_impossible)
                text_add(&t, "NULL calls are impossible here, the counters decide");
        if (s->silent_readings > 0) {
                add_separator(&t);
                text_add(&t, "%u readings without a reply while requests are outstanding", s->silent_readings);
        }
        if (s->expired_readings > 0) {
                add_separator(&t);
                text_add(&t, "the lease is expired in %u readings", s->expired_readings);
        }
        if (s->child_stuck) {
                add_separator(&t);
                text_add(&t, "a process that touched the mount did not come back");
        }
        if (s->verdict == LIVENESS_UNRESPONSIVE && now_usec > s->since_usec) {
                add_separator(&t);
                text_add(&t, "for ");
                text_add_usec(&t, now_usec - s->since_usec);
        }
        return text_take(&t);
}
