/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/evaluate.c and the rules: one row per condition of DESIGN section 6,
 * above all what must not be said.
 */
#include "tests/unit/policy_world.h"

#include "policy/sources.h"

/* ---- the rules about sizes ------------------------------------------------ */

struct size_row {
        const char *name;
        const char *super;
        const char *fstab;              /* options, or NULL */
        const char *conf;               /* of nfsmount.conf, or NULL */
        const char *record;             /* of utab, or NULL */
        uint64_t read_max, write_max;   /* 0: limit unknown */
        const char *want;               /* rules and confidences of the three size rules */
        const char *drops;              /* of the first */
        enum place_kind place;          /* of the first */
};

#define T4(r, w) "rw,vers=4.2,rsize=" r ",wsize=" w ",hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1"
#define T3(r, w) "rw,vers=3,rsize=" r ",wsize=" w ",hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1"
#define U3(r, w) "rw,vers=3,rsize=" r ",wsize=" w ",hard,proto=udp,timeo=11,retrans=3,sec=sys,addr=10.0.0.1"
#define U2(r, w) "rw,vers=2,rsize=" r ",wsize=" w ",hard,proto=udp,timeo=11,retrans=3,sec=sys,addr=10.0.0.1"
#define R4(r, w) "rw,vers=4.2,rsize=" r ",wsize=" w ",hard,proto=rdma,port=20049,timeo=600,retrans=2,sec=sys"

static const struct size_row size_rows[] = {
        /* stale-io-size fires */
        { "fstab pins both, limit known", T4("32768", "32768"), "rsize=32768,wsize=32768", NULL, NULL, MIB, MIB,
          "stale-io-size:configured", "rsize=32768,wsize=32768", PLACE_FSTAB },
        { "fstab pins both, limit unknown", T4("32768", "32768"), "rsize=32768,wsize=32768", NULL, NULL, 0, 0,
          "stale-io-size:configured", "rsize=32768,wsize=32768", PLACE_FSTAB },
        { "spelling of the source is kept", T4("32768", "32768"), "rsize=32k,wsize=32K", NULL, NULL, MIB, MIB,
          "stale-io-size:configured", "rsize=32k,wsize=32K", PLACE_FSTAB },
        { "nfsmount.conf pins both", T4("8192", "8192"), "defaults", "rsize=8k,wsize=8k", NULL, 0, 0,
          "stale-io-size:configured", "rsize=8k,wsize=8k", PLACE_NFSMOUNT_CONF },
        { "only utab's record knows", T4("32768", "32768"), NULL, NULL, "rw,rsize=32768,wsize=32768", 0, 0,
          "stale-io-size:configured", "rsize=32768,wsize=32768", PLACE_UNKNOWN },
        { "large but below, limit known", T4("131072", "131072"), "rsize=131072,wsize=131072", NULL, NULL, MIB, MIB,
          "stale-io-size:configured", "rsize=131072,wsize=131072", PLACE_FSTAB },
        { "large but below, limit unknown", T4("131072", "131072"), "rsize=131072,wsize=131072", NULL, NULL, 0, 0,
          "stale-io-size:possible", "rsize=131072,wsize=131072", PLACE_FSTAB },
        { "no source, limit says it", T4("32768", "32768"), NULL, NULL, NULL, MIB, MIB, "stale-io-size:observed",
          "rsize=32768,wsize=32768", PLACE_UNKNOWN },
        { "nothing known", T3("32768", "32768"), NULL, NULL, NULL, 0, 0, "stale-io-size:possible",
          "rsize=32768,wsize=32768", PLACE_UNKNOWN },
        { "fstab asks for less than is effective", T4("32768", "32768"), "rsize=8192,wsize=8192", NULL, NULL, MIB, MIB,
          "stale-io-size:observed", "rsize=8192,wsize=8192", PLACE_FSTAB },
        { "only rsize pinned, wsize not asked for", T4("32768", "1048576"), "rsize=32768", NULL, NULL, MIB, MIB,
          "stale-io-size:configured io-size-mismatch:configured", "rsize=32768", PLACE_FSTAB },
        { "one below, the other the server's: both go", T4("32768", "32768"), "rsize=32768,wsize=32768", NULL, NULL,
          MIB, 32 * KIB, "stale-io-size:configured", "rsize=32768,wsize=32768", PLACE_FSTAB },
        { "one below, the other asks for the maximum: it stays", T4("32768", "1048576"), "rsize=32768,wsize=1048576",
          NULL, NULL, MIB, MIB, "stale-io-size:configured io-size-mismatch:configured", "rsize=32768", PLACE_FSTAB },
        { "limit is not a page multiple", T4("32768", "32768"), NULL, NULL, NULL, MIB - 100, MIB - 100,
          "stale-io-size:observed", "rsize=32768,wsize=32768", PLACE_UNKNOWN },
        { "udp below its cap, requested", U3("8192", "8192"), "udp,rsize=8192,wsize=8192", NULL, NULL, 0, 0,
          "stale-io-size:possible", "rsize=8192,wsize=8192", PLACE_FSTAB },
        { "udp below its cap, nothing known", U3("8192", "8192"), NULL, NULL, NULL, 0, 0, "stale-io-size:possible",
          "rsize=8192,wsize=8192", PLACE_UNKNOWN },
        { "version 2 below its cap, requested", U2("1024", "1024"), "rsize=1024,wsize=1024", NULL, NULL, 0, 0,
          "stale-io-size:possible", "rsize=1024,wsize=1024", PLACE_FSTAB },
        { "read-only but requested", "ro,vers=3,rsize=32768,wsize=32768,proto=tcp", "ro,rsize=32768,wsize=32768", NULL,
          NULL, MIB, MIB, "stale-io-size:configured", "rsize=32768,wsize=32768", PLACE_FSTAB },
        { "pages of 64 KiB", T4("65536", "65536"), "rsize=100000,wsize=100000", NULL, NULL, MIB, MIB,
          "stale-io-size:configured", "rsize=100000,wsize=100000", PLACE_FSTAB },

        { "v4.0 has no session to blame", "rw,vers=4.0,rsize=29928,wsize=29928,proto=tcp", NULL, NULL, NULL, 0, 0,
          "stale-io-size:possible", "rsize=29928,wsize=29928", PLACE_UNKNOWN },

        /* stale-io-size must not fire */
        { "nothing to improve", T4("1048576", "1048576"), "defaults", NULL, NULL, MIB, MIB, "", NULL, 0 },
        { "nothing to improve, limit unknown", T4("1048576", "1048576"), "defaults", NULL, NULL, 0, 0, "", NULL, 0 },
        { "the server imposes it", T4("32768", "32768"), "rsize=32768,wsize=32768", NULL, NULL, 32 * KIB, 32 * KIB, "",
          NULL, 0 },
        { "the server imposes less than asked", T4("131072", "131072"), "rsize=1048576,wsize=1048576", NULL, NULL,
          128 * KIB, 128 * KIB, "", NULL, 0 },
        { "asked for more than it got, limit unknown", T4("131072", "131072"), "rsize=1048576,wsize=1048576", NULL,
          NULL, 0, 0, "", NULL, 0 },
        { "asked for more than it got, small, limit unknown", T4("32768", "32768"), "rsize=65536,wsize=65536", NULL,
          NULL, 0, 0, "", NULL, 0 },
        { "client maximum, server offers 4 MiB", T4("1048576", "1048576"), NULL, NULL, NULL, 4 * MIB, 4 * MIB, "", NULL,
          0 },
        { "limit rounded to pages", T4("1044480", "1044480"), NULL, NULL, NULL, MIB - 100, MIB - 100, "", NULL, 0 },
        { "limit rounded to pages of 64 KiB", T4("983040", "983040"), NULL, NULL, NULL, MIB - 100, MIB - 100, "", NULL,
          0 },
        { "v4.1 session takes its headers", T4("1047672", "1047532"), NULL, NULL, NULL, MIB, MIB, "", NULL, 0 },
        { "v4.1 session is small", T4("65016", "64876"), NULL, NULL, NULL, MIB, MIB, "", NULL, 0 },
        { "v4.1 session is tiny, nothing known", T4("29928", "29788"), NULL, NULL, NULL, 0, 0, "", NULL, 0 },
        { "udp at its cap", U3("32768", "32768"), "udp,rsize=32768,wsize=32768", NULL, NULL, 0, 0, "", NULL, 0 },
        { "udp at its cap, server offers more", U3("32768", "32768"), NULL, NULL, NULL, MIB, MIB, "", NULL, 0 },
        { "version 2 at its cap", U2("8192", "8192"), "rsize=8192,wsize=8192", NULL, NULL, 0, 0, "", NULL, 0 },
        { "version 2 over tcp at its cap", "rw,vers=2,rsize=8192,wsize=8192,proto=tcp", NULL, NULL, NULL, 0, 0, "",
          NULL, 0 },
        { "nothing known, 64 KiB", T3("65536", "65536"), NULL, NULL, NULL, 0, 0, "", NULL, 0 },
        { "nothing known, read-only", "ro,vers=3,rsize=32768,wsize=32768,proto=tcp", NULL, NULL, NULL, 0, 0, "", NULL,
          0 },
        { "fstab pins less, but the mount has the maximum", T4("1048576", "1048576"), "rsize=32768,wsize=32768", NULL,
          NULL, MIB, MIB, "", NULL, 0 },
        { "rdma has a cap of its own", R4("262144", "262144"), NULL, NULL, NULL, MIB, MIB, "", NULL, 0 },
        { "requested the maximum", T4("1048576", "1048576"), "rsize=1048576,wsize=1048576", NULL, NULL, 0, 0, "", NULL,
          0 },
        { "sizes not printed", "rw,vers=4.2,proto=tcp", "rsize=32768,wsize=32768", NULL, NULL, MIB, MIB, "", NULL, 0 },

        /* io-size-mismatch */
        { "the source names different values", T4("32768", "16384"), "rsize=32768,wsize=16384", NULL, NULL, 0, 0,
          "stale-io-size:configured io-size-mismatch:configured", "rsize=32768,wsize=16384", PLACE_FSTAB },
        { "the source names one, limit unknown", T4("1048576", "32768"), "wsize=32768", NULL, NULL, 0, 0,
          "stale-io-size:configured io-size-mismatch:configured", "wsize=32768", PLACE_FSTAB },
        { "limits equal, sizes not, no source", T4("1048576", "262144"), NULL, NULL, NULL, MIB, MIB,
          "stale-io-size:observed io-size-mismatch:observed", "wsize=262144", PLACE_UNKNOWN },
        { "mismatch, nothing known", T4("1048576", "262144"), NULL, NULL, NULL, 0, 0, "io-size-mismatch:possible",
          "rsize=1048576,wsize=262144", PLACE_UNKNOWN },
        { "mismatch of old sizes, nothing known", T3("32768", "16384"), NULL, NULL, NULL, 0, 0,
          "stale-io-size:possible io-size-mismatch:possible", "rsize=32768,wsize=16384", PLACE_UNKNOWN },
        { "the server offers different limits", T4("1048576", "262144"), NULL, NULL, NULL, MIB, 256 * KIB, "", NULL,
          0 },
        { "different limits and one pinned", T4("32768", "262144"), "rsize=32768", NULL, NULL, MIB, 256 * KIB,
          "stale-io-size:configured", "rsize=32768", PLACE_FSTAB },
        { "different limits behind equal caps", T4("1048576", "1048576"), NULL, NULL, NULL, 4 * MIB, MIB, "", NULL, 0 },
        { "asked for equal, got different: the server's", T4("1048576", "524288"), "rsize=1048576,wsize=1048576", NULL,
          NULL, 0, 0, "", NULL, 0 },
        { "a session's difference", T4("1047672", "1047532"), NULL, NULL, NULL, 0, 0, "", NULL, 0 },

        /* limit-below-size */
        { "limit shrank, not pinned", T4("1048576", "1048576"), "defaults", NULL, NULL, 128 * KIB, 128 * KIB,
          "limit-below-size:observed", "rsize=1048576,wsize=1048576", PLACE_UNKNOWN },
        { "limit shrank, pinned", T4("1048576", "1048576"), "rsize=1048576,wsize=1048576", NULL, NULL, 128 * KIB,
          128 * KIB, "limit-below-size:observed", "rsize=1048576,wsize=1048576", PLACE_FSTAB },
        { "limit shrank for writes only", T4("1048576", "1048576"), NULL, NULL, NULL, MIB, 128 * KIB,
          "limit-below-size:observed", "rsize=1048576,wsize=1048576", PLACE_UNKNOWN },
        { "limit shrank below one of two sizes", T4("1048576", "131072"), NULL, NULL, NULL, 128 * KIB, 128 * KIB,
          "limit-below-size:observed", "rsize=1048576,wsize=131072", PLACE_UNKNOWN },
        { "limit equals size", T4("131072", "131072"), NULL, NULL, NULL, 128 * KIB, 128 * KIB, "", NULL, 0 },
        { "limit is a little more than the size", T4("131072", "131072"), NULL, NULL, NULL, 128 * KIB + 100,
          128 * KIB + 100, "", NULL, 0 },
        { "senseless limit", T4("1048576", "1048576"), NULL, NULL, NULL, 1, 1, "", NULL, 0 },
};

/* The three rules about sizes, as "rule:confidence rule:confidence". */
static char *size_summary(const struct world *w, const struct recommendation **ret_first)
{
        struct text t = { 0 };
        char *s;

        *ret_first = NULL;
        for (size_t i = 0; i < w->a.n_recommendations; i++) {
                const struct recommendation *r = &w->a.recommendations[i];

                if (r->rule != RULE_STALE_IO_SIZE && r->rule != RULE_IO_SIZE_MISMATCH &&
                    r->rule != RULE_LIMIT_BELOW_SIZE)
                        continue;
                text_add(&t, "%s%s:%s", *ret_first ? " " : "", rule_name(r->rule), confidence_name(r->confidence));
                *ret_first = *ret_first ? *ret_first : r;
        }
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

static void check_complete(const struct recommendation *r, const char *name)
{
        ck_assert_msg(r->summary && *r->summary, "%s: no summary", name);
        ck_assert_msg(r->evidence, "%s: no evidence", name);
        ck_assert_msg(r->risk && *r->risk, "%s: no risk", name);
        ck_assert_msg((r->confidence != CONFIDENCE_POSSIBLE && !r->question) || !r->automatic, "%s: automatic", name);
        ck_assert_msg(!r->question || (r->keep && *r->keep), "%s: asks without the case for keeping", name);
        ck_assert_msg(r->urgent == (r->rule == RULE_LIMIT_BELOW_SIZE), "%s: urgent", name);
}

static void check_sizes(const struct size_row *row)
{
        const struct recommendation *first;
        struct world w;
        char *got;

        world_init(&w, "/data", "rw,relatime", row->super);
        if (row->fstab)
                world_fstab(&w, 7, "server:/data /data nfs - 0 0", row->fstab);
        if (row->record)
                world_record(&w, row->record);
        if (row->conf)
                world_conf(&w, 3, row->conf);
        if (row->read_max > 0)
                world_limits(&w, row->read_max, row->write_max);
        world_evaluate(&w);
        got = size_summary(&w, &first);
        ck_assert_msg(strcmp(got, row->want) == 0, "%s: got \"%s\", want \"%s\"", row->name, got, row->want);
        if (first) {
                char *drops = world_drops(first);

                check_complete(first, row->name);
                ck_assert_msg(strcmp(drops, row->drops) == 0, "%s: drops %s", row->name, drops);
                ck_assert_msg(first->place.kind == row->place, "%s: place %s", row->name,
                              place_kind_name(first->place.kind));
                ck_assert_msg(first->method == METHOD_REPLACE, "%s: method", row->name);
                ck_assert_msg(!first->gain, "%s: promises %s", row->name, first->gain);
                free(drops);
        }
        free(got);
        world_done(&w);
}

START_TEST(sizes)
{
        for (size_t i = 0; i < ARRAY_SIZE(size_rows); i++)
                check_sizes(&size_rows[i]);
}
END_TEST

START_TEST(sizes_kept_by_the_administrator)
{
        struct world w;

        world_init(&w, "/data", "rw", T4("32768", "32768"));
        world_limits(&w, MIB, MIB);
        world_keep(&w, "rsize");
        world_keep(&w, "wsize");
        world_evaluate(&w);
        ck_assert_uint_eq(w.a.n_recommendations, 0);
        world_limits(&w, 8 * KIB, 8 * KIB);
        world_evaluate(&w);
        ck_assert_ptr_nonnull(world_find(&w, RULE_LIMIT_BELOW_SIZE));  /* it hangs, intended or not */
        world_done(&w);
}
END_TEST

START_TEST(unknown_limit_is_said)
{
        const struct cannot_tell *t;
        struct world w;

        world_init(&w, "/my data", "rw", T4("131072", "131072"));
        w.o.server.limit_detail = world_copy("the server has no version 4.0");
        world_evaluate(&w);
        t = world_undecided(&w, RULE_STALE_IO_SIZE);
        ck_assert_ptr_nonnull(t);
        ck_assert_ptr_nonnull(strstr(t->missing, "no version 4.0"));
        ck_assert_str_eq(t->command, "nfstuned --once '/my data'");
        world_done(&w);
}
END_TEST

START_TEST(evidence_has_figures_and_their_origin)
{
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", T4("32768", "32768"));
        world_fstab(&w, 7, "server:/data /data nfs rsize=32768,wsize=32768 0 0", "rsize=32768,wsize=32768");
        world_limits(&w, MIB, MIB);
        world_evaluate(&w);
        r = world_find(&w, RULE_STALE_IO_SIZE);
        ck_assert_ptr_nonnull(r);
        ck_assert_ptr_nonnull(strstr(r->evidence, "fstab line 7 asks for rsize=32768"));
        ck_assert_ptr_nonnull(strstr(r->evidence, "1 MiB"));
        ck_assert_ptr_nonnull(strstr(r->evidence, "fsinfo"));
        ck_assert_ptr_nonnull(strstr(r->summary, "1 MiB"));
        ck_assert_ptr_nonnull(strstr(r->risk, "changes nothing"));
        world_done(&w);
}
END_TEST

/* ---- sync-client ------------------------------------------------------------ */

#define SYNC4 "rw,sync,vers=4.2,rsize=1048576,wsize=1048576,hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1"

static const struct sync_row {
        const char *name;
        const char *target;
        const char *vfs;
        const char *super;
        bool keep;
        enum export_setting export_setting;
        usec_t stable_usec;             /* 0: no probe; null is 500 us */
        bool fires;
        bool automatic;
        bool asks;
} sync_rows[] = {
        { "sync", "/data", "rw", SYNC4, false, EXPORT_AUTO, 0, true, true, false },
        { "export looks sync", "/data", "rw", SYNC4, false, EXPORT_AUTO, 11000, true, true, false },
        { "export configured sync", "/data", "rw", SYNC4, false, EXPORT_SYNC, 600, true, true, false },
        { "export looks async", "/data", "rw", SYNC4, false, EXPORT_AUTO, 600, true, false, true },
        { "export configured async", "/data", "rw", SYNC4, false, EXPORT_ASYNC, 11000, true, false, true },
        { "database", "/mnt/nfs/postgres_data", "rw", SYNC4, false, EXPORT_AUTO, 0, true, false, true },
        { "oracle", "/oradata", "rw", SYNC4, false, EXPORT_AUTO, 0, true, false, true },
        { "cluster", "/sapmnt/NW1", "rw", SYNC4, false, EXPORT_AUTO, 0, true, false, true },
        { "storage driver", "/var/lib/cinder/mnt/1", "rw", SYNC4, false, EXPORT_AUTO, 0, true, false, true },
        { "hypervisor", "/mnt/pve/x", "rw", SYNC4, false, EXPORT_AUTO, 0, true, false, true },
        { "mail spool", "/var/mail", "rw", SYNC4, false, EXPORT_AUTO, 0, true, false, true },
        { "nfs root is not ours", "/", "rw", SYNC4, false, EXPORT_AUTO, 0, true, false, false },
        { "pod volume is not ours", "/var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/x", "rw", SYNC4, false,
          EXPORT_AUTO, 0, true, false, false },
        { "a cloud's proxy", "/efs", "rw",
          "rw,sync,vers=4.1,rsize=1048576,wsize=1048576,proto=tcp,port=20121,addr=127.0.0.1", false, EXPORT_AUTO, 0,
          true, false, false },
        { "absent", "/data", "rw", "rw,vers=4.2,rsize=1048576,wsize=1048576,proto=tcp", false, EXPORT_AUTO, 0, false,
          false, false },
        { "noac brings it", "/data", "rw",
          "rw,sync,vers=3,rsize=1048576,wsize=1048576,acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,"
          "hard,noac,proto=tcp",
          false, EXPORT_AUTO, 0, false, false, false },
        { "noacl is not noac", "/data", "rw", "rw,sync,vers=3,rsize=1048576,wsize=1048576,hard,noacl,proto=tcp", false,
          EXPORT_AUTO, 0, true, true, false },
        { "read-only superblock", "/data", "rw", "ro,sync,vers=4.2,rsize=1048576,wsize=1048576,proto=tcp", false,
          EXPORT_AUTO, 0, false, false, false },
        { "read-only mount", "/data", "ro", SYNC4, false, EXPORT_AUTO, 0, false, false, false },
        { "kept", "/data", "rw", SYNC4, true, EXPORT_AUTO, 0, false, false, false },
};

static void check_sync(const struct sync_row *row)
{
        const struct recommendation *r;
        struct world w;

        world_init(&w, row->target, row->vfs, row->super);
        if (row->keep)
                world_keep(&w, "sync");
        if (row->export_setting != EXPORT_AUTO)
                world_section(&w)->export_setting = row->export_setting;
        if (row->stable_usec > 0) {
                world_null(&w, 500);
                world_stable(&w, 0, 4 * KIB, 4, row->stable_usec);
                world_stable(&w, 1, 64 * KIB, 4, row->stable_usec);
        }
        world_evaluate(&w);
        r = world_find(&w, RULE_SYNC_CLIENT);
        ck_assert_msg((r != NULL) == row->fires, "%s", row->name);
        if (r) {
                check_complete(r, row->name);
                ck_assert_msg(r->confidence == CONFIDENCE_CONFIGURED && r->method == METHOD_LIVE, "%s", row->name);
                ck_assert_msg(r->n_drop == 1 && strcmp(r->drop[0], "sync") == 0 && r->n_set == 0, "%s: drop",
                              row->name);
                ck_assert_msg(r->automatic == row->automatic, "%s: automatic", row->name);
                ck_assert_msg(r->question == row->asks, "%s: asks", row->name);
                ck_assert_msg(r->keep && (strchr(r->keep, '?') != NULL) == row->asks, "%s: keep: %s", row->name,
                              r->keep);
                ck_assert_msg(strstr(r->risk, "close()") && strstr(r->risk, "client crashes"), "%s: risk", row->name);
        }
        world_done(&w);
}

START_TEST(sync_client)
{
        for (size_t i = 0; i < ARRAY_SIZE(sync_rows); i++)
                check_sync(&sync_rows[i]);
}
END_TEST

START_TEST(gain_of_async_is_a_bound_from_the_probe)
{
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", SYNC4);
        world_evaluate(&w);
        ck_assert_ptr_null(world_find(&w, RULE_SYNC_CLIENT)->gain);
        world_null(&w, 500);
        world_editor_save(&w, 10900, 350000);
        world_stable(&w, 0, 4 * KIB, 4, 10900);
        world_stable(&w, 1, 64 * KIB, 4, 12000);
        world_evaluate(&w);
        r = world_find(&w, RULE_SYNC_CLIENT);
        ck_assert_ptr_nonnull(r->gain);
        ck_assert_ptr_nonnull(strstr(r->gain, "10.9 ms"));
        ck_assert_ptr_nonnull(strstr(r->gain, "256 KiB in 350 ms"));
        ck_assert_ptr_nonnull(strstr(r->gain, "12.5 ms"));
        ck_assert_ptr_nonnull(strstr(r->gain, "at best"));
        w.o.probe.results[WORKLOAD_EDITOR_SAVE].outcome = OUTCOME_NO_SPACE;
        world_evaluate(&w);
        ck_assert_ptr_null(world_find(&w, RULE_SYNC_CLIENT)->gain);
        world_done(&w);
}
END_TEST

START_TEST(sharers_are_named)
{
        struct world w;

        world_init(&w, "/data", "rw", SYNC4);
        w.o.shares_superblock_with = calloc(1, sizeof(char *));
        w.o.shares_superblock_with[0] = world_copy("/srv/other");
        w.o.n_shares = 1;
        world_evaluate(&w);
        ck_assert_ptr_nonnull(strstr(world_find(&w, RULE_SYNC_CLIENT)->evidence, "/srv/other"));
        ck_assert_ptr_nonnull(strstr(w.a.plan.text, "/srv/other"));
        world_done(&w);
}
END_TEST

/* ---- async-export ------------------------------------------------------------- */

enum async_verdict {
        ASYNC_QUIET,
        ASYNC_POSSIBLE,
        ASYNC_CONFIGURED,
        ASYNC_CANNOT_TELL,
};

static const struct async_row {
        const char *name;
        usec_t null_usec;
        unsigned replies;
        unsigned n0;
        usec_t p0;
        unsigned n1;
        usec_t p1;              /* of 64 KiB */
        unsigned n2;
        usec_t p2;              /* of 4 MiB */
        enum export_setting export_setting;
        bool stable_storage;
        const char *vfs;
        enum async_verdict want;
} async_rows[] = {
        { "a round trip at two sizes", 500, 5, 4, 600, 4, 1200, 0, 0, EXPORT_AUTO, false, "rw", ASYNC_POSSIBLE },
        { "long round trip", 20000, 5, 4, 21000, 4, 30000, 0, 0, EXPORT_AUTO, false, "rw", ASYNC_POSSIBLE },
        { "a disk", 500, 5, 4, 10900, 4, 12000, 0, 0, EXPORT_AUTO, false, "rw", ASYNC_QUIET },
        { "a fast disk at one size", 500, 5, 4, 900, 4, 9000, 0, 0, EXPORT_AUTO, false, "rw", ASYNC_QUIET },
        { "COMMIT of much data is slow", 500, 5, 4, 900, 4, 900, 1, 400000, EXPORT_AUTO, false, "rw", ASYNC_QUIET },
        { "COMMIT of much data is fast too", 500, 5, 4, 900, 4, 900, 1, 30000, EXPORT_AUTO, false, "rw",
          ASYNC_POSSIBLE },
        { "one size only", 500, 5, 4, 600, 0, 0, 0, 0, EXPORT_AUTO, false, "rw", ASYNC_CANNOT_TELL },
        { "one size and a single COMMIT", 500, 5, 4, 600, 0, 0, 1, 600, EXPORT_AUTO, false, "rw", ASYNC_CANNOT_TELL },
        { "two samples", 500, 5, 2, 600, 4, 600, 0, 0, EXPORT_AUTO, false, "rw", ASYNC_CANNOT_TELL },
        { "two replies", 500, 2, 4, 600, 4, 600, 0, 0, EXPORT_AUTO, false, "rw", ASYNC_CANNOT_TELL },
        { "no probe", 500, 5, 0, 0, 0, 0, 0, 0, EXPORT_AUTO, false, "rw", ASYNC_CANNOT_TELL },
        { "cache survives", 500, 5, 4, 600, 4, 600, 0, 0, EXPORT_AUTO, true, "rw", ASYNC_QUIET },
        { "cache survives, async configured", 500, 5, 0, 0, 0, 0, 0, 0, EXPORT_ASYNC, true, "rw", ASYNC_QUIET },
        { "sync configured", 500, 5, 4, 600, 4, 600, 0, 0, EXPORT_SYNC, false, "rw", ASYNC_QUIET },
        { "async configured", 500, 5, 4, 10900, 4, 12000, 0, 0, EXPORT_ASYNC, false, "rw", ASYNC_CONFIGURED },
        { "async configured, no probe", 500, 5, 0, 0, 0, 0, 0, 0, EXPORT_ASYNC, false, "rw", ASYNC_CONFIGURED },
        { "read-only mount", 500, 5, 0, 0, 0, 0, 0, 0, EXPORT_AUTO, false, "ro", ASYNC_QUIET },
};

static enum async_verdict async_verdict(const struct world *w)
{
        const struct recommendation *r = world_find(w, RULE_ASYNC_EXPORT);

        if (!r)
                return world_undecided(w, RULE_ASYNC_EXPORT) ? ASYNC_CANNOT_TELL : ASYNC_QUIET;
        return r->confidence == CONFIDENCE_CONFIGURED ? ASYNC_CONFIGURED : ASYNC_POSSIBLE;
}

static void check_async(const struct async_row *row)
{
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", row->vfs, T4("1048576", "1048576"));
        world_null(&w, row->null_usec);
        w.o.server.null_replies = row->replies;
        if (row->n0 > 0)
                world_stable(&w, 0, 4 * KIB, row->n0, row->p0);
        if (row->n1 > 0)
                world_stable(&w, 1, 64 * KIB, row->n1, row->p1);
        if (row->n2 > 0)
                world_stable(&w, 2, 4 * MIB, row->n2, row->p2);
        if (row->export_setting != EXPORT_AUTO || row->stable_storage) {
                world_section(&w)->export_setting = row->export_setting;
                world_section(&w)->stable_storage = row->stable_storage;
        }
        world_evaluate(&w);
        ck_assert_msg(async_verdict(&w) == row->want, "%s: %d", row->name, (int)async_verdict(&w));
        r = world_find(&w, RULE_ASYNC_EXPORT);
        if (r) {
                check_complete(r, row->name);
                ck_assert_msg(r->method == METHOD_SERVER && !r->automatic && r->n_drop == 0 && r->n_set == 0, "%s",
                              row->name);
                ck_assert_msg(!w.a.plan.exists, "%s: a mount option does not help", row->name);
        }
        if (row->want == ASYNC_POSSIBLE)
                ck_assert_msg(strstr(r->summary,
                                     "async export or non-volatile cache, look with exportfs -v on the server"),
                              "%s: %s", row->name, r->summary);
        world_done(&w);
}

START_TEST(async_export)
{
        for (size_t i = 0; i < ARRAY_SIZE(async_rows); i++)
                check_async(&async_rows[i]);
}
END_TEST

/* ---- unresponsive --------------------------------------------------------------- */

START_TEST(unresponsive)
{
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", SYNC4);
        world_null(&w, 500);
        world_stable(&w, 0, 4 * KIB, 4, 600);
        world_stable(&w, 1, 64 * KIB, 4, 600);
        w.o.liveness = LIVENESS_UNRESPONSIVE;
        w.o.liveness_witnesses = world_copy("NULL call unanswered; 3 readings without a reply");
        world_evaluate(&w);
        r = &w.a.recommendations[0];
        ck_assert_uint_ge(w.a.n_recommendations, 1);
        ck_assert_int_eq(r->rule, RULE_UNRESPONSIVE);
        ck_assert_int_eq(r->method, METHOD_NONE);
        ck_assert(!r->urgent && !r->automatic);
        ck_assert_str_eq(r->evidence, "NULL call unanswered; 3 readings without a reply");
        ck_assert_ptr_nonnull(strstr(r->summary, "server"));
        ck_assert_int_eq(async_verdict(&w), ASYNC_CANNOT_TELL);
        w.o.liveness = LIVENESS_UNKNOWN;
        world_evaluate(&w);
        ck_assert_ptr_null(world_find(&w, RULE_UNRESPONSIVE));
        world_done(&w);
}
END_TEST

/* ---- whole mounts ----------------------------------------------------------------- */

START_TEST(first_story)
{
        static const struct {
                const char *name, *super, *want;
        } rows[] = {
                { "v3",
                  "rw,sync,vers=3,rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,"
                  "mountaddr=10.0.0.1,mountvers=3,mountport=20048,mountproto=udp,local_lock=none,addr=10.0.0.1",
                  "sync-client:configured stale-io-size:configured obsolete-option:configured" },
                { "v4.0",
                  "rw,sync,vers=4.0,rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,"
                  "clientaddr=10.0.0.2,local_lock=none,addr=10.0.0.1",
                  "sync-client:configured stale-io-size:configured old-version:possible obsolete-option:configured" },
                { "v4.2",
                  "rw,sync,vers=4.2,rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,"
                  "clientaddr=10.0.0.2,local_lock=none,fatal_neterrors=none,addr=10.0.0.1",
                  "sync-client:configured stale-io-size:configured obsolete-option:configured" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
                for (int known = 0; known < 2; known++) {
                        const struct recommendation *r;
                        struct world w;
                        char *got;

                        world_init(&w, "/data", "rw,relatime", rows[i].super);
                        world_fstab(&w, 7,
                                    "server:/data\t/data\tnfs  sync,rsize=32768,wsize=32768,bg,intr\t0 0  # story",
                                    "sync,rsize=32768,wsize=32768,bg,intr");
                        if (known) {
                                world_limits(&w, MIB, MIB);
                                world_null(&w, 500);
                                world_editor_save(&w, 10900, 350000);
                                world_stable(&w, 0, 4 * KIB, 4, 10900);
                                world_stable(&w, 1, 128 * KIB, 4, 13000);
                        }
                        world_evaluate(&w);
                        got = world_summary(&w);
                        /* The same before and after the first probe: one event per rule, not two. */
                        ck_assert_msg(strcmp(got, rows[i].want) == 0, "%s: %s", rows[i].name, got);
                        free(got);
                        r = world_find(&w, RULE_STALE_IO_SIZE);
                        got = world_drops(r);
                        ck_assert_str_eq(got, "rsize=32768,wsize=32768");
                        free(got);
                        ck_assert(r->automatic && world_find(&w, RULE_SYNC_CLIENT)->automatic);
                        ck_assert_ptr_null(r->gain);
                        ck_assert(w.a.plan.exists);
                        ck_assert_int_eq(w.a.plan.method, METHOD_REPLACE);
                        ck_assert_str_eq(w.a.plan.options, "bg");
                        ck_assert_int_eq(w.a.plan.place.kind, PLACE_FSTAB);
                        ck_assert_uint_eq(w.a.plan.place.line, 7);
                        ck_assert_str_eq(w.a.plan.replacement, "server:/data\t/data\tnfs  bg\t0 0  # story");
                        world_done(&w);
                }
}
END_TEST

/* What nobody wrote cannot be taken away. */
START_TEST(only_what_is_written_is_dropped)
{
        static const struct {
                const char *name;
                const char *asked;      /* NULL: no fstab line */
                uint64_t limit_bytes;
                enum rule rule;
                const char *drops;
        } rows[] = {
                { "mismatch, one asked for", "rsize=32768", MIB, RULE_IO_SIZE_MISMATCH, "rsize=32768" },
                { "mismatch, both asked for", "rsize=32768,wsize=1048576", MIB, RULE_IO_SIZE_MISMATCH,
                  "rsize=32768,wsize=1048576" },
                { "mismatch, nobody asked", NULL, MIB, RULE_IO_SIZE_MISMATCH, "rsize=32768,wsize=1048576" },
                { "limit below, one asked for", "rsize=32768", 16 * KIB, RULE_LIMIT_BELOW_SIZE, "rsize=32768" },
                { "limit below, nobody asked", NULL, 16 * KIB, RULE_LIMIT_BELOW_SIZE, "rsize=32768,wsize=1048576" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                const struct recommendation *r;
                cleanup_free char *drops = NULL;
                struct world w;

                world_init(&w, "/data", "rw,relatime", T4("32768", "1048576"));
                if (rows[i].asked)
                        world_fstab(&w, 7, "server:/data /data nfs OPTIONS 0 0", rows[i].asked);
                world_limits(&w, rows[i].limit_bytes, rows[i].limit_bytes);
                world_evaluate(&w);
                r = world_find(&w, rows[i].rule);
                ck_assert_msg(r != NULL, "%s: fires", rows[i].name);
                drops = world_drops(r);
                ck_assert_msg(strcmp(drops, rows[i].drops) == 0, "%s: drops %s", rows[i].name, drops);
                world_done(&w);
        }
}
END_TEST

START_TEST(perfect_mount)
{
        struct world w;

        world_init(&w, "/data", "rw,relatime", T4("1048576", "1048576"));
        world_fstab(&w, 7, "server:/data /data nfs defaults 0 0", "defaults");
        world_limits(&w, MIB, MIB);
        world_null(&w, 500);
        world_stable(&w, 0, 4 * KIB, 4, 10900);
        world_stable(&w, 1, 64 * KIB, 4, 12000);
        world_evaluate(&w);
        ck_assert_uint_eq(w.a.n_recommendations, 0);
        ck_assert_uint_eq(w.a.n_cannot_tell, 0);
        ck_assert(!w.a.plan.exists);
        world_done(&w);
}
END_TEST

START_TEST(out_of_reach)
{
        for (int i = 0; i < 3; i++) {
                struct world w;

                world_init(&w, "/data", "rw", SYNC4);
                w.o.mount.covered = i == 0;
                w.o.mount.duplicate = i == 1;
                w.o.mount.deleted = i == 2;
                world_evaluate(&w);
                ck_assert_uint_eq(w.a.n_recommendations + w.a.n_cannot_tell, 0);
                ck_assert(!w.a.plan.exists);
                world_done(&w);
        }
}
END_TEST

START_TEST(places_without_a_source)
{
        static const struct {
                const char *name, *target, *server;
                bool below_autofs;
                enum place_kind want;
        } rows[] = {
                { "unknown", "/data", "server", false, PLACE_UNKNOWN },
                { "autofs", "/data", "server", true, PLACE_AUTOFS },
                { "kubelet", "/var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/x", "server", false, PLACE_VOLUME },
                { "docker", "/var/lib/docker/volumes/x/_data", "server", false, PLACE_VOLUME },
                { "no host in the source", "/whatever", "", false, PLACE_VOLUME },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                const struct recommendation *r;
                struct world w;

                world_init(&w, rows[i].target, "rw", SYNC4);
                free(w.o.mount.server);
                w.o.mount.server = world_copy(rows[i].server);
                w.o.mount.below_autofs = rows[i].below_autofs;
                world_evaluate(&w);
                r = world_find(&w, RULE_SYNC_CLIENT);
                ck_assert_msg(r && r->place.kind == rows[i].want, "%s", rows[i].name);
                ck_assert_msg(r->automatic == (rows[i].want == PLACE_UNKNOWN), "%s: automatic", rows[i].name);
                ck_assert_msg(w.a.plan.exists && w.a.plan.place.kind == rows[i].want, "%s: plan", rows[i].name);
                world_done(&w);
        }
}
END_TEST

/* ---- properties ---------------------------------------------------------------------- */

static const char *pick_size(uint64_t *state)
{
        static const char *const values[] = {
                "1024", "8192", "32768", "65536", "131072", "262144", "1047672", "1048576"
        };

        return values[world_random(state) % ARRAY_SIZE(values)];
}

static uint64_t pick_limit(uint64_t *state)
{
        static const uint64_t values[] = { 8 * KIB, 32 * KIB, 128 * KIB, 256 * KIB, MIB - 100, MIB, 4 * MIB };

        return values[world_random(state) % ARRAY_SIZE(values)];
}

static void random_world(struct world *w, uint64_t *state)
{
        static const char *const versions[] = { "2", "3", "4.0", "4.1", "4.2" };
        static const char *const protos[] = { "tcp", "udp", "rdma" };
        static const char *const targets[] = { "/data", "/oradata", "/var/lib/kubelet/pods/1/x", "/", "/a b" };
        char super[300], asked[100];

        snprintf(super, sizeof(super),
                 "%s%s,vers=%s,rsize=%s,wsize=%s,hard,proto=%s,timeo=600,retrans=2%s,addr=10.0.0.1",
                 world_random(state) % 8 ? "rw" : "ro", world_random(state) % 2 ? ",sync" : "",
                 versions[world_random(state) % 5], pick_size(state), pick_size(state), protos[world_random(state) % 3],
                 world_random(state) % 8 ? "" : ",noac");
        snprintf(asked, sizeof(asked), "bg%s,rsize=%s,wsize=%s", world_random(state) % 2 ? ",sync" : "",
                 pick_size(state), pick_size(state));
        world_init(w, targets[world_random(state) % ARRAY_SIZE(targets)], "rw,nosuid,relatime", super);
        if (world_random(state) % 2)
                world_fstab(w, 7, "s:/d /d nfs X 0 0", asked);
        if (world_random(state) % 3 == 0)
                world_conf(w, 4, "wsize=32k");
        if (world_random(state) % 2)
                world_limits(w, pick_limit(state), pick_limit(state));
        if (world_random(state) % 2) {
                world_null(w, world_random(state) % 5000 + 100);
                world_stable(w, 0, 4 * KIB, 4, world_random(state) % 20000);
                world_stable(w, 1, 64 * KIB, 4, world_random(state) % 20000);
                world_editor_save(w, world_random(state) % 20000, world_random(state) % 500000 + 1);
        }
        if (world_random(state) % 8 == 0)
                w->o.liveness = LIVENESS_UNRESPONSIVE;
}

static bool is_planned(const struct recommendation *r)
{
        return r->confidence > CONFIDENCE_POSSIBLE && !r->question && r->n_drop + r->n_set > 0 &&
               (r->method == METHOD_LIVE || r->method == METHOD_REPLACE || r->method == METHOD_SOURCE);
}

/* What holds for every advice. */
static void check_invariants(const struct world *w, const char *name)
{
        bool planned = false;

        for (size_t i = 0; i < w->a.n_recommendations; i++) {
                const struct recommendation *r = &w->a.recommendations[i];

                check_complete(r, name);
                planned = planned || is_planned(r);
                ck_assert_msg(i == 0 || w->a.recommendations[i - 1].rule < r->rule, "%s: order", name);
                ck_assert_msg(!world_undecided(w, r->rule), "%s: %s fires and cannot tell", name, rule_name(r->rule));
        }
        ck_assert_msg(w->a.plan.exists == planned, "%s: plan", name);
        if (w->a.plan.exists)
                ck_assert_msg(*w->a.plan.options && *w->a.plan.text, "%s: plan's words", name);
}

/* What the kernel prints after the changes of the plan, but for the sizes. */
static void apply_planned(const struct world *w, struct options *super)
{
        for (size_t i = 0; i < w->a.n_recommendations; i++) {
                const struct recommendation *r = &w->a.recommendations[i];
                struct options drop = { 0 }, set = { 0 };

                if (!is_planned(r))
                        continue;
                ck_assert_int_eq(option_texts_parse(r->drop, r->n_drop, &drop), 0);
                for (size_t k = 0; k < drop.n_items; k++)
                        options_drop(super, drop.items[k].name);
                ck_assert_int_eq(option_texts_parse(r->set, r->n_set, &set), 0);
                ck_assert_int_eq(options_merge(super, &set), 0);
                options_done(&drop);
                options_done(&set);
        }
}

/* What is negotiated where the plan's options ask for no size. */
static void negotiate(const struct world *w, struct options *super)
{
        const uint64_t limits[] = { w->o.server.read_max_bytes, w->o.server.write_max_bytes };
        static const char *const names[] = { "rsize", "wsize" };
        struct options planned = world_options(w->a.plan.options);
        struct nfs_options is;
        uint64_t cap;

        nfs_options_read(super, &is);
        cap = is.version_major == 2 ? 8 * KIB : is.proto == NFS_PROTO_UDP ? 32 * KIB : MIB;
        for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
                char offer[24];

                if (options_has(&planned, names[i]))
                        continue;
                (void) snprintf(offer, sizeof(offer), "%llu", (unsigned long long)MIN(limits[i] / 4096 * 4096, cap));
                ck_assert_int_eq(options_set(super, names[i], offer), 0);
        }
        options_done(&planned);
}

/* Mounted with the plan's options, and with the sizes that are then negotiated,
 * there is nothing left to plan. */
static void check_plan_is_enough(struct world *w, const char *name)
{
        struct options super = { 0 };
        struct world after;
        char *text, *again;

        ck_assert_int_eq(options_copy(&w->o.mount.super, &super), 0);
        apply_planned(w, &super);
        negotiate(w, &super);
        text = options_format(&super);
        world_init(&after, w->o.mount.target, "rw,nosuid,relatime", text);
        world_limits(&after, w->o.server.read_max_bytes, w->o.server.write_max_bytes);
        /* What made sync a question is not in the new world. */
        if (world_find(w, RULE_SYNC_CLIENT) && world_find(w, RULE_SYNC_CLIENT)->question)
                world_keep(&after, "sync");
        world_evaluate(&after);
        again = world_summary(&after);
        ck_assert_msg(!after.a.plan.exists, "%s: planned %s, and then again %s for %s, which says %s", name,
                      w->a.plan.options, after.a.plan.options, text, again);
        free(again);
        world_done(&after);
        free(text);
        options_done(&super);
}

START_TEST(random_worlds)
{
        uint64_t seed = world_seed(), state = seed;

        for (int i = 0; i < 4000; i++) {
                char name[80];
                struct world w;

                snprintf(name, sizeof(name), "seed %llu world %d", (unsigned long long)seed, i);
                random_world(&w, &state);
                world_evaluate(&w);
                check_invariants(&w, name);
                /* Without another source the plan's string is the whole truth. */
                if (w.a.plan.exists && w.o.n_requested == 0 && w.o.server.limit_source != LIMIT_UNKNOWN &&
                    !world_undecided(&w, RULE_STALE_IO_SIZE))
                        check_plan_is_enough(&w, name);
                world_done(&w);
        }
}
END_TEST

/* ---- may it be written to? -------------------------------------------------------------- */

static const struct write_row {
        const char *name;
        const char *target;             /* NULL: /data */
        const char *vfs;                /* NULL: rw */
        const char *fstab;
        bool below_autofs, covered, deleted, duplicate;
        enum active_setting active;
        enum probe_setting probe;
        bool want, refuses_to_ask;
} write_rows[] = {
        { .name = "ordinary", .want = true },
        { .name = "active = no", .active = ACTIVE_NO },
        { .name = "active = no, probe = active", .active = ACTIVE_NO, .probe = PROBE_SETTING_ACTIVE, .want = true },
        { .name = "probe = passive", .active = ACTIVE_YES, .probe = PROBE_SETTING_PASSIVE },
        { .name = "probe = off", .active = ACTIVE_YES, .probe = PROBE_SETTING_OFF, .refuses_to_ask = true },
        { .name = "below autofs", .below_autofs = true },
        { .name = "below autofs, active = yes", .below_autofs = true, .active = ACTIVE_YES, .want = true },
        { .name = "below autofs, probe = active", .below_autofs = true, .probe = PROBE_SETTING_ACTIVE, .want = true },
        { .name = "automount unit", .fstab = "x-systemd.automount" },
        { .name = "kubelet", .target = "/var/lib/kubelet/pods/1/x" },
        { .name = "container", .target = "/var/lib/docker/volumes/x/_data" },
        { .name = "database", .target = "/var/lib/mysql" },
        { .name = "database, probe = active", .target = "/var/lib/mysql", .probe = PROBE_SETTING_ACTIVE, .want = true },
        { .name = "oracle", .target = "/oradata" },
        { .name = "storage driver", .target = "/var/lib/cinder/mnt/1" },
        { .name = "cluster", .target = "/sapmnt/NW1", .want = true },
        { .name = "hypervisor", .target = "/vmfs/volumes/1" },
        { .name = "mail spool", .target = "/var/mail" },
        { .name = "read-only", .vfs = "ro", .active = ACTIVE_YES, .probe = PROBE_SETTING_ACTIVE },
        { .name = "covered", .covered = true, .active = ACTIVE_YES, .probe = PROBE_SETTING_ACTIVE },
        { .name = "deleted", .deleted = true, .active = ACTIVE_YES, .probe = PROBE_SETTING_ACTIVE },
        { .name = "duplicate", .duplicate = true, .active = ACTIVE_YES, .probe = PROBE_SETTING_ACTIVE },
};

START_TEST(probing)
{
        for (size_t i = 0; i < ARRAY_SIZE(write_rows); i++) {
                const struct write_row *row = &write_rows[i];
                const char *reason = "untouched";
                struct world w;

                world_init(&w, row->target ? row->target : "/data", row->vfs ? row->vfs : "rw",
                           T4("1048576", "1048576"));
                w.o.mount.below_autofs = row->below_autofs;
                w.o.mount.covered = row->covered;
                w.o.mount.deleted = row->deleted;
                w.o.mount.duplicate = row->duplicate;
                if (row->fstab)
                        world_fstab(&w, 1, "s:/d /data nfs X 0 0", row->fstab);
                w.p.active = row->active;
                world_section(&w)->probe = row->probe;
                ck_assert_msg(probe_may_write(&w.o, &w.p, &reason) == row->want, "%s", row->name);
                ck_assert_msg((reason == NULL) == row->want, "%s: reason %s", row->name, reason ? reason : "(null)");
                ck_assert_msg(probe_may_write(&w.o, &w.p, NULL) == row->want, "%s", row->name);
                ck_assert_msg(probe_may_ask(&w.o, &w.p) != row->refuses_to_ask, "%s: ask", row->name);
                world_done(&w);
        }
}
END_TEST

WORLD_MAIN("policy evaluate", sizes, sizes_kept_by_the_administrator, unknown_limit_is_said,
           evidence_has_figures_and_their_origin, sync_client, gain_of_async_is_a_bound_from_the_probe,
           sharers_are_named, async_export, unresponsive, first_story,
           only_what_is_written_is_dropped, perfect_mount, out_of_reach,
           places_without_a_source, random_worlds, probing)
