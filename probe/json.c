/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/json.c - the table-driven half of JSON.
 */
#include "probe/json.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "policy/options.h"
#include "policy/text.h"

/* ---- strings ----------------------------------------------------------------- */

static bool is_tail(unsigned char c)
{
        return (c & 0xc0) == 0x80;
}

/* Length of the valid UTF-8 sequence at @s (NUL-terminated), 0 for none. The
 * ranges are those of RFC 3629: no overlong forms, no surrogates. */
static size_t utf8_length(const char *text)
{
        const unsigned char *s = (const unsigned char *)text;

        if (s[0] < 0x80)
                return 1;
        if (s[0] >= 0xc2 && s[0] <= 0xdf)
                return is_tail(s[1]) ? 2 : 0;
        if (s[0] >= 0xe0 && s[0] <= 0xef) {
                unsigned char low = s[0] == 0xe0 ? 0xa0 : 0x80, high = s[0] == 0xed ? 0x9f : 0xbf;

                return s[1] >= low && s[1] <= high && is_tail(s[2]) ? 3 : 0;
        }
        if (s[0] >= 0xf0 && s[0] <= 0xf4) {
                unsigned char low = s[0] == 0xf0 ? 0x90 : 0x80, high = s[0] == 0xf4 ? 0x8f : 0xbf;

                return s[1] >= low && s[1] <= high && is_tail(s[2]) && is_tail(s[3]) ? 4 : 0;
        }
        return 0;
}

json_t *str_to_json(const char *s)
{
        struct text t = { 0 };

        while (*s) {
                size_t n = *s == '\\' ? 0 : utf8_length(s);

                if (n == 0)
                        text_add(&t, "\\x%02x", (unsigned)(unsigned char)*s);
                else
                        text_add_bytes(&t, s, n);
                s += n ? n : 1;
        }
        cleanup_free char *escaped = text_take(&t);
        return escaped ? json_string(escaped) : NULL;
}

static int hex_digit(char c)
{
        if (c >= '0' && c <= '9')
                return c - '0';
        if (c >= 'a' && c <= 'f')
                return c - 'a' + 10;
        return -1;
}

/* Byte of "\xhh" at @s, 0 when that is not one. */
static int escape_value(const char *s)
{
        if (s[1] != 'x' || hex_digit(s[2]) < 0 || hex_digit(s[3]) < 0)
                return 0;
        return hex_digit(s[2]) * 16 + hex_digit(s[3]);
}

/* In place; false: an escape that is none. */
static bool unescape(char *s)
{
        char *to = s;

        while (*s) {
                int value = *s == '\\' ? escape_value(s) : *s;

                if (value == 0)
                        return false;
                s += *s == '\\' ? 4 : 1;
                *to++ = (char)value;
        }
        *to = '\0';
        return true;
}

int str_from_json(struct json_reader *r, const char *key, const json_t *value, char **ret)
{
        if (!json_is_string(value))
                return json_wrong(r, "%s: not a string", key);
        if (json_string_length(value) > JSON_STRING_BYTES_MAX)
                return json_wrong(r, "%s: longer than %llu bytes", key, JSON_STRING_BYTES_MAX);
        cleanup_free char *copy = strdup(json_string_value(value));
        if (!copy)
                return -ENOMEM;
        if (!unescape(copy))
                return json_wrong(r, "%s: a backslash without xhh", key);
        free(*ret);
        *ret = TAKE(copy);
        return 0;
}

/* ---- reasons ----------------------------------------------------------------- */

int json_wrong(struct json_reader *r, const char *format, ...)
{
        char *words;
        va_list args;

        if (r->error)
                return -EINVAL;
        va_start(args, format);
        int n = vasprintf(&words, format, args);
        va_end(args);
        if (n < 0)
                return -ENOMEM;
        r->error = words;
        return -EINVAL;
}

int json_reader_end(struct json_reader *r, int status, char **ret_error)
{
        if (status == -EINVAL && ret_error)
                *ret_error = TAKE(r->error);
        free_charp(&r->error);
        return status;
}

/* ---- writing ------------------------------------------------------------------ */

static json_t *options_write(const struct options *o)
{
        cleanup_free char *text = options_format(o);

        return text ? str_to_json(text) : NULL;
}

static json_t *u64_write(uint64_t value)
{
        return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *member_write(const struct json_field *f, const void *member)
{
        switch (f->kind) {
        case JSON_KIND_STRING:
                return str_to_json(*(char *const *)member);
        case JSON_KIND_OPTIONS:
                return options_write(member);
        case JSON_KIND_BOOL:
                return json_boolean(*(const bool *)member);
        case JSON_KIND_U64:
                return u64_write(*(const uint64_t *)member);
        case JSON_KIND_UNSIGNED:
                return json_integer(*(const unsigned *)member);
        case JSON_KIND_INT:
                return json_integer(*(const int *)member);
        case JSON_KIND_ENUM:
                return json_string(f->enum_name(*(const unsigned *)member));
        case JSON_KIND_OBJECT:
                return json_write(f->fields, member);
        case JSON_KIND_CUSTOM:
        default:
                return f->write(member);
        }
}

json_t *json_write(const struct json_field *fields, const void *object)
{
        cleanup(json_refp) json_t *j = json_object();

        if (!j)
                return NULL;
        for (const struct json_field *f = fields; f->key; f++) {
                const void *member = (const char *)object + f->offset;

                if (f->kind == JSON_KIND_STRING && !*(char *const *)member)
                        continue;
                if (json_object_set_new(j, f->key, member_write(f, member)) < 0)
                        return NULL;
        }
        return TAKE(j);
}

char *json_text_take(json_t *value)
{
        cleanup(json_refp) json_t *j = value;

        return j ? json_dumps(j, JSON_COMPACT) : NULL;
}

/* ---- reading ------------------------------------------------------------------- */

static int options_read(struct json_reader *r, const char *key, const json_t *value, struct options *ret)
{
        cleanup_free char *text = NULL;
        int status = str_from_json(r, key, value, &text);

        if (status < 0)
                return status;
        status = options_parse(text, strlen(text), ret);
        return status < 0 && status != -ENOMEM ? json_wrong(r, "%s: not an option string", key) : status;
}

/* An integer within the bounds. */
static int integer_read(struct json_reader *r, const char *key, const json_t *value, json_int_t low,
                        json_int_t high, json_int_t *ret)
{
        if (!json_is_integer(value))
                return json_wrong(r, "%s: not an integer", key);
        *ret = json_integer_value(value);
        return *ret < low || *ret > high ? json_wrong(r, "%s: out of range", key) : 0;
}

static int number_read(struct json_reader *r, const struct json_field *f, const json_t *value, void *member)
{
        json_int_t low = f->kind == JSON_KIND_INT ? INT_MIN : 0;
        json_int_t high = f->kind == JSON_KIND_INT ? INT_MAX : f->kind == JSON_KIND_UNSIGNED ? UINT_MAX : INT64_MAX;
        json_int_t n = 0;
        int status = integer_read(r, f->key, value, low, high, &n);

        if (status < 0)
                return status;
        if (f->kind == JSON_KIND_INT)
                *(int *)member = (int)n;
        else if (f->kind == JSON_KIND_UNSIGNED)
                *(unsigned *)member = (unsigned)n;
        else
                *(uint64_t *)member = (uint64_t)n;
        return 0;
}

static int enum_read(struct json_reader *r, const struct json_field *f, const json_t *value, unsigned *member)
{
        if (!json_is_string(value))
                return json_wrong(r, "%s: not a string", f->key);
        return f->enum_parse(json_string_value(value), member) < 0 ? json_wrong(r, "%s: unknown name", f->key) : 0;
}

static int member_read(struct json_reader *r, const struct json_field *f, const json_t *value, void *member)
{
        switch (f->kind) {
        case JSON_KIND_STRING:
                return str_from_json(r, f->key, value, member);
        case JSON_KIND_OPTIONS:
                return options_read(r, f->key, value, member);
        case JSON_KIND_BOOL:
                if (!json_is_boolean(value))
                        return json_wrong(r, "%s: not a boolean", f->key);
                *(bool *)member = json_is_true(value);
                return 0;
        case JSON_KIND_U64:
        case JSON_KIND_UNSIGNED:
        case JSON_KIND_INT:
                return number_read(r, f, value, member);
        case JSON_KIND_ENUM:
                return enum_read(r, f, value, member);
        case JSON_KIND_OBJECT:
                return json_is_object(value) ? json_read(r, f->fields, value, member)
                                             : json_wrong(r, "%s: not an object", f->key);
        case JSON_KIND_CUSTOM:
        default:
                return f->read(r, value, member);
        }
}

int json_read(struct json_reader *r, const struct json_field *fields, const json_t *value, void *object)
{
        if (!json_is_object(value))
                return json_wrong(r, "not an object");
        for (const struct json_field *f = fields; f->key; f++) {
                const json_t *member = json_object_get(value, f->key);

                if (!member && f->required)
                        return json_wrong(r, "%s: missing", f->key);
                if (!member)
                        continue;
                int status = member_read(r, f, member, (char *)object + f->offset);
                if (status < 0)
                        return status;
        }
        return 0;
}

static const struct json_field *field_find(const struct json_field *fields, const char *key)
{
        for (; fields->key; fields++)
                if (strcmp(fields->key, key) == 0)
                        return fields;
        return NULL;
}

int json_known_only(struct json_reader *r, const struct json_field *fields, const json_t *value)
{
        json_t *object = (json_t *)value, *member;      /* the iterator's type; nothing is written */
        const char *key;
        int status = 0;

        if (!json_is_object(value))
                return json_wrong(r, "not an object");
        json_object_foreach(object, key, member) {
                const struct json_field *f = field_find(fields, key);

                if (!f)
                        return json_wrong(r, "%.64s: unknown", key);
                if (f->kind == JSON_KIND_OBJECT)
                        status = json_known_only(r, f->fields, member);
                if (status < 0)
                        return status;
        }
        return 0;
}

int json_array_length(struct json_reader *r, const char *key, const json_t *value, size_t max, size_t *ret)
{
        if (!json_is_array(value))
                return json_wrong(r, "%s: not an array", key);
        *ret = json_array_size(value);
        return *ret > max ? json_wrong(r, "%s: more than %zu members", key, max) : 0;
}

int json_text_parse_any(struct json_reader *r, const char *text, size_t length_bytes, json_t **ret)
{
        json_error_t error;

        if (length_bytes > JSON_TEXT_BYTES_MAX)
                return json_wrong(r, "longer than %llu bytes", JSON_TEXT_BYTES_MAX);
        json_t *j = json_loadb(text, length_bytes, JSON_REJECT_DUPLICATES, &error);
        if (!j && json_error_code(&error) == json_error_out_of_memory)
                return -ENOMEM;
        if (!j)
                return json_wrong(r, "not JSON: line %d, column %d: %s", error.line, error.column, error.text);
        *ret = j;
        return 0;
}

int json_text_parse(struct json_reader *r, const char *text, size_t length_bytes, json_t **ret)
{
        cleanup(json_refp) json_t *j = NULL;
        int status = json_text_parse_any(r, text, length_bytes, &j);

        if (status < 0)
                return status;
        if (!json_is_object(j))
                return json_wrong(r, "not a JSON object");
        *ret = TAKE(j);
        return 0;
}
