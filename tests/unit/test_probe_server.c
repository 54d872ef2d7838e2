/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is learnt from good servers, and that hostile ones never count as good. */
#include "probe/server.h"

#include <stdio.h>

#include "probe/clock.h"
#include "tests/unit/fake_rpc_server.h"

#define SHORT_USEC (300 * USEC_PER_MSEC)
#define LONG_USEC  (20 * USEC_PER_SEC)

/* A mount with these options at the server's port. */
static struct mount_facts mount_of(const char *options, unsigned port, const char *path)
{
        struct mount_facts m = { 0 };
        char text[256];

        snprintf(text, sizeof(text), "%s,port=%u", options, port);
        ck_assert_int_eq(options_parse(text, strlen(text), &m.super), 0);
        m.fstype = strdup(strstr(options, "vers=3") ? "nfs" : "nfs4");
        m.export_path = strdup(path);
        m.target = strdup("/mnt");
        m.source = strdup("server:/export");
        m.server = strdup("server");
        return m;
}

static struct server_facts ask(const struct fake_server *s, const char *options, const char *path, usec_t timeout_usec)
{
        struct mount_facts m = mount_of(options, s->port, path);
        struct server_facts facts = { 0 };

        ck_assert_int_eq(server_ask(&m, true, timeout_usec, &facts), 0);
        mount_facts_done(&m);
        return facts;
}

/* ---- hostile servers ---------------------------------------------------------------- */

static const struct hostile_row {
        const char *name;
        enum behaviour behaviour;
        enum answer answer, or_answer;
} hostile_rows[] = {
        { "silence", SILENT, ANSWER_NONE, ANSWER_NONE },
        { "one byte at a time", BYTE_BY_BYTE, ANSWER_NONE, ANSWER_NONE },
        { "replies for others only", WRONG_XIDS, ANSWER_NONE, ANSWER_NONE },
        { "empty fragments without end", EMPTY_FRAGMENTS, ANSWER_NONE, ANSWER_NONE },
        { "empty records", EMPTY_RECORD, ANSWER_NOT_NFS, ANSWER_NOT_NFS },
        { "a record of 4 GiB", HUGE_RECORD, ANSWER_NOT_NFS, ANSWER_NOT_NFS },
        { "random bytes", RANDOM_BYTES, ANSWER_NOT_NFS, ANSWER_NONE },
        { "echo", ECHO, ANSWER_NOT_NFS, ANSWER_NOT_NFS },
        { "an HTTP server", SPEAKS_HTTP, ANSWER_NOT_NFS, ANSWER_NOT_NFS },
        { "a reply without its end", CUT_SHORT, ANSWER_NOT_NFS, ANSWER_NOT_NFS },
        { "the connection is closed", CLOSES, ANSWER_NONE, ANSWER_NONE },
        { "the connection is reset", RESETS, ANSWER_NONE, ANSWER_NONE },
        { "no such program", NO_PROGRAM, ANSWER_NOT_NFS, ANSWER_NOT_NFS },
        { "other versions", OTHER_VERSIONS, ANSWER_NOT_NFS, ANSWER_NOT_NFS },
        { "authentication refused", REFUSES, ANSWER_NOT_NFS, ANSWER_NOT_NFS },
        { "an unknown status", ODD_STATUS, ANSWER_NOT_NFS, ANSWER_NOT_NFS },
};

START_TEST(hostile)
{
        const struct hostile_row *row = &hostile_rows[_i];
        struct fake_server s = { .behaviour = row->behaviour, FAKE_GOOD };

        fake_server_start(&s);
        usec_t start = clock_monotonic_usec();
        struct server_facts f = ask(&s, "vers=4.2,proto=tcp,addr=127.0.0.1", "/export", SHORT_USEC);
        usec_t cost = clock_monotonic_usec() - start;
        fake_server_stop(&s);

        ck_assert_msg(f.null_answer == row->answer || f.null_answer == row->or_answer,
                      "%s: answer %d", row->name, f.null_answer);
        ck_assert_msg(f.detail && f.null_replies == 0, "%s: detail", row->name);
        ck_assert_msg(!f.versions_known && f.limit_source == LIMIT_UNKNOWN, "%s: facts", row->name);
        ck_assert_msg(cost < 10 * SHORT_USEC, "%s: %lu us", row->name, cost);
        server_facts_done(&f);
}
END_TEST

START_TEST(one_reply_is_an_answer)
{
        struct fake_server s = { .behaviour = GOOD_ONCE, FAKE_GOOD };

        fake_server_start(&s);
        struct server_facts f = ask(&s, "vers=4.2,proto=tcp,addr=127.0.0.1", "/export", SHORT_USEC);
        fake_server_stop(&s);
        ck_assert_int_eq(f.null_answer, ANSWER_OK);
        ck_assert_uint_eq(f.null_replies, 1);
        ck_assert(!f.versions_known);
        server_facts_done(&f);
}
END_TEST

/* ---- no way to ask -------------------------------------------------------------------- */

static const struct unasked_row {
        const char *name;
        const char *options;
        enum answer answer;
} unasked_rows[] = {
        { "rdma", "vers=4.2,proto=rdma,addr=127.0.0.1", ANSWER_IMPOSSIBLE },
        { "no address", "vers=4.2,proto=tcp", ANSWER_IMPOSSIBLE },
        { "a name for an address", "vers=4.2,proto=tcp,addr=server.example", ANSWER_IMPOSSIBLE },
        { "udp, and nobody listens on tcp", "vers=3,proto=udp,addr=127.0.0.1", ANSWER_IMPOSSIBLE },
        { "nobody listens", "vers=4.2,proto=tcp,addr=127.0.0.1", ANSWER_NONE },
};

START_TEST(cannot_be_asked)
{
        const struct unasked_row *row = &unasked_rows[_i];
        struct fake_server s = { FAKE_GOOD };

        fake_server_start(&s);
        fake_server_stop(&s);
        struct server_facts f = ask(&s, row->options, "/export", LONG_USEC);
        ck_assert_msg(f.null_answer == row->answer && f.detail, "%s: answer %d", row->name, f.null_answer);
        if (row->answer == ANSWER_NONE)
                ck_assert_msg(strstr(f.detail, "connection refused"), "%s: %s", row->name, f.detail);
        server_facts_done(&f);
}
END_TEST

/* ---- good servers ------------------------------------------------------------------------ */

static const struct good_row {
        const char *name;
        struct fake_server server;
        const char *options;            /* %u: the server's port */
        const char *path;
        unsigned versions;              /* 0: unknown */
        enum limit_source limit_source;
        uint64_t read_max, write_max;
        bool limit_detail;
        struct fake_calls calls;        /* mnt, umnt, fsinfo and other are compared */
} good_rows[] = {
#define V4 "vers=4.2,proto=tcp,addr=127.0.0.1"
#define V3 "vers=3,proto=tcp,mountaddr=127.0.0.1,mountport=%u,mountproto=tcp,addr=127.0.0.1"
#define ALL_MINORS (NFS_V4_0 | NFS_V4_1 | NFS_V4_2)
        { "v4", { FAKE_GOOD }, V4, "/export/sub", NFS_V3 | ALL_MINORS,
          LIMIT_V4_ATTRIBUTES, 1048576, 524288, false, { 0 } },
        { "v4 in fragments", { .behaviour = GOOD_IN_FRAGMENTS, FAKE_GOOD }, V4, "/export/sub", NFS_V3 | ALL_MINORS,
          LIMIT_V4_ATTRIBUTES, 1048576, 524288, false, { 0 } },
        { "v4 of the pseudo-root", { FAKE_GOOD }, V4, "/", NFS_V3 | ALL_MINORS,
          LIMIT_V4_ATTRIBUTES, 1048576, 524288, false, { 0 } },
        { "v4 without 4.2", { .version_low = 2, .version_high = 4, .minor_max = 1, .attributes = 3,
                              .read_max = 65536, .write_max = 65536 },
          V4, "/export", NFS_V2 | NFS_V3 | NFS_V4_0 | NFS_V4_1, LIMIT_V4_ATTRIBUTES, 65536, 65536, false, { 0 } },
        { "v4 without 4.0", { .without_minor_0 = true, FAKE_GOOD }, V4, "/export", NFS_V3 | NFS_V4_1 | NFS_V4_2,
          LIMIT_UNKNOWN, 0, 0, true, { 0 } },
        { "not permitted below the pseudo-root", { .path_status = 1, FAKE_GOOD }, V4, "/export",
          NFS_V3 | ALL_MINORS, LIMIT_V4_ATTRIBUTES, 1048576, 524288, true, { 0 } },
        { "Kerberos wanted", { .path_status = 10016, FAKE_GOOD }, V4, "/export", NFS_V3 | ALL_MINORS,
          LIMIT_UNKNOWN, 0, 0, true, { 0 } },
        { "no such path", { .path_status = 2, FAKE_GOOD }, V4, "/export", NFS_V3 | ALL_MINORS,
          LIMIT_UNKNOWN, 0, 0, true, { 0 } },
        { "no maxread", { .version_low = 4, .version_high = 4, .minor_max = 2, .attributes = 2, .write_max = 65536 },
          V4, "/export", ALL_MINORS, LIMIT_UNKNOWN, 0, 0, true, { 0 } },
        { "limits of 511", { .version_low = 4, .version_high = 4, .minor_max = 2, .attributes = 3,
                             .read_max = 511, .write_max = 511 },
          V4, "/export", ALL_MINORS, LIMIT_UNKNOWN, 0, 0, true, { 0 } },
        { "limits of 512", { .version_low = 4, .version_high = 4, .minor_max = 2, .attributes = 3,
                             .read_max = 512, .write_max = 512 },
          V4, "/export", ALL_MINORS, LIMIT_V4_ATTRIBUTES, 512, 512, false, { 0 } },
        { "v3", { FAKE_GOOD }, V3, "/export", NFS_V3 | ALL_MINORS, LIMIT_FSINFO, 1048576, 524288, false,
          { .mnt = 1, .umnt = 1, .fsinfo = 1 } },
        { "v3 alone", { .version_low = 3, .version_high = 3, .read_max = 32768, .write_max = 32768 },
          V3, "/export", NFS_V3, LIMIT_FSINFO, 32768, 32768, false, { .mnt = 1, .umnt = 1, .fsinfo = 1 } },
        { "mountd denies access", { .mount_status = 13, FAKE_GOOD }, V3, "/export", NFS_V3 | ALL_MINORS,
          LIMIT_UNKNOWN, 0, 0, true, { .mnt = 1 } },
        { "FSINFO names no limit", { .version_low = 3, .version_high = 3 }, V3, "/export", NFS_V3,
          LIMIT_UNKNOWN, 0, 0, true, { .mnt = 1, .umnt = 1, .fsinfo = 1 } },
        { "a version 3 mount of a server without MOUNT",
          { FAKE_GOOD }, "vers=3,proto=tcp,mountaddr=127.0.0.1,mountport=1,mountproto=tcp,addr=127.0.0.1", "/export",
          NFS_V3 | ALL_MINORS, LIMIT_UNKNOWN, 0, 0, true, { 0 } },
};

START_TEST(good)
{
        const struct good_row *row = &good_rows[_i];
        struct fake_server s = row->server;
        char options[256];

        fake_server_start(&s);
        /* One port number, wherever the row has a place for it. */
        const char *place = strstr(row->options, "%u");
        snprintf(options, sizeof(options), "%.*s", (int)(place ? place - row->options : (long)strlen(row->options)),
                 row->options);
        if (place)
                snprintf(options + strlen(options), sizeof(options) - strlen(options), "%u%s", s.port, place + 2);
        struct server_facts f = ask(&s, options, row->path, LONG_USEC);

        ck_assert_msg(f.null_answer == ANSWER_OK && f.null_replies == 5, "%s: %d, %u replies: %s",
                      row->name, f.null_answer, f.null_replies, f.detail);
        ck_assert_msg(f.null_median_usec > 0 && f.null_median_usec < LONG_USEC, "%s: median", row->name);
        ck_assert_msg(f.versions == row->versions && f.versions_known == (row->versions != 0),
                      "%s: versions %x", row->name, f.versions);
        ck_assert_msg(f.limit_source == row->limit_source, "%s: source %d: %s", row->name, f.limit_source,
                      f.limit_detail);
        ck_assert_msg(f.read_max_bytes == row->read_max && f.write_max_bytes == row->write_max,
                      "%s: limits %lu %lu", row->name, f.read_max_bytes, f.write_max_bytes);
        ck_assert_msg((f.limit_detail != NULL) == row->limit_detail, "%s: words %s", row->name, f.limit_detail);
        ck_assert_msg(s.calls->mnt == row->calls.mnt && s.calls->umnt == row->calls.umnt &&
                      s.calls->fsinfo == row->calls.fsinfo && s.calls->other == 0, "%s: calls", row->name);
        fake_server_stop(&s);
        server_facts_done(&f);
}
END_TEST

START_TEST(a_path_too_long_for_the_protocol)
{
        struct fake_server s = { FAKE_GOOD };
        char path[3000];

        for (size_t i = 0; i < sizeof(path); i++)
                path[i] = i % 2 ? 'a' : '/';
        path[sizeof(path) - 1] = '\0';
        fake_server_start(&s);
        struct server_facts f = ask(&s, V4, path, LONG_USEC);
        fake_server_stop(&s);
        ck_assert_int_eq(f.null_answer, ANSWER_OK);
        ck_assert_int_eq(f.limit_source, LIMIT_UNKNOWN);
        ck_assert(f.limit_detail);
        server_facts_done(&f);
}
END_TEST

START_TEST(limits_only_where_wanted)
{
        struct fake_server s = { FAKE_GOOD };
        struct server_facts f = { 0 };

        fake_server_start(&s);
        struct mount_facts m = mount_of(V4, s.port, "/export");
        ck_assert_int_eq(server_ask(&m, false, LONG_USEC, &f), 0);
        fake_server_stop(&s);
        ck_assert_int_eq(f.null_answer, ANSWER_OK);
        ck_assert(f.versions_known);
        ck_assert_int_eq(f.limit_source, LIMIT_UNKNOWN);
        ck_assert_ptr_null(f.limit_detail);
        mount_facts_done(&m);
        server_facts_done(&f);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/server");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_loop_test(t, hostile, 0, ARRAY_SIZE(hostile_rows));
        tcase_add_test(t, one_reply_is_an_answer);
        tcase_add_loop_test(t, cannot_be_asked, 0, ARRAY_SIZE(unasked_rows));
        tcase_add_loop_test(t, good, 0, ARRAY_SIZE(good_rows));
        tcase_add_test(t, a_path_too_long_for_the_protocol);
        tcase_add_test(t, limits_only_where_wanted);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
