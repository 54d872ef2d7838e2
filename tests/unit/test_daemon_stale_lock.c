/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon/stale_lock.c: what nobody holds goes, what somebody holds stays. */
#include "daemon/stale_lock.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char directory[] = "/tmp/nfstuned-stale.XXXXXX";
static char path[64];

static void setup(void)
{
        ck_assert_ptr_nonnull(mkdtemp(directory));
        snprintf(path, sizeof(path), "%s/fstab~", directory);
}

static void teardown(void)
{
        (void) unlink(path);
        (void) rmdir(directory);
}

static bool exists(void)
{
        struct stat st;

        return lstat(path, &st) == 0;
}

static void make(time_t age_sec)
{
        const struct timespec times[2] = { { .tv_sec = time(NULL) - age_sec }, { .tv_sec = time(NULL) - age_sec } };
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(futimens(fd, times), 0);
        ck_assert_int_eq(close(fd), 0);
}

/* Another process holds its record lock. */
static pid_t hold(void)
{
        const struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        int ready[2];
        char byte;
        pid_t pid;

        ck_assert_int_eq(pipe(ready), 0);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                int fd = open(path, O_WRONLY | O_CLOEXEC);

                if (fcntl(fd, F_SETLK, &lock) < 0 || write(ready[1], "", 1) != 1)
                        _exit(1);
                (void) sleep(20);
                _exit(0);
        }
        ck_assert_int_eq(read(ready[0], &byte, 1), 1);
        (void) close(ready[0]);
        (void) close(ready[1]);
        return pid;
}

START_TEST(none)
{
        ck_assert_int_eq(stale_lock_clear(path, 0), 0);
}
END_TEST

START_TEST(left_behind)
{
        make(60);
        ck_assert_int_eq(stale_lock_clear(path, 0), 0);
        ck_assert(!exists());
}
END_TEST

/* Its owner may be about to lock it. */
START_TEST(new)
{
        make(0);
        ck_assert_int_eq(stale_lock_clear(path, 0), -EBUSY);
        ck_assert(exists());
        ck_assert_int_eq(stale_lock_clear(path, 10 * USEC_PER_SEC), 0);
        ck_assert(!exists());
}
END_TEST

START_TEST(held)
{
        pid_t pid;

        make(60);
        pid = hold();
        ck_assert_int_eq(stale_lock_clear(path, USEC_PER_SEC / 4), -EBUSY);
        ck_assert(exists());
        (void) kill(pid, SIGKILL);
        ck_assert_int_eq(stale_lock_clear(path, 5 * USEC_PER_SEC), 0);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

START_TEST(link_is_left)
{
        ck_assert_int_eq(symlink("/etc/passwd", path), 0);
        ck_assert_int_eq(stale_lock_clear(path, 0), -ELOOP);
        ck_assert(exists());
}
END_TEST

int main(void)
{
        Suite *s = suite_create("stale lock");
        TCase *c = tcase_create("stale lock");
        SRunner *r = srunner_create(s);
        int failed;

        tcase_add_checked_fixture(c, setup, teardown);
        tcase_set_timeout(c, 60);
        tcase_add_test(c, none);
        tcase_add_test(c, left_behind);
        tcase_add_test(c, new);
        tcase_add_test(c, held);
        tcase_add_test(c, link_is_left);
        suite_add_tcase(s, c);
        srunner_run_all(r, CK_ENV);
        failed = srunner_ntests_failed(r);
        srunner_free(r);
        return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
