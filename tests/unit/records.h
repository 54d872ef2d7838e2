/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of records and requests share: a mount, a staging, a state directory. */
#pragma once

#include <fcntl.h>

#include "policy/staging.h"
#include "tests/unit/golden.h"
#include "tests/unit/tree.h"

static inline void options_of(struct options *o, const char *text)
{
        ck_assert_int_eq(options_parse(text, strlen(text), o), 0);
}

static inline struct mount_facts mount_make(const char *target)
{
        struct mount_facts m = {
                .mount_id = 71, .parent_id = 22, .device = { 0, 44 }, .target = strdup(target),
                .source = strdup("server:/srv/data"), .server = strdup("server"), .export_path = strdup("/srv/data"),
                .fstype = strdup("nfs4"), .propagation = strdup("shared:12"),
        };

        options_of(&m.vfs, "rw,nosuid,relatime");
        options_of(&m.super, "rw,sync,vers=4.2,rsize=32768,wsize=32768,hard,addr=10.0.0.1");
        return m;
}

static inline struct staging staging_of(void)
{
        struct staging s = { .method = METHOD_REPLACE, .read_ahead_kib = 15360, .read_ahead_from_kib = 128 };

        options_of(&s.keys, "rsize,wsize,sync");
        options_of(&s.from, "rw,sync,vers=4.2,rsize=32768,wsize=32768,hard,addr=10.0.0.1");
        options_of(&s.to, "rw,vers=4.2,hard,addr=10.0.0.1");
        return s;
}

static inline void expect_options(const char *what, const struct options *o, const char *text)
{
        cleanup_free char *now = options_format(o);

        ck_assert_msg(now && strcmp(now, text) == 0, "%s: want %s, got %s", what, text, now);
}

static inline void expect_same_staging(const struct staging *s)
{
        ck_assert_int_eq(s->method, METHOD_REPLACE);
        expect_options("keys", &s->keys, "rsize,wsize,sync");
        expect_options("from", &s->from, "rw,sync,vers=4.2,rsize=32768,wsize=32768,hard,addr=10.0.0.1");
        expect_options("to", &s->to, "rw,vers=4.2,hard,addr=10.0.0.1");
        ck_assert_uint_eq(s->read_ahead_kib, 15360);
        ck_assert_uint_eq(s->read_ahead_from_kib, 128);
}

/* The directory of the test as a state directory. */
static inline int tree_open(void)
{
        int fd = open(tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        ck_assert_int_ge(fd, 0);
        return fd;
}

static inline bool tree_has(const char *name)
{
        struct stat st;

        return lstat(tree_path(name), &st) == 0;
}

static inline char *tree_read(const char *name)
{
        char *text = NULL;
        size_t length;
        int r = file_read(tree_path(name), 1 * MIB, &text, &length);

        ck_assert_msg(r == 0, "%s: %s", name, strerror(-r));
        return text;
}

static inline void expect_file(const char *name, const char *text)
{
        cleanup_free char *now = tree_read(name);

        ck_assert_msg(strcmp(now, text) == 0, "%s: want\n%s\ngot\n%s", name, text, now);
}
