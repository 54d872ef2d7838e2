/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See copies.h. */

#include "daemon/copies.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/nsfs.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/answer.h"
#include "daemon/mountpoint.h"
#include "daemon/record_json.h"
#include "daemon/utf8.h"
#include "policy/text.h"
#include "probe/child.h"
#include "probe/clock.h"
#include "probe/descriptor.h"
#include "probe/file.h"

/* Where a path leads through a dead server, the others must not wait. */
#define EACH_USEC  (2 * USEC_PER_SEC)
#define WHOLE_USEC (10 * USEC_PER_SEC)

#define NAMED_MAX 4

#define PUT_OFF 1                       /* not now */

/* ---- reading ----------------------------------------------------------------------- */

/* Adds where @s is: "at /data in another mount namespace (sleep, process 12)". */
static int add_place(struct text *t, const struct view *v, const struct spot *s)
{
        cleanup_free char *command = process_command(v->seen_by);

        if (!command)
                return -ENOMEM;
        text_add(t, "at ");
        text_add_printable_start(t, s->path);
        text_add(t, " in another mount namespace");
        if (v->seen_by)
                text_add(t, " (%s, process %" PRIu64 ")", command, v->seen_by->pid);
        return 0;
}

static int end_words(struct text *t, char **ret)
{
        *ret = text_take(t);
        return *ret ? 1 : -ENOMEM;
}

static int cannot_keep(const struct view *v, const struct spot *s, const char *why, char **ret_words)
{
        cleanup(text_done) struct text t = {};
        int e;

        text_add(&t, "the mount ");
        e = add_place(&t, v, s);
        if (e < 0)
                return e;
        text_add(&t, " has flags of its own, which could not be kept: %s", why);
        return end_words(&t, ret_words);
}

static bool is_alone(const char *propagation)
{
        return propagation && !propagation_group(propagation, "shared:") && !propagation_group(propagation, "master:");
}

/* Mount ids are unique among all namespaces: where these are told apart by digests, a part of ours may look like another. */
static bool is_a_copy(const struct namespaces *all, const struct view *v, const struct spot *s)
{
        if (!s->of_superblock || s->mount_id == all->mount->mount_id)
                return false;
        return v == all->own || !spot_find(all->own, s->mount_id);
}

/* A mount table names mounts that no call reaches, at paths of any length: whoever may make a mount namespace makes them. Their
 * record could not be read back. */
static bool path_can_be_opened(const char *path)
{
        return strlen(path) < PATH_MAX && path_is_plain(path);
}

/* mnt:[4026531841]; 0: the names could not be read. */
static uint64_t namespace_number(const char *name)
{
        uint64_t number;
        char end;

        return sscanf(name, "mnt:[%" SCNu64 "%c", &number, &end) == 2 && end == ']' ? number : 0;
}

struct reading {
        const struct namespaces *all;
        unsigned attributes;            /* of our own mount */
        struct mount_copy *copies;
        size_t n, size;
};

static void reading_done(struct reading *r)
{
        mount_copies_free(r->copies, r->n);
}

static int copy_add(struct reading *r, const struct view *v, const struct spot *s, uint64_t namespace)
{
        struct mount_copy *c;

        if (r->n == r->size) {
                size_t more = r->size ? r->size * 2 : 16;
                struct mount_copy *bigger = reallocarray(r->copies, more, sizeof(*bigger));

                if (!bigger)
                        return -ENOMEM;
                r->copies = bigger;
                r->size = more;
        }
        c = &r->copies[r->n];
        *c = (struct mount_copy) { .namespace = namespace, .path = strdup(s->path), .pid = v->seen_by->pid };
        r->n++;
        return c->path ? options_copy(&s->vfs, &c->vfs) : -ENOMEM;
}

static int copy_read(struct reading *r, const struct view *v, const struct spot *s, char **ret_words)
{
        const uint64_t namespace = namespace_number(v->namespace);
        unsigned attributes;
        const char *flag;

        if (!is_a_copy(r->all, v, s) || (is_alone(s->parent_propagation) && is_alone(s->propagation)))
                return 0;
        if (mount_attributes(&s->vfs, &attributes, &flag) < 0)
                return cannot_keep(v, s, flag, ret_words);
        if (attributes == r->attributes)
                return 0;
        if (namespace == 0)
                return cannot_keep(v, s, "the names of mount namespaces cannot be read", ret_words);
        if (!path_can_be_opened(s->path))
                return cannot_keep(v, s, "its path cannot be opened", ret_words);
        if (r->n == MOUNT_COPIES_MAX)
                return cannot_keep(v, s, "there are too many like it", ret_words);
        return copy_add(r, v, s, namespace);
}

int copies_read(const struct namespaces *all, struct mount_copy **ret, size_t *ret_n, char **ret_words)
{
        cleanup(reading_done) struct reading r = { .all = all };
        const char *flag;
        int e = mount_attributes(&all->mount->vfs, &r.attributes, &flag);

        for (size_t i = 0; e == 0 && i < all->n_views; i++)
                for (size_t j = 0; e == 0 && j < all->views[i].n_spots; j++)
                        e = copy_read(&r, &all->views[i], &all->views[i].spots[j], ret_words);
        if (e != 0)
                return e;
        *ret = TAKE(r.copies);
        *ret_n = r.n;
        r.n = 0;
        return 0;
}

bool copies_equal(const struct mount_copy *a, size_t n_a, const struct mount_copy *b, size_t n_b)
{
        if (n_a != n_b)
                return false;
        for (size_t i = 0; i < n_a; i++) {
                unsigned x = 0, y = 0;
                const char *flag;

                if (a[i].namespace != b[i].namespace || strcmp(a[i].path, b[i].path) != 0 ||
                    mount_attributes(&a[i].vfs, &x, &flag) < 0 || mount_attributes(&b[i].vfs, &y, &flag) < 0 || x != y)
                        return false;
        }
        return true;
}

/* ---- what would be lost ---------------------------------------------------------------- */

static const char *propagation_of(const struct spot *s)
{
        return s->propagation;
}

static const char *parent_propagation_of(const struct spot *s)
{
        return s->parent_propagation;
}

/* Does what happens in a peer group reach a mount? Ordered. */
enum reach {
        REACH_NO,
        REACH_UNKNOWN,                  /* its master is in no namespace that was read */
        REACH_YES,
};

/* A master has as many masters above it as there are namespaces made one from another. */
#define MASTERS_MAX 32

static enum reach reach(const struct namespaces *all, const char *(*of)(const struct spot *), const char *propagation,
                        uint64_t group, unsigned masters)
{
        const uint64_t master = propagation_group(propagation, "master:");

        if (propagation_group(propagation, "shared:") == group || master == group)
                return REACH_YES;
        if (master == 0)
                return REACH_NO;
        for (size_t i = 0; masters > 0 && i < all->n_views; i++)
                for (size_t j = 0; j < all->views[i].n_spots; j++) {
                        const char *its = of(&all->views[i].spots[j]);

                        if (propagation_group(its, "shared:") == master)
                                return reach(all, of, its, group, masters - 1);
                }
        return REACH_UNKNOWN;
}

static bool is_lost(const struct namespaces *all, const struct spot *ours, const struct spot *s)
{
        const uint64_t own = propagation_group(ours->propagation, "shared:");
        const uint64_t parent = propagation_group(ours->parent_propagation, "shared:");

        if (s->in_use || parent == 0 || !ours->place_on_parent || !s->place_on_parent ||
            strcmp(ours->place_on_parent, s->place_on_parent) != 0)
                return false;
        return reach(all, parent_propagation_of, s->parent_propagation, parent, MASTERS_MAX) >
               (own ? reach(all, propagation_of, s->propagation, own, MASTERS_MAX) : REACH_NO);
}

static int lost_words(const struct view *v, const struct spot *s, char **ret)
{
        cleanup(text_done) struct text t = {};
        int e;

        text_add(&t, "the mount ");
        e = add_place(&t, v, s);
        if (e < 0)
                return e;
        text_add(&t, " was given a propagation of its own, so that before Linux 6.5 it would be taken away there and nothing "
                     "come in its place: unmount it there, or end what runs there, first");
        return end_words(&t, ret);
}

int copies_check_lost(const struct namespaces *all, char **ret_words)
{
        const struct spot *ours = spot_find(all->own, all->mount->mount_id);

        for (size_t i = 0; ours && i < all->n_views; i++) {
                const struct view *v = &all->views[i];

                for (size_t j = 0; j < v->n_spots; j++)
                        if (is_a_copy(all, v, &v->spots[j]) && is_lost(all, ours, &v->spots[j]))
                                return lost_words(v, &v->spots[j], ret_words);
        }
        return 0;
}

/* ---- giving them back ------------------------------------------------------------------- */

struct restoring {
        const struct mount_copy *copy;
        int namespace_fd;
        struct device new_device;
        unsigned attributes;
};

/* In a child: setns(2) is for the whole process, and a path may hang. */
static int restore_there(void *shared)
{
        const struct restoring *r = shared;
        struct open_how how = { .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
        cleanup(close_descriptor) int fd = -1;
        struct device device;
        uint64_t mount_id;
        int e;

        if (setns(r->namespace_fd, CLONE_NEWNS) < 0)
                return -errno;
        fd = (int) syscall(SYS_openat2, AT_FDCWD, r->copy->path, &how, sizeof(how));
        if (fd < 0)
                return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
        e = mount_identity(fd, &mount_id, &device);
        if (e < 0)
                return e;
        /* Something else is seen there: the old one, which did not go, or what others mounted. */
        return device_equal(device, r->new_device) ? mount_set_attributes(fd, r->attributes) : 0;
}

/* Return: 0, -ENOENT when that process is not of that namespace (any more), or another negative errno. */
static int open_namespace_of(const char *pid, uint64_t namespace, int *ret_fd)
{
        cleanup(close_descriptor) int fd = -1;
        struct stat st;
        char path[64];

        snprintf(path, sizeof(path), "/proc/%s/ns/mnt", pid);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0 || fstat(fd, &st) < 0)
                return errno == ESRCH ? -ENOENT : -errno;
        if (st.st_ino != namespace)
                return -ENOENT;
        *ret_fd = fd;
        fd = -1;
        return 0;
}

static int open_namespace(const struct mount_copy *c, int *ret_fd)
{
        cleanup(close_directory) DIR *directory = NULL;
        struct dirent *entry;
        uint64_t pid;
        char text[24];
        int e = -ENOENT;

        snprintf(text, sizeof(text), "%" PRIu64, c->pid);
        if (c->pid != 0)
                e = open_namespace_of(text, c->namespace, ret_fd);
        if (e == 0)
                return 0;
        directory = opendir("/proc");
        if (!directory)
                return -errno;
        while ((entry = readdir(directory)))
                if (u64_parse(entry->d_name, &pid) == 0 && open_namespace_of(entry->d_name, c->namespace, ret_fd) == 0)
                        return 0;
        return -ENOENT;
}

/* Does the namespace belong to our own user namespace, as that of a service does? */
static bool is_of_our_users(int namespace_fd)
{
        cleanup(close_descriptor) int fd = ioctl(namespace_fd, NS_GET_USERNS);
        struct stat ours, its;

        return fd < 0 || stat("/proc/self/ns/user", &ours) < 0 || fstat(fd, &its) < 0 || ours.st_ino == its.st_ino;
}

static int restore(const struct mount_copy *c, struct device new_device, bool put_off, usec_t deadline_usec)
{
        cleanup(close_descriptor) int fd = -1;
        struct restoring r = { .copy = c, .new_device = new_device };
        const char *flag;
        int e = mount_attributes(&c->vfs, &r.attributes, &flag);

        if (clock_monotonic_usec() >= deadline_usec)
                return -ETIMEDOUT;
        if (e == 0)
                e = open_namespace(c, &fd);
        if (e == -ENOENT)               /* whoever was there has left: nobody sees it any more */
                return 0;
        if (e == 0 && put_off && !is_of_our_users(fd))
                return PUT_OFF;
        r.namespace_fd = fd;
        return e < 0 ? e : child_run_alone(restore_there, &r, fd, MIN(clock_monotonic_usec() + EACH_USEC, deadline_usec));
}

static void tell(const struct mount_copy *c, int error, struct apply_answer *ret)
{
        cleanup_free char *flags = options_format(&c->vfs);
        cleanup(text_done) struct text t = {};

        text_add_printable_start(&t, c->path);
        answer_note(ret, "the mount at %s in the mount namespace mnt:[%" PRIu64 "] could not be given back its own flags "
                    "(%s): %s", t.data ? t.data : "?", c->namespace, flags ? flags : "?", strerror(-error));
}

static void count(const struct mount_copy *c, int error, size_t *n_failed, struct apply_answer *ret)
{
        if (error < 0 && ++*n_failed <= NAMED_MAX)
                tell(c, error, ret);
}

/* First those that only an administrator can make: any user can make a namespace whose paths hang, and the time is over
 * then. */
void copies_restore(const struct mount_copy *copies, size_t n, struct device new_device, struct apply_answer *ret)
{
        const usec_t deadline_usec = clock_monotonic_usec() + WHOLE_USEC;
        bool later[MOUNT_COPIES_MAX] = {};
        size_t n_failed = 0;

        for (size_t i = 0; i < n; i++) {
                int e = restore(&copies[i], new_device, i < ARRAY_SIZE(later), deadline_usec);

                if (e == PUT_OFF)
                        later[i] = true;
                count(&copies[i], e, &n_failed, ret);
        }
        for (size_t i = 0; i < MIN(n, ARRAY_SIZE(later)); i++)
                if (later[i])
                        count(&copies[i], restore(&copies[i], new_device, false, deadline_usec), &n_failed, ret);
        if (n_failed > NAMED_MAX)
                answer_note(ret, "so it is with %zu more", n_failed - NAMED_MAX);
}
