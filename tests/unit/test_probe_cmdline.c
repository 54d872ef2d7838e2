/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfsroot= among the other parameters. */
#include <errno.h>

#include "probe/cmdline.h"
#include "tests/unit/golden.h"

static const struct {
        const char *name, *text, *options, *written;
} lines[] = {
        { "with options", "root=/dev/nfs nfsroot=192.0.2.1:/srv/root,vers=3,rsize=4096 ip=dhcp\n", "vers=3,rsize=4096",
          "nfsroot=192.0.2.1:/srv/root,vers=3,rsize=4096" },
        { "without", "nfsroot=/srv/root\n", "", "nfsroot=/srv/root" },
        { "the last one counts", "nfsroot=/a,x nfsroot=/b,y", "y", "nfsroot=/b,y" },
        { "quoted", "a=\"nfsroot=/no,x y\" quiet nfsroot=\"/b,y z\"", "y z\"", "nfsroot=\"/b,y z\"" },
        { "not at the start of a word", "rd.nfsroot=/a,x xnfsroot=/b", NULL, NULL },
        { "none", "BOOT_IMAGE=/vmlinuz root=UUID=1 ro quiet\n", NULL, NULL },
        { "empty", "", NULL, NULL },
        { "blanks only", "   \n", NULL, NULL },
        { "open quote", "a=\" nfsroot=/b", NULL, NULL },
};

START_TEST(test_line)
{
        struct nfsroot n = { 0 };

        ck_assert_int_eq(cmdline_parse(lines[_i].text, strlen(lines[_i].text), &n), 0);
        ck_assert_msg(n.found == (lines[_i].options != NULL), "%s", lines[_i].name);
        if (n.found) {
                ck_assert_msg(strcmp(n.options_text, lines[_i].options) == 0, "%s: %s", lines[_i].name,
                              n.options_text);
                ck_assert_msg(strcmp(n.text, lines[_i].written) == 0, "%s: %s", lines[_i].name, n.text);
        }
        nfsroot_done(&n);
}
END_TEST

START_TEST(test_read)
{
        struct nfsroot n = { 0 };

        ck_assert_int_eq(cmdline_read("/proc/cmdline", &n), 0);
        nfsroot_done(&n);
        ck_assert_int_eq(cmdline_read("/nonexistent", &n), -ENOENT);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/cmdline");
        TCase *t = tcase_create("all");

        tcase_add_loop_test(t, test_line, 0, ARRAY_SIZE(lines));
        tcase_add_test(t, test_read);
        suite_add_tcase(s, t);
        return suite_run(s);
}
