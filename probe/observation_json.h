/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/observation_json.h - an observation as JSON, and back.
 *
 * Layer:   probe. External library: jansson.
 * Purpose: one format for three uses: the request to the helper, the parts it
 *          prints, and a recorded observation that replays a decision.
 * Strict:  a known member of the wrong type or an unknown enum name is -EINVAL;
 *          unknown members are ignored (newer versions); mount.target, source and
 *          fstype must be there, everything else may be absent and is zero then.
 *          Reading never trusts sizes: strings are capped at 64 KiB, arrays at
 *          65,536 members.
 * Strings: bytes that are not UTF-8 (mount points may contain any), and the
 *          backslash itself, are written as backslash, x and two hex digits, and
 *          read back to the same bytes (str_to_json() in probe/json.h).
 * Options: one string, as in a mount command.
 */
#pragma once

#include "policy/observation.h"

/* One line, no newline inside. NULL on -ENOMEM. The caller frees. */
char *observation_to_json(const struct observation *o) must_check;

/* Return: 0, -EINVAL with *ret_error (may be NULL) in words, or -ENOMEM. */
int observation_from_json(const char *text, size_t length_bytes, struct observation *ret, char **ret_error) must_check;

/* One observation, or an array of them. Return: as above. */
int observations_from_json(const char *text, size_t length_bytes, struct snapshot *ret, char **ret_error) must_check;

/* The parts a helper prints: {"part":"server","server":{...}} and
 * {"part":"probe","probe":{...}}. Applying a part replaces that part of @o;
 * on an error @o is as before. */
char *server_part_to_json(const struct server_facts *s) must_check;
char *probe_part_to_json(const struct probe_result *p) must_check;
int observation_apply_part(struct observation *o, const char *text, size_t length_bytes, char **ret_error) must_check;
