/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tests/unit/policy_case.h - a recorded mount line, and what some rules say of it.
 *
 * Header only, like policy_world.h. The whole cases, read by the real readers,
 * are test_daemon_cases.c.
 */
#pragma once

#include "tests/unit/policy_world.h"

#define RULE_BIT(rule) (1UL << (rule))

/* The mount at @target (as the file spells it) of tests/data/cases/mounts/NN.mounts. */
static inline void case_init(struct world *w, const char *number, const char *target)
{
        char path[400], line[2000], device[400], at[400], type[40], options[1200];
        FILE *f;

        (void) snprintf(path, sizeof(path), "%s/cases/mounts/%s.mounts", TEST_DATA, number);
        f = fopen(path, "r");
        ck_assert_msg(f != NULL, "%s", path);
        while (fgets(line, sizeof(line), f))
                if (sscanf(line, "%399s %399s %39s %1199s", device, at, type, options) == 4 &&
                    strcmp(at, target) == 0 && strncmp(type, "nfs", 3) == 0) {
                        (void) fclose(f);
                        world_init(w, target, strncmp(options, "ro", 2) == 0 ? "ro" : "rw", options);
                        return;
                }
        ck_abort_msg("%s has no %s", path, target);
}

/* A line that nothing is mounted from. */
static inline void case_init_line(struct world *w, const char *target, unsigned number, const char *options)
{
        world_init(w, target, "rw", options);
        w->o.only_requested = true;
        world_fstab(w, number, "server:/data /data nfs OPTIONS 0 0", options);
}

/* What the rules of the set say: "noac:configured? stale-io-size:possible"; the caller frees. */
static inline char *case_said(const struct world *w, unsigned long rules)
{
        struct text t = { 0 };
        char *s;

        for (size_t i = 0; i < w->a.n_recommendations; i++) {
                const struct recommendation *r = &w->a.recommendations[i];

                if (rules & RULE_BIT(r->rule))
                        text_add(&t, "%s%s:%s%s", t.length_bytes > 0 ? " " : "", rule_name(r->rule),
                                 confidence_name(r->confidence), r->question ? "?" : "");
        }
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

/* The first recommendation of the set; NULL: none. */
static inline const struct recommendation *case_first(const struct world *w, unsigned long rules)
{
        for (size_t i = 0; i < w->a.n_recommendations; i++)
                if (rules & RULE_BIT(w->a.recommendations[i].rule))
                        return &w->a.recommendations[i];
        return NULL;
}

static inline void case_check(const struct world *w, unsigned long rules, const char *want, const char *name)
{
        char *got = case_said(w, rules);

        ck_assert_msg(strcmp(got, want) == 0, "%s: got \"%s\", want \"%s\"", name, got, want);
        free(got);
}

/* Questions and guesses of the set are in no automatic change, and a question says when to keep. */
static inline void case_check_cautious(const struct world *w, unsigned long rules, const char *name)
{
        for (size_t i = 0; i < w->a.n_recommendations; i++) {
                const struct recommendation *r = &w->a.recommendations[i];

                if (!(rules & RULE_BIT(r->rule)) || (!r->question && r->confidence > CONFIDENCE_POSSIBLE))
                        continue;
                ck_assert_msg(!r->automatic, "%s: %s is automatic", name, rule_name(r->rule));
                ck_assert_msg(!r->question || (r->keep && strstr(r->keep, "? ") && strstr(r->keep, "Keep ")),
                              "%s: %s asks without the case for keeping", name, rule_name(r->rule));
        }
}

/* A recorded mount, and what it gets of the rules of one theme. */
struct real_row {
        const char *number, *target, *want;
};

static inline void case_check_real(const struct real_row *row, unsigned long rules)
{
        char name[100];
        struct world w;

        (void) snprintf(name, sizeof(name), "case %s %s", row->number, row->target);
        case_init(&w, row->number, row->target);
        world_evaluate(&w);
        case_check(&w, rules, row->want, name);
        case_check_cautious(&w, rules, name);
        world_done(&w);
}

/* One test and the number of rows of its table; 1 for a test without. */
struct case_tests {
        const TTest *test;
        size_t n_rows;
};

static inline int case_run(const char *name, const struct case_tests *tests, size_t n)
{
        Suite *s = suite_create(name);
        SRunner *sr;
        int failed;

        for (size_t i = 0; i < n; i++) {
                TCase *tc = tcase_create(tests[i].test->name);

                tcase_set_timeout(tc, 60);
                tcase_add_loop_test(tc, tests[i].test, 0, (int)tests[i].n_rows);
                suite_add_tcase(s, tc);
        }
        sr = srunner_create(s);
        srunner_run_all(sr, CK_NORMAL);
        failed = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failed == 0 ? 0 : 1;
}

#define CASE_MAIN(name, ...)                                                            \
        int main(void)                                                                  \
        {                                                                               \
                const struct case_tests tests[] = { __VA_ARGS__ };                      \
                                                                                        \
                return case_run(name, tests, ARRAY_SIZE(tests));                        \
        }
