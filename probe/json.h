/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/json.h - structs as JSON objects, driven by tables of their members.
 *
 * Layer:    probe. External library: jansson. One table writes and reads a
 *           struct, so that the two directions cannot drift apart.
 * Strings:  a backslash and every byte that is not part of valid UTF-8 is
 *           written as backslash, "x" and two hex digits, and read back to that
 *           byte. So "a\b" is the JSON string "a\\x5cb". A backslash that is not
 *           followed by x and two hex digits other than 00 is an error. A NULL
 *           string is left out.
 * Numbers:  64 bits without sign; JSON integers here end at 2^63-1, larger
 *           values are written as that.
 * Absent:   a member that is absent keeps its zero.
 */
#pragma once

#include <jansson.h>

#include "policy/observation.h"

#define JSON_STRING_BYTES_MAX (64 * KIB)
#define JSON_ARRAY_MAX        65536
#define JSON_TEXT_BYTES_MAX   (64 * MIB)

enum json_kind {
        JSON_KIND_STRING,       /* char * */
        JSON_KIND_OPTIONS,      /* struct options, as the option string */
        JSON_KIND_BOOL,
        JSON_KIND_U64,          /* uint64_t, usec_t */
        JSON_KIND_UNSIGNED,
        JSON_KIND_INT,
        JSON_KIND_ENUM,
        JSON_KIND_OBJECT,       /* an embedded struct */
        JSON_KIND_CUSTOM,
};

/* Why reading failed: the first reason wins. */
struct json_reader {
        char *error;            /* words, or NULL */
};

struct json_field {
        const char *key;        /* NULL ends a table */
        enum json_kind kind;
        size_t offset;
        bool required;          /* absent is -EINVAL */
        const char *(*enum_name)(unsigned value);
        int (*enum_parse)(const char *name, unsigned *ret);
        const struct json_field *fields;        /* of JSON_KIND_OBJECT */
        /* JSON_KIND_CUSTOM; @member points at the struct's member. NULL: -ENOMEM. */
        json_t *(*write)(const void *member);
        int (*read)(struct json_reader *r, const json_t *value, void *member);
};

/* Defines the two functions of an enumeration of policy/names.h for a table. */
#define JSON_ENUM(function, type)                                                       \
        static const char *function##_json_name(unsigned value)                         \
        {                                                                               \
                return function##_name((enum type)value);                               \
        }                                                                               \
        static int function##_json_parse(const char *name, unsigned *ret)               \
        {                                                                               \
                enum type value;                                                        \
                int r = function##_parse(name, &value);                                 \
                                                                                        \
                if (r == 0)                                                             \
                        *ret = (unsigned)value;                                         \
                return r;                                                               \
        }

#define JSON_FIELD(type, member, k) { .key = #member, .kind = (k), .offset = offsetof(struct type, member) }
#define JSON_FIELD_ENUM(type, member, function)                                         \
        { .key = #member, .kind = JSON_KIND_ENUM, .offset = offsetof(struct type, member), \
          .enum_name = function##_json_name, .enum_parse = function##_json_parse }
#define JSON_FIELD_OBJECT(type, member, table)                                          \
        { .key = #member, .kind = JSON_KIND_OBJECT, .offset = offsetof(struct type, member), .fields = (table) }

/* A new object with the members of @object. NULL on -ENOMEM. */
json_t *json_write(const struct json_field *fields, const void *object) must_check;

/* Reads the members into the zeroed *object. On an error what was read already
 * is left in it, to be freed by its *_done().
 * Return: 0, -EINVAL, -ENOMEM. */
int json_read(struct json_reader *r, const struct json_field *fields, const json_t *value, void *object) must_check;

json_t *str_to_json(const char *s) must_check;
int str_from_json(struct json_reader *r, const char *key, const json_t *value, char **ret) must_check;

/* Length of the array @value. Return: 0, or -EINVAL for another type or more
 * than @max members. */
int json_array_length(struct json_reader *r, const char *key, const json_t *value, size_t max, size_t *ret) must_check;

/* Notes the reason and returns -EINVAL. */
int json_wrong(struct json_reader *r, const char *format, ...) printf_like(2, 3);

/* The text as one JSON object; any: or array. Return: 0, -EINVAL, -ENOMEM. */
int json_text_parse_any(struct json_reader *r, const char *text, size_t length_bytes, json_t **ret) must_check;
int json_text_parse(struct json_reader *r, const char *text, size_t length_bytes, json_t **ret) must_check;

/* One line; takes the reference to @value, which may be NULL. NULL on -ENOMEM. */
char *json_text_take(json_t *value) must_check;

/* Hands the reason over to *ret_error (may be NULL) and returns @status. */
int json_reader_end(struct json_reader *r, int status, char **ret_error);

static inline void json_refp(json_t **j)
{
        json_decref(*j);
}

/* Unknown members are -EINVAL, in embedded structs too. Not looked into: JSON_KIND_CUSTOM. */
int json_known_only(struct json_reader *r, const struct json_field *fields, const json_t *value) must_check;

/* struct device, struct mount_facts (observation_json.c); target, source and fstype are
 * required. mount_facts_complete() gives the other strings their "nothing" where
 * they were absent: 0 or -ENOMEM. */
extern const struct json_field device_fields[];
extern const struct json_field mount_facts_fields[];
int mount_facts_complete(struct mount_facts *m) must_check;
