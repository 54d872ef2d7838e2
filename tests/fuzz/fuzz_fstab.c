/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An fstab: libmount on single lines, and our columns. */
#include "probe/fstab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct fstab f = { 0 };

        if (fstab_parse((const char *)data, size, &f) == 0)
                fstab_done(&f);
        return 0;
}
