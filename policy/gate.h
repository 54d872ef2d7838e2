/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/gate.h - may this mount be changed now?
 *
 * Layer:   policy (pure).
 * Purpose: everything of DESIGN section 9 that forbids a change, in one table: first what forbids it to everybody,
 *          then what forbids it to automatic mode alone.
 */
#pragma once

#include "policy/history.h"
#include "policy/params.h"
#include "policy/staging.h"

enum refusal {
        REFUSAL_NONE,
        /* to everybody, for a replace; a live change may have mounts below it and any propagation, and by hand may be
         * one of the root file system */
        REFUSAL_SUBMOUNTS,              /* a parent with submounts is never unmounted */
        REFUSAL_COVERED,                /* another mount stands on top: the path is not this mount */
        REFUSAL_PROPAGATION,            /* receives from a master, or unbindable: cannot be carried over */
        REFUSAL_ROOT,                   /* the root file system, or a directory the system runs from */
        REFUSAL_AUTOFS,                 /* below an automounter: change its map */
        REFUSAL_UNRESPONSIVE,
        REFUSAL_NOTHING,                /* nothing to change */
        /* to automatic mode */
        REFUSAL_MODE,                   /* [daemon] mode, or `mode = recommend` of this mount */
        REFUSAL_OWNER,                  /* kubelet, containers, pacemaker, cloud mount helpers on 127.0.0.0/8 */
        REFUSAL_PATH,                   /* database, hypervisor, storage driver, mail spool */
        REFUSAL_SHARER,                 /* `mode = recommend`, keep or path class of a mount that shares the superblock */
        REFUSAL_NOT_AUTOMATIC,          /* the plan holds something that is never applied by itself */
        REFUSAL_RULES,                  /* [apply] rules */
        REFUSAL_SHARED_SUPERBLOCK,      /* a replace would split it: other mounts of this host keep the old one */
        REFUSAL_ELSEWHERE,              /* other mount namespaces keep a copy that an unmount here does not reach */
        REFUSAL_UNVERIFIABLE,           /* read-only, or may not be written to: a change could not be verified */
        REFUSAL_BREAKER,                /* two changes failed */
        REFUSAL_FAILED,                 /* this change failed less than 7 days ago */
        REFUSAL_OUTSIDE,                /* somebody changed the mount less than 7 days ago */
        REFUSAL_DAILY,                  /* changed less than a day ago (but for the same change after a reboot) */
        REFUSAL_WINDOW,
        REFUSAL_UNPROBED,               /* a sync mount: the next probe has to tell whether its export is async */
        REFUSAL_GAIN,                   /* a measured gain below min_gain */
        REFUSAL_COUNT
};

struct gate_input {
        const struct observation *observation;
        const struct params *params;
        const struct recommendation *recommendations;
        size_t n_recommendations;
        const struct staging *staging;
        const struct history *history;
        bool by_hand;                   /* `nfstunectl apply` */
        bool elsewhere;                 /* copies that are not reached were found (daemon/look.h) */
        const char *elsewhere_who;      /* "sleep (process 12)"; NULL: unknown */
        const char *boot;               /* boot id, 32 digits */
        usec_t now_realtime_usec;
        unsigned minute_of_day;         /* local time, 0..1439 */
};

/* The first refusal in the order above, with words for people about it (appended to @words, which may be NULL). */
enum refusal gate_check(const struct gate_input *g, struct text *words);

const char *refusal_name(enum refusal r);       /* "submounts", "shared-superblock" ... */

/* Will it pass by itself (window, daily, failed ...), or does the configuration say so (mode, rules)? Such a one is no
 * news. */
bool refusal_is_passing(enum refusal r);

/* Does it hold for a new mount by hand, too? */
bool refusal_is_by_hand(enum refusal r);
