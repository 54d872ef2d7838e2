/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/state_dir.c - the state directory, found without asking a server.
 *
 * Which mount a path is on is read from the mount table, as text. That is right only for paths without symbolic
 * links: a directory above the state directory that is one is treated like NFS.
 */
#include "daemon/state_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/whole_file.h"
#include "probe/descriptor.h"
#include "probe/file.h"
#include "probe/lines.h"

#define MOUNTINFO_BYTES_MAX (64 * MIB)

/* ---- on which mount? ------------------------------------------------------------------- */

/* Field number @n of a line, counted from 0. Length 0: there is none. */
static const char *field_at(const char *line, size_t length, unsigned n, size_t *ret_length)
{
        const char *end = line + length, *p = line;

        for (; n > 0 && p < end; n--) {
                const char *blank = memchr(p, ' ', (size_t)(end - p));

                p = blank ? blank + 1 : end;
        }
        const char *blank = memchr(p, ' ', (size_t)(end - p));
        *ret_length = (size_t)((blank ? blank : end) - p);
        return p;
}

/* The file system's type stands behind the lone hyphen. */
static const char *type_of(const char *line, size_t length, size_t *ret_length)
{
        static const char hyphen[] = " - ";
        const char *found = memmem(line, length, hyphen, sizeof(hyphen) - 1);

        *ret_length = 0;
        if (!found)
                return line;
        found += sizeof(hyphen) - 1;
        return field_at(found, length - (size_t)(found - line), 0, ret_length);
}

/* autofs mounts what it is asked for: that may be NFS, too. */
static bool asks_a_server(const char *type, size_t length)
{
        static const char *const types[] = { "nfs", "nfs4", "autofs" };

        for (size_t i = 0; i < ARRAY_SIZE(types); i++)
                if (strlen(types[i]) == length && memcmp(type, types[i], length) == 0)
                        return true;
        return false;
}

/* Length of @target when it is @path or above it, else 0. */
static size_t length_above(const char *target, const char *path)
{
        size_t n = strlen(target);

        if (n == 1 && target[0] == '/')
                return 1;
        return n > 0 && strncmp(target, path, n) == 0 && (path[n] == '/' || path[n] == '\0') ? n : 0;
}

bool path_is_on_nfs(const char *mountinfo, const char *path)
{
        struct line_reader lines = { mountinfo, mountinfo + strlen(mountinfo), 0 };
        const char *line;
        size_t length, longest = 0;
        bool is_nfs = false;

        while (lines_next(&lines, &line, &length)) {
                size_t n_target = 0, n_type = 0;
                const char *field = field_at(line, length, 4, &n_target), *type = type_of(line, length, &n_type);
                cleanup_free char *target = octal_decode(field, n_target);
                size_t above = target ? length_above(target, path) : 0;

                if (!target)
                        return true;    /* out of memory: better not asked than hung */
                if (above > 0 && above >= longest) {    /* of two at one place the later lies on top */
                        longest = above;
                        is_nfs = asks_a_server(type, n_type);
                }
        }
        return is_nfs;
}

/* ---- opening ---------------------------------------------------------------------------------- */

/* Others must not be able to exchange what lies in it. */
static int owner_check(int fd)
{
        struct stat st;

        if (fstat(fd, &st) < 0)
                return -errno;
        return (st.st_uid == 0 || st.st_uid == geteuid()) && !(st.st_mode & (S_IWGRP | S_IWOTH)) ? 0 : -EPERM;
}

static int parents_make(const char *path)
{
        cleanup_free char *parent = strdup(path);
        cleanup(close_descriptor) int fd = -1;
        char *slash = parent ? strrchr(parent, '/') : NULL;

        if (!slash)
                return parent ? -EINVAL : -ENOMEM;
        slash[slash == parent] = '\0';
        return directory_walk(parent, true, 0755, &fd);
}

static int open_at(const char *path, int *ret_fd)
{
        cleanup(close_descriptor) int fd = -1;
        int r = directory_walk(path, true, 0700, &fd);

        if (r == 0)
                r = owner_check(fd);
        if (r < 0)
                return r;
        *ret_fd = fd;
        fd = -1;
        return 0;
}

/* systemd separates several directories by colons; ours is the first. */
static char *wanted_path(void)
{
        const char *said = secure_getenv("STATE_DIRECTORY");
        char *path = said && said[0] == '/' ? strndup(said, strcspn(said, ":")) : strdup(STATE_DIR_DEFAULT);

        if (path)
                trailing_slash_strip(path);
        return path;
}

int state_dir_open(int *ret_fd, char **ret_path)
{
        cleanup_free char *mountinfo = NULL, *path = wanted_path();
        size_t length;
        int r = path ? file_read("/proc/self/mountinfo", MOUNTINFO_BYTES_MAX, &mountinfo, &length) : -ENOMEM;

        if (r < 0)
                return r;
        r = path_is_on_nfs(mountinfo, path) ? -ELOOP : parents_make(path);
        if (r == -ELOOP) {
                free(path);
                path = strdup(STATE_DIR_RUN);
                r = path ? parents_make(path) : -ENOMEM;
        }
        if (r == 0)
                r = open_at(path, ret_fd);
        if (r == 0 && ret_path)
                *ret_path = TAKE(path);
        return r;
}

/* ---- files ---------------------------------------------------------------------------------------- */

int state_file_write(int dir_fd, const char *name, const char *text)
{
        cleanup(whole_file_done) struct whole_file f = WHOLE_FILE_NONE;
        int r = whole_file_begin(&f, dir_fd, name, text, strlen(text), -1, 0600);

        return r < 0 ? r : whole_file_commit(&f);
}

int state_file_read(int dir_fd, const char *name, size_t cap_bytes, char **ret, size_t *ret_length_bytes)
{
        cleanup(close_descriptor) int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EINVAL;
        int r = owner_check(fd);
        return r < 0 ? r : fd_read(fd, cap_bytes, ret, ret_length_bytes);
}

int state_file_remove(int dir_fd, const char *name)
{
        if (unlinkat(dir_fd, name, 0) < 0)
                return errno == ENOENT ? 0 : -errno;
        return fsync(dir_fd) < 0 ? -errno : 0;
}

/* ---- this boot ---------------------------------------------------------------------------------------- */

int boot_id_read(char ret[static 33])
{
        cleanup_free char *text = NULL;
        size_t length, n = 0;
        int r = file_read("/proc/sys/kernel/random/boot_id", 64, &text, &length);

        if (r < 0)
                return r;
        for (const char *p = text; *p && n < 32; p++)
                if (strchr("0123456789abcdef", *p))
                        ret[n++] = *p;
        ret[n] = '\0';
        return n == 32 ? 0 : -EINVAL;
}
