/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A private mount without sizes: what does the server negotiate? */

#include "daemon/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/descriptor.h"
#include "daemon/fscontext.h"
#include "policy/text.h"
#include "probe/mounttable.h"

/* Where the staged mount is attached, in our own namespace only: a directory
 * that every systemd host has and that is never on NFS. */
#define STAGE_DIRECTORY "/run"

void stage_limits_done(struct stage_limits *l)
{
        free(l->options);
        *l = (struct stage_limits){};
}

/* Options of nfs(5) that decide whom we reach and as whom. Whatever else the
 * kernel prints (namlen=, local_lock=, clientaddr=, ac*=) it adds itself. */
static const char *const carried_options[] = {
        "vers",      "minorversion", "proto",    "port",      "addr",       "sec",     "xprtsec", "mountaddr",
        "mountvers", "mountport",    "mountproto", "nolock",  "noresvport", "nconnect",
};

int stage_options(const struct mount_facts *m, struct options *ret)
{
        cleanup(options_done) struct options wanted = {};

        for (size_t i = 0; i < ARRAY_SIZE(carried_options); i++) {
                const struct mount_option *o = options_find(&m->super, carried_options[i]);

                /* "unspecified" and 0 are how the kernel prints that it does not know. */
                if (!o || (o->value && (strcmp(o->value, "unspecified") == 0 || strcmp(o->value, "0") == 0) &&
                           strcmp(o->name, "minorversion") != 0))
                        continue;
                if (options_set(&wanted, o->name, o->value) < 0)
                        return -ENOMEM;
        }
        if (options_set(&wanted, "nosharecache", NULL) < 0 || options_set(&wanted, "ro", NULL) < 0)
                return -ENOMEM;
        *ret = wanted;
        wanted = (struct options){};
        return 0;
}

/* The words of a step that needs no server. */
static int explain(const char *step, int error, char **ret_error)
{
        cleanup(text_done) struct text t = {};

        text_add(&t, "%s: %s", step, strerror(-error));
        *ret_error = text_take(&t);
        return *ret_error ? error : -ENOMEM;
}

/* Without asking the server: as probe/anchor.c does for a live mount. */
static int mount_id_of(int fd, uint64_t *ret)
{
        struct statx s;

        if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &s) < 0)
                return -errno;
        if (!(s.stx_mask & STATX_MNT_ID)) /* Linux before 5.8 */
                return -EOPNOTSUPP;
        *ret = s.stx_mnt_id;
        return 0;
}

static int read_back(uint64_t mount_id, struct stage_limits *ret)
{
        cleanup(mounttable_done) struct mounttable table = {};
        int r = mounttable_read("/proc/self/mountinfo", &table);

        if (r < 0)
                return r;
        for (size_t i = 0; i < table.n_mounts; i++) {
                const struct mount_facts *m = &table.mounts[i];
                struct nfs_options effective;

                if (m->mount_id != mount_id)
                        continue;
                nfs_options_read(&m->super, &effective);
                if (!effective.rsize_bytes || !effective.wsize_bytes)
                        return -EPROTO;
                *ret = (struct stage_limits){
                        .rsize_bytes = effective.rsize_bytes, .wsize_bytes = effective.wsize_bytes,
                };
                ret->options = options_format(&m->super);
                return ret->options ? 0 : -ENOMEM;
        }
        return -ENOENT;
}

int stage_negotiate(const struct mount_facts *m, struct stage_limits *ret, char **ret_error)
{
        cleanup(close_descriptor) int mount_fd = -1;
        cleanup(options_done) struct options wanted = {};
        uint64_t mount_id = 0;
        int r;

        if (unshare(CLONE_NEWNS) < 0)
                return explain("no mount namespace of our own", -errno, ret_error);
        if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
                return explain("cannot make the namespace private", -errno, ret_error);
        r = stage_options(m, &wanted);
        if (r < 0)
                return r;
        r = fscontext_mount(m->fstype, m->source, &wanted,
                            MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC, &mount_fd,
                            ret_error);
        if (r < 0)
                return r;
        /* mountinfo shows only what is attached. */
        if (move_mount(mount_fd, "", AT_FDCWD, STAGE_DIRECTORY, MOVE_MOUNT_F_EMPTY_PATH) < 0)
                return explain("move_mount", -errno, ret_error);
        r = mount_id_of(mount_fd, &mount_id);
        if (r >= 0)
                r = read_back(mount_id, ret);
        return r < 0 && r != -ENOMEM ? explain("the staged mount cannot be read back", r, ret_error) : r;
}
