/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was changed before, on disk. */
#include <errno.h>
#include <string.h>

#include "daemon/memory.h"
#include "probe/descriptor.h"
#include "tests/unit/records.h"

#define BOOT "0123456789abcdef0123456789abcdef"

static void history_make(struct history *h)
{
        struct mount_history *m = history_get(h, "/srv/\xff x", "server:/x");

        ck_assert_ptr_nonnull(m);
        ck_assert_int_eq(history_changed(m, BOOT, "rw,sync", "rw", "sync", "rw,vers=4.2", 1700000000000000), 0);
        m->verified = true;
        m->read_ahead_kib = 15360;
        m->read_ahead_from_kib = 128;
        m->median_before_usec = 5000;
        m->median_after_usec = 400;
        m->persisted = true;
        m->written = strdup("{\"edits\": []}");
        ck_assert_int_eq(history_failed(h, m, "rw,nconnect=4", "it was slower: 5 ms, now 9 ms", 1700000001000000), 0);
        history_outside(m, 1700000002000000);
        ck_assert_ptr_nonnull(history_get(h, "/other", "server:/y"));
}

START_TEST(test_there_and_back)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(history_done) struct history h = { 0 }, back = { 0 };
        cleanup_free char *problem = NULL;

        history_make(&h);
        h.stopped_usec = 1700000003000000;
        ck_assert_int_eq(memory_write(fd, &h), 0);
        ck_assert_int_eq(memory_read(fd, &back, &problem), 0);
        ck_assert_ptr_null(problem);
        ck_assert_uint_eq(back.n_mounts, 2);
        ck_assert_uint_eq(back.failures, h.failures);
        ck_assert_uint_eq(back.failures, 1);
        ck_assert(back.stopped == h.stopped && back.stopped_usec == 1700000003000000);
        const struct mount_history *m = history_find(&back, "/srv/\xff x", "server:/x");
        ck_assert_ptr_nonnull(m);
        const struct mount_history *was = history_find(&h, "/srv/\xff x", "server:/x");
        ck_assert_str_eq(m->boot, BOOT);
        ck_assert_str_eq(m->from, "rw,sync");
        ck_assert_str_eq(m->to, "rw");
        ck_assert_str_eq(m->keys, "sync");
        ck_assert_str_eq(m->effective, "rw,vers=4.2");
        ck_assert_str_eq(m->failed_to, "rw,nconnect=4");
        ck_assert_str_eq(m->failed_words, "it was slower: 5 ms, now 9 ms");
        ck_assert_uint_eq(m->changed_usec, 1700000000000000);
        ck_assert_uint_eq(m->failed_usec, 1700000001000000);
        ck_assert_uint_eq(m->outside_usec, 1700000002000000);
        ck_assert(m->verified == was->verified && m->rolled_back == was->rolled_back && m->persisted);
        ck_assert_str_eq(m->written, "{\"edits\": []}");
        ck_assert(m->read_ahead_kib == 15360 && m->read_ahead_from_kib == 128);
        ck_assert(m->median_before_usec == 5000 && m->median_after_usec == 400);
        m = history_find(&back, "/other", "server:/y");
        ck_assert(m && !m->from && m->boot[0] == '\0' && m->changed_usec == 0 && !m->persisted);
}
END_TEST

START_TEST(test_missing)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(history_done) struct history h = { 0 };
        cleanup_free char *problem = NULL;

        ck_assert_int_eq(memory_read(fd, &h, &problem), 0);
        ck_assert(h.n_mounts == 0 && !h.stopped && !problem);
}
END_TEST

#define MOUNT "{\"target\":\"/t\",\"source\":\"h:/s\"}"

static const struct {
        const char *name, *text;
        bool good;
} texts[] = {
        { "nothing yet", "{\"version\":1,\"mounts\":[]}", true },
        { "least", "{\"version\":1,\"mounts\":[" MOUNT "]}", true },
        { "from a later one", "{\"version\":1,\"mounts\":[" MOUNT "],\"more\":[]}", true },
        { "empty", "", false },
        { "cut", "{\"version\":1,\"mounts\":[" MOUNT, false },
        { "another kind", "[]", false },
        { "a newer version", "{\"version\":2,\"mounts\":[]}", false },
        { "no version", "{\"mounts\":[]}", false },
        { "version as a word", "{\"version\":\"1\",\"mounts\":[]}", false },
        { "no mounts", "{\"version\":1}", false },
        { "mounts as an object", "{\"version\":1,\"mounts\":{}}", false },
        { "a mount without a source", "{\"version\":1,\"mounts\":[{\"target\":\"/t\"}]}", false },
        { "negative failures", "{\"version\":1,\"failures\":-1,\"mounts\":[]}", false },
        { "a huge number", "{\"version\":1,\"failures\":99999999999999999999,\"mounts\":[]}", false },
        { "twice", "{\"version\":1,\"version\":1,\"mounts\":[]}", false },
        { "a boot id that is none",
          "{\"version\":1,\"mounts\":[{\"target\":\"/t\",\"source\":\"h:/s\",\"boot\":\"x\"}]}", false },
};

START_TEST(test_text)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(history_done) struct history h = { 0 };
        cleanup_free char *problem = NULL;

        tree_write("changes.json.damaged", "an older one");
        tree_write("changes.json", texts[_i].text);
        int r = memory_read(fd, &h, &problem);
        ck_assert_msg(r == (texts[_i].good ? 0 : 1), "%s: %d", texts[_i].name, r);
        ck_assert_msg((problem != NULL) == !texts[_i].good, "%s: %s", texts[_i].name, problem);
        ck_assert_msg(h.stopped == !texts[_i].good, "%s: stopped", texts[_i].name);
        ck_assert_msg(tree_has("changes.json") == texts[_i].good, "%s: set aside", texts[_i].name);
        expect_file("changes.json.damaged", texts[_i].good ? "an older one" : texts[_i].text);
        if (problem)
                ck_assert(strstr(problem, "changes.json.damaged") && strstr(problem, "resume"));
}
END_TEST

START_TEST(test_too_many)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(history_done) struct history h = { 0 };
        cleanup_free char *problem = NULL, *all = NULL;
        struct text t = { 0 };

        text_add(&t, "{\"version\":1,\"mounts\":[" MOUNT);
        for (unsigned i = 0; i < HISTORY_MAX; i++)
                text_add(&t, "," MOUNT);
        text_add(&t, "]}");
        all = text_take(&t);
        ck_assert_ptr_nonnull(all);
        tree_write("changes.json", all);
        ck_assert_int_eq(memory_read(fd, &h, &problem), 1);
        ck_assert_uint_eq(h.n_mounts, 0);
}
END_TEST

START_TEST(test_link_set_aside)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(history_done) struct history h = { 0 };
        cleanup_free char *problem = NULL;

        tree_write("other", "{\"version\":1,\"mounts\":[" MOUNT "]}");
        tree_link("changes.json", "other");
        ck_assert_int_eq(memory_read(fd, &h, &problem), 1);
        ck_assert(h.n_mounts == 0 && !tree_has("changes.json") && tree_has("other"));
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon/memory");
        TCase *t = tcase_create("all");

        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_test(t, test_there_and_back);
        tcase_add_test(t, test_missing);
        tcase_add_loop_test(t, test_text, 0, ARRAY_SIZE(texts));
        tcase_add_test(t, test_too_many);
        tcase_add_test(t, test_link_set_aside);
        suite_add_tcase(s, t);
        return suite_run(s);
}
