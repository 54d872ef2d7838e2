/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes, sorted by what they see; one mount table for those who see the same. */

#include "daemon/namespaces.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "daemon/utf8.h"
#include "policy/digest.h"
#include "policy/text.h"
#include "probe/descriptor.h"
#include "probe/file.h"
#include "probe/lines.h"
#include "probe/mounttable.h"

#define TABLE_BYTES_MAX (128 * MIB)
#define COMMAND_BYTES_MAX (4 * KIB)

void namespaces_done(struct namespaces *all)
{
        for (size_t i = 0; i < all->n_processes; i++) {
                free(all->processes[i].directory);
                free(all->processes[i].namespace);
                free(all->processes[i].root);
        }
        free(all->processes);
        for (size_t i = 0; i < all->n_views; i++) {
                struct view *v = &all->views[i];

                for (size_t j = 0; j < v->n_spots; j++) {
                        free(v->spots[j].path);
                        options_done(&v->spots[j].vfs);
                        free(v->spots[j].propagation);
                        free(v->spots[j].parent_propagation);
                        free(v->spots[j].place_on_parent);
                }
                free(v->spots);
        }
        free(all->views);
        *all = (struct namespaces){};
}

/* It ended, or has nothing of the kind (zombies and kernel threads). */
static bool is_gone(int error)
{
        return error == -ENOENT || error == -ESRCH || error == -EINVAL;
}

/* ---- processes ----------------------------------------------------------------- */

static int namespace_read(const char *directory, char **ret)
{
        cleanup_free char *text = NULL;
        size_t length = 0;

        int r = link_read_in(directory, "ns/mnt", ret);
        if (r != -EACCES && r != -EPERM)
                return r;
        r = file_read_in(directory, "mountinfo", TABLE_BYTES_MAX, &text, &length);
        if (r < 0)
                return r;
        return asprintf(ret, "%016" PRIx64, digest_bytes(DIGEST_START, text, length)) < 0 ? -ENOMEM : 0;
}

/* Takes over what @p holds. */
static int process_keep(struct namespaces *all, struct process *p)
{
        if (all->n_processes == all->processes_size) {
                size_t more = all->processes_size ? all->processes_size * 2 : 256;
                struct process *bigger = reallocarray(all->processes, more, sizeof(*bigger));

                if (!bigger)
                        return -ENOMEM;
                all->processes = bigger;
                all->processes_size = more;
        }
        all->processes[all->n_processes++] = *p;
        *p = (struct process){};
        return 0;
}

static void process_done(struct process *p)
{
        free(p->directory);
        free(p->namespace);
        free(p->root);
}

static int process_add(struct namespaces *all, const char *name)
{
        cleanup(process_done) struct process p = {};

        if (u64_parse(name, &p.pid) < 0)
                return 0;
        p.directory = path_join(all->proc, name);
        if (!p.directory)
                return -ENOMEM;
        int r = namespace_read(p.directory, &p.namespace);
        if (r < 0)
                return is_gone(r) ? 0 : r;
        r = link_read_in(p.directory, "root", &p.root);
        if (r < 0 && r != -ENOMEM)
                p.root = strdup("/");
        return p.root ? process_keep(all, &p) : -ENOMEM;
}

static int compare_processes(const void *a, const void *b)
{
        const struct process *x = a, *y = b;
        int by_namespace = strcmp(x->namespace, y->namespace);
        size_t x_length = strlen(x->root), y_length = strlen(y->root);

        if (by_namespace != 0)
                return by_namespace;
        if (x_length != y_length)
                return x_length < y_length ? -1 : 1;
        return (x->pid > y->pid) - (x->pid < y->pid);
}

static int processes_list(struct namespaces *all)
{
        cleanup(close_directory) DIR *directory = opendir(all->proc);
        struct dirent *entry;
        int r = 0;

        if (!directory)
                return -errno;
        while (r == 0 && (errno = 0, entry = readdir(directory)))
                r = process_add(all, entry->d_name);
        if (r == 0 && errno != 0)
                r = -errno;
        if (r == 0 && all->n_processes > 0)
                qsort(all->processes, all->n_processes, sizeof(*all->processes), compare_processes);
        return r;
}

static int own_pid_read(struct namespaces *all)
{
        cleanup_free char *name = NULL;

        int r = link_read_in(all->proc, "self", &name);
        return r < 0 ? r : u64_parse(name, &all->own_pid);
}

/* ---- mount tables ---------------------------------------------------------------- */

static bool root_is_whole(const struct view *v)
{
        return strcmp(v->seen_by->root, "/") == 0;
}

/* Takes over strings of @m. */
static int spot_add(struct view *v, struct mount_facts *m, bool of_superblock)
{
        struct spot *bigger = reallocarray(v->spots, v->n_spots + 1, sizeof(*bigger));
        struct spot *s;

        if (!bigger)
                return -ENOMEM;
        v->spots = bigger;
        s = &bigger[v->n_spots++];
        *s = (struct spot){
                .mount_id = m->mount_id,
                .of_superblock = of_superblock,
                .in_use = m->covered || m->has_submounts,
                .vfs = m->vfs,
                .propagation = TAKE(m->propagation),
                .parent_propagation = TAKE(m->parent_propagation),
                .place_on_parent = TAKE(m->place_on_parent),
        };
        m->vfs = (struct options){};
        if (root_is_whole(v))
                s->path = TAKE(m->target);
        else if (asprintf(&s->path, "%s%s", v->seen_by->root, strcmp(m->target, "/") == 0 ? "" : m->target) < 0)
                s->path = NULL;
        return s->path ? 0 : -ENOMEM;
}

/* Does @m, which nothing covers, hide a part of the superblock: is it at or below one of its first @n mounts? */
static bool hides(const struct view *v, size_t n, const struct mount_facts *m)
{
        const size_t root_length = root_is_whole(v) ? 0 : strlen(v->seen_by->root);

        for (size_t i = 0; i < n; i++)
                if (path_is_at_or_above(v->spots[i].path + root_length, m->target))
                        return true;
        return false;
}

static int spots_fill(const struct namespaces *all, struct view *v, struct mounttable *t)
{
        const struct device device = all->mount->device;
        int r = 0;

        for (size_t i = 0; r == 0 && i < t->n_mounts; i++)
                if (device_equal(t->mounts[i].device, device))
                        r = spot_add(v, &t->mounts[i], true);
        const size_t n = v->n_spots;
        for (size_t i = 0; r == 0 && i < t->n_mounts; i++)
                if (!device_equal(t->mounts[i].device, device) && !t->mounts[i].covered && hides(v, n, &t->mounts[i]))
                        r = spot_add(v, &t->mounts[i], false);
        return r;
}

static bool names_device(const char *text, struct device device)
{
        char field[32];

        snprintf(field, sizeof(field), " %u:%u ", device.major, device.minor);
        return strstr(text, field) != NULL;
}

/* The table as @p sees it. Return: 0 or a negative errno. */
static int table_read(const struct namespaces *all, const struct process *p, struct mounttable *ret)
{
        cleanup_free char *text = NULL;
        size_t length = 0;

        int r = file_read_in(p->directory, "mountinfo", TABLE_BYTES_MAX, &text, &length);
        if (r < 0 || !names_device(text, all->mount->device))
                return r;
        FILE *stream = fmemopen(text, length, "r");
        if (!stream)
                return -errno;
        r = mounttable_parse(stream, ret);
        (void)fclose(stream);           /* only read from */
        return r;
}

/* One namespace, by the first of its processes that is still there; those with the
 * widest view come first. */
static int view_read(const struct namespaces *all, const struct process *first, size_t n, struct view *v)
{
        for (size_t i = 0; i < n; i++) {
                cleanup(mounttable_done) struct mounttable table = {};
                int r = table_read(all, &first[i], &table);

                if (r < 0 && is_gone(r))
                        continue;
                if (r < 0)
                        return r;
                v->seen_by = &first[i];
                return spots_fill(all, v, &table);
        }
        return 0;
}

static int views_read(struct namespaces *all)
{
        all->views = calloc(MAX(all->n_processes, 1U), sizeof(*all->views));
        if (!all->views)
                return -ENOMEM;
        for (size_t i = 0, n; i < all->n_processes; i += n) {
                const struct process *first = &all->processes[i];
                struct view *v = &all->views[all->n_views++];

                v->namespace = first->namespace;
                for (n = 0; i + n < all->n_processes && strcmp(first[n].namespace, first->namespace) == 0; n++)
                        if (first[n].pid == all->own_pid)
                                all->own = v;
                int r = view_read(all, first, n, v);
                if (r < 0)
                        return r;
        }
        return all->own ? 0 : -ESRCH;
}

uint64_t propagation_group(const char *propagation, const char *tag)
{
        const char *found = propagation ? strstr(propagation, tag) : NULL;

        return found ? strtoull(found + strlen(tag), NULL, 10) : 0;
}

char *process_command(const struct process *p)
{
        cleanup_free char *command = NULL;
        cleanup(text_done) struct text t = {};
        size_t length = 0;

        if (p && file_read_in(p->directory, "comm", COMMAND_BYTES_MAX, &command, &length) == 0) {
                command[strcspn(command, "\n")] = '\0';
                text_add_printable(&t, command);
        }
        return text_take(&t);
}

const struct spot *spot_find(const struct view *v, uint64_t mount_id)
{
        for (size_t i = 0; i < v->n_spots; i++)
                if (v->spots[i].of_superblock && v->spots[i].mount_id == mount_id)
                        return &v->spots[i];
        return NULL;
}

int namespaces_read(const char *proc, const struct mount_facts *m, struct namespaces *ret)
{
        cleanup(namespaces_done) struct namespaces all = { .proc = proc, .mount = m };

        int r = own_pid_read(&all);
        if (r == 0)
                r = processes_list(&all);
        if (r == 0)
                r = views_read(&all);
        if (r < 0)
                return r;
        *ret = all;
        all = (struct namespaces){};
        return 0;
}
