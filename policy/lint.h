/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/lint.h - what is wrong with an option list, without looking at any mount.
 *
 * Layer:     policy (pure).
 * Ownership: lint_done() frees.
 */
#pragma once

#include "policy/advice.h"

struct lint_problem {
        bool  obsolete;         /* an old habit (obsolete-option); else invalid-option */
        bool  guess;            /* what was meant is a guess: show it, put it into no plan */
        char *option;           /* as written: "rszie=32768" */
        char *drop;             /* option text to remove; NULL: none */
        char *set;              /* option text to write instead; NULL: none */
        char *words;            /* one clause: what is wrong and what holds: "is ignored since Linux 2.6.25" */
};

struct lint {
        struct lint_problem *problems;  /* in the order of the options */
        size_t n_problems;
};

/* Unknown names (with the nearest known one), values that are none, the same
 * option twice (says which one wins), options that contradict each other, options
 * that do nothing beside another one, options of the server's side, options of
 * another file system, obsolete ones. A perfect list has no problem, and unknown
 * options that carry a value are left alone when no known name is near: they
 * may come from a newer kernel.
 * @suffixes: sizes like 32k are understood there (nfsmount.conf).
 * Return: 0 or -ENOMEM. */
int lint_options(const struct options *o, bool suffixes, struct lint *ret) must_check;
void lint_done(struct lint *l);
