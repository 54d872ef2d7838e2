/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From observation to journal, one superblock at a time. */
#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "daemon/probing.h"
#include "daemon/round.h"
#include "policy/evaluate.h"

void round_liveness(struct core *c, struct mountstate *s, enum liveness_change change)
{
        const struct journal *j = &c->options->journal;
        struct observation *o = s->observation;
        usec_t now = core_now(c);

        o->liveness = s->liveness.verdict;
        free(TAKE(o->liveness_witnesses));
        if (o->liveness == LIVENESS_UNRESPONSIVE)
                o->liveness_witnesses = liveness_words(&s->liveness, now);      /* without memory: no words */
        if (change == LIVENESS_WENT_SILENT) {
                s->silent_since_usec = now;
                if (!c->options->once)
                        journal_unresponsive(j, o, c->round);
        } else if (change == LIVENESS_CAME_BACK) {
                if (!c->options->once)
                        journal_recovered(j, o, now - s->silent_since_usec, c->round);
                s->silent_since_usec = 0;
                /* It may have come back with other limits. */
                mountstate_forget_limits(s);
                s->next_probe_usec = now + core_random(c) % RECOVERY_SPREAD_USEC;
        }
}

/* Busy or too many: the next round asks again. */
static void ask_whether_alive(struct core *c, struct mountstate *s)
{
        int r = probing_start(c, s, PROBING_NULL);

        if (r < 0 && r != -EBUSY && r != -EAGAIN)
                journal_log(&c->options->journal, LOG_WARNING, "%s: nfstuned-probe cannot be started: %s",
                            s->observation->mount.target, strerror(-r));
}

void round_take_counters(struct core *c, usec_t apart_usec)
{
        usec_t now = core_now(c);

        for (size_t i = 0; i < c->host.n_states; i++) {
                struct mountstate *s = c->host.states[i];

                if (s->have_reading && now - s->reading_usec < apart_usec)
                        continue;
                mountstate_take_reading(s, now);
                round_liveness(c, s, liveness_counters(&s->liveness, &s->observation->counters, now));
                if (!c->options->once && liveness_wants_null(&s->liveness) &&
                    probe_may_ask(s->observation, c->params))
                        ask_whether_alive(c, s);
        }
}

static void log_news(const struct core *c, const struct mountstate *s, const struct news_item *n)
{
        const struct journal *j = &c->options->journal;

        if (n->kind == NEWS_RESOLVED)
                journal_resolved(j, s->observation, n->rule, c->round);
        else
                journal_recommendation(j, s->observation, n->recommendation, &s->advice.plan, c->round);
}

void round_judge(struct core *c, struct mountstate *s)
{
        struct news_item news[RULE_COUNT];
        struct advice advice = { 0 };
        usec_t now = core_now(c);
        size_t n;

        if (!c->options->once)
                mountstate_remember_probe(s);
        s->observation->async_export_stands = s->ledger.entry[RULE_ASYNC_EXPORT].standing;
        if (evaluate(s->observation, c->params, now, &advice) < 0) {
                journal_log(&c->options->journal, LOG_ERR, "%s: not judged: out of memory",
                            s->observation->mount.target);
                return;
        }
        advice_done(&s->advice);
        s->advice = advice;
        s->judged = true;
        if (c->options->once)
                return;
        n = ledger_update(&s->ledger, &s->advice, now, news);
        for (size_t i = 0; i < n; i++)
                log_news(c, s, &news[i]);
}

static bool has_standing(const struct ledger *l)
{
        for (size_t i = 0; i < RULE_COUNT; i++)
                if (l->entry[i].standing)
                        return true;
        return false;
}

struct round_summary round_summarize(const struct core *c)
{
        struct round_summary r = { .all_probed = true };

        for (size_t i = 0; i < c->host.n_states; i++) {
                const struct mountstate *s = c->host.states[i];

                r.n_judged += s->judged;
                r.n_with_advice += has_standing(&s->ledger);
                r.n_unresponsive += s->liveness.verdict == LIVENESS_UNRESPONSIVE;
                r.all_probed = r.all_probed && s->judged && s->probed;
        }
        return r;
}
