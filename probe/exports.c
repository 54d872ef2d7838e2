/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/exports.c - the server's exports file as text. See exports.h.
 *
 * Three forms are told apart: exports(5); what exportfs -v prints (the path padded to 15 columns, or on a line of
 * its own); /proc/fs/nfsd/exports, which is nearly the first one.
 */
#include "probe/exports.h"

#include <errno.h>
#include <string.h>

#include "policy/text.h"
#include "probe/lines.h"

/* A file beyond these is no exports file; the memory of who reads one stays bounded: each entry repeats the path and
 * the defaults of its line. */
#define ENTRIES_MAX 65536
#define ENTRY_BYTES_MAX (4 * MIB)
#define PROBLEMS_MAX 100

/* exportfs pads shorter paths with blanks and puts longer ones on a line of their own. */
#define EXPORTFS_PATH_WIDTH 15

enum form {
        FORM_EXPORTS,
        FORM_PROC,
        FORM_EXPORTFS,
        FORM_EXPORTFS_BRIEF,    /* without -v: no options in it */
};

struct reading {
        const char *file;
        enum form form;
        struct exports exports;
        size_t entry_bytes;     /* of their texts */
        struct findings *findings;
        unsigned n_problems;
        bool path_alone;        /* the last line was a path and nothing else; its entry is the last one */
        /* of the present line */
        unsigned line;
        struct text path;       /* decoded */
        struct text path_raw;
        struct text defaults;   /* "-rw,async" without the dash */
        struct text defaults_raw;
        bool has_client;
        bool bare_client;       /* the last word was a client without options */
        bool in_broken_list;    /* words up to the next ')' belong to a list that was refused */
};

/* Never NULL; valid until the next change of @t. */
static const char *text_of(const struct text *t)
{
        return t->data ? t->data : "";
}

static void text_clear(struct text *t)
{
        t->length_bytes = 0;
        if (t->data)
                t->data[0] = '\0';
}

static void reading_done(struct reading *r)
{
        exports_done(&r->exports);
        text_done(&r->path);
        text_done(&r->path_raw);
        text_done(&r->defaults);
        text_done(&r->defaults_raw);
}

/* ---- findings and entries ------------------------------------------------------- */

/* Length of what is quoted of a line that cannot be read: it may be anything. */
#define QUOTED_MAX 80

static int problem_add(struct reading *r, const char *quoted, size_t length, const char *what, const char *advice)
{
        struct place place = { .kind = PLACE_EXPORTS, .file = (char *)r->file, .line = r->line };
        cleanup(text_done) struct text evidence = { 0 }, words = { 0 };

        if (++r->n_problems > PROBLEMS_MAX)
                return 0;
        if (r->n_problems == PROBLEMS_MAX) {
                text_add(&evidence, "%u lines cannot be read, the rest is not listed", r->n_problems);
                text_add(&words, "is this an exports file, or what exportfs -v printed?");
        } else {
                text_add(&evidence, "\"%.*s%s\": %s", (int)MIN(length, (size_t)QUOTED_MAX), quoted,
                         length > QUOTED_MAX ? "..." : "", what);
                text_add(&words, "%s", advice);
        }
        return findings_add(r->findings, RULE_INVALID_OPTION, &place, &evidence, &words);
}

static bool has_one_of(const struct options *o, const char *a, const char *b)
{
        return options_has(o, a) || options_has(o, b);
}

/* Nobody writes all of these by hand: exportfs -v, its tabs lost on the way. */
static bool looks_complete(const struct options *o)
{
        return has_one_of(o, "wdelay", "no_wdelay") && has_one_of(o, "hide", "nohide") &&
               has_one_of(o, "sync", "async") && has_one_of(o, "root_squash", "no_root_squash");
}

/* Room for the next entry; it doubles, so that many entries cost no more than few. */
static int entries_grow(struct exports *e)
{
        struct export_entry *bigger;

        if (e->n_entries & (e->n_entries - 1))
                return 0;
        bigger = reallocarray(e->entries, MAX(2 * e->n_entries, (size_t)1), sizeof(*bigger));
        if (!bigger)
                return -ENOMEM;
        e->entries = bigger;
        return 0;
}

static int entry_append(struct reading *r, struct export_entry *e)
{
        if (entries_grow(&r->exports) < 0)
                return -ENOMEM;
        r->exports.entries[r->exports.n_entries++] = *e;
        *e = (struct export_entry){ 0 };
        return 0;
}

/* "-defaults" and the client's own options, which win because they come last. */
static int entry_options(const struct reading *r, const char *own, size_t length, struct options *ret)
{
        const char *defaults = text_of(&r->defaults);
        cleanup(text_done) struct text all = { 0 };
        cleanup_free char *joined = NULL;

        text_add(&all, "%s%s", defaults, *defaults && length > 0 ? "," : "");
        text_add_bytes(&all, own, length);
        joined = text_take(&all);
        return joined ? options_parse(joined, strlen(joined), ret) : -ENOMEM;
}

static int entry_words(const struct reading *r, const char *raw, struct export_entry *e)
{
        struct text t = { 0 };

        text_add(&t, "%s%s%s%s%s", text_of(&r->path_raw), r->defaults_raw.length_bytes > 0 ? " " : "",
                 text_of(&r->defaults_raw), *raw ? " " : "", raw);
        e->text = text_take(&t);
        return e->text ? 0 : -ENOMEM;
}

/* @raw: the client's word as it is written. */
static int entry_add(struct reading *r, const char *client, size_t client_length, const char *own, size_t own_length,
                     const char *raw, bool blank_before_options)
{
        static const char world[] = "<world>";
        struct place place = { .kind = PLACE_EXPORTS, .file = (char *)r->file, .line = r->line };
        cleanup(export_entry_done) struct export_entry e = { .blank_before_options = blank_before_options };
        int err;

        r->entry_bytes += r->path.length_bytes + r->path_raw.length_bytes + r->defaults.length_bytes + strlen(raw);
        if (r->exports.n_entries >= ENTRIES_MAX || r->entry_bytes > ENTRY_BYTES_MAX)
                return problem_add(r, raw, strlen(raw), "more entries than an exports file has",
                                   "is this an exports file?");
        if (client_length == sizeof(world) - 1 && memcmp(client, world, client_length) == 0)
                client_length = 0;
        e.path = strdup(text_of(&r->path));
        e.client = strndup(client, client_length);
        if (!e.path || !e.client || place_copy(&place, &e.place) < 0 || entry_words(r, raw, &e) < 0)
                return -ENOMEM;
        err = entry_options(r, own, own_length, &e.options);
        if (err == -ENOMEM)
                return err;
        if (err < 0)
                return problem_add(r, raw, strlen(raw), "its options cannot be read",
                                   "write the options as exports(5) says, without quotes");
        e.complete = r->form == FORM_PROC || r->form == FORM_EXPORTFS || looks_complete(&e.options);
        trailing_slash_strip(e.path);
        return entry_append(r, &e);
}

/* ---- words ---------------------------------------------------------------------------- */

struct cursor {
        const char *at;
        const char *end;
};

static bool is_blank(char c)
{
        return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct cursor *c)
{
        while (c->at < c->end && is_blank(*c->at))
                c->at++;
}

static size_t word_length(const char *text, size_t length, bool *ret_open)
{
        bool quoted = false;
        size_t i;

        for (i = 0; i < length && (quoted || !is_blank(text[i])); i++)
                if (text[i] == '"')
                        quoted = !quoted;
        *ret_open = quoted;
        return i;
}

/* Quotes group, \ooo stands for a character, in this order. */
static int word_decode(const char *raw, size_t length, char **ret)
{
        cleanup(text_done) struct text bare = { 0 };
        cleanup_free char *joined = NULL;

        for (size_t i = 0; i < length; i++)
                if (raw[i] != '"')
                        text_add_bytes(&bare, raw + i, 1);
        joined = text_take(&bare);
        if (!joined)
                return -ENOMEM;
        *ret = octal_decode(joined, strlen(joined));
        return *ret ? 0 : -ENOMEM;
}

/* The next word. Return: 1, 0 at the end or before a comment, -ENOMEM, or
 * -EINVAL for an open quote. */
static int word_next(struct cursor *c, char **ret_raw, char **ret_decoded)
{
        size_t length;
        bool open;

        skip_blanks(c);
        if (c->at == c->end || *c->at == '#')
                return 0;
        length = word_length(c->at, (size_t)(c->end - c->at), &open);
        if (open)
                return -EINVAL;
        *ret_raw = strndup(c->at, length);
        if (!*ret_raw || word_decode(c->at, length, ret_decoded) < 0)
                return -ENOMEM;
        c->at += length;
        return 1;
}

/* ---- the words of a line ------------------------------------------------------------------ */

static int list_problem(struct reading *r, const char *raw, bool closed)
{
        r->in_broken_list = !closed;
        return problem_add(r, raw, strlen(raw), "the list of options is not well formed: exportfs refuses the entry",
                           "write client(option,option) without a blank in it, and a blank behind it");
}

/* "192.0.2.0/24(rw,sync)", "client", "(rw)" */
static int client_add(struct reading *r, const char *raw, const char *word)
{
        const char *open = strchr(word, '('), *close = strchr(word, ')');
        size_t length = strlen(word);
        int err;

        if (r->in_broken_list) {
                r->in_broken_list = !close;
                return 0;
        }
        if (!open && !close) {
                err = entry_add(r, word, length, "", 0, raw, false);
                r->bare_client = true;
        } else if (!open || !close || close < open || close[1] != '\0') {
                err = list_problem(r, raw, close != NULL);
                r->bare_client = false;
        } else {
                err = entry_add(r, word, (size_t)(open - word), open + 1, (size_t)(close - open - 1), raw,
                                open == word && r->bare_client);
                r->bare_client = false;
        }
        r->has_client = true;
        return err;
}

static void defaults_add(struct reading *r, const char *raw, const char *word)
{
        text_add(&r->defaults, "%s%s", r->defaults.length_bytes > 0 ? "," : "", word + 1);
        text_add(&r->defaults_raw, "%s%s", r->defaults_raw.length_bytes > 0 ? " " : "", raw);
}

static int words_read(struct reading *r, struct cursor *c)
{
        for (;;) {
                cleanup_free char *raw = NULL, *word = NULL;
                int err = word_next(c, &raw, &word);

                if (err <= 0)
                        return err;
                if (word[0] == '-')
                        defaults_add(r, raw, word);
                else
                        err = client_add(r, raw, word);
                if (err < 0)
                        return err;
        }
}

/* A path without a client is exported to everybody, unless the next line turns
 * out to have the clients: exportfs prints long paths so. */
static int path_alone_add(struct reading *r)
{
        size_t before = r->exports.n_entries;
        const char *path = text_of(&r->path);
        int err;

        if (strchr(path, '(') && path[strlen(path) - 1] == ')')
                return problem_add(r, path, strlen(path), "path and client are one word",
                                   "put a blank between the path and the client");
        err = entry_add(r, "", 0, "", 0, "", false);
        r->path_alone = err == 0 && r->exports.n_entries > before && r->defaults.length_bytes == 0;
        return err;
}

static void path_set(struct reading *r, const char *path, const char *raw)
{
        text_clear(&r->path);
        text_clear(&r->path_raw);
        text_add(&r->path, "%s", path);
        text_add(&r->path_raw, "%s", raw);
}

static void line_begin(struct reading *r)
{
        text_clear(&r->defaults);
        text_clear(&r->defaults_raw);
        r->has_client = r->bare_client = r->in_broken_list = false;
}

/* The clients of the path on the line before: its entry for everybody goes. */
static int clients_read(struct reading *r, struct cursor *c)
{
        export_entry_done(&r->exports.entries[--r->exports.n_entries]);
        r->path_alone = false;
        return words_read(r, c);
}

static int path_read(struct reading *r, struct cursor *c)
{
        cleanup_free char *raw = NULL, *path = NULL;
        int err = word_next(c, &raw, &path);

        r->path_alone = false;
        if (err <= 0)
                return err;
        if (path[0] != '/')
                return problem_add(r, raw, strlen(raw), "the line does not begin with an absolute path",
                                   "begin each line with the exported directory; a backslash at the end of the line "
                                   "before continues it");
        path_set(r, path, raw);
        err = words_read(r, c);
        return err == 0 && !r->has_client ? path_alone_add(r) : err;
}

static int line_read(struct reading *r, const char *line, size_t length)
{
        struct cursor c = { line, line + length };
        bool indented = length > 0 && is_blank(line[0]);
        int err;

        skip_blanks(&c);
        if (c.at == c.end || *c.at == '#')
                return 0;
        if (memchr(line, '\0', length))
                return problem_add(r, c.at, strnlen(c.at, (size_t)(c.end - c.at)), "not text",
                                   "is this an exports file?");
        line_begin(r);
        if (indented && r->path_alone && *c.at != '/' && *c.at != '"')
                err = clients_read(r, &c);
        else
                err = path_read(r, &c);
        return err == -EINVAL ? problem_add(r, line, length, "a quote is left open", "close the quote") : err;
}

/* ---- exports(5) ------------------------------------------------------------------------------ */

static bool ends_in_backslash(const char *line, size_t *length)
{
        size_t n = *length;

        if (n > 0 && line[n - 1] == '\r')
                n--;
        if (n == 0 || line[n - 1] != '\\')
                return false;
        *length = n - 1;
        return true;
}

/* The next line with its continuations: a backslash, the line's end and the
 * blanks behind it are one blank, in comments too. */
static bool line_join(struct line_reader *lines, struct text *ret, unsigned *ret_number)
{
        const char *line;
        size_t length;
        bool more;

        text_clear(ret);
        if (!lines_next(lines, &line, &length))
                return false;
        *ret_number = lines->number;
        for (;;) {
                more = ends_in_backslash(line, &length);
                text_add_bytes(ret, line, length);
                if (!more || !lines_next(lines, &line, &length))
                        return true;
                while (length > 0 && (*line == ' ' || *line == '\t')) {
                        line++;
                        length--;
                }
                text_add(ret, " ");
        }
}

static int exports_read(struct reading *r, const char *text, size_t length)
{
        struct line_reader lines = { text, text + length, 0 };
        cleanup(text_done) struct text line = { 0 };

        while (line_join(&lines, &line, &r->line)) {
                int err = line.failed ? -ENOMEM : line_read(r, text_of(&line), line.length_bytes);

                if (err < 0)
                        return err;
        }
        return 0;
}

/* ---- exportfs ----------------------------------------------------------------------------------- */

/* One entry of one or two lines: the path, raw, and the client's word. */
static bool exportfs_next(struct line_reader *lines, const char **ret_path, size_t *ret_path_length,
                          const char **ret_client, size_t *ret_client_length)
{
        const char *line, *tab;
        size_t length;

        if (!lines_next(lines, &line, &length) || length == 0 || line[0] != '/')
                return false;
        tab = memchr(line, '\t', length);
        if (tab && tab - line != EXPORTFS_PATH_WIDTH)
                return false;
        *ret_path = line;
        *ret_path_length = tab ? (size_t)(tab - line) : length;
        if (!tab) {
                if (!lines_next(lines, &line, &length) || !text_starts(line, length, "\t\t"))
                        return false;
                tab = line + 1;
        }
        *ret_client = tab + 1;
        *ret_client_length = length - (size_t)(tab + 1 - line);
        blanks_trim(ret_path, ret_path_length);
        blanks_trim(ret_client, ret_client_length);
        return *ret_client_length > 0 && !memchr(*ret_client, ' ', *ret_client_length) &&
               !memchr(*ret_client, '\t', *ret_client_length);
}

static enum form form_recognise(const char *text, size_t length)
{
        struct line_reader lines = { text, text + length, 0 };
        const char *path, *client;
        size_t path_length, client_length, n = 0, n_lists = 0, n_delays = 0;

        if (text_starts(text, length, "# Version "))
                return FORM_PROC;
        while (lines.next != lines.end) {
                if (!exportfs_next(&lines, &path, &path_length, &client, &client_length))
                        return FORM_EXPORTS;
                n++;
                n_lists += memchr(client, '(', client_length) != NULL;
                n_delays += memmem(client, client_length, "wdelay", strlen("wdelay")) != NULL;
        }
        if (n == 0 || (n_lists > 0 && n_delays < n))
                return FORM_EXPORTS;
        return n_lists > 0 ? FORM_EXPORTFS : FORM_EXPORTFS_BRIEF;
}

static int exportfs_entry_add(struct reading *r, const char *path, size_t path_length, const char *client,
                              size_t client_length)
{
        cleanup_free char *p = strndup(path, path_length), *c = strndup(client, client_length);

        if (!p || !c)
                return -ENOMEM;
        line_begin(r);
        path_set(r, p, p);
        return client_add(r, c, c);
}

static int exportfs_read(struct reading *r, const char *text, size_t length)
{
        struct line_reader lines = { text, text + length, 0 };
        const char *path, *client;
        size_t path_length, client_length;
        int err = 0;

        while (err == 0 && exportfs_next(&lines, &path, &path_length, &client, &client_length)) {
                r->line = lines.number;
                err = exportfs_entry_add(r, path, path_length, client, client_length);
        }
        return err;
}

/* Without -v it says nothing of sync and async: a guess would look like a proof. */
static int brief_refuse(struct reading *r, const char *text, size_t length)
{
        const char *newline = memchr(text, '\n', length);

        r->line = 1;
        return problem_add(r, text, newline ? (size_t)(newline - text) : length, "exportfs printed no options",
                           "run exportfs -v on the server, and give its output");
}

/* ---- the whole -------------------------------------------------------------------------------------- */

int exports_parse(const char *text, size_t length_bytes, const char *file, struct exports *ret,
                  struct findings *findings)
{
        cleanup(reading_done) struct reading r = {
                .file = file, .form = form_recognise(text, length_bytes), .findings = findings,
        };
        int err;

        switch (r.form) {
        case FORM_EXPORTFS:
                err = exportfs_read(&r, text, length_bytes);
                break;
        case FORM_EXPORTFS_BRIEF:
                err = brief_refuse(&r, text, length_bytes);
                break;
        case FORM_EXPORTS:
        case FORM_PROC:
        default:
                err = exports_read(&r, text, length_bytes);
                break;
        }
        if (err == 0 && (r.path.failed || r.path_raw.failed || r.defaults.failed || r.defaults_raw.failed))
                err = -ENOMEM;
        if (err < 0)
                return err;
        *ret = r.exports;
        r.exports = (struct exports){ 0 };
        return 0;
}
