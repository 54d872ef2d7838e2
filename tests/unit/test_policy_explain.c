/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every rule is explained, in words that stand alone. */

#include <check.h>
#include <string.h>

#include "policy/explain.h"
#include "policy/names.h"

static bool is_sentence(const char *words)
{
        size_t n = strlen(words);

        return n > 20 && words[n - 1] == '.' && !strstr(words, "  ") && !strstr(words, "..") && !strchr(words, '\n');
}

START_TEST(rule_is_explained)
{
        enum rule rule = (enum rule) _i;
        const struct rule_help *h = rule_help(rule);

        ck_assert_msg(h->title && strlen(h->title) > 5 && strlen(h->title) < 72, "%s: title", rule_name(rule));
        ck_assert_msg(h->fires && is_sentence(h->fires), "%s: fires: %s", rule_name(rule), h->fires);
        ck_assert_msg(h->means && is_sentence(h->means), "%s: means: %s", rule_name(rule), h->means);
        ck_assert_msg(h->change && is_sentence(h->change), "%s: change: %s", rule_name(rule), h->change);
        ck_assert_msg(!h->keep || is_sentence(h->keep), "%s: keep: %s", rule_name(rule), h->keep);
        for (int i = 0; i < _i; i++)
                ck_assert_str_ne(h->title, rule_help((enum rule) i)->title);
}
END_TEST

START_TEST(no_such_rule)
{
        ck_assert_ptr_nonnull(rule_help(RULE_COUNT));
        ck_assert_str_eq(rule_help(RULE_COUNT)->title, "");
}
END_TEST

/* What may be deliberate has a case for keeping it. */
static const struct deliberate_row {
        const char *name;
        enum rule rule;
} deliberate_rows[] = {
        { "soft", RULE_SOFT_MOUNT },
        { "sync", RULE_SYNC_CLIENT },
        { "noac", RULE_NOAC },
        { "actimeo=0", RULE_ATTRIBUTE_CACHE_OFF },
        { "lookupcache=none", RULE_LOOKUPCACHE_NONE },
        { "sizes", RULE_STALE_IO_SIZE },
        { "the server's cache", RULE_ASYNC_EXPORT },
};

START_TEST(deliberate_settings_have_a_case)
{
        const struct deliberate_row *row = &deliberate_rows[_i];

        ck_assert_msg(rule_help(row->rule)->keep != NULL, "%s", row->name);
}
END_TEST

START_TEST(option_is_explained)
{
        for (size_t i = 0; option_info_at(i); i++) {
                const struct option_info *option = option_info_at(i);
                struct text t = {};
                char *words;

                text_add_option_help(&t, option);
                words = text_take(&t);
                ck_assert_ptr_nonnull(words);
                ck_assert_msg(strstr(words, option->summary) != NULL, "%s: %s", option->name, words);
                ck_assert_msg(strncmp(words, option->name, strlen(option->name)) == 0, "%s: %s", option->name, words);
                free(words);
        }
}
END_TEST

int main(void)
{
        Suite *s = suite_create("policy_explain");
        TCase *t = tcase_create("explain");
        SRunner *runner = srunner_create(s);
        int failed;

        tcase_add_loop_test(t, rule_is_explained, 0, RULE_COUNT);
        tcase_add_test(t, no_such_rule);
        tcase_add_loop_test(t, deliberate_settings_have_a_case, 0, ARRAY_SIZE(deliberate_rows));
        tcase_add_test(t, option_is_explained);
        suite_add_tcase(s, t);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed > 0;
}
