/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The protocol with nfstuned-mount. */

#include "daemon/stage_request.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "probe/request.h"

static void json_unref(json_t **j)
{
        json_decref(*j);
}

char *stage_request_to_json(const struct mount_facts *m)
{
        /* Borrowed: the request is printed and forgotten, so nothing of it is freed here. */
        struct probe_request request = { .mount = *m };

        return probe_request_to_json(&request);
}

int stage_request_from_json(const char *text, size_t length_bytes, struct mount_facts *ret, char **ret_error)
{
        struct probe_request request = {};
        int r = probe_request_from_json(text, length_bytes, &request, ret_error);

        if (r < 0)
                return r;
        *ret = request.mount;
        request.mount = (struct mount_facts){};
        probe_request_done(&request);
        return 0;
}

char *stage_answer_to_json(const struct stage_limits *limits)
{
        cleanup(json_unref) json_t *j = json_pack("{s:I, s:I, s:s}", "rsize", (json_int_t) limits->rsize_bytes, "wsize",
                                                  (json_int_t) limits->wsize_bytes, "options", limits->options);

        return j ? json_dumps(j, JSON_COMPACT) : NULL;
}

char *stage_error_to_json(const char *words)
{
        cleanup(json_unref) json_t *j = json_pack("{s:s}", "error", words);

        /* The kernel's words may hold a path that is not UTF-8. */
        if (!j)
                j = json_pack("{s:s}", "error", "the mount was refused; the kernel's message is not text");
        return j ? json_dumps(j, JSON_COMPACT) : NULL;
}

static int words(char **ret, const char *text)
{
        *ret = strdup(text);
        return *ret ? 0 : -ENOMEM;
}

int stage_answer_from_json(const char *text, size_t length_bytes, struct stage_limits *ret, char **ret_error)
{
        cleanup(json_unref) json_t *j = json_loadb(text, length_bytes, JSON_REJECT_DUPLICATES, NULL);
        const char *error = json_string_value(json_object_get(j, "error"));
        const char *options = json_string_value(json_object_get(j, "options"));
        json_int_t rsize = json_integer_value(json_object_get(j, "rsize"));
        json_int_t wsize = json_integer_value(json_object_get(j, "wsize"));

        if (error)
                return words(ret_error, error) < 0 ? -ENOMEM : 1;
        if (!options || rsize <= 0 || wsize <= 0)
                return words(ret_error, "nfstuned-mount gave an answer without sizes") < 0 ? -ENOMEM : -EINVAL;
        *ret = (struct stage_limits){ .rsize_bytes = (uint64_t) rsize, .wsize_bytes = (uint64_t) wsize };
        ret->options = strdup(options);
        return ret->options ? 0 : -ENOMEM;
}
