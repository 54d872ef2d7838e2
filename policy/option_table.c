/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/option_table.c - looks options up and checks their values. See option_table.h. */
#include "policy/option_rows.h"

#include <limits.h>
#include <string.h>

#include "policy/nearest.h"
#include "policy/options.h"

static int compare_name(const void *name, const void *row)
{
        return strcmp(name, ((const struct option_info *)row)->name);
}

static const struct option_info *exact(const char *name)
{
        return bsearch(name, option_rows, option_rows_n, sizeof(option_rows[0]), compare_name);
}

static bool has_prefix(const char *text, const char *prefix)
{
        return strncmp(text, prefix, strlen(prefix)) == 0;
}

const struct option_info *option_info(const char *name)
{
        const struct option_info *row = exact(name);

        /* systemd passes over what it does not know without a word, so a misspelt name must not count as known */
        if (row || has_prefix(name, "x-systemd."))
                return row;
        if (has_prefix(name, "x-"))
                return exact("x-");
        return has_prefix(name, "X-") ? exact("X-") : NULL;
}

const struct option_info *option_info_at(size_t i)
{
        return i < option_rows_n ? &option_rows[i] : NULL;
}

/* Stands for every name that begins so: near to nothing. */
static bool is_catch_all_row(const struct option_info *row)
{
        return strcmp(row->name, "x-") == 0 || strcmp(row->name, "X-") == 0;
}

const char *option_nearest(const char *name)
{
        const char *best = NULL;
        unsigned least = UINT_MAX;

        for (size_t i = 0; i < option_rows_n; i++) {
                const char *candidate = option_rows[i].name;
                unsigned distance = word_distance(name, candidate);

                if (distance < least && !is_catch_all_row(&option_rows[i]) && word_is_near(name, candidate)) {
                        best = candidate;
                        least = distance;
                }
        }
        return best;
}

/* ---- values ------------------------------------------------------------------- */

static bool is_digits(const char *text)
{
        return *text && text[strspn(text, "0123456789")] == '\0';
}

static bool is_number_between(const char *text, uint64_t min, uint64_t max)
{
        uint64_t value;

        return option_value_u64(text, &value) == 0 && value >= min && (max == 0 || value <= max);
}

static bool is_word(const struct option_info *i, const char *text, size_t n)
{
        for (const char *const *w = i->words; *w; w++)
                if (strlen(*w) == n && strncmp(*w, text, n) == 0)
                        return true;
        return false;
}

/* "krb5p:krb5": the kernel skips empty pieces. */
static bool is_word_list(const struct option_info *i, const char *text)
{
        bool any = false;

        while (*text) {
                size_t n = strcspn(text, ":");

                if (n > 0 && !is_word(i, text, n))
                        return false;
                any |= n > 0;
                text += n + (text[n] == ':');
        }
        return any;
}

static bool is_one_of(const struct option_info *i, const char *text)
{
        return is_word(i, text, strlen(text)) || (strcmp(i->name, "sec") == 0 && is_word_list(i, text));
}

bool option_value_is_valid(const struct option_info *i, const char *value)
{
        switch (i->kind) {
        case OPTION_FLAG:
                return !value;
        case OPTION_NUMBER:
                return value && is_digits(value) && is_number_between(value, i->min, i->max);
        case OPTION_SIZE:
                return value && is_number_between(value, i->min, i->max);
        case OPTION_WORD:
                return value && is_one_of(i, value);
        case OPTION_TEXT:
                return value && *value;
        case OPTION_FLAG_OR_TEXT:
                return !value || (i->words ? is_one_of(i, value) : *value != '\0');
        case OPTION_KIND_COUNT:
                break;
        }
        return false;
}

bool option_size_has_suffix(const struct option_info *i, const char *value)
{
        return i->kind == OPTION_SIZE && option_value_is_valid(i, value) && !is_digits(value);
}
