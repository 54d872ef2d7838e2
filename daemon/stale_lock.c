/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See stale_lock.h. */
#include "daemon/stale_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "probe/clock.h"
#include "probe/descriptor.h"

/* Between its link(2) and its record lock a living owner needs no time worth naming. */
#define OWNERLESS_SEC 5
#define POLL_NSEC (100 * 1000 * 1000)

static bool is_old(const struct stat *st)
{
        time_t now = time(NULL);

        return now < st->st_mtime || now - st->st_mtime >= OWNERLESS_SEC;
}

/* Whoever removes it holds its record lock, so that of two who find it only one removes it, and no newer one.
 * Return: 0 when it is gone, -EBUSY, or another negative errno. */
static int clear_once(const char *path)
{
        const struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        cleanup(close_descriptor) int fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        struct stat st, now;

        if (fd < 0)
                return errno == ENOENT ? 0 : -errno;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EEXIST;
        if (fcntl(fd, F_SETLK, &lock) < 0)
                return errno == EACCES || errno == EAGAIN ? -EBUSY : -errno;
        if (lstat(path, &now) < 0)
                return errno == ENOENT ? 0 : -errno;
        if (now.st_dev != st.st_dev || now.st_ino != st.st_ino || !is_old(&st))
                return -EBUSY;
        return unlink(path) < 0 && errno != ENOENT ? -errno : 0;
}

int stale_lock_clear(const char *path, usec_t patience_usec)
{
        const struct timespec pause = { .tv_nsec = POLL_NSEC };
        const usec_t end_usec = clock_monotonic_usec() + patience_usec;
        int r = clear_once(path);

        while (r == -EBUSY && clock_monotonic_usec() < end_usec) {
                (void) nanosleep(&pause, NULL);
                r = clear_once(path);
        }
        return r;
}
