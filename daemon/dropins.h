/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/dropins.h - *.conf files of several directories, of which later ones win by name.
 *
 * Layer: daemon. conf.d and servers.d are such directories.
 */
#pragma once

#include "daemon/ini_reader.h"

struct dropin {
        char *name;             /* base name */
        const char *dir;        /* borrowed */
};

struct dropins {
        struct dropin *items;   /* sorted by name */
        size_t n_items;
};

/* Looks into @dirs (NULL-terminated, weakest first; a missing one is empty). A
 * directory that cannot be read is an error of @r. Return: 0 or -ENOMEM. */
int dropins_find(struct ini_reader *r, const char *const *dirs, struct dropins *ret) must_check;
void dropins_done(struct dropins *d);

/* "DIR/NAME"; NULL on -ENOMEM. */
char *dropin_path(const struct dropin *d) must_check;
