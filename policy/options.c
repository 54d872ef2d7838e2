/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/options.c - option strings as lists, and back without loss. See options.h. */
#include "policy/options.h"

#include <errno.h>
#include <string.h>


/* Name and value lie in one allocation: a host with thousands of mounts has
 * hundreds of thousands of options. */
static void option_done(struct mount_option *o)
{
        free(o->name);
        *o = (struct mount_option){ 0 };
}

/* @value may be NULL. */
static int option_make(const char *name, size_t n_name, const char *value, size_t n_value, struct mount_option *ret)
{
        char *both = malloc(n_name + 1 + (value ? n_value + 1 : 0));

        if (!both)
                return -ENOMEM;
        memcpy(both, name, n_name);
        both[n_name] = '\0';
        *ret = (struct mount_option){ .name = both };
        if (value) {
                ret->value = both + n_name + 1;
                memcpy(ret->value, value, n_value);
                ret->value[n_value] = '\0';
        }
        return 0;
}

static int options_append(struct options *o, const char *name, size_t n_name, const char *value, size_t n_value)
{
        struct mount_option *items;

        items = reallocarray(o->items, o->n_items + 1, sizeof(*items));
        if (!items)
                return -ENOMEM;
        o->items = items;
        if (option_make(name, n_name, value, n_value, &items[o->n_items]) < 0)
                return -ENOMEM;
        o->n_items++;
        return 0;
}

/* Bytes up to the next comma that separates, or to the end.
 * Return: -EINVAL for an open quote. */
static int field_length(const char *text, size_t length_bytes, size_t *ret)
{
        bool quoted = false;
        size_t i;

        for (i = 0; i < length_bytes; i++) {
                /* libmount lets a backslash take the meaning from a quote and a comma */
                bool escaped = i > 0 && text[i - 1] == '\\';

                if (text[i] == '"' && !escaped)
                        quoted = !quoted;
                else if (text[i] == ',' && !quoted && !escaped)
                        break;
        }
        *ret = i;
        return quoted ? -EINVAL : 0;
}

static int options_append_field(struct options *o, const char *field, size_t n)
{
        const char *equals = n > 0 ? memchr(field, '=', n) : NULL;

        if (!equals)
                return options_append(o, field, n, NULL, 0);
        return options_append(o, field, (size_t)(equals - field), equals + 1, n - (size_t)(equals - field) - 1);
}

int options_add(struct options *o, const char *name, const char *value)
{
        return options_append(o, name, strlen(name), value, value ? strlen(value) : 0);
}

int options_add_text(struct options *o, const char *text)
{
        return options_append_field(o, text, strlen(text));
}

int options_parse(const char *text, size_t length_bytes, struct options *ret)
{
        cleanup(options_done) struct options o = { 0 };
        int r;

        if (length_bytes > 0 && memchr(text, '\0', length_bytes))
                return -EINVAL;
        for (size_t at = 0; length_bytes > 0; at++) {
                size_t n;

                r = o.n_items < OPTIONS_MAX ? field_length(text + at, length_bytes - at, &n) : -E2BIG;
                if (r == 0)
                        r = options_append_field(&o, text + at, n);
                if (r < 0)
                        return r;
                at += n;
                if (at == length_bytes)
                        break;
        }
        *ret = o;
        o = (struct options){ 0 };
        return 0;
}

char *options_format(const struct options *o)
{
        cleanup(text_done) struct text t = { 0 };

        for (size_t i = 0; i < o->n_items; i++) {
                if (i > 0)
                        text_add(&t, ",");
                text_add_option(&t, &o->items[i]);
        }
        return text_take(&t);
}

void text_add_option(struct text *t, const struct mount_option *o)
{
        text_add(t, "%s%s%s", o->name, o->value ? "=" : "", o->value ? o->value : "");
}

const struct mount_option *options_find(const struct options *o, const char *name)
{
        for (size_t i = o->n_items; i > 0; i--)
                if (strcmp(o->items[i - 1].name, name) == 0)
                        return &o->items[i - 1];
        return NULL;
}

bool options_has(const struct options *o, const char *name)
{
        return options_find(o, name) != NULL;
}

const char *options_value(const struct options *o, const char *name)
{
        const struct mount_option *option = options_find(o, name);

        return option ? option->value : NULL;
}

static bool is_digit(char c)
{
        return c >= '0' && c <= '9';
}

/* Decimal digits only: no sign, no blank. Leaves *@text behind the last digit. */
static int digits_read(const char **text, uint64_t *ret)
{
        uint64_t value = 0;

        if (!is_digit(**text))
                return -EINVAL;
        for (; is_digit(**text); ++*text)
                if (__builtin_mul_overflow(value, 10, &value) ||
                    __builtin_add_overflow(value, (uint64_t)(**text - '0'), &value))
                        return -ERANGE;
        *ret = value;
        return 0;
}

static int suffix_factor(const char *suffix, uint64_t *ret)
{
        static const struct {
                const char *suffix;
                uint64_t factor;
        } factors[] = {
                { "", 1 }, { "k", KIB }, { "m", MIB }, { "g", KIB * MIB },
        };

        for (size_t i = 0; i < ARRAY_SIZE(factors); i++)
                if (strcasecmp(suffix, factors[i].suffix) == 0) {
                        *ret = factors[i].factor;
                        return 0;
                }
        return -EINVAL;
}

int option_value_u64(const char *text, uint64_t *ret)
{
        uint64_t value, factor;
        int r = digits_read(&text, &value);

        if (r == 0)
                r = suffix_factor(text, &factor);
        if (r < 0)
                return r;
        if (__builtin_mul_overflow(value, factor, &value))
                return -ERANGE;
        *ret = value;
        return 0;
}

int options_u64(const struct options *o, const char *name, uint64_t *ret)
{
        const struct mount_option *option = options_find(o, name);

        if (!option)
                return -ENOENT;
        return option->value ? option_value_u64(option->value, ret) : -EINVAL;
}

static void options_remove_at(struct options *o, size_t i)
{
        option_done(&o->items[i]);
        o->n_items--;
        memmove(&o->items[i], &o->items[i + 1], (o->n_items - i) * sizeof(*o->items));
}

size_t options_drop(struct options *o, const char *name)
{
        size_t before = o->n_items;

        for (size_t i = o->n_items; i > 0; i--)
                if (strcmp(o->items[i - 1].name, name) == 0)
                        options_remove_at(o, i - 1);
        return before - o->n_items;
}

int options_set(struct options *o, const char *name, const char *value)
{
        struct mount_option replacement;
        size_t last = o->n_items;

        for (size_t i = 0; i < o->n_items; i++)
                if (strcmp(o->items[i].name, name) == 0)
                        last = i;
        if (last == o->n_items)
                return options_add(o, name, value);
        if (option_make(name, strlen(name), value, value ? strlen(value) : 0, &replacement) < 0)
                return -ENOMEM;
        option_done(&o->items[last]);
        o->items[last] = replacement;
        for (size_t i = last; i > 0; i--)
                if (strcmp(o->items[i - 1].name, name) == 0)
                        options_remove_at(o, i - 1);
        return 0;
}

int options_merge(struct options *o, const struct options *from)
{
        int r = 0;

        for (size_t i = 0; i < from->n_items && r == 0; i++)
                r = options_set(o, from->items[i].name, from->items[i].value);
        return r;
}

int options_copy(const struct options *o, struct options *ret)
{
        cleanup(options_done) struct options copy = { 0 };

        for (size_t i = 0; i < o->n_items; i++) {
                int r = options_add(&copy, o->items[i].name, o->items[i].value);

                if (r < 0)
                        return r;
        }
        *ret = copy;
        copy = (struct options){ 0 };
        return 0;
}

void options_done(struct options *o)
{
        for (size_t i = 0; i < o->n_items; i++)
                option_done(&o->items[i]);
        free(o->items);
        *o = (struct options){ 0 };
}
