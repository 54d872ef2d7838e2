/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the helpers are. */
#include <errno.h>

#include "daemon/helpers.h"
#include "policy/text.h"

/* @option: the only argument, or NULL. */
static int start_child(const struct core *c, const struct job *job, const char *name, const char *option)
{
        cleanup(text_done) struct text path = { 0 };
        const char *argv[] = { NULL, option, NULL };
        struct job child = *job;

        text_add(&path, "%s/%s", c->options->helper_dir, name);
        if (path.failed)
                return -ENOMEM;
        argv[0] = path.data;
        child.argv = argv;
        return pool_start(c->pool, &child);
}

int helpers_start_probe(const struct core *c, const struct job *job)
{
        return start_child(c, job, "nfstuned-probe", NULL);
}

int helpers_start_mount(const struct core *c, const struct job *job)
{
        struct job request = *job;

        if (!c->options->mount_socket)
                return start_child(c, job, "nfstuned-mount", "--stdio");
        request.socket_path = c->options->mount_socket;
        return pool_start(c->pool, &request);
}
