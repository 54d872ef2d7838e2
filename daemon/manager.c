/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets up what both ways of running share, and runs one of them. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <syslog.h>

#include "daemon/manager.h"
#include "daemon/once.h"
#include "daemon/service.h"

/* Signals arrive through the event loop; SIGCHLD must be blocked for children
 * to be watched by it. */
static int block_signals(void)
{
        sigset_t set;

        /* A reader that went away must not end us in the middle of a probe, whose
         * files would stay. */
        if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
                return -errno;

        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGINT);
        sigaddset(&set, SIGCHLD);
        sigaddset(&set, SIGHUP);
        return sigprocmask(SIG_BLOCK, &set, NULL) < 0 ? -errno : 0;
}

int manager_run(const struct manager_options *options, struct params *params)
{
        struct core *c = calloc(1, sizeof(*c));
        int r = c ? block_signals() : -ENOMEM, status = EXIT_FAILURE;

        if (r >= 0)
                r = core_init(c, options, params);
        else
                params_done(params);
        if (r >= 0)
                status = options->once ? once_run(c) : service_run(c);
        else
                journal_log(&options->journal, LOG_ERR, "The start failed: %s", strerror(-r));
        if (c && c->params)
                core_done(c);
        free(c);
        return status;
}
