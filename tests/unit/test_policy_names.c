/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/names.c: every value has a name, every name leads back, and the names never change. */
#include "tests/unit/policy_world.h"

#include <errno.h>
#include <string.h>

#define CHECK_WRITTEN(function, type, count)                                                                           \
        do {                                                                                                           \
                for (unsigned i = 0; i < (count); i++) {                                                               \
                        const char *name = function##_name((enum type)i);                                              \
                                                                                                                       \
                        ck_assert_msg(name &&*name, #function " %u has no name", i);                                   \
                        for (unsigned k = 0; k < i; k++)                                                               \
                                ck_assert_str_ne(name, function##_name((enum type)k));                                 \
                }                                                                                                      \
                ck_assert_ptr_nonnull(function##_name((enum type)(count)));                                            \
        } while (0)

#define CHECK_ALL(function, type, count)                                                                               \
        do {                                                                                                           \
                for (unsigned i = 0; i < (count); i++) {                                                               \
                        const char *name = function##_name((enum type)i);                                              \
                        enum type back = (enum type)((count)-1 - i);                                                   \
                                                                                                                       \
                        ck_assert_msg(name &&*name, #function " %u has no name", i);                                   \
                        ck_assert_msg(function##_parse(name, &back) == 0 && back == (enum type)i,                      \
                                      #function " %s does not lead back", name);                                       \
                }                                                                                                      \
                ck_assert_ptr_nonnull(function##_name((enum type)(count)));                                            \
                ck_assert_int_eq(function##_parse(function##_name((enum type)(count)), &(enum type){ 0 }), -EINVAL);   \
                ck_assert_int_eq(function##_parse("", &(enum type){ 0 }), -EINVAL);                                    \
                ck_assert_int_eq(function##_parse("No Such Name", &(enum type){ 0 }), -EINVAL);                        \
        } while (0)

START_TEST(both_ways)
{
        CHECK_ALL(rule, rule, RULE_COUNT);
        CHECK_WRITTEN(confidence, confidence, CONFIDENCE_COUNT);
        CHECK_WRITTEN(method, method, METHOD_COUNT);
        CHECK_ALL(place_kind, place_kind, PLACE_KIND_COUNT);
        CHECK_ALL(answer, answer, ANSWER_COUNT);
        CHECK_ALL(limit_source, limit_source, LIMIT_SOURCE_COUNT);
        CHECK_ALL(workload, workload, WORKLOAD_COUNT);
        CHECK_ALL(outcome, outcome, OUTCOME_COUNT);
        CHECK_ALL(probe_state, probe_state, PROBE_STATE_COUNT);
        CHECK_ALL(liveness, liveness, LIVENESS_COUNT);
        CHECK_ALL(rpc_op, rpc_op, RPC_OP_COUNT);
        CHECK_ALL(proto, nfs_proto, NFS_PROTO_RDMA + 1);
        CHECK_WRITTEN(option_kind, option_kind, OPTION_KIND_COUNT);
        CHECK_WRITTEN(option_reader, option_reader, READER_COUNT);
        CHECK_WRITTEN(option_printed, option_printed, PRINTED_COUNT);
        CHECK_WRITTEN(option_remount, option_remount, REMOUNT_COUNT);
}
END_TEST

/* A few of each that other programs already read. */
START_TEST(stable)
{
        ck_assert_str_eq(rule_name(RULE_UNRESPONSIVE), "unresponsive");
        ck_assert_str_eq(rule_name(RULE_LIMIT_BELOW_SIZE), "limit-below-size");
        ck_assert_str_eq(rule_name(RULE_SYNC_CLIENT), "sync-client");
        ck_assert_str_eq(rule_name(RULE_STALE_IO_SIZE), "stale-io-size");
        ck_assert_str_eq(rule_name(RULE_IO_SIZE_MISMATCH), "io-size-mismatch");
        ck_assert_str_eq(rule_name(RULE_ASYNC_EXPORT), "async-export");
        ck_assert_str_eq(confidence_name(CONFIDENCE_POSSIBLE), "possible");
        ck_assert_str_eq(confidence_name(CONFIDENCE_CONFIGURED), "configured");
        ck_assert_str_eq(method_name(METHOD_REPLACE), "replace");
        ck_assert_str_eq(place_kind_name(PLACE_NFSMOUNT_CONF), "nfsmount.conf");
        ck_assert_str_eq(place_kind_name(PLACE_CMDLINE), "cmdline");
        ck_assert_str_eq(place_kind_name(PLACE_VOLUME), "volume");
        ck_assert_str_eq(answer_name(ANSWER_NOT_NFS), "not-nfs");
        ck_assert_str_eq(limit_source_name(LIMIT_V4_ATTRIBUTES), "v4-attributes");
        ck_assert_str_eq(workload_name(WORKLOAD_EDITOR_SAVE), "editor-save");
        ck_assert_str_eq(outcome_name(OUTCOME_MOUNT_CHANGED), "mount-changed");
        ck_assert_str_eq(rpc_op_name(RPC_OP_WRITE), "WRITE");
        ck_assert_str_eq(proto_name(NFS_PROTO_UDP), "udp");
}
END_TEST

/* People never read "time-budget". */
START_TEST(for_people)
{
        for (enum outcome o = 0; o < OUTCOME_COUNT; o++)
                ck_assert_msg(strchr(outcome_words(o), ' ') != NULL, "%s: \"%s\" are no words", outcome_name(o),
                              outcome_words(o));
        ck_assert_ptr_nonnull(outcome_words(OUTCOME_COUNT));
}
END_TEST

WORLD_MAIN("policy names", both_ways, stable, for_people)
