/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/observation_json.c - the members of an observation, as tables.
 */
#include "probe/observation_json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "policy/names.h"
#include "probe/json.h"

JSON_ENUM(place_kind, place_kind)
JSON_ENUM(proto, nfs_proto)
JSON_ENUM(answer, answer)
JSON_ENUM(limit_source, limit_source)
JSON_ENUM(workload, workload)
JSON_ENUM(outcome, outcome)
JSON_ENUM(probe_state, probe_state)
JSON_ENUM(liveness, liveness)

#define STRING(type, member)   JSON_FIELD(type, member, JSON_KIND_STRING)
#define OPTIONS(type, member)  JSON_FIELD(type, member, JSON_KIND_OPTIONS)
#define BOOL(type, member)     JSON_FIELD(type, member, JSON_KIND_BOOL)
#define U64(type, member)      JSON_FIELD(type, member, JSON_KIND_U64)
#define UNSIGNED(type, member) JSON_FIELD(type, member, JSON_KIND_UNSIGNED)
#define INT(type, member)      JSON_FIELD(type, member, JSON_KIND_INT)
#define REQUIRED(type, member) \
        { .key = #member, .kind = JSON_KIND_STRING, .offset = offsetof(struct type, member), .required = true }
#define CUSTOM(type, member, functions)                                                 \
        { .key = #member, .kind = JSON_KIND_CUSTOM, .offset = offsetof(struct type, member), \
          .write = functions##_write, .read = functions##_read }
#define END { .key = NULL }

/* ---- mount, requested ----------------------------------------------------------- */

const struct json_field device_fields[] = {
        UNSIGNED(device, major),
        UNSIGNED(device, minor),
        END
};

const struct json_field mount_facts_fields[] = {
        U64(mount_facts, mount_id),
        U64(mount_facts, parent_id),
        JSON_FIELD_OBJECT(mount_facts, device, device_fields),
        REQUIRED(mount_facts, target),
        REQUIRED(mount_facts, source),
        STRING(mount_facts, server),
        STRING(mount_facts, export_path),
        REQUIRED(mount_facts, fstype),
        OPTIONS(mount_facts, vfs),
        OPTIONS(mount_facts, super),
        STRING(mount_facts, propagation),
        BOOL(mount_facts, read_only),
        BOOL(mount_facts, covered),
        BOOL(mount_facts, below_autofs),
        BOOL(mount_facts, below_nfs),
        BOOL(mount_facts, has_submounts),
        BOOL(mount_facts, deleted),
        BOOL(mount_facts, duplicate),
        END
};

static const struct json_field place_fields[] = {
        JSON_FIELD_ENUM(place, kind, place_kind),
        STRING(place, file),
        UNSIGNED(place, line),
        END
};

static const struct json_field requested_fields[] = {
        JSON_FIELD_OBJECT(requested, place, place_fields),
        STRING(requested, text),
        STRING(requested, options_text),
        OPTIONS(requested, options),
        STRING(requested, section),
        BOOL(requested, is_default),
        BOOL(requested, is_record),
        BOOL(requested, is_generated),
        STRING(requested, line_problem),
        STRING(requested, line_mended),
        END
};

/* ---- counters --------------------------------------------------------------------- */

static const struct json_field rpc_op_fields[] = {
        U64(rpc_op_counters, calls),
        U64(rpc_op_counters, transmissions),
        U64(rpc_op_counters, major_timeouts),
        U64(rpc_op_counters, sent_bytes),
        U64(rpc_op_counters, received_bytes),
        U64(rpc_op_counters, queue_msec),
        U64(rpc_op_counters, round_trip_msec),
        U64(rpc_op_counters, execute_msec),
        U64(rpc_op_counters, errors),
        END
};

static bool is_zero(const struct rpc_op_counters *c)
{
        static const struct rpc_op_counters zero;

        return memcmp(c, &zero, sizeof(zero)) == 0;
}

/* {"WRITE":{...},...}: those that were called. */
static json_t *ops_write(const void *member)
{
        const struct rpc_op_counters *ops = member;
        cleanup(json_refp) json_t *j = json_object();

        if (!j)
                return NULL;
        for (unsigned i = 0; i < RPC_OP_COUNT; i++)
                if (!is_zero(&ops[i]) &&
                    json_object_set_new(j, rpc_op_name((enum rpc_op)i), json_write(rpc_op_fields, &ops[i])) < 0)
                        return NULL;
        return TAKE(j);
}

static int ops_read(struct json_reader *r, const json_t *value, void *member)
{
        struct rpc_op_counters *ops = member;
        json_t *object = (json_t *)value, *counters;    /* the iterator's type; nothing is written */
        const char *name;

        if (!json_is_object(value))
                return json_wrong(r, "op: not an object");
        json_object_foreach(object, name, counters) {
                enum rpc_op op;

                if (rpc_op_parse(name, &op) < 0)
                        return json_wrong(r, "op: unknown name");
                int status = json_read(r, rpc_op_fields, counters, &ops[op]);
                if (status < 0)
                        return status;
        }
        return 0;
}

static const struct json_field transport_fields[] = {
        UNSIGNED(transport_counters, transports),
        JSON_FIELD_ENUM(transport_counters, proto, proto),
        U64(transport_counters, connects),
        U64(transport_counters, sends),
        U64(transport_counters, receives),
        U64(transport_counters, bad_xids),
        U64(transport_counters, request_usage),
        U64(transport_counters, backlog_usage),
        U64(transport_counters, sending_usage),
        U64(transport_counters, pending_usage),
        U64(transport_counters, max_slots),
        U64(transport_counters, idle_sec),
        END
};

static const struct json_field counters_fields[] = {
        BOOL(counters, known),
        UNSIGNED(counters, statvers_minor),
        U64(counters, age_sec),
        U64(counters, dtsize_bytes),
        BOOL(counters, lease_known),
        U64(counters, lease_time_sec),
        U64(counters, lease_expired_sec),
        STRING(counters, implementation),
        U64(counters, normal_read_bytes),
        U64(counters, normal_write_bytes),
        U64(counters, direct_read_bytes),
        U64(counters, direct_write_bytes),
        U64(counters, server_read_bytes),
        U64(counters, server_write_bytes),
        U64(counters, vfs_fsync_calls),
        U64(counters, delay_replies),
        JSON_FIELD_OBJECT(counters, transport, transport_fields),
        CUSTOM(counters, op, ops),
        END
};

/* ---- server --------------------------------------------------------------------------- */

static const struct {
        unsigned bit;
        const char *name;
} versions[] = {
        { NFS_V2, "2" }, { NFS_V3, "3" }, { NFS_V4_0, "4.0" }, { NFS_V4_1, "4.1" }, { NFS_V4_2, "4.2" },
};

/* ["3","4.1"] */
static json_t *versions_write(const void *member)
{
        unsigned set = *(const unsigned *)member;
        cleanup(json_refp) json_t *j = json_array();

        if (!j)
                return NULL;
        for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
                if ((set & versions[i].bit) && json_array_append_new(j, json_string(versions[i].name)) < 0)
                        return NULL;
        return TAKE(j);
}

static unsigned version_bit(const char *name)
{
        for (size_t i = 0; name && i < ARRAY_SIZE(versions); i++)
                if (strcmp(versions[i].name, name) == 0)
                        return versions[i].bit;
        return 0;
}

static int versions_read(struct json_reader *r, const json_t *value, void *member)
{
        unsigned *set = member;
        size_t n;
        int status = json_array_length(r, "versions", value, ARRAY_SIZE(versions), &n);

        for (size_t i = 0; status == 0 && i < n; i++) {
                unsigned bit = version_bit(json_string_value(json_array_get(value, i)));

                if (bit == 0)
                        return json_wrong(r, "versions: unknown name");
                *set |= bit;
        }
        return status;
}

static const struct json_field server_fields[] = {
        JSON_FIELD_ENUM(server_facts, null_answer, answer),
        UNSIGNED(server_facts, null_replies),
        U64(server_facts, null_median_usec),
        U64(server_facts, null_spread_usec),
        STRING(server_facts, detail),
        BOOL(server_facts, versions_known),
        CUSTOM(server_facts, versions, versions),
        JSON_FIELD_ENUM(server_facts, limit_source, limit_source),
        U64(server_facts, read_max_bytes),
        U64(server_facts, write_max_bytes),
        STRING(server_facts, limit_detail),
        END
};

/* ---- probe ---------------------------------------------------------------------------- */

static const struct json_field latency_fields[] = {
        UNSIGNED(latency, n),
        U64(latency, p50_usec),
        U64(latency, p99_usec),
        U64(latency, max_usec),
        END
};

static const struct json_field workload_fields[] = {
        JSON_FIELD_ENUM(workload_result, workload, workload),
        JSON_FIELD_ENUM(workload_result, outcome, outcome),
        INT(workload_result, error),
        U64(workload_result, written_bytes),
        U64(workload_result, open_usec),
        JSON_FIELD_OBJECT(workload_result, write, latency_fields),
        JSON_FIELD_OBJECT(workload_result, stable, latency_fields),
        U64(workload_result, close_usec),
        U64(workload_result, total_usec),
        UNSIGNED(workload_result, stalls),
        U64(workload_result, longest_stall_usec),
        BOOL(workload_result, verified),
        BOOL(workload_result, counters_known),
        JSON_FIELD_OBJECT(workload_result, write_calls, rpc_op_fields),
        JSON_FIELD_OBJECT(workload_result, commit_calls, rpc_op_fields),
        END
};

/* One member per workload, each with its name: the place in the array is the
 * enumeration's, also where the struct was only zeroed. */
static json_t *results_write(const void *member)
{
        const struct workload_result *results = member;
        cleanup(json_refp) json_t *j = json_array();

        if (!j)
                return NULL;
        for (unsigned i = 0; i < WORKLOAD_COUNT; i++) {
                struct workload_result named = results[i];

                named.workload = (enum workload)i;
                if (json_array_append_new(j, json_write(workload_fields, &named)) < 0)
                        return NULL;
        }
        return TAKE(j);
}

static int results_read(struct json_reader *r, const json_t *value, void *member)
{
        struct workload_result *results = member;
        bool seen[WORKLOAD_COUNT] = { 0 };
        size_t n;
        int status = json_array_length(r, "results", value, WORKLOAD_COUNT, &n);

        for (unsigned i = 0; i < WORKLOAD_COUNT; i++)
                results[i].workload = (enum workload)i;
        for (size_t i = 0; status == 0 && i < n; i++) {
                struct workload_result one = { 0 };

                status = json_read(r, workload_fields, json_array_get(value, i), &one);
                if (status < 0)
                        return status;
                if (seen[one.workload])
                        return json_wrong(r, "results: a workload twice");
                seen[one.workload] = true;
                results[one.workload] = one;
        }
        return status;
}

static const struct json_field stable_fields[] = {
        U64(stable_latency, size_bytes),
        JSON_FIELD_OBJECT(stable_latency, latency, latency_fields),
        END
};

static json_t *stable_write(const void *member)
{
        const struct stable_latency *stable = member;
        cleanup(json_refp) json_t *j = json_array();

        if (!j)
                return NULL;
        for (unsigned i = 0; i < STABLE_SIZES; i++)
                if (json_array_append_new(j, json_write(stable_fields, &stable[i])) < 0)
                        return NULL;
        return TAKE(j);
}

static int stable_read(struct json_reader *r, const json_t *value, void *member)
{
        struct stable_latency *stable = member;
        size_t n;
        int status = json_array_length(r, "stable", value, STABLE_SIZES, &n);

        for (size_t i = 0; status == 0 && i < n; i++)
                status = json_read(r, stable_fields, json_array_get(value, i), &stable[i]);
        return status;
}

static const struct json_field probe_fields[] = {
        JSON_FIELD_ENUM(probe_result, state, probe_state),
        STRING(probe_result, reason),
        CUSTOM(probe_result, results, results),
        CUSTOM(probe_result, stable, stable),
        U64(probe_result, written_bytes),
        UNSIGNED(probe_result, swept_files),
        U64(probe_result, started_usec),
        END
};

/* ---- beside the mount: its connections, its export, trials, its past ------------------ */

static const struct json_field earlier_fields[] = {
        BOOL(earlier_probe, awaited),
        BOOL(earlier_probe, known),
        U64(earlier_probe, null_median_usec),
        U64(earlier_probe, stable_small_usec),
        END
};

static const struct json_field connection_fields[] = {
        BOOL(connection_facts, known),
        U64(connection_facts, sent_segments),
        U64(connection_facts, retransmitted_segments),
        U64(connection_facts, round_trip_usec),
        END
};

static const struct json_field export_fields[] = {
        BOOL(export_facts, known),
        BOOL(export_facts, async),
        JSON_FIELD_OBJECT(export_facts, place, place_fields),
        STRING(export_facts, text),
        END
};

static const struct json_field trial_fields[] = {
        JSON_FIELD_ENUM(trial_facts, workload, workload),
        STRING(trial_facts, options),
        UNSIGNED(trial_facts, pairs),
        UNSIGNED(trial_facts, ratio_permille),
        UNSIGNED(trial_facts, ratio_low_permille),
        UNSIGNED(trial_facts, ratio_high_permille),
        END
};

static const struct json_field baseline_fields[] = {
        BOOL(baseline_facts, known),
        JSON_FIELD_ENUM(baseline_facts, workload, workload),
        UNSIGNED(baseline_facts, samples),
        U64(baseline_facts, median_usec),
        U64(baseline_facts, deviation_usec),
        UNSIGNED(baseline_facts, recent_samples),
        U64(baseline_facts, recent_median_usec),
        U64(baseline_facts, since_usec),
        STRING(baseline_facts, grown),
        END
};

/* ---- the whole ------------------------------------------------------------------------ */

/* The arrays with a length of their own are added by hand. */
static const struct json_field observation_fields[] = {
        { .key = "mount", .kind = JSON_KIND_OBJECT, .offset = offsetof(struct observation, mount),
          .required = true, .fields = mount_facts_fields },
        BOOL(observation, only_requested),
        BOOL(observation, read_ahead_known),
        BOOL(observation, async_export_stands),
        U64(observation, read_ahead_kib),
        JSON_FIELD_OBJECT(observation, counters, counters_fields),
        JSON_FIELD_OBJECT(observation, server, server_fields),
        JSON_FIELD_OBJECT(observation, probe, probe_fields),
        JSON_FIELD_OBJECT(observation, earlier, earlier_fields),
        JSON_FIELD_OBJECT(observation, connection, connection_fields),
        JSON_FIELD_OBJECT(observation, export_facts, export_fields),
        JSON_FIELD_OBJECT(observation, baseline, baseline_fields),
        JSON_FIELD_ENUM(observation, liveness, liveness),
        STRING(observation, liveness_witnesses),
        END
};

/* @n structs of @size_bytes from @items on. */
static json_t *array_write(const struct json_field *fields, const void *items, size_t n, size_t size_bytes)
{
        cleanup(json_refp) json_t *j = json_array();

        if (!j)
                return NULL;
        for (size_t i = 0; i < n; i++)
                if (json_array_append_new(j, json_write(fields, (const char *)items + i * size_bytes)) < 0)
                        return NULL;
        return TAKE(j);
}

static json_t *shares_array(const struct observation *o)
{
        cleanup(json_refp) json_t *j = json_array();

        if (!j)
                return NULL;
        for (size_t i = 0; i < o->n_shares; i++)
                if (json_array_append_new(j, str_to_json(o->shares_superblock_with[i])) < 0)
                        return NULL;
        return TAKE(j);
}

static json_t *observation_write(const struct observation *o)
{
        cleanup(json_refp) json_t *j = json_write(observation_fields, o);

        if (!j || json_object_set_new(j, "requested", array_write(requested_fields, o->requested, o->n_requested,
                                                                  sizeof(*o->requested))) < 0 ||
            json_object_set_new(j, "trials", array_write(trial_fields, o->trials, o->n_trials,
                                                         sizeof(*o->trials))) < 0 ||
            json_object_set_new(j, "shares_superblock_with", shares_array(o)) < 0)
                return NULL;
        return TAKE(j);
}

char *observation_to_json(const struct observation *o)
{
        return json_text_take(observation_write(o));
}

/* An absent array is none. *ret is theirs whom it belongs to also on an error:
 * what was read halfway is counted. */
static int array_read(struct json_reader *r, const char *key, const json_t *object, const struct json_field *fields,
                      size_t size_bytes, void **ret, size_t *ret_n)
{
        const json_t *value = json_object_get(object, key);
        size_t n;
        int status = value ? json_array_length(r, key, value, JSON_ARRAY_MAX, &n) : 1;

        if (status != 0)
                return MIN(status, 0);
        *ret = calloc(n + 1, size_bytes);
        if (!*ret)
                return -ENOMEM;
        for (size_t i = 0; status == 0 && i < n; i++) {
                (*ret_n)++;
                status = json_read(r, fields, json_array_get(value, i), (char *)*ret + i * size_bytes);
        }
        return status;
}

static int requested_read(struct json_reader *r, const json_t *value, struct observation *o)
{
        void *items = NULL;
        int status = array_read(r, "requested", value, requested_fields, sizeof(*o->requested), &items,
                                &o->n_requested);

        o->requested = items;
        return status;
}

static int trials_read(struct json_reader *r, const json_t *value, struct observation *o)
{
        void *items = NULL;
        int status = array_read(r, "trials", value, trial_fields, sizeof(*o->trials), &items, &o->n_trials);

        o->trials = items;
        return status;
}

static int shares_read(struct json_reader *r, const json_t *value, struct observation *o)
{
        size_t n;
        int status = value ? json_array_length(r, "shares_superblock_with", value, JSON_ARRAY_MAX, &n) : 1;

        if (status != 0)
                return MIN(status, 0);
        o->shares_superblock_with = calloc(n + 1, sizeof(*o->shares_superblock_with));
        if (!o->shares_superblock_with)
                return -ENOMEM;
        for (size_t i = 0; status == 0 && i < n; i++) {
                status = str_from_json(r, "shares_superblock_with", json_array_get(value, i),
                                       &o->shares_superblock_with[i]);
                if (status == 0)
                        o->n_shares++;
        }
        return status;
}

static int observation_read(struct json_reader *r, const json_t *value, struct observation *o)
{
        int status;

        if (json_is_array(json_object_get(value, "mounts")))
                return json_wrong(r, "a report of check --json or --once --json, which is no observation: give the "
                                     "files that it was made from");
        status = json_read(r, observation_fields, value, o);
        if (status == 0)
                status = mount_facts_complete(&o->mount);
        if (status == 0)
                status = requested_read(r, value, o);
        if (status == 0)
                status = trials_read(r, value, o);
        if (status == 0)
                status = shares_read(r, json_object_get(value, "shares_superblock_with"), o);
        return status;
}

static int string_default(char **s, const char *value)
{
        if (!*s)
                *s = strdup(value);
        return *s ? 0 : -ENOMEM;
}

int mount_facts_complete(struct mount_facts *m)
{
        int r = string_default(&m->server, "");

        if (r == 0)
                r = string_default(&m->export_path, "/");
        return r < 0 ? r : string_default(&m->propagation, "");
}

int observation_from_json(const char *text, size_t length_bytes, struct observation *ret, char **ret_error)
{
        struct json_reader r = { 0 };
        cleanup(json_refp) json_t *j = NULL;
        cleanup(observation_done) struct observation o = { 0 };
        int status = json_text_parse(&r, text, length_bytes, &j);

        if (status == 0)
                status = observation_read(&r, j, &o);
        if (status == 0) {
                *ret = o;
                o = (struct observation){ 0 };
        }
        return json_reader_end(&r, status, ret_error);
}

static int members_read(struct json_reader *r, const json_t *array, struct snapshot *s)
{
        size_t n;
        int status = json_array_length(r, "observations", array, JSON_ARRAY_MAX, &n);

        if (status < 0)
                return status;
        s->mounts = calloc(n + 1, sizeof(*s->mounts));
        if (!s->mounts)
                return -ENOMEM;
        for (size_t i = 0; status == 0 && i < n; i++) {
                s->n_mounts++;          /* what is read halfway is freed as well */
                status = observation_read(r, json_array_get(array, i), &s->mounts[i]);
        }
        return status;
}

/* The first reason, with the place of the observation that it is about. */
static int place_say(struct json_reader *r, size_t number)
{
        char *words = NULL;

        if (!r->error || asprintf(&words, "observation %zu: %s", number, r->error) < 0)
                return -ENOMEM;
        free(r->error);
        r->error = words;
        return -EINVAL;
}

int observations_from_json(const char *text, size_t length_bytes, struct snapshot *ret, char **ret_error)
{
        struct json_reader r = { 0 };
        cleanup(json_refp) json_t *j = NULL, *array = NULL;
        cleanup(snapshot_done) struct snapshot s = { 0 };
        int status = json_text_parse_any(&r, text, length_bytes, &j);

        if (status == 0) {
                array = json_is_array(j) ? json_incref(j) : json_pack("[O]", j);
                status = array ? members_read(&r, array, &s) : -ENOMEM;
                if (status == -EINVAL && json_is_array(j) && s.n_mounts > 0)
                        status = place_say(&r, s.n_mounts);
        }
        if (status == 0) {
                *ret = s;
                s = (struct snapshot){ 0 };
        }
        return json_reader_end(&r, status, ret_error);
}

/* ---- parts ------------------------------------------------------------------------------ */

static json_t *part_write(const char *part, const struct json_field *fields, const void *object)
{
        cleanup(json_refp) json_t *j = json_object();

        if (!j || json_object_set_new(j, "part", json_string(part)) < 0 ||
            json_object_set_new(j, part, json_write(fields, object)) < 0)
                return NULL;
        return TAKE(j);
}

char *server_part_to_json(const struct server_facts *s)
{
        return json_text_take(part_write("server", server_fields, s));
}

char *probe_part_to_json(const struct probe_result *p)
{
        return json_text_take(part_write("probe", probe_fields, p));
}

static int server_apply(struct json_reader *r, const json_t *value, struct observation *o)
{
        cleanup(server_facts_done) struct server_facts s = { 0 };
        int status = json_read(r, server_fields, value, &s);

        if (status < 0)
                return status;
        server_facts_done(&o->server);
        o->server = s;
        s = (struct server_facts){ 0 };
        return 0;
}

static int probe_apply(struct json_reader *r, const json_t *value, struct observation *o)
{
        cleanup(probe_result_done) struct probe_result p = { 0 };
        int status = json_read(r, probe_fields, value, &p);

        if (status < 0)
                return status;
        probe_result_done(&o->probe);
        o->probe = p;
        p = (struct probe_result){ 0 };
        return 0;
}

static int part_apply(struct json_reader *r, const json_t *j, struct observation *o)
{
        const char *part = json_string_value(json_object_get(j, "part"));

        if (part && strcmp(part, "server") == 0)
                return server_apply(r, json_object_get(j, part), o);
        if (part && strcmp(part, "probe") == 0)
                return probe_apply(r, json_object_get(j, part), o);
        return json_wrong(r, "part: neither server nor probe");
}

int observation_apply_part(struct observation *o, const char *text, size_t length_bytes, char **ret_error)
{
        struct json_reader r = { 0 };
        cleanup(json_refp) json_t *j = NULL;
        int status = json_text_parse(&r, text, length_bytes, &j);

        if (status == 0)
                status = part_apply(&r, j, o);
        return json_reader_end(&r, status, ret_error);
}
