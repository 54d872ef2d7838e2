/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An RPC server on 127.0.0.1 for tests, in a process of its own: a well-behaved
 * NFS server (versions 3 and 4, with a MOUNT service at the same port) or one of
 * several that are not. Everything it says is written out by hand, so that no
 * mistake of the code under test is repeated here.
 */
#pragma once

#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "policy/base.h"

enum behaviour {
        GOOD,
        GOOD_IN_FRAGMENTS,              /* one byte per fragment, at once, with an empty fragment before each */
        GOOD_AFTER_OTHERS,              /* two replies for somebody else first */
        GOOD_ONCE,                      /* then silence */
        SILENT,
        BYTE_BY_BYTE,                   /* a good reply, one byte per 100 ms */
        WRONG_XIDS,
        EMPTY_FRAGMENTS,
        EMPTY_RECORD,
        HUGE_RECORD,                    /* a record mark of 4 GiB, then data */
        RANDOM_BYTES,
        ECHO,
        SPEAKS_HTTP,
        CUT_SHORT,                      /* a reply without its end */
        CLOSES,
        RESETS,
        NO_PROGRAM,
        OTHER_VERSIONS,
        REFUSES,                        /* AUTH_TOOWEAK */
        ODD_STATUS,                     /* an accept status that does not exist */
};

struct fake_server {
        /* set before the start */
        enum behaviour behaviour;
        unsigned version_low, version_high;
        unsigned minor_max;             /* of version 4 */
        bool without_minor_0;
        unsigned path_status;           /* of a LOOKUP: nfsstat4; 0 */
        unsigned mount_status;          /* of MNT */
        unsigned attributes;            /* bits of maxread, maxwrite that it has */
        uint64_t read_max, write_max;
        /* set by the start */
        pid_t pid;
        unsigned port;
        /* counted in shared memory */
        struct fake_calls {
                unsigned null, compound, mnt, umnt, fsinfo, other;
        } *calls;
};

#define FAKE_GOOD                                                                                       \
        .version_low = 3, .version_high = 4, .minor_max = 2, .attributes = 3,                           \
        .read_max = 1048576, .write_max = 524288

/* ---- messages ---------------------------------------------------------------- */

struct fake_bytes {
        uint8_t data[4096];
        size_t n;                       /* written, or read so far */
};

static inline void fake_put(struct fake_bytes *b, uint32_t word)
{
        word = htonl(word);
        memcpy(b->data + b->n, &word, 4);
        b->n += 4;
}

static inline void fake_put_u64(struct fake_bytes *b, uint64_t word)
{
        fake_put(b, (uint32_t)(word >> 32));
        fake_put(b, (uint32_t)word);
}

static inline uint32_t fake_get(struct fake_bytes *b)
{
        uint32_t word = 0;

        if (b->n + 4 > sizeof(b->data))
                _exit(3);
        memcpy(&word, b->data + b->n, 4);
        b->n += 4;
        return ntohl(word);
}

static inline void fake_skip_opaque(struct fake_bytes *b)
{
        b->n += (fake_get(b) + 3) / 4 * 4;
}

static inline void fake_send(int fd, const void *data, size_t length)
{
        if (send(fd, data, length, MSG_NOSIGNAL) != (ssize_t)length)
                _exit(0);
}

static inline void fake_send_mark(int fd, uint32_t mark)
{
        mark = htonl(mark);
        fake_send(fd, &mark, 4);
}

static inline void fake_sleep_msec(long msec)
{
        struct timespec t = { .tv_sec = msec / 1000, .tv_nsec = msec % 1000 * 1000000 };

        nanosleep(&t, NULL);
}

static inline struct fake_bytes fake_accepted(uint32_t xid, uint32_t status)
{
        struct fake_bytes b = { 0 };

        fake_put(&b, xid);
        fake_put(&b, 1);        /* REPLY */
        fake_put(&b, 0);        /* accepted */
        fake_put(&b, 0);        /* verifier: AUTH_NONE, */
        fake_put(&b, 0);        /* empty */
        fake_put(&b, status);
        return b;
}

static inline void fake_send_record(int fd, const struct fake_bytes *b)
{
        fake_send_mark(fd, 0x80000000U | (uint32_t)b->n);
        fake_send(fd, b->data, b->n);
}

/* ---- the good server ------------------------------------------------------------ */

static inline void fake_compound(const struct fake_server *s, struct fake_bytes *call, struct fake_bytes *reply)
{
        struct fake_bytes results = { 0 };
        uint32_t status = 0, n_done = 0;

        fake_skip_opaque(call);                                 /* tag */
        uint32_t minor = fake_get(call);
        uint32_t n = fake_get(call);
        if (minor > s->minor_max || (minor == 0 && s->without_minor_0)) {
                status = 10021;
                n = 0;
        }
        while (n_done < n && status == 0) {
                uint32_t op = fake_get(call);

                n_done++;
                fake_put(&results, op);
                if (op == 15) {                                 /* LOOKUP */
                        fake_skip_opaque(call);
                        status = s->path_status;
                }
                fake_put(&results, status);
                if (op != 9)                                    /* GETATTR */
                        continue;
                fake_skip_opaque(call);
                fake_put(&results, 1);
                fake_put(&results, s->attributes << 30);
                fake_put(&results, 8 * (uint32_t)__builtin_popcount(s->attributes));
                if (s->attributes & 1)
                        fake_put_u64(&results, s->read_max);
                if (s->attributes & 2)
                        fake_put_u64(&results, s->write_max);
        }
        fake_put(reply, status);
        fake_put(reply, 0);                                     /* tag */
        fake_put(reply, n_done);
        memcpy(reply->data + reply->n, results.data, results.n);
        reply->n += results.n;
}

static inline void fake_fsinfo(const struct fake_server *s, struct fake_bytes *reply)
{
        fake_put(reply, 0);
        fake_put(reply, 1);                                     /* attributes follow */
        for (unsigned i = 0; i < 21; i++)
                fake_put(reply, i);
        fake_put(reply, (uint32_t)s->read_max);                 /* rtmax, rtpref, rtmult */
        fake_put(reply, 4096);
        fake_put(reply, 4096);
        fake_put(reply, (uint32_t)s->write_max);                /* wtmax, wtpref, wtmult */
        fake_put(reply, 4096);
        fake_put(reply, 4096);
        for (unsigned i = 0; i < 6; i++)                        /* dtpref, maxfilesize, time_delta, properties */
                fake_put(reply, 4096);
}

static inline void fake_mnt(const struct fake_server *s, struct fake_bytes *reply)
{
        fake_put(reply, s->mount_status);
        if (s->mount_status != 0)
                return;
        fake_put(reply, 8);                                     /* file handle */
        fake_put_u64(reply, 0x0123456789abcdefULL);
        fake_put(reply, 1);                                     /* flavours: */
        fake_put(reply, 1);                                     /* AUTH_SYS */
}

/* Answers one call, from the transaction id on. */
static inline struct fake_bytes fake_good_reply(const struct fake_server *s, struct fake_bytes *call)
{
        uint32_t xid = fake_get(call);
        fake_get(call);                                         /* CALL */
        fake_get(call);                                         /* RPC version */
        uint32_t program = fake_get(call), version = fake_get(call), procedure = fake_get(call);
        struct fake_bytes reply = fake_accepted(xid, 0);

        for (unsigned i = 0; i < 2; i++) {                      /* credential, verifier */
                fake_get(call);
                fake_skip_opaque(call);
        }
        if (program == 100003 && (version < s->version_low || version > s->version_high)) {
                reply = fake_accepted(xid, 2);                  /* PROG_MISMATCH */
                fake_put(&reply, s->version_low);
                fake_put(&reply, s->version_high);
        } else if (program == 100003 && procedure == 0) {
                s->calls->null++;
        } else if (program == 100003 && version == 4 && procedure == 1) {
                s->calls->compound++;
                fake_compound(s, call, &reply);
        } else if (program == 100003 && version == 3 && procedure == 19) {
                s->calls->fsinfo++;
                fake_fsinfo(s, &reply);
        } else if (program == 100005 && procedure == 1) {
                s->calls->mnt++;
                fake_mnt(s, &reply);
        } else if (program == 100005 && procedure == 3) {
                s->calls->umnt++;
        } else {
                s->calls->other++;
                reply = fake_accepted(xid, 1);                  /* PROG_UNAVAIL */
        }
        return reply;
}

/* ---- the others ------------------------------------------------------------------- */

static inline void fake_flood(int fd, uint32_t mark, long pause_msec)
{
        for (;;) {
                fake_send_mark(fd, mark);
                fake_sleep_msec(pause_msec);
        }
}

static inline void fake_send_slowly(int fd, const struct fake_bytes *b)
{
        fake_send_mark(fd, 0x80000000U | (uint32_t)b->n);
        for (size_t i = 0; i < b->n; i++) {
                fake_sleep_msec(100);
                fake_send(fd, b->data + i, 1);
        }
}

static inline void fake_send_in_fragments(int fd, const struct fake_bytes *b)
{
        for (size_t i = 0; i < b->n; i++) {
                fake_send_mark(fd, 0);
                fake_send_mark(fd, (i + 1 == b->n ? 0x80000000U : 0) | 1);
                fake_send(fd, b->data + i, 1);
        }
}

static inline void fake_send_for_others(int fd, uint32_t xid, unsigned n, long pause_msec)
{
        for (unsigned i = 1; i <= n; i++) {
                struct fake_bytes b = fake_accepted(xid + i, 0);

                fake_send_record(fd, &b);
                fake_sleep_msec(pause_msec);
        }
}

static inline void fake_refuse(int fd, uint32_t xid)
{
        struct fake_bytes b = { 0 };

        fake_put(&b, xid);
        fake_put(&b, 1);        /* REPLY */
        fake_put(&b, 1);        /* denied */
        fake_put(&b, 1);        /* AUTH_ERROR */
        fake_put(&b, 5);        /* AUTH_TOOWEAK */
        fake_send_record(fd, &b);
}

static inline void fake_answer(const struct fake_server *s, int fd, struct fake_bytes *call, size_t length)
{
        static const char http[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
        const struct linger reset = { .l_onoff = 1 };
        uint8_t noise[512];
        uint32_t xid;

        memcpy(&xid, call->data, 4);
        xid = ntohl(xid);
        struct fake_bytes good = fake_good_reply(s, call);

        switch (s->behaviour) {
        case GOOD:
                fake_send_record(fd, &good);
                break;
        case GOOD_IN_FRAGMENTS:
                fake_send_in_fragments(fd, &good);
                break;
        case GOOD_AFTER_OTHERS:
                fake_send_for_others(fd, xid, 2, 1);
                fake_send_record(fd, &good);
                break;
        case GOOD_ONCE:
                if (s->calls->null == 1)
                        fake_send_record(fd, &good);
                break;
        case SILENT:
                break;
        case BYTE_BY_BYTE:
                fake_send_slowly(fd, &good);
                break;
        case WRONG_XIDS:
                fake_send_for_others(fd, xid, 1000000, 20);
                break;
        case EMPTY_FRAGMENTS:
                fake_flood(fd, 0, 0);
                break;
        case EMPTY_RECORD:
                fake_flood(fd, 0x80000000U, 10);
                break;
        case HUGE_RECORD:
                fake_flood(fd, UINT32_MAX, 10);
                break;
        case RANDOM_BYTES:
                if (getrandom(noise, sizeof(noise), 0) < 0)
                        _exit(3);
                fake_send(fd, noise, sizeof(noise));
                break;
        case ECHO:
                fake_send_mark(fd, 0x80000000U | (uint32_t)length);
                fake_send(fd, call->data, length);
                break;
        case SPEAKS_HTTP:
                fake_send(fd, http, strlen(http));
                break;
        case CUT_SHORT:
                good.n = 12;
                fake_send_record(fd, &good);
                break;
        case CLOSES:
                _exit(0);
        case RESETS:
                setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
                close(fd);
                _exit(0);
        case NO_PROGRAM:
                good = fake_accepted(xid, 1);
                fake_send_record(fd, &good);
                break;
        case OTHER_VERSIONS:
                good = fake_accepted(xid, 2);
                fake_put(&good, 7);
                fake_put(&good, 8);
                fake_send_record(fd, &good);
                break;
        case REFUSES:
                fake_refuse(fd, xid);
                break;
        case ODD_STATUS:
                good = fake_accepted(xid, 77);
                fake_send_record(fd, &good);
                break;
        }
}

/* ---- the process -------------------------------------------------------------------- */

static inline void fake_serve(const struct fake_server *s, int fd)
{
        for (;;) {
                struct fake_bytes call = { 0 };
                uint32_t mark;

                if (recv(fd, &mark, 4, MSG_WAITALL) != 4)
                        _exit(0);
                size_t length = ntohl(mark) & 0x7fffffffU;
                if (length > sizeof(call.data) || recv(fd, call.data, length, MSG_WAITALL) != (ssize_t)length)
                        _exit(0);
                fake_answer(s, fd, &call, length);
        }
}

static inline void fake_listen(const struct fake_server *s, int listener)
{
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGCHLD, SIG_IGN);
        for (;;) {
                int fd = accept(listener, NULL, NULL);
                if (fd >= 0 && fork() == 0) {
                        prctl(PR_SET_PDEATHSIG, SIGKILL);
                        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
                        close(listener);
                        fake_serve(s, fd);
                }
                close(fd);
        }
}

static inline void fake_server_start(struct fake_server *s)
{
        struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        socklen_t length = sizeof(a);
        int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        ck_assert_int_ge(listener, 0);
        ck_assert_int_eq(bind(listener, (struct sockaddr *)&a, sizeof(a)), 0);
        ck_assert_int_eq(listen(listener, 16), 0);
        ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&a, &length), 0);
        s->port = ntohs(a.sin_port);
        s->calls = mmap(NULL, sizeof(*s->calls), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ck_assert(s->calls != MAP_FAILED);
        s->pid = fork();
        ck_assert_int_ge(s->pid, 0);
        if (s->pid == 0)
                fake_listen(s, listener);
        close(listener);
}

static inline void fake_server_stop(struct fake_server *s)
{
        kill(s->pid, SIGKILL);
        waitpid(s->pid, NULL, 0);
        munmap(s->calls, sizeof(*s->calls));
}
