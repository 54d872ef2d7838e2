/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of parsers share: recorded files, and tables of what is in them. */
#pragma once

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "policy/text.h"
#include "probe/file.h"

static inline void data_read(const char *name, char **ret, size_t *ret_length)
{
        cleanup_free char *path = path_join(TEST_DATA, name);

        ck_assert_ptr_nonnull(path);
        int r = file_read(path, 16 * MIB, ret, ret_length);
        ck_assert_msg(r == 0, "%s: %s", path, strerror(-r));
}

/* Adds the rows of one recorded file to @rows, one line each. */
typedef void golden_fn(const char *path, const char *name, struct text *rows);

static inline void golden_compare(const char *table, const char *expected, const char *actual)
{
        for (unsigned line = 2; *expected || *actual; line++) {
                size_t want = strcspn(expected, "\n"), got = strcspn(actual, "\n");

                ck_assert_msg(want == got && memcmp(expected, actual, want) == 0, "%s:%u:\nwant: %.*s\ngot:  %.*s",
                              table, line, (int)want, expected, (int)got, actual);
                expected += want + (expected[want] == '\n');
                actual += got + (actual[got] == '\n');
        }
}

/* The rows of all files in the directories, in the order of their names, are
 * those of the table (below its heading). The tables were made by a script that
 * shares no code with the parsers. */
static inline void golden_check(const char *table, const char *const *dirs, golden_fn *fn)
{
        struct text rows = { 0 };
        cleanup_free char *expected = NULL;
        size_t length;

        data_read(table, &expected, &length);
        for (; *dirs; dirs++) {
                cleanup_free char *dir = path_join(TEST_DATA, *dirs);
                char **names;
                size_t n;

                ck_assert_int_eq(dir_list(dir, "", 1000, strcmp, &names, &n), 0);
                ck_assert_uint_gt(n, 0);
                for (size_t i = 0; i < n; i++) {
                        cleanup_free char *path = path_join(dir, names[i]);
                        fn(path, names[i], &rows);
                }
                names_free(names, n);
        }
        cleanup_free char *actual = text_take(&rows);
        golden_compare(table, strchr(expected, '\n') + 1, actual);
}

static inline const char *yes_no(bool b)
{
        return b ? "yes" : "no";
}

/* Runs one suite of one case; returns the exit status for main(). */
static inline int suite_run(Suite *s)
{
        SRunner *runner = srunner_create(s);

        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
