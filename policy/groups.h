/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/groups.h - a whole host: one advice for many mounts, the most useful first.
 *
 * Layer:     policy (pure).
 * Ownership: groups_done() frees; members are indices into the caller's arrays.
 */
#pragma once

#include "policy/advice.h"

/* Mounts that get the same advice because they share a superblock, or because
 * lines of one template ask for the same: equal rules with equal changes, and
 * equal option texts. A mount with nothing to say is a group of its own. */
struct group {
        size_t *members;        /* in the order given */
        size_t n_members;
};

struct groups {
        struct group *items;    /* by what the advice would bring: urgent, then the largest gain, then confidence;
                                 * mounts without advice last; ties in the order given */
        size_t n_items;
};

/* Return: 0 or -ENOMEM. At most a few seconds of nothing for 10,000 mounts: n log n. */
int groups_make(const struct observation *const *o, const struct advice *const *a, size_t n,
                struct groups *ret) must_check;
void groups_done(struct groups *g);
