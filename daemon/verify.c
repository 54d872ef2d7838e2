/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the changed mount answer, and is it slower than what was there before? */

#include "daemon/verify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>

#include "daemon/fscontext.h"
#include "daemon/mountpoint.h"
#include "daemon/utf8.h"
#include "policy/names.h"
#include "policy/text.h"
#include "probe/anchor.h"
#include "probe/child.h"
#include "probe/clock.h"
#include "probe/descriptor.h"
#include "probe/pairs.h"
#include "probe/writer.h"

#define ANSWER_USEC (10 * USEC_PER_SEC) /* for the attributes of the root, where the budget is not shorter */
#define GRACE_USEC (5 * USEC_PER_SEC)   /* that one call into NFS may take when time is up, before it hangs */
#define WORDS_MAX 512

_Static_assert(PAIRS_MAX <= COMPARE_PAIRS_MAX && PAIRS_MIN >= COMPARE_PAIRS_MIN, "pairs that can be compared");

/* Shared with the children. */
struct verification {
        const struct apply_request *request;
        int live_fd;                    /* the changed mount's root */
        struct mount_facts private;     /* identity of the mount of the old options */
        int private_fd;
        usec_t save_deadline_usec;
        bool saving;                    /* the private mount is there; pairs tell how far it came */
        struct pairs pairs;
        char obstacle[WORDS_MAX];       /* why nothing was compared; "" none */
};

/* ---- in the children --------------------------------------------------------------- */

static int ask(void *shared)
{
        const struct verification *v = shared;

        return anchor_ask_server(v->live_fd);
}

static int stop(struct verification *v, const char *step, const char *why)
{
        snprintf(v->obstacle, sizeof(v->obstacle), "%s: %s", step, why);
        return 1;
}

/* A detached mount: it is in no namespace, and ends with the process. Of NFS it must be a
 * superblock of its own, else the kernel may hand out the changed one.
 * Return: 0, 1 with an obstacle, or -ENOMEM. */
static int mount_old_options(struct verification *v)
{
        const struct apply_request *q = v->request;
        cleanup(options_done) struct options options = {};
        cleanup_free char *words = NULL;

        if (options_copy(&q->staging.from, &options) < 0)
                return -ENOMEM;
        if (strncmp(q->mount.fstype, "nfs", strlen("nfs")) == 0 && options_set(&options, "nosharecache", NULL) < 0)
                return -ENOMEM;
        int r = fscontext_mount(q->mount.fstype, q->mount.source, &options,
                                MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC, &v->private_fd, &words);
        if (r < 0)
                return words ? stop(v, "the old options cannot be mounted beside it", words) : -ENOMEM;
        r = mount_identity(v->private_fd, &v->private.mount_id, &v->private.device);
        return r < 0 ? stop(v, "the private mount of the old options", strerror(-r)) : 0;
}

/* Return: 0, or 1 with an obstacle. */
static int open_directory(struct verification *v, const struct mount_facts *m, int root_fd, int *ret_fd)
{
        const char *directory = v->request->directory;
        int anchor = anchor_open_directory(m, root_fd, directory, ret_fd);

        if (anchor == ANCHOR_HELD)
                return 0;
        /* Denied to root: as any write would be, so that the owner is tried. */
        if (anchor == -EACCES || anchor == -EPERM)
                v->pairs = (struct pairs){
                        .outcome = OUTCOME_DENIED, .error = -anchor, .in_after = root_fd == v->live_fd,
                };
        return stop(v, directory && strcmp(directory, ".") != 0 ? directory : "the root of the mount",
                    anchor < 0 ? strerror(-anchor) : "a symbolic link or another mount is on the way");
}

static int save_on_both(struct verification *v, const struct ownfile_identity *identity)
{
        cleanup(close_descriptor) int before_fd = -1;
        cleanup(close_descriptor) int after_fd = -1;
        struct budget budget = {
                .bytes_left = (PAIRS_MAX + 1) * PAIRS_BYTES, .deadline_usec = v->save_deadline_usec,
        };

        if (open_directory(v, &v->private, v->private_fd, &before_fd) != 0 ||
            open_directory(v, &v->request->mount, v->live_fd, &after_fd) != 0)
                return 0;
        v->obstacle[0] = '\0';
        (void)!ownfile_sweep(identity, after_fd);       /* what remains is tried again by the next probe */
        return pairs_run(before_fd, after_fd, identity, &budget, &v->pairs);
}

static int become_named(struct verification *v)
{
        cleanup_free char *words = NULL;
        int r = writer_become_named(v->request->user, &words);

        return r > 0 ? stop(v, "nothing was written", words) : r;
}

static int compare(void *shared)
{
        struct verification *v = shared;
        struct ownfile_identity identity;

        int r = ownfile_identity_self(&identity);
        if (r < 0)
                return r;
        r = mount_old_options(v);
        if (r == 0)
                r = become_named(v);
        if (r != 0)
                return MIN(r, 0);
        v->saving = true;
        r = save_on_both(v, &identity);
        if (r == 0 && v->pairs.outcome == OUTCOME_DENIED && writer_become_owner(v->request->user, v->live_fd))
                r = save_on_both(v, &identity);
        return r;
}

/* ---- what it means ------------------------------------------------------------------ */

static int say(struct apply_answer *a, enum apply_end end, struct text *words)
{
        a->end = end;
        a->words = text_take(words);
        return a->words ? 0 : -ENOMEM;
}

static const char not_compared[] = "not compared with the old options";

static int without_comparison(struct apply_answer *a, const char *why)
{
        struct text t = {};

        text_add(&t, "%s: %s", not_compared, why);
        return say(a, APPLY_END_DONE, &t);
}

static const char *words_of(const struct pairs *p)
{
        return p->outcome == OUTCOME_ERROR && p->error ? strerror(p->error) : outcome_words(p->outcome);
}

static int too_few(const struct verification *v, struct apply_answer *a)
{
        struct text t = {};

        text_add(&t, "%s: %u of %u pairs of saves fitted in the time (", not_compared, v->pairs.n, PAIRS_MIN);
        text_add_usec(&t, v->request->budget_usec);
        text_add(&t, ")");
        return say(a, APPLY_END_DONE, &t);
}

/* A save that failed. Of the changed mount, wrong bytes and errors are the change's; a full disk is not. */
static int failed_save(const struct pairs *p, struct apply_answer *a)
{
        struct text t = {};

        if (p->in_after && (p->outcome == OUTCOME_CORRUPT || p->outcome == OUTCOME_ERROR)) {
                text_add(&t, "a file saved through the changed mount: %s", words_of(p));
                return say(a, APPLY_END_FAILED, &t);
        }
        text_add(&t, "%s: saving through %s: %s", not_compared,
                 p->in_after ? "the changed mount" : "a private mount of them", words_of(p));
        return say(a, APPLY_END_DONE, &t);
}

static int judge_pairs(const struct verification *v, struct apply_answer *a)
{
        const struct pairs *p = &v->pairs;

        if (v->obstacle[0])
                return without_comparison(a, v->obstacle);
        if (p->outcome == OUTCOME_TIME_BUDGET)
                return too_few(v, a);
        if (p->outcome != OUTCOME_OK)
                return failed_save(p, a);
        a->compared = compare_pairs(p->before_usec, p->after_usec, p->n, &a->comparison);
        return 0;
}

/* The child was killed: it does not look at the clock while a call into NFS hangs. */
static int judge_hang(const struct verification *v, struct apply_answer *a)
{
        struct text t = {};

        if (!v->saving || !v->pairs.in_after)
                return without_comparison(a, v->saving ? "a save through a private mount of them did not end in time"
                                                       : "mounting them beside it did not end in time");
        text_add(&t, "a save through the changed mount did not return");
        return say(a, APPLY_END_FAILED, &t);
}

/* ---- the whole --------------------------------------------------------------------- */

static int no_answer(struct apply_answer *a, int error)
{
        struct text t = {};

        if (error == -ETIMEDOUT)
                text_add(&t, "the mount does not answer: the attributes of its root did not come in time");
        else
                text_add(&t, "the mount does not answer: %s", strerror(-error));
        return say(a, APPLY_END_FAILED, &t);
}

static int check_speed(struct verification *v, usec_t deadline_usec, struct apply_answer *a)
{
        v->save_deadline_usec = deadline_usec - MIN(v->request->budget_usec / 2, GRACE_USEC);
        int r = child_run(compare, v, deadline_usec);

        switch (r) {
        case 0:
                return judge_pairs(v, a);
        case -ETIMEDOUT:
                return judge_hang(v, a);
        case -ENOMEM:
                return r;
        case -ECHILD:
                return without_comparison(a, "the process that measured ended unexpectedly");
        default:
                return without_comparison(a, strerror(-r));
        }
}

static int check(struct verification *v, struct apply_answer *a)
{
        const struct apply_request *q = v->request;
        const usec_t start = clock_monotonic_usec();
        const usec_t deadline = start + MIN(q->budget_usec, USEC_PER_HOUR);

        int r = child_run(ask, v, MAX(start + USEC_PER_SEC, MIN(deadline, start + ANSWER_USEC)));
        if (r < 0)
                return no_answer(a, r);
        if (!q->may_write)
                return without_comparison(a, "this mount is not to be written to");
        return check_speed(v, deadline, a);
}

/* The path is not the mount that was changed, or cannot be looked at. */
static int not_held(const struct apply_request *q, int anchor, struct apply_answer *a)
{
        struct text t = {};

        if (anchor < 0)
                return no_answer(a, anchor);
        text_add_printable(&t, q->mount.target);
        text_add(&t, " is not the mount that was to be verified any more");
        return say(a, APPLY_END_NOTHING, &t);
}

int verify_run(const struct apply_request *r, struct apply_answer *ret)
{
        cleanup(close_descriptor) int live_fd = -1;
        struct verification *v;
        int anchor = anchor_open_root(&r->mount, &live_fd);

        if (anchor != ANCHOR_HELD)
                return not_held(r, anchor, ret);
        v = child_memory_new(sizeof(*v));
        if (!v)
                return -ENOMEM;
        *v = (struct verification){ .request = r, .live_fd = live_fd, .private_fd = -1 };
        ret->end = APPLY_END_DONE;
        int status = check(v, ret);
        child_memory_free(v, sizeof(*v));
        return status;
}
