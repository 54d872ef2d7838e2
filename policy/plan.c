/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan.c - many recommendations, one change. See plan.h. */
#include "policy/plan.h"

void plan_done(struct plan *p)
{
        free(p->options);
        place_done(&p->place);
        free(p->replacement);
        free(p->text);
        *p = (struct plan){ 0 };
}
