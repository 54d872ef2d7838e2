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

/* Each string of a mount, so that none is copied and not freed. */
#define MOUNT_STRINGS(m)                                                                                          \
        {                                                                                                         \
                &(m)->target, &(m)->source, &(m)->server, &(m)->export_path, &(m)->fstype, &(m)->propagation,     \
                        &(m)->parent_propagation, &(m)->place_on_parent,                                          \
        }

int mount_facts_copy(const struct mount_facts *m, struct mount_facts *ret)
{
        struct mount_facts c = *m;
        char **const strings[] = MOUNT_STRINGS(&c);
        int r = 0;

        c.vfs = c.super = (struct options){ 0 };
        for (size_t i = 0; i < ARRAY_SIZE(strings); i++)
                if (string_copy(*strings[i], strings[i]) < 0)
                        r = -ENOMEM;
        if (r == 0)
                r = options_copy(&m->vfs, &c.vfs);
        if (r == 0)
                r = options_copy(&m->super, &c.super);
        if (r < 0)
                mount_facts_done(&c);
        else
                *ret = c;
        return r;
}

void mount_facts_done(struct mount_facts *m)
{
        char **const strings[] = MOUNT_STRINGS(m);

        for (size_t i = 0; i < ARRAY_SIZE(strings); i++)
                free(*strings[i]);
        options_done(&m->vfs);
        options_done(&m->super);
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
