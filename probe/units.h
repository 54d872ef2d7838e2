/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/units.h - systemd mount units and their drop-ins.
 *
 * Layer:  probe. systemd.unit(5), systemd.mount(5): of several files of one
 *         name the one in the strongest directory is the unit; drop-ins
 *         (NAME.mount.d and "*.conf" in it) of all directories are applied on
 *         top in the order of their names, where a name in a stronger directory
 *         hides the others. The general drop-ins (mount.d, prefix-.mount.d) are
 *         not read. The unit's name is not looked at, its Where= is.
 * Safety: only the given directories are opened; a symbolic link is followed
 *         by hand when it leads into one of them, else it is reported.
 */
#pragma once

#include "policy/base.h"
#include "policy/text.h"

#define UNITS_MAX        4096
#define UNIT_BYTES_MAX   (1 * MIB)
#define UNIT_DROPINS_MAX 256

struct unit {
        char *name;             /* "srv-data.mount" */
        size_t dir_index;       /* where the unit file is, in the list of directories */
        char *what;             /* What=; NULL when not said */
        char *where;            /* Where=, without a trailing slash */
        char *type;             /* Type= */
        char *options_text;     /* Options=, the last one counts; NULL when not said */
        char *source_path;      /* SourcePath=: it was generated from that file */
        char *file;             /* file and line of Options=, or of Where= when there is none */
        unsigned line;
        bool dropin;            /* Options= comes from a drop-in, not from the unit's own file */
};

struct units {
        struct unit *units;     /* those with a Where= and a type that may be NFS */
        size_t n_units;
};

/* Applies one file's text to *u: the unit's own, or a drop-in's. @file is
 * remembered as the place of what it sets. Lines it does not know are skipped.
 * Return: 0 or -ENOMEM. */
int unit_apply(struct unit *u, const char *text, size_t length_bytes, const char *file) must_check;

/* @dirs: strongest first, NULL-terminated. What cannot be read is skipped and
 * named in *problems, one per line. Return: 0 or -ENOMEM. */
int units_read(const char *const *dirs, struct units *ret, struct text *problems) must_check;

void unit_done(struct unit *u);
void units_done(struct units *u);
