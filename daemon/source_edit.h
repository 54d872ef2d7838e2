/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/source_edit.h - one edit, applied to a file's text.
 *
 * Layer:   daemon (pure text).
 * Meaning: old_text and new_text are whole lines, several ones only where a block is meant.
 *          old and new: exchanged. The line is looked for at its number; where it moved, anywhere, if it is unique.
 *          new alone: the whole file (PLACE_UNIT, line 0), or a block at its end (PLACE_NFSMOUNT_CONF).
 *          old alone: taken out; a file that was written whole is removed (PLACE_UNIT, line 0).
 *          In an fstab lines are compared byte for byte; elsewhere blanks around the line, and around its '=', do not
 *          count, and stay as they are.
 */
#pragma once

#include "daemon/apply_request.h"

/* First line of what nfstuned writes whole. */
#define OWN_FILE_HEADER "# Written by nfstuned; \"nfstunectl rollback --persist\" takes it back.\n"

/* The place of a drop-in, and of the snippet with defaults of single mounts. */
#define OWN_DROPIN  "50-nfstuned.conf"
#define OWN_SNIPPET "/etc/nfsmount.conf.d/nfstuned.conf"

/* @text: NULL for a missing file. *ret NULL: the file goes.
 * Return: 0; 1 with words when the line is not what it was; -ENOMEM. */
int source_edit_apply(const struct source_edit *e, const char *text, char **ret, char **ret_words) must_check;

/* The way back of @e. Return: 0 or -ENOMEM. */
int persist_reverse(const struct source_edit *e, struct source_edit *ret) must_check;

/* The differences of two versions of @file as a unified diff with 3 lines of context, in one hunk; nothing where they
 * are equal. NULL: the file does not exist. */
void text_add_diff(struct text *t, const char *file, const char *before, const char *after);
