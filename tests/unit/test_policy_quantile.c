/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/quantile.c: nearest rank. */
#include "tests/unit/policy_world.h"

#include "policy/quantile.h"

START_TEST(known_samples)
{
        static const struct {
                const char *name;
                uint64_t values[5];
                size_t n;
                unsigned permille;
                uint64_t want;
        } rows[] = {
                { "empty", { 0 }, 0, 500, 0 },
                { "one", { 7 }, 1, 500, 7 },
                { "one, zero quantile", { 7 }, 1, 0, 7 },
                { "lower median of two", { 9, 1 }, 2, 500, 1 },
                { "median of three", { 9, 1, 5 }, 3, 500, 5 },
                { "lower median of four", { 4, 3, 2, 1 }, 4, 500, 2 },
                { "maximum", { 4, 30, 2, 1 }, 4, 1000, 30 },
                { "beyond", { 4, 30, 2, 1 }, 4, 5000, 30 },
                { "minimum", { 4, 30, 2, 1 }, 4, 1, 1 },
                { "99 % of five is the largest", { 1, 2, 3, 4, 5 }, 5, 990, 5 },
                { "exact rank", { 1, 2, 3, 4, 5 }, 5, 800, 4 },
                { "just above a rank", { 1, 2, 3, 4, 5 }, 5, 801, 5 },
                { "large values", { UINT64_MAX, 0, UINT64_MAX - 1 }, 3, 500, UINT64_MAX - 1 },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                uint64_t values[5], got;

                memcpy(values, rows[i].values, sizeof(values));
                got = quantile_permille(values, rows[i].n, rows[i].permille);
                ck_assert_msg(got == rows[i].want, "%s: %llu, want %llu", rows[i].name, (unsigned long long)got,
                              (unsigned long long)rows[i].want);
        }
}
END_TEST

/* The definition, counted out. */
START_TEST(definition_holds)
{
        uint64_t seed = world_seed(), state = seed, values[64];

        for (int round = 0; round < 2000; round++) {
                size_t n = world_random(&state) % 64 + 1, below = 0, at_most = 0;
                unsigned permille = (unsigned)(world_random(&state) % 1001);
                uint64_t q;

                for (size_t i = 0; i < n; i++)
                        values[i] = world_random(&state) % 20;
                q = quantile_permille(values, n, permille);
                for (size_t i = 0; i < n; i++) {
                        below += values[i] < q;
                        at_most += values[i] <= q;
                        ck_assert_msg(i == 0 || values[i - 1] <= values[i], "seed %llu: not sorted",
                                      (unsigned long long)seed);
                }
                ck_assert_msg(at_most * 1000 >= n * permille && (permille == 0 || below * 1000 < n * permille),
                              "seed %llu: n %zu, %u permille", (unsigned long long)seed, n, permille);
        }
}
END_TEST

WORLD_MAIN("policy quantile", known_samples, definition_holds)
