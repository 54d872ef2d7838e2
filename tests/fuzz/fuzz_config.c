/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstuned.conf from any bytes: parameters or errors, never both, never neither. */

#include <string.h>

#include "daemon/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
        char *text = malloc(size_bytes + 1); /* exact, so that a sanitizer sees one byte too far */
        struct params p;
        char *errors = NULL;
        int r;

        if (!text)
                return 0;
        if (size_bytes > 0)
                memcpy(text, data, size_bytes);
        text[size_bytes] = '\0';
        r = config_parse("fuzz", text, size_bytes, &p, &errors);
        if (r == 0) {
                if (errors || p.interval_usec < 10 * USEC_PER_SEC || p.probe_bytes > 64 * MIB || !p.probe_directory)
                        abort();
                params_done(&p);
        } else if (r == 1) {
                if (!errors || !errors[0])
                        abort();
        } else {
                abort(); /* -ENOMEM does not happen here */
        }
        free(errors);
        free(text);
        return 0;
}
