/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/stable.c: the boundary between a round trip and storage. */
#include "tests/unit/policy_world.h"

#include "policy/stable.h"

START_TEST(allowance)
{
        static const struct {
                usec_t null_usec;
                uint64_t size_bytes;
                usec_t want;
        } rows[] = {
                { 0, 4 * KIB, 2000 },
                { 200, 4 * KIB, 2200 },
                { 1000, 4 * KIB, 3000 },
                { 5000, 4 * KIB, 15000 },
                { 1000, 1, 3000 },
                { 1000, 68 * KIB, 3640 },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
                ck_assert_uint_eq(stable_allowance(rows[i].null_usec, rows[i].size_bytes), rows[i].want);
}
END_TEST

START_TEST(boundary)
{
        for (int above = 0; above < 2; above++) {
                struct world w;

                world_init(&w, "/data", "rw", "rw,vers=4.2");
                world_null(&w, 1000);
                world_stable(&w, 0, 4 * KIB, 3, 3000 + (usec_t)above);
                world_stable(&w, 1, 68 * KIB, 3, 3640);
                ck_assert_int_eq(stable_look(&w.o), above ? STABLE_STORED : STABLE_NOT_WAITED_FOR);
                w.o.probe.state = PROBE_PASSIVE;
                ck_assert_int_eq(stable_look(&w.o), STABLE_UNKNOWN);
                world_done(&w);
        }
}
END_TEST

/* Once said, it takes twice as much to take it back: at 1 ms of round trip 6 ms. */
START_TEST(hysteresis)
{
        static const struct {
                const char *name;
                bool stands;
                usec_t stable_usec;
                enum stable_look want;
        } rows[] = {
                { "not said, a round trip", false, 3000, STABLE_NOT_WAITED_FOR },
                { "not said, just above", false, 3001, STABLE_STORED },
                { "said, just above", true, 3001, STABLE_NOT_WAITED_FOR },
                { "said, at its end", true, 6000, STABLE_NOT_WAITED_FOR },
                { "said, clearly stored", true, 6001, STABLE_STORED },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", "rw,vers=4.2");
                world_null(&w, 1000);
                world_stable(&w, 0, 4 * KIB, 3, rows[i].stable_usec);
                world_stable(&w, 1, 64 * KIB, 3, 3000);
                w.o.async_export_stands = rows[i].stands;
                ck_assert_msg(stable_look(&w.o) == rows[i].want, "%s", rows[i].name);
                world_done(&w);
        }
}
END_TEST

/* Two probes in a row, for who watches: at 1 ms of round trip 3 ms. */
START_TEST(confirmed)
{
        static const struct {
                const char *name;
                struct earlier_probe earlier;
                bool stands, want;
        } rows[] = {
                { "looked at once", { false, false, 0, 0 }, false, true },
                { "the first of several", { true, false, 0, 0 }, false, false },
                { "the one before agrees", { true, true, 1000, 3000 }, false, true },
                { "the one before was stored", { true, true, 1000, 3001 }, false, false },
                { "the one before measured nothing", { true, true, 1000, 0 }, false, false },
                { "said before", { true, true, 1000, 3001 }, true, true },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct observation o = { .earlier = rows[i].earlier, .async_export_stands = rows[i].stands };

                ck_assert_msg(stable_look_is_confirmed(&o) == rows[i].want, "%s", rows[i].name);
        }
}
END_TEST

/* Storage and little transfer: the smallest size that was measured often enough. */
START_TEST(small)
{
        static const struct {
                const char *name;
                enum probe_state state;
                unsigned n0, n1, n2;
                usec_t want;
        } rows[] = {
                { "all sizes", PROBE_ACTIVE, 4, 4, 1, 4000 },
                { "the smallest too seldom", PROBE_ACTIVE, 2, 3, 1, 64000 },
                { "once a day is too seldom", PROBE_ACTIVE, 0, 0, 1, 0 },
                { "not probed", PROBE_SKIPPED, 4, 4, 4, 0 },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", "rw,vers=4.2");
                world_stable(&w, 0, 4 * KIB, rows[i].n0, 4000);
                world_stable(&w, 1, 64 * KIB, rows[i].n1, 64000);
                world_stable(&w, 2, 4 * MIB, rows[i].n2, 400000);
                w.o.probe.state = rows[i].state;
                ck_assert_msg(stable_small_usec(&w.o) == rows[i].want, "%s", rows[i].name);
                world_done(&w);
        }
}
END_TEST

WORLD_MAIN("policy stable", allowance, boundary, hysteresis, confirmed, small)
