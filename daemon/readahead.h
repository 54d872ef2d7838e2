/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/readahead.h - sets the read-ahead of a superblock.
 *
 * Layer: nfstuned-mount. sysfs only: /sys/class/bdi/MAJ:MIN/read_ahead_kb.
 */
#pragma once

#include "daemon/apply_request.h"

/* 0: unknown. */
uint64_t read_ahead_of(struct device device);

/* A new superblock's read-ahead is set by a rule of udev (nfsrahead) a moment later: waits until udev has nothing to do,
 * at most some seconds. */
void read_ahead_settle(void);

/* What goes wrong is noted in @a: the mount is as good without. Return: whether it is set. */
bool read_ahead_set(struct device device, uint64_t kib, struct apply_answer *a);
