/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/plan.h - many recommendations, one change.
 *
 * Layer: policy (pure).
 */
#pragma once

#include "policy/advice.h"

enum plan_scope {
        PLAN_SHOWN,             /* all that is proved and no question */
        PLAN_AUTOMATIC,         /* of these only what may be applied in auto-remount mode */
};

/* Merges the recommendations of confidence above POSSIBLE that change mount
 * options, and are no question, into one plan: the method is replace if one of them needs it, the
 * place is where the first of them is written, the text keeps the
 * administrator's other options, their order, the columns and the comment.
 * ret->exists is false when nothing is to be changed.
 * Return: 0 or -ENOMEM. */
int plan_make(const struct observation *o, const struct recommendation *r, size_t n, enum plan_scope scope,
              struct plan *ret) must_check;

void plan_done(struct plan *p);
