/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls to well-behaved and to hostile servers: what comes out, and when. */
#include "probe/rpc.h"

#include <errno.h>
#include <stdio.h>

#include "probe/clock.h"
#include "tests/unit/fake_rpc_server.h"

#define DEADLINE_USEC (300 * USEC_PER_MSEC)
#define FAR_DEADLINE_USEC (20 * USEC_PER_SEC)

/* ---- addresses ----------------------------------------------------------------- */

static const struct address_row {
        const char *name;
        const char *text;
        unsigned port;
        int result;
        int family;
} address_rows[] = {
        { "IPv4", "192.0.2.1", 2049, 0, AF_INET },
        { "IPv6", "2001:db8::1", 2049, 0, AF_INET6 },
        { "IPv6 with a scope", "fe80::1%lo", 2049, 0, AF_INET6 },
        { "a name is not resolved", "localhost", 2049, -EINVAL, 0 },
        { "empty", "", 2049, -EINVAL, 0 },
        { "with brackets", "[2001:db8::1]", 2049, -EINVAL, 0 },
        { "no port", "192.0.2.1", 0, -EINVAL, 0 },
        { "the last port", "192.0.2.1", 65535, 0, AF_INET },
        { "beyond the last port", "192.0.2.1", 65536, -EINVAL, 0 },
};

START_TEST(parses_addresses)
{
        const struct address_row *row = &address_rows[_i];
        struct rpc_address a = { 0 };

        int r = rpc_address_parse(row->text, row->port, &a);
        ck_assert_msg(r == row->result, "%s: %d", row->name, r);
        if (r < 0)
                return;
        ck_assert_msg(a.storage.ss_family == row->family, "%s: family", row->name);
        unsigned port = row->family == AF_INET6 ? ((struct sockaddr_in6 *)&a.storage)->sin6_port :
                                                  ((struct sockaddr_in *)&a.storage)->sin_port;
        ck_assert_msg(ntohs((uint16_t)port) == row->port, "%s: port", row->name);
}
END_TEST

START_TEST(keeps_the_scope)
{
        struct rpc_address a = { 0 };

        ck_assert_int_eq(rpc_address_parse("fe80::1%1", 2049, &a), 0);
        ck_assert_uint_eq(((struct sockaddr_in6 *)&a.storage)->sin6_scope_id, 1);
}
END_TEST

/* ---- calls ------------------------------------------------------------------------ */

static const struct call_row {
        const char *name;
        enum behaviour behaviour;
        int result, or_result;
        bool costs_deadline;            /* nothing else ends it */
} call_rows[] = {
        { "a good reply", GOOD, RPC_ACCEPTED, RPC_ACCEPTED, false },
        { "a reply in fragments", GOOD_IN_FRAGMENTS, RPC_ACCEPTED, RPC_ACCEPTED, false },
        { "after replies for others", GOOD_AFTER_OTHERS, RPC_ACCEPTED, RPC_ACCEPTED, false },
        { "silence", SILENT, -ETIMEDOUT, -ETIMEDOUT, true },
        { "one byte at a time", BYTE_BY_BYTE, -ETIMEDOUT, -ETIMEDOUT, true },
        { "replies for others only", WRONG_XIDS, -ETIMEDOUT, -ETIMEDOUT, true },
        { "empty fragments without end", EMPTY_FRAGMENTS, -ETIMEDOUT, -ETIMEDOUT, true },
        { "an empty record", EMPTY_RECORD, -EBADMSG, -EBADMSG, false },
        { "a record of 4 GiB", HUGE_RECORD, -EBADMSG, -EBADMSG, false },
        { "random bytes", RANDOM_BYTES, -EBADMSG, -ETIMEDOUT, false },
        { "our own call back", ECHO, -EBADMSG, -EBADMSG, false },
        { "an HTTP server", SPEAKS_HTTP, -EBADMSG, -EBADMSG, false },
        { "a reply without its end", CUT_SHORT, -EBADMSG, -EBADMSG, false },
        { "the connection is closed", CLOSES, -ECONNRESET, -ECONNRESET, false },
        { "the connection is reset", RESETS, -ECONNRESET, -ECONNRESET, false },
        { "no such program", NO_PROGRAM, RPC_NO_PROGRAM, RPC_NO_PROGRAM, false },
        { "other versions", OTHER_VERSIONS, RPC_OTHER_VERSION, RPC_OTHER_VERSION, false },
        { "authentication refused", REFUSES, RPC_REFUSED, RPC_REFUSED, false },
        { "an unknown status", ODD_STATUS, RPC_FAULT, RPC_FAULT, false },
};

static int call_null(const struct fake_server *s, usec_t budget_usec, struct rpc_versions *ret)
{
        cleanup(rpc_link_close) struct rpc_link link = RPC_LINK_CLOSED;
        struct rpc_question question = { .program = 100003, .version = 3 };
        struct rpc_address a;

        ck_assert_int_eq(rpc_address_parse("127.0.0.1", s->port, &a), 0);
        ck_assert_int_eq(rpc_link_open(&a, false, clock_monotonic_usec() + budget_usec, &link), 0);
        return rpc_link_call(&link, &question, ret);
}

START_TEST(calls)
{
        const struct call_row *row = &call_rows[_i];
        struct fake_server s = { .behaviour = row->behaviour, FAKE_GOOD };
        struct rpc_versions versions = { 0 };
        usec_t budget = row->costs_deadline ? DEADLINE_USEC : FAR_DEADLINE_USEC;

        fake_server_start(&s);
        usec_t start = clock_monotonic_usec();
        int r = call_null(&s, budget, &versions);
        usec_t cost = clock_monotonic_usec() - start;
        fake_server_stop(&s);

        ck_assert_msg(r == row->result || r == row->or_result, "%s: %d (%s)", row->name, r, rpc_words(r));
        if (row->costs_deadline)
                ck_assert_msg(cost >= DEADLINE_USEC && cost < 10 * DEADLINE_USEC, "%s: %lu us", row->name, cost);
        if (r == RPC_OTHER_VERSION)
                ck_assert_msg(versions.low == 7 && versions.high == 8, "%s: the range", row->name);
}
END_TEST

START_TEST(one_link_takes_several_calls)
{
        cleanup(rpc_link_close) struct rpc_link link = RPC_LINK_CLOSED;
        struct rpc_question question = { .program = 100003, .version = 3, .as_user = true };
        struct fake_server s = { FAKE_GOOD };
        struct rpc_address a;

        fake_server_start(&s);
        ck_assert_int_eq(rpc_address_parse("127.0.0.1", s.port, &a), 0);
        ck_assert_int_eq(rpc_link_open(&a, true, clock_monotonic_usec() + FAR_DEADLINE_USEC, &link), 0);
        for (unsigned i = 0; i < 3; i++)
                ck_assert_int_eq(rpc_link_call(&link, &question, NULL), RPC_ACCEPTED);
        ck_assert_uint_eq(s.calls->null, 3);
        fake_server_stop(&s);
}
END_TEST

START_TEST(nobody_listens)
{
        struct rpc_link link = RPC_LINK_CLOSED;
        struct fake_server s = { FAKE_GOOD };
        struct rpc_address a;

        fake_server_start(&s);
        fake_server_stop(&s);
        ck_assert_int_eq(rpc_address_parse("127.0.0.1", s.port, &a), 0);
        ck_assert_int_eq(rpc_link_open(&a, false, clock_monotonic_usec() + FAR_DEADLINE_USEC, &link), -ECONNREFUSED);
        ck_assert_int_eq(link.fd, -1);
}
END_TEST

/* A listener with a full backlog drops what comes: like a host that is down. */
START_TEST(connecting_ends_at_the_deadline)
{
        struct sockaddr_in own = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        socklen_t length = sizeof(own);
        struct rpc_address a;
        int listener = socket(AF_INET, SOCK_STREAM, 0), r = 0;

        ck_assert_int_eq(bind(listener, (struct sockaddr *)&own, sizeof(own)), 0);
        ck_assert_int_eq(listen(listener, 0), 0);
        ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&own, &length), 0);
        ck_assert_int_eq(rpc_address_parse("127.0.0.1", ntohs(own.sin_port), &a), 0);
        usec_t start = clock_monotonic_usec();
        for (unsigned i = 0; i < 4 && r == 0; i++) {
                struct rpc_link link = RPC_LINK_CLOSED;         /* stays open until the test ends */

                start = clock_monotonic_usec();
                r = rpc_link_open(&a, false, start + DEADLINE_USEC, &link);
                free(link.record);
        }
        ck_assert_int_eq(r, -ETIMEDOUT);
        ck_assert_uint_lt(clock_monotonic_usec() - start, 10 * DEADLINE_USEC);
        close(listener);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/rpc");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_loop_test(t, parses_addresses, 0, ARRAY_SIZE(address_rows));
        tcase_add_test(t, keeps_the_scope);
        tcase_add_loop_test(t, calls, 0, ARRAY_SIZE(call_rows));
        tcase_add_test(t, one_link_takes_several_calls);
        tcase_add_test(t, nobody_listens);
        tcase_add_test(t, connecting_ends_at_the_deadline);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
