/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/sizes.c - rsize and wsize: used, asked for, offered. See sizes.h. */
#include "policy/sizes.h"

#include <errno.h>
#include <string.h>

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

bool size_comes_from(uint64_t effective_bytes, uint64_t asked_bytes, const struct nfs_options *effective)
{
        return asks_for(asked_bytes, effective_bytes, transport_cap(effective), effective->proto);
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

/* What the client would make of the number of a line that is not mounted, or
 * of the default that another file gives. */
static uint64_t bytes_of_line(const struct observation *o, const struct nfs_options *effective,
                              const struct direction *d)
{
        const struct requested *source = source_naming(o, d->name);
        uint64_t asked = d->effective_bytes;

        if (asked == 0 && (!source || options_u64(&source->options, d->name, &asked) < 0))
                return 0;
        return asked > 0 ? MIN(io_size(asked, effective->proto, 4 * KIB), d->cap_bytes) : 0;
}

static void direction_read(const struct observation *o, const struct nfs_options *effective, struct direction *d)
{
        d->cap_bytes = transport_cap(effective);
        if (o->only_requested)
                d->effective_bytes = bytes_of_line(o, effective, d);
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

/* ---- trials ---------------------------------------------------------------- */

/* Which sizes did the candidate have? Return: 1; 0 when it changed something else too, or nothing; -ENOMEM. */
static int tried_sizes(const struct trial_facts *t, const struct direction d[static DIRECTION_COUNT],
                       uint64_t ret[static DIRECTION_COUNT])
{
        cleanup(options_done) struct options o = { 0 };
        int r = t->options ? options_parse(t->options, strlen(t->options), &o) : 0;
        bool readable = o.n_items > 0 && t->pairs > 0;

        if (r == -ENOMEM)
                return r;
        for (size_t i = 0; i < DIRECTION_COUNT; i++) {
                ret[i] = d[i].effective_bytes;
                if (options_has(&o, d[i].name))
                        readable = readable && options_u64(&o, d[i].name, &ret[i]) == 0 && ret[i] > 0;
        }
        for (size_t i = 0; i < o.n_items; i++)
                readable = readable && (strcmp(o.items[i].name, d[DIRECTION_READ].name) == 0 ||
                                        strcmp(o.items[i].name, d[DIRECTION_WRITE].name) == 0);
        return readable && d[DIRECTION_READ].effective_bytes > 0 && d[DIRECTION_WRITE].effective_bytes > 0;
}

/* The same candidate with another workload. */
static bool lost_elsewhere(const struct observation *o, const char *options)
{
        for (size_t i = 0; i < o->n_trials; i++)
                if (o->trials[i].options && strcmp(o->trials[i].options, options) == 0 &&
                    o->trials[i].ratio_low_permille > 1000)
                        return true;
        return false;
}

static bool is_better(const struct observation *o, const struct trial_facts *t, const struct trial_facts *best)
{
        return t->ratio_high_permille < TRIAL_FASTER_PERMILLE && !lost_elsewhere(o, t->options) &&
               (!best || t->ratio_permille < best->ratio_permille);
}

static void judge_trial(const struct observation *o, const struct direction d[static DIRECTION_COUNT],
                        const struct trial_facts *t, const uint64_t tried[static DIRECTION_COUNT],
                        struct size_trials *ret)
{
        uint64_t r = d[DIRECTION_READ].effective_bytes, w = d[DIRECTION_WRITE].effective_bytes;
        uint64_t tried_r = tried[DIRECTION_READ], tried_w = tried[DIRECTION_WRITE];

        if (tried_r >= r && tried_w >= w && (tried_r > r || tried_w > w)) {
                ret->larger_is_slower = ret->larger_is_slower || t->ratio_low_permille > 1000;
                if (!is_better(o, t, ret->larger))
                        return;
                ret->larger = t;
                memcpy(ret->larger_bytes, tried, sizeof(ret->larger_bytes));
        } else if (tried_r < r && tried_w < w && is_better(o, t, ret->smaller)) {
                ret->smaller = t;
        }
}

int size_trials_read(const struct observation *o, const struct direction d[static DIRECTION_COUNT],
                     struct size_trials *ret)
{
        *ret = (struct size_trials){ 0 };
        for (size_t i = 0; i < o->n_trials; i++) {
                uint64_t tried[DIRECTION_COUNT];
                int r = tried_sizes(&o->trials[i], d, tried);

                if (r < 0)
                        return r;
                if (r > 0)
                        judge_trial(o, d, &o->trials[i], tried, ret);
        }
        return 0;
}
