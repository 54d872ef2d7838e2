/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/clock.h - the present moment in microseconds.
 *
 * Layer: probe.
 */
#pragma once

#include <time.h>

#include "policy/base.h"

static inline usec_t clock_usec(clockid_t clock)
{
        struct timespec now = { 0 };

        clock_gettime(clock, &now);     /* cannot fail for the clocks we use */
        return (usec_t)now.tv_sec * USEC_PER_SEC + (usec_t)now.tv_nsec / 1000;
}

/* For durations and deadlines inside one process. */
static inline usec_t clock_monotonic_usec(void)
{
        return clock_usec(CLOCK_MONOTONIC);
}
