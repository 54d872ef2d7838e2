/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file there and back, on a local directory that is presented as a mount. The content is this file's own, in place of
 * probe/pattern.c: so reads can be wrong, hang, or take the process with them.
 */
#include "probe/roundtrip.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "probe/clock.h"
#include "probe/pattern.h"
#include "probe/ownfile.h"
#include "probe/privilege.h"
#include "tests/unit/tree.h"

#define NOBODY 65534

enum trick {
        SOUND,
        OTHER_BYTES,
        HANG,
        CRASH,
        OTHER_MOUNT,
        LINK,
};

static struct {                         /* each test is a process of its own, and the children inherit it */
        enum trick trick;
        size_t read_bytes;              /* expected of each read; 0: whatever */
} expected;

void pattern_fill(uint64_t seed may_be_unused, uint64_t offset_bytes may_be_unused, void *ret, size_t length_bytes)
{
        memset(ret, 'x', length_bytes);
}

bool pattern_matches(uint64_t seed may_be_unused, uint64_t offset_bytes may_be_unused, const void *data may_be_unused,
                     size_t length_bytes)
{
        if (expected.trick == HANG)
                (void)sleep(3600);
        if (expected.trick == CRASH)
                _exit(0);
        return expected.trick != OTHER_BYTES && (expected.read_bytes == 0 || length_bytes == expected.read_bytes);
}

static struct mount_facts facts_of(const char *path)
{
        struct statx x;

        ck_assert_int_eq(statx(AT_FDCWD, path, 0, STATX_MNT_ID, &x), 0);
        return (struct mount_facts){
                .mount_id = x.stx_mnt_id, .device = { x.stx_dev_major, x.stx_dev_minor },
        };
}

static unsigned count_files(void)
{
        DIR *d = opendir(tree);
        unsigned n = 0;

        ck_assert_ptr_nonnull(d);
        for (struct dirent *e; (e = readdir(d));)
                n += strncmp(e->d_name, ".nfstuned", strlen(".nfstuned")) == 0;
        closedir(d);
        return n;
}

/* Without a machine id nothing is written, so nothing can be tested. */
static bool can_run(void)
{
        struct ownfile_identity id;
        int r = ownfile_identity_self(&id);

        if (r < 0)
                printf("SKIP: no machine id: %s\n", strerror(-r));
        return r == 0;
}

static const struct trip_row {
        const char *name;
        enum trick trick;
        const char *user;
        const char *directory;
        enum outcome outcome;
        int error;
} trip_rows[] = {
        { "sound", SOUND, NULL, NULL, OUTCOME_OK, 0 },
        { "in a directory", SOUND, "auto", "sub", OUTCOME_OK, 0 },
        { "other bytes", OTHER_BYTES, NULL, NULL, OUTCOME_CORRUPT, 0 },
        { "a read that hangs", HANG, NULL, NULL, OUTCOME_TIME_BUDGET, 0 },
        { "a child that dies", CRASH, NULL, NULL, OUTCOME_ERROR, 0 },
        { "another mount", OTHER_MOUNT, NULL, NULL, OUTCOME_MOUNT_CHANGED, 0 },
        { "no such directory", SOUND, NULL, "none", OUTCOME_NOT_RUN, ENOENT },
        { "a link on the way", LINK, NULL, "link", OUTCOME_UNSAFE, 0 },
        { "no such user", SOUND, "no-such-user-of-nfstuned", NULL, OUTCOME_NOT_RUN, ESRCH },
};

static void run(const struct trip_row *row)
{
        struct mount_facts m = facts_of(tree);
        const usec_t start = clock_monotonic_usec();
        const usec_t time = row->trick == HANG ? 500 * USEC_PER_MSEC : USEC_PER_MINUTE;
        enum outcome outcome = OUTCOME_COUNT;
        int error = -1;

        expected.trick = row->trick;
        m.mount_id += row->trick == OTHER_MOUNT;
        int root_fd = open(tree, O_PATH | O_CLOEXEC);
        ck_assert_int_eq(roundtrip_check(root_fd, &m, row->user, row->directory, 64 * KIB, 32 * KIB, start + time,
                                         &outcome, &error), 0);
        close(root_fd);
        ck_assert_msg(outcome == row->outcome, "%s: outcome %d", row->name, outcome);
        ck_assert_msg(error == row->error, "%s: errno %d", row->name, error);
        ck_assert_msg(clock_monotonic_usec() - start < time + 10 * USEC_PER_SEC, "%s: late", row->name);
        ck_assert_msg(count_files() == 0, "%s: files of ours", row->name);
}

START_TEST(trips)
{
        if (!can_run())
                return;
        ck_assert_int_eq(mkdir(tree_path("sub"), 0700), 0);
        tree_link("link", "sub");
        run(&trip_rows[_i]);
}
END_TEST

static const struct size_row {
        const char *name;
        uint64_t rsize_bytes;
        uint64_t wsize_bytes;
        size_t read_bytes;              /* of each read */
} size_rows[] = {
        { "equal", 64 * KIB, 64 * KIB, 128 * KIB },
        { "read more than written at once", MIB, 32 * KIB, 2 * MIB },
        { "no whole pages", 5000, 5000, 12 * KIB },
        { "unknown", 0, 0, 8 * KIB },
};

START_TEST(sizes)
{
        const struct size_row *row = &size_rows[_i];
        struct mount_facts m = facts_of(tree);
        enum outcome outcome = OUTCOME_COUNT;
        int error = -1;

        if (!can_run())
                return;
        expected.read_bytes = row->read_bytes;
        int root_fd = open(tree, O_PATH | O_CLOEXEC);
        ck_assert_int_eq(roundtrip_check(root_fd, &m, NULL, ".", row->rsize_bytes, row->wsize_bytes,
                                         clock_monotonic_usec() + USEC_PER_MINUTE, &outcome, &error), 0);
        close(root_fd);
        ck_assert_msg(outcome == OUTCOME_OK, "%s: outcome %d", row->name, outcome);
}
END_TEST

/* Root without its capability over files is what a squashed root is to a server. */
START_TEST(as_the_owner)
{
        const enum trick tricks[] = { SOUND, HANG };
        const struct trip_row row = {
                "as the owner", tricks[_i], NULL, NULL, _i == 0 ? OUTCOME_OK : OUTCOME_TIME_BUDGET, 0,
        };

        if (geteuid() != 0 || !can_run()) {
                printf("SKIP: needs root\n");
                return;
        }
        ck_assert_int_eq(chown(tree, NOBODY, NOBODY), 0);
        pid_t child = fork();
        if (child == 0) {
                ck_assert_int_eq(privilege_reduce(), 0);
                run(&row);
                _exit(geteuid() == 0 ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        ck_assert_int_eq(status, 0);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/roundtrip");
        TCase *t = tcase_create("all");

        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_loop_test(t, trips, 0, ARRAY_SIZE(trip_rows));
        tcase_add_loop_test(t, sizes, 0, ARRAY_SIZE(size_rows));
        tcase_add_loop_test(t, as_the_owner, 0, 2);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
