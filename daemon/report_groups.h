/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/report_groups.h - which items of a report are said together.
 *
 * Layer:     daemon. Pure.
 * Ownership: report_groups_done() frees; the items stay the report's.
 */
#pragma once

#include "daemon/report.h"

/* Items with the same advice: indices into items[], in the order of the report. */
struct report_group {
        const struct report_item *items;
        const size_t *members;
        size_t n_members;
};

struct report_groups {
        struct report_group *mounts;    /* with advice, the most useful first */
        size_t n_mounts;
        struct report_group quiet;      /* all mounts without advice; may have no member */
        struct report_group *lines;     /* lines with advice that no mount belongs to, by file and line */
        size_t n_lines;
        size_t n_quiet_lines;           /* the same without advice */
        size_t *members;                /* what the groups point into */
};

/* Return: 0 or -ENOMEM. */
int report_groups_make(const struct report *r, struct report_groups *ret) must_check;
void report_groups_done(struct report_groups *g);

static inline const struct report_item *group_item(const struct report_group *g, size_t i)
{
        return &g->items[g->members[i]];
}

/* Where a line that no mount belongs to stands: its strongest source. NULL: none is known. */
const struct place *observation_place(const struct observation *o);

/* By file, then line. */
int place_compare(const struct place *a, const struct place *b);
