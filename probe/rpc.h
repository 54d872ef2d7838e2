/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/rpc.h - ONC RPC over TCP with one total deadline.
 *
 * Layer:   probe, helper only. External library: libtirpc, for its message
 *          formats only. Its clients have no total deadline and can take
 *          garbage for success (zero-length fragments), so the sockets are ours.
 * Cost:    no function here returns later than the deadline, whatever the other
 *          side sends.
 */
#pragma once

#include "policy/base.h"      /* first: sys/param.h, which libtirpc includes, has a MIN and a MAX too */

#include <rpc/rpc.h>
#include <sys/socket.h>

/* Replies longer than this are refused: the longest one that is asked for has a few hundred bytes. */
#define RPC_RECORD_MAX (64 * KIB)

struct rpc_address {
        struct sockaddr_storage storage;
        socklen_t length_bytes;
};

/* @text: a numeric IPv4 or IPv6 address, the latter with an optional scope
 * ("fe80::1%eth0"). Names are refused, so nothing is resolved.
 * Return: 0 or -EINVAL. */
int rpc_address_parse(const char *text, unsigned port, struct rpc_address *ret) must_check;

/* One connection. */
struct rpc_link {
        int fd;                         /* -1: closed */
        uint32_t xid;                   /* of the last call */
        usec_t deadline_usec;           /* CLOCK_MONOTONIC */
        uint8_t *record;                /* RPC_RECORD_MAX bytes */
};
#define RPC_LINK_CLOSED ((struct rpc_link){ .fd = -1 })

/* Connects without blocking beyond @deadline_usec. @reserved: from a port below
 * 1024 where the process may have one, else from any.
 * Return: 0, -ETIMEDOUT, -ECONNREFUSED or another negative errno of the way there. */
int rpc_link_open(const struct rpc_address *address, bool reserved, usec_t deadline_usec,
                  struct rpc_link *ret) must_check;
void rpc_link_close(struct rpc_link *link);

struct rpc_question {
        uint32_t program;
        uint32_t version;
        uint32_t procedure;
        bool as_user;                   /* AUTH_SYS with our user and group; else AUTH_NONE */
        xdrproc_t encode;               /* NULL: no arguments */
        const void *arguments;
        xdrproc_t decode;               /* NULL: no results */
        void *result;                   /* zeroed by the caller, who frees it with xdr_free() after RPC_ACCEPTED */
};

enum rpc_reply {
        RPC_ACCEPTED,
        RPC_NO_PROGRAM,                 /* the program is not there */
        RPC_OTHER_VERSION,              /* the program is there, the version is not */
        RPC_NO_PROCEDURE,
        RPC_REFUSED,                    /* authentication */
        RPC_FAULT,                      /* garbage arguments, system error and unknown statuses */
};

struct rpc_versions {
        uint32_t low;
        uint32_t high;
};

/* Calls once and waits for the reply with the call's own transaction id.
 * @ret_versions (may be NULL): what is there, with RPC_OTHER_VERSION.
 * Return: an enum rpc_reply; or -ETIMEDOUT, -ECONNRESET (closed by the other
 * side), -EBADMSG (what came is no RPC reply), -ENOMEM, another negative errno.
 * After a negative errno the link is of no further use. */
int rpc_link_call(struct rpc_link *link, const struct rpc_question *question,
                  struct rpc_versions *ret_versions) must_check;

/* Words for a result of rpc_link_open() or rpc_link_call(). */
const char *rpc_words(int reply);
