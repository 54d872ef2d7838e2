/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request to nfstuned-mount, or its answer; what is accepted is written and accepted again. */
#include <string.h>

#include "daemon/apply_request.h"
#include "daemon/record_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void request_feed(const char *text, size_t size)
{
        cleanup(apply_request_done) struct apply_request r = { 0 }, again = { 0 };
        cleanup_free char *words = NULL, *written = NULL;

        if (apply_request_from_json(text, size, &r, &words) < 0)
                return;
        if (!path_is_plain(r.mount.target) || r.n_edits > 8)
                abort();
        written = apply_request_to_json(&r);
        if (!written || apply_request_from_json(written, strlen(written), &again, NULL) < 0)
                abort();
}

static void answer_feed(const char *text, size_t size)
{
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, again = { 0 };
        cleanup_free char *words = NULL, *written = NULL;

        if (apply_answer_from_json(text, size, &a, &words) < 0)
                return;
        written = apply_answer_to_json(&a);
        if (!written || apply_answer_from_json(written, strlen(written), &again, NULL) < 0)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        request_feed((const char *)data, size);
        answer_feed((const char *)data, size);
        return 0;
}
