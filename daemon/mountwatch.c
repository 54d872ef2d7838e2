/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libmount's monitor of the kernel's mount table and of utab. */
#include <errno.h>
#include <libmount.h>

#include "daemon/mountwatch.h"

struct mountwatch {
        struct libmnt_monitor *monitor;
        int fd;
};

void mountwatch_free(struct mountwatch *w)
{
        if (!w)
                return;
        mnt_unref_monitor(w->monitor);
        free(w);
}

static void free_mountwatch(struct mountwatch **w)
{
        mountwatch_free(*w);
}

int mountwatch_new(struct mountwatch **ret)
{
        cleanup(free_mountwatch) struct mountwatch *w = calloc(1, sizeof(*w));
        int r;

        if (!w)
                return -ENOMEM;
        w->monitor = mnt_new_monitor();
        if (!w->monitor)
                return -ENOMEM;
        r = mnt_monitor_enable_kernel(w->monitor, 1);
        if (r < 0)
                return r;
        /* utab is written after the mount itself; where it cannot be watched,
         * the next full reading finds it. */
        (void) mnt_monitor_enable_userspace(w->monitor, 1, NULL);
        w->fd = mnt_monitor_get_fd(w->monitor);
        if (w->fd < 0)
                return w->fd;
        *ret = TAKE(w);
        return 0;
}

int mountwatch_fd(const struct mountwatch *w)
{
        return w->fd;
}

bool mountwatch_drain(struct mountwatch *w)
{
        bool changed = false;

        while (mnt_monitor_next_change(w->monitor, NULL, NULL) == 0)
                changed = true;
        return changed;
}
