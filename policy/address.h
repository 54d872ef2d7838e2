/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/address.h - IP addresses and prefixes as text.
 *
 * Layer:   policy types (pure: inet_pton(3) is not on the allow-list).
 * Purpose: does a server's address belong to "10.0.0.0/8" or "2001:db8::/32"?
 */
#pragma once

#include "policy/base.h"

struct address {
        unsigned char bytes[16];        /* network order; an IPv4 address uses the first four */
        unsigned length_bytes;          /* 4 or 16 */
};

/* "192.0.2.7", "2001:db8::7", "::ffff:192.0.2.7" (that is an IPv4 address), "fe80::1%eth0" (the
 * zone does not count), without brackets. Return: 0 or -EINVAL. */
int address_parse(const char *text, struct address *ret) must_check;

/* The same with "/BITS" behind it; without it, all bits. The bits that do not
 * count may be anything. Return: 0 or -EINVAL. */
int prefix_parse(const char *text, struct address *ret, unsigned *ret_bits) must_check;

/* Do the first @bits of both agree? Addresses of two families never do. */
bool address_has_prefix(const struct address *a, const struct address *prefix, unsigned bits);

/* 127.0.0.0/8, ::1 or one of the names of /etc/hosts for them ("localhost", "localhost6"); @text may be NULL. */
bool address_is_loopback(const char *text);
