/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon/source_edit.c - lines found and exchanged. */
#include "daemon/source_edit.h"

#include <errno.h>
#include <string.h>

#include "policy/sources.h"
#include "probe/lines.h"

/* ---- lines --------------------------------------------------------------------------- */

/* A range of bytes of a text. */
struct span {
        const char *start;
        size_t length;
};

static struct span trimmed(const char *start, size_t length)
{
        struct span s = { start, length };

        blanks_trim(&s.start, &s.length);
        return s;
}

static bool same_span(struct span a, struct span b)
{
        return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

/* "key = value" as its two halves; without '=' all of it is the key. */
static void setting_split(const char *line, size_t length, struct span *ret_key, struct span *ret_value)
{
        const char *equals = memchr(line, '=', length), *end = line + length;

        *ret_key = trimmed(line, (size_t)((equals ? equals : end) - line));
        *ret_value = equals ? trimmed(equals + 1, (size_t)(end - equals - 1)) : (struct span){ end, 0 };
}

static bool same_setting(struct span a, struct span b)
{
        struct span a_key, a_value, b_key, b_value;

        setting_split(a.start, a.length, &a_key, &a_value);
        setting_split(b.start, b.length, &b_key, &b_value);
        return same_span(a_key, b_key) && same_span(a_value, b_value);
}

static size_t count_lines(const char *text)
{
        size_t n = 1;

        for (; (text = strchr(text, '\n')); text++)
                n++;
        return n;
}

/* ---- finding --------------------------------------------------------------------------- */

static bool matches(const struct source_edit *e, struct span line)
{
        struct span old = { e->old_text, strlen(e->old_text) };

        return e->kind == PLACE_FSTAB ? same_span(line, old) : same_setting(line, old);
}

/* Does a block of whole lines stand at the start of @at? */
static bool block_stands_at(const char *at, const char *block, size_t length)
{
        return strncmp(at, block, length) == 0 && (at[length] == '\n' || at[length] == '\0');
}

struct found {
        struct span at;         /* without the newline behind it */
        size_t times;
};

static void found_add(struct found *f, const char *start, size_t length)
{
        f->at = (struct span){ start, length };
        f->times++;
}

static struct found find_block(const char *text, const char *block)
{
        struct found f = { 0 };
        size_t length = strlen(block);

        for (const char *line = text, *newline; line; line = newline ? newline + 1 : NULL) {
                newline = strchr(line, '\n');
                if (block_stands_at(line, block, length))
                        found_add(&f, line, length);
        }
        return f;
}

static struct found find_line(const struct source_edit *e, const char *text)
{
        struct line_reader lines = { text, text + strlen(text), 0 };
        struct found f = { 0 };
        const char *line;
        size_t length;

        while (lines_next(&lines, &line, &length)) {
                if (!matches(e, (struct span){ line, length }))
                        continue;
                if (lines.number == e->line)
                        return (struct found){ { line, length }, 1 };
                found_add(&f, line, length);
        }
        return f;
}

static struct found find(const struct source_edit *e, const char *text)
{
        return strchr(e->old_text, '\n') ? find_block(text, e->old_text) : find_line(e, text);
}

/* ---- exchanging -------------------------------------------------------------------------- */

/* The same key keeps its blanks. */
static void add_setting(struct text *t, struct span line, const char *wanted)
{
        struct span key, value, new_key, new_value, core = trimmed(line.start, line.length);
        const char *end = line.start + line.length;

        setting_split(line.start, line.length, &key, &value);
        setting_split(wanted, strlen(wanted), &new_key, &new_value);
        if (value.length > 0 && same_span(key, new_key)) {
                text_add_bytes(t, line.start, (size_t)(value.start - line.start));
                text_add_bytes(t, new_value.start, new_value.length);
        } else {
                text_add_bytes(t, line.start, (size_t)(core.start - line.start));
                text_add(t, "%s", wanted);
        }
        text_add_bytes(t, core.start + core.length, (size_t)(end - core.start - core.length));
}

static void add_exchanged(struct text *t, const struct source_edit *e, const char *text, struct span at)
{
        const char *behind = at.start + at.length;

        text_add_bytes(t, text, (size_t)(at.start - text));
        if (!e->new_text)
                behind += *behind == '\n';
        else if (e->kind == PLACE_FSTAB || strchr(e->old_text, '\n'))
                text_add(t, "%s", e->new_text);
        else
                add_setting(t, at, e->new_text);
        text_add(t, "%s", behind);
}

static int words(char **ret_words, struct text *t)
{
        *ret_words = text_take(t);
        return *ret_words ? 1 : -ENOMEM;
}

static int no_line(const struct source_edit *e, size_t times, char **ret_words)
{
        struct text t = { 0 };

        if (times == 0)
                text_add(&t, "the line in %s is not there any more as it was read: somebody changed it meanwhile. Look "
                         "at the file and try again", e->file);
        else
                text_add(&t, "the line has moved in %s, and stands there %zu times: which one is meant is not certain",
                         e->file, times);
        return words(ret_words, &t);
}

/* Was it done before? Then the answer got lost, not the change. A setting of nfsmount.conf may stand in another section
 * as well. */
static bool is_done(const struct source_edit *e, const char *text)
{
        struct source_edit done = { .kind = e->kind, .line = e->line, .old_text = e->new_text };

        return e->new_text && e->kind != PLACE_NFSMOUNT_CONF && find(&done, text).times == 1;
}

static int take(struct text *t, char **ret)
{
        *ret = text_take(t);
        return *ret ? 0 : -ENOMEM;
}

static int exchange(const struct source_edit *e, const char *text, char **ret, char **ret_words)
{
        struct found f = find(e, text);
        struct text t = { 0 };

        if (f.times == 0 && is_done(e, text)) {
                text_add(&t, "%s", text);
                return take(&t, ret);
        }
        if (f.times != 1)
                return no_line(e, f.times, ret_words);
        add_exchanged(&t, e, text, f.at);
        return take(&t, ret);
}

/* ---- whole files, blocks at the end ---------------------------------------------------------- */

static bool is_written_whole(const struct source_edit *e)
{
        return e->kind == PLACE_UNIT && e->line == 0;
}

/* Return: 0, 1 with words. */
static int whole_write(const struct source_edit *e, const char *text, char **ret, char **ret_words)
{
        struct text t = { 0 };

        if (text && !text_starts(text, strlen(text), OWN_FILE_HEADER)) {
                text_add(&t, "%s is there already, and was not written by nfstuned", e->file);
                return words(ret_words, &t);
        }
        text_add(&t, "%s", e->new_text);
        return take(&t, ret);
}

static int whole_remove(const struct source_edit *e, const char *text, char **ret, char **ret_words)
{
        struct text t = { 0 };

        if (text && strcmp(text, e->old_text) != 0) {
                text_add(&t, "%s is not as nfstuned wrote it: somebody changed it meanwhile", e->file);
                return words(ret_words, &t);
        }
        *ret = NULL;
        return 0;
}

static int append(const struct source_edit *e, const char *text, char **ret)
{
        struct text t = { 0 };
        size_t n = text ? strlen(text) : 0;

        text_add(&t, "%s%s", text ? text : OWN_FILE_HEADER, n > 0 && text[n - 1] != '\n' ? "\n" : "");
        if (!text || find_block(text, e->new_text).times == 0)
                text_add(&t, "%s\n", e->new_text);
        return take(&t, ret);
}

/* A snippet of which nothing is left but our own first line. */
static void drop_empty(const struct source_edit *e, char **text)
{
        if (*text && e->kind == PLACE_NFSMOUNT_CONF && strcmp(*text, OWN_FILE_HEADER) == 0)
                free_charp(text);
}

int source_edit_apply(const struct source_edit *e, const char *text, char **ret, char **ret_words)
{
        int r;

        *ret = NULL;
        *ret_words = NULL;
        if (is_written_whole(e) && !e->new_text)
                return whole_remove(e, text, ret, ret_words);
        if (is_written_whole(e) && !e->old_text)
                return whole_write(e, text, ret, ret_words);
        if (!e->old_text)
                return append(e, text, ret);
        r = exchange(e, text ? text : "", ret, ret_words);
        if (r == 0 && !text && **ret == '\0')
                free_charp(ret);
        if (r == 0)
                drop_empty(e, ret);
        return r;
}

/* ---- the way back -------------------------------------------------------------------------------- */

static int copy(const char *s, char **ret)
{
        *ret = s ? strdup(s) : NULL;
        return s && !*ret ? -ENOMEM : 0;
}

int persist_reverse(const struct source_edit *e, struct source_edit *ret)
{
        cleanup(source_edit_done) struct source_edit back = { .kind = e->kind, .line = e->line };
        const char *column = NULL;
        size_t length = 0;

        if (copy(e->file, &back.file) < 0 || copy(e->new_text, &back.old_text) < 0 ||
            copy(e->old_text, &back.new_text) < 0)
                return -ENOMEM;
        if (e->kind == PLACE_FSTAB && e->old_text)
                column = fstab_options_column(e->old_text, &length);
        if (column && column[length - 1] == '\r')      /* as libmount reads it: part of the line's end */
                length--;
        if (column) {
                back.options = strndup(column, length);
                if (!back.options)
                        return -ENOMEM;
        }
        *ret = back;
        back = (struct source_edit){ 0 };
        return 0;
}

/* ---- the differences -------------------------------------------------------------------------------- */

#define CONTEXT 3

struct line_list {
        struct span *lines;
        size_t n;
        bool cut;               /* the last one has no newline */
};

static void line_list_done(struct line_list *l)
{
        free(l->lines);
}

static int line_list_make(const char *text, struct line_list *ret)
{
        size_t length = text ? strlen(text) : 0;
        struct line_reader lines = { text ? text : "", text ? text + length : "", 0 };
        struct span line;

        ret->cut = length > 0 && text[length - 1] != '\n';
        ret->lines = calloc(count_lines(text ? text : ""), sizeof(*ret->lines));
        if (!ret->lines)
                return -ENOMEM;
        if (!text)
                return 0;
        while (lines_next(&lines, &line.start, &line.length))
                ret->lines[ret->n++] = line;
        return 0;
}

static bool same_line(const struct line_list *a, size_t i, const struct line_list *b, size_t k)
{
        return same_span(a->lines[i], b->lines[k]) &&
               (a->cut && i + 1 == a->n) == (b->cut && k + 1 == b->n);
}

static void add_lines(struct text *t, char mark, const struct line_list *l, size_t from, size_t to)
{
        for (size_t i = from; i < to; i++) {
                text_add(t, "%c", mark);
                text_add_bytes(t, l->lines[i].start, l->lines[i].length);
                text_add(t, "\n%s", l->cut && i + 1 == l->n ? "\\ No newline at end of file\n" : "");
        }
}

/* "-3,7": where it starts, and how many lines; an empty part starts behind the line before. */
static void add_range(struct text *t, char mark, size_t start, size_t n)
{
        text_add(t, "%c%zu,%zu", mark, n > 0 ? start + 1 : start, n);
}

static void add_hunk(struct text *t, const struct line_list *a, const struct line_list *b)
{
        size_t head = 0, tail = 0;

        while (head < a->n && head < b->n && same_line(a, head, b, head))
                head++;
        while (tail < a->n - head && tail < b->n - head && same_line(a, a->n - 1 - tail, b, b->n - 1 - tail))
                tail++;
        size_t start = head - MIN(head, (size_t)CONTEXT), behind = MIN(tail, (size_t)CONTEXT);
        size_t a_end = a->n - tail, b_end = b->n - tail;

        text_add(t, "@@ ");
        add_range(t, '-', start, a_end + behind - start);
        text_add(t, " ");
        add_range(t, '+', start, b_end + behind - start);
        text_add(t, " @@\n");
        add_lines(t, ' ', a, start, head);
        add_lines(t, '-', a, head, a_end);
        add_lines(t, '+', b, head, b_end);
        add_lines(t, ' ', a, a_end, a_end + behind);
}

void text_add_diff(struct text *t, const char *file, const char *before, const char *after)
{
        cleanup(line_list_done) struct line_list a = { 0 }, b = { 0 };

        if (before && after ? strcmp(before, after) == 0 : before == after)
                return;
        if (line_list_make(before, &a) < 0 || line_list_make(after, &b) < 0) {
                t->failed = true;
                return;
        }
        text_add(t, "--- %s\n+++ %s\n", before ? file : "/dev/null", after ? file : "/dev/null");
        add_hunk(t, &a, &b);
}
