/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See reveal.h. */

#include "daemon/reveal.h"

#include <errno.h>
#include <string.h>

#include "daemon/answer.h"
#include "daemon/copies.h"
#include "daemon/mountfacts.h"
#include "daemon/namespaces.h"
#include "daemon/readahead.h"
#include "probe/descriptor.h"

/* Does that one of the two stand somewhere below what is on top? Numbers of mounts are given anew: the devices have to agree,
 * too. */
static bool is_beneath(const struct intent *i, uint64_t mount_id, struct device device)
{
        cleanup(mount_facts_done) struct mount_facts m = {};

        return mountfacts_by_id(mount_id, &m) == 0 && m.covered && device_equal(m.device, device) &&
               strcmp(m.target, i->mount.target) == 0;
}

static bool has_submounts(const struct intent *i)
{
        cleanup(mount_facts_done) struct mount_facts m = {};

        return mountfacts_by_id(i->mount.mount_id, &m) == 0 && m.has_submounts;
}

static int record(const struct intent *i, enum intent_step step, int state_fd, struct apply_answer *ret)
{
        struct intent now = *i;         /* borrows */
        int e;

        if (i->step == step)
                return 0;
        now.step = step;
        if (step == INTENT_DONE)        /* they have got their flags */
                now.n_copies = 0;
        e = intent_write(state_fd, &now);
        if (e < 0)
                answer_note(ret, "the record could not be brought up to date (%s)", strerror(-e));
        return 0;
}

static int discard(const struct intent *i, int state_fd, struct apply_answer *ret)
{
        int e = intent_remove(state_fd, i->mount.target);

        if (e < 0)
                answer_note(ret, "its record could not be removed (%s)", strerror(-e));
        return answer_end(ret, APPLY_END_NOTHING, "%s: the mounts are not there any more as they were left; they are left "
                          "alone", i->mount.target);
}

/* What could not be given to the new mount as long as it was covered, or was not any more when this was interrupted. */
static void carry(const struct intent *i, const struct mountpoint *place, struct apply_answer *ret)
{
        cleanup(close_descriptor) int fd = -1;
        int e;

        copies_restore(i->copies, i->n_copies, i->new_device, ret);
        e = mountpoint_open_top(place, &fd);
        if (e == 0)
                e = mount_carry_propagation(fd, i->mount.propagation);
        if (e < 0)
                answer_note(ret, "its propagation could not be carried over (%s)", strerror(-e));
}

static int revealed(const struct intent *i, const struct mountpoint *place, int state_fd, struct apply_answer *ret)
{
        int e;

        if (i->step != INTENT_DONE)
                carry(i, place, ret);
        e = mountfacts_by_id(i->new_mount_id, &ret->mount);
        if (e == -ENOENT)               /* whoever unmounts the old one at the same time has unmounted both */
                return discard(i, state_fd, ret);
        if (e < 0)
                return e;
        if (i->staging.read_ahead_kib)  /* a rule of udev may have set it since */
                (void) read_ahead_set(i->new_device, i->staging.read_ahead_kib, ret);
        e = record(i, INTENT_DONE, state_fd, ret);
        return e < 0 ? e : answer_end(ret, APPLY_END_DONE, NULL);
}

/* Interrupted before Linux 6.5, when the new one was put over the old one: nobody but those of this moment uses it. */
static int uncover(const struct intent *i, const struct mountpoint *place, int state_fd, struct apply_answer *ret)
{
        int e = mountpoint_uncover(place);

        if (e == 0)
                e = intent_remove(state_fd, i->mount.target);
        if (e == 0)
                e = mountfacts_by_id(i->mount.mount_id, &ret->mount);
        if (e < 0)
                return e;
        return answer_end(ret, APPLY_END_NOTHING, "%s: the change was interrupted; the old mount is on top again",
                          i->mount.target);
}

/* Services may have come and gone since it was recorded. */
static int refresh_copies(struct intent *i, int state_fd, struct apply_answer *ret)
{
        cleanup(namespaces_done) struct namespaces all = {};
        cleanup_free char *words = NULL;
        struct mount_copy *copies = NULL;
        size_t n = 0;
        int e = namespaces_read("/proc", &i->mount, &all);

        if (e == 0)
                e = copies_read(&all, &copies, &n, &words);
        if (e > 0)
                return answer_end(ret, APPLY_END_REFUSED, "%s: %s", i->mount.target, words);
        if (e < 0)
                return e;
        const bool same = copies_equal(copies, n, i->copies, i->n_copies);

        mount_copies_free(i->copies, i->n_copies);
        i->copies = copies;
        i->n_copies = n;
        e = same ? 0 : intent_write(state_fd, i);
        return e < 0 ? answer_end(ret, APPLY_END_REFUSED, "%s: the record of what is to be done cannot be written (%s)",
                                  i->mount.target, strerror(-e)) : 0;
}

int reveal(struct intent *i, const struct mountpoint *place, bool detach, int state_fd, struct apply_answer *ret)
{
        struct device device;
        uint64_t top;
        int e = mountpoint_top(place, &top, &device);

        if (e < 0)
                return e;
        if (top == i->new_mount_id && device_equal(device, i->new_device))
                return is_beneath(i, i->mount.mount_id, i->mount.device) ? uncover(i, place, state_fd, ret) :
                                                                           revealed(i, place, state_fd, ret);
        if (top != i->mount.mount_id || !device_equal(device, i->mount.device) ||
            !is_beneath(i, i->new_mount_id, i->new_device))
                return discard(i, state_fd, ret);
        if (detach && has_submounts(i))
                return answer_end(ret, APPLY_END_REFUSED, "%s: something is mounted below the old mount, which would be "
                                  "detached with it: unmount that first", i->mount.target);
        e = refresh_copies(i, state_fd, ret);
        if (e != 0)
                return e;
        e = mountpoint_unmount(place, detach);
        if (e == 0)
                return revealed(i, place, state_fd, ret);
        if (e != -EBUSY)
                return e;
        e = record(i, INTENT_ARMED, state_fd, ret);
        if (e == 0)
                e = mountfacts_by_id(i->mount.mount_id, &ret->mount);
        return e < 0 ? e : answer_end(ret, APPLY_END_ARMED, NULL);
}

static int run(const char *target, bool detach, int state_fd, struct apply_answer *ret)
{
        cleanup(intent_done) struct intent i = {};
        cleanup(mountpoint_done) struct mountpoint place = { .namespace_fd = -1, .parent_fd = -1 };
        char *words = NULL;
        int e = intent_read(state_fd, target, &i);

        if (e == -ENOENT)
                return answer_end(ret, APPLY_END_NOTHING, "%s: nothing waits there", target);
        if (e == 0)
                e = mountpoint_open(target, &place, &words);
        if (e > 0)
                return answer_end_words(ret, APPLY_END_FAILED, words);
        if (e == 0)
                e = mountpoint_enter(&place);
        return e < 0 ? e : reveal(&i, &place, detach, state_fd, ret);
}

int reveal_run(const char *target, bool detach, int state_fd, struct apply_answer *ret)
{
        int e = run(target, detach, state_fd, ret);

        if (e < 0 && e != -ENOMEM)
                e = answer_end(ret, APPLY_END_FAILED, "%s: %s", target, strerror(-e));
        return e == -ENOMEM ? e : 0;
}
