/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See mountpoint.h. */

#include "daemon/mountpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/utf8.h"
#include "policy/text.h"
#include "probe/descriptor.h"

#ifndef MOVE_MOUNT_BENEATH
#define MOVE_MOUNT_BENEATH 0x00000200
#endif

void mountpoint_done(struct mountpoint *p)
{
        if (p->target) {
                close_descriptor(&p->namespace_fd);
                close_descriptor(&p->parent_fd);
        }
        free_charp(&p->target);
}

static int words(char **ret, const char *target, const char *what)
{
        cleanup(text_done) struct text t = {};

        text_add_printable(&t, target);
        text_add(&t, ": %s", what);
        *ret = text_take(&t);
        return *ret ? 1 : -ENOMEM;
}

static int open_parent(const char *target, const char *name, int *ret_fd)
{
        struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
        cleanup_free char *parent = strndup(target, name - target > 1 ? (size_t) (name - target - 1) : 1);

        if (!parent)
                return -ENOMEM;
        *ret_fd = (int) syscall(SYS_openat2, AT_FDCWD, parent, &how, sizeof(how));
        return *ret_fd < 0 ? -errno : 0;
}

int mountpoint_open(const char *target, struct mountpoint *ret, char **ret_words)
{
        cleanup(mountpoint_done) struct mountpoint p = { .namespace_fd = -1, .parent_fd = -1 };
        int r;

        p.target = strdup(target);
        if (!p.target)
                return -ENOMEM;
        p.name = strrchr(p.target, '/');
        if (p.target[0] != '/' || !p.name[1])
                return words(ret_words, target, "not a place where a mount can be replaced");
        p.name++;
        r = open_parent(p.target, p.name, &p.parent_fd);
        if (r == -ELOOP)
                return words(ret_words, target, "a symbolic link is on the way");
        if (r == -ENOENT || r == -ENOTDIR)
                return words(ret_words, target, "no such directory");
        if (r < 0)
                return r;
        p.namespace_fd = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
        if (p.namespace_fd < 0)
                return -errno;
        *ret = p;
        p = (struct mountpoint) { .namespace_fd = -1, .parent_fd = -1 };
        return 0;
}

static bool is_in_namespace(const struct mountpoint *p)
{
        struct stat ours, wanted;

        return stat("/proc/self/ns/mnt", &ours) == 0 && fstat(p->namespace_fd, &wanted) == 0 &&
               ours.st_dev == wanted.st_dev && ours.st_ino == wanted.st_ino;
}

int mountpoint_enter(const struct mountpoint *p)
{
        if (!is_in_namespace(p) && setns(p->namespace_fd, CLONE_NEWNS) < 0)
                return -errno;
        return fchdir(p->parent_fd) < 0 ? -errno : 0;
}

int mountpoint_leave(void)
{
        /* Out of the way first: a working directory would come along and pin its mount's copy. */
        if (chdir("/") < 0 || unshare(CLONE_NEWNS) < 0)
                return -errno;
        return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? -errno : 0;
}

int mount_identity(int fd, uint64_t *ret_mount_id, struct device *ret_device)
{
        struct statx s;

        if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &s) < 0)
                return -errno;
        if (!(s.stx_mask & STATX_MNT_ID)) /* Linux before 5.8 */
                return -EOPNOTSUPP;
        *ret_mount_id = s.stx_mnt_id;
        *ret_device = (struct device) { s.stx_dev_major, s.stx_dev_minor };
        return 0;
}

/* Without O_DIRECTORY, which would trigger an automount. */
static int open_top(const struct mountpoint *p)
{
        int fd = openat(p->parent_fd, p->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

        return fd < 0 ? -errno : fd;
}

int mountpoint_top(const struct mountpoint *p, uint64_t *ret_mount_id, struct device *ret_device)
{
        cleanup(close_descriptor) int fd = open_top(p);
        struct device parent_device;
        uint64_t parent_id;
        int r;

        *ret_mount_id = 0;
        *ret_device = (struct device) { 0, 0 };
        if (fd < 0)
                return fd == -ENOENT ? 0 : fd;
        r = mount_identity(p->parent_fd, &parent_id, &parent_device);
        if (r >= 0)
                r = mount_identity(fd, ret_mount_id, ret_device);
        if (r >= 0 && *ret_mount_id == parent_id)
                *ret_mount_id = 0;
        return r;
}

int mountpoint_twin(const struct mountpoint *p, struct mountpoint *ret)
{
        cleanup(mountpoint_done) struct mountpoint twin = { .namespace_fd = -1, .parent_fd = -1 };
        cleanup(close_descriptor) int top_fd = -1;
        int r = mountpoint_enter(p);

        if (r < 0)
                return r;
        twin.target = strdup(p->target);
        if (!twin.target)
                return -ENOMEM;
        twin.name = twin.target + (p->name - p->target);
        if (unshare(CLONE_NEWNS) < 0)
                return -errno;
        twin.namespace_fd = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
        twin.parent_fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (twin.namespace_fd < 0 || twin.parent_fd < 0)
                return -errno;
        top_fd = open_top(&twin);
        if (top_fd < 0)
                return top_fd;
        r = mount_carry_propagation(top_fd, "");
        if (r < 0)
                return r;
        *ret = twin;
        twin = (struct mountpoint) { .namespace_fd = -1, .parent_fd = -1 };
        return 0;
}

int mountpoint_open_top(const struct mountpoint *p, int *ret_fd)
{
        int fd = open_top(p);

        if (fd < 0)
                return fd;
        *ret_fd = fd;
        return 0;
}

int mountpoint_clone_top(const struct mountpoint *p, int *ret_fd)
{
        int fd = open_tree(p->parent_fd, p->name, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW);

        if (fd < 0)
                return -errno;
        *ret_fd = fd;
        return 0;
}

static void clear_mark(const struct mountpoint *p)
{
        cleanup(close_descriptor) int fd may_be_unused = open_top(p);
}

int mountpoint_test_busy(const struct mountpoint *p, int old_clone_fd)
{
        int error;

        clear_mark(p);
        if (umount2(p->name, MNT_EXPIRE | UMOUNT_NOFOLLOW) == 0) {
                int r = mountpoint_attach(p, old_clone_fd, false);

                return r < 0 ? r : -EAGAIN;
        }
        error = errno;
        clear_mark(p);
        return error == EAGAIN ? 0 : error == EBUSY ? 1 : -error;
}

int mountpoint_attach(const struct mountpoint *p, int mount_fd, bool beneath)
{
        unsigned flags = MOVE_MOUNT_F_EMPTY_PATH | (beneath ? MOVE_MOUNT_BENEATH : 0U);

        return move_mount(mount_fd, "", p->parent_fd, p->name, flags) < 0 ? -errno : 0;
}

int mountpoint_unmount(const struct mountpoint *p, bool detach)
{
        return umount2(p->name, UMOUNT_NOFOLLOW | (detach ? MNT_DETACH : 0)) < 0 ? -errno : 0;
}

int mountpoint_uncover(const struct mountpoint *p)
{
        int r = mountpoint_unmount(p, false);

        return r == -EBUSY ? mountpoint_unmount(p, true) : r;
}

int mount_attributes(const struct options *vfs, unsigned *ret, const char **ret_flag)
{
        static const struct {
                const char *name;
                unsigned attribute;
        } flags[] = {
                { "rw", 0 },
                { "ro", MOUNT_ATTR_RDONLY },
                { "nosuid", MOUNT_ATTR_NOSUID },
                { "nodev", MOUNT_ATTR_NODEV },
                { "noexec", MOUNT_ATTR_NOEXEC },
                { "noatime", MOUNT_ATTR_NOATIME },
                { "nodiratime", MOUNT_ATTR_NODIRATIME },
                { "relatime", MOUNT_ATTR_RELATIME },
                { "nosymfollow", MOUNT_ATTR_NOSYMFOLLOW },
        };
        unsigned attributes = 0;

        for (size_t i = 0; i < vfs->n_items; i++) {
                size_t f = 0;

                while (f < ARRAY_SIZE(flags) && strcmp(flags[f].name, vfs->items[i].name) != 0)
                        f++;
                if (f == ARRAY_SIZE(flags)) {
                        *ret_flag = vfs->items[i].name;
                        return -EOPNOTSUPP;
                }
                attributes |= flags[f].attribute;
        }
        if (!options_has(vfs, "noatime") && !options_has(vfs, "relatime"))
                attributes |= MOUNT_ATTR_STRICTATIME;
        *ret = attributes;
        return 0;
}

int mount_set_attributes(int mount_fd, unsigned attributes)
{
        struct mount_attr a = {
                .attr_clr = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC |
                            MOUNT_ATTR__ATIME | MOUNT_ATTR_NODIRATIME | MOUNT_ATTR_NOSYMFOLLOW,
                .attr_set = attributes,
        };

        return mount_setattr(mount_fd, "", AT_EMPTY_PATH, &a, sizeof(a)) < 0 ? -errno : 0;
}

int mount_carry_propagation(int mount_fd, const char *propagation)
{
        struct mount_attr a = { .propagation = strncmp(propagation, "shared:", 7) == 0 ? MS_SHARED : MS_PRIVATE };

        return mount_setattr(mount_fd, "", AT_EMPTY_PATH, &a, sizeof(a)) < 0 ? -errno : 0;
}

bool can_move_beneath(void)
{
        /* EINVAL: an unknown flag; else the empty descriptor is complained about. */
        return move_mount(-1, "", -1, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH | MOVE_MOUNT_BENEATH) < 0 &&
               errno != EINVAL;
}
