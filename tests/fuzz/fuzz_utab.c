/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utab lines. */
#include "probe/utab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct utab u = { 0 };

        if (utab_parse((const char *)data, size, &u) == 0)
                utab_done(&u);
        return 0;
}
