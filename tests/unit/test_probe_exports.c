/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/exports.c: recorded forms of the server's words, and lines that no exportfs takes.
 */
#include "probe/exports.h"
#include "tests/unit/golden.h"

/* "PATH|CLIENT|OPTIONS|LINE" with 'c' for complete and 'b' for a blank; findings as "!LINE". */
static char *describe(const struct exports *e, const struct findings *f)
{
        struct text t = { 0 };
        char *s;

        for (size_t i = 0; i < e->n_entries; i++) {
                const struct export_entry *x = &e->entries[i];
                cleanup_free char *options = options_format(&x->options);

                ck_assert_ptr_nonnull(options);
                text_add(&t, "%s|%s|%s|%u%s%s\n", x->path, x->client, options, x->place.line, x->complete ? "c" : "",
                         x->blank_before_options ? "b" : "");
        }
        for (size_t i = 0; i < f->n_items; i++)
                text_add(&t, "!%u\n", f->items[i].place.line);
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

static void check(const char *name, const char *text, size_t length, const char *want)
{
        struct exports e = { 0 };
        struct findings f = { 0 };
        cleanup_free char *got = NULL;

        ck_assert_int_eq(exports_parse(text, length, "/etc/exports", &e, &f), 0);
        got = describe(&e, &f);
        ck_assert_msg(strcmp(got, want) == 0, "%s:\nwant:\n%sgot:\n%s", name, want, got);
        for (size_t i = 0; i < e.n_entries; i++)
                ck_assert_msg(e.entries[i].place.kind == PLACE_EXPORTS && *e.entries[i].text &&
                              strcmp(e.entries[i].place.file, "/etc/exports") == 0, "%s: place", name);
        for (size_t i = 0; i < f.n_items; i++)
                ck_assert_msg(f.items[i].rule == RULE_INVALID_OPTION && *f.items[i].evidence && *f.items[i].text,
                              "%s: finding", name);
        exports_done(&e);
        findings_done(&f);
}

static const struct {
        const char *file, *want;
} files[] = {
        { "etc-exports",
          "/srv/data|192.0.2.0/24|rw,sync,no_subtree_check|8\n"
          "/srv/scratch|192.0.2.0/255.255.255.0|rw,async,no_subtree_check,no_root_squash|9\n"
          "/srv/scratch|198.51.100.7|ro,no_subtree_check|9\n"
          "/srv/home|client1.example|rw,no_subtree_check,root_squash|10\n"
          "/srv/home|client2.example|rw,no_subtree_check,root_squash,ro|10\n"
          "/srv/home|@workstations|rw,no_subtree_check,root_squash|10\n"
          "/srv/home|2001:db8:12::/64|rw,no_subtree_check,root_squash,sec=krb5p:krb5i|10\n"
          "/srv/my data|*.example|ro,sync,no_subtree_check|12\n"
          "/srv/with blank|*|ro,insecure,no_subtree_check|13\n"
          "/srv/old|client3.example|rw|14\n"
          "/srv/gap|client4.example||15\n"
          "/srv/gap||rw,no_subtree_check|15b\n"
          "/srv/client|client5.example|rw,hard,intr,rsize=8192,no_subtree_check|16\n"
          "/srv/typo|client6.example|rw,no_subtre_check,no_root_sqash|17\n"
          "/srv/public|||18\n"
          "/srv/data|192.0.2.0/24|ro,no_subtree_check|20\n"
          "!19\n!21\n" },
        { "exportfs-v",
          "/srv/data|192.0.2.0/24|sync,wdelay,hide,no_subtree_check,sec=sys,rw,secure,root_squash,no_all_squash|1c\n"
          "/srv/scratch||async,wdelay,hide,no_subtree_check,sec=sys,rw,secure,no_root_squash,no_all_squash|2c\n"
          "/srv/storage/projects/2024|192.0.2.0/24|sync,wdelay,hide,crossmnt,no_subtree_check,fsid=0,sec=krb5p:krb5i,"
          "rw,secure,root_squash,no_all_squash|4c\n"
          "/srv/storage/projects/2024|client1.example|sync,no_wdelay,nohide,no_subtree_check,anonuid=99,sec=sys,ro,"
          "insecure,root_squash,all_squash|6c\n"
          "/srv/my data|@workstations|async,wdelay,hide,sec=sys,rw,secure,root_squash,no_all_squash|7c\n" },
        { "exportfs-without-v", "!1\n" },
        { "proc-exports",
          "/|192.0.2.0/24|ro,root_squash,sync,no_wdelay,no_subtree_check,v4root,fsid=0,"
          "uuid=c8d3f1a2:44ee5577:00000000:00000000,sec=1|3c\n"
          "/srv/my data|192.0.2.0/24|rw,root_squash,async,wdelay,no_subtree_check,"
          "uuid=c8d3f1a2:44ee5577:00000000:00000000,sec=1|4c\n" },
};

START_TEST(test_file)
{
        cleanup_free char *name = path_join("exports", files[_i].file), *text = NULL;
        size_t length;

        ck_assert_ptr_nonnull(name);
        data_read(name, &text, &length);
        check(files[_i].file, text, length, files[_i].want);
}
END_TEST

static const struct {
        const char *name, *text, *want;
} lines[] = {
        { "nothing", "", "" },
        { "comments and blank lines", "# a\n\n  \t\n  # b\n", "" },
        { "no newline", "/a b(rw)", "/a|b|rw|1\n" },
        { "carriage returns", "/a b(rw)\r\n/c d(ro)\r\n", "/a|b|rw|1\n/c|d|ro|2\n" },
        { "an indented line", "   /a b(rw)\n", "/a|b|rw|1\n" },
        { "a comment behind", "/a b(rw) # c(ro)\n", "/a|b|rw|1\n" },
        { "a hash inside a word", "/a#b c#d(rw)\n", "/a#b|c#d|rw|1\n" },
        { "continued", "/a \\\n  b(rw) \\\n\tc(ro)\n/d e(rw)\n", "/a|b|rw|1\n/a|c|ro|1\n/d|e|rw|4\n" },
        { "continued inside the list", "/a b(rw,\\\nsync)\n", "!1\n" },
        { "a comment that goes on", "# a \\\n/b c(rw)\n/d e(ro)\n", "/d|e|ro|3\n" },
        { "continued at the end of the file", "/a b(rw) \\", "/a|b|rw|1\n" },
        { "path alone", "/a\n", "/a|||1\n" },
        { "path alone with defaults", "/a -rw,sync\n", "/a||rw,sync|1\n" },
        { "two lists of defaults", "/a -rw b -sync c(ro)\n", "/a|b|rw|1\n/a|c|rw,sync,ro|1\n" },
        { "trailing slash", "/a/ b\n", "/a|b||1\n" },
        { "the root", "/ b\n", "/|b||1\n" },
        { "everybody", "/a (rw)\n", "/a||rw|1\n" },
        { "everybody beside a client with options", "/a b(rw) (ro)\n", "/a|b|rw|1\n/a||ro|1\n" },
        { "the blank", "/a b (rw)\n", "/a|b||1\n/a||rw|1b\n" },
        { "an empty list", "/a b()\n", "/a|b||1\n" },
        { "clients of all kinds", "/a @g(rw) 192.0.2.7 2001:db8::7(ro) h[0-9].example(rw) gss/krb5(sync)\n",
          "/a|@g|rw|1\n/a|192.0.2.7||1\n/a|2001:db8::7|ro|1\n/a|h[0-9].example|rw|1\n/a|gss/krb5|sync|1\n" },
        { "quoted client", "/a \"b\"(rw)\n", "/a|b|rw|1\n" },
        { "exportfs's lines that lost their tabs",
          "/a/long/path\n        192.0.2.0/24(sync,wdelay,hide,no_subtree_check,sec=sys,rw,secure,root_squash)\n",
          "/a/long/path|192.0.2.0/24|sync,wdelay,hide,no_subtree_check,sec=sys,rw,secure,root_squash|2c\n" },
        { "a word that no path came before", "  192.0.2.7(rw)\n", "!1\n" },
        { "an open list", "/a b(rw\n/c d\n", "/c|d||2\n!1\n" },
        { "a blank in the list", "/a b(rw, sync, ro) c(ro)\n", "/a|c|ro|1\n!1\n" },
        { "letters behind the list", "/a b(rw)c\n", "!1\n" },
        { "a list closed twice", "/a b(rw))\n", "!1\n" },
        { "a parenthesis closed, none opened", "/a b)\n", "!1\n" },
        { "path and client in one word", "/a(rw)\n", "!1\n" },
        { "an open quote", "\"/a b(rw)\n", "!1\n" },
        { "not absolute", "a b(rw)\n", "!1\n" },
};

START_TEST(test_line)
{
        check(lines[_i].name, lines[_i].text, strlen(lines[_i].text), lines[_i].want);
}
END_TEST

START_TEST(test_binary)
{
        static const char text[] = "/a b(rw)\n/\0c d(rw)\n/e f\n";

        check("an embedded NUL", text, sizeof(text) - 1, "/a|b|rw|1\n/e|f||3\n!2\n");
}
END_TEST

/* A line for each of a million clients is no exports file. */
START_TEST(test_huge)
{
        struct exports e = { 0 };
        struct findings f = { 0 };
        struct text t = { 0 };

        text_add(&t, "/a");
        for (unsigned i = 0; i < 300000; i++)
                text_add(&t, " b(rw)");
        for (unsigned i = 0; i < 1000; i++)
                text_add(&t, "\nx");
        ck_assert(!t.failed);
        ck_assert_int_eq(exports_parse(t.data, t.length_bytes, "-", &e, &f), 0);
        ck_assert_uint_le(e.n_entries, 65536);
        ck_assert_uint_le(f.n_items, 100);
        ck_assert_uint_gt(f.n_items, 0);
        text_done(&t);
        exports_done(&e);
        findings_done(&f);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe exports");
        TCase *tc = tcase_create("exports");

        tcase_add_loop_test(tc, test_file, 0, ARRAY_SIZE(files));
        tcase_add_loop_test(tc, test_line, 0, ARRAY_SIZE(lines));
        tcase_add_test(tc, test_binary);
        tcase_add_test(tc, test_huge);
        suite_add_tcase(s, tc);
        return suite_run(s);
}
