/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/paths.h - whose files live at a path, judged by its name alone.
 *
 * Layer:   policy types (pure, no file system access).
 * Purpose: DESIGN sections 6 and 7: databases, hypervisors, mail spools,
 *          clusters and storage drivers keep their coherence options; most of
 *          them, and container volumes, are not written to by default. Each
 *          pattern has its source in paths.c.
 */
#pragma once

#include "policy/base.h"

enum path_class {
        PATH_ORDINARY,
        PATH_DATABASE,          /* postgresql, mysql, hana ... */
        PATH_ORACLE,            /* oradata ...: Oracle checks the mount options of its files at run time */
        PATH_HYPERVISOR,        /* sr-mount, rhev/data-center, /vmfs, libvirt, proxmox ... */
        PATH_STORAGE_DRIVER,    /* cinder, longhorn, CSI drivers: their configuration makes the mount */
        PATH_MAIL_SPOOL,
        PATH_CLUSTER,           /* files that several hosts work on at the same time: /sapmnt, mpi ... */
        PATH_KUBELET,           /* /var/lib/kubelet/..., CSI */
        PATH_CONTAINER,         /* docker, podman, containers/storage volumes */
        PATH_CLASS_COUNT
};

enum path_class path_classify(const char *target);

/* Does the owner of such a directory often want its coherence or error options
 * the way they are? Then they are asked about, not ordered away. Not volumes of
 * kubelet and container engines: anything may live there. */
bool path_may_be_deliberate(enum path_class c);

/* May a probe put its file there by default? In ordinary directories, and in a
 * cluster's: those hold ordinary files (SAP's profiles and transports, results
 * of a computation), which nobody takes stock of. */
bool path_may_be_written(enum path_class c);

/* Words for a sentence: "a database's directory". Never NULL. */
const char *path_class_words(enum path_class c);
