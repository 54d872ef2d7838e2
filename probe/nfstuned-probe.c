/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nfstuned-probe - the child that may hang, so that the daemon never does.
 *
 * Reads one request (probe/request.h), asks the server, writes to the mount,
 * and prints each part as soon as it is known. The daemon kills it at its
 * deadline.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/text.h"
#include "probe/anchor.h"
#include "probe/clock.h"
#include "probe/file.h"
#include "probe/observation_json.h"
#include "probe/privilege.h"
#include "probe/request.h"
#include "probe/server.h"
#include "probe/workload.h"

#define REQUEST_MAX (1 * MIB)

/* ---- parts ------------------------------------------------------------------ */

/* Takes over @json; at once, because the next step may hang. */
static int print_part(char *json)
{
        cleanup_free char *line = json;

        if (!line)
                return -ENOMEM;
        return puts(line) < 0 || fflush(stdout) != 0 ? -EIO : 0;
}

static int print_unwritten(enum probe_state state, const char *reason)
{
        struct probe_result result = { .state = state, .started_usec = clock_usec(CLOCK_BOOTTIME) };

        if (reason) {
                result.reason = strdup(reason);
                if (!result.reason)
                        return -ENOMEM;
        }
        int r = print_part(probe_part_to_json(&result));
        probe_result_done(&result);
        return r;
}

static int print_skipped(struct text *reason)
{
        cleanup_free char *words = text_take(reason);

        return words ? print_unwritten(PROBE_SKIPPED, words) : -ENOMEM;
}

/* ---- the steps ---------------------------------------------------------------- */

/* The server does not answer us. Does the mount? If not, this hangs until we
 * are killed, and that is the second witness. If so, earlier results stay as
 * they are unless new ones were asked for. */
static int ask_mount(const struct probe_request *q, const struct server_facts *facts)
{
        struct text reason = { 0 };
        int fd = -1;

        int r = anchor_open_root(&q->mount, &fd);
        if (r == ANCHOR_HELD) {
                r = anchor_ask_server(fd);
                close(fd);
        }
        if (!q->write)
                return 0;
        if (r == ANCHOR_MOUNT_CHANGED)
                text_add(&reason, "the path is not the observed mount any more");
        else if (r < 0)
                text_add(&reason, "the server does not answer NULL (%s), and the mount reports: %s",
                         facts->detail ?: "no words", strerrordesc_np(-r));
        else
                text_add(&reason, "the server does not answer NULL (%s), but the mount does",
                         facts->detail ?: "no words");
        return print_skipped(&reason);
}

/* Return: whether a request of the mount's size would exceed the server's limit,
 * with words. */
static bool limit_is_below_size(const struct probe_request *q, const struct server_facts *facts, struct text *reason)
{
        struct nfs_options o;

        nfs_options_read(&q->mount.super, &o);
        if (facts->limit_source == LIMIT_UNKNOWN ||
            (facts->write_max_bytes >= o.wsize_bytes && facts->read_max_bytes >= o.rsize_bytes))
                return false;
        text_add(reason, "the server's limit (read %" PRIu64 ", write %" PRIu64 " bytes) is below the mount's transfer "
                         "size (rsize %" PRIu64 ", wsize %" PRIu64 "): a larger request would hang",
                 facts->read_max_bytes, facts->write_max_bytes, o.rsize_bytes, o.wsize_bytes);
        return true;
}

static int write_to_mount(const struct probe_request *q)
{
        struct probe_result result = { 0 };

        int r = workload_run(q, &result);
        if (r < 0)
                return r;
        r = print_part(probe_part_to_json(&result));
        probe_result_done(&result);
        return r;
}

/* Without a NULL reply nothing is written. */
static int probe_mount(const struct probe_request *q, const struct server_facts *facts)
{
        struct text reason = { 0 };

        if (!q->write && q->passive_reason)             /* not to be touched at all */
                return print_unwritten(PROBE_PASSIVE, q->passive_reason);
        if (facts->null_answer == ANSWER_NONE || facts->null_answer == ANSWER_NOT_NFS)
                return ask_mount(q, facts);
        if (!q->write)                                  /* the server's part was all */
                return 0;
        if (facts->null_answer != ANSWER_OK) {
                text_add(&reason, "not written to, because the server could not be asked before: %s",
                         facts->detail ?: "no words");
                return print_skipped(&reason);
        }
        if (limit_is_below_size(q, facts, &reason))
                return print_skipped(&reason);
        return write_to_mount(q);
}

static int serve(const struct probe_request *q)
{
        struct server_facts facts = { 0 };
        int r = 0;

        if (q->ask_server || q->write)
                r = server_ask(&q->mount, q->ask_server && q->ask_limits, q->connect_timeout_usec, &facts);
        if (r == 0 && q->ask_server)
                r = print_part(server_part_to_json(&facts));
        if (r == 0)
                r = probe_mount(q, &facts);
        server_facts_done(&facts);
        return r;
}

/* ---- the process ---------------------------------------------------------------- */

/* The signals that ask to end stay pending: a file is removed before the
 * process ends (budget_lasts()), and SIGKILL is for processes that hang. */
static int block_signals(void)
{
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGINT);
        sigaddset(&set, SIGHUP);
        sigaddset(&set, SIGALRM);
        if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
                return -errno;
        return sigprocmask(SIG_BLOCK, &set, NULL) < 0 ? -errno : 0;
}

static int set_up(pid_t parent)
{
        int r = privilege_follow_parent(parent);
        if (r < 0)
                return r;
        /* Nothing inherited is of use, and none of it may keep a mount busy. */
        if (close_range(STDERR_FILENO + 1, ~0U, 0) < 0 || chdir("/") < 0)
                return -errno;
        umask(077);
        r = privilege_reduce();
        return r < 0 ? r : block_signals();
}

static int run(void)
{
        struct probe_request request = { 0 };
        cleanup_free char *text = NULL;
        cleanup_free char *words = NULL;
        size_t length = 0;

        int r = fd_read(STDIN_FILENO, REQUEST_MAX, &text, &length);
        if (r < 0)
                return r;
        r = probe_request_from_json(text, length, &request, &words);
        if (r < 0) {
                fprintf(stderr, "nfstuned-probe: bad request: %s\n", words ?: strerrordesc_np(-r));
                return r;
        }
        r = serve(&request);
        probe_request_done(&request);
        return r;
}

int main(int argc, char **argv)
{
        pid_t parent = getppid();

        if (argc > 1) {
                if (strcmp(argv[1], "--version") == 0)
                        return puts("nfstuned-probe " NFSTUNED_VERSION) < 0;
                fputs("nfstuned-probe is started by nfstuned, which writes a request to its standard input\n", stderr);
                return 2;
        }
        int r = set_up(parent);
        if (r == 0)
                r = run();
        if (r < 0)
                fprintf(stderr, "nfstuned-probe: %s\n", strerrordesc_np(-r) ?: "failed");
        return r < 0;
}
