/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transfer limits of a version 4 server: PUTROOTFH, LOOKUP*, GETATTR(maxread,
 * maxwrite) in a COMPOUND of minor version 0. Never EXCHANGE_ID or SETCLIENTID:
 * with the kernel's owner string they make the server drop the kernel's locks.
 */
#include "probe/limits.h"

#include <errno.h>
#include <string.h>

#include "nfs.h"

#define OPS_BEYOND_PATH 2       /* PUTROOTFH and GETATTR */
#define ATTRIBUTES ((1U << NFS_ATTR_MAXREAD) | (1U << NFS_ATTR_MAXWRITE))

static int compound(struct rpc_link *link, unsigned minor, nfs_argop4 *ops, size_t n_ops, nfs_compound4_res *ret)
{
        char tag[] = "nfstuned";
        nfs_compound4_args arguments = {
                .tag = tag,
                .minorversion = minor,
                .argarray = { .argarray_len = (u_int)n_ops, .argarray_val = ops },
        };
        struct rpc_question question = {
                .program = NFS_NFS_PROGRAM,
                .version = 4,
                .procedure = NFS_PROC4_COMPOUND,
                .as_user = true,
                .encode = (xdrproc_t)xdr_nfs_compound4_args,
                .arguments = &arguments,
                .decode = (xdrproc_t)xdr_nfs_compound4_res,
                .result = ret,
        };

        return rpc_link_call(link, &question, NULL);
}

static void compound_done(nfs_compound4_res *r)
{
        xdr_free((xdrproc_t)xdr_nfs_compound4_res, r);
}

int compound_empty(struct rpc_link *link, unsigned minor, unsigned *ret_status)
{
        nfs_compound4_res result = { 0 };

        int r = compound(link, minor, NULL, 0, &result);
        if (r != RPC_ACCEPTED)
                return r;
        *ret_status = result.status;
        compound_done(&result);
        return 0;
}

/* Splits @path in place and appends one LOOKUP per component.
 * Return: 0, or -ENAMETOOLONG when there are too many of them or one is too long. */
static int add_lookups(char *path, nfs_argop4 *ops, size_t *n_ops)
{
        char *rest = path;
        char *name;

        while ((name = strsep(&rest, "/"))) {
                if (name[0] == '\0' || strcmp(name, ".") == 0)
                        continue;
                if (*n_ops == NFS_OPS_MAX - 1 || strlen(name) > NFS_COMPONENT_MAX)
                        return -ENAMETOOLONG;
                ops[(*n_ops)++] = (nfs_argop4){ .argop = NFS_OP_LOOKUP, .nfs_argop4_u.objname = name };
        }
        return 0;
}

static uint64_t u64_from_network(const char bytes[static 8])
{
        uint64_t value = 0;

        for (size_t i = 0; i < 8; i++)
                value = value << 8 | (uint8_t)bytes[i];
        return value;
}

struct limits {
        uint64_t read_max_bytes;        /* 0: not said */
        uint64_t write_max_bytes;
};

/* Attribute values follow one another in the order of their numbers. */
static struct limits limits_of_attributes(const nfs_fattr4 *a)
{
        struct limits limits = { 0 };
        unsigned mask = a->attrmask.attrmask_len > 0 ? a->attrmask.attrmask_val[0] : 0;
        const char *value = a->attr_vals.attr_vals_val;
        size_t wanted = (size_t)__builtin_popcount(mask) * 8;

        if ((mask & ~ATTRIBUTES) || a->attr_vals.attr_vals_len < wanted)
                return limits;
        if (mask & (1U << NFS_ATTR_MAXREAD)) {
                limits.read_max_bytes = u64_from_network(value);
                value += 8;
        }
        if (mask & (1U << NFS_ATTR_MAXWRITE))
                limits.write_max_bytes = u64_from_network(value);
        return limits;
}

static struct limits limits_of_result(const nfs_compound4_res *result, size_t n_ops)
{
        if (result->resarray.resarray_len != n_ops)
                return (struct limits){ 0 };
        const nfs_resop4 *last = &result->resarray.resarray_val[n_ops - 1];
        if (last->resop != NFS_OP_GETATTR || last->nfs_resop4_u.getattr.status != NFS4_OK)
                return (struct limits){ 0 };
        return limits_of_attributes(&last->nfs_resop4_u.getattr.nfs_getattr4_res_u.attributes);
}

/* Return: 0 with the status of the COMPOUND and, when that is NFS4_OK, the
 * limits; -ENAMETOOLONG; or like rpc_link_call(). */
static int limits_at(struct rpc_link *link, const char *path, unsigned *ret_status, struct limits *ret)
{
        cleanup_free char *copy = strdup(path);
        nfs_argop4 ops[NFS_OPS_MAX] = { { .argop = NFS_OP_PUTROOTFH } };
        nfs_compound4_res result = { 0 };
        unsigned mask = ATTRIBUTES;
        size_t n_ops = 1;

        if (!copy)
                return -ENOMEM;
        int r = add_lookups(copy, ops, &n_ops);
        if (r < 0)
                return r;
        ops[n_ops++] = (nfs_argop4){
                .argop = NFS_OP_GETATTR,
                .nfs_argop4_u.attr_request = { .attr_request_len = 1, .attr_request_val = &mask },
        };
        r = compound(link, 0, ops, n_ops, &result);
        if (r != RPC_ACCEPTED)
                return r;
        *ret_status = result.status;
        *ret = limits_of_result(&result, n_ops);
        compound_done(&result);
        return 0;
}

static const char *status_words(unsigned status)
{
        switch (status) {
        case NFS4ERR_PERM:
                return "not permitted (a port below 1024 is wanted, or this host is not in the export's list)";
        case NFS4ERR_NOENT:
                return "the path does not exist there";
        case NFS4ERR_ACCESS:
                return "access denied";
        case NFS4ERR_WRONGSEC:
                return "another security flavour is wanted: needs a staged mount";
        case NFS4ERR_MOVED:
                return "the file system is on another server";
        case NFS4ERR_MINOR_VERS_MISMATCH:
                return "version 4.0 is not offered: needs a staged mount";
        default:
                return NULL;
        }
}

static int store(int reply, unsigned status, const struct limits *limits, struct server_facts *ret)
{
        if (reply == -ENOMEM)
                return -ENOMEM;
        if (reply != RPC_ACCEPTED)
                return limits_unknown(ret, "a COMPOUND of version 4.0 failed: %s", rpc_words(reply));
        if (status == NFS4_OK)
                return limits_store(LIMIT_V4_ATTRIBUTES, limits->read_max_bytes, limits->write_max_bytes, ret);
        const char *words = status_words(status);
        if (words)
                return limits_unknown(ret, "%s", words);
        return limits_unknown(ret, "a COMPOUND of version 4.0 failed with status %u", status);
}

/* Only the pseudo-root is open to everybody. Servers with one limit for all
 * their file systems (knfsd) give the right one there. */
static int ask_pseudo_root(struct rpc_link *link, struct server_facts *ret)
{
        struct limits limits = { 0 };
        unsigned status = 0;

        int r = store(limits_at(link, "/", &status, &limits), status, &limits, ret);
        if (r < 0 || ret->limit_source == LIMIT_UNKNOWN)
                return r;
        ret->limit_detail = strdup("of the pseudo-root: the export itself was not permitted without a port below 1024");
        return ret->limit_detail ? 0 : -ENOMEM;
}

static int ask_reserved(const struct limits_question *q, unsigned *ret_status, struct limits *ret)
{
        cleanup(rpc_link_close) struct rpc_link link = RPC_LINK_CLOSED;

        int r = rpc_link_open(&q->nfs, true, q->deadline_usec, &link);
        return r < 0 ? r : limits_at(&link, q->mount->export_path, ret_status, ret);
}

int limits_v4_ask(const struct limits_question *q, struct rpc_link *link, struct server_facts *ret)
{
        struct limits limits = { 0 };
        unsigned status = NFS4_OK;

        int r = limits_at(link, q->mount->export_path, &status, &limits);
        if (r != RPC_ACCEPTED || status != NFS4ERR_PERM)
                return store(r, status, &limits, ret);

        r = ask_reserved(q, &status, &limits);
        if (r == RPC_ACCEPTED && status != NFS4ERR_PERM)
                return store(r, status, &limits, ret);
        return ask_pseudo_root(link, ret);
}
