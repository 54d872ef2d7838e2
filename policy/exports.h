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

struct exports {
        struct export_entry *entries;
        size_t n_entries;
};

/* What the entries say of the mount: those with the longest path that holds its
 * export path (for version 4 also below an fsid=0 root). ret->known only
 * where all of them that may apply agree; a client pattern that is an address
 * or network is compared with clientaddr=, others may apply.
 * Return: 0 or -ENOMEM. */
int exports_judge(const struct exports *e, const struct mount_facts *m, struct export_facts *ret) must_check;

/* Findings about the entries themselves: async (async-export), neither
 * subtree_check nor no_subtree_check, options of the client's side or unknown
 * ones with the nearest name (invalid-option), a blank before the
 * parenthesis. Return: 0 or -ENOMEM. */
int exports_lint(const struct exports *e, struct findings *ret) must_check;

/* Is it an option of exports(5), or of the kernel's own list? */
bool export_option_is_known(const char *name);

void export_entry_done(struct export_entry *e);
void exports_done(struct exports *e);
