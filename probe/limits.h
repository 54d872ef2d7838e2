/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/limits.h - the largest READ and WRITE a server offers.
 *
 * Layer:   probe, helper only: the two ways that server_ask() chooses from.
 * Results: the limit_* and *_max_bytes members of struct server_facts. A limit
 *          that cannot be had stays unknown, with words in limit_detail.
 */
#pragma once

#include "probe/rpc.h"

#include "policy/observation.h"

struct limits_question {
        const struct mount_facts *mount;
        struct rpc_address nfs;         /* the NFS server, with its port */
        usec_t deadline_usec;           /* CLOCK_MONOTONIC */
};

/* MOUNT and NFS version 3: MNT, UMNT, FSINFO. The MOUNT server's port is the
 * mount's mountport= (if that is a TCP port) or what the port mapper says.
 * Return: 0 or -ENOMEM. */
int limits_v3_ask(const struct limits_question *q, struct server_facts *ret) must_check;

/* One COMPOUND of version 4.0, which needs no client id: over @link, and where
 * the server wants a port below 1024 once more over a link of its own.
 * Return: 0 or -ENOMEM. */
int limits_v4_ask(const struct limits_question *q, struct rpc_link *link, struct server_facts *ret) must_check;

enum nfs4_status {
        NFS4_OK = 0,
        NFS4ERR_PERM = 1,
        NFS4ERR_NOENT = 2,
        NFS4ERR_ACCESS = 13,
        NFS4ERR_WRONGSEC = 10016,
        NFS4ERR_MOVED = 10019,
        NFS4ERR_MINOR_VERS_MISMATCH = 10021,
};

/* An empty COMPOUND: is minor version @minor there?
 * Return: 0 with the status of the COMPOUND, or like rpc_link_call(). */
int compound_empty(struct rpc_link *link, unsigned minor, unsigned *ret_status) must_check;

/* Stores limits that make sense, or says why not. Takes no ownership.
 * Return: 0 or -ENOMEM. */
int limits_store(enum limit_source source, uint64_t read_max, uint64_t write_max, struct server_facts *ret) must_check;
int limits_unknown(struct server_facts *ret, const char *format, ...) must_check printf_like(2, 3);
