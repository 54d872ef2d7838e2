/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/compare.c: medians of pairs and the interval that the sign test allows. */
#include "policy/compare.h"
#include "tests/unit/policy_case.h"

#include <limits.h>

/* Ranks from tables of the binomial distribution (n, 1/2): Conover, table A3. */
static const struct {
        const char *name;
        unsigned n, k;                  /* the interval ends k from either end; 0: none */
} intervals[] = {
        { "nothing", 0, 0 },      { "one", 1, 0 },         { "five are too few", 5, 0 }, { "six", 6, 1 },
        { "eight", 8, 1 },        { "nine", 9, 2 },        { "eleven", 11, 2 },         { "twelve", 12, 3 },
        { "twenty", 20, 6 },      { "thirty", 30, 10 },    { "fifty", 50, 18 },         { "all", 64, 24 },
};

/* Ratios of 1.001, 1.002 ... in mixed order. */
START_TEST(test_interval)
{
        usec_t before[COMPARE_PAIRS_MAX], after[COMPARE_PAIRS_MAX];
        unsigned n = intervals[_i].n, k = intervals[_i].k;
        const char *name = intervals[_i].name;
        struct comparison c;
        bool enough;

        for (unsigned i = 0; i < n; i++) {
                unsigned place = i % 2 ? n - i / 2 : i / 2 + 1;

                before[i] = 1000 * (i + 1);
                after[i] = (1000 + place) * (i + 1);
        }
        enough = compare_pairs(before, after, n, &c);
        ck_assert_msg(enough == (k > 0), "%s", name);
        ck_assert_msg(c.pairs == n, "%s", name);
        ck_assert_msg(c.low_permille == (k > 0 ? 1000 + k : 0), "%s: low %u", name, c.low_permille);
        ck_assert_msg(c.high_permille == (k > 0 ? 1001 + n - k : UINT_MAX), "%s: high %u", name, c.high_permille);
        if (n > 0)
                ck_assert_msg(c.ratio_permille == 1000 + (n + 1) / 2, "%s: ratio %u", name, c.ratio_permille);
}
END_TEST

START_TEST(test_medians)
{
        const usec_t before[] = { 10, 1000, 20, 30, 40, 50 }, after[] = { 5, 2000, 10, 15, 20, 25 };
        struct comparison c;

        ck_assert(compare_pairs(before, after, 6, &c));
        ck_assert_uint_eq(c.before_usec, 35);
        ck_assert_uint_eq(c.after_usec, 17);
        ck_assert_uint_eq(c.ratio_permille, 500);
        ck_assert_uint_eq(c.low_permille, 500);
        ck_assert_uint_eq(c.high_permille, 2000);
}
END_TEST

/* Figures that no clock gives: nothing overflows, and no more than the most is looked at. */
START_TEST(test_extremes)
{
        usec_t before[COMPARE_PAIRS_MAX + 1], after[COMPARE_PAIRS_MAX + 1];
        struct comparison c;

        for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
                before[i] = i % 2 ? 0 : 1;
                after[i] = USEC_INFINITY;
        }
        ck_assert(compare_pairs(before, after, COMPARE_PAIRS_MAX + 1, &c));
        ck_assert_uint_eq(c.pairs, COMPARE_PAIRS_MAX);
        ck_assert_uint_eq(c.ratio_permille, UINT_MAX);
        ck_assert_uint_eq(c.after_usec, USEC_INFINITY);
        ck_assert(comparison_is_worse(&c, 100));
        ck_assert(!comparison_is_worse(&c, UINT_MAX));
}
END_TEST

static const struct {
        const char *name;
        struct comparison c;
        bool worse;
} verdicts[] = {
        { "too few pairs", { .ratio_permille = 5000, .low_permille = 0, .high_permille = UINT_MAX }, false },
        { "as fast", { .ratio_permille = 1000, .low_permille = 990, .high_permille = 1010 }, false },
        { "faster", { .ratio_permille = 100, .low_permille = 90, .high_permille = 120 }, false },
        { "slower, and perhaps not", { .ratio_permille = 1500, .low_permille = 990, .high_permille = 2000 }, false },
        { "surely slower, by a little", { .ratio_permille = 1100, .low_permille = 1001, .high_permille = 1200 },
          false },
        { "surely slower, by much", { .ratio_permille = 1101, .low_permille = 1001, .high_permille = 1200 }, true },
};

START_TEST(test_verdict)
{
        ck_assert_msg(comparison_is_worse(&verdicts[_i].c, 100) == verdicts[_i].worse, "%s", verdicts[_i].name);
}
END_TEST

/* Two things that are equally fast are rarely called different: 2.5 % at this end at most. */
START_TEST(test_false_alarms)
{
        uint64_t state = world_seed();
        unsigned worse = 0;

        for (unsigned round = 0; round < 4000; round++) {
                usec_t before[11], after[11];
                struct comparison c;

                for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
                        before[i] = 1000 + world_random(&state) % 4000;
                        after[i] = 1000 + world_random(&state) % 4000;
                }
                ck_assert(compare_pairs(before, after, ARRAY_SIZE(before), &c));
                worse += comparison_is_worse(&c, 0);
        }
        ck_assert_msg(worse > 0 && worse < 4000 * 25 / 1000, "%u of 4000", worse);
}
END_TEST

CASE_MAIN("policy compare",
          { test_interval, ARRAY_SIZE(intervals) },
          { test_medians, 1 },
          { test_extremes, 1 },
          { test_verdict, ARRAY_SIZE(verdicts) },
          { test_false_alarms, 1 })
