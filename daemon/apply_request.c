/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/apply_request.c - requests and answers as JSON, and what of a request is refused unseen.
 *
 * The reader of a request has CAP_SYS_ADMIN and the writer has not: whatever is not known here is an error, nothing is
 * passed over.
 */
#include "daemon/apply_request.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "daemon/record_json.h"
#include "policy/option_table.h"

#define STRING_BYTES_MAX 4096           /* PATH_MAX, and the page that the kernel takes as options */
#define EDITS_MAX        8
#define USERS_MAX        4096
#define BACKUPS_MAX      EDITS_MAX
#define BUDGET_MAX_USEC  USEC_PER_HOUR

/* ---- names --------------------------------------------------------------------------- */

static const char *const op_names[] = {
        [APPLY_LOOK] = "look",       [APPLY_LIVE] = "live",       [APPLY_REPLACE] = "replace",
        [APPLY_REVEAL] = "reveal",   [APPLY_RECOVER] = "recover", [APPLY_VERIFY] = "verify",
        [APPLY_PERSIST] = "persist",
};
_Static_assert(ARRAY_SIZE(op_names) == APPLY_OP_COUNT, "an operation without a name");

static const char *const end_names[] = {
        [APPLY_END_DONE] = "done",       [APPLY_END_ARMED] = "armed",   [APPLY_END_BUSY] = "busy",
        [APPLY_END_REFUSED] = "refused", [APPLY_END_FAILED] = "failed", [APPLY_END_NOTHING] = "nothing",
};
_Static_assert(ARRAY_SIZE(end_names) == APPLY_END_COUNT, "an end without a name");

static const char *const busy_names[] = {
        [BUSY_WAIT] = "wait", [BUSY_REFUSE] = "refuse", [BUSY_DETACH] = "detach",
};
_Static_assert(ARRAY_SIZE(busy_names) == BUSY_COUNT, "a mode without a name");

static int name_find(const char *const *names, size_t n, const char *name, unsigned *ret)
{
        for (size_t i = 0; i < n; i++)
                if (strcmp(names[i], name) == 0) {
                        *ret = (unsigned)i;
                        return 0;
                }
        return -EINVAL;
}

const char *apply_op_name(enum apply_op o)
{
        return (size_t)o < APPLY_OP_COUNT ? op_names[o] : "invalid";
}

const char *apply_end_name(enum apply_end e)
{
        return (size_t)e < APPLY_END_COUNT ? end_names[e] : "invalid";
}

const char *busy_mode_name(enum busy_mode b)
{
        return (size_t)b < BUSY_COUNT ? busy_names[b] : "invalid";
}

int busy_mode_parse(const char *name, enum busy_mode *ret)
{
        unsigned value;
        int r = name_find(busy_names, BUSY_COUNT, name, &value);

        if (r == 0)
                *ret = (enum busy_mode)value;
        return r;
}

static int apply_op_parse(const char *name, enum apply_op *ret)
{
        unsigned value;
        int r = name_find(op_names, APPLY_OP_COUNT, name, &value);

        if (r == 0)
                *ret = (enum apply_op)value;
        return r;
}

static int apply_end_parse(const char *name, enum apply_end *ret)
{
        unsigned value;
        int r = name_find(end_names, APPLY_END_COUNT, name, &value);

        if (r == 0)
                *ret = (enum apply_end)value;
        return r;
}

JSON_ENUM(apply_op, apply_op)
JSON_ENUM(apply_end, apply_end)
JSON_ENUM(busy_mode, busy_mode)
JSON_ENUM(place_kind, place_kind)

/* ---- requests -------------------------------------------------------------------------- */

static const struct json_field edit_fields[] = {
        { .key = "kind", .kind = JSON_KIND_ENUM, .offset = offsetof(struct source_edit, kind), .required = true,
          .enum_name = place_kind_json_name, .enum_parse = place_kind_json_parse },
        { .key = "file", .kind = JSON_KIND_STRING, .offset = offsetof(struct source_edit, file), .required = true },
        JSON_FIELD(source_edit, line, JSON_KIND_UNSIGNED),
        JSON_FIELD(source_edit, old_text, JSON_KIND_STRING),
        JSON_FIELD(source_edit, new_text, JSON_KIND_STRING),
        JSON_FIELD(source_edit, options, JSON_KIND_STRING),
        { .key = NULL }
};

/* The edits stand beside: an array needs its length. */
static const struct json_field request_fields[] = {
        { .key = "op", .kind = JSON_KIND_ENUM, .offset = offsetof(struct apply_request, op), .required = true,
          .enum_name = apply_op_json_name, .enum_parse = apply_op_json_parse },
        { .key = "mount", .kind = JSON_KIND_OBJECT, .offset = offsetof(struct apply_request, mount),
          .required = true, .fields = mount_facts_fields },
        JSON_FIELD_OBJECT(apply_request, staging, staging_fields),
        JSON_FIELD_ENUM(apply_request, busy, busy_mode),
        JSON_FIELD(apply_request, rollback, JSON_KIND_BOOL),
        JSON_FIELD(apply_request, by_hand, JSON_KIND_BOOL),
        JSON_FIELD(apply_request, persist, JSON_KIND_BOOL),
        JSON_FIELD(apply_request, may_write, JSON_KIND_BOOL),
        JSON_FIELD(apply_request, want_users, JSON_KIND_BOOL),
        JSON_FIELD(apply_request, user, JSON_KIND_STRING),
        JSON_FIELD(apply_request, directory, JSON_KIND_STRING),
        JSON_FIELD(apply_request, budget_usec, JSON_KIND_U64),
        JSON_FIELD(apply_request, dry_run, JSON_KIND_BOOL),
        { .key = NULL }
};

static const char edits_key[] = "edits";

void source_edit_done(struct source_edit *e)
{
        free(e->file);
        free(e->old_text);
        free(e->new_text);
        free(e->options);
        *e = (struct source_edit){ 0 };
}

void source_edits_free(struct source_edit *edits, size_t n)
{
        for (size_t i = 0; i < n; i++)
                source_edit_done(&edits[i]);
        free(edits);
}

void apply_request_done(struct apply_request *r)
{
        mount_facts_done(&r->mount);
        staging_done(&r->staging);
        free(r->user);
        free(r->directory);
        source_edits_free(r->edits, r->n_edits);
        *r = (struct apply_request){ 0 };
}

static int edits_put(json_t *j, const struct source_edit *edits, size_t n)
{
        return json_object_set_new(j, edits_key, array_write(edit_fields, edits, n, sizeof(*edits)));
}

char *apply_request_to_json(const struct apply_request *r)
{
        struct apply_request whole = *r;        /* borrowed */
        cleanup(json_refp) json_t *j = NULL;
        char none[] = "", nfs[] = "nfs";

        /* RECOVER may know the mount point alone */
        if (!whole.mount.source)
                whole.mount.source = none;
        if (!whole.mount.fstype)
                whole.mount.fstype = nfs;
        j = json_write(request_fields, &whole);
        if (!j)
                return NULL;
        if (r->n_edits > 0 && edits_put(j, r->edits, r->n_edits) < 0)
                return NULL;
        return json_text_take(TAKE(j));
}

char *source_edits_to_json(const struct source_edit *edits, size_t n)
{
        cleanup(json_refp) json_t *j = json_object();

        return j && edits_put(j, edits, n) == 0 ? json_text_take(TAKE(j)) : NULL;
}

/* ---- what is refused --------------------------------------------------------------------- */

/* All strings of a struct, after decoding. */
static int strings_check(struct json_reader *r, const struct json_field *fields, const void *object)
{
        for (const struct json_field *f = fields; f->key; f++) {
                const void *member = (const char *)object + f->offset;
                cleanup_free char *options = NULL;
                const char *text = NULL;

                if (f->kind == JSON_KIND_STRING) {
                        text = *(char *const *)member;
                } else if (f->kind == JSON_KIND_OPTIONS) {
                        text = options = options_format(member);
                        if (!options)
                                return -ENOMEM;
                }
                if (text && strlen(text) > STRING_BYTES_MAX)
                        return json_wrong(r, "%s: longer than %d bytes", f->key, STRING_BYTES_MAX);
                int status = f->kind == JSON_KIND_OBJECT ? strings_check(r, f->fields, member) : 0;
                if (status < 0)
                        return status;
        }
        return 0;
}

/* Labels of security modules that the option table does not know. */
static bool is_label(const char *name)
{
        static const char *const labels[] = { "context",    "defcontext",   "fscontext",   "rootcontext", "smackfsdef",
                                              "smackfsfloor", "smackfshat", "smackfsroot", "smackfstransmute" };

        return WORD_IS_ONE_OF(name, labels);
}

/* May it be handed to fsconfig(2)? What mount.nfs and mount(8) act on must not be. */
static bool is_for_kernel(const char *name)
{
        const struct option_info *i = option_info(name);

        return (i && (i->reader == READER_KERNEL || i->reader == READER_VFS)) || is_label(name);
}

static int options_check(struct json_reader *r, const char *key, const struct options *o)
{
        for (size_t i = 0; i < o->n_items; i++)
                if (!is_for_kernel(o->items[i].name))
                        return json_wrong(r, "%s: the option %.64s is unknown, or not for the kernel", key,
                                          o->items[i].name);
        return 0;
}

static int staging_check_request(struct json_reader *r, const struct staging *s)
{
        int status;

        if (s->method != METHOD_NONE && s->method != METHOD_LIVE && s->method != METHOD_REPLACE)
                return json_wrong(r, "method: %s changes no mount", method_name(s->method));
        if (s->read_ahead_kib > UINT32_MAX || s->read_ahead_from_kib > UINT32_MAX)
                return json_wrong(r, "read_ahead_kib: out of range");
        /* Two superblocks of one file system share neither cache nor mmap: no plan asks for that. */
        if (options_has(&s->keys, "sharecache") || options_has(&s->keys, "nosharecache"))
                return json_wrong(r, "keys: sharecache is never changed");
        status = options_check(r, "keys", &s->keys);
        if (status == 0)
                status = options_check(r, "from", &s->from);
        return status < 0 ? status : options_check(r, "to", &s->to);
}

static int mount_check(struct json_reader *r, const struct apply_request *q)
{
        const struct mount_facts *m = &q->mount;

        if (strcmp(m->fstype, "nfs") != 0 && strcmp(m->fstype, "nfs4") != 0)
                return json_wrong(r, "fstype: %.64s is not NFS", m->fstype);
        if (!path_is_plain(m->target))
                return json_wrong(r, "target: not an absolute path, or one with \".\", \"..\" or \"//\" in it");
        if (m->source[0] == '\0' && q->op != APPLY_RECOVER && q->op != APPLY_PERSIST)
                return json_wrong(r, "source: missing");
        return 0;
}

/* Below the mount: relative, without "..". */
static bool is_below(const char *directory)
{
        cleanup_free char *absolute = NULL;
        size_t n = strlen(directory);

        if (strcmp(directory, ".") == 0)
                return true;
        absolute = malloc(n + 2);
        if (!absolute)
                return false;
        absolute[0] = '/';
        memcpy(absolute + 1, directory, n + 1);
        while (n > 0 && absolute[n] == '/')
                absolute[n--] = '\0';
        return path_is_plain(absolute);
}

static int edit_check(struct json_reader *r, const struct source_edit *e)
{
        if (e->kind != PLACE_FSTAB && e->kind != PLACE_UNIT && e->kind != PLACE_NFSMOUNT_CONF)
                return json_wrong(r, "kind: %s cannot be written", place_kind_name(e->kind));
        if (!path_is_plain(e->file))
                return json_wrong(r, "file: not an absolute path, or one with \".\", \"..\" or \"//\" in it");
        if (!e->old_text && !e->new_text)
                return json_wrong(r, "edits: one that changes nothing");
        return strings_check(r, edit_fields, e);
}

static int request_check(struct json_reader *r, const struct apply_request *q)
{
        int status = strings_check(r, request_fields, q);

        if (status == 0)
                status = mount_check(r, q);
        if (status == 0)
                status = staging_check_request(r, &q->staging);
        if (status == 0 && q->directory && !is_below(q->directory))
                status = json_wrong(r, "directory: not one below the mount");
        if (status == 0 && q->budget_usec > BUDGET_MAX_USEC)
                status = json_wrong(r, "budget_usec: more than an hour");
        if (status == 0 && q->n_edits > 0 && q->op != APPLY_PERSIST)
                status = json_wrong(r, "edits: only of \"persist\"");
        for (size_t i = 0; status == 0 && i < q->n_edits; i++)
                status = edit_check(r, &q->edits[i]);
        return status;
}

/* ---- reading requests --------------------------------------------------------------------- */

/* Taken out of @j, for the table does not know them. */
static int edits_take(struct json_reader *r, json_t *j, struct apply_request *ret)
{
        cleanup(json_refp) json_t *edits = json_incref(json_object_get(j, edits_key));
        void *items = NULL;
        int status = 0;

        if (!edits)
                return 0;
        (void)json_object_del(j, edits_key);    /* it is there */
        for (size_t i = 0; status == 0 && i < MIN(json_array_size(edits), (size_t)EDITS_MAX); i++)
                status = json_known_only(r, edit_fields, json_array_get(edits, i));
        if (status == 0)
                status = array_read(r, edits_key, edit_fields, edits, EDITS_MAX, sizeof(*ret->edits), &items,
                                    &ret->n_edits);
        ret->edits = items;
        return status;
}

static int request_read(struct json_reader *r, json_t *j, struct apply_request *ret)
{
        int status = edits_take(r, j, ret);

        if (status == 0)
                status = json_known_only(r, request_fields, j);
        if (status == 0)
                status = json_read(r, request_fields, j, ret);
        if (status == 0)
                status = mount_facts_complete(&ret->mount);
        return status < 0 ? status : request_check(r, ret);
}

int source_edits_from_json(const char *text, struct source_edit **ret, size_t *ret_n)
{
        struct json_reader r = { 0 };
        cleanup(json_refp) json_t *j = NULL;
        cleanup(apply_request_done) struct apply_request request = { 0 };
        int status = json_text_parse(&r, text, strlen(text), &j);

        if (status == 0)
                status = edits_take(&r, j, &request);
        for (size_t i = 0; status == 0 && i < request.n_edits; i++)
                status = edit_check(&r, &request.edits[i]);
        *ret = status == 0 ? TAKE(request.edits) : NULL;
        *ret_n = status == 0 ? request.n_edits : 0;
        if (status == 0)
                request.n_edits = 0;
        return json_reader_end(&r, status, NULL);
}

int apply_request_from_json(const char *text, size_t length_bytes, struct apply_request *ret, char **ret_error)
{
        struct json_reader r = { 0 };
        cleanup(json_refp) json_t *j = NULL;
        cleanup(apply_request_done) struct apply_request request = { 0 };
        int status = json_text_parse(&r, text, length_bytes, &j);

        if (status == 0)
                status = json_object_get(j, "op") ? request_read(&r, j, &request) : -ENOENT;
        if (status == 0) {
                *ret = request;
                request = (struct apply_request){ 0 };
        }
        return json_reader_end(&r, status, ret_error);
}

/* ---- answers ------------------------------------------------------------------------------- */

static const struct json_field user_fields[] = {
        JSON_FIELD(apply_user, pid, JSON_KIND_INT),
        JSON_FIELD(apply_user, command, JSON_KIND_STRING),
        JSON_FIELD(apply_user, what, JSON_KIND_STRING),
        JSON_FIELD(apply_user, reached, JSON_KIND_BOOL),
        JSON_FIELD(apply_user, is_mount, JSON_KIND_BOOL),
        { .key = NULL }
};

static const struct json_field comparison_fields[] = {
        JSON_FIELD(comparison, pairs, JSON_KIND_UNSIGNED),
        JSON_FIELD(comparison, before_usec, JSON_KIND_U64),
        JSON_FIELD(comparison, after_usec, JSON_KIND_U64),
        JSON_FIELD(comparison, ratio_permille, JSON_KIND_UNSIGNED),
        JSON_FIELD(comparison, low_permille, JSON_KIND_UNSIGNED),
        JSON_FIELD(comparison, high_permille, JSON_KIND_UNSIGNED),
        { .key = NULL }
};

/* The mount, which may be missing, and the arrays stand beside. */
static const struct json_field answer_fields[] = {
        { .key = "end", .kind = JSON_KIND_ENUM, .offset = offsetof(struct apply_answer, end), .required = true,
          .enum_name = apply_end_json_name, .enum_parse = apply_end_json_parse },
        JSON_FIELD(apply_answer, words, JSON_KIND_STRING),
        JSON_FIELD(apply_answer, busy, JSON_KIND_BOOL),
        JSON_FIELD(apply_answer, elsewhere, JSON_KIND_BOOL),
        JSON_FIELD(apply_answer, compared, JSON_KIND_BOOL),
        JSON_FIELD_OBJECT(apply_answer, comparison, comparison_fields),
        JSON_FIELD(apply_answer, diff, JSON_KIND_STRING),
        { .key = NULL }
};

void apply_answer_done(struct apply_answer *a)
{
        free(a->words);
        mount_facts_done(&a->mount);
        for (size_t i = 0; i < a->n_users; i++) {
                free(a->users[i].command);
                free(a->users[i].what);
        }
        free(a->users);
        free(a->diff);
        for (size_t i = 0; i < a->n_backups; i++)
                free(a->backups[i]);
        free(a->backups);
        *a = (struct apply_answer){ 0 };
}

static json_t *strings_write(char *const *strings, size_t n)
{
        cleanup(json_refp) json_t *j = json_array();

        for (size_t i = 0; j && i < n; i++)
                if (json_array_append_new(j, str_to_json(strings[i])) < 0)
                        return NULL;
        return TAKE(j);
}

static json_t *answer_write(const struct apply_answer *a)
{
        cleanup(json_refp) json_t *j = json_write(answer_fields, a);

        if (!j)
                return NULL;
        if (a->mount.target && json_object_set_new(j, "mount", json_write(mount_facts_fields, &a->mount)) < 0)
                return NULL;
        if (a->n_users > 0 &&
            json_object_set_new(j, "users", array_write(user_fields, a->users, a->n_users, sizeof(*a->users))) < 0)
                return NULL;
        if (a->n_backups > 0 && json_object_set_new(j, "backups", strings_write(a->backups, a->n_backups)) < 0)
                return NULL;
        return TAKE(j);
}

char *apply_answer_to_json(const struct apply_answer *a)
{
        return json_text_take(answer_write(a));
}

static int backups_read(struct json_reader *r, const json_t *value, struct apply_answer *ret)
{
        size_t n = 0;
        int status = json_array_length(r, "backups", value, BACKUPS_MAX, &n);

        if (status < 0)
                return status;
        ret->backups = calloc(n + 1, sizeof(*ret->backups));
        if (!ret->backups)
                return -ENOMEM;
        for (size_t i = 0; status == 0 && i < n; i++) {
                status = str_from_json(r, "backups", json_array_get(value, i), &ret->backups[i]);
                ret->n_backups += status == 0;
        }
        return status;
}

static int answer_read(struct json_reader *r, const json_t *j, struct apply_answer *ret)
{
        const json_t *mount = json_object_get(j, "mount"), *users = json_object_get(j, "users");
        const json_t *backups = json_object_get(j, "backups");
        void *items = NULL;
        int status = json_read(r, answer_fields, j, ret);

        if (status == 0 && mount)
                status = json_read(r, mount_facts_fields, mount, &ret->mount);
        if (status == 0 && mount)
                status = mount_facts_complete(&ret->mount);
        if (status == 0 && users) {
                status = array_read(r, "users", user_fields, users, USERS_MAX, sizeof(*ret->users), &items,
                                    &ret->n_users);
                ret->users = items;
        }
        return status == 0 && backups ? backups_read(r, backups, ret) : status;
}

int apply_answer_from_json(const char *text, size_t length_bytes, struct apply_answer *ret, char **ret_error)
{
        struct json_reader r = { 0 };
        cleanup(json_refp) json_t *j = NULL;
        cleanup(apply_answer_done) struct apply_answer answer = { 0 };
        int status = json_text_parse(&r, text, length_bytes, &j);

        if (status == 0)
                status = answer_read(&r, j, &answer);
        if (status == 0) {
                *ret = answer;
                answer = (struct apply_answer){ 0 };
        }
        return json_reader_end(&r, status, ret_error);
}
