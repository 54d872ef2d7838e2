/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules.h - the contract between evaluate.c and the rules by theme.
 *
 * Layer:   policy (pure).
 * Purpose: a rule looks at one observation and gives one verdict. Rules live in
 *          rules_*.c by theme; each file ends with its rule functions, and evaluate.c lists them in one table. Adding a
 *          rule touches its theme's file, that table, enum rule and its name.
 */
#pragma once

#include "policy/advice.h"
#include "policy/params.h"
#include "policy/paths.h"

/* What a rule may look at. All borrowed. */
struct rule_context {
        const struct observation *o;
        const struct params *params;
        const struct mount_params *mount_params;
        struct nfs_options effective;   /* of o->mount.super */
        enum path_class path_class;
        const struct server_profile *profile;   /* NULL: none matches */
        usec_t now_usec;                /* CLOCK_BOOTTIME */
};

/* What a rule writes. On VERDICT_FIRES @recommendation, on VERDICT_CANNOT_TELL
 * @cannot_tell; the rule id is filled in by the caller. */
struct rule_result {
        struct recommendation recommendation;
        struct cannot_tell cannot_tell;
};

/* Return: an enum verdict, or -ENOMEM. */
typedef int rule_fn(const struct rule_context *c, struct rule_result *ret);

/* Is the server's address or name this host's own? */
bool server_is_loopback(const struct rule_context *c);

/* A mount helper's proxy on this host: the server is elsewhere, and it makes the connection that counts. */
bool server_is_proxied(const struct rule_context *c);

/* rules_size.c */
rule_fn rule_stale_io_size, rule_io_size_mismatch, rule_limit_below_size, rule_large_io_stall;
/* rules_coherence.c */
rule_fn rule_sync_client, rule_noac, rule_attribute_cache_off, rule_lookupcache_none;
/* rules_transport.c */
rule_fn rule_udp_transport, rule_soft_mount, rule_short_timeout, rule_old_version, rule_reserved_port;
/* rules_counters.c */
rule_fn rule_retransmissions, rule_single_connection, rule_read_ahead, rule_small_files, rule_network;
/* rules_server.c */
rule_fn rule_async_export, rule_server_storage, rule_write_regression, rule_unresponsive;
/* rules_requested.c */
rule_fn rule_invalid_option, rule_obsolete_option, rule_requested_drift, rule_first_mount_wins;
