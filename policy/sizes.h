/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/sizes.h - rsize and wsize of one mount: used, asked for, offered.
 *
 * Layer:   policy (pure).
 * Purpose: one place for the client's arithmetic (KERNEL-FACTS 4.1), so that
 *          the rules about transfer sizes and the plan agree on what is pinned.
 */
#pragma once

#include "policy/observation.h"

/* The largest transfer of every Linux client so far (NFS_MAX_FILE_IO_SIZE). */
#define CLIENT_MAX_BYTES MIB

/* At and below this a size is an old habit rather than a server's offer: since
 * 2.6 the defaults of client and server are larger on tcp. */
#define OLD_HABIT_BYTES (32 * KIB)

/* A trial counts when the candidate surely takes less than this of the present time. */
#define TRIAL_FASTER_PERMILLE 900

enum direction_index {
        DIRECTION_READ,
        DIRECTION_WRITE,
        DIRECTION_COUNT
};

/* Borrows from the observation. */
struct direction {
        const char *name;               /* "rsize", "wsize" */
        const char *noun;               /* "reads", "writes" */
        uint64_t effective_bytes;       /* 0: unknown; of a line without a mount: what the client would make of it */
        uint64_t limit_bytes;           /* as the server says it; 0: unknown */
        uint64_t cap_bytes;             /* of client and transport */
        uint64_t offer_bytes;           /* what would be negotiated without the option; 0: unknown */
        bool below_offer;               /* offer known, and the effective size is clearly below it */
        bool session_limited;           /* the shape of a size that a v4.1 session imposes */
        const struct requested *source; /* strongest that names it, records included */
        const struct requested *place;  /* strongest that names it and can be edited */
        bool explained;                 /* source asks for exactly the effective size */
        bool asked_more;                /* source asks for more than is effective */
        uint64_t asked_bytes;           /* by source, 0: nothing readable */
};

void directions_read(const struct observation *o, const struct nfs_options *effective,
                     struct direction ret[static DIRECTION_COUNT]);

/* Is the effective size what negotiation gives anyway (as far as is known)? */
bool direction_is_negotiated(const struct direction *d);

/* Is this what the client makes of rsize= or wsize=@asked_bytes when the server offers enough? */
bool size_comes_from(uint64_t effective_bytes, uint64_t asked_bytes, const struct nfs_options *effective);

/* What trials showed of other sizes than the mount's, which changed nothing
 * else. Borrows from the observation. */
struct size_trials {
        const struct trial_facts *larger;       /* faster, and slower for no other workload; NULL: none */
        uint64_t larger_bytes[DIRECTION_COUNT];
        const struct trial_facts *smaller;      /* the same with both sizes smaller */
        bool larger_is_slower;                  /* larger sizes were tried, and lost */
};

/* Return: 0 or -ENOMEM. */
int size_trials_read(const struct observation *o, const struct direction d[static DIRECTION_COUNT],
                     struct size_trials *ret) must_check;
