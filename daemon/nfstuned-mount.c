/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nfstuned-mount - one request on standard input, one answer on standard output.
 *
 * The only program of the project with CAP_SYS_ADMIN; it may block on NFS. Its
 * own alarm ends it where nobody else does: the waits of a mount are killable
 * (KERNEL-FACTS 8.3), so the default action of SIGALRM is enough. What it was
 * doing is on disk then (daemon/intent.h).
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/answer.h"
#include "daemon/idle.h"
#include "daemon/intent.h"
#include "daemon/live.h"
#include "daemon/look.h"
#include "daemon/persist.h"
#include "daemon/recover.h"
#include "daemon/replace.h"
#include "daemon/reveal.h"
#include "daemon/stage_request.h"
#include "daemon/state_dir.h"
#include "daemon/verify.h"
#include "probe/descriptor.h"
#include "probe/file.h"

#define REQUEST_MAX (1024 * KIB)
#define LIMITS_DEADLINE_SEC 20

static int look(const struct apply_request *r, int state_fd may_be_unused, struct apply_answer *ret)
{
        int e = idle_test(&r->mount, ret);

        if (e == 0)
                e = look_elsewhere("/proc", &r->mount, ret);
        if (e == 0 && r->want_users)
                e = look_users("/proc", &r->mount, ret);
        if (e < 0 && e != -ENOMEM)
                e = answer_end(ret, APPLY_END_FAILED, "%s: %s", r->mount.target, strerror(-e));
        return e < 0 ? e : 0;
}

static int reveal_armed(const struct apply_request *r, int state_fd, struct apply_answer *ret)
{
        return reveal_run(r->mount.target, r->busy == BUSY_DETACH, state_fd, ret);
}

static int recover(const struct apply_request *r, int state_fd, struct apply_answer *ret)
{
        return recover_run(r->mount.target, state_fd, ret);
}

static int verify(const struct apply_request *r, int state_fd may_be_unused, struct apply_answer *ret)
{
        return verify_run(r, ret);
}

static int persist(const struct apply_request *r, int state_fd may_be_unused, struct apply_answer *ret)
{
        return persist_run("", r, ret);
}

/* One operation: what it does, and its own end, which comes before the one that the daemon sets. */
static const struct {
        int (*run)(const struct apply_request *r, int state_fd, struct apply_answer *ret);
        unsigned deadline_sec;
        bool needs_state;
} operations[APPLY_OP_COUNT] = {
        [APPLY_LOOK] = { look, 12, false },
        [APPLY_LIVE] = { live_run, 27, true },
        [APPLY_REPLACE] = { replace_run, 85, true },
        [APPLY_REVEAL] = { reveal_armed, 17, true },
        [APPLY_RECOVER] = { recover, 85, true },
        [APPLY_VERIFY] = { verify, 85, false },
        [APPLY_PERSIST] = { persist, 17, false },
};

/* Return: 0 or -ENOMEM. */
static int operate(const struct apply_request *r, struct apply_answer *ret)
{
        cleanup(close_descriptor) int state_fd = -1, lock_fd = -1;
        bool needs_state = operations[r->op].needs_state;
        int e = needs_state ? state_dir_open(&state_fd, NULL) : 0;

        (void) alarm(operations[r->op].deadline_sec);
        if (e == 0 && needs_state)      /* another daemon's helper may still be at work there */
                e = intent_lock(state_fd, r->mount.target, &lock_fd);
        if (e == 0)
                return operations[r->op].run(r, state_fd, ret);
        e = answer_end(ret, APPLY_END_REFUSED, "the state directory cannot be used (%s), and nothing is changed without a "
                       "record", strerror(-e));
        return e < 0 ? e : 0;
}

static char *answer_operation(const struct apply_request *r)
{
        cleanup(apply_answer_done) struct apply_answer a = {};

        return operate(r, &a) < 0 ? NULL : apply_answer_to_json(&a);
}

static char *answer_unusable(const char *words)
{
        cleanup(apply_answer_done) struct apply_answer a = {};

        return answer_end(&a, APPLY_END_REFUSED, "%s", words) < 0 ? NULL : apply_answer_to_json(&a);
}

static char *answer_limits(const char *request, size_t length_bytes)
{
        cleanup_free char *error = NULL;
        cleanup(mount_facts_done) struct mount_facts m = {};
        cleanup(stage_limits_done) struct stage_limits limits = {};
        int r = stage_request_from_json(request, length_bytes, &m, &error);

        if (r >= 0 && (!m.source || !m.fstype || (strcmp(m.fstype, "nfs") != 0 && strcmp(m.fstype, "nfs4") != 0)))
                return stage_error_to_json("the request names no NFS mount");
        if (r >= 0)
                r = stage_negotiate(&m, &limits, &error);
        if (r < 0)
                return stage_error_to_json(error ? error : strerror(-r));
        return stage_answer_to_json(&limits);
}

/* The answer's JSON, or NULL without memory. */
static char *answer(void)
{
        cleanup_free char *text = NULL, *error = NULL;
        cleanup(apply_request_done) struct apply_request request = {};
        size_t length_bytes = 0;
        int r = fd_read(STDIN_FILENO, REQUEST_MAX, &text, &length_bytes);

        if (r < 0)
                return stage_error_to_json(strerror(-r));
        r = apply_request_from_json(text, length_bytes, &request, &error);
        if (r == -ENOENT)
                return answer_limits(text, length_bytes);
        return r < 0 ? answer_unusable(error ? error : strerror(-r)) : answer_operation(&request);
}

static int usage(FILE *out)
{
        fputs("Usage: nfstuned-mount [--stdio]\n\n"
              "Helper of nfstuned(8): reads one request from standard input, answers on standard\n"
              "output. Not meant to be started by hand; nfstuned-mount.socket starts it.\n",
              out);
        return out == stderr ? 2 : 0;
}

static const struct option long_options[] = {
        { "stdio", no_argument, NULL, 's' }, /* what it does anyway; spelt out in process listings */
        { "help", no_argument, NULL, 'h' },
        { "version", no_argument, NULL, 'V' },
        {},
};

int main(int argc, char **argv)
{
        cleanup_free char *line = NULL;
        int c;

        while ((c = getopt_long(argc, argv, "h", long_options, NULL)) != -1)
                switch (c) {
                case 's':
                        break;
                case 'h':
                        return usage(stdout);
                case 'V':
                        return puts("nfstuned-mount " NFSTUNED_VERSION) < 0;
                default:
                        return usage(stderr);
                }
        if (optind < argc)
                return usage(stderr);
        (void) alarm(LIMITS_DEADLINE_SEC); /* returns what was left of an earlier alarm: none */
        line = answer();
        return !line || puts(line) < 0 || fflush(stdout) != 0;
}
