/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_size.c and sizes.c: real lines, lines without a mount, profiles,
 * stalls and trials. The arithmetic of limits and sources is in
 * test_policy_evaluate.c.
 */
#include "tests/unit/policy_case.h"

#define SIZES                                                                                                \
        (RULE_BIT(RULE_LIMIT_BELOW_SIZE) | RULE_BIT(RULE_STALE_IO_SIZE) | RULE_BIT(RULE_IO_SIZE_MISMATCH) | \
         RULE_BIT(RULE_LARGE_IO_STALL))

#define T3(r, w) "rw,vers=3,rsize=" r ",wsize=" w ",hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1"
#define U3(r, w) "rw,vers=3,rsize=" r ",wsize=" w ",hard,proto=udp,timeo=11,retrans=3,sec=sys,addr=10.0.0.1"

/* ---- real lines ----------------------------------------------------------------- */

static const struct real_row real_rows[] = {
        { "02", "/shared/dir1", "stale-io-size:possible" },
        { "02", "/shared/dir2", "stale-io-size:possible" },
        { "03", "/networkdrive", "stale-io-size:possible" },
        { "05", "/mnt/data", "stale-io-size:possible" },
        { "07", "/media/nasmedia", "stale-io-size:possible" },
        { "08", "/test-server", "" },
        { "12", "/home", "stale-io-size:possible" },
        { "18", "/u/joe", "" },
        { "20", "/apt1/cs", "" },
        { "20", "/net/mail", "" },
        { "22", "/", "stale-io-size:possible" },
        { "23", "/home/user1", "stale-io-size:possible" },
        { "23", "/misc/mail", "" },
        { "25", "/root/run/nfs", "" },
        { "27", "/", "stale-io-size:possible" },
        { "28", "/", "stale-io-size:possible" },
        { "30", "/var/lib/docker/volumes/project_root/_data", "stale-io-size:possible" },
        { "32", "/vagrant", "" },
        { "43", "/var/lib/ocis", "" },
        { "47", "/oradata", "stale-io-size:possible?" },
        { "50", "/webmail0", "stale-io-size:possible io-size-mismatch:possible" },
        { "50", "/mailhome6", "stale-io-size:possible io-size-mismatch:possible" },
        { "55", "/run/sr-mount/uuid", "" },
        { "65", "/root/.oldroot/nfs", "" },
        { "68", "/mnt/nfsv4.2", "" },
        { "68", "/mnt/nfsv4.0", "" },
        { "68", "/mnt/nfsv3", "" },
        { "70", "/ifs", "stale-io-size:possible" },
        { "72", "/home", "" },
        { "77", "/home/u/nfs3u", "" },
        { "80", "/data", "" },
        { "86", "/mnt/tab\\011dir\\134x", "stale-io-size:possible" },
        { "86", "/cAppCom/init.d", "" },
        { "90", "/C", "" },
        { "93", "/mnt/models", "" },
};

START_TEST(real_lines)
{
        case_check_real(&real_rows[_i], SIZES);
}
END_TEST

/* ---- lines without a mount --------------------------------------------------------- */

static const struct {
        const char *name;               /* of the file in cases/fstab, where it is one */
        const char *target, *options, *conf, *want, *words;
} line_rows[] = {
        { "05:7", "/home", "rsize=8192,wsize=8192,timeo=14,intr", NULL, "stale-io-size:configured",
          "fstab line 7 asks for rsize=8192 and wsize=8192; the server's limit for reads and writes is not known" },
        { "08:2", "/hana/data/HN1/mnt00001",
          "rw,vers=4,minorversion=1,hard,timeo=600,rsize=262144,wsize=262144,noatime,_netdev,sec=sys", NULL,
          "stale-io-size:possible?", "asks for rsize=262144" },
        { "13:1", "/habinat", "rw,hard,vers=3,proto=udp,mountvers=3,mountproto=udp,rsize=8192,wsize=8192,timeo=11",
          NULL, "stale-io-size:possible", "asks for rsize=8192" },
        { "27:1", "/u01/app/oracle/product/", "rsize=8192,wsize=8192,timeo=14,intr", NULL, "stale-io-size:configured",
          "rsize=8192 and wsize=8192" },
        { "27:2", "/var/atlassian/jira/shared", "rw,sync,hard,intr,noatime,rsize=131072,wsize=131072", NULL,
          "stale-io-size:possible", "asks for rsize=131072" },
        { "version 2", "/data", "vers=2,rsize=1024,wsize=1024", NULL, "stale-io-size:possible", "asks for rsize=1024" },
        { "suffixes", "/data", "rsize=32k,wsize=32K", NULL, "stale-io-size:configured", "asks for rsize=32k" },
        { "two sizes", "/data", "rsize=32768,wsize=16384", NULL,
          "stale-io-size:configured io-size-mismatch:configured", "asks for rsize=32768 and wsize=16384" },
        { "a quarter is a difference", "/data", "rsize=524288,wsize=393216", NULL,
          "stale-io-size:possible io-size-mismatch:configured", "rsize=524288 and wsize=393216" },
        { "less than an eighth is none", "/data", "rsize=524288,wsize=462848", NULL, "stale-io-size:possible",
          "asks for rsize=524288" },
        { "an odd size is nobody's session", "/data", "vers=4.1,rsize=29928,wsize=29928", NULL,
          "stale-io-size:configured", "asks for rsize=29928" },
        { "the last of two wins", "/data", "rsize=8192,wsize=8192,rsize=1048576,wsize=1048576", NULL, "", NULL },
        { "a default of nfsmount.conf", "/data", "bg", "rsize=8k,wsize=8k", "stale-io-size:configured",
          "/etc/nfsmount.conf line 3 asks for rsize=8k and wsize=8k" },
        { "the line before nfsmount.conf", "/data", "rsize=1m,wsize=1m", "rsize=8k,wsize=8k", "", NULL },
        { "the maximum", "/data", "rsize=1048576,wsize=1048576", NULL, "", NULL },
        { "more than the maximum", "/data", "rsize=4194304,wsize=4194304", NULL, "", NULL },
        { "no number", "/data", "rsize=32k,wsize=abc", NULL, "stale-io-size:configured", "asks for rsize=32k" },
        { "none", "/data", "defaults", NULL, "", NULL },
        { "zero is none", "/data", "rsize=0,wsize=0", NULL, "", NULL },
};

static size_t times(const char *text, const char *words)
{
        size_t n = 0;

        while ((text = strstr(text, words)) != NULL) {
                text += strlen(words);
                n++;
        }
        return n;
}

START_TEST(lines)
{
        const char *name = line_rows[_i].name;
        const struct recommendation *r;
        struct world w;

        case_init_line(&w, line_rows[_i].target, 7, line_rows[_i].options);
        if (line_rows[_i].conf)
                world_conf(&w, 3, line_rows[_i].conf);
        world_evaluate(&w);
        case_check(&w, SIZES, line_rows[_i].want, name);
        r = case_first(&w, SIZES);
        if (r) {
                ck_assert_msg(strstr(r->evidence, line_rows[_i].words) != NULL, "%s: %s", name, r->evidence);
                ck_assert_msg(!strstr(r->evidence, "the mount uses"), "%s: %s", name, r->evidence);
                ck_assert_msg(!strstr(r->evidence, "nothing proves"), "%s: %s", name, r->evidence);
                ck_assert_msg(times(r->evidence, "not known") == 1, "%s repeats itself: %s", name, r->evidence);
                ck_assert_msg(!strstr(r->risk, "unmount"), "%s: nothing is mounted: %s", name, r->risk);
                ck_assert_msg(r->keep != NULL, "%s: no case for keeping", name);
        }
        world_done(&w);
}
END_TEST

/* Rounding and a session's headers take less than an eighth; nobody pins a size that close. */
START_TEST(clearly_below_the_offer)
{
        static const struct {
                const char *super, *want;
        } offers[] = {
                { T3("786432", "786432"), "stale-io-size:observed" },
                { T3("983040", "983040"), "" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(offers); i++) {
                struct world w;

                world_init(&w, "/data", "rw", offers[i].super);
                world_limits(&w, MIB, MIB);
                world_evaluate(&w);
                case_check(&w, SIZES, offers[i].want, offers[i].super);
                world_done(&w);
        }
}
END_TEST

/* A mount of that line would get what the server offers now. */
START_TEST(no_line_is_above_the_limit)
{
        struct world w;

        case_init_line(&w, "/data", 7, "rsize=1048576,wsize=1048576");
        world_limits(&w, 128 * KIB, 128 * KIB);
        world_evaluate(&w);
        ck_assert_ptr_null(case_first(&w, SIZES));
        world_done(&w);
}
END_TEST

/* ---- when to keep ------------------------------------------------------------------ */

static const struct {
        const char *name, *target, *super, *words;
} keep_rows[] = {
        { "stalls", "/data", T3("32768", "32768"), "stalled on this network" },
        { "a server's bug", "/data", T3("32768", "32768"), "fails with large replies" },
        { "a vendor's word", "/data", T3("32768", "16384"), "vendor prescribes" },
        { "Oracle's check", "/oradata", T3("32768", "32768"), "32768 or more" },
        { "fragments", "/data", U3("8192", "8192"), "lost fragment" },
};

START_TEST(keeping)
{
        struct world w;

        world_init(&w, keep_rows[_i].target, "rw", keep_rows[_i].super);
        world_evaluate(&w);
        for (size_t i = 0; i < w.a.n_recommendations; i++)
                if (SIZES & RULE_BIT(w.a.recommendations[i].rule))
                        ck_assert_msg(strstr(w.a.recommendations[i].keep, keep_rows[_i].words) != NULL, "%s: %s",
                                      keep_rows[_i].name, w.a.recommendations[i].keep);
        ck_assert_msg(case_first(&w, SIZES) != NULL, "%s: nothing fires", keep_rows[_i].name);
        world_done(&w);
}
END_TEST

/* ---- what a vendor may have prescribed ----------------------------------------------- */

static const struct {
        const char *name, *target, *options, *want, *words;
        bool tried, planned;
} prescribed_rows[] = {
        { "an ordinary path", "/data", "rsize=262144,wsize=262144", "stale-io-size:configured", "keep the sizes", false,
          true },
        { "SAP HANA", "/hana/data/HN1", "rsize=262144,wsize=262144", "stale-io-size:configured?",
          "a database's directory", false, false },
        { "Oracle", "/u02/oradata", "rsize=32768,wsize=32768", "stale-io-size:configured?", "Oracle database's", false,
          false },
        { "Oracle, two sizes", "/u02/oradata", "rsize=32768,wsize=65536",
          "stale-io-size:configured? io-size-mismatch:configured?", "Oracle database's", false, false },
        { "a hypervisor", "/mnt/pve/vm", "rsize=65536,wsize=65536", "stale-io-size:configured?", "hypervisor's", false,
          false },
        { "a trial says more", "/hana/data/HN1", "rsize=262144,wsize=262144", "stale-io-size:measured",
          "keep the sizes", true, true },
};

static void prescribed_trial(struct world *w)
{
        w->o.trials = calloc(1, sizeof(*w->o.trials));
        ck_assert_ptr_nonnull(w->o.trials);
        w->o.n_trials = 1;
        w->o.trials[0] = (struct trial_facts){
                .workload = WORKLOAD_COPY, .options = world_copy("rsize=1048576,wsize=1048576"), .pairs = 8,
                .ratio_low_permille = 550, .ratio_permille = 600, .ratio_high_permille = 650,
        };
}

START_TEST(prescribed)
{
        const char *name = prescribed_rows[_i].name;
        const struct recommendation *r;
        char super[200];
        struct world w;

        (void) snprintf(super, sizeof(super), "rw,vers=3,%s,hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1",
                        prescribed_rows[_i].options);
        world_init(&w, prescribed_rows[_i].target, "rw", super);
        world_fstab(&w, 7, "server:/data /data nfs OPTIONS 0 0", prescribed_rows[_i].options);
        world_limits(&w, MIB, MIB);
        if (prescribed_rows[_i].tried)
                prescribed_trial(&w);
        world_evaluate(&w);
        case_check(&w, SIZES, prescribed_rows[_i].want, name);
        r = case_first(&w, SIZES);
        ck_assert_msg(r && strstr(r->keep, prescribed_rows[_i].words), "%s: %s", name, r ? r->keep : "nothing");
        ck_assert_msg(r->automatic == prescribed_rows[_i].planned && w.a.plan.exists == prescribed_rows[_i].planned,
                      "%s: plan", name);
        world_done(&w);
}
END_TEST

/* ---- profiles ---------------------------------------------------------------------- */

static const struct {
        const char *name;
        uint64_t ceiling_bytes, limit_bytes;
        const char *super, *fstab, *want;
} profile_rows[] = {
        { "at the ceiling", 64 * KIB, 0, T3("65536", "65536"), "rsize=65536,wsize=65536", "" },
        { "above the ceiling", 64 * KIB, 0, T3("131072", "131072"), "rsize=131072,wsize=131072", "" },
        { "below the ceiling", 64 * KIB, 0, T3("32768", "32768"), "rsize=32768,wsize=32768",
          "stale-io-size:configured" },
        { "at the ceiling, the server offers more", 64 * KIB, MIB, T3("65536", "65536"), "rsize=65536,wsize=65536",
          "stale-io-size:configured" },
        { "no ceiling", 0, 0, T3("65536", "65536"), "rsize=65536,wsize=65536", "stale-io-size:possible" },
};

START_TEST(profiles)
{
        struct world w;

        world_init(&w, "/data", "rw", profile_rows[_i].super);
        world_fstab(&w, 7, "server:/data /data nfs OPTIONS 0 0", profile_rows[_i].fstab);
        if (profile_rows[_i].limit_bytes > 0)
                world_limits(&w, profile_rows[_i].limit_bytes, profile_rows[_i].limit_bytes);
        w.p.profiles.items = calloc(1, sizeof(*w.p.profiles.items));
        ck_assert_ptr_nonnull(w.p.profiles.items);
        w.p.profiles.n_items = 1;
        w.p.profiles.items[0] = (struct server_profile){
                .name = world_copy("filer"), .title = world_copy("A filer"),
                .hosts = calloc(1, sizeof(char *)), .n_hosts = 1,
                .transfer_max_bytes = profile_rows[_i].ceiling_bytes,
        };
        w.p.profiles.items[0].hosts[0] = world_copy("server");
        world_evaluate(&w);
        case_check(&w, SIZES, profile_rows[_i].want, profile_rows[_i].name);
        world_done(&w);
}
END_TEST

/* ---- trials ------------------------------------------------------------------------ */

#define PINNED "rsize=32768,wsize=32768"

static const struct trial_row {
        const char *name;
        const char *super, *fstab;
        uint64_t limit_bytes;
        struct {
                const char *options;
                unsigned low, median, high;     /* permille; 0: no such trial */
                enum workload workload;
        } trial[2];
        const char *keep;               /* of the [mount] section, or NULL */
        unsigned stalls;
        const char *want;
        unsigned gain_permille;         /* of the first */
        const char *change;             /* "drops>sets" of the first */
} trial_rows[] = {
        /* larger sizes */
        { "larger is faster", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=1048576,wsize=1048576", 550, 600, 650, WORKLOAD_COPY } }, NULL, 0,
          "stale-io-size:measured", 400, PINNED ">" },
        { "larger is faster, limit and source unknown", T3("131072", "131072"), NULL, 0,
          { { "rsize=1048576,wsize=1048576", 550, 600, 650, WORKLOAD_COPY } }, NULL, 0,
          "stale-io-size:measured", 400, "rsize=131072,wsize=131072>" },
        { "larger for reads only", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=1m", 550, 600, 650, WORKLOAD_COPY } }, NULL, 0, "stale-io-size:measured", 400, PINNED ">" },
        { "larger is hardly faster", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=1048576,wsize=1048576", 800, 850, 910, WORKLOAD_COPY } }, NULL, 0,
          "stale-io-size:configured", 0, PINNED ">" },
        { "exactly at the threshold", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=1048576,wsize=1048576", 800, 850, 900, WORKLOAD_COPY } }, NULL, 0,
          "stale-io-size:configured", 0, PINNED ">" },
        { "larger is slower", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=1048576,wsize=1048576", 1010, 1200, 1300, WORKLOAD_COPY } }, NULL, 0, "", 0, NULL },
        { "larger may be slower", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=1048576,wsize=1048576", 1000, 1200, 1300, WORKLOAD_COPY } }, NULL, 0,
          "stale-io-size:configured", 0, PINNED ">" },
        { "faster for one workload, slower for another", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=1048576,wsize=1048576", 550, 600, 650, WORKLOAD_COPY },
            { "rsize=1048576,wsize=1048576", 1100, 1200, 1300, WORKLOAD_EDITOR_SAVE } }, NULL, 0, "", 0, NULL },
        { "one candidate slower, another faster", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=65536,wsize=65536", 1100, 1200, 1300, WORKLOAD_COPY },
            { "rsize=1048576,wsize=1048576", 550, 600, 650, WORKLOAD_COPY } }, NULL, 0,
          "stale-io-size:measured", 400, PINNED ">" },
        { "the better of two", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=65536,wsize=65536", 750, 800, 850, WORKLOAD_COPY },
            { "rsize=1048576,wsize=1048576", 550, 600, 650, WORKLOAD_COPY } }, NULL, 0,
          "stale-io-size:measured", 400, PINNED ">" },
        { "something else changed too", T3("32768", "32768"), PINNED, MIB,
          { { "rsize=1048576,wsize=1048576,nconnect=4", 550, 600, 650, WORKLOAD_COPY } }, NULL, 0,
          "stale-io-size:configured", 0, PINNED ">" },
        { "not about sizes", T3("32768", "32768"), PINNED, MIB,
          { { "async", 550, 600, 650, WORKLOAD_COPY } }, NULL, 0, "stale-io-size:configured", 0, PINNED ">" },
        { "the server imposes it, whatever a trial says", T3("32768", "32768"), PINNED, 32 * KIB,
          { { "rsize=1048576,wsize=1048576", 550, 600, 650, WORKLOAD_COPY } }, NULL, 0, "", 0, NULL },
        { "kept, whatever a trial says", T3("32768", "32768"), "rsize=32768", MIB,
          { { "rsize=1048576", 550, 600, 650, WORKLOAD_COPY } }, "rsize", 0, "stale-io-size:observed", 0, NULL },
        { "two sizes, equal ones are slower", T3("32768", "16384"), "rsize=32768,wsize=16384", 0,
          { { "rsize=32768,wsize=32768", 1010, 1100, 1200, WORKLOAD_COPY } }, NULL, 0, "", 0, NULL },

        /* stalls and smaller sizes */
        { "stalls, smaller is faster", T3("1048576", "1048576"), NULL, MIB,
          { { "rsize=65536,wsize=65536", 400, 500, 600, WORKLOAD_COPY } }, NULL, 3,
          "large-io-stall:measured", 500, ">rsize=65536,wsize=65536" },
        { "stalls at sizes that are asked for", T3("1048576", "1048576"), "rsize=1m,wsize=1m", MIB,
          { { "rsize=65536,wsize=65536", 400, 500, 600, WORKLOAD_COPY } }, NULL, 1,
          "large-io-stall:measured", 500, "rsize=1m,wsize=1m>rsize=65536,wsize=65536" },
        { "stalls at a pinned size: no larger one", T3("131072", "131072"), "rsize=131072,wsize=131072", MIB,
          { { "rsize=32768,wsize=32768", 400, 500, 600, WORKLOAD_COPY } }, NULL, 3,
          "large-io-stall:measured", 500, "rsize=131072,wsize=131072>rsize=32768,wsize=32768" },
        { "the best of two smaller ones", T3("1048576", "1048576"), NULL, MIB,
          { { "rsize=65536,wsize=65536", 400, 500, 600, WORKLOAD_COPY },
            { "rsize=131072,wsize=131072", 200, 300, 400, WORKLOAD_COPY } }, NULL, 3,
          "large-io-stall:measured", 700, ">rsize=131072,wsize=131072" },
        { "no stalls", T3("1048576", "1048576"), NULL, MIB,
          { { "rsize=65536,wsize=65536", 400, 500, 600, WORKLOAD_COPY } }, NULL, 0, "", 0, NULL },
        { "stalls, smaller is hardly faster", T3("1048576", "1048576"), NULL, MIB,
          { { "rsize=65536,wsize=65536", 800, 850, 900, WORKLOAD_COPY } }, NULL, 3, "large-io-stall:?", 0, NULL },
        { "stalls, only one size smaller", T3("1048576", "1048576"), NULL, MIB,
          { { "wsize=65536", 400, 500, 600, WORKLOAD_COPY } }, NULL, 3, "large-io-stall:?", 0, NULL },
        { "stalls, no trial", T3("1048576", "1048576"), NULL, MIB, { { NULL, 0, 0, 0, 0 } }, NULL, 3,
          "large-io-stall:?", 0, NULL },
        { "stalls at sizes that are small already", T3("32768", "32768"), NULL, 32 * KIB, { { NULL, 0, 0, 0, 0 } },
          NULL, 3, "", 0, NULL },
        { "stalls, sizes are kept", T3("1048576", "1048576"), NULL, MIB, { { NULL, 0, 0, 0, 0 } }, "wsize", 3, "", 0,
          NULL },
};

static void add_trials(struct world *w, const struct trial_row *row)
{
        for (size_t i = 0; i < ARRAY_SIZE(row->trial) && row->trial[i].options; i++) {
                w->o.trials = reallocarray(w->o.trials, i + 1, sizeof(*w->o.trials));
                ck_assert_ptr_nonnull(w->o.trials);
                w->o.n_trials = i + 1;
                w->o.trials[i] = (struct trial_facts){
                        .workload = row->trial[i].workload,
                        .options = world_copy(row->trial[i].options),
                        .pairs = 8,
                        .ratio_low_permille = row->trial[i].low,
                        .ratio_permille = row->trial[i].median,
                        .ratio_high_permille = row->trial[i].high,
                };
        }
}

static void add_stalls(struct world *w, unsigned n)
{
        w->o.probe.state = PROBE_ACTIVE;
        w->o.probe.results[WORKLOAD_COPY] = (struct workload_result){
                .workload = WORKLOAD_COPY, .outcome = OUTCOME_OK, .written_bytes = MIB,
                .stalls = n, .longest_stall_usec = n > 0 ? 2100000 : 0,
        };
}

static char *change_text(const struct recommendation *r)
{
        cleanup_free char *drops = world_drops(r);
        struct text t = { 0 };

        text_add(&t, "%s>", drops);
        for (size_t i = 0; i < r->n_set; i++)
                text_add(&t, "%s%s", i > 0 ? "," : "", r->set[i]);
        return text_take(&t);
}

static void check_trial_words(const struct recommendation *r, const char *name)
{
        bool measured = r->confidence == CONFIDENCE_MEASURED;

        ck_assert_msg((r->gain != NULL) == measured, "%s: gain %s", name, r->gain ? r->gain : "(none)");
        ck_assert_msg(!measured || (strstr(r->gain, "8 pairs") && strstr(r->gain, "% of the present time")), "%s: %s",
                      name, r->gain);
        ck_assert_msg((strstr(r->risk, "changes nothing") != NULL) != measured, "%s: %s", name, r->risk);
        ck_assert_msg(r->automatic && !r->question, "%s: automatic", name);
}

START_TEST(trials)
{
        const struct trial_row *row = &trial_rows[_i];
        const struct recommendation *r;
        bool undecided = strcmp(row->want, "large-io-stall:?") == 0;
        struct world w;

        world_init(&w, "/data", "rw", row->super);
        if (row->fstab)
                world_fstab(&w, 7, "server:/data /data nfs OPTIONS 0 0", row->fstab);
        if (row->limit_bytes > 0)
                world_limits(&w, row->limit_bytes, row->limit_bytes);
        if (row->keep)
                world_keep(&w, row->keep);
        add_trials(&w, row);
        add_stalls(&w, row->stalls);
        world_evaluate(&w);
        case_check(&w, SIZES, undecided ? "" : row->want, row->name);
        ck_assert_msg((world_undecided(&w, RULE_LARGE_IO_STALL) != NULL) == undecided, "%s: cannot tell", row->name);
        if (undecided) {
                const struct cannot_tell *u = world_undecided(&w, RULE_LARGE_IO_STALL);

                ck_assert_ptr_nonnull(strstr(u->missing, "a trial with smaller sizes"));
                ck_assert_ptr_nonnull(strstr(u->missing, "3 stalls in the probe, the longest 2.1 s"));
                ck_assert_msg(!u->command, "%s: no command makes trials", row->name);
        }
        r = case_first(&w, SIZES);
        if (r) {
                cleanup_free char *change = change_text(r);

                check_trial_words(r, row->name);
                ck_assert_msg(r->gain_permille == row->gain_permille, "%s: gain %u", row->name, r->gain_permille);
                ck_assert_msg(!row->change || strcmp(change, row->change) == 0, "%s: %s", row->name, change);
                ck_assert_msg(!row->fstab || r->place.kind == PLACE_FSTAB || row->keep, "%s: place", row->name);
        }
        world_done(&w);
}
END_TEST

/* Only a probe that ran to its end, or to the end of its time, says anything. */
START_TEST(stalls_of_failed_probes)
{
        struct world w;

        world_init(&w, "/data", "rw", T3("1048576", "1048576"));
        add_stalls(&w, 3);
        w.o.probe.results[WORKLOAD_COPY].outcome = OUTCOME_NO_SPACE;
        world_evaluate(&w);
        ck_assert_ptr_null(world_undecided(&w, RULE_LARGE_IO_STALL));
        w.o.probe.results[WORKLOAD_COPY].outcome = OUTCOME_TIME_BUDGET;
        world_evaluate(&w);
        ck_assert_ptr_nonnull(world_undecided(&w, RULE_LARGE_IO_STALL));
        w.o.probe.state = PROBE_STUCK;
        world_evaluate(&w);
        ck_assert_ptr_null(world_undecided(&w, RULE_LARGE_IO_STALL));
        world_done(&w);
}
END_TEST

CASE_MAIN("policy rules size", { real_lines, ARRAY_SIZE(real_rows) }, { lines, ARRAY_SIZE(line_rows) },
          { clearly_below_the_offer, 1 }, { no_line_is_above_the_limit, 1 }, { keeping, ARRAY_SIZE(keep_rows) },
          { prescribed, ARRAY_SIZE(prescribed_rows) },
          { profiles, ARRAY_SIZE(profile_rows) }, { trials, ARRAY_SIZE(trial_rows) }, { stalls_of_failed_probes, 1 })
