/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/applying.h - changes: decided, made, verified, kept or taken back, remembered.
 *
 * Layer:   daemon. Decides nothing itself: policy/gate.h does; changes nothing itself: nfstuned-mount does.
 * One change at a time on the whole host; armed ones wait beside it. Order of one change: look, change, (armed, reveal
 * ...), verify, and then verified, or roll back; the journal and the observer are told of each.
 */
#pragma once

#include "daemon/apply_request.h"
#include "daemon/core.h"
#include "policy/gate.h"

struct applying;

/* Opens the state directory, reads history and records, has records recovered (jobs; nothing is changed before they
 * ended). On an error (state directory cannot be used) changes are refused with words, the rest of the daemon runs. */
int applying_new(struct core *c, struct applying **ret) must_check;
void applying_free(struct applying *a);         /* whoever waits is told; before bus_free() and core_done() */

/* After each reading of the mount table, before judging: armed mounts that were revealed or are gone, changes by
 * somebody else, own changes into the observations (observation.own_change). */
void applying_observed(struct applying *a);

/* After each judgement of a superblock: automatic mode starts a change where nothing forbids it; what forbids it and
 * will not pass by itself is logged once (`refused`). */
void applying_consider(struct applying *a, struct mountstate *s);

/* After a reload of the configuration, before judging. */
void applying_reloaded(struct applying *a);

/* ---- by hand ------------------------------------------------------------------- */

struct apply_wish {
        const char *target;
        const bool *rules;              /* by enum rule; NULL: the whole plan */
        enum busy_mode busy;
        bool dry_run;
        bool persist;
};

/* What became of a wish, for the bus. Texts borrowed for the call. */
struct apply_outcome {
        const char *end;                /* "verified", "armed", "busy", "refused", "rolled-back", "failed", "nothing",
                                         * "planned", "persisted" (the mount itself needed no change), "resumed" */
        const char *words;              /* for people, one or more lines */
        const char *json;               /* the whole story as JSON: etc/control.schema.json */
};
typedef void apply_outcome_fn(void *userdata, const struct apply_outcome *o);

/* @done is called once, perhaps before this returns. After "armed", and after "busy" with BUSY_WAIT, the change goes on
 * waiting: status and the observer tell what becomes of it. Another wish for a waiting one takes its place; one with
 * BUSY_DETACH reveals an armed one at once. */
void applying_apply(struct applying *a, const struct apply_wish *w, apply_outcome_fn *done, void *userdata);
void applying_rollback(struct applying *a, const char *target, bool persist, apply_outcome_fn *done, void *userdata);
void applying_resume(struct applying *a, apply_outcome_fn *done, void *userdata);

/* ---- for status ------------------------------------------------------------------- */

enum applying_state {
        APPLYING_IDLE,
        APPLYING_WAITING,               /* wants to change, but the mount is busy or the window shut */
        APPLYING_CHANGING,
        APPLYING_ARMED,
        APPLYING_VERIFYING,
        APPLYING_ROLLING_BACK,
        APPLYING_STATE_COUNT
};
const char *applying_state_name(enum applying_state s);

struct applying_view {
        enum applying_state state;
        const struct mount_history *history;    /* NULL: nothing */
        enum refusal refusal;           /* of automatic mode, the last time it was considered */
        const char *refusal_words;      /* or NULL */
};
struct applying_view applying_look(const struct applying *a, const struct mountstate *s);
bool applying_is_stopped(const struct applying *a);             /* the breaker */
const char *applying_trouble(const struct applying *a);         /* why nothing can be changed at all; NULL: it can */

/* Called whenever a state changes. @event: "waiting", "busy", "applied", "armed", "verified", "rolling-back",
 * "rolled-back", "failed", "refused", "nothing", "persisted", "outside"; with @target "" "stopped", "resumed". */
void applying_set_observer(struct applying *a, void (*changed)(void *userdata, const char *target, const char *event,
                                                               const char *words), void *userdata);
