/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/control_json.h - what is told over D-Bus, as JSON: etc/control.schema.json.
 *
 * Layer:   daemon. External library: jansson. Pure; everything is borrowed.
 * Errors:  NULL without memory; the caller frees.
 */
#pragma once

#include "daemon/apply_request.h"
#include "policy/history.h"
#include "policy/params.h"

/* ---- Status ------------------------------------------------------------------ */

/* One superblock. */
struct control_mount {
        const struct observation *observation;
        const struct advice *advice;            /* NULL: not judged yet */
        enum run_mode mode;                     /* what holds for this mount */
        const char *activity;                   /* applying_state_name(); NULL: idle */
        const struct mount_history *history;    /* or NULL */
        const char *refusal;                    /* refusal_name(); NULL: none */
        bool refusal_passes;                    /* by itself */
        bool refusal_by_hand;                   /* "nfstunectl apply" is refused for the same reason */
        const char *refusal_words;              /* or NULL */
};

struct control_status {
        enum run_mode mode;                     /* of the host */
        bool stopped;                           /* the breaker fell */
        const char *trouble;                    /* why nothing can be changed at all; or NULL */
        const struct control_mount *mounts;
        size_t n_mounts;
};

char *control_json_status(const struct control_status *s) must_check;

/* ---- Apply, Rollback, Resume --------------------------------------------------- */

/* What became of a wish. Everything but @end may be NULL or zero. */
struct control_outcome {
        const char *end;                        /* struct apply_outcome */
        const char *words;
        const char *target;
        const char *source;
        bool dry_run;
        const char *rules;                      /* "stale-io-size sync-client" */
        const struct staging *staging;          /* method, keys, from, to */
        const char *refusal;                    /* refusal_name() */
        char *const *steps;                     /* --dry-run: what would be done, in order */
        size_t n_steps;
        char *const *commands;                  /* what an administrator would type instead */
        size_t n_commands;
        bool busy;
        bool elsewhere;                         /* some copy is not reached by an unmount here */
        const struct apply_user *users;         /* who would notice */
        size_t n_users;
        const struct comparison *comparison;
        const char *fstab;                      /* the line to write so that it lasts */
        bool persisted;
        const char *diff;
        char *const *backups;
        size_t n_backups;
};

char *control_json_outcome(const struct control_outcome *o) must_check;
