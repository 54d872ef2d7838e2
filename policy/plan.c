/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan.c - many recommendations, one change. See plan.h. */
#include "policy/plan.h"

#include "policy/change.h"
#include "policy/paths.h"
#include "policy/sources.h"

static void change_done(struct change *c)
{
        options_done(&c->drop);
        options_done(&c->set);
}

/* ---- merging --------------------------------------------------------------- */

static bool belongs_in_plan(const struct recommendation *r)
{
        return r->confidence > CONFIDENCE_POSSIBLE && !r->question && r->n_drop + r->n_set > 0 &&
               (r->method == METHOD_LIVE || r->method == METHOD_REPLACE || r->method == METHOD_SOURCE);
}

/* Replace does what live does, and live makes more true than an edited file. */
static enum method stronger(enum method a, enum method b)
{
        static const unsigned rank[METHOD_COUNT] = { [METHOD_SOURCE] = 1, [METHOD_LIVE] = 2, [METHOD_REPLACE] = 3 };

        return rank[a] >= rank[b] ? a : b;
}

static int merge_texts(struct options *into, char *const *texts, size_t n)
{
        cleanup(options_done) struct options o = { 0 };
        int r = option_texts_parse(texts, n, &o);

        for (size_t i = 0; i < o.n_items && r == 0; i++)
                r = options_set(into, o.items[i].name, o.items[i].value);
        return r;
}

static int merge(struct change *c, const struct recommendation *r, size_t n, enum plan_scope scope)
{
        for (size_t i = 0; i < n; i++) {
                int err;

                if (!belongs_in_plan(&r[i]) || (scope == PLAN_AUTOMATIC && !r[i].automatic))
                        continue;
                c->method = stronger(c->method, r[i].method);
                err = merge_texts(&c->drop, r[i].drop, r[i].n_drop);
                if (err == 0)
                        err = merge_texts(&c->set, r[i].set, r[i].n_set);
                if (err < 0)
                        return err;
        }
        return 0;
}

/* ---- places ---------------------------------------------------------------- */

bool requested_is_own_line(const struct requested *r)
{
        return r->place.kind == PLACE_FSTAB || r->place.kind == PLACE_UNIT;
}

bool change_needs_edit(const struct change *c, const struct requested *r)
{
        for (size_t i = 0; i < c->drop.n_items && !r->is_record; i++)
                if (options_has(&r->options, c->drop.items[i].name))
                        return true;
        return false;
}

/* The administrator's own line before defaults that also serve other mounts. */
static const struct requested *choose_primary(const struct change *c)
{
        const struct requested *first = NULL;

        for (size_t i = 0; i < c->o->n_requested; i++) {
                const struct requested *r = &c->o->requested[i];

                if (!change_needs_edit(c, r))
                        continue;
                if (requested_is_own_line(r))
                        return r;
                if (!first)
                        first = r;
        }
        return first;
}

static int write_place(const struct change *c, struct plan *p)
{
        if (c->primary)
                return place_copy(&c->primary->place, &p->place);
        return place_of_options(c->o, path_classify(c->o->mount.target), &c->drop, &p->place);
}

/* ---- the whole ---------------------------------------------------------------- */

static int write_plan(const struct change *c, struct plan *p)
{
        int r = write_place(c, p);

        if (r == 0)
                r = plan_write_options(c, p);
        if (r == 0)
                r = plan_write_replacement(c, p);
        if (r == 0)
                r = plan_write_text(c, p);
        p->method = c->method;
        p->exists = true;
        return r;
}

int plan_make(const struct observation *o, const struct recommendation *r, size_t n, enum plan_scope scope,
              struct plan *ret)
{
        cleanup(change_done) struct change c = { .o = o, .method = METHOD_NONE };
        cleanup(plan_done) struct plan p = { 0 };
        int err = merge(&c, r, n, scope);

        *ret = (struct plan){ 0 };
        if (err < 0 || (c.drop.n_items == 0 && c.set.n_items == 0))
                return err;
        c.primary = choose_primary(&c);
        err = write_plan(&c, &p);
        if (err < 0)
                return err;
        *ret = p;
        p = (struct plan){ 0 };
        return 0;
}

void plan_done(struct plan *p)
{
        free(p->options);
        place_done(&p->place);
        free(p->replacement);
        free(p->text);
        *p = (struct plan){ 0 };
}
