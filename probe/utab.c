/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/utab.c - "KEY=value KEY=value" lines.
 */
#include "probe/utab.h"

#include <errno.h>
#include <string.h>

#include "probe/file.h"
#include "probe/lines.h"

static void entry_done(struct utab_entry *e)
{
        free(e->source);
        free(e->target);
        free(e->options_text);
        free(e->text);
        *e = (struct utab_entry){ 0 };
}

static bool is_digit(char c)
{
        return c >= '0' && c <= '9';
}

/* Length of the value of "KEY=" at @value. Numbers end where the digits end. */
static size_t value_length(const char *key, size_t key_length, const char *value, const char *end)
{
        bool number = key_length >= 2 && memcmp(key + key_length - 2, "ID", 2) == 0;
        const char *p = value;

        while (p < end && *p != ' ' && *p != '\t' && (!number || is_digit(*p)))
                p++;
        return (size_t)(p - value);
}

static bool key_is(const char *key, size_t length, const char *name)
{
        return strlen(name) == length && memcmp(key, name, length) == 0;
}

static int field_set(struct utab_entry *e, const char *key, size_t key_length, const char *value, size_t length)
{
        char **field = key_is(key, key_length, "SRC")      ? &e->source
                       : key_is(key, key_length, "TARGET") ? &e->target
                       : key_is(key, key_length, "ATTRS")  ? &e->options_text
                                                           : NULL;

        if (!field)
                return 0;
        free(*field);
        *field = octal_decode(value, length);
        return *field ? 0 : -ENOMEM;
}

static int line_read(struct utab_entry *e, const char *line, size_t length)
{
        const char *end = line + length;

        while (line < end) {
                const char *equals = memchr(line, '=', (size_t)(end - line));

                if (!equals)
                        return 0;
                size_t key_length = (size_t)(equals - line);
                size_t n = value_length(line, key_length, equals + 1, end);
                int r = field_set(e, line, key_length, equals + 1, n);
                if (r < 0)
                        return r;
                line = equals + 1 + n;
                while (line < end && (*line == ' ' || *line == '\t'))
                        line++;
        }
        return 0;
}

static int entry_add(struct utab *u, struct utab_entry *e)
{
        struct utab_entry *bigger = reallocarray(u->entries, u->n_entries + 1, sizeof(*bigger));

        if (!bigger)
                return -ENOMEM;
        u->entries = bigger;
        u->entries[u->n_entries++] = *e;
        *e = (struct utab_entry){ 0 };
        return 0;
}

static int line_add(struct utab *u, const char *line, size_t length, unsigned number)
{
        cleanup(entry_done) struct utab_entry e = { .line = number };
        int r = line_read(&e, line, length);

        if (r < 0 || !e.source || !e.target || !e.options_text)
                return r;
        trailing_slash_strip(e.target);
        e.text = strndup(line, length);
        return e.text ? entry_add(u, &e) : -ENOMEM;
}

int utab_parse(const char *text, size_t length_bytes, struct utab *ret)
{
        struct line_reader lines = { text, text + length_bytes, 0 };
        cleanup(utab_done) struct utab u = { 0 };
        const char *line;
        size_t length;

        while (lines_next(&lines, &line, &length)) {
                blanks_trim(&line, &length);
                if (length == 0 || memchr(line, '\0', length))
                        continue;
                int r = line_add(&u, line, length, lines.number);
                if (r < 0)
                        return r;
        }
        *ret = u;
        u = (struct utab){ 0 };
        return 0;
}

int utab_read(const char *path, struct utab *ret)
{
        cleanup_free char *text = NULL;
        size_t length;
        int r = file_read(path, UTAB_BYTES_MAX, &text, &length);

        return r < 0 ? r : utab_parse(text, length, ret);
}

void utab_done(struct utab *u)
{
        for (size_t i = 0; i < u->n_entries; i++)
                entry_done(&u->entries[i]);
        free(u->entries);
        *u = (struct utab){ 0 };
}
