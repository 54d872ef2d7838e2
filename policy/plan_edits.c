/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan_edits.c - what every source asks for after the change. See change.h. */
#include "policy/change.h"

#include <errno.h>
#include <string.h>

#include "policy/sources.h"

/* As they are written; the escapes may hide what only the decoded form can be parsed as. */
static int written_options(const struct requested *r, struct options *ret)
{
        int err = r->options_text ? options_parse(r->options_text, strlen(r->options_text), ret) : 0;

        if (err == -ENOMEM)
                return err;
        if (err == 0 && ret->n_items == r->options.n_items)
                return 0;
        options_done(ret);
        return options_copy(&r->options, ret);
}

/* The spelling that takes the place of option @i; NULL: it just goes. */
static const struct mount_option *respelling(const struct change *c, const struct requested *r, size_t i)
{
        const struct mount_option *s = change_setting(c, &r->options, &r->options.items[i]);

        for (size_t k = 0; s && k < c->respell.n_items; k++)
                if (s == &c->respell.items[k])
                        return place_of_setting(c, s, &r->options) == i && !setting_is_default(s) ? s : NULL;
        return NULL;
}

/* A source beside the one that the plan rewrites: nothing is added to it. */
static int remaining_options(const struct change *c, const struct requested *r, char **ret)
{
        cleanup(options_done) struct options written = { 0 }, o = { 0 };
        int err = written_options(r, &written);

        for (size_t i = 0; i < r->options.n_items && err == 0; i++) {
                const struct mount_option *instead;

                if (!change_removes(c, r, i)) {
                        err = options_add(&o, written.items[i].name, written.items[i].value);
                        continue;
                }
                instead = respelling(c, r, i);
                if (instead)
                        err = options_add_written(&o, instead, r->place.kind == PLACE_FSTAB);
        }
        if (err < 0)
                return err;
        *ret = options_format(&o);
        return *ret ? 0 : -ENOMEM;
}

static int fstab_line(const struct requested *r, const char *options, char **ret)
{
        struct text line = { 0 };

        text_add_fstab_line(&line, r, *options ? options : "defaults");
        *ret = text_take(&line);
        return *ret ? 0 : -ENOMEM;
}

/* @e is counted by the plan already. */
static int edit_write(const struct change *c, const struct plan *p, size_t source, struct plan_edit *e)
{
        const struct requested *r = &c->o->requested[source];
        int err = 0;

        e->source = source;
        if (r == c->primary && !r->is_default) {
                e->options = strdup(p->options);
                err = e->options ? 0 : -ENOMEM;
        } else {
                err = remaining_options(c, r, &e->options);
        }
        if (err == 0 && r->place.kind == PLACE_FSTAB && r->text)
                err = fstab_line(r, e->options, &e->line);
        return err;
}

int plan_write_edits(const struct change *c, struct plan *p)
{
        p->needs_line = change_needs_own_line(c);
        p->edits = calloc(c->o->n_requested + 1, sizeof(*p->edits));
        if (!p->edits)
                return -ENOMEM;
        for (size_t i = 0; i < c->o->n_requested; i++) {
                const struct requested *r = &c->o->requested[i];

                if (!change_needs_edit(c, r) && (r != c->primary || r->is_default))
                        continue;
                if (edit_write(c, p, i, &p->edits[p->n_edits++]) < 0)
                        return -ENOMEM;
        }
        return 0;
}
