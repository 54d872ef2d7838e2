/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One connected stream socket per job, whether a child or a unit sits at its
 * other end: the request goes out, the write side is shut down, the answer is
 * read to its end. So both kinds share every line but their start.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/endpoint.h"
#include "daemon/pool.h"

/* Stuck children cost a process each; a host with more dead superblocks than
 * this gets no further children until some end. */
#define POOL_STUCK_MAX 1024
#define ANSWER_FIRST_BYTES (4 * KIB)

struct entry {
        struct entry *next;
        struct pool *pool;
        uint64_t key;
        pid_t pid;                      /* 0: a request to a unit, or the child is reaped */
        int fd;                         /* -1: closed */
        bool reported;                  /* done was called; the entry stays for its child only */
        char *request;
        size_t request_bytes;
        size_t sent_bytes;
        char *answer;
        size_t answer_bytes;
        size_t answer_size_bytes;
        job_done_fn *done;
        void *userdata;
        sd_event_source *io;
        sd_event_source *child;
        sd_event_source *timer;
};

struct pool {
        sd_event *event;
        struct entry *entries;
        unsigned n_running;
        unsigned n_stuck;
        bool stopping;
};

int pool_new(sd_event *event, struct pool **ret)
{
        struct pool *p = calloc(1, sizeof(*p));

        if (!p)
                return -ENOMEM;
        p->event = sd_event_ref(event);
        *ret = p;
        return 0;
}

static void entry_close(struct entry *e)
{
        e->io = sd_event_source_disable_unref(e->io);
        e->timer = sd_event_source_disable_unref(e->timer);
        if (e->fd >= 0)
                close(e->fd);
        e->fd = -1;
}

static void entry_free(struct entry *e)
{
        if (!e)
                return;
        entry_close(e);
        sd_event_source_disable_unref(e->child);
        free(e->request);
        free(e->answer);
        free(e);
}

static void free_entry(struct entry **e)
{
        entry_free(*e);
}

static void entry_unlink(struct entry *e)
{
        struct entry **at = &e->pool->entries;

        while (*at && *at != e)
                at = &(*at)->next;
        if (*at)
                *at = e->next;
}

/* Tells the owner, once. An entry whose child lives stays in the pool, so that
 * its key is busy; any other is gone before the owner hears of it and may
 * start the next job of the same key. */
static void entry_report(struct entry *e, enum job_end end, const char *words)
{
        cleanup_free char *answer = TAKE(e->answer);
        job_done_fn *done = e->done;
        void *userdata = e->userdata;
        size_t n = e->answer_bytes;

        e->reported = true;
        e->pool->n_running--;
        entry_close(e);
        if (e->pid > 0) {
                e->pool->n_stuck++;
        } else {
                entry_unlink(e);
                entry_free(e);
        }
        done(userdata, end, answer ? answer : "", n, words);
}

static void entry_kill(struct entry *e, enum job_end end, const char *words)
{
        if (e->pid > 0)
                (void) kill(e->pid, SIGKILL);   /* it is not reaped: the pid is ours; nothing to do if it fails */
        entry_report(e, end, words);
}

static int answer_reserve(struct entry *e)
{
        size_t size = e->answer_size_bytes ? 2 * e->answer_size_bytes : ANSWER_FIRST_BYTES;
        char *bigger;

        if (e->answer_bytes + 1 < e->answer_size_bytes)
                return 0;
        bigger = realloc(e->answer, size);
        if (!bigger)
                return -ENOMEM;
        bigger[e->answer_bytes] = '\0';
        e->answer = bigger;
        e->answer_size_bytes = size;
        return 0;
}

/* Reads what is there. Return: 1 at the end, 0 when more may come, -EFBIG, -ENOMEM. */
static int entry_read(struct entry *e)
{
        for (;;) {
                int r = answer_reserve(e);
                ssize_t n;

                if (r < 0)
                        return r;
                n = recv(e->fd, e->answer + e->answer_bytes, e->answer_size_bytes - e->answer_bytes - 1, MSG_DONTWAIT);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
                        return 0;
                /* ECONNRESET: the other end closed without having read all of the request. */
                if (n <= 0)
                        return 1;
                e->answer_bytes += (size_t) n;
                e->answer[e->answer_bytes] = '\0';
                if (e->answer_bytes > POOL_ANSWER_MAX)
                        return -EFBIG;
        }
}

static void entry_write(struct entry *e)
{
        ssize_t n = send(e->fd, e->request + e->sent_bytes, e->request_bytes - e->sent_bytes,
                         MSG_DONTWAIT | MSG_NOSIGNAL);

        if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
                return;
        if (n >= 0)
                e->sent_bytes += (size_t) n;
        /* A failed send is not the job's end: what was answered still counts. */
        if (n < 0 || e->sent_bytes == e->request_bytes) {
                (void) shutdown(e->fd, SHUT_WR);
                (void) sd_event_source_set_io_events(e->io, EPOLLIN);
        }
}

static void entry_refuse(struct entry *e, int error)
{
        entry_kill(e, JOB_FAILED, error == -EFBIG ? "the answer is too long" : "out of memory");
}

/* A unit's request is over at its end of file, a child when it is reaped. */
static int on_io(sd_event_source *s may_be_unused, int fd may_be_unused, uint32_t events, void *userdata)
{
        struct entry *e = userdata;
        int r;

        if (events & EPOLLOUT)
                entry_write(e);
        if (!(events & (EPOLLIN | EPOLLHUP | EPOLLERR)))
                return 0;
        r = entry_read(e);
        if (r < 0)
                entry_refuse(e, r);
        else if (r > 0 && e->pid > 0)
                e->io = sd_event_source_disable_unref(e->io);
        else if (r > 0)
                entry_report(e, e->answer_bytes ? JOB_ANSWERED : JOB_FAILED,
                             e->answer_bytes ? NULL : "the unit closed the connection without an answer");
        return 0;
}

static void report_exit(struct entry *e, const siginfo_t *si)
{
        char words[64];

        if (si->si_code == CLD_EXITED && si->si_status == 0) {
                entry_report(e, JOB_ANSWERED, NULL);
                return;
        }
        snprintf(words, sizeof(words), si->si_code == CLD_EXITED ? "exit status %d" : "killed by signal %d",
                 si->si_status);
        entry_report(e, JOB_FAILED, words);
}

static int on_child(sd_event_source *s may_be_unused, const siginfo_t *si, void *userdata)
{
        struct entry *e = userdata;
        int r = 0;

        e->pid = 0;
        if (e->reported) {
                e->pool->n_stuck--;
                entry_unlink(e);
                entry_free(e);
                return 0;
        }
        if (e->fd >= 0)
                r = entry_read(e);
        if (r < 0)
                entry_refuse(e, r);
        else
                report_exit(e, si);
        return 0;
}

static int on_deadline(sd_event_source *s may_be_unused, uint64_t usec may_be_unused, void *userdata)
{
        struct entry *e = userdata;
        int r = entry_read(e);

        if (r < 0)
                entry_refuse(e, r);
        else
                entry_kill(e, JOB_DEADLINE, "no end within the deadline");
        return 0;
}

static int entry_start_child(struct entry *e, const char *const *argv)
{
        int pair[2], r;

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
                return -errno;
        e->fd = pair[0];
        r = endpoint_spawn(argv, pair[1], &e->pid);
        close(pair[1]);
        if (r < 0)
                return r;
        r = sd_event_add_child(e->pool->event, &e->child, e->pid, WEXITED, on_child, e);
        if (r < 0) {
                /* Just started and killed at once: this wait ends. */
                (void) kill(e->pid, SIGKILL);
                (void) waitpid(e->pid, NULL, 0);
                e->pid = 0;
                return r;
        }
        (void) sd_event_source_set_description(e->child, "pool-child");
        return sd_event_source_set_exit_on_failure(e->child, false);
}

/* CLOCK_MONOTONIC: a suspended machine is no stuck child. */
static int entry_watch(struct entry *e, usec_t deadline_usec)
{
        int r = sd_event_add_io(e->pool->event, &e->io, e->fd, EPOLLIN | EPOLLOUT, on_io, e);

        if (r < 0)
                return r;
        (void) sd_event_source_set_description(e->io, "pool-io");
        (void) sd_event_source_set_exit_on_failure(e->io, false);
        r = sd_event_add_time_relative(e->pool->event, &e->timer, CLOCK_MONOTONIC, deadline_usec,
                                       50 * USEC_PER_MSEC, on_deadline, e);
        if (r < 0)
                return r;
        (void) sd_event_source_set_description(e->timer, "pool-deadline");
        /* Where the loop itself was late (a stopped process, a paused machine), a
         * child that ended in time must not be taken for a stuck one. */
        r = sd_event_source_set_priority(e->timer, SD_EVENT_PRIORITY_NORMAL + 1);
        return r < 0 ? r : sd_event_source_set_exit_on_failure(e->timer, false);
}

static struct entry *entry_find(const struct pool *p, uint64_t key)
{
        struct entry *e = p->entries;

        while (e && e->key != key)
                e = e->next;
        return e;
}

static int entry_new(struct pool *p, const struct job *job, struct entry **ret)
{
        cleanup(free_entry) struct entry *e = calloc(1, sizeof(*e));

        if (!e)
                return -ENOMEM;
        e->pool = p;
        e->key = job->key;
        e->fd = -1;
        e->done = job->done;
        e->userdata = job->userdata;
        e->request = strdup(job->request ? job->request : "");
        if (!e->request)
                return -ENOMEM;
        e->request_bytes = strlen(e->request);
        *ret = TAKE(e);
        return 0;
}

bool pool_has_room(const struct pool *p)
{
        return p->n_running < POOL_JOBS_MAX && p->n_stuck < POOL_STUCK_MAX;
}

int pool_start(struct pool *p, const struct job *job)
{
        cleanup(free_entry) struct entry *e = NULL;
        int r;

        if (p->stopping)
                return -ESHUTDOWN;
        if (entry_find(p, job->key))
                return -EBUSY;
        if (!pool_has_room(p))
                return -EAGAIN;
        r = entry_new(p, job, &e);
        if (r < 0)
                return r;
        r = job->argv ? entry_start_child(e, job->argv) : endpoint_connect(job->socket_path, &e->fd);
        if (r < 0)      /* too many files: those of the jobs that run are free again soon */
                return (r == -EMFILE || r == -ENFILE) && p->n_running > 0 ? -EAGAIN : r;
        r = entry_watch(e, job->deadline_usec);
        if (r < 0) {
                if (e->pid > 0) {
                        (void) kill(e->pid, SIGKILL);
                        (void) waitpid(e->pid, NULL, 0);        /* it had no request yet: nothing to be stuck in */
                }
                return r;
        }
        e->next = p->entries;
        p->entries = TAKE(e);
        p->n_running++;
        return 0;
}

void pool_ask_to_end(struct pool *p)
{
        p->stopping = true;
        for (const struct entry *e = p->entries; e; e = e->next)
                if (e->pid > 0 && !e->reported)
                        (void) kill(e->pid, SIGTERM);   /* as in entry_kill() */
}

void pool_free(struct pool *p)
{
        if (!p)
                return;
        p->stopping = true;
        while (p->entries) {
                struct entry *e = p->entries;

                if (e->pid > 0)
                        (void) kill(e->pid, SIGKILL);
                e->pid = 0;
                if (!e->reported) {
                        entry_report(e, JOB_FAILED, "stopping");
                } else {
                        entry_unlink(e);
                        entry_free(e);
                }
        }
        sd_event_unref(p->event);
        free(p);
}

bool pool_is_busy(const struct pool *p, uint64_t key)
{
        return entry_find(p, key) != NULL;
}

bool pool_is_stuck(const struct pool *p, uint64_t key)
{
        const struct entry *e = entry_find(p, key);

        return e && e->reported;
}

unsigned pool_count_running(const struct pool *p)
{
        return p->n_running;
}

unsigned pool_count_stuck(const struct pool *p)
{
        return p->n_stuck;
}
