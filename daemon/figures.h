/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/figures.h - an observation in words: for the journal and the report.
 *
 * Layer: daemon. Pure; each function appends to @t one clause without a
 *        full stop, or nothing when nothing is known.
 */
#pragma once

#include "policy/advice.h"
#include "policy/compare.h"
#include "policy/observation.h"
#include "policy/text.h"

/* "answers in 0.5 ms (5 of 5 NULL calls, spread 0.1 ms)" */
void text_add_answer(struct text *t, const struct server_facts *s);

/* "reads up to 1 MiB, writes up to 1 MiB (fsinfo)" */
void text_add_limits(struct text *t, const struct server_facts *s);

/* Names of the bits of enum nfs_version_bit, lowest first. */
#define NFS_VERSION_BITS 5
extern const char *const nfs_version_names[NFS_VERSION_BITS];

/* "3, 4.1, 4.2" */
void text_add_versions(struct text *t, unsigned versions);

/* "256 KiB in 12 ms (32 writes: median 30 us, longest 2 ms; close 8 ms)" */
void text_add_workload(struct text *t, const struct workload_result *w);

/* "4 KiB stable on the server in 5.1 ms (4 times)" */
void text_add_stable(struct text *t, const struct stable_latency *s);

/* "saving a file took 1.2 s before and 100 ms after (medians of 11 pairs measured in turn: 8.3 % of the time before,
 * 95 % interval 7.1 % to 9.9 %)" */
void text_add_comparison(struct text *t, const struct comparison *c);

/* "/etc/fstab, line 7"; words for an unknown place. */
void text_add_place_line(struct text *t, const struct place *p);

/* "remove rsize=32768,wsize=32768", "remove intr, write vers=4.1"; nothing when no option changes. */
void text_add_change(struct text *t, const struct recommendation *r);

/* Is the recommendation part of the mount's plan (policy/plan.h)? */
bool is_in_plan(const struct recommendation *r, const struct plan *p);

/* "Is noac intended here? Keep it where ...": what is asked before anything is
 * said against a setting that may be deliberate (recommendation.question). */
void text_add_question(struct text *t, const struct recommendation *r);

/* The options as one line of /proc/mounts shows them: the superblock's flags,
 * the mount's, then the file system's; "ro" when either is read-only.
 * NULL on -ENOMEM; the caller frees. */
char *effective_options(const struct mount_facts *m) must_check;
