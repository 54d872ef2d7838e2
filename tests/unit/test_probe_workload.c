/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads for real, on a local directory that is presented as a mount:
 * what they do, and what they refuse to do.
 */
#include "probe/workload.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/ownfile.h"
#include "probe/privilege.h"

#define NOBODY 65534
#define EDITOR_BYTES (256 * KIB)
#define COPY_BYTES (1 * MIB)
#define COMMIT_BYTES (4 * 4 * KIB + 4 * 64 * KIB)

/* A directory with "sub", and a request to probe it. */
struct scene {
        char path[64];
        struct probe_request request;
        struct probe_result result;
};

static void point_request_at(struct scene *s, const char *path)
{
        struct mount_facts *m = &s->request.mount;
        struct statx x;

        ck_assert_int_eq(statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &x), 0);
        free(m->target);
        m->target = strdup(path);
        m->mount_id = x.stx_mnt_id;
        m->device = (struct device){ x.stx_dev_major, x.stx_dev_minor };
}

static void set_options(struct scene *s, const char *options)
{
        options_done(&s->request.mount.super);
        ck_assert_int_eq(options_parse(options, strlen(options), &s->request.mount.super), 0);
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

/* Return: whether the test can go on. */
static bool make_scene(struct scene *s)
{
        char sub[80];

        if (!can_run())
                return false;
        *s = (struct scene){ .path = "/tmp/nfstuned-test-XXXXXX" };
        ck_assert_ptr_nonnull(mkdtemp(s->path));
        snprintf(sub, sizeof(sub), "%s/sub", s->path);
        ck_assert_int_eq(mkdir(sub, 0700), 0);
        s->request.write = true;
        s->request.budget_bytes = 2 * MIB;
        s->request.budget_usec = 60 * USEC_PER_SEC;
        set_options(s, "rw,vers=4.2,rsize=65536,wsize=65536");
        point_request_at(s, s->path);
        return true;
}

static void end_scene(struct scene *s)
{
        char command[128];

        probe_request_done(&s->request);
        probe_result_done(&s->result);
        snprintf(command, sizeof(command), "rm -rf '%s'", s->path);
        ck_assert_int_eq(system(command), 0);
}

static unsigned count_own_files(const char *path)
{
        unsigned n = 0;
        struct dirent *e;
        DIR *d = opendir(path);

        ck_assert_ptr_nonnull(d);
        while ((e = readdir(d)))
                n += strncmp(e->d_name, ".nfstuned", strlen(".nfstuned")) == 0;
        closedir(d);
        return n;
}

static void run(struct scene *s)
{
        char sub[80];

        ck_assert_int_eq(workload_run(&s->request, &s->result), 0);
        snprintf(sub, sizeof(sub), "%s/sub", s->path);
        if (access(sub, F_OK) == 0)
                ck_assert_uint_eq(count_own_files(sub), 0);
}

static enum outcome outcome_of(const struct scene *s, enum workload w)
{
        return s->result.results[w].outcome;
}

/* ---- what they do ------------------------------------------------------------------ */

static void check_complete(const struct workload_result *w, uint64_t bytes, unsigned writes)
{
        ck_assert_int_eq(w->outcome, OUTCOME_OK);
        ck_assert_int_eq(w->error, 0);
        ck_assert_uint_eq(w->written_bytes, bytes);
        ck_assert_uint_eq(w->write.n, writes);
        ck_assert(w->verified);
        ck_assert_uint_le(w->write.p50_usec, w->write.p99_usec);
        ck_assert_uint_le(w->write.p99_usec, w->write.max_usec);
        ck_assert_uint_le(w->write.max_usec, w->total_usec);
        ck_assert_uint_le(w->close_usec, w->total_usec);
        ck_assert_uint_le(w->open_usec, w->total_usec);
        ck_assert_uint_gt(w->total_usec, 0);
}

START_TEST(all_workloads)
{
        struct scene s;

        if (!make_scene(&s))
                return;
        run(&s);
        ck_assert_int_eq(s.result.state, PROBE_ACTIVE);
        ck_assert_uint_gt(s.result.started_usec, 0);
        check_complete(&s.result.results[WORKLOAD_EDITOR_SAVE], EDITOR_BYTES, 32);
        check_complete(&s.result.results[WORKLOAD_COPY], COPY_BYTES, 8);
        check_complete(&s.result.results[WORKLOAD_COMMIT], COMMIT_BYTES, 4);
        ck_assert_uint_eq(s.result.written_bytes, EDITOR_BYTES + COPY_BYTES + COMMIT_BYTES);
        ck_assert_uint_eq(s.result.results[WORKLOAD_COMMIT].stable.n, 4);
        ck_assert_uint_eq(s.result.results[WORKLOAD_EDITOR_SAVE].stable.n, 0);
        ck_assert_uint_eq(s.result.swept_files, 0);
        ck_assert_uint_eq(count_own_files(s.path), 0);
        end_scene(&s);
}
END_TEST

static const struct stable_row {
        const char *name;
        const char *options;
        bool deep;
        uint64_t sizes[STABLE_SIZES];
        unsigned n[STABLE_SIZES];
} stable_rows[] = {
        { "wsize of 64 KiB", "rw,wsize=65536", false, { 4096, 65536, 0 }, { 4, 4, 0 } },
        { "a small wsize is one WRITE", "rw,wsize=32768", false, { 4096, 32768, 0 }, { 4, 4, 0 } },
        { "a large wsize", "rw,wsize=1048576", false, { 4096, 65536, 0 }, { 4, 4, 0 } },
        { "no whole number of pages", "rw,wsize=33000", false, { 4096, 32768, 0 }, { 4, 4, 0 } },
        { "wsize of a page", "rw,wsize=4096", false, { 4096, 0, 0 }, { 4, 0, 0 } },
        { "wsize unknown", "rw", true, { 4096, 65536, 0 }, { 4, 4, 0 } },
        { "deep", "rw,wsize=65536", true, { 4096, 65536, 262144 }, { 4, 4, 3 } },
        { "deep on a sync mount", "rw,sync,wsize=65536", true, { 4096, 65536, 262144 }, { 4, 4, 3 } },
        { "deep with a large wsize", "rw,wsize=1048576", true, { 4096, 65536, 4194304 }, { 4, 4, 1 } },
        { "deep with a wsize beyond reason", "rw,wsize=4194304", true, { 4096, 65536, 0 }, { 4, 4, 0 } },
};

START_TEST(stable_sizes)
{
        const struct stable_row *row = &stable_rows[_i];
        struct scene s;

        if (!make_scene(&s))
                return;
        set_options(&s, row->options);
        s.request.deep_commit = row->deep;
        run(&s);
        ck_assert_msg(outcome_of(&s, WORKLOAD_COMMIT) == OUTCOME_OK, "%s: outcome", row->name);
        ck_assert_msg(s.result.results[WORKLOAD_COMMIT].verified, "%s: verified", row->name);
        for (size_t i = 0; i < STABLE_SIZES; i++)
                ck_assert_msg(s.result.stable[i].size_bytes == row->sizes[i] &&
                              s.result.stable[i].latency.n == row->n[i],
                              "%s: [%zu] %lu bytes, %u", row->name, i, s.result.stable[i].size_bytes,
                              s.result.stable[i].latency.n);
        end_scene(&s);
}
END_TEST

START_TEST(leftovers_are_swept)
{
        struct ownfile_identity id;
        char name[NAME_MAX + 1], path[NAME_MAX + 80];
        struct scene s;

        if (!make_scene(&s))
                return;
        ck_assert_int_eq(ownfile_identity_self(&id), 0);
        id.boot[0] = id.boot[0] == '0' ? '1' : '0';
        ownfile_name(&id, 0, name);
        snprintf(path, sizeof(path), "%s/%s", s.path, name);
        close(open(path, O_WRONLY | O_CREAT, 0600));
        run(&s);
        ck_assert_uint_eq(s.result.swept_files, 1);
        ck_assert_uint_eq(count_own_files(s.path), 0);
        end_scene(&s);
}
END_TEST

/* ---- budgets --------------------------------------------------------------------------- */

START_TEST(no_time)
{
        struct scene s;

        if (!make_scene(&s))
                return;
        s.request.budget_usec = 1;
        run(&s);
        for (enum workload w = 0; w < WORKLOAD_COUNT; w++) {
                ck_assert_int_eq(outcome_of(&s, w), OUTCOME_TIME_BUDGET);
                ck_assert_uint_eq(s.result.results[w].write.n, 0);
        }
        ck_assert_uint_eq(s.result.written_bytes, 0);
        end_scene(&s);
}
END_TEST

START_TEST(few_bytes)
{
        struct scene s;

        if (!make_scene(&s))
                return;
        s.request.budget_bytes = 100 * KIB;
        run(&s);
        ck_assert_int_eq(outcome_of(&s, WORKLOAD_EDITOR_SAVE), OUTCOME_TIME_BUDGET);
        ck_assert_uint_eq(s.result.results[WORKLOAD_EDITOR_SAVE].write.n, 12);
        ck_assert_uint_le(s.result.written_bytes, 100 * KIB);
        ck_assert_uint_eq(count_own_files(s.path), 0);
        end_scene(&s);
}
END_TEST

START_TEST(a_pending_signal_ends_it)
{
        struct scene s;
        sigset_t set;

        if (!make_scene(&s))
                return;
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigprocmask(SIG_BLOCK, &set, NULL);
        raise(SIGTERM);
        run(&s);
        ck_assert_uint_eq(s.result.written_bytes, 0);
        ck_assert_int_eq(outcome_of(&s, WORKLOAD_EDITOR_SAVE), OUTCOME_TIME_BUDGET);
        signal(SIGTERM, SIG_IGN);
        end_scene(&s);
}
END_TEST

/* ---- what they refuse ----------------------------------------------------------------------- */

enum trick {
        NO_TRICK,
        OTHER_MOUNT_ID,
        OTHER_DEVICE,
        TARGET_GONE,
        TARGET_IS_LINK,
        DIRECTORY_IS_LINK,
        OUR_NAME_IS_LINK,
        OUR_NAME_IS_FILE,
};

static const struct refusal_row {
        const char *name;
        enum trick trick;
        const char *directory;
        const char *user;
        enum outcome outcome;
} refusal_rows[] = {
        { "nothing to refuse", NO_TRICK, NULL, NULL, OUTCOME_OK },
        { "the root by name", NO_TRICK, ".", "auto", OUTCOME_OK },
        { "a directory below", NO_TRICK, "sub", NULL, OUTCOME_OK },
        { "another mount at the path", OTHER_MOUNT_ID, NULL, NULL, OUTCOME_MOUNT_CHANGED },
        { "another file system at the path", OTHER_DEVICE, NULL, NULL, OUTCOME_MOUNT_CHANGED },
        { "nothing at the path", TARGET_GONE, NULL, NULL, OUTCOME_MOUNT_CHANGED },
        { "a symlink at the path", TARGET_IS_LINK, NULL, NULL, OUTCOME_MOUNT_CHANGED },
        { "the directory is a symlink", DIRECTORY_IS_LINK, "link", NULL, OUTCOME_UNSAFE },
        { "a symlink on the way", DIRECTORY_IS_LINK, "link/sub", NULL, OUTCOME_UNSAFE },
        { "out of the mount", NO_TRICK, "..", NULL, OUTCOME_UNSAFE },
        { "an absolute directory", NO_TRICK, "/tmp", NULL, OUTCOME_UNSAFE },
        { "no such directory", NO_TRICK, "none", NULL, OUTCOME_NOT_RUN },
        { "our name is a planted symlink", OUR_NAME_IS_LINK, NULL, NULL, OUTCOME_UNSAFE },
        { "our name is somebody's file", OUR_NAME_IS_FILE, NULL, NULL, OUTCOME_UNSAFE },
};

static void plant_at(struct scene *s, const char *name, bool link)
{
        char path[NAME_MAX + 80];

        snprintf(path, sizeof(path), "%s/%s", s->path, name);
        if (link)
                ck_assert_int_eq(symlink("sub/victim", path), 0);
        else
                ck_assert_int_eq(close(open(path, O_WRONLY | O_CREAT, 0600)), 0);
}

static void plant_our_name(struct scene *s, bool link)
{
        struct ownfile_identity id;
        char name[NAME_MAX + 1];

        ck_assert_int_eq(ownfile_identity_self(&id), 0);
        ownfile_name(&id, 0, name);
        plant_at(s, name, link);
}

static void play(struct scene *s, enum trick trick)
{
        char path[80];

        snprintf(path, sizeof(path), "%s/link", s->path);
        switch (trick) {
        case NO_TRICK:
                break;
        case OTHER_MOUNT_ID:
                s->request.mount.mount_id++;
                break;
        case OTHER_DEVICE:
                s->request.mount.device.minor++;
                break;
        case TARGET_GONE:
                free(s->request.mount.target);
                s->request.mount.target = strdup(path);
                break;
        case TARGET_IS_LINK:
                ck_assert_int_eq(symlink("sub", path), 0);
                point_request_at(s, path);
                break;
        case DIRECTORY_IS_LINK:
                ck_assert_int_eq(symlink(".", path), 0);
                break;
        case OUR_NAME_IS_LINK:
                plant_our_name(s, true);
                break;
        case OUR_NAME_IS_FILE:
                plant_our_name(s, false);
                break;
        }
}

START_TEST(refuses)
{
        const struct refusal_row *row = &refusal_rows[_i];
        bool planted = row->trick == OUR_NAME_IS_LINK || row->trick == OUR_NAME_IS_FILE;
        struct scene s;

        if (!make_scene(&s))
                return;
        play(&s, row->trick);
        s.request.directory = row->directory ? strdup(row->directory) : NULL;
        s.request.user = row->user ? strdup(row->user) : NULL;
        run(&s);
        ck_assert_msg(outcome_of(&s, WORKLOAD_EDITOR_SAVE) == row->outcome, "%s: %d, errno %d", row->name,
                      outcome_of(&s, WORKLOAD_EDITOR_SAVE), s.result.results[0].error);
        if (row->outcome != OUTCOME_OK)
                ck_assert_msg(s.result.written_bytes == 0, "%s: written", row->name);
        ck_assert_msg(count_own_files(s.path) == planted, "%s: files of ours", row->name);
        end_scene(&s);
}
END_TEST

START_TEST(an_unknown_user)
{
        struct scene s;

        if (!make_scene(&s))
                return;
        s.request.user = strdup("no-such-user-of-nfstuned");
        run(&s);
        ck_assert_int_eq(s.result.state, PROBE_SKIPPED);
        ck_assert_ptr_nonnull(s.result.reason);
        ck_assert_uint_eq(s.result.written_bytes, 0);
        end_scene(&s);
}
END_TEST

/* ---- what needs root ---------------------------------------------------------------------------- */

static bool is_root(void)
{
        if (geteuid() != 0)
                printf("SKIP: needs root\n");
        return geteuid() == 0;
}

START_TEST(denied)
{
        struct scene s;

        if (!is_root() || !make_scene(&s))
                return;
        ck_assert_int_eq(chmod(s.path, 0555), 0);
        pid_t child = fork();
        if (child == 0) {
                ck_assert_int_eq(privilege_become(NOBODY, NOBODY), 0);
                ck_assert_int_eq(workload_run(&s.request, &s.result), 0);
                _exit(outcome_of(&s, WORKLOAD_EDITOR_SAVE) == OUTCOME_DENIED && s.result.written_bytes == 0 ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        ck_assert_int_eq(status, 0);
        end_scene(&s);
}
END_TEST

/* Root without its capability over files is what a squashed root is to a server. */
START_TEST(becomes_the_owner)
{
        struct scene s;

        if (!is_root() || !make_scene(&s))
                return;
        ck_assert_int_eq(chown(s.path, NOBODY, NOBODY), 0);
        pid_t child = fork();
        if (child == 0) {
                ck_assert_int_eq(privilege_reduce(), 0);
                ck_assert_int_eq(workload_run(&s.request, &s.result), 0);
                _exit(outcome_of(&s, WORKLOAD_COMMIT) == OUTCOME_OK && geteuid() == NOBODY ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        ck_assert_int_eq(status, 0);
        ck_assert_uint_eq(count_own_files(s.path), 0);
        end_scene(&s);
}
END_TEST

static const struct user_row {
        const char *name;
        const char *user;
        uid_t uid;
} user_rows[] = {
        { "a name", "nobody", NOBODY },
        { "a number with a name", "65534", NOBODY },
        { "a number that only the server knows", "3456789", 3456789 },
        { "root by number", "0", 0 },
};

START_TEST(becomes_the_user_that_is_given)
{
        const struct user_row *row = &user_rows[_i];
        struct scene s;

        if (!is_root() || !make_scene(&s))
                return;
        ck_assert_int_eq(chown(s.path, row->uid, NOBODY), 0);
        pid_t child = fork();
        if (child == 0) {
                s.request.user = strdup(row->user);
                ck_assert_int_eq(privilege_reduce(), 0);
                ck_assert_int_eq(workload_run(&s.request, &s.result), 0);
                _exit(outcome_of(&s, WORKLOAD_COMMIT) == OUTCOME_OK && geteuid() == row->uid ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        ck_assert_msg(status == 0, "%s", row->name);
        end_scene(&s);
}
END_TEST

static bool have_mount_namespace(void)
{
        if (!is_root())
                return false;
        if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
                return true;
        printf("SKIP: no mount namespace: %s\n", strerror(errno));
        return false;
}

static const struct mounted_row {
        const char *name;
        const char *options;            /* of a tmpfs */
        unsigned long flags;
        enum outcome outcome;
        int error;
} mounted_rows[] = {
        { "room enough", "size=8m", 0, OUTCOME_OK, 0 },
        { "full disk", "size=64k", 0, OUTCOME_NO_SPACE, ENOSPC },
        { "no inode left", "size=8m,nr_inodes=1", 0, OUTCOME_NO_SPACE, ENOSPC },
        { "read-only", "size=8m", MS_RDONLY, OUTCOME_READ_ONLY, EROFS },
};

START_TEST(on_a_file_system_of_its_own)
{
        const struct mounted_row *row = &mounted_rows[_i];
        struct scene s;

        if (!have_mount_namespace() || !make_scene(&s))
                return;
        ck_assert_int_eq(mount("tmpfs", s.path, "tmpfs", row->flags, row->options), 0);
        point_request_at(&s, s.path);
        run(&s);
        ck_assert_msg(outcome_of(&s, WORKLOAD_EDITOR_SAVE) == row->outcome, "%s: %d", row->name,
                      outcome_of(&s, WORKLOAD_EDITOR_SAVE));
        ck_assert_msg(s.result.results[WORKLOAD_EDITOR_SAVE].error == row->error, "%s: errno", row->name);
        if (row->outcome != OUTCOME_OK)
                ck_assert_msg(outcome_of(&s, WORKLOAD_COPY) == OUTCOME_NOT_RUN, "%s: goes on", row->name);
        ck_assert_msg(count_own_files(s.path) == 0, "%s: files of ours", row->name);
        ck_assert_int_eq(umount2(s.path, 0), 0);
        end_scene(&s);
}
END_TEST

/* The mount is gone between the look and the probe: the local directory below shows. */
START_TEST(a_vanished_mount)
{
        struct scene s;

        if (!have_mount_namespace() || !make_scene(&s))
                return;
        ck_assert_int_eq(mount("tmpfs", s.path, "tmpfs", 0, "size=8m"), 0);
        point_request_at(&s, s.path);
        ck_assert_int_eq(umount2(s.path, 0), 0);
        run(&s);
        ck_assert_int_eq(outcome_of(&s, WORKLOAD_EDITOR_SAVE), OUTCOME_MOUNT_CHANGED);
        ck_assert_uint_eq(s.result.written_bytes, 0);
        ck_assert_uint_eq(count_own_files(s.path), 0);
        end_scene(&s);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/workload");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 120);
        tcase_add_test(t, all_workloads);
        tcase_add_loop_test(t, stable_sizes, 0, ARRAY_SIZE(stable_rows));
        tcase_add_test(t, leftovers_are_swept);
        tcase_add_test(t, no_time);
        tcase_add_test(t, few_bytes);
        tcase_add_test(t, a_pending_signal_ends_it);
        tcase_add_loop_test(t, refuses, 0, ARRAY_SIZE(refusal_rows));
        tcase_add_test(t, an_unknown_user);
        tcase_add_test(t, denied);
        tcase_add_test(t, becomes_the_owner);
        tcase_add_loop_test(t, becomes_the_user_that_is_given, 0, ARRAY_SIZE(user_rows));
        tcase_add_loop_test(t, on_a_file_system_of_its_own, 0, ARRAY_SIZE(mounted_rows));
        tcase_add_test(t, a_vanished_mount);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
