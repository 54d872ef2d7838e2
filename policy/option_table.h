/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/option_table.h - every mount option of an NFS mount, as data.
 *
 * Layer:   policy types (pure, constant data).
 * Sources: nfs(5), mount(8), systemd.mount(5); what the kernel does with each:
 *          KERNEL-FACTS 1.2 (printed), 2.1 and 2.2 (remount), 4 (sizes).
 *          Options that only old or future kernels know are in the table too:
 *          "since" and "until" say so where it is known.
 */
#pragma once

#include "policy/base.h"

enum option_kind {
        OPTION_FLAG,                    /* "sync" */
        OPTION_NUMBER,                  /* "timeo=600" */
        OPTION_SIZE,                    /* bytes; "32k" in nfsmount.conf, digits elsewhere */
        OPTION_WORD,                    /* one of words[]; for sec a list of them, with colons */
        OPTION_TEXT,                    /* anything */
        OPTION_FLAG_OR_TEXT,            /* "fsc" and "fsc=NAME"; with words[]: one of them */
        OPTION_KIND_COUNT
};

/* Who acts on it. */
enum option_reader {
        READER_KERNEL,                  /* the NFS client */
        READER_VFS,                     /* generic mount flags: nosuid, noatime ... */
        READER_MOUNT_NFS,               /* mount.nfs alone: bg, retry, mounthost ... */
        READER_MOUNT,                   /* mount(8) and libmount: noauto, user, _netdev, x-... */
        READER_SYSTEMD,                 /* x-systemd.* */
        READER_COUNT
};

enum option_printed {
        PRINTED_ALWAYS,                 /* the effective value is in mountinfo whatever was asked */
        PRINTED_WHEN_SET,
        PRINTED_NEVER,
        PRINTED_COUNT
};

/* What mount -o remount does with a different value. KERNEL-FACTS 2. */
enum option_remount {
        REMOUNT_LIVE,                   /* changes it at once */
        REMOUNT_REFUSED,                /* EINVAL: only a new mount changes it */
        REMOUNT_IGNORED,                /* parsed and forgotten: only a new mount changes it */
        REMOUNT_NOT_SEEN,               /* never reaches the kernel */
        REMOUNT_COUNT
};

struct option_info {
        const char *name;               /* as it is written; "x-" and "X-" stand for any name that starts so */
        const char *canonical;          /* key of its family: "nfsvers" -> "vers", "tcp" -> "proto", "nosuid" -> "suid",
                                         * "soft" -> "hard"; equal to name for the family's own option */
        const char *canonical_value;    /* value that a flag stands for: "tcp" for tcp, "soft" for soft; NULL: its own
                                         * value */
        enum option_kind kind;
        enum option_reader reader;
        enum option_printed printed;
        enum option_remount remount;
        const char *fallback;           /* canonical value that holds when nothing is said; NULL: negotiated or none */
        uint64_t min, max;              /* NUMBER and SIZE; max 0: no bound of ours */
        const char *const *words;       /* WORD: NULL-terminated */
        const char *unit;               /* "tenths of a second", "bytes", "seconds", or NULL */
        const char *since, *until;      /* kernel versions; NULL: always, still */
        const char *obsolete;           /* why it is dead weight or an old habit; NULL: it is not */
        const char *summary;            /* one sentence: what it does */
        const char *detail;             /* for explain: what the kernel does with it, when to keep it; or NULL */
};

/* The row of that option ("rsize", "x-systemd.automount"); NULL: unknown. Any
 * x-name is known but for misspelt x-systemd. ones, which systemd passes over. */
const struct option_info *option_info(const char *name);

/* Row number @i in alphabetical order; NULL behind the last one. */
const struct option_info *option_info_at(size_t i);

/* The known name that was probably meant; NULL: none is near. */
const char *option_nearest(const char *name);

/* May the option's value be this (NULL: none)? A value that mount.nfs or the
 * kernel clamps or rounds without an error is fine, and so is 32k for a size
 * although only nfsmount.conf may say it (option_size_has_suffix). */
bool option_value_is_valid(const struct option_info *i, const char *value);

/* "32k": mount.nfs writes it out when it stands in nfsmount.conf; from fstab and
 * the command line it reaches the kernel as it is, which refuses the mount. */
bool option_size_has_suffix(const struct option_info *i, const char *value);
