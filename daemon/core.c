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
