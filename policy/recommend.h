/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/recommend.h - what every rule does when it writes its result.
 *
 * Layer:  policy (pure).
 * Errors: 0 or -ENOMEM. What was written so far is freed by the caller of the
 *         rule (recommendation_done), so that rules return at once.
 */
#pragma once

#include "policy/rules.h"
#include "policy/text.h"

/* Appends a copy of @text to the drop list unless it stands there. */
int recommend_drop(struct recommendation *r, const char *text) must_check;

/* Appends the option's text as the strongest editable source spells it, else as
 * it is effective. Nothing when neither names it. */
int recommend_drop_option(struct recommendation *r, const struct observation *o, const char *name) must_check;

/* Fills in the place of the dropped options. */
int recommend_place(struct recommendation *r, const struct rule_context *c) must_check;

/* Moves the text into a field. */
int recommend_words(char **field, struct text *t) must_check;

/* The same for words without figures. */
int recommend_sentence(char **field, const char *sentence) must_check;

/* "cannot tell": what is missing, with the reason when there is one, and the
 * command that would tell. Return: VERDICT_CANNOT_TELL or -ENOMEM. */
int cannot_tell(const struct rule_context *c, const char *missing, const char *reason,
                struct rule_result *ret) must_check;

/* Appends "also mounted at /b, /c" when others share the superblock. */
void text_add_sharers(struct text *t, const struct observation *o);

/* A word of a command line, quoted for a shell where necessary. */
void text_add_shell_word(struct text *t, const char *word);
