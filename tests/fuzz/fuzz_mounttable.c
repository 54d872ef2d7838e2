/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mount table through libmount, and the relations of its lines. */
#include "probe/mounttable.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct mounttable t = { 0 };
        FILE *f = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;

        if (!f)
                return 0;
        if (mounttable_parse(f, &t) == 0)
                mounttable_done(&t);
        (void)fclose(f);        /* memory */
        return 0;
}
