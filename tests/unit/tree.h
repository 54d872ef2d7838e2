/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory of one test, with files in it. Used as a checked fixture. */
#pragma once

#include <check.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/base.h"

static char tree[] = "/tmp/nfstuned-test.XXXXXX";

static may_be_unused void tree_setup(void)
{
        ck_assert_ptr_nonnull(mkdtemp(tree));
}

static int tree_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
        (void)st;
        (void)type;
        (void)ftw;
        return remove(path);
}

static may_be_unused void tree_teardown(void)
{
        ck_assert_int_eq(nftw(tree, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* Path below the tree; valid for the next 63 calls. */
static inline const char *tree_path(const char *name)
{
        static char paths[64][PATH_MAX];
        static unsigned next;
        char *path = paths[next++ % ARRAY_SIZE(paths)];

        snprintf(path, sizeof(paths[0]), "%s/%s", tree, name);
        return path;
}

/* Makes the directories above @path. */
static inline void tree_parents(const char *path)
{
        char copy[PATH_MAX];

        snprintf(copy, sizeof(copy), "%s", path);
        for (char *slash = copy + strlen(tree) + 1; (slash = strchr(slash, '/')); slash++) {
                *slash = '\0';
                (void)mkdir(copy, 0700);        /* it may be there */
                *slash = '/';
        }
}

static inline void tree_write(const char *name, const char *text)
{
        const char *path = tree_path(name);

        tree_parents(path);
        FILE *f = fopen(path, "w");
        ck_assert_msg(f != NULL, "%s", path);
        fputs(text, f);
        ck_assert_int_eq(fclose(f), 0);
}

static inline void tree_link(const char *name, const char *target)
{
        const char *path = tree_path(name);

        tree_parents(path);
        ck_assert_int_eq(symlink(target, path), 0);
}
