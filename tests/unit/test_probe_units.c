/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mount units: syntax, overriding, drop-ins, masks and links. */
#include <errno.h>

#include "probe/units.h"
#include "tests/unit/golden.h"
#include "tests/unit/tree.h"

static const struct {
        const char *name, *text;
        const char *where, *what, *type, *options;      /* NULL: not said */
        unsigned line;
} files[] = {
        { "plain", "[Unit]\nDescription=x\n[Mount]\nWhat=h:/x\nWhere=/srv/x\nType=nfs\nOptions=rsize=8192,hard\n",
          "/srv/x", "h:/x", "nfs", "rsize=8192,hard", 7 },
        { "no options: the line of Where=", "[Mount]\nWhat=h:/x\nWhere=/srv/x\n", "/srv/x", "h:/x", NULL, NULL, 3 },
        { "the last one counts", "[Mount]\nWhere=/x\nOptions=a\nOptions=b\n", "/x", NULL, NULL, "b", 4 },
        { "an empty one resets", "[Mount]\nWhere=/x\nOptions=a\nOptions=\n", "/x", NULL, NULL, NULL, 3 },
        { "blanks", "[Mount]\n  Where =  /x/ \n\tOptions\t= a,b \n", "/x", NULL, NULL, "a,b", 3 },
        { "comments", "# c\n; c\n[Mount]\nWhere=/x\n#Options=a\n  ;Options=b\n", "/x", NULL, NULL, NULL, 4 },
        { "continued: the first line counts, a comment within is skipped",
          "[Mount]\nWhere=/x\nOptions=a,\\\n# c\n  b\nWhat=h:/x\n", "/x", "h:/x", NULL, "a, b", 3 },
        { "continued to the end", "[Mount]\nWhere=/x\nOptions=a\\", "/x", NULL, NULL, "a", 3 },
        { "percent", "[Mount]\nWhat=[fe80::1%%eth0]:/x\nWhere=/x%%y\nOptions=a=%%\n", "/x%y", "[fe80::1%eth0]:/x",
          NULL, "a=%", 4 },
        { "other sections do not count", "[Install]\nWhere=/no\n[Mount]\nWhere=/x\n[X-Y]\nOptions=no\n", "/x", NULL,
          NULL, NULL, 4 },
        { "keys before a section do not count", "Where=/x\n", NULL, NULL, NULL, NULL, 0 },
        { "keys are case sensitive", "[Mount]\nwhere=/x\n", NULL, NULL, NULL, NULL, 0 },
        { "carriage returns", "[Mount]\r\nWhere=/x\r\nOptions=a\r\n", "/x", NULL, NULL, "a", 3 },
        { "garbage", "[Mount\n=\n[]\n====\n[Mount]\nWhere\n=x\nWhere==/x\n", "=/x", NULL, NULL, NULL, 8 },
        { "empty", "", NULL, NULL, NULL, NULL, 0 },
};

static bool same(const char *a, const char *b)
{
        return a && b ? strcmp(a, b) == 0 : a == b;
}

START_TEST(test_file)
{
        struct unit u = { 0 };

        ck_assert_int_eq(unit_apply(&u, files[_i].text, strlen(files[_i].text), "f"), 0);
        ck_assert_msg(same(u.where, files[_i].where), "%s: where %s", files[_i].name, u.where);
        ck_assert_msg(same(u.what, files[_i].what), "%s: what %s", files[_i].name, u.what);
        ck_assert_msg(same(u.type, files[_i].type), "%s: type %s", files[_i].name, u.type);
        ck_assert_msg(same(u.options_text, files[_i].options), "%s: options %s", files[_i].name, u.options_text);
        ck_assert_msg(u.line == files[_i].line, "%s: line %u", files[_i].name, u.line);
        unit_done(&u);
}
END_TEST

/* ---- directories ------------------------------------------------------------------ */

static const char *dirs[4];

static void dirs_setup(void)
{
        tree_setup();
        dirs[0] = tree_path("etc");
        dirs[1] = tree_path("generator");
        dirs[2] = tree_path("usr");
}

static struct units read_units(char **ret_problems)
{
        struct units u = { 0 };
        struct text problems = { 0 };

        ck_assert_int_eq(units_read(dirs, &u, &problems), 0);
        cleanup_free char *words = text_take(&problems);
        if (ret_problems)
                *ret_problems = TAKE(words);
        else
                ck_assert_str_eq(words, "");
        return u;
}

#define UNIT(where, options) "[Mount]\nWhat=h:/x\nWhere=" where "\nType=nfs\nOptions=" options "\n"

START_TEST(test_no_directories)
{
        struct units u = read_units(NULL);

        ck_assert_uint_eq(u.n_units, 0);
        units_done(&u);
}
END_TEST

START_TEST(test_strongest_wins)
{
        tree_write("usr/x.mount", UNIT("/x", "weak"));
        tree_write("etc/x.mount", UNIT("/x", "strong"));
        tree_write("usr/y.mount", UNIT("/y", "only"));
        tree_write("usr/other.mount", "[Mount]\nWhere=/o\nType=ext4\n");
        tree_write("usr/x.service", UNIT("/s", "no unit of ours"));
        struct units u = read_units(NULL);
        ck_assert_uint_eq(u.n_units, 2);
        ck_assert_str_eq(u.units[0].options_text, "strong");
        ck_assert_str_eq(u.units[0].file, tree_path("etc/x.mount"));
        ck_assert_uint_eq(u.units[0].dir_index, 0);
        ck_assert_str_eq(u.units[1].options_text, "only");
        ck_assert(!u.units[0].dropin);
        units_done(&u);
}
END_TEST

START_TEST(test_dropins)
{
        tree_write("generator/x.mount", "[Unit]\nSourcePath=/etc/fstab\n" UNIT("/x", "base"));
        tree_write("usr/x.mount.d/10-a.conf", "[Mount]\nOptions=weak\n");
        tree_write("etc/x.mount.d/10-a.conf", "# hides the one of its name\n");
        tree_write("usr/x.mount.d/20-b.conf", "[Mount]\n\nOptions=dropin\n");
        tree_write("etc/x.mount.d/30-c.txt", "[Mount]\nOptions=no drop-in\n");
        struct units u = read_units(NULL);
        ck_assert_uint_eq(u.n_units, 1);
        ck_assert_str_eq(u.units[0].options_text, "dropin");
        ck_assert_str_eq(u.units[0].file, tree_path("usr/x.mount.d/20-b.conf"));
        ck_assert_uint_eq(u.units[0].line, 3);
        ck_assert(u.units[0].dropin);
        ck_assert_str_eq(u.units[0].source_path, "/etc/fstab");
        units_done(&u);
}
END_TEST

START_TEST(test_links)
{
        cleanup_free char *problems = NULL;

        tree_write("usr/masked.mount", UNIT("/masked", "no"));
        tree_link("etc/masked.mount", "/dev/null");
        tree_write("usr/x.mount", UNIT("/x", "linked"));
        tree_link("etc/alias.mount", tree_path("usr/x.mount"));
        tree_link("etc/beside.mount", "alias2.mount");
        tree_write("etc/alias2.mount", UNIT("/beside", "beside"));
        tree_write("elsewhere/y.mount", UNIT("/y", "elsewhere"));
        tree_link("etc/y.mount", tree_path("elsewhere/y.mount"));
        struct units u = read_units(&problems);
        ck_assert_uint_eq(u.n_units, 4);        /* alias, alias2, beside, x */
        for (size_t i = 0; i < u.n_units; i++)
                ck_assert_str_ne(u.units[i].where, "/masked");
        ck_assert_str_eq(u.units[0].options_text, "linked");
        ck_assert_ptr_nonnull(strstr(problems, "y.mount"));
        units_done(&u);
}
END_TEST

START_TEST(test_too_long)
{
        cleanup_free char *problems = NULL;
        struct text t = { 0 };

        text_add(&t, "%s", UNIT("/x", "a"));
        for (unsigned i = 0; i < 40000; i++)
                text_add(&t, "# a comment that is long enough\n");
        cleanup_free char *text = text_take(&t);
        tree_write("etc/x.mount", text);
        tree_write("etc/y.mount", UNIT("/y", "b"));
        struct units u = read_units(&problems);
        ck_assert_uint_eq(u.n_units, 1);
        ck_assert_ptr_nonnull(strstr(problems, "x.mount"));
        units_done(&u);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/units");
        TCase *t = tcase_create("text"), *d = tcase_create("directories");

        tcase_add_loop_test(t, test_file, 0, ARRAY_SIZE(files));
        suite_add_tcase(s, t);
        tcase_add_checked_fixture(d, dirs_setup, tree_teardown);
        tcase_add_test(d, test_no_directories);
        tcase_add_test(d, test_strongest_wins);
        tcase_add_test(d, test_dropins);
        tcase_add_test(d, test_links);
        tcase_add_test(d, test_too_long);
        suite_add_tcase(s, d);
        return suite_run(s);
}
