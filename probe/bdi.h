/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/bdi.h - the read-ahead of a superblock.
 *
 * Layer: probe. sysfs only; the server is never asked.
 */
#pragma once

#include "policy/observation.h"

/* SYS/class/bdi/MAJ:MIN/read_ahead_kb. Return: 0, or a negative errno. */
int bdi_read_ahead(const char *sys, struct device device, uint64_t *ret_kib) must_check;
