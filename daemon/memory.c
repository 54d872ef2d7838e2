/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon/memory.c - what was changed before, over restarts and boots. */
#include "daemon/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/record_json.h"
#include "daemon/state_dir.h"

#define MEMORY_FILE      "changes.json"
#define MEMORY_DAMAGED   MEMORY_FILE ".damaged"
#define MEMORY_VERSION   1
#define MEMORY_BYTES_MAX (64 * MIB)

/* ---- the members ---------------------------------------------------------------------- */

#define STRING(member) JSON_FIELD(mount_history, member, JSON_KIND_STRING)
#define BOOL(member)   JSON_FIELD(mount_history, member, JSON_KIND_BOOL)
#define U64(member)    JSON_FIELD(mount_history, member, JSON_KIND_U64)
#define REQUIRED(member)                                                                        \
        { .key = #member, .kind = JSON_KIND_STRING, .offset = offsetof(struct mount_history, member), \
          .required = true }

static const struct json_field mount_fields[] = {
        REQUIRED(target),
        REQUIRED(source),
        BOOT_FIELD(mount_history, boot),
        U64(changed_usec),
        BOOL(verified),
        BOOL(rolled_back),
        STRING(from),
        STRING(to),
        STRING(keys),
        U64(read_ahead_from_kib),
        U64(read_ahead_kib),
        STRING(effective),
        U64(failed_usec),
        STRING(failed_to),
        STRING(failed_words),
        U64(outside_usec),
        U64(median_before_usec),
        U64(median_after_usec),
        BOOL(persisted),
        STRING(written),
        { .key = NULL }
};

/* The version and the mounts stand beside. */
static const struct json_field history_fields[] = {
        JSON_FIELD(history, failures, JSON_KIND_UNSIGNED),
        JSON_FIELD(history, stopped, JSON_KIND_BOOL),
        JSON_FIELD(history, stopped_usec, JSON_KIND_U64),
        { .key = NULL }
};

/* ---- reading ---------------------------------------------------------------------------- */

static int version_check(struct json_reader *r, const json_t *j)
{
        const json_t *version = json_object_get(j, "version");

        if (!json_is_integer(version))
                return json_wrong(r, "it has no version");
        if (json_integer_value(version) != MEMORY_VERSION)
                return json_wrong(r, "it was written by another version of nfstuned");
        return 0;
}

static int history_read(struct json_reader *r, const json_t *j, struct history *ret)
{
        const json_t *mounts = json_object_get(j, "mounts");
        void *items = NULL;
        int status = version_check(r, j);

        if (status == 0)
                status = json_read(r, history_fields, j, ret);
        if (status == 0 && !mounts)
                status = json_wrong(r, "mounts: missing");
        if (status == 0)
                status = array_read(r, "mounts", mount_fields, mounts, HISTORY_MAX, sizeof(*ret->mounts), &items,
                                    &ret->n_mounts);
        ret->mounts = items;
        return status;
}

static int history_parse(const char *text, size_t length_bytes, struct history *ret, char **ret_why)
{
        struct json_reader r = { 0 };
        cleanup(json_refp) json_t *j = NULL;
        cleanup(history_done) struct history h = { 0 };
        int status = json_text_parse(&r, text, length_bytes, &j);

        if (status == 0)
                status = history_read(&r, j, &h);
        if (status == 0) {
                *ret = h;
                h = (struct history){ 0 };
        }
        return json_reader_end(&r, status, ret_why);
}

/* An older damaged one is replaced. Return: 1, or a negative errno. */
static int set_aside(int state_fd, const char *why, struct history *ret, char **ret_problem)
{
        int r = 0;

        if (renameat(state_fd, MEMORY_FILE, state_fd, MEMORY_DAMAGED) < 0 || fsync(state_fd) < 0)
                r = -errno;
        if (r < 0 && r != -EISDIR && r != -ENOTDIR && r != -ENOTEMPTY)
                return r;
        if (asprintf(ret_problem,
                     "what nfstuned changed before cannot be read from %s (%s); %s. Nothing is changed automatically "
                     "until \"nfstunectl resume\"",
                     MEMORY_FILE, why, r < 0 ? "it could not be renamed" : "it was renamed to " MEMORY_DAMAGED) < 0)
                return -ENOMEM;
        ret->stopped = true;
        return 1;
}

int memory_read(int state_fd, struct history *ret, char **ret_problem)
{
        cleanup_free char *text = NULL, *why = NULL;
        size_t length = 0;
        int r = state_file_read(state_fd, MEMORY_FILE, MEMORY_BYTES_MAX, &text, &length);

        *ret = (struct history){ 0 };
        *ret_problem = NULL;
        if (r == -ENOENT)
                return 0;
        if (r == -EINVAL || r == -EFBIG || r == -ELOOP || r == -EPERM)
                return set_aside(state_fd, r == -EFBIG ? "it is too long" : "it is no file of nfstuned's own", ret,
                                 ret_problem);
        if (r < 0)
                return r;
        r = history_parse(text, length, ret, &why);
        return r == -EINVAL ? set_aside(state_fd, why ? why : "damaged", ret, ret_problem) : r;
}

/* ---- writing --------------------------------------------------------------------------------- */

static json_t *history_write(const struct history *h)
{
        cleanup(json_refp) json_t *j = json_write(history_fields, h);

        if (!j || json_object_set_new(j, "version", json_integer(MEMORY_VERSION)) < 0 ||
            json_object_set_new(j, "mounts", array_write(mount_fields, h->mounts, h->n_mounts,
                                                         sizeof(*h->mounts))) < 0)
                return NULL;
        return TAKE(j);
}

int memory_write(int state_fd, const struct history *h)
{
        cleanup_free char *text = json_text_take(history_write(h));

        return text ? state_file_write(state_fd, MEMORY_FILE, text) : -ENOMEM;
}
