/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/sample.h - durations of one kind, and what they say together.
 *
 * Layer: probe (pure).
 */
#pragma once

#include "policy/observation.h"

struct sample {
        uint64_t *values_usec;
        size_t n;
        size_t size;                    /* further values are dropped */
};

/* Return: 0 or -ENOMEM. */
int sample_init(struct sample *s, size_t size) must_check;
void sample_done(struct sample *s);

void sample_add(struct sample *s, usec_t duration_usec);

/* Both sort the values. */
struct latency sample_latency(struct sample *s);

/* Stalls as struct workload_result defines them. */
unsigned sample_stalls(struct sample *s, usec_t *ret_longest_usec);
