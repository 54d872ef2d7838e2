/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children that answer, that fail, that die and that hang. */
#include "probe/child.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "probe/clock.h"

struct shared {
        pid_t pid;
        unsigned steps;
};

static int answers(void *shared)
{
        struct shared *s = shared;

        s->pid = getpid();
        s->steps++;
        return 0;
}

static int fails(void *shared)
{
        (void)answers(shared);
        return -ENOSPC;
}

static int dies(void *shared)
{
        (void)answers(shared);
        _exit(0);
}

static int hangs(void *shared)
{
        (void)answers(shared);
        (void)sleep(3600);
        return 0;
}

/* An end that was asked for is seen by the work, not by the process. */
static int is_asked_to_end(void *shared)
{
        sigset_t pending;

        (void)answers(shared);
        raise(SIGTERM);
        sigpending(&pending);
        return sigismember(&pending, SIGTERM) ? -ECANCELED : 0;
}

/* The alarm is the child's own end, whatever the caller blocks. */
static int is_alarmed(void *shared)
{
        (void)answers(shared);
        raise(SIGALRM);
        return 0;
}

static const struct work_row {
        const char *name;
        int (*work)(void *shared);
        int result;
} work_rows[] = {
        { "answers", answers, 0 },
        { "fails", fails, -ENOSPC },
        { "dies", dies, -ECHILD },
        { "hangs", hangs, -ETIMEDOUT },
        { "is asked to end", is_asked_to_end, -ECANCELED },
        { "is alarmed", is_alarmed, -ECHILD },
};

START_TEST(works)
{
        const struct work_row *row = &work_rows[_i];
        struct shared *s = child_memory_new(sizeof(*s));
        const usec_t start = clock_monotonic_usec();
        sigset_t set;

        ck_assert_ptr_nonnull(s);
        sigemptyset(&set);
        sigaddset(&set, SIGALRM);
        sigprocmask(SIG_BLOCK, &set, NULL);
        int r = child_run(row->work, s, start + (row->work == hangs ? 200 * USEC_PER_MSEC : USEC_PER_MINUTE));
        ck_assert_msg(r == row->result, "%s: %d", row->name, r);
        ck_assert_msg(s->steps == 1, "%s: steps", row->name);
        ck_assert_msg(clock_monotonic_usec() - start < 30 * USEC_PER_SEC, "%s: late", row->name);
        ck_assert_msg(kill(s->pid, 0) < 0 && errno == ESRCH, "%s: it is still there", row->name);
        child_memory_free(s, sizeof(*s));
}
END_TEST

START_TEST(without_time)
{
        struct shared *s = child_memory_new(sizeof(*s));

        ck_assert_int_eq(child_run(hangs, s, 0), -ETIMEDOUT);
        child_memory_free(s, sizeof(*s));
        child_memory_free(NULL, 0);
}
END_TEST

struct held {
        int kept, let_go;
        bool ok;
};

static int looks_at_descriptors(void *shared)
{
        struct held *h = shared;

        h->ok = fcntl(h->kept, F_GETFD) >= 0 && fcntl(h->let_go, F_GETFD) < 0 && fcntl(STDIN_FILENO, F_GETFD) < 0;
        return 0;
}

/* Lower and higher than that of the result. */
START_TEST(alone)
{
        struct held *h = child_memory_new(sizeof(*h));
        int a = open("/dev/null", O_RDONLY), b = fcntl(a, F_DUPFD, 200);

        ck_assert_ptr_nonnull(h);
        for (unsigned i = 0; i < 2; i++) {
                h->kept = i ? a : b;
                h->let_go = i ? b : a;
                h->ok = false;
                ck_assert_int_eq(child_run_alone(looks_at_descriptors, h, h->kept,
                                                 clock_monotonic_usec() + USEC_PER_MINUTE), 0);
                ck_assert(h->ok);
        }
        close(a);
        close(b);
        child_memory_free(h, sizeof(*h));
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/child");
        TCase *t = tcase_create("all");

        tcase_add_loop_test(t, works, 0, ARRAY_SIZE(work_rows));
        tcase_add_test(t, without_time);
        tcase_add_test(t, alone);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
