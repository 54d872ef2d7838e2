/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a mount's copies have of their own, in a made-up /proc. */
#include "daemon/copies.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "probe/file.h"
#include "tests/unit/processes.h"
#include "tests/unit/records.h"

#define ROOT_OF_HOST  "20 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw\n"
#define ROOT_OF_SLAVE "60 1 254:1 / / rw master:1 - ext4 /dev/vda1 rw\n"
#define OWN(vfs)      "40 20 0:45 / /data " vfs " shared:30 - nfs4 server:/srv rw,vers=4.2\n"
#define COPY(vfs)     "61 60 0:45 / /data " vfs " master:30 - nfs4 server:/srv rw,vers=4.2\n"

static struct mount_facts ours(const char *vfs)
{
        struct mount_facts m = { .mount_id = 40, .device = { 0, 45 } };

        options_of(&m.vfs, vfs);
        return m;
}

/* Of processes 100 and 200. */
static void read_tables(const struct mount_facts *m, const char *own, const char *root, const char *table,
                        struct namespaces *ret)
{
        int r;

        add_self(own);
        add_process(200, OTHER, root, "sandbox\n", table);
        r = namespaces_read(tree, m, ret);
        ck_assert_msg(r == 0, "%s", strerror(-r));
}

/* ---- flags ------------------------------------------------------------------------------ */

static const struct flags_row {
        const char *name;
        const char *vfs;                /* of the host's mount */
        const char *root;               /* of the only process of the other namespace */
        const char *table;              /* as it sees it */
        const char *path, *flags;       /* of the copy that is found; NULL: none */
        const char *words;              /* are in the words of a refusal; NULL: none */
} flags_rows[] = {
        { "not there", "rw,relatime", "/", ROOT_OF_SLAVE, NULL, NULL, NULL },
        { "the same", "rw,relatime", "/", ROOT_OF_SLAVE COPY("rw,relatime"), NULL, NULL, NULL },
        { "the same in another order", "rw,nodev,nosuid", "/", ROOT_OF_SLAVE COPY("rw,nosuid,nodev"), NULL, NULL, NULL },
        { "read-only there", "rw,relatime", "/", ROOT_OF_SLAVE COPY("ro,relatime"), "/data", "ro,relatime", NULL },
        { "read-only here", "ro,relatime", "/", ROOT_OF_SLAVE COPY("rw,relatime"), "/data", "rw,relatime", NULL },
        { "access times", "rw,relatime", "/", ROOT_OF_SLAVE COPY("rw,noatime"), "/data", "rw,noatime", NULL },
        { "strict access times", "rw,relatime", "/", ROOT_OF_SLAVE COPY("rw"), "/data", "rw", NULL },
        { "a container's private volume is not reached", "rw,relatime", "/",
          "60 1 0:90 / / rw - overlay overlay rw\n61 60 0:45 / /data ro,relatime - nfs4 server:/srv rw\n", NULL, NULL, NULL },
        { "private, on a root that is a slave", "rw,relatime", "/",
          ROOT_OF_SLAVE "61 60 0:45 / /data ro,relatime - nfs4 server:/srv rw\n", "/data", "ro,relatime", NULL },
        { "a slave of ours, on a private root", "rw,relatime", "/",
          "60 1 0:90 / / rw - overlay overlay rw\n" COPY("ro,relatime"), "/data", "ro,relatime", NULL },
        { "from a changed root", "rw,relatime", "/jail", COPY("ro,relatime"), "/jail/data", "ro,relatime", NULL },
        { "another superblock", "rw,relatime", "/",
          ROOT_OF_SLAVE "61 60 0:46 / /data ro,relatime master:30 - nfs4 server:/srv rw\n", NULL, NULL, NULL },
        { "mapped owners", "rw,relatime", "/", ROOT_OF_SLAVE COPY("rw,relatime,idmapped"), NULL, NULL, "idmapped" },
};

START_TEST(test_flags)
{
        const struct flags_row *row = &flags_rows[_i];
        cleanup(mount_facts_done) struct mount_facts m = ours(row->vfs);
        cleanup(namespaces_done) struct namespaces all = {};
        cleanup_free char *words = NULL;
        char own[256];
        struct mount_copy *copies = NULL;
        size_t n = 0;
        int r;

        snprintf(own, sizeof(own), ROOT_OF_HOST OWN("%s"), row->vfs);
        read_tables(&m, own, row->root, row->table, &all);
        r = copies_read(&all, &copies, &n, &words);
        ck_assert_msg(r == (row->words ? 1 : 0), "%s: %d", row->name, r);
        if (row->words) {
                ck_assert_msg(strstr(words, row->words) && strstr(words, "process 200") && strstr(words, "/data"),
                              "%s: %s", row->name, words);
                return;
        }
        ck_assert_msg(n == (row->path ? 1 : 0), "%s: %zu", row->name, n);
        if (row->path) {
                ck_assert_msg(strcmp(copies[0].path, row->path) == 0, "%s: %s", row->name, copies[0].path);
                expect_options(row->name, &copies[0].vfs, row->flags);
                ck_assert_msg(copies[0].namespace == 2 && copies[0].pid == 200, "%s", row->name);
        }
        mount_copies_free(copies, n);
}
END_TEST

START_TEST(test_another_place_of_ours)
{
        cleanup(mount_facts_done) struct mount_facts m = ours("rw,relatime");
        cleanup(namespaces_done) struct namespaces all = {};
        cleanup_free char *words = NULL;
        struct mount_copy *copies = NULL;
        size_t n = 0;

        read_tables(&m, ROOT_OF_HOST OWN("rw,relatime") "41 20 0:45 / /bind ro,relatime shared:30 - nfs4 server:/srv rw\n", "/",
                    ROOT_OF_SLAVE, &all);
        ck_assert_int_eq(copies_read(&all, &copies, &n, &words), 0);
        ck_assert_uint_eq(n, 1);
        ck_assert_str_eq(copies[0].path, "/bind");
        ck_assert_uint_eq(copies[0].namespace, 1);
        mount_copies_free(copies, n);
}
END_TEST

START_TEST(test_names_of_namespaces_are_hidden)
{
        cleanup(mount_facts_done) struct mount_facts m = ours("rw,relatime");
        cleanup(namespaces_done) struct namespaces all = {};
        cleanup_free char *words = NULL;
        struct mount_copy *copies = NULL;
        size_t n = 0;

        add_self(ROOT_OF_HOST OWN("rw,relatime"));
        add_process(200, "0123456789abcdef", "/", "sandbox\n", ROOT_OF_SLAVE COPY("ro,relatime"));
        ck_assert_int_eq(namespaces_read(tree, &m, &all), 0);
        ck_assert_int_eq(copies_read(&all, &copies, &n, &words), 1);
        ck_assert_ptr_nonnull(strstr(words, "names of mount namespaces"));
}
END_TEST

START_TEST(test_too_many)
{
        cleanup(mount_facts_done) struct mount_facts m = ours("rw,relatime");
        cleanup(namespaces_done) struct namespaces all = {};
        cleanup(text_done) struct text table = {};
        cleanup_free char *words = NULL;
        struct mount_copy *copies = NULL;
        size_t n = 0;

        text_add(&table, ROOT_OF_SLAVE);
        for (unsigned i = 0; i <= MOUNT_COPIES_MAX; i++)
                text_add(&table, "%u 60 0:45 / /at/%u ro,relatime master:30 - nfs4 server:/srv rw\n", 100 + i, i);
        read_tables(&m, ROOT_OF_HOST OWN("rw,relatime"), "/", table.data, &all);
        ck_assert_int_eq(copies_read(&all, &copies, &n, &words), 1);
        ck_assert_ptr_nonnull(strstr(words, "too many"));
}
END_TEST

/* A mount table names it, and a record with it could not be read back. */
START_TEST(test_a_path_that_cannot_be_opened)
{
        static const size_t lengths[] = { PATH_MAX - 1, PATH_MAX, 100000 };

        for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
                cleanup(mount_facts_done) struct mount_facts m = ours("rw,relatime");
                cleanup(namespaces_done) struct namespaces all = {};
                cleanup(text_done) struct text table = {};
                cleanup_free char *words = NULL, *name = calloc(1, lengths[i] + 1);
                struct mount_copy *copies = NULL;
                size_t n = 0;

                ck_assert_ptr_nonnull(name);
                memset(name, 'a', lengths[i]);
                name[0] = '/';
                text_add(&table, ROOT_OF_SLAVE "61 60 0:45 / %s ro,relatime master:30 - nfs4 server:/srv rw\n", name);
                if (i == 0)
                        read_tables(&m, ROOT_OF_HOST OWN("rw,relatime"), "/", table.data, &all);
                else
                        tree_write("200/mountinfo", table.data);
                if (i > 0)
                        ck_assert_int_eq(namespaces_read(tree, &m, &all), 0);
                ck_assert_msg(copies_read(&all, &copies, &n, &words) == (i == 0 ? 0 : 1), "%zu", lengths[i]);
                ck_assert_msg(n == (i == 0 ? 1 : 0), "%zu: %zu", lengths[i], n);
                if (i > 0)
                        ck_assert_msg(strstr(words, "cannot be opened") && strlen(words) < PATH_MAX, "%s", words);
                mount_copies_free(copies, n);
        }
}
END_TEST

static const struct equal_row {
        const char *name;
        struct {
                uint64_t namespace;
                const char *path, *vfs;
        } a, b;
        bool equal;
} equal_rows[] = {
        { "equal", { 2, "/data", "ro,relatime" }, { 2, "/data", "ro,relatime" }, true },
        { "equal flags in another order", { 2, "/data", "ro,nodev,relatime" }, { 2, "/data", "nodev,ro,relatime" }, true },
        { "another namespace", { 2, "/data", "ro,relatime" }, { 3, "/data", "ro,relatime" }, false },
        { "another path", { 2, "/data", "ro,relatime" }, { 2, "/date", "ro,relatime" }, false },
        { "other flags", { 2, "/data", "ro,relatime" }, { 2, "/data", "ro,noatime" }, false },
};

START_TEST(test_equal)
{
        const struct equal_row *row = &equal_rows[_i];
        struct mount_copy a = { .namespace = row->a.namespace, .path = strdup(row->a.path), .pid = 5 };
        struct mount_copy b = { .namespace = row->b.namespace, .path = strdup(row->b.path) };

        options_of(&a.vfs, row->a.vfs);
        options_of(&b.vfs, row->b.vfs);
        ck_assert_msg(copies_equal(&a, 1, &b, 1) == row->equal, "%s", row->name);
        ck_assert_msg(!copies_equal(&a, 1, NULL, 0) && copies_equal(NULL, 0, NULL, 0), "%s: none", row->name);
        free(a.path);
        free(b.path);
        options_done(&a.vfs);
        options_done(&b.vfs);
}
END_TEST

/* ---- what would be lost ----------------------------------------------------------------------- */

static const struct lost_row {
        const char *name;
        const char *own;                /* propagation of ours */
        const char *table;
        bool lost;
} lost_rows[] = {
        { "a slave", "shared:30", ROOT_OF_SLAVE COPY("rw"), false },
        { "a peer", "shared:30",
          "60 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw\n61 60 0:45 / /data rw shared:30 - nfs4 server:/srv rw\n", false },
        { "private on a slave", "shared:30", ROOT_OF_SLAVE "61 60 0:45 / /data rw - nfs4 server:/srv rw\n", true },
        { "of a group of its own on a slave", "shared:30",
          ROOT_OF_SLAVE "61 60 0:45 / /data rw shared:31 - nfs4 server:/srv rw\n", true },
        { "of an unknown master on a slave", "shared:30",
          ROOT_OF_SLAVE "61 60 0:45 / /data rw master:31 - nfs4 server:/srv rw\n", true },
        { "private on a peer", "shared:30",
          "60 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw\n61 60 0:45 / /data rw - nfs4 server:/srv rw\n", true },
        { "a slave of our private mount", "",
          ROOT_OF_SLAVE COPY("rw"), true },
        { "private on a private root", "shared:30",
          "60 1 254:1 / / rw - ext4 /dev/vda1 rw\n61 60 0:45 / /data rw - nfs4 server:/srv rw\n", false },
        { "a slave on a private root", "shared:30",
          "60 1 254:1 / / rw - ext4 /dev/vda1 rw\n" COPY("rw"), false },
        { "private at another place", "shared:30",
          ROOT_OF_SLAVE "61 60 0:45 / /other rw - nfs4 server:/srv rw\n", false },
        { "private with something on it, which keeps it", "shared:30",
          ROOT_OF_SLAVE "61 60 0:45 / /data rw - nfs4 server:/srv rw\n62 61 0:99 / /data/x rw - tmpfs tmpfs rw\n", false },
        { "slaves of an unknown master", "shared:30",
          "60 1 254:1 / / rw master:7 - ext4 /dev/vda1 rw\n61 60 0:45 / /data rw master:8 - nfs4 server:/srv rw\n", false },
        { "private on a slave of an unknown master", "shared:30",
          "60 1 254:1 / / rw master:7 - ext4 /dev/vda1 rw\n61 60 0:45 / /data rw - nfs4 server:/srv rw\n", true },
};

START_TEST(test_lost)
{
        const struct lost_row *row = &lost_rows[_i];
        cleanup(mount_facts_done) struct mount_facts m = ours("rw");
        cleanup(namespaces_done) struct namespaces all = {};
        cleanup_free char *words = NULL;
        char own[256];
        int r;

        snprintf(own, sizeof(own), ROOT_OF_HOST "40 20 0:45 / /data rw %s - nfs4 server:/srv rw\n", row->own);
        read_tables(&m, own, "/", row->table, &all);
        r = copies_check_lost(&all, &words);
        ck_assert_msg(r == (row->lost ? 1 : 0), "%s: %d %s", row->name, r, words ? words : "");
        if (row->lost)
                ck_assert_msg(strstr(words, "process 200") && strstr(words, "sandbox"), "%s: %s", row->name, words);
}
END_TEST

/* The one in the middle is in a third namespace. */
START_TEST(test_lost_at_a_slave_of_a_slave)
{
        static const char slave_of_slave[] = "70 1 254:1 / / rw master:7 - ext4 /dev/vda1 rw\n"
                                             "71 70 0:45 / /data rw %s - nfs4 server:/srv rw\n";
        static const struct {
                const char *propagation;
                int lost;
        } rows[] = { { "master:8", 0 }, { "", 1 } };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                cleanup(mount_facts_done) struct mount_facts m = ours("rw");
                cleanup(namespaces_done) struct namespaces all = {};
                cleanup_free char *words = NULL;
                char table[256];

                if (i == 0) {
                        add_self(ROOT_OF_HOST OWN("rw"));
                        add_process(200, OTHER, "/", "sandbox\n",
                                    "60 1 254:1 / / rw shared:7 master:1 - ext4 /dev/vda1 rw\n"
                                    "61 60 0:45 / /data rw shared:8 master:30 - nfs4 server:/srv rw\n");
                }
                snprintf(table, sizeof(table), slave_of_slave, rows[i].propagation);
                if (i == 0)
                        add_process(300, "mnt:[3]", "/", "inner\n", table);
                else
                        tree_write("300/mountinfo", table);
                ck_assert_int_eq(namespaces_read(tree, &m, &all), 0);
                ck_assert_msg(copies_check_lost(&all, &words) == rows[i].lost, "\"%s\"", rows[i].propagation);
        }
}
END_TEST

/* ---- giving them back ----------------------------------------------------------------------------- */

/* Nobody is in such a namespace: there is nothing to be said. */
START_TEST(test_a_namespace_that_is_gone)
{
        struct mount_copy copy = { .namespace = 2, .path = strdup("/data"), .pid = 1 };
        struct apply_answer answer = {};

        options_of(&copy.vfs, "ro,relatime");
        copies_restore(&copy, 1, (struct device) { 0, 45 }, &answer);
        ck_assert_ptr_null(answer.words);
        free(copy.path);
        options_done(&copy.vfs);
}
END_TEST

/* Entering a namespace leads to its root: below a chroot, paths of ours are not those of the namespace. */
static bool is_in_a_chroot(const char *target)
{
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                int fd = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);

                _exit(fd < 0 || setns(fd, CLONE_NEWNS) < 0 || access(target, F_OK) == 0 ? 0 : 1);
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/* Where this is allowed: a mount of a namespace of our own, and a process in a copy of it, whose end is the caller's. */
static pid_t sandbox_start(const char *target)
{
        int ready[2];
        char byte;
        pid_t pid;

        if (unshare(CLONE_NEWNS) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0) {
                puts("SKIP: flags in another mount namespace: no right to mount");
                return 0;
        }
        if (is_in_a_chroot(target)) {
                puts("SKIP: flags in another mount namespace: this is a chroot");
                return 0;
        }
        ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
        ck_assert_int_eq(mount("test", target, "tmpfs", MS_RELATIME, NULL), 0);
        ck_assert_int_eq(pipe(ready), 0);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
                if (unshare(CLONE_NEWNS) == 0 && write(ready[1], "x", 1) == 1)
                        (void) pause();
                _exit(1);
        }
        close(ready[1]);
        ck_assert_int_eq(read(ready[0], &byte, 1), 1);
        close(ready[0]);
        return pid;
}

static uint64_t namespace_of(pid_t pid)
{
        struct stat st;
        char path[64];

        snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int) pid);
        ck_assert_int_eq(stat(path, &st), 0);
        return st.st_ino;
}

static void sandbox_end(pid_t pid, const char *target)
{
        (void) kill(pid, SIGKILL);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        ck_assert_int_eq(umount2(target, MNT_DETACH), 0);
}

/* The flags of what stands there in the namespace of the process. */
static void expect_flags_there(const char *name, pid_t pid, const char *target, const char *flags)
{
        cleanup_free char *text = NULL;
        char path[64], want[256];
        size_t n;

        snprintf(path, sizeof(path), "/proc/%d/mountinfo", (int) pid);
        snprintf(want, sizeof(want), " / %s %s ", target, flags);
        ck_assert_int_eq(file_read(path, MIB, &text, &n), 0);
        ck_assert_msg(strstr(text, want) != NULL, "%s: no \"%s\" in\n%s", name, want, text);
}

static const char *const given_flags[] = {
        "ro,relatime", "rw,relatime", "rw,noatime", "rw", "rw,nodiratime,relatime", "ro,nosuid,nodev,noexec,noatime",
        "rw,nosuid,relatime",
};

/* Each after the one before. */
START_TEST(test_given_there)
{
        struct mount_copy copy = { .path = strdup(tree_path("mnt")) };
        struct apply_answer answer = {};
        struct device device;
        struct stat st;
        pid_t pid;

        ck_assert_int_eq(mkdir(copy.path, 0700), 0);
        pid = sandbox_start(copy.path);
        if (pid > 0) {
                copy.namespace = namespace_of(pid);
                ck_assert_int_eq(stat(copy.path, &st), 0);
                device = (struct device) { major(st.st_dev), minor(st.st_dev) };
                for (size_t i = 0; i < ARRAY_SIZE(given_flags); i++) {
                        options_of(&copy.vfs, given_flags[i]);
                        copy.pid = i % 2 ? (uint64_t) pid : i;  /* else it is searched for, beside a wrong one */
                        copies_restore(&copy, 1, device, &answer);
                        ck_assert_msg(!answer.words, "%s: %s", given_flags[i], answer.words);
                        expect_flags_there(given_flags[i], pid, copy.path, given_flags[i]);
                        expect_flags_there("here", getpid(), copy.path, "rw,relatime");
                        options_done(&copy.vfs);
                }
                /* What is not the new one is left alone. */
                options_of(&copy.vfs, "ro,noatime");
                copies_restore(&copy, 1, (struct device) { device.major, device.minor + 1 }, &answer);
                ck_assert_ptr_null(answer.words);
                expect_flags_there("another device", pid, copy.path, "rw,nosuid,relatime");
                options_done(&copy.vfs);
                sandbox_end(pid, copy.path);
        }
        free(copy.path);
}
END_TEST

/* A symbolic link on the way is not followed, and that is told. */
START_TEST(test_cannot_be_given)
{
        struct mount_copy copy = { .path = strdup(tree_path("link/x")) };
        struct apply_answer answer = {};
        pid_t pid;

        ck_assert_int_eq(mkdir(tree_path("mnt"), 0700), 0);
        tree_link("link", "mnt");
        pid = sandbox_start(tree_path("mnt"));
        if (pid > 0) {
                copy.namespace = namespace_of(pid);
                options_of(&copy.vfs, "ro,relatime");
                copies_restore(&copy, 1, (struct device) { 0, 1 }, &answer);
                ck_assert_msg(answer.words && strstr(answer.words, "/link/x") && strstr(answer.words, "ro,relatime"), "%s",
                              answer.words);
                sandbox_end(pid, tree_path("mnt"));
        }
        options_done(&copy.vfs);
        apply_answer_done(&answer);
        free(copy.path);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("daemon/copies");
        TCase *t = tcase_create("all");

        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_loop_test(t, test_flags, 0, ARRAY_SIZE(flags_rows));
        tcase_add_test(t, test_another_place_of_ours);
        tcase_add_test(t, test_names_of_namespaces_are_hidden);
        tcase_add_test(t, test_too_many);
        tcase_add_test(t, test_a_path_that_cannot_be_opened);
        tcase_add_loop_test(t, test_equal, 0, ARRAY_SIZE(equal_rows));
        tcase_add_loop_test(t, test_lost, 0, ARRAY_SIZE(lost_rows));
        tcase_add_test(t, test_lost_at_a_slave_of_a_slave);
        tcase_add_test(t, test_a_namespace_that_is_gone);
        tcase_add_test(t, test_given_there);
        tcase_add_test(t, test_cannot_be_given);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
