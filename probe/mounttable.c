/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/mounttable.c - libmount's table, turned into facts about NFS mounts.
 *
 * No libmount cache anywhere: with one, libmount would resolve mount points.
 */
#include "probe/mounttable.h"

#include <errno.h>
#include <libmount/libmount.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "probe/lines.h"

#define NOT_NFS SIZE_MAX

/* One line of the table, NFS or not: the relations are judged over all. */
struct node {
        uint64_t id;
        uint64_t parent;
        const char *target;     /* borrowed from libmount, as the others */
        const char *root;
        const char *propagation;
        bool autofs;
        size_t nfs_index;       /* in mounttable.mounts, or NOT_NFS */
};

struct reading {
        struct mounttable table;
        size_t allocated;
        struct node *nodes;
        size_t n_nodes;
        bool mountinfo;
};

static void fclosep(FILE **f)
{
        if (*f)
                (void)fclose(*f);       /* only read from */
}

static void tablep(struct libmnt_table **t)
{
        mnt_unref_table(*t);
}

static void iterp(struct libmnt_iter **i)
{
        mnt_free_iter(*i);
}

static void reading_done(struct reading *r)
{
        mounttable_done(&r->table);
        free(r->nodes);
}

/* ---- format ---------------------------------------------------------------- */

static bool is_mountinfo_line(const char *line)
{
        unsigned id, parent, major, minor;
        int used = 0;

        return sscanf(line, "%u %u %u:%u %n", &id, &parent, &major, &minor, &used) == 4 && line[used] == '/';
}

/* "SOURCE /MOUNTPOINT TYPE OPTIONS" */
static bool is_mounts_line(const char *line)
{
        size_t source = strcspn(line, " \t\n");
        const char *target = line + source + strspn(line + source, " \t");

        if (source == 0 || line[0] == '#' || target[0] != '/')
                return false;
        const char *type = target + strcspn(target, " \t\n");
        type += strspn(type, " \t");
        return type[0] != '\0' && type[0] != '\n';
}

/* libmount decides on the format by the first line, whatever that is: so the
 * lines in front of the first usable one are taken away, and that one is put
 * back by this stream. */
struct head_stream {
        const char *head;
        size_t length_bytes;
        FILE *rest;
};

static ssize_t head_stream_read(void *cookie, char *data, size_t size)
{
        struct head_stream *s = cookie;

        if (s->length_bytes > 0) {
                size_t n = MIN(size, s->length_bytes);

                memcpy(data, s->head, n);
                s->head += n;
                s->length_bytes -= n;
                return (ssize_t)n;
        }
        size_t n = fread(data, 1, size, s->rest);
        return n == 0 && ferror(s->rest) ? -1 : (ssize_t)n;
}

/* Reads up to the first usable line. Return: its length, 0 at the end of the
 * file, or a negative errno. */
static ssize_t first_usable_line(struct reading *r, FILE *stream, char **line, size_t *size)
{
        for (;;) {
                errno = 0;
                ssize_t n = getline(line, size, stream);
                if (n < 0)
                        return feof(stream) ? 0 : errno ? -errno : -EIO;
                bool whole = strlen(*line) == (size_t)n;

                r->mountinfo = whole && is_mountinfo_line(*line);
                if (r->mountinfo || (whole && is_mounts_line(*line)))
                        return n;
                if (strspn(*line, " \t\n") == (size_t)n)
                        continue;
                r->table.n_lines_total++;
                r->table.n_lines_bad++;
        }
}

/* ---- one line ---------------------------------------------------------------- */

static bool is_nfs(const char *fstype)
{
        return fstype && (strcmp(fstype, "nfs") == 0 || strcmp(fstype, "nfs4") == 0);
}

/* nfs_parse_devname() in the kernel: brackets around an IPv6 address, else the
 * host ends at the first colon; ":/" first, so that a bare IPv6 address works. */
int mount_source_split(struct mount_facts *m)
{
        const char *s = m->source, *host = s, *path;
        size_t host_length = 0;
        const char *bracket = s[0] == '[' ? strstr(s, "]:") : NULL;

        if (bracket) {
                host = s + 1;
                host_length = (size_t)(bracket - host);
                path = bracket + 2;
        } else {
                const char *colon = strstr(s, ":/");

                colon = colon ? colon : strchr(s, ':');
                path = colon ? colon + 1 : "";
                host_length = colon ? (size_t)(colon - s) : 0;
        }
        m->server = strndup(host, host_length);
        m->export_path = strdup(path[0] ? path : "/");
        return m->server && m->export_path ? 0 : -ENOMEM;
}

static int options_read(struct mount_facts *m, const char *vfs, const char *super)
{
        int r = options_parse(vfs ? vfs : "", vfs ? strlen(vfs) : 0, &m->vfs);

        if (r < 0)
                return r;
        r = options_parse(super ? super : "", super ? strlen(super) : 0, &m->super);
        if (r < 0)
                return r;
        struct nfs_options of_mount, of_super;
        nfs_options_read(&m->vfs, &of_mount);
        nfs_options_read(&m->super, &of_super);
        m->read_only = of_mount.read_only || of_super.read_only;
        return 0;
}

static int strings_read(struct mount_facts *m, struct libmnt_fs *fs)
{
        const char *propagation = mnt_fs_get_optional_fields(fs);

        m->target = strdup(mnt_fs_get_target(fs));
        m->source = strdup(mnt_fs_get_source(fs));
        m->fstype = strdup(mnt_fs_get_fstype(fs));
        m->propagation = strdup(propagation ? propagation : "");
        return m->target && m->source && m->fstype && m->propagation ? 0 : -ENOMEM;
}

/* Return: 0, -ENOMEM, or -EINVAL for a line that is of no use. */
static int facts_fill(struct mount_facts *m, struct libmnt_fs *fs, bool mountinfo)
{
        if (!mnt_fs_get_source(fs))
                return -EINVAL;
        int r = strings_read(m, fs);
        if (r < 0)
                return r;
        if (mountinfo) {
                dev_t device = mnt_fs_get_devno(fs);

                m->mount_id = (uint64_t)mnt_fs_get_id(fs);
                m->parent_id = (uint64_t)mnt_fs_get_parent_id(fs);
                m->device = (struct device){ major(device), minor(device) };
                r = options_read(m, mnt_fs_get_vfs_options(fs), mnt_fs_get_fs_options(fs));
        } else {
                r = options_read(m, mnt_fs_get_options(fs), mnt_fs_get_options(fs));
        }
        if (r < 0)
                return r == -ENOMEM ? r : -EINVAL;
        m->deleted = deleted_strip(m->target);
        return mount_source_split(m);
}

static int mount_add(struct reading *r, struct libmnt_fs *fs)
{
        struct mounttable *t = &r->table;

        if (t->n_mounts == MOUNTTABLE_NFS_MAX)
                return -E2BIG;
        if (t->n_mounts == r->allocated) {
                size_t more = r->allocated ? r->allocated * 2 : 16;
                struct mount_facts *bigger = reallocarray(t->mounts, more, sizeof(*bigger));

                if (!bigger)
                        return -ENOMEM;
                t->mounts = bigger;
                r->allocated = more;
        }
        struct mount_facts *m = &t->mounts[t->n_mounts];
        *m = (struct mount_facts){ 0 };
        int status = facts_fill(m, fs, r->mountinfo);
        if (status < 0)
                mount_facts_done(m);
        else
                t->n_mounts++;
        return status;
}

/* Return: 0, or a negative errno that ends the reading. */
static int line_add(struct reading *r, struct libmnt_fs *fs)
{
        const char *target = mnt_fs_get_target(fs), *fstype = mnt_fs_get_fstype(fs);
        size_t index = NOT_NFS;

        r->table.n_lines_total++;
        if (!target || (r->mountinfo && (mnt_fs_get_id(fs) < 0 || mnt_fs_get_parent_id(fs) < 0))) {
                r->table.n_lines_bad++;
                return 0;
        }
        if (is_nfs(fstype)) {
                int status = mount_add(r, fs);

                if (status == -EINVAL) {
                        r->table.n_lines_bad++;
                        return 0;
                }
                if (status < 0)
                        return status;
                index = r->table.n_mounts - 1;
        }
        if (r->mountinfo)
                r->nodes[r->n_nodes++] = (struct node){
                        .id = (uint64_t)mnt_fs_get_id(fs),
                        .parent = (uint64_t)mnt_fs_get_parent_id(fs),
                        .target = target,
                        .root = mnt_fs_get_root(fs),
                        .propagation = mnt_fs_get_optional_fields(fs),
                        .autofs = fstype && strcmp(fstype, "autofs") == 0,
                        .nfs_index = index,
                };
        return 0;
}

/* ---- relations ------------------------------------------------------------------ */

static int compare_ids(const void *a, const void *b)
{
        uint64_t x = ((const struct node *)a)->id, y = ((const struct node *)b)->id;

        return (x > y) - (x < y);
}

static char *concatenate(const char *a, const char *b)
{
        char *text = NULL;

        return asprintf(&text, "%s%s", a, b) < 0 ? NULL : text;
}

/* The way an unmount spreads to other namespaces goes through the parent. */
static int parent_describe(struct mount_facts *m, const struct node *parent)
{
        m->parent_propagation = strdup(parent->propagation ?: "");
        if (!m->parent_propagation)
                return -ENOMEM;
        if (!path_is_at_or_above(parent->target, m->target))
                return 0;
        const char *root = parent->root && strcmp(parent->root, "/") != 0 ? parent->root : "";
        const char *rest = strcmp(parent->target, "/") == 0 ? m->target : m->target + strlen(parent->target);
        m->place_on_parent = concatenate(root, rest);
        return m->place_on_parent ? 0 : -ENOMEM;
}

static int relate(struct mounttable *t, const struct node *parent, const struct node *child)
{
        struct mount_facts *above = parent->nfs_index == NOT_NFS ? NULL : &t->mounts[parent->nfs_index];
        struct mount_facts *below = child->nfs_index == NOT_NFS ? NULL : &t->mounts[child->nfs_index];

        if (above && strcmp(parent->target, child->target) == 0)
                above->covered = true;
        else if (above)
                above->has_submounts = true;
        if (below && above && strcmp(parent->target, child->target) != 0)
                below->below_nfs = true;
        if (below && parent->autofs && path_is_at_or_above(parent->target, child->target))
                below->below_autofs = true;
        return below ? parent_describe(below, parent) : 0;
}

static int relations_judge(struct reading *r)
{
        int status = 0;

        if (r->n_nodes == 0)
                return 0;
        qsort(r->nodes, r->n_nodes, sizeof(*r->nodes), compare_ids);
        for (size_t i = 0; status == 0 && i < r->n_nodes; i++) {
                const struct node *child = &r->nodes[i], key = { .id = child->parent };
                const struct node *parent =
                        bsearch(&key, r->nodes, r->n_nodes, sizeof(*r->nodes), compare_ids);

                if (parent && parent->id != child->id)
                        status = relate(&r->table, parent, child);
        }
        return status;
}

static int compare_places(const void *a, const void *b)
{
        const struct mount_facts *x = *(struct mount_facts *const *)a, *y = *(struct mount_facts *const *)b;

        if (x->device.major != y->device.major)
                return x->device.major < y->device.major ? -1 : 1;
        if (x->device.minor != y->device.minor)
                return x->device.minor < y->device.minor ? -1 : 1;
        int by_target = strcmp(x->target, y->target);
        return by_target ? by_target : (x > y) - (x < y);       /* then in the order of the file */
}

static int duplicates_judge(struct mounttable *t)
{
        cleanup_free char *memory = malloc(t->n_mounts * sizeof(struct mount_facts *) + 1);
        struct mount_facts **sorted = (struct mount_facts **)(void *)memory;

        if (!memory)
                return -ENOMEM;
        for (size_t i = 0; i < t->n_mounts; i++)
                sorted[i] = &t->mounts[i];
        if (t->n_mounts > 1)
                qsort(sorted, t->n_mounts, sizeof(*sorted), compare_places);
        for (size_t i = 1; i < t->n_mounts; i++)
                if (device_equal(sorted[i]->device, sorted[i - 1]->device) &&
                    strcmp(sorted[i]->target, sorted[i - 1]->target) == 0)
                        sorted[i]->duplicate = true;
        return 0;
}

/* ---- the whole -------------------------------------------------------------------- */

/* Positive: the line is skipped. */
static int on_bad_line(struct libmnt_table *tb, const char *file, int line)
{
        struct reading *r = mnt_table_get_userdata(tb);

        (void)file;
        (void)line;
        r->table.n_lines_total++;
        r->table.n_lines_bad++;
        return 1;
}

static int table_convert(struct reading *r, struct libmnt_table *tb)
{
        cleanup(iterp) struct libmnt_iter *i = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs;
        int n = mnt_table_get_nents(tb);

        r->nodes = calloc((size_t)MAX(n, 1), sizeof(*r->nodes));
        if (!i || !r->nodes)
                return -ENOMEM;
        while (mnt_table_next_fs(tb, i, &fs) == 0) {
                int status = line_add(r, fs);

                if (status < 0)
                        return status;
        }
        if (!r->mountinfo)
                return 0;
        int status = relations_judge(r);
        return status < 0 ? status : duplicates_judge(&r->table);
}

/* libmount resolves the name it is given for a table, once per table in /proc and
 * once per line otherwise: a relative one would be looked up in the working
 * directory, which may be on a dead server. */
static const char table_name[] = "/proc/self/mountinfo";

static int stream_parse(struct reading *r, FILE *stream)
{
        cleanup(tablep) struct libmnt_table *tb = mnt_new_table();

        if (!tb)
                return -ENOMEM;
        if (mnt_table_set_userdata(tb, r) < 0 || mnt_table_set_parser_errcb(tb, on_bad_line) < 0)
                return -EINVAL;
        int status = mnt_table_parse_stream(tb, stream, table_name);
        if (ferror(stream))
                return -EIO;
        return status < 0 ? status : table_convert(r, tb);
}

int mounttable_parse(FILE *stream, struct mounttable *ret)
{
        cleanup(reading_done) struct reading r = { 0 };
        cleanup_free char *line = NULL;
        size_t size = 0;
        ssize_t n = first_usable_line(&r, stream, &line, &size);

        if (n < 0)
                return (int)n;
        if (n > 0) {
                struct head_stream head = { line, (size_t)n, stream };
                cleanup(fclosep) FILE *whole =
                        fopencookie(&head, "re", (cookie_io_functions_t){ .read = head_stream_read });

                if (!whole)
                        return -ENOMEM;
                int status = stream_parse(&r, whole);
                if (status < 0)
                        return status;
        }
        *ret = r.table;
        r.table = (struct mounttable){ 0 };
        return 0;
}

int mounttable_read(const char *path, struct mounttable *ret)
{
        cleanup(fclosep) FILE *f = fopen(path, "re");

        return f ? mounttable_parse(f, ret) : -errno;
}

void mounttable_done(struct mounttable *t)
{
        for (size_t i = 0; i < t->n_mounts; i++)
                mount_facts_done(&t->mounts[i]);
        free(t->mounts);
        *t = (struct mounttable){ 0 };
}
