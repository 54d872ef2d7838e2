/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/text.c - a growing string. See text.h. */
#include "policy/text.h"

#include <stdio.h>
#include <string.h>

/* Makes room for @more bytes and a NUL. */
static bool text_reserve(struct text *t, size_t more)
{
        size_t need, size;
        char *data;

        if (t->failed)
                return false;
        if (__builtin_add_overflow(t->length_bytes, more, &need) || __builtin_add_overflow(need, 1, &need)) {
                t->failed = true;
                return false;
        }
        if (need <= t->size_bytes)
                return true;
        size = MAX(need, t->size_bytes + t->size_bytes / 2);
        data = realloc(t->data, size);
        if (!data) {
                t->failed = true;
                return false;
        }
        t->data = data;
        t->size_bytes = size;
        return true;
}

void text_add_bytes(struct text *t, const char *data, size_t length_bytes)
{
        if (!text_reserve(t, length_bytes))
                return;
        if (length_bytes > 0)
                memcpy(t->data + t->length_bytes, data, length_bytes);
        t->length_bytes += length_bytes;
        t->data[t->length_bytes] = '\0';
}

static void text_add_list(struct text *t, const char *format, va_list arguments) printf_like(2, 0);

static void text_add_list(struct text *t, const char *format, va_list arguments)
{
        va_list again;
        int length;

        va_copy(again, arguments);
        length = vsnprintf(NULL, 0, format, arguments);
        if (length < 0)
                t->failed = true;
        else if (text_reserve(t, (size_t)length)) {
                (void)vsnprintf(t->data + t->length_bytes, (size_t)length + 1, format, again);
                t->length_bytes += (size_t)length;
        }
        va_end(again);
}

void text_add(struct text *t, const char *format, ...)
{
        va_list arguments;

        if (t->failed)
                return;
        va_start(arguments, format);
        text_add_list(t, format, arguments);
        va_end(arguments);
}

void text_add_size(struct text *t, uint64_t bytes)
{
        if (bytes >= MIB && bytes % MIB == 0)
                text_add(t, "%llu MiB", (unsigned long long)(bytes / MIB));
        else if (bytes >= KIB && bytes % KIB == 0)
                text_add(t, "%llu KiB", (unsigned long long)(bytes / KIB));
        else
                text_add(t, "%llu bytes", (unsigned long long)bytes);
}

/* One decimal below 100 of the unit; a further digit would be noise. */
static void text_add_tenths(struct text *t, usec_t usec, usec_t unit, const char *name)
{
        usec_t tenths = usec / (unit / 10) + (usec % (unit / 10) >= unit / 20);
        usec_t whole = usec / unit + (usec % unit >= unit / 2);

        if (tenths >= 1000 || tenths % 10 == 0)
                text_add(t, "%llu %s", (unsigned long long)whole, name);
        else
                text_add(t, "%llu.%llu %s", (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10), name);
}

void text_add_usec(struct text *t, usec_t usec)
{
        static const struct {
                usec_t below;
                usec_t unit;
                const char *name;
        } units[] = {
                { USEC_PER_SEC - USEC_PER_MSEC / 2, USEC_PER_MSEC,   "ms"   },
                { 2 * USEC_PER_MINUTE,              USEC_PER_SEC,    "s"    },
                { 2 * USEC_PER_HOUR,                USEC_PER_MINUTE, "min"  },
                { 2 * USEC_PER_DAY,                 USEC_PER_HOUR,   "h"    },
                { USEC_INFINITY,                    USEC_PER_DAY,    "days" },
        };

        if (usec == USEC_INFINITY) {
                text_add(t, "for ever");
                return;
        }
        if (usec < USEC_PER_MSEC) {
                text_add(t, "%llu us", (unsigned long long)usec);
                return;
        }
        for (size_t i = 0; i < ARRAY_SIZE(units); i++)
                if (usec < units[i].below) {
                        text_add_tenths(t, usec, units[i].unit, units[i].name);
                        return;
                }
}

char *text_take(struct text *t)
{
        char *data;

        text_add_bytes(t, "", 0);       /* "" for an empty text */
        if (t->failed) {
                text_done(t);
                return NULL;
        }
        data = t->data;
        *t = (struct text){ 0 };
        return data;
}

void text_done(struct text *t)
{
        free(t->data);
        *t = (struct text){ 0 };
}

void text_add_clause(struct text *t)
{
        if (t->length_bytes > 0)
                text_add(t, "; ");
}

bool word_is_one_of(const char *word, const char *const *words, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (strcmp(word, words[i]) == 0)
                        return true;
        return false;
}
