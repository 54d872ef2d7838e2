/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_counters.c and policy/counter_means.c: what the kernel's counters prove,
 * and above all what they do not.
 */
#include "tests/unit/policy_counters.h"
#include "tests/unit/policy_recorded.h"

#include "policy/counter_means.h"

/* ---- recorded mounts --------------------------------------------------------- */

static const enum rule counter_rules[] = {
        RULE_RETRANSMISSIONS, RULE_SINGLE_CONNECTION, RULE_READ_AHEAD,       RULE_SERVER_STORAGE,
        RULE_NETWORK,         RULE_SMALL_FILES,       RULE_WRITE_REGRESSION,
};

static char *fired(const struct world *w)
{
        struct text t = { 0 };
        char *s;

        for (size_t i = 0; i < ARRAY_SIZE(counter_rules); i++)
                if (world_find(w, counter_rules[i]))
                        text_add(&t, "%s%s", t.length_bytes > 0 ? " " : "", rule_name(counter_rules[i]));
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

START_TEST(recorded)
{
        const struct recorded_case *row = &recorded_cases[_i];
        struct world w;
        char *got;

        world_init(&w, "/mnt", strncmp(row->super, "ro", 2) == 0 ? "ro" : "rw", row->super);
        world_server(&w, row->server);
        w.o.counters = row->counters;
        world_evaluate(&w);
        got = fired(&w);
        ck_assert_msg(strcmp(got, row->want) == 0, "%s: \"%s\", not \"%s\"", row->name, got, row->want);
        for (size_t i = 0; i < ARRAY_SIZE(counter_rules); i++)
                if (world_find(&w, counter_rules[i]))
                        world_check_words(world_find(&w, counter_rules[i]), row->name);
        free(got);
        world_done(&w);
}
END_TEST

static const struct recorded_case *recorded_find(const char *name)
{
        for (size_t i = 0; i < ARRAY_SIZE(recorded_cases); i++)
                if (strcmp(recorded_cases[i].name, name) == 0)
                        return &recorded_cases[i];
        ck_abort_msg("no %s", name);
        return NULL;
}

/* The figures that a reader would compute by hand. */
START_TEST(recorded_figures)
{
        static const struct {
                const char *name;
                enum rule rule;
                const char *parts[6];
        } rows[] = {
                { "case 88 /mnt", RULE_NETWORK,
                  { "GETATTR takes 18.6 ms (36 calls)", "ACCESS 20 ms (13 calls)", "LOOKUP 19 ms (7 calls)",
                    "2.6 h ago" } },
                { "case 73 /nfs-mount", RULE_SERVER_STORAGE,
                  { "COMMIT takes 15 s (12 calls)", "1024 MiB of written data each, 68.1 MiB/s",
                    "GETATTR takes 500 us (30 calls)", "39.6 h ago" } },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                const struct recorded_case *row = recorded_find(rows[i].name);
                struct world w;

                world_init(&w, "/mnt", "rw", row->super);
                w.o.counters = row->counters;
                world_evaluate(&w);
                ck_assert_msg(world_find(&w, rows[i].rule) != NULL, "%s", rows[i].name);
                for (const char *const *part = rows[i].parts; *part; part++)
                        world_check_contains(world_find(&w, rows[i].rule)->evidence, *part, rows[i].name);
                world_done(&w);
        }
}
END_TEST

/* ---- network ------------------------------------------------------------------- */

static const struct network_row {
        const char *name;
        const char *server;
        const char *super;
        struct op_row getattr, access, lookup, commit, write;
        unsigned replies;
        usec_t null_usec, spread_usec;
        uint64_t segments, segments_again;
        const char *want;
} network_rows[] = {
        { "the same floor", "server", TCP4, { 40, 15000 }, { 10, 16000 }, { 10, 14000 }, { 0 }, { 0 }, 0, 0, 0, 0, 0,
          "observed" },
        { "exactly the floor", "server", TCP4, { 40, 10000 }, { 10, 12500 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 0, 0,
          "observed" },
        { "a disk that slept", "server", TCP4, { 400, 31000 }, { 300, 41000 }, { 200, 31000 }, { 0 }, { 0 }, 0, 0, 0, 0,
          0, "quiet" },
        { "many calls, a wider floor", "server", TCP4, { 900, 10000 }, { 100, 20000 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 0, 0,
          "observed" },
        { "below the floor", "server", TCP4, { 1000, 9990 }, { 1000, 9990 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 0, 0,
          "quiet" },
        { "too few calls", "server", TCP4, { 35, 15000 }, { 14, 15000 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 0, 0, "quiet" },
        { "one kind only", "server", TCP4, { 1000, 15000 }, { 4, 15000 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 0, 0, "quiet" },
        { "many calls, the kinds disagree", "server", TCP4, { 900, 10000 }, { 100, 21000 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 0, 0,
          "quiet" },
        { "COMMIT as near as WRITE", "server", TCP4, { 40, 10000 }, { 10, 10000 }, { 0 }, { 20, 90000 },
          { 20, 90000 }, 0, 0, 0, 0, 0, "observed" },
        { "COMMIT far above", "server", TCP4, { 40, 10000 }, { 10, 10000 }, { 0 }, { 20, 100000 }, { 0 }, 0, 0, 0, 0,
          0, "quiet" },
        { "WRITE far above", "server", TCP4, { 40, 10000 }, { 10, 10000 }, { 0 }, { 0 }, { 20, 150000 }, 0, 0, 0, 0, 0,
          "quiet" },
        { "few COMMITs prove nothing", "server", TCP4, { 40, 10000 }, { 10, 10000 }, { 0 }, { 4, 900000 }, { 0 }, 0, 0,
          0, 0, 0, "observed" },
        { "NULL agrees", "server", TCP4, { 40, 15000 }, { 10, 15000 }, { 0 }, { 0 }, { 0 }, 5, 8000, 900, 0, 0,
          "observed" },
        { "NULL is much quicker", "server", TCP4, { 40, 15000 }, { 10, 15000 }, { 0 }, { 0 }, { 0 }, 5, 500, 900, 0, 0,
          "quiet" },
        { "NULL alone", "server", TCP4, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, 5, 20000, 10000, 0, 0, "observed" },
        { "the kernel's own calls are much quicker than NULL", "server", TCP4, { 40, 9999 }, { 0 }, { 0 }, { 0 }, { 0 }, 5,
          20000, 900, 0, 0, "quiet" },
        { "NULL of a slow laboratory", "server", TCP4, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, 5, 19999, 0, 0, 0, "quiet" },
        { "NULL jumps about", "server", TCP4, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, 5, 20000, 10001, 0, 0, "quiet" },
        { "two answers to NULL", "server", TCP4, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, 2, 50000, 0, 0, 0, "quiet" },
        { "loss", "server", TCP4, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 10000, 100, "observed" },
        { "little loss", "server", TCP4, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 10000, 99, "quiet" },
        { "few segments", "server", TCP4, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 9999, 5000, "quiet" },
        { "localhost", "localhost", "rw,vers=4.2,proto=tcp", { 40, 15000 }, { 10, 16000 }, { 0 }, { 0 }, { 0 }, 5,
          30000, 0, 10000, 500, "quiet" },
        { "127.0.0.1 by address", "server", "rw,vers=4.2,proto=tcp,addr=127.0.0.1", { 40, 15000 }, { 10, 16000 }, { 0 },
          { 0 }, { 0 }, 5, 30000, 0, 10000, 500, "quiet" },
        { "::1", "::1", "rw,vers=3,proto=tcp6", { 40, 15000 }, { 10, 16000 }, { 0 }, { 0 }, { 0 }, 5, 30000, 0, 10000,
          500, "quiet" },
        { "only called so", "localhost-nas", TCP4, { 40, 15000 }, { 10, 16000 }, { 0 }, { 0 }, { 0 }, 0, 0, 0, 0, 0,
          "observed" },
        { "a proxy's near end", "127.0.0.1", "rw,vers=4.1,proto=tcp,port=20127", { 40, 15000 }, { 10, 16000 }, { 0 },
          { 0 }, { 0 }, 0, 0, 0, 0, 0, "observed" },
};

static void set_network(struct world *w, const struct network_row *row)
{
        world_op(w, RPC_OP_GETATTR, row->getattr);
        world_op(w, RPC_OP_ACCESS, row->access);
        world_op(w, RPC_OP_LOOKUP, row->lookup);
        world_op(w, RPC_OP_COMMIT, row->commit);
        world_op(w, RPC_OP_WRITE, row->write);
        world_null(w, row->null_usec);
        w->o.server.null_replies = row->replies;
        w->o.server.null_spread_usec = row->spread_usec;
        w->o.connection = (struct connection_facts){
                .known = row->segments > 0, .sent_segments = row->segments,
                .retransmitted_segments = row->segments_again,
        };
}

START_TEST(network)
{
        const struct network_row *row = &network_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", row->super);
        world_server(&w, row->server);
        set_network(&w, row);
        world_evaluate(&w);
        world_check_verdict(&w, RULE_NETWORK, row->want, row->name);
        r = world_find(&w, RULE_NETWORK);
        if (r) {
                world_check_words(r, row->name);
                ck_assert_msg(r->method == METHOD_NETWORK && r->n_set == 0 && !r->automatic && !r->gain, "%s: proposes",
                              row->name);
                ck_assert_msg(strstr(r->risk, "no mount option"), "%s: %s", row->name, r->risk);
                /* LOOKUP, CREATE, WRITE; OPEN, WRITE, CLOSE */
                ck_assert_msg(!strstr(r->risk, "needs at least") || strstr(r->risk, "at least 3 "), "%s: %s", row->name,
                              r->risk);
        }
        world_done(&w);
}
END_TEST

/* Who watches a mount waits for a second probe; who looks once says what he sees. */
START_TEST(network_twice)
{
        static const struct {
                const char *name;
                struct earlier_probe earlier;
                const char *want;
        } rows[] = {
                { "looked at once", { false, false, 0, 0 }, "observed" },
                { "the first of several", { true, false, 0, 0 }, "quiet" },
                { "the one before was quick", { true, true, 19999, 0 }, "quiet" },
                { "two in a row", { true, true, 20000, 0 }, "observed" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", TCP4);
                world_null(&w, 20000);
                w.o.probe.state = PROBE_ACTIVE;
                w.o.earlier = rows[i].earlier;
                world_evaluate(&w);
                world_check_verdict(&w, RULE_NETWORK, rows[i].want, rows[i].name);
                world_done(&w);
        }
}
END_TEST

/* A busy host keeps its own NULL waiting: what is done over the same way sooner says so. */
START_TEST(network_and_a_quick_write)
{
        static const struct {
                const char *name;
                usec_t stable_usec;
                const char *want;
        } rows[] = {
                { "a quicker stable write", 19999, "quiet" },
                { "one as slow", 20000, "observed" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", TCP4);
                world_null(&w, 20000);
                world_stable(&w, 1, 64 * KIB, 4, rows[i].stable_usec);
                world_evaluate(&w);
                world_check_verdict(&w, RULE_NETWORK, rows[i].want, rows[i].name);
                world_done(&w);
        }
}
END_TEST

/* sock_diag's figure is the way's alone. */
START_TEST(network_of_tcp)
{
        static const struct {
                const char *name;
                bool known;
                usec_t round_trip_usec;
                const char *want;
        } rows[] = {
                { "unknown", false, 400, "observed" },
                { "not measured", true, 0, "observed" },
                { "as slow", true, 9000, "observed" },
                { "much quicker", true, 400, "quiet" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", TCP4);
                world_op(&w, RPC_OP_GETATTR, (struct op_row){ 4000, 15000 });
                world_op(&w, RPC_OP_ACCESS, (struct op_row){ 1000, 16000 });
                w.o.connection = (struct connection_facts){
                        .known = rows[i].known, .round_trip_usec = rows[i].round_trip_usec,
                };
                world_evaluate(&w);
                world_check_verdict(&w, RULE_NETWORK, rows[i].want, rows[i].name);
                world_done(&w);
        }
}
END_TEST

/* ---- retransmissions ------------------------------------------------------------- */

static const struct retransmission_row {
        const char *name;
        uint64_t calls, again, major_timeouts, bad_xids, connects, max_slots;
        uint64_t segments, segments_again;
        const char *want;
} retransmission_rows[] = {
        { "overloaded server", 1000000, 1000, 100, 50, 1, 64, 0, 0, "observed" },
        { "late replies alone", 1000000, 1000, 0, 50, 1, 64, 0, 0, "observed" },
        { "no time-out and no late reply", 1000000, 1000, 0, 0, 1, 64, 0, 0, "quiet" },
        { "below one of a thousand", 1000000, 999, 100, 50, 1, 64, 0, 0, "quiet" },
        { "too few calls", 9999, 5000, 100, 50, 1, 64, 0, 0, "quiet" },
        { "fifteen calls", 15, 15, 15, 15, 1, 64, 0, 0, "quiet" },
        { "a sleeping NAS", 35000, 60, 0, 3, 62, 31, 0, 0, "quiet" },
        { "reconnects with few time-outs, full slots", 1000000, 2000, 30, 3, 41, 50, 0, 0, "quiet" },
        { "reconnects do not explain that much", 1000000, 200000, 30, 3, 41, 50, 0, 0, "observed" },
        { "as many time-outs as reconnects", 1000000, 2000, 40, 3, 41, 50, 0, 0, "observed" },
        { "a server that was restarted", 20000, 36, 36, 0, 2, 64, 0, 0, "quiet" },
        { "as many time-outs without a reconnect", 20000, 36, 36, 0, 1, 64, 0, 0, "observed" },
        { "a restart does not explain that much", 20000, 200, 36, 0, 2, 64, 0, 0, "observed" },
        { "slots not printed", 1000000, 2000, 0, 3, 41, 0, 0, 0, "quiet" },
        { "slots not printed, and more than they are", 1000000, 3000, 0, 3, 41, 0, 0, 0, "observed" },
        { "impossible row", 1000000, 5000, 2000000, 3, 1, 64, 0, 0, "quiet" },
        { "segments lost", 0, 0, 0, 0, 1, 64, 10000, 10, "observed" },
        { "hardly any segment lost", 0, 0, 0, 0, 1, 64, 10000, 9, "quiet" },
        { "few segments", 0, 0, 0, 0, 1, 64, 9999, 9999, "quiet" },
};

START_TEST(retransmissions)
{
        const struct retransmission_row *row = &retransmission_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", TCP4);
        w.o.counters.known = true;
        w.o.counters.op[RPC_OP_READ] = (struct rpc_op_counters){
                .calls = row->calls, .transmissions = row->calls + row->again, .major_timeouts = row->major_timeouts,
        };
        w.o.counters.transport = (struct transport_counters){
                .transports = 1, .proto = NFS_PROTO_TCP, .connects = row->connects, .bad_xids = row->bad_xids,
                .max_slots = row->max_slots,
        };
        w.o.connection = (struct connection_facts){
                .known = true, .sent_segments = row->segments, .retransmitted_segments = row->segments_again,
        };
        world_evaluate(&w);
        world_check_verdict(&w, RULE_RETRANSMISSIONS, row->want, row->name);
        r = world_find(&w, RULE_RETRANSMISSIONS);
        if (r) {
                world_check_words(r, row->name);
                ck_assert_msg(r->method == METHOD_NETWORK && r->n_set == 0, "%s", row->name);
                world_check_contains(r->evidence, row->segments > 0 ? "10 of 10000 TCP segments" : "0000 calls", row->name);
        }
        world_done(&w);
}
END_TEST

/* ---- single-connection -------------------------------------------------------------- */

#define OPTIONS_OF(vers, more) "rw,vers=" vers ",rsize=1048576,wsize=1048576,hard,proto=tcp" more

static const struct connection_row {
        const char *name;
        const char *super;
        const char *server;
        unsigned transports;
        uint64_t calls, queue_usec, round_trip_usec;
        uint64_t sends, sending, backlog;
        int nconnect_max;               /* of a profile; -1: no profile */
        bool kept;
        const char *want;
        const char *set;
} connection_rows[] = {
        { "cheap calls queue", OPTIONS_OF("4.2", ""), "server", 1, 10000, 2000, 2000, 100, 150, 50, -1, false,
          "observed", "nconnect=4" },
        { "version 3", OPTIONS_OF("3", ""), "server", 1, 10000, 2000, 2000, 100, 200, 0, -1, false, "observed",
          "nconnect=4" },
        { "version 4.1, sec=sys", OPTIONS_OF("4.1", ",sec=sys"), "server", 1, 10000, 2000, 2000, 100, 200, 0, -1, false,
          "observed", "nconnect=4" },
        { "profile without a word", OPTIONS_OF("4.2", ""), "server", 1, 10000, 2000, 2000, 100, 200, 0, 0, false,
          "observed", "nconnect=4" },
        { "profile's ceiling", OPTIONS_OF("4.2", ""), "server", 1, 10000, 2000, 2000, 100, 200, 0, 2, false, "observed",
          "nconnect=2" },
        { "profile's high ceiling", OPTIONS_OF("4.2", ""), "server", 1, 10000, 2000, 2000, 100, 200, 0, 16, false,
          "observed", "nconnect=4" },
        { "profile wants one", OPTIONS_OF("4.2", ""), "server", 1, 10000, 2000, 2000, 100, 200, 0, 1, false, "quiet",
          NULL },
        { "kept", OPTIONS_OF("4.2", ""), "server", 1, 10000, 2000, 2000, 100, 200, 0, -1, true, "quiet", NULL },
        { "few calls", OPTIONS_OF("4.2", ""), "server", 1, 9998, 2000, 2000, 100, 200, 0, -1, false, "quiet", NULL },
        { "queue shorter than the way", OPTIONS_OF("4.2", ""), "server", 1, 10000, 1900, 2000, 100, 200, 0, -1, false,
          "quiet", NULL },
        { "queue below a millisecond", OPTIONS_OF("4.2", ""), "server", 1, 10000, 900, 300, 100, 200, 0, -1, false,
          "quiet", NULL },
        { "few wait", OPTIONS_OF("4.2", ""), "server", 1, 10000, 2000, 2000, 100, 199, 0, -1, false, "quiet", NULL },
        { "nothing sent", OPTIONS_OF("4.2", ""), "server", 1, 10000, 2000, 2000, 0, 200, 0, -1, false, "quiet", NULL },
        { "has several", OPTIONS_OF("4.2", ""), "server", 2, 10000, 2000, 2000, 100, 200, 0, -1, false, "quiet", NULL },
        { "nconnect=1 by wish", OPTIONS_OF("4.2", ",nconnect=1"), "server", 1, 10000, 2000, 2000, 100, 200, 0, -1,
          false, "quiet", NULL },
        { "krb5", OPTIONS_OF("4.2", ",sec=krb5"), "server", 1, 10000, 2000, 2000, 100, 200, 0, -1, false, "quiet",
          NULL },
        { "krb5p", OPTIONS_OF("3", ",sec=krb5p"), "server", 1, 10000, 2000, 2000, 100, 200, 0, -1, false, "quiet",
          NULL },
        { "version 4.0", OPTIONS_OF("4.0", ""), "server", 1, 10000, 2000, 2000, 100, 200, 0, -1, false, "quiet", NULL },
        { "version 4 of unknown minor", OPTIONS_OF("4", ""), "server", 1, 10000, 2000, 2000, 100, 200, 0, -1, false,
          "quiet", NULL },
        { "udp", "rw,vers=3,proto=udp", "server", 1, 10000, 2000, 2000, 100, 200, 0, -1, false, "quiet", NULL },
        { "rdma", "rw,vers=3,proto=rdma", "server", 1, 10000, 2000, 2000, 100, 200, 0, -1, false, "quiet", NULL },
        { "localhost", OPTIONS_OF("4.2", ""), "localhost", 1, 10000, 2000, 2000, 100, 200, 0, -1, false, "quiet",
          NULL },
        { "a proxy's near end", OPTIONS_OF("4.1", ",port=20127"), "127.0.0.1", 1, 10000, 2000, 2000, 100, 200, 0, -1,
          false, "quiet", NULL },
};

static void set_queue(struct world *w, const struct connection_row *row)
{
        struct transport_counters *t = &w->o.counters.transport;

        for (size_t i = 0; i < 2; i++) {
                enum rpc_op op = i == 0 ? RPC_OP_GETATTR : RPC_OP_LOOKUP;

                world_op(w, op, (struct op_row){ row->calls / 2, row->round_trip_usec });
                w->o.counters.op[op].queue_msec = row->calls / 2 * row->queue_usec / 1000;
                w->o.counters.op[op].execute_msec += w->o.counters.op[op].queue_msec;
        }
        *t = (struct transport_counters){
                .transports = row->transports, .proto = NFS_PROTO_TCP, .connects = 1, .sends = row->sends,
                .receives = row->sends, .sending_usage = row->sending, .backlog_usage = row->backlog, .max_slots = 64,
        };
}

static void set_nconnect_profile(struct world *w, int nconnect_max)
{
        if (nconnect_max >= 0)
                world_profile(w)->nconnect_max = (unsigned)nconnect_max;
}

START_TEST(single_connection)
{
        const struct connection_row *row = &connection_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", row->super);
        world_server(&w, row->server);
        world_fstab(&w, 7, "server:/data /data nfs defaults 0 0", "defaults");
        set_queue(&w, row);
        set_nconnect_profile(&w, row->nconnect_max);
        if (row->kept)
                world_keep(&w, "nconnect");
        world_evaluate(&w);
        world_check_verdict(&w, RULE_SINGLE_CONNECTION, row->want, row->name);
        r = world_find(&w, RULE_SINGLE_CONNECTION);
        if (r) {
                world_check_words(r, row->name);
                ck_assert_msg(r->n_set == 1 && strcmp(r->set[0], row->set) == 0, "%s: %s", row->name, r->set[0]);
                ck_assert_msg(r->method == METHOD_REPLACE && !r->automatic && !r->gain, "%s: promises", row->name);
                ck_assert_msg(r->place.kind == PLACE_FSTAB && r->place.line == 7, "%s: place", row->name);
                world_check_contains(r->risk, "first mount", row->name);
                world_check_contains(r->evidence, "30 h ago", row->name);
        }
        world_done(&w);
}
END_TEST

/* What waited for a server that was away says nothing of the connection. */
START_TEST(queue_while_away)
{
        static const struct {
                const char *name;
                uint64_t major_timeouts;
                const char *want;
        } rows[] = { { "always there", 0, "observed" }, { "away once", 1, "quiet" } };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", TCP4);
                set_queue(&w, &connection_rows[0]);
                w.o.counters.op[RPC_OP_LOOKUP].major_timeouts = rows[i].major_timeouts;
                world_evaluate(&w);
                world_check_verdict(&w, RULE_SINGLE_CONNECTION, rows[i].want, rows[i].name);
                world_done(&w);
        }
}
END_TEST

/* ---- read-ahead --------------------------------------------------------------------------- */

static const struct read_ahead_row {
        const char *name;
        const char *super;
        uint64_t kib;                   /* 0: unknown */
        uint64_t read_bytes, written_bytes;
        uint64_t calls;                 /* 0: counters unknown */
        uint64_t call_bytes;
        const char *want;
} read_ahead_rows[] = {
        { "sequential reads", TCP4, 128, 4 * MIB, MIB, 10000, 64 * KIB, "possible" },
        { "few reads", TCP4, 128, 4 * MIB, MIB, 9999, 64 * KIB, "quiet" },
        { "small reads", TCP4, 128, 4 * MIB, MIB, 10000, 64 * KIB - 1, "quiet" },
        { "as many writes", TCP4, 128, 4 * MIB, MIB + 1, 10000, MIB, "quiet" },
        { "raised already", TCP4, 1024, 4 * MIB, 0, 10000, MIB, "quiet" },
        { "lowered by somebody", TCP4, 16, 4 * MIB, 0, 10000, MIB, "quiet" },
        { "transfers no larger", "rw,vers=4.2,rsize=131072,wsize=131072,proto=tcp", 128, 4 * MIB, 0, 10000, MIB,
          "quiet" },
        { "read-ahead unknown", TCP4, 0, 4 * MIB, 0, 10000, MIB, "cannot tell" },
        { "read-ahead unknown, nobody reads", TCP4, 0, 0, 4 * MIB, 10000, MIB, "quiet" },
        { "read-ahead and counters unknown", TCP4, 0, 0, 0, 0, 0, "cannot tell" },
        { "counters unknown", TCP4, 128, 0, 0, 0, 0, "cannot tell" },
        { "small transfers, nothing known", "rw,vers=3,rsize=32768,wsize=32768,proto=tcp", 0, 0, 0, 0, 0, "quiet" },
};

static void set_reads(struct world *w, const struct read_ahead_row *row)
{
        w->o.read_ahead_known = row->kib > 0;
        w->o.read_ahead_kib = row->kib;
        if (row->calls == 0)
                return;
        world_op(w, RPC_OP_READ, (struct op_row){ row->calls, 1000 });
        w->o.counters.op[RPC_OP_READ].received_bytes = row->calls * row->call_bytes;
        w->o.counters.server_read_bytes = row->read_bytes;
        w->o.counters.server_write_bytes = row->written_bytes;
}

START_TEST(read_ahead)
{
        const struct read_ahead_row *row = &read_ahead_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "ro", row->super);
        set_reads(&w, row);
        world_evaluate(&w);
        world_check_verdict(&w, RULE_READ_AHEAD, row->want, row->name);
        r = world_find(&w, RULE_READ_AHEAD);
        if (r) {
                world_check_words(r, row->name);
                ck_assert_msg(!r->automatic && r->n_set == 0 && !r->gain && !w.a.plan.exists, "%s: unmeasured",
                              row->name);
                world_check_contains(r->risk, "/sys/class/bdi/0:50/read_ahead_kb", row->name);
                world_check_contains(r->keep, "nfsrahead", row->name);
        }
        w.o.only_requested = true;
        world_evaluate(&w);
        ck_assert_msg(!world_undecided(&w, RULE_READ_AHEAD), "%s: there is no mount", row->name);
        world_done(&w);
}
END_TEST

/* The command that tells, for the host itself and for files of another one. */
START_TEST(read_ahead_command)
{
        for (int recorded_mounts = 0; recorded_mounts < 2; recorded_mounts++) {
                struct world w;

                world_init(&w, "/data", "rw", TCP4);
                if (recorded_mounts)
                        w.o.mount.device = (struct device){ 0 };
                world_evaluate(&w);
                ck_assert_str_eq(world_undecided(&w, RULE_READ_AHEAD)->command,
                                 recorded_mounts ? "nfstuned --once /data" : "cat /sys/class/bdi/0:50/read_ahead_kb");
                world_done(&w);
        }
}
END_TEST

static const struct trial_row {
        const char *name;
        const char *options[2];
        unsigned ratio[2], high[2];
        uint64_t present_kib;
        const char *want;
        const char *set;
        const char *gain;
} trial_rows[] = {
        { "faster", { "read_ahead_kb=1024" }, { 700 }, { 899 }, 128, "measured", "read_ahead_kb=1024",
          "10.1 % less" },
        { "not clearly", { "read_ahead_kb=1024" }, { 700 }, { 900 }, 128, "quiet", NULL, NULL },
        { "slower", { "read_ahead_kb=15360" }, { 1700 }, { 1900 }, 128, "quiet", NULL, NULL },
        { "the best of two", { "read_ahead_kb=1024", "read_ahead_kb=4096" }, { 700, 600 }, { 800, 800 }, 128,
          "measured", "read_ahead_kb=4096", "20 % less" },
        { "only one is faster", { "read_ahead_kb=1024", "read_ahead_kb=15360" }, { 700, 600 }, { 800, 1200 }, 128,
          "measured", "read_ahead_kb=1024", "20 % less" },
        { "set already", { "read_ahead_kb=1024" }, { 700 }, { 800 }, 1024, "quiet", NULL, NULL },
        { "a trial of something else", { "rsize=65536,wsize=65536" }, { 100 }, { 100 }, 1024, "quiet", NULL, NULL },
        { "not a number", { "read_ahead_kb=1024,rsize=1" }, { 100 }, { 100 }, 1024, "quiet", NULL, NULL },
        { "no number", { "read_ahead_kb=" }, { 100 }, { 100 }, 1024, "quiet", NULL, NULL },
};

START_TEST(read_ahead_trial)
{
        const struct trial_row *row = &trial_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", TCP4);
        w.o.read_ahead_known = true;
        w.o.read_ahead_kib = row->present_kib;
        w.o.trials = calloc(2, sizeof(*w.o.trials));
        ck_assert_ptr_nonnull(w.o.trials);
        for (; w.o.n_trials < 2 && row->options[w.o.n_trials]; w.o.n_trials++)
                w.o.trials[w.o.n_trials] = (struct trial_facts){
                        .options = world_copy(row->options[w.o.n_trials]), .pairs = 11,
                        .ratio_permille = row->ratio[w.o.n_trials], .ratio_low_permille = 500,
                        .ratio_high_permille = row->high[w.o.n_trials],
                };
        world_op(&w, RPC_OP_READ, (struct op_row){ 10, 1000 });
        world_evaluate(&w);
        world_check_verdict(&w, RULE_READ_AHEAD, row->want, row->name);
        r = world_find(&w, RULE_READ_AHEAD);
        if (r) {
                world_check_words(r, row->name);
                ck_assert_msg(r->automatic && r->method == METHOD_LIVE && r->n_set == 1, "%s", row->name);
                ck_assert_msg(strcmp(r->set[0], row->set) == 0, "%s: %s", row->name, r->set[0]);
                world_check_contains(r->gain, row->gain, row->name);
                ck_assert_msg(r->gain_permille > 0, "%s", row->name);
        }
        world_done(&w);
}
END_TEST

/* ---- small-files --------------------------------------------------------------------------- */

static const struct file_row {
        const char *name;
        struct op_row open, create, close, lookup, write, getattr;
        uint64_t data_bytes;
        const char *want;
} file_rows[] = {
        { "version 4", { 1000, 2000 }, { 0 }, { 1000, 2000 }, { 0 }, { 1000, 3000 }, { 0 }, 1000 * 15 * KIB,
          "observed" },
        { "version 3", { 0 }, { 1000, 3000 }, { 0 }, { 1000, 1000 }, { 1000, 2000 }, { 0 }, 1000 * 15 * KIB,
          "observed" },
        { "few files", { 999, 2000 }, { 0 }, { 999, 2000 }, { 0 }, { 1000, 3000 }, { 0 }, 999 * 15 * KIB, "quiet" },
        { "large files", { 1000, 2000 }, { 0 }, { 1000, 2000 }, { 0 }, { 1000, 3000 }, { 0 }, 1000 * 64 * KIB,
          "quiet" },
        { "the data take as long", { 1000, 2000 }, { 0 }, { 1000, 2000 }, { 0 }, { 1000, 4000 }, { 0 }, 1000 * 15 * KIB,
          "quiet" },
        { "attributes take as long", { 1000, 2000 }, { 0 }, { 1000, 2000 }, { 0 }, { 0 }, { 1000, 4000 },
          1000 * 15 * KIB, "quiet" },
        { "a quick server", { 1000, 900 }, { 0 }, { 1000, 1000 }, { 0 }, { 0 }, { 0 }, 1000 * 15 * KIB, "quiet" },
        { "version 3, most names are only asked for", { 0 }, { 1000, 1000 }, { 0 }, { 90000, 300 }, { 1000, 2000 }, { 0 },
          1000 * 15 * KIB, "quiet" },
        { "a tree that is searched", { 1000, 1000 }, { 0 }, { 1000, 900 }, { 90000, 300 }, { 1000, 2000 }, { 0 },
          1000 * 15 * KIB, "quiet" },
        { "just not quick", { 1000, 1000 }, { 0 }, { 1000, 1000 }, { 0 }, { 0 }, { 0 }, 1000 * 15 * KIB, "observed" },
};

START_TEST(small_files)
{
        const struct file_row *row = &file_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/data", "rw", TCP4);
        world_op(&w, RPC_OP_OPEN, row->open);
        world_op(&w, RPC_OP_CREATE, row->create);
        world_op(&w, RPC_OP_CLOSE, row->close);
        world_op(&w, RPC_OP_LOOKUP, row->lookup);
        world_op(&w, RPC_OP_WRITE, row->write);
        world_op(&w, RPC_OP_GETATTR, row->getattr);
        world_op(&w, RPC_OP_RENEW, (struct op_row){ 100000, 9000 });
        w.o.counters.server_write_bytes = row->data_bytes;
        world_evaluate(&w);
        world_check_verdict(&w, RULE_SMALL_FILES, row->want, row->name);
        r = world_find(&w, RULE_SMALL_FILES);
        if (r) {
                world_check_words(r, row->name);
                ck_assert_msg(r->method == METHOD_NONE && r->n_set == 0, "%s", row->name);
                world_check_contains(r->evidence, "15 KiB", row->name);
                world_check_contains(r->evidence, "2.0 calls", row->name);
        }
        world_done(&w);
}
END_TEST

/* ---- without counters ------------------------------------------------------------------------ */

START_TEST(without_counters)
{
        static const enum rule rules[] = { RULE_NETWORK, RULE_SERVER_STORAGE, RULE_RETRANSMISSIONS,
                                           RULE_SINGLE_CONNECTION, RULE_SMALL_FILES };
        static const struct {
                const char *name;
                bool only_requested;
                enum probe_state probe;
                bool known;
                const char *want;
        } rows[] = {
                { "a recorded mount", false, PROBE_NONE, false, "cannot tell" },
                { "deliberately not written to", false, PROBE_PASSIVE, false, "cannot tell" },
                { "probed", false, PROBE_ACTIVE, false, "quiet" },
                { "a line without a mount", true, PROBE_NONE, false, "quiet" },
                { "counters of a new mount", false, PROBE_NONE, true, "quiet" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
                for (size_t k = 0; k < ARRAY_SIZE(rules); k++) {
                        struct world w;

                        world_init(&w, "/a b", "rw", TCP4);
                        w.o.only_requested = rows[i].only_requested;
                        w.o.probe.state = rows[i].probe;
                        w.o.counters.known = rows[i].known;
                        world_evaluate(&w);
                        world_check_verdict(&w, rules[k], rows[i].want, rows[i].name);
                        if (world_undecided(&w, rules[k])) {
                                ck_assert_str_eq(world_undecided(&w, rules[k])->command, "nfstuned --once '/a b'");
                                world_check_contains(world_undecided(&w, rules[k])->missing, "/proc/self/mountstats",
                                                     rows[i].name);
                        }
                        world_done(&w);
                }
}
END_TEST

/* ---- arithmetic ------------------------------------------------------------------------------- */

START_TEST(sound_rows)
{
        static const struct {
                const char *name;
                struct rpc_op_counters op;
                bool sound;
        } rows[] = {
                { "nothing", { .calls = 0 }, true },
                { "plain", { .calls = 1, .transmissions = 1, .execute_msec = 5, .queue_msec = 2 }, true },
                { "sent again", { .calls = 1, .transmissions = 9, .major_timeouts = 9 }, true },
                { "answered but not sent", { .calls = 69477, .transmissions = 69476 }, false },
                { "more time-outs than transmissions", { .calls = 1, .transmissions = 1, .major_timeouts = 2 }, false },
                { "wrapped queue",
                  { .calls = 9, .transmissions = 9, .queue_msec = UINT64_MAX - 5, .execute_msec = 116 }, false },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
                ck_assert_msg(rpc_op_is_sound(&rows[i].op) == rows[i].sound, "%s", rows[i].name);
}
END_TEST

/* Absurd counters give no absurd words: sums saturate, nothing divides by zero. */
START_TEST(absurd_counters)
{
        struct world w;

        world_init(&w, "/data", "rw", TCP4);
        w.o.counters.known = true;
        memset(w.o.counters.op, 0xff, sizeof(w.o.counters.op));
        w.o.counters.age_sec = w.o.counters.server_read_bytes = w.o.counters.server_write_bytes = UINT64_MAX;
        w.o.counters.transport = (struct transport_counters){
                .transports = 1, .connects = UINT64_MAX, .sends = 1, .sending_usage = UINT64_MAX,
                .backlog_usage = UINT64_MAX, .bad_xids = UINT64_MAX, .max_slots = UINT64_MAX,
        };
        world_evaluate(&w);
        ck_assert_uint_eq(mean_of_msec_usec(UINT64_MAX, 0), 0);
        ck_assert_uint_eq(mean_of_msec_usec(UINT64_MAX, 1), UINT64_MAX);
        ck_assert_uint_eq(add_saturated(UINT64_MAX, 1), UINT64_MAX);
        world_done(&w);
}
END_TEST

CASE_MAIN("policy rules_counters", { recorded, ARRAY_SIZE(recorded_cases) }, { recorded_figures, 1 },
          { network, ARRAY_SIZE(network_rows) }, { network_and_a_quick_write, 1 }, { network_twice, 1 },
          { retransmissions, ARRAY_SIZE(retransmission_rows) },
          { network_of_tcp, 1 }, { queue_while_away, 1 },
          { single_connection, ARRAY_SIZE(connection_rows) }, { read_ahead, ARRAY_SIZE(read_ahead_rows) },
          { read_ahead_command, 1 }, { read_ahead_trial, ARRAY_SIZE(trial_rows) },
          { small_files, ARRAY_SIZE(file_rows) }, { without_counters, 1 }, { sound_rows, 1 }, { absurd_counters, 1 })
