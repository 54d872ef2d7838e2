/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/sizes.c - rsize and wsize: used, asked for, offered. See sizes.h. */
#include "policy/sizes.h"

#include "policy/sources.h"

/* NFS_MIN_FILE_IO_SIZE and NFS_DEF_FILE_IO_SIZE: less than the first becomes the second. */
#define CLIENT_MIN_BYTES 1024
#define CLIENT_DEFAULT_BYTES 4096

/* RFC 1094 2.3.1 MAXDATA; the client's RPC over UDP carries at most 32 KiB. */
#define VERSION_2_MAX_BYTES (8 * KIB)
#define UDP_MAX_BYTES (32 * KIB)

static uint64_t power_of_two_floor(uint64_t bytes)
{
        uint64_t power = 1;

        while (power <= bytes / 2)
                power *= 2;
        return power;
}

/* The kernel's nfs_io_size(). */
static uint64_t io_size(uint64_t bytes, enum nfs_proto proto, uint64_t page_bytes)
{
        if (bytes < CLIENT_MIN_BYTES)
                return CLIENT_DEFAULT_BYTES;
        if (bytes >= CLIENT_MAX_BYTES)
                return CLIENT_MAX_BYTES;
        if (proto == NFS_PROTO_UDP || bytes < page_bytes)
                return power_of_two_floor(bytes);
        return bytes - bytes % page_bytes;
}

static uint64_t transport_cap(const struct nfs_options *effective)
{
        if (effective->version_major == 2)
                return VERSION_2_MAX_BYTES;
        return effective->proto == NFS_PROTO_UDP ? UDP_MAX_BYTES : CLIENT_MAX_BYTES;
}

/* The page size is not part of an observation: machines with larger pages exist. */
static bool asks_for(uint64_t asked, uint64_t effective, uint64_t cap, enum nfs_proto proto)
{
        static const uint64_t pages[] = { 4 * KIB, 16 * KIB, 64 * KIB };

        for (size_t i = 0; i < ARRAY_SIZE(pages); i++)
                if (MIN(io_size(asked, proto, pages[i]), cap) == effective)
                        return true;
        return false;
}

static void direction_read_source(const struct observation *o, enum nfs_proto proto, struct direction *d)
{
        d->source = source_naming(o, d->name);
        d->place = source_to_edit(o, d->name);
        if (!d->source || options_u64(&d->source->options, d->name, &d->asked_bytes) < 0)
                return;
        d->explained = asks_for(d->asked_bytes, d->effective_bytes, d->cap_bytes, proto);
        d->asked_more = !d->explained && MIN(d->asked_bytes, d->cap_bytes) > d->effective_bytes;
}

/* An eighth is the room for rounding to pages of 64 KiB and for the headers
 * that a v4.1 session subtracts; nobody pins a size that close to the offer. */
static bool clearly_below(uint64_t bytes, uint64_t offer)
{
        return bytes < offer - offer / 8;
}

/* RDMA has a cap of its own that depends on the adapter: only a staged mount,
 * which has it too, tells what would be negotiated. */
static bool offer_is_exact(const struct observation *o, const struct nfs_options *effective)
{
        return effective->proto != NFS_PROTO_RDMA || o->server.limit_source == LIMIT_STAGED;
}

static void direction_read(const struct observation *o, const struct nfs_options *effective, struct direction *d)
{
        d->cap_bytes = transport_cap(effective);
        /* Below 512 bytes the client ignores the server's word; nothing sane is below 1 KiB. */
        if (d->limit_bytes < CLIENT_MIN_BYTES)
                d->limit_bytes = 0;
        if (d->limit_bytes > 0 && offer_is_exact(o, effective))
                d->offer_bytes = MIN(io_size(d->limit_bytes, effective->proto, 4 * KIB), d->cap_bytes);
        /* A size given by hand is rounded to KiB at least; only the session's limit is not (KERNEL-FACTS 4.1). */
        d->session_limited = effective->version_major == 4 && effective->version_minor != 0 &&
                             d->effective_bytes % KIB != 0;
        d->below_offer = d->offer_bytes > 0 && d->effective_bytes > 0 && !d->session_limited &&
                         clearly_below(d->effective_bytes, d->offer_bytes);
        direction_read_source(o, effective->proto, d);
}

void directions_read(const struct observation *o, const struct nfs_options *effective,
                     struct direction ret[static DIRECTION_COUNT])
{
        bool known = o->server.limit_source != LIMIT_UNKNOWN;

        ret[DIRECTION_READ] = (struct direction){
                .name = "rsize",
                .noun = "reads",
                .effective_bytes = effective->rsize_bytes,
                .limit_bytes = known ? o->server.read_max_bytes : 0,
        };
        ret[DIRECTION_WRITE] = (struct direction){
                .name = "wsize",
                .noun = "writes",
                .effective_bytes = effective->wsize_bytes,
                .limit_bytes = known ? o->server.write_max_bytes : 0,
        };
        for (size_t i = 0; i < DIRECTION_COUNT; i++)
                direction_read(o, effective, &ret[i]);
}

bool direction_is_negotiated(const struct direction *d)
{
        if (d->source)
                return false;
        if (d->session_limited || d->effective_bytes >= d->cap_bytes)
                return true;
        return d->offer_bytes > 0 && !d->below_offer && d->effective_bytes <= d->limit_bytes;
}
