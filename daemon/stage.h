/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/stage.h - a private mount of the same export, to see what the server
 * negotiates without rsize and wsize.
 *
 * Layer:   daemon, nfstuned-mount only: blocks on NFS, needs CAP_SYS_ADMIN.
 * How:     own mount namespace (rprivate), fsopen/fsconfig/fsmount (no
 *          mount.nfs: TRIED section 1), nosharecache, nosuid, nodev, noexec,
 *          read-only; the options read back from mountinfo; the namespace dies
 *          with the process. Nothing is visible on the host.
 */
#pragma once

#include "policy/observation.h"

struct stage_limits {
        uint64_t rsize_bytes;
        uint64_t wsize_bytes;
        char *options;                  /* all effective options of the staged mount */
};

void stage_limits_done(struct stage_limits *l);

/* The options the staged mount is asked for: of the effective ones those that
 * decide how the server is reached and who asks (version, transport, port,
 * address, security, mountd's whereabouts), never rsize and wsize, and
 * nosharecache and ro. Pure. Return: 0 or -ENOMEM. */
int stage_options(const struct mount_facts *m, struct options *ret) must_check;

/* Return: 0, or a negative errno with *ret_error in words (the kernel's own
 * message where it gave one; caller frees). */
int stage_negotiate(const struct mount_facts *m, struct stage_limits *ret, char **ret_error) must_check;
