/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/staged.h - a mount in a private namespace, seen by nobody, checked before it is used.
 *
 * Layer:   nfstuned-mount only; blocks on NFS.
 */
#pragma once

#include "policy/observation.h"

struct staged {
        int fd;                         /* the mount; attached in the private namespace only. -1: none */
        struct mount_facts facts;       /* as the mount table shows it */
};

/* Mounts @options of m->source where nobody sees it, with the flags @attributes, and reads it back. The caller is in a
 * private namespace (mountpoint_leave()). Return: 0; 1 with words when it was refused; -ENOMEM. */
int staged_open(const struct mount_facts *m, const struct options *options, unsigned attributes, struct staged *ret,
                char **ret_words) must_check;

/* A detached clone of it, which can be attached in another namespace. Return: 0 or a negative errno. */
int staged_clone(const struct staged *s, int *ret_fd) must_check;

void staged_done(struct staged *s);

/* Something hangs in it: what it still asks of the server fails, and it is unmounted. Else the kernel would go on with
 * that for ever, on the connection that it shares with the mount in use. The caller is in the private namespace still. */
void staged_abort(struct staged *s);
