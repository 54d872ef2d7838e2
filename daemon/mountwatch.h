/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/mountwatch.h - has the mount table changed?
 *
 * Layer:   daemon. External library: libmount (its monitor). The caller puts
 *          the descriptor into its event loop, rate limited: container hosts
 *          mount in storms.
 * Safe:    the monitor polls /proc/self/mountinfo and watches /run/mount; no
 *          path of a mount is ever resolved.
 */
#pragma once

#include "policy/base.h"

struct mountwatch;

int mountwatch_new(struct mountwatch **ret) must_check;
void mountwatch_free(struct mountwatch *w);

/* To be polled for EPOLLIN; stays ours. */
int mountwatch_fd(const struct mountwatch *w);

/* Takes all pending changes off the descriptor (else it stays readable).
 * Return: true when there was one. */
bool mountwatch_drain(struct mountwatch *w);
