/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs against small shell children and sockets of our own: how each end is reported, and that nothing is waited for. */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/pool.h"

/* No test needs this long; it ends one that hangs. */
#define PATIENCE_USEC (20 * USEC_PER_SEC)

struct outcome_seen {
        unsigned calls;
        enum job_end end;
        char *answer;
        size_t n;
        char *words;
};

static sd_event *event;
static struct pool *pool;

static void setup(void)
{
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGCHLD);
        sigaddset(&set, SIGTERM);
        ck_assert_int_eq(sigprocmask(SIG_BLOCK, &set, NULL), 0);
        ck_assert_int_ge(sd_event_new(&event), 0);
        ck_assert_int_eq(pool_new(event, &pool), 0);
}

static void teardown(void)
{
        pool_free(pool);
        event = sd_event_unref(event);
}

static void seen_done(struct outcome_seen *s)
{
        free(s->answer);
        free(s->words);
}

static usec_t now_usec(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (usec_t) t.tv_sec * USEC_PER_SEC + (usec_t) t.tv_nsec / 1000;
}

static void on_done(void *userdata, enum job_end end, const char *answer, size_t n, const char *words)
{
        struct outcome_seen *s = userdata;

        ck_assert_uint_eq(s->calls++, 0);
        ck_assert_int_eq(answer[n], '\0');
        s->end = end;
        s->answer = malloc(n + 1);
        ck_assert_ptr_nonnull(s->answer);
        memcpy(s->answer, answer, n + 1);
        s->n = n;
        s->words = words ? strdup(words) : NULL;
}

static void run_until_done(const struct outcome_seen *s)
{
        usec_t start = now_usec();

        while (s->calls == 0 && now_usec() - start < PATIENCE_USEC)
                ck_assert_int_ge(sd_event_run(event, 100 * USEC_PER_MSEC), 0);
        ck_assert_uint_eq(s->calls, 1);
}

static void run_until_free(uint64_t key)
{
        usec_t start = now_usec();

        while (pool_is_busy(pool, key) && now_usec() - start < PATIENCE_USEC)
                ck_assert_int_ge(sd_event_run(event, 100 * USEC_PER_MSEC), 0);
        ck_assert(!pool_is_busy(pool, key));
}

static int start_shell(uint64_t key, const char *script, const char *request, usec_t deadline_usec,
                       struct outcome_seen *s)
{
        const char *const argv[] = { "/bin/sh", "-c", script, NULL };
        const struct job job = { .key = key, .argv = argv, .request = request, .deadline_usec = deadline_usec,
                                 .done = on_done, .userdata = s };

        return pool_start(pool, &job);
}

static const struct child_row {
        const char *name;
        const char *script;
        size_t request_bytes;
        usec_t deadline_usec;
        enum job_end end;
        const char *answer;             /* NULL: not compared */
        size_t least_bytes;
} child_rows[] = {
        { "request comes back", "cat", 7, PATIENCE_USEC, JOB_ANSWERED, "xxxxxxx", 7 },
        { "empty request, empty answer", "cat", 0, PATIENCE_USEC, JOB_ANSWERED, "", 0 },
        { "request beyond the socket's buffer", "cat | wc -c", 900000, PATIENCE_USEC, JOB_ANSWERED, "900000\n", 0 },
        { "request is not read", "exit 0", 900000, PATIENCE_USEC, JOB_ANSWERED, "", 0 },
        { "request and answer both long", "cat", 900000, PATIENCE_USEC, JOB_ANSWERED, NULL, 900000 },
        { "exit status", "echo half; exit 1", 3, PATIENCE_USEC, JOB_FAILED, "half\n", 0 },
        { "killed by somebody", "echo half; kill -9 $$", 3, PATIENCE_USEC, JOB_FAILED, "half\n", 0 },
        { "closes its answer early and fails later", "exec >&- <&-; sleep 0.2; exit 3", 0, PATIENCE_USEC, JOB_FAILED,
          "", 0 },
        { "a grandchild keeps the answer's end open", "sleep 2 & echo mine", 0, PATIENCE_USEC, JOB_ANSWERED, "mine\n", 0 },
        { "deadline keeps what came", "echo early; exec sleep 60", 3, 300 * USEC_PER_MSEC, JOB_DEADLINE, "early\n", 0 },
        { "deadline of one that ignores SIGTERM", "trap '' TERM; echo early; while :; do read x; done", 3,
          300 * USEC_PER_MSEC, JOB_DEADLINE, "early\n", 0 },
        { "deadline after end of file", "exec >&- <&-; exec sleep 60", 0, 300 * USEC_PER_MSEC, JOB_DEADLINE, "", 0 },
        { "answer too long", "exec cat /dev/zero", 0, PATIENCE_USEC, JOB_FAILED, NULL, POOL_ANSWER_MAX + 1 },
        { "blocked signals are not inherited", "kill -TERM $$; echo alive", 0, PATIENCE_USEC, JOB_FAILED, "", 0 },
};

START_TEST(a_child_is_reported_once_and_reaped)
{
        const struct child_row *row = &child_rows[_i];
        struct outcome_seen seen = { 0 };
        char *request = calloc(1, row->request_bytes + 1);

        ck_assert_ptr_nonnull(request);
        memset(request, 'x', row->request_bytes);
        ck_assert_msg(start_shell(1, row->script, request, row->deadline_usec, &seen) == 0, "%s", row->name);
        free(request);
        ck_assert_msg(seen.calls == 0, "%s: reported from pool_start()", row->name);
        run_until_done(&seen);
        ck_assert_msg(seen.end == row->end, "%s: end %d (%s)", row->name, (int) seen.end, seen.words);
        ck_assert_msg(!row->answer || strcmp(seen.answer, row->answer) == 0, "%s: \"%s\"", row->name, seen.answer);
        ck_assert_msg(seen.n >= row->least_bytes, "%s: %zu bytes", row->name, seen.n);
        ck_assert_msg(seen.end == JOB_ANSWERED || seen.words, "%s: no words", row->name);
        run_until_free(1);
        ck_assert_msg(pool_count_running(pool) == 0 && pool_count_stuck(pool) == 0, "%s: still counted", row->name);
        ck_assert_msg(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "%s: a child is left", row->name);
        seen_done(&seen);
}
END_TEST

START_TEST(a_program_that_is_not_there_fails_at_once)
{
        static const char *const argv[] = { "/nonexistent/nfstuned-probe", NULL };
        struct outcome_seen seen = { 0 };
        const struct job job = { .key = 1, .argv = argv, .deadline_usec = PATIENCE_USEC, .done = on_done,
                                 .userdata = &seen };

        ck_assert_int_eq(pool_start(pool, &job), -ENOENT);
        ck_assert(!pool_is_busy(pool, 1));
        ck_assert_uint_eq(pool_count_running(pool), 0);
        ck_assert_uint_eq(seen.calls, 0);
}
END_TEST

START_TEST(a_key_is_busy_until_its_child_is_dead)
{
        struct outcome_seen first = { 0 }, second = { 0 }, other = { 0 };

        ck_assert_int_eq(start_shell(1, "exec sleep 60", "", 200 * USEC_PER_MSEC, &first), 0);
        ck_assert_int_eq(start_shell(1, "echo no", "", PATIENCE_USEC, &second), -EBUSY);
        ck_assert_int_eq(start_shell(2, "echo yes", "", PATIENCE_USEC, &other), 0);
        ck_assert_uint_eq(pool_count_running(pool), 2);
        run_until_done(&other);
        ck_assert_str_eq(other.answer, "yes\n");
        run_until_done(&first);
        run_until_free(1);
        ck_assert_int_eq(start_shell(1, "echo again", "", PATIENCE_USEC, &second), 0);
        run_until_done(&second);
        ck_assert_str_eq(second.answer, "again\n");
        seen_done(&first);
        seen_done(&second);
        seen_done(&other);
}
END_TEST

/* The loop does not turn between the kill and the assertions: as if the child did not die. */
START_TEST(a_killed_child_counts_as_stuck_until_it_is_reaped)
{
        struct outcome_seen seen = { 0 };

        ck_assert_int_eq(start_shell(1, "exec sleep 60", "", 100 * USEC_PER_MSEC, &seen), 0);
        ck_assert(!pool_is_stuck(pool, 1));
        run_until_done(&seen);
        ck_assert_int_eq(seen.end, JOB_DEADLINE);
        ck_assert(pool_is_stuck(pool, 1));
        ck_assert_uint_eq(pool_count_stuck(pool), 1);
        ck_assert_uint_eq(pool_count_running(pool), 0);
        run_until_free(1);
        ck_assert(!pool_is_stuck(pool, 1));
        ck_assert_uint_eq(pool_count_stuck(pool), 0);
        seen_done(&seen);
}
END_TEST

START_TEST(free_waits_for_nothing_and_reports_every_job)
{
        struct outcome_seen seen[3] = { { 0 } };
        usec_t start;

        for (uint64_t i = 0; i < 3; i++)
                ck_assert_int_eq(start_shell(i, "trap '' TERM; exec sleep 60", "", PATIENCE_USEC, &seen[i]), 0);
        start = now_usec();
        pool_free(pool);
        pool = NULL;
        ck_assert_uint_lt(now_usec() - start, USEC_PER_SEC);
        for (size_t i = 0; i < 3; i++) {
                ck_assert_uint_eq(seen[i].calls, 1);
                ck_assert_int_eq(seen[i].end, JOB_FAILED);
                seen_done(&seen[i]);
                /* killed: else the alarm of the test's own timeout ends this */
                ck_assert_int_gt(waitpid(-1, NULL, 0), 0);
        }
}
END_TEST

START_TEST(a_child_that_is_asked_to_end_still_answers)
{
        struct outcome_seen seen[2] = { { 0 } };
        char marker[] = "/tmp/nfstuned-pool.XXXXXX", script[256];
        int fd = mkstemp(marker);

        ck_assert_int_ge(fd, 0);
        close(fd);
        snprintf(script, sizeof(script),
                 "trap 'echo tidied up; exit 0' TERM; rm %s; while :; do sleep 0.05; done", marker);
        ck_assert_int_eq(start_shell(1, script, "", PATIENCE_USEC, &seen[0]), 0);
        while (access(marker, F_OK) == 0)
                ck_assert_int_ge(sd_event_run(event, 10 * USEC_PER_MSEC), 0);
        pool_ask_to_end(pool);
        ck_assert_int_eq(start_shell(2, "echo too late", "", PATIENCE_USEC, &seen[1]), -ESHUTDOWN);
        run_until_done(&seen[0]);
        ck_assert_int_eq(seen[0].end, JOB_ANSWERED);
        ck_assert_str_eq(seen[0].answer, "tidied up\n");
        ck_assert_uint_eq(seen[1].calls, 0);
        seen_done(&seen[0]);
}
END_TEST

/* The loop stands still meanwhile: everything is due at once. */
START_TEST(a_late_loop_makes_no_child_stuck)
{
        struct outcome_seen seen = { 0 };

        ck_assert_int_eq(start_shell(1, "echo in time", "", 300 * USEC_PER_MSEC, &seen), 0);
        usleep(600000);
        run_until_done(&seen);
        ck_assert_int_eq(seen.end, JOB_ANSWERED);
        ck_assert_str_eq(seen.answer, "in time\n");
        ck_assert_uint_eq(pool_count_stuck(pool), 0);
        seen_done(&seen);
}
END_TEST

static void start_next(void *userdata, enum job_end end, const char *answer, size_t n, const char *words)
{
        struct outcome_seen *s = userdata;

        ck_assert_int_eq(end, JOB_ANSWERED);
        ck_assert_str_eq(answer, "one\n");
        ck_assert_uint_eq(n, 4);
        ck_assert_ptr_null(words);
        ck_assert_int_eq(start_shell(1, "echo two", "", PATIENCE_USEC, s), 0);
}

START_TEST(the_next_job_of_a_key_may_start_from_its_report)
{
        static const char *const argv[] = { "/bin/echo", "one", NULL };
        struct outcome_seen seen = { 0 };
        const struct job job = { .key = 1, .argv = argv, .deadline_usec = PATIENCE_USEC, .done = start_next,
                                 .userdata = &seen };

        ck_assert_int_eq(pool_start(pool, &job), 0);
        run_until_done(&seen);
        ck_assert_str_eq(seen.answer, "two\n");
        seen_done(&seen);
}
END_TEST

/* ---- units ---------------------------------------------------------------------- */

static int listen_at(const char *path, int backlog)
{
        struct sockaddr_un a = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        ck_assert_int_ge(fd, 0);
        ck_assert_uint_lt(strlen(path), sizeof(a.sun_path));
        memcpy(a.sun_path, path, strlen(path) + 1);
        ck_assert_int_eq(bind(fd, (const struct sockaddr *) &a, sizeof(a)), 0);
        ck_assert_int_eq(listen(fd, backlog), 0);
        return fd;
}

static void make_socket_path(char path[static 64], char directory[static 64])
{
        strcpy(directory, "/tmp/nfstuned-pool-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(directory));
        snprintf(path, 64, "%s/sock", directory);
}

static int start_unit(uint64_t key, const char *path, usec_t deadline_usec, struct outcome_seen *s)
{
        const struct job job = { .key = key, .socket_path = path, .request = "ping\n", .deadline_usec = deadline_usec,
                                 .done = on_done, .userdata = s };

        return pool_start(pool, &job);
}

static const struct unit_row {
        const char *name;
        const char *says;               /* NULL: accepts and says nothing until it is killed */
        enum job_end end;
} unit_rows[] = {
        { "answers when the request is complete", "pong\n", JOB_ANSWERED },
        { "closes without an answer", "", JOB_FAILED },
        { "never answers", NULL, JOB_DEADLINE },
};

static void serve(int fd, const char *says)
{
        int client = accept(fd, NULL, NULL);
        char byte;

        while (read(client, &byte, 1) == 1)
                ;
        if (!says)
                pause();
        if (write(client, says, strlen(says)) < 0)
                _exit(1);
        _exit(0);
}

START_TEST(a_unit_answers_fails_or_is_late)
{
        const struct unit_row *row = &unit_rows[_i];
        struct outcome_seen seen = { 0 };
        char path[64], directory[64];
        pid_t server;
        int fd;

        make_socket_path(path, directory);
        fd = listen_at(path, 5);
        server = fork();
        ck_assert_int_ge(server, 0);
        if (server == 0) {
                sigset_t none;

                sigemptyset(&none);
                sigprocmask(SIG_SETMASK, &none, NULL);
                serve(fd, row->says);
        }
        ck_assert_int_eq(start_unit(1, path, row->says ? PATIENCE_USEC : 200 * USEC_PER_MSEC, &seen), 0);
        ck_assert_uint_eq(seen.calls, 0);
        run_until_done(&seen);
        ck_assert_msg(seen.end == row->end, "%s: %d (%s)", row->name, (int) seen.end, seen.words);
        ck_assert_msg(strcmp(seen.answer, row->says ? row->says : "") == 0, "%s: %s", row->name, seen.answer);
        ck_assert_msg(!pool_is_busy(pool, 1), "%s: a unit's job leaves nothing behind", row->name);
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
        close(fd);
        unlink(path);
        rmdir(directory);
        seen_done(&seen);
}
END_TEST

START_TEST(a_unit_that_is_not_there_fails_at_once)
{
        struct outcome_seen seen = { 0 };
        char name[300];

        memset(name, 'a', sizeof(name) - 1);
        name[sizeof(name) - 1] = '\0';
        ck_assert_int_eq(start_unit(1, "/nonexistent/socket", PATIENCE_USEC, &seen), -ENOENT);
        ck_assert_int_eq(start_unit(1, name, PATIENCE_USEC, &seen), -ENAMETOOLONG);
        ck_assert(!pool_is_busy(pool, 1));
}
END_TEST

START_TEST(without_a_free_descriptor_a_job_waits_for_others)
{
        struct outcome_seen first = { 0 }, second = { 0 };
        struct rlimit limit, none;

        ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
        none = limit;
        none.rlim_cur = 3;
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
        ck_assert_int_eq(start_shell(1, "echo one", "", PATIENCE_USEC, &first), -EMFILE);
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
        ck_assert_int_eq(start_shell(1, "echo one", "", PATIENCE_USEC, &first), 0);
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
        ck_assert_int_eq(start_shell(2, "echo two", "", PATIENCE_USEC, &second), -EAGAIN);
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
        run_until_done(&first);
        ck_assert_int_eq(first.end, JOB_ANSWERED);
        ck_assert(!pool_is_busy(pool, 2));
        seen_done(&first);
}
END_TEST

START_TEST(one_job_too_many_is_refused)
{
        static struct outcome_seen seen[POOL_JOBS_MAX + 1];
        char path[64], directory[64];
        int fd;

        make_socket_path(path, directory);
        fd = listen_at(path, POOL_JOBS_MAX + 10);
        for (uint64_t i = 0; i < POOL_JOBS_MAX; i++)
                ck_assert_int_eq(start_unit(i, path, PATIENCE_USEC, &seen[i]), 0);
        ck_assert_uint_eq(pool_count_running(pool), POOL_JOBS_MAX);
        ck_assert_int_eq(start_unit(POOL_JOBS_MAX, path, PATIENCE_USEC, &seen[POOL_JOBS_MAX]), -EAGAIN);
        pool_free(pool);
        pool = NULL;
        for (size_t i = 0; i < POOL_JOBS_MAX; i++) {
                ck_assert_uint_eq(seen[i].calls, 1);
                seen_done(&seen[i]);
        }
        ck_assert_uint_eq(seen[POOL_JOBS_MAX].calls, 0);
        close(fd);
        unlink(path);
        rmdir(directory);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("daemon/pool");
        TCase *c = tcase_create("jobs");
        SRunner *runner;
        int failed;

        tcase_add_checked_fixture(c, setup, teardown);
        tcase_set_timeout(c, 30);
        tcase_add_loop_test(c, a_child_is_reported_once_and_reaped, 0, (int) ARRAY_SIZE(child_rows));
        tcase_add_test(c, a_program_that_is_not_there_fails_at_once);
        tcase_add_test(c, a_key_is_busy_until_its_child_is_dead);
        tcase_add_test(c, a_killed_child_counts_as_stuck_until_it_is_reaped);
        tcase_add_test(c, free_waits_for_nothing_and_reports_every_job);
        tcase_add_test(c, a_child_that_is_asked_to_end_still_answers);
        tcase_add_test(c, a_late_loop_makes_no_child_stuck);
        tcase_add_test(c, the_next_job_of_a_key_may_start_from_its_report);
        tcase_add_loop_test(c, a_unit_answers_fails_or_is_late, 0, (int) ARRAY_SIZE(unit_rows));
        tcase_add_test(c, a_unit_that_is_not_there_fails_at_once);
        tcase_add_test(c, without_a_free_descriptor_a_job_waits_for_others);
        tcase_add_test(c, one_job_too_many_is_refused);
        suite_add_tcase(suite, c);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
