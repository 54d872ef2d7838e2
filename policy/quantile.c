/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/quantile.c - order statistics of small samples. See quantile.h. */
#include "policy/quantile.h"

static int u64_compare(const void *a, const void *b)
{
        uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

        return (x > y) - (x < y);
}

uint64_t quantile_permille(uint64_t *values, size_t n, unsigned permille)
{
        uint64_t rank;

        if (n == 0)
                return 0;
        qsort(values, n, sizeof(*values), u64_compare);
        rank = ((uint64_t)n * MIN(permille, 1000U) + 999) / 1000;
        return values[MAX(rank, 1U) - 1];
}
