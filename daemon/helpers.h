/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/helpers.h - starts nfstuned-probe and nfstuned-mount, whoever asks for it.
 *
 * Layer: daemon.
 */
#pragma once

#include "daemon/core.h"

/* pool_start() of @job with the program filled in; its key, request, deadline and done function are the caller's. */
int helpers_start_probe(const struct core *c, const struct job *job) must_check;

/* The same for nfstuned-mount: through its socket where the service has one, else as a child. */
int helpers_start_mount(const struct core *c, const struct job *job) must_check;
