/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of a kernel, as any server may have put its name into them. */
#include "probe/mountstats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct mountstats m = { 0 };

        if (mountstats_parse((const char *)data, size, &m) == 0)
                mountstats_done(&m);
        return 0;
}
