/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/control_words.h - one mount at a glance: its state, and what to do.
 *
 * Layer: daemon. Pure.
 */
#pragma once

#include "daemon/control_json.h"

struct control_count {
        size_t recommendations;         /* without questions */
        size_t questions;
};

/* @a may be NULL. */
struct control_count control_count(const struct advice *a);

/* "unresponsive", what is being done to it, "advice", "ok", "new": not judged yet. */
const char *control_state(const struct control_mount *m);

/* One short sentence without a full stop; nothing where nothing is to be done. */
void control_add_todo(struct text *t, const struct control_mount *m);
