/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/change.h - between merging recommendations and wording the plan.
 *
 * Layer:  policy (pure); private to plan*.c.
 * Errors: 0 or -ENOMEM; what was written so far is in the plan, whose owner frees it.
 */
#pragma once

#include "policy/advice.h"

/* What all recommendations together want. Borrows the observation. */
struct change {
        const struct observation *o;
        struct options drop;                    /* option texts; the name decides */
        struct options set;
        enum method method;
        const struct requested *primary;        /* its text is rewritten; NULL: no source names a dropped option */
};

/* The administrator's own line, in contrast to defaults and maps that serve other mounts too. */
bool requested_is_own_line(const struct requested *r);

/* Does this source, when it can be edited, name something that is dropped? */
bool change_needs_edit(const struct change *c, const struct requested *r);

/* plan_options.c: p->options */
int plan_write_options(const struct change *c, struct plan *p) must_check;

/* plan_text.c: p->replacement, p->text; after p->options and p->place */
int plan_write_replacement(const struct change *c, struct plan *p) must_check;
int plan_write_text(const struct change *c, struct plan *p) must_check;
