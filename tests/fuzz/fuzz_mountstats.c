/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of a kernel, as any server may have put its name into them: as a whole, and in pieces. */
#include "probe/mountstats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int take(void *context, struct mountstats_entry *e)
{
        size_t *n = context;

        (void)e;
        (*n)++;
        return 0;
}

/* Blocks that are found in pieces whose length the input decides. */
static size_t blocks_of_pieces(const char *data, size_t size)
{
        size_t n = 0, piece = size ? 1 + (unsigned char)data[0] % 61 : 1;
        struct mountstats_stream s = { .take = take, .context = &n };

        for (size_t at = 0; at < size; at += piece)
                if (mountstats_feed(&s, data + at, MIN(piece, size - at)) < 0)
                        abort();
        if (mountstats_end(&s) < 0)
                abort();
        mountstats_stream_done(&s);
        return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct mountstats m = { 0 };

        if (mountstats_parse((const char *)data, size, &m) < 0)
                return 0;
        if (blocks_of_pieces((const char *)data, size) != m.n_entries)
                abort();
        mountstats_done(&m);
        return 0;
}
