/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/json_build.h - what every writer of JSON needs.
 *
 * Layer:  daemon. External library: jansson.
 * Errors: jansson's *_new functions and json_pack("o") accept a NULL member by
 *         failing, so an allocation that fails anywhere makes the whole NULL;
 *         callers look once, at the end.
 */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "policy/advice.h"

#define cleanup_json cleanup(json_decrefp)

/* What is no UTF-8 is shown as \xNN: JSON has no way to hold it. */
json_t *json_string_or_null(const char *s);

json_t *json_number(uint64_t n);

/* A number where @known, else null. */
json_t *json_number_if(bool known, uint64_t n);

/* Takes @member over. After a failure the array is NULL and stays so. */
void json_append(json_t **array, json_t *member);

json_t *json_string_array(char *const *items, size_t n);
json_t *json_place(const struct place *p);

/* Writes a text that jansson made, @depth levels deep in a document. Return: 0, or the negative errno of writing. */
int json_print_text(FILE *out, const char *text, unsigned depth) must_check;

/* Writes one value that stands @depth levels deep in a document of indented
 * lines, without a line break behind it. Return: 0, -ENOMEM, or the negative errno of writing. */
int json_print(FILE *out, const json_t *j, unsigned depth) must_check;
