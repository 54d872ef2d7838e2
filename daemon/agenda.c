/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dates of each superblock; policy/schedule.h computes them. */
#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "daemon/agenda.h"
#include "daemon/probing.h"
#include "policy/evaluate.h"
#include "policy/schedule.h"

/* Until a superblock's old child, or the crowd before it, is gone. */
#define RETRY_USEC USEC_PER_SEC

/* A mount that is not to be asked is judged by what files say, at once. */
static void welcome(struct core *c, struct mountstate *s)
{
        s->ask_due = probe_may_ask(s->observation, c->params);
        s->answered = s->probed = !s->ask_due;
        s->ask_usec = core_now(c);
        s->first_probe_usec = schedule_first(core_now(c), c->params->spread_usec, core_random(c));
        s->next_probe_usec = s->first_probe_usec;
}

void agenda_welcome(struct core *c)
{
        for (size_t i = 0; i < c->host.n_states; i++)
                if (c->host.states[i]->next_probe_usec == 0)
                        welcome(c, c->host.states[i]);
}

void agenda_reloaded(struct core *c)
{
        usec_t now = core_now(c);

        for (size_t i = 0; i < c->host.n_states; i++) {
                struct mountstate *s = c->host.states[i];
                const struct observation *o = s->observation;
                usec_t next = schedule_next(now, c->params->interval_usec, core_random(c));

                /* probe = off came or went: then the first questions are due, or none ever. */
                if (!s->answered || !probe_may_ask(o, c->params) || o->server.null_answer == ANSWER_UNTRIED)
                        welcome(c, s);
                else if (o->probe.state == PROBE_PASSIVE && probe_may_write(o, c->params, NULL))
                        next = schedule_first(now, c->params->spread_usec, core_random(c));
                s->next_probe_usec = MIN(s->next_probe_usec, next);
        }
}

static void log_not_started(const struct core *c, const struct mountstate *s, int r)
{
        journal_log(&c->options->journal, LOG_WARNING, "%s: nfstuned-probe cannot be started: %s",
                    s->observation->mount.target, strerror(-r));
}

static void start_ask(struct core *c, struct mountstate *s)
{
        int r = probing_start(c, s, PROBING_ASK);

        if (r == -EAGAIN || r == -EBUSY) {
                s->ask_usec = core_now(c) + RETRY_USEC;
                return;
        }
        s->ask_due = false;
        if (r < 0) {
                log_not_started(c, s, r);
                s->answered = true;
        }
}

/* A silent server is asked in each round whether it is back; its recovery makes
 * a new date. */
static void start_probe(struct core *c, struct mountstate *s)
{
        usec_t now = core_now(c);
        int r = 0;

        if (probe_may_ask(s->observation, c->params) && s->liveness.verdict != LIVENESS_UNRESPONSIVE)
                r = probing_start(c, s, PROBING_FULL);
        if (r == -EAGAIN || r == -EBUSY) {
                s->next_probe_usec = now + RETRY_USEC;
                return;
        }
        s->next_probe_usec = schedule_next(now, c->params->interval_usec, core_random(c));
        if (r < 0)
                log_not_started(c, s, r);
}

void agenda_start_due(struct core *c)
{
        usec_t now = core_now(c);

        for (size_t i = 0; i < c->host.n_states; i++) {
                struct mountstate *s = c->host.states[i];

                if (s->ask_due && s->ask_usec <= now)
                        start_ask(c, s);
                else if (!s->ask_due && s->next_probe_usec <= now)
                        start_probe(c, s);
        }
}

usec_t agenda_next_usec(const struct core *c)
{
        usec_t next = USEC_INFINITY;

        for (size_t i = 0; i < c->host.n_states; i++) {
                const struct mountstate *s = c->host.states[i];

                next = MIN(next, s->ask_due ? s->ask_usec : s->next_probe_usec);
        }
        return next;
}
