/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flags of a mount as mount_setattr(2) wants them. */
#include "daemon/mountpoint.h"

#include <errno.h>
#include <sys/mount.h>

#include "tests/unit/records.h"

static const struct {
        const char *name;
        const char *vfs;
        unsigned attributes;
        const char *flag;               /* that cannot be carried over */
} rows[] = {
        { "as usual", "rw,relatime", 0, NULL },
        { "read-only", "ro,relatime", MOUNT_ATTR_RDONLY, NULL },
        { "no word of access times: strictly", "rw", MOUNT_ATTR_STRICTATIME, NULL },
        { "strictly, but for directories", "rw,nodiratime", MOUNT_ATTR_STRICTATIME | MOUNT_ATTR_NODIRATIME, NULL },
        { "no access times", "rw,noatime", MOUNT_ATTR_NOATIME, NULL },
        { "no access times of directories", "rw,nodiratime,relatime", MOUNT_ATTR_NODIRATIME, NULL },
        { "neither", "rw,noatime,nodiratime", MOUNT_ATTR_NOATIME | MOUNT_ATTR_NODIRATIME, NULL },
        { "locked up", "ro,nosuid,nodev,noexec,relatime",
          MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC, NULL },
        { "no symbolic links", "rw,relatime,nosymfollow", MOUNT_ATTR_NOSYMFOLLOW, NULL },
        { "mapped owners", "rw,relatime,idmapped", 0, "idmapped" },
};

START_TEST(test_attributes)
{
        cleanup(options_done) struct options vfs = { 0 };
        unsigned attributes = 0;
        const char *flag = NULL, *name = rows[_i].name;
        int r;

        options_of(&vfs, rows[_i].vfs);
        r = mount_attributes(&vfs, &attributes, &flag);
        ck_assert_msg(r == (rows[_i].flag ? -EOPNOTSUPP : 0), "%s: %d", name, r);
        if (rows[_i].flag)
                ck_assert_msg(flag && strcmp(flag, rows[_i].flag) == 0, "%s: %s", name, flag);
        else
                ck_assert_msg(attributes == rows[_i].attributes, "%s: want %#x, got %#x", name, rows[_i].attributes, attributes);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("daemon/mountpoint");
        TCase *t = tcase_create("all");

        tcase_add_loop_test(t, test_attributes, 0, ARRAY_SIZE(rows));
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
