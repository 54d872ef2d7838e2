/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfsmount.conf: sections, spellings, what overrides what. */
#include <errno.h>

#include "probe/nfsmountconf.h"
#include "tests/unit/golden.h"
#include "tests/unit/tree.h"

/* "scope argument option line; ..." of everything in @c */
static char *flat(const struct nfsmountconf *c)
{
        static const char scopes[] = { 'm', 's', 'g' };
        struct text t = { 0 };

        for (size_t i = 0; i < c->n_entries; i++) {
                const struct nfsmountconf_entry *e = &c->entries[i];

                text_add(&t, "%c:%s:%s:%u;", scopes[e->scope], e->argument ? e->argument : "", e->option, e->line);
        }
        return text_take(&t);
}

#define GLOBAL "[ NFSMount_Global_Options ]\n"

static const struct {
        const char *name, *text, *flat;
} files[] = {
        { "size", GLOBAL "rsize=32k\n", "g::rsize=32k:2;" },
        { "names have no case", "[nfsmount_global_options]\nRSIZE = 32K\n", "g::rsize=32K:2;" },
        { "true and false", GLOBAL "Ac=False\nLock=false\nSloppy=True\nCto=TRUE\n",
          "g::noac:2;g::nolock:3;g::sloppy:4;g::cto:5;" },
        { "false sloppy is nothing", GLOBAL "sloppy=False\n", "" },
        { "background", GLOBAL "background=True\n", "g::bg:2;" },
        { "background false", GLOBAL "Background=False\n", "g::fg:2;" },
        { "foreground false", GLOBAL "foreground=False\n", "g::bg:2;" },
        { "seeds of the negotiation are left out", GLOBAL "Defaultvers=4\nDefaultproto=tcp\nNfsvers=3\n",
          "g::nfsvers=3:4;" },
        { "mount point", "[ MountPoint \"/export/home/\" ]\nhard=True\n", "m:/export/home:hard:2;" },
        { "server", "[ Server \"nfs.example\" ]\n  rsize=1m\n", "s:nfs.example:rsize=1m:2;" },
        { "bracket in a mount point", "[ MountPoint \"/a]b\" ]\nsoft=True\n", "m:/a]b:soft:2;" },
        { "the last one counts", GLOBAL "rsize=1\nwsize=2\nrsize=3\n", "g::wsize=2:3;g::rsize=3:4;" },
        { "a negation is the same setting", GLOBAL "ac=True\nac=False\n", "g::noac:3;" },
        { "sections are apart", "[Server \"a\"]\nrsize=1\n[Server \"b\"]\nrsize=2\n", "s:a:rsize=1:2;s:b:rsize=2:4;" },
        { "comments", GLOBAL "# rsize=1\n; rsize=2\n  # rsize=3\n", "" },
        { "quotes", GLOBAL "sec=\"krb5\"\n", "g::sec=krb5:2;" },
        { "carriage return", GLOBAL "rsize=1\r\n", "g::rsize=1:2;" },
        { "unknown section", "[ Other ]\nrsize=1\n", "" },
        { "before any section", "rsize=1\n", "" },
        { "section without its name", "[ Server ]\nrsize=1\n", "" },
        { "global section with a name", "[ NFSMount_Global_Options \"x\" ]\nrsize=1\n", "" },
        { "open section", "[ Server \"a\nrsize=1\n", "" },
        { "nothing on a side", GLOBAL "=1\nrsize=\nrsize\n=\n", "" },
        { "no newline", GLOBAL "rsize=1", "g::rsize=1:2;" },
        { "empty", "", "" },
};

START_TEST(test_text)
{
        struct nfsmountconf c = { 0 };

        ck_assert_int_eq(nfsmountconf_add(&c, files[_i].text, strlen(files[_i].text), "f"), 0);
        cleanup_free char *got = flat(&c);
        ck_assert_msg(strcmp(got, files[_i].flat) == 0, "%s: %s", files[_i].name, got);
        nfsmountconf_done(&c);
}
END_TEST

START_TEST(test_recorded)
{
        struct nfsmountconf c = { 0 };
        cleanup_free char *text = NULL;
        size_t length;

        data_read("cases/nfsmount/stock.conf", &text, &length);
        ck_assert_int_eq(nfsmountconf_add(&c, text, length, "stock.conf"), 0);
        cleanup_free char *got = flat(&c);
        ck_assert_str_eq(got, "s:nfsserver.example.com:rsize=32k:3;s:nfsserver.example.com:wsize=32k:4;"
                              "m:/export/home:bg:6;g::nfsvers=3:9;");
        ck_assert_str_eq(c.entries[0].text, "rsize=32k");
        ck_assert_str_eq(c.entries[0].file, "stock.conf");
        nfsmountconf_done(&c);
}
END_TEST

static const struct {
        const char *name;
        enum nfsmountconf_scope scope;
        const char *argument;
        bool concerns;
} concerned[] = {
        { "global", NFSMOUNTCONF_GLOBAL, NULL, true },
        { "this mount point", NFSMOUNTCONF_MOUNTPOINT, "/srv/data", true },
        { "another mount point", NFSMOUNTCONF_MOUNTPOINT, "/srv", false },
        { "this server", NFSMOUNTCONF_SERVER, "NFS.example", true },
        { "another server", NFSMOUNTCONF_SERVER, "nfs.example.org", false },
        { "a server named like the mount point", NFSMOUNTCONF_SERVER, "/srv/data", false },
};

START_TEST(test_concerns)
{
        struct nfsmountconf_entry e = { .scope = concerned[_i].scope,
                                        .argument = (char *)(uintptr_t)concerned[_i].argument };

        ck_assert_msg(nfsmountconf_concerns(&e, "/srv/data", "nfs.example") == concerned[_i].concerns, "%s",
                      concerned[_i].name);
}
END_TEST

START_TEST(test_files_in_order)
{
        const char *paths[] = { tree_path("usr.conf"), tree_path("usr.conf.d"), tree_path("etc.conf"),
                                tree_path("etc.conf.d"), NULL };
        struct nfsmountconf c = { 0 };
        struct text problems = { 0 };

        tree_write("etc.conf", GLOBAL "rsize=1\nwsize=1\ntimeo=1\n");
        tree_write("usr.conf.d/a.conf", GLOBAL "rsize=2\n");
        tree_write("etc.conf.d/2.conf", GLOBAL "wsize=2\n");
        tree_write("etc.conf.d/10.conf", GLOBAL "wsize=10\n");
        tree_write("etc.conf.d/x.conf.bak", GLOBAL "wsize=11\n");
        tree_link("etc.conf.d/11.conf", "/nonexistent/far/away");
        ck_assert_int_eq(nfsmountconf_read(paths, &c, &problems), 0);
        cleanup_free char *got = flat(&c), *words = text_take(&problems);
        ck_assert_str_eq(got, "g::rsize=1:2;g::timeo=1:4;g::wsize=10:2;");
        ck_assert_str_eq(c.entries[2].file, tree_path("etc.conf.d/10.conf"));
        ck_assert_ptr_nonnull(strstr(words, "11.conf"));
        nfsmountconf_done(&c);
}
END_TEST

START_TEST(test_nul_and_caps)
{
        static const char nul[] = GLOBAL "rsize\0=1\nwsize=1\n";
        struct nfsmountconf c = { 0 };
        struct text t = { 0 };

        ck_assert_int_eq(nfsmountconf_add(&c, nul, sizeof(nul) - 1, "f"), 0);
        ck_assert_uint_eq(c.n_entries, 1);
        nfsmountconf_done(&c);
        text_add(&t, GLOBAL);
        for (unsigned i = 0; i < NFSMOUNTCONF_LINES_MAX + 1; i++)
                text_add(&t, "o%u=1\n", i);
        size_t length = t.length_bytes;
        cleanup_free char *text = text_take(&t);
        ck_assert_int_eq(nfsmountconf_add(&c, text, length, "f"), 0);
        ck_assert_uint_eq(c.n_entries, NFSMOUNTCONF_LINES_MAX);
        nfsmountconf_done(&c);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/nfsmountconf");
        TCase *t = tcase_create("all");

        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_loop_test(t, test_text, 0, ARRAY_SIZE(files));
        tcase_add_test(t, test_recorded);
        tcase_add_loop_test(t, test_concerns, 0, ARRAY_SIZE(concerned));
        tcase_add_test(t, test_files_in_order);
        tcase_add_test(t, test_nul_and_caps);
        suite_add_tcase(s, t);
        return suite_run(s);
}
