/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See recover.h. */

#include "daemon/recover.h"

#include <errno.h>
#include <string.h>

#include "daemon/answer.h"
#include "daemon/copies.h"
#include "daemon/fscontext.h"
#include "daemon/intent.h"
#include "daemon/live.h"
#include "daemon/mountfacts.h"
#include "daemon/mountpoint.h"
#include "daemon/readahead.h"
#include "daemon/reveal.h"
#include "daemon/state_dir.h"
#include "probe/descriptor.h"

struct recovering {
        struct intent intent;
        struct mountpoint place;
        int state_fd;
        struct apply_answer *answer;
};

static void recovering_done(struct recovering *r)
{
        intent_done(&r->intent);
        mountpoint_done(&r->place);
}

static int discard(struct recovering *r, const char *why)
{
        const char *target = r->intent.mount.target;
        int e = intent_remove(r->state_fd, target);

        if (e < 0)
                answer_note(r->answer, "its record could not be removed (%s)", strerror(-e));
        return answer_end(r->answer, APPLY_END_NOTHING, "%s: %s", target, why);
}

/* ---- an interrupted swap: the path may be without its mount ------------------------- */

static int attach_new(struct recovering *r, const struct options *options, char **ret_words)
{
        struct intent *i = &r->intent;
        cleanup(close_descriptor) int fd = -1;
        unsigned attributes;
        const char *flag;
        int e = mount_attributes(&i->mount.vfs, &attributes, &flag);

        if (e == 0)
                e = fscontext_mount(i->mount.fstype, i->mount.source, options, attributes, &fd, ret_words);
        if (e == 0)
                e = mountpoint_attach(&r->place, fd, false);
        if (e < 0)
                return e;
        /* It is mounted: whatever fails now must not lead to a second one. */
        e = mount_identity(fd, &i->new_mount_id, &i->new_device);
        if (e == 0)
                copies_restore(i->copies, i->n_copies, i->new_device, r->answer);
        if (mount_carry_propagation(fd, i->mount.propagation) < 0)
                answer_note(r->answer, "its propagation could not be carried over");
        if (e < 0 || mountfacts_by_id(i->new_mount_id, &r->answer->mount) < 0)
                answer_note(r->answer, "it could not be read back");
        return 0;
}

static int mounted_again(struct recovering *r)
{
        struct intent *i = &r->intent;
        int e;

        if (i->staging.read_ahead_kib)
                (void) read_ahead_set(i->new_device, i->staging.read_ahead_kib, r->answer);
        i->step = INTENT_DONE;
        intent_forget_copies(i);
        e = intent_write(r->state_fd, i);
        if (e < 0)
                answer_note(r->answer, "the record could not be brought up to date (%s)", strerror(-e));
        return answer_end(r->answer, APPLY_END_DONE, NULL);
}

static int fill_hole(struct recovering *r)
{
        cleanup_free char *words = NULL, *old_words = NULL;
        int e = attach_new(r, &r->intent.staging.to, &words);

        if (e == 0)
                return mounted_again(r);
        if (e == -ENOMEM)
                return e;
        e = attach_new(r, &r->intent.staging.from, &old_words);
        if (e == -ENOMEM)
                return e;
        if (e < 0)
                return answer_end(r->answer, APPLY_END_FAILED, "%s is not mounted, for the change was interrupted: %s",
                                  r->intent.mount.target, old_words ? old_words : strerror(-e));
        e = intent_remove(r->state_fd, r->intent.mount.target);
        if (e < 0)
                answer_note(r->answer, "its record could not be removed (%s)", strerror(-e));
        return answer_end(r->answer, APPLY_END_FAILED, "%s: the change was interrupted; it is mounted with the old options "
                          "again, for with the new ones: %s", r->intent.mount.target, words ? words : "no memory");
}

/* ---- one step after the other -------------------------------------------------------- */

static int recover_moved(struct recovering *r, uint64_t top)
{
        struct intent *i = &r->intent;
        cleanup(mount_facts_done) struct mount_facts new = {};
        int e = mountfacts_by_id(i->new_mount_id, &new);

        if (e < 0 && e != -ENOENT)
                return e;
        if (top != i->new_mount_id && e == -ENOENT)
                return discard(r, top == i->mount.mount_id ? "the change was interrupted before anything was moved" :
                                                             "somebody else has changed the mount since");
        return reveal(i, &r->place, false, r->state_fd, r->answer);
}

/* Where it stood over another mount, that one is seen instead. */
static bool is_hole(const struct intent *i, uint64_t top)
{
        return top == 0 || top == i->mount.parent_id;
}

static int recover_swap(struct recovering *r, uint64_t top)
{
        if (is_hole(&r->intent, top))
                return fill_hole(r);
        if (top == r->intent.mount.mount_id)
                return discard(r, "the change was interrupted before anything was moved");
        return recover_moved(r, top);
}

static int recover_step(struct recovering *r)
{
        struct device device;
        uint64_t top;
        int e = mountpoint_top(&r->place, &top, &device);

        if (e < 0)
                return e;
        switch (r->intent.step) {
        case INTENT_STAGING:
                return discard(r, "the change was interrupted before anything was moved");
        case INTENT_SWAP:
                return recover_swap(r, top);
        case INTENT_LIVE:
                return live_recover(&r->intent, r->state_fd, r->answer);
        case INTENT_DONE:
                if (r->intent.new_mount_id == 0)
                        return live_recover(&r->intent, r->state_fd, r->answer);
                return recover_moved(r, top);
        default:
                return recover_moved(r, top);
        }
}

static int run(const char *target, struct recovering *r)
{
        char boot[33], *words = NULL;
        int e = intent_read(r->state_fd, target, &r->intent);

        if (e == -ENOENT)
                return answer_end(r->answer, APPLY_END_NOTHING, "%s: the change ended before anything was moved", target);
        if (e == 0)
                e = boot_id_read(boot);
        if (e < 0)
                return e;
        if (strcmp(boot, r->intent.boot) != 0)
                return discard(r, "the record of a change is from before the last boot");
        e = mountpoint_open(target, &r->place, &words);
        if (e > 0) {
                free(words);
                return discard(r, "the mount point is not there any more");
        }
        if (e == 0)
                e = mountpoint_enter(&r->place);
        return e < 0 ? e : recover_step(r);
}

int recover_run(const char *target, int state_fd, struct apply_answer *ret)
{
        cleanup(recovering_done) struct recovering r = {
                .place = { .namespace_fd = -1, .parent_fd = -1 }, .state_fd = state_fd, .answer = ret,
        };
        int e = run(target, &r);

        if (e < 0 && e != -ENOMEM)
                e = answer_end(ret, APPLY_END_FAILED, "%s: %s", target, strerror(-e));
        return e == -ENOMEM ? e : 0;
}
