/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/request.c - the line the daemon writes to the helper.
 */
#include "probe/request.h"

#include <errno.h>

#include "probe/json.h"

static const struct json_field request_fields[] = {
        { .key = "mount", .kind = JSON_KIND_OBJECT, .offset = offsetof(struct probe_request, mount),
          .required = true, .fields = mount_facts_fields },
        JSON_FIELD(probe_request, ask_server, JSON_KIND_BOOL),
        JSON_FIELD(probe_request, ask_limits, JSON_KIND_BOOL),
        JSON_FIELD(probe_request, write, JSON_KIND_BOOL),
        JSON_FIELD(probe_request, passive_reason, JSON_KIND_STRING),
        JSON_FIELD(probe_request, deep_commit, JSON_KIND_BOOL),
        JSON_FIELD(probe_request, budget_bytes, JSON_KIND_U64),
        JSON_FIELD(probe_request, budget_usec, JSON_KIND_U64),
        JSON_FIELD(probe_request, connect_timeout_usec, JSON_KIND_U64),
        JSON_FIELD(probe_request, user, JSON_KIND_STRING),
        JSON_FIELD(probe_request, directory, JSON_KIND_STRING),
        { .key = NULL }
};

char *probe_request_to_json(const struct probe_request *r)
{
        return json_text_take(json_write(request_fields, r));
}

int probe_request_from_json(const char *text, size_t length_bytes, struct probe_request *ret, char **ret_error)
{
        struct json_reader r = { 0 };
        cleanup(json_refp) json_t *j = NULL;
        cleanup(probe_request_done) struct probe_request request = { 0 };
        int status = json_text_parse(&r, text, length_bytes, &j);

        if (status == 0)
                status = json_read(&r, request_fields, j, &request);
        if (status == 0)
                status = mount_facts_complete(&request.mount);
        if (status == 0) {
                *ret = request;
                request = (struct probe_request){ 0 };
        }
        return json_reader_end(&r, status, ret_error);
}

void probe_request_done(struct probe_request *r)
{
        mount_facts_done(&r->mount);
        free(r->passive_reason);
        free(r->user);
        free(r->directory);
        *r = (struct probe_request){ 0 };
}
