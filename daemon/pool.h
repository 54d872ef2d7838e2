/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/pool.h - children and requests with deadlines, none of which is ever
 * waited for.
 *
 * Layer:   daemon. External library: sd-event.
 * Purpose: DESIGN section 4, "rules of the house". A job is a child process
 *          (nfstuned-probe; nfstuned-mount when started by hand) or a request
 *          to a socket-activated unit (nfstuned-mount as a service). Either
 *          way: one request is written, the answer is collected until end of
 *          file, everything within one deadline. At the deadline the child is
 *          killed and the job is reported; a child that does not die
 *          (uninterruptible wait) stays in the pool as stuck and is reaped
 *          whenever it ends. While it lives its key is busy.
 */
#pragma once

#include <systemd/sd-event.h>

#include "policy/base.h"

struct pool;

enum job_end {
        JOB_ANSWERED,           /* end of file before the deadline; child (if any) exited 0 */
        JOB_FAILED,             /* could not start, exit status not 0, killed by somebody, answer too long */
        JOB_DEADLINE,           /* killed at its deadline; the answer so far is given */
};

/* @answer is NUL-terminated and valid during the call only; with JOB_FAILED and
 * JOB_DEADLINE it holds what had arrived. @words says why for JOB_FAILED. */
typedef void job_done_fn(void *userdata, enum job_end end, const char *answer, size_t length_bytes, const char *words);

struct job {
        uint64_t key;                   /* at most one job per key lives: the superblock's device */
        const char *const *argv;        /* child: absolute path first, NULL-terminated; or NULL */
        const char *socket_path;        /* socket-activated unit; or NULL */
        const char *request;            /* copied */
        usec_t deadline_usec;           /* duration from now */
        job_done_fn *done;
        void *userdata;
};

/* The most jobs at once; a further one is refused with -EAGAIN. */
#define POOL_JOBS_MAX 128
/* The longest answer of a job. */
#define POOL_ANSWER_MAX (1024 * KIB)

int pool_new(sd_event *event, struct pool **ret) must_check;

/* Asks every child to end (SIGTERM), so that none leaves a file behind, and
 * refuses further jobs. Jobs still report to their @done functions. */
void pool_ask_to_end(struct pool *p);

/* Kills what can be killed, waits for nothing. */
void pool_free(struct pool *p);

/* Return: 0, -EBUSY when the key is busy (a job or a stuck child), -EAGAIN, or
 * a negative errno. The @done function is called exactly once after success,
 * never from within pool_start(). */
int pool_start(struct pool *p, const struct job *job) must_check;

/* May one more job be started? For those whose request is costly to make. */
bool pool_has_room(const struct pool *p);

bool pool_is_busy(const struct pool *p, uint64_t key);

/* Is a child of this key past its deadline and still not dead? */
bool pool_is_stuck(const struct pool *p, uint64_t key);
unsigned pool_count_running(const struct pool *p);
unsigned pool_count_stuck(const struct pool *p);
