/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/report.h - a whole round for a person or a script.
 *
 * Layer:   daemon. External library: jansson (report_json.c, report_observations.c); report_text.c has none.
 * Format:  DESIGN section 12, "version": 1.
 */
#pragma once

#include <stdio.h>

#include "policy/advice.h"
#include "policy/observation.h"

/* One judged mount: borrowed pointers. */
struct report_item {
        const struct observation *observation;
        const struct advice *advice;
};

/* All of a host. Borrowed. */
struct report {
        const struct report_item *items;
        size_t n_items;
        const struct findings *findings;        /* may be NULL */
        bool lacks_mountstats;                  /* made from files, and mountstats could be given */
        bool served;                            /* by the running service, which can make changes */
};

/* Is there anything to say? (exit status 1 of nfstunectl check) */
bool report_has_advice(const struct report *r);

/* Pretty-printed JSON with a trailing newline. Items whose observation is
 * only_requested are printed as findings, one per recommendation.
 * Return: 0, -ENOMEM, or the negative errno of writing. */
int report_json(FILE *out, const struct report *r) must_check;

/* The observations themselves: a JSON array with one of them on each line, as
 * "nfstunectl check --observation" reads it. Return: as above. */
int report_observations(FILE *out, const struct report *r) must_check;

/* For people: per mount what it is, what was measured, what to change, why,
 * what it brings, the exact line to write. Mounts with the same advice
 * (policy/groups.h) are one paragraph, the most useful advice comes first. @color: use escape sequences. */
int report_text(FILE *out, const struct report *r, bool color) must_check;
