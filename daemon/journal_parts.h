/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/journal_parts.h - what every event is put together from.
 *
 * Layer: daemon, for journal_message.c and journal_change.c only.
 */
#pragma once

#include "daemon/journal_message.h"

/* ---- fields ---- */

/* Empties *m and sets what each event has, and which mount it is about. */
void message_begin_mount(struct journal_message *m, enum event e, int priority, const struct mount_facts *mount,
                         uint64_t round);

/* The other mount points of its superblock. */
void message_add_shares(struct journal_message *m, char *const *shares, size_t n);

/* NULL is an empty value. */
void message_add(struct journal_message *m, const char *name, const char *value);
void message_add_number(struct journal_message *m, const char *name, uint64_t value);

/* Takes the text over. */
void message_add_text(struct journal_message *m, const char *name, struct text *value);

/* What it has unless something is urgent. */
int event_priority(enum event e);

/* ---- sentences ---- */

/* "/data (server:/data)" */
void say_mount(struct text *t, const struct mount_facts *mount);

/* Appends "; LEAD CLAUSE", without the clause's own full stop; nothing for NULL or an empty one. */
void say_clause(struct text *t, const char *lead, const char *clause);
