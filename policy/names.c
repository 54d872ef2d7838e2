/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/names.c - the stable names of every enumeration. See names.h. */
#include "policy/names.h"

#include <errno.h>
#include <string.h>

static int name_find(const char *const *names, size_t n, const char *name)
{
        for (size_t i = 0; i < n; i++)
                if (strcmp(names[i], name) == 0)
                        return (int)i;
        return -EINVAL;
}

/* The table of one enumeration, complete by the assertion. */
#define NAMES_WRITTEN(function, type, count, ...)                                       \
        static const char *const function##_names[] = { __VA_ARGS__ };                  \
        _Static_assert(ARRAY_SIZE(function##_names) == (count), "a name is missing");   \
                                                                                        \
        const char *function##_name(enum type value)                                    \
        {                                                                               \
                return (size_t)value < (count) ? function##_names[value] : "invalid";   \
        }

/* Both ways through it. */
#define NAMES(function, type, count, ...)                                               \
        NAMES_WRITTEN(function, type, count, __VA_ARGS__)                               \
                                                                                        \
        int function##_parse(const char *name, enum type *ret)                          \
        {                                                                               \
                int i = name_find(function##_names, (count), name);                     \
                                                                                        \
                if (i < 0)                                                              \
                        return i;                                                       \
                *ret = (enum type)i;                                                    \
                return 0;                                                               \
        }

NAMES(rule, rule, RULE_COUNT,
      [RULE_UNRESPONSIVE] = "unresponsive",
      [RULE_LIMIT_BELOW_SIZE] = "limit-below-size",
      [RULE_INVALID_OPTION] = "invalid-option",
      [RULE_SOFT_MOUNT] = "soft-mount",
      [RULE_SYNC_CLIENT] = "sync-client",
      [RULE_NOAC] = "noac",
      [RULE_ATTRIBUTE_CACHE_OFF] = "attribute-cache-off",
      [RULE_LOOKUPCACHE_NONE] = "lookupcache-none",
      [RULE_STALE_IO_SIZE] = "stale-io-size",
      [RULE_IO_SIZE_MISMATCH] = "io-size-mismatch",
      [RULE_LARGE_IO_STALL] = "large-io-stall",
      [RULE_UDP_TRANSPORT] = "udp-transport",
      [RULE_SHORT_TIMEOUT] = "short-timeout",
      [RULE_RETRANSMISSIONS] = "retransmissions",
      [RULE_SINGLE_CONNECTION] = "single-connection",
      [RULE_READ_AHEAD] = "read-ahead",
      [RULE_RESERVED_PORT] = "reserved-port",
      [RULE_ASYNC_EXPORT] = "async-export",
      [RULE_SERVER_STORAGE] = "server-storage",
      [RULE_NETWORK] = "network",
      [RULE_SMALL_FILES] = "small-files",
      [RULE_WRITE_REGRESSION] = "write-regression",
      [RULE_OLD_VERSION] = "old-version",
      [RULE_FIRST_MOUNT_WINS] = "first-mount-wins",
      [RULE_REQUESTED_DRIFT] = "requested-drift",
      [RULE_OBSOLETE_OPTION] = "obsolete-option")

NAMES_WRITTEN(confidence, confidence, CONFIDENCE_COUNT,
      [CONFIDENCE_POSSIBLE] = "possible",
      [CONFIDENCE_CONFIGURED] = "configured",
      [CONFIDENCE_OBSERVED] = "observed",
      [CONFIDENCE_MEASURED] = "measured")

NAMES(method, method, METHOD_COUNT,
      [METHOD_NONE] = "none",
      [METHOD_LIVE] = "live",
      [METHOD_REPLACE] = "replace",
      [METHOD_SOURCE] = "source",
      [METHOD_SERVER] = "server",
      [METHOD_NETWORK] = "network")

NAMES(place_kind, place_kind, PLACE_KIND_COUNT,
      [PLACE_UNKNOWN] = "unknown",
      [PLACE_FSTAB] = "fstab",
      [PLACE_UNIT] = "unit",
      [PLACE_NFSMOUNT_CONF] = "nfsmount.conf",
      [PLACE_AUTOFS] = "autofs",
      [PLACE_CMDLINE] = "cmdline",
      [PLACE_VOLUME] = "volume",
      [PLACE_EXPORTS] = "exports")

NAMES(answer, answer, ANSWER_COUNT,
      [ANSWER_UNTRIED] = "untried",
      [ANSWER_OK] = "ok",
      [ANSWER_NONE] = "none",
      [ANSWER_NOT_NFS] = "not-nfs",
      [ANSWER_IMPOSSIBLE] = "impossible")

NAMES(limit_source, limit_source, LIMIT_SOURCE_COUNT,
      [LIMIT_UNKNOWN] = "unknown",
      [LIMIT_FSINFO] = "fsinfo",
      [LIMIT_V4_ATTRIBUTES] = "v4-attributes",
      [LIMIT_STAGED] = "staged")

NAMES(workload, workload, WORKLOAD_COUNT,
      [WORKLOAD_EDITOR_SAVE] = "editor-save",
      [WORKLOAD_COPY] = "copy",
      [WORKLOAD_COMMIT] = "commit")

NAMES(outcome, outcome, OUTCOME_COUNT,
      [OUTCOME_NOT_RUN] = "not-run",
      [OUTCOME_OK] = "ok",
      [OUTCOME_TIME_BUDGET] = "time-budget",
      [OUTCOME_READ_ONLY] = "read-only",
      [OUTCOME_NO_SPACE] = "no-space",
      [OUTCOME_QUOTA] = "quota",
      [OUTCOME_DENIED] = "denied",
      [OUTCOME_MOUNT_CHANGED] = "mount-changed",
      [OUTCOME_CORRUPT] = "corrupt",
      [OUTCOME_UNSAFE] = "unsafe",
      [OUTCOME_ERROR] = "error")

/* The same for people. */
const char *outcome_words(enum outcome o)
{
        static const char *const words[] = {
                [OUTCOME_NOT_RUN] = "it was not tried",
                [OUTCOME_OK] = "it went well",
                [OUTCOME_TIME_BUDGET] = "it was not done in time",
                [OUTCOME_READ_ONLY] = "it is read-only",
                [OUTCOME_NO_SPACE] = "no space is left on the server",
                [OUTCOME_QUOTA] = "the quota on the server is used up",
                [OUTCOME_DENIED] = "it may not be written to",
                [OUTCOME_MOUNT_CHANGED] = "another mount stands there by now",
                [OUTCOME_CORRUPT] = "the bytes read back are not those that were written",
                [OUTCOME_UNSAFE] = "a file or link with the name of ours stands in the way",
                [OUTCOME_ERROR] = "a read or write failed",
        };
        _Static_assert(ARRAY_SIZE(words) == OUTCOME_COUNT, "an outcome without words");

        return (size_t)o < OUTCOME_COUNT ? words[o] : "invalid";
}

NAMES(probe_state, probe_state, PROBE_STATE_COUNT,
      [PROBE_NONE] = "none",
      [PROBE_PASSIVE] = "passive",
      [PROBE_ACTIVE] = "active",
      [PROBE_SKIPPED] = "skipped",
      [PROBE_STUCK] = "stuck")

NAMES(liveness, liveness, LIVENESS_COUNT,
      [LIVENESS_UNKNOWN] = "unknown",
      [LIVENESS_ALIVE] = "alive",
      [LIVENESS_UNRESPONSIVE] = "unresponsive")

NAMES(rpc_op, rpc_op, RPC_OP_COUNT,
      [RPC_OP_NULL] = "NULL",
      [RPC_OP_READ] = "READ",
      [RPC_OP_WRITE] = "WRITE",
      [RPC_OP_COMMIT] = "COMMIT",
      [RPC_OP_GETATTR] = "GETATTR",
      [RPC_OP_SETATTR] = "SETATTR",
      [RPC_OP_LOOKUP] = "LOOKUP",
      [RPC_OP_ACCESS] = "ACCESS",
      [RPC_OP_OPEN] = "OPEN",
      [RPC_OP_CLOSE] = "CLOSE",
      [RPC_OP_CREATE] = "CREATE",
      [RPC_OP_REMOVE] = "REMOVE",
      [RPC_OP_RENAME] = "RENAME",
      [RPC_OP_READDIR] = "READDIR",
      [RPC_OP_RENEW] = "RENEW",
      [RPC_OP_OTHER] = "OTHER")

NAMES(proto, nfs_proto, NFS_PROTO_RDMA + 1,
      [NFS_PROTO_UNKNOWN] = "unknown",
      [NFS_PROTO_TCP] = "tcp",
      [NFS_PROTO_UDP] = "udp",
      [NFS_PROTO_RDMA] = "rdma")

NAMES_WRITTEN(option_kind, option_kind, OPTION_KIND_COUNT,
      [OPTION_FLAG] = "flag",
      [OPTION_NUMBER] = "number",
      [OPTION_SIZE] = "size",
      [OPTION_WORD] = "word",
      [OPTION_TEXT] = "text",
      [OPTION_FLAG_OR_TEXT] = "flag-or-text")

NAMES_WRITTEN(option_reader, option_reader, READER_COUNT,
      [READER_KERNEL] = "kernel",
      [READER_VFS] = "vfs",
      [READER_MOUNT_NFS] = "mount.nfs",
      [READER_MOUNT] = "mount",
      [READER_SYSTEMD] = "systemd")

NAMES_WRITTEN(option_printed, option_printed, PRINTED_COUNT,
      [PRINTED_ALWAYS] = "always",
      [PRINTED_WHEN_SET] = "when-set",
      [PRINTED_NEVER] = "never")

NAMES_WRITTEN(option_remount, option_remount, REMOUNT_COUNT,
      [REMOUNT_LIVE] = "live",
      [REMOUNT_REFUSED] = "refused",
      [REMOUNT_IGNORED] = "ignored",
      [REMOUNT_NOT_SEEN] = "not-seen")
