/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has the superblock, and who would notice? */

#include "daemon/look.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/namespaces.h"
#include "daemon/utf8.h"
#include "policy/text.h"
#include "probe/descriptor.h"
#include "probe/file.h"
#include "probe/lines.h"

#define USERS_MAX 64                    /* that are named; whether there is one is judged over all */
#define SMALL_BYTES_MAX (4 * KIB)       /* stat, fdinfo */
#define MAPS_BYTES_MAX (16 * MIB)
#define KERNEL_THREAD 0x00200000U       /* PF_KTHREAD, include/linux/sched.h */

/* ---- answers --------------------------------------------------------------------- */

/* Takes over @what, which may be NULL without memory. @p: NULL for none. */
static int user_add(struct apply_answer *a, const struct process *p, char *what, bool reached, bool is_mount)
{
        cleanup_free char *owned = what;
        char *printable = process_command(p);
        struct apply_user *bigger = reallocarray(a->users, a->n_users + 1, sizeof(*bigger));

        if (bigger)
                a->users = bigger;
        if (!bigger || !printable || !owned) {
                free(printable);
                return -ENOMEM;
        }
        bigger[a->n_users++] = (struct apply_user){
                .pid = p ? (int)p->pid : 0,
                .command = printable,
                .what = TAKE(owned),
                .reached = reached,
                .is_mount = is_mount,
        };
        return 0;
}

static char *words(const char *before, const char *path, const char *after)
{
        cleanup(text_done) struct text t = {};

        text_add(&t, "%s", before);
        text_add_printable_start(&t, path);
        text_add(&t, "%s", after);
        return text_take(&t);
}

/* ---- mounts elsewhere --------------------------------------------------------------- */

/* An unmount spreads through the parent, to the same place on it. A slave of a slave would be reached too; that it is
 * said not to be costs an automatic change, and no more. */
static bool is_reached(const struct spot *ours, const struct spot *copy)
{
        const uint64_t group = propagation_group(ours->parent_propagation, "shared:");

        if (group == 0 || copy->in_use || !ours->place_on_parent || !copy->place_on_parent ||
            strcmp(ours->place_on_parent, copy->place_on_parent) != 0)
                return false;
        return propagation_group(copy->parent_propagation, "shared:") == group ||
               propagation_group(copy->parent_propagation, "master:") == group;
}

/* Mount ids are unique among all namespaces: where namespaces are told apart by digests,
 * a part of ours that looks like another one is known by them. */
static int copies_add(const struct namespaces *all, const struct view *v, const struct spot *ours,
                      struct apply_answer *a, size_t *n_named)
{
        const bool own = v == all->own;

        for (size_t i = 0; i < v->n_spots; i++) {
                const struct spot *s = &v->spots[i];
                const bool reached = !own && is_reached(ours, s);

                if (!s->of_superblock || s->mount_id == ours->mount_id || (!own && spot_find(all->own, s->mount_id)))
                        continue;
                a->elsewhere = a->elsewhere || (!own && !reached);
                if (*n_named == USERS_MAX)
                        continue;
                (*n_named)++;
                int r = user_add(a, own ? NULL : v->seen_by,
                                 own ? words("also mounted at ", s->path, "")
                                     : words("mounted at ", s->path, " in another mount namespace"),
                                 reached, true);
                if (r < 0)
                        return r;
        }
        return 0;
}

int look_elsewhere(const char *proc, const struct mount_facts *m, struct apply_answer *a)
{
        cleanup(namespaces_done) struct namespaces all = {};
        size_t n_named = 0;

        int r = namespaces_read(proc, m, &all);
        if (r < 0)
                return r;
        const struct spot *ours = spot_find(all.own, m->mount_id);
        if (!ours)
                return -ENOENT;
        for (size_t i = 0; r == 0 && i < all.n_views; i++)
                r = copies_add(&all, &all.views[i], ours, a, &n_named);
        return r;
}

/* ---- processes that use it -------------------------------------------------------------- */

/* What one process has there: the first is named, the others are counted. */
struct use {
        char *what;
        unsigned n;
};

static int use_add(struct use *u, const char *before, const char *path, const char *after)
{
        if (u->n++ > 0)
                return 0;
        u->what = words(before, path, after);
        return u->what ? 0 : -ENOMEM;
}

/* The text of a link names a place on the superblock when of all NFS mounts above it the lowest is one of it. */
static bool is_there(const struct view *v, const char *path)
{
        const struct spot *lowest = NULL;

        for (size_t i = 0; i < v->n_spots; i++) {
                const struct spot *s = &v->spots[i];

                if (path_is_at_or_above(s->path, path) && (!lowest || strlen(s->path) >= strlen(lowest->path)))
                        lowest = s;
        }
        return lowest && lowest->of_superblock;
}

static int link_check(const struct view *v, const struct process *p, const char *name, const char *before,
                      const char *after, struct use *u)
{
        cleanup_free char *path = NULL;

        int r = link_read_in(p->directory, name, &path);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return is_there(v, path) ? use_add(u, before, path, after) : 0;
}

/* The mount id of an open file, 0 when it cannot be told. */
static uint64_t mount_id_of(const struct process *p, const char *fd)
{
        static const char tag[] = "\nmnt_id:";
        cleanup_free char *text = NULL;
        cleanup_free char *name = path_join("fdinfo", fd);
        size_t length = 0;

        if (!name || file_read_in(p->directory, name, SMALL_BYTES_MAX, &text, &length) < 0)
                return 0;
        const char *found = strstr(text, tag);
        return found ? strtoull(found + strlen(tag), NULL, 10) : 0;
}

/* A descriptor may come from another namespace (SCM_RIGHTS): all of them count. */
static bool is_of_superblock(const struct namespaces *all, uint64_t mount_id)
{
        for (size_t i = 0; i < all->n_views; i++)
                if (spot_find(&all->views[i], mount_id))
                        return true;
        return false;
}

static int file_check(const struct namespaces *all, const struct process *p, const char *fd, struct use *u)
{
        cleanup_free char *path = NULL;
        cleanup_free char *name = path_join("fd", fd);

        if (!name)
                return -ENOMEM;
        int r = link_read_in(p->directory, name, &path);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        if (path[0] != '/' || !is_of_superblock(all, mount_id_of(p, fd)))        /* sockets and pipes have no path */
                return 0;
        return use_add(u, "file ", path, " (open)");
}

static int files_check(const struct namespaces *all, const struct process *p, struct use *u)
{
        cleanup_free char *path = path_join(p->directory, "fd");
        cleanup(close_directory) DIR *directory = path ? opendir(path) : NULL;
        struct dirent *entry;
        int r = 0;

        if (!path)
                return -ENOMEM;
        while (r == 0 && directory && (entry = readdir(directory)))
                if (entry->d_name[0] != '.')
                        r = file_check(all, p, entry->d_name, u);
        return r;
}

/* "START-END PERMS OFFSET MAJ:MIN INODE   PATH", the numbers in hexadecimal digits. */
static bool map_line_is_on(const char *line, size_t length, struct device device, const char **ret_path)
{
        unsigned major, minor;
        int used = 0;
        char text[128];

        snprintf(text, sizeof(text), "%.*s", (int)MIN(length, sizeof(text) - 1), line);
        if (sscanf(text, "%*s %*s %*s %x:%x %*u %n", &major, &minor, &used) < 2 || used == 0)
                return false;
        *ret_path = line + MIN((size_t)used, length);
        return device_equal((struct device){ major, minor }, device);
}

/* Last, and only of a process that has nothing else there: the table is read under a lock of the process. */
static int maps_check(const struct namespaces *all, const struct process *p, struct use *u)
{
        cleanup_free char *text = NULL;
        const char *line, *path;
        size_t length = 0;

        int r = file_read_in(p->directory, "maps", MAPS_BYTES_MAX, &text, &length);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        struct line_reader reader = { text, text + length, 0 };
        while (lines_next(&reader, &line, &length))
                if (map_line_is_on(line, length, all->mount->device, &path)) {
                        cleanup_free char *name = strndup(path, (size_t)(line + length - path));

                        return name ? use_add(u, "mapped file ", name, "") : -ENOMEM;
                }
        return 0;
}

/* proc(5): the flags are field 9 of stat; the second one is a name that may contain anything. */
static bool is_kernel_thread(const struct process *p)
{
        cleanup_free char *text = NULL;
        unsigned flags = 0;
        size_t length = 0;

        if (file_read_in(p->directory, "stat", SMALL_BYTES_MAX, &text, &length) < 0)
                return false;
        const char *rest = strrchr(text, ')');
        return rest && sscanf(rest, ") %*c %*d %*d %*d %*d %*d %u", &flags) == 1 && (flags & KERNEL_THREAD);
}

static int use_look(const struct namespaces *all, const struct view *v, const struct process *p, struct use *u)
{
        int r = link_check(v, p, "cwd", "working directory ", "", u);

        if (r == 0)
                r = link_check(v, p, "root", "root directory ", "", u);
        if (r == 0)
                r = link_check(v, p, "exe", "program ", "", u);
        if (r == 0)
                r = files_check(all, p, u);
        return r == 0 && u->n == 0 ? maps_check(all, p, u) : r;
}

static char *use_words(struct use *u)
{
        cleanup_free char *first = TAKE(u->what);
        cleanup(text_done) struct text t = {};

        text_add(&t, "%s", first);
        if (u->n > 1)
                text_add(&t, ", and %u more", u->n - 1);
        return text_take(&t);
}

static int process_look(const struct namespaces *all, const struct view *v, const struct process *p,
                        struct apply_answer *a, size_t *n_named)
{
        struct use u = {};

        if (p->pid == all->own_pid || is_kernel_thread(p))
                return 0;
        int r = use_look(all, v, p, &u);
        if (r < 0 || u.n == 0) {
                free(u.what);
                return r;
        }
        (*n_named)++;
        return user_add(a, p, use_words(&u), false, false);
}

int look_users(const char *proc, const struct mount_facts *m, struct apply_answer *a)
{
        cleanup(namespaces_done) struct namespaces all = {};
        const struct view *v;
        size_t n_named = 0;

        int r = namespaces_read(proc, m, &all);
        if (r < 0)
                return r;
        v = all.views;
        for (size_t i = 0; r == 0 && i < all.n_processes && n_named < USERS_MAX; i++) {
                while (strcmp(v->namespace, all.processes[i].namespace) != 0)
                        v++;
                r = process_look(&all, v, &all.processes[i], a, &n_named);
        }
        return r;
}
