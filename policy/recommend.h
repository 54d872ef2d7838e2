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

/* The same for the list of options to add. */
int recommend_set(struct recommendation *r, const char *text) must_check;

/* The same for an option as it is written. */
int recommend_drop_written(struct recommendation *r, const struct mount_option *option) must_check;

/* Appends the option's text as the strongest editable source spells it, else as
 * it is effective. Nothing when neither names it. */
int recommend_drop_option(struct recommendation *r, const struct observation *o, const char *name) must_check;

/* Drops the options of @names (NULL-terminated) that a source which can be
 * edited asks for; without one, all of them that are effective: what nobody
 * wrote cannot be taken away. */
int recommend_drop_options(struct recommendation *r, const struct observation *o, const char *const *names) must_check;

/* Fills in the place of the dropped options; when nothing is dropped, the mount's own line. */
int recommend_place(struct recommendation *r, const struct rule_context *c) must_check;

/* Moves the text into a field. */
int recommend_words(char **field, struct text *t) must_check;

/* The same for words without figures. */
int recommend_sentence(char **field, const char *sentence) must_check;

/* Writes the risk: @words, and what replacing the mount takes where there is one. */
int recommend_replace_risk(struct recommendation *r, const struct rule_context *c, const char *words) must_check;

/* "cannot tell": what is missing, with the reason when there is one, and the
 * command that would tell. Return: VERDICT_CANNOT_TELL or -ENOMEM. */
int cannot_tell(const struct rule_context *c, const char *missing, const char *reason,
                struct rule_result *ret) must_check;

/* Appends "rsize=32768,wsize=32768". */
void text_add_joined(struct text *t, char *const *texts, size_t n);

/* Appends "also mounted at /b, /c" when others share the superblock. */
void text_add_sharers(struct text *t, const struct observation *o);

/* A word of a command line, quoted for a shell where necessary. */
void text_add_shell_word(struct text *t, const char *word);

/* Appends " -- WORD WORD": operands of a command, for a shell. The dashes only where
 * a word begins with one and would be an option: a source is a name that servers choose. */
void text_add_operands(struct text *t, const char *const *words);

/* Does the configuration's keep list name one of them? @names: NULL-terminated. */
bool keeps_any(const struct rule_context *c, const char *const *names);
#define KEEPS(c, ...) keeps_any((c), (const char *const[]){ __VA_ARGS__, NULL })
