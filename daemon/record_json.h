/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/record_json.h - JSON forms that requests and records share.
 *
 * Layer:   daemon. External library: jansson.
 */
#pragma once

#include "policy/names.h"
#include "policy/staging.h"
#include "probe/json.h"

/* struct staging */
extern const struct json_field staging_fields[];

/* char[33]: a boot id, 32 hexadecimal digits, or "" where there is none. */
json_t *boot_write(const void *member) must_check;
int boot_read(struct json_reader *r, const json_t *value, void *member) must_check;

#define BOOT_FIELD(type, member_)                                                                 \
        { .key = #member_, .kind = JSON_KIND_CUSTOM, .offset = offsetof(struct type, member_), \
          .write = boot_write, .read = boot_read }

/* An array of structs of @size_bytes each: written, and read into a new one. *ret_n counts what has to be freed, on an
 * error too. */
json_t *array_write(const struct json_field *fields, const void *items, size_t n, size_t size_bytes) must_check;
int array_read(struct json_reader *r, const char *key, const struct json_field *fields, const json_t *value,
               size_t max, size_t size_bytes, void **ret, size_t *ret_n) must_check;

/* Absolute, without "//", "." and "..", and without a slash at its end: as the mount table writes a mount point. */
bool path_is_plain(const char *path);
