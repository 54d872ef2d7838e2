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
                { "/oradata", PATH_ORACLE },
                { "/u02/ORADATA", PATH_ORACLE },
                { "/u02/oradata01/", PATH_ORACLE },
                { "/u03/fast_recovery_area", PATH_ORACLE },
                { "/backup/oraarch1", PATH_ORACLE },
                { "/u01/app/oracle/product/", PATH_ORDINARY },
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
                { "/var/lib/nova/mnt/4f2c", PATH_HYPERVISOR },
                { "/var/lib/cinder/mnt/4f2c", PATH_STORAGE_DRIVER },
                { "/opt/stack/data/cinder/mnt/4f2c", PATH_STORAGE_DRIVER },
                { "/var/lib/glance/images", PATH_STORAGE_DRIVER },
                { "/var/lib/manila/mnt", PATH_STORAGE_DRIVER },
                { "/home/glance", PATH_ORDINARY },
                { "/var/lib/trident/tracking", PATH_STORAGE_DRIVER },
                { "/var/lib/docker-volumes/netapp/v", PATH_STORAGE_DRIVER },
                { "/opt/nomad/client/csi/node/nfs", PATH_STORAGE_DRIVER },
                { "/srv/csi-nfs", PATH_STORAGE_DRIVER },
                { "/srv/csiro", PATH_ORDINARY },
                { "/var/lib/longhorn-backupstore-mounts/x", PATH_STORAGE_DRIVER },
                { "/var/lib/rook/x", PATH_STORAGE_DRIVER },
                { "/srv/rook", PATH_ORDINARY },
                { "/persistentvolumes", PATH_STORAGE_DRIVER },
                { "/srv/persistentvolumes", PATH_ORDINARY },
                { "/sapmnt/NW1", PATH_CLUSTER },
                { "/usr/sap/trans", PATH_CLUSTER },
                { "/usr/sap/NW1/ASCS00", PATH_CLUSTER },
                { "/sybase/NW1/sapdata1", PATH_DATABASE },
                { "/srv/mpi", PATH_CLUSTER },
                { "/mnt/hdfs", PATH_CLUSTER },
                { "/mapr/my.cluster.com", PATH_CLUSTER },
                { "/srv/mapr", PATH_ORDINARY },
                { "/opt/mpich", PATH_ORDINARY },
                { "/scratch", PATH_ORDINARY },
                { "/var/lib/hacluster", PATH_CLUSTER },
                { "/srv/drbd0", PATH_CLUSTER },
                { "/mnt/cluster", PATH_CLUSTER },
                { "/mnt/clusters", PATH_ORDINARY },
                { "/var/mail", PATH_MAIL_SPOOL },
                { "/var/spool/mail", PATH_MAIL_SPOOL },
                { "/srv/vmail", PATH_MAIL_SPOOL },
                { "/home/Maildir", PATH_MAIL_SPOOL },
                { "/var/lib/kubelet/pods/1c22/volumes/kubernetes.io~nfs/mysql", PATH_KUBELET },
                { "/var/snap/microk8s/common/var/lib/kubelet/pods/1", PATH_KUBELET },
                { "/var/lib/docker/volumes/project_root/_data", PATH_CONTAINER },
                { "/var/lib/kubelet/plugins/kubernetes.io/csi/nfs.csi.k8s.io/x/globalmount", PATH_KUBELET },
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

START_TEST(consequences)
{
        static const struct {
                const char *name;
                enum path_class class;
                bool deliberate, written;
        } rows[] = {
                { "ordinary",       PATH_ORDINARY,       false, true  },
                { "database",       PATH_DATABASE,       true,  false },
                { "oracle",         PATH_ORACLE,         true,  false },
                { "hypervisor",     PATH_HYPERVISOR,     true,  false },
                { "storage driver", PATH_STORAGE_DRIVER, true,  false },
                { "mail spool",     PATH_MAIL_SPOOL,     true,  false },
                { "cluster",        PATH_CLUSTER,        true,  true  },
                { "kubelet",        PATH_KUBELET,        false, false },
                { "container",      PATH_CONTAINER,      false, false },
        };

        ck_assert_uint_eq(ARRAY_SIZE(rows), PATH_CLASS_COUNT);
        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                ck_assert_msg(path_may_be_deliberate(rows[i].class) == rows[i].deliberate, "%s: deliberate",
                              rows[i].name);
                ck_assert_msg(path_may_be_written(rows[i].class) == rows[i].written, "%s: written", rows[i].name);
        }
}
END_TEST

WORLD_MAIN("policy paths", classes, words, consequences)
