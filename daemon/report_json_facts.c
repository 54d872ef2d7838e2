/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was measured on a mount, as JSON. See report_json_parts.h. */

#include "daemon/report_json_parts.h"

#include "daemon/figures.h"
#include "policy/names.h"

static json_t *versions_to_json(const struct server_facts *s)
{
        json_t *array;

        if (!s->versions_known)
                return json_null();
        array = json_array();
        for (unsigned i = 0; i < NFS_VERSION_BITS; i++)
                if (s->versions & (1U << i))
                        json_append(&array, json_string(nfs_version_names[i]));
        return array;
}

json_t *report_json_server(const struct server_facts *s)
{
        bool answered = s->null_answer == ANSWER_OK;
        bool limits = s->limit_source != LIMIT_UNKNOWN;

        return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}",
                         "answer", answer_name(s->null_answer),
                         "replies", (int) s->null_replies,
                         "median_usec", json_number_if(answered, s->null_median_usec),
                         "spread_usec", json_number_if(answered, s->null_spread_usec),
                         "detail", json_string_or_null(s->detail),
                         "versions", versions_to_json(s),
                         "limit_source", limit_source_name(s->limit_source),
                         "read_max_bytes", json_number_if(limits, s->read_max_bytes),
                         "write_max_bytes", json_number_if(limits, s->write_max_bytes),
                         "limit_detail", json_string_or_null(s->limit_detail));
}

static json_t *latency_to_json(const struct latency *l)
{
        if (l->n == 0)
                return json_null();
        return json_pack("{s:i, s:o, s:o, s:o}", "n", (int) l->n, "p50_usec", json_number(l->p50_usec), "p99_usec",
                         json_number(l->p99_usec), "max_usec", json_number(l->max_usec));
}

static json_t *calls_to_json(bool known, const struct rpc_op_counters *c)
{
        if (!known)
                return json_null();
        return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
                         "calls", json_number(c->calls),
                         "transmissions", json_number(c->transmissions),
                         "sent_bytes", json_number(c->sent_bytes),
                         "queue_msec", json_number(c->queue_msec),
                         "round_trip_msec", json_number(c->round_trip_msec),
                         "execute_msec", json_number(c->execute_msec));
}

static json_t *workload_to_json(enum workload name, const struct workload_result *w)
{
        return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:b, s:o, s:o}",
                         "workload", workload_name(name),
                         "outcome", outcome_name(w->outcome),
                         "errno", w->error,
                         "written_bytes", json_number(w->written_bytes),
                         "open_usec", json_number(w->open_usec),
                         "close_usec", json_number(w->close_usec),
                         "total_usec", json_number(w->total_usec),
                         "write", latency_to_json(&w->write),
                         "stable", latency_to_json(&w->stable),
                         "stalls", (int) w->stalls,
                         "longest_stall_usec", json_number(w->longest_stall_usec),
                         "verified", w->verified,
                         "write_calls", calls_to_json(w->counters_known, &w->write_calls),
                         "commit_calls", calls_to_json(w->counters_known, &w->commit_calls));
}

static json_t *workloads_to_json(const struct probe_result *p)
{
        json_t *array = json_array();

        for (size_t i = 0; i < WORKLOAD_COUNT; i++)
                if (p->results[i].outcome != OUTCOME_NOT_RUN)
                        json_append(&array, workload_to_json((enum workload) i, &p->results[i]));
        return array;
}

static json_t *stable_to_json(const struct probe_result *p)
{
        json_t *array = json_array();

        for (size_t i = 0; i < STABLE_SIZES; i++) {
                const struct stable_latency *s = &p->stable[i];

                if (s->latency.n > 0)
                        json_append(&array, json_pack("{s:o, s:o}", "size_bytes", json_number(s->size_bytes), "latency",
                                                 latency_to_json(&s->latency)));
        }
        return array;
}

json_t *report_json_probe(const struct probe_result *p)
{
        return json_pack("{s:s, s:o, s:o, s:o, s:o}",
                         "state", probe_state_name(p->state),
                         "reason", json_string_or_null(p->reason),
                         "written_bytes", json_number(p->written_bytes),
                         "workloads", workloads_to_json(p),
                         "stable", stable_to_json(p));
}

json_t *report_json_liveness(const struct observation *o)
{
        return json_pack("{s:s, s:o}", "state", liveness_name(o->liveness), "witnesses",
                         json_string_or_null(o->liveness_witnesses));
}

json_t *report_json_export(const struct export_facts *e)
{
        if (!e->known)
                return json_null();
        return json_pack("{s:b, s:o, s:o}", "async", e->async, "place", json_place(&e->place), "text",
                         json_string_or_null(e->text));
}
