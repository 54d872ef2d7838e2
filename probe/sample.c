/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latencies and stalls of a series of durations. */
#include "probe/sample.h"

#include <errno.h>

#include "policy/quantile.h"

#define STALL_ALWAYS_USEC   USEC_PER_SEC
#define STALL_MEDIANS       10
#define STALL_AT_LEAST_USEC (20 * USEC_PER_MSEC)        /* below that nobody feels it */

int sample_init(struct sample *s, size_t size)
{
        *s = (struct sample){ .values_usec = calloc(MAX(size, 1), sizeof(uint64_t)), .size = size };
        return s->values_usec ? 0 : -ENOMEM;
}

void sample_done(struct sample *s)
{
        free(s->values_usec);
        *s = (struct sample){ 0 };
}

void sample_add(struct sample *s, usec_t duration_usec)
{
        if (s->n < s->size)
                s->values_usec[s->n++] = duration_usec;
}

struct latency sample_latency(struct sample *s)
{
        return (struct latency){
                .n = (unsigned)s->n,
                .p50_usec = quantile_permille(s->values_usec, s->n, 500),
                .p99_usec = quantile_permille(s->values_usec, s->n, 990),
                .max_usec = quantile_permille(s->values_usec, s->n, 1000),
        };
}

unsigned sample_stalls(struct sample *s, usec_t *ret_longest_usec)
{
        usec_t median = quantile_permille(s->values_usec, s->n, 500);
        usec_t threshold = MIN(MAX(STALL_MEDIANS * median, STALL_AT_LEAST_USEC), STALL_ALWAYS_USEC);
        unsigned stalls = 0;

        *ret_longest_usec = 0;
        for (size_t i = 0; i < s->n; i++) {
                if (s->values_usec[i] < threshold)
                        continue;
                stalls++;
                *ret_longest_usec = MAX(*ret_longest_usec, s->values_usec[i]);
        }
        return stalls;
}
