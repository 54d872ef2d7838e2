/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfer limits of a version 3 server: port mapper, MNT, UMNT, FSINFO. */
#include "probe/limits.h"

#include <errno.h>
#include <rpc/pmap_prot.h>
#include <rpc/rpcb_prot.h>
#include <stdio.h>
#include <string.h>

#include "nfs.h"

#define MNT3ERR_ACCES 13

/* ---- the MOUNT server's port -------------------------------------------- */

/* An IPv4 port mapper of version 2: the oldest, and everywhere. */
static int port_by_pmap(struct rpc_link *link, unsigned *ret_port)
{
        struct pmap arguments = {
                .pm_prog = NFS_MOUNT_PROGRAM,
                .pm_vers = NFS_MOUNT_VERSION,
                .pm_prot = IPPROTO_TCP,
        };
        u_int port = 0;
        struct rpc_question question = {
                .program = PMAPPROG,
                .version = PMAPVERS,
                .procedure = PMAPPROC_GETPORT,
                .encode = (xdrproc_t)xdr_pmap,
                .arguments = &arguments,
                .decode = (xdrproc_t)xdr_u_int,
                .result = &port,
        };

        int r = rpc_link_call(link, &question, NULL);
        if (r == RPC_ACCEPTED)
                *ret_port = port;
        return r;
}

/* A universal address ends in the two bytes of the port: "::.78.80". */
static unsigned port_of_universal_address(const char *address)
{
        unsigned high, low;
        const char *dot = strrchr(address, '.');

        if (!dot || dot == address)
                return 0;
        const char *before = memrchr(address, '.', (size_t)(dot - address));
        if (!before || sscanf(before, ".%3u.%3u", &high, &low) != 2 || high > UINT8_MAX || low > UINT8_MAX)
                return 0;
        return high << 8 | low;
}

/* Version 2 of the port mapper does not exist for IPv6. */
static int port_by_rpcbind(struct rpc_link *link, unsigned *ret_port)
{
        char netid[] = "tcp6";
        char nothing[] = "";
        struct rpcb arguments = {
                .r_prog = NFS_MOUNT_PROGRAM,
                .r_vers = NFS_MOUNT_VERSION,
                .r_netid = netid,
                .r_addr = nothing,
                .r_owner = nothing,
        };
        cleanup_free char *address = NULL;
        struct rpc_question question = {
                .program = RPCBPROG,
                .version = RPCBVERS,
                .procedure = RPCBPROC_GETADDR,
                .encode = (xdrproc_t)xdr_rpcb,
                .arguments = &arguments,
                .decode = (xdrproc_t)xdr_wrapstring,
                .result = &address,
        };

        int r = rpc_link_call(link, &question, NULL);
        if (r == RPC_ACCEPTED && address)
                *ret_port = port_of_universal_address(address);
        return r;
}

/* *ret_port is 0 when no MOUNT server is registered. */
static int ask_port(const char *host, usec_t deadline_usec, unsigned *ret_port)
{
        cleanup(rpc_link_close) struct rpc_link link = RPC_LINK_CLOSED;
        struct rpc_address mapper;

        int r = rpc_address_parse(host, PMAPPORT, &mapper);
        if (r < 0)
                return r;
        r = rpc_link_open(&mapper, false, deadline_usec, &link);
        if (r < 0)
                return r;
        *ret_port = 0;
        if (mapper.storage.ss_family == AF_INET6)
                return port_by_rpcbind(&link, ret_port);
        return port_by_pmap(&link, ret_port);
}

/* The kernel prints the port that it used, with the transport that it used. */
static unsigned port_of_options(const struct options *o)
{
        const char *proto = options_value(o, "mountproto");
        uint64_t port = 0;

        if (!proto || strncmp(proto, "tcp", 3) != 0 || options_u64(o, "mountport", &port) < 0 || port > UINT16_MAX)
                return 0;
        return (unsigned)port;
}

/* Return: 0 with the address, 1 with words in *ret, or -ENOMEM. */
static int find_mountd(const struct limits_question *q, struct rpc_address *ret_address, struct server_facts *ret)
{
        const struct options *o = &q->mount->super;
        const char *host = options_value(o, "mountaddr");
        unsigned port = port_of_options(o);
        int r = 0;

        if (!host || strcmp(host, "unspecified") == 0)
                host = options_value(o, "addr");
        if (!host)
                r = limits_unknown(ret, "the address of the MOUNT service is not known") ?: 1;
        else if (port == 0 && (r = ask_port(host, q->deadline_usec, &port)) != RPC_ACCEPTED)
                r = r == -ENOMEM ? r : limits_unknown(ret, "the port mapper: %s", rpc_words(r)) ?: 1;
        else if (port == 0)
                r = limits_unknown(ret, "the server registers no MOUNT service of version 3 over TCP") ?: 1;
        else if (rpc_address_parse(host, port, ret_address) < 0)
                r = limits_unknown(ret, "the address of the MOUNT service cannot be used") ?: 1;
        return r;
}

/* ---- MNT and UMNT --------------------------------------------------------- */

/* Always after a successful MNT: the server keeps a list. Nothing depends on
 * the answer. */
static void unmount_path(struct rpc_link *link, nfs_dirpath path)
{
        struct rpc_question question = {
                .program = NFS_MOUNT_PROGRAM,
                .version = NFS_MOUNT_VERSION,
                .procedure = NFS_MOUNTPROC3_UMNT,
                .as_user = true,
                .encode = (xdrproc_t)xdr_nfs_dirpath,
                .arguments = &path,
        };

        if (rpc_link_call(link, &question, NULL) != RPC_ACCEPTED)
                return;
}

/* Return: an enum rpc_reply with the status of MNT and, when that is 0, the
 * file handle; or a negative errno. */
static int mount_path(struct rpc_link *link, nfs_dirpath path, nfs_mountres3 *ret)
{
        struct rpc_question question = {
                .program = NFS_MOUNT_PROGRAM,
                .version = NFS_MOUNT_VERSION,
                .procedure = NFS_MOUNTPROC3_MNT,
                .as_user = true,
                .encode = (xdrproc_t)xdr_nfs_dirpath,
                .arguments = &path,
                .decode = (xdrproc_t)xdr_nfs_mountres3,
                .result = ret,
        };

        int r = rpc_link_call(link, &question, NULL);
        if (r == RPC_ACCEPTED && ret->status == 0)
                unmount_path(link, path);
        return r;
}

/* Return: 0 with the file handle, 1 with words in *ret, or -ENOMEM. */
static int ask_mountd(const struct limits_question *q, nfs_mountres3 *ret_handle, struct server_facts *ret)
{
        cleanup(rpc_link_close) struct rpc_link link = RPC_LINK_CLOSED;
        struct rpc_address mountd;

        if (strlen(q->mount->export_path) > NFS_MNTPATHLEN)
                return limits_unknown(ret, "the path is too long for the MOUNT protocol") ?: 1;
        int r = find_mountd(q, &mountd, ret);
        if (r != 0)
                return r;
        r = rpc_link_open(&mountd, true, q->deadline_usec, &link);
        if (r == 0)
                r = mount_path(&link, q->mount->export_path, ret_handle);
        if (r == -ENOMEM)
                return r;
        if (r != RPC_ACCEPTED)
                return limits_unknown(ret, "the MOUNT service: %s", rpc_words(r)) ?: 1;
        if (ret_handle->status == MNT3ERR_ACCES)
                return limits_unknown(ret, "the MOUNT service denies access (it wants a port below 1024, does not "
                                           "export the path to this host, or the path is gone)") ?: 1;
        if (ret_handle->status != 0)
                return limits_unknown(ret, "the MOUNT service answers with status %u", ret_handle->status) ?: 1;
        return 0;
}

/* ---- FSINFO ----------------------------------------------------------------- */

static int ask_fsinfo(const struct limits_question *q, nfs_fh3 *handle, struct server_facts *ret)
{
        cleanup(rpc_link_close) struct rpc_link link = RPC_LINK_CLOSED;
        nfs_fsinfo3_res result = { 0 };
        struct rpc_question question = {
                .program = NFS_NFS_PROGRAM,
                .version = 3,
                .procedure = NFS_PROC3_FSINFO,
                .as_user = true,
                .encode = (xdrproc_t)xdr_nfs_fh3,
                .arguments = handle,
                .decode = (xdrproc_t)xdr_nfs_fsinfo3_res,
                .result = &result,
        };

        int r = rpc_link_open(&q->nfs, true, q->deadline_usec, &link);
        if (r == 0)
                r = rpc_link_call(&link, &question, NULL);
        if (r == -ENOMEM)
                return r;
        if (r != RPC_ACCEPTED)
                return limits_unknown(ret, "FSINFO: %s", rpc_words(r));
        if (result.status != 0)
                return limits_unknown(ret, "FSINFO answers with status %u", result.status);
        const nfs_fsinfo3_ok *ok = &result.nfs_fsinfo3_res_u.ok;
        return limits_store(LIMIT_FSINFO, ok->rtmax, ok->wtmax, ret);
}

int limits_v3_ask(const struct limits_question *q, struct server_facts *ret)
{
        nfs_mountres3 mounted = { 0 };

        int r = ask_mountd(q, &mounted, ret);
        if (r == 0)
                r = ask_fsinfo(q, &mounted.nfs_mountres3_u.ok.fhandle, ret);
        xdr_free((xdrproc_t)xdr_nfs_mountres3, &mounted);
        return r < 0 ? r : 0;
}
