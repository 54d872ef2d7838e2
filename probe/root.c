/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/root.c - the paths of a live host.
 */
#include "probe/root.h"

/* systemd.unit(5), strongest first; the places nobody keeps mount units in are
 * left out. */
static const char *const unit_dirs[] = {
        "/run/systemd/transient",
        "/etc/systemd/system",
        "/run/systemd/system",
        "/run/systemd/generator",
        "/usr/local/lib/systemd/system",
        "/usr/lib/systemd/system",
        "/lib/systemd/system",
        "/run/systemd/generator.late",
        NULL
};

/* nfs-utils' conf_init_file(): content of later files overrides earlier ones. */
static const char *const nfsmount_confs[] = {
        "/usr/etc/nfsmount.conf",
        "/usr/etc/nfsmount.conf.d",
        "/etc/nfsmount.conf",
        "/etc/nfsmount.conf.d",
        NULL
};

const struct probe_root probe_root_host = {
        .mountinfo = "/proc/self/mountinfo",
        .mountstats = "/proc/self/mountstats",
        .fstab = "/etc/fstab",
        .utab = "/run/mount/utab",
        .cmdline = "/proc/cmdline",
        .sys = "/sys",
        .unit_dirs = unit_dirs,
        .nfsmount_confs = nfsmount_confs,
};
