/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/options.h - a mount option string as a list, and back without loss.
 *
 * Layer:   policy types (pure).
 * Purpose: every option, known or not, keeps its place, its spelling and its
 *          value, so that what we print differs from what the administrator
 *          wrote in the plan's keys and nowhere else. Empty fields (",,") are
 *          kept too. A value in double quotes may contain commas (libmount's
 *          optstr.c, used by context="...").
 *
 * "Name" below is the part before the first '='; comparison is exact.
 */
#pragma once

#include "policy/text.h"

/* Not "struct option": that is the name of getopt.h. */
struct mount_option {
        char *name;             /* "" for an empty field; never NULL */
        char *value;            /* NULL: no '='; "" : "name="; part of the name's allocation */
};

struct options {
        struct mount_option *items;
        size_t n_items;
};

/* At most this many options are accepted in one string; the kernel's own limit
 * is one page of text. */
#define OPTIONS_MAX 1024

/* Parses @length_bytes bytes of @text. An empty text gives zero items.
 * Return: 0, -ENOMEM, -EINVAL for an embedded NUL or an open quote, -E2BIG. */
int options_parse(const char *text, size_t length_bytes, struct options *ret) must_check;

/* Prints all options, comma-separated. Parsing and printing gives the same
 * bytes. NULL on -ENOMEM. The caller frees the string. */
char *options_format(const struct options *o) must_check;

/* Appends one as it is written: "rsize=32768", "sync". */
void text_add_option(struct text *t, const struct mount_option *o);

/* The last option of that name (the last one wins in the kernel and in
 * mount.nfs), or NULL. */
const struct mount_option *options_find(const struct options *o, const char *name);
bool options_has(const struct options *o, const char *name);

/* Value of the last option of that name; NULL when absent or without value. */
const char *options_value(const struct options *o, const char *name);

/* A number: decimal digits with an optional suffix k, m, g (powers of 1024;
 * mount.nfs accepts them in sizes only, the caller decides).
 * Return: 0, -EINVAL when it is none, -ERANGE. */
int option_value_u64(const char *text, uint64_t *ret) must_check;

/* The same for the last option of that name. Return: -ENOENT when it is absent. */
int options_u64(const struct options *o, const char *name, uint64_t *ret) must_check;

/* Removes every option of that name. Returns how many were removed. */
size_t options_drop(struct options *o, const char *name);

/* Replaces the last option of that name in its place, removing earlier ones,
 * or appends it. @value may be NULL. Return: 0 or -ENOMEM. */
int options_set(struct options *o, const char *name, const char *value) must_check;

/* options_set() for each of @from. Return: 0 or -ENOMEM. */
int options_merge(struct options *o, const struct options *from) must_check;

/* Appends an option as it is, whatever else is named like that. Return: 0 or -ENOMEM. */
int options_add(struct options *o, const char *name, const char *value) must_check;

/* The same for a text ("rsize=32768", "sync"): the name ends at the first '='. */
int options_add_text(struct options *o, const char *text) must_check;

int options_copy(const struct options *o, struct options *ret) must_check;
void options_done(struct options *o);

/* What the options mean to the NFS client, read with the kernel's rules
 * (KERNEL-FACTS 1.2 and 4.1; nfs(5)). Zero or UNKNOWN: not said. */
enum nfs_proto {
        NFS_PROTO_UNKNOWN,
        NFS_PROTO_TCP,
        NFS_PROTO_UDP,
        NFS_PROTO_RDMA,
};

#define NFS_PORT 2049           /* RFC 7530 3.1 */

struct nfs_options {
        unsigned version_major;         /* 2, 3, 4; 0 unknown */
        int      version_minor;         /* 0..2 for version 4; -1 unknown */
        uint64_t rsize_bytes;           /* 0: not said */
        uint64_t wsize_bytes;
        enum nfs_proto proto;           /* proto=tcp6 is TCP */
        unsigned port;                  /* 0: not said, which is NFS_PORT */
        bool read_only;                 /* "ro" stands last among ro/rw */
        bool sync;                      /* "sync" stands last among sync/async */
        bool noac;
        bool soft;                      /* soft or softerr */
        bool nosharecache;
        const char *address;            /* value of addr=, borrowed; or NULL */
        const char *security;           /* value of sec=, borrowed; or NULL */
        const char *transport_security; /* value of xprtsec=, borrowed; or NULL */
};

/* Never fails: what cannot be read stays unknown. Strings are borrowed from
 * @o. vers=, nfsvers=, v3/v4.1 spellings and minorversion= are understood. */
void nfs_options_read(const struct options *o, struct nfs_options *ret);
