/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which mount stands for its superblock, and what survives a new mount table. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "daemon/host.h"

struct line {
        const char *target;
        const char *source;
        unsigned minor;
        const char *flags;              /* c covered, a below autofs, d duplicate, x deleted */
        uint64_t age_sec;
};

static char *copy(const char *s)
{
        char *c = strdup(s);

        ck_assert_ptr_nonnull(c);
        return c;
}

static void make_snapshot(const struct line *lines, size_t n, struct snapshot *ret)
{
        *ret = (struct snapshot) { .mounts = calloc(n + 1, sizeof(struct observation)), .n_mounts = n };
        ck_assert_ptr_nonnull(ret->mounts);
        for (size_t i = 0; i < n; i++) {
                struct observation *o = &ret->mounts[i];

                o->mount.target = copy(lines[i].target);
                o->mount.source = copy(lines[i].source);
                o->mount.device = (struct device) { .major = 0, .minor = lines[i].minor };
                o->mount.covered = strchr(lines[i].flags, 'c');
                o->mount.below_autofs = strchr(lines[i].flags, 'a');
                o->mount.duplicate = strchr(lines[i].flags, 'd');
                o->mount.deleted = strchr(lines[i].flags, 'x');
                o->counters.known = true;
                o->counters.age_sec = lines[i].age_sec;
        }
}

static void replace(struct host *h, const struct line *lines, size_t n, const char *const *targets, usec_t now)
{
        struct snapshot s;

        make_snapshot(lines, n, &s);
        ck_assert_int_eq(host_replace(h, &s, targets, now), 0);
        ck_assert_ptr_null(s.mounts);
}

static const struct choice_row {
        const char *name;
        struct line lines[4];
        size_t n;
        const char *targets[3];
        const char *chosen;             /* targets in order, blank-separated */
} choice_rows[] = {
        { "no mount", { { 0 } }, 0, { NULL }, "" },
        { "two superblocks keep the table's order",
          { { "/b", "s:/b", 9, "", 1 }, { "/a", "s:/a", 3, "", 1 } }, 2, { NULL }, "/b /a" },
        { "one judgement per superblock: the first",
          { { "/a", "s:/a", 3, "", 1 }, { "/b", "s:/b", 3, "", 1 } }, 2, { NULL }, "/a" },
        { "not the covered one",
          { { "/a", "s:/a", 3, "c", 1 }, { "/b", "s:/b", 3, "", 1 } }, 2, { NULL }, "/b" },
        { "the same mounted twice in one place: the upper one",
          { { "/a", "s:/a", 3, "c", 1 }, { "/a", "s:/a", 3, "d", 1 } }, 2, { NULL }, "/a" },
        { "rather a duplicate than a covered one",
          { { "/a", "s:/a", 3, "c", 1 }, { "/b", "s:/a", 3, "d", 1 } }, 2, { NULL }, "/b" },
        { "rather one that is not below autofs",
          { { "/auto/a", "s:/a", 3, "a", 1 }, { "/b", "s:/b", 3, "", 1 } }, 2, { NULL }, "/b" },
        { "rather one below autofs than a deleted one",
          { { "/gone", "s:/a", 3, "x", 1 }, { "/auto/a", "s:/a", 3, "a", 1 } }, 2, { NULL }, "/auto/a" },
        { "nobody reaches a covered one", { { "/a", "s:/a", 3, "c", 1 } }, 1, { NULL }, "" },
        { "a change waits beneath the old mount",
          { { "/a", "s:/a", 4, "c", 1 }, { "/a", "s:/a", 3, "", 1 } }, 2, { NULL }, "/a" },
        { "only what was asked for, slash or not",
          { { "/a", "s:/a", 3, "", 1 }, { "/b", "s:/b", 4, "", 1 }, { "/c", "s:/c", 5, "", 1 } }, 3, { "/c/", "/a" },
          "/a /c" },
        { "what was asked for stands for its superblock",
          { { "/a", "s:/a", 3, "", 1 }, { "/b", "s:/b", 3, "", 1 } }, 2, { "/b" }, "/b" },
        { "no prefix of a name is the name", { { "/abc", "s:/a", 3, "", 1 } }, 1, { "/ab" }, "" },
};

START_TEST(the_best_mount_stands_for_its_superblock)
{
        const struct choice_row *row = &choice_rows[_i];
        struct host *h = calloc(1, sizeof(*h));
        char chosen[128] = "";

        ck_assert_ptr_nonnull(h);
        replace(h, row->lines, row->n, row->targets[0] ? row->targets : NULL, 1);
        for (size_t i = 0; i < h->n_states; i++) {
                strcat(chosen, i ? " " : "");
                strcat(chosen, h->states[i]->observation->mount.target);
        }
        ck_assert_msg(strcmp(chosen, row->chosen) == 0, "%s: \"%s\"", row->name, chosen);
        host_done(h);
        free(h);
}
END_TEST

/* A rule that waits for two slow probes in a row gets the figures of the one before, and keeps them between probes. */
START_TEST(the_probe_before_is_remembered)
{
        struct observation o = { .probe = { .state = PROBE_ACTIVE, .started_usec = 5 },
                                 .server = { .null_median_usec = 300 } };
        struct mountstate s = { .observation = &o };

        o.probe.stable[0] = (struct stable_latency) { 4 * KIB, { .n = 4, .p50_usec = 9000 } };
        mountstate_remember_probe(&s);
        ck_assert(o.earlier.awaited && !o.earlier.known);
        mountstate_remember_probe(&s);
        ck_assert_msg(!o.earlier.known, "one probe judged twice is no two probes");
        o.probe.started_usec = 6;
        o.probe.stable[0].latency.p50_usec = 7000;
        o.server.null_median_usec = 200;
        for (int i = 0; i < 2; i++) {
                o.earlier = (struct earlier_probe) { 0 };       /* a new reading of the mount table */
                mountstate_remember_probe(&s);
                ck_assert(o.earlier.awaited && o.earlier.known);
                ck_assert_uint_eq(o.earlier.null_median_usec, 300);
                ck_assert_uint_eq(o.earlier.stable_small_usec, 9000);
        }
}
END_TEST

static const struct survival_row {
        const char *name;
        struct line before, after;
        bool state_survives;
        bool ledger_survives;
} survival_rows[] = {
        { "the same mount a minute later", { "/a", "s:/a", 3, "", 100 }, { "/a", "s:/a", 3, "", 160 }, true, true },
        { "moved to another mount point", { "/a", "s:/a", 3, "", 100 }, { "/b", "s:/a", 3, "", 160 }, true, true },
        { "mounted anew under a new number", { "/a", "s:/a", 3, "", 100 }, { "/a", "s:/a", 4, "", 2 }, false, true },
        { "mounted anew under the old number", { "/a", "s:/a", 3, "", 100 }, { "/a", "s:/a", 3, "", 2 }, false, true },
        { "the old number means another export", { "/a", "s:/a", 3, "", 100 }, { "/a", "s:/b", 3, "", 160 }, false,
          false },
        { "another mount point and number", { "/a", "s:/a", 3, "", 100 }, { "/b", "s:/a", 4, "", 2 }, false, false },
};

START_TEST(memory_follows_the_superblock_and_what_was_said_the_mount)
{
        const struct survival_row *row = &survival_rows[_i];
        struct host *h = calloc(1, sizeof(*h));
        struct mountstate *s;
        uint64_t generation;

        ck_assert_ptr_nonnull(h);
        replace(h, &row->before, 1, NULL, 1);
        s = h->states[0];
        generation = s->generation;
        s->ledger.entry[RULE_SYNC_CLIENT].standing = true;
        s->next_probe_usec = 77;
        s->observation->server.null_answer = ANSWER_OK;
        s->observation->server.detail = copy("words");
        s->observation->probe.state = PROBE_ACTIVE;
        s->observation->probe.reason = copy("words");
        replace(h, &row->after, 1, NULL, 2);
        s = h->states[0];
        ck_assert_uint_eq(h->n_states, 1);
        ck_assert_msg((s->generation == generation) == row->state_survives, "%s: generation", row->name);
        ck_assert_msg((s->next_probe_usec == 77) == row->state_survives, "%s: dates", row->name);
        ck_assert_msg((s->observation->server.null_answer == ANSWER_OK) == row->state_survives, "%s: server", row->name);
        ck_assert_msg((s->observation->probe.state == PROBE_ACTIVE) == row->state_survives, "%s: probe", row->name);
        ck_assert_msg(s->ledger.entry[RULE_SYNC_CLIENT].standing == row->ledger_survives, "%s: ledger", row->name);
        ck_assert_msg((host_find(h, s->key, generation) == s) == row->state_survives, "%s: find", row->name);
        ck_assert_str_eq(s->observation->mount.target, row->after.target);
        host_done(h);
        free(h);
}
END_TEST

static const struct ghost_row {
        const char *name;
        usec_t away_usec;
        bool remembered;
} ghost_rows[] = {
        { "an automount that comes back", USEC_PER_HOUR, true },
        { "just below a day", USEC_PER_DAY - 1, true },
        { "after a day it is news again", USEC_PER_DAY, false },
};

START_TEST(what_was_said_is_remembered_for_a_day)
{
        static const struct line mount = { "/a", "s:/a", 3, "a", 100 };
        const struct ghost_row *row = &ghost_rows[_i];
        struct host *h = calloc(1, sizeof(*h));

        ck_assert_ptr_nonnull(h);
        replace(h, &mount, 1, NULL, 5);
        h->states[0]->ledger.entry[RULE_SYNC_CLIENT].standing = true;
        replace(h, NULL, 0, NULL, 10);
        ck_assert_uint_eq(h->n_states, 0);
        replace(h, &mount, 1, NULL, 10 + row->away_usec);
        ck_assert_msg(h->states[0]->ledger.entry[RULE_SYNC_CLIENT].standing == row->remembered, "%s", row->name);
        host_done(h);
        free(h);
}
END_TEST

START_TEST(ghosts_are_a_ring)
{
        struct host *h = calloc(1, sizeof(*h));
        struct line line = { "/a", "s:/a", 3, "", 100 };
        char target[32];

        ck_assert_ptr_nonnull(h);
        for (unsigned i = 0; i < GHOSTS_MAX + 10; i++) {
                snprintf(target, sizeof(target), "/m%u", i);
                line.target = target;
                line.minor = i;
                replace(h, &line, 1, NULL, i + 1);
        }
        ck_assert_uint_eq(h->n_states, 1);
        ck_assert_uint_lt(h->next_ghost, GHOSTS_MAX);
        host_done(h);
        free(h);
}
END_TEST

/* ---- one superblock ------------------------------------------------------------- */

static void take(struct mountstate *s, enum limit_source source, uint64_t bytes, usec_t now)
{
        struct server_facts f = { .null_answer = ANSWER_OK, .limit_source = source, .read_max_bytes = bytes,
                                  .write_max_bytes = bytes };

        mountstate_take_server(s, &f, now);
        ck_assert_int_eq(f.null_answer, ANSWER_UNTRIED);
}

START_TEST(a_limit_is_remembered_for_a_day_and_replaced_by_news)
{
        struct observation o = { 0 };
        struct mountstate s = { .observation = &o };

        take(&s, LIMIT_UNKNOWN, 0, 10);
        ck_assert_int_eq(o.server.limit_source, LIMIT_UNKNOWN);
        mountstate_take_staged(&s, 1048576, 524288, 20);
        ck_assert_int_eq(o.server.limit_source, LIMIT_STAGED);
        take(&s, LIMIT_UNKNOWN, 0, 20 + USEC_PER_DAY - 1);
        ck_assert_int_eq(o.server.limit_source, LIMIT_STAGED);
        ck_assert_uint_eq(o.server.read_max_bytes, 1048576);
        ck_assert_uint_eq(o.server.write_max_bytes, 524288);
        take(&s, LIMIT_UNKNOWN, 0, 20 + USEC_PER_DAY);
        ck_assert_int_eq(o.server.limit_source, LIMIT_UNKNOWN);
        take(&s, LIMIT_FSINFO, 65536, 30 + USEC_PER_DAY);
        take(&s, LIMIT_UNKNOWN, 0, 40 + USEC_PER_DAY);
        ck_assert_int_eq(o.server.limit_source, LIMIT_FSINFO);
        ck_assert_uint_eq(o.server.write_max_bytes, 65536);
        mountstate_forget_limits(&s);
        take(&s, LIMIT_UNKNOWN, 0, 50 + USEC_PER_DAY);
        ck_assert_int_eq(o.server.limit_source, LIMIT_UNKNOWN);
        observation_done(&o);
}
END_TEST

static const struct busy_row {
        const char *name;
        uint64_t writes_before, writes_after;
        usec_t between_usec;
        bool busy;
} busy_rows[] = {
        { "quiet", 1000, 1000, USEC_PER_MINUTE, false },
        { "the very rate", 1000, 1000 + 60 * BUSY_WRITES_PER_SEC, USEC_PER_MINUTE, false },
        { "one more per second", 1000, 1000 + 60 * (BUSY_WRITES_PER_SEC + 1), USEC_PER_MINUTE, true },
        { "set up anew: the counter went back", 1000000, 10, USEC_PER_SEC, false },
        { "no time between", 1000, 1000000, 0, false },
};

START_TEST(busy_is_a_rate_of_writes)
{
        const struct busy_row *row = &busy_rows[_i];
        struct observation o = { .counters.known = true };
        struct mountstate s = { .observation = &o };

        o.counters.op[RPC_OP_WRITE].calls = row->writes_before;
        mountstate_take_reading(&s, USEC_PER_DAY);
        ck_assert_msg(!mountstate_is_busy(&s), "%s: busy at the first reading", row->name);
        o.counters.op[RPC_OP_WRITE].calls = row->writes_after;
        mountstate_take_reading(&s, USEC_PER_DAY + row->between_usec);
        ck_assert_msg(mountstate_is_busy(&s) == row->busy, "%s: %llu", row->name, (unsigned long long) s.writes_per_sec);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("daemon/host");
        TCase *c = tcase_create("host");
        SRunner *runner;
        int failed;

        tcase_add_loop_test(c, the_best_mount_stands_for_its_superblock, 0, (int) ARRAY_SIZE(choice_rows));
        tcase_add_test(c, the_probe_before_is_remembered);
        tcase_add_loop_test(c, memory_follows_the_superblock_and_what_was_said_the_mount, 0,
                            (int) ARRAY_SIZE(survival_rows));
        tcase_add_loop_test(c, what_was_said_is_remembered_for_a_day, 0, (int) ARRAY_SIZE(ghost_rows));
        tcase_add_test(c, ghosts_are_a_ring);
        tcase_add_test(c, a_limit_is_remembered_for_a_day_and_replaced_by_news);
        tcase_add_loop_test(c, busy_is_a_rate_of_writes, 0, (int) ARRAY_SIZE(busy_rows));
        suite_add_tcase(suite, c);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
