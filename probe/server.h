/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/server.h - what the server says about itself.
 *
 * Layer:   probe, helper only: blocks up to the deadline.
 * Uses probe/rpc.h (own sockets with one total deadline, libtirpc's XDR;
 * design/TRIED.md section 1 says why not libtirpc's clients).
 */
#pragma once

#include "policy/observation.h"

/* NULL calls (5, on one connection), versions, and with @want_limits the
 * transfer limits (v3: PMAP_GETPORT, MNT, FSINFO, UMNT; v4: a COMPOUND of minor
 * version 0: PUTROOTFH, LOOKUP*, GETATTR). Never EXCHANGE_ID or SETCLIENTID.
 * The address is the mount's addr= (v3: as well mountaddr=, mountport=), the
 * port its port= or 2049; never a name, so nothing is resolved.
 * Everything together ends within @timeout_usec, whatever the server does.
 * Return: 0 (what could not be had is unknown in *ret, with words), -ENOMEM. */
int server_ask(const struct mount_facts *m, bool want_limits, usec_t timeout_usec, struct server_facts *ret) must_check;
