/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/applying_parts.h - what the files of applying*.c share.
 *
 * Layer: daemon; private to applying*.c and their test.
 * Words: a task is one change of one mount from the wish to its end; a seat is what is remembered of one mount
 *        point between tasks. A step is one request to nfstuned-mount. The turn: one task at a time goes from its
 *        look to its end; armed and waiting ones have given it up.
 */
#pragma once

#include "daemon/applying.h"

/* How long things take, and how long one waits for them. */
struct applying_pace {
        usec_t again_usec;              /* the mount is being probed: tried again */
        usec_t patience_usec;           /* and given up after this long */
        usec_t quick_usec;              /* armed, busy, not recovered: between tries */
        usec_t quick_for_usec;          /* for so long; */
        usec_t slow_usec;               /* then so far apart */
};
#define APPLYING_PACE { .again_usec = USEC_PER_SEC, .patience_usec = 30 * USEC_PER_SEC, \
                        .quick_usec = 10 * USEC_PER_SEC, .quick_for_usec = 10 * USEC_PER_MINUTE, \
                        .slow_usec = USEC_PER_MINUTE }

/* After a refusal by nfstuned-mount automatic mode leaves the mount alone for so long. */
#define REFUSED_PATIENCE_USEC USEC_PER_HOUR
/* What a look has found (copies elsewhere) is looked for again. */
#define FORBIDDEN_PATIENCE_USEC (10 * USEC_PER_MINUTE)
/* The state directory is tried again. */
#define TROUBLE_RETRY_USEC USEC_PER_HOUR
/* A verification that is slower by more than this is a failure. */
#define WORSE_PERMILLE 100
/* A record that could not be recovered so often no longer keeps automatic mode waiting. */
#define RECOVER_TRIES 3

enum task_step {
        TASK_LOOK,
        TASK_CHANGE,
        TASK_REVEAL,
        TASK_RECOVER,
        TASK_VERIFY,
        TASK_PERSIST,
        TASK_STEP_COUNT
};

struct task_job;

struct task {
        struct task *next;
        struct applying *a;
        enum task_step step;
        struct task_job *job;           /* under way; or NULL */
        usec_t when_usec;               /* the step is not tried before */
        usec_t since_usec;              /* parked since; 0: it is not */
        usec_t blocked_usec;            /* the step cannot be asked for since; 0: it can */
        unsigned tries;                 /* of a step that was lost */
        usec_t lost_said_usec;          /* the journal was told; 0: it was not */
        bool waiting;                   /* the mount was busy: the change is tried again */

        bool by_hand;
        bool back;                      /* the change takes an earlier one back */
        bool asked_back;                /* because somebody asked for it */
        bool back_again;                /* it was lost once */
        bool persist;
        bool persist_only;
        bool dry_run;
        bool live_only;                 /* by itself, where a replace is refused: what changes the mount in use */
        bool may_write;
        bool job_lost;                  /* the helper did not come back; */
        bool begun;                     /* by then something may have been moved */
        bool armed_said;
        enum busy_mode busy;
        struct mount_facts mount;       /* as it is now: the old one, after the change the new one */
        struct staging staging;
        char *rules;                    /* "stale-io-size sync-client" */
        char *plan_text;                /* what an administrator would do instead; or NULL */
        char *fstab;                    /* the line to write so that it lasts; or NULL */
        struct source_edit *edits;
        size_t n_edits;
        char *edits_words;              /* why it cannot be written where it comes from; or NULL */

        bool in_use;
        struct apply_user *users;
        size_t n_users;
        bool elsewhere;
        char *sharers;                  /* who else has the superblock, in words; or NULL */
        bool compared;
        struct comparison comparison;
        char *notes;                    /* of nfstuned-mount; or NULL */
        char *why;                      /* it is taken back; or NULL */
        enum refusal refusal;           /* what forbids it */
        char *diff;
        char **backups;
        size_t n_backups;
        bool persisted;

        apply_outcome_fn *done;         /* NULL: nobody waits */
        void *userdata;
};

/* Of automatic mode. */
struct attempts {
        usec_t next_usec;
        uint64_t said_digest;           /* of the refusal that was logged */
        usec_t said_usec;               /* 0: none was */
};

struct seat {
        char *target;
        char *source;
        bool here;                      /* in the last reading */
        bool known;                     /* was read before: the next fields hold */
        bool ours;                      /* what the next reading shows is our own doing */
        uint64_t mount_id;
        struct device device;
        uint64_t effective_digest;
        uint64_t requested_digest;
        usec_t gone_usec;

        bool waiting;                   /* automatic mode wants to, but the mount is busy or the window shut */
        bool waiting_said;
        struct attempts replace;        /* of the whole plan by itself */
        struct attempts live;           /* of what changes the mount in use alone */
        enum refusal refusal;
        char *refusal_words;
};
#define SEATS_MAX 8192

struct applying {
        struct core *core;
        struct applying_pace pace;
        int state_fd;                   /* -1: none */
        char *state_path;
        char *trouble;
        usec_t trouble_retry_usec;
        char boot[33];
        struct history history;
        struct task *tasks;             /* the oldest first */
        struct task *turn;
        struct seat **seats;
        size_t n_seats;
        size_t next_seat;               /* seats are asked for in the order of the mount table */
        bool sources_ours;              /* what the next reading shows of fstab and the like is our own doing */
        sd_event_source *timer;
        void (*changed)(void *userdata, const char *target, const char *event, const char *words);
        void *changed_userdata;
};

/* ---- applying.c ------------------------------------------------------------------ */

void applying_arm(struct applying *a);          /* sets the timer to what is due next */

/* Of @words, which may be NULL, the first line alone: everybody hears it, and those behind it name processes, their files,
 * and lines of /etc. */
void applying_tell(struct applying *a, const char *target, const char *event, const char *words);
usec_t applying_realtime(void);

/* May what @t has in mind be made of @o? */
enum refusal applying_gate(const struct task *t, const struct observation *o, const struct advice *advice,
                           struct text *words);

/* Logs once, and again after a day, why automatic mode leaves a mount alone. */
void applying_refused(struct applying *a, struct seat *seat, const struct task *t, enum refusal refusal,
                      const char *words);

/* ---- applying_task.c --------------------------------------------------------------- */

/* A copy of @mount; the rest is zero. At the end of the list. NULL on -ENOMEM. */
struct task *task_new(struct applying *a, const struct mount_facts *mount) must_check;
void task_free(struct task *t);

/* The one at this mount point, or on this superblock; NULL: none. */
struct task *task_find(const struct applying *a, const struct mount_facts *m);
void task_next(struct task *t, enum task_step step);
void task_park(struct task *t, enum task_step step);    /* gives the turn up; tried again as the pace says */

/* Tells who waits, once. */
void task_report(struct task *t, const char *end, const char *words);

/* The same, and the observer; the task is gone. @words may be NULL. */
void task_end(struct task *t, const char *end, const char *words);
bool task_needs_turn(const struct task *t);
enum applying_state task_state(const struct task *t);

/* ---- applying_jobs.c ---------------------------------------------------------------- */

/* Asks nfstuned-mount for the task's step; steps_answered() or steps_lost() follow.
 * Return: 0, -EBUSY, -EAGAIN, or another negative errno. */
int jobs_start(struct task *t) must_check;
void jobs_forget(struct task *t);       /* the answer is no longer wanted */

/* ---- applying_steps.c ---------------------------------------------------------------- */

void steps_start(struct task *t);
void steps_answered(struct task *t, struct apply_answer *answer);
void steps_lost(struct task *t, const char *words);
void steps_verify(struct task *t);      /* the change holds and is remembered */

/* ---- applying_history.c --------------------------------------------------------------- */

/* Return: is it on disk? Then the record of the intent is gone. */
bool remember_changed(struct task *t);
bool remember_back(struct task *t);
bool remember_failed(struct task *t, const char *words);
bool remember_kept(struct task *t);
bool remember_persisted(struct task *t);
void remember_outside(struct applying *a, const struct mount_facts *m, const char *words);
bool remember_save(struct applying *a);
void forget_intent(struct task *t);
void applying_set_trouble(struct applying *a, const char *what, int error);

/* ---- applying_recover.c ----------------------------------------------------------------- */

/* Opens the state directory, reads everything in it and has records recovered. */
void recover_all(struct applying *a);
void recover_task(struct task *t);      /* its helper was lost in the middle */
bool recover_is_pending(const struct applying *a);

/* ---- applying_watch.c --------------------------------------------------------------------- */

struct seat *seat_get(struct applying *a, const struct mount_facts *m);         /* NULL on -ENOMEM */
struct seat *seat_find(const struct applying *a, const struct mount_facts *m);

/* What automatic mode tried, of this kind. */
static inline struct attempts *attempts_of(struct seat *seat, const struct task *t)
{
        return t->live_only ? &seat->live : &seat->replace;
}
void seats_free(struct applying *a);

/* The superblock and the mount point of @m look different from now on, by our doing. */
void seats_expect(struct applying *a, const struct mount_facts *m);

/* ---- applying_wish.c ------------------------------------------------------------------------ */

/* Fills in what is to be done: staging, rules, plan, edits. Return: 0 or -ENOMEM. */
int wish_fill(struct task *t, const struct observation *o, const struct advice *advice, const bool *rules) must_check;

/* The change that is remembered, as it was made. Return: 0, -ENOMEM, or -EINVAL where it cannot be read. */
int wish_from_history(const struct mount_history *h, struct staging *ret) must_check;

/* The edits that take back what is remembered to have been written. Return: 0, -EINVAL or -ENOMEM. */
int wish_written_back(struct task *t, const char *written) must_check;

/* Plan and edits for the task's staging, without advice. Return: 0 or -ENOMEM. */
int wish_lasting(struct task *t, const struct observation *o) must_check;

/* ---- applying_story.c ----------------------------------------------------------------------- */

/* What the journal is told. @words: why, or notes; or NULL. */
void story_announce(const struct task *t);      /* before a change that others have, too */
void story_applied(const struct task *t);
void story_armed(const struct task *t);
void story_verified(const struct task *t);
void story_taken_back(const struct task *t);
void story_failed(const struct task *t, const char *words);
void story_refused(const struct task *t, const char *words);

/* The same for who waits for it. NULL on -ENOMEM; the caller frees. */
char *story_elsewhere_words(const struct task *t) must_check;
char *story_armed_words(const struct task *t) must_check;
char *story_verified_words(const struct task *t) must_check;
char *story_taken_back_words(const struct task *t) must_check;
char *story_planned_words(const struct task *t) must_check;
char *story_busy_words(const struct task *t) must_check;
char *story_persisted_words(const struct task *t) must_check;
char *story_sharers_words(const struct task *t) must_check;     /* NULL: nobody else, too */
char *story_slower_words(const struct comparison *c) must_check;

/* The outcome as JSON: etc/control.schema.json. @t: NULL where there was no task. */
char *story_json(const struct task *t, const char *target, const char *end, const char *words, enum refusal refusal)
        must_check;
