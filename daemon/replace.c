/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See replace.h. Each step returns 0 to go on, 1 when the answer is written and all is over, or a negative errno.
 */

#include "daemon/replace.h"

#include <errno.h>
#include <string.h>

#include "daemon/answer.h"
#include "daemon/copies.h"
#include "daemon/intent.h"
#include "daemon/mountfacts.h"
#include "daemon/mountpoint.h"
#include "daemon/namespaces.h"
#include "daemon/readahead.h"
#include "daemon/staged.h"
#include "daemon/state_dir.h"
#include "policy/names.h"
#include "probe/clock.h"
#include "probe/descriptor.h"
#include "probe/roundtrip.h"

/* For the file that is written and read back through the staged mount. */
#define ROUNDTRIP_USEC (20 * USEC_PER_SEC)

struct replacing {
        const struct apply_request *request;
        int state_fd;
        struct apply_answer *answer;
        struct mountpoint place;
        struct mount_facts old;
        struct staged staged;
        struct intent intent;           /* borrows from the request and from @old, but for the copies */
        unsigned attributes;
        bool beneath;                   /* this kernel can */
        int old_fd;                     /* detached clones */
        int new_fd;
};

static void replacing_done(struct replacing *r)
{
        close_descriptor(&r->new_fd);
        close_descriptor(&r->old_fd);
        staged_done(&r->staged);
        mount_copies_free(r->intent.copies, r->intent.n_copies);
        mount_facts_done(&r->old);
        mountpoint_done(&r->place);
}

/* ---- what is replaced ---------------------------------------------------------- */

static int find_old(struct replacing *r)
{
        const struct mount_facts *asked = &r->request->mount;
        char *words = NULL;
        int e = mountpoint_open(asked->target, &r->place, &words);

        if (e > 0)
                return answer_end_words(r->answer, APPLY_END_REFUSED, words);
        if (e < 0)
                return e;
        e = mountfacts_by_id(asked->mount_id, &r->old);
        if (e == -ENOENT || (e == 0 && !mountfacts_same(asked, &r->old)))
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: the mount is not the one that was looked at any "
                                  "more", asked->target);
        return e;
}

/* It reaches the same server, whoever wrote the request. */
static bool keeps_address(const struct replacing *r)
{
        const char *old = options_value(&r->old.super, "addr"), *new = options_value(&r->request->staging.to, "addr");

        return old && new && strcmp(old, new) == 0;
}

static int check_alone(struct replacing *r, const struct mount_facts *m)
{
        if (m->covered)
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: another mount stands on top of it", m->target);
        if (m->has_submounts)
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: something is mounted below it, and a mount with "
                                  "mounts below is never unmounted", m->target);
        return 0;
}

static int check_old(struct replacing *r)
{
        const struct mount_facts *m = &r->old;
        const char *flag = NULL;
        int e = check_alone(r, m);

        if (e != 0)
                return e;
        if (strstr(m->propagation, "master:") || strstr(m->propagation, "unbindable"))
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: its propagation (%s) cannot be given to a new mount",
                                  m->target, m->propagation);
        if (!keeps_address(r))
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: the request leads to another server", m->target);
        if (mount_attributes(&m->vfs, &r->attributes, &flag) < 0)
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: its flag %s cannot be given to a new mount",
                                  m->target, flag);
        return 0;
}

static int check_top(struct replacing *r)
{
        struct device device;
        uint64_t id;
        int e = mountpoint_enter(&r->place);

        if (e == 0)
                e = mountpoint_top(&r->place, &id, &device);
        if (e == 0 && id != r->old.mount_id)
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: another mount stands there by now", r->old.target);
        return e;
}

/* Staging takes its time: who mounted or changed something meanwhile is not overruled. */
static int check_again(struct replacing *r)
{
        cleanup(mount_facts_done) struct mount_facts now = {};
        int e = check_top(r);

        if (e == 0)
                e = mountfacts_by_id(r->old.mount_id, &now);
        if (e == -ENOENT || (e == 0 && !mountfacts_same(&r->old, &now)))
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: somebody changed the mount meanwhile", r->old.target);
        return e == 0 ? check_alone(r, &now) : e;
}

/* Where the new one cannot wait beneath, a busy mount ends it here; so does BUSY_REFUSE. */
static int check_busy(struct replacing *r)
{
        int busy;

        if (r->request->busy == BUSY_DETACH || (r->request->busy == BUSY_WAIT && r->beneath))
                return 0;
        busy = mountpoint_test_busy(&r->place, r->old_fd);
        if (busy > 0)
                return answer_end(r->answer, APPLY_END_BUSY, "%s is in use%s", r->old.target,
                                  r->request->busy == BUSY_WAIT ? ", and before Linux 6.5 a new mount cannot wait beneath" : "");
        return busy;
}

/* Until here nothing was moved. */
static int check_awaited(struct replacing *r)
{
        if (answer_is_awaited())
                return 0;
        return answer_end(r->answer, APPLY_END_REFUSED, "%s: nobody waits for the answer any more", r->old.target);
}

/* Where the old mount and the one it stands on are shared, an unmount in another namespace is one here. */
static bool can_put_over(const struct replacing *r)
{
        return strncmp(r->old.propagation, "shared:", 7) == 0 && r->old.parent_propagation &&
               strncmp(r->old.parent_propagation, "shared:", 7) == 0;
}

/* What copies in other mount namespaces would lose. */
static int check_copies(struct replacing *r)
{
        cleanup(namespaces_done) struct namespaces all = {};
        cleanup_free char *words = NULL;
        int e = namespaces_read("/proc", &r->old, &all);

        if (e == 0 && !r->beneath && can_put_over(r))
                e = copies_check_lost(&all, &words);
        if (e == 0)
                e = copies_read(&all, &r->intent.copies, &r->intent.n_copies, &words);
        return e > 0 ? answer_end(r->answer, APPLY_END_REFUSED, "%s: %s", r->old.target, words) : e;
}

/* ---- records --------------------------------------------------------------------- */

static void begin_intent(struct replacing *r)
{
        r->intent = (struct intent) {
                .mount = r->old,
                .staging = r->request->staging,
                .rollback = r->request->rollback,
                .by_hand = r->request->by_hand,
                .persist = r->request->persist,
                .started_realtime_usec = clock_usec(CLOCK_REALTIME),
        };
}

/* Nothing is done that is not on disk. */
static int record(struct replacing *r, enum intent_step step)
{
        int e = boot_id_read(r->intent.boot);

        r->intent.step = step;
        if (e == 0)
                e = intent_write(r->state_fd, &r->intent);
        if (e == 0)
                return 0;
        return answer_end(r->answer, APPLY_END_REFUSED, "%s: the record of what is to be done cannot be written (%s)",
                          r->old.target, strerror(-e));
}

/* ---- staging ------------------------------------------------------------------------ */

static int check_options(struct replacing *r)
{
        char *words = NULL;
        int e = staging_check(&r->request->staging, &r->old.super, &r->staged.facts.super, &words);

        if (e > 0)
                return answer_end_words(r->answer, APPLY_END_REFUSED, words);
        if (e == 0 && device_equal(r->staged.facts.device, r->old.device))
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: the kernel gives the new mount the superblock of the "
                                  "old one, with which nothing would change", r->old.target);
        return e;
}

/* There are servers that break on large replies: the bytes of a file have to survive. */
static int check_bytes(struct replacing *r)
{
        const struct mount_facts *m = &r->staged.facts;
        struct nfs_options o;
        enum outcome outcome = OUTCOME_NOT_RUN;
        int error = 0, e;

        if (!r->request->may_write)
                return 0;
        nfs_options_read(&m->super, &o);
        e = roundtrip_check(r->staged.fd, m, r->request->user, r->request->directory, o.rsize_bytes, o.wsize_bytes,
                            clock_monotonic_usec() + ROUNDTRIP_USEC, &outcome, &error);
        if (e < 0 || outcome == OUTCOME_OK)
                return e;
        if (outcome == OUTCOME_TIME_BUDGET)
                staged_abort(&r->staged);
        return answer_end(r->answer, APPLY_END_REFUSED, "%s: a file of twice wsize written and read back through a mount "
                          "with the new options: %s%s%s", r->old.target, outcome_words(outcome), error ? ", " : "",
                          error ? strerror(error) : "");
}

static int stage(struct replacing *r)
{
        char *words = NULL;
        int e = mountpoint_leave();

        if (e == 0)
                e = staged_open(&r->old, &r->request->staging.to, r->attributes, &r->staged, &words);
        if (e > 0)
                return answer_end_words(r->answer, APPLY_END_REFUSED, words);
        if (e == 0)
                e = check_options(r);
        if (e == 0)
                e = check_bytes(r);
        if (e == 0)
                e = staged_clone(&r->staged, &r->new_fd);
        if (e == 0)
                e = mount_identity(r->new_fd, &r->intent.new_mount_id, &r->intent.new_device);
        close_descriptor(&r->staged.fd);
        return e;
}

/* The read-ahead belongs to the superblock's bdi, and goes with the old one; whoever set it meant the mount. */
static void carry_read_ahead(struct replacing *r)
{
        const struct staging *s = &r->request->staging;
        uint64_t kib = s->read_ahead_kib ? s->read_ahead_kib : read_ahead_of(r->old.device);

        read_ahead_settle();
        if (kib)
                (void) read_ahead_set(r->intent.new_device, kib, r->answer);
}

/* ---- in its place ----------------------------------------------------------------------- */

/* What stands there now is used already: first what others may do with it. */
static void carry(struct replacing *r, int fd, struct device device)
{
        int e;

        copies_restore(r->intent.copies, r->intent.n_copies, device, r->answer);
        intent_forget_copies(&r->intent);
        e = mount_carry_propagation(fd, r->old.propagation);
        if (e < 0)
                answer_note(r->answer, "its propagation could not be carried over (%s)", strerror(-e));
}

/* Both mounts hold or the new one alone: it is for the daemon to remember. The propagation of one that waits is set when it
 * is revealed: until then the unmount of the old one spreads through it. */
static int finish(struct replacing *r, enum apply_end end)
{
        int e;

        if (end == APPLY_END_DONE)
                carry(r, r->new_fd, r->intent.new_device);
        close_descriptor(&r->new_fd);
        r->intent.step = end == APPLY_END_ARMED ? INTENT_ARMED : INTENT_DONE;
        e = intent_write(r->state_fd, &r->intent);
        if (e < 0)
                answer_note(r->answer, "the record could not be brought up to date (%s)", strerror(-e));
        e = end == APPLY_END_ARMED ? mountfacts_by_id(r->old.mount_id, &r->answer->mount) :
                                     mountfacts_by_id(r->intent.new_mount_id, &r->answer->mount);
        if (e < 0)
                return answer_end(r->answer, APPLY_END_FAILED, "%s: the new mount is not in the mount table", r->old.target);
        return answer_end(r->answer, end, NULL);
}

static int put_beneath(struct replacing *r)
{
        struct device device;
        uint64_t id;
        int e = record(r, INTENT_BENEATH);

        if (e != 0)
                return e;
        e = mountpoint_attach(&r->place, r->new_fd, true);
        if (e < 0)
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: the new mount cannot be put beneath: %s", r->old.target,
                                  strerror(-e));
        e = mountpoint_top(&r->place, &id, &device);
        if (e == 0 && id != r->old.mount_id && id != r->intent.new_mount_id)
                return answer_end(r->answer, APPLY_END_FAILED, "%s: somebody mounted something there in this moment, which is "
                                  "left alone; the new mount lies beneath it", r->old.target);
        if (e == 0 && id == r->old.mount_id)
                e = mountpoint_unmount(&r->place, r->request->busy == BUSY_DETACH);
        if (e == -EBUSY)
                return finish(r, APPLY_END_ARMED);
        return e < 0 ? e : finish(r, APPLY_END_DONE);
}

/* The kernel lets an unmount that spreads pass beneath a mount that covers the whole of the old one, and puts that in its
 * place (propagate_umount() in fs/pnode.c, since Linux 4.12). Return: 0 or a negative errno (-EBUSY). */
static int unmount_beneath(struct replacing *r, const struct mountpoint *twin)
{
        cleanup(mount_facts_done) struct mount_facts old = {};
        int e = mountpoint_enter(twin), back;

        if (e == 0)
                e = mountpoint_unmount(twin, r->request->busy == BUSY_DETACH);
        back = mountpoint_enter(&r->place);
        if (e < 0 || back < 0)
                return e < 0 ? e : back;
        e = mountfacts_by_id(r->old.mount_id, &old);
        if (e == -ENOENT || (e == 0 && !device_equal(old.device, r->old.device)))
                return 0;
        return e < 0 ? e : -EOPNOTSUPP;
}

/* Before Linux 6.5: on top of the old one, which is unmounted from beneath it. */
static int put_over(struct replacing *r)
{
        cleanup(mountpoint_done) struct mountpoint twin = { .namespace_fd = -1, .parent_fd = -1 };
        int e = record(r, INTENT_BENEATH), off;

        if (e == 0)
                e = mountpoint_twin(&r->place, &twin);
        if (e == 0)
                e = mountpoint_enter(&r->place);
        if (e != 0)
                return e;
        e = mountpoint_attach(&r->place, r->new_fd, false);
        if (e < 0)
                return answer_end(r->answer, APPLY_END_REFUSED, "%s: the new mount cannot be attached: %s", r->old.target,
                                  strerror(-e));
        e = unmount_beneath(r, &twin);
        if (e == 0)
                return finish(r, APPLY_END_DONE);
        off = mountpoint_uncover(&r->place);
        if (off < 0)
                return answer_end(r->answer, APPLY_END_FAILED, "%s: the new mount is on top of the old one and cannot be "
                                  "taken off: %s", r->old.target, strerror(-off));
        if (e == -EBUSY)
                return answer_end(r->answer, APPLY_END_BUSY, "%s was taken into use in the last moment", r->old.target);
        return answer_end(r->answer, APPLY_END_REFUSED, "%s cannot be unmounted: %s", r->old.target, strerror(-e));
}

/* Between the two calls the path is without its mount: nothing else stands there. */
static int swap(struct replacing *r)
{
        int e = record(r, INTENT_SWAP), put;

        if (e != 0)
                return e;
        e = mountpoint_unmount(&r->place, r->request->busy == BUSY_DETACH);
        put = e == 0 ? mountpoint_attach(&r->place, r->new_fd, false) : 0;
        if (e == -EBUSY)
                return answer_end(r->answer, APPLY_END_BUSY, "%s was taken into use in the last moment", r->old.target);
        if (e < 0)
                return answer_end(r->answer, APPLY_END_REFUSED, "%s cannot be unmounted: %s", r->old.target, strerror(-e));
        if (put < 0) {
                e = mountpoint_attach(&r->place, r->old_fd, false);
                if (e == 0)
                        carry(r, r->old_fd, r->old.device);
                return answer_end(r->answer, APPLY_END_FAILED, "%s: the new mount could not be attached (%s); %s",
                                  r->old.target, strerror(-put),
                                  e < 0 ? "neither could the old one" : "the old one is back");
        }
        return finish(r, APPLY_END_DONE);
}

/* ---- the whole --------------------------------------------------------------------------- */

static int run(struct replacing *r)
{
        int e = find_old(r);

        if (e == 0)
                e = check_old(r);
        if (e == 0)
                e = check_top(r);
        if (e == 0)
                e = mountpoint_clone_top(&r->place, &r->old_fd);
        if (e == 0)
                e = check_busy(r);
        if (e != 0)
                return e;
        begin_intent(r);
        e = record(r, INTENT_STAGING);
        if (e == 0)
                e = stage(r);
        if (e == 0)
                carry_read_ahead(r);
        if (e == 0)
                e = check_again(r);
        if (e == 0)
                e = check_copies(r);
        if (e == 0)
                e = check_busy(r);
        if (e == 0)
                e = check_awaited(r);
        if (e == 0)
                e = r->beneath ? put_beneath(r) : can_put_over(r) ? put_over(r) : swap(r);
        return e;
}

/* Is it as it was before, or as good: something is mounted there (not what the old one covered), and the new mount is
 * nowhere? */
static bool is_as_before(struct replacing *r)
{
        cleanup(mount_facts_done) struct mount_facts new = {};
        struct device device;
        uint64_t id = 0;

        if (mountpoint_enter(&r->place) < 0 || mountpoint_top(&r->place, &id, &device) < 0 || id == 0 ||
            id == r->old.parent_id)
                return false;
        return r->intent.new_mount_id == 0 || mountfacts_by_id(r->intent.new_mount_id, &new) == -ENOENT;
}

int replace_run(const struct apply_request *request, int state_fd, struct apply_answer *ret)
{
        cleanup(replacing_done) struct replacing r = {
                .request = request, .state_fd = state_fd, .answer = ret, .beneath = can_move_beneath(),
                .place = { .namespace_fd = -1, .parent_fd = -1 }, .staged = { .fd = -1 }, .old_fd = -1, .new_fd = -1,
        };
        int e = run(&r);

        if (e < 0 && e != -ENOMEM)
                e = answer_end(ret, APPLY_END_FAILED, "%s: %s", request->mount.target, strerror(-e));
        if (r.intent.mount.target && ret->end != APPLY_END_DONE && ret->end != APPLY_END_ARMED && is_as_before(&r) &&
            intent_remove(state_fd, r.old.target) < 0)
                answer_note(ret, "its record could not be removed");
        return e == -ENOMEM ? e : 0;
}
