/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An fstab: libmount on single lines, and our columns. A mended line is read again without a word. */
#include <string.h>

#include "probe/fstab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was mended must be a line of NFS, else nobody should be told to write it. One
 * whose end was a backslash may go on with anything. */
static void mended_read(const struct fstab_entry *e)
{
        struct fstab f = { 0 };
        bool continued = strstr(e->problem, "backslash");

        if (fstab_parse(e->mended, strlen(e->mended), &f) < 0)
                return;
        if (!continued && (f.n_entries != 1 || strcmp(f.entries[0].target, e->target) != 0))
                abort();
        fstab_done(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct fstab f = { 0 };

        if (fstab_parse((const char *)data, size, &f) < 0)
                return 0;
        for (size_t i = 0; i < f.n_entries; i++) {
                if (!f.entries[i].problem != !f.entries[i].mended)
                        abort();
                if (f.entries[i].mended)
                        mended_read(&f.entries[i]);
        }
        fstab_done(&f);
        return 0;
}
