/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/schedule.c - when a mount is probed next. See schedule.h. */
#include "policy/schedule.h"

static usec_t add_saturated(usec_t a, usec_t b)
{
        usec_t sum;

        return __builtin_add_overflow(a, b, &sum) ? USEC_INFINITY : sum;
}

/* A point in 0..@width, both included. */
static usec_t scale_random(uint64_t random, usec_t width)
{
        return width == USEC_INFINITY ? random : random % (width + 1);
}

usec_t schedule_first(usec_t now_usec, usec_t spread_usec, uint64_t random)
{
        return add_saturated(now_usec, scale_random(random, spread_usec));
}

/* Jitter keeps a room full of clients that booted together from probing their
 * one server together for ever. */
usec_t schedule_next(usec_t now_usec, usec_t interval_usec, uint64_t random)
{
        usec_t quarter = interval_usec / 4;

        return add_saturated(now_usec, add_saturated(interval_usec - quarter, scale_random(random, 2 * quarter)));
}
