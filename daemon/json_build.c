/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every writer of JSON needs. See json_build.h. */

#include "daemon/json_build.h"

#include <errno.h>
#include <string.h>

#include "daemon/utf8.h"
#include "policy/names.h"

#define INDENT 2

json_t *json_string_or_null(const char *s)
{
        struct text t = {};
        char *shown;
        json_t *j;

        if (!s)
                return json_null();
        if (utf8_is_valid(s, strlen(s)))
                return json_string(s);
        text_add_printable(&t, s);
        shown = text_take(&t);
        j = shown ? json_string(shown) : NULL;
        free(shown);
        return j;
}

json_t *json_number(uint64_t n)
{
        return json_integer((json_int_t) MIN(n, (uint64_t) INT64_MAX));
}

json_t *json_number_if(bool known, uint64_t n)
{
        return known ? json_number(n) : json_null();
}

void json_append(json_t **array, json_t *member)
{
        if (!*array) {
                json_decref(member);
        } else if (json_array_append_new(*array, member) < 0) {
                json_decref(*array);
                *array = NULL;
        }
}

json_t *json_string_array(char *const *items, size_t n)
{
        json_t *array = json_array();

        for (size_t i = 0; i < n; i++)
                json_append(&array, json_string_or_null(items[i]));
        return array;
}

json_t *json_place(const struct place *p)
{
        return json_pack("{s:s, s:o, s:o}", "kind", place_kind_name(p->kind), "file", json_string_or_null(p->file),
                         "line", json_number_if(p->line > 0, p->line));
}

/* Up to the first byte that a character for utf8_is_control() can begin with, or to the end of the line. */
static size_t harmless_length(const char *text)
{
        return strcspn(text, "\n\x7f\xc2\xd8\xe2");
}

/* jansson escapes only what JSON demands, and JSON is read on terminals too. Return: how many bytes of @text
 * are written. */
static size_t write_character(FILE *out, const char *text)
{
        size_t n = utf8_character(text, strnlen(text, 4));

        if (n > 0 && utf8_is_control(text, n))
                (void) fprintf(out, "\\u%04X", (unsigned) utf8_value(text, n));
        else
                (void) fwrite(text, 1, MAX(n, (size_t) 1), out);
        return MAX(n, (size_t) 1);
}

/* A string of JSON holds no line break as such, so that each one here is between values. */
int json_print_text(FILE *out, const char *text, unsigned depth)
{
        static const char blanks[] = "                ";
        const char *indent = blanks + sizeof(blanks) - 1 - MIN(depth * INDENT, sizeof(blanks) - 1);

        errno = 0;
        for (const char *at = text; *at;) {
                size_t n = harmless_length(at);

                (void) fwrite(at, 1, n, out);   /* errors stick to the stream */
                at += n;
                if (*at == '\n') {
                        (void) fprintf(out, "\n%s", indent);
                        at++;
                } else if (*at) {
                        at += write_character(out, at);
                }
        }
        return ferror(out) ? (errno ? -errno : -EIO) : 0;
}

int json_print(FILE *out, const json_t *j, unsigned depth)
{
        char *text = j ? json_dumps(j, JSON_INDENT(INDENT) | JSON_ENCODE_ANY) : NULL;
        int r = text ? json_print_text(out, text, depth) : -ENOMEM;

        free(text);
        return r;
}
