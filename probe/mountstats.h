/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/mountstats.h - /proc/self/mountstats of every kernel since 2.6.16.
 *
 * Layer:  probe. Pure parser and a reader. Layouts: KERNEL-FACTS 1.3 and
 *         shared fixtures in tests/data/mountstats.
 */
#pragma once

#include "policy/observation.h"

/* One "device ..." block of an NFS mount. */
struct mountstats_entry {
        char *source;
        char *target;                   /* decoded */
        char *fstype;
        struct options options;         /* the opts: line */
        struct counters counters;
};

struct mountstats {
        struct mountstats_entry *entries;       /* NFS only, in file order */
        size_t n_entries;
};

/* Lines and columns it does not know are skipped; a block that cannot be
 * understood keeps counters.known == false. Never reads beyond @length_bytes.
 * Return: 0 or -ENOMEM. */
int mountstats_parse(const char *text, size_t length_bytes, struct mountstats *ret) must_check;
int mountstats_read(const char *path, struct mountstats *ret) must_check;
void mountstats_done(struct mountstats *m);

/* Copies the counters of each mount of @s out of @m: joined by target, source
 * and, while mounts are stacked, by their order in the two files. Mounts
 * without a block get counters.known = false.
 * Return: 0 or -ENOMEM. */
int mountstats_join(const struct mountstats *m, struct snapshot *s) must_check;
