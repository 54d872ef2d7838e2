/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/observation.h - everything known of one mount at one moment.
 *
 * Layer:     policy types. Plain data: no file descriptor, no pointer into
 *            anybody else's memory. probe/ fills it, policy/ judges it,
 *            probe/observation_json.h writes and reads it as JSON.
 * Ownership: each struct owns its strings and arrays; the *_done() functions
 *            free them and leave a zeroed struct; zeroed structs are valid and
 *            mean "nothing known".
 */
#pragma once

#include "policy/base.h"
#include "policy/options.h"

/* ---- the mount table ------------------------------------------------- */

struct device {
        unsigned major;
        unsigned minor;
};

/* One line of mountinfo with fstype nfs or nfs4. KERNEL-FACTS 1.1. */
struct mount_facts {
        uint64_t mount_id;
        uint64_t parent_id;
        struct device device;           /* the superblock's number, also its bdi's */
        char *target;                   /* decoded mount point */
        char *source;                   /* decoded, as the kernel prints it */
        char *server;                   /* host part of source, brackets removed; "" for ":/path" */
        char *export_path;              /* path part of source, "/" at least */
        char *fstype;                   /* "nfs" or "nfs4" */
        struct options vfs;             /* options of the mount: rw, relatime, nosuid ... */
        struct options super;           /* options of the superblock: rw, sync, vers=, rsize= ... */
        char *propagation;              /* "shared:12 master:3"; "" when private */
        char *parent_propagation;       /* the parent mount's; NULL: unknown (never in JSON) */
        char *place_on_parent;          /* the mount point, as a path on the parent's file system; NULL: as above */
        bool read_only;                 /* either set of options says ro */
        bool covered;                   /* another mount stands on top at the same target */
        bool below_autofs;              /* the parent mount is an autofs trigger at or above the target */
        bool below_nfs;                 /* the parent mount is an NFS one (that it does not cover) */
        bool has_submounts;             /* some mount's parent is this one (not one that covers it) */
        bool deleted;                   /* the mount point was removed: "//deleted" */
        bool duplicate;                 /* same device and target as an earlier line */
};

/* ---- where options come from ------------------------------------------ */

enum place_kind {
        PLACE_UNKNOWN,
        PLACE_FSTAB,
        PLACE_UNIT,
        PLACE_NFSMOUNT_CONF,
        PLACE_AUTOFS,
        PLACE_CMDLINE,                  /* nfsroot= of the kernel command line */
        PLACE_VOLUME,                   /* StorageClass, volume definition */
        PLACE_EXPORTS,                  /* the server's exports file */
        PLACE_KIND_COUNT
};

struct place {
        enum place_kind kind;
        char *file;                     /* NULL when unknown */
        unsigned line;                  /* 1-based; 0 unknown */
};

/* One source that asks for options of this mount. */
struct requested {
        struct place place;
        char *text;                     /* the raw line (fstab) or value (unit), without its newline */
        char *options_text;             /* the options as written there, still escaped */
        struct options options;         /* decoded */
        bool is_default;                /* nfsmount.conf: fills in only what the other source leaves out */
        bool is_record;                 /* utab: says what was asked when mounting, is no place to edit */
        bool is_generated;              /* generated unit: place is the file it was generated from */
        char *section;                  /* nfsmount.conf: the heading above the line, "[ Server \"x\" ]"; or NULL */
        char *line_problem;             /* what is wrong with the line itself ("ends in a carriage return"), or NULL */
        char *line_mended;              /* the whole line without that problem, or NULL */
};

/* ---- counters: /proc/self/mountstats ----------------------------------- */

enum rpc_op {
        RPC_OP_NULL,
        RPC_OP_READ,
        RPC_OP_WRITE,
        RPC_OP_COMMIT,
        RPC_OP_GETATTR,
        RPC_OP_SETATTR,
        RPC_OP_LOOKUP,
        RPC_OP_ACCESS,
        RPC_OP_OPEN,                    /* v4 OPEN and OPEN_NOATTR */
        RPC_OP_CLOSE,
        RPC_OP_CREATE,
        RPC_OP_REMOVE,
        RPC_OP_RENAME,
        RPC_OP_READDIR,                 /* READDIR and READDIRPLUS */
        RPC_OP_RENEW,                   /* v4.0 RENEW, v4.1 SEQUENCE */
        RPC_OP_OTHER,                   /* the sum of all others */
        RPC_OP_COUNT
};

/* Cumulative since the superblock was set up. KERNEL-FACTS 1.3. */
struct rpc_op_counters {
        uint64_t calls;                 /* completed */
        uint64_t transmissions;         /* >= calls */
        uint64_t major_timeouts;
        uint64_t sent_bytes;            /* with RPC and NFS headers */
        uint64_t received_bytes;
        uint64_t queue_msec;
        uint64_t round_trip_msec;       /* last transmission to reply */
        uint64_t execute_msec;
        uint64_t errors;                /* 0 where the kernel does not print it */
};

/* Sums over the transports of the mount's client. Shared by every mount of the
 * same client: never sum over mounts. */
struct transport_counters {
        unsigned transports;            /* number of xprt lines */
        enum nfs_proto proto;
        uint64_t connects;
        uint64_t sends;
        uint64_t receives;
        uint64_t bad_xids;
        uint64_t request_usage;         /* divide by sends for a mean queue length */
        uint64_t backlog_usage;
        uint64_t sending_usage;         /* 0 where not printed */
        uint64_t pending_usage;
        uint64_t max_slots;
        uint64_t idle_sec;              /* the least of all transports */
};

struct counters {
        bool     known;
        unsigned statvers_minor;        /* statvers=1.N; UINT_MAX when not printed */
        uint64_t age_sec;
        uint64_t dtsize_bytes;          /* 0 unknown */
        bool     lease_known;
        uint64_t lease_time_sec;
        uint64_t lease_expired_sec;
        char    *implementation;        /* impl_id name, or NULL */
        uint64_t normal_read_bytes;
        uint64_t normal_write_bytes;
        uint64_t direct_read_bytes;
        uint64_t direct_write_bytes;
        uint64_t server_read_bytes;
        uint64_t server_write_bytes;
        uint64_t vfs_fsync_calls;
        uint64_t delay_replies;         /* JUKEBOX, NFS4ERR_DELAY */
        struct transport_counters transport;
        struct rpc_op_counters op[RPC_OP_COUNT];
};

/* ---- server facts: RPC -------------------------------------------------- */

enum answer {
        ANSWER_UNTRIED,
        ANSWER_OK,
        ANSWER_NONE,                    /* no reply within the deadline, or connection refused/reset */
        ANSWER_NOT_NFS,                 /* something replied that is not an NFS server */
        ANSWER_IMPOSSIBLE,              /* cannot be asked: rdma, no address, tls proxy on another port */
        ANSWER_COUNT
};

enum nfs_version_bit {
        NFS_V2   = 1 << 0,
        NFS_V3   = 1 << 1,
        NFS_V4_0 = 1 << 2,
        NFS_V4_1 = 1 << 3,
        NFS_V4_2 = 1 << 4,
};

enum limit_source {
        LIMIT_UNKNOWN,
        LIMIT_FSINFO,                   /* v3 FSINFO rtmax, wtmax (RFC 1813 3.3.19) */
        LIMIT_V4_ATTRIBUTES,            /* MAXREAD, MAXWRITE (RFC 7530 5.8.2.20) */
        LIMIT_STAGED,                   /* what a private mount without sizes negotiated */
        LIMIT_SOURCE_COUNT
};

struct server_facts {
        enum answer null_answer;
        unsigned null_replies;          /* of 5 */
        usec_t   null_median_usec;      /* includes the user-space side; connection already open */
        usec_t   null_spread_usec;      /* largest minus smallest */
        char    *detail;                /* words on a failure, or NULL */
        bool     versions_known;
        unsigned versions;              /* enum nfs_version_bit */
        enum limit_source limit_source;
        uint64_t read_max_bytes;        /* as the server says it: may exceed what a client uses */
        uint64_t write_max_bytes;
        char    *limit_detail;          /* why unknown, in words, or NULL */
};

/* ---- probe: write/close tests -------------------------------------------- */

enum workload {
        WORKLOAD_EDITOR_SAVE,
        WORKLOAD_COPY,
        WORKLOAD_COMMIT,
        WORKLOAD_COUNT
};

enum outcome {
        OUTCOME_NOT_RUN,
        OUTCOME_OK,
        OUTCOME_TIME_BUDGET,            /* stopped in the middle; the figures cover what was done */
        OUTCOME_READ_ONLY,
        OUTCOME_NO_SPACE,
        OUTCOME_QUOTA,
        OUTCOME_DENIED,                 /* squashed root, permissions */
        OUTCOME_MOUNT_CHANGED,          /* the path is not the mount that was observed */
        OUTCOME_CORRUPT,                /* the bytes read back differ */
        OUTCOME_UNSAFE,                 /* something planted in our way; nothing was written */
        OUTCOME_ERROR,
        OUTCOME_COUNT
};

struct latency {
        unsigned n;                     /* 0: nothing measured, the rest means nothing */
        usec_t p50_usec;
        usec_t p99_usec;
        usec_t max_usec;
};

/* The same record for every workload. DESIGN section 7. */
struct workload_result {
        enum workload workload;
        enum outcome outcome;
        int      error;                 /* errno of the outcome, 0 for none */
        uint64_t written_bytes;
        usec_t   open_usec;
        struct latency write;           /* each write(2) */
        struct latency stable;          /* each write(2)+fsync(2) pair; commit workload only */
        usec_t   close_usec;
        usec_t   total_usec;            /* open to the end of close */
        unsigned stalls;                /* writes of >= 1 s or >= 10 x the median (and >= 20 ms) */
        usec_t   longest_stall_usec;
        bool     verified;              /* read back uncached and equal */
        /* change of the mount's counters meanwhile; others' work is in it too */
        bool     counters_known;
        struct rpc_op_counters write_calls;
        struct rpc_op_counters commit_calls;
};

/* Latency of stable storage at one size, from the commit workload. */
struct stable_latency {
        uint64_t size_bytes;            /* bytes that had to become stable */
        struct latency latency;         /* n == 0: not measured */
};

enum probe_state {
        PROBE_NONE,                     /* not yet */
        PROBE_PASSIVE,                  /* deliberately not written to */
        PROBE_ACTIVE,                   /* results[] hold what was done */
        PROBE_SKIPPED,                  /* could not: server silent, limit below size ... */
        PROBE_STUCK,                    /* the child did not come back within its deadline */
        PROBE_STATE_COUNT
};

#define STABLE_SIZES 3

struct probe_result {
        enum probe_state state;
        char    *reason;                /* words for PASSIVE, SKIPPED, STUCK; or NULL */
        struct workload_result results[WORKLOAD_COUNT]; /* indexed by enum workload */
        struct stable_latency stable[STABLE_SIZES];     /* [0] 4 KiB FILE_SYNC, [1] larger FILE_SYNC,
                                                         * [2] COMMIT of 4 x wsize, once a day */
        uint64_t written_bytes;         /* all workloads together */
        unsigned swept_files;           /* leftovers of earlier probes removed */
        usec_t   started_usec;          /* CLOCK_BOOTTIME */
};

/* ---- the connection itself: sock_diag ---------------------------------------- */

/* Of the mount's own TCP connections. Loss on TCP never shows in the RPC counters. */
struct connection_facts {
        bool     known;
        uint64_t sent_segments;
        uint64_t retransmitted_segments;
        usec_t   round_trip_usec;
};

/* ---- the server's own words ----------------------------------------------------- */

struct export_facts {
        bool known;                     /* the entries that may apply to this mount agree */
        bool async;
        struct place place;             /* of the first of them; kind PLACE_EXPORTS */
        char *text;                     /* "/srv/data 192.0.2.0/24(rw,async)" */
};

/* ---- what was measured beside, and before ----------------------------------------- */

/* One candidate tried beside the mount as it is. DESIGN section 8. */
struct trial_facts {
        enum workload workload;
        char *options;                  /* the candidate's: "rsize=65536,wsize=65536" */
        unsigned pairs;
        unsigned ratio_permille;        /* median time of the candidate / of the present options; 800: a fifth faster */
        unsigned ratio_low_permille;    /* 95 % interval */
        unsigned ratio_high_permille;
};

/* This mount's own past, for one workload and the present option set. */
struct baseline_facts {
        bool known;
        enum workload workload;
        unsigned samples;               /* that the baseline rests on */
        usec_t median_usec;
        usec_t deviation_usec;          /* median absolute deviation */
        unsigned recent_samples;        /* since the change */
        usec_t recent_median_usec;
        usec_t since_usec;              /* CLOCK_BOOTTIME of the first slow sample */
        char *grown;                    /* which share grew: "stable storage: 5 ms, now 21 ms"; or NULL */
};

/* The probe before this one. A busy moment slows one probe; what two in a row show is the server's or the network's. */
struct earlier_probe {
        bool awaited;                   /* who watches the mount waits for two */
        bool known;
        usec_t null_median_usec;
        usec_t stable_small_usec;       /* policy/stable.h */
};

/* ---- liveness -------------------------------------------------------------- */

enum liveness {
        LIVENESS_UNKNOWN,
        LIVENESS_ALIVE,
        LIVENESS_UNRESPONSIVE,
        LIVENESS_COUNT
};

/* ---- the whole --------------------------------------------------------------- */

struct observation {
        struct mount_facts mount;
        struct requested *requested;    /* strongest first: the source that won at mount time */
        size_t n_requested;
        char **shares_superblock_with;  /* targets of the other mounts of this superblock */
        size_t n_shares;
        bool   only_requested;          /* no such mount exists: mount.super is what a line asks for */
        bool   read_ahead_known;
        uint64_t read_ahead_kib;
        struct counters counters;
        struct server_facts server;
        struct probe_result probe;
        struct earlier_probe earlier;
        struct connection_facts connection;
        struct export_facts export_facts;
        struct trial_facts *trials;
        size_t n_trials;
        struct baseline_facts baseline;
        char  *own_change;              /* option families that nfstuned itself changed on this mount ("rsize,wsize,sync"):
                                         * where it differs from its source in them, that is no drift; or NULL */
        bool   async_export_stands;     /* the last judgement said so: it takes clearer figures to take it back */
        enum liveness liveness;
        char *liveness_witnesses;       /* words: what proves it; or NULL */
};

/* All NFS mounts of a host, in the order of mountinfo. */
struct snapshot {
        struct observation *mounts;
        size_t n_mounts;
        char  *kernel_release;          /* uname -r, or NULL for recorded files */
};

int  place_copy(const struct place *p, struct place *ret) must_check;
void place_done(struct place *p);
void requested_done(struct requested *r);
int  mount_facts_copy(const struct mount_facts *m, struct mount_facts *ret) must_check;
void mount_facts_done(struct mount_facts *m);
void counters_done(struct counters *c);
void server_facts_done(struct server_facts *s);
void probe_result_done(struct probe_result *p);
void export_facts_done(struct export_facts *e);
void observation_done(struct observation *o);
void snapshot_done(struct snapshot *s);

/* Same superblock? */
static inline bool device_equal(struct device a, struct device b)
{
        return a.major == b.major && a.minor == b.minor;
}

/* later - earlier per field; false (and *ret zeroed) when a counter went
 * backwards, that is when the superblock was set up anew. */
bool rpc_op_counters_delta(const struct rpc_op_counters *earlier, const struct rpc_op_counters *later,
                           struct rpc_op_counters *ret);
