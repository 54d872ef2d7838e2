/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Set-up and tear-down of what every run needs. */
#include <errno.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "daemon/core.h"

int core_init(struct core *c, const struct manager_options *options, struct params *params)
{
        int r;

        c->options = options;
        c->params = params;
        c->may_stage = options->mount_socket || geteuid() == 0;
        r = sd_event_new(&c->event);
        if (r < 0)
                return r;
        return pool_new(c->event, &c->pool);
}

void core_done(struct core *c)
{
        /* The pool first: jobs that still run report to the core. */
        c->stopping = true;
        pool_free(c->pool);
        host_done(&c->host);
        sd_event_unref(c->event);
        params_done(c->params);
        c->pool = NULL;
        c->event = NULL;
}

/* What a probe has in its hands when the server is well: one write, a close, an
 * unlink. Much less than the 5 s a stop may take. */
#define STOP_PATIENCE_USEC (2 * USEC_PER_SEC)
#define STOP_LOOK_USEC     (20 * USEC_PER_MSEC)

static int on_stop_look(sd_event_source *s, uint64_t usec may_be_unused, void *userdata)
{
        struct core *c = userdata;

        if (pool_count_running(c->pool) == 0 || core_now(c) >= c->stop_usec ||
            sd_event_source_set_time_relative(s, STOP_LOOK_USEC) < 0 ||
            sd_event_source_set_enabled(s, SD_EVENT_ONESHOT) < 0)
                return sd_event_exit(c->event, c->exit_status);
        return 0;
}

void core_stop(struct core *c, int exit_status)
{
        bool again = c->stopping;

        c->stopping = true;
        c->exit_status = exit_status;
        c->stop_usec = core_now(c) + STOP_PATIENCE_USEC;
        if (!again)
                pool_ask_to_end(c->pool);
        if (again || pool_count_running(c->pool) == 0 ||
            sd_event_add_time_relative(c->event, NULL, CLOCK_BOOTTIME, STOP_LOOK_USEC, STOP_LOOK_USEC, on_stop_look,
                                       c) < 0)
                (void) sd_event_exit(c->event, exit_status);    /* fails only when it is exiting already */
}

usec_t core_now(const struct core *c)
{
        uint64_t usec = 0;

        (void) sd_event_now(c->event, CLOCK_BOOTTIME, &usec);   /* fails in a forked child only */
        return usec;
}

uint64_t core_random(const struct core *c)
{
        uint64_t bits;

        /* Early in the boot: the time of the turn spreads well enough. */
        if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != (ssize_t) sizeof(bits))
                bits = core_now(c) * UINT64_C(0x9e3779b97f4a7c15);
        return bits;
}
