/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of nfstuned.conf. See config_value.h. */

#include "daemon/config_value.h"

#include <errno.h>
#include <string.h>

#include "policy/text.h"
#include "probe/file.h"

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
