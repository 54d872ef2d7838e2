/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/config_keys.h - the table of keys of nfstuned.conf, and their values.
 *
 * Layer:   daemon. Pure.
 * Purpose: one table drives the parser, defaults, ranges and the words of
 *          messages; tests/lint/drift compares it with the example file and the
 *          manual page.
 */
#pragma once

#include "policy/params.h"
#include "policy/text.h"

struct config_key;

/* Writes @value to @target. Return: 0; 1 for a bad value, with words about it
 * in @why where the key's own ("allowed") do not say enough; -ENOMEM. */
typedef int config_parse_fn(const struct config_key *key, const char *value, void *target, struct text *why);

struct config_key {
        const char *section;
        const char *name;
        const char *fallback;
        const char *allowed;    /* words; for parse_choice the names, by value, separated by '|' */
        const char *later;      /* a value of a later version, or NULL */
        config_parse_fn *parse;
        size_t offset;          /* in struct params, or in struct mount_params */
        uint64_t min, max;
};

/* How many keys there are. */
#define CONFIG_KEYS 21

extern const struct config_key config_keys[CONFIG_KEYS];

/* Its number in the table. */
static inline size_t config_key_index(const struct config_key *key)
{
        return (size_t) (key - config_keys);
}

/* Does the key belong to [mount NAME] sections? */
bool config_key_is_of_mount(const struct config_key *key);

/* NULL: there is none. */
const struct config_key *config_key_find(const char *section, const char *name);

/* What may have been meant by @name: a key of @section, else a key of
 * another section with the very same name. NULL: nothing is near. */
const struct config_key *config_key_nearest(const char *section, const char *name);

/* Sets the key's field of @base: a struct params, or for keys of a mount a
 * struct mount_params. Return: as config_parse_fn. */
int config_key_set(const struct config_key *key, const char *value, void *base, struct text *why) must_check;

/* Appends what may be written: "a duration ..., from 10 s to 365 days". */
void config_key_add_allowed(struct text *t, const struct config_key *key);
