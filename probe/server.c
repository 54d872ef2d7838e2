/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NULL calls, versions and transfer limits, all within one deadline. */
#include "probe/server.h"

#include <errno.h>
#include <string.h>

#include "probe/limits.h"

#include "policy/quantile.h"
#include "probe/clock.h"

#define NFS_PROGRAM_NUMBER 100003
#define NFS_DEFAULT_PORT 2049
#define NULL_CALLS 5
#define NO_SUCH_VERSION 99      /* PROG_MISMATCH names what there is */

struct asking {
        struct limits_question question;
        struct nfs_options options;
        unsigned version;               /* the mount's, 2 to 4 */
        usec_t started_usec;
        usec_t timeout_usec;
        struct rpc_link link;
        bool usable;                    /* link: the last call on it ended well */
};

/* Return: 0 or -ENOMEM. */
static int answer(struct server_facts *ret, enum answer a, const char *words)
{
        free(ret->detail);
        ret->null_answer = a;
        ret->detail = strdup(words);
        return ret->detail ? 0 : -ENOMEM;
}

static unsigned version_of(const struct mount_facts *m, const struct nfs_options *o)
{
        if (o->version_major >= 2 && o->version_major <= 4)
                return o->version_major;
        return m->fstype && strcmp(m->fstype, "nfs4") == 0 ? 4 : 3;
}

/* Return: 0, 1 with words in *ret when it cannot be asked, or -ENOMEM. */
static int find_address(struct asking *a, struct server_facts *ret)
{
        unsigned port = a->options.port ? a->options.port : NFS_DEFAULT_PORT;

        if (a->options.proto == NFS_PROTO_RDMA)
                return answer(ret, ANSWER_IMPOSSIBLE, "the mount uses rdma, which only the kernel can speak") ?: 1;
        if (!a->options.address)
                return answer(ret, ANSWER_IMPOSSIBLE, "the mount's options name no server address") ?: 1;
        if (rpc_address_parse(a->options.address, port, &a->question.nfs) < 0)
                return answer(ret, ANSWER_IMPOSSIBLE, "the mount's server address is not an internet address") ?: 1;
        return 0;
}

/* A mount over UDP says nothing about TCP: there, no connection is no answer. */
static int connection_failed(const struct asking *a, int error, struct server_facts *ret)
{
        if (error == -ENOMEM)
                return -ENOMEM;
        if (a->options.proto == NFS_PROTO_UDP)
                return answer(ret, ANSWER_IMPOSSIBLE, "the mount uses udp, and the server takes no tcp connection");
        return answer(ret, ANSWER_NONE, rpc_words(error));
}

static int null_call(struct asking *a, unsigned version, struct rpc_versions *ret_versions)
{
        struct rpc_question question = { .program = NFS_PROGRAM_NUMBER, .version = version };

        int r = rpc_link_call(&a->link, &question, ret_versions);
        a->usable = r >= 0;
        return r;
}

/* A distant server's limits are worth more than its fifth reply; a median wants three. */
static bool null_calls_suffice(const struct asking *a, unsigned replies)
{
        return replies >= 3 && clock_monotonic_usec() - a->started_usec > a->timeout_usec / 3;
}

/* Return: the last reply, or a negative errno. */
static int ask_null(struct asking *a, struct server_facts *ret)
{
        uint64_t times[NULL_CALLS];
        unsigned n = 0;
        int r = RPC_ACCEPTED;

        while (n < NULL_CALLS && !null_calls_suffice(a, n)) {
                usec_t before = clock_monotonic_usec();

                r = null_call(a, a->version, NULL);
                if (r != RPC_ACCEPTED)
                        break;
                times[n++] = clock_monotonic_usec() - before;
        }
        ret->null_replies = n;
        ret->null_median_usec = quantile_permille(times, n, 500);
        if (n > 0)
                ret->null_spread_usec = times[n - 1] - times[0];        /* sorted by now */
        return r;
}

/* Return: 0 or -ENOMEM. */
static int judge_null(int reply, struct server_facts *ret)
{
        if (reply == -ENOMEM)
                return -ENOMEM;
        if (ret->null_replies > 0) {
                ret->null_answer = ANSWER_OK;
                return 0;
        }
        if (reply == RPC_OTHER_VERSION)
                return answer(ret, ANSWER_NOT_NFS, "the server does not offer the mount's NFS version (any more)");
        return answer(ret, reply >= 0 || reply == -EBADMSG ? ANSWER_NOT_NFS : ANSWER_NONE, rpc_words(reply));
}

/* Return: 0 with the bits, -ENODATA when one minor version stays unclear, or a
 * negative errno. */
static int ask_minor_versions(struct asking *a, unsigned *ret_bits)
{
        static const unsigned bits[] = { NFS_V4_0, NFS_V4_1, NFS_V4_2 };

        for (unsigned minor = 0; minor < ARRAY_SIZE(bits); minor++) {
                unsigned status = 0;

                int r = compound_empty(&a->link, minor, &status);
                a->usable = r >= 0;
                if (r != RPC_ACCEPTED)
                        return r < 0 ? r : -ENODATA;
                if (status == NFS4_OK)
                        *ret_bits |= bits[minor];
                else if (status != NFS4ERR_MINOR_VERS_MISMATCH)
                        return -ENODATA;
        }
        return 0;
}

/* Unclear answers leave the versions unknown. Return: 0 or -ENOMEM. */
static int ask_versions(struct asking *a, struct server_facts *ret)
{
        struct rpc_versions range = { 0 };
        unsigned found = 0;

        int r = null_call(a, NO_SUCH_VERSION, &range);
        if (r == -ENOMEM)
                return r;
        if (r != RPC_OTHER_VERSION)
                return 0;
        if (range.low <= 2 && range.high >= 2)
                found |= NFS_V2;
        if (range.low <= 3 && range.high >= 3)
                found |= NFS_V3;
        if (range.low <= 4 && range.high >= 4) {
                r = ask_minor_versions(a, &found);
                if (r < 0)
                        return r == -ENOMEM ? r : 0;
        }
        ret->versions = found;
        ret->versions_known = found != 0;
        return 0;
}

static int ask_limits(struct asking *a, struct server_facts *ret)
{
        if (a->version == 2)
                return limits_unknown(ret, "NFS version 2 has a fixed limit of 8 KiB");
        if (a->version == 3)
                return limits_v3_ask(&a->question, ret);
        if (!a->usable)
                return limits_unknown(ret, "the connection broke before the limits could be asked for");
        return limits_v4_ask(&a->question, &a->link, ret);
}

static int ask(struct asking *a, bool want_limits, struct server_facts *ret)
{
        int r = find_address(a, ret);
        if (r != 0)
                return r < 0 ? r : 0;
        r = rpc_link_open(&a->question.nfs, false, a->question.deadline_usec, &a->link);
        if (r < 0)
                return connection_failed(a, r, ret);
        r = judge_null(ask_null(a, ret), ret);
        if (r < 0 || ret->null_answer != ANSWER_OK)
                return r;
        if (a->usable)
                r = ask_versions(a, ret);
        if (r == 0 && want_limits)
                r = ask_limits(a, ret);
        return r;
}

int server_ask(const struct mount_facts *m, bool want_limits, usec_t timeout_usec, struct server_facts *ret)
{
        usec_t now = clock_monotonic_usec();
        struct asking a = {
                .question = { .mount = m, .deadline_usec = now + MIN(timeout_usec, USEC_PER_HOUR) },
                .started_usec = now,
                .timeout_usec = timeout_usec,
                .link = RPC_LINK_CLOSED,
        };
        struct server_facts facts = { 0 };

        nfs_options_read(&m->super, &a.options);
        a.version = version_of(m, &a.options);
        int r = ask(&a, want_limits, &facts);
        rpc_link_close(&a.link);
        if (r < 0)
                server_facts_done(&facts);
        else
                *ret = facts;
        return r;
}
