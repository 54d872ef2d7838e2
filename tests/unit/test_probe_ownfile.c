/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files are leftovers of ours, and that nothing else is ever removed. */
#include "probe/ownfile.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MACHINE "0123456789abcdef0123456789abcdef"
#define OTHER_MACHINE "fedcba9876543210fedcba9876543210"
#define BOOT "00112233445566778899aabbccddeeff"
#define OTHER_BOOT "ffeeddccbbaa99887766554433221100"
/* Beyond the largest pid there can be: no real process has them. */
#define LIVE_PID "2000000001"
#define DEAD_PID "2000000002"
#define ODD_PID "2000000003"

static const struct ownfile_identity self = { .machine = MACHINE, .boot = BOOT, .pid = 1, .start_ticks = 1 };

struct place {
        char path[64];
        int fd;
};

static void make_place(struct place *p)
{
        strcpy(p->path, "/tmp/nfstuned-test-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(p->path));
        p->fd = open(p->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert_int_ge(p->fd, 0);
}

static void remove_place(struct place *p)
{
        char command[128];

        close(p->fd);
        snprintf(command, sizeof(command), "rm -rf '%s'", p->path);
        ck_assert_int_eq(system(command), 0);
}

static void write_file(const struct place *p, const char *name, const char *content)
{
        int fd = openat(p->fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(write(fd, content, strlen(content)), (ssize_t)strlen(content));
        close(fd);
}

/* Fields 3 to 22 of proc(5), whose last is the start time, and a few more. */
#define STAT_FIELDS " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 7777 20 21\n"

static void make_proc(struct place *p)
{
        make_place(p);
        ck_assert_int_eq(mkdirat(p->fd, LIVE_PID, 0755), 0);
        write_file(p, LIVE_PID "/stat", LIVE_PID " (a) S 1 (b)" STAT_FIELDS);
        ck_assert_int_eq(mkdirat(p->fd, ODD_PID, 0755), 0);
        write_file(p, ODD_PID "/stat", "no parenthesis");
}

static const struct stale_row {
        const char *name;
        const char *file;
        bool stale;
} stale_rows[] = {
        { "of another boot", ".nfstuned-" MACHINE "-" OTHER_BOOT "-" LIVE_PID "-7777-0", true },
        { "its process is gone", ".nfstuned-" MACHINE "-" BOOT "-" DEAD_PID "-7777-0", true },
        { "its pid was given to another process", ".nfstuned-" MACHINE "-" BOOT "-" LIVE_PID "-7776-0", true },
        { "its process lives", ".nfstuned-" MACHINE "-" BOOT "-" LIVE_PID "-7777-0", false },
        { "its process cannot be read", ".nfstuned-" MACHINE "-" BOOT "-" ODD_PID "-7777-0", false },
        { "another host's, other boot", ".nfstuned-" OTHER_MACHINE "-" OTHER_BOOT "-" DEAD_PID "-7777-0", false },
        { "another host's, same boot", ".nfstuned-" OTHER_MACHINE "-" BOOT "-" DEAD_PID "-7777-0", false },
        { "no pid can be 0", ".nfstuned-" MACHINE "-" BOOT "-0-7777-0", true },
        { "no pid can be so large", ".nfstuned-" MACHINE "-" BOOT "-99999999999-7777-0", true },
        { "a number beyond all numbers", ".nfstuned-" MACHINE "-" BOOT "-99999999999999999999-7777-0", false },
        { "no dot", "nfstuned-" MACHINE "-" OTHER_BOOT "-" DEAD_PID "-7777-0", false },
        { "no number", ".nfstuned-" MACHINE "-" OTHER_BOOT "-" DEAD_PID "-7777-", false },
        { "no start time", ".nfstuned-" MACHINE "-" OTHER_BOOT "-" DEAD_PID "--0", false },
        { "too few parts", ".nfstuned-" MACHINE "-" OTHER_BOOT "-" DEAD_PID "-7777", false },
        { "too many parts", ".nfstuned-" MACHINE "-" OTHER_BOOT "-" DEAD_PID "-7777-0-0", false },
        { "followed by something", ".nfstuned-" MACHINE "-" OTHER_BOOT "-" DEAD_PID "-7777-0~", false },
        { "a sign", ".nfstuned-" MACHINE "-" OTHER_BOOT "--1-7777-0", false },
        { "a short machine", ".nfstuned-0123-" OTHER_BOOT "-" DEAD_PID "-7777-0", false },
        { "a long boot", ".nfstuned-" MACHINE "-" OTHER_BOOT "0-" DEAD_PID "-7777-0", false },
        { "the prefix alone", ".nfstuned-", false },
        { "empty", "", false },
        { "somebody's document", "report.odt", false },
};

START_TEST(is_stale)
{
        const struct stale_row *row = &stale_rows[_i];
        struct place proc;

        make_proc(&proc);
        bool stale = ownfile_is_stale(&self, proc.path, row->file);
        remove_place(&proc);
        ck_assert_msg(stale == row->stale, "%s: %s", row->name, row->file);
}
END_TEST

START_TEST(names_are_read_back)
{
        const struct ownfile_identity other_boot = {
                .machine = MACHINE, .boot = OTHER_BOOT, .pid = UINT64_MAX, .start_ticks = UINT64_MAX,
        };
        char name[NAME_MAX + 1];

        ownfile_name(&other_boot, UINT32_MAX, name);
        ck_assert(ownfile_is_stale(&self, "/proc", name));
}
END_TEST

/* A host without a machine id is not written from; there this cannot be tested. */
static bool have_identity(struct ownfile_identity *ret)
{
        int r = ownfile_identity_self(ret);

        if (r < 0)
                printf("SKIP: no machine id: %s\n", strerror(-r));
        return r == 0;
}

START_TEST(own_files_are_not_stale)
{
        struct ownfile_identity id;
        char name[NAME_MAX + 1];
        int status;

        if (!have_identity(&id))
                return;
        ck_assert_uint_eq(strlen(id.machine), 32);
        ck_assert_uint_eq(id.pid, (uint64_t)getpid());
        ownfile_name(&id, 0, name);
        ck_assert(!ownfile_is_stale(&id, "/proc", name));

        pid_t child = fork();
        if (child == 0)
                _exit(0);
        id.pid = (uint64_t)child;
        waitpid(child, &status, 0);
        ownfile_name(&id, 0, name);
        ck_assert(ownfile_is_stale(&id, "/proc", name));
}
END_TEST

static bool exists(const struct place *p, const char *name)
{
        struct stat st;

        return fstatat(p->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

START_TEST(sweeps_nothing_but_leftovers)
{
        static const char stale[] = ".nfstuned-" MACHINE "-" OTHER_BOOT "-1-7777-0";
        static const char stale_link[] = ".nfstuned-" MACHINE "-" OTHER_BOOT "-1-7777-1";
        static const char stale_directory[] = ".nfstuned-" MACHINE "-" OTHER_BOOT "-1-7777-2";
        static const char other_host[] = ".nfstuned-" OTHER_MACHINE "-" OTHER_BOOT "-1-7777-0";
        struct place p;

        make_place(&p);
        write_file(&p, stale, "x");
        write_file(&p, other_host, "x");
        write_file(&p, "document", "x");
        ck_assert_int_eq(symlinkat("document", p.fd, stale_link), 0);
        ck_assert_int_eq(mkdirat(p.fd, stale_directory, 0700), 0);

        ck_assert_int_eq(ownfile_sweep(&self, p.fd), 1);
        ck_assert(!exists(&p, stale));
        ck_assert(exists(&p, stale_link));
        ck_assert(exists(&p, stale_directory));
        ck_assert(exists(&p, other_host));
        ck_assert(exists(&p, "document"));
        ck_assert_int_eq(ownfile_sweep(&self, p.fd), 0);
        remove_place(&p);
}
END_TEST

START_TEST(sweep_reports_a_bad_descriptor)
{
        ck_assert_int_eq(ownfile_sweep(&self, -1), -EBADF);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/ownfile");
        TCase *t = tcase_create("all");

        tcase_add_loop_test(t, is_stale, 0, ARRAY_SIZE(stale_rows));
        tcase_add_test(t, names_are_read_back);
        tcase_add_test(t, own_files_are_not_stale);
        tcase_add_test(t, sweeps_nothing_but_leftovers);
        tcase_add_test(t, sweep_reports_a_bad_descriptor);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
