/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utab lines of all libmount versions. */
#include <errno.h>

#include "probe/utab.h"
#include "tests/unit/golden.h"

static const struct {
        const char *name, *text;
        const char *source, *target, *attrs;    /* NULL: no entry */
} lines[] = {
        { "2.38", "SRC=h:/x TARGET=/mnt/x ROOT=/ ATTRS=rw,rsize=32768 OPTS=_netdev\n", "h:/x", "/mnt/x",
          "rw,rsize=32768" },
        { "with an id", "ID=12 SRC=h:/x TARGET=/mnt/x ROOT=/ ATTRS=rw\n", "h:/x", "/mnt/x", "rw" },
        { "2.41.5: no blank behind the number", "ID=12 UNIQID=123SRC=h:/x TARGET=/mnt/x ATTRS=rw\n", "h:/x",
          "/mnt/x", "rw" },
        { "escapes", "SRC=h:/my\\040data TARGET=/mnt/my\\040data/ ATTRS=rw,a=\\040\n", "h:/my data",
          "/mnt/my data", "rw,a= " },
        { "another order", "ATTRS=rw TARGET=/mnt/x SRC=h:/x\n", "h:/x", "/mnt/x", "rw" },
        { "bind source is not the source", "BINDSRC=/no SRC=h:/x TARGET=/mnt/x ATTRS=rw\n", "h:/x", "/mnt/x", "rw" },
        { "no newline", "SRC=h:/x TARGET=/mnt/x ATTRS=rw", "h:/x", "/mnt/x", "rw" },
        { "no attributes", "SRC=h:/x TARGET=/mnt/x OPTS=_netdev\n", NULL, NULL, NULL },
        { "no target", "SRC=h:/x ATTRS=rw\n", NULL, NULL, NULL },
        { "garbage", "====\n= = =\nSRC\nSRC=\n\xff=\xfe\n", NULL, NULL, NULL },
        { "empty", "", NULL, NULL, NULL },
};

START_TEST(test_line)
{
        struct utab u = { 0 };

        ck_assert_int_eq(utab_parse(lines[_i].text, strlen(lines[_i].text), &u), 0);
        ck_assert_msg(u.n_entries == (lines[_i].source ? 1 : 0), "%s: %zu", lines[_i].name, u.n_entries);
        if (lines[_i].source)
                ck_assert_msg(strcmp(u.entries[0].source, lines[_i].source) == 0 &&
                                      strcmp(u.entries[0].target, lines[_i].target) == 0 &&
                                      strcmp(u.entries[0].options_text, lines[_i].attrs) == 0,
                              "%s: %s %s %s", lines[_i].name, u.entries[0].source, u.entries[0].target,
                              u.entries[0].options_text);
        utab_done(&u);
}
END_TEST

START_TEST(test_numbers)
{
        static const char text[] = "\nSRC=h:/x TARGET=/x ATTRS=a\n"
                                   "SRC=h:/\0 TARGET=/x ATTRS=b\nSRC=h:/y TARGET=/y ATTRS=c\n";
        struct utab u = { 0 };

        ck_assert_int_eq(utab_parse(text, sizeof(text) - 1, &u), 0);
        ck_assert_uint_eq(u.n_entries, 2);
        ck_assert(u.entries[0].line == 2 && u.entries[1].line == 4);
        ck_assert_str_eq(u.entries[1].text, "SRC=h:/y TARGET=/y ATTRS=c");
        utab_done(&u);
        ck_assert_int_eq(utab_read("/nonexistent", &u), -ENOENT);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/utab");
        TCase *t = tcase_create("all");

        tcase_add_loop_test(t, test_line, 0, ARRAY_SIZE(lines));
        tcase_add_test(t, test_numbers);
        suite_add_tcase(s, t);
        return suite_run(s);
}
