/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/advice.c - the end of what the policy said. See advice.h. */
#include "policy/advice.h"

#include <errno.h>

#include "policy/plan.h"
#include "policy/text.h"

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
        free(r->keep);
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

static void finding_done(struct finding *f)
{
        place_done(&f->place);
        free(f->evidence);
        free(f->text);
}

int findings_add(struct findings *f, enum rule rule, const struct place *place, struct text *evidence,
                 struct text *words)
{
        struct finding *bigger, item = { .rule = rule, .evidence = text_take(evidence), .text = text_take(words) };

        bigger = reallocarray(f->items, f->n_items + 1, sizeof(*bigger));
        if (bigger)
                f->items = bigger;
        if (!bigger || !item.evidence || !item.text || place_copy(place, &item.place) < 0) {
                finding_done(&item);
                return -ENOMEM;
        }
        f->items[f->n_items++] = item;
        return 0;
}

void findings_done(struct findings *f)
{
        for (size_t i = 0; i < f->n_items; i++)
                finding_done(&f->items[i]);
        free(f->items);
        *f = (struct findings){ 0 };
}
