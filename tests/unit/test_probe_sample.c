/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latencies and stalls of a series. */
#include "probe/sample.h"

#include <check.h>

#define MSEC USEC_PER_MSEC

static const struct sample_row {
        const char *name;
        usec_t values[24];
        size_t n;
        struct latency latency;
        unsigned stalls;
        usec_t longest;
} sample_rows[] = {
        { "nothing", { 0 }, 0, { 0 }, 0, 0 },
        { "one", { 5 }, 1, { 1, 5, 5, 5 }, 0, 0 },
        { "unsorted", { 3, 1, 2 }, 3, { 3, 2, 3, 3 }, 0, 0 },
        { "ten times the median, but not felt", { 1 * MSEC, 1 * MSEC, 19 * MSEC }, 3,
          { 3, 1 * MSEC, 19 * MSEC, 19 * MSEC }, 0, 0 },
        { "felt and ten times the median", { 1 * MSEC, 1 * MSEC, 20 * MSEC }, 3,
          { 3, 1 * MSEC, 20 * MSEC, 20 * MSEC }, 1, 20 * MSEC },
        { "felt, but below ten times the median", { 3 * MSEC, 3 * MSEC, 29 * MSEC }, 3,
          { 3, 3 * MSEC, 29 * MSEC, 29 * MSEC }, 0, 0 },
        { "a second is a stall whatever the median", { 900 * MSEC, 999 * MSEC, 1000 * MSEC }, 3,
          { 3, 999 * MSEC, 1000 * MSEC, 1000 * MSEC }, 1, 1000 * MSEC },
        { "two, the longest counts", { 1 * MSEC, 50 * MSEC, 1 * MSEC, 1 * MSEC, 70 * MSEC }, 5,
          { 5, 1 * MSEC, 70 * MSEC, 70 * MSEC }, 2, 70 * MSEC },
};

START_TEST(says)
{
        const struct sample_row *row = &sample_rows[_i];
        struct sample s;
        usec_t longest = 1;

        ck_assert_int_eq(sample_init(&s, row->n), 0);
        for (size_t i = 0; i < row->n; i++)
                sample_add(&s, row->values[i]);
        struct latency l = sample_latency(&s);
        unsigned stalls = sample_stalls(&s, &longest);
        ck_assert_msg(l.n == row->latency.n && l.p50_usec == row->latency.p50_usec &&
                      l.p99_usec == row->latency.p99_usec && l.max_usec == row->latency.max_usec,
                      "%s: %u %lu %lu %lu", row->name, l.n, l.p50_usec, l.p99_usec, l.max_usec);
        ck_assert_msg(stalls == row->stalls && longest == row->longest, "%s: %u stalls", row->name, stalls);
        sample_done(&s);
}
END_TEST

START_TEST(drops_what_is_too_much)
{
        struct sample s;

        ck_assert_int_eq(sample_init(&s, 2), 0);
        for (unsigned i = 0; i < 5; i++)
                sample_add(&s, i);
        ck_assert_uint_eq(sample_latency(&s).n, 2);
        sample_done(&s);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/sample");
        TCase *t = tcase_create("all");

        tcase_add_loop_test(t, says, 0, ARRAY_SIZE(sample_rows));
        tcase_add_test(t, drops_what_is_too_much);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
