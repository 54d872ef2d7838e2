/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/stable.h - what the time of stable writes says of the export.
 *
 * Layer:   policy (pure).
 * Purpose: the protocol does not tell a sync export from an async one, only the
 *          latency does; and a non-volatile cache looks like async (KERNEL-FACTS 6).
 */
#pragma once

#include "policy/observation.h"

enum stable_look {
        STABLE_UNKNOWN,         /* too few figures */
        STABLE_STORED,          /* stable writes wait for something slower than the network */
        STABLE_NOT_WAITED_FOR,  /* they cost about a round trip at two sizes: async, or a cache that survives */
};

enum stable_look stable_look(const struct observation *o);

/* STABLE_NOT_WAITED_FOR of one probe makes careful; it is said where the probe
 * before agrees, or where no other is awaited: one slow NULL makes any disk look quick. */
bool stable_look_is_confirmed(const struct observation *o);

/* The longest time of a stable write of @size_bytes that still looks like a
 * round trip of @null_usec. */
usec_t stable_allowance(usec_t null_usec, uint64_t size_bytes);

/* Median time of the smallest stable write that the probe measured often enough:
 * storage and little transfer. 0: not measured. */
usec_t stable_small_usec(const struct observation *o);
