/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/observation.c, policy/advice.c: copies own their strings, ends are total and leave zeros. */
#include "tests/unit/policy_world.h"

static bool is_zero(const void *p, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (((const unsigned char *)p)[i] != 0)
                        return false;
        return true;
}

START_TEST(ends_of_zeroed_structs)
{
#define CHECK_END(type, function)                                       \
        do {                                                            \
                struct type s = { 0 };                                  \
                                                                        \
                function(&s);                                           \
                function(&s);                                           \
                ck_assert_msg(is_zero(&s, sizeof(s)), #function);       \
        } while (0)
        CHECK_END(place, place_done);
        CHECK_END(requested, requested_done);
        CHECK_END(mount_facts, mount_facts_done);
        CHECK_END(counters, counters_done);
        CHECK_END(server_facts, server_facts_done);
        CHECK_END(probe_result, probe_result_done);
        CHECK_END(observation, observation_done);
        CHECK_END(snapshot, snapshot_done);
        CHECK_END(recommendation, recommendation_done);
        CHECK_END(advice, advice_done);
}
END_TEST

START_TEST(copies_are_deep)
{
        char file[] = "/etc/fstab";
        struct place p = { PLACE_FSTAB, file, 7 }, p2;

        ck_assert_int_eq(place_copy(&p, &p2), 0);
        file[0] = 'X';
        ck_assert_str_eq(p2.file, "/etc/fstab");
        ck_assert_uint_eq(p2.line, 7);
        place_done(&p2);
}
END_TEST

START_TEST(copies_of_nothing)
{
        struct place p = { 0 }, p2;

        ck_assert_int_eq(place_copy(&p, &p2), 0);
        ck_assert_ptr_null(p2.file);
}
END_TEST

START_TEST(deltas)
{
        const struct rpc_op_counters earlier = { 10, 11, 1, 100, 200, 5, 6, 7, 0 };
        const struct rpc_op_counters later = { 15, 17, 1, 190, 280, 8, 10, 12, 2 };
        const struct rpc_op_counters want = { 5, 6, 0, 90, 80, 3, 4, 5, 2 };
        struct rpc_op_counters got;

        ck_assert(rpc_op_counters_delta(&earlier, &later, &got));
        ck_assert_mem_eq(&got, &want, sizeof(got));
        ck_assert(!rpc_op_counters_delta(&later, &earlier, &got));
        ck_assert(is_zero(&got, sizeof(got)));
        ck_assert(rpc_op_counters_delta(&later, &later, &got));
        ck_assert(is_zero(&got, sizeof(got)));
}
END_TEST

WORLD_MAIN("policy observation", ends_of_zeroed_structs, copies_are_deep, copies_of_nothing, deltas)
