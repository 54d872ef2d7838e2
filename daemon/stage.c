/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A private mount without sizes: what does the server negotiate? */

#include "daemon/stage.h"

#include <errno.h>
#include <string.h>
#include <sys/mount.h>

#include "daemon/mountpoint.h"
#include "daemon/staged.h"
#include "policy/text.h"

void stage_limits_done(struct stage_limits *l)
{
        free(l->options);
        *l = (struct stage_limits){};
}

/* Options of nfs(5) that decide whom we reach and as whom. Whatever else the
 * kernel prints (namlen=, local_lock=, clientaddr=, ac*=) it adds itself. */
static const char *const carried_options[] = {
        "vers",      "minorversion", "proto",    "port",      "addr",       "sec",     "xprtsec", "mountaddr",
        "mountvers", "mountport",    "mountproto", "nolock",  "noresvport", "nconnect",
};

int stage_options(const struct mount_facts *m, struct options *ret)
{
        cleanup(options_done) struct options wanted = {};

        for (size_t i = 0; i < ARRAY_SIZE(carried_options); i++) {
                const struct mount_option *o = options_find(&m->super, carried_options[i]);

                /* "unspecified" and 0 are how the kernel prints that it does not know. */
                if (!o || (o->value && (strcmp(o->value, "unspecified") == 0 || strcmp(o->value, "0") == 0) &&
                           strcmp(o->name, "minorversion") != 0))
                        continue;
                if (options_set(&wanted, o->name, o->value) < 0)
                        return -ENOMEM;
        }
        if (options_set(&wanted, "nosharecache", NULL) < 0 || options_set(&wanted, "ro", NULL) < 0)
                return -ENOMEM;
        *ret = wanted;
        wanted = (struct options){};
        return 0;
}

static int refusal(int error, const char *step, char **ret_error)
{
        cleanup(text_done) struct text t = {};

        text_add(&t, "%s: %s", step, strerror(-error));
        *ret_error = text_take(&t);
        return *ret_error ? error : -ENOMEM;
}

static int limits_of(const struct mount_facts *staged, struct stage_limits *ret)
{
        struct nfs_options effective;

        nfs_options_read(&staged->super, &effective);
        if (!effective.rsize_bytes || !effective.wsize_bytes)
                return -EPROTO;
        *ret = (struct stage_limits){ .rsize_bytes = effective.rsize_bytes, .wsize_bytes = effective.wsize_bytes };
        ret->options = options_format(&staged->super);
        return ret->options ? 0 : -ENOMEM;
}

int stage_negotiate(const struct mount_facts *m, struct stage_limits *ret, char **ret_error)
{
        cleanup(options_done) struct options wanted = {};
        cleanup(staged_done) struct staged staged = { .fd = -1 };
        int r = mountpoint_leave();

        if (r < 0)
                return refusal(r, "no mount namespace of our own", ret_error);
        r = stage_options(m, &wanted);
        if (r < 0)
                return r;
        r = staged_open(m, &wanted, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC,
                        &staged, ret_error);
        if (r != 0)
                return r < 0 ? r : -ECONNREFUSED;       /* the words say what it was */
        r = limits_of(&staged.facts, ret);
        return r == -EPROTO ? refusal(r, "the staged mount shows no sizes", ret_error) : r;
}
