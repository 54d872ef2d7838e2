/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Order, length and end of a series of pairs. The saves are this file's own, in place of probe/testfile.c. */
#include "probe/pairs.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#define BEFORE 7                        /* descriptors that nobody uses */
#define AFTER 9
#define SAVES_MAX 64

/* What the saves found and shall find; each test is a process of its own. */
static struct {
        unsigned n;
        int dir_fds[SAVES_MAX];
        unsigned numbers[SAVES_MAX];
        unsigned fail_at;               /* counted from 1; 0: never */
        enum outcome outcome;
        int result;
        usec_t usec;                    /* of a save; the after side takes half */
} saves;

int testfile_run(const struct testfile *f, const struct shape *shape, struct budget *budget may_be_unused,
                 struct workload_result *ret)
{
        ck_assert_uint_lt(saves.n, SAVES_MAX);
        ck_assert_uint_eq(shape->piece_bytes, 8 * KIB);
        ck_assert_uint_eq(shape->pieces, 32);
        ck_assert(!shape->stable);
        saves.dir_fds[saves.n] = f->dir_fd;
        saves.numbers[saves.n++] = f->number;
        ret->total_usec = f->dir_fd == BEFORE ? saves.usec : saves.usec / 2;
        ret->outcome = OUTCOME_OK;
        if (saves.n != saves.fail_at)
                return 0;
        ret->outcome = saves.outcome;
        ret->error = saves.outcome == OUTCOME_NO_SPACE ? ENOSPC : 0;
        return saves.result;
}

static struct pairs run(int expected)
{
        const struct ownfile_identity id = { .machine = "m", .boot = "b", .pid = 1, .start_ticks = 1 };
        struct budget budget = { .bytes_left = 64 * MIB, .deadline_usec = USEC_INFINITY };
        struct pairs p = { .n = 99 };

        ck_assert_int_eq(pairs_run(BEFORE, AFTER, &id, &budget, &p), expected);
        return p;
}

START_TEST(in_turn)
{
        saves.usec = 100;
        struct pairs p = run(0);

        ck_assert_uint_eq(p.n, PAIRS_MAX);
        ck_assert_int_eq(p.outcome, OUTCOME_OK);
        ck_assert_uint_eq(saves.n, 2 * (PAIRS_MAX + 1));
        for (unsigned i = 0; i < saves.n; i++) {
                bool before = i % 4 == 0 || i % 4 == 3;

                ck_assert_int_eq(saves.dir_fds[i], before ? BEFORE : AFTER);
                ck_assert_uint_eq(saves.numbers[i], i);
        }
        for (unsigned i = 0; i < p.n; i++) {
                ck_assert_uint_eq(p.before_usec[i], 100);
                ck_assert_uint_eq(p.after_usec[i], 50);
        }
}
END_TEST

START_TEST(no_time_is_zero)
{
        saves.usec = 0;
        struct pairs p = run(0);

        for (unsigned i = 0; i < p.n; i++)
                ck_assert(p.before_usec[i] > 0 && p.after_usec[i] > 0);
}
END_TEST

static const struct end_row {
        const char *name;
        unsigned fail_at;
        enum outcome failure;
        unsigned n;
        enum outcome outcome;
        bool in_after;
} end_rows[] = {
        { "the very first", 1, OUTCOME_NO_SPACE, 0, OUTCOME_NO_SPACE, false },
        { "the second one of the warm-up", 2, OUTCOME_CORRUPT, 0, OUTCOME_CORRUPT, true },
        { "half a pair is none", 4, OUTCOME_TIME_BUDGET, 0, OUTCOME_TIME_BUDGET, false },
        { "out of time too early", 2 + 2 * 5 + 1, OUTCOME_TIME_BUDGET, 5, OUTCOME_TIME_BUDGET, false },
        { "out of time, but enough", 2 + 2 * 6 + 1, OUTCOME_TIME_BUDGET, 6, OUTCOME_OK, true },
        { "no space, however many", 2 + 2 * 8 + 1, OUTCOME_NO_SPACE, 8, OUTCOME_NO_SPACE, true },
        { "wrong bytes at the end", 2 + 2 * PAIRS_MAX, OUTCOME_CORRUPT, PAIRS_MAX - 1, OUTCOME_CORRUPT, true },
};

START_TEST(ends)
{
        const struct end_row *row = &end_rows[_i];

        saves.usec = 100;
        saves.fail_at = row->fail_at;
        saves.outcome = row->failure;
        struct pairs p = run(0);
        ck_assert_msg(saves.n == row->fail_at, "%s: goes on", row->name);
        ck_assert_msg(p.n == row->n, "%s: %u pairs", row->name, p.n);
        ck_assert_msg(p.outcome == row->outcome, "%s: outcome %d", row->name, p.outcome);
        ck_assert_msg(p.in_after == row->in_after, "%s: side", row->name);
        ck_assert_msg(p.error == (row->outcome == OUTCOME_NO_SPACE ? ENOSPC : 0), "%s: errno %d", row->name, p.error);
}
END_TEST

START_TEST(no_memory)
{
        saves.fail_at = 3;
        saves.result = -ENOMEM;
        (void)run(-ENOMEM);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/pairs");
        TCase *t = tcase_create("all");

        tcase_add_test(t, in_turn);
        tcase_add_test(t, no_time_is_zero);
        tcase_add_loop_test(t, ends, 0, ARRAY_SIZE(end_rows));
        tcase_add_test(t, no_memory);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
