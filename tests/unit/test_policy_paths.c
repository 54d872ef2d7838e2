/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/paths.c: whose files live there. */
#include "tests/unit/policy_world.h"

#include "policy/paths.h"

START_TEST(classes)
{
        static const struct {
                const char *target;
                enum path_class want;
        } rows[] = {
                { "/", PATH_ORDINARY },
                { "", PATH_ORDINARY },
                { "/home", PATH_ORDINARY },
                { "/home/hana", PATH_ORDINARY },
                { "/home/cyrus", PATH_ORDINARY },
                { "/srv/data", PATH_ORDINARY },
                { "/var/spool", PATH_ORDINARY },
                { "/var/lib", PATH_ORDINARY },
                { "/data/my-oradata-notes", PATH_ORDINARY },
                { "/pods/kubelet", PATH_ORDINARY },
                { "/oradata", PATH_DATABASE },
                { "/u02/ORADATA", PATH_DATABASE },
                { "/u02/oradata01/", PATH_DATABASE },
                { "/mnt/nfs/postgres_data", PATH_DATABASE },
                { "/var/lib/postgresql/15/main", PATH_DATABASE },
                { "/var/lib/mysql", PATH_DATABASE },
                { "/hana/data/NW1", PATH_DATABASE },
                { "/hana", PATH_DATABASE },
                { "/run/sr-mount/3f1b", PATH_HYPERVISOR },
                { "/rhev/data-center/mnt/host:_export", PATH_HYPERVISOR },
                { "/vmfs/volumes/ds1", PATH_HYPERVISOR },
                { "/srv/vmfs", PATH_ORDINARY },
                { "/mnt/pve/backup", PATH_HYPERVISOR },
                { "/var/lib/libvirt/images", PATH_HYPERVISOR },
                { "/var/mail", PATH_MAIL_SPOOL },
                { "/var/spool/mail", PATH_MAIL_SPOOL },
                { "/srv/vmail", PATH_MAIL_SPOOL },
                { "/home/Maildir", PATH_MAIL_SPOOL },
                { "/var/lib/kubelet/pods/1c22/volumes/kubernetes.io~nfs/mysql", PATH_KUBELET },
                { "/var/snap/microk8s/common/var/lib/kubelet/pods/1", PATH_KUBELET },
                { "/var/lib/docker/volumes/project_root/_data", PATH_CONTAINER },
                { "/home/u/.local/share/containers/storage/volumes/v", PATH_CONTAINER },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                enum path_class got = path_classify(rows[i].target);

                ck_assert_msg(got == rows[i].want, "%s: %d (%s), want %d", rows[i].target, (int)got,
                              path_class_words(got), (int)rows[i].want);
        }
}
END_TEST

START_TEST(words)
{
        for (unsigned i = 0; i <= PATH_CLASS_COUNT; i++)
                ck_assert_ptr_nonnull(path_class_words((enum path_class)i));
        ck_assert_str_eq(path_class_words(PATH_DATABASE), "a database's directory");
}
END_TEST

WORLD_MAIN("policy paths", classes, words)
