/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an administrator wants to know of a mount at a glance. See control_words.h. */

#include "daemon/control_words.h"

#include <string.h>

#include "daemon/utf8.h"
#include "policy/recommend.h"

struct control_count control_count(const struct advice *a)
{
        struct control_count n = {};

        for (size_t i = 0; a && i < a->n_recommendations; i++)
                if (a->recommendations[i].question)
                        n.questions++;
                else
                        n.recommendations++;
        return n;
}

const char *control_state(const struct control_mount *m)
{
        if (m->observation->liveness == LIVENESS_UNRESPONSIVE)
                return "unresponsive";
        if (m->activity)
                return m->activity;
        if (!m->advice)
                return "new";
        return m->advice->n_recommendations > 0 ? "advice" : "ok";
}

/* "nfstunectl apply /data" */
static void add_command(struct text *t, const char *command, const struct control_mount *m)
{
        cleanup(text_done) struct text word = {};

        text_add_shell_word(&word, m->observation->mount.target);
        text_add(t, "nfstunectl %s ", command);
        text_add_printable(t, word.data);
}

/* While something is being done: waiting for the end, or for the users to leave. */
static void add_activity(struct text *t, const struct control_mount *m)
{
        if (strcmp(m->activity, "armed") == 0) {
                text_add(t, "the new options hold as soon as nobody uses the old mount; who does: ");
                add_command(t, "apply --dry-run", m);
        } else if (strcmp(m->activity, "waiting") == 0) {
                text_add(t, "nothing: it is changed as soon as it may be");
                if (m->refusal_words) {
                        text_add(t, " (");
                        text_add_printable(t, m->refusal_words);
                        text_add(t, ")");
                } else {
                        text_add(t, ": it is in use; by whom: ");
                        add_command(t, "apply --dry-run", m);
                }
        } else {
                text_add(t, "nothing: a change is under way");
        }
}

/* Will automatic mode do it? */
static bool is_automatic(const struct control_mount *m)
{
        return m->mode == MODE_AUTO_REMOUNT && m->advice->plan.automatic && !m->refusal;
}

static void add_plan(struct text *t, const struct control_mount *m)
{
        const struct plan *p = &m->advice->plan;

        if (is_automatic(m)) {
                text_add(t, "nothing: it will be changed by itself");
        } else if ((p->method == METHOD_LIVE || p->method == METHOD_REPLACE) && !m->refusal_by_hand) {
                add_command(t, "apply", m);
                text_add(t, "; why: ");
                add_command(t, "advice", m);
        } else {
                add_command(t, "advice", m);
                text_add(t, " shows the new line");
        }
}

static void add_advice(struct text *t, const struct control_mount *m)
{
        struct control_count n = control_count(m->advice);

        if (m->advice->plan.exists) {
                add_plan(t, m);
        } else if (n.recommendations > 0) {
                add_command(t, "advice", m);
        } else if (n.questions > 0) {
                text_add(t, "answer %s: ", n.questions == 1 ? "a question" : "questions");
                add_command(t, "advice", m);
        }
}

void control_add_todo(struct text *t, const struct control_mount *m)
{
        if (m->observation->liveness == LIVENESS_UNRESPONSIVE) {
                text_add(t, "the server does not answer: ");
                add_command(t, "advice", m);
        } else if (m->activity) {
                add_activity(t, m);
        } else if (m->advice) {
                add_advice(t, m);
        }
}
