/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/bus.h - org.nfstuned1 on the system bus.
 *
 * Layer:     daemon. External library: sd-bus.
 * Object:    /org/nfstuned1, interface org.nfstuned1.Manager:
 *              Status() -> s             JSON, etc/control.schema.json
 *              Advice(s mount) -> s      JSON as of `check` (etc/check.schema.json); "" for all mounts
 *              Probe(s mount) -> s       waits for a probe; JSON of the observation's probe and server parts
 *              Apply(s mount, as rules, s busy, b dry_run, b persist) -> s end, s words, s json
 *              Rollback(s mount, b persist) -> s end, s words, s json
 *              Resume() -> s end, s words
 *              signal Changed(s mount, s event, s words)
 * Privilege: anyone may call Status and Advice; Probe, Apply, Rollback and Resume need CAP_SYS_ADMIN or root of
 *            the caller (sd_bus_query_sender_privilege), else org.freedesktop.DBus.Error.AccessDenied with words.
 * Without a bus the daemon works; that is told once, and the bus is used when it comes.
 */
#pragma once

#include "daemon/applying.h"

struct bus;

int bus_new(struct core *c, struct applying *a, struct bus **ret) must_check;
void bus_free(struct bus *b);

/* systemd reads its units and fstab anew, after they were changed; failures are logged. */
void bus_reload_systemd(struct bus *b);
