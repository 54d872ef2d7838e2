/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The passive round over a tree of files, and over this host. */
#include <errno.h>

#include "probe/observe.h"
#include "probe/shares.h"
#include "tests/unit/golden.h"
#include "tests/unit/tree.h"

static const char *const no_paths[] = { NULL };
static struct probe_root root;
static struct snapshot snapshot;
static char *problems;

static void setup(void)
{
        tree_setup();
        root = (struct probe_root){
                .mountinfo = tree_path("mountinfo"),
                .mountstats = tree_path("mountstats"),
                .fstab = tree_path("fstab"),
                .utab = tree_path("utab"),
                .cmdline = tree_path("cmdline"),
                .sys = tree_path("sys"),
                .unit_dirs = no_paths,
                .nfsmount_confs = no_paths,
        };
}

static void teardown(void)
{
        snapshot_done(&snapshot);
        free(problems);
        tree_teardown();
}

static void observe_tree(void)
{
        ck_assert_int_eq(observe(&root, &snapshot, &problems), 0);
}

#define MOUNTS                                                          \
        "1 1 8:1 / / rw - ext4 /dev/sda rw\n"                           \
        "2 1 0:40 / /a rw - nfs4 h:/x rw,sync,vers=4.2,rsize=32768\n"   \
        "3 1 0:41 / /other rw - nfs h:/y rw,vers=3\n"                   \
        "4 1 0:40 / /bind rw - nfs4 h:/x/sub rw,sync,vers=4.2,rsize=32768\n"
#define BLOCK(source, target, age)                                              \
        "device " source " mounted on " target " with fstype nfs4 statvers=1.1\n" \
        "\tage:\t" age "\n\tbytes:\t0 0 0 0 0 0\n"

START_TEST(test_all_sources)
{
        tree_write("mountinfo", MOUNTS);
        tree_write("mountstats", BLOCK("h:/x", "/a", "5") BLOCK("h:/y", "/other", "6"));
        tree_write("fstab", "h:/x /a nfs sync,rsize=32768 0 0\n");
        tree_write("sys/class/bdi/0:40/read_ahead_kb", "128\n");
        tree_write("sys/class/bdi/0:41/read_ahead_kb", "junk\n");
        observe_tree();
        const struct observation *o = snapshot.mounts;

        ck_assert_msg(problems == NULL, "%s", problems);
        ck_assert_uint_eq(snapshot.n_mounts, 3);
        ck_assert_ptr_null(snapshot.kernel_release);
        ck_assert_str_eq(o[0].mount.target, "/a");
        ck_assert(o[0].counters.known && o[0].counters.age_sec == 5);
        ck_assert(o[1].counters.age_sec == 6 && !o[2].counters.known);
        ck_assert(o[0].n_requested == 1 && o[1].n_requested == 0);
        ck_assert_int_eq(o[0].requested[0].place.kind, PLACE_FSTAB);
        ck_assert(o[0].read_ahead_known && o[0].read_ahead_kib == 128 && o[2].read_ahead_known);
        ck_assert(!o[1].read_ahead_known);
        ck_assert(o[0].n_shares == 1 && o[1].n_shares == 0 && o[2].n_shares == 1);
        ck_assert_str_eq(o[0].shares_superblock_with[0], "/bind");
        ck_assert_str_eq(o[2].shares_superblock_with[0], "/a");
        ck_assert_int_eq(o[0].server.null_answer, ANSWER_UNTRIED);
        ck_assert_int_eq(o[0].probe.state, PROBE_NONE);
        ck_assert_int_eq(o[0].liveness, LIVENESS_UNKNOWN);
}
END_TEST

START_TEST(test_counters_anew)
{
        tree_write("mountinfo", MOUNTS);
        tree_write("mountstats", BLOCK("h:/x", "/a", "5"));
        observe_tree();
        tree_write("mountstats", BLOCK("h:/x", "/a", "65") BLOCK("h:/y", "/other", "60"));
        ck_assert_int_eq(observe_counters(&root, &snapshot), 0);
        ck_assert_uint_eq(snapshot.mounts[0].counters.age_sec, 65);
        ck_assert_uint_eq(snapshot.mounts[1].counters.age_sec, 60);
        unlink(root.mountstats);
        ck_assert_int_eq(observe_counters(&root, &snapshot), -ENOENT);
        ck_assert_uint_eq(snapshot.mounts[0].counters.age_sec, 65);
}
END_TEST

START_TEST(test_what_is_missing)
{
        ck_assert_int_eq(observe(&root, &snapshot, &problems), -ENOENT);
        tree_write("mountinfo", MOUNTS "garbage\n");
        observe_tree();
        ck_assert_uint_eq(snapshot.n_mounts, 3);
        ck_assert(!snapshot.mounts[0].counters.known);
        ck_assert_ptr_nonnull(strstr(problems, root.mountinfo));
        ck_assert_ptr_nonnull(strstr(problems, root.mountstats));
}
END_TEST

START_TEST(test_no_nfs)
{
        tree_write("mountinfo", "1 1 8:1 / / rw - ext4 /dev/sda rw\n");
        observe_tree();
        ck_assert_uint_eq(snapshot.n_mounts, 0);
        ck_assert_ptr_null(problems);
}
END_TEST

START_TEST(test_duplicates)
{
        tree_write("mountinfo", "2 1 0:40 / /a rw - nfs h:/x rw\n3 1 0:40 / /a rw - nfs h:/x rw\n"
                                "4 1 0:40 / /b rw - nfs h:/x rw\n");
        tree_write("mountstats", "");
        observe_tree();
        const struct observation *o = snapshot.mounts;
        ck_assert(o[1].mount.duplicate);
        ck_assert(o[0].n_shares == 1 && o[1].n_shares == 1 && o[2].n_shares == 1);
        ck_assert_str_eq(o[2].shares_superblock_with[0], "/a");
}
END_TEST

START_TEST(test_proc_mounts_have_no_device)
{
        tree_write("mountinfo", "h:/x /a nfs rw 0 0\nh:/x /b nfs rw 0 0\n");
        tree_write("mountstats", "");
        observe_tree();
        ck_assert(snapshot.mounts[0].n_shares == 0 && !snapshot.mounts[0].read_ahead_known);
}
END_TEST

START_TEST(test_many_share)
{
        struct text t = { 0 };

        for (unsigned i = 0; i < 2000; i++)
                text_add(&t, "%u 1 0:40 / /m/%u rw - nfs4 h:/x rw,vers=4.2\n", i + 2, i);
        cleanup_free char *text = text_take(&t);
        tree_write("mountinfo", text);
        tree_write("mountstats", "");
        observe_tree();
        ck_assert_uint_eq(snapshot.n_mounts, 2000);
        ck_assert_uint_eq(snapshot.mounts[0].n_shares, SHARES_MAX);
        ck_assert_str_eq(snapshot.mounts[1999].shares_superblock_with[0], "/m/0");
}
END_TEST

START_TEST(test_this_host)
{
        ck_assert_int_eq(observe(&probe_root_host, &snapshot, &problems), 0);
        ck_assert_ptr_nonnull(snapshot.kernel_release);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/observe");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_checked_fixture(t, setup, teardown);
        tcase_add_test(t, test_all_sources);
        tcase_add_test(t, test_counters_anew);
        tcase_add_test(t, test_what_is_missing);
        tcase_add_test(t, test_no_nfs);
        tcase_add_test(t, test_duplicates);
        tcase_add_test(t, test_proc_mounts_have_no_device);
        tcase_add_test(t, test_many_share);
        tcase_add_test(t, test_this_host);
        suite_add_tcase(s, t);
        return suite_run(s);
}
