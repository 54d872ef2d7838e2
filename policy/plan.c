/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan.c - many recommendations, one change. See plan.h. */
#include "policy/plan.h"

#include <errno.h>
#include <string.h>

#include "policy/change.h"
#include "policy/paths.h"
#include "policy/sources.h"

/* ---- places ---------------------------------------------------------------- */

bool requested_is_own_line(const struct requested *r)
{
        return r->place.kind == PLACE_FSTAB || r->place.kind == PLACE_UNIT;
}

/* Defaults give way to an own line that says something else; where nothing is
 * written because the default is wanted, they have to go. */
bool change_removes(const struct change *c, const struct requested *r, size_t i)
{
        const struct mount_option *o = &r->options.items[i], *setting = change_setting(c, &r->options, o);

        if (!setting)
                return change_takes(c, o) || (r->is_default && change_uncovers(c, o));
        if (same_option(setting, o))
                return place_of_setting(c, setting, &r->options) != i;
        return !r->is_default || change_takes(c, o) || setting_is_default(setting);
}

bool change_needs_edit(const struct change *c, const struct requested *r)
{
        for (size_t i = 0; i < r->options.n_items && !r->is_record; i++)
                if (change_removes(c, r, i))
                        return true;
        return false;
}

bool change_writes_settings(const struct change *c)
{
        for (size_t i = 0; i < c->set.n_items; i++)
                if (!setting_is_default(&c->set.items[i]))
                        return true;
        return false;
}

/* Is it edited, though nothing has to be taken out? */
static bool receives(const struct change *c, const struct requested *r)
{
        return !r->is_record && !r->is_default &&
               ((c->mends_line && r->line_mended) || change_writes_settings(c));
}

/* The administrator's own line before defaults that also serve other mounts. */
static const struct requested *choose_primary(const struct change *c)
{
        const struct requested *first = NULL, *receiver = NULL;

        for (size_t i = 0; i < c->o->n_requested; i++) {
                const struct requested *r = &c->o->requested[i];

                if (change_needs_edit(c, r)) {
                        if (requested_is_own_line(r))
                                return r;
                        if (!first)
                                first = r;
                }
                if (!receiver && receives(c, r))
                        receiver = r;
        }
        return receiver ? receiver : first;
}

static int write_place(const struct change *c, struct plan *p)
{
        if (!change_edits_options(c)) {
                p->place.file = strdup(READ_AHEAD_RULES_FILE);
                return p->place.file ? 0 : -ENOMEM;
        }
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
        if (r == 0 && change_edits_options(c))
                r = plan_write_edits(c, p);
        p->method = c->method;
        p->automatic = c->automatic;
        p->exists = true;
        return r;
}

int plan_make(const struct observation *o, const struct recommendation *r, size_t n, enum plan_scope scope,
              struct plan *ret)
{
        cleanup(change_done) struct change c = { .o = o, .method = METHOD_NONE };
        cleanup(plan_done) struct plan p = { 0 };
        int err = change_merge(&c, r, n, scope);

        *ret = (struct plan){ 0 };
        if (err < 0 || (!change_edits_options(&c) && !c.read_ahead_kb))
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
        for (size_t i = 0; i < p->n_edits; i++) {
                free(p->edits[i].options);
                free(p->edits[i].line);
        }
        free(p->edits);
        *p = (struct plan){ 0 };
}
