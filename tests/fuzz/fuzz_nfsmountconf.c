/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfsmount.conf: the file once, and once more on top of itself. */
#include "probe/nfsmountconf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct nfsmountconf c = { 0 };

        if (nfsmountconf_add(&c, (const char *)data, size, "file") == 0)
                (void)!nfsmountconf_add(&c, (const char *)data, size, "file");
        if (c.n_lines_known > c.n_lines || c.n_entries > c.n_lines)
                abort();
        for (size_t i = 0; i < c.n_entries; i++) {
                (void)nfsmountconf_concerns(&c.entries[i], "/srv/data", "server");
                if (!nfsmountconf_same_section(&c.entries[i], &c.entries[i]))
                        abort();
        }
        nfsmountconf_done(&c);
        return 0;
}
