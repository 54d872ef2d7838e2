/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/schedule.h - when a mount is probed next.
 *
 * Layer: policy (pure: randomness and time are arguments).
 */
#pragma once

#include "policy/base.h"

/* First probe: a random point within @spread_usec from @now_usec.
 * @random: any 64 uniform bits. */
usec_t schedule_first(usec_t now_usec, usec_t spread_usec, uint64_t random);

/* Next probe: @interval_usec +-25 % after @now_usec. Saturates. */
usec_t schedule_next(usec_t now_usec, usec_t interval_usec, uint64_t random);
