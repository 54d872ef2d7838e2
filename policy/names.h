/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/names.h - the stable names of every enumeration, and back where somebody reads them.
 *
 * Layer: policy types (pure). The names appear in the journal, in JSON and in
 * the configuration: they never change. *_name() never returns NULL for a
 * valid value; *_parse() returns -EINVAL for an unknown name.
 */
#pragma once

#include "policy/advice.h"
#include "policy/observation.h"
#include "policy/option_table.h"
#include "policy/params.h"

const char *rule_name(enum rule r);                     /* "stale-io-size" */
const char *confidence_name(enum confidence c);         /* "configured" */
const char *method_name(enum method m);                 /* "replace" */
const char *place_kind_name(enum place_kind k);         /* "fstab", "nfsmount.conf" */
const char *answer_name(enum answer a);                 /* "ok", "none", "not-nfs", "impossible", "untried" */
const char *limit_source_name(enum limit_source s);     /* "unknown", "fsinfo", "v4-attributes", "staged" */
const char *workload_name(enum workload w);             /* "editor-save" */
const char *outcome_name(enum outcome o);               /* "ok", "no-space", "mount-changed" ... */
const char *outcome_words(enum outcome o);              /* "no space is left on the server" ... */
const char *probe_state_name(enum probe_state s);       /* "none", "passive", "active", "skipped", "stuck" */
const char *liveness_name(enum liveness l);             /* "unknown", "alive", "unresponsive" */
const char *rpc_op_name(enum rpc_op op);                /* "WRITE" */
const char *proto_name(enum nfs_proto p);               /* "tcp", "udp", "rdma", "unknown" */
const char *option_kind_name(enum option_kind k);       /* "flag", "number", "size", "word", "text", "flag-or-text" */
const char *option_reader_name(enum option_reader r);   /* "kernel", "vfs", "mount.nfs", "mount", "systemd" */
const char *option_printed_name(enum option_printed p); /* "always", "when-set", "never" */
const char *option_remount_name(enum option_remount r); /* "live", "refused", "ignored", "not-seen" */

int rule_parse(const char *name, enum rule *ret) must_check;
int method_parse(const char *name, enum method *ret) must_check;
int place_kind_parse(const char *name, enum place_kind *ret) must_check;
int answer_parse(const char *name, enum answer *ret) must_check;
int limit_source_parse(const char *name, enum limit_source *ret) must_check;
int workload_parse(const char *name, enum workload *ret) must_check;
int outcome_parse(const char *name, enum outcome *ret) must_check;
int probe_state_parse(const char *name, enum probe_state *ret) must_check;
int liveness_parse(const char *name, enum liveness *ret) must_check;
int rpc_op_parse(const char *name, enum rpc_op *ret) must_check;
int proto_parse(const char *name, enum nfs_proto *ret) must_check;
