/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mount unit, and the same text as a drop-in on top of it. */
#include "probe/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct unit u = { 0 };

        if (unit_apply(&u, (const char *)data, size, "x.mount") == 0)
                (void)!unit_apply(&u, (const char *)data, size, "x.conf");
        unit_done(&u);
        return 0;
}
