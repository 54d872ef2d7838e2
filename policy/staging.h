/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/staging.h - from present and wanted options to what has to be done.
 *
 * Layer:   policy (pure).
 * Purpose: DESIGN section 9. What is needed follows from the option table, never
 *          from trying: nothing, a live change of the superblock (sync, async,
 *          read-ahead), or a new mount in place of the old one. Both option
 *          strings are complete ones for fsconfig(2): a mount that is asked for
 *          `to` differs from one that is asked for `from` in the keys alone.
 */
#pragma once

#include "policy/advice.h"

struct staging {
        enum method method;             /* METHOD_NONE, METHOD_LIVE or METHOD_REPLACE */
        struct options keys;            /* option families that may differ afterwards: canonical keys ("rsize",
                                         * "sync", "hard"), without values */
        struct options from;            /* what a mount is asked for to become as it is now: for the way back */
        struct options to;              /* what the new one is asked for */
        uint64_t read_ahead_kib;        /* of the bdi, afterwards; 0: as it is now */
        uint64_t read_ahead_from_kib;   /* as it is now; 0: unknown */
};

void staging_done(struct staging *s);

/* Of @r[0..n-1] those are meant that plan_make() would take in the scope (@only_automatic) and, when @rules is not
 * NULL, whose rule's flag is set in it; who names a rule by hand has answered the question that it asks. Options of
 * sources alone (SOURCE) ask for no change of the mount. The options: the effective ones of o->mount.super minus what
 * the kernel adds (clientaddr, namlen, seclabel, a port of mountd or of NFS that nobody asked for, local_lock that
 * nolock brings, a size that only a session gives), addr= kept (the kernel needs it), "ro" of the superblock kept, with
 * the changes applied; bg, retry, x-*, _netdev, user, noauto are never in it, nor nosharecache unless it is effective.
 * A value with a comma (context=) stands in double quotes, as the kernel prints it: fsconfig(2) wants it without.
 * Return: 0 or -ENOMEM; METHOD_NONE when nothing has to be done. */
int staging_make(const struct observation *o, const struct recommendation *r, size_t n, bool only_automatic,
                 const bool *rules, struct staging *ret) must_check;

/* The way back: from and to are exchanged, and the read-ahead with them. Return: 0 or -ENOMEM. */
int staging_reverse(const struct staging *s, struct staging *ret) must_check;

/* Is the mount that was made (@effective: its superblock's options) what was wanted? Compared with @before
 * (the old superblock's options) it must differ in s->keys and nowhere else, and in the keys it must have what s->to
 * asks for; where s->to leaves a key out, anything but the value of @before, but for sizes (the server may give the
 * same again), of which or of the others at least one has to differ. Not compared: what the kernel adds.
 * Return: 0; 1 with *ret_words (caller frees): what differs, or that nothing would change; -ENOMEM. */
int staging_check(const struct staging *s, const struct options *before, const struct options *effective,
                  char **ret_words) must_check;
