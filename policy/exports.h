/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/exports.h - the server's own words: /etc/exports, exportfs -v.
 *
 * Layer:   policy (pure). probe/exports.h reads the text.
 * Sources: exports(5), exportfs(8).
 */
#pragma once

#include "policy/advice.h"

/* One client of one exported path. */
struct export_entry {
        char *path;             /* decoded */
        char *client;           /* "*", "192.0.2.0/24", "@group"; "" for the whole world */
        struct options options; /* of this client, after the line's "-options" */
        struct place place;     /* kind PLACE_EXPORTS */
        char *text;             /* "/srv/data 192.0.2.0/24(rw,async)" */
        bool  complete;         /* from exportfs -v, which prints every option */
        bool  blank_before_options; /* "host (rw)": the options belong to the world, not to the host */
};

struct export_index;

struct exports {
        struct export_entry *entries;
        size_t n_entries;
        struct export_index *index;     /* exports_sort(); NULL: none yet */
};

/* Once the entries are all there, before exports_judge(): their index, so that
 * each of many mounts finds its own at once. Return: 0 or -ENOMEM. */
int exports_sort(struct exports *e) must_check;

/* What the entries say of the mount: those with the longest path that holds its
 * export path (for version 4 also below an fsid=0 root). ret->known only
 * where all of them that may apply agree; a client pattern that is an address
 * or network is compared with clientaddr=, others may apply. Nothing is known
 * without exports_sort().
 * Return: 0 or -ENOMEM. */
int exports_judge(const struct exports *e, const struct mount_facts *m, struct export_facts *ret) must_check;

/* Findings about the entries themselves: async (async-export), neither
 * subtree_check nor no_subtree_check, options of the client's side or unknown
 * ones with the nearest name (invalid-option), a blank before the
 * parenthesis. Return: 0 or -ENOMEM. */
int exports_lint(const struct exports *e, struct findings *ret) must_check;

/* Is it an option of exports(5), or of the kernel's own list? */
bool export_option_is_known(const char *name);

/* The last of sync and async; *ret_said: one of them is written there. */
bool export_is_async(const struct export_entry *e, bool *ret_said);

/* Made by the server for the paths that lead to the exports: says nothing of files. */
bool export_is_pseudo(const struct export_entry *e);

/* The same path and client? exportfs keeps the first of such entries. */
bool export_repeats(const struct export_entry *a, const struct export_entry *b);

/* All but pseudo entries by path, client and place in the file: neighbours repeat
 * each other. The caller frees the array. Return: 0 or -ENOMEM. */
int exports_by_client(const struct exports *e, const struct export_entry ***ret, size_t *ret_n) must_check;

static inline void export_listp(const struct export_entry ***list)
{
        free(*list);
}

void export_entry_done(struct export_entry *e);
void exports_done(struct exports *e);
