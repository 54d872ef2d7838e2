/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verification on a local directory that is presented as the changed mount; the mount of the old options is a tmpfs.
 * The content is this file's own, in place of probe/pattern.c: so reads can be wrong, or hang.
 */
#include "daemon/verify.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include "daemon/fscontext.h"
#include "probe/ownfile.h"
#include "probe/pattern.h"
#include "tests/unit/tree.h"

enum read_end { READ_SOUND, READ_WRONG, READ_HANGS };

static struct {                         /* each test is a process of its own, and the children inherit it */
        enum read_end end;
        unsigned from;                  /* which read begins it, counted from 0; a save is read in four */
        unsigned n;
} reads;

void pattern_fill(uint64_t seed may_be_unused, uint64_t offset_bytes may_be_unused, void *ret, size_t length_bytes)
{
        memset(ret, 'x', length_bytes);
}

bool pattern_matches(uint64_t seed may_be_unused, uint64_t offset_bytes may_be_unused, const void *data may_be_unused,
                     size_t length_bytes may_be_unused)
{
        if (reads.n++ < reads.from || reads.end == READ_SOUND)
                return true;
        if (reads.end == READ_HANGS)
                (void)sleep(3600);
        return false;
}

static void set_options(struct options *o, const char *text)
{
        options_done(o);
        ck_assert_int_eq(options_parse(text, strlen(text), o), 0);
}

static struct apply_request make_request(void)
{
        struct apply_request q = { .op = APPLY_VERIFY, .may_write = true, .budget_usec = USEC_PER_MINUTE };
        struct statx x;

        ck_assert_int_eq(statx(AT_FDCWD, tree, 0, STATX_MNT_ID, &x), 0);
        q.mount = (struct mount_facts){
                .target = strdup(tree), .source = strdup("nfstuned-test"), .fstype = strdup("tmpfs"),
                .mount_id = x.stx_mnt_id, .device = { x.stx_dev_major, x.stx_dev_minor },
        };
        set_options(&q.staging.from, "size=8m");
        return q;
}

static bool skip(const char *why)
{
        printf("SKIP: %s\n", why);
        return false;
}

/* Is there a private tmpfs to be had, and a name for files of ours? */
static bool can_compare(void)
{
        struct ownfile_identity id;
        struct options options = {};
        char *words = NULL;
        int fd = -1;

        if (ownfile_identity_self(&id) < 0)
                return skip("no machine id");
        int r = fscontext_mount("tmpfs", "none", &options, 0, &fd, &words);
        free(words);
        if (r < 0)
                return skip("no right to mount");
        close(fd);
        return true;
}

static void check_no_files(const char *name)
{
        DIR *d = opendir(tree);

        ck_assert_ptr_nonnull(d);
        for (struct dirent *e; (e = readdir(d));)
                ck_assert_msg(strncmp(e->d_name, ".nfstuned", strlen(".nfstuned")) != 0, "%s: %s", name, e->d_name);
        closedir(d);
}

START_TEST(compares)
{
        struct apply_request q = make_request();
        struct apply_answer a = {};

        if (!can_compare())
                return;
        ck_assert_int_eq(verify_run(&q, &a), 0);
        ck_assert_msg(a.end == APPLY_END_DONE, "%s", a.words);
        ck_assert_msg(a.compared, "%s", a.words);
        ck_assert_ptr_null(a.words);
        ck_assert_uint_ge(a.comparison.pairs, COMPARE_PAIRS_MIN);
        ck_assert(a.comparison.before_usec > 0 && a.comparison.after_usec > 0);
        check_no_files("compared");
        apply_answer_done(&a);
        apply_request_done(&q);
}
END_TEST

/* The first save is one on the old mount, the second one on the changed one. */
static const struct read_row {
        const char *name;
        enum read_end read;
        unsigned from;
        enum apply_end end;
} read_rows[] = {
        { "wrong bytes from the old one", READ_WRONG, 3, APPLY_END_DONE },
        { "wrong bytes from the changed one", READ_WRONG, 4, APPLY_END_FAILED },
        { "the old one hangs", READ_HANGS, 0, APPLY_END_DONE },
        { "the changed one hangs", READ_HANGS, 7, APPLY_END_FAILED },
};

START_TEST(blames_the_right_one)
{
        const struct read_row *row = &read_rows[_i];
        struct apply_request q = make_request();
        struct apply_answer a = {};

        if (!can_compare())
                return;
        reads.end = row->read;
        reads.from = row->from;
        q.budget_usec = row->read == READ_HANGS ? USEC_PER_SEC : USEC_PER_MINUTE;
        ck_assert_int_eq(verify_run(&q, &a), 0);
        ck_assert_msg(a.end == row->end, "%s: end %d: %s", row->name, a.end, a.words);
        ck_assert_msg(!a.compared, "%s: compared", row->name);
        ck_assert_msg(a.words != NULL, "%s: no words", row->name);
        apply_answer_done(&a);
        apply_request_done(&q);
}
END_TEST

enum trouble {
        MAY_NOT_WRITE,
        NO_DIRECTORY,
        NO_SUCH_USER,
        OLD_OPTIONS_REFUSED,
        OLD_MOUNT_FULL,
        NO_TIME,
        OTHER_MOUNT,
        TARGET_GONE,
        MOUNT_FULL,
        READ_ONLY,
};

static const struct trouble_row {
        const char *name;
        enum trouble trouble;
        enum apply_end end;
        const char *words;              /* key fact */
} trouble_rows[] = {
        { "may not be written to", MAY_NOT_WRITE, APPLY_END_DONE, "not to be written to" },
        { "no directory", NO_DIRECTORY, APPLY_END_DONE, "none" },
        { "no such user", NO_SUCH_USER, APPLY_END_DONE, "no-such-user-of-nfstuned" },
        { "old options refused", OLD_OPTIONS_REFUSED, APPLY_END_DONE, "no-such-option" },
        { "the private mount is full", OLD_MOUNT_FULL, APPLY_END_DONE, "no space" },
        { "no time", NO_TIME, APPLY_END_DONE, "time" },
        { "another mount", OTHER_MOUNT, APPLY_END_NOTHING, tree },
        { "nothing at the path", TARGET_GONE, APPLY_END_NOTHING, "/gone" },
        { "the changed mount is full", MOUNT_FULL, APPLY_END_DONE, "no space" },
        { "the changed mount is read-only", READ_ONLY, APPLY_END_DONE, "read-only" },
};

static void mount_over_tree(struct apply_request *q, unsigned long flags, const char *options)
{
        struct statx x;

        ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
        ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
        ck_assert_int_eq(mount("nfstuned-test", tree, "tmpfs", flags, options), 0);
        ck_assert_int_eq(statx(AT_FDCWD, tree, 0, STATX_MNT_ID, &x), 0);
        q->mount.mount_id = x.stx_mnt_id;
        q->mount.device = (struct device){ x.stx_dev_major, x.stx_dev_minor };
}

static void make_trouble(struct apply_request *q, enum trouble trouble)
{
        switch (trouble) {
        case MAY_NOT_WRITE:
                q->may_write = false;
                break;
        case NO_DIRECTORY:
                q->directory = strdup("none");
                break;
        case NO_SUCH_USER:
                q->user = strdup("no-such-user-of-nfstuned");
                break;
        case OLD_OPTIONS_REFUSED:
                set_options(&q->staging.from, "no-such-option");
                break;
        case OLD_MOUNT_FULL:
                set_options(&q->staging.from, "size=64k");
                break;
        case NO_TIME:
                q->budget_usec = 1;
                break;
        case OTHER_MOUNT:
                q->mount.mount_id++;
                break;
        case TARGET_GONE:
                free(q->mount.target);
                q->mount.target = strdup(tree_path("gone"));
                break;
        case MOUNT_FULL:
                mount_over_tree(q, 0, "size=64k");
                break;
        case READ_ONLY:
                mount_over_tree(q, MS_RDONLY, "size=8m");
                break;
        }
}

START_TEST(says_why_not)
{
        const struct trouble_row *row = &trouble_rows[_i];
        struct apply_request q = make_request();
        struct apply_answer a = {};

        if (!can_compare())
                return;
        make_trouble(&q, row->trouble);
        ck_assert_int_eq(verify_run(&q, &a), 0);
        ck_assert_msg(a.end == row->end, "%s: end %d: %s", row->name, a.end, a.words);
        ck_assert_msg(!a.compared, "%s: compared", row->name);
        ck_assert_msg(a.words && strstr(a.words, row->words) != NULL, "%s: %s", row->name, a.words);
        check_no_files(row->name);
        if (row->trouble == MOUNT_FULL || row->trouble == READ_ONLY)
                ck_assert_int_eq(umount2(tree, 0), 0);
        apply_answer_done(&a);
        apply_request_done(&q);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("daemon/verify");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_test(t, compares);
        tcase_add_loop_test(t, blames_the_right_one, 0, ARRAY_SIZE(read_rows));
        tcase_add_loop_test(t, says_why_not, 0, ARRAY_SIZE(trouble_rows));
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
