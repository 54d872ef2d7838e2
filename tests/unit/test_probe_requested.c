/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sources ask for a mount's options, in which order, and where they are written. */
#include <errno.h>

#include "policy/names.h"
#include "probe/requested.h"
#include "tests/unit/golden.h"
#include "tests/unit/tree.h"

static const char *unit_dirs[3], *confs[3];
static struct probe_root root;
static struct requested_sources *sources;
static char *problems;

static void setup(void)
{
        tree_setup();
        unit_dirs[0] = tree_path("etc");
        unit_dirs[1] = tree_path("generator");
        confs[0] = tree_path("nfsmount.conf");
        confs[1] = tree_path("nfsmount.conf.d");
        root = (struct probe_root){
                .fstab = tree_path("fstab"),
                .utab = tree_path("utab"),
                .cmdline = tree_path("cmdline"),
                .unit_dirs = unit_dirs,
                .nfsmount_confs = confs,
        };
}

static void teardown(void)
{
        requested_sources_free(sources);
        free(problems);
        tree_teardown();
}

static void read_sources(void)
{
        ck_assert_int_eq(requested_sources_read(&root, &sources, &problems), 0);
}

/* "kind:file:line:options flags; ..." of what is found for one mount */
static char *found(const char *target, const char *source, const char *server)
{
        struct mount_facts m = {
                .target = strdup(target), .source = strdup(source), .server = strdup(server),
        };
        struct requested *r = NULL;
        size_t n = 0;
        struct text t = { 0 };

        ck_assert_int_eq(requested_find(sources, &m, &r, &n), 0);
        for (size_t i = 0; i < n; i++) {
                const char *file = strrchr(r[i].place.file, '/') + 1;
                cleanup_free char *decoded = options_format(&r[i].options);

                text_add(&t, "%s:%s:%u:%s%s%s%s;", place_kind_name(r[i].place.kind), file, r[i].place.line, decoded,
                         r[i].is_default ? " default" : "", r[i].is_record ? " record" : "",
                         r[i].is_generated ? " generated" : "");
                ck_assert_ptr_nonnull(r[i].text);
                ck_assert_ptr_nonnull(r[i].options_text);
                requested_done(&r[i]);
        }
        free(r);
        mount_facts_done(&m);
        return text_take(&t);
}

static void expect(const char *target, const char *source, const char *server, const char *want)
{
        cleanup_free char *got = found(target, source, server);

        ck_assert_msg(strcmp(got, want) == 0, "%s:\nwant %s\ngot  %s", target, want, got);
}

START_TEST(test_nothing)
{
        read_sources();
        ck_assert_ptr_null(problems);
        expect("/x", "h:/x", "h", "");
}
END_TEST

START_TEST(test_fstab)
{
        tree_write("fstab", "# comment\nh:/x /x nfs rw,a 0 0\nh:/y /y/ nfs b 0 0\nh:/x /x nfs second 0 0\n"
                            "h:/other /z nfs one 0 0\nh:/z /z nfs two 0 0\nbroken line\n");
        read_sources();
        expect("/x", "h:/x", "h", "fstab:fstab:2:rw,a;");
        expect("/y", "h:/y/", "h", "fstab:fstab:3:b;");
        expect("/x", "192.0.2.1:/x", "192.0.2.1", "fstab:fstab:2:rw,a;");
        expect("/z", "h:/z", "h", "fstab:fstab:6:two;");
        expect("/z", "h:/unknown", "h", "fstab:fstab:5:one;");
        expect("/x/below", "h:/x/below", "h", "");
        expect("/", "h:/x", "h", "");
        ck_assert_ptr_nonnull(strstr(problems, "fstab:7:"));
}
END_TEST

#define UNIT(where, options) "[Mount]\nWhat=h:/x\nWhere=" where "\nType=nfs\nOptions=" options "\n"

START_TEST(test_generated_is_fstab)
{
        tree_write("fstab", "h:/x /x nfs a 0 0\n");
        tree_write("generator/x.mount", "[Unit]\nSourcePath=/etc/fstab\n" UNIT("/x", "a"));
        tree_write("generator/gone.mount", "[Unit]\nSourcePath=/etc/fstab\n" UNIT("/gone", "b"));
        tree_write("generator/boot.mount", "[Unit]\nSourcePath=/proc/cmdline\n" UNIT("/boot", "c"));
        tree_write("generator/tool.mount", "[Unit]\nSourcePath=/etc/tool.conf\n" UNIT("/tool", "d"));
        read_sources();
        expect("/x", "h:/x", "h", "fstab:fstab:1:a;");
        expect("/gone", "h:/x", "h", "fstab:fstab:0:b generated;");
        expect("/boot", "h:/x", "h", "cmdline:cmdline:0:c generated;");
        expect("/tool", "h:/x", "h", "unit:tool.conf:0:d generated;");
}
END_TEST

START_TEST(test_unit)
{
        tree_write("fstab", "h:/x /x nfs fs 0 0\n");
        tree_write("etc/x.mount", UNIT("/x", "unit"));
        tree_write("generator/x.mount", "[Unit]\nSourcePath=/etc/fstab\n" UNIT("/x", "fs"));
        tree_write("etc/y.mount", "[Mount]\nWhere=/y\nWhat=h:/y\n");
        read_sources();
        expect("/x", "h:/x", "h", "unit:x.mount:5:unit;fstab:fstab:1:fs;");
        expect("/y", "h:/y", "h", "unit:y.mount:2:;");
}
END_TEST

START_TEST(test_dropin_over_generated)
{
        tree_write("fstab", "h:/x /x nfs fs 0 0\n");
        tree_write("generator/x.mount", "[Unit]\nSourcePath=/etc/fstab\n" UNIT("/x", "fs"));
        tree_write("etc/x.mount.d/size.conf", "[Mount]\nOptions=dropin\n");
        read_sources();
        expect("/x", "h:/x", "h", "unit:size.conf:2:dropin;fstab:fstab:1:fs;");
}
END_TEST

START_TEST(test_utab)
{
        tree_write("utab", "SRC=h:/x TARGET=/x ROOT=/ ATTRS=old\nSRC=h:/x TARGET=/x ROOT=/ ATTRS=new\n"
                           "SRC=h:/y TARGET=/x ROOT=/ ATTRS=other\n");
        tree_write("fstab", "h:/x /x nfs fs 0 0\n");
        read_sources();
        expect("/x", "h:/x", "h", "fstab:fstab:1:fs;unknown:utab:2:new record;");
        expect("/x", "h:/y", "h", "fstab:fstab:1:fs;unknown:utab:3:other record;");
}
END_TEST

START_TEST(test_nfsmount_conf)
{
        tree_write("fstab", "h:/x /x nfs fs 0 0\n");
        tree_write("nfsmount.conf", "[ NFSMount_Global_Options ]\nrsize=32k\nsec=\"open\n[ Server \"h\" ]\nwsize=32k\n"
                                    "[ MountPoint \"/x\" ]\nhard=True\n");
        tree_write("nfsmount.conf.d/a.conf", "[ NFSMount_Global_Options ]\nrsize=64k\n");
        read_sources();
        expect("/x", "h:/x", "h", "fstab:fstab:1:fs;nfsmount.conf:nfsmount.conf:7:hard default;"
                                  "nfsmount.conf:nfsmount.conf:5:wsize=32k default;"
                                  "nfsmount.conf:a.conf:2:rsize=64k default;");
        expect("/y", "g:/y", "g", "nfsmount.conf:a.conf:2:rsize=64k default;");
}
END_TEST

START_TEST(test_nfsroot)
{
        tree_write("cmdline", "root=/dev/nfs nfsroot=192.0.2.1:/r,vers=3,rsize=4096 quiet\n");
        tree_write("fstab", "h:/r / nfs fs 0 0\n");
        read_sources();
        expect("/", "192.0.2.1:/r", "192.0.2.1", "cmdline:cmdline:1:vers=3,rsize=4096;fstab:fstab:1:fs;");
        expect("/x", "192.0.2.1:/r", "192.0.2.1", "");
}
END_TEST

START_TEST(test_problems)
{
        tree_write("fstab/is-a-directory", "");
        tree_write("etc/x.mount", UNIT("/x", "context=\"open"));
        tree_write("etc/y.mount", UNIT("/y", "fine"));
        read_sources();
        ck_assert_ptr_nonnull(problems);
        ck_assert_ptr_nonnull(strstr(problems, tree_path("fstab")));
        ck_assert_ptr_nonnull(strstr(problems, "x.mount"));
        expect("/y", "h:/x", "h", "unit:y.mount:5:fine;");
}
END_TEST

START_TEST(test_reasons)
{
        struct text t = { 0 };

        text_add(&t, "Options=rw");
        for (unsigned i = 0; i < OPTIONS_MAX; i++)
                text_add(&t, ",rw");
        tree_write("fstab", "h:/x /x nfs ro,context=\"open 0 0\n");
        cleanup_free char *unit = text_take(&t), *text = NULL;
        ck_assert_int_gt(asprintf(&text, "[Mount]\nWhat=h:/y\nWhere=/y\nType=nfs\n%s\n", unit), 0);
        tree_write("etc/y.mount", text);
        read_sources();
        ck_assert_ptr_nonnull(strstr(problems, "fstab:1: has a quote"));
        ck_assert_ptr_nonnull(strstr(problems, "y.mount:5: more options than are read"));
}
END_TEST

/* A thousand mounts with a thousand lines: no search of all by all. */
START_TEST(test_many)
{
        struct text t = { 0 };

        for (unsigned i = 0; i < 2000; i++)
                text_add(&t, "h:/%u /m/%u nfs o%u 0 0\n", i, i, i);
        cleanup_free char *text = text_take(&t);
        tree_write("fstab", text);
        read_sources();
        for (unsigned i = 0; i < 2000; i++) {
                char target[32], source[32], want[64];

                snprintf(target, sizeof(target), "/m/%u", i);
                snprintf(source, sizeof(source), "h:/%u", i);
                snprintf(want, sizeof(want), "fstab:fstab:%u:o%u;", i + 1, i);
                expect(target, source, "h", want);
        }
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/requested");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_checked_fixture(t, setup, teardown);
        tcase_add_test(t, test_nothing);
        tcase_add_test(t, test_fstab);
        tcase_add_test(t, test_generated_is_fstab);
        tcase_add_test(t, test_unit);
        tcase_add_test(t, test_dropin_over_generated);
        tcase_add_test(t, test_utab);
        tcase_add_test(t, test_nfsmount_conf);
        tcase_add_test(t, test_nfsroot);
        tcase_add_test(t, test_problems);
        tcase_add_test(t, test_reasons);
        tcase_add_test(t, test_many);
        suite_add_tcase(s, t);
        return suite_run(s);
}
