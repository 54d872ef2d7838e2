/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/report_parts.h - what report_text.c puts together.
 *
 * Layer: daemon. Pure: everything is appended to the page. The words of a group
 *        come from its first member, targets and new lines from all.
 */
#pragma once

#include "daemon/paragraph.h"
#include "daemon/report_groups.h"

/* As many names as a person reads; then "and 92 more". */
#define NAMES_SHOWN 8

/* "/a, /b and 92 more", of lines with their places. */
void text_add_group_names(struct text *t, const struct report_group *g);

/* ---- report_mount.c: what the mounts are, and what was measured ------------- */

/* Targets and sources. */
void say_group_title(struct page *p, const struct report_group *g);
void say_mount_facts(struct page *p, const struct report_group *g);

/* ---- report_advice.c: what to do ---------------------------------------------- */

/* @findings (may be NULL) follow below: what they say of a line is not said twice. */
void say_recommendations(struct page *p, const struct report_group *g, const struct findings *findings);

/* The exact new lines of all members, each in one piece, and how to go on. @served: the service can do it, too. */
void say_plan(struct page *p, const struct report_group *g, bool served);

/* ---- report_unknown.c: what could not be judged --------------------------------- */

/* One thing that is missing, for some mounts. */
struct unknown {
        const char *missing;
        size_t rules;                   /* bit set of enum rule */
        const char *command;            /* of the first mount */
        size_t n_mounts;
        size_t first_group, last_group; /* between which all of them are */
        size_t first_mount, last_mount; /* counted over all groups */
};

struct unknowns {
        struct unknown *items;          /* in the order of their first appearance */
        size_t n_items;
        size_t quiet_group;             /* the number of the group that has no paragraph of its own */
        bool lacks_mountstats;          /* of the report */
};

/* What the members of @groups lack; the last one has no paragraph of its own. Return: 0 or -ENOMEM; the caller frees
 * items. */
int unknowns_collect(const struct report_group *groups, size_t n_groups, struct unknowns *ret) must_check;

/* What only members of the group @only lack, or what is left for the end (SIZE_MAX). */
void say_unknowns(struct page *p, const struct unknowns *u, size_t only);
