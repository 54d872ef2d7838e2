/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/nfs_options.c - what the options mean to the NFS client. See options.h. */
#include "policy/options.h"

#include <string.h>

/* "3", "4", "4.2" */
static void version_read(const char *text, struct nfs_options *ret)
{
        if (text[0] < '2' || text[0] > '4')
                return;
        if (text[1] == '\0') {
                ret->version_major = (unsigned)(text[0] - '0');
                ret->version_minor = -1;
        } else if (text[0] == '4' && text[1] == '.' && text[2] >= '0' && text[2] <= '2' && text[3] == '\0') {
                ret->version_major = 4;
                ret->version_minor = text[2] - '0';
        }
}

static void minor_version_read(const char *text, int *ret)
{
        if (text[0] >= '0' && text[0] <= '2' && text[1] == '\0')
                *ret = text[0] - '0';
}

static enum nfs_proto proto_read(const char *text, enum nfs_proto otherwise)
{
        static const struct {
                const char *name;
                enum nfs_proto proto;
        } names[] = {
                { "tcp",  NFS_PROTO_TCP  }, { "tcp6",  NFS_PROTO_TCP  },
                { "udp",  NFS_PROTO_UDP  }, { "udp6",  NFS_PROTO_UDP  },
                { "rdma", NFS_PROTO_RDMA }, { "rdma6", NFS_PROTO_RDMA },
        };

        for (size_t i = 0; i < ARRAY_SIZE(names); i++)
                if (strcmp(text, names[i].name) == 0)
                        return names[i].proto;
        return otherwise;
}

/* Two or more names that undo one another; the one that stands last counts. */
static void flag_read(const char *name, struct nfs_options *ret)
{
        static const struct {
                const char *name;
                size_t offset;
                bool value;
        } flags[] = {
                { "ro",           offsetof(struct nfs_options, read_only),    true  },
                { "rw",           offsetof(struct nfs_options, read_only),    false },
                { "sync",         offsetof(struct nfs_options, sync),         true  },
                { "async",        offsetof(struct nfs_options, sync),         false },
                { "noac",         offsetof(struct nfs_options, noac),         true  },
                { "ac",           offsetof(struct nfs_options, noac),         false },
                { "soft",         offsetof(struct nfs_options, soft),         true  },
                { "softerr",      offsetof(struct nfs_options, soft),         true  },
                { "hard",         offsetof(struct nfs_options, soft),         false },
                { "nosharecache", offsetof(struct nfs_options, nosharecache), true  },
                { "sharecache",   offsetof(struct nfs_options, nosharecache), false },
        };

        for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
                if (strcmp(name, flags[i].name) == 0)
                        memcpy((char *)ret + flags[i].offset, &flags[i].value, sizeof(bool));
        ret->proto = proto_read(name, ret->proto);
        /* nfs(5): v2, v3, v4, v4.0 ... as flags */
        if (name[0] == 'v')
                version_read(name + 1, ret);
}

static void value_read(const char *name, const char *value, struct nfs_options *ret, int *minor)
{
        if (strcmp(name, "vers") == 0 || strcmp(name, "nfsvers") == 0)
                version_read(value, ret);
        else if (strcmp(name, "minorversion") == 0)
                minor_version_read(value, minor);
        else if (strcmp(name, "proto") == 0)
                ret->proto = proto_read(value, ret->proto);
}

static uint64_t size_read(const struct options *o, const char *name)
{
        uint64_t bytes;

        return options_u64(o, name, &bytes) == 0 ? bytes : 0;
}

void nfs_options_read(const struct options *o, struct nfs_options *ret)
{
        uint64_t port = size_read(o, "port");
        int minor = -1;

        *ret = (struct nfs_options){
                .version_minor = -1,
                .rsize_bytes = size_read(o, "rsize"),
                .wsize_bytes = size_read(o, "wsize"),
                .port = port <= UINT16_MAX ? (unsigned)port : 0,
                .address = options_value(o, "addr"),
                .security = options_value(o, "sec"),
                .transport_security = options_value(o, "xprtsec"),
        };
        for (size_t i = 0; i < o->n_items; i++) {
                if (o->items[i].value)
                        value_read(o->items[i].name, o->items[i].value, ret, &minor);
                else
                        flag_read(o->items[i].name, ret);
        }
        if (ret->version_major == 4 && ret->version_minor < 0)
                ret->version_minor = minor;
}
