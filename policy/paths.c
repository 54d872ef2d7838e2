/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/paths.c - whose files live at a path, judged by its name. See paths.h. */
#include "policy/paths.h"

#include <string.h>

struct pattern {
        enum path_class class;
        const char *components;         /* "/a/b": from the start; "a/b": anywhere; "a*": begins with a */
};

/* First match wins: a database inside a pod belongs to the kubelet. */
static const struct pattern patterns[] = {
        /* kubernetes.io: kubelet --root-dir and the volume plugins' directories */
        { PATH_KUBELET, "/var/lib/kubelet" },
        { PATH_KUBELET, "kubelet/pods" },
        { PATH_KUBELET, "kubelet/plugins" },
        { PATH_KUBELET, "kubernetes.io~*" },
        /* Defaults of docker (data-root), podman and buildah (containers-storage.conf(5)), containerd, lxc, machined */
        { PATH_CONTAINER, "/var/lib/docker" },
        { PATH_CONTAINER, "docker/volumes" },
        { PATH_CONTAINER, "/var/lib/containers" },
        { PATH_CONTAINER, "containers/storage" },
        { PATH_CONTAINER, "/var/lib/containerd" },
        { PATH_CONTAINER, "/run/containerd" },
        { PATH_CONTAINER, "/var/lib/lxc" },
        { PATH_CONTAINER, "/var/lib/machines" },
        /* XenServer and XCP-ng storage repositories */
        { PATH_HYPERVISOR, "sr-mount" },
        /* oVirt and Red Hat Virtualization storage domains */
        { PATH_HYPERVISOR, "rhev/data-center" },
        /* VMware datastores */
        { PATH_HYPERVISOR, "/vmfs" },
        /* libvirt's default pool */
        { PATH_HYPERVISOR, "libvirt" },
        /* Proxmox VE storage */
        { PATH_HYPERVISOR, "/mnt/pve" },
        /* OpenStack nova, OpenNebula datastores */
        { PATH_HYPERVISOR, "nova/instances" },
        { PATH_HYPERVISOR, "nova/mnt" },
        { PATH_HYPERVISOR, "one/datastores" },
        /* OpenStack: nfs_mount_point_base of cinder is $state_path/mnt, glance's filesystem_store_datadir and manila's
         * state_path are /var/lib/glance/images and /var/lib/manila */
        { PATH_STORAGE_DRIVER, "cinder/mnt" },
        { PATH_STORAGE_DRIVER, "/var/lib/cinder" },
        { PATH_STORAGE_DRIVER, "/var/lib/glance" },
        { PATH_STORAGE_DRIVER, "/var/lib/manila" },
        /* NetApp Trident: its own directory, and where it mounts as a volume plugin of Docker */
        { PATH_STORAGE_DRIVER, "trident" },
        { PATH_STORAGE_DRIVER, "/var/lib/docker-volumes" },
        /* Names in the manifests of democratic-csi, of csi-driver-nfs and its kin, Nomad's client/csi; below the
         * kubelet they belong to it */
        { PATH_STORAGE_DRIVER, "democratic-csi" },
        { PATH_STORAGE_DRIVER, "csi" },
        { PATH_STORAGE_DRIVER, "csi-*" },
        /* Longhorn's data path and backup store mounts; Rook's dataDirHostPath */
        { PATH_STORAGE_DRIVER, "longhorn*" },
        { PATH_STORAGE_DRIVER, "/var/lib/rook" },
        /* Mount path of the nfs-subdir-external-provisioner's own pod */
        { PATH_STORAGE_DRIVER, "/persistentvolumes" },
        /* FHS 5.11 /var/mail and its old name; the usual virtual-mailbox roots of Postfix and Dovecot */
        { PATH_MAIL_SPOOL, "/var/mail" },
        { PATH_MAIL_SPOOL, "spool/mail" },
        { PATH_MAIL_SPOOL, "vmail" },
        { PATH_MAIL_SPOOL, "maildir*" },
        { PATH_MAIL_SPOOL, "mailspool" },
        { PATH_MAIL_SPOOL, "dovecot" },
        { PATH_MAIL_SPOOL, "spool/cyrus" },
        { PATH_MAIL_SPOOL, "lib/cyrus" },
        /* Oracle's Optimal Flexible Architecture, numbered variants included. For data files on NFS its documentation
         * prescribes hard, actimeo=0 and rsize and wsize of 32768 or more, and the database refuses to open them
         * otherwise (ORA-27054). Not app/oracle: programs live there, for which actimeo=0 is not asked for. */
        { PATH_ORACLE, "oradata*" },
        { PATH_ORACLE, "fast_recovery_area" },
        { PATH_ORACLE, "flash_recovery_area" },
        { PATH_ORACLE, "oraarch*" },
        { PATH_ORACLE, "oraredo*" },
        /* SAP HANA and SAP on other databases: installation guides */
        { PATH_DATABASE, "/hana" },
        { PATH_DATABASE, "hana/data" },
        { PATH_DATABASE, "hana/log" },
        { PATH_DATABASE, "sapdata*" },
        { PATH_DATABASE, "db2*" },
        { PATH_DATABASE, "sybase" },
        /* Packaged data directories of Debian and Fedora */
        { PATH_DATABASE, "postgres*" },
        { PATH_DATABASE, "pgsql*" },
        { PATH_DATABASE, "pgdata*" },
        { PATH_DATABASE, "mysql*" },
        { PATH_DATABASE, "mariadb*" },
        { PATH_DATABASE, "mongo*" },
        { PATH_DATABASE, "mssql*" },
        { PATH_DATABASE, "cassandra" },
        { PATH_DATABASE, "couchdb" },
        { PATH_DATABASE, "influxdb" },
        { PATH_DATABASE, "etcd" },
        { PATH_DATABASE, "redis" },
        /* SAP NetWeaver: profiles, programs and transports that all hosts of a system share (installation guides;
         * guides to high availability listed sync for them) */
        { PATH_CLUSTER, "/sapmnt" },
        { PATH_CLUSTER, "/usr/sap" },
        /* ROMIO's documentation demands noac for directories that MPI-IO uses on NFS. Not /scratch: that is anything */
        { PATH_CLUSTER, "mpi" },
        { PATH_CLUSTER, "mpi-io" },
        /* The NFS gateways of Hadoop and MapR: the former's guide demands sync, for writes must not overtake one
         * another */
        { PATH_CLUSTER, "hdfs*" },
        { PATH_CLUSTER, "/mapr" },
        /* Pacemaker's own user; file systems on DRBD as its guide names them; a directory that is called so */
        { PATH_CLUSTER, "hacluster" },
        { PATH_CLUSTER, "drbd*" },
        { PATH_CLUSTER, "cluster" },
};

static size_t component_length(const char *p)
{
        return strcspn(p, "/");
}

static const char *skip_slashes(const char *p)
{
        return p + strspn(p, "/");
}

/* Case does not matter: Maildir and maildir, ORADATA and oradata are the same habit. */
static bool component_matches(const char *pattern, size_t n_pattern, const char *component, size_t n_component)
{
        if (n_pattern > 0 && pattern[n_pattern - 1] == '*')
                return n_component >= n_pattern - 1 && strncasecmp(pattern, component, n_pattern - 1) == 0;
        return n_component == n_pattern && strncasecmp(pattern, component, n_pattern) == 0;
}

/* Does @path, at a component's start, begin with the pattern's components? */
static bool matches_here(const char *pattern, const char *path)
{
        for (;;) {
                size_t n_pattern = component_length(pattern), n_path = component_length(path);

                if (n_path == 0 || !component_matches(pattern, n_pattern, path, n_path))
                        return false;
                pattern = skip_slashes(pattern + n_pattern);
                path = skip_slashes(path + n_path);
                if (*pattern == '\0')
                        return true;
        }
}

static bool matches(const char *pattern, const char *target)
{
        const char *p = skip_slashes(target);

        if (*pattern == '/')
                return matches_here(skip_slashes(pattern), p);
        for (; *p; p = skip_slashes(p + component_length(p)))
                if (matches_here(pattern, p))
                        return true;
        return false;
}

enum path_class path_classify(const char *target)
{
        for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
                if (matches(patterns[i].components, target))
                        return patterns[i].class;
        return PATH_ORDINARY;
}

bool path_may_be_deliberate(enum path_class c)
{
        return c == PATH_DATABASE || c == PATH_ORACLE || c == PATH_HYPERVISOR || c == PATH_STORAGE_DRIVER ||
               c == PATH_MAIL_SPOOL || c == PATH_CLUSTER;
}

bool path_may_be_written(enum path_class c)
{
        return c == PATH_ORDINARY || c == PATH_CLUSTER;
}

const char *path_class_words(enum path_class c)
{
        switch (c) {
        case PATH_DATABASE:
                return "a database's directory";
        case PATH_ORACLE:
                return "an Oracle database's files";
        case PATH_HYPERVISOR:
                return "a hypervisor's storage";
        case PATH_STORAGE_DRIVER:
                return "a storage driver's mount";
        case PATH_MAIL_SPOOL:
                return "a mail spool";
        case PATH_CLUSTER:
                return "a cluster's shared directory";
        case PATH_KUBELET:
                return "a volume of the kubelet";
        case PATH_CONTAINER:
                return "a container engine's volume";
        case PATH_ORDINARY:
        case PATH_CLASS_COUNT:
                break;
        }
        return "an ordinary directory";
}
