/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/address.c - IP addresses and prefixes as text. See address.h. */
#include "policy/address.h"

#include <errno.h>
#include <string.h>

#include "policy/text.h"

#define IPV4_BYTES 4U
#define IPV6_BYTES 16U

/* @n digits, at most @max; leading zeros are refused, they were octal once. */
static int decimal_parse(const char *s, size_t n, unsigned max, unsigned *ret)
{
        unsigned value = 0;

        if (n == 0 || n > 3 || strspn(s, "0123456789") < n || (n > 1 && s[0] == '0'))
                return -EINVAL;
        for (size_t i = 0; i < n; i++)
                value = value * 10 + (unsigned)(s[i] - '0');
        if (value > max)
                return -EINVAL;
        *ret = value;
        return 0;
}

/* Four numbers and nothing else in @n bytes. */
static int ipv4_parse(const char *s, size_t n, unsigned char ret[static IPV4_BYTES])
{
        const char *end = s + n;

        for (unsigned i = 0; i < IPV4_BYTES; i++) {
                const char *dot = i + 1 < IPV4_BYTES ? memchr(s, '.', (size_t)(end - s)) : end;
                unsigned number;

                if (!dot || decimal_parse(s, (size_t)(dot - s), 255, &number) < 0)
                        return -EINVAL;
                ret[i] = (unsigned char)number;
                s = dot == end ? end : dot + 1;
        }
        return 0;
}

static int hex_digit(char c)
{
        if (c >= '0' && c <= '9')
                return c - '0';
        if (c >= 'a' && c <= 'f')
                return c - 'a' + 10;
        return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* One to four hexadecimal digits. Return: how many, 0 for none or too many. */
static size_t group_parse(const char *s, const char *end, unsigned *ret)
{
        size_t n = 0;

        *ret = 0;
        for (; s + n < end && hex_digit(s[n]) >= 0; n++)
                *ret = *ret << 4 | (unsigned)hex_digit(s[n]);
        return n <= 4 ? n : 0;
}

/* Groups with a ':' between them; @last: they end the address, and may end as an IPv4 address. */
static int groups_parse(const char *s, const char *end, bool last, unsigned char ret[static IPV6_BYTES],
                        unsigned *ret_bytes)
{
        *ret_bytes = 0;
        while (s < end) {
                unsigned value;
                size_t n;

                if (last && memchr(s, '.', (size_t)(end - s)) && !memchr(s, ':', (size_t)(end - s))) {
                        if (*ret_bytes + IPV4_BYTES > IPV6_BYTES ||
                            ipv4_parse(s, (size_t)(end - s), ret + *ret_bytes) < 0)
                                return -EINVAL;
                        *ret_bytes += IPV4_BYTES;
                        return 0;
                }
                n = group_parse(s, end, &value);
                if (n == 0 || *ret_bytes + 2 > IPV6_BYTES)
                        return -EINVAL;
                ret[(*ret_bytes)++] = (unsigned char)(value >> 8);
                ret[(*ret_bytes)++] = (unsigned char)(value & 0xff);
                s += n;
                if (s == end)
                        return 0;
                if (*s != ':' || s + 1 == end)
                        return -EINVAL;
                s++;
        }
        return 0;
}

static int ipv6_parse(const char *s, size_t n, unsigned char ret[static IPV6_BYTES])
{
        const char *end = s + n, *gap = memmem(s, n, "::", 2);
        unsigned char tail[IPV6_BYTES];
        unsigned before, behind = 0;

        memset(ret, 0, IPV6_BYTES);
        if (!gap)
                return groups_parse(s, end, true, ret, &before) == 0 && before == IPV6_BYTES ? 0 : -EINVAL;
        if (groups_parse(s, gap, false, ret, &before) < 0 || groups_parse(gap + 2, end, true, tail, &behind) < 0 ||
            before + behind > IPV6_BYTES - 2)
                return -EINVAL;
        memset(ret + before, 0, IPV6_BYTES - before);
        memcpy(ret + IPV6_BYTES - behind, tail, behind);
        return 0;
}

/* ::ffff:192.0.2.7 is how some tools write an IPv4 address. */
static void unmap(struct address *a)
{
        static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };

        if (memcmp(a->bytes, mapped, sizeof(mapped)) != 0)
                return;
        memmove(a->bytes, a->bytes + sizeof(mapped), IPV4_BYTES);
        memset(a->bytes + IPV4_BYTES, 0, IPV6_BYTES - IPV4_BYTES);
        a->length_bytes = IPV4_BYTES;
}

static int parse_bytes(const char *s, size_t n, struct address *ret)
{
        const char *zone = memchr(s, '%', n);
        int r;

        *ret = (struct address){ .length_bytes = IPV4_BYTES };
        if (!memchr(s, ':', n))
                return ipv4_parse(s, n, ret->bytes);
        ret->length_bytes = IPV6_BYTES;
        r = ipv6_parse(s, zone ? (size_t)(zone - s) : n, ret->bytes);
        if (r == 0)
                unmap(ret);
        return r;
}

int address_parse(const char *text, struct address *ret)
{
        return parse_bytes(text, strlen(text), ret);
}

int prefix_parse(const char *text, struct address *ret, unsigned *ret_bits)
{
        const char *slash = strchr(text, '/');
        int r = parse_bytes(text, slash ? (size_t)(slash - text) : strlen(text), ret);

        if (r < 0)
                return r;
        *ret_bits = ret->length_bytes * 8;
        return slash ? decimal_parse(slash + 1, strlen(slash + 1), *ret_bits, ret_bits) : 0;
}

bool address_has_prefix(const struct address *a, const struct address *prefix, unsigned bits)
{
        unsigned whole = bits / 8, rest = bits % 8;

        if (a->length_bytes != prefix->length_bytes || memcmp(a->bytes, prefix->bytes, whole) != 0)
                return false;
        return rest == 0 || a->bytes[whole] >> (8 - rest) == prefix->bytes[whole] >> (8 - rest);
}

bool address_is_loopback(const char *text)
{
        static const char *const names[] = { "localhost", "localhost4", "localhost6" };
        static const struct address v6 = { .bytes = { [15] = 1 }, .length_bytes = IPV6_BYTES };
        struct address a;

        if (!text)
                return false;
        if (WORD_IS_ONE_OF(text, names) || strncmp(text, "localhost.", strlen("localhost.")) == 0)
                return true;
        if (address_parse(text, &a) < 0)
                return false;
        return a.length_bytes == IPV4_BYTES ? a.bytes[0] == 127 : address_has_prefix(&a, &v6, IPV6_BYTES * 8);
}
