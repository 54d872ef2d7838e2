/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The request of the daemon to the helper, there and back. */
#include <errno.h>

#include "probe/request.h"
#include "tests/unit/golden.h"

static struct probe_request request_make(void)
{
        struct probe_request r = {
                .mount = { .mount_id = 7, .parent_id = 1, .device = { 0, 44 }, .target = strdup("/srv/\xff x"),
                           .source = strdup("h:/x"), .server = strdup("h"), .export_path = strdup("/x"),
                           .fstype = strdup("nfs4"), .propagation = strdup("shared:1") },
                .ask_server = true, .write = true, .passive_reason = strdup("a reason"), .deep_commit = true,
                .budget_bytes = 2 * MIB, .budget_usec = 5 * USEC_PER_SEC, .connect_timeout_usec = 3 * USEC_PER_SEC,
                .user = strdup("nobody"), .directory = strdup("."),
        };

        ck_assert_int_eq(options_parse("rw,rsize=8192", 13, &r.mount.super), 0);
        return r;
}

START_TEST(test_there_and_back)
{
        struct probe_request r = request_make(), back = { 0 };
        cleanup_free char *text = probe_request_to_json(&r);

        ck_assert_ptr_nonnull(text);
        ck_assert_ptr_null(strchr(text, '\n'));
        ck_assert_int_eq(probe_request_from_json(text, strlen(text), &back, NULL), 0);
        ck_assert_uint_eq(back.mount.mount_id, 7);
        ck_assert(device_equal(back.mount.device, r.mount.device));
        ck_assert_str_eq(back.mount.target, "/srv/\xff x");
        ck_assert_str_eq(options_value(&back.mount.super, "rsize"), "8192");
        ck_assert(back.ask_server && !back.ask_limits && back.write && back.deep_commit);
        ck_assert_str_eq(back.passive_reason, "a reason");
        ck_assert_uint_eq(back.budget_bytes, 2 * MIB);
        ck_assert_uint_eq(back.budget_usec, 5 * USEC_PER_SEC);
        ck_assert_uint_eq(back.connect_timeout_usec, 3 * USEC_PER_SEC);
        ck_assert_str_eq(back.user, "nobody");
        ck_assert_str_eq(back.directory, ".");
        probe_request_done(&r);
        probe_request_done(&back);
}
END_TEST

START_TEST(test_absent_strings)
{
        struct probe_request r = request_make(), back = { 0 };

        free_charp(&r.passive_reason);
        free_charp(&r.user);
        free_charp(&r.directory);
        r.ask_limits = true;
        r.ask_server = r.write = r.deep_commit = false;
        cleanup_free char *text = probe_request_to_json(&r);
        ck_assert_int_eq(probe_request_from_json(text, strlen(text), &back, NULL), 0);
        ck_assert(!back.passive_reason && !back.user && !back.directory);
        ck_assert(back.ask_limits && !back.ask_server && !back.write && !back.deep_commit);
        probe_request_done(&r);
        probe_request_done(&back);
}
END_TEST

#define MOUNT "\"mount\":{\"target\":\"/t\",\"source\":\"h:/s\",\"fstype\":\"nfs4\"}"

static const struct {
        const char *name, *text;
        int result;
} texts[] = {
        { "least", "{" MOUNT "}", 0 },
        { "no mount", "{\"write\":true}", -EINVAL },
        { "write as a word", "{" MOUNT ",\"write\":\"yes\"}", -EINVAL },
        { "negative budget", "{" MOUNT ",\"budget_bytes\":-1}", -EINVAL },
        { "user null", "{" MOUNT ",\"user\":null}", -EINVAL },
        { "empty", "", -EINVAL },
        { "cut", "{" MOUNT, -EINVAL },
        { "an option of the future", "{" MOUNT ",\"trial\":{}}", 0 },
};

START_TEST(test_text)
{
        struct probe_request r = { 0 };
        char *words = NULL;
        int result = probe_request_from_json(texts[_i].text, strlen(texts[_i].text), &r, &words);

        ck_assert_msg(result == texts[_i].result, "%s: %d (%s)", texts[_i].name, result, words);
        ck_assert_msg((words != NULL) == (result < 0), "%s: words", texts[_i].name);
        probe_request_done(&r);
        free(words);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/request");
        TCase *t = tcase_create("all");

        tcase_add_test(t, test_there_and_back);
        tcase_add_test(t, test_absent_strings);
        tcase_add_loop_test(t, test_text, 0, ARRAY_SIZE(texts));
        suite_add_tcase(s, t);
        return suite_run(s);
}
