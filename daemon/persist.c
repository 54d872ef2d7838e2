/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/persist.c - edits written to /etc.
 *
 * In order: lock, read, edit in memory, back up, write beside, read that back, look whether the file is still the one
 * that was read, rename. Up to the first rename nothing has changed, whatever fails. Somebody who saves the file in the
 * instant between the last look and the rename is not noticed; no call could tell.
 */
#include "daemon/persist.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/host.h"
#include "daemon/record_json.h"
#include "daemon/stale_lock.h"
#include "daemon/whole_file.h"
#include "policy/text.h"
#include "probe/descriptor.h"
#include "probe/file.h"
#include "probe/fstab.h"
#include "probe/lines.h"

#define FILE_BYTES_MAX (4 * MIB)
#define BACKUP_SUFFIX  ".nfstuned-backup"
/* Less than libmount's own 30 s, and than our deadline. */
#define LOCK_PATIENCE  (8 * USEC_PER_SEC)

/* One file that is edited. */
struct target {
        const char *file;               /* as the edits name it: "/etc/fstab"; borrowed */
        const char *name;               /* its last component; borrowed */
        enum place_kind kind;
        int dir_fd;                     /* -1: no such directory yet */
        int fd;                         /* -1: no such file */
        struct stat st;
        char *before;                   /* NULL: no such file */
        char *after;                    /* NULL: it goes */
        struct whole_file written;
};

struct run {
        const char *root;
        const struct apply_request *request;
        struct apply_answer *answer;
        struct target *targets;
        size_t n_targets;
        struct libmnt_lock *lock;
        struct text words;
        bool committed;                 /* at least one file */
};

static char *rooted(const struct run *p, const char *path)
{
        char *joined = NULL;

        return asprintf(&joined, "%s%s", p->root, path) < 0 ? NULL : joined;
}

/* Return: 1. */
static int printf_like(2, 3) say(struct run *p, const char *format, ...)
{
        char *words = NULL;
        va_list args;

        va_start(args, format);
        int n = vasprintf(&words, format, args);
        va_end(args);
        if (n < 0)
                return -ENOMEM;
        text_add_clause(&p->words);
        text_add(&p->words, "%s", words);
        free(words);
        return 1;
}

/* Return: 1 with words, or -ENOMEM. */
static int say_error(struct run *p, const char *what, const char *file, int r)
{
        if (r == -ENOMEM)
                return r;
        if (r == -ELOOP)
                return say(p, "%s is, or lies behind, a symbolic link, through which nothing is written: change it "
                              "where it is made", file);
        if (r == -ENOSPC || r == -EDQUOT)
                return say(p, "%s cannot be %s: the disk is full", file, what);
        if (r == -EROFS)
                return say(p, "%s cannot be %s: its file system is read-only", file, what);
        return say(p, "%s cannot be %s: %s", file, what, strerror(-r));
}

/* ---- what may be written ------------------------------------------------------------------ */

static bool starts(const char *s, const char *prefix)
{
        return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool ends(const char *s, size_t n, const char *suffix)
{
        size_t m = strlen(suffix);

        return n > m && memcmp(s + n - m, suffix, m) == 0;
}

/* "DIR/NAME.conf" */
static bool is_conf_in(const char *file, const char *dir)
{
        const char *name = file + strlen(dir);

        return starts(file, dir) && name[0] != '.' && !strchr(name, '/') && ends(name, strlen(name), ".conf");
}

/* "/etc/systemd/system/NAME.mount.d/OTHER.conf"; one that is written whole has our name. */
static bool is_dropin(const struct source_edit *e)
{
        static const char dir[] = "/etc/systemd/system/";
        const char *name = e->file + sizeof(dir) - 1, *slash = starts(e->file, dir) ? strchr(name, '/') : NULL;

        if (!slash || strchr(slash + 1, '/') || !ends(name, (size_t)(slash - name), ".mount.d"))
                return false;
        return e->line == 0 ? strcmp(slash + 1, OWN_DROPIN) == 0
                            : slash[1] != '.' && ends(slash + 1, strlen(slash + 1), ".conf");
}

/* Of a drop-in: nothing but a comment, the section and the options. */
static bool is_options_only(const char *text)
{
        struct line_reader lines = { text, text + strlen(text), 0 };
        const char *line;
        size_t length;

        while (lines_next(&lines, &line, &length))
                if (length > 0 && line[0] != '#' && !(length == 7 && memcmp(line, "[Mount]", 7) == 0) &&
                    !text_starts(line, length, "Options="))
                        return false;
        return true;
}

static bool is_settings_only(const struct source_edit *e, const char *text)
{
        return e->line == 0 ? starts(text, "[ MountPoint \"") : !strchr(text, '\n') && text[0] != '[';
}

/* Does the line mount NFS at the place that the request is about, as the other one does? */
static bool is_line_of_mount(const struct run *p, const char *a, const char *b)
{
        cleanup(fstab_done) struct fstab old = { 0 }, new = { 0 };

        if (strchr(a, '\n') || strchr(b, '\n') || fstab_parse(a, strlen(a), &old) < 0 ||
            fstab_parse(b, strlen(b), &new) < 0 || old.n_entries != 1 || new.n_entries != 1)
                return false;
        return host_target_equal(new.entries[0].target, p->request->mount.target) &&
               strcmp(old.entries[0].target, new.entries[0].target) == 0 &&
               strcmp(old.entries[0].source, new.entries[0].source) == 0 &&
               strcmp(old.entries[0].fstype, new.entries[0].fstype) == 0;
}

static bool is_text_allowed(const struct source_edit *e, const char *text)
{
        if (!text)
                return true;
        if (e->kind == PLACE_NFSMOUNT_CONF)
                return is_settings_only(e, text);
        return is_options_only(text) && (e->line == 0 || !strchr(text, '\n'));
}

static bool is_conf(const struct source_edit *e)
{
        return (strcmp(e->file, "/etc/nfsmount.conf") == 0 || is_conf_in(e->file, "/etc/nfsmount.conf.d/")) &&
               (e->line > 0 || strcmp(e->file, OWN_SNIPPET) == 0);
}

static bool is_allowed(const struct run *p, const struct source_edit *e)
{
        if (!e->file || !path_is_plain(e->file) || (!e->old_text && !e->new_text))
                return false;
        if (e->kind == PLACE_FSTAB)
                return strcmp(e->file, "/etc/fstab") == 0 && e->old_text && e->new_text &&
                       is_line_of_mount(p, e->old_text, e->new_text);
        if (e->line > 0 && (!e->old_text || !e->new_text))
                return false;
        if (e->kind == PLACE_UNIT ? !is_dropin(e) : e->kind != PLACE_NFSMOUNT_CONF || !is_conf(e))
                return false;
        return is_text_allowed(e, e->old_text) && is_text_allowed(e, e->new_text);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int content_read(struct run *p, struct target *t)
{
        size_t length = 0;
        int r;

        if (fstat(t->fd, &t->st) < 0)
                return say_error(p, "read", t->file, -errno);
        if (!S_ISREG(t->st.st_mode))
                return say(p, "%s is no regular file", t->file);
        if (t->st.st_uid != geteuid())
                return say(p, "%s does not belong to root: nothing is written there", t->file);
        r = fd_read(t->fd, FILE_BYTES_MAX, &t->before, &length);
        if (r < 0)
                return say_error(p, "read", t->file, r);
        if (strlen(t->before) != length)
                return say(p, "%s holds a NUL byte: it is damaged", t->file);
        t->after = strdup(t->before);
        return t->after ? 0 : -ENOMEM;
}

static int dir_open(const struct run *p, const struct target *t, bool make, int *ret)
{
        cleanup_free char *path = rooted(p, t->file);
        char *slash = path ? strrchr(path, '/') : NULL;

        if (!slash)
                return -ENOMEM;
        *slash = '\0';
        return directory_walk(path, make, 0755, ret);
}

/* Only what nfstuned makes itself may be missing. */
static int target_read(struct run *p, struct target *t)
{
        int r = dir_open(p, t, false, &t->dir_fd);

        if (r == 0) {
                t->fd = openat(t->dir_fd, t->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
                r = t->fd < 0 ? -errno : 0;
        }
        if (r == -ENOENT)
                return 0;
        return r < 0 ? say_error(p, "read", t->file, r) : content_read(p, t);
}

static struct target *target_find(const struct run *p, const char *file)
{
        for (size_t i = 0; i < p->n_targets; i++)
                if (strcmp(p->targets[i].file, file) == 0)
                        return &p->targets[i];
        return NULL;
}

static int targets_read(struct run *p)
{
        const struct apply_request *q = p->request;
        int r = 0;

        p->targets = calloc(q->n_edits, sizeof(*p->targets));
        if (!p->targets)
                return -ENOMEM;
        for (size_t i = 0; i < q->n_edits && r == 0; i++) {
                const struct source_edit *e = &q->edits[i];

                if (!is_allowed(p, e))
                        return say(p, "the request names a place or a text that nfstuned never writes");
                if (target_find(p, e->file))
                        continue;
                struct target *t = &p->targets[p->n_targets++];
                *t = (struct target){ .file = e->file, .name = strrchr(e->file, '/') + 1, .kind = e->kind,
                                      .dir_fd = -1, .fd = -1, .written = WHOLE_FILE_NONE };
                r = target_read(p, t);
        }
        return r;
}

/* ---- editing ------------------------------------------------------------------------------------ */

static int edit_apply(struct run *p, struct target *t, const struct source_edit *e)
{
        cleanup_free char *words = NULL;
        char *after = NULL;
        int r = source_edit_apply(e, t->after, &after, &words);

        if (r == 1)
                return say(p, "%s", words);
        if (r < 0)
                return r;
        free(t->after);
        t->after = after;
        return 0;
}

/* From the last line to the first, so that the numbers of the others hold. */
static int target_edit(struct run *p, struct target *t)
{
        const struct apply_request *q = p->request;
        unsigned below = UINT32_MAX;
        int r = 0;

        for (;;) {
                unsigned highest = 0;
                bool found = false;

                for (size_t i = 0; i < q->n_edits; i++)
                        if (strcmp(q->edits[i].file, t->file) == 0 && q->edits[i].line < below) {
                                highest = MAX(highest, q->edits[i].line);
                                found = true;
                        }
                if (!found)
                        return 0;
                for (size_t i = 0; i < q->n_edits && r == 0; i++)
                        if (strcmp(q->edits[i].file, t->file) == 0 && q->edits[i].line == highest)
                                r = edit_apply(p, t, &q->edits[i]);
                if (r != 0)
                        return r;
                below = highest;
        }
}

static bool is_changed(const struct target *t)
{
        return t->before && t->after ? strcmp(t->before, t->after) != 0 : t->before != t->after;
}

static int targets_edit(struct run *p)
{
        struct text diff = { 0 };
        int r = 0;

        for (size_t i = 0; i < p->n_targets && r == 0; i++) {
                struct target *t = &p->targets[i];

                r = target_edit(p, t);
                if (r == 0)
                        text_add_diff(&diff, t->file, t->before, t->after);
        }
        p->answer->diff = text_take(&diff);
        return r == 0 && !p->answer->diff ? -ENOMEM : r;
}

/* ---- libmount: the lock, and reading back ----------------------------------------------------------- */

static int fstab_lock(struct run *p)
{
        cleanup_free char *path = rooted(p, "/etc/fstab"), *lock_path = rooted(p, "/etc/fstab~");
        int r;

        if (!path || !lock_path)
                return -ENOMEM;
        r = stale_lock_clear(lock_path, LOCK_PATIENCE);
        if (r == -EBUSY)
                return say(p, "/etc/fstab is being changed by another program, which holds the lock /etc/fstab~");
        if (r < 0)
                return say_error(p, "locked", "/etc/fstab", r);
        p->lock = mnt_new_lock(path, 0);
        if (!p->lock)
                return -ENOMEM;
        r = mnt_lock_file(p->lock);
        if (r == 0)
                return 0;
        mnt_free_lock(p->lock);
        p->lock = NULL;
        return say_error(p, "locked", "/etc/fstab", r < 0 ? r : -r);
}

static void fstab_unlock(struct run *p)
{
        if (!p->lock)
                return;
        mnt_unlock_file(p->lock);
        mnt_free_lock(p->lock);
        p->lock = NULL;
}

static void tablep(struct libmnt_table **t)
{
        mnt_unref_table(*t);
}

static void iterp(struct libmnt_iter **i)
{
        mnt_free_iter(*i);
}

/* Others' broken lines are passed over, as mount(8) does. */
static int on_bad_line(struct libmnt_table *tb, const char *file, int line)
{
        (void)tb;
        (void)file;
        (void)line;
        return 1;
}

static struct libmnt_table *table_new(void)
{
        struct libmnt_table *t = mnt_new_table();

        if (t && mnt_table_set_parser_errcb(t, on_bad_line) < 0) {
                mnt_unref_table(t);
                return NULL;
        }
        return t;
}

static bool same(const char *a, const char *b)
{
        return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_place(struct libmnt_fs *a, struct libmnt_fs *b)
{
        return same(mnt_fs_get_source(a), mnt_fs_get_source(b)) && same(mnt_fs_get_target(a), mnt_fs_get_target(b)) &&
               same(mnt_fs_get_fstype(a), mnt_fs_get_fstype(b));
}

static bool same_entry(struct libmnt_fs *a, struct libmnt_fs *b)
{
        return same_place(a, b) && same(mnt_fs_get_options(a), mnt_fs_get_options(b)) &&
               mnt_fs_get_freq(a) == mnt_fs_get_freq(b) && mnt_fs_get_passno(a) == mnt_fs_get_passno(b);
}

/* Is it the one that was meant to change, with the options that were meant? */
static bool is_meant(const struct run *p, struct libmnt_fs *fs)
{
        const char *target = mnt_fs_get_target(fs), *options = mnt_fs_get_options(fs);

        if (!target || !host_target_equal(target, p->request->mount.target))
                return false;
        for (size_t i = 0; i < p->request->n_edits; i++) {
                const struct source_edit *e = &p->request->edits[i];
                cleanup_free char *decoded = e->options ? octal_decode(e->options, strlen(e->options)) : NULL;

                if (e->kind == PLACE_FSTAB && (!e->options || same(decoded, options)))
                        return true;
        }
        return false;
}

/* Every entry as before but for those that were meant to change; one that could not be read before may be new. */
static bool tables_agree(const struct run *p, struct libmnt_table *before, struct libmnt_table *after)
{
        cleanup(iterp) struct libmnt_iter *i = mnt_new_iter(MNT_ITER_FORWARD), *k = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *a = NULL, *b = NULL;

        if (!i || !k)
                return false;
        bool more_a = mnt_table_next_fs(before, i, &a) == 0, more_b = mnt_table_next_fs(after, k, &b) == 0;
        while (more_b) {
                bool equal = more_a && same_entry(a, b);

                if (!equal && !is_meant(p, b))
                        return false;
                if (equal || (more_a && same_place(a, b)))
                        more_a = mnt_table_next_fs(before, i, &a) == 0;
                more_b = mnt_table_next_fs(after, k, &b) == 0;
        }
        return !more_a;
}

static int fstab_read_back(struct run *p, const struct target *t)
{
        cleanup(tablep) struct libmnt_table *before = table_new(), *after = table_new();
        cleanup_free char *old_path = rooted(p, t->file), *relative = NULL, *new_path = NULL;

        if (!before || !after || !old_path || asprintf(&relative, "/etc/%s", t->written.temporary) < 0)
                return -ENOMEM;
        new_path = rooted(p, relative);
        if (!new_path)
                return -ENOMEM;
        if (mnt_table_parse_file(before, old_path) < 0 || mnt_table_parse_file(after, new_path) < 0 ||
            !tables_agree(p, before, after))
                return say(p, "read back, %s would not say what was meant", t->file);
        return 0;
}

/* ---- writing ---------------------------------------------------------------------------------------- */

/* An older backup is replaced. Return: 0, 1 with words, -ENOMEM. */
static int back_up(struct run *p, struct target *t)
{
        cleanup(whole_file_done) struct whole_file f = WHOLE_FILE_NONE;
        cleanup_free char *name = NULL;
        struct apply_answer *a = p->answer;
        char *path = NULL;
        int r;

        if (asprintf(&name, "%s" BACKUP_SUFFIX, t->name) < 0)
                return -ENOMEM;
        r = whole_file_begin(&f, t->dir_fd, name, t->before, strlen(t->before), t->fd, 0);
        if (r == 0)
                r = whole_file_commit(&f);
        if (r < 0)
                return say_error(p, "backed up", t->file, r);
        if (asprintf(&path, "%s" BACKUP_SUFFIX, t->file) < 0)
                return -ENOMEM;
        a->backups[a->n_backups++] = path;
        return 0;
}

static int target_write(struct run *p, struct target *t)
{
        int r = t->dir_fd < 0 && t->after ? dir_open(p, t, true, &t->dir_fd) : 0;

        if (r < 0)
                return say_error(p, "written", t->file, r);
        if (t->before) {
                r = back_up(p, t);
                if (r != 0)
                        return r;
        }
        if (!t->after)
                return 0;
        r = whole_file_begin(&t->written, t->dir_fd, t->name, t->after, strlen(t->after), t->fd, 0644);
        if (r < 0)
                return say_error(p, "written", t->file, r);
        return t->kind == PLACE_FSTAB ? fstab_read_back(p, t) : 0;
}

/* The file at that name is still the one that was read, untouched. */
static bool is_untouched(const struct target *t)
{
        struct stat now;

        if (fstatat(t->dir_fd, t->name, &now, AT_SYMLINK_NOFOLLOW) < 0)
                return errno == ENOENT && t->fd < 0;
        return t->fd >= 0 && now.st_dev == t->st.st_dev && now.st_ino == t->st.st_ino && now.st_size == t->st.st_size &&
               now.st_mtim.tv_sec == t->st.st_mtim.tv_sec && now.st_mtim.tv_nsec == t->st.st_mtim.tv_nsec;
}

static int target_remove(const struct target *t)
{
        return unlinkat(t->dir_fd, t->name, 0) < 0 || fsync(t->dir_fd) < 0 ? -errno : 0;
}

static int target_commit(struct run *p, struct target *t)
{
        int r;

        if (!is_untouched(t))
                return say(p, "%s was changed by somebody else in this moment: try again", t->file);
        r = t->after ? whole_file_commit(&t->written) : target_remove(t);
        if (r == 0 || (t->after && !t->written.temporary))      /* renamed, but perhaps not yet on the disk */
                p->committed = true;
        return r < 0 ? say_error(p, "written", t->file, r) : 0;
}

static int targets_write(struct run *p)
{
        int r = 0;

        p->answer->backups = calloc(p->n_targets + 1, sizeof(*p->answer->backups));
        if (!p->answer->backups)
                return -ENOMEM;
        for (size_t i = 0; i < p->n_targets && r == 0; i++)
                if (is_changed(&p->targets[i]))
                        r = target_write(p, &p->targets[i]);
        for (size_t i = 0; i < p->n_targets && r == 0; i++)
                if (is_changed(&p->targets[i]))
                        r = target_commit(p, &p->targets[i]);
        return r;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static bool edits_fstab(const struct apply_request *r)
{
        for (size_t i = 0; i < r->n_edits; i++)
                if (r->edits[i].kind == PLACE_FSTAB)
                        return true;
        return false;
}

static int steps(struct run *p)
{
        const struct apply_request *q = p->request;
        int r = q->dry_run || !edits_fstab(q) ? 0 : fstab_lock(p);

        if (r == 0)
                r = targets_read(p);
        if (r == 0)
                r = targets_edit(p);
        if (r == 0 && !q->dry_run)
                r = targets_write(p);
        return r;
}

static void run_done(struct run *p)
{
        fstab_unlock(p);
        for (size_t i = 0; i < p->n_targets; i++) {
                struct target *t = &p->targets[i];

                whole_file_done(&t->written);
                close_descriptor(&t->dir_fd);
                close_descriptor(&t->fd);
                free(t->before);
                free(t->after);
        }
        free(p->targets);
        text_done(&p->words);
}

/* What became of it, in words. */
static int answer_fill(struct run *p, int r)
{
        struct apply_answer *a = p->answer;

        if (r == 1 && p->committed)
                (void)say(p, "other files were written before that: see the difference, and the backups");
        else if (r == 1)
                (void)say(p, "nothing was written");
        else if (a->diff && !*a->diff)
                (void)say(p, "the files say so already");
        a->end = r == 0 ? APPLY_END_DONE : p->committed ? APPLY_END_FAILED : APPLY_END_REFUSED;
        if (p->words.length_bytes == 0 && !p->words.failed)
                return 0;
        a->words = text_take(&p->words);
        return a->words ? 0 : -ENOMEM;
}

int persist_run(const char *root, const struct apply_request *r, struct apply_answer *ret)
{
        cleanup(apply_answer_done) struct apply_answer answer = { .end = APPLY_END_NOTHING };
        cleanup(run_done) struct run p = { .root = root, .request = r, .answer = &answer };
        int status = 0;

        if (r->n_edits > 0) {
                status = steps(&p);
                if (status < 0)
                        return status;
                status = answer_fill(&p, status);
        }
        if (status < 0)
                return status;
        *ret = answer;
        answer = (struct apply_answer){ 0 };
        return 0;
}
