/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/compare.c - medians of pairs and their interval. See compare.h. */
#include "policy/compare.h"

#include <limits.h>

/* What the sign test may leave out at each end. */
#define TAIL 0.025

static int compare_usec(const void *a, const void *b)
{
        const usec_t x = *(const usec_t *)a, y = *(const usec_t *)b;

        return (x > y) - (x < y);
}

/* @sorted has @n > 0 values. */
static usec_t median(const usec_t *sorted, unsigned n)
{
        usec_t low = sorted[(n - 1) / 2], high = sorted[n / 2];

        return low + (high - low) / 2;
}

static usec_t median_of(const usec_t *values, unsigned n)
{
        usec_t sorted[COMPARE_PAIRS_MAX];

        for (unsigned i = 0; i < n; i++)
                sorted[i] = values[i];
        qsort(sorted, n, sizeof(sorted[0]), compare_usec);
        return median(sorted, n);
}

static usec_t ratio_permille(usec_t before, usec_t after)
{
        double ratio = 1000 * (double)after / (double)MAX(before, (usec_t)1) + 0.5;

        return ratio < (double)UINT_MAX ? (usec_t)ratio : UINT_MAX;
}

/* The largest k for which P(Binomial(n, 1/2) < k) <= TAIL; 0: none. */
static unsigned order_statistic(unsigned n)
{
        double term = 1, sum = 0;
        unsigned k = 0;

        for (unsigned i = 0; i < n; i++)
                term /= 2;
        for (; k < n; k++) {
                /* term is now P(Binomial = k) */
                sum += term;
                if (sum > TAIL)
                        break;
                term = term * (n - k) / (k + 1);
        }
        return k;
}

bool compare_pairs(const usec_t *before, const usec_t *after, unsigned n, struct comparison *ret)
{
        usec_t ratios[COMPARE_PAIRS_MAX];
        unsigned k;

        n = MIN(n, (unsigned)COMPARE_PAIRS_MAX);
        *ret = (struct comparison){ .pairs = n, .high_permille = UINT_MAX };
        if (n == 0)
                return false;
        for (unsigned i = 0; i < n; i++)
                ratios[i] = ratio_permille(before[i], after[i]);
        qsort(ratios, n, sizeof(ratios[0]), compare_usec);
        ret->before_usec = median_of(before, n);
        ret->after_usec = median_of(after, n);
        ret->ratio_permille = (unsigned)median(ratios, n);
        k = order_statistic(n);
        if (k == 0)
                return false;
        ret->low_permille = (unsigned)ratios[k - 1];
        ret->high_permille = (unsigned)ratios[n - k];
        return true;
}

bool comparison_is_worse(const struct comparison *c, unsigned tolerance_permille)
{
        return c->low_permille > 1000 && c->ratio_permille > 1000 &&
               c->ratio_permille - 1000 > tolerance_permille;
}
