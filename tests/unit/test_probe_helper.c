/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nfstuned-probe as the daemon starts it: a request in, parts out. The server is
 * a process of the test, the mount a local directory.
 */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/observation_json.h"
#include "probe/ownfile.h"
#include "probe/request.h"
#include "tests/unit/fake_rpc_server.h"

#define HELPER TEST_BUILD "/nfstuned-probe"
#define ANSWER_MAX (64 * KIB)

struct run {
        int status;                     /* of waitpid() */
        char answer[ANSWER_MAX];
        size_t length;
};

/* Small requests and answers fit into the pipes: nobody waits for the other. */
static void run_helper(const char *request, size_t length, struct run *ret)
{
        int in[2], out[2];
        ssize_t n;

        memset(ret, 0, sizeof(*ret));
        ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
        ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
        pid_t child = fork();
        if (child == 0) {
                dup2(in[0], STDIN_FILENO);
                dup2(out[1], STDOUT_FILENO);
                dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
                execl(HELPER, HELPER, (char *)NULL);
                _exit(127);
        }
        close(in[0]);
        close(out[1]);
        signal(SIGPIPE, SIG_IGN);
        for (size_t done = 0; done < length; done += (size_t)n)
                if ((n = write(in[1], request + done, length - done)) <= 0)
                        break;
        close(in[1]);
        while ((n = read(out[0], ret->answer + ret->length, sizeof(ret->answer) - ret->length)) > 0)
                ret->length += (size_t)n;
        close(out[0]);
        waitpid(child, &ret->status, 0);
}

static unsigned apply_parts(const struct run *r, struct observation *o)
{
        const char *line = r->answer, *end;
        unsigned parts = 0;

        while ((end = memchr(line, '\n', r->length - (size_t)(line - r->answer)))) {
                ck_assert_int_eq(observation_apply_part(o, line, (size_t)(end - line), NULL), 0);
                line = end + 1;
                parts++;
        }
        return parts;
}

static struct mount_facts mount_at(const char *path, unsigned port, uint64_t wsize)
{
        struct mount_facts m = { 0 };
        struct statx x;
        char options[128];

        ck_assert_int_eq(statx(AT_FDCWD, path, 0, STATX_MNT_ID, &x), 0);
        snprintf(options, sizeof(options), "rw,vers=4.2,rsize=65536,wsize=%lu,proto=tcp,port=%u,addr=127.0.0.1",
                 wsize, port);
        ck_assert_int_eq(options_parse(options, strlen(options), &m.super), 0);
        m.mount_id = x.stx_mnt_id;
        m.device = (struct device){ x.stx_dev_major, x.stx_dev_minor };
        m.target = strdup(path);
        m.source = strdup("server:/export");
        m.server = strdup("server");
        m.export_path = strdup("/export");
        m.fstype = strdup("nfs4");
        m.propagation = strdup("");
        return m;
}

static const struct helper_row {
        const char *name;
        enum behaviour behaviour;
        bool ask_server, write;
        const char *passive_reason;
        uint64_t wsize;
        unsigned parts;
        enum answer answer;
        enum probe_state state;
        bool writes;
} helper_rows[] = {
        { "all is well", GOOD, true, true, NULL, 65536, 2, ANSWER_OK, PROBE_ACTIVE, true },
        { "the server only", GOOD, true, false, NULL, 65536, 1, ANSWER_OK, PROBE_NONE, false },
        { "the mount only", GOOD, false, true, NULL, 65536, 1, ANSWER_UNTRIED, PROBE_ACTIVE, true },
        { "not to be written to", GOOD, true, false, "a database's", 65536, 2, ANSWER_OK, PROBE_PASSIVE, false },
        { "a silent server", SILENT, true, true, NULL, 65536, 2, ANSWER_NONE, PROBE_SKIPPED, false },
        { "a silent server, the mount only", SILENT, false, true, NULL, 65536, 1, ANSWER_UNTRIED, PROBE_SKIPPED,
          false },
        { "a silent server, not to be written to", SILENT, true, false, "a database's", 65536, 2, ANSWER_NONE,
          PROBE_PASSIVE, false },
        { "no NFS server", SPEAKS_HTTP, true, true, NULL, 65536, 2, ANSWER_NOT_NFS, PROBE_SKIPPED, false },
        { "the limit is below wsize", GOOD, true, true, NULL, 1048576, 2, ANSWER_OK, PROBE_SKIPPED, false },
        { "the limit is wsize", GOOD, true, true, NULL, 524288, 2, ANSWER_OK, PROBE_ACTIVE, true },
};

static void check_row(const struct helper_row *row, const char *path, unsigned port)
{
        struct probe_request q = {
                .mount = mount_at(path, port, row->wsize),
                .ask_server = row->ask_server,
                .ask_limits = row->ask_server,
                .write = row->write,
                .passive_reason = row->passive_reason ? strdup(row->passive_reason) : NULL,
                .budget_bytes = 2 * MIB,
                .budget_usec = USEC_PER_MINUTE,
                .connect_timeout_usec = row->behaviour == SILENT ? 300 * USEC_PER_MSEC : 20 * USEC_PER_SEC,
        };
        struct observation o = { 0 };
        struct run *r = malloc(sizeof(*r));
        char *request = probe_request_to_json(&q);

        ck_assert_ptr_nonnull(request);
        run_helper(request, strlen(request), r);
        unsigned parts = apply_parts(r, &o);
        ck_assert_msg(r->status == 0, "%s: status %x", row->name, (unsigned)r->status);
        ck_assert_msg(parts == row->parts, "%s: %u parts", row->name, parts);
        ck_assert_msg(o.server.null_answer == row->answer, "%s: answer %d", row->name, o.server.null_answer);
        ck_assert_msg(o.probe.state == row->state, "%s: state %d", row->name, o.probe.state);
        ck_assert_msg((o.probe.reason != NULL) == (row->state == PROBE_SKIPPED || row->state == PROBE_PASSIVE),
                      "%s: reason", row->name);
        ck_assert_msg((o.probe.written_bytes > 0) == row->writes, "%s: written", row->name);
        free(request);
        free(r);
        observation_done(&o);
        probe_request_done(&q);
}

START_TEST(answers)
{
        const struct helper_row *row = &helper_rows[_i];
        struct fake_server s = { .behaviour = row->behaviour, FAKE_GOOD };
        char path[] = "/tmp/nfstuned-test-XXXXXX";
        struct ownfile_identity id;

        if (row->writes && ownfile_identity_self(&id) < 0) {
                printf("SKIP: no machine id\n");
                return;
        }
        ck_assert_ptr_nonnull(mkdtemp(path));
        fake_server_start(&s);
        check_row(row, path, s.port);
        fake_server_stop(&s);
        ck_assert_int_eq(rmdir(path), 0);       /* nothing is left in it */
}
END_TEST

static const struct bad_row {
        const char *name;
        const char *request;
} bad_rows[] = {
        { "nothing", "" },
        { "no JSON", "hello" },
        { "no mount", "{}" },
        { "half a request", "{\"mount\":{" },
};

START_TEST(bad_requests)
{
        const struct bad_row *row = &bad_rows[_i];
        struct run *r = malloc(sizeof(*r));

        run_helper(row->request, strlen(row->request), r);
        ck_assert_msg(WIFEXITED(r->status) && WEXITSTATUS(r->status) == 1, "%s: %x", row->name, (unsigned)r->status);
        ck_assert_msg(r->length == 0, "%s: an answer", row->name);
        free(r);
}
END_TEST

START_TEST(a_request_beyond_the_cap)
{
        const size_t length = MIB + 2;
        struct run *r = malloc(sizeof(*r));
        char *request = malloc(length);

        memset(request, ' ', length);
        run_helper(request, length, r);
        ck_assert(WIFEXITED(r->status) && WEXITSTATUS(r->status) == 1);
        ck_assert_uint_eq(r->length, 0);
        free(request);
        free(r);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/helper");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_loop_test(t, answers, 0, ARRAY_SIZE(helper_rows));
        tcase_add_loop_test(t, bad_requests, 0, ARRAY_SIZE(bad_rows));
        tcase_add_test(t, a_request_beyond_the_cap);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
