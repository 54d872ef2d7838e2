/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One job: its request, its deadline, its answer. */
#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "daemon/helpers.h"
#include "daemon/probing.h"
#include "daemon/round.h"
#include "daemon/stage_request.h"
#include "policy/evaluate.h"
#include "policy/text.h"
#include "probe/observation_json.h"
#include "probe/request.h"

/* Beyond the budgets the helper was given: its start, and for the workloads
 * their closing, reading back and unlinking. */
#define ASK_GRACE_USEC   (2 * USEC_PER_SEC)
#define WRITE_GRACE_USEC (5 * USEC_PER_SEC)
/* Added to a superblock's key; device numbers leave it free. */
#define BESIDE_STUCK (UINT64_C(1) << 63)
/* A killed child that can die is gone by then, on a loaded host too. */
#define DYING_USEC (2 * USEC_PER_SEC)

/* Outlives its superblock's state when that is unmounted meanwhile. */
struct probing_job {
        struct core *core;
        uint64_t key;
        uint64_t generation;
        enum probing_kind kind;
        usec_t deadline_usec;
};

static void free_job(struct probing_job **j)
{
        free(*j);
}

static int start_stage(struct core *c, struct mountstate *s, enum probing_kind kind);

bool probing_may_write(const struct core *c, const struct mountstate *s, char **ret_reason)
{
        cleanup(text_done) struct text words = { 0 };
        const char *reason = NULL;

        *ret_reason = NULL;
        if (c->options->passive)
                text_add(&words, "--passive was asked for");
        else if (!probe_may_write(s->observation, c->params, &reason))
                text_add(&words, "%s", reason ? reason : "not written to by default");
        else if (mountstate_is_busy(s))
                text_add(&words, "busy: %llu WRITE calls per second", (unsigned long long) s->writes_per_sec);
        else
                return true;
        *ret_reason = text_take(&words);
        return false;
}

static struct probing_job *job_new(struct core *c, const struct mountstate *s, enum probing_kind kind)
{
        struct probing_job *j = calloc(1, sizeof(*j));

        if (j)
                *j = (struct probing_job) { .core = c, .key = s->key, .generation = s->generation, .kind = kind };
        return j;
}

/* What the job was about, or NULL when nobody wants to know any more. */
static struct mountstate *job_state(const struct probing_job *j)
{
        return j->core->stopping ? NULL : host_find(&j->core->host, j->key, j->generation);
}

static void chain_ended(struct core *c, struct mountstate *s, enum probing_kind kind)
{
        s->answered = true;
        if (kind == PROBING_FULL)
                s->probed = true;
        c->ended(c, s, kind);
}

/* ---- what the helper said -------------------------------------------------- */

/* Into an observation of its own: a broken line must not leave half a part in the real one. */
static void read_parts(const struct core *c, const struct mountstate *s, const char *answer, size_t n,
                       struct observation *ret)
{
        const char *end = answer + n;

        for (const char *line = answer; line < end;) {
                const char *stop = memchr(line, '\n', (size_t) (end - line));
                cleanup_free char *error = NULL;

                /* Without its newline it may be half a line of a killed helper. */
                if (!stop)
                        return;
                if (stop > line && observation_apply_part(ret, line, (size_t) (stop - line), &error) < 0)
                        journal_log(&c->options->journal, LOG_WARNING, "%s: nfstuned-probe's answer cannot be used: %s",
                                    s->observation->mount.target, error ? error : "out of memory");
                line = stop + 1;
        }
}

static void apply_server(struct core *c, struct mountstate *s, struct server_facts *facts)
{
        enum answer answer = facts->null_answer;
        usec_t now = core_now(c);

        if (answer == ANSWER_UNTRIED)
                return;
        mountstate_take_server(s, facts, now);
        round_liveness(c, s, liveness_null(&s->liveness, answer, now));
}

/* @words: why the job failed, or NULL. */
static void apply_probe(struct core *c, struct mountstate *s, struct probe_result *result, const char *words,
                        enum probing_kind kind)
{
        if (result->state == PROBE_NONE) {
                if (kind == PROBING_FULL)
                        mountstate_set_probe(s, PROBE_SKIPPED, words ? words : "nfstuned-probe said nothing about it");
                return;
        }
        /* SKIPPED by the helper itself: where NULL failed it has asked the mount, and is back. */
        if (result->state == PROBE_ACTIVE || result->state == PROBE_SKIPPED)
                round_liveness(c, s, liveness_child(&s->liveness, false, core_now(c)));
        /* Questions alone must not replace an earlier probe's figures. */
        if (kind != PROBING_FULL)
                return;
        probe_result_done(&s->observation->probe);
        s->observation->probe = *result;
        *result = (struct probe_result) { 0 };
}

static void apply_stuck(struct core *c, struct mountstate *s, usec_t deadline_usec)
{
        cleanup(text_done) struct text words = { 0 };
        cleanup_free char *reason = NULL;

        text_add(&words, "nfstuned-probe did not come back within ");
        text_add_usec(&words, deadline_usec);
        reason = text_take(&words);
        mountstate_set_probe(s, PROBE_STUCK, reason);
        s->stuck_usec = core_now(c);
        round_liveness(c, s, liveness_child(&s->liveness, true, core_now(c)));
}

static void set_limit_detail(struct mountstate *s, const char *words)
{
        struct server_facts *f = &s->observation->server;

        free(f->limit_detail);
        f->limit_detail = strdup(words);        /* without memory: unknown without a reason */
}

static bool wants_stage(const struct mountstate *s, enum probing_kind kind)
{
        const struct server_facts *f = &s->observation->server;

        return kind != PROBING_NULL && f->limit_source == LIMIT_UNKNOWN &&
               (f->null_answer == ANSWER_OK || f->null_answer == ANSWER_IMPOSSIBLE) &&
               s->liveness.verdict != LIVENESS_UNRESPONSIVE;
}

/* Return: is one under way? */
static bool try_stage(struct core *c, struct mountstate *s, enum probing_kind kind)
{
        int r;

        if (!c->may_stage) {
                set_limit_detail(s, "the server did not tell it, and only root can try a private mount");
                return false;
        }
        r = start_stage(c, s, kind);
        if (r == 0)
                return true;
        set_limit_detail(s, "the server did not tell it, and nfstuned-mount could not be asked");
        journal_log(&c->options->journal, LOG_WARNING, "%s: nfstuned-mount cannot be asked: %s",
                    s->observation->mount.target, strerror(-r));
        return false;
}

static void on_probe_done(void *userdata, enum job_end end, const char *answer, size_t n, const char *words)
{
        cleanup(free_job) struct probing_job *j = userdata;
        cleanup(observation_done) struct observation parts = { 0 };
        struct mountstate *s = job_state(j);
        struct core *c = j->core;

        if (!s)
                return;
        if (end == JOB_FAILED)  /* NULL calls are repeated in each round: not worth a warning each */
                journal_log(&c->options->journal, j->kind == PROBING_NULL ? LOG_DEBUG : LOG_WARNING,
                            "%s: nfstuned-probe failed: %s", s->observation->mount.target, words);
        read_parts(c, s, answer, n, &parts);
        apply_server(c, s, &parts.server);
        if (end == JOB_DEADLINE)
                apply_stuck(c, s, j->deadline_usec);
        else
                apply_probe(c, s, &parts.probe, words, j->kind);
        if (end == JOB_DEADLINE || !wants_stage(s, j->kind) || !try_stage(c, s, j->kind))
                chain_ended(c, s, j->kind);
}

/* ---- what the staged mount said -------------------------------------------- */

static void apply_staged(struct core *c, struct mountstate *s, const char *answer, size_t n)
{
        struct stage_limits limits = { 0 };
        cleanup_free char *error = NULL;

        if (stage_answer_from_json(answer, n, &limits, &error) == 0)
                mountstate_take_staged(s, limits.rsize_bytes, limits.wsize_bytes, core_now(c));
        else
                set_limit_detail(s, error ? error : "nfstuned-mount's answer cannot be used");
        stage_limits_done(&limits);
}

static void on_stage_done(void *userdata, enum job_end end, const char *answer, size_t n, const char *words)
{
        cleanup(free_job) struct probing_job *j = userdata;
        struct mountstate *s = job_state(j);

        if (!s)
                return;
        if (n > 0 && answer[n - 1] == '\n')
                apply_staged(j->core, s, answer, n);
        else if (end == JOB_DEADLINE)
                set_limit_detail(s, "the private mount was not ready in time");
        else
                set_limit_detail(s, words ? words : "nfstuned-mount's answer has no end");
        chain_ended(j->core, s, j->kind);
}

/* ---- starting --------------------------------------------------------------- */

static int start_job(struct core *c, struct probing_job *owned, struct job *job,
                     int (*start)(const struct core *c, const struct job *job))
{
        cleanup(free_job) struct probing_job *j = owned;
        int r;

        j->deadline_usec = job->deadline_usec;
        job->userdata = j;
        r = start(c, job);
        if (r == 0)
                (void) TAKE(j);
        return r;
}

static int start_stage(struct core *c, struct mountstate *s, enum probing_kind kind)
{
        cleanup_free char *request = stage_request_to_json(&s->observation->mount);
        cleanup(free_job) struct probing_job *j = job_new(c, s, kind);
        struct job job = {
                .key = s->key,
                .request = request,
                .deadline_usec = STAGE_DEADLINE_USEC,
                .done = on_stage_done,
        };

        if (!request || !j)
                return -ENOMEM;
        return start_job(c, TAKE(j), &job, helpers_start_mount);
}

/* A NULL call that does not touch the mount may be made beside a stuck child: else
 * a child that waits uninterruptibly for a dead server would keep the other
 * witness away for as long as the server is dead. */
static bool is_beside_stuck(const struct core *c, const struct mountstate *s, enum probing_kind kind)
{
        return kind == PROBING_NULL && pool_is_stuck(c->pool, s->key) && core_now(c) - s->stuck_usec >= DYING_USEC;
}

static bool wants_deep_commit(const struct core *c, const struct mountstate *s)
{
        if (c->options->once)           /* --once promises a number of bytes */
                return false;
        return s->deep_commit_usec == 0 || core_now(c) - s->deep_commit_usec >= USEC_PER_DAY;
}

/* @ret borrows from the state and the parameters, but for the reason. */
static void fill_request(const struct core *c, const struct mountstate *s, enum probing_kind kind,
                         struct probe_request *ret)
{
        const struct params *p = c->params;

        *ret = (struct probe_request) {
                .mount = s->observation->mount,
                .ask_server = true,
                .ask_limits = kind != PROBING_NULL,
                .budget_bytes = p->probe_bytes,
                .budget_usec = p->probe_time_usec,
                .connect_timeout_usec = p->connect_timeout_usec,
                .user = p->probe_user,
                .directory = p->probe_directory,
        };
        if (kind == PROBING_FULL)
                ret->write = probing_may_write(c, s, &ret->passive_reason);
        else if (is_beside_stuck(c, s, kind))
                ret->passive_reason = strdup("an earlier probe is stuck in it");
        else if (s->observation->mount.below_autofs)    /* with a reason the helper does not touch it at all */
                ret->passive_reason = strdup("an automount is left alone, so that it can expire");
        ret->deep_commit = ret->write && wants_deep_commit(c, s);
}

static int start_probe(struct core *c, struct mountstate *s, enum probing_kind kind)
{
        cleanup_free char *text = NULL, *reason = NULL;
        cleanup(free_job) struct probing_job *j = job_new(c, s, kind);
        struct job job = { .key = s->key, .done = on_probe_done };
        bool beside = is_beside_stuck(c, s, kind);
        struct probe_request request;
        int r;

        if (!j)
                return -ENOMEM;
        if (beside)
                job.key |= BESIDE_STUCK;
        if (pool_is_busy(c->pool, job.key))
                return -EBUSY;
        fill_request(c, s, kind, &request);
        reason = request.passive_reason;
        if (beside && !reason)          /* without it the helper would touch the mount */
                return -ENOMEM;
        text = probe_request_to_json(&request);
        if (!text)
                return -ENOMEM;
        job.request = text;
        job.deadline_usec = c->params->connect_timeout_usec +
                            (request.write ? c->params->probe_time_usec + WRITE_GRACE_USEC : ASK_GRACE_USEC);
        r = start_job(c, TAKE(j), &job, helpers_start_probe);
        if (r == 0 && request.deep_commit)
                s->deep_commit_usec = core_now(c);
        return r;
}

int probing_start(struct core *c, struct mountstate *s, enum probing_kind kind)
{
        /* Thousands of mounts wait for their turn again and again: not with a request made each time. */
        return pool_has_room(c->pool) ? start_probe(c, s, kind) : -EAGAIN;
}
