/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/writer.h - as whom files of ours are written.
 *
 * Layer: probe, helper only: changes the calling process, for good.
 * Order: become the user that the configuration names; try; where that was automatic and the server denies it to
 *        root, become the owner of the mount's root and try once more.
 */
#pragma once

#include "policy/base.h"

/* @user: a name or a number; NULL and "auto" change nothing.
 * Return: 0, 1 with *ret_words (caller frees) when it cannot be, or -ENOMEM. */
int writer_become_named(const char *user, char **ret_words) must_check;

/* Root is squashed: the owner of @root_fd may write where root may not. Only for an automatic @user.
 * Return: whether the process is the owner now. */
bool writer_become_owner(const char *user, int root_fd) must_check;
