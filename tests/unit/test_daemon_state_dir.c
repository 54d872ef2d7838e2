/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state directory: where it is, and files that are written whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "daemon/state_dir.h"
#include "daemon/whole_file.h"
#include "probe/descriptor.h"
#include "tests/unit/golden.h"
#include "tests/unit/tree.h"

/* ---- by the mount table --------------------------------------------------------------- */

#define ROOT "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
#define VAR  "30 22 0:44 / /var rw shared:9 - nfs4 h:/var rw,vers=4.2\n"

static const struct {
        const char *name, *mountinfo, *path;
        bool on_nfs;
} tables[] = {
        { "local root", ROOT, "/var/lib/nfstuned", false },
        { "below an NFS mount", ROOT VAR, "/var/lib/nfstuned", true },
        { "version 3", ROOT "30 22 0:44 / /var rw - nfs h:/var rw\n", "/var/lib", true },
        { "the mount point itself", ROOT VAR, "/var", true },
        { "a longer name", ROOT VAR, "/variable/nfstuned", false },
        { "a local one below it", ROOT VAR "31 30 8:2 / /var/lib rw - xfs /dev/sdb rw\n", "/var/lib/nfstuned", false },
        { "in the other order", ROOT "31 30 8:2 / /var/lib rw - xfs /dev/sdb rw\n" VAR, "/var/lib/nfstuned", false },
        { "stacked, NFS on top", ROOT "29 22 8:3 / /var rw - xfs /dev/sdc rw\n" VAR, "/var/lib", true },
        { "stacked, NFS beneath", ROOT VAR "32 30 8:3 / /var rw - xfs /dev/sdc rw\n", "/var/lib", false },
        { "an escaped blank", ROOT "30 22 0:44 / /a\\040b rw - nfs4 h:/x rw\n", "/a b/state", true },
        { "NFS root", "22 1 0:21 / / rw - nfs 10.0.0.1:/root rw\n", "/var/lib/nfstuned", true },
        { "an automounter", ROOT "33 22 0:50 / /var rw - autofs systemd-1 rw,fd=30\n", "/var/lib", true },
        { "nfs in the source alone", ROOT "30 22 8:9 / /var rw - ext4 nfs rw\n", "/var/lib", false },
        { "nfsd is none", ROOT "30 22 0:44 / /proc/fs/nfsd rw - nfsd nfsd rw\n", "/proc/fs/nfsd", false },
        { "cut off", ROOT "30 22 0:44 / /var rw", "/var/lib", false },
        { "empty", "", "/var/lib", false },
};

START_TEST(test_table)
{
        ck_assert_msg(path_is_on_nfs(tables[_i].mountinfo, tables[_i].path) == tables[_i].on_nfs, "%s",
                      tables[_i].name);
}
END_TEST

/* ---- opening ------------------------------------------------------------------------------ */

static int open_in(const char *path, int *ret_fd, char **ret_path)
{
        ck_assert_int_eq(setenv("STATE_DIRECTORY", path, 1), 0);
        return state_dir_open(ret_fd, ret_path);
}

START_TEST(test_made)
{
        cleanup_free char *path = NULL;
        struct stat st;
        int fd = -1;

        ck_assert_int_eq(open_in(tree_path("a/b/state"), &fd, &path), 0);
        ck_assert_str_eq(path, tree_path("a/b/state"));
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0700);
        ck_assert_int_eq(state_file_write(fd, "x", "text"), 0);
        ck_assert_int_eq(access(tree_path("a/b/state/x"), F_OK), 0);
        close(fd);
        ck_assert_int_eq(open_in(tree_path("a/b/state"), &fd, NULL), 0);        /* again, as it is */
        close(fd);
}
END_TEST

START_TEST(test_several_directories)
{
        cleanup_free char *path = NULL;
        char both[PATH_MAX];
        int fd = -1;

        snprintf(both, sizeof(both), "%s:/elsewhere", tree_path("state"));
        ck_assert_int_eq(open_in(both, &fd, &path), 0);
        ck_assert_str_eq(path, tree_path("state"));
        close(fd);
}
END_TEST

START_TEST(test_link_refused)
{
        int fd = -1;

        ck_assert_int_eq(mkdir(tree_path("real"), 0700), 0);
        tree_link("state", "real");
        ck_assert_int_eq(open_in(tree_path("state"), &fd, NULL), -ELOOP);
        ck_assert_int_eq(fd, -1);
}
END_TEST

START_TEST(test_directory_of_others)
{
        int fd = -1;

        ck_assert_int_eq(mkdir(tree_path("state"), 0700), 0);
        ck_assert_int_eq(chmod(tree_path("state"), 0777), 0);
        ck_assert_int_eq(open_in(tree_path("state"), &fd, NULL), -EPERM);
        ck_assert_int_eq(chmod(tree_path("state"), 0700), 0);
        if (geteuid() == 0) {
                ck_assert_int_eq(chown(tree_path("state"), 1, 1), 0);
                ck_assert_int_eq(open_in(tree_path("state"), &fd, NULL), -EPERM);
        }
        tree_write("file", "");
        ck_assert_int_eq(open_in(tree_path("file"), &fd, NULL), -ENOTDIR);
}
END_TEST

/* ---- files ---------------------------------------------------------------------------------- */

static int state(void)
{
        int fd = -1;

        ck_assert_int_eq(open_in(tree_path("state"), &fd, NULL), 0);
        return fd;
}

static void expect(int fd, const char *name, const char *text)
{
        cleanup_free char *now = NULL;
        size_t length = 0;

        ck_assert_int_eq(state_file_read(fd, name, 1 * MIB, &now, &length), 0);
        ck_assert_str_eq(now, text);
        ck_assert_uint_eq(length, strlen(text));
}

static size_t count_files(void)
{
        char **names = NULL;
        size_t n = 0, hidden = 0;

        /* dir_list() leaves out hidden ones, and those are what is looked for */
        ck_assert_int_eq(dir_list(tree_path("state"), "", 1000, strcmp, &names, &n), 0);
        names_free(names, n);
        for (int pid = 0; pid < 2; pid++) {
                char path[PATH_MAX];

                snprintf(path, sizeof(path), "%s/.f.nfstuned-%d", tree_path("state"), pid ? (int)getpid() : 1);
                hidden += access(path, F_OK) == 0;
        }
        return n + hidden;
}

START_TEST(test_written_and_read)
{
        cleanup(close_descriptor) int fd = state();
        struct stat st;

        (void)umask(0);
        ck_assert_int_eq(state_file_write(fd, "f", "one"), 0);
        expect(fd, "f", "one");
        ck_assert_int_eq(state_file_write(fd, "f", "another\ntext"), 0);
        expect(fd, "f", "another\ntext");
        ck_assert_uint_eq(count_files(), 1);
        ck_assert_int_eq(stat(tree_path("state/f"), &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0600);
        ck_assert_int_eq(state_file_remove(fd, "f"), 0);
        ck_assert_int_eq(state_file_remove(fd, "f"), 0);
        ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(test_unreadable)
{
        cleanup(close_descriptor) int fd = state();
        cleanup_free char *text = NULL;
        size_t length;

        ck_assert_int_eq(state_file_read(fd, "f", 10, &text, &length), -ENOENT);
        tree_write("state/f", "12345678901");
        ck_assert_int_eq(state_file_read(fd, "f", 10, &text, &length), -EFBIG);
        tree_write("secret", "not ours");
        tree_link("state/link", "../secret");
        ck_assert_int_eq(state_file_read(fd, "link", 100, &text, &length), -ELOOP);
        ck_assert_int_eq(mkdir(tree_path("state/dir"), 0700), 0);
        ck_assert_int_eq(state_file_read(fd, "dir", 100, &text, &length), -EINVAL);
        ck_assert_int_eq(mkfifo(tree_path("state/pipe"), 0600), 0);
        ck_assert_int_eq(state_file_read(fd, "pipe", 100, &text, &length), -EINVAL);
        ck_assert_int_eq(chmod(tree_path("state/f"), 0666), 0);
        ck_assert_int_eq(state_file_read(fd, "f", 100, &text, &length), -EPERM);
}
END_TEST

/* What a link points to stays; the link itself gives way. */
START_TEST(test_link_not_written_through)
{
        cleanup(close_descriptor) int fd = state();
        cleanup_free char *text = NULL;
        size_t length;

        tree_write("secret", "not ours");
        tree_link("state/f", "../secret");
        ck_assert_int_eq(state_file_write(fd, "f", "ours"), 0);
        expect(fd, "f", "ours");
        ck_assert_int_eq(file_read(tree_path("secret"), 100, &text, &length), 0);
        ck_assert_str_eq(text, "not ours");
}
END_TEST

/* A file size limit stands for a full disk: some of it is written, then no more. */
START_TEST(test_full_disk)
{
        cleanup(close_descriptor) int fd = state();
        struct rlimit limit;
        char text[5001];

        memset(text, 'x', sizeof(text) - 1);
        text[sizeof(text) - 1] = '\0';
        ck_assert_int_eq(state_file_write(fd, "f", "old"), 0);
        (void)signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
        limit.rlim_cur = 4096;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        ck_assert_int_eq(state_file_write(fd, "f", text), -EFBIG);
        expect(fd, "f", "old");
        ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(test_no_directory)
{
        cleanup(close_descriptor) int fd = state();

        ck_assert_int_eq(rmdir(tree_path("state")), 0);
        ck_assert_int_eq(state_file_write(fd, "f", "text"), -ENOENT);
}
END_TEST

/* A process that was killed between writing and renaming. */
START_TEST(test_leftovers)
{
        cleanup(close_descriptor) int fd = state();
        char gone[64], living[64], path[128];
        pid_t pid = fork();

        if (pid == 0)
                _exit(0);
        ck_assert_int_gt(pid, 0);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        snprintf(gone, sizeof(gone), ".f.nfstuned-%d", (int)pid);
        snprintf(living, sizeof(living), ".f.nfstuned-%d", (int)getppid());
        ck_assert_int_eq(state_file_write(fd, "f", "old"), 0);
        snprintf(path, sizeof(path), "state/%s", gone);
        tree_write(path, "half a te");
        snprintf(path, sizeof(path), "state/%s", living);
        tree_write(path, "somebody is at it");
        tree_write("state/.g.nfstuned-1x", "of another name");
        expect(fd, "f", "old");
        ck_assert_int_eq(state_file_write(fd, "f", "new"), 0);
        expect(fd, "f", "new");
        ck_assert_int_eq(faccessat(fd, gone, F_OK, 0), -1);
        ck_assert_int_eq(faccessat(fd, living, F_OK, 0), 0);
        ck_assert_int_eq(faccessat(fd, ".g.nfstuned-1x", F_OK, 0), 0);
}
END_TEST

START_TEST(test_not_committed)
{
        cleanup(close_descriptor) int fd = state();
        struct whole_file f = WHOLE_FILE_NONE;

        ck_assert_int_eq(state_file_write(fd, "f", "old"), 0);
        ck_assert_int_eq(whole_file_begin(&f, fd, "f", "new", 3, -1, 0600), 0);
        expect(fd, "f", "old");
        ck_assert_uint_eq(count_files(), 2);
        whole_file_done(&f);
        expect(fd, "f", "old");
        ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(test_walk)
{
        int fd = -1;

        ck_assert_int_eq(mkdir(tree_path("dir"), 0700), 0);
        tree_link("link", "dir");
        ck_assert_int_eq(directory_walk(tree_path("link/below"), true, 0700, &fd), -ELOOP);
        ck_assert_int_eq(directory_walk(tree_path("dir/../dir"), false, 0, &fd), -EINVAL);
        ck_assert_int_eq(directory_walk("relative", false, 0, &fd), -EINVAL);
        ck_assert_int_eq(directory_walk(tree_path("dir/none"), false, 0, &fd), -ENOENT);
        ck_assert_int_eq(access(tree_path("dir/below"), F_OK), -1);
        ck_assert_int_eq(fd, -1);
}
END_TEST

START_TEST(test_boot_id)
{
        char id[33], again[33];

        ck_assert_int_eq(boot_id_read(id), 0);
        ck_assert_uint_eq(strspn(id, "0123456789abcdef"), 32);
        ck_assert_int_eq(boot_id_read(again), 0);
        ck_assert_str_eq(id, again);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon/state_dir");
        TCase *t = tcase_create("all");

        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_loop_test(t, test_table, 0, ARRAY_SIZE(tables));
        tcase_add_test(t, test_made);
        tcase_add_test(t, test_several_directories);
        tcase_add_test(t, test_link_refused);
        tcase_add_test(t, test_directory_of_others);
        tcase_add_test(t, test_written_and_read);
        tcase_add_test(t, test_unreadable);
        tcase_add_test(t, test_link_not_written_through);
        tcase_add_test(t, test_full_disk);
        tcase_add_test(t, test_no_directory);
        tcase_add_test(t, test_leftovers);
        tcase_add_test(t, test_not_committed);
        tcase_add_test(t, test_walk);
        tcase_add_test(t, test_boot_id);
        suite_add_tcase(s, t);
        return suite_run(s);
}
