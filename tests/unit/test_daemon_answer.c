/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon/answer.c: does anybody wait for it? */
#include "daemon/answer.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* As the daemon does it: the request, end of file, and then it waits; or it was killed. */
START_TEST(awaited)
{
        int ends[2];

        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        ck_assert_int_eq(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
        ck_assert(answer_is_awaited());
        ck_assert_int_eq(shutdown(ends[0], SHUT_WR), 0);
        ck_assert(answer_is_awaited());
        ck_assert_int_eq(close(ends[0]), 0);
        ck_assert(!answer_is_awaited());
}
END_TEST

/* By hand: a pipe that nobody reads any more, and a file. */
START_TEST(by_hand)
{
        int ends[2];

        ck_assert_int_eq(pipe(ends), 0);
        ck_assert_int_eq(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
        ck_assert(answer_is_awaited());
        ck_assert_int_eq(close(ends[0]), 0);
        ck_assert(!answer_is_awaited());
        ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout));
        ck_assert(answer_is_awaited());
}
END_TEST

int main(void)
{
        Suite *s = suite_create("answer");
        TCase *c = tcase_create("answer");
        SRunner *r = srunner_create(s);
        int failed;

        tcase_add_test(c, awaited);
        tcase_add_test(c, by_hand);
        suite_add_tcase(s, c);
        srunner_run_all(r, CK_ENV);
        failed = srunner_ntests_failed(r);
        srunner_free(r);
        return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
