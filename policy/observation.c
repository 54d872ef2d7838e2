/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/observation.c - copies and ends of the plain types. See observation.h. */
#include "policy/observation.h"

#include <errno.h>
#include <string.h>

/* Copies a string that may be NULL. */
static int string_copy(const char *s, char **ret)
{
        *ret = s ? strdup(s) : NULL;
        return s && !*ret ? -ENOMEM : 0;
}

int place_copy(const struct place *p, struct place *ret)
{
        *ret = (struct place){ .kind = p->kind, .line = p->line };
        return string_copy(p->file, &ret->file);
}

void place_done(struct place *p)
{
        free(p->file);
        *p = (struct place){ 0 };
}

int mount_facts_copy(const struct mount_facts *m, struct mount_facts *ret)
{
        struct mount_facts c = *m;
        int r = 0;

        c.target = c.source = c.server = c.export_path = c.fstype = c.propagation = NULL;
        c.vfs = c.super = (struct options){ 0 };
        if (string_copy(m->target, &c.target) < 0 || string_copy(m->source, &c.source) < 0 ||
            string_copy(m->server, &c.server) < 0 || string_copy(m->export_path, &c.export_path) < 0 ||
            string_copy(m->fstype, &c.fstype) < 0 || string_copy(m->propagation, &c.propagation) < 0 ||
            options_copy(&m->vfs, &c.vfs) < 0 || options_copy(&m->super, &c.super) < 0)
                r = -ENOMEM;
        if (r < 0)
                mount_facts_done(&c);
        else
                *ret = c;
        return r;
}

void requested_done(struct requested *r)
{
        place_done(&r->place);
        free(r->text);
        free(r->options_text);
        options_done(&r->options);
        free(r->section);
        free(r->line_problem);
        free(r->line_mended);
        *r = (struct requested){ 0 };
}

void mount_facts_done(struct mount_facts *m)
{
        free(m->target);
        free(m->source);
        free(m->server);
        free(m->export_path);
        free(m->fstype);
        options_done(&m->vfs);
        options_done(&m->super);
        free(m->propagation);
        free(m->parent_propagation);
        free(m->place_on_parent);
        *m = (struct mount_facts){ 0 };
}

void counters_done(struct counters *c)
{
        free(c->implementation);
        *c = (struct counters){ 0 };
}

void server_facts_done(struct server_facts *s)
{
        free(s->detail);
        free(s->limit_detail);
        *s = (struct server_facts){ 0 };
}

void probe_result_done(struct probe_result *p)
{
        free(p->reason);
        *p = (struct probe_result){ 0 };
}

void export_facts_done(struct export_facts *e)
{
        place_done(&e->place);
        free(e->text);
        *e = (struct export_facts){ 0 };
}

void observation_done(struct observation *o)
{
        mount_facts_done(&o->mount);
        for (size_t i = 0; i < o->n_requested; i++)
                requested_done(&o->requested[i]);
        free(o->requested);
        for (size_t i = 0; i < o->n_shares; i++)
                free(o->shares_superblock_with[i]);
        free(o->shares_superblock_with);
        counters_done(&o->counters);
        server_facts_done(&o->server);
        probe_result_done(&o->probe);
        export_facts_done(&o->export_facts);
        for (size_t i = 0; i < o->n_trials; i++)
                free(o->trials[i].options);
        free(o->trials);
        free(o->baseline.grown);
        free(o->liveness_witnesses);
        free(o->own_change);
        *o = (struct observation){ 0 };
}

void snapshot_done(struct snapshot *s)
{
        for (size_t i = 0; i < s->n_mounts; i++)
                observation_done(&s->mounts[i]);
        free(s->mounts);
        free(s->kernel_release);
        *s = (struct snapshot){ 0 };
}

bool rpc_op_counters_delta(const struct rpc_op_counters *earlier, const struct rpc_op_counters *later,
                           struct rpc_op_counters *ret)
{
        bool backwards = false;

        *ret = (struct rpc_op_counters){ 0 };
#define DELTA(field) (backwards |= __builtin_sub_overflow(later->field, earlier->field, &ret->field))
        DELTA(calls);
        DELTA(transmissions);
        DELTA(major_timeouts);
        DELTA(sent_bytes);
        DELTA(received_bytes);
        DELTA(queue_msec);
        DELTA(round_trip_msec);
        DELTA(execute_msec);
        DELTA(errors);
#undef DELTA
        if (backwards)
                *ret = (struct rpc_op_counters){ 0 };
        return !backwards;
}
