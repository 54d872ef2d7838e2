/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of tasks, and the life of one. */
#include <string.h>

#include "daemon/applying_parts.h"

struct task *task_new(struct applying *a, const struct mount_facts *mount)
{
        struct task **at = &a->tasks, *t = calloc(1, sizeof(*t));

        if (!t || mount_facts_copy(mount, &t->mount) < 0) {
                free(t);
                return NULL;
        }
        t->a = a;
        while (*at)
                at = &(*at)->next;
        *at = t;
        return t;
}

static void task_unlink(struct task *t)
{
        struct task **at = &t->a->tasks;

        while (*at && *at != t)
                at = &(*at)->next;
        if (*at)
                *at = t->next;
        if (t->a->turn == t)
                t->a->turn = NULL;
}

static void free_answers(struct task *t)
{
        struct apply_answer a = { .users = t->users, .n_users = t->n_users, .backups = t->backups,
                                  .n_backups = t->n_backups };

        apply_answer_done(&a);
}

void task_free(struct task *t)
{
        if (!t)
                return;
        jobs_forget(t);
        task_unlink(t);
        mount_facts_done(&t->mount);
        staging_done(&t->staging);
        source_edits_free(t->edits, t->n_edits);
        free_answers(t);
        free(t->sharers);
        free(t->rules);
        free(t->plan_text);
        free(t->fstab);
        free(t->edits_words);
        free(t->notes);
        free(t->why);
        free(t->diff);
        free(t);
}

struct task *task_find(const struct applying *a, const struct mount_facts *m)
{
        for (struct task *t = a->tasks; t; t = t->next)
                if (device_equal(t->mount.device, m->device) || strcmp(t->mount.target, m->target) == 0)
                        return t;
        return NULL;
}

static void prepare(struct task *t, enum task_step step, usec_t when_usec)
{
        if (t->step != step)
                t->tries = 0;
        t->step = step;
        t->when_usec = when_usec;
        applying_arm(t->a);
}

void task_next(struct task *t, enum task_step step)
{
        prepare(t, step, 0);
}

void task_park(struct task *t, enum task_step step)
{
        const struct applying_pace *p = &t->a->pace;
        usec_t now = core_now(t->a->core);

        if (t->since_usec == 0)
                t->since_usec = now;
        if (t->a->turn == t)
                t->a->turn = NULL;
        prepare(t, step, now + (now - t->since_usec < p->quick_for_usec ? p->quick_usec : p->slow_usec));
}

void task_report(struct task *t, const char *end, const char *words)
{
        cleanup_free char *json = NULL;
        apply_outcome_fn *done = t->done;
        struct apply_outcome o = { .end = end, .words = words ? words : "" };

        if (!done)
                return;
        t->done = NULL;
        json = story_json(t, t->mount.target, end, words, t->refusal);
        o.json = json ? json : "";
        done(t->userdata, &o);
}

void task_end(struct task *t, const char *end, const char *words)
{
        struct applying *a = t->a;

        task_report(t, end, words);
        if (!t->dry_run)
                applying_tell(a, t->mount.target, end, words);
        task_free(t);
        applying_arm(a);
}

bool task_needs_turn(const struct task *t)
{
        return t->step != TASK_REVEAL && t->step != TASK_RECOVER;
}

enum applying_state task_state(const struct task *t)
{
        if (t->waiting)
                return APPLYING_WAITING;
        switch (t->step) {
        case TASK_REVEAL:
                return APPLYING_ARMED;
        case TASK_VERIFY:
        case TASK_PERSIST:
                return t->dry_run ? APPLYING_IDLE : APPLYING_VERIFYING;
        default:
                if (t->dry_run)
                        return APPLYING_IDLE;
                return t->back ? APPLYING_ROLLING_BACK : APPLYING_CHANGING;
        }
}
