/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See staged.h. */

#include "daemon/staged.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <time.h>

#include "daemon/fscontext.h"
#include "daemon/mountfacts.h"
#include "daemon/mountpoint.h"
#include "policy/text.h"
#include "probe/descriptor.h"

/* Where it is attached, in our own namespace only: a directory that every host has, that is never on NFS, and that no library
 * looks into meanwhile (as into /run for a name service). */
#define STAGE_DIRECTORY "/sys/fs"

#define ABORT_TRIES 20

void staged_done(struct staged *s)
{
        close_descriptor(&s->fd);
        mount_facts_done(&s->facts);
}

static int words(char **ret, const char *step, int error)
{
        cleanup(text_done) struct text t = {};

        text_add(&t, "%s: %s", step, strerror(-error));
        *ret = text_take(&t);
        return *ret ? 1 : -ENOMEM;
}

int staged_open(const struct mount_facts *m, const struct options *options, unsigned attributes, struct staged *ret,
                char **ret_words)
{
        cleanup(close_descriptor) int fd = -1;
        struct device device;
        uint64_t mount_id;
        int r = fscontext_mount(m->fstype, m->source, options, attributes, &fd, ret_words);

        if (r < 0)
                return *ret_words ? 1 : -ENOMEM;
        /* mountinfo shows only what is attached. */
        if (move_mount(fd, "", AT_FDCWD, STAGE_DIRECTORY, MOVE_MOUNT_F_EMPTY_PATH) < 0)
                return words(ret_words, "the staged mount cannot be attached", -errno);
        r = mount_identity(fd, &mount_id, &device);
        if (r >= 0)
                r = mountfacts_by_id(mount_id, &ret->facts);
        if (r < 0)
                return r == -ENOMEM ? r : words(ret_words, "the staged mount cannot be read back", r);
        ret->fd = fd;
        fd = -1;
        return 0;
}

/* What waits in line asks as soon as what is asked has failed, so that once is not enough. */
void staged_abort(struct staged *s)
{
        const struct timespec pause = { .tv_nsec = 100 * 1000 * 1000 };

        close_descriptor(&s->fd);
        for (int i = 0; i < ABORT_TRIES; i++) {
                if (umount2(STAGE_DIRECTORY, MNT_FORCE | UMOUNT_NOFOLLOW) == 0 || errno != EBUSY)
                        return;
                (void) nanosleep(&pause, NULL);
        }
        (void) umount2(STAGE_DIRECTORY, MNT_FORCE | MNT_DETACH | UMOUNT_NOFOLLOW);
}

int staged_clone(const struct staged *s, int *ret_fd)
{
        int fd = open_tree(s->fd, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);

        if (fd < 0)
                return -errno;
        *ret_fd = fd;
        return 0;
}
