/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_requested.c: what was asked for against what is, and what must not be called a difference.
 */
#include "tests/unit/policy_case.h"

#define T4(r, w) "rw,vers=4.2,rsize=" r ",wsize=" w ",hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1"
#define T3(r, w) "rw,vers=3,rsize=" r ",wsize=" w ",hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1"
#define BIG4 T4("1048576", "1048576")
#define BIG3 T3("1048576", "1048576")

static char *joined(char *const *texts, size_t n)
{
        struct text t = { 0 };
        char *s;

        for (size_t i = 0; i < n; i++)
                text_add(&t, "%s%s", i > 0 ? "," : "", texts[i]);
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

/* ---- the lines themselves ------------------------------------------------------------ */

static const struct {
        const char *name;
        const char *fstab, *conf;       /* or NULL */
        const char *invalid, *obsolete; /* "DROP / SET" with '?' in front of a question; NULL: quiet */
        enum place_kind place;          /* of the first that fires */
} lines[] = {
        { "defaults", "defaults,_netdev", NULL, NULL, NULL, 0 },
        { "background", "bg,retry=20", NULL, NULL, NULL, 0 },
        { "no source", NULL, NULL, NULL, NULL, 0 },
        { "systemd", "x-systemd.automount,x-systemd.idle-timeout=10,noauto,_netdev", NULL, NULL, NULL, 0 },
        { "tls", "xprtsec=tls,_netdev", NULL, NULL, NULL, 0 },
        { "intr", "hard,intr", NULL, NULL, "intr / ", PLACE_FSTAB },
        { "no number", "wsize=abc", NULL, "wsize=abc / ", NULL, PLACE_FSTAB },
        { "only a guess is a question", "rszie=32768", NULL, "?rszie=32768 / rsize=32768", NULL, PLACE_FSTAB },
        { "a guess beside a fact stays out", "rszie=32768,wsize=abc", NULL, "wsize=abc / ", NULL, PLACE_FSTAB },
        { "both kinds", "intr,rsize=1,rsize=1048576", NULL, "rsize=1 / rsize=1048576", "intr / ", PLACE_FSTAB },
        { "in nfsmount.conf", "defaults", "intr", NULL, "intr / ", PLACE_NFSMOUNT_CONF },
        { "in both places", "intr", "nointr", NULL, "intr,nointr / ", PLACE_FSTAB },
        { "minorversion", "vers=4,minorversion=1", NULL, NULL, "minorversion=1 / vers=4.1", PLACE_FSTAB },
};

static void check_line(const struct world *w, enum rule rule, const char *want, const char *name)
{
        const struct recommendation *r = world_find(w, rule);
        cleanup_free char *drop = NULL, *set = NULL;
        char got[256];

        ck_assert_msg(!want == !r, "%s: %s %s", name, rule_name(rule), r ? r->evidence : "is quiet");
        if (!r)
                return;
        drop = joined(r->drop, r->n_drop);
        set = joined(r->set, r->n_set);
        snprintf(got, sizeof(got), "%s%s / %s", r->question ? "?" : "", drop, set);
        ck_assert_msg(strcmp(got, want) == 0, "%s: want %s, got %s", name, want, got);
        ck_assert_msg(r->confidence == CONFIDENCE_CONFIGURED && r->method == METHOD_SOURCE, "%s", name);
        ck_assert_msg(r->summary && r->risk && !r->automatic && (!r->question || r->keep), "%s: words", name);
}

START_TEST(test_line)
{
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw,relatime", BIG4);
        if (lines[_i].fstab)
                world_fstab(&w, 7, "a line", lines[_i].fstab);
        if (lines[_i].conf)
                world_conf(&w, 3, lines[_i].conf);
        world_evaluate(&w);
        check_line(&w, RULE_INVALID_OPTION, lines[_i].invalid, lines[_i].name);
        check_line(&w, RULE_OBSOLETE_OPTION, lines[_i].obsolete, lines[_i].name);
        r = world_find(&w, lines[_i].invalid ? RULE_INVALID_OPTION : RULE_OBSOLETE_OPTION);
        if (r)
                ck_assert_msg(r->place.kind == lines[_i].place, "%s: place %s", lines[_i].name,
                              place_kind_name(r->place.kind));
        world_done(&w);
}
END_TEST

/* Who pastes the new line has to know that a guessed fault is still in it. */
START_TEST(test_guess_left_in_the_line_is_said)
{
        static const char *const options[] = { "rszie=32768,wsize=abc", "wsize=abc" };

        for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
                const struct recommendation *r;
                struct world w;

                world_init(&w, "/data", "rw,relatime", BIG4);
                world_fstab(&w, 7, "a line", options[i]);
                world_evaluate(&w);
                r = world_find(&w, RULE_INVALID_OPTION);
                ck_assert_ptr_nonnull(r);
                ck_assert_msg(!strstr(r->risk, "guess") == (i != 0), "%s: %s", options[i], r->risk);
                world_done(&w);
        }
}
END_TEST

START_TEST(test_evidence_names_line)
{
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw,relatime", BIG4);
        world_fstab(&w, 7, "a line", "rszie=32768");
        world_evaluate(&w);
        r = world_find(&w, RULE_INVALID_OPTION);
        ck_assert_ptr_nonnull(r);
        ck_assert_msg(strstr(r->evidence, "fstab line 7: rszie=32768 "), "%s", r->evidence);
        ck_assert(!w.a.plan.exists);    /* a guess is in no plan */
        world_done(&w);
}
END_TEST

START_TEST(test_broken_line)
{
        const struct recommendation *r;
        struct requested *source;
        struct world w;

        world_init(&w, "/data", "rw,relatime", BIG4);
        source = world_source(&w, PLACE_FSTAB, "/etc/fstab", 10, "server:/data /data nfs hard 0 0\r", "hard");
        source->line_problem = world_copy("ends in a carriage return");
        source->line_mended = world_copy("server:/data /data nfs hard 0 0");
        world_evaluate(&w);
        r = world_find(&w, RULE_INVALID_OPTION);
        ck_assert_ptr_nonnull(r);
        ck_assert_msg(strstr(r->evidence, "fstab line 10 ends in a carriage return"), "%s", r->evidence);
        ck_assert_msg(strstr(r->evidence, source->line_mended), "%s", r->evidence);
        ck_assert(!r->question && r->n_drop == 0 && r->n_set == 0);
        ck_assert_ptr_null(world_find(&w, RULE_OBSOLETE_OPTION));
        world_done(&w);
}
END_TEST

/* A line that nothing is mounted from has nothing else that proves its columns. */
START_TEST(test_columns)
{
        static const struct {
                const char *name, *source, *target;
                bool only_requested;
                const char *word;       /* of the evidence; NULL: nothing to say */
        } rows[] = {
                { "right", "server:/data", "/data", true, NULL },
                { "a URL", "nfs://server/data", "/data", true, NULL },
                { "columns exchanged", "/data", "server:/data", true, "HOST:/PATH" },
                { "no path", "server", "/data", true, "HOST:/PATH" },
                { "a relative mount point", "server:/data", "data", true, "absolute" },
                { "mounted as it is", "/dev/root", "/", false, NULL },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                const struct recommendation *r;
                struct world w;

                world_init(&w, rows[i].target, "rw,relatime", BIG4);
                free(w.o.mount.source);
                w.o.mount.source = world_copy(rows[i].source);
                w.o.only_requested = rows[i].only_requested;
                (void)world_source(&w, PLACE_FSTAB, "/etc/fstab", 10, "line", "hard");
                world_evaluate(&w);
                r = world_find(&w, RULE_INVALID_OPTION);
                ck_assert_msg(!r == !rows[i].word, "%s: %s", rows[i].name, r ? r->evidence : "nothing");
                if (r)
                        ck_assert_msg(strstr(r->evidence, rows[i].word) && r->n_drop + r->n_set == 0, "%s: %s",
                                      rows[i].name, r->evidence);
                world_done(&w);
        }
}
END_TEST

/* The type nfs4 is a version where no option says one. */
static const struct type_row {
        const char *name, *line, *options;
        enum place_kind kind;
        bool refused;
} types[] = {
        { "nfs4 and udp", "server:/data\t/data  nfs4 proto=udp 0 0", "proto=udp", PLACE_FSTAB, true },
        { "nfs4 and udp, blanks in front", " server:/data /data nfs4 udp", "udp", PLACE_FSTAB, true },
        { "nfs4 and tcp", "server:/data /data nfs4 proto=tcp 0 0", "proto=tcp", PLACE_FSTAB, false },
        { "nfs and udp", "server:/data /data nfs proto=udp 0 0", "proto=udp", PLACE_FSTAB, false },
        { "nfs, version 4 and udp", "server:/data /data nfs vers=4,udp 0 0", "vers=4,udp", PLACE_FSTAB, true },
        { "an option beats the type", "server:/data /data nfs4 vers=3,udp 0 0", "vers=3,udp", PLACE_FSTAB, false },
        { "a mount point of that name", "server:/data nfs4 nfs udp 0 0", "udp", PLACE_FSTAB, false },
        { "a type that begins so", "server:/data /data nfs4x udp 0 0", "udp", PLACE_FSTAB, false },
        { "a line cut short", "server:/data", "udp", PLACE_FSTAB, false },
        { "no line of an fstab", "a b nfs4 udp", "udp", PLACE_UNIT, false },
};

START_TEST(test_type)
{
        const struct type_row *row = &types[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw,relatime", BIG4);
        world_source(&w, row->kind, "/etc/fstab", 7, row->line, row->options);
        w.o.only_requested = true;
        world_evaluate(&w);
        r = world_find(&w, RULE_INVALID_OPTION);
        ck_assert_msg(!r == !row->refused, "%s: %s", row->name, r ? r->evidence : "is quiet");
        if (r)
                ck_assert_msg(r->question && strstr(r->evidence, "udp does not go with version 4"), "%s: %s", row->name,
                              r->evidence);
        world_done(&w);
}
END_TEST

/* What utab says cannot be edited. */
START_TEST(test_record)
{
        struct world w;

        world_init(&w, "/data", "rw,relatime", BIG4);
        world_record(&w, "rw,intr,wsize=abc");
        world_evaluate(&w);
        ck_assert_ptr_null(world_find(&w, RULE_INVALID_OPTION));
        ck_assert_ptr_null(world_find(&w, RULE_OBSOLETE_OPTION));
        world_done(&w);
}
END_TEST

/* ---- asked for, and not effective -------------------------------------------------------- */

struct drift_row {
        const char *name;
        const char *vfs, *super;
        const char *fstab, *conf, *record;      /* or NULL */
        uint64_t limit;                         /* 0: unknown */
        unsigned versions;                      /* 0: unknown */
        const char *keep;
        bool shared;
        const char *own;                        /* families that nfstuned changed, or NULL */
        const char *drift;                      /* method, or NULL: quiet */
        const char *first;                      /* confidence of first-mount-wins, or NULL: quiet */
        const char *word;                       /* in the evidence of the one that fires */
};

static const struct drift_row drifts[] = {
        /* perfect mounts */
        { "defaults", "rw,relatime", BIG4, .fstab = "defaults,_netdev" },
        { "no source", "rw,relatime", BIG4, .fstab = NULL },
        { "all as asked", "rw,relatime", BIG4,
          .fstab = "rw,hard,vers=4.2,rsize=1048576,wsize=1048576,proto=tcp,timeo=600,retrans=2,sec=sys" },
        { "any minor version", "rw,relatime", BIG4, .fstab = "vers=4" },
        { "asked more, limit unknown", "rw,relatime", T4("262144", "262144"),
          .fstab = "bg,hard,intr,timeo=600,rsize=1048576,wsize=1048576" },
        { "asked more, the server's limit", "rw,relatime", T4("262144", "262144"),
          .fstab = "rsize=1048576,wsize=1048576",
          .limit = 256 * KIB },
        { "asked more, limit rounded to pages", "rw,relatime", T4("258048", "258048"),
          .fstab = "rsize=1048576,wsize=1048576", .limit = 258050 },
        { "a session's size", "rw,relatime", T4("1047672", "1047532"), .fstab = "rsize=1048576,wsize=1048576",
          .limit = MIB },
        { "more than any client does", "rw,relatime", BIG4, .fstab = "rsize=4194304", .limit = 4 * MIB },
        { "version 3's options on version 4", "rw,relatime", BIG4,
          .fstab = "nolock,noacl,local_lock=all,mountproto=udp" },
        { "old habits", "rw,relatime", BIG3, .fstab = "intr,retry=3,fg,nfsvers=3,tcp,port=2049" },
        { "the same times", "rw,relatime", "rw,vers=3,acregmin=1800,acregmax=1800,acdirmin=1800,acdirmax=1800,hard,"
                                           "proto=tcp,timeo=600", .fstab = "actimeo=1800" },
        { "a version that the server has not", "rw,relatime", "rw,vers=4.1,hard,proto=tcp,timeo=600",
          .fstab = "vers=4.2", .versions = NFS_V3 | NFS_V4_1 },
        { "one of the flavours", "rw,relatime", "rw,vers=4.2,hard,proto=tcp,timeo=600,sec=krb5i",
          .fstab = "sec=krb5p:krb5i" },
        { "defaults of nfsmount.conf", "rw,relatime", BIG4, .fstab = "defaults", .conf = "timeo=100" },
        { "a record asks for nothing now", "rw,relatime", BIG4, .record = "rw,timeo=100,rsize=32768" },
        { "automounter's words", "rw,relatime", BIG4, .fstab = "x-systemd.automount,noauto,nofail" },
        { "connections on udp", "rw,relatime", "rw,vers=3,hard,proto=udp,timeo=11,retrans=3",
          .fstab = "nconnect=4,udp" },
        { "connections with version 4.0", "rw,relatime", "rw,vers=4.0,hard,proto=tcp,timeo=600",
          .fstab = "vers=4.0,nconnect=4,max_connect=4" },
        { "addresses with version 3", "rw,relatime", BIG3, .fstab = "vers=3,max_connect=4" },
        { "a label that no mount brings", "rw,relatime", BIG4, .fstab = "seclabel" },
        { "version 2, which no new mount brings", "rw,relatime", BIG3, .fstab = "vers=2" },

        /* drift */
        { "time-out was edited", "rw,relatime", BIG4, .fstab = "timeo=100", .drift = "replace", .word = "timeo=600" },
        { "size was edited, below", "rw,relatime", BIG4, .fstab = "rsize=65536", .drift = "replace",
          .word = "fstab line 7" },
        { "size was dropped to negotiate more", "rw,relatime", T4("32768", "1048576"), .fstab = "rsize=1048576",
          .limit = MIB, .drift = "replace", .word = "rsize=32768" },
        { "sync was added", "rw,relatime", BIG4, .fstab = "sync", .drift = "live", .word = "sync" },
        { "sync was taken off", "rw,relatime", "rw,sync,vers=4.2,hard,proto=tcp", .fstab = "async", .drift = "live" },
        { "sync is not mentioned", "rw,relatime", "rw,sync,vers=4.2,hard,proto=tcp", .fstab = "hard" },
        { "read-only was added", "rw,relatime", BIG4, .fstab = "ro", .drift = "live", .word = "ro" },
        { "read-only as asked", "ro,relatime", "rw,vers=4.2,hard,proto=tcp", .fstab = "ro" },
        { "nosuid was added", "rw,relatime", BIG4, .fstab = "nosuid,nodev", .drift = "live", .word = "nosuid" },
        { "live and replace together", "rw,relatime", BIG4, .fstab = "sync,timeo=100", .drift = "replace" },
        { "another version", "rw,relatime", BIG3, .fstab = "vers=4.2", .drift = "replace", .word = "vers=3" },
        { "another version that the server has", "rw,relatime", BIG3, .fstab = "vers=4.2",
          .versions = NFS_V3 | NFS_V4_2,
          .drift = "replace" },
        { "hard was asked for", "rw,relatime", "rw,vers=3,soft,proto=tcp,timeo=600", .fstab = "hard",
          .drift = "replace",
          .word = "soft" },
        { "nolock on version 3", "rw,relatime", BIG3, .fstab = "nolock", .drift = "replace" },
        { "another record", "rw,relatime", BIG4, .fstab = "timeo=100", .record = "rw,timeo=600", .drift = "replace" },
        { "kept", "rw,relatime", BIG4, .fstab = "sync", .keep = "sync" },
        { "kept, the flag that holds", "rw,relatime", "rw,sync,vers=4.2,hard,proto=tcp", .fstab = "async",
          .keep = "sync" },
        { "kept by the family's other flag", "rw,relatime", "rw,vers=3,soft,proto=tcp,timeo=600", .fstab = "hard",
          .keep = "soft" },
        { "our own change", "rw,relatime", BIG4, .fstab = "sync,rsize=32768,soft", .own = "hard,rsize,sync" },
        { "our own change of something else", "rw,relatime", BIG4, .fstab = "timeo=100,rsize=32768",
          .own = "rsize,sync,time", .drift = "replace", .word = "timeo=600" },
        { "our own change of what the first mount decides", "rw,relatime", BIG4, .fstab = "nconnect=4,timeo=100",
          .own = "nconnect,timeo", .shared = true },
        { "no change of our own", "rw,relatime", BIG4, .fstab = "sync", .own = "", .drift = "live" },
        { "another is kept", "rw,relatime", BIG4, .fstab = "timeo=100", .keep = "sync", .drift = "replace" },

        /* first mount wins */
        { "time-out of the first", "rw,relatime", BIG4, .fstab = "timeo=100", .shared = true, .first = "configured",
          .word = "/srv/other" },
        { "retrans of the first", "rw,relatime", BIG4, .fstab = "retrans=5", .shared = true, .first = "configured" },
        { "cache of the first", "rw,relatime", BIG4, .fstab = "fsc", .shared = true, .first = "configured" },
        { "connections of the first", "rw,relatime", BIG4, .fstab = "nconnect=4", .shared = true,
          .first = "configured" },
        { "connections, nothing shared", "rw,relatime", BIG4, .fstab = "nconnect=4", .first = "possible",
          .word = "nconnect=4" },
        { "ports, nothing shared", "rw,relatime", BIG4, .fstab = "noresvport", .first = "possible" },
        { "connections with version 3", "rw,relatime", BIG3, .fstab = "vers=3,nconnect=4", .first = "possible",
          .word = "nconnect=4" },
        { "addresses with sessions", "rw,relatime", BIG4, .fstab = "max_connect=4", .first = "possible",
          .word = "max_connect=4" },
        { "the connections are there", "rw,relatime", "rw,vers=4.2,hard,proto=tcp,nconnect=4", .fstab = "nconnect=4" },
        { "kept connections", "rw,relatime", BIG4, .fstab = "nconnect=4", .keep = "nconnect" },
        { "size is no matter of sharing", "rw,relatime", BIG4, .fstab = "rsize=65536", .shared = true,
          .drift = "replace" },
        { "both", "rw,relatime", BIG4, .fstab = "rsize=65536,timeo=100", .shared = true, .drift = "replace",
          .first = "configured" },
};

static void drift_world(const struct drift_row *row, struct world *w)
{
        world_init(w, "/data", row->vfs, row->super);
        if (row->fstab)
                world_fstab(w, 7, "a line", row->fstab);
        if (row->record)
                world_record(w, row->record);
        if (row->conf)
                world_conf(w, 3, row->conf);
        if (row->limit)
                world_limits(w, row->limit, row->limit);
        if (row->keep)
                world_keep(w, row->keep);
        w->o.own_change = row->own ? world_copy(row->own) : NULL;
        w->o.server.versions_known = row->versions != 0;
        w->o.server.versions = row->versions;
        if (row->shared) {
                w->o.shares_superblock_with = calloc(1, sizeof(char *));
                ck_assert_ptr_nonnull(w->o.shares_superblock_with);
                w->o.shares_superblock_with[w->o.n_shares++] = world_copy("/srv/other");
        }
}

START_TEST(test_drift)
{
        const struct drift_row *row = &drifts[_i];
        const struct recommendation *drift, *first;
        struct world w;

        drift_world(row, &w);
        world_evaluate(&w);
        drift = world_find(&w, RULE_REQUESTED_DRIFT);
        first = world_find(&w, RULE_FIRST_MOUNT_WINS);
        ck_assert_msg(!row->drift == !drift, "%s: drift %s", row->name, drift ? drift->evidence : "is quiet");
        ck_assert_msg(!row->first == !first, "%s: first %s", row->name, first ? first->evidence : "is quiet");
        if (drift) {
                ck_assert_msg(strcmp(method_name(drift->method), row->drift) == 0, "%s: %s", row->name,
                              method_name(drift->method));
                ck_assert_msg(drift->confidence == CONFIDENCE_CONFIGURED && drift->place.line == 7, "%s", row->name);
                ck_assert_msg(drift->n_drop + drift->n_set == 0 && !drift->automatic, "%s", row->name);
                ck_assert_msg(drift->summary && drift->keep && drift->risk, "%s: words", row->name);
        }
        if (first) {
                ck_assert_msg(strcmp(confidence_name(first->confidence), row->first) == 0, "%s", row->name);
                ck_assert_msg(first->method == METHOD_NONE && first->n_drop + first->n_set == 0, "%s", row->name);
                ck_assert_msg(first->summary && first->risk, "%s: words", row->name);
        }
        if (row->word)
                ck_assert_msg(strstr((drift ? drift : first)->evidence, row->word), "%s: %s", row->name,
                              (drift ? drift : first)->evidence);
        world_done(&w);
}
END_TEST

/* A line without its mount cannot differ from it. */
START_TEST(test_only_requested)
{
        struct world w;

        world_init(&w, "/data", "rw", "rw,timeo=600");
        world_fstab(&w, 7, "a line", "timeo=100,nconnect=4");
        w.o.only_requested = true;
        world_evaluate(&w);
        ck_assert_ptr_null(world_find(&w, RULE_REQUESTED_DRIFT));
        ck_assert_ptr_null(world_find(&w, RULE_FIRST_MOUNT_WINS));
        world_done(&w);
}
END_TEST

CASE_MAIN("policy rules about what was asked for", { test_line, ARRAY_SIZE(lines) }, { test_evidence_names_line, 1 },
          { test_guess_left_in_the_line_is_said, 1 }, { test_broken_line, 1 }, { test_columns, 1 },
          { test_type, ARRAY_SIZE(types) }, { test_record, 1 }, { test_drift, ARRAY_SIZE(drifts) }, { test_only_requested, 1 })
