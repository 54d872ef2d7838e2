/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/endpoint.h - the other end of a job's socket: a child or a unit.
 *
 * Layer: daemon, for pool.c only.
 */
#pragma once

#include <sys/types.h>

#include "policy/base.h"

/* Starts argv[0] with @fd as its standard input and output and nothing else of
 * ours: standard error is shared, the environment is short, no signal is
 * blocked or ignored. Every descriptor of the daemon is close-on-exec.
 * Return: 0, or the negative errno of starting it. */
int endpoint_spawn(const char *const *argv, int fd, pid_t *ret) must_check;

/* Connects to the AF_UNIX stream socket at @path without waiting.
 * Return: 0, -EAGAIN when its queue is full, or a negative errno. */
int endpoint_connect(const char *path, int *ret) must_check;
