/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text for people. See utf8.h. */

#include "daemon/utf8.h"

#include <string.h>

#define START_BYTES 1024

/* Well-formed byte sequences: Unicode 15, table 3-7. */
static const struct {
        unsigned char first_low, first_high;
        unsigned char second_low, second_high;
        size_t length_bytes;
} forms[] = {
        { 0xc2, 0xdf, 0x80, 0xbf, 2 },
        { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 },
        { 0xed, 0xed, 0x80, 0x9f, 3 }, /* no surrogates */
        { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 },
        { 0xf1, 0xf3, 0x80, 0xbf, 4 },
        { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static bool in_range(unsigned char c, unsigned char low, unsigned char high)
{
        return c >= low && c <= high;
}

size_t utf8_character(const char *text, size_t length_bytes)
{
        const unsigned char *s = (const unsigned char *) text;

        if (length_bytes == 0)
                return 0;
        if (s[0] < 0x80)
                return 1;
        for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
                if (!in_range(s[0], forms[i].first_low, forms[i].first_high))
                        continue;
                if (length_bytes < forms[i].length_bytes || !in_range(s[1], forms[i].second_low, forms[i].second_high))
                        return 0;
                for (size_t k = 2; k < forms[i].length_bytes; k++)
                        if (!in_range(s[k], 0x80, 0xbf))
                                return 0;
                return forms[i].length_bytes;
        }
        return 0;
}

bool utf8_is_valid(const char *text, size_t length_bytes)
{
        while (length_bytes > 0) {
                size_t n = utf8_character(text, length_bytes);

                if (n == 0)
                        return false;
                text += n;
                length_bytes -= n;
        }
        return true;
}

uint32_t utf8_value(const char *text, size_t n)
{
        const unsigned char *s = (const unsigned char *) text;
        uint32_t value = n == 1 ? s[0] : s[0] & (0x7fU >> n);

        for (size_t i = 1; i < n; i++)
                value = value << 6 | (s[i] & 0x3fU);
        return value;
}

bool utf8_is_control(const char *text, size_t n)
{
        static const struct {
                uint32_t first, last;
        } ranges[] = {
                { 0x00, 0x08 }, { 0x0a, 0x1f }, /* C0 but the tab, which fills fstab lines and moves nothing up */
                { 0x7f, 0x9f },                 /* DEL, and the C1 set, whose members some terminals obey too */
                { 0x061c, 0x061c }, { 0x200e, 0x200f },         /* direction: what follows is shown in another order */
                { 0x2028, 0x202e }, { 0x2066, 0x2069 },         /* separators of lines and paragraphs; direction */
        };
        uint32_t value = utf8_value(text, n);

        for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
                if (value >= ranges[i].first && value <= ranges[i].last)
                        return true;
        return false;
}

static void add_printable(struct text *t, const char *raw, size_t length_bytes)
{
        for (size_t left = length_bytes; left > 0;) {
                size_t n = utf8_character(raw, left);

                if (n == 0 || utf8_is_control(raw, n)) {
                        n = 1;
                        text_add(t, "\\x%02x", (unsigned char) raw[0]);
                } else {
                        text_add_bytes(t, raw, n);
                }
                raw += n;
                left -= n;
        }
}

void text_add_printable(struct text *t, const char *raw)
{
        add_printable(t, raw, raw ? strlen(raw) : 0);
}

void text_add_printable_start(struct text *t, const char *raw)
{
        const size_t length = raw ? strlen(raw) : 0;

        add_printable(t, raw, MIN(length, (size_t) START_BYTES));
        if (length > START_BYTES)
                text_add(t, "...");
}
