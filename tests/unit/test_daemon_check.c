/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstunectl check: which inputs are judged, with which parameters, and the exit status. */

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/check.h"
#include "tests/unit/tree.h"

#define MOUNTINFO                                                                                              \
        "36 1 0:40 / /data rw,relatime shared:1 - nfs4 server:/data rw,vers=4.2,rsize=32768,wsize=32768,namlen=255," \
        "hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=192.0.2.2,local_lock=none,addr=192.0.2.1\n"

/* Where the recorded and the own host's files are. */
static struct probe_root root;

static void setup(void)
{
        static const char *const none[] = { NULL };

        tree_setup();
        tree_write("mountinfo", MOUNTINFO);
        tree_write("damaged", "37 1 0:41 / /lost rw - nfs4 server:/lost rw,context=\"x,addr=192.0.2.1\n" MOUNTINFO);
        tree_write("mountstats", "");
        tree_write("counted", "device /dev/sda1 mounted on / with fstype ext4\n");
        tree_write("fstab", "server:/data /data nfs rsize=32768,wsize=32768 0 0\n"
                            "server:/home /home nfs noauto,soft 0 0\n"
                            "server:/fine /fine nfs noauto 0 0\n");
        tree_write("quiet", "server:/fine /fine nfs noauto 0 0\n");
        tree_write("keep.conf", "[mount data]\npath = /data\nkeep = rsize wsize\n");
        tree_write("wrong.conf", "[daemon]\nmood = good\n");
        tree_write("exports", "/data 192.0.2.0/24(rw,async,no_subtree_check)\n");
        tree_write("servers.d/slow.conf", "[server]\ntitle = Cloud\nhosts = server\nnoresvport = yes\n");
        tree_write("wrong.d/slow.conf", "[server]\nmood = good\n");
        tree_write("empty.d/README", "no profile\n");
        root = (struct probe_root) {
                .mountinfo = tree_path("mountinfo"),
                .mountstats = tree_path("mountstats"),
                .fstab = tree_path("fstab"),
                .utab = tree_path("utab"),
                .cmdline = tree_path("cmdline"),
                .sys = tree_path("sys"),
                .unit_dirs = none,
                .nfsmount_confs = none,
        };
}

struct said {
        int status;
        char *out, *err;
};

static struct said run(const struct check_request *c)
{
        struct said s = {};
        size_t n_out, n_err;
        FILE *out = open_memstream(&s.out, &n_out), *err = open_memstream(&s.err, &n_err);

        s.status = check_run(c, out, err);
        ck_assert_int_eq(fclose(out), 0);
        ck_assert_int_eq(fclose(err), 0);
        return s;
}

static void said_free(struct said *s)
{
        free(s->out);
        free(s->err);
}

#define FILES_MAX 3

static const struct row {
        const char *name;
        struct {
                enum recorded_kind kind;
                const char *name;
        } files[FILES_MAX];             /* none: the own host */
        size_t n_files;
        const char *config, *servers;
        bool json;
        int status;
        const char *out;                /* a word of the report; NULL: nothing is printed */
        const char *not_out;            /* and one that is not there */
        const char *err;                /* a word on standard error; NULL: nothing is said */
} rows[] = {
        { "a mount alone", { { RECORDED_MOUNTINFO, "mountinfo" } }, 1, .servers = "empty.d", .status = 1,
          .out = "stale-io-size (possible)", .not_out = "to do" },
        { "a mount and where its sizes come from", { { RECORDED_MOUNTINFO, "mountinfo" }, { RECORDED_FSTAB, "fstab" } },
          2, .servers = "empty.d", .status = 1, .out = "server:/data /data nfs" },
        { "lines alone", { { RECORDED_FSTAB, "fstab" } }, 1, .servers = "empty.d", .status = 1, .out = "soft-mount" },
        { "a quiet line", { { RECORDED_FSTAB, "quiet" } }, 1, .servers = "empty.d", .status = 0,
          .out = "nothing to change" },
        { "a quiet line as JSON", { { RECORDED_FSTAB, "quiet" } }, 1, .servers = "empty.d", .json = true, .status = 0,
          .out = "\"findings\": []" },
        { "what is kept", { { RECORDED_MOUNTINFO, "mountinfo" } }, 1, "keep.conf", "empty.d", .status = 0,
          .out = "nothing to change", .not_out = "stale-io-size" },
        { "a wrong configuration", { { RECORDED_MOUNTINFO, "mountinfo" } }, 1, "wrong.conf", "empty.d", .status = 2,
          .err = "mood" },
        { "exports alone", { { RECORDED_EXPORTS, "exports" } }, 1, .servers = "empty.d", .status = 1,
          .out = "async-export" },
        { "a mount and its export", { { RECORDED_MOUNTINFO, "mountinfo" }, { RECORDED_EXPORTS, "exports" } }, 2,
          "keep.conf", "empty.d", .status = 1, .out = "async-export (configured)" },
        { "a mount whose export is a finding", { { RECORDED_MOUNTINFO, "mountinfo" }, { RECORDED_EXPORTS, "exports" } },
          2, "keep.conf", "empty.d", .status = 1, .out = "exports, line 1, below", .not_out = "risk:" },
        { "counters that were not given", { { RECORDED_MOUNTINFO, "mountinfo" } }, 1, .servers = "empty.d", .status = 1,
          .out = "or give --mountstats" },
        { "counters that were given and lack the mount", { { RECORDED_MOUNTINFO, "mountinfo" },
          { RECORDED_MOUNTSTATS, "counted" } }, 2, .servers = "empty.d", .status = 1, .out = "/proc/self/mountstats",
          .not_out = "--mountstats" },
        { "a profile", { { RECORDED_MOUNTINFO, "mountinfo" } }, 1, "keep.conf", "servers.d", .status = 1,
          .out = "reserved-port", .not_out = "stale-io-size" },
        { "a wrong profile only warns", { { RECORDED_FSTAB, "quiet" } }, 1, .servers = "wrong.d", .status = 0,
          .out = "nothing to change", .err = "mood" },
        { "profiles that are not there", { { RECORDED_FSTAB, "quiet" } }, 1, .servers = "gone.d", .status = 0,
          .out = "nothing to change", .err = "gone.d: No such file" },
        { "a damaged line of a mount table is told", { { RECORDED_MOUNTINFO, "damaged" } }, 1, "keep.conf", "empty.d",
          .status = 0, .out = "1 NFS mount checked", .err = "1 of 2 lines cannot be read" },
        { "a missing file", { { RECORDED_MOUNTINFO, "mountinfo" }, { RECORDED_FSTAB, "gone" } }, 2,
          .servers = "empty.d", .json = true, .status = 2, .err = "gone" },
        { "the own host", .config = "keep.conf", .servers = "empty.d", .status = 1, .out = "soft-mount",
          .not_out = "or give --mountstats" },
        { "the own host as JSON", .config = "keep.conf", .servers = "empty.d", .json = true, .status = 1,
          .out = "\"target\": \"/home\"" },
};

START_TEST(judged)
{
        const struct row *row = &rows[_i];
        struct recorded_file files[FILES_MAX];
        const struct check_request c = {
                .files = files,
                .n_files = row->n_files,
                .root = &root,
                .config_file = row->config ? tree_path(row->config) : NULL,
                .servers_dir = row->servers ? tree_path(row->servers) : NULL,
                .json = row->json,
        };
        struct said s;

        for (size_t i = 0; i < row->n_files; i++)
                files[i] = (struct recorded_file) { row->files[i].kind, tree_path(row->files[i].name) };
        s = run(&c);
        ck_assert_msg(s.status == row->status, "%s: %d\n%s%s", row->name, s.status, s.out, s.err);
        ck_assert_msg(row->out ? strstr(s.out, row->out) != NULL : s.out[0] == '\0', "%s:\n%s", row->name, s.out);
        ck_assert_msg(!row->not_out || !strstr(s.out, row->not_out), "%s:\n%s", row->name, s.out);
        ck_assert_msg(row->err ? strstr(s.err, row->err) != NULL : s.err[0] == '\0', "%s:\n%s", row->name, s.err);
        said_free(&s);
}
END_TEST

/* What is mounted is not judged a second time as a line. */
START_TEST(own_host_has_each_once)
{
        const struct check_request c = { .root = &root, .config_file = tree_path("keep.conf"),
                                         .servers_dir = tree_path("empty.d") };
        struct said s = run(&c);

        ck_assert_msg(strstr(s.out, "1 NFS mount checked") && strstr(s.out, "2 NFS lines checked"), "%s", s.out);
        said_free(&s);
}
END_TEST

START_TEST(own_host_without_fstab)
{
        const struct check_request c = { .root = &root, .config_file = tree_path("keep.conf"),
                                         .servers_dir = tree_path("empty.d") };
        struct said s;

        tree_write("fstab", "");
        s = run(&c);
        ck_assert_msg(s.status == 0 && s.err[0] == '\0', "%d: %s", s.status, s.err);
        said_free(&s);
}
END_TEST

START_TEST(own_host_without_mount_table)
{
        const struct check_request c = { .root = &root, .config_file = tree_path("keep.conf"),
                                         .servers_dir = tree_path("empty.d"), .json = true };
        struct said s;

        root.mountinfo = tree_path("gone");
        s = run(&c);
        ck_assert_msg(s.status == 2 && s.out[0] == '\0' && strstr(s.err, "gone"), "%d: %s", s.status, s.err);
        said_free(&s);
}
END_TEST

START_TEST(a_full_disk_is_told)
{
        const struct recorded_file file = { RECORDED_FSTAB, tree_path("fstab") };
        const struct check_request c = { .files = &file, .n_files = 1, .root = &root,
                                         .servers_dir = tree_path("empty.d"), .json = _i == 1 };
        FILE *full = fopen("/dev/full", "w"), *err;
        char *said;
        size_t n;

        ck_assert_ptr_nonnull(full);
        err = open_memstream(&said, &n);
        ck_assert_int_eq(check_run(&c, full, err), 2);
        (void) fclose(full);
        ck_assert_int_eq(fclose(err), 0);
        ck_assert_ptr_nonnull(strstr(said, strerror(ENOSPC)));
        free(said);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon_check");
        TCase *t = tcase_create("check");
        SRunner *runner = srunner_create(s);
        int failed;

        tcase_add_checked_fixture(t, setup, tree_teardown);
        tcase_add_loop_test(t, judged, 0, ARRAY_SIZE(rows));
        tcase_add_test(t, own_host_has_each_once);
        tcase_add_test(t, own_host_without_fstab);
        tcase_add_test(t, own_host_without_mount_table);
        tcase_add_loop_test(t, a_full_disk_is_told, 0, 2);
        suite_add_tcase(s, t);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed > 0;
}
