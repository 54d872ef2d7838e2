/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/change.h - between merging recommendations and wording the plan.
 *
 * Layer:  policy (pure); private to plan*.c.
 * Errors: 0 or -ENOMEM; what was written so far is in the plan, whose owner frees it.
 */
#pragma once

#include "policy/plan.h"
#include "policy/text.h"

/* What all recommendations together want. Borrows the observation and the recommendations. */
struct change {
        const struct observation *o;
        struct options drop;                    /* the name decides: every rsize goes with "rsize=32768" */
        struct options repair;                  /* the whole text decides: rsize=1024 goes, rsize=1048576 stays */
        struct options set;                     /* one per family; a default is wanted, but never written */
        struct options respell;                 /* the same, but only where something of the family was mended */
        const char *read_ahead_kb;              /* no mount option; or NULL */
        bool mends_line;                        /* the line itself is broken: line_mended takes its place */
        enum method method;
        bool automatic;                         /* every recommendation that is in it may be applied by itself */
        const struct requested *primary;        /* its text is rewritten; NULL: no source names what changes */
};

/* plan_merge.c: everything but the primary source */
int change_merge(struct change *c, const struct recommendation *r, size_t n, enum plan_scope scope) must_check;
bool change_edits_options(const struct change *c);      /* else there is at most a read-ahead to set */
void change_done(struct change *c);

/* Is this option taken out wherever it is written? */
bool change_takes(const struct change *c, const struct mount_option *o);

/* Would this default become effective when what stands before it is taken out? */
bool change_uncovers(const struct change *c, const struct mount_option *o);

/* The setting that decides the family of @o in this list; NULL: none does. */
const struct mount_option *change_setting(const struct change *c, const struct options *list,
                                          const struct mount_option *o);

/* Where a setting is written in this list: where it stands already, else where the
 * first option of its family stood. n_items: nowhere. */
size_t place_of_setting(const struct change *c, const struct mount_option *setting, const struct options *list);

/* Is it what holds anyway when nothing is said? Then nothing is written for it. */
bool setting_is_default(const struct mount_option *s);

/* The same option, where either may be written with the escapes of fstab (\040)? */
bool same_option(const struct mount_option *a, const struct mount_option *b);

/* The administrator's own line, in contrast to defaults and maps that serve other mounts too. */
bool requested_is_own_line(const struct requested *r);

/* Has something to be taken out of this source, when it can be edited? */
bool change_needs_edit(const struct change *c, const struct requested *r);

/* Does option @i of @r go? */
bool change_removes(const struct change *c, const struct requested *r, size_t i);

/* Is anything written, beside what is taken out? */
bool change_writes_settings(const struct change *c);

/* plan_options.c: p->options */
int plan_write_options(const struct change *c, struct plan *p) must_check;

/* plan_replacement.c: p->replacement; after p->options and p->place */
int plan_write_replacement(const struct change *c, struct plan *p) must_check;

/* The line of @r with these options, its columns and its comment as they are. */
void text_add_fstab_line(struct text *t, const struct requested *r, const char *options);

/* plan_edits.c: p->edits, p->needs_line; after p->options */
int plan_write_edits(const struct change *c, struct plan *p) must_check;

/* Settings of one mount do not belong into defaults: is a line of its own missing? */
bool change_needs_own_line(const struct change *c);

/* One option as its place writes it; @escape: as fstab needs it. Return: 0 or -ENOMEM. */
int options_add_written(struct options *o, const struct mount_option *setting, bool escape) must_check;

/* What goes from this source, as it is written there: "rsize=32768,sync". */
void text_add_removed(struct text *t, const struct change *c, const struct requested *r);

/* One column, with the escapes of fstab(5): a blank is \040, a backslash \134. */
void text_add_escaped(struct text *t, const char *s);

/* The udev rule that sets the read-ahead of NFS mounts, and only of those. */
void text_add_udev_rule(struct text *t, const char *read_ahead_kb);
#define READ_AHEAD_RULES_FILE "/etc/udev/rules.d/90-nfs-read-ahead.rules"

/* plan_text.c: p->text; after p->options and p->place */
int plan_write_text(const struct change *c, struct plan *p) must_check;
