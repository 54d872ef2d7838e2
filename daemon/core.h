/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/core.h - what the service and a single round share.
 *
 * Layer:   daemon. External library: sd-event.
 * The parts: host.h knows the mounts, pool.h runs children, probing.h asks and
 * tries, round.h judges and logs; service.h and once.h decide when.
 */
#pragma once

#include "daemon/host.h"
#include "daemon/manager.h"
#include "daemon/pool.h"

/* What a job is for. */
enum probing_kind {
        PROBING_ASK,                    /* NULL, versions and limits; writes nothing */
        PROBING_NULL,                   /* is it there? */
        PROBING_FULL,                   /* everything, and the short workloads where they are allowed */
};

struct core {
        const struct manager_options *options;
        struct params *params;
        sd_event *event;
        struct pool *pool;
        struct host host;
        uint64_t round;
        bool may_stage;                 /* a staged mount can be asked for */
        bool stopping;
        int exit_status;                /* while stopping */
        usec_t stop_usec;               /* the latest end of it */
        /* Called at the end of every successful probing_start(). */
        void (*ended)(struct core *c, struct mountstate *s, enum probing_kind kind);
        /* The service only, or NULL: we have changed the mount table; files that mounts are made from. */
        void (*mounts_changed)(struct core *c);
        void (*sources_changed)(struct core *c);
        void *owner;                    /* the service or the single round */
};

/* @c is zeroed before. Return: 0 or a negative errno; core_done() in any case. */
int core_init(struct core *c, const struct manager_options *options, struct params *params) must_check;
void core_done(struct core *c);

/* Ends the loop with @exit_status as soon as no job runs any more, or after two
 * seconds; at once when called again. The caller starts no further jobs. */
void core_stop(struct core *c, int exit_status);

/* CLOCK_BOOTTIME of this turn of the loop. */
usec_t core_now(const struct core *c);

/* 64 random bits. */
uint64_t core_random(const struct core *c);
