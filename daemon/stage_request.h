/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/stage_request.h - what the daemon asks of nfstuned-mount, and the answer.
 *
 * Layer:    daemon. External library: jansson.
 * Protocol: one JSON line on the connection (or standard input), then end of
 *           file; one JSON line back: {"rsize":N,"wsize":N,"options":"..."} or
 *           {"error":"words"}. The request is a probe request of which only the
 *           mount is read (probe/request.h).
 */
#pragma once

#include "daemon/stage.h"

/* NULL on -ENOMEM. The caller frees. */
char *stage_request_to_json(const struct mount_facts *m) must_check;

/* Return: 0, -EINVAL with words, -ENOMEM. The caller frees with mount_facts_done(). */
int stage_request_from_json(const char *text, size_t length_bytes, struct mount_facts *ret,
                            char **ret_error) must_check;

/* NULL on -ENOMEM. */
char *stage_answer_to_json(const struct stage_limits *limits) must_check;
char *stage_error_to_json(const char *words) must_check;

/* Return: 0 with *ret; 1 when the mount was refused, with its words in
 * *ret_error; -EINVAL (words too) when it is no such answer; -ENOMEM.
 * The caller frees *ret_error and uses stage_limits_done(). */
int stage_answer_from_json(const char *text, size_t length_bytes, struct stage_limits *ret,
                           char **ret_error) must_check;
