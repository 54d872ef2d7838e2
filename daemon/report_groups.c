/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which items of a report are said together. See report_groups.h. */

#include "daemon/report_groups.h"

#include <errno.h>
#include <string.h>

#include "policy/groups.h"

/* What groups_make() wants, for the mounts or for the lines of a report. */
struct part {
        const struct observation **observations;
        const struct advice **advice;
        size_t *index;                  /* in the report's items */
        size_t n;
};

static void part_done(struct part *p)
{
        free(p->observations);
        free(p->advice);
        free(p->index);
}

static int part_make(const struct report *r, bool lines, struct part *ret)
{
        *ret = (struct part) {
                .observations = calloc(r->n_items + 1, sizeof(struct observation *)),
                .advice = calloc(r->n_items + 1, sizeof(struct advice *)),
                .index = calloc(r->n_items + 1, sizeof(size_t)),
        };
        if (!ret->observations || !ret->advice || !ret->index)
                return -ENOMEM;
        for (size_t i = 0; i < r->n_items; i++) {
                if (r->items[i].observation->only_requested != lines)
                        continue;
                ret->observations[ret->n] = r->items[i].observation;
                ret->advice[ret->n] = r->items[i].advice;
                ret->index[ret->n++] = i;
        }
        return 0;
}

/* Moves the members of @from to @to, as indices into the report. Return: the group. */
static struct report_group move_members(const struct report *r, const struct part *p, const struct group *from,
                                        size_t *to)
{
        for (size_t i = 0; i < from->n_members; i++)
                to[i] = p->index[from->members[i]];
        return (struct report_group) { .items = r->items, .members = to, .n_members = from->n_members };
}

/* The groups with advice; what has none is appended to @members behind them and counted. */
static int make_groups(const struct report *r, bool lines, size_t *members, struct report_group **ret,
                       size_t *ret_n, struct report_group *ret_quiet)
{
        cleanup(part_done) struct part p = {};
        cleanup(groups_done) struct groups groups = {};
        size_t used = 0, n = 0, first_quiet;
        int err = part_make(r, lines, &p);

        if (err == 0)
                err = groups_make(p.observations, p.advice, p.n, &groups);
        if (err < 0)
                return err;
        *ret = calloc(groups.n_items + 1, sizeof(**ret));
        if (!*ret)
                return -ENOMEM;
        for (size_t i = 0; i < groups.n_items; i++) {
                const struct group *g = &groups.items[i];

                if (p.advice[g->members[0]]->n_recommendations == 0)
                        continue;
                (*ret)[n++] = move_members(r, &p, g, members + used);
                used += g->n_members;
        }
        first_quiet = used;
        for (size_t i = 0; i < p.n; i++)
                if (p.advice[i]->n_recommendations == 0)
                        members[used++] = p.index[i];
        *ret_n = n;
        *ret_quiet = (struct report_group) { .items = r->items, .members = members + first_quiet,
                                             .n_members = used - first_quiet };
        return 0;
}

static int compare_lines(const void *a, const void *b)
{
        const struct report_group *p = a, *q = b;
        int c = place_compare(observation_place(group_item(p, 0)->observation),
                              observation_place(group_item(q, 0)->observation));

        return c != 0 ? c : (p->members[0] > q->members[0]) - (p->members[0] < q->members[0]);
}

int report_groups_make(const struct report *r, struct report_groups *ret)
{
        struct report_groups g = { .members = calloc(r->n_items + 1, sizeof(size_t)) };
        struct report_group quiet_lines = {};
        int err = -ENOMEM;

        if (g.members)
                err = make_groups(r, false, g.members, &g.mounts, &g.n_mounts, &g.quiet);
        if (err == 0) {
                size_t used = g.quiet.n_members;

                for (size_t i = 0; i < g.n_mounts; i++)
                        used += g.mounts[i].n_members;
                err = make_groups(r, true, g.members + used, &g.lines, &g.n_lines, &quiet_lines);
        }
        if (err < 0) {
                report_groups_done(&g);
                return err;
        }
        g.n_quiet_lines = quiet_lines.n_members;
        qsort(g.lines, g.n_lines, sizeof(*g.lines), compare_lines);
        *ret = g;
        return 0;
}

void report_groups_done(struct report_groups *g)
{
        free(g->mounts);
        free(g->lines);
        free(g->members);
        *g = (struct report_groups) {};
}

const struct place *observation_place(const struct observation *o)
{
        for (size_t i = 0; i < o->n_requested; i++)
                if (!o->requested[i].is_record)
                        return &o->requested[i].place;
        return NULL;
}

int place_compare(const struct place *a, const struct place *b)
{
        int c;

        if (!a || !b)
                return (a != NULL) - (b != NULL);
        c = strcmp(a->file ? a->file : "", b->file ? b->file : "");
        return c != 0 ? c : (a->line > b->line) - (a->line < b->line);
}
