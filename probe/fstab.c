/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/fstab.c - fstab through libmount, line by line.
 */
#include "probe/fstab.h"

#include <errno.h>
#include <libmount/libmount.h>
#include <stdio.h>
#include <string.h>

#include "probe/file.h"
#include "probe/lines.h"

static void fclosep(FILE **f)
{
        if (*f)
                (void)fclose(*f);       /* memory */
}

static void tablep(struct libmnt_table **t)
{
        mnt_unref_table(*t);
}

static void entry_done(struct fstab_entry *e)
{
        free(e->text);
        free(e->source);
        free(e->target);
        free(e->fstype);
        free(e->options_text);
        options_done(&e->options);
        *e = (struct fstab_entry){ 0 };
}

/* The kernel's mount.nfs is chosen by the type, or without one by a source that
 * has a host part. */
static bool is_nfs(const char *fstype, const char *source)
{
        if (!fstype || strcmp(fstype, "auto") == 0)
                return source && source[0] != '/' && strstr(source, ":/");
        return strcmp(fstype, "nfs") == 0 || strcmp(fstype, "nfs4") == 0;
}

/* The fourth column as it is written. */
static char *options_column(const char *line, size_t length)
{
        const char *end = line + length;

        for (unsigned column = 0; column < 4; column++) {
                while (line < end && (*line == ' ' || *line == '\t'))
                        line++;
                const char *start = line;
                while (line < end && *line != ' ' && *line != '\t')
                        line++;
                if (column == 3)
                        return strndup(start, (size_t)(line - start));
        }
        return NULL;
}

static int on_bad_line(struct libmnt_table *tb, const char *file, int line)
{
        bool *bad = mnt_table_get_userdata(tb);

        (void)file;
        (void)line;
        *bad = true;
        return 1;       /* skip it */
}

/* libmount guesses the format by the first line ("36 35 ..." would be mountinfo):
 * this one is fstab's. */
static const char first_line[] = "none /none none\n";

/* libmount's reading of one line: *ret_table has it as the second entry, or
 * *ret_bad is set. */
static int line_parse(const char *line, size_t length, struct libmnt_table **ret_table, bool *ret_bad)
{
        cleanup(tablep) struct libmnt_table *tb = mnt_new_table();
        cleanup_free char *copy = NULL;
        int n = asprintf(&copy, "%s%.*s\n", first_line, (int)length, line);

        if (!tb || n < 0)
                return -ENOMEM;
        cleanup(fclosep) FILE *f = fmemopen(copy, (size_t)n, "r");
        if (!f)
                return -ENOMEM;
        if (mnt_table_set_userdata(tb, ret_bad) < 0 || mnt_table_set_parser_errcb(tb, on_bad_line) < 0)
                return -EINVAL;
        if (mnt_table_parse_stream(tb, f, "fstab") < 0)
                *ret_bad = true;
        *ret_table = TAKE(tb);
        return 0;
}

static int entry_fill(struct fstab_entry *e, struct libmnt_fs *fs, const char *line, size_t length)
{
        const char *fstype = mnt_fs_get_fstype(fs), *options = mnt_fs_get_options(fs);

        e->source = strdup(mnt_fs_get_source(fs));
        e->target = strdup(mnt_fs_get_target(fs));
        e->fstype = strdup(fstype ? fstype : "auto");
        e->options_text = options_column(line, length);
        if (!e->source || !e->target || !e->fstype || !e->options_text)
                return -ENOMEM;
        return options ? options_parse(options, strlen(options), &e->options) : 0;
}

static int entry_add(struct fstab *f, struct fstab_entry *e)
{
        struct fstab_entry *bigger = reallocarray(f->entries, f->n_entries + 1, sizeof(*bigger));

        if (!bigger)
                return -ENOMEM;
        f->entries = bigger;
        f->entries[f->n_entries++] = *e;
        *e = (struct fstab_entry){ 0 };
        return 0;
}

static int bad_line_add(struct fstab *f, unsigned line)
{
        unsigned *bigger = reallocarray(f->bad_lines, f->n_bad_lines + 1, sizeof(*bigger));

        if (!bigger)
                return -ENOMEM;
        f->bad_lines = bigger;
        f->bad_lines[f->n_bad_lines++] = line;
        return 0;
}

/* @line: trimmed. @raw: as in the file.
 * Return: 0, -ENOMEM, or another negative errno for a bad line. */
static int nfs_line_add(struct fstab *f, const char *line, size_t length, const char *raw, size_t raw_length,
                        unsigned number)
{
        cleanup(tablep) struct libmnt_table *tb = NULL;
        cleanup(entry_done) struct fstab_entry e = { .line = number };
        struct libmnt_fs *fs = NULL;
        bool bad = false;

        if (memchr(line, '\0', length))
                return -EINVAL;
        int r = line_parse(line, length, &tb, &bad);
        if (r < 0)
                return r;
        if (bad || mnt_table_get_nents(tb) != 2 || mnt_table_last_fs(tb, &fs) != 0 || !mnt_fs_get_target(fs))
                return -EINVAL;
        if (!mnt_fs_get_source(fs) || !is_nfs(mnt_fs_get_fstype(fs), mnt_fs_get_source(fs)))
                return 0;
        e.text = strndup(raw, raw_length);
        if (!e.text)
                return -ENOMEM;
        r = entry_fill(&e, fs, line, length);
        return r < 0 ? r : entry_add(f, &e);
}

int fstab_parse(const char *text, size_t length_bytes, struct fstab *ret)
{
        struct line_reader lines = { text, text + length_bytes, 0 };
        cleanup(fstab_done) struct fstab f = { 0 };
        const char *raw;
        size_t raw_length;

        while (lines_next(&lines, &raw, &raw_length)) {
                const char *line = raw;
                size_t length = raw_length;

                blanks_trim(&line, &length);
                if (length == 0 || line[0] == '#')
                        continue;
                int r = nfs_line_add(&f, line, length, raw, raw_length, lines.number);
                if (r < 0 && r != -ENOMEM)
                        r = bad_line_add(&f, lines.number);
                if (r < 0)
                        return r;
        }
        *ret = f;
        f = (struct fstab){ 0 };
        return 0;
}

int fstab_read(const char *path, struct fstab *ret)
{
        cleanup_free char *text = NULL;
        size_t length;
        int r = file_read(path, FSTAB_BYTES_MAX, &text, &length);

        return r < 0 ? r : fstab_parse(text, length, ret);
}

void fstab_done(struct fstab *f)
{
        for (size_t i = 0; i < f->n_entries; i++)
                entry_done(&f->entries[i]);
        free(f->entries);
        free(f->bad_lines);
        *f = (struct fstab){ 0 };
}
