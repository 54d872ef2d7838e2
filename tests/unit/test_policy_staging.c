/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/staging.c: what a change takes, and whether it came out as wanted. */
#include "policy/staging.h"
#include "tests/unit/policy_case.h"

#define TAIL42 ",namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=10.0.0.2,local_lock=none," \
               "addr=10.0.0.1"
#define ASK42  ",hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1"
#define OLD42  "rw,sync,vers=4.2,rsize=32768,wsize=32768" TAIL42
#define V3     "rw,vers=3,rsize=32768,wsize=32768,namlen=255,hard,"
#define MOUNTD "mountaddr=10.0.0.1,mountvers=3,mountport=20048,mountproto=udp"

/* A recommendation as a rule would write it; @drop and @set: comma-separated, or NULL. */
static struct recommendation wish(enum rule rule, enum method method, const char *drop, const char *set)
{
        struct recommendation r = { .rule = rule, .method = method, .confidence = CONFIDENCE_CONFIGURED };
        const struct {
                const char *text;
                char ***list;
                size_t *n;
        } lists[] = { { drop, &r.drop, &r.n_drop }, { set, &r.set, &r.n_set } };

        for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
                struct options o = world_options(lists[i].text ? lists[i].text : "");

                *lists[i].list = calloc(o.n_items + 1, sizeof(char *));
                ck_assert_ptr_nonnull(*lists[i].list);
                for (size_t k = 0; k < o.n_items; k++) {
                        struct text t = { 0 };

                        text_add_option(&t, &o.items[k]);
                        (*lists[i].list)[k] = text_take(&t);
                }
                *lists[i].n = o.n_items;
                options_done(&o);
        }
        return r;
}

static void check_options(const struct options *o, const char *want, const char *name, const char *what)
{
        cleanup_free char *got = options_format(o);

        ck_assert_ptr_nonnull(got);
        ck_assert_msg(strcmp(got, want) == 0, "%s: %s is \"%s\", not \"%s\"", name, what, got, want);
}

/* ---- one wish at a time ------------------------------------------------------------ */

static const struct {
        const char *name;
        const char *super;
        const char *fstab, *conf;       /* or NULL */
        enum method asked;
        const char *drop, *set;
        enum method method;
        const char *keys, *to;
} rows[] = {
        { "sync alone is live", OLD42, "sync,rsize=32768,wsize=32768", NULL, METHOD_LIVE, "sync", NULL,
          METHOD_LIVE, "sync", "vers=4.2,rsize=32768,wsize=32768" ASK42 },
        { "sizes are replaced", OLD42, "sync,rsize=32768,wsize=32768", NULL, METHOD_REPLACE,
          "rsize=32768,wsize=32768", NULL, METHOD_REPLACE, "rsize,wsize", "sync,vers=4.2" ASK42 },
        { "sizes and sync together", OLD42, "sync,rsize=32768,wsize=32768", NULL, METHOD_REPLACE,
          "rsize=32768,wsize=32768,sync", NULL, METHOD_REPLACE, "rsize,sync,wsize", "vers=4.2" ASK42 },
        { "a size as nfsmount.conf spells it", OLD42, NULL, "rsize=32k", METHOD_REPLACE, "rsize=32k", NULL,
          METHOD_REPLACE, "rsize", "sync,vers=4.2,wsize=32768" ASK42 },
        { "a size of a session is not written down", "rw,vers=4.1,rsize=1047672,wsize=32768" TAIL42, NULL, NULL,
          METHOD_REPLACE, "wsize=32768", NULL, METHOD_REPLACE, "wsize", "vers=4.1" ASK42 },
        { "a size of a session may go too", "rw,vers=4.1,rsize=1047672,wsize=1047672" TAIL42, NULL, NULL,
          METHOD_REPLACE, "rsize=1047672", NULL, METHOD_REPLACE, "rsize", "vers=4.1" ASK42 },
        { "a size that is set", "rw,vers=4.2,rsize=1048576,wsize=1048576" TAIL42, NULL, NULL, METHOD_REPLACE, NULL,
          "rsize=65536,wsize=65536", METHOD_REPLACE, "rsize,wsize",
          "vers=4.2" ASK42 ",rsize=65536,wsize=65536" },
        { "dropped where it is written, and set to what holds", OLD42, "rsize=65536", NULL, METHOD_REPLACE,
          "rsize=65536", "rsize=32768", METHOD_NONE, "", "sync,vers=4.2,wsize=32768" ASK42 ",rsize=32768" },
        { "what is effective asks for nothing", OLD42, NULL, NULL, METHOD_REPLACE, NULL, "rsize=32768,hard,proto=tcp",
          METHOD_NONE, "", "sync,vers=4.2,rsize=32768,wsize=32768" ASK42 },
        { "only the source has it still", "rw,vers=4.2,rsize=1048576,wsize=1048576" TAIL42, "sync", NULL, METHOD_LIVE,
          "sync", NULL, METHOD_NONE, "", "vers=4.2,rsize=1048576,wsize=1048576" ASK42 },
        { "a source is no mount", OLD42, "sync,intr", NULL, METHOD_SOURCE, "sync", NULL, METHOD_NONE, "",
          "sync,vers=4.2,rsize=32768,wsize=32768" ASK42 },
        { "noac takes along what it brings", "rw,sync,vers=4.2,rsize=65536,wsize=65536,namlen=255,acregmin=0,"
          "acregmax=0,acdirmin=0,acdirmax=0,hard,noac,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1", "noac",
          NULL, METHOD_REPLACE, "noac", NULL, METHOD_REPLACE, "ac,acdirmax,acdirmin,acregmax,acregmin,sync",
          "vers=4.2,rsize=65536,wsize=65536" ASK42 },
        { "but for what is asked for too", "rw,sync,vers=4.2,rsize=65536,wsize=65536,namlen=255,acregmin=0,"
          "acregmax=0,acdirmin=0,acdirmax=0,hard,noac,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1",
          "noac,sync,acdirmin=5", NULL, METHOD_REPLACE, "noac", NULL, METHOD_REPLACE,
          "ac,acdirmax,acdirmin,acregmax,acregmin", "vers=4.2,rsize=65536,wsize=65536" ASK42 ",acdirmin=5,sync" },
        { "and in a second source", "rw,sync,vers=4.2,namlen=255,acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,hard,"
          "noac,proto=tcp,timeo=600,retrans=2,sec=sys,addr=10.0.0.1", "noac", "actimeo=0", METHOD_REPLACE, "noac",
          NULL, METHOD_REPLACE, "ac,sync",
          "vers=4.2" ASK42 ",acdirmax=0,acdirmin=0,acregmax=0,acregmin=0" },
        { "sync of a noac mount stays", "rw,sync,vers=4.2,acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,hard,noac,"
          "proto=tcp,addr=10.0.0.1", "noac,sync", NULL, METHOD_LIVE, "sync", NULL, METHOD_NONE, "",
          "vers=4.2,acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,hard,noac,proto=tcp,addr=10.0.0.1" },
        { "what noac brings is not its own where noac does not hold", OLD42, "noac", NULL, METHOD_REPLACE, "noac", NULL,
          METHOD_NONE, "", "sync,vers=4.2,rsize=32768,wsize=32768" ASK42 },
        { "actimeo is four", "rw,vers=4.2,acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,hard,proto=tcp,addr=10.0.0.1",
          "actimeo=0", NULL, METHOD_REPLACE, "actimeo=0", NULL, METHOD_REPLACE, "acdirmax,acdirmin,acregmax,acregmin",
          "vers=4.2,hard,proto=tcp,addr=10.0.0.1" },
        { "soft becomes hard", "rw,vers=4.2,soft,proto=tcp,timeo=600,retrans=2,addr=10.0.0.1", "soft", NULL,
          METHOD_REPLACE, "soft", NULL, METHOD_REPLACE, "hard",
          "vers=4.2,proto=tcp,timeo=600,retrans=2,addr=10.0.0.1" },
        { "softerr brings softreval", "rw,vers=4.2,softerr,softreval,proto=tcp,addr=10.0.0.1", "softerr", NULL,
          METHOD_REPLACE, "softerr", NULL, METHOD_REPLACE, "hard,softreval", "vers=4.2,proto=tcp,addr=10.0.0.1" },
        { "udp takes its times and sizes along", V3 "proto=udp,timeo=11,retrans=3,sec=sys," MOUNTD
          ",local_lock=none,addr=10.0.0.1", "udp", NULL, METHOD_REPLACE, "udp", NULL, METHOD_REPLACE,
          "proto,retrans,rsize,timeo,wsize",
          "vers=3,hard,sec=sys,mountaddr=10.0.0.1,mountvers=3,addr=10.0.0.1,proto=tcp" },
        { "but for those asked for", V3 "proto=udp,timeo=7,retrans=3,sec=sys," MOUNTD ",local_lock=none,addr=fd00::1",
          "proto=udp,timeo=7,rsize=32768", NULL, METHOD_REPLACE, "proto=udp", NULL, METHOD_REPLACE,
          "proto,retrans,wsize",
          "vers=3,rsize=32768,hard,timeo=7,sec=sys,mountaddr=10.0.0.1,mountvers=3,addr=fd00::1,proto=tcp6" },
        { "the kernel has to be told a version", "rw,vers=4.0,hard,proto=tcp,addr=10.0.0.1", "vers=4.0", NULL,
          METHOD_REPLACE, "vers=4.0", NULL, METHOD_REPLACE, "vers", "hard,proto=tcp,addr=10.0.0.1,vers=4.1" },
        { "flags of a family", "rw,vers=4.2,hard,proto=tcp,addr=10.0.0.1", NULL, NULL, METHOD_REPLACE, "resvport",
          "noresvport", METHOD_REPLACE, "resvport", "vers=4.2,hard,proto=tcp,addr=10.0.0.1,noresvport" },
        { "connections", "rw,vers=4.2,hard,proto=tcp,nconnect=2,max_connect=3,addr=10.0.0.1", NULL, NULL,
          METHOD_REPLACE, NULL, "nconnect=4", METHOD_REPLACE, "nconnect",
          "vers=4.2,hard,proto=tcp,max_connect=3,addr=10.0.0.1,nconnect=4" },
        { "what is kept", "ro,vers=3,hard,nolock,nosharecache,noresvport,proto=tcp,port=12049,sec=krb5,xprtsec=tls,"
          "mountaddr=unspecified,mountproto=auto,fsc=a,lookupcache=pos,local_lock=all,write=eager,future=1,"
          "context=\"a,b\",addr=10.0.0.1", NULL, NULL, METHOD_REPLACE, NULL, NULL, METHOD_NONE, "",
          "ro,vers=3,hard,nolock,nosharecache,noresvport,proto=tcp,port=12049,sec=krb5,xprtsec=tls,fsc=a,"
          "lookupcache=pos,write=eager,future=1,context=\"a,b\",addr=10.0.0.1" },
        { "ports that nobody asked for", V3 "proto=tcp,port=2049,sec=sys," MOUNTD ",local_lock=flock,addr=10.0.0.1",
          NULL, NULL, METHOD_REPLACE, NULL, NULL, METHOD_NONE, "",
          "vers=3,rsize=32768,wsize=32768,hard,proto=tcp,sec=sys,mountaddr=10.0.0.1,mountvers=3,mountproto=udp,"
          "local_lock=flock,addr=10.0.0.1" },
        { "ports that somebody asked for", V3 "proto=tcp,port=2049,sec=sys," MOUNTD ",local_lock=none,addr=10.0.0.1",
          "port=2049,mountport=20048", NULL, METHOD_REPLACE, NULL, NULL, METHOD_NONE, "",
          "vers=3,rsize=32768,wsize=32768,hard,proto=tcp,port=2049,sec=sys," MOUNTD ",addr=10.0.0.1" },
};

START_TEST(test_one_wish)
{
        struct recommendation r = wish(RULE_NOAC, rows[_i].asked, rows[_i].drop, rows[_i].set);
        struct staging s;
        struct world w;

        world_init(&w, "/data", "rw", rows[_i].super);
        if (rows[_i].fstab)
                world_fstab(&w, 7, "a line", rows[_i].fstab);
        if (rows[_i].conf)
                world_conf(&w, 3, rows[_i].conf);
        w.o.server.versions_known = true;
        w.o.server.versions = NFS_V3 | NFS_V4_0 | NFS_V4_1;
        ck_assert_int_eq(staging_make(&w.o, &r, 1, false, NULL, &s), 0);
        check_options(&s.keys, rows[_i].keys, rows[_i].name, "keys");
        check_options(&s.to, rows[_i].to, rows[_i].name, "to");
        ck_assert_msg(s.method == rows[_i].method, "%s: %s", rows[_i].name, method_name(s.method));
        staging_done(&s);
        recommendation_done(&r);
        world_done(&w);
}
END_TEST

/* ---- which recommendations ------------------------------------------------------------- */

static const struct {
        const char *name;
        bool only_automatic;
        enum rule rule;                 /* RULE_COUNT: all */
        enum confidence confidence;     /* of the first wish, rsize */
        bool automatic, question;
        const char *keys;
} chosen[] = {
        { "all", false, RULE_COUNT, CONFIDENCE_CONFIGURED, false, false, "rsize,sync" },
        { "a guess", false, RULE_COUNT, CONFIDENCE_POSSIBLE, false, false, "sync" },
        { "a guess is none by being named", false, RULE_STALE_IO_SIZE, CONFIDENCE_POSSIBLE, false, false, "" },
        { "a question", false, RULE_COUNT, CONFIDENCE_CONFIGURED, false, true, "sync" },
        { "a question that is answered", false, RULE_STALE_IO_SIZE, CONFIDENCE_CONFIGURED, false, true, "rsize" },
        { "never by itself", true, RULE_STALE_IO_SIZE, CONFIDENCE_CONFIGURED, false, true, "" },
        { "only what is automatic", true, RULE_COUNT, CONFIDENCE_CONFIGURED, false, false, "sync" },
        { "all is automatic", true, RULE_COUNT, CONFIDENCE_CONFIGURED, true, false, "rsize,sync" },
        { "one rule", false, RULE_SYNC_CLIENT, CONFIDENCE_CONFIGURED, true, false, "sync" },
        { "another rule", false, RULE_NOAC, CONFIDENCE_CONFIGURED, true, false, "" },
};

START_TEST(test_chosen)
{
        struct recommendation r[] = {
                wish(RULE_STALE_IO_SIZE, METHOD_REPLACE, "rsize=32768", NULL),
                wish(RULE_SYNC_CLIENT, METHOD_LIVE, "sync", NULL),
        };
        bool rules[RULE_COUNT] = { false };
        struct staging s;
        struct world w;

        r[0].confidence = chosen[_i].confidence;
        r[0].automatic = chosen[_i].automatic;
        r[0].question = chosen[_i].question;
        r[1].automatic = true;
        if (chosen[_i].rule < RULE_COUNT)
                rules[chosen[_i].rule] = true;
        world_init(&w, "/data", "rw", OLD42);
        ck_assert_int_eq(staging_make(&w.o, r, ARRAY_SIZE(r), chosen[_i].only_automatic,
                                      chosen[_i].rule < RULE_COUNT ? rules : NULL, &s), 0);
        check_options(&s.keys, chosen[_i].keys, chosen[_i].name, "keys");
        ck_assert_msg(r[0].question == chosen[_i].question, "%s: the recommendation was written to", chosen[_i].name);
        staging_done(&s);
        for (size_t i = 0; i < ARRAY_SIZE(r); i++)
                recommendation_done(&r[i]);
        world_done(&w);
}
END_TEST

/* ---- read-ahead ---------------------------------------------------------------------------- */

START_TEST(test_read_ahead)
{
        struct recommendation r = wish(RULE_READ_AHEAD, METHOD_LIVE, NULL, "read_ahead_kb=4096");
        struct staging s, back;
        struct world w;

        world_init(&w, "/data", "rw", OLD42);
        w.o.read_ahead_known = true;
        w.o.read_ahead_kib = 128;
        ck_assert_int_eq(staging_make(&w.o, &r, 1, false, NULL, &s), 0);
        ck_assert_int_eq(s.method, METHOD_LIVE);
        ck_assert_uint_eq(s.read_ahead_kib, 4096);
        ck_assert_uint_eq(s.read_ahead_from_kib, 128);
        ck_assert_uint_eq(s.keys.n_items, 0);
        ck_assert_int_eq(staging_reverse(&s, &back), 0);
        ck_assert_uint_eq(back.read_ahead_kib, 128);
        ck_assert_uint_eq(back.read_ahead_from_kib, 4096);
        staging_done(&back);
        staging_done(&s);
        w.o.read_ahead_kib = 4096;
        ck_assert_int_eq(staging_make(&w.o, &r, 1, false, NULL, &s), 0);
        ck_assert_int_eq(s.method, METHOD_NONE);
        staging_done(&s);
        recommendation_done(&r);
        world_done(&w);
}
END_TEST

/* One direction is below the server's limit of today by asking for it, the other one by nobody's wish. */
START_TEST(test_limit_below_both_sizes)
{
        struct staging s;
        struct world w;

        world_init(&w, "/data", "rw", "rw,vers=4.2,rsize=1048576,wsize=1048576" TAIL42);
        world_fstab(&w, 7, "a line", "rsize=1048576");
        world_limits(&w, 131072, 131072);
        world_evaluate(&w);
        ck_assert_ptr_nonnull(world_find(&w, RULE_LIMIT_BELOW_SIZE));
        ck_assert_int_eq(staging_make(&w.o, w.a.recommendations, w.a.n_recommendations, true, NULL, &s), 0);
        check_options(&s.keys, "rsize,wsize", "limit below size", "keys");
        staging_done(&s);
        world_done(&w);
}
END_TEST

/* The first story, from the mount table to the change. */
START_TEST(test_first_story)
{
        struct staging s, back;
        struct world w;

        world_init(&w, "/data", "rw,nosuid,relatime", OLD42);
        world_fstab(&w, 7, "server:/data /data nfs sync,rsize=32768,wsize=32768,bg,_netdev 0 0",
                    "sync,rsize=32768,wsize=32768,bg,_netdev");
        world_limits(&w, MIB, MIB);
        world_evaluate(&w);
        ck_assert_int_eq(staging_make(&w.o, w.a.recommendations, w.a.n_recommendations, true, NULL, &s), 0);
        ck_assert_int_eq(s.method, METHOD_REPLACE);
        check_options(&s.keys, "rsize,sync,wsize", "first story", "keys");
        check_options(&s.from, "sync,vers=4.2,rsize=32768,wsize=32768" ASK42, "first story", "from");
        check_options(&s.to, "vers=4.2" ASK42, "first story", "to");
        ck_assert_int_eq(staging_reverse(&s, &back), 0);
        ck_assert_int_eq(back.method, METHOD_REPLACE);
        check_options(&back.keys, "rsize,sync,wsize", "way back", "keys");
        check_options(&back.from, "vers=4.2" ASK42, "way back", "from");
        check_options(&back.to, "sync,vers=4.2,rsize=32768,wsize=32768" ASK42, "way back", "to");
        staging_done(&back);
        staging_done(&s);
        w.o.only_requested = true;
        world_evaluate(&w);
        ck_assert_int_eq(staging_make(&w.o, w.a.recommendations, w.a.n_recommendations, true, NULL, &s), 0);
        ck_assert_int_eq(s.method, METHOD_NONE);
        staging_done(&s);
        world_done(&w);
}
END_TEST

/* ---- was it as wanted? ---------------------------------------------------------------------- */

#define NEW42(r, w) "rw,vers=4.2,rsize=" r ",wsize=" w TAIL42

static const struct {
        const char *name;
        const char *drop, *set;
        const char *before, *after;
        const char *said;               /* is in the words; NULL: as wanted */
} checked[] = {
        { "the first story", "rsize=32768,wsize=32768,sync", NULL, OLD42, NEW42("1048576", "1048576"), NULL },
        { "another client address", "sync", NULL, OLD42, "rw,vers=4.2,rsize=32768,wsize=32768,namlen=255,hard,"
          "proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=10.9.9.9,local_lock=none,seclabel,addr=10.0.0.1", NULL },
        { "one size is the server's own", "rsize=32768,wsize=32768", NULL, "rw,vers=4.2,rsize=32768,wsize=32768" TAIL42,
          NEW42("1048576", "32768"), NULL },
        { "both are", "rsize=32768,wsize=32768", NULL, "rw,vers=4.2,rsize=32768,wsize=32768" TAIL42,
          NEW42("32768", "32768"), "nothing would change: rsize=32768" },
        { "sync stays", "rsize=32768,sync", NULL, OLD42, "rw,sync,vers=4.2,rsize=1048576,wsize=32768" TAIL42,
          "sync stays" },
        { "sync is nobody's wish", "rsize=32768", NULL, "rw,vers=4.2,rsize=32768,wsize=32768" TAIL42,
          "rw,sync,vers=4.2,rsize=1048576,wsize=32768" TAIL42, "sync is new" },
        { "a size that was not to change", "rsize=32768", NULL, OLD42,
          "rw,sync,vers=4.2,rsize=1048576,wsize=16384" TAIL42, "wsize=32768 was asked for" },
        { "soft", "sync", NULL, OLD42, "rw,vers=4.2,rsize=32768,wsize=32768,namlen=255,soft,proto=tcp,timeo=600,"
          "retrans=2,sec=sys,local_lock=none,addr=10.0.0.1", "hard was asked for" },
        { "a weaker security flavor", "sync", NULL, OLD42, "rw,vers=4.2,rsize=32768,wsize=32768,namlen=255,hard,"
          "proto=tcp,timeo=600,retrans=2,sec=none,local_lock=none,addr=10.0.0.1", "sec=sys was asked for" },
        { "another server", "sync", NULL, OLD42, "rw,vers=4.2,rsize=32768,wsize=32768,namlen=255,hard,"
          "proto=tcp,timeo=600,retrans=2,sec=sys,local_lock=none,addr=10.0.0.7", "addr=10.0.0.7 is new" },
        { "local locks", "sync", NULL, OLD42, "rw,vers=4.2,rsize=32768,wsize=32768,namlen=255,hard,"
          "proto=tcp,timeo=600,retrans=2,sec=sys,local_lock=all,addr=10.0.0.1", "local_lock=all is new" },
        { "read-only", "sync", NULL, OLD42, "ro,vers=4.2,rsize=32768,wsize=32768" TAIL42, "ro is new" },
        { "the server lowers a set size", NULL, "rsize=262144,wsize=262144", OLD42,
          "rw,sync,vers=4.2,rsize=131072,wsize=262144" TAIL42, "rsize=262144 was asked for" },
        { "connections that others decide", NULL, "nconnect=4", OLD42, OLD42, "nconnect=4 was asked for" },
        { "a size of a session", "sync", NULL, "rw,sync,vers=4.1,rsize=1047672,wsize=1047532" TAIL42,
          "rw,vers=4.1,rsize=1047672,wsize=1047532" TAIL42, NULL },
        { "a mountd of another port", "sync", NULL, "rw,sync,vers=3,hard,proto=tcp," MOUNTD ",addr=10.0.0.1",
          "rw,vers=3,hard,proto=tcp,mountaddr=10.0.0.1,mountvers=3,mountport=999,mountproto=tcp,addr=10.0.0.1", NULL },
        { "an option nobody knows", "sync", NULL, OLD42, NEW42("32768", "32768") ",future=1", "future=1 is new" },
        { "hard again", "soft", NULL, "rw,vers=4.2,soft,addr=10.0.0.1", "rw,vers=4.2,hard,addr=10.0.0.1", NULL },
        { "soft still", "soft", NULL, "rw,vers=4.2,soft,addr=10.0.0.1", "rw,vers=4.2,soft,addr=10.0.0.1",
          "soft stays" },
        { "the other way round", NULL, "sync", NEW42("32768", "32768"), OLD42, NULL },
};

START_TEST(test_checked)
{
        struct recommendation r = wish(RULE_NOAC, METHOD_REPLACE, checked[_i].drop, checked[_i].set);
        struct options after = world_options(checked[_i].after);
        cleanup_free char *words = NULL;
        struct staging s;
        struct world w;
        int verdict;

        world_init(&w, "/data", "rw", checked[_i].before);
        ck_assert_int_eq(staging_make(&w.o, &r, 1, false, NULL, &s), 0);
        verdict = staging_check(&s, &w.o.mount.super, &after, &words);
        ck_assert_msg(verdict == (checked[_i].said ? 1 : 0), "%s: %d %s", checked[_i].name, verdict,
                      words ? words : "");
        ck_assert_msg(!checked[_i].said == !words, "%s", checked[_i].name);
        if (words)
                ck_assert_msg(strstr(words, checked[_i].said) != NULL, "%s: %s", checked[_i].name, words);
        options_done(&after);
        staging_done(&s);
        recommendation_done(&r);
        world_done(&w);
}
END_TEST

CASE_MAIN("policy staging",
          { test_one_wish, ARRAY_SIZE(rows) },
          { test_chosen, ARRAY_SIZE(chosen) },
          { test_read_ahead, 1 },
          { test_limit_below_both_sizes, 1 },
          { test_first_story, 1 },
          { test_checked, ARRAY_SIZE(checked) })
