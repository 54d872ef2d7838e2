/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/unmounted.h - what is asked for and not mounted, as observations.
 *
 * Layer:  probe. Facts of the mount are what the line or section says; only_requested is set.
 * Return: 0 or -ENOMEM; what was written so far belongs to *o, whose owner frees it.
 */
#pragma once

#include "policy/observation.h"
#include "probe/requested.h"

/* A line of an fstab. *o: zeroed but for its workloads. */
int unmounted_line(const struct requested_sources *s, const struct fstab_entry *e, const char *file,
                   struct observation *o) must_check;

/* The section of nfsmount.conf that @section is the first line of: "every mount of server NAME". */
int unmounted_section(const struct requested_sources *s, const struct nfsmountconf_entry *section,
                      struct observation *o) must_check;
