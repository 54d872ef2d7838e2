/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the mount that was observed, or nothing. */
#include "probe/anchor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Return: an enum anchor_end, or a negative errno. */
static int check_identity(const struct mount_facts *m, int fd)
{
        struct statx s;

        /* The identity is known locally: this does not ask the server. */
        if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_MNT_ID, &s) < 0)
                return -errno;
        if (!(s.stx_mask & STATX_MNT_ID))       /* Linux before 5.8 */
                return -EOPNOTSUPP;
        if (s.stx_mnt_id != m->mount_id || s.stx_dev_major != m->device.major || s.stx_dev_minor != m->device.minor)
                return ANCHOR_MOUNT_CHANGED;
        return S_ISDIR(s.stx_mode) ? ANCHOR_HELD : ANCHOR_MOUNT_CHANGED;
}

/* Hands @fd over when it is on the mount, else closes it. */
static int keep_if_identical(const struct mount_facts *m, int fd, int *ret_fd)
{
        int r = check_identity(m, fd);
        if (r == ANCHOR_HELD)
                *ret_fd = fd;
        else
                close(fd);
        return r;
}

int anchor_open_root(const struct mount_facts *m, int *ret_fd)
{
        /* Without O_DIRECTORY, which would trigger an automount at the last component. */
        int fd = open(m->target, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT || errno == ENOTDIR ? ANCHOR_MOUNT_CHANGED : -errno;
        return keep_if_identical(m, fd, ret_fd);
}

int anchor_open_directory(const struct mount_facts *m, int root_fd, const char *directory, int *ret_fd)
{
        struct open_how how = {
                .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
                .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV,
        };

        int fd = (int)syscall(SYS_openat2, root_fd, directory ?: ".", &how, sizeof(how));
        if (fd < 0)
                return errno == ELOOP || errno == EXDEV ? ANCHOR_UNSAFE : -errno;
        return keep_if_identical(m, fd, ret_fd);
}

int anchor_ask_server(int root_fd)
{
        struct statx s;

        return statx(root_fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_BASIC_STATS, &s) < 0 ? -errno : 0;
}

int anchor_owner(int fd, uid_t *ret_user, gid_t *ret_group)
{
        struct statx s;

        if (statx(fd, "", AT_EMPTY_PATH, STATX_UID | STATX_GID, &s) < 0)
                return -errno;
        *ret_user = s.stx_uid;
        *ret_group = s.stx_gid;
        return 0;
}
