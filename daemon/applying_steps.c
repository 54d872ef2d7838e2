/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What follows from each answer of nfstuned-mount.
 *
 * look -> change -> (armed: reveal ...) -> verify -> kept, persist, or back: change -> over. Whatever was lost in the
 * middle is recovered first, and goes on from what recovery finds.
 */
#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "daemon/applying_parts.h"
#include "daemon/intent.h"
#include "daemon/probing.h"
#include "daemon/utf8.h"
#include "policy/evaluate.h"
#include "policy/text.h"

static const struct journal *journal_of(const struct task *t)
{
        return &t->a->core->options->journal;
}

static const char *or_unknown(const char *words)
{
        return words && *words ? words : "nfstuned-mount did not say why";
}

/* "TARGET: PREFIX: WORDS" for people. NULL on -ENOMEM. */
static char *say(const struct task *t, const char *prefix, const char *words)
{
        cleanup(text_done) struct text s = { 0 };

        text_add_printable(&s, t->mount.target);
        text_add(&s, ": %s: %s", prefix, or_unknown(words));
        return text_take(&s);
}

static void end_with(struct task *t, const char *end, const char *prefix, const char *words)
{
        cleanup_free char *said = say(t, prefix, words);

        task_end(t, end, said);
}

static void end_taking(struct task *t, const char *end, char *taken)
{
        cleanup_free char *words = taken;

        task_end(t, end, words);
}

/* ---- nothing was changed ------------------------------------------------------------- */

/* Automatic mode comes back to it later. */
static void leave_alone(struct task *t, const char *words)
{
        struct seat *seat = seat_find(t->a, &t->mount);

        if (t->by_hand || !seat)
                return;
        attempts_of(seat, t)->next_usec = core_now(t->a->core) + REFUSED_PATIENCE_USEC;
        applying_refused(t->a, seat, t, REFUSAL_COUNT, words);
}

static void refused(struct task *t, const char *words)
{
        leave_alone(t, or_unknown(words));
        end_with(t, "refused", "nothing was changed", words);
}

static void way_back_refused(struct task *t, const char *words)
{
        cleanup_free char *said = say(t, "the old options could not be put back, the new ones stay", words);

        journal_log(journal_of(t), LOG_ERR, "%s", said ? said : t->mount.target);
        (void) remember_failed(t, said ? said : or_unknown(words));     /* it says so itself */
        task_end(t, "failed", said);
}

/* Found busy only when all was staged and tested: another namespace has it in use, which the look cannot see. That is too
 * dear for every round. */
static usec_t busy_patience(const struct task *t)
{
        return t->step == TASK_CHANGE ? FORBIDDEN_PATIENCE_USEC : t->a->core->params->passive_interval_usec;
}

static void wait_quietly(struct task *t)
{
        struct applying *a = t->a;
        struct seat *seat = seat_find(a, &t->mount);

        if (seat) {
                if (!seat->waiting_said)
                        applying_tell(a, t->mount.target, "waiting", "the mount is in use; it is tried again");
                seat->waiting = seat->waiting_said = true;
                attempts_of(seat, t)->next_usec = core_now(a->core) + busy_patience(t);
        }
        task_free(t);
        applying_arm(a);
}

static void busy(struct task *t)
{
        cleanup_free char *words = NULL;

        forget_intent(t);
        if (!t->by_hand && !t->back) {
                wait_quietly(t);
                return;
        }
        words = story_busy_words(t);
        if (t->busy != BUSY_WAIT) {
                task_end(t, "busy", words);
                return;
        }
        if (!t->waiting) {
                task_report(t, "busy", words);
                applying_tell(t->a, t->mount.target, "busy", words);
                t->waiting = true;
        }
        task_park(t, t->back ? TASK_CHANGE : TASK_LOOK);
}

/* ---- it was begun and did not succeed ---------------------------------------------------- */

static void failed(struct task *t, const char *words)
{
        if (t->back) {
                way_back_refused(t, words);
                return;
        }
        story_failed(t, or_unknown(words));
        (void) remember_failed(t, or_unknown(words));   /* it says so itself */
        end_with(t, "failed", "the change did not succeed", words);
}

static void take_back(struct task *t, const char *why)
{
        struct staging back = { 0 };

        free(t->why);
        t->why = strdup(why);           /* without memory: no reason is given */
        if (staging_reverse(&t->staging, &back) < 0) {
                way_back_refused(t, "out of memory");
                return;
        }
        staging_done(&t->staging);
        t->staging = back;
        t->back = true;
        if (t->busy == BUSY_REFUSE)     /* it was idle a moment ago; what is not good must not stay */
                t->busy = BUSY_WAIT;
        applying_tell(t->a, t->mount.target, "rolling-back", why);
        task_next(t, TASK_CHANGE);
}

/* ---- look ------------------------------------------------------------------------------------ */

static void take_look(struct task *t, struct apply_answer *a)
{
        struct apply_answer old = { .users = t->users, .n_users = t->n_users };

        apply_answer_done(&old);
        t->users = TAKE(a->users);
        t->n_users = a->n_users;
        a->n_users = 0;
        t->in_use = a->busy || a->end == APPLY_END_BUSY;
        t->elsewhere = a->elsewhere;
        free(t->sharers);
        t->sharers = story_sharers_words(t);    /* without memory: they are not named */
}

/* What the look has found may forbid it to automatic mode. Return: is the task over? */
static bool forbidden(struct task *t)
{
        cleanup(text_done) struct text words = { 0 };
        const struct observation *o = host_find_target(&t->a->core->host, t->mount.target);
        const struct mountstate *s = o ? host_find_device(&t->a->core->host, o->mount.device) : NULL;
        struct seat *seat = seat_find(t->a, &t->mount);
        enum refusal refusal;

        if (t->by_hand)
                return false;
        if (!s || !seat || !s->judged || o->mount.mount_id != t->mount.mount_id) {
                task_end(t, "refused", "the mount was changed meanwhile");
                return true;
        }
        refusal = applying_gate(t, o, &s->advice, &words);
        if (refusal == REFUSAL_NONE)
                return false;
        attempts_of(seat, t)->next_usec = core_now(t->a->core) + FORBIDDEN_PATIENCE_USEC;
        applying_refused(t->a, seat, t, refusal, words.data ? words.data : "");
        task_end(t, "refused", words.data);
        return true;
}

static void begin_change(struct task *t)
{
        story_announce(t);
        task_next(t, TASK_CHANGE);
}

static void looked(struct task *t, struct apply_answer *a)
{
        if (a->end != APPLY_END_DONE && a->end != APPLY_END_BUSY) {
                refused(t, a->words);
                return;
        }
        take_look(t, a);
        if (forbidden(t))
                return;
        if (t->dry_run && t->n_edits > 0)
                task_next(t, TASK_PERSIST);
        else if (t->dry_run)
                end_taking(t, "planned", story_planned_words(t));
        else if (t->in_use && t->staging.method == METHOD_REPLACE &&
                 (!t->by_hand || t->busy == BUSY_REFUSE || t->waiting))
                busy(t);
        else
                begin_change(t);
}

/* ---- change -------------------------------------------------------------------------------------- */

static void taken_back(struct task *t)
{
        cleanup_free char *words = NULL;

        (void) remember_back(t);        /* it says so itself */
        story_taken_back(t);
        if (t->asked_back && t->persist && t->n_edits > 0) {
                task_next(t, TASK_PERSIST);
                return;
        }
        words = story_taken_back_words(t);
        task_end(t, "rolled-back", words);
}

/* Whoever looks at the mount table sees it as our doing. */
static void take_mount(struct task *t, struct apply_answer *a)
{
        seats_expect(t->a, &t->mount);
        if (a->mount.target) {
                mount_facts_done(&t->mount);
                t->mount = a->mount;
                a->mount = (struct mount_facts){ 0 };
                seats_expect(t->a, &t->mount);
        }
        if (t->a->core->mounts_changed)
                t->a->core->mounts_changed(t->a->core);
}

/* What holds now is on disk before anything else is done. */
static void changed(struct task *t, struct apply_answer *a)
{
        t->waiting = false;
        t->since_usec = 0;
        take_mount(t, a);
        free(t->notes);
        t->notes = TAKE(a->words);
        if (t->back) {
                taken_back(t);
                return;
        }
        (void) remember_changed(t);     /* it says so itself; then the record of the intent stays */
        story_applied(t);
        applying_tell(t->a, t->mount.target, "applied", "");
        steps_verify(t);
}

static void armed(struct task *t)
{
        cleanup_free char *words = story_armed_words(t);

        if (!t->armed_said) {
                story_armed(t);
                applying_tell(t->a, t->mount.target, "armed", words);
        }
        t->armed_said = true;
        t->waiting = false;
        t->since_usec = 0;
        task_report(t, "armed", words);
        task_park(t, TASK_REVEAL);
}

/* Is the new mount there, at once or later? */
static bool took_hold(struct task *t, struct apply_answer *a)
{
        if (a->end == APPLY_END_DONE)
                changed(t, a);
        else if (a->end == APPLY_END_ARMED)
                armed(t);
        else
                return false;
        return true;
}

/* nfstuned-mount removes its record where everything is as before. Before a way back there may still be that of the way
 * there, which could not be remembered: it says nothing of this change. */
static bool record_is_left(const struct task *t)
{
        struct intent i = { 0 };
        bool left = t->a->state_fd >= 0 && intent_read(t->a->state_fd, t->mount.target, &i) == 0 &&
                    i.rollback == t->back;

        intent_done(&i);
        return left;
}

/* The options came out otherwise than they were wanted, in a mount that is in use. */
static bool must_come_back(const struct task *t, const struct apply_answer *a)
{
        cleanup_free char *before = NULL, *after = NULL;

        if (t->staging.method != METHOD_LIVE || t->back || !a->mount.target)
                return false;
        before = options_format(&t->mount.super);
        after = options_format(&a->mount.super);
        return !before || !after || strcmp(before, after) != 0;
}

static void change_failed(struct task *t, struct apply_answer *a)
{
        if (must_come_back(t, a)) {
                take_mount(t, a);
                forget_intent(t);
                take_back(t, or_unknown(a->words));
        } else if (record_is_left(t)) { /* what it says has to be finished or undone */
                t->job_lost = true;
                recover_task(t);
        } else {
                failed(t, a->words);
        }
}

static void change_answered(struct task *t, struct apply_answer *a)
{
        if (took_hold(t, a))
                return;
        if (a->end == APPLY_END_FAILED || record_is_left(t))
                change_failed(t, a);
        else if (a->end == APPLY_END_BUSY)
                busy(t);
        else if (t->back)
                way_back_refused(t, a->words);
        else
                refused(t, a->words);
}

/* ---- armed ------------------------------------------------------------------------------------------ */

static void no_longer_armed(struct task *t)
{
        static const char words[] = "the new mount that waited beneath the old one is gone: somebody else unmounted or "
                                    "mounted there";

        forget_intent(t);
        journal_log(journal_of(t), LOG_NOTICE, "%s: %s.", t->mount.target, words);
        remember_outside(t->a, &t->mount, words);
        end_with(t, "failed", "nothing was changed", words);
}

/* @why: it could not be taken out; or NULL: it is busy. */
static void report_still_armed(struct task *t, const char *why)
{
        cleanup_free char *armed = story_armed_words(t);
        cleanup(text_done) struct text words = { 0 };

        text_add(&words, "%s", armed ? armed : "");
        if (why)
                text_add(&words, "\n%s", why);
        task_report(t, "armed", words.data);
}

static void reveal_answered(struct task *t, struct apply_answer *a)
{
        switch (a->end) {
        case APPLY_END_DONE:
                changed(t, a);
                return;
        case APPLY_END_NOTHING:
                no_longer_armed(t);
                return;
        case APPLY_END_REFUSED:
        case APPLY_END_FAILED:
                if (t->tries++ == 0)
                        journal_log(journal_of(t), LOG_WARNING, "%s: the new mount cannot be revealed: %s",
                                    t->mount.target, or_unknown(a->words));
                break;
        default:
                break;
        }
        if (t->done)
                report_still_armed(t, a->words);
        task_park(t, TASK_REVEAL);
}

/* ---- recovery --------------------------------------------------------------------------------------- */

static void nothing_recovered(struct task *t, const char *words)
{
        forget_intent(t);
        if (t->back && !t->back_again) {
                t->back_again = true;   /* what is not good still holds */
                task_next(t, TASK_CHANGE);
        } else if (t->back) {
                way_back_refused(t, words);
        } else if (t->begun && t->job_lost) {
                failed(t, words ? words : "nfstuned-mount did not come back; the mount is as it was");
        } else {
                if (t->job_lost)
                        words = "nfstuned-mount ended before anything was moved, as it does when the server does not "
                                "answer in time";
                else    /* of an earlier daemon: nobody waits for it, and whoever asked is to know */
                        journal_log(journal_of(t), LOG_NOTICE, "%s: a change was under way when nfstuned ended, and was "
                                    "not made: %s", t->mount.target, or_unknown(words));
                leave_alone(t, or_unknown(words));
                end_with(t, "failed", "nothing was changed", words);
        }
}

static void recover_again(struct task *t, const char *words)
{
        cleanup_free char *said = say(t, "what was begun cannot be finished or undone yet", words);
        unsigned tries = ++t->tries;

        if (tries == RECOVER_TRIES) {
                journal_log(journal_of(t), LOG_ERR, "%s", said ? said : t->mount.target);
                task_report(t, "failed", said);
        }
        task_park(t, TASK_RECOVER);
}

static void recover_answered(struct task *t, struct apply_answer *a)
{
        if (took_hold(t, a))
                return;
        if (a->end == APPLY_END_NOTHING || !record_is_left(t))
                nothing_recovered(t, a->words);
        else
                recover_again(t, a->words);
}

/* ---- verify -------------------------------------------------------------------------------------------- */

void steps_verify(struct task *t)
{
        const struct host *h = &t->a->core->host;
        const struct observation *o = host_find_target(h, t->mount.target);
        const struct mountstate *s = o ? host_find_device(h, o->mount.device) : NULL;
        cleanup_free char *reason = NULL;

        if (s)
                t->may_write = probing_may_write(t->a->core, s, &reason);
        task_next(t, TASK_VERIFY);
}

static void end_kept(struct task *t)
{
        story_verified(t);
        end_taking(t, "verified", story_verified_words(t));
}

static void kept(struct task *t)
{
        (void) remember_kept(t);        /* it says so itself */
        if (t->persist && t->n_edits > 0)
                task_next(t, TASK_PERSIST);
        else
                end_kept(t);
}

static void verify_answered(struct task *t, struct apply_answer *a)
{
        cleanup_free char *slower = NULL;

        t->compared = a->compared;
        t->comparison = a->comparison;
        if (a->words) {
                free(t->notes);
                t->notes = TAKE(a->words);
        }
        if (a->end == APPLY_END_NOTHING) {      /* who mounted it anew wants it so: nothing is taken back */
                end_with(t, "nothing", "it is left alone", t->notes);
        } else if (a->end != APPLY_END_DONE) {
                take_back(t, or_unknown(t->notes));
        } else if (t->compared && comparison_is_worse(&t->comparison, WORSE_PERMILLE)) {
                slower = story_slower_words(&t->comparison);
                take_back(t, slower ? slower : "it is slower than before");
        } else {
                kept(t);
        }
}

/* ---- persist ----------------------------------------------------------------------------------------------- */

static void end_persisting(struct task *t)
{
        if (t->dry_run)
                end_taking(t, "planned", story_planned_words(t));
        else if (t->persist_only)
                end_taking(t, t->persisted ? "persisted" : "failed", story_persisted_words(t));
        else if (t->back)
                end_taking(t, "rolled-back", story_taken_back_words(t));
        else
                end_kept(t);
}

static void not_persisted(struct task *t, const char *words)
{
        free(t->edits_words);
        t->edits_words = strdup(words); /* without memory: no reason is given */
        if (!t->dry_run)
                journal_log(journal_of(t), LOG_WARNING, "%s: the options were not written where they come from: %s",
                            t->mount.target, words);
        end_persisting(t);
}

static void persist_answered(struct task *t, struct apply_answer *a)
{
        if (a->end != APPLY_END_DONE) {
                not_persisted(t, or_unknown(a->words));
                return;
        }
        free(t->diff);
        t->diff = TAKE(a->diff);
        t->backups = TAKE(a->backups);
        t->n_backups = a->n_backups;
        a->n_backups = 0;
        if (!t->dry_run) {
                t->persisted = true;
                t->a->sources_ours = true;
                if (history_find(&t->a->history, t->mount.target, t->mount.source))
                        (void) remember_persisted(t);   /* it says so itself */
                if (t->a->core->sources_changed)
                        t->a->core->sources_changed(t->a->core);
        }
        end_persisting(t);
}

/* ---- all of them -------------------------------------------------------------------------------------------- */

/* nfstuned-mount begins with the mount, as everything does that is told; it is not to be named twice. */
static void strip_target(char *words, const char *target)
{
        size_t n = strlen(target);

        if (words && strncmp(words, target, n) == 0 && strncmp(words + n, ": ", 2) == 0)
                memmove(words, words + n + 2, strlen(words + n + 2) + 1);
}

void steps_answered(struct task *t, struct apply_answer *answer)
{
        static void (*const answered[TASK_STEP_COUNT])(struct task *, struct apply_answer *) = {
                [TASK_LOOK] = looked,           [TASK_CHANGE] = change_answered,
                [TASK_REVEAL] = reveal_answered, [TASK_RECOVER] = recover_answered,
                [TASK_VERIFY] = verify_answered, [TASK_PERSIST] = persist_answered,
        };

        strip_target(answer->words, t->mount.target);
        answered[t->step](t, answer);
}

/* What is tried over and over is told once a day. */
static void say_lost(struct task *t, const char *words)
{
        usec_t now = core_now(t->a->core);

        if (t->lost_said_usec && now - t->lost_said_usec < USEC_PER_DAY)
                return;
        t->lost_said_usec = now;
        journal_log(journal_of(t), LOG_WARNING, "%s: nfstuned-mount failed: %s", t->mount.target, words);
}

void steps_lost(struct task *t, const char *words)
{
        if (t->step != TASK_LOOK || t->by_hand) /* else it is what is told as refused */
                say_lost(t, words);
        switch (t->step) {
        case TASK_LOOK:
                leave_alone(t, or_unknown(words));
                end_with(t, "failed", "nothing was changed", words);
                return;
        case TASK_CHANGE:
        case TASK_REVEAL:
                t->job_lost = true;
                recover_task(t);
                return;
        case TASK_RECOVER:
                recover_again(t, words);
                return;
        case TASK_VERIFY:
                if (t->tries++ == 0)
                        applying_arm(t->a);     /* once more */
                else
                        take_back(t, words);
                return;
        default:
                not_persisted(t, words);
        }
}

/* A step that cannot even be asked for. */
static void not_started(struct task *t, int error)
{
        const char *words = error == -EBUSY ? "an earlier probe of this mount is stuck: its server does not answer"
                                            : strerror(-error);

        if (t->step == TASK_CHANGE && !t->back) {
                refused(t, words);
        } else if (t->step == TASK_CHANGE || t->step == TASK_REVEAL || t->step == TASK_RECOVER) {
                if (t->tries++ == 0)
                        journal_log(journal_of(t), LOG_WARNING, "%s: nfstuned-mount cannot be asked: %s",
                                    t->mount.target, words);
                task_park(t, t->step);
        } else {
                steps_lost(t, words);
        }
}

void steps_start(struct task *t)
{
        struct applying *a = t->a;
        usec_t now = core_now(a->core);
        int r;

        if (task_needs_turn(t))
                a->turn = t;
        r = jobs_start(t);
        if (r == 0) {
                t->blocked_usec = 0;
                return;
        }
        if (t->blocked_usec == 0)
                t->blocked_usec = now;
        if ((r == -EBUSY || r == -EAGAIN) && now - t->blocked_usec < a->pace.patience_usec) {
                t->when_usec = now + a->pace.again_usec;
                return;
        }
        t->blocked_usec = 0;
        not_started(t, r);
}
