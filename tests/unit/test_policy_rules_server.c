/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_server.c: async-export, server-storage, write-regression. What the
 * probe's figures alone say of an export is in test_policy_evaluate.c; recorded
 * mounts with slow storage are in test_policy_rules_counters.c.
 */
#include "tests/unit/policy_counters.h"

/* ---- async-export -------------------------------------------------------------- */

enum server_word {
        WORD_NONE,
        WORD_SYNC,
        WORD_ASYNC,
};

enum looks {
        LOOKS_UNKNOWN,
        LOOKS_STORED,
        LOOKS_ASYNC,
};

static const struct export_row {
        const char *name;
        enum server_word word;
        enum looks looks;
        enum export_setting setting;
        bool stable_storage;
        enum profile_answer non_volatile;
        const char *vfs;
        bool only_requested;
        const char *want;
} export_rows[] = {
        { "the server says async", WORD_ASYNC, LOOKS_UNKNOWN, EXPORT_AUTO, false, 0, "rw", false, "configured" },
        { "and it looks stored", WORD_ASYNC, LOOKS_STORED, EXPORT_AUTO, false, 0, "rw", false, "configured" },
        { "and no mount exists", WORD_ASYNC, LOOKS_UNKNOWN, EXPORT_AUTO, false, 0, "rw", true, "configured" },
        { "the server says sync", WORD_SYNC, LOOKS_UNKNOWN, EXPORT_AUTO, false, 0, "rw", false, "quiet" },
        { "though it looks async", WORD_SYNC, LOOKS_ASYNC, EXPORT_AUTO, false, 0, "rw", false, "quiet" },
        { "the administrator knows better: sync", WORD_ASYNC, LOOKS_ASYNC, EXPORT_SYNC, false, 0, "rw", false,
          "quiet" },
        { "the administrator knows better: async", WORD_SYNC, LOOKS_STORED, EXPORT_ASYNC, false, 0, "rw", false,
          "configured" },
        { "a cache that survives, by the profile", WORD_NONE, LOOKS_ASYNC, EXPORT_AUTO, false, PROFILE_YES, "rw", false,
          "quiet" },
        { "and never probed", WORD_NONE, LOOKS_UNKNOWN, EXPORT_AUTO, false, PROFILE_YES, "rw", false, "quiet" },
        { "but the server says async", WORD_ASYNC, LOOKS_ASYNC, EXPORT_AUTO, false, PROFILE_YES, "rw", false,
          "configured" },
        { "but the administrator says async", WORD_NONE, LOOKS_ASYNC, EXPORT_ASYNC, false, PROFILE_YES, "rw", false,
          "configured" },
        { "a profile that says no", WORD_NONE, LOOKS_ASYNC, EXPORT_AUTO, false, PROFILE_NO, "rw", false, "possible" },
        { "a profile without a word", WORD_NONE, LOOKS_ASYNC, EXPORT_AUTO, false, PROFILE_UNSAID, "rw", false,
          "possible" },
        { "stable_storage = yes", WORD_ASYNC, LOOKS_ASYNC, EXPORT_AUTO, true, 0, "rw", false, "quiet" },
        { "read-only", WORD_ASYNC, LOOKS_UNKNOWN, EXPORT_AUTO, false, 0, "ro", false, "quiet" },
        { "nothing known", WORD_NONE, LOOKS_UNKNOWN, EXPORT_AUTO, false, 0, "rw", false, "cannot tell" },
        { "nothing known and no mount", WORD_NONE, LOOKS_UNKNOWN, EXPORT_AUTO, false, 0, "rw", true, "quiet" },
};

static void set_export(struct world *w, const struct export_row *row)
{
        w->o.only_requested = row->only_requested;
        if (row->word != WORD_NONE)
                w->o.export_facts = (struct export_facts){
                        .known = true, .async = row->word == WORD_ASYNC,
                        .place = { .kind = PLACE_EXPORTS, .file = world_copy("/etc/exports"), .line = 3 },
                        .text = world_copy("/data 192.0.2.0/24(rw,async)"),
                };
        if (row->looks != LOOKS_UNKNOWN) {
                world_null(w, 500);
                world_stable(w, 0, 4 * KIB, 4, row->looks == LOOKS_ASYNC ? 600 : 9000);
                world_stable(w, 1, 64 * KIB, 4, row->looks == LOOKS_ASYNC ? 900 : 9900);
        }
        if (row->setting != EXPORT_AUTO || row->stable_storage) {
                world_section(w)->export_setting = row->setting;
                world_section(w)->stable_storage = row->stable_storage;
        }
        world_profile(w)->non_volatile = row->non_volatile;
}

START_TEST(async_export)
{
        const struct export_row *row = &export_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", row->vfs, TCP4);
        set_export(&w, row);
        world_evaluate(&w);
        world_check_verdict(&w, RULE_ASYNC_EXPORT, row->want, row->name);
        r = world_find(&w, RULE_ASYNC_EXPORT);
        if (r) {
                bool by_server = row->word == WORD_ASYNC && row->setting == EXPORT_AUTO;

                world_check_words(r, row->name);
                ck_assert_msg(r->method == METHOD_SERVER && !r->automatic && r->n_set == 0 && r->keep, "%s", row->name);
                ck_assert_msg(r->place.kind == (by_server ? PLACE_EXPORTS : PLACE_UNKNOWN), "%s: place", row->name);
                if (by_server)
                        world_check_contains(r->evidence, "/etc/exports line 3 says /data 192.0.2.0/24(rw,async)",
                                             row->name);
        }
        world_done(&w);
}
END_TEST

/* ---- server-storage --------------------------------------------------------------- */

static const struct storage_row {
        const char *name;
        const char *super;
        struct op_row commit, getattr, access;
        usec_t stable_usec, null_usec;
        unsigned stable_samples, replies;
        const char *want;
} storage_rows[] = {
        { "COMMIT far above the floor", TCP4, { 10, 100000 }, { 20, 10000 }, { 0 }, 0, 0, 0, 0, "observed" },
        { "few COMMITs", TCP4, { 9, 900000 }, { 20, 5000 }, { 0 }, 0, 0, 0, 0, "quiet" },
        { "few cheap calls", TCP4, { 10, 900000 }, { 19, 5000 }, { 4, 5000 }, 0, 0, 0, 0, "quiet" },
        { "a quick disk", TCP4, { 1000, 99900 }, { 20, 500 }, { 0 }, 0, 0, 0, 0, "quiet" },
        { "as slow as the way", TCP4, { 10, 100000 }, { 20, 11000 }, { 20, 11000 }, 0, 0, 0, 0, "quiet" },
        { "the quicker kind is the floor", TCP4, { 10, 100000 }, { 20, 50000 }, { 20, 1000 }, 0, 0, 0, 0, "observed" },
        { "read-only", "ro,vers=4.2,proto=tcp", { 10, 900000 }, { 20, 500 }, { 0 }, 900000, 500, 4, 5, "quiet" },
        { "sync mount: that comes first", "rw,sync,vers=4.2,proto=tcp", { 10, 900000 }, { 20, 500 }, { 0 }, 900000, 500,
          4, 5, "quiet" },
        { "noac mount: the same", "rw,sync,vers=4.2,noac,proto=tcp", { 10, 900000 }, { 20, 500 }, { 0 }, 900000, 500, 4,
          5, "quiet" },
        { "the probe shows it", TCP4, { 0 }, { 0 }, { 0 }, 200000, 19000, 3, 3, "observed" },
        { "the probe shows a quick disk", TCP4, { 0 }, { 0 }, { 0 }, 199999, 500, 4, 5, "quiet" },
        { "the probe shows a long way", TCP4, { 0 }, { 0 }, { 0 }, 200000, 20001, 4, 5, "quiet" },
        { "two stable writes", TCP4, { 0 }, { 0 }, { 0 }, 900000, 500, 2, 5, "quiet" },
        { "two answers to NULL", TCP4, { 0 }, { 0 }, { 0 }, 900000, 500, 4, 2, "quiet" },
};

START_TEST(server_storage)
{
        const struct storage_row *row = &storage_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", row->super);
        world_op(&w, RPC_OP_COMMIT, row->commit);
        world_op(&w, RPC_OP_GETATTR, row->getattr);
        world_op(&w, RPC_OP_ACCESS, row->access);
        if (row->stable_samples > 0) {
                world_null(&w, row->null_usec);
                w.o.server.null_replies = row->replies;
                world_stable(&w, 0, 4 * KIB, row->stable_samples, row->stable_usec);
        }
        world_evaluate(&w);
        world_check_verdict(&w, RULE_SERVER_STORAGE, row->want, row->name);
        r = world_find(&w, RULE_SERVER_STORAGE);
        if (r) {
                world_check_words(r, row->name);
                ck_assert_msg(r->method == METHOD_SERVER && r->n_set == 0 && !r->automatic && !r->gain, "%s",
                              row->name);
                world_check_contains(r->summary, "no mount option", row->name);
                world_check_contains(r->evidence, row->stable_samples > 0 ? "200 ms" : "calls", row->name);
                ck_assert_msg(!world_find(&w, RULE_NETWORK), "%s: network too", row->name);
        }
        world_done(&w);
}
END_TEST

/* Of the sizes that the probe wrote the smallest counts: a large one is transfer. */
START_TEST(large_stable_writes_are_transfer)
{
        struct world w;

        world_init(&w, "/data", "rw", TCP4);
        world_null(&w, 500);
        world_stable(&w, 0, 4 * KIB, 4, 5000);
        world_stable(&w, 1, 1024 * KIB, 4, 90000);
        world_stable(&w, 2, 4 * MIB, 1, 900000);
        world_evaluate(&w);
        world_check_verdict(&w, RULE_SERVER_STORAGE, "quiet", "a slow link");
        world_done(&w);
}
END_TEST

/* A COMMIT of 200 MiB takes its time on any disk. */
START_TEST(long_commits)
{
        static const struct {
                const char *name;
                uint64_t commit_usec;
                const char *want;
        } rows[] = {
                { "a disk's own speed", 2000000, "quiet" },
                { "not much less", 2010000, "observed" },
                { "a slow one", 20000000, "observed" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", TCP4);
                world_op(&w, RPC_OP_COMMIT, (struct op_row){ 1000, rows[i].commit_usec });
                world_op(&w, RPC_OP_GETATTR, (struct op_row){ 1000, 500 });
                world_op(&w, RPC_OP_WRITE, (struct op_row){ 200000, 10000 });
                w.o.counters.op[RPC_OP_WRITE].sent_bytes = 200000 * MIB;
                world_evaluate(&w);
                world_check_verdict(&w, RULE_SERVER_STORAGE, rows[i].want, rows[i].name);
                world_done(&w);
        }
}
END_TEST

/* ---- write-regression ---------------------------------------------------------------- */

static const struct regression_row {
        const char *name;
        bool known;
        unsigned samples, recent_samples;
        usec_t median_usec, deviation_usec, recent_usec;
        const char *want;
} regression_rows[] = {
        { "slower than the noise", true, 20, 5, 100000, 1000, 125001, "observed" },
        { "a quarter is noise", true, 20, 5, 100000, 1000, 125000, "quiet" },
        { "so are three deviations", true, 20, 5, 100000, 20000, 160000, "quiet" },
        { "and no more", true, 20, 5, 100000, 20000, 160001, "observed" },
        { "young baseline", true, 19, 5, 100000, 1000, 900000, "quiet" },
        { "few slow ones yet", true, 20, 4, 100000, 1000, 900000, "quiet" },
        { "faster", true, 20, 5, 100000, 1000, 1000, "quiet" },
        { "unknown", false, 20, 5, 100000, 1000, 900000, "quiet" },
        { "absurd deviation", true, 20, 5, 100000, UINT64_MAX, 900000, "quiet" },
};

static void set_baseline(struct world *w, const struct regression_row *row)
{
        w->o.baseline = (struct baseline_facts){
                .known = row->known, .workload = WORKLOAD_EDITOR_SAVE, .samples = row->samples,
                .median_usec = row->median_usec, .deviation_usec = row->deviation_usec,
                .recent_samples = row->recent_samples, .recent_median_usec = row->recent_usec,
                .since_usec = NOW - 30 * USEC_PER_HOUR, .grown = world_copy("stable storage: 5 ms, now 21 ms"),
        };
}

START_TEST(write_regression)
{
        const struct regression_row *row = &regression_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", TCP4);
        set_baseline(&w, row);
        world_evaluate(&w);
        world_check_verdict(&w, RULE_WRITE_REGRESSION, row->want, row->name);
        r = world_find(&w, RULE_WRITE_REGRESSION);
        if (r) {
                world_check_words(r, row->name);
                ck_assert_msg(r->method == METHOD_NONE && r->n_set == 0, "%s", row->name);
                world_check_contains(r->summary, "30 h", row->name);
                world_check_contains(r->evidence, "editor-save", row->name);
                world_check_contains(r->evidence, "stable storage: 5 ms, now 21 ms", row->name);
        }
        world_done(&w);
}
END_TEST

/* A time that cannot be is left out, not printed. */
START_TEST(regression_since)
{
        static const usec_t since[] = { 0, NOW + 1 };

        for (size_t i = 0; i < ARRAY_SIZE(since); i++) {
                struct world w;

                world_init(&w, "/data", "rw", TCP4);
                set_baseline(&w, &regression_rows[0]);
                w.o.baseline.since_usec = since[i];
                world_evaluate(&w);
                ck_assert_ptr_nonnull(world_find(&w, RULE_WRITE_REGRESSION));
                ck_assert_ptr_null(strstr(world_find(&w, RULE_WRITE_REGRESSION)->summary, " for "));
                world_done(&w);
        }
}
END_TEST

/* One probe that looks async makes nobody say so yet. */
START_TEST(async_twice)
{
        struct world w;

        world_init(&w, "/data", "rw", TCP4);
        world_null(&w, 1000);
        world_stable(&w, 0, 4 * KIB, 4, 2000);
        world_stable(&w, 1, 64 * KIB, 4, 2000);
        w.o.earlier.awaited = true;
        world_evaluate(&w);
        world_check_verdict(&w, RULE_ASYNC_EXPORT, "cannot tell", "the first of several");
        w.o.earlier = (struct earlier_probe){ true, true, 1000, 2000 };
        world_evaluate(&w);
        world_check_verdict(&w, RULE_ASYNC_EXPORT, "possible", "two in a row");
        world_done(&w);
}
END_TEST

/* Who watches a mount waits for a second probe; who looks once says what he sees. */
START_TEST(storage_twice)
{
        static const struct {
                const char *name;
                struct earlier_probe earlier;
                const char *want;
        } rows[] = {
                { "looked at once", { false, false, 0, 0 }, "observed" },
                { "the first of several", { true, false, 0, 0 }, "quiet" },
                { "the one before was quick", { true, true, 500, 199999 }, "quiet" },
                { "two in a row", { true, true, 500, 200000 }, "observed" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", TCP4);
                world_null(&w, 500);
                world_stable(&w, 0, 4 * KIB, 4, 200000);
                w.o.earlier = rows[i].earlier;
                world_evaluate(&w);
                world_check_verdict(&w, RULE_SERVER_STORAGE, rows[i].want, rows[i].name);
                world_done(&w);
        }
}
END_TEST

CASE_MAIN("policy rules_server", { async_export, ARRAY_SIZE(export_rows) },
          { server_storage, ARRAY_SIZE(storage_rows) }, { large_stable_writes_are_transfer, 1 },
          { long_commits, 1 }, { storage_twice, 1 }, { async_twice, 1 },
          { write_regression, ARRAY_SIZE(regression_rows) }, { regression_since, 1 })
