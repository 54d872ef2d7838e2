/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/namespaces.h - one superblock in every mount namespace of the host.
 *
 * Layer:    nfstuned-mount only. Never asks a server: text below /proc, and links of /proc/PID.
 * Cost:     each process costs two readlink(2), each namespace one mount table (ten thousand lines: some 20 ms), and
 *           only a table in which the device occurs is parsed. Whoever has CAP_SYS_PTRACE reads the namespaces' names;
 *           without it they are told apart by a digest of the table's text, once per process.
 * Not seen: a namespace without a process (one that is held by a descriptor or a bind mount alone), and mounts that
 *           were detached from their namespace. The former keeps an unmount from succeeding (EBUSY), the latter do not
 *           matter to it.
 */
#pragma once

#include "policy/observation.h"

/* A process, by what it sees. */
struct process {
        uint64_t pid;
        char *directory;                /* PROC/PID */
        char *namespace;                /* "mnt:[4026531841]", or a digest of its table */
        char *root;                     /* where its "/" is: its table tells what is below, as seen from there */
};

/* One NFS mount in a namespace. */
struct spot {
        uint64_t mount_id;
        char *path;                     /* as links of /proc name it, whatever the process's root is */
        struct options vfs;             /* its own flags */
        char *propagation;
        bool of_superblock;             /* else: a file system that hides a part of it */
        bool in_use;                    /* something is mounted on it: an unmount elsewhere leaves it alone */
        char *parent_propagation;
        char *place_on_parent;
};

struct view {
        const struct process *seen_by;  /* NULL: every process of it ended meanwhile */
        const char *namespace;
        struct spot *spots;
        size_t n_spots;
};

struct namespaces {
        const char *proc;
        const struct mount_facts *mount;
        uint64_t own_pid;
        struct process *processes;      /* sorted by namespace, then by the length of root */
        size_t n_processes;
        size_t processes_size;
        struct view *views;             /* one per namespace, in the same order */
        size_t n_views;
        const struct view *own;
};

void namespaces_done(struct namespaces *n);

/* @proc: "/proc"; @m is borrowed, as @proc is. Return: 0 or a negative errno. */
int namespaces_read(const char *proc, const struct mount_facts *m, struct namespaces *ret) must_check;

/* The number after @tag ("shared:", "master:") in "shared:12 master:3"; 0: none. @propagation may be NULL. */
uint64_t propagation_group(const char *propagation, const char *tag);

/* The process's name as people may see it, "" when it is gone; NULL on -ENOMEM. @p: NULL is "". */
char *process_command(const struct process *p) must_check;

/* The superblock's mount of that id, or NULL. */
const struct spot *spot_find(const struct view *v, uint64_t mount_id);
