/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One file, there and back. */
#include "probe/roundtrip.h"

#include <errno.h>
#include <unistd.h>

#include "probe/anchor.h"
#include "probe/child.h"
#include "probe/clock.h"
#include "probe/testfile.h"
#include "probe/writer.h"

#define PAGE 4096U
#define TRANSFER_BYTES_MAX (8 * MIB)    /* a larger size is no client's */
#define SWEEP_SHARE 5                   /* of the time, kept back for removing what a killed child left */

/* Shared with the children. */
struct trip {
        int root_fd;
        const struct mount_facts *mount;
        const char *user;
        const char *directory;
        size_t file_bytes;
        size_t read_bytes;
        usec_t deadline_usec;           /* of the child at work */
        bool as_owner;                  /* it was denied to root */
        enum outcome outcome;
        int error;
};

static void end_with(struct trip *t, enum outcome outcome, int error)
{
        t->outcome = outcome;
        t->error = error;
}

/* Return: whether it was opened; else the outcome says why not. */
static bool open_directory(struct trip *t, int *ret_fd)
{
        int anchor = anchor_open_directory(t->mount, t->root_fd, t->directory, ret_fd);

        if (anchor == ANCHOR_MOUNT_CHANGED)
                end_with(t, OUTCOME_MOUNT_CHANGED, 0);
        else if (anchor == ANCHOR_UNSAFE)
                end_with(t, OUTCOME_UNSAFE, 0);
        else if (anchor == -ENOENT || anchor == -ENOTDIR)
                end_with(t, OUTCOME_NOT_RUN, -anchor);
        else if (anchor < 0)
                end_with(t, outcome_of_errno(-anchor), -anchor);
        return anchor == ANCHOR_HELD;
}

static int write_and_read(struct trip *t, const struct ownfile_identity *identity)
{
        const struct shape shape = {
                .piece_bytes = t->file_bytes, .pieces = 1, .read_bytes = t->read_bytes, .must_verify = true,
        };
        struct budget budget = { .bytes_left = t->file_bytes, .deadline_usec = t->deadline_usec };
        struct testfile file = { .identity = identity, .seed = clock_monotonic_usec() };
        struct workload_result result = { 0 };

        if (!open_directory(t, &file.dir_fd))
                return 0;
        int r = testfile_run(&file, &shape, &budget, &result);
        (void)close(file.dir_fd);       /* a directory, only read from */
        if (r == 0)
                end_with(t, result.outcome, result.error);
        return r;
}

/* Return: 0, 1 when it cannot be (with the outcome), or -ENOMEM. */
static int become_named(struct trip *t)
{
        cleanup_free char *words = NULL;
        int r = writer_become_named(t->user, &words);

        if (r > 0)
                end_with(t, OUTCOME_NOT_RUN, ESRCH);
        return r;
}

/* The child's work. */
static int travel(void *shared)
{
        struct trip *t = shared;
        struct ownfile_identity identity;

        int r = ownfile_identity_self(&identity);
        if (r == 0)
                r = become_named(t);
        if (r == 0)
                r = write_and_read(t, &identity);
        if (r != 0 || t->outcome != OUTCOME_DENIED)
                return MIN(r, 0);
        t->as_owner = writer_become_owner(t->user, t->root_fd);
        return t->as_owner ? write_and_read(t, &identity) : 0;
}

/* Another child's work. What cannot be removed now is tried again by the next probe. */
static int sweep(void *shared)
{
        struct trip *t = shared;
        struct ownfile_identity identity;
        int dir_fd;

        int r = ownfile_identity_self(&identity);
        if (r == 0)
                r = become_named(t);
        if (r != 0 || (t->as_owner && !writer_become_owner(t->user, t->root_fd)) || !open_directory(t, &dir_fd))
                return MIN(r, 0);
        r = ownfile_sweep(&identity, dir_fd);
        return MIN(r, 0);
}

static size_t transfer_bytes(uint64_t size_bytes)
{
        const uint64_t doubled = 2 * MIN(MAX(size_bytes, PAGE), TRANSFER_BYTES_MAX);

        return (size_t)((doubled + PAGE - 1) / PAGE * PAGE);
}

static usec_t child_deadline(usec_t deadline_usec)
{
        const usec_t now = clock_monotonic_usec();

        return deadline_usec > now ? deadline_usec - (deadline_usec - now) / SWEEP_SHARE : now;
}

static int run(struct trip *t, usec_t deadline_usec)
{
        t->deadline_usec = child_deadline(deadline_usec);
        int r = child_run(travel, t, t->deadline_usec);

        if (r != -ETIMEDOUT && r != -ECHILD)
                return r;
        const enum outcome outcome = r == -ETIMEDOUT ? OUTCOME_TIME_BUDGET : OUTCOME_ERROR;
        r = child_run(sweep, t, deadline_usec);
        end_with(t, outcome, 0);
        return r == -ENOMEM ? r : 0;
}

int roundtrip_check(int root_fd, const struct mount_facts *m, const char *user, const char *directory,
                    uint64_t rsize_bytes, uint64_t wsize_bytes, usec_t deadline_usec, enum outcome *ret_outcome,
                    int *ret_error)
{
        struct trip *t = child_memory_new(sizeof(*t));

        if (!t)
                return -ENOMEM;
        *t = (struct trip){
                .root_fd = root_fd, .mount = m, .user = user, .directory = directory,
                .read_bytes = transfer_bytes(rsize_bytes),
                .file_bytes = MAX(transfer_bytes(rsize_bytes), transfer_bytes(wsize_bytes)),
        };
        int r = run(t, deadline_usec);
        *ret_outcome = t->outcome;
        *ret_error = t->error;
        child_memory_free(t, sizeof(*t));
        return r;
}
