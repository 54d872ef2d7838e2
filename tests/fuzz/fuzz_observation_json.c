/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An observation, alone and in an array, and a part on top of it; what is accepted is written and accepted again. */
#include <string.h>

#include "probe/observation_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct observation o = { 0 }, again = { 0 };
        struct snapshot list = { 0 };
        char *words = NULL;

        if (observation_from_json((const char *)data, size, &o, &words) == 0) {
                cleanup_free char *text = observation_to_json(&o);

                if (!text || observation_from_json(text, strlen(text), &again, NULL) < 0)
                        abort();
        }
        if (observations_from_json((const char *)data, size, &list, NULL) < 0 && o.mount.target)
                abort();        /* alone it was good */
        snapshot_done(&list);
        free_charp(&words);
        (void)!observation_apply_part(&o, (const char *)data, size, &words);
        free(words);
        observation_done(&o);
        observation_done(&again);
        return 0;
}
