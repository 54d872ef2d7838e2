/* SPDX-License-Identifier: GPL-2.0-or-later */
/* posix_spawn(3): no copy of the daemon's memory, and errors of the exec are returned. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/endpoint.h"

static int set_signals(posix_spawnattr_t *a)
{
        sigset_t none, all;
        int r;

        sigemptyset(&none);
        sigfillset(&all);
        r = posix_spawnattr_setsigmask(a, &none);
        if (r == 0)
                r = posix_spawnattr_setsigdefault(a, &all);
        if (r == 0)
                r = posix_spawnattr_setflags(a, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        return r;
}

static int set_files(posix_spawn_file_actions_t *f, int fd)
{
        int r = posix_spawn_file_actions_adddup2(f, fd, STDIN_FILENO);

        return r == 0 ? posix_spawn_file_actions_adddup2(f, fd, STDOUT_FILENO) : r;
}

int endpoint_spawn(const char *const *argv, int fd, pid_t *ret)
{
        static const char *const environment[] = { "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                                                   "LC_ALL=C.UTF-8", NULL };
        posix_spawn_file_actions_t files;
        posix_spawnattr_t attributes;
        pid_t pid;
        int r;

        r = posix_spawn_file_actions_init(&files);
        if (r != 0)
                return -r;
        r = posix_spawnattr_init(&attributes);
        if (r != 0) {
                posix_spawn_file_actions_destroy(&files);
                return -r;
        }
        r = set_signals(&attributes);
        if (r == 0)
                r = set_files(&files, fd);
        if (r == 0)     /* the casts: POSIX's prototype lacks the const it promises */
                r = posix_spawn(&pid, argv[0], &files, &attributes, (char *const *) argv, (char *const *) environment);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
        if (r == 0)
                *ret = pid;
        return -r;
}

int endpoint_connect(const char *path, int *ret)
{
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        size_t n = strlen(path);
        int fd, r;

        if (n >= sizeof(address.sun_path))
                return -ENAMETOOLONG;
        memcpy(address.sun_path, path, n + 1);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
                return -errno;
        if (connect(fd, (const struct sockaddr *) &address, sizeof(address)) < 0) {
                r = -errno;
                close(fd);
                return r;
        }
        *ret = fd;
        return 0;
}
