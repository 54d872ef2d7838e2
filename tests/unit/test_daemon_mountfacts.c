/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is it the mount that was looked at? Numbers are given anew. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "daemon/mountfacts.h"
#include "probe/mounttable.h"

#define LINE "40 1 0:50 / /data rw,relatime shared:1 - nfs4 server:/data rw,vers=4.2,rsize=32768,addr=192.0.2.2\n"

static const struct {
        const char *name;
        const char *now;
        bool same;
} rows[] = {
        { "untouched", LINE, true },
        { "another propagation",
          "40 1 0:50 / /data rw,relatime - nfs4 server:/data rw,vers=4.2,rsize=32768,addr=192.0.2.2\n", true },
        { "another mount", "41 1 0:50 / /data rw,relatime - nfs4 server:/data rw,vers=4.2,rsize=32768,addr=192.0.2.2\n",
          false },
        { "another superblock",
          "40 1 0:51 / /data rw,relatime - nfs4 server:/data rw,vers=4.2,rsize=32768,addr=192.0.2.2\n", false },
        { "another place", "40 1 0:50 / /date rw,relatime - nfs4 server:/data rw,vers=4.2,rsize=32768,addr=192.0.2.2\n",
          false },
        { "the same numbers, another export",
          "40 1 0:50 / /data rw,relatime - nfs4 server:/other rw,vers=4.2,rsize=32768,addr=192.0.2.2\n", false },
        { "the same numbers, another type",
          "40 1 0:50 / /data rw,relatime - nfs server:/data rw,vers=4.2,rsize=32768,addr=192.0.2.2\n", false },
        { "the same numbers, another value",
          "40 1 0:50 / /data rw,relatime - nfs4 server:/data rw,vers=4.2,rsize=65536,addr=192.0.2.2\n", false },
        { "the same numbers, one option more",
          "40 1 0:50 / /data rw,relatime - nfs4 server:/data rw,sync,vers=4.2,rsize=32768,addr=192.0.2.2\n", false },
};

static void parse(const char *line, struct mounttable *ret)
{
        FILE *f = fmemopen((char *) line, strlen(line), "r");

        ck_assert_ptr_nonnull(f);
        ck_assert_int_eq(mounttable_parse(f, ret), 0);
        ck_assert_uint_eq(ret->n_mounts, 1);
        (void) fclose(f);
}

START_TEST(same)
{
        cleanup(mounttable_done) struct mounttable then = {}, now = {};
        bool is;

        parse(LINE, &then);
        parse(rows[_i].now, &now);
        is = mountfacts_same(&then.mounts[0], &now.mounts[0]);
        ck_assert_msg(is == rows[_i].same, "%s", rows[_i].name);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("mountfacts");
        TCase *t = tcase_create("same");
        SRunner *r;
        int failed;

        tcase_add_loop_test(t, same, 0, (int) ARRAY_SIZE(rows));
        suite_add_tcase(s, t);
        r = srunner_create(s);
        srunner_run_all(r, CK_NORMAL);
        failed = srunner_ntests_failed(r);
        srunner_free(r);
        return failed != 0;
}
