/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/whole_file.c - temporary file, fsync, rename.
 *
 * Paths are walked rather than opened by openat2(2) with RESOLVE_NO_SYMLINKS: what is missing is made on the way, and no
 * sandbox that refuses that call is in the way.
 */
#include "daemon/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "probe/descriptor.h"
#include "probe/file.h"

/* ---- directories ---------------------------------------------------------------------- */

static int directory_open(int at, const char *name, int flags)
{
        int fd = openat(at, name, flags | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int error = fd < 0 ? errno : 0;
        struct stat st;

        if (error == ENOTDIR && fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
                return -ELOOP;
        return fd < 0 ? -error : fd;
}

/* One component further: *fd is exchanged. */
static int step_into(int *fd, const char *name, bool make, mode_t mode, int flags)
{
        int next = directory_open(*fd, name, flags);

        if (next == -ENOENT && make) {
                bool made = mkdirat(*fd, name, mode) == 0;

                if ((!made && errno != EEXIST) || (made && fchmodat(*fd, name, mode, 0) < 0))  /* whatever the umask */
                        return -errno;
                next = directory_open(*fd, name, flags);
        }
        if (next < 0)
                return next;
        close_descriptor(fd);
        *fd = next;
        return 0;
}

int directory_walk(const char *path, bool make, mode_t mode, int *ret_fd)
{
        cleanup_free char *copy = strdup(path);
        cleanup(close_descriptor) int fd = -1;
        char *state = NULL;
        int r = 0;

        if (!copy)
                return -ENOMEM;
        if (path[0] != '/')
                return -EINVAL;
        fd = directory_open(AT_FDCWD, "/", O_PATH);
        if (fd < 0)
                return fd;
        for (char *name = strtok_r(copy, "/", &state); name && r == 0; name = strtok_r(NULL, "/", &state))
                r = strcmp(name, "..") == 0 ? -EINVAL : step_into(&fd, name, make, mode, O_PATH);
        if (r == 0)
                r = step_into(&fd, ".", false, 0, O_RDONLY);
        if (r < 0)
                return r;
        *ret_fd = fd;
        fd = -1;
        return 0;
}

/* ---- leftovers ---------------------------------------------------------------------------- */

static char *temporary_prefix(const char *name)
{
        char *prefix = NULL;

        return asprintf(&prefix, ".%s.nfstuned-", name) < 0 ? NULL : prefix;
}

/* Its writer is gone; our own number means one before us, as nobody writes two at a time. */
static bool is_leftover(const char *entry, const char *prefix)
{
        size_t n = strlen(prefix);
        uint64_t pid;

        if (strncmp(entry, prefix, n) != 0 || u64_parse(entry + n, &pid) < 0 || pid == 0 || pid > INT32_MAX)
                return false;
        return (pid_t)pid == getpid() || (kill((pid_t)pid, 0) < 0 && errno == ESRCH);
}

/* Whatever cannot be removed stays, and disturbs nobody. */
static void leftovers_remove(int dir_fd, const char *prefix)
{
        int fd = directory_open(dir_fd, ".", O_RDONLY);
        cleanup(close_directory) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
        const struct dirent *entry;

        if (!dir) {
                close_descriptor(&fd);
                return;
        }
        while ((entry = readdir(dir)))
                if (is_leftover(entry->d_name, prefix))
                        (void)unlinkat(dir_fd, entry->d_name, 0);
}

/* ---- writing ---------------------------------------------------------------------------------- */

static int bytes_write(int fd, const char *bytes, size_t n)
{
        while (n > 0) {
                ssize_t written = write(fd, bytes, n);

                if (written < 0 && errno == EINTR)
                        continue;
                if (written < 0)
                        return -errno;
                bytes += written;
                n -= (size_t)written;
        }
        return 0;
}

/* SELinux would label a new file after its directory. */
static int label_copy(int from_fd, int to_fd)
{
        static const char name[] = "security.selinux";
        char now[256], label[256];
        ssize_t n = fgetxattr(from_fd, name, label, sizeof(label));

        if (n < 0)
                return errno == ENODATA || errno == ENOTSUP ? 0 : -errno;
        if (fgetxattr(to_fd, name, now, sizeof(now)) == n && memcmp(now, label, (size_t)n) == 0)
                return 0;
        return fsetxattr(to_fd, name, label, (size_t)n, 0) < 0 ? -errno : 0;
}

static int likeness_copy(int from_fd, int to_fd)
{
        struct stat from, to;

        if (fstat(from_fd, &from) < 0 || fstat(to_fd, &to) < 0)
                return -errno;
        /* asked for only where needed: the sandbox has no chown(2) */
        if ((from.st_uid != to.st_uid || from.st_gid != to.st_gid) && fchown(to_fd, from.st_uid, from.st_gid) < 0)
                return -errno;
        if (fchmod(to_fd, from.st_mode & 0777) < 0)
                return -errno;
        return label_copy(from_fd, to_fd);
}

static int temporary_write(struct whole_file *f, const char *bytes, size_t n_bytes, int like_fd, mode_t mode)
{
        int r = bytes_write(f->fd, bytes, n_bytes);

        if (r == 0 && like_fd >= 0)
                r = likeness_copy(like_fd, f->fd);
        else if (r == 0 && fchmod(f->fd, mode) < 0)     /* whatever the umask */
                r = -errno;
        return r == 0 && fsync(f->fd) < 0 ? -errno : r;
}

int whole_file_begin(struct whole_file *f, int dir_fd, const char *name, const char *bytes, size_t n_bytes,
                     int like_fd, mode_t mode)
{
        cleanup_free char *prefix = temporary_prefix(name);
        cleanup(whole_file_done) struct whole_file w = { .dir_fd = dir_fd, .fd = -1, .name = strdup(name) };
        char *temporary = NULL;

        if (!prefix || !w.name || asprintf(&temporary, "%s%ld", prefix, (long)getpid()) < 0)
                return -ENOMEM;
        leftovers_remove(dir_fd, prefix);
        w.fd = openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (w.fd < 0) {
                int r = -errno;

                free(temporary);
                return r;
        }
        w.temporary = temporary;
        int r = temporary_write(&w, bytes, n_bytes, like_fd, mode);
        if (r < 0)
                return r;
        *f = w;
        w = (struct whole_file)WHOLE_FILE_NONE;
        return 0;
}

int whole_file_commit(struct whole_file *f)
{
        if (renameat(f->dir_fd, f->temporary, f->dir_fd, f->name) < 0)
                return -errno;
        free_charp(&f->temporary);
        return fsync(f->dir_fd) < 0 ? -errno : 0;
}

void whole_file_done(struct whole_file *f)
{
        if (f->temporary)
                (void)unlinkat(f->dir_fd, f->temporary, 0);
        free_charp(&f->temporary);
        free_charp(&f->name);
        close_descriptor(&f->fd);
        f->dir_fd = -1;
}
