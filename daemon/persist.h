/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/persist.h - the new options, where the old ones came from.
 *
 * Layer:   nfstuned-mount. External library: libmount (lock, and reading back).
 * Purpose: DESIGN section 9, `source`. libmount would write a whole fstab anew and lose tabs and columns; so the one line
 *          is exchanged here, and libmount reads the result: as many entries as before, this one with the new options,
 *          all others equal.
 * Safety:  libmount's lock; the line must still be what the daemon saw; a backup (FILE.nfstuned-backup) first; a
 *          temporary file in the same directory with the same mode, owner and security label, fsync, rename, fsync of
 *          the directory: a power cut leaves the old or the new file. Only regular files below /etc that belong to root and
 *          are no symbolic links (STYLE: nothing is written through one); fstab, drop-ins NAME.mount.d/50-nfstuned.conf
 *          below /etc/systemd/system, nfsmount.conf and nfsmount.conf.d.
 */
#pragma once

#include "daemon/apply_request.h"
#include "daemon/source_edit.h"
#include "policy/params.h"

/* The edits that @plan asks for: one per source whose text changes. Pure.
 * Return: 0; 1 with words where the place cannot be written (autofs map, kernel command line, volume, unknown,
 * usr/lib unit that needs a drop-in is fine); -ENOMEM. */
int persist_edits(const struct observation *o, const struct plan *plan, struct source_edit **ret, size_t *ret_n,
                  char **ret_words) must_check;

/* @root: "" or a directory that stands for / in tests. Fills end, words, diff and backups. With r->dry_run nothing is
 * written. Return: 0 or -ENOMEM. */
int persist_run(const char *root, const struct apply_request *r, struct apply_answer *ret) must_check;
