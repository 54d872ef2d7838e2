/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/evaluate.h - one observation in, advice out.
 *
 * Layer: policy (pure; @now is an argument).
 */
#pragma once

#include "policy/advice.h"
#include "policy/params.h"

/* Runs every rule over @o and merges what fires into one plan.
 * @now_usec: CLOCK_BOOTTIME, not earlier than any time in @o.
 * Return: 0, or -ENOMEM (*ret is then empty). The caller frees with advice_done(). */
int evaluate(const struct observation *o, const struct params *p, usec_t now_usec, struct advice *ret) must_check;

/* May this mount be written to by the periodic probe? DESIGN section 7, last
 * paragraph. *ret_reason, when not NULL, receives a static string that says why not. */
bool probe_may_write(const struct observation *o, const struct params *p, const char **ret_reason);

/* May the daemon send own RPCs to the server of this mount ([mount] probe = off)? */
bool probe_may_ask(const struct observation *o, const struct params *p);
