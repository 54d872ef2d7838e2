/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/mountpoint.h - the place where one mount stands, and what can be done there without asking a server.
 *
 * Layer:   nfstuned-mount only; needs CAP_SYS_ADMIN (CAP_SYS_CHROOT too for setns).
 * How:     the directory above the mount point is held open and is the working directory, so that no path is walked
 *          twice and no symbolic link is followed; the mount on top is known by its mount id. KERNEL-FACTS 7, 8.1.
 */
#pragma once

#include "policy/observation.h"

struct mountpoint {
        int namespace_fd;               /* the mount namespace it is in: ours at the start */
        int parent_fd;                  /* O_PATH */
        const char *name;               /* last component, in the target below */
        char *target;
};

/* Opens the place of @target. Return: 0; 1 with words when it cannot be one (relative, "/", a symbolic link on the
 * way, no such directory); another negative errno. */
int mountpoint_open(const char *target, struct mountpoint *ret, char **ret_words) must_check;
void mountpoint_done(struct mountpoint *p);

/* Goes to the place: working directory, in its own mount namespace. Return: 0 or a negative errno. */
int mountpoint_enter(const struct mountpoint *p) must_check;

/* A private copy of the mount namespace, where nothing that is mounted is seen by others. mountpoint_enter() leads
 * back. Return: 0 or a negative errno. */
int mountpoint_leave(void) must_check;

/* The same place in another mount namespace, which is entered: what is mounted on top in the first one does not cover the
 * mount here, and an unmount here is one there, too, where both mounts are shared. Return: 0 or a negative errno. */
int mountpoint_twin(const struct mountpoint *p, struct mountpoint *ret) must_check;

/* Those below after mountpoint_enter(). */

/* The mount on top. Also takes away the mark of an idle test. Return: 0 with id 0 when nothing is mounted there, or a
 * negative errno. */
int mountpoint_top(const struct mountpoint *p, uint64_t *ret_mount_id, struct device *ret_device) must_check;

/* Opens the mount on top (O_PATH). Return: 0 or a negative errno. */
int mountpoint_open_top(const struct mountpoint *p, int *ret_fd) must_check;

/* A detached clone of the mount on top: holds its superblock, not the mount. Return: 0 or a negative errno. */
int mountpoint_clone_top(const struct mountpoint *p, int *ret_fd) must_check;

/* Is the mount on top in use in this namespace? Its mark is taken away before and after (KERNEL-FACTS 0). @old_clone_fd:
 * is put in its place should somebody else's mark have made the test an unmount.
 * Return: 0 idle, 1 busy, or a negative errno. */
int mountpoint_test_busy(const struct mountpoint *p, int old_clone_fd) must_check;

/* Attaches a detached mount on top of, or beneath, what stands there. Return: 0 or a negative errno. */
int mountpoint_attach(const struct mountpoint *p, int mount_fd, bool beneath) must_check;

/* umount2() of the mount on top. Return: 0 or a negative errno (-EBUSY). */
int mountpoint_unmount(const struct mountpoint *p, bool detach) must_check;

/* The same for one that came on top a moment ago; whoever is in it already goes on with it. */
int mountpoint_uncover(const struct mountpoint *p) must_check;

/* Identity of an open mount, without asking the server. Return: 0 or a negative errno. */
int mount_identity(int fd, uint64_t *ret_mount_id, struct device *ret_device) must_check;

/* MOUNT_ATTR_* of a mount's own flags. Return: 0, or -EOPNOTSUPP with the name of the flag that cannot be carried over. */
int mount_attributes(const struct options *vfs, unsigned *ret, const char **ret_flag) must_check;

/* Gives an open mount exactly these. The kernel refuses to take away what a mount namespace of a lesser user namespace has
 * locked (-EPERM), and ro while a file is open for writing (-EBUSY). */
int mount_set_attributes(int mount_fd, unsigned attributes) must_check;

/* Gives a mount that was just attached the propagation of the old one ("shared:12", ""). */
int mount_carry_propagation(int mount_fd, const char *propagation) must_check;

/* Linux 6.5? Asked with impossible arguments: an older kernel does not know the flag. */
bool can_move_beneath(void);
