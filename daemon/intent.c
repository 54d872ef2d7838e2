/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon/intent.c - records of changes that are under way. */
#include "daemon/intent.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/record_json.h"
#include "daemon/state_dir.h"
#include "policy/digest.h"
#include "policy/text.h"
#include "probe/file.h"

#define INTENT_VERSION   1
#define INTENT_BYTES_MAX (16 * MIB)      /* MOUNT_COPIES_MAX of the longest paths */
#define INTENTS_MAX      4096

static const char *const step_names[] = {
        [INTENT_STAGING] = "staging", [INTENT_BENEATH] = "beneath", [INTENT_ARMED] = "armed",
        [INTENT_SWAP] = "swap",       [INTENT_LIVE] = "live",       [INTENT_DONE] = "done",
};
_Static_assert(ARRAY_SIZE(step_names) == INTENT_COUNT, "a step without a name");

const char *intent_step_name(enum intent_step s)
{
        return (size_t)s < INTENT_COUNT ? step_names[s] : "invalid";
}

static int intent_step_parse(const char *name, enum intent_step *ret)
{
        for (size_t i = 0; i < INTENT_COUNT; i++)
                if (strcmp(step_names[i], name) == 0) {
                        *ret = (enum intent_step)i;
                        return 0;
                }
        return -EINVAL;
}

/* ---- JSON ------------------------------------------------------------------------------ */

JSON_ENUM(intent_step, intent_step)

static json_t *version_write(const void *member)
{
        (void)member;
        return json_integer(INTENT_VERSION);
}

static int version_read(struct json_reader *r, const json_t *value, void *member)
{
        (void)member;
        return json_integer_value(value) == INTENT_VERSION ? 0 : json_wrong(r, "version: another one");
}

/* The version first; it has no member of its own. */
static const struct json_field intent_fields[] = {
        { .key = "version", .kind = JSON_KIND_CUSTOM, .required = true, .write = version_write, .read = version_read },
        BOOT_FIELD(intent, boot),
        { .key = "step", .kind = JSON_KIND_ENUM, .offset = offsetof(struct intent, step), .required = true,
          .enum_name = intent_step_json_name, .enum_parse = intent_step_json_parse },
        { .key = "mount", .kind = JSON_KIND_OBJECT, .offset = offsetof(struct intent, mount), .required = true,
          .fields = mount_facts_fields },
        { .key = "staging", .kind = JSON_KIND_OBJECT, .offset = offsetof(struct intent, staging), .required = true,
          .fields = staging_fields },
        JSON_FIELD(intent, new_mount_id, JSON_KIND_U64),
        JSON_FIELD_OBJECT(intent, new_device, device_fields),
        JSON_FIELD(intent, rollback, JSON_KIND_BOOL),
        JSON_FIELD(intent, by_hand, JSON_KIND_BOOL),
        JSON_FIELD(intent, persist, JSON_KIND_BOOL),
        JSON_FIELD(intent, started_realtime_usec, JSON_KIND_U64),
        { .key = NULL }
};

static const char copies_key[] = "copies";

static const struct json_field copy_fields[] = {
        { .key = "namespace", .kind = JSON_KIND_U64, .offset = offsetof(struct mount_copy, namespace), .required = true },
        { .key = "path", .kind = JSON_KIND_STRING, .offset = offsetof(struct mount_copy, path), .required = true },
        { .key = "vfs", .kind = JSON_KIND_OPTIONS, .offset = offsetof(struct mount_copy, vfs), .required = true },
        { .key = NULL }
};

void mount_copies_free(struct mount_copy *copies, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                free(copies[i].path);
                options_done(&copies[i].vfs);
        }
        free(copies);
}

void intent_forget_copies(struct intent *i)
{
        mount_copies_free(i->copies, i->n_copies);
        i->copies = NULL;
        i->n_copies = 0;
}

void intent_done(struct intent *i)
{
        mount_facts_done(&i->mount);
        staging_done(&i->staging);
        mount_copies_free(i->copies, i->n_copies);
        *i = (struct intent){ 0 };
}

static json_t *whole_write(const struct intent *i)
{
        cleanup(json_refp) json_t *j = json_write(intent_fields, i);

        if (j && i->n_copies > 0 &&
            json_object_set_new(j, copies_key, array_write(copy_fields, i->copies, i->n_copies, sizeof(*i->copies))) < 0)
                return NULL;
        return TAKE(j);
}

static int copies_read(struct json_reader *r, const json_t *value, struct intent *ret)
{
        void *items = NULL;
        int status = array_read(r, copies_key, copy_fields, value, MOUNT_COPIES_MAX, sizeof(*ret->copies), &items,
                                &ret->n_copies);

        ret->copies = items;
        for (size_t i = 0; status == 0 && i < ret->n_copies; i++)
                if (!path_is_plain(ret->copies[i].path))
                        status = json_wrong(r, "%s: not a plain path", copies_key);
        return status;
}

static int intent_parse(const char *text, size_t length_bytes, struct intent *ret, char **ret_error)
{
        struct json_reader r = { 0 };
        cleanup(json_refp) json_t *j = NULL;
        cleanup(intent_done) struct intent i = { 0 };
        int status = json_text_parse(&r, text, length_bytes, &j);

        if (status == 0)
                status = json_read(&r, intent_fields, j, &i);
        if (status == 0 && json_object_get(j, copies_key))
                status = copies_read(&r, json_object_get(j, copies_key), &i);
        if (status == 0)
                status = mount_facts_complete(&i.mount);
        if (status == 0 && !path_is_plain(i.mount.target))
                status = json_wrong(&r, "target: not a plain path");
        if (status == 0) {
                *ret = i;
                i = (struct intent){ 0 };
        }
        return json_reader_end(&r, status, ret_error);
}

/* ---- files ------------------------------------------------------------------------------- */

static const char file_prefix[] = "intent-", file_suffix[] = ".json";

static char *file_name(const char *target)
{
        char *name = NULL;

        return asprintf(&name, "%s%016" PRIx64 "%s", file_prefix, digest_string(DIGEST_START, target), file_suffix) < 0
                       ? NULL
                       : name;
}

int intent_write(int state_fd, const struct intent *i)
{
        cleanup_free char *name = file_name(i->mount.target), *text = json_text_take(whole_write(i));

        return name && text ? state_file_write(state_fd, name, text) : -ENOMEM;
}

int intent_remove(int state_fd, const char *target)
{
        cleanup_free char *name = file_name(target);

        return name ? state_file_remove(state_fd, name) : -ENOMEM;
}

/* Is it the file that cannot be used, rather than the disk or the memory? */
static bool is_unusable(int r)
{
        return r == -EINVAL || r == -EFBIG || r == -ELOOP || r == -EPERM || r == -EISDIR;
}

static int file_parse(int state_fd, const char *name, struct intent *ret, char **ret_error)
{
        cleanup_free char *text = NULL;
        size_t length = 0;
        int r = state_file_read(state_fd, name, INTENT_BYTES_MAX, &text, &length);

        if (r < 0)
                return is_unusable(r) ? -EINVAL : r;
        return intent_parse(text, length, ret, ret_error);
}

int intent_read(int state_fd, const char *target, struct intent *ret)
{
        cleanup_free char *name = file_name(target);
        cleanup(intent_done) struct intent i = { 0 };
        int r = name ? file_parse(state_fd, name, &i, NULL) : -ENOMEM;

        if (r < 0)
                return r;
        if (strcmp(i.mount.target, target) != 0)
                return -ENOENT;         /* another path with the same digest */
        *ret = i;
        i = (struct intent){ 0 };
        return 0;
}

/* ---- all of them ---------------------------------------------------------------------------- */

struct intents {
        struct intent *items;
        size_t n;
};

static void intents_done(struct intents *l)
{
        for (size_t i = 0; i < l->n; i++)
                intent_done(&l->items[i]);
        free(l->items);
        *l = (struct intents){ 0 };
}

static void unusable_remove(int state_fd, const char *name, const char *why, struct text *problems)
{
        int r = state_file_remove(state_fd, name);

        text_add(problems, "the record %s of a change that was begun cannot be read (%s); it was %s\n", name,
                 why ? why : "it is not a file of our own", r < 0 ? "left there" : "removed");
}

/* @l has room for one more. */
static int intents_add(struct intents *l, int state_fd, const char *name, struct text *problems)
{
        cleanup_free char *why = NULL;
        int r = file_parse(state_fd, name, &l->items[l->n], &why);

        if (r == -EINVAL) {
                unusable_remove(state_fd, name, why, problems);
                return 0;
        }
        l->n += r == 0;
        return r == -ENOENT ? 0 : r;
}

static int names_read(int state_fd, const char *const *names, size_t n, struct intents *l, struct text *problems)
{
        int r = 0;

        l->items = calloc(n + 1, sizeof(*l->items));
        if (!l->items)
                return -ENOMEM;
        for (size_t i = 0; r == 0 && i < n; i++)
                if (strncmp(names[i], file_prefix, sizeof(file_prefix) - 1) == 0)
                        r = intents_add(l, state_fd, names[i], problems);
        return r;
}

int intent_read_all(int state_fd, struct intent **ret, size_t *ret_n, char **ret_problems)
{
        cleanup(intents_done) struct intents l = { 0 };
        cleanup(text_done) struct text problems = { 0 };
        char path[64], **names = NULL;
        size_t n = 0;

        snprintf(path, sizeof(path), "/proc/self/fd/%d", state_fd);
        int r = dir_list(path, file_suffix, INTENTS_MAX, strcmp, &names, &n);
        if (r < 0)
                return r;
        r = names_read(state_fd, (const char *const *)names, n, &l, &problems);
        names_free(names, n);
        if (r < 0)
                return r;
        *ret_problems = NULL;
        if (problems.length_bytes > 0 || problems.failed) {
                *ret_problems = text_take(&problems);
                if (!*ret_problems)
                        return -ENOMEM;
        }
        *ret = TAKE(l.items);
        *ret_n = l.n;
        l.n = 0;
        return 0;
}

/* One byte of one file for each mount point: a lock of its own, and no file that stays behind for each. */
int intent_lock(int state_fd, const char *target, int *ret_fd)
{
        struct flock lock = {
                .l_type = F_WRLCK,
                .l_whence = SEEK_SET,
                .l_start = (off_t)(digest_string(DIGEST_START, target) & INT32_MAX),
                .l_len = 1,
        };
        int fd = openat(state_fd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), error;

        if (fd < 0)
                return -errno;
        if (fcntl(fd, F_SETLKW, &lock) < 0) {
                error = errno;
                close(fd);
                return -error;
        }
        *ret_fd = fd;
        return 0;
}
