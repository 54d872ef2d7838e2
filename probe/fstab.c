/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/fstab.c - fstab through libmount, line by line.
 */
#include "probe/fstab.h"

#include <assert.h>
#include <errno.h>
#include <libmount/libmount.h>
#include <stdio.h>
#include <string.h>

#include "policy/text.h"
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
        free(e->problem);
        free(e->mended);
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

/* One line taken apart at its blanks. */
#define COLUMNS_MAX 32

struct column {
        const char *start;
        size_t length;
};

struct columns {
        struct column items[COLUMNS_MAX];       /* more are not looked at */
        size_t n;
};

static struct columns columns_split(const char *line, size_t length)
{
        struct columns c = { .n = 0 };
        const char *end = line + length;

        while (c.n < COLUMNS_MAX) {
                while (line < end && (*line == ' ' || *line == '\t'))
                        line++;
                if (line == end)
                        break;
                const char *start = line;
                while (line < end && *line != ' ' && *line != '\t')
                        line++;
                c.items[c.n++] = (struct column){ start, (size_t)(line - start) };
        }
        return c;
}

static bool column_is(const struct column *c, const char *word)
{
        return c->length == strlen(word) && memcmp(c->start, word, c->length) == 0;
}

/* The fourth column as it is written. */
static char *options_column(const char *line, size_t length)
{
        struct columns c = columns_split(line, length);

        return c.n > 3 ? strndup(c.items[3].start, c.items[3].length) : strdup("");
}

static bool columns_look_nfs(const struct columns *c)
{
        if (c->n > 0 && c->items[0].start[0] != '/' && memmem(c->items[0].start, c->items[0].length, ":/", 2))
                return true;
        for (size_t i = 1; i < c->n && i < 4; i++)
                if (column_is(&c->items[i], "nfs") || column_is(&c->items[i], "nfs4"))
                        return true;
        return false;
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

/* One line on its way through the attempts to understand it. */
struct line {
        unsigned number;
        const char *raw;                /* as in the file */
        size_t raw_length;
        const char *text;               /* trimmed */
        size_t length;
        bool continues;                 /* the line before ends in a backslash */
};

enum reading {
        READING_BAD,
        READING_OTHER,                  /* valid, not NFS */
        READING_NFS,
};

/* What libmount makes of @text; NFS becomes the entry @e.
 * Return: enum reading, or -ENOMEM. */
static int text_read(const struct line *l, const char *text, size_t length, struct fstab_entry *e)
{
        cleanup(tablep) struct libmnt_table *tb = NULL;
        struct libmnt_fs *fs = NULL;
        bool bad = false;

        if (memchr(text, '\0', length))
                return READING_BAD;
        int r = line_parse(text, length, &tb, &bad);
        if (r < 0)
                return r == -ENOMEM ? r : READING_BAD;
        if (bad || mnt_table_get_nents(tb) != 2 || mnt_table_last_fs(tb, &fs) != 0 || !mnt_fs_get_target(fs))
                return READING_BAD;
        if (!mnt_fs_get_source(fs) || !is_nfs(mnt_fs_get_fstype(fs), mnt_fs_get_source(fs)))
                return READING_OTHER;
        e->line = l->number;
        e->text = strndup(l->raw, l->raw_length);
        if (!e->text)
                return -ENOMEM;
        r = entry_fill(e, fs, text, length);
        if (r == 0)
                return READING_NFS;
        entry_done(e);
        return r == -ENOMEM ? r : READING_BAD;
}

/* "rw, hard 0 0": blanks at the commas of the options, taken out. */
static void options_join(const struct columns *c, const char *end, struct text *mended)
{
        size_t i = 3;

        for (; i + 1 < c->n; i++) {
                const struct column *this = &c->items[i], *next = &c->items[i + 1];

                text_add_bytes(mended, this->start, this->length);
                if (this->start[this->length - 1] != ',' && next->start[0] != ',')
                        break;
        }
        const char *rest = c->items[i].start + (i + 1 < c->n ? c->items[i].length : 0);
        text_add_bytes(mended, rest, (size_t)(end - rest));
}

/* Columns five and six that are no numbers: libmount ignores the whole line.
 * Return: enum reading, or -ENOMEM. */
static int torn_read(const struct line *l, struct fstab_entry *e)
{
        struct columns c = columns_split(l->text, l->length);
        cleanup(text_done) struct text mended = { 0 };

        if (c.n < 5)
                return READING_BAD;
        const struct column *options = &c.items[3];
        bool torn = options->start[options->length - 1] == ',' || c.items[4].start[0] == ',';
        text_add_bytes(&mended, l->text, (size_t)(options->start - l->text));
        if (torn) {
                options_join(&c, l->text + l->length, &mended);
        } else {
                text_add_bytes(&mended, options->start, options->length);
                text_add(&mended, " 0 0");
        }
        if (mended.failed)
                return -ENOMEM;
        int r = text_read(l, mended.data, mended.length_bytes, e);
        if (r != READING_NFS)
                return r == READING_OTHER ? READING_BAD : r;
        e->problem = strdup(torn ? "has a blank at a comma of its options: what follows counts as the columns dump "
                                   "and pass, and the whole line is ignored"
                                 : "has something else than numbers in the columns dump and pass: the whole line is "
                                   "ignored");
        e->mended = text_take(&mended);
        return e->problem && e->mended ? READING_NFS : -ENOMEM;
}

static int problem_set(struct fstab_entry *e, const char *words, const char *mended, size_t length)
{
        if (e->problem)                 /* the first one is enough; the line is mended from it on */
                return 0;
        e->problem = strdup(words);
        e->mended = strndup(mended, length);
        return e->problem && e->mended ? 0 : -ENOMEM;
}

/* "host:/x /y nfs \" and its rest on the next line, as they were meant. */
static int continuation_mend(const struct line *l, size_t length, const char *next, size_t next_length,
                             struct fstab_entry *e)
{
        cleanup(text_done) struct text t = { 0 };

        text_add_bytes(&t, l->text, length);
        blanks_trim(&next, &next_length);
        if (next_length > 0 && next[0] != '#')
                text_add_bytes(&t, next, next_length);
        if (t.failed)
                return -ENOMEM;
        return problem_set(e, "ends in a backslash: an fstab knows no continuation lines, what follows is a line of "
                              "its own", t.data, t.length_bytes);
}

static bool ends_in_backslash(const struct line *l)
{
        return l->length > 0 && l->text[l->length - 1] == '\\';
}

/* Return: enum reading, or -ENOMEM. */
static int line_read(const struct line *l, const struct line_reader *following, struct fstab_entry *e)
{
        bool backslash = ends_in_backslash(l);
        size_t length = l->length - backslash;
        int r = text_read(l, l->text, length, e);

        if (r == READING_BAD)
                r = torn_read(l, e);
        if (r == READING_NFS && backslash) {
                struct line_reader ahead = *following;
                const char *next = "";
                size_t next_length = 0;

                (void)lines_next(&ahead, &next, &next_length);
                if (continuation_mend(l, length, next, next_length, e) < 0)
                        return -ENOMEM;
        }
        if (r == READING_NFS && l->raw[l->raw_length - 1] == '\r' &&
            problem_set(e, "ends in a carriage return, which becomes part of the last column", l->raw,
                        l->raw_length - 1) < 0)
                return -ENOMEM;
        return r;
}

/* Of the options that make a line unreadable, libmount or not. NULL: it is not they. */
static const struct fstab_bad_line *options_reason(const struct columns *c)
{
        static const struct fstab_bad_line too_many = {
                .problem = "has more than 1024 options: more are not read",
                .advice = "take out the options that stand there more than once",
        };
        static const struct fstab_bad_line open_quote = {
                .problem = "has a quote in its options that is left open: it is ignored",
                .advice = "close the quote",
        };
        cleanup(options_done) struct options o = { 0 };
        int r = c->n > 3 ? options_parse(c->items[3].start, c->items[3].length, &o) : 0;

        static_assert(OPTIONS_MAX == 1024, "the words say 1024");
        return r == -E2BIG ? &too_many : r == -EINVAL ? &open_quote : NULL;
}

static const struct fstab_bad_line *bad_reason(const struct line *l, const struct columns *c)
{
        static const char six_columns[] = "write it as one line with six columns: SOURCE MOUNTPOINT nfs OPTIONS 0 0, "
                                          "without blanks in the options";
        static const struct fstab_bad_line rest = {
                .problem = "was meant to continue the line above: an fstab knows no continuation lines",
                .advice = six_columns,
        };
        static const struct fstab_bad_line short_line = {
                .problem = "has fewer than the three columns source, mount point and type", .advice = six_columns,
        };
        static const struct fstab_bad_line other = {
                .problem = "is not a valid line: it is ignored", .advice = six_columns,
        };
        const struct fstab_bad_line *of_options = options_reason(c);

        if (l->continues)
                return &rest;
        if (c->n < 3)
                return &short_line;
        return of_options ? of_options : &other;
}

static int bad_line_add(struct fstab *f, const struct line *l, const struct columns *c, bool looks_nfs)
{
        struct fstab_bad_line *bigger = reallocarray(f->bad_lines, f->n_bad_lines + 1, sizeof(*bigger)), *new;

        if (!bigger)
                return -ENOMEM;
        f->bad_lines = bigger;
        new = &bigger[f->n_bad_lines++];
        *new = *bad_reason(l, c);
        new->line = l->number;
        new->text = strndup(l->raw, l->raw_length);
        new->looks_nfs = looks_nfs;
        return new->text ? 0 : -ENOMEM;
}

/* @after_nfs: the line before is NFS. Sets it anew. */
static int line_add(struct fstab *f, const struct line *l, const struct line_reader *following, bool *after_nfs)
{
        cleanup(entry_done) struct fstab_entry e = { 0 };
        struct columns c = columns_split(l->text, l->length - ends_in_backslash(l));
        int r = line_read(l, following, &e);
        bool rest = l->continues && *after_nfs;

        if (r < 0)
                return r;
        *after_nfs = r == READING_NFS || columns_look_nfs(&c);
        if (r == READING_NFS) {
                f->n_good_lines++;
                return entry_add(f, &e);
        }
        if (r == READING_OTHER && !rest) {
                f->n_good_lines++;
                return 0;
        }
        return bad_line_add(f, l, &c, rest || *after_nfs);
}

int fstab_parse(const char *text, size_t length_bytes, struct fstab *ret)
{
        struct line_reader lines = { text, text + length_bytes, 0 };
        cleanup(fstab_done) struct fstab f = { 0 };
        struct line l = { 0 };
        bool continues = false, after_nfs = false;

        while (lines_next(&lines, &l.raw, &l.raw_length)) {
                l.text = l.raw;
                l.length = l.raw_length;
                l.number = lines.number;
                l.continues = continues;
                blanks_trim(&l.text, &l.length);
                if (l.length == 0 || l.text[0] == '#') {
                        continues = false;
                        continue;
                }
                int r = line_add(&f, &l, &lines, &after_nfs);
                if (r < 0)
                        return r;
                continues = ends_in_backslash(&l);
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
        for (size_t i = 0; i < f->n_bad_lines; i++)
                free(f->bad_lines[i].text);
        free(f->bad_lines);
        *f = (struct fstab){ 0 };
}
