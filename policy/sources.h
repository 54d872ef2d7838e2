/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/sources.h - who asks for an option, and where it would be edited.
 *
 * Layer:     policy (pure).
 * Ownership: every returned pointer is borrowed from the observation.
 */
#pragma once

#include "policy/advice.h"
#include "policy/paths.h"
#include "policy/text.h"

/* The strongest source that names the option, utab's record included: proof of
 * what was asked. NULL: none known. */
const struct requested *source_naming(const struct observation *o, const char *name);

/* The strongest source that is not a record: it can be edited. NULL: none known. */
const struct requested *source_strongest(const struct observation *o);

/* The strongest source that names the option and can be edited. NULL: none known. */
const struct requested *source_to_edit(const struct observation *o, const char *name);

/* The administrator's own line for this mount: fstab or a unit. NULL: none known. */
const struct requested *source_of_mount(const struct observation *o);

/* "fstab line 7", "/etc/nfsmount.conf line 3", "the kernel command line". */
void text_add_place(struct text *t, const struct place *p);

/* The same for a source; utab's is called a record. */
void text_add_source(struct text *t, const struct requested *r);

/* Option texts ("rsize=32768", "sync") as a list. Return: 0 or -ENOMEM. */
int option_texts_parse(char *const *texts, size_t n, struct options *ret) must_check;

/* Where the strongest source that names any of @options is edited; without one,
 * who owns the mount by its looks (autofs, a volume), else unknown.
 * Return: 0 or -ENOMEM. */
int place_of_options(const struct observation *o, enum path_class class, const struct options *options,
                     struct place *ret) must_check;

/* The fourth column of an fstab line. NULL when there is none. */
const char *fstab_options_column(const char *line, size_t *ret_length);

/* "data.mount" of the unit's file, or of a drop-in's "data.mount.d/x.conf". Length 0: the file's name does not tell. */
const char *unit_name(const struct requested *r, size_t *ret_length);

/* "Options=VALUE"; a single % in it would begin a specifier of systemd.unit(5). */
void text_add_unit_options(struct text *t, const char *options);
