/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options a staged mount is asked for, and the protocol with nfstuned-mount. */

#include <check.h>
#include <string.h>

#include "daemon/stage_request.h"

static const struct options_row {
        const char *name;
        const char *effective;
        const char *asked;
} options_rows[] = {
        { "v4.2 with stale sizes",
          "rw,sync,vers=4.2,rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,"
          "clientaddr=192.0.2.1,local_lock=none,addr=192.0.2.2",
          "vers=4.2,proto=tcp,addr=192.0.2.2,sec=sys,nosharecache,ro" },
        { "v3 keeps mountd's whereabouts and nolock",
          "rw,vers=3,rsize=8192,wsize=8192,namlen=255,hard,nolock,proto=tcp,timeo=600,retrans=2,sec=sys,"
          "mountaddr=192.0.2.2,mountvers=3,mountport=20048,mountproto=tcp,local_lock=all,addr=192.0.2.2",
          "vers=3,proto=tcp,addr=192.0.2.2,sec=sys,mountaddr=192.0.2.2,mountvers=3,mountport=20048,mountproto=tcp,"
          "nolock,nosharecache,ro" },
        { "port=0 and mountport=0 of old kernels are not said again",
          "rw,vers=4,minorversion=0,proto=tcp,port=0,sec=sys,addr=192.0.2.2",
          "vers=4,minorversion=0,proto=tcp,addr=192.0.2.2,sec=sys,nosharecache,ro" },
        { "Kerberos, TLS, IPv6 and another port survive",
          "rw,vers=4.2,rsize=32768,proto=tcp6,port=20490,sec=krb5p,xprtsec=tls,noresvport,addr=2001:db8::2",
          "vers=4.2,proto=tcp6,port=20490,addr=2001:db8::2,sec=krb5p,xprtsec=tls,noresvport,nosharecache,ro" },
        { "options of the future are not carried", "rw,vers=4.2,fatal_neterrors=none,write=eager,addr=192.0.2.2",
          "vers=4.2,addr=192.0.2.2,nosharecache,ro" },
};

START_TEST(asks_for_what_reaches_the_server)
{
        const struct options_row *row = &options_rows[_i];
        struct mount_facts m = {};
        struct options asked;
        char *text;

        ck_assert_int_eq(options_parse(row->effective, strlen(row->effective), &m.super), 0);
        ck_assert_int_eq(stage_options(&m, &asked), 0);
        text = options_format(&asked);
        ck_assert_msg(strcmp(text, row->asked) == 0, "%s: asked for %s", row->name, text);
        free(text);
        options_done(&asked);
        mount_facts_done(&m);
}
END_TEST

static const struct answer_row {
        const char *name;
        const char *line;
        int result;
        uint64_t rsize_bytes;
} answer_rows[] = {
        { "sizes", "{\"rsize\":1048576,\"wsize\":524288,\"options\":\"rw,vers=4.2\"}\n", 0, 1048576 },
        { "a refusal", "{\"error\":\"the staged mount failed: Operation not permitted\"}\n", 1, 0 },
        { "no size", "{\"rsize\":1048576,\"options\":\"rw\"}", -22, 0 },
        { "a negative size", "{\"rsize\":-1,\"wsize\":1,\"options\":\"rw\"}", -22, 0 },
        { "a size as text", "{\"rsize\":\"1\",\"wsize\":1,\"options\":\"rw\"}", -22, 0 },
        { "cut off", "{\"rsize\":1048576,\"wsi", -22, 0 },
        { "nothing", "", -22, 0 },
        { "not JSON", "mount.nfs: access denied\n", -22, 0 },
};

START_TEST(reads_answers)
{
        const struct answer_row *row = &answer_rows[_i];
        struct stage_limits limits = {};
        char *error = NULL;
        int r = stage_answer_from_json(row->line, strlen(row->line), &limits, &error);

        ck_assert_msg(r == row->result, "%s: %d", row->name, r);
        ck_assert_msg((r == 0) == !error, "%s: words exactly on failure", row->name);
        ck_assert_msg(limits.rsize_bytes == row->rsize_bytes, "%s: rsize", row->name);
        free(error);
        stage_limits_done(&limits);
}
END_TEST

START_TEST(answers_come_back)
{
        struct stage_limits limits = { .rsize_bytes = 262144, .wsize_bytes = 131072, .options = (char *) "rw,\"q\"" };
        struct stage_limits back = {};
        char *line = stage_answer_to_json(&limits);
        char *error = NULL;

        ck_assert_int_eq(stage_answer_from_json(line, strlen(line), &back, &error), 0);
        ck_assert_uint_eq(back.wsize_bytes, 131072);
        ck_assert_str_eq(back.options, limits.options);
        stage_limits_done(&back);
        free(line);

        line = stage_error_to_json("no such \xff export");
        ck_assert_int_eq(stage_answer_from_json(line, strlen(line), &back, &error), 1);
        ck_assert_ptr_nonnull(error);
        free(error);
        free(line);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon/stage");
        TCase *t = tcase_create("stage");
        SRunner *runner;
        int failed;

        tcase_add_loop_test(t, asks_for_what_reaches_the_server, 0, ARRAY_SIZE(options_rows));
        tcase_add_loop_test(t, reads_answers, 0, ARRAY_SIZE(answer_rows));
        tcase_add_test(t, answers_come_back);
        suite_add_tcase(s, t);
        runner = srunner_create(s);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? 1 : 0;
}
