/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/manager.h - the event loop: observe, probe, evaluate, log.
 *
 * Layer:   daemon. External library: sd-event (libmount's monitor lives in
 *          daemon/mountwatch.h, notifications in daemon/notify.h).
 * Never:   a system call that resolves a path on an NFS mount. DESIGN section 4.
 */
#pragma once

#include "daemon/config.h"
#include "daemon/journal.h"
#include "probe/root.h"

struct manager_options {
        const char *config_file;        /* --config */
        bool config_must_exist;
        const char *build_profiles;     /* servers.d of the build tree; NULL: run from elsewhere */
        bool once;                      /* one round, then return */
        bool passive;                   /* --passive: write nothing */
        bool json;                      /* --once --json */
        bool observation;               /* --once --observation */
        const char *const *targets;     /* --once MOUNT...; NULL-terminated; NULL: all */
        const char *helper_dir;         /* where nfstuned-probe and nfstuned-mount are */
        const char *mount_socket;       /* nfstuned-mount.socket; NULL: start it as a child */
        const struct probe_root *root;
        struct journal journal;
};

/* Runs the service until SIGTERM, or one round with @once.
 * Takes over @params. Return: the exit status of the program. */
int manager_run(const struct manager_options *options, struct params *params);
