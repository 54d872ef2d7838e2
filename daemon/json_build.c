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

/* A string of JSON holds no line break as such, so that each one here is between values. */
int json_print(FILE *out, const json_t *j, unsigned depth)
{
        static const char blanks[] = "                ";
        const char *indent = blanks + sizeof(blanks) - 1 - MIN(depth * INDENT, sizeof(blanks) - 1);
        char *text = j ? json_dumps(j, JSON_INDENT(INDENT) | JSON_ENCODE_ANY) : NULL;

        if (!text)
                return -ENOMEM;
        errno = 0;
        for (const char *at = text; *at;) {
                const char *end = strchrnul(at, '\n');
                size_t n = (size_t) (end - at) + (*end != '\0');

                (void) fwrite(at, 1, n, out);   /* errors stick to the stream */
                at += n;
                if (*at)
                        (void) fputs(indent, out);
        }
        free(text);
        return ferror(out) ? (errno ? -errno : -EIO) : 0;
}
