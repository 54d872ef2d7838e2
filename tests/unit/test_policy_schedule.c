/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/schedule.c: bounds for any randomness, and no two hosts in step. */
#include "tests/unit/policy_world.h"

#include "policy/schedule.h"

START_TEST(edges)
{
        ck_assert_uint_eq(schedule_first(NOW, 0, UINT64_MAX), NOW);
        ck_assert_uint_eq(schedule_first(NOW, 10, 10), NOW + 10);
        ck_assert_uint_eq(schedule_first(NOW, 10, 11), NOW);
        ck_assert_uint_eq(schedule_first(USEC_INFINITY - 1, 10, 10), USEC_INFINITY);
        ck_assert_uint_eq(schedule_first(0, USEC_INFINITY, 5), 5);
        ck_assert_uint_eq(schedule_next(NOW, 100, 0), NOW + 75);
        ck_assert_uint_eq(schedule_next(NOW, 100, 50), NOW + 125);
        ck_assert_uint_eq(schedule_next(NOW, 0, 12345), NOW);
        ck_assert_uint_eq(schedule_next(USEC_INFINITY / 2, USEC_INFINITY, UINT64_MAX), USEC_INFINITY);
        ck_assert_uint_eq(schedule_next(USEC_INFINITY, 100, 0), USEC_INFINITY);
}
END_TEST

START_TEST(bounds_and_spread)
{
        uint64_t seed = world_seed(), state = seed;
        usec_t interval = USEC_PER_HOUR, least = USEC_INFINITY, most = 0;

        for (int i = 0; i < 20000; i++) {
                usec_t next = schedule_next(NOW, interval, world_random(&state)) - NOW;
                usec_t first = schedule_first(NOW, 5 * USEC_PER_MINUTE, world_random(&state)) - NOW;

                ck_assert_msg(next >= interval * 3 / 4 && next <= interval * 5 / 4, "seed %llu: next after %llu",
                              (unsigned long long)seed, (unsigned long long)next);
                ck_assert_msg(first <= 5 * USEC_PER_MINUTE, "seed %llu: first", (unsigned long long)seed);
                least = MIN(least, next);
                most = MAX(most, next);
        }
        ck_assert(least < interval * 76 / 100 && most > interval * 124 / 100);
}
END_TEST

/* A year of two hosts that booted together: their probes drift apart and none is lost. */
START_TEST(a_year)
{
        uint64_t seed = world_seed(), a = seed, b = seed + 1;
        usec_t year = 365 * USEC_PER_DAY, at_a = 0, at_b = 0;
        unsigned probes = 0, together = 0;

        while (at_a < year) {
                at_a = schedule_next(at_a, USEC_PER_HOUR, world_random(&a));
                at_b = schedule_next(at_b, USEC_PER_HOUR, world_random(&b));
                probes++;
                together += (at_a > at_b ? at_a - at_b : at_b - at_a) < USEC_PER_SEC;
        }
        ck_assert_msg(probes > 8500 && probes < 9050, "seed %llu: %u probes", (unsigned long long)seed, probes);
        ck_assert_msg(together < probes / 20, "seed %llu: %u together", (unsigned long long)seed, together);
}
END_TEST

WORLD_MAIN("policy schedule", edges, bounds_and_spread, a_year)
