/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files with a cap, directory lists, links, numbers, lines and escapes. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/lines.h"
#include "tests/unit/golden.h"
#include "tests/unit/tree.h"

static void file_make(const char *name, size_t size)
{
        FILE *f = fopen(tree_path(name), "w");

        ck_assert_ptr_nonnull(f);
        for (size_t i = 0; i < size; i++)
                fputc('a' + (int)(i % 26), f);
        ck_assert_int_eq(fclose(f), 0);
}

static const struct {
        const char *name;
        size_t size, cap;
        int result;
} caps[] = {
        { "empty file", 0, 10, 0 },
        { "nothing allowed, nothing there", 0, 0, 0 },
        { "below the cap", 9, 10, 0 },
        { "exactly the cap", 10, 10, 0 },
        { "one more than the cap", 11, 10, -EFBIG },
        { "first buffer exactly", 4096, 100000, 0 },
        { "first buffer less the NUL", 4095, 100000, 0 },
        { "several buffers", 50000, 50000, 0 },
        { "several buffers, too long", 50001, 50000, -EFBIG },
};

START_TEST(test_cap)
{
        char *text = NULL;
        size_t length = 0;

        file_make("f", caps[_i].size);
        int r = file_read(tree_path("f"), caps[_i].cap, &text, &length);
        ck_assert_msg(r == caps[_i].result, "%s: %d", caps[_i].name, r);
        if (r == 0) {
                ck_assert_msg(length == caps[_i].size && strlen(text) == length, "%s: %zu", caps[_i].name, length);
                ck_assert(length == 0 || text[length - 1] == 'a' + (char)((length - 1) % 26));
        }
        free(text);
}
END_TEST

START_TEST(test_unusual_files)
{
        char *text = NULL;
        size_t length;
        const char *fifo = tree_path("fifo");

        ck_assert_int_eq(file_read("/proc/self/status", 64 * KIB, &text, &length), 0);
        ck_assert_uint_gt(length, 0);
        free(text);
        ck_assert_int_eq(file_read("/nonexistent/x", 10, &text, &length), -ENOENT);
        ck_assert_int_eq(file_read(tree, 10, &text, &length), -EISDIR);
        ck_assert_int_eq(file_read("/dev/zero", 100000, &text, &length), -EFBIG);
        /* nobody writes: must neither wait nor pass for an empty file */
        ck_assert_int_eq(mkfifo(fifo, 0600), 0);
        ck_assert_int_eq(file_read(fifo, 10, &text, &length), -EOPNOTSUPP);
}
END_TEST

START_TEST(test_link_is_not_followed)
{
        char *text = NULL;
        size_t length;

        file_make("target", 3);
        tree_link("link", "target");
        ck_assert_int_eq(file_read_in(tree, "link", 10, &text, &length), -ELOOP);
        ck_assert_int_eq(link_read_in(tree, "link", &text), 0);
        ck_assert_str_eq(text, "target");
        free(text);
        ck_assert_int_eq(link_read_in(tree, "target", &text), -EINVAL);
        ck_assert_int_eq(file_read_in(tree, "target", 10, &text, &length), 0);
        free(text);
}
END_TEST

START_TEST(test_list)
{
        char **names;
        size_t n;

        file_make("b.conf", 0);
        file_make("a.conf", 0);
        file_make("a.conf~", 0);
        file_make(".hidden.conf", 0);
        file_make(".conf", 0);
        ck_assert_int_eq(dir_list(tree, ".conf", 10, strcmp, &names, &n), 0);
        ck_assert_uint_eq(n, 2);
        ck_assert_str_eq(names[0], "a.conf");
        ck_assert_str_eq(names[1], "b.conf");
        names_free(names, n);
        ck_assert_int_eq(dir_list(tree, ".conf", 1, strcmp, &names, &n), 1);
        ck_assert_uint_eq(n, 1);
        names_free(names, n);
        ck_assert_int_eq(dir_list("/nonexistent", ".conf", 1, strcmp, &names, &n), 0);
        ck_assert_uint_eq(n, 0);
        names_free(names, n);
}
END_TEST

static const struct {
        const char *text;
        int result;
        uint64_t value;
} numbers[] = {
        { "0", 0, 0 },
        { "007", 0, 7 },
        { "18446744073709551615", 0, UINT64_MAX },
        { "18446744073709551616", -ERANGE, 0 },
        { "99999999999999999999999", -ERANGE, 0 },
        { "", -EINVAL, 0 },
        { "-1", -EINVAL, 0 },
        { "+1", -EINVAL, 0 },
        { " 1", -EINVAL, 0 },
        { "1 ", -EINVAL, 0 },
        { "1\n", -EINVAL, 0 },
        { "0x10", -EINVAL, 0 },
        { "1k", -EINVAL, 0 },
};

START_TEST(test_number)
{
        uint64_t value = 0;
        int r = u64_parse(numbers[_i].text, &value);

        ck_assert_msg(r == numbers[_i].result && value == numbers[_i].value, "\"%s\": %d", numbers[_i].text, r);
}
END_TEST

static const struct {
        const char *text, *decoded;
} escapes[] = {
        { "/a\\040b", "/a b" },
        { "\\134\\011\\012", "\\\t\n" },
        { "\\043x", "#x" },
        { "\\377", "\377" },
        { "\\000x", "\\000x" },
        { "\\400", "\\400" },
        { "\\04", "\\04" },
        { "\\", "\\" },
        { "\\08x", "\\08x" },
        { "", "" },
};

START_TEST(test_escape)
{
        cleanup_free char *s = octal_decode(escapes[_i].text, strlen(escapes[_i].text));

        ck_assert_msg(strcmp(s, escapes[_i].decoded) == 0, "\"%s\" gave \"%s\"", escapes[_i].text, s);
}
END_TEST

START_TEST(test_lines)
{
        static const char text[] = "one\n\nthree\r\n four";
        struct line_reader r = { text, text + strlen(text), 0 };
        const char *line;
        size_t length;

        ck_assert(lines_next(&r, &line, &length) && length == 3 && r.number == 1);
        ck_assert(lines_next(&r, &line, &length) && length == 0 && r.number == 2);
        ck_assert(lines_next(&r, &line, &length) && length == 6 && r.number == 3);
        blanks_trim(&line, &length);
        ck_assert_uint_eq(length, 5);
        ck_assert(lines_next(&r, &line, &length) && length == 5 && r.number == 4);
        blanks_trim(&line, &length);
        ck_assert(length == 4 && text_starts(line, length, "four") && !text_starts(line, length, "fours"));
        ck_assert(!lines_next(&r, &line, &length));
}
END_TEST

START_TEST(test_slash)
{
        char a[] = "/a//", root[] = "///", plain[] = "/a/b", empty[] = "";

        trailing_slash_strip(a);
        trailing_slash_strip(root);
        trailing_slash_strip(plain);
        trailing_slash_strip(empty);
        ck_assert_str_eq(a, "/a");
        ck_assert_str_eq(root, "/");
        ck_assert_str_eq(plain, "/a/b");
        ck_assert_str_eq(empty, "");
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/file");
        TCase *t = tcase_create("files"), *p = tcase_create("text");

        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_loop_test(t, test_cap, 0, ARRAY_SIZE(caps));
        tcase_add_test(t, test_unusual_files);
        tcase_add_test(t, test_link_is_not_followed);
        tcase_add_test(t, test_list);
        suite_add_tcase(s, t);
        tcase_add_loop_test(p, test_number, 0, ARRAY_SIZE(numbers));
        tcase_add_loop_test(p, test_escape, 0, ARRAY_SIZE(escapes));
        tcase_add_test(p, test_lines);
        tcase_add_test(p, test_slash);
        suite_add_tcase(s, p);
        return suite_run(s);
}
