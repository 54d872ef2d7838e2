/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See idle.h. */

#include "daemon/idle.h"

#include "daemon/answer.h"
#include "daemon/mountpoint.h"
#include "probe/descriptor.h"

static int test(const struct mount_facts *m, const struct mountpoint *place, struct apply_answer *a)
{
        cleanup(close_descriptor) int old_fd = -1;
        struct device device;
        uint64_t id;
        int e = mountpoint_enter(place);

        if (e == 0)
                e = mountpoint_top(place, &id, &device);
        if (e == 0 && (id != m->mount_id || !device_equal(device, m->device)))
                return answer_end(a, APPLY_END_REFUSED, "%s: the mount is not the one that was looked at any more",
                                  m->target);
        if (e == 0)
                e = mountpoint_clone_top(place, &old_fd);
        if (e == 0)
                e = mountpoint_test_busy(place, old_fd);
        if (e < 0)
                return e;
        a->busy = e > 0;
        return 0;
}

int idle_test(const struct mount_facts *m, struct apply_answer *a)
{
        cleanup(mountpoint_done) struct mountpoint place = { .namespace_fd = -1, .parent_fd = -1 };
        char *words = NULL;
        int e = mountpoint_open(m->target, &place, &words);

        return e > 0 ? answer_end_words(a, APPLY_END_REFUSED, words) : e < 0 ? e : test(m, &place, a);
}
