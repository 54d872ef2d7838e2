/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who wants what, whether it may be, and whose turn it is. What then happens is in applying_steps.c. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon/applying_parts.h"
#include "policy/digest.h"
#include "policy/evaluate.h"
#include "probe/clock.h"

usec_t applying_realtime(void)
{
        return clock_usec(CLOCK_REALTIME);
}

/* ---- the timer -------------------------------------------------------------------------- */

static bool may_start(const struct task *t)
{
        return !t->job && (!task_needs_turn(t) || !t->a->turn || t->a->turn == t);
}

static usec_t next_usec(const struct applying *a)
{
        usec_t next = a->trouble ? a->trouble_retry_usec : USEC_INFINITY;

        for (const struct task *t = a->tasks; t; t = t->next)
                if (may_start(t))
                        next = MIN(next, t->when_usec);
        return next;
}

void applying_arm(struct applying *a)
{
        usec_t next = next_usec(a);
        int r = 0;

        if (a->core->stopping || !a->timer)
                return;
        if (next < USEC_INFINITY)
                r = sd_event_source_set_time(a->timer, next);
        if (r >= 0)
                r = sd_event_source_set_enabled(a->timer, next < USEC_INFINITY ? SD_EVENT_ONESHOT : SD_EVENT_OFF);
        if (r < 0)      /* a change that is never finished: the service ends and is started anew */
                (void) sd_event_exit(a->core->event, EXIT_FAILURE);
}

static struct task *first_due(const struct applying *a)
{
        usec_t now = core_now(a->core);

        for (struct task *t = a->tasks; t; t = t->next)
                if (may_start(t) && t->when_usec <= now)
                        return t;
        return NULL;
}

static int on_timer(sd_event_source *s may_be_unused, uint64_t usec may_be_unused, void *userdata)
{
        struct applying *a = userdata;
        struct task *t;

        if (a->core->stopping)
                return 0;
        if (a->trouble && a->trouble_retry_usec <= core_now(a->core))
                recover_all(a);
        while ((t = first_due(a)))
                steps_start(t);
        applying_arm(a);
        return 0;
}

static int add_timer(struct applying *a)
{
        int r = sd_event_add_time(a->core->event, &a->timer, CLOCK_BOOTTIME, USEC_INFINITY, 10 * USEC_PER_MSEC,
                                  on_timer, a);

        if (r < 0)
                return r;
        (void) sd_event_source_set_description(a->timer, "changes");
        r = sd_event_source_set_enabled(a->timer, SD_EVENT_OFF);
        return r < 0 ? r : sd_event_source_set_exit_on_failure(a->timer, true);
}

/* ---- life --------------------------------------------------------------------------------- */

int applying_new(struct core *c, struct applying **ret)
{
        struct applying *a = calloc(1, sizeof(*a));
        int r;

        if (!a)
                return -ENOMEM;
        *a = (struct applying){ .core = c, .pace = APPLYING_PACE, .state_fd = -1 };
        r = add_timer(a);
        if (r < 0) {
                applying_free(a);
                return r;
        }
        recover_all(a);
        *ret = a;
        return 0;
}

void applying_free(struct applying *a)
{
        if (!a)
                return;
        a->timer = sd_event_source_disable_unref(a->timer);
        while (a->tasks) {
                task_report(a->tasks, "failed", "nfstuned is stopping; what was begun is finished or undone when it is "
                                                "started again.");
                task_free(a->tasks);
        }
        seats_free(a);
        history_done(&a->history);
        if (a->state_fd >= 0)
                close(a->state_fd);
        free(a->state_path);
        free(a->trouble);
        free(a);
}

void applying_reloaded(struct applying *a)
{
        if (a->trouble)
                recover_all(a);
        /* What was refused or waits may look different now. */
        for (size_t i = 0; i < a->n_seats; i++)
                a->seats[i]->replace.next_usec = a->seats[i]->live.next_usec = 0;
}

void applying_set_observer(struct applying *a, void (*changed)(void *userdata, const char *target, const char *event,
                                                               const char *words), void *userdata)
{
        a->changed = changed;
        a->changed_userdata = userdata;
}

void applying_tell(struct applying *a, const char *target, const char *event, const char *words)
{
        cleanup_free char *first = words ? strndup(words, strcspn(words, "\n")) : NULL;

        if (a->changed)
                a->changed(a->changed_userdata, target, event, first ? first : "");
}

/* ---- may it be? ------------------------------------------------------------------------------ */

static unsigned minute_of_day(usec_t realtime_usec)
{
        time_t seconds = (time_t) (realtime_usec / USEC_PER_SEC);
        struct tm local;

        return localtime_r(&seconds, &local) ? (unsigned) (local.tm_hour * 60 + local.tm_min) : 0;
}

enum refusal applying_gate(const struct task *t, const struct observation *o, const struct advice *advice,
                           struct text *words)
{
        const struct applying *a = t->a;
        cleanup_free char *who = t->elsewhere ? story_elsewhere_words(t) : NULL;
        usec_t now = applying_realtime();
        const struct gate_input g = {
                .observation = o,
                .params = a->core->params,
                .recommendations = advice->recommendations,
                .n_recommendations = advice->n_recommendations,
                .staging = &t->staging,
                .history = &a->history,
                .by_hand = t->by_hand,
                .elsewhere = t->elsewhere,
                .elsewhere_who = who,
                .boot = a->boot,
                .now_realtime_usec = now,
                .minute_of_day = minute_of_day(now),
        };

        return gate_check(&g, words);
}

static const char *cannot_change(const struct applying *a)
{
        if (a->trouble)
                return a->trouble;
        return a->core->may_stage ? NULL : "No mount is changed: nfstuned was started by hand, and not by root.";
}

/* ---- automatic mode ---------------------------------------------------------------------------- */

static void set_refusal(struct seat *seat, enum refusal refusal, const char *words)
{
        seat->refusal = refusal;
        free(seat->refusal_words);
        seat->refusal_words = words ? strdup(words) : NULL;     /* without memory: no words */
}

void applying_refused(struct applying *a, struct seat *seat, const struct task *t, enum refusal refusal,
                      const char *words)
{
        cleanup_free char *to = options_format(&t->staging.to);
        uint64_t digest = digest_string(digest_number(DIGEST_START, refusal), to);
        struct attempts *tried = attempts_of(seat, t);
        usec_t now = core_now(a->core);

        set_refusal(seat, refusal == REFUSAL_COUNT ? REFUSAL_NONE : refusal, words);
        if (refusal != REFUSAL_COUNT && refusal_is_passing(refusal))
                return;
        if (tried->said_usec && tried->said_digest == digest && now - tried->said_usec < USEC_PER_DAY)
                return;
        tried->said_digest = digest;
        tried->said_usec = now;
        story_refused(t, words);
        applying_tell(a, t->mount.target, "refused", words);
}

static void allowed_rules(const struct params *p, bool rules[static RULE_COUNT])
{
        for (enum rule r = 0; r < RULE_COUNT; r++)
                rules[r] = p->apply_rules & UINT64_C(1) << r;
}

/* What changes the mount in use, without a new one. */
static void leave_live_rules(const struct advice *advice, bool rules[static RULE_COUNT])
{
        for (size_t i = 0; i < advice->n_recommendations; i++)
                if (advice->recommendations[i].method != METHOD_LIVE)
                        rules[advice->recommendations[i].rule] = false;
}

/* Where nothing of it may be done by itself, what there is to do tells why. */
static int fill_automatic(struct task *t, const struct mountstate *s)
{
        bool rules[RULE_COUNT];
        int r;

        allowed_rules(t->a->core->params, rules);
        if (t->live_only)
                leave_live_rules(&s->advice, rules);
        t->persist = t->a->core->params->persist;
        r = wish_fill(t, s->observation, &s->advice, rules);
        if (r < 0 || t->staging.method != METHOD_NONE || t->live_only)
                return r;
        staging_done(&t->staging);
        return staging_make(s->observation, s->advice.recommendations, s->advice.n_recommendations, false, NULL,
                            &t->staging);
}

/* Return: may it be begun at once? */
static bool check_automatic(struct task *t, const struct mountstate *s, struct seat *seat)
{
        cleanup(text_done) struct text words = { 0 };
        enum refusal refusal = applying_gate(t, s->observation, &s->advice, &words);

        seat->waiting = refusal == REFUSAL_WINDOW || (refusal == REFUSAL_NONE && seat->waiting);
        if (refusal != REFUSAL_NONE) {
                if (!t->live_only)      /* the refusal of the whole plan is the one to know */
                        applying_refused(t->a, seat, t, refusal, words.data ? words.data : "");
                return false;
        }
        if (attempts_of(seat, t)->next_usec > core_now(t->a->core))
                return false;
        set_refusal(seat, REFUSAL_NONE, NULL);
        return true;
}

static bool is_somebodys_turn(const struct applying *a, const struct task *but)
{
        for (const struct task *t = a->tasks; t; t = t->next)
                if (t != but && task_needs_turn(t) && !t->waiting)
                        return true;
        return false;
}

/* A task for what may be done by itself now, or NULL. @live_only: without a new mount. */
static struct task *automatic_task(struct applying *a, const struct mountstate *s, struct seat *seat, bool live_only)
{
        struct task *t = task_new(a, &s->observation->mount);

        if (!t)         /* the next judgement tries again */
                return NULL;
        t->live_only = live_only;
        if (fill_automatic(t, s) < 0 || (live_only && t->staging.method == METHOD_NONE) || !check_automatic(t, s, seat) ||
            is_somebodys_turn(a, t)) {
                task_free(t);
                return NULL;
        }
        return t;
}

/* A mount that must not be replaced may still become async, which helps most. */
static bool forbids_replace_alone(enum refusal r)
{
        return r == REFUSAL_SUBMOUNTS || r == REFUSAL_SHARED_SUPERBLOCK || r == REFUSAL_ELSEWHERE ||
               r == REFUSAL_PROPAGATION;
}

void applying_consider(struct applying *a, struct mountstate *s)
{
        const struct mount_facts *m = &s->observation->mount;
        struct seat *seat = seat_get(a, m);
        struct task *t;

        if (!seat || !s->judged || a->core->stopping)
                return;
        if (params_mode_for_mount(a->core->params, m->target) != MODE_AUTO_REMOUNT) {
                set_refusal(seat, REFUSAL_MODE, NULL);
                seat->waiting = false;
                return;
        }
        if (cannot_change(a) || recover_is_pending(a) || task_find(a, m) || s->advice.n_recommendations == 0) {
                set_refusal(seat, s->advice.n_recommendations == 0 ? REFUSAL_NOTHING : seat->refusal, NULL);
                return;
        }
        t = automatic_task(a, s, seat, false);
        if (!t && forbids_replace_alone(seat->refusal))
                t = automatic_task(a, s, seat, true);
        if (!t)
                return;
        t->may_write = true;    /* the gate says so */
        seat->waiting = false;
        task_next(t, TASK_LOOK);
}

/* ---- by hand: telling at once ---------------------------------------------------------------------- */

static void tell_end(apply_outcome_fn *done, void *userdata, const char *target, const char *end, const char *words,
                     enum refusal refusal)
{
        cleanup_free char *json = story_json(NULL, target, end, words, refusal);
        const struct apply_outcome o = { .end = end, .words = words, .json = json ? json : "" };

        done(userdata, &o);
}

/* Where there is a task already, it is the only one of its mount. Return: is it in the way? */
static bool is_in_the_way(struct applying *a, const struct observation *o, const struct apply_wish *w,
                          apply_outcome_fn *done, void *userdata)
{
        struct task *t = task_find(a, &o->mount);
        bool armed = t && t->step == TASK_REVEAL;

        /* Who keeps it waiting is what --dry-run is for. */
        if (!t || (w && w->dry_run && (armed || t->waiting)))
                return false;
        if (t->waiting && !t->job && !t->back && w) {
                task_free(t);           /* the new wish takes its place */
                return false;
        }
        if (armed && !t->done && w && w->busy == BUSY_DETACH) {
                t->busy = BUSY_DETACH;
                t->done = done;
                t->userdata = userdata;
                task_next(t, TASK_REVEAL);
                return true;
        }
        if (armed && w)
                tell_end(done, userdata, t->mount.target, "armed",
                         "The new mount waits beneath the old one, which is in use: it takes over when nobody uses the "
                         "old one any more.", REFUSAL_NONE);
        else if (armed)
                tell_end(done, userdata, t->mount.target, "refused",
                         "The new mount waits beneath the old one, which is in use, and cannot be taken out from "
                         "there. When it has taken over, the same command takes it back.", REFUSAL_NONE);
        else
                tell_end(done, userdata, t->mount.target, "refused",
                         "A change of this file system is under way: \"nfstunectl status\" shows it.", REFUSAL_NONE);
        return true;
}

/* ---- by hand: apply ---------------------------------------------------------------------------------- */

/* What is known of a superblock is kept with the mount that stands for it. @ret borrows. */
static void see(const struct core *c, const struct observation *o, struct observation *ret)
{
        const struct mountstate *s = host_find_device(&c->host, o->mount.device);

        *ret = *o;
        if (!s || s->observation == o)
                return;
        ret->server = s->observation->server;
        ret->probe = s->observation->probe;
        ret->earlier = s->observation->earlier;
        ret->counters = s->observation->counters;
        ret->liveness = s->observation->liveness;
        ret->liveness_witnesses = s->observation->liveness_witnesses;
        ret->async_export_stands = s->observation->async_export_stands;
}

/* To be made to last: what was changed and kept, but never written. */
static int fill_persist_only(struct task *t, const struct observation *o)
{
        const struct mount_history *h = history_find(&t->a->history, o->mount.target, o->mount.source);

        t->persist_only = true;
        if (t->n_edits > 0 || !h || !h->changed_usec || h->rolled_back || h->persisted ||
            !history_is_own(h, t->a->boot, &o->mount.super))
                return 0;
        staging_done(&t->staging);
        if (wish_from_history(h, &t->staging) < 0)
                return -ENOMEM;
        return wish_lasting(t, o);
}

/* Nothing changes on the mount itself. */
static void only_persist(struct task *t, const struct observation *o, const char *words)
{
        if (!t->persist) {
                task_end(t, "nothing", words);
                return;
        }
        if (fill_persist_only(t, o) < 0)
                task_end(t, "failed", "out of memory");
        else if (t->n_edits > 0)
                task_next(t, TASK_PERSIST);
        else
                task_end(t, "nothing", t->edits_words ? t->edits_words : words);
}

static void begin(struct task *t, const struct observation *seen, const struct advice *advice)
{
        cleanup(text_done) struct text words = { 0 };
        enum refusal refusal = applying_gate(t, seen, advice, &words);

        if (refusal == REFUSAL_NONE) {
                task_next(t, TASK_LOOK);
                return;
        }
        if (refusal == REFUSAL_NOTHING) {
                only_persist(t, seen, words.data);
                return;
        }
        t->refusal = refusal;
        task_end(t, "refused", words.data);
}

static void set_may_write(struct task *t, const struct observation *seen)
{
        const struct mountstate *s = host_find_device(&t->a->core->host, seen->mount.device);

        t->may_write = probe_may_write(seen, t->a->core->params, NULL) && !(s && mountstate_is_busy(s));
}

static struct task *new_by_hand(struct applying *a, const struct observation *o, apply_outcome_fn *done, void *userdata)
{
        struct task *t = task_new(a, &o->mount);

        if (!t)
                return NULL;
        t->by_hand = true;
        t->done = done;
        t->userdata = userdata;
        set_may_write(t, o);
        return t;
}

/* The mount that is meant, if it can be changed at all and nothing else is being done to it; else who waits is told. */
static const struct observation *find_mount(struct applying *a, const char *target, const struct apply_wish *w,
                                            apply_outcome_fn *done, void *userdata)
{
        const struct observation *o = host_find_target(&a->core->host, target);
        const char *words = a->core->stopping ? "nfstuned is stopping" : cannot_change(a);

        if (!o)
                words = "There is no NFS mount that one gets by this path: \"nfstunectl status\" lists them.";
        if (words) {
                tell_end(done, userdata, target, "refused", words, REFUSAL_NONE);
                return NULL;
        }
        return is_in_the_way(a, o, w, done, userdata) ? NULL : o;
}

void applying_apply(struct applying *a, const struct apply_wish *w, apply_outcome_fn *done, void *userdata)
{
        const struct observation *o = find_mount(a, w->target, w, done, userdata);
        cleanup(advice_done) struct advice advice = { 0 };
        struct observation seen;
        struct task *t;

        if (!o)
                return;
        see(a->core, o, &seen);
        t = new_by_hand(a, &seen, done, userdata);
        if (!t) {
                tell_end(done, userdata, w->target, "failed", "out of memory", REFUSAL_NONE);
                return;
        }
        t->busy = w->busy;
        t->dry_run = w->dry_run;
        t->persist = w->persist || a->core->params->persist;
        if (evaluate(&seen, a->core->params, core_now(a->core), &advice) < 0 ||
            wish_fill(t, &seen, &advice, w->rules) < 0)
                task_end(t, "failed", "out of memory");
        else
                begin(t, &seen, &advice);
}

/* ---- by hand: rollback --------------------------------------------------------------------------------- */

static const char *nothing_to_take_back(const struct applying *a, const struct mount_history *h,
                                        const struct observation *o)
{
        if (!h || !h->changed_usec)
                return "nfstuned has not changed this mount: there is nothing to take back.";
        if (h->rolled_back)
                return "The last change of this mount was taken back already.";
        if (strcmp(h->boot, a->boot) != 0)
                return "This mount was not changed since the host was started: its options are those of its source.";
        if (!history_is_own(h, a->boot, &o->mount.super))
                return "Somebody else changed this mount since: what nfstuned changed does not hold any more.";
        return NULL;
}

static int fill_back(struct task *t, const struct mount_history *h, const struct observation *o)
{
        cleanup(staging_done) struct staging made = { 0 };
        int r = wish_from_history(h, &made);

        t->back = t->asked_back = true;
        t->why = strdup("asked for by hand");
        if (r == 0)
                r = staging_reverse(&made, &t->staging);
        if (r == 0 && t->persist)
                r = h->written ? wish_written_back(t, h->written) : wish_lasting(t, o);
        return t->why ? r : -ENOMEM;
}

/* The mount has the old options, or somebody else's; what was written for the next one is taken back. */
static void only_written_back(struct task *t, const struct mount_history *h)
{
        t->back = t->asked_back = t->persist = t->persist_only = true;
        if (wish_written_back(t, h->written) < 0)
                task_end(t, "failed", "what is remembered of the change cannot be used");
        else
                task_next(t, TASK_PERSIST);
}

void applying_rollback(struct applying *a, const char *target, bool persist, apply_outcome_fn *done, void *userdata)
{
        static const struct advice none = { 0 };
        const struct observation *o = find_mount(a, target, NULL, done, userdata);
        const struct mount_history *h = o ? history_find(&a->history, o->mount.target, o->mount.source) : NULL;
        const char *words = o ? nothing_to_take_back(a, h, o) : NULL;
        bool written = persist && h && h->written;
        struct task *t;

        if (!o)
                return;
        if (words && !written) {
                tell_end(done, userdata, o->mount.target, "nothing", words, REFUSAL_NONE);
                return;
        }
        t = new_by_hand(a, o, done, userdata);
        if (!t) {
                tell_end(done, userdata, target, "failed", "out of memory", REFUSAL_NONE);
                return;
        }
        if (words) {
                only_written_back(t, h);
                return;
        }
        t->persist = persist;
        if (fill_back(t, h, o) < 0)
                task_end(t, "failed", "what is remembered of the change cannot be used");
        else
                begin(t, o, &none);
}

/* ---- by hand: resume -------------------------------------------------------------------------------------- */

void applying_resume(struct applying *a, apply_outcome_fn *done, void *userdata)
{
        bool stopped = a->history.stopped;

        history_resume(&a->history);
        for (size_t i = 0; i < a->n_seats; i++) {
                a->seats[i]->replace = a->seats[i]->live = (struct attempts){ 0 };
        }
        if (a->state_fd >= 0 && !remember_save(a)) {
                tell_end(done, userdata, "", "failed", a->trouble ? a->trouble : "out of memory", REFUSAL_NONE);
                return;
        }
        applying_tell(a, "", "resumed", "");
        tell_end(done, userdata, "", "resumed",
                 stopped ? "Automatic mode changes mounts again; what failed before may be tried again."
                         : "Automatic mode was not stopped; what failed before may be tried again, and mounts that "
                           "somebody else changed may be changed.", REFUSAL_NONE);
}

/* ---- for status ---------------------------------------------------------------------------------------------- */

const char *applying_state_name(enum applying_state s)
{
        static const char *const names[APPLYING_STATE_COUNT] = {
                [APPLYING_IDLE] = "idle",
                [APPLYING_WAITING] = "waiting",
                [APPLYING_CHANGING] = "changing",
                [APPLYING_ARMED] = "armed",
                [APPLYING_VERIFYING] = "verifying",
                [APPLYING_ROLLING_BACK] = "rolling-back",
        };

        return names[s];
}

struct applying_view applying_look(const struct applying *a, const struct mountstate *s)
{
        const struct mount_facts *m = &s->observation->mount;
        const struct seat *seat = seat_find(a, m);
        const struct task *t = task_find(a, m);
        struct applying_view view = { .history = history_find(&a->history, m->target, m->source) };

        if (seat) {
                view.state = seat->waiting ? APPLYING_WAITING : APPLYING_IDLE;
                view.refusal = seat->refusal;
                view.refusal_words = seat->refusal_words;
        }
        if (t)
                view.state = task_state(t);
        return view;
}

bool applying_is_stopped(const struct applying *a)
{
        return a->history.stopped;
}

const char *applying_trouble(const struct applying *a)
{
        return cannot_change(a);
}
