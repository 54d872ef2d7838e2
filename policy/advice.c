/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/advice.c - the end of what the policy said. See advice.h. */
#include "policy/advice.h"

#include "policy/plan.h"

static void strings_done(char **strings, size_t n)
{
        for (size_t i = 0; i < n; i++)
                free(strings[i]);
        free(strings);
}

void recommendation_done(struct recommendation *r)
{
        strings_done(r->drop, r->n_drop);
        strings_done(r->set, r->n_set);
        place_done(&r->place);
        free(r->summary);
        free(r->evidence);
        free(r->gain);
        free(r->risk);
        *r = (struct recommendation){ 0 };
}

void advice_done(struct advice *a)
{
        for (size_t i = 0; i < a->n_recommendations; i++)
                recommendation_done(&a->recommendations[i]);
        free(a->recommendations);
        for (size_t i = 0; i < a->n_cannot_tell; i++) {
                free(a->cannot_tell[i].missing);
                free(a->cannot_tell[i].command);
        }
        free(a->cannot_tell);
        plan_done(&a->plan);
        *a = (struct advice){ 0 };
}
