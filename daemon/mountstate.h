/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/mountstate.h - what the daemon remembers of one superblock.
 *
 * Layer:     daemon. No external library; time is an argument.
 * Purpose:   the observation itself is read anew again and again; this is what
 *            must survive that: liveness, what was said, limits that were had
 *            the hard way, when what is due.
 * Ownership: owned by struct host; @observation is borrowed from its snapshot.
 */
#pragma once

#include "policy/advice.h"
#include "policy/ledger.h"
#include "policy/liveness.h"

/* A limit and the versions stand this long without being confirmed. */
#define LIMITS_REMEMBERED_USEC USEC_PER_DAY
/* More WRITE calls per second than this: the mount is busy and not disturbed.
 * The editor save of the first story writes 30 a second. */
#define BUSY_WRITES_PER_SEC 30

struct mountstate {
        uint64_t key;                   /* of the pool: the superblock's device */
        uint64_t generation;            /* tells a new superblock with an old number apart */
        struct observation *observation;
        struct liveness_state liveness;
        struct ledger ledger;
        struct advice advice;           /* of the last judgement */
        bool   judged;                  /* @advice is one */
        bool   ask_due;                 /* the first questions to the server are still to be sent, */
        usec_t ask_usec;                /* at this time */
        bool   answered;                /* they ended, one way or the other */
        bool   probed;                  /* a whole probe ended */
        usec_t seen_usec;               /* when it was first seen */
        usec_t silent_since_usec;       /* 0: it is not */
        usec_t first_probe_usec;        /* date of the first one */
        usec_t next_probe_usec;         /* 0: no date yet */
        usec_t deep_commit_usec;        /* last time; 0: never */
        usec_t stuck_usec;              /* when a child was last killed at its deadline */

        enum limit_source limit_source; /* UNKNOWN: nothing remembered */
        uint64_t read_max_bytes;
        uint64_t write_max_bytes;
        usec_t limits_usec;
        unsigned versions;
        usec_t versions_usec;           /* 0: nothing remembered */

        bool   have_reading;
        uint64_t reading_writes;        /* WRITE calls at the last reading */
        usec_t reading_usec;
        uint64_t writes_per_sec;

        usec_t probe_usec;              /* when the last probe that wrote began; 0: none yet */
        struct earlier_probe last;      /* its figures */
        struct earlier_probe before;    /* those of the one before it */

        bool   stays;                   /* host_replace() only */
};

void mountstate_free(struct mountstate *s);

/* Takes over what the server said (*facts is left zeroed). What it did not say
 * this time is filled in from memory, for a day. */
void mountstate_take_server(struct mountstate *s, struct server_facts *facts, usec_t now_usec);

/* Remembers what a staged mount negotiated and puts it into the observation. */
void mountstate_take_staged(struct mountstate *s, uint64_t rsize_bytes, uint64_t wsize_bytes, usec_t now_usec);

/* The server may have been started anew: ask again. */
void mountstate_forget_limits(struct mountstate *s);

/* Follows the counters: how busy is it? */
void mountstate_take_reading(struct mountstate *s, usec_t now_usec);

bool mountstate_is_busy(const struct mountstate *s);

/* Before each judgement: puts the figures of the probe before the last one into
 * the observation, and remembers the last one's. */
void mountstate_remember_probe(struct mountstate *s);

/* A probe ended without the helper's own words about it. @reason is copied;
 * on -ENOMEM the reason is missing, the state is not. */
void mountstate_set_probe(struct mountstate *s, enum probe_state state, const char *reason);
