/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pseudo-random file content with random access. */
#include "probe/pattern.h"

#include <string.h>

#define WORD_BYTES sizeof(uint64_t)

/* splitmix64 (Steele, Lea, Flood 2014): a good mix of a counter. */
static uint64_t word_at(uint64_t seed, uint64_t index)
{
        uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ULL;

        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
}

/* Part of a word that begins at @offset_bytes and is at most @length_bytes long. */
static size_t piece_at(uint64_t seed, uint64_t offset_bytes, size_t length_bytes, uint8_t ret[static WORD_BYTES])
{
        uint64_t word = word_at(seed, offset_bytes / WORD_BYTES);
        size_t skip = offset_bytes % WORD_BYTES;
        size_t length = MIN(length_bytes, WORD_BYTES - skip);

        memcpy(ret, (const uint8_t *)&word + skip, length);
        return length;
}

void pattern_fill(uint64_t seed, uint64_t offset_bytes, void *ret, size_t length_bytes)
{
        uint8_t piece[WORD_BYTES];
        uint8_t *out = ret;

        for (size_t done = 0, n; done < length_bytes; done += n) {
                n = piece_at(seed, offset_bytes + done, length_bytes - done, piece);
                memcpy(out + done, piece, n);
        }
}

bool pattern_matches(uint64_t seed, uint64_t offset_bytes, const void *data, size_t length_bytes)
{
        uint8_t piece[WORD_BYTES];
        const uint8_t *in = data;

        for (size_t done = 0, n; done < length_bytes; done += n) {
                n = piece_at(seed, offset_bytes + done, length_bytes - done, piece);
                if (memcmp(in + done, piece, n) != 0)
                        return false;
        }
        return true;
}
