/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/compare.h - two things measured in turn: which one is slower?
 *
 * Layer:   policy (pure).
 * Formula: the ratios of the pairs, sorted; their median, and as interval the order statistics that the sign test
 *          allows (Conover, Practical Nonparametric Statistics, 3rd ed., section 3.2): the k-th smallest to the
 *          k-th largest with the largest k for which P(Binomial(n, 1/2) < k) <= 2.5 %. Free of any distribution.
 *          Six pairs are the least for 95 % (min to max, 96.9 %): TRIED section 2.
 */
#pragma once

#include "policy/base.h"

#define COMPARE_PAIRS_MIN 6
#define COMPARE_PAIRS_MAX 64

struct comparison {
        unsigned pairs;
        usec_t before_usec;             /* medians */
        usec_t after_usec;
        unsigned ratio_permille;        /* median of after/before; 200: five times as fast */
        unsigned low_permille;          /* 95 % interval; 0 and UINT_MAX with too few pairs */
        unsigned high_permille;
};

/* @before[i] and @after[i] were measured one after the other. @n at most COMPARE_PAIRS_MAX; no value is 0.
 * Return: whether there were enough for an interval. */
bool compare_pairs(const usec_t *before, const usec_t *after, unsigned n, struct comparison *ret);

/* Is the new one worse beyond doubt: the whole interval above 1, and the median by more than @tolerance_permille? */
bool comparison_is_worse(const struct comparison *c, unsigned tolerance_permille);
