/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's file system contexts. See fscontext.h. */

#include "daemon/fscontext.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "policy/text.h"
#include "probe/descriptor.h"

/* The kernel's fs context gives one message per read. */
#define MESSAGE_MAX 1024

/* As mount.nfs would say it: "access denied by the server". Never NULL; static or strerror's. */
static const char *mount_errno_words(int error)
{
        switch (error) {
        case EACCES:
        case EPERM:
                return "access denied by the server";
        case ENOENT:
                return "the server does not export that path";
        case ETIMEDOUT:
                return "the server did not answer in time";
        case ECONNREFUSED:
                return "connection refused: no NFS server listens there";
        case EHOSTUNREACH:
        case ENETUNREACH:
                return "no route to the server";
        case EPROTONOSUPPORT:
                return "the server does not speak this version of NFS or this transport";
        case ESTALE:
                return "stale file handle: the server exports something else by now";
        case EINVAL:
                return "the kernel refuses an option, or the server this combination";
        default:
                return strerror(error);
        }
}

/* Adds what the kernel says about a failed step, or the errno's words. */
static int explain(int context_fd, const char *step, int error, char **ret_error)
{
        cleanup(text_done) struct text t = {};
        char message[MESSAGE_MAX];
        ssize_t n;
        bool said = false;

        text_add(&t, "%s: ", step);
        /* Each message starts with "e ", "w " or "i ". */
        while (context_fd >= 0 && (n = read(context_fd, message, sizeof(message) - 1)) > 2) {
                while (n > 2 && message[n - 1] == '\n')
                        n--;
                message[n] = '\0';
                text_add(&t, "%s%s", said ? "; " : "", message + 2);
                said = true;
        }
        text_add(&t, said ? " (%s)" : "%s", mount_errno_words(-error));
        *ret_error = text_take(&t);
        return *ret_error ? error : -ENOMEM;
}

/* In a list of options a value with commas stands in quotes; here it stands alone. NULL on -ENOMEM. */
static char *without_quotes(const char *value)
{
        size_t n = strlen(value);
        bool quoted = n >= 2 && value[0] == '"' && value[n - 1] == '"';

        return quoted ? strndup(value + 1, n - 2) : strdup(value);
}

static int set_option(int context_fd, const struct mount_option *o, char **ret_error)
{
        cleanup(text_done) struct text step = {};
        cleanup_free char *words = NULL, *value = o->value ? without_quotes(o->value) : NULL;
        int error;

        if (o->value && !value)
                return -ENOMEM;
        if (fsconfig(context_fd, value ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG, o->name, value, 0) >= 0)
                return 0;
        error = errno;
        text_add(&step, "option ");
        text_add_option(&step, o);
        words = text_take(&step);
        return words ? explain(context_fd, words, -error, ret_error) : -ENOMEM;
}

static int set_options(int context_fd, const struct options *options, char **ret_error)
{
        int r = 0;

        for (size_t i = 0; r == 0 && i < options->n_items; i++)
                r = set_option(context_fd, &options->items[i], ret_error);
        return r;
}

int fscontext_mount(const char *fstype, const char *source, const struct options *options, unsigned attributes,
                    int *ret_fd, char **ret_error)
{
        cleanup(close_descriptor) int context_fd = fsopen(fstype, FSOPEN_CLOEXEC);
        int r, mount_fd;

        if (context_fd < 0)
                return explain(-1, "fsopen", -errno, ret_error);
        if (fsconfig(context_fd, FSCONFIG_SET_STRING, "source", source, 0) < 0)
                return explain(context_fd, "source", -errno, ret_error);
        r = set_options(context_fd, options, ret_error);
        if (r < 0)
                return r;
        if (fsconfig(context_fd, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
                return explain(context_fd, "the mount was refused", -errno, ret_error);
        mount_fd = fsmount(context_fd, FSMOUNT_CLOEXEC, attributes);
        if (mount_fd < 0)
                return explain(context_fd, "fsmount", -errno, ret_error);
        *ret_fd = mount_fd;
        return 0;
}

int fscontext_reconfigure(int mount_fd, const char *flag, const struct options *repeat, char **ret_error)
{
        cleanup(close_descriptor) int context_fd = fspick(mount_fd, "", FSPICK_CLOEXEC | FSPICK_EMPTY_PATH);
        const struct mount_option wanted = { .name = (char *) flag };
        int r;

        if (context_fd < 0)
                return explain(-1, "fspick", -errno, ret_error);
        r = set_options(context_fd, repeat, ret_error);
        if (r == 0)
                r = set_option(context_fd, &wanted, ret_error);
        if (r == 0 && fsconfig(context_fd, FSCONFIG_CMD_RECONFIGURE, NULL, NULL, 0) < 0)
                r = explain(context_fd, "the change was refused", -errno, ret_error);
        return r;
}
