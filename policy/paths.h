/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/paths.h - whose files live at a path, judged by its name alone.
 *
 * Layer:   policy types (pure, no file system access).
 * Purpose: DESIGN sections 6 and 7: databases, hypervisors, mail spools and
 *          container volumes are not written to by default and keep their
 *          coherence options. Each pattern has its source in paths.c.
 */
#pragma once

#include "policy/base.h"

enum path_class {
        PATH_ORDINARY,
        PATH_DATABASE,          /* oradata, postgresql, mysql, hana ... */
        PATH_HYPERVISOR,        /* sr-mount, rhev/data-center, /vmfs, libvirt, proxmox ... */
        PATH_MAIL_SPOOL,
        PATH_KUBELET,           /* /var/lib/kubelet/..., CSI */
        PATH_CONTAINER,         /* docker, podman, containers/storage volumes */
        PATH_CLASS_COUNT
};

enum path_class path_classify(const char *target);

/* Words for a sentence: "a database's directory". Never NULL. */
const char *path_class_words(enum path_class c);
