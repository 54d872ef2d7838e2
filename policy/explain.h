/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/explain.h - what a rule or an option means, in words.
 *
 * Layer: policy (pure).
 */
#pragma once

#include "policy/advice.h"
#include "policy/option_table.h"
#include "policy/text.h"

struct rule_help {
        const char *title;      /* one line */
        const char *fires;      /* when it speaks up, what it needs to be sure */
        const char *means;      /* what happens there and why it costs time or data */
        const char *change;     /* what to do, how, and what that takes */
        const char *keep;       /* when to keep things as they are; NULL: never a choice */
        const char *see;        /* nfs(5), RFC ...; or NULL */
};

/* Never NULL. */
const struct rule_help *rule_help(enum rule rule);

/* Appends the explanation of an option: what it does, its values and default,
 * what the kernel prints, what a remount does with it, since when, when to keep it. */
void text_add_option_help(struct text *t, const struct option_info *i);
