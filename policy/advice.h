/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/advice.h - what the policy says about one mount.
 *
 * Layer:     policy types (pure data).
 * Ownership: struct advice owns everything below it.
 */
#pragma once

#include "policy/base.h"
#include "policy/observation.h"
#include "policy/text.h"

/* Order of printing: urgent first. Ids of DESIGN section 6. */
enum rule {
        RULE_UNRESPONSIVE,
        RULE_LIMIT_BELOW_SIZE,
        RULE_INVALID_OPTION,
        RULE_SOFT_MOUNT,
        RULE_SYNC_CLIENT,
        RULE_NOAC,
        RULE_ATTRIBUTE_CACHE_OFF,
        RULE_LOOKUPCACHE_NONE,
        RULE_STALE_IO_SIZE,
        RULE_IO_SIZE_MISMATCH,
        RULE_LARGE_IO_STALL,
        RULE_UDP_TRANSPORT,
        RULE_SHORT_TIMEOUT,
        RULE_RETRANSMISSIONS,
        RULE_SINGLE_CONNECTION,
        RULE_READ_AHEAD,
        RULE_RESERVED_PORT,
        RULE_ASYNC_EXPORT,
        RULE_SERVER_STORAGE,
        RULE_NETWORK,
        RULE_SMALL_FILES,
        RULE_WRITE_REGRESSION,
        RULE_OLD_VERSION,
        RULE_FIRST_MOUNT_WINS,
        RULE_REQUESTED_DRIFT,
        RULE_OBSOLETE_OPTION,
        RULE_COUNT
};

enum confidence {
        CONFIDENCE_POSSIBLE,    /* nothing proves it; never in a plan */
        CONFIDENCE_CONFIGURED,  /* a requested source or the option itself proves it */
        CONFIDENCE_OBSERVED,    /* probe or counters show it */
        CONFIDENCE_MEASURED,    /* a trial showed it */
        CONFIDENCE_COUNT
};

enum method {
        METHOD_NONE,
        METHOD_LIVE,
        METHOD_REPLACE,
        METHOD_SOURCE,
        METHOD_SERVER,
        METHOD_NETWORK,
        METHOD_COUNT
};

enum verdict {
        VERDICT_QUIET,          /* does not fire */
        VERDICT_FIRES,
        VERDICT_CANNOT_TELL,    /* something is missing that would decide it */
};

struct recommendation {
        enum rule rule;
        enum confidence confidence;
        enum method method;
        bool  automatic;        /* may be applied in auto-remount mode */
        bool  urgent;           /* journal priority error */
        bool  question;         /* the setting may be deliberate: asked, never ordered, in no plan */
        unsigned gain_permille; /* time of the slow part that the change may save at most; 0: not known. Sorts advice */
        char **drop;            /* effective or requested option texts to remove: "rsize=32768" */
        size_t n_drop;
        char **set;             /* option texts to add: "rsize=1048576" */
        size_t n_set;
        struct place place;     /* where the change belongs */
        char *summary;          /* one clause for MESSAGE: what is wrong */
        char *evidence;         /* figures with units, and where they come from */
        char *gain;             /* what the change brings, measured or bounded; NULL: not known */
        char *keep;             /* when to keep things as they are; said first where question is set; or NULL */
        char *risk;             /* what the change costs and what to think of first */
};

struct cannot_tell {
        enum rule rule;
        char *missing;          /* "a probe", "the server's limit: ..." */
        char *command;          /* the command that would tell; NULL: none does */
};

/* One source whose text changes with the plan. */
struct plan_edit {
        size_t source;          /* index into observation.requested */
        char *options;          /* what it asks for afterwards, with the escapes of its place; "": nothing stays */
        char *line;             /* fstab: the whole new line; else NULL */
};

/* Recommendations merged into one change. DESIGN section 6, last lines. */
struct plan {
        bool  exists;           /* false: nothing to change, the rest is empty */
        bool  automatic;        /* every part of it may be applied in auto-remount mode */
        enum method method;
        char *options;          /* the resulting option string, as it goes into the place */
        struct place place;
        char *replacement;      /* the exact new text for the place: fstab line, drop-in, conf snippet */
        char *text;             /* how to do it, in one or two sentences */
        struct plan_edit *edits; /* the same as replacement, for programs: every source that has to change */
        size_t n_edits;
        bool  needs_line;       /* something is to be set, and there is no line of this mount to write it into */
};

struct advice {
        struct recommendation *recommendations;
        size_t n_recommendations;
        struct cannot_tell *cannot_tell;
        size_t n_cannot_tell;
        struct plan plan;
};

void recommendation_done(struct recommendation *r);
void advice_done(struct advice *a);

/* Something about a line that no mount belongs to: a malformed line, an export. */
struct finding {
        enum rule rule;
        struct place place;
        char *evidence;         /* the line, and what is wrong with it */
        char *text;             /* what to do */
};

struct findings {
        struct finding *items;
        size_t n_items;
};

/* Appends one; copies the place, takes the two texts over (text_take() of each).
 * Return: 0 or -ENOMEM; the texts are empty afterwards in both cases. */
int findings_add(struct findings *f, enum rule rule, const struct place *place, struct text *evidence,
                 struct text *words) must_check;
void findings_done(struct findings *f);
