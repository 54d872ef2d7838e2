/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request; what is accepted is written and accepted again. */
#include <string.h>

#include "probe/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct probe_request r = { 0 }, again = { 0 };
        char *words = NULL;

        if (probe_request_from_json((const char *)data, size, &r, &words) == 0) {
                cleanup_free char *text = probe_request_to_json(&r);

                if (!text || probe_request_from_json(text, strlen(text), &again, NULL) < 0)
                        abort();
        }
        probe_request_done(&r);
        probe_request_done(&again);
        free(words);
        return 0;
}
