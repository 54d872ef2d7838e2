/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of changes under way. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/intent.h"
#include "probe/descriptor.h"
#include "tests/unit/records.h"

#define BOOT "0123456789abcdef0123456789abcdef"

static struct intent intent_make(const char *target)
{
        struct intent i = {
                .boot = BOOT, .step = INTENT_ARMED, .mount = mount_make(target), .staging = staging_of(),
                .new_mount_id = 99, .new_device = { 0, 51 }, .rollback = true, .persist = true,
                .started_realtime_usec = 1700000000000000,
        };

        return i;
}

/* The one record that the tree holds. */
static char *only_record(void)
{
        char **names = NULL, *path = NULL;
        size_t n = 0;

        ck_assert_int_eq(dir_list(tree, ".json", 10, strcmp, &names, &n), 0);
        ck_assert_uint_eq(n, 1);
        path = strdup(names[0]);
        names_free(names, n);
        ck_assert_ptr_nonnull(path);
        return path;
}

START_TEST(test_there_and_back)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(intent_done) struct intent i = intent_make("/srv/a b\xff"), back = { 0 };

        ck_assert_int_eq(intent_write(fd, &i), 0);
        ck_assert_int_eq(intent_read(fd, "/srv/a b\xff", &back), 0);
        ck_assert_str_eq(back.boot, BOOT);
        ck_assert_int_eq(back.step, INTENT_ARMED);
        ck_assert_str_eq(back.mount.target, "/srv/a b\xff");
        ck_assert_uint_eq(back.mount.mount_id, 71);
        ck_assert(device_equal(back.mount.device, i.mount.device) && device_equal(back.new_device, i.new_device));
        expect_options("super", &back.mount.super, "rw,sync,vers=4.2,rsize=32768,wsize=32768,hard,addr=10.0.0.1");
        expect_same_staging(&back.staging);
        ck_assert_uint_eq(back.new_mount_id, 99);
        ck_assert(back.rollback && !back.by_hand && back.persist);
        ck_assert_uint_eq(back.started_realtime_usec, 1700000000000000);
}
END_TEST

/* What copies of the mount have of their own. */
START_TEST(test_copies)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(intent_done) struct intent i = intent_make("/t"), back = { 0 };

        i.copies = calloc(2, sizeof(*i.copies));
        ck_assert_ptr_nonnull(i.copies);
        i.n_copies = 2;
        i.copies[0] = (struct mount_copy){ .namespace = 4026531841, .path = strdup("/jail/t\xff"), .pid = 12 };
        i.copies[1] = (struct mount_copy){ .namespace = 4026532000, .path = strdup("/t") };
        options_of(&i.copies[0].vfs, "ro,nosuid,relatime");
        options_of(&i.copies[1].vfs, "rw");
        ck_assert_int_eq(intent_write(fd, &i), 0);
        ck_assert_int_eq(intent_read(fd, "/t", &back), 0);
        ck_assert_uint_eq(back.n_copies, 2);
        ck_assert_uint_eq(back.copies[0].namespace, 4026531841);
        ck_assert_str_eq(back.copies[0].path, "/jail/t\xff");
        ck_assert_uint_eq(back.copies[0].pid, 0);
        expect_options("first", &back.copies[0].vfs, "ro,nosuid,relatime");
        ck_assert_uint_eq(back.copies[1].namespace, 4026532000);
        expect_options("second", &back.copies[1].vfs, "rw");
        intent_done(&back);

        mount_copies_free(i.copies, i.n_copies);
        i.copies = NULL;
        i.n_copies = 0;
        ck_assert_int_eq(intent_write(fd, &i), 0);
        ck_assert_int_eq(intent_read(fd, "/t", &back), 0);
        ck_assert_uint_eq(back.n_copies, 0);
}
END_TEST

START_TEST(test_each_step)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(intent_done) struct intent i = intent_make("/t"), back = { 0 };

        i.step = (enum intent_step)_i;
        ck_assert_int_eq(intent_write(fd, &i), 0);
        ck_assert_int_eq(intent_read(fd, "/t", &back), 0);
        ck_assert_msg(back.step == i.step, "%s", intent_step_name(i.step));
}
END_TEST

/* A step further is the same file. */
START_TEST(test_overwritten_and_removed)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(intent_done) struct intent i = intent_make("/t"), back = { 0 };

        ck_assert_int_eq(intent_write(fd, &i), 0);
        i.step = INTENT_DONE;
        ck_assert_int_eq(intent_write(fd, &i), 0);
        free(only_record());
        ck_assert_int_eq(intent_read(fd, "/t", &back), 0);
        ck_assert_int_eq(back.step, INTENT_DONE);
        intent_done(&back);
        ck_assert_int_eq(intent_read(fd, "/other", &back), -ENOENT);
        ck_assert_int_eq(intent_remove(fd, "/t"), 0);
        ck_assert_int_eq(intent_read(fd, "/t", &back), -ENOENT);
        ck_assert_int_eq(intent_remove(fd, "/t"), 0);
}
END_TEST

/* Two paths with one digest: the record of one is none of the other. */
/* In a child: would it have to wait? */
static bool is_locked(int state_fd, const char *target)
{
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                int fd;

                (void) signal(SIGALRM, SIG_DFL);        /* not the handler of Check */
                (void) alarm(1);
                _exit(intent_lock(state_fd, target, &fd) == 0 ? 0 : 1);
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
}

START_TEST(test_one_at_a_time)
{
        cleanup(close_descriptor) int state_fd = tree_open();
        int fd;

        ck_assert_int_eq(intent_lock(state_fd, "/data", &fd), 0);
        ck_assert(is_locked(state_fd, "/data"));
        ck_assert(!is_locked(state_fd, "/home"));
        close(fd);
        ck_assert(!is_locked(state_fd, "/data"));
}
END_TEST

START_TEST(test_another_path)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(intent_done) struct intent i = intent_make("/t"), j = intent_make("/u"), back = { 0 };

        ck_assert_int_eq(intent_write(fd, &i), 0);
        cleanup_free char *t = only_record();
        ck_assert_int_eq(unlink(tree_path(t)), 0);
        ck_assert_int_eq(intent_write(fd, &j), 0);
        cleanup_free char *u = only_record();
        ck_assert_int_eq(rename(tree_path(u), tree_path(t)), 0);
        ck_assert_int_eq(intent_read(fd, "/t", &back), -ENOENT);
}
END_TEST

#define MOUNT_AT(target) "\"mount\":{\"target\":\"" target "\",\"source\":\"h:/s\",\"fstype\":\"nfs4\"}"
#define MOUNT   MOUNT_AT("/t")
#define STAGING "\"staging\":{\"method\":\"replace\"}"
#define COPIES(list) HEAD ARMED MOUNT ",\"copies\":" list "}"
#define COPY(namespace, path, vfs) "{\"namespace\":" namespace ",\"path\":\"" path "\",\"vfs\":\"" vfs "\"}"
#define ARMED   "\"step\":\"armed\"," STAGING ","
#define HEAD    "{\"version\":1,\"boot\":\"" BOOT "\","

static const struct {
        const char *name, *text;
        bool good;
} texts[] = {
        { "least", HEAD "\"step\":\"armed\"," MOUNT "," STAGING "}", true },
        { "from a later one", HEAD "\"step\":\"armed\"," MOUNT "," STAGING ",\"more\":1}", true },
        { "with copies", COPIES("[" COPY("7", "/t", "ro") "," COPY("8", "/jail/t", "rw") "]"), true },
        { "no copies", COPIES("[]"), true },
        { "a copy at no plain path", COPIES("[" COPY("7", "/t/../u", "ro") "]"), false },
        { "a copy without a path", COPIES("[{\"namespace\":7,\"vfs\":\"ro\"}]"), false },
        { "copies that are no list", COPIES(COPY("7", "/t", "ro")), false },
        { "cut", HEAD "\"step\":\"armed\"," MOUNT, false },
        { "empty", "", false },
        { "zeros", "\0\0\0\0", false },
        { "another version", "{\"version\":2,\"step\":\"armed\"," MOUNT "," STAGING "}", false },
        { "no version", "{\"step\":\"armed\"," MOUNT "," STAGING "}", false },
        { "no step", HEAD MOUNT "," STAGING "}", false },
        { "an unknown step", HEAD "\"step\":\"flying\"," MOUNT "," STAGING "}", false },
        { "no mount", HEAD "\"step\":\"armed\"," STAGING "}", false },
        { "no staging", HEAD "\"step\":\"armed\"," MOUNT "}", false },
        { "a short boot id", "{\"version\":1,\"boot\":\"0123\",\"step\":\"armed\"," MOUNT "," STAGING "}", false },
        { "a boot id with a path", "{\"version\":1,\"boot\":\"../../../../../../../../../etc/hosts\"," ARMED MOUNT "}",
          false },
        { "a long boot id", "{\"version\":1,\"boot\":\"" BOOT BOOT "\"," ARMED MOUNT "}", false },
        { "a relative target", HEAD ARMED MOUNT_AT("t") "}", false },
        { "a target with ..", HEAD ARMED MOUNT_AT("/t/../u") "}", false },
};

START_TEST(test_text)
{
        cleanup(close_descriptor) int fd = tree_open();
        struct intent *all = NULL;
        cleanup_free char *problems = NULL;
        size_t n = 99;

        tree_write("intent-0000000000000001.json", texts[_i].text);
        ck_assert_int_eq(intent_read_all(fd, &all, &n, &problems), 0);
        ck_assert_msg(n == (texts[_i].good ? 1 : 0), "%s: %zu", texts[_i].name, n);
        ck_assert_msg((problems != NULL) == !texts[_i].good, "%s: %s", texts[_i].name, problems);
        ck_assert_msg(tree_has("intent-0000000000000001.json") == texts[_i].good, "%s: the file", texts[_i].name);
        if (problems)
                ck_assert_ptr_nonnull(strstr(problems, "intent-0000000000000001.json"));
        for (size_t i = 0; i < n; i++)
                intent_done(&all[i]);
        free(all);
}
END_TEST

START_TEST(test_all)
{
        cleanup(close_descriptor) int fd = tree_open();
        cleanup(intent_done) struct intent a = intent_make("/a"), b = intent_make("/b");
        struct intent *all = NULL;
        char *problems = NULL;
        size_t n = 0;

        ck_assert_int_eq(intent_read_all(fd, &all, &n, &problems), 0);
        ck_assert(n == 0 && !problems);
        free(all);
        ck_assert_int_eq(intent_write(fd, &a), 0);
        ck_assert_int_eq(intent_write(fd, &b), 0);
        tree_write("changes.json", "{}");
        tree_write(".intent-1.json.nfstuned-1", "half");
        tree_write("outside", "{}");
        tree_link("intent-2.json", "outside");
        ck_assert_int_eq(intent_read_all(fd, &all, &n, &problems), 0);
        ck_assert_uint_eq(n, 2);
        ck_assert(strcmp(all[0].mount.target, all[1].mount.target) != 0);
        ck_assert_ptr_nonnull(problems);
        ck_assert(strstr(problems, "intent-2.json") && !strstr(problems, "changes.json"));
        ck_assert(!tree_has("intent-2.json") && tree_has("outside") && tree_has("changes.json"));
        for (size_t i = 0; i < n; i++)
                intent_done(&all[i]);
        free(all);
        free(problems);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon/intent");
        TCase *t = tcase_create("all");

        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_test(t, test_there_and_back);
        tcase_add_test(t, test_copies);
        tcase_add_loop_test(t, test_each_step, 0, INTENT_COUNT);
        tcase_add_test(t, test_overwritten_and_removed);
        tcase_add_test(t, test_another_path);
        tcase_add_test(t, test_one_at_a_time);
        tcase_add_loop_test(t, test_text, 0, ARRAY_SIZE(texts));
        tcase_add_test(t, test_all);
        suite_add_tcase(s, t);
        return suite_run(s);
}
