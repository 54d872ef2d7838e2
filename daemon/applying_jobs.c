/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One request to nfstuned-mount: what is in it, how long it may take, what came back. */
#include <errno.h>

#include "daemon/applying_parts.h"
#include "daemon/helpers.h"

/* The helper's own budget in a verification; its deadline leaves time for the staged mount. */
#define VERIFY_BUDGET_USEC (40 * USEC_PER_SEC)
/* Added to a superblock's key where a stuck child must not keep a change from being finished. */
#define BESIDE_STUCK (UINT64_C(1) << 62)

/* Outlives its task where that is given up. */
struct task_job {
        struct task *task;              /* NULL: nobody wants to know any more */
};

static enum apply_op op_of(const struct task *t)
{
        static const enum apply_op ops[TASK_STEP_COUNT] = {
                [TASK_LOOK] = APPLY_LOOK,       [TASK_REVEAL] = APPLY_REVEAL, [TASK_RECOVER] = APPLY_RECOVER,
                [TASK_VERIFY] = APPLY_VERIFY,   [TASK_PERSIST] = APPLY_PERSIST,
        };

        if (t->step == TASK_CHANGE)
                return t->staging.method == METHOD_LIVE ? APPLY_LIVE : APPLY_REPLACE;
        return ops[t->step];
}

static usec_t deadline_of(enum apply_op op)
{
        static const usec_t deadline_sec[APPLY_OP_COUNT] = {
                [APPLY_LOOK] = 15,    [APPLY_LIVE] = 30,   [APPLY_REPLACE] = 90, [APPLY_REVEAL] = 20,
                [APPLY_RECOVER] = 90, [APPLY_VERIFY] = 90, [APPLY_PERSIST] = 20,
        };

        return deadline_sec[op] * USEC_PER_SEC;
}

/* @ret borrows everything. */
static void fill_request(const struct task *t, enum apply_op op, struct apply_request *ret)
{
        const struct params *p = t->a->core->params;

        *ret = (struct apply_request){
                .op = op,
                .mount = t->mount,
                .staging = t->staging,
                .busy = t->busy,
                .rollback = t->back,
                .by_hand = t->by_hand,
                .persist = t->persist,
                .may_write = t->may_write,
                .want_users = t->by_hand,
                .user = p->probe_user,
                .directory = p->probe_directory,
        };
        if (op == APPLY_VERIFY)
                ret->budget_usec = VERIFY_BUDGET_USEC;
        if (op != APPLY_PERSIST)
                return;
        ret->edits = t->edits;
        ret->n_edits = t->n_edits;
        ret->dry_run = t->dry_run;
}

static void take_answer(struct task *t, const char *text, size_t n)
{
        struct apply_answer answer = { 0 };
        cleanup_free char *error = NULL;

        if (apply_answer_from_json(text, n, &answer, &error) == 0)
                steps_answered(t, &answer);
        else
                steps_lost(t, error ? error : "the answer of nfstuned-mount cannot be used");
        apply_answer_done(&answer);
}

static void on_done(void *userdata, enum job_end end, const char *answer, size_t n, const char *words)
{
        struct task_job *j = userdata;
        struct task *t = j->task;

        free(j);
        if (!t)
                return;
        t->job = NULL;
        if (t->a->core->stopping)       /* its record tells the next start what to do */
                return;
        if (n > 0 && answer[n - 1] == '\n')     /* without its newline it may be half an answer */
                take_answer(t, answer, n);
        else if (end == JOB_DEADLINE)
                steps_lost(t, "nfstuned-mount did not come back in time");
        else
                steps_lost(t, words ? words : "nfstuned-mount said nothing");
}

/* Something was changed already. */
static bool must_end(const struct task *t)
{
        return t->step != TASK_LOOK && (t->step != TASK_CHANGE || t->back);
}

static int start(struct task *t, const char *request, enum apply_op op)
{
        const struct applying *a = t->a;
        struct job job = { .key = host_key(t->mount.device), .request = request, .deadline_usec = deadline_of(op),
                           .done = on_done };
        int r;

        t->job = calloc(1, sizeof(*t->job));
        if (!t->job)
                return -ENOMEM;
        t->job->task = t;
        job.userdata = t->job;
        if (must_end(t) && pool_is_stuck(a->core->pool, job.key) && t->blocked_usec &&
            core_now(a->core) - t->blocked_usec >= a->pace.patience_usec)
                job.key |= BESIDE_STUCK;
        r = helpers_start_mount(a->core, &job);
        if (r < 0)
                free(TAKE(t->job));
        return r;
}

int jobs_start(struct task *t)
{
        enum apply_op op = op_of(t);
        struct apply_request request;
        cleanup_free char *text = NULL;

        fill_request(t, op, &request);
        text = apply_request_to_json(&request);
        return text ? start(t, text, op) : -ENOMEM;
}

void jobs_forget(struct task *t)
{
        if (t->job)
                t->job->task = NULL;
        t->job = NULL;
}
