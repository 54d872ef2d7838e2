/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/file.c - whole small files, snippet directories, strict numbers.
 */
#include "probe/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/descriptor.h"

/* Makes room for at least one byte more and the NUL, never for more than the
 * cap and one byte, which tells "exactly the cap" from "longer". */
static int grow(char **data, size_t *size_bytes, size_t cap_bytes)
{
        size_t size = *size_bytes ? *size_bytes * 2 : 4096;

        if (size > cap_bytes + 2)
                size = cap_bytes + 2;
        char *bigger = realloc(*data, size);
        if (!bigger)
                return -ENOMEM;
        *data = bigger;
        *size_bytes = size;
        return 0;
}

int fd_read(int fd, size_t cap_bytes, char **ret, size_t *ret_length_bytes)
{
        cleanup_free char *data = NULL;
        size_t size = 0, length = 0;

        for (;;) {
                if (length + 1 >= size) {
                        int r = grow(&data, &size, cap_bytes);
                        if (r < 0)
                                return r;
                }
                ssize_t n = read(fd, data + length, size - length - 1);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                length += (size_t)n;
                if (length > cap_bytes)
                        return -EFBIG;
        }
        data[length] = '\0';
        *ret = TAKE(data);
        *ret_length_bytes = length;
        return 0;
}

static int open_and_read(const char *path, int flags, size_t cap_bytes, char **ret, size_t *ret_length_bytes)
{
        if (cap_bytes > SIZE_MAX / 4)
                return -EINVAL;
        cleanup(close_descriptor) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (S_ISFIFO(st.st_mode))
                return -EOPNOTSUPP;
        return fd_read(fd, cap_bytes, ret, ret_length_bytes);
}

int files_open_standard(void)
{
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
                if (fcntl(fd, F_GETFD) >= 0)
                        continue;
                /* The lowest free number is this one. The wrong direction: EBADF for whoever uses it. */
                if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
                        return errno ? -errno : -EBADF;
        }
        return 0;
}

int file_read(const char *path, size_t cap_bytes, char **ret, size_t *ret_length_bytes)
{
        return open_and_read(path, 0, cap_bytes, ret, ret_length_bytes);
}

char *path_join(const char *dir, const char *name)
{
        char *path = NULL;

        return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

int file_read_in(const char *dir, const char *name, size_t cap_bytes, char **ret, size_t *ret_length_bytes)
{
        cleanup_free char *path = path_join(dir, name);

        if (!path)
                return -ENOMEM;
        return open_and_read(path, O_NOFOLLOW, cap_bytes, ret, ret_length_bytes);
}

int link_read_in(const char *dir, const char *name, char **ret)
{
        cleanup_free char *path = path_join(dir, name);
        cleanup_free char *target = malloc(PATH_MAX);

        if (!path || !target)
                return -ENOMEM;
        ssize_t n = readlink(path, target, PATH_MAX - 1);
        if (n < 0)
                return -errno;
        target[n] = '\0';
        *ret = TAKE(target);
        return 0;
}

static bool name_matches(const char *name, const char *suffix)
{
        size_t length = strlen(name), tail = strlen(suffix);

        return name[0] != '.' && length > tail && strcmp(name + length - tail, suffix) == 0;
}

static int compare_names(const void *a, const void *b, void *compare)
{
        int (*const *by)(const char *, const char *) = compare;

        return (*by)(*(char *const *)a, *(char *const *)b);
}

static int name_add(char ***names, size_t n, const char *name)
{
        char **bigger = reallocarray(*names, n + 1, sizeof(*bigger));

        if (!bigger)
                return -ENOMEM;
        *names = bigger;
        bigger[n] = strdup(name);
        return bigger[n] ? 0 : -ENOMEM;
}

int dir_list(const char *path, const char *suffix, size_t max, int (*compare)(const char *, const char *),
             char ***ret, size_t *ret_n)
{
        cleanup(close_directory) DIR *dir = opendir(path);
        char **names = NULL;
        size_t n = 0;
        int r = 0;

        *ret = NULL;
        *ret_n = 0;
        if (!dir)
                return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
        for (;;) {
                errno = 0;
                const struct dirent *entry = readdir(dir);
                if (!entry) {
                        r = -errno;
                        break;
                }
                if (!name_matches(entry->d_name, suffix))
                        continue;
                if (n == max) {
                        r = 1;
                        break;
                }
                r = name_add(&names, n, entry->d_name);
                if (r < 0)
                        break;
                n++;
        }
        if (r < 0) {
                names_free(names, n);
                return r;
        }
        if (n > 1)
                qsort_r(names, n, sizeof(*names), compare_names, &compare);
        *ret = names;
        *ret_n = n;
        return r;
}

void names_free(char **names, size_t n)
{
        for (size_t i = 0; i < n; i++)
                free(names[i]);
        free(names);
}

int u64_parse(const char *text, uint64_t *ret)
{
        uint64_t value = 0;

        if (*text == '\0')
                return -EINVAL;
        for (; *text; text++) {
                if (*text < '0' || *text > '9')
                        return -EINVAL;
                if (__builtin_mul_overflow(value, 10U, &value) ||
                    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
                        return -ERANGE;
        }
        *ret = value;
        return 0;
}
