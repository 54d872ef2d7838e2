/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_coherence.c: sync, noac, actimeo=0 and lookupcache=none, on real
 * lines and where they have to be left alone. The effect of probes on
 * sync-client is in test_policy_evaluate.c.
 */
#include "tests/unit/policy_case.h"

#define COHERENCE                                                                        \
        (RULE_BIT(RULE_SYNC_CLIENT) | RULE_BIT(RULE_NOAC) | RULE_BIT(RULE_ATTRIBUTE_CACHE_OFF) | \
         RULE_BIT(RULE_LOOKUPCACHE_NONE))

#define TAIL "hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1"
#define V3 "rw,vers=3,rsize=1048576,wsize=1048576,"
#define ZEROS "acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,"
#define LOCAL_TAIL "hard,nolock,proto=tcp,timeo=600,retrans=2,sec=sys,local_lock=all,addr=127.0.0.1"
#define SYNC3 "rw,sync,vers=3,rsize=1048576,wsize=1048576,"
#define NOAC3 "rw,sync,vers=3,rsize=1048576,wsize=1048576," ZEROS "noac," TAIL

/* ---- real lines ----------------------------------------------------------------- */

static const struct real_row real_rows[] = {
        { "02", "/shared/dir1", "sync-client:configured" },
        { "02", "/shared/dir2", "sync-client:configured" },
        { "03", "/networkdrive", "" },
        { "05", "/mnt/data", "" },
        { "08", "/test-server", "" },
        { "12", "/home", "" },
        { "18", "/u/joe", "" },
        { "20", "/apt1/cs", "" },
        { "20", "/net/mail", "noac:configured?" },
        { "22", "/", "" },
        { "25", "/root/run/nfs", "" },
        { "30", "/var/lib/docker/volumes/project_root/_data", "" },
        { "43", "/var/lib/ocis", "sync-client:configured" },
        { "45", "/sapmnt/NW1", "sync-client:configured?" },
        { "47", "/oradata", "" },
        { "48", "/scratch", "noac:configured?" },
        { "50", "/webmail0", "" },
        { "52", "/var/mail", "lookupcache-none:configured?" },
        { "53", "/octopus", "lookupcache-none:configured?" },
        { "55", "/run/sr-mount/uuid", "" },
        { "57", "/mnt", "" },
        { "58", "/mnt", "sync-client:configured" },
        { "60", "/efsx", "sync-client:configured" },
        { "65", "/root/.oldroot/nfs", "" },
        { "75", "/mnt/foo", "" },
        { "80", "/data", "noac:configured?" },
        { "82", "/mnt/nfs/postgres_data", "sync-client:configured?" },
        { "90", "/A", "" },
        { "93", "/mnt/models", "" },
};

START_TEST(real_lines)
{
        case_check_real(&real_rows[_i], COHERENCE);
}
END_TEST

/* ---- one line after the other ------------------------------------------------------ */

static const struct {
        const char *name;
        const char *target;             /* NULL: /data */
        const char *super;
        const char *fstab;              /* NULL: no line */
        const char *keep;               /* of its [mount] section, or NULL */
        const char *want;
        const char *drops;              /* of the first; NULL: not looked at */
        enum place_kind place;
} rows[] = {
        /* sync */
        { "sync", NULL, SYNC3 TAIL, NULL, NULL, "sync-client:configured", NULL, 0 },
        { "sync, a gateway on this host", NULL, SYNC3 LOCAL_TAIL, NULL, NULL, "sync-client:configured?", NULL, 0 },
        { "sync, the same by its port", NULL, SYNC3 "port=2049," LOCAL_TAIL, NULL, NULL, "sync-client:configured?", NULL,
          0 },
        { "sync, a helper's proxy", NULL, SYNC3 "port=20449," LOCAL_TAIL, NULL, NULL, "sync-client:configured", NULL, 0 },
        { "sync, Hadoop's gateway elsewhere", "/mnt/hdfs", SYNC3 TAIL, NULL, NULL, "sync-client:configured?", NULL, 0 },

        /* noac */
        { "noac, nobody known to ask", NULL, NOAC3, NULL, NULL, "noac:configured?", "noac", PLACE_UNKNOWN },
        { "noac from fstab", NULL, NOAC3, "bg,noac", NULL, "noac:configured?", "noac", PLACE_FSTAB },
        { "noac on v4", NULL, "rw,sync,vers=4.2," ZEROS "noac," TAIL, NULL, NULL, "noac:configured?", "noac", 0 },
        { "noac, read-only", NULL, "ro,sync,vers=3," ZEROS "noac," TAIL, NULL, NULL, "noac:configured?", "noac", 0 },
        { "noac for Oracle", "/oradata", NOAC3, NULL, NULL, "noac:configured?", "noac", 0 },
        { "noac is kept", NULL, NOAC3, NULL, "noac", "", NULL, 0 },
        { "noac stays a question with sync kept", NULL, NOAC3, NULL, "sync", "noac:configured?", "noac", 0 },
        { "noacl is something else", NULL, V3 "noacl," TAIL, NULL, NULL, "", NULL, 0 },

        /* actimeo=0 */
        { "four zeros, nobody known to ask", NULL, V3 ZEROS TAIL, NULL, NULL, "attribute-cache-off:configured?",
          "acregmin=0,acregmax=0,acdirmin=0,acdirmax=0", PLACE_UNKNOWN },
        { "four zeros from actimeo=0", NULL, V3 ZEROS TAIL, "actimeo=0,bg", NULL, "attribute-cache-off:configured?",
          "actimeo=0", PLACE_FSTAB },
        { "four zeros, two of them asked for", NULL, V3 ZEROS TAIL, "acregmax=0,acdirmax=0", NULL,
          "attribute-cache-off:configured?", "acregmax=0,acdirmax=0", PLACE_FSTAB },
        { "four zeros, read-only", NULL, "ro,vers=3," ZEROS TAIL, NULL, NULL, "attribute-cache-off:configured?", NULL,
          0 },
        { "four zeros and sync: two findings", NULL, "rw,sync,vers=3," ZEROS TAIL, NULL, NULL,
          "sync-client:configured attribute-cache-off:configured?", NULL, 0 },
        { "four zeros for a database", "/var/lib/mysql", V3 ZEROS TAIL, NULL, NULL, "attribute-cache-off:configured?",
          NULL, 0 },
        { "four zeros for Oracle", "/u02/oradata", V3 ZEROS TAIL, "actimeo=0", NULL, "", NULL, 0 },
        { "directories only", NULL, V3 "acdirmin=0,acdirmax=0," TAIL, NULL, NULL, "", NULL, 0 },
        { "files only", NULL, V3 "acregmin=0,acregmax=0," TAIL, NULL, NULL, "", NULL, 0 },
        { "three zeros", NULL, V3 "acregmin=0,acregmax=0,acdirmin=0," TAIL, NULL, NULL, "", NULL, 0 },
        { "actimeo=1", NULL, V3 "acregmin=1,acregmax=1,acdirmin=1,acdirmax=1," TAIL, NULL, NULL, "", NULL, 0 },
        { "large timeouts", NULL, V3 "acregmin=600,acregmax=600,acdirmin=600,acdirmax=600," TAIL, NULL, NULL, "", NULL,
          0 },
        { "actimeo is kept", NULL, V3 ZEROS TAIL, NULL, "actimeo", "", NULL, 0 },
        { "one of the four is kept", NULL, V3 ZEROS TAIL, NULL, "acdirmax", "", NULL, 0 },

        /* lookupcache=none */
        { "lookupcache=none", NULL, V3 "lookupcache=none," TAIL, "lookupcache=none", NULL,
          "lookupcache-none:configured?", "lookupcache=none", PLACE_FSTAB },
        { "lookupcache=none, read-only", NULL, "ro,vers=3,lookupcache=none," TAIL, NULL, NULL,
          "lookupcache-none:configured?", NULL, 0 },
        { "lookupcache=pos", NULL, V3 "lookupcache=pos," TAIL, NULL, NULL, "", NULL, 0 },
        { "lookupcache is kept", NULL, V3 "lookupcache=none," TAIL, NULL, "lookupcache", "", NULL, 0 },

        /* perfect */
        { "perfect", NULL, V3 TAIL, "defaults", NULL, "", NULL, 0 },
        { "async spelt out", NULL, V3 TAIL, "async,ac", NULL, "", NULL, 0 },
};

START_TEST(settings)
{
        const char *name = rows[_i].name;
        const struct recommendation *r;
        struct world w;

        world_init(&w, rows[_i].target ? rows[_i].target : "/data", "rw", rows[_i].super);
        if (rows[_i].fstab)
                world_fstab(&w, 7, "server:/data /data nfs OPTIONS 0 0", rows[_i].fstab);
        if (rows[_i].keep)
                world_keep(&w, rows[_i].keep);
        world_evaluate(&w);
        case_check(&w, COHERENCE, rows[_i].want, name);
        case_check_cautious(&w, COHERENCE, name);
        r = case_first(&w, COHERENCE);
        if (rows[_i].drops) {
                cleanup_free char *drops = world_drops(r);

                ck_assert_msg(strcmp(drops, rows[_i].drops) == 0, "%s: drops %s", name, drops);
                ck_assert_msg(r->place.kind == rows[_i].place && r->method == METHOD_REPLACE, "%s: place or method",
                              name);
                ck_assert_msg(!r->gain && r->gain_permille == 0 && r->n_set == 0, "%s: promises something", name);
        }
        if (r && w.o.mount.read_only)
                ck_assert_msg(strstr(r->evidence, "read-only") != NULL, "%s: %s", name, r->evidence);
        if (r && r->question)
                ck_assert_msg(!w.a.plan.exists || w.a.n_recommendations > 1, "%s: planned", name);
        world_done(&w);
}
END_TEST

/* ---- lines without a mount --------------------------------------------------------- */

static const struct {
        const char *name, *options, *want;
} line_rows[] = {
        { "noac", "bg,noac", "noac:configured?" },
        { "noac taken back", "noac,ac", "" },
        { "noac and what it brings", "sync,noac,actimeo=0", "noac:configured?" },
        { "actimeo=0", "actimeo=0", "attribute-cache-off:configured?" },
        { "actimeo=0, then files get a time", "actimeo=0,acregmin=3,acregmax=60", "" },
        { "all four, then actimeo", "acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,actimeo=30", "" },
        { "fstab case 22", "auto,bg,retry=30,nofail,noatime,nolock,tcp,actimeo=1800", "" },
        { "actimeo without a value", "actimeo", "" },
        { "lookupcache=none", "lookupcache=none,bg", "lookupcache-none:configured?" },
        { "sync", "rw,sync,hard,intr", "sync-client:configured" },
        { "sync taken back", "sync,async", "" },
        { "read-only", "ro,sync", "" },
};

START_TEST(lines)
{
        const char *name = line_rows[_i].name;
        struct world w;

        case_init_line(&w, "/data", 7, line_rows[_i].options);
        w.o.mount.read_only = strncmp(line_rows[_i].options, "ro", 2) == 0;
        world_evaluate(&w);
        case_check(&w, COHERENCE, line_rows[_i].want, name);
        for (size_t i = 0; i < w.a.n_recommendations; i++) {
                const struct recommendation *r = &w.a.recommendations[i];

                if (!(COHERENCE & RULE_BIT(r->rule)))
                        continue;
                ck_assert_msg(strstr(r->evidence, "fstab line 7 asks for ") == r->evidence, "%s: %s", name,
                              r->evidence);
                ck_assert_msg(!strstr(r->evidence, "mountinfo"), "%s: %s", name, r->evidence);
                ck_assert_msg(!strstr(r->risk, "unmount"), "%s: nothing is mounted: %s", name, r->risk);
        }
        world_done(&w);
}
END_TEST

/* ---- what is known of the export --------------------------------------------------- */

static const struct {
        const char *name;
        enum export_setting setting;
        bool known, async;              /* by an exports file */
        usec_t stable_usec;             /* 0: no probe; NULL takes 500 us */
        bool stable_storage;
        bool asks;
        const char *evidence;
} export_rows[] = {
        { "nothing known", EXPORT_AUTO, false, false, 0, false, false, "not known" },
        { "exports file says sync", EXPORT_AUTO, true, false, 0, false, false, "is sync (/etc/exports line 4)" },
        { "exports file says async", EXPORT_AUTO, true, true, 0, false, true, "is async (/etc/exports line 4)" },
        { "exports file before the look", EXPORT_AUTO, true, false, 600, false, false, "is sync (/etc/exports" },
        { "exports file before the slow probe", EXPORT_AUTO, true, true, 11000, false, true, "is async (/etc/exports" },
        { "a cache that survives makes async no better", EXPORT_AUTO, true, true, 600, true, true, "is async (" },
        { "configuration before that file", EXPORT_SYNC, true, true, 0, false, false, "is sync (configuration)" },
        { "configuration says async", EXPORT_ASYNC, true, false, 0, false, true, "is async (configuration)" },
        { "the probe's look", EXPORT_AUTO, false, false, 600, false, true, "looks async" },
        { "the probe's look, cache survives", EXPORT_AUTO, false, false, 600, true, false, "looks async or has" },
};

START_TEST(exports)
{
        const char *name = export_rows[_i].name;
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", "rw,sync,vers=4.2,rsize=1048576,wsize=1048576," TAIL);
        world_section(&w)->export_setting = export_rows[_i].setting;
        world_section(&w)->stable_storage = export_rows[_i].stable_storage;
        if (export_rows[_i].known)
                w.o.export_facts = (struct export_facts){
                        .known = true,
                        .async = export_rows[_i].async,
                        .place = { .kind = PLACE_EXPORTS, .file = world_copy("/etc/exports"), .line = 4 },
                };
        if (export_rows[_i].stable_usec > 0) {
                world_null(&w, 500);
                world_stable(&w, 0, 4 * KIB, 4, export_rows[_i].stable_usec);
                world_stable(&w, 1, 64 * KIB, 4, export_rows[_i].stable_usec);
        }
        world_evaluate(&w);
        r = world_find(&w, RULE_SYNC_CLIENT);
        ck_assert_msg(r != NULL, "%s: fires", name);
        ck_assert_msg(r->question == export_rows[_i].asks && r->automatic != r->question, "%s: asks", name);
        ck_assert_msg(strstr(r->evidence, export_rows[_i].evidence) != NULL, "%s: %s", name, r->evidence);
        ck_assert_msg((strstr(r->risk, "as long as the export is sync") != NULL) == !r->question, "%s: %s", name,
                      r->risk);
        ck_assert_msg(w.a.plan.exists != r->question, "%s: plan", name);
        world_done(&w);
}
END_TEST

/* Dropping sync reaches the other mounts of the superblock too. */
static const struct {
        const char *name, *sharer;
        bool asks, automatic;
        const char *keep;               /* said in it; NULL: not looked at */
} sharer_rows[] = {
        { "an ordinary one", "/data2", false, true, NULL },
        { "a database's", "/var/lib/mysql", true, false, "/var/lib/mysql shares the superblock" },
        { "the kubelet's", "/var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/v", false, false, NULL },
        { "a container's", "/var/lib/docker/volumes/v/_data", false, false, NULL },
};

START_TEST(sharers_of_sync)
{
        const char *name = sharer_rows[_i].name;
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", SYNC3 TAIL);
        w.o.shares_superblock_with = calloc(1, sizeof(*w.o.shares_superblock_with));
        ck_assert_ptr_nonnull(w.o.shares_superblock_with);
        w.o.shares_superblock_with[w.o.n_shares++] = world_copy(sharer_rows[_i].sharer);
        world_evaluate(&w);
        r = world_find(&w, RULE_SYNC_CLIENT);
        ck_assert_msg(r != NULL, "%s: fires", name);
        ck_assert_msg(r->question == sharer_rows[_i].asks && r->automatic == sharer_rows[_i].automatic, "%s", name);
        ck_assert_msg(!sharer_rows[_i].keep || strstr(r->keep, sharer_rows[_i].keep), "%s: %s", name, r->keep);
        ck_assert_msg(!w.a.plan.automatic || r->automatic, "%s: an automatic plan", name);
        world_done(&w);
}
END_TEST

START_TEST(gain_of_sync)
{
        static const struct {
                const char *name;
                usec_t total_usec, commit_usec;
                unsigned want_permille;
        } gains[] = {
                { "most of it",   100000, 9500,  900 },
                { "a little",      12500, 9500,  200 },
                { "no commit seen", 100000, 0,     0 },
                { "slower than what was measured", 5000, 9500, 0 },
        };

        for (size_t i = 0; i < ARRAY_SIZE(gains); i++) {
                const struct recommendation *r;
                struct world w;

                world_init(&w, "/data", "rw", "rw,sync,vers=4.2,rsize=1048576,wsize=1048576," TAIL);
                world_null(&w, 500);
                world_editor_save(&w, 10900, gains[i].total_usec);
                if (gains[i].commit_usec > 0)
                        world_stable(&w, 0, 4 * KIB, 4, gains[i].commit_usec);
                world_evaluate(&w);
                r = world_find(&w, RULE_SYNC_CLIENT);
                ck_assert_msg(r && r->gain_permille == gains[i].want_permille, "%s: %u", gains[i].name,
                              r ? r->gain_permille : 0);
                world_done(&w);
        }
}
END_TEST

START_TEST(counters_are_evidence)
{
        struct world w;

        world_init(&w, "/data", "rw", NOAC3);
        w.o.counters.known = true;
        w.o.counters.op[RPC_OP_GETATTR] = (struct rpc_op_counters){ .calls = 900, .round_trip_msec = 450 };
        w.o.counters.op[RPC_OP_WRITE] = (struct rpc_op_counters){ .calls = 300, .round_trip_msec = 6000 };
        world_evaluate(&w);
        ck_assert_ptr_nonnull(strstr(world_find(&w, RULE_NOAC)->evidence, "GETATTR is 900 of 1200 calls"));
        ck_assert_ptr_nonnull(strstr(world_find(&w, RULE_NOAC)->evidence, "500 us each (mountstats)"));
        w.o.counters.op[RPC_OP_GETATTR].calls = 0;
        world_evaluate(&w);
        ck_assert_ptr_null(strstr(world_find(&w, RULE_NOAC)->evidence, "GETATTR"));
        world_done(&w);
}
END_TEST

/* A plan for what else is wrong leaves the question's options alone. */
START_TEST(plans_leave_questions_alone)
{
        struct world w;

        world_init(&w, "/data", "rw", "rw,sync,vers=3,rsize=32768,wsize=32768," ZEROS "noac,lookupcache=none," TAIL);
        world_fstab(&w, 7, "server:/data /data nfs noac,lookupcache=none,rsize=32768,wsize=32768 0 0",
                    "noac,lookupcache=none,rsize=32768,wsize=32768");
        world_limits(&w, MIB, MIB);
        world_evaluate(&w);
        ck_assert(w.a.plan.exists);
        ck_assert_str_eq(w.a.plan.options, "noac,lookupcache=none");
        world_done(&w);
}
END_TEST

/* The words say whose path it looks like. */
START_TEST(paths_are_named)
{
        static const struct {
                const char *target, *words;
        } paths[] = {
                { "/var/mail", "a mail spool" },
                { "/sapmnt/NW1", "a cluster's shared directory" },
                { "/run/sr-mount/1", "a hypervisor's storage" },
                { "/oradata", "Oracle" },
                { "/var/lib/cinder/mnt/1", "a storage driver's mount" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
                struct world w;

                world_init(&w, paths[i].target, "rw", NOAC3);
                world_evaluate(&w);
                ck_assert_msg(strstr(world_find(&w, RULE_NOAC)->keep, paths[i].words) != NULL, "%s: %s",
                              paths[i].target, world_find(&w, RULE_NOAC)->keep);
                world_done(&w);
        }
}
END_TEST

CASE_MAIN("policy rules coherence", { real_lines, ARRAY_SIZE(real_rows) }, { settings, ARRAY_SIZE(rows) },
          { lines, ARRAY_SIZE(line_rows) }, { exports, ARRAY_SIZE(export_rows) }, { gain_of_sync, 1 },
          { sharers_of_sync, ARRAY_SIZE(sharer_rows) },
          { counters_are_evidence, 1 }, { plans_leave_questions_alone, 1 }, { paths_are_named, 1 })
