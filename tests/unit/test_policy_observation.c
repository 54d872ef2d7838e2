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
        char file[] = "/etc/fstab", detail[] = "refused", limit[] = "no rpcbind", reason[] = "passive", impl[] = "nfsd";
        struct place p = { PLACE_FSTAB, file, 7 }, p2;
        struct server_facts s = { .null_answer = ANSWER_NONE, .detail = detail, .limit_detail = limit }, s2;
        struct probe_result r = { .state = PROBE_PASSIVE, .reason = reason }, r2;
        struct counters c = { .known = true, .age_sec = 5, .implementation = impl }, c2;

        ck_assert_int_eq(place_copy(&p, &p2), 0);
        ck_assert_int_eq(server_facts_copy(&s, &s2), 0);
        ck_assert_int_eq(probe_result_copy(&r, &r2), 0);
        ck_assert_int_eq(counters_copy(&c, &c2), 0);
        file[0] = detail[0] = limit[0] = reason[0] = impl[0] = 'X';
        ck_assert_str_eq(p2.file, "/etc/fstab");
        ck_assert_uint_eq(p2.line, 7);
        ck_assert_str_eq(s2.detail, "refused");
        ck_assert_str_eq(s2.limit_detail, "no rpcbind");
        ck_assert_int_eq(s2.null_answer, ANSWER_NONE);
        ck_assert_str_eq(r2.reason, "passive");
        ck_assert_str_eq(c2.implementation, "nfsd");
        ck_assert_uint_eq(c2.age_sec, 5);
        place_done(&p2);
        server_facts_done(&s2);
        probe_result_done(&r2);
        counters_done(&c2);
}
END_TEST

START_TEST(copies_of_nothing)
{
        struct place p = { 0 }, p2;
        struct server_facts s = { 0 }, s2;

        ck_assert_int_eq(place_copy(&p, &p2), 0);
        ck_assert_ptr_null(p2.file);
        ck_assert_int_eq(server_facts_copy(&s, &s2), 0);
        ck_assert_ptr_null(s2.detail);
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
