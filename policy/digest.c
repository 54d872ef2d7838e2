/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/digest.c - FNV-1a. See digest.h. */
#include "policy/digest.h"

#include <string.h>

#define FNV_PRIME 0x100000001b3ULL

uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t n)
{
        for (size_t i = 0; i < n; i++)
                digest = (digest ^ ((const unsigned char *)bytes)[i]) * FNV_PRIME;
        return digest;
}

uint64_t digest_number(uint64_t digest, uint64_t number)
{
        return digest_bytes(digest, &number, sizeof(number));
}

uint64_t digest_string(uint64_t digest, const char *s)
{
        return s ? digest_bytes(digest, s, strlen(s) + 1) : digest_number(digest, 0);
}

uint64_t digest_strings(uint64_t digest, char *const *strings, size_t n)
{
        digest = digest_number(digest, n);
        for (size_t i = 0; i < n; i++)
                digest = digest_string(digest, strings[i]);
        return digest;
}
