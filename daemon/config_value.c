/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of nfstuned.conf. See config_value.h. */

#include "daemon/config_value.h"

#include <errno.h>
#include <string.h>

#include "policy/text.h"
#include "probe/file.h"

#define MINUTES_PER_DAY (24 * 60)

struct unit {
        const char *name;
        uint64_t factor;
};

static const struct unit duration_units[] = {
        { "us", 1 },
        { "ms", USEC_PER_MSEC },
        { "s", USEC_PER_SEC },
        { "min", USEC_PER_MINUTE },
        { "h", USEC_PER_HOUR },
        { "d", USEC_PER_DAY },
        {},
};

static const struct unit size_units[] = {
        { "", 1 }, { "K", KIB }, { "M", MIB }, { "G", KIB * MIB }, {},
};

static const struct unit percent_units[] = {
        { "%", 10 }, {},
};

/* A decimal number, blanks, one of @units. */
static int quantity_parse(const char *text, const struct unit *units, uint64_t *ret)
{
        size_t n = strspn(text, "0123456789");
        char digits[24];
        uint64_t number;
        int r;

        if (n == 0)
                return -EINVAL;
        if (n >= sizeof(digits))
                return -ERANGE;
        memcpy(digits, text, n);
        digits[n] = '\0';
        r = u64_parse(digits, &number);
        if (r < 0)
                return r;
        text += n;
        text += strspn(text, " \t");
        for (; units->name; units++)
                if (strcmp(text, units->name) == 0)
                        return __builtin_mul_overflow(number, units->factor, ret) ? -ERANGE : 0;
        if (number != 0 || *text)
                return -EINVAL;
        *ret = 0;
        return 0;
}

int duration_parse(const char *text, usec_t *ret)
{
        return quantity_parse(text, duration_units, ret);
}

int size_parse(const char *text, uint64_t *ret)
{
        return quantity_parse(text, size_units, ret);
}

int percent_parse(const char *text, uint64_t *ret_permille)
{
        return quantity_parse(text, percent_units, ret_permille);
}

/* "06:00" at *@text; steps over it. */
static bool read_time(const char **text, unsigned *ret_minute)
{
        const char *s = *text;

        for (size_t i = 0; i < 5; i++)
                if (i == 2 ? s[i] != ':' : s[i] < '0' || s[i] > '9')
                        return false;
        *ret_minute = 60 * (unsigned) (10 * (s[0] - '0') + s[1] - '0') + (unsigned) (10 * (s[3] - '0') + s[4] - '0');
        *text += 5;
        return s[3] < '6' && *ret_minute <= MINUTES_PER_DAY;
}

/* One word; steps over it. A part without a minute in it is a mistake, whatever was meant. */
static bool read_window(const char **text, struct day_window *ret)
{
        struct day_window w;

        if (!read_time(text, &w.from_minute) || *(*text)++ != '-' || !read_time(text, &w.to_minute))
                return false;
        *ret = w;
        return w.from_minute < MINUTES_PER_DAY && w.from_minute != w.to_minute && strcspn(*text, " \t") == 0;
}

int windows_parse(const char *text, struct day_window ret[static WINDOWS_MAX], size_t *ret_n, const char **ret_bad)
{
        struct day_window windows[WINDOWS_MAX];
        size_t n = 0;

        while (*(text += strspn(text, " \t"))) {
                if (n >= WINDOWS_MAX)
                        return -E2BIG;
                *ret_bad = text;
                if (!read_window(&text, &windows[n++]))
                        return -EINVAL;
        }
        memcpy(ret, windows, n * sizeof(*ret));
        *ret_n = n;
        return 0;
}

/* Steps over slashes; returns the length of the next member, 0 at the end. */
static size_t next_member(const char **path)
{
        *path += strspn(*path, "/");
        return strcspn(*path, "/");
}

static bool member_is(const char *member, size_t n, const char *name)
{
        return n == strlen(name) && memcmp(member, name, n) == 0;
}

int path_normalize(const char *text, char **ret)
{
        cleanup(text_done) struct text t = {};
        size_t n;

        if (text[0] != '/')
                return -EINVAL;
        for (; (n = next_member(&text)) > 0; text += n) {
                if (member_is(text, n, ".."))
                        return -EINVAL;
                if (member_is(text, n, "."))
                        continue;
                text_add(&t, "/");
                text_add_bytes(&t, text, n);
        }
        if (t.length_bytes == 0)
                text_add(&t, "/");
        *ret = text_take(&t);
        return *ret ? 0 : -ENOMEM;
}

bool path_stays_below(const char *text)
{
        size_t n;

        if (text[0] == '/' || text[0] == '\0')
                return false;
        for (; (n = next_member(&text)) > 0; text += n)
                if (member_is(text, n, ".."))
                        return false;
        return true;
}

bool user_is_plausible(const char *text)
{
        size_t n = strlen(text);
        uint64_t uid;

        if (strspn(text, "0123456789") == n)
                return u64_parse(text, &uid) == 0 && uid < UINT32_MAX; /* -1 is "no change" to setuid(2) */
        return n <= 255 && text[0] != '-' &&
               strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-$@\\") == n;
}
