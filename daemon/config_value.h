/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/config_value.h - values of nfstuned.conf: text in, number or path out.
 *
 * Layer:  daemon. Pure.
 * Strict: the whole text must be the value; no sign, no fraction.
 */
#pragma once

#include "policy/params.h"

/* "1h", "5 min", "100ms": a number with a unit us, ms, s, min, h or d; 0 needs
 * no unit. Return: 0, -EINVAL, -ERANGE. */
int duration_parse(const char *text, usec_t *ret) must_check;

/* "2M", "256K", "65536": powers of 1024 with K, M, G. Return: 0, -EINVAL, -ERANGE. */
int size_parse(const char *text, uint64_t *ret) must_check;

/* "10%", in thousandths. Return: 0, -EINVAL, -ERANGE. */
int percent_parse(const char *text, uint64_t *ret_permille) must_check;

/* "22:00-06:00", several separated by blanks, at most WINDOWS_MAX; none is fine. 24:00 is an end. Written only on 0.
 * Return: 0; -EINVAL for what is no part of a day, *ret_bad is then where that word begins; -E2BIG. */
int windows_parse(const char *text, struct day_window ret[static WINDOWS_MAX], size_t *ret_n, const char **ret_bad)
        must_check;

/* An absolute path without doubled or trailing slashes and without "."
 * members, as mountinfo prints it. The caller frees.
 * Return: 0, -EINVAL (relative, or with ".."), -ENOMEM. */
int path_normalize(const char *text, char **ret) must_check;

/* Does the path stay below the directory it is taken from: relative, no ".."? */
bool path_stays_below(const char *text);

/* A user: digits of a uid, or a name of passwd(5). Not looked up: a name
 * service may block, and only the helper needs the answer. */
bool user_is_plausible(const char *text);
