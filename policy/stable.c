/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/stable.c - what the time of stable writes says. See stable.h. */
#include "policy/stable.h"

/* A median of fewer is one sample with a name. */
#define STABLE_SAMPLES_MIN 3

/* The server opens, writes and answers through its file system's page cache,
 * which a NULL call does not do: at 0.2 ms of round trip twice as much again is
 * nothing, and where the round trip dominates no server needs three of them.
 * A disk's flush costs 4 ms and more, a consumer SSD's about 1 to 5 ms. */
#define STABLE_ROUND_TRIPS 3
#define STABLE_EXTRA_USEC (2 * USEC_PER_MSEC)

/* 1 Gbit/s moves 1 KiB in about 9 us; a slower network makes us say nothing. */
#define TRANSFER_USEC_PER_KIB 10
#define SMALL_BYTES (4 * KIB)

/* A round trip is a noisy measure: what was said once is not taken back and
 * said again whenever a probe lands on the other side of the line. */
#define STABLE_HYSTERESIS 2

usec_t stable_allowance(usec_t null_usec, uint64_t size_bytes)
{
        uint64_t beyond_kib = size_bytes > SMALL_BYTES ? (size_bytes - SMALL_BYTES) / KIB : 0;

        return MAX(STABLE_ROUND_TRIPS * null_usec, null_usec + STABLE_EXTRA_USEC) + beyond_kib * TRANSFER_USEC_PER_KIB;
}

enum stable_look stable_look(const struct observation *o)
{
        usec_t null_usec = o->server.null_median_usec;
        unsigned slack = o->async_export_stands ? STABLE_HYSTERESIS : 1;
        unsigned sizes = 0;

        if (o->probe.state != PROBE_ACTIVE || o->server.null_replies < STABLE_SAMPLES_MIN)
                return STABLE_UNKNOWN;
        for (size_t i = 0; i < STABLE_SIZES; i++) {
                const struct stable_latency *s = &o->probe.stable[i];

                if (s->latency.n == 0)
                        continue;
                /* One slow COMMIT of much data is enough to clear the export; one fast one proves nothing. */
                if (s->latency.p50_usec > slack * stable_allowance(null_usec, s->size_bytes))
                        return STABLE_STORED;
                sizes += s->latency.n >= STABLE_SAMPLES_MIN;
        }
        return sizes >= 2 ? STABLE_NOT_WAITED_FOR : STABLE_UNKNOWN;
}

bool stable_look_is_confirmed(const struct observation *o)
{
        const struct earlier_probe *e = &o->earlier;

        if (!e->awaited || o->async_export_stands)
                return true;
        return e->known && e->stable_small_usec > 0 &&
               e->stable_small_usec <= stable_allowance(e->null_median_usec, SMALL_BYTES);
}

usec_t stable_small_usec(const struct observation *o)
{
        const struct stable_latency *least = NULL;

        if (o->probe.state != PROBE_ACTIVE)
                return 0;
        for (size_t i = 0; i < STABLE_SIZES; i++) {
                const struct stable_latency *s = &o->probe.stable[i];

                if (s->latency.n >= STABLE_SAMPLES_MIN && (!least || s->size_bytes < least->size_bytes))
                        least = s;
        }
        return least ? least->latency.p50_usec : 0;
}
