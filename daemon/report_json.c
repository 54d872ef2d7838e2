/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A round as JSON, DESIGN section 12. See report.h. */

#include "daemon/report.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "daemon/figures.h"
#include "daemon/utf8.h"
#include "policy/names.h"

/* jansson's *_new functions accept a NULL member by failing, so an allocation
 * that fails anywhere makes the whole NULL; see json_pack(3), "o". */

static void decref(json_t **j)
{
        json_decref(*j);
}

static json_t *string_or_null(const char *s)
{
        struct text t = {};
        char *shown;
        json_t *j;

        if (!s)
                return json_null();
        if (utf8_is_valid(s, strlen(s)))
                return json_string(s);
        text_add_printable(&t, s); /* JSON has no way to hold other bytes */
        shown = text_take(&t);
        j = shown ? json_string(shown) : NULL;
        free(shown);
        return j;
}

static json_t *number(uint64_t n)
{
        return json_integer((json_int_t) MIN(n, (uint64_t) INT64_MAX));
}

/* A number where @known, else null. */
static json_t *number_if(bool known, uint64_t n)
{
        return known ? number(n) : json_null();
}

/* Takes @member over. After a failure the array is NULL and stays so. */
static void append(json_t **array, json_t *member)
{
        if (!*array) {
                json_decref(member);
        } else if (json_array_append_new(*array, member) < 0) {
                json_decref(*array);
                *array = NULL;
        }
}

static json_t *string_array(char *const *items, size_t n)
{
        json_t *array = json_array();

        for (size_t i = 0; i < n; i++)
                append(&array, string_or_null(items[i]));
        return array;
}

static json_t *place_to_json(const struct place *p)
{
        return json_pack("{s:s, s:o, s:o}", "kind", place_kind_name(p->kind), "file", string_or_null(p->file), "line",
                         number_if(p->line > 0, p->line));
}

static json_t *recommendation_to_json(const struct recommendation *r)
{
        return json_pack("{s:s, s:s, s:s, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                         "rule", rule_name(r->rule),
                         "confidence", confidence_name(r->confidence),
                         "method", method_name(r->method),
                         "auto", r->automatic,
                         "urgent", r->urgent,
                         "drop", string_array(r->drop, r->n_drop),
                         "set", string_array(r->set, r->n_set),
                         "place", place_to_json(&r->place),
                         "summary", string_or_null(r->summary),
                         "evidence", string_or_null(r->evidence),
                         "gain", string_or_null(r->gain),
                         "risk", string_or_null(r->risk));
}

static json_t *cannot_tell_to_json(const struct cannot_tell *c)
{
        return json_pack("{s:s, s:o, s:o}", "rule", rule_name(c->rule), "missing", string_or_null(c->missing),
                         "command", string_or_null(c->command));
}

static json_t *plan_to_json(const struct plan *p)
{
        if (!p->exists)
                return json_null();
        return json_pack("{s:o, s:s, s:o, s:o, s:o}",
                         "options", string_or_null(p->options),
                         "method", method_name(p->method),
                         "place", place_to_json(&p->place),
                         "replacement", string_or_null(p->replacement),
                         "text", string_or_null(p->text));
}

static json_t *versions_to_json(const struct server_facts *s)
{
        json_t *array;

        if (!s->versions_known)
                return json_null();
        array = json_array();
        for (unsigned i = 0; i < NFS_VERSION_BITS; i++)
                if (s->versions & (1U << i))
                        append(&array, json_string(nfs_version_names[i]));
        return array;
}

static json_t *server_to_json(const struct server_facts *s)
{
        bool answered = s->null_answer == ANSWER_OK;
        bool limits = s->limit_source != LIMIT_UNKNOWN;

        return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}",
                         "answer", answer_name(s->null_answer),
                         "replies", (int) s->null_replies,
                         "median_usec", number_if(answered, s->null_median_usec),
                         "spread_usec", number_if(answered, s->null_spread_usec),
                         "detail", string_or_null(s->detail),
                         "versions", versions_to_json(s),
                         "limit_source", limit_source_name(s->limit_source),
                         "read_max_bytes", number_if(limits, s->read_max_bytes),
                         "write_max_bytes", number_if(limits, s->write_max_bytes),
                         "limit_detail", string_or_null(s->limit_detail));
}

static json_t *latency_to_json(const struct latency *l)
{
        if (l->n == 0)
                return json_null();
        return json_pack("{s:i, s:o, s:o, s:o}", "n", (int) l->n, "p50_usec", number(l->p50_usec), "p99_usec",
                         number(l->p99_usec), "max_usec", number(l->max_usec));
}

static json_t *calls_to_json(bool known, const struct rpc_op_counters *c)
{
        if (!known)
                return json_null();
        return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
                         "calls", number(c->calls),
                         "transmissions", number(c->transmissions),
                         "sent_bytes", number(c->sent_bytes),
                         "queue_msec", number(c->queue_msec),
                         "round_trip_msec", number(c->round_trip_msec),
                         "execute_msec", number(c->execute_msec));
}

static json_t *workload_to_json(enum workload name, const struct workload_result *w)
{
        return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:b, s:o, s:o}",
                         "workload", workload_name(name),
                         "outcome", outcome_name(w->outcome),
                         "errno", w->error,
                         "written_bytes", number(w->written_bytes),
                         "open_usec", number(w->open_usec),
                         "close_usec", number(w->close_usec),
                         "total_usec", number(w->total_usec),
                         "write", latency_to_json(&w->write),
                         "stable", latency_to_json(&w->stable),
                         "stalls", (int) w->stalls,
                         "longest_stall_usec", number(w->longest_stall_usec),
                         "verified", w->verified,
                         "write_calls", calls_to_json(w->counters_known, &w->write_calls),
                         "commit_calls", calls_to_json(w->counters_known, &w->commit_calls));
}

static json_t *workloads_to_json(const struct probe_result *p)
{
        json_t *array = json_array();

        for (size_t i = 0; i < WORKLOAD_COUNT; i++)
                if (p->results[i].outcome != OUTCOME_NOT_RUN)
                        append(&array, workload_to_json((enum workload) i, &p->results[i]));
        return array;
}

static json_t *stable_to_json(const struct probe_result *p)
{
        json_t *array = json_array();

        for (size_t i = 0; i < STABLE_SIZES; i++) {
                const struct stable_latency *s = &p->stable[i];

                if (s->latency.n > 0)
                        append(&array, json_pack("{s:o, s:o}", "size_bytes", number(s->size_bytes), "latency",
                                                 latency_to_json(&s->latency)));
        }
        return array;
}

static json_t *probe_to_json(const struct probe_result *p)
{
        return json_pack("{s:s, s:o, s:o, s:o, s:o}",
                         "state", probe_state_name(p->state),
                         "reason", string_or_null(p->reason),
                         "written_bytes", number(p->written_bytes),
                         "workloads", workloads_to_json(p),
                         "stable", stable_to_json(p));
}

static json_t *recommendations_to_json(const struct advice *a)
{
        json_t *array = json_array();

        for (size_t i = 0; i < a->n_recommendations; i++)
                append(&array, recommendation_to_json(&a->recommendations[i]));
        return array;
}

static json_t *cannot_tells_to_json(const struct advice *a)
{
        json_t *array = json_array();

        for (size_t i = 0; i < a->n_cannot_tell; i++)
                append(&array, cannot_tell_to_json(&a->cannot_tell[i]));
        return array;
}

static json_t *item_to_json(const struct report_item *item)
{
        const struct observation *o = item->observation;
        char *options = effective_options(&o->mount);
        json_t *j;

        if (!options)
                return NULL;
        j = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:s, s:o}}",
                      "target", string_or_null(o->mount.target),
                      "source", string_or_null(o->mount.source),
                      "fstype", string_or_null(o->mount.fstype),
                      "options", string_or_null(options),
                      "shares_superblock_with", string_array(o->shares_superblock_with, o->n_shares),
                      "recommendations", recommendations_to_json(item->advice),
                      "cannot_tell", cannot_tells_to_json(item->advice),
                      "plan", plan_to_json(&item->advice->plan),
                      "server", server_to_json(&o->server),
                      "probe", probe_to_json(&o->probe),
                      "liveness", "state", liveness_name(o->liveness), "witnesses",
                              string_or_null(o->liveness_witnesses));
        free(options);
        return j;
}

bool report_has_advice(const struct report *r)
{
        for (size_t i = 0; i < r->n_items; i++)
                if (r->items[i].advice->n_recommendations > 0)
                        return true;
        return r->findings && r->findings->n_items > 0;
}

int report_json(FILE *out, const struct report *r)
{
        const struct report_item *items = r->items;
        size_t n = r->n_items;
        json_t *mounts = json_array();
        cleanup(decref) json_t *root = json_pack("{s:i, s:o, s:[]}", "version", 1, "mounts", mounts, "findings");

        if (!root)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                if (json_array_append_new(mounts, item_to_json(&items[i])) < 0)
                        return -ENOMEM;
        errno = 0;
        if (json_dumpf(root, out, JSON_INDENT(2)) < 0 || fputc('\n', out) == EOF || fflush(out) != 0)
                return errno ? -errno : -EIO;
        return 0;
}
