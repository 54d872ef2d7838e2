/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/mountstats.h - /proc/self/mountstats of every kernel since 2.6.16.
 *
 * Layer:  probe. Pure parser and a reader. Layouts: KERNEL-FACTS 1.3 and
 *         shared fixtures in tests/data/mountstats.
 */
#pragma once

#include "policy/observation.h"
#include "policy/text.h"

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

/* Takes what it wants out of *e, whose rest is freed. Return: 0, or what ends the reading. */
typedef int mountstats_fn(void *context, struct mountstats_entry *e);

/* Block by block, out of pieces of any length: the memory does not grow with
 * the file. Zeroed but for the first three. */
struct mountstats_stream {
        mountstats_fn *take;
        void *context;
        bool options_wanted;            /* else the opts: lines are not looked at */
        size_t n_devices;               /* "device" lines of any file system so far */
        bool counters_cut;              /* the last NFS block has figures, but not the table of operations */
        struct mountstats_entry entry;  /* the block that is being read */
        bool in_block;
        bool in_ops;                    /* after "per-op statistics" */
        struct text opts;               /* may be wrapped over several lines */
        struct text rest;               /* a line that is not whole yet */
};

int mountstats_feed(struct mountstats_stream *s, const char *data, size_t length_bytes) must_check;
int mountstats_end(struct mountstats_stream *s) must_check;
void mountstats_stream_done(struct mountstats_stream *s);

/* Lines and columns it does not know are skipped; a block that cannot be
 * understood keeps counters.known == false. Never reads beyond @length_bytes.
 * Return: 0 or -ENOMEM. */
int mountstats_parse(const char *text, size_t length_bytes, struct mountstats *ret) must_check;
void mountstats_done(struct mountstats *m);

/* Moves each block's counters to its mount: joined by target, source and, while
 * mounts are stacked, by their order in the two files. Mounts without a block
 * get counters.known = false at the end. */
struct mountstats_joiner;
struct mountstats_joiner *mountstats_joiner_new(struct snapshot *s) must_check;   /* NULL on -ENOMEM */
int mountstats_joiner_take(void *joiner, struct mountstats_entry *e) must_check;  /* a mountstats_fn; 0 */
void mountstats_joiner_end(struct mountstats_joiner *j);
void mountstats_joiner_free(struct mountstats_joiner *j);

/* The same from a file. Return: 0, -ENOMEM, or the negative errno of @path: the
 * counters are as they were then, at least where no block came. */
int mountstats_join(const char *path, struct snapshot *s) must_check;
