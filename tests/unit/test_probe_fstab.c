/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recorded and constructed fstabs: line numbers, raw and decoded columns. */
#include <errno.h>

#include "probe/fstab.h"
#include "tests/unit/golden.h"

static struct fstab parse(const char *text, size_t length)
{
        struct fstab f = { 0 };

        ck_assert_int_eq(fstab_parse(text, length, &f), 0);
        return f;
}

static void file_rows(const char *path, const char *name, struct text *rows)
{
        struct fstab f = { 0 };

        ck_assert_int_eq(fstab_read(path, &f), 0);
        for (size_t i = 0; i < f.n_entries; i++) {
                const struct fstab_entry *e = &f.entries[i];

                text_add(rows, "%s\t%u\t%s\t%s\t%s\t%s\n", name, e->line, e->source, e->target, e->fstype,
                         e->options_text);
        }
        /* 18 has a line that was meant to continue the one above */
        ck_assert_msg(f.n_bad_lines == (strcmp(name, "18.fstab") == 0), "%s: bad line %u", name,
                      f.n_bad_lines ? f.bad_lines[0].line : 0);
        fstab_done(&f);
}

START_TEST(test_recorded)
{
        static const char *const dirs[] = { "cases/fstab", NULL };

        golden_check("fstab.tsv", dirs, file_rows);
}
END_TEST

/* What is NFS, and what is a valid line. line 0: no entry. */
static const struct {
        const char *name, *text;
        unsigned line, bad_line;
        const char *options_text;
} lines[] = {
        { "plain", "h:/x /y nfs rw 0 0\n", 1, 0, "rw" },
        { "nfs4", "h:/x /y nfs4 rw 0 0\n", 1, 0, "rw" },
        { "auto with a host", "h:/x /y auto ro 0 0\n", 1, 0, "ro" },
        { "auto with a device", "/dev/sda1 /y auto ro 0 0\n", 0, 0, NULL },
        { "another type with a host", "h:/x /y fuse.sshfs ro 0 0\n", 0, 0, NULL },
        { "third line", "# c\n\n  \th:/x \t /y  nfs\trw,hard\n", 3, 0, "rw,hard" },
        { "three columns", "h:/x /y nfs\n", 1, 0, "" },
        { "commented", "#h:/x /y nfs rw 0 0\n  # h:/x /y nfs rw 0 0\n", 0, 0, NULL },
        { "no newline", "h:/x /y nfs rw 0 0", 1, 0, "rw" },
        { "two columns", "h:/x /y\n", 0, 1, NULL },
        { "one column", "\nh:/x\n", 0, 2, NULL },
        { "letters as pass number", "h:/x /y nfs rw x y\n", 1, 0, "rw" },
        { "letters as pass number of another file system", "/dev/sda1 /y ext4 rw x y\n", 0, 1, NULL },
        { "escapes in the options stay in the text", "h:/x /y nfs rw,context=a\\040b 0 0\n", 1, 0,
          "rw,context=a\\040b" },
        { "open quote", "h:/x /y nfs rw,context=\"a 0 0\n", 0, 1, NULL },
        { "carriage return", "h:/x /y nfs rw 0 0\r\n", 1, 0, "rw" },
        { "carriage return after the third column", "h:/x /y nfs\r\n", 1, 0, "" },
        { "looks like mountinfo", "36 35 98:0 / /mnt rw - nfs h:/x rw\n", 0, 1, NULL },
        { "looks like utab", "SRC=h:/x /y nfs rw 0 0\n", 1, 0, "rw" },
        { "looks like swaps", "Filename\t/y nfs rw 0 0\n", 1, 0, "rw" },
};

START_TEST(test_line)
{
        struct fstab f = parse(lines[_i].text, strlen(lines[_i].text));

        ck_assert_msg(f.n_entries == (lines[_i].line ? 1 : 0), "%s: %zu entries", lines[_i].name, f.n_entries);
        if (lines[_i].line) {
                ck_assert_msg(f.entries[0].line == lines[_i].line, "%s: line %u", lines[_i].name, f.entries[0].line);
                ck_assert_msg(strcmp(f.entries[0].options_text, lines[_i].options_text) == 0, "%s: \"%s\"",
                              lines[_i].name, f.entries[0].options_text);
        }
        if (lines[_i].bad_line)
                ck_assert_msg(f.n_bad_lines == 1 && f.bad_lines[0].line == lines[_i].bad_line, "%s: bad",
                              lines[_i].name);
        fstab_done(&f);
}
END_TEST

/* What is wrong with a line that is NFS all the same, and how it should be. */
static const struct {
        const char *name, *text, *problem, *mended, *options_text;
} flaws[] = {
        { "none", "h:/x /y nfs rw 0 0\n", NULL, NULL, "rw" },
        { "four columns", "h:/x /y nfs rw\n", NULL, NULL, "rw" },
        { "a seventh column", "h:/x /y nfs rw 0 0 # old\n", NULL, NULL, "rw" },
        { "carriage return", " h:/x /y nfs rw 0 0\r\n", "carriage return", " h:/x /y nfs rw 0 0", "rw" },
        { "carriage return after the type", "h:/x /y nfs\r\n", "carriage return", "h:/x /y nfs", "" },
        { "dump is a word", "h:/x /y nfs rw x 0\n", "dump and pass", "h:/x /y nfs rw 0 0", "rw" },
        { "pass is a word", "h:/x /y nfs rw 0 y\n", "dump and pass", "h:/x /y nfs rw 0 0", "rw" },
        { "comment where dump belongs", "h:/x /y nfs rw # old\n", "dump and pass", "h:/x /y nfs rw 0 0", "rw" },
        { "blank behind a comma", "h:/x /y nfs rw, hard 0 0\n", "blank at a comma", "h:/x /y nfs rw,hard 0 0",
          "rw,hard" },
        { "blank before a comma", "h:/x /y nfs rw ,hard 0 0\n", "blank at a comma", "h:/x /y nfs rw,hard 0 0",
          "rw,hard" },
        { "several blanks", "h:/x\t/y nfs  rw, hard,\tintr , bg 0 0\n", "blank at a comma",
          "h:/x\t/y nfs  rw,hard,intr,bg 0 0", "rw,hard,intr,bg" },
        { "blank at a comma, no dump and pass", "h:/x /y nfs rw, hard\n", "blank at a comma", "h:/x /y nfs rw,hard",
          "rw,hard" },
        { "blank at a comma and a carriage return", "h:/x /y nfs rw, hard 0 0\r\n", "blank at a comma",
          "h:/x /y nfs rw,hard 0 0", "rw,hard" },
        { "continued", "h:/x /y nfs \\\n  rw,hard 0 0\n", "backslash", "h:/x /y nfs rw,hard 0 0", "" },
        { "continued at a comma", "h:/x /y nfs rw,\\\nhard 0 0\n", "backslash", "h:/x /y nfs rw,hard 0 0", "rw," },
        { "backslash at the end of the file", "h:/x /y nfs rw 0 0\\", "backslash", "h:/x /y nfs rw 0 0", "rw" },
        { "backslash before a comment", "h:/x /y nfs rw 0 0 \\\n# c\n", "backslash", "h:/x /y nfs rw 0 0 ", "rw" },
};

START_TEST(test_flaw)
{
        struct fstab f = parse(flaws[_i].text, strlen(flaws[_i].text));
        const char *name = flaws[_i].name;

        ck_assert_msg(f.n_entries == 1, "%s: %zu entries", name, f.n_entries);
        const struct fstab_entry *e = f.entries;
        ck_assert_msg((e->problem != NULL) == (flaws[_i].problem != NULL), "%s: \"%s\"", name, e->problem);
        ck_assert_msg((e->mended != NULL) == (e->problem != NULL), "%s: mended", name);
        if (e->problem) {
                ck_assert_msg(strstr(e->problem, flaws[_i].problem) != NULL, "%s: \"%s\"", name, e->problem);
                ck_assert_msg(strcmp(e->mended, flaws[_i].mended) == 0, "%s: \"%s\"", name, e->mended);
        }
        ck_assert_msg(strcmp(e->options_text, flaws[_i].options_text) == 0, "%s: \"%s\"", name, e->options_text);
        cleanup_free char *options = options_format(&e->options);
        ck_assert_msg(strcmp(options, flaws[_i].options_text) == 0, "%s: options \"%s\"", name, options);
        fstab_done(&f);
}
END_TEST

/* Lines that cannot be read as what they are meant: do they look like NFS? */
static const struct {
        const char *name, *text;
        unsigned line;
        bool looks_nfs;
        const char *problem;
} bad[] = {
        { "two columns of NFS", "h:/x /y\n", 1, true, "three columns" },
        { "two columns of a disk", "/dev/sda1 /y\n", 1, false, "three columns" },
        { "the type is there", "server /y nfs rw,context=\"a 0 0\n", 1, true, "quote" },

        { "rest of an NFS line", "h:/x /y nfs \\\nrw,hard 0 0\n", 2, true, "continue" },
        { "rest of an NFS line that lacks its type", "h:/x /y \\\nnfs rw 0 0\n", 1, true, "three columns" },
        { "rest of a disk's line", "/dev/sda1 /y \\\next4\n", 1, false, "three columns" },
        { "another disk after a backslash", "/dev/sda1 /y ext4 rw \\\n/dev/sdb1\n", 2, false, "continue" },
};

START_TEST(test_bad)
{
        struct fstab f = parse(bad[_i].text, strlen(bad[_i].text));

        ck_assert_msg(f.n_bad_lines >= 1, "%s: none", bad[_i].name);
        ck_assert_msg(f.bad_lines[0].line == bad[_i].line, "%s: line %u", bad[_i].name, f.bad_lines[0].line);
        ck_assert_msg(f.bad_lines[0].looks_nfs == bad[_i].looks_nfs, "%s: looks", bad[_i].name);
        ck_assert_msg(strstr(f.bad_lines[0].problem, bad[_i].problem), "%s: \"%s\"", bad[_i].name,
                      f.bad_lines[0].problem);
        fstab_done(&f);
}
END_TEST

/* 1024 options are read, one more is not, and is said to be the reason. */
START_TEST(test_many_options)
{
        for (unsigned n = OPTIONS_MAX; n <= OPTIONS_MAX + 1; n++) {
                struct text t = { 0 };

                text_add(&t, "h:/x /y nfs rw");
                for (unsigned i = 1; i < n; i++)
                        text_add(&t, ",rw");
                text_add(&t, " 0 0\n");
                struct fstab f = parse(t.data, t.length_bytes);

                ck_assert_uint_eq(f.n_entries, n == OPTIONS_MAX);
                ck_assert_uint_eq(f.n_bad_lines, n > OPTIONS_MAX);
                if (n > OPTIONS_MAX) {
                        ck_assert_ptr_nonnull(strstr(f.bad_lines[0].problem, "1024 options"));
                        ck_assert_ptr_nonnull(strstr(f.bad_lines[0].advice, "more than once"));
                }
                fstab_done(&f);
                text_done(&t);
        }
}
END_TEST

/* An NFS line after a backslash is a line of its own, whatever it was meant to be. */
START_TEST(test_nfs_after_backslash)
{
        static const char text[] = "h:/x /y nfs rw 0 0 \\\nh:/a /b nfs rw 0 0\n/dev/sda1 /c ext4 rw 0 0\n";
        struct fstab f = parse(text, sizeof(text) - 1);

        ck_assert(f.n_entries == 2 && f.n_bad_lines == 0 && f.n_good_lines == 3);
        fstab_done(&f);
}
END_TEST

START_TEST(test_raw_and_decoded)
{
        static const char text[] = "\th:/my\\040data  /mnt/my\\040data nfs rsize=8192,x=a\\054b 0 0\r\n";
        struct fstab f = parse(text, sizeof(text) - 1);
        const struct fstab_entry *e = f.entries;

        ck_assert_uint_eq(f.n_entries, 1);
        ck_assert_str_eq(e->text, "\th:/my\\040data  /mnt/my\\040data nfs rsize=8192,x=a\\054b 0 0\r");
        ck_assert_str_eq(e->source, "h:/my data");
        ck_assert_str_eq(e->target, "/mnt/my data");
        ck_assert_str_eq(options_value(&e->options, "rsize"), "8192");
        fstab_done(&f);
}
END_TEST

START_TEST(test_nul)
{
        static const char text[] = "h:/x /y nfs r\0w 0 0\nh:/a /b nfs rw 0 0\n";
        struct fstab f = parse(text, sizeof(text) - 1);

        ck_assert(f.n_bad_lines == 1 && f.bad_lines[0].line == 1);
        ck_assert(f.n_entries == 1 && f.entries[0].line == 2);
        fstab_done(&f);
}
END_TEST

START_TEST(test_too_many_options)
{
        struct text t = { 0 };

        text_add(&t, "h:/x /y nfs a");
        for (unsigned i = 0; i < 10000; i++)
                text_add(&t, ",o%u", i);
        text_add(&t, " 0 0\nh:/a /b nfs rw 0 0\n");
        size_t length = t.length_bytes;
        cleanup_free char *text = text_take(&t);
        struct fstab f = parse(text, length);
        ck_assert(f.n_bad_lines == 1 && f.bad_lines[0].line == 1);
        ck_assert(f.n_entries == 1 && f.entries[0].line == 2);
        fstab_done(&f);
        ck_assert_int_eq(fstab_read("/nonexistent/fstab", &f), -ENOENT);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/fstab");
        TCase *t = tcase_create("all");

        tcase_add_test(t, test_recorded);
        tcase_add_loop_test(t, test_line, 0, ARRAY_SIZE(lines));
        tcase_add_loop_test(t, test_flaw, 0, ARRAY_SIZE(flaws));
        tcase_add_loop_test(t, test_bad, 0, ARRAY_SIZE(bad));
        tcase_add_test(t, test_nfs_after_backslash);
        tcase_add_test(t, test_many_options);
        tcase_add_test(t, test_raw_and_decoded);
        tcase_add_test(t, test_nul);
        tcase_add_test(t, test_too_many_options);
        suite_add_tcase(s, t);
        return suite_run(s);
}
