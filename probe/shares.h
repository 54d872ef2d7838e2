/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/shares.h - which mounts are one superblock.
 *
 * Layer: probe. Pure.
 */
#pragma once

#include "policy/observation.h"

/* At most this many targets are named in shares_superblock_with: a thousand
 * mounts of one superblock would name a million. */
#define SHARES_MAX 32

/* Told by the device number. Return: 0 or -ENOMEM. */
int shares_by_device(struct snapshot *s) must_check;

/* Where the device is unknown (0:0): told by counters of one server that are
 * equal and not all zero, as mountstats prints them once per mount.
 * Return: 0 or -ENOMEM. */
int shares_by_counters(struct snapshot *s) must_check;
