/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/report_json_parts.h - what was measured on a mount, as JSON.
 *
 * Layer:  daemon, for report_json.c only. External library: jansson.
 * Errors: NULL without memory; json_null() where nothing is known.
 */
#pragma once

#include "daemon/json_build.h"
#include "policy/observation.h"

json_t *report_json_server(const struct server_facts *s);
json_t *report_json_export(const struct export_facts *e);
json_t *report_json_probe(const struct probe_result *p);
json_t *report_json_liveness(const struct observation *o);
