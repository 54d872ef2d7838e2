/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon/record_json.c - JSON forms that requests and records share. */
#include "daemon/record_json.h"

#include <errno.h>
#include <string.h>

JSON_ENUM(method, method)

const struct json_field staging_fields[] = {
        JSON_FIELD_ENUM(staging, method, method),
        JSON_FIELD(staging, keys, JSON_KIND_OPTIONS),
        JSON_FIELD(staging, from, JSON_KIND_OPTIONS),
        JSON_FIELD(staging, to, JSON_KIND_OPTIONS),
        JSON_FIELD(staging, read_ahead_kib, JSON_KIND_U64),
        JSON_FIELD(staging, read_ahead_from_kib, JSON_KIND_U64),
        { .key = NULL }
};

/* ---- boot ids ---------------------------------------------------------------------- */

json_t *boot_write(const void *member)
{
        return json_string(member);
}

int boot_read(struct json_reader *r, const json_t *value, void *member)
{
        const char *text = json_string_value(value);
        size_t n = text ? strlen(text) : 0;

        if (!text || (n != 0 && n != 32) || strspn(text, "0123456789abcdef") != n)
                return json_wrong(r, "boot: not a boot id");
        memcpy(member, text, n + 1);
        return 0;
}

/* ---- arrays ---------------------------------------------------------------------------- */

json_t *array_write(const struct json_field *fields, const void *items, size_t n, size_t size_bytes)
{
        cleanup(json_refp) json_t *j = json_array();

        for (size_t i = 0; j && i < n; i++)
                if (json_array_append_new(j, json_write(fields, (const char *)items + i * size_bytes)) < 0)
                        return NULL;
        return TAKE(j);
}

int array_read(struct json_reader *r, const char *key, const struct json_field *fields, const json_t *value,
               size_t max, size_t size_bytes, void **ret, size_t *ret_n)
{
        size_t n = 0;
        int status = json_array_length(r, key, value, max, &n);

        if (status < 0 || n == 0)
                return status;
        char *items = calloc(n, size_bytes);
        if (!items)
                return -ENOMEM;
        *ret = items;
        for (size_t i = 0; status == 0 && i < n; i++) {
                ++*ret_n;               /* what is read halfway is freed as well */
                status = json_read(r, fields, json_array_get(value, i), items + i * size_bytes);
        }
        return status;
}

/* ---- paths ------------------------------------------------------------------------------- */

static bool is_plain_component(const char *name, size_t n)
{
        return n > 0 && !(n == 1 && name[0] == '.') && !(n == 2 && name[0] == '.' && name[1] == '.');
}

bool path_is_plain(const char *path)
{
        if (path[0] != '/')
                return false;
        if (path[1] == '\0')
                return true;
        while (*path == '/') {
                size_t n = strcspn(path + 1, "/");

                if (!is_plain_component(path + 1, n))
                        return false;
                path += 1 + n;
        }
        return true;
}
