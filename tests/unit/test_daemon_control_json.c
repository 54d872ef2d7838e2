/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Status and outcomes as JSON: what is in them, against the schema, and what to do in words. */
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "daemon/control_json.h"
#include "daemon/control_words.h"
#include "tests/unit/tree.h"

#define TEXT(s) ((char[]) { s })

static struct recommendation one[] = { { .rule = RULE_SYNC_CLIENT } };
static struct recommendation question[] = { { .rule = RULE_NOAC, .question = true } };
static struct recommendation both[] = { { .rule = RULE_SYNC_CLIENT }, { .rule = RULE_NOAC, .question = true } };
static char *sharers[] = { TEXT("/other") };
static char target[] = "/data", source[] = "server:/d\xff", fstype[] = "nfs4";

static const struct advice advice_none = {};
static const struct advice advice_question = { .recommendations = question, .n_recommendations = 1 };
static const struct advice advice_words = { .recommendations = one, .n_recommendations = 1 };
static const struct advice advice_live = { .recommendations = both, .n_recommendations = 2,
                                           .plan = { .exists = true, .automatic = true, .method = METHOD_LIVE } };
static const struct advice advice_source = { .recommendations = one, .n_recommendations = 1,
                                             .plan = { .exists = true, .method = METHOD_SOURCE } };

static const struct mount_history history = {
        .changed_usec = 1700000000000000, .verified = true, .from = TEXT("rw,sync"), .to = TEXT("rw"),
        .keys = TEXT("sync"), .median_before_usec = 400000, .median_after_usec = 30000,
        .failed_usec = 1600000000000000, .failed_to = TEXT("rw"), .failed_words = TEXT("it was \xff slower"),
};

static const struct row {
        const char *name;
        struct control_mount mount;
        enum liveness liveness;
        const char *state;
        const char *todo;               /* part of it; NULL: nothing is to be done */
        const char *not_todo;           /* what must not be in it; or NULL */
} rows[] = {
        { "nothing known yet", { .advice = NULL }, LIVENESS_UNKNOWN, "new", NULL, NULL },
        { "all is well", { .advice = &advice_none }, LIVENESS_ALIVE, "ok", NULL, NULL },
        { "a dead server", { .advice = &advice_live }, LIVENESS_UNRESPONSIVE, "unresponsive", "does not answer",
          "apply" },
        { "a question", { .advice = &advice_question }, LIVENESS_ALIVE, "advice", "a question", "apply" },
        { "advice without a plan", { .advice = &advice_words }, LIVENESS_ALIVE, "advice", "nfstunectl advice /data",
          "apply" },
        { "a plan", { .advice = &advice_live }, LIVENESS_ALIVE, "advice", "nfstunectl apply /data", NULL },
        { "a plan that a file alone fulfils", { .advice = &advice_source }, LIVENESS_ALIVE, "advice",
          "nfstunectl advice /data", "apply" },
        { "automatic mode will do it", { .advice = &advice_live, .mode = MODE_AUTO_REMOUNT }, LIVENESS_ALIVE,
          "advice", "by itself", "apply" },
        { "automatic mode will not do it", { .advice = &advice_live, .mode = MODE_AUTO_REMOUNT, .refusal = "path",
          .refusal_words = "it is a database's" }, LIVENESS_ALIVE, "advice", "nfstunectl apply /data", "by itself" },
        { "automatic mode leaves it alone",
          { .advice = &advice_source, .mode = MODE_AUTO_REMOUNT }, LIVENESS_ALIVE, "advice", "nfstunectl advice",
          "by itself" },
        { "armed", { .advice = &advice_live, .activity = "armed", .history = &history }, LIVENESS_ALIVE, "armed",
          "apply --dry-run /data", NULL },
        { "waiting", { .advice = &advice_live, .activity = "waiting", .refusal = "window", .refusal_passes = true,
          .refusal_words = "not before 22:00" }, LIVENESS_ALIVE, "waiting", "22:00", NULL },
        { "verifying", { .advice = &advice_live, .activity = "verifying" }, LIVENESS_ALIVE, "verifying", "under way",
          "apply" },
        { "waiting for its users", { .advice = &advice_live, .activity = "waiting" }, LIVENESS_ALIVE, "waiting",
          "in use; by whom: nfstunectl apply --dry-run /data", NULL },
        { "nor would it be done by hand", { .advice = &advice_live, .mode = MODE_AUTO_REMOUNT, .refusal = "submounts",
          .refusal_by_hand = true, .refusal_words = "mounts below" }, LIVENESS_ALIVE, "advice", "nfstunectl advice /data",
          "apply" },
};

static struct observation observation;

static void set_up(void)
{
        static const char options[] = "rw,sync,vers=4.2,rsize=32768,wsize=65536,hard,proto=tcp";

        tree_setup();
        observation = (struct observation) {
                .mount = { .target = target, .source = source, .fstype = fstype },
                .shares_superblock_with = sharers,
                .n_shares = 1,
                .server = { .null_answer = ANSWER_OK, .null_median_usec = 520 },
                .probe = { .state = PROBE_ACTIVE },
        };
        observation.probe.results[WORKLOAD_EDITOR_SAVE] = (struct workload_result) { .outcome = OUTCOME_OK,
                                                                                    .total_usec = 1310000 };
        ck_assert_int_eq(options_parse(options, strlen(options), &observation.mount.super), 0);
}

static void tear_down(void)
{
        options_done(&observation.mount.super);
        tree_teardown();
}

static struct control_mount mount_of(const struct row *row)
{
        struct control_mount m = row->mount;

        m.observation = &observation;
        observation.liveness = row->liveness;
        return m;
}

static json_t *parsed(const char *text)
{
        json_error_t error;
        json_t *j = json_loads(text, 0, &error);

        ck_assert_msg(j != NULL, "%s: %s", error.text, text);
        return j;
}

/* Is the tree's directory json what the schema says? Without python3-jsonschema nobody knows. */
static void check_schema(const char *n)
{
        char command[2048];
        int status;

        (void) snprintf(command, sizeof(command),
                        "p=python3; $p -c 'import jsonschema' 2>/dev/null || p=/usr/bin/python3; "
                        "command -v $p >/dev/null || exit 77; "
                        "$p '%s/../cli/validate.py' '%s/../../etc/control.schema.json' '%s' %s",
                        TEST_DATA, TEST_DATA, tree_path("json"), n);
        status = system(command);       /* tests only */
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
                puts("SKIP: control.schema.json: python3-jsonschema is not installed");
                return;
        }
        ck_assert_int_eq(status, 0);
}

START_TEST(says_what_to_do)
{
        const struct row *row = &rows[_i];
        struct control_mount m = mount_of(row);
        struct text t = {};
        char *todo;

        ck_assert_msg(strcmp(control_state(&m), row->state) == 0, "%s: %s", row->name, control_state(&m));
        control_add_todo(&t, &m);
        todo = text_take(&t);
        ck_assert_ptr_nonnull(todo);
        if (row->todo)
                ck_assert_msg(strstr(todo, row->todo), "%s: %s", row->name, todo);
        else
                ck_assert_msg(*todo == '\0', "%s: %s", row->name, todo);
        ck_assert_msg(!row->not_todo || !strstr(todo, row->not_todo), "%s: %s", row->name, todo);
        free(todo);
}
END_TEST

START_TEST(status_follows_the_schema)
{
        struct control_mount mounts[ARRAY_SIZE(rows)];
        struct observation observations[ARRAY_SIZE(rows)];
        struct control_status s = { .mode = MODE_AUTO_REMOUNT, .stopped = true, .trouble = "no \xff directory",
                                    .mounts = mounts, .n_mounts = ARRAY_SIZE(rows) };
        char *text;

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                mounts[i] = mount_of(&rows[i]);
                observations[i] = observation;
                mounts[i].observation = &observations[i];
        }
        text = control_json_status(&s);
        ck_assert_ptr_nonnull(text);
        tree_write("json/all.json", text);
        free(text);
        s = (struct control_status) { .mode = MODE_RECOMMEND };
        text = control_json_status(&s);
        ck_assert_ptr_nonnull(text);
        tree_write("json/none.json", text);
        free(text);
        check_schema("2");
}
END_TEST

START_TEST(status_holds_the_figures)
{
        struct control_mount m = mount_of(&rows[10]);
        const struct control_status s = { .mounts = &m, .n_mounts = 1 };
        char *text = control_json_status(&s);
        json_t *j = parsed(text);
        const char *shown_target, *version, *shown_source, *failed;
        int rsize, wsize, round_trip, save, n, questions, before;
        int r = json_unpack(j, "{s:[{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:{s:i, s:s}}]}", "mounts",
                            "target", &shown_target, "source", &shown_source, "version", &version, "rsize", &rsize, "wsize",
                            &wsize, "round_trip_usec", &round_trip, "editor_save_usec", &save, "recommendations", &n,
                            "questions", &questions, "history", "median_before_usec", &before, "failed_words",
                            &failed);

        ck_assert_int_eq(r, 0);
        ck_assert_str_eq(shown_target, "/data");
        ck_assert_str_eq(shown_source, "server:/d\\xff");
        ck_assert_str_eq(version, "4.2");
        ck_assert_int_eq(rsize, 32768);
        ck_assert_int_eq(wsize, 65536);
        ck_assert_int_eq(round_trip, 520);
        ck_assert_int_eq(save, 1310000);
        ck_assert_int_eq(n, 1);
        ck_assert_int_eq(questions, 1);
        ck_assert_int_eq(before, 400000);
        ck_assert_str_eq(failed, "it was \\xff slower");
        json_decref(j);
        free(text);
}
END_TEST

static void make_staging(struct staging *ret)
{
        *ret = (struct staging) { .method = METHOD_REPLACE, .read_ahead_kib = 15360 };
        ck_assert_int_eq(options_parse("rsize,sync", 10, &ret->keys), 0);
        ck_assert_int_eq(options_parse("rw,sync,rsize=32768", 19, &ret->from), 0);
        ck_assert_int_eq(options_parse("rw", 2, &ret->to), 0);
}

START_TEST(outcomes_follow_the_schema)
{
        struct apply_user users[] = {
                { .pid = 17, .command = TEXT("vi\n"), .what = TEXT("file /data/a") },
                { .what = TEXT("mounted at /data in another namespace"), .is_mount = true, .reached = true },
        };
        char *lines[] = { TEXT("one"), TEXT("two \xff") };
        const struct comparison comparison = { .pairs = 7, .before_usec = 400, .after_usec = 30, .ratio_permille = 75,
                                               .low_permille = 60, .high_permille = 90 };
        const struct comparison few = { .pairs = 2, .before_usec = 400, .after_usec = 30, .ratio_permille = 75,
                                        .high_permille = 4294967295U };
        struct staging staging;
        const struct control_outcome outcomes[] = {
                { .end = "nothing" },
                { .end = "planned", .target = "/data", .source = "s:/d", .words = "two\nlines", .dry_run = true,
                  .rules = "stale-io-size sync-client", .staging = &staging, .steps = lines, .n_steps = 2,
                  .commands = lines, .n_commands = 2, .busy = true, .elsewhere = true, .users = users, .n_users = 2,
                  .diff = "--- a\n+++ b\n", .fstab = "s:/d /data nfs defaults 0 0" },
                { .end = "verified", .target = "/data", .comparison = &comparison, .persisted = true,
                  .backups = lines, .n_backups = 1 },
                { .end = "rolled-back", .target = "/data", .comparison = &few },
                { .end = "refused", .target = "/data", .refusal = "submounts" },
        };

        make_staging(&staging);
        for (size_t i = 0; i < ARRAY_SIZE(outcomes); i++) {
                char *text = control_json_outcome(&outcomes[i]), name[32];

                ck_assert_ptr_nonnull(text);
                (void) snprintf(name, sizeof(name), "json/%zu.json", i);
                tree_write(name, text);
                free(text);
        }
        check_schema("5");
        staging_done(&staging);
}
END_TEST

START_TEST(outcomes_hold_what_changed)
{
        struct staging staging;
        char *text;
        json_t *j;
        const char *rule, *key, *from, *to;
        int ahead;

        make_staging(&staging);
        text = control_json_outcome(&(const struct control_outcome) { .end = "verified", .staging = &staging,
                                                                     .rules = "stale-io-size sync-client" });
        j = parsed(text);
        ck_assert_int_eq(json_unpack(j, "{s:[s, s], s:{s:[s, s], s:s, s:s, s:i}}", "rules", &rule, &rule, "change",
                                     "keys", &key, &key, "from", &from, "to", &to, "read_ahead_kib", &ahead), 0);
        ck_assert_str_eq(rule, "sync-client");
        ck_assert_str_eq(key, "sync");
        ck_assert_str_eq(from, "rw,sync,rsize=32768");
        ck_assert_str_eq(to, "rw");
        ck_assert_int_eq(ahead, 15360);
        json_decref(j);
        free(text);
        staging_done(&staging);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon/control_json");
        TCase *t = tcase_create("control_json");
        SRunner *runner;
        int failed;

        tcase_add_checked_fixture(t, set_up, tear_down);
        tcase_set_timeout(t, 60);
        tcase_add_loop_test(t, says_what_to_do, 0, ARRAY_SIZE(rows));
        tcase_add_test(t, status_follows_the_schema);
        tcase_add_test(t, status_holds_the_figures);
        tcase_add_test(t, outcomes_follow_the_schema);
        tcase_add_test(t, outcomes_hold_what_changed);
        suite_add_tcase(s, t);
        runner = srunner_create(s);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? 1 : 0;
}
