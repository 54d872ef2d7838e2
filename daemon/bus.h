/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/bus.h - org.nfstuned1 on the system bus.
 *
 * Layer:     daemon. External library: sd-bus.
 * Object:    /org/nfstuned1, interface org.nfstuned1.Manager:
 *              Status() -> s json                 etc/control.schema.json
 *              Advice(s mount, s form) -> s       the report of `nfstunectl check`; "" for all mounts;
 *                                                 form: "json" (etc/check.schema.json), "text", "color"
 *              Probe(s mount, s form) -> s        the same of this mount, when a probe of it has ended
 *              Apply(s mount, as rules, s busy, b dry_run, b persist) -> s end, s words, s json
 *              Rollback(s mount, b persist) -> s end, s words, s json
 *              Resume() -> s end, s words, s json
 *              signal Changed(s mount, s event, s words)
 * Privilege: anyone may call Status and Advice. Probe, Apply, Rollback and Resume are for root: the bus says who calls,
 *            and /proc that the caller has not given CAP_SYS_ADMIN up; else AccessDenied with words.
 * Blocking:  never. What takes long keeps its message and is answered later.
 * Without a bus the daemon works; that is told once, and the bus is used when it comes (again).
 */
#pragma once

#include "daemon/applying.h"

#define BUS_NAME      "org.nfstuned1"
#define BUS_PATH      "/org/nfstuned1"
#define BUS_INTERFACE "org.nfstuned1.Manager"

#define BUS_ERROR_NO_SUCH_MOUNT "org.nfstuned1.NoSuchMount"
#define BUS_ERROR_NO_PROBE      "org.nfstuned1.NoProbe"
#define BUS_ERROR_NOT_YET       "org.nfstuned1.NotYet"

struct bus;

/* Becomes @a's observer. A bus that cannot be reached is no error. */
int bus_new(struct core *c, struct applying *a, struct bus **ret) must_check;

/* After applying_free(): until then outcomes of wishes may arrive. */
void bus_free(struct bus *b);

/* From core->ended(), after the judgement: whoever waits for a probe of @s gets his answer. @b may be NULL. */
void bus_probe_ended(struct bus *b, const struct mountstate *s, enum probing_kind kind);

/* systemd reads its units and fstab anew, after they were changed; failures are logged. @b may be NULL. */
void bus_reload_systemd(struct bus *b);
