/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/mounttable.h - NFS mounts out of a mount table, through libmount.
 *
 * Layer:   probe. External library: libmount, without a cache, so that no path
 *          is ever resolved (KERNEL-FACTS 8, STYLE (a) 5).
 * Formats: mountinfo (/proc/self/mountinfo) and, for recorded files of other
 *          hosts, /proc/mounts; recognised by their first usable line. In the
 *          latter mount ids, devices and propagation are unknown (0 and ""),
 *          superblock and mount options are both set to the one merged list, and
 *          parents are not judged.
 */
#pragma once

#include <stdio.h>

#include "policy/observation.h"

/* More NFS mounts than this in one table are refused with -E2BIG. */
#define MOUNTTABLE_NFS_MAX 16384

struct mounttable {
        struct mount_facts *mounts;     /* NFS only, in the order of the file */
        size_t n_mounts;
        size_t n_lines_total;           /* all file systems */
        size_t n_lines_bad;             /* lines that could not be read; skipped */
};

/* Reads @stream to its end. Relations (covered, below_autofs, submounts,
 * duplicate) are judged over the whole table.
 * Return: 0, -ENOMEM, -E2BIG, or a negative errno of reading. */
int mounttable_parse(FILE *stream, struct mounttable *ret) must_check;

/* Opens and parses @path. */
int mounttable_read(const char *path, struct mounttable *ret) must_check;

/* Fills m->server and m->export_path from m->source. Return: 0 or -ENOMEM. */
int mount_source_split(struct mount_facts *m) must_check;

void mounttable_done(struct mounttable *t);
