/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The transaction of a reload, leftovers of earlier runs, the mount table's watch: the small parts around the loop. */
#include <check.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/leftovers.h"
#include "daemon/mountwatch.h"
#include "daemon/reload.h"

static char home[64];

static void setup(void)
{
        strcpy(home, "/tmp/nfstuned-reload-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(home));
}

static void teardown(void)
{
        char command[128];

        snprintf(command, sizeof(command), "rm -rf '%s'", home);
        ck_assert_int_eq(system(command), 0);
}

static void put(const char *path, const char *text)
{
        FILE *f = fopen(path, "we");

        ck_assert_ptr_nonnull(f);
        ck_assert_int_ge(fputs(text, f), 0);
        ck_assert_int_eq(fclose(f), 0);
}

/* ---- reload --------------------------------------------------------------------- */

static const struct reload_row {
        const char *name;
        const char *text;               /* NULL: the file is gone */
        int result;
        usec_t interval_usec;           /* afterwards */
        enum run_mode mode;             /* afterwards */
} reload_rows[] = {
        { "another value", "[daemon]\ninterval = 2h\n", 0, 2 * USEC_PER_HOUR, MODE_RECOMMEND },
        { "a removed key is the default again", "[daemon]\n", 0, USEC_PER_HOUR, MODE_RECOMMEND },
        { "an unknown key", "[daemon]\ninterval = 2h\nintervall = 3h\n", 1, 30 * USEC_PER_MINUTE, MODE_RECOMMEND },
        { "a bad value after a good one", "[daemon]\ninterval = 2h\n[probe]\nactive = perhaps\n", 1,
          30 * USEC_PER_MINUTE, MODE_RECOMMEND },
        { "auto-remount is switched on", "[daemon]\ninterval = 2h\nmode = auto-remount\n", 0, 2 * USEC_PER_HOUR,
          MODE_AUTO_REMOUNT },
        { "not by a file with an error", "[daemon]\nmode = auto-remount\n[apply]\nrules = everything\n", 1,
          30 * USEC_PER_MINUTE, MODE_RECOMMEND },
        { "random bytes", "\x01\xff[[[\n=\n", 1, 30 * USEC_PER_MINUTE, MODE_RECOMMEND },
        { "the file is gone", NULL, 1, 30 * USEC_PER_MINUTE, MODE_RECOMMEND },
};

START_TEST(a_reload_replaces_everything_or_nothing)
{
        const struct reload_row *row = &reload_rows[_i];
        struct params params = { 0 };
        char *errors = NULL;
        char path[96];
        int r;

        ck_assert_ptr_nonnull(freopen("/dev/null", "we", stderr));      /* what is wrong is said there */
        snprintf(path, sizeof(path), "%s/nfstuned.conf", home);
        const struct manager_options options = { .config_file = path, .config_must_exist = true,
                                                 .journal = { .to_stderr = true, .quiet = true } };
        put(path, "[daemon]\ninterval = 30min\n[mount m]\npath = /data\nkeep = sync\n");
        ck_assert_int_eq(reload_read(&options, &params, &errors), 0);
        ck_assert_ptr_null(errors);
        ck_assert_uint_eq(params.n_mounts, 1);
        if (row->text)
                put(path, row->text);
        else
                ck_assert_int_eq(unlink(path), 0);
        for (unsigned i = 0; i < 2; i++) {      /* the second time is no different */
                r = reload_params(&options, &params);
                ck_assert_msg(row->result == 0 ? r == 0 : r != 0, "%s: %d", row->name, r);
                ck_assert_msg(params.interval_usec == row->interval_usec, "%s: interval", row->name);
                ck_assert_msg(params.mode == row->mode, "%s: mode", row->name);
                ck_assert_msg(params.n_mounts == (row->result == 0 ? 0U : 1U), "%s: mounts", row->name);
        }
        params_done(&params);
}
END_TEST

/* ---- leftovers -------------------------------------------------------------------- */

static const struct leftover_row {
        const char *name;
        const char *own;                /* /proc/self/cgroup */
        const char *below;              /* directory of cgroup.procs below the root; NULL: none */
        const char *procs;
        int result;
        size_t count;
} leftover_rows[] = {
        { "only we", "0::/a.service\n", "a.service", "10\n", 0, 0 },
        { "two others", "0::/a.service\n", "a.service", "7\n10\n1234567\n", 0, 2 },
        { "beside old controllers", "12:cpu:/x\n1:name=systemd:/a.service\n0::/a.service\n", "unified/a.service",
          "7\n10\n", 0, 1 },
        { "no unified hierarchy", "12:cpu:/x\n", NULL, "", -ENOENT, 99 },
        { "no such group", "0::/b.service\n", "a.service", "7\n", -ENOENT, 99 },
        { "lines that are no numbers do not count", "0::/a.service\n", "a.service", "x\n\n-1\n8\n", 0, 1 },
};

START_TEST(leftovers_are_the_others_of_our_group)
{
        const struct leftover_row *row = &leftover_rows[_i];
        char own[96], path[192], command[256];
        size_t n = 99;

        snprintf(own, sizeof(own), "%s/cgroup", home);
        put(own, row->own);
        if (row->below) {
                snprintf(command, sizeof(command), "mkdir -p '%s/%s'", home, row->below);
                ck_assert_int_eq(system(command), 0);
                snprintf(path, sizeof(path), "%s/%s/cgroup.procs", home, row->below);
                put(path, row->procs);
        }
        ck_assert_msg(leftovers_count(own, home, 10, &n) == row->result, "%s", row->name);
        ck_assert_msg(n == row->count, "%s: %zu", row->name, n);
}
END_TEST

/* ---- the watch ---------------------------------------------------------------------- */

static bool is_readable(int fd, int timeout_msec)
{
        struct pollfd p = { .fd = fd, .events = POLLIN };

        return poll(&p, 1, timeout_msec) == 1;
}

START_TEST(a_mount_is_seen_once)
{
        struct mountwatch *w = NULL;
        bool may_mount;

        /* A mount table of our own: ours to change, and nobody else's. */
        may_mount = unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
        may_mount = may_mount && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
        ck_assert_int_eq(mountwatch_new(&w), 0);
        ck_assert_int_ge(mountwatch_fd(w), 0);
        (void) mountwatch_drain(w);
        ck_assert(!is_readable(mountwatch_fd(w), 0));
        ck_assert(!mountwatch_drain(w));
        if (may_mount && mount("tmpfs", home, "tmpfs", 0, NULL) == 0) {
                ck_assert(is_readable(mountwatch_fd(w), 5000));
                ck_assert(mountwatch_drain(w));
                ck_assert(!is_readable(mountwatch_fd(w), 0));
                ck_assert_int_eq(umount2(home, 0), 0);
                ck_assert(is_readable(mountwatch_fd(w), 5000));
        } else {
                fprintf(stderr, "a_mount_is_seen_once: no right to mount here, only the quiet half was tested\n");
        }
        mountwatch_free(w);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("daemon/reload");
        TCase *c = tcase_create("around the loop");
        SRunner *runner;
        int failed;

        tcase_add_checked_fixture(c, setup, teardown);
        tcase_add_loop_test(c, a_reload_replaces_everything_or_nothing, 0, (int) ARRAY_SIZE(reload_rows));
        tcase_add_loop_test(c, leftovers_are_the_others_of_our_group, 0, (int) ARRAY_SIZE(leftover_rows));
        tcase_add_test(c, a_mount_is_seen_once);
        suite_add_tcase(suite, c);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
