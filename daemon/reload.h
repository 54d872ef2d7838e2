/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/reload.h - the configuration, at the start and again on SIGHUP.
 *
 * Layer:   daemon.
 * Purpose: a reload is a transaction: everything is read into fresh
 *          parameters; only when all of it is right do they replace the old.
 */
#pragma once

#include "daemon/manager.h"

/* Reads what @options name, and the profiles of servers. With --config only that
 * file, and only the profiles that came with the program: drop-ins belong to the
 * installed configuration. The errors of both are told.
 * Return: as config_read(). */
int reload_read(const struct manager_options *options, struct params *ret, char **ret_errors) must_check;

/* Return: 0 when *params was replaced (the old ones are freed); 1 when the new
 * ones are wrong: logged, *params untouched; -ENOMEM: logged, untouched. */
int reload_params(const struct manager_options *options, struct params *params) must_check;
