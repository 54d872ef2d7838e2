/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/lines.c - lines, blanks and escapes.
 */
#include "probe/lines.h"

#include <string.h>

bool lines_next(struct line_reader *r, const char **ret_line, size_t *ret_length_bytes)
{
        if (r->next == r->end)
                return false;
        const char *newline = memchr(r->next, '\n', (size_t)(r->end - r->next));
        const char *stop = newline ? newline : r->end;

        *ret_line = r->next;
        *ret_length_bytes = (size_t)(stop - r->next);
        r->next = newline ? newline + 1 : r->end;
        r->number++;
        return true;
}

static bool is_blank(char c)
{
        return c == ' ' || c == '\t' || c == '\r';
}

void blanks_trim(const char **text, size_t *length_bytes)
{
        while (*length_bytes > 0 && is_blank(**text)) {
                (*text)++;
                (*length_bytes)--;
        }
        while (*length_bytes > 0 && is_blank((*text)[*length_bytes - 1]))
                (*length_bytes)--;
}

static bool is_octal(char c)
{
        return c >= '0' && c <= '7';
}

/* Value of "\ooo" at @text, or 0 where there is none. */
static unsigned octal_escape(const char *text, size_t length_bytes)
{
        if (length_bytes < 4 || text[0] != '\\' || text[1] > '3' || !is_octal(text[1]) || !is_octal(text[2]) ||
            !is_octal(text[3]))
                return 0;
        return (unsigned)(text[1] - '0') * 64 + (unsigned)(text[2] - '0') * 8 + (unsigned)(text[3] - '0');
}

char *octal_decode(const char *text, size_t length_bytes)
{
        char *decoded = malloc(length_bytes + 1);
        size_t n = 0;

        if (!decoded)
                return NULL;
        for (size_t i = 0; i < length_bytes;) {
                unsigned value = octal_escape(text + i, length_bytes - i);

                decoded[n++] = value ? (char)value : text[i];
                i += value ? 4 : 1;
        }
        decoded[n] = '\0';
        return decoded;
}

void trailing_slash_strip(char *path)
{
        size_t length = strlen(path);

        while (length > 1 && path[length - 1] == '/')
                path[--length] = '\0';
}

bool deleted_strip(char *path)
{
        static const char suffix[] = "//deleted";
        size_t length = strlen(path), tail = sizeof(suffix) - 1;

        if (length <= tail || strcmp(path + length - tail, suffix) != 0)
                return false;
        path[length - tail] = '\0';
        return true;
}

bool text_starts(const char *text, size_t length_bytes, const char *prefix)
{
        size_t n = strlen(prefix);

        return length_bytes >= n && memcmp(text, prefix, n) == 0;
}

bool path_is_at_or_above(const char *dir, const char *path)
{
        size_t length = strlen(dir);

        if (strncmp(dir, path, length) != 0)
                return false;
        return path[length] == '\0' || path[length] == '/' || (length > 0 && dir[length - 1] == '/');
}
