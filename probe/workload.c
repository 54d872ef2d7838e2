/* SPDX-License-Identifier: GPL-2.0-or-later */
/* editor-save, copy and commit in their short forms: DESIGN section 7. */
#include "probe/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "policy/text.h"
#include "probe/anchor.h"
#include "probe/clock.h"
#include "probe/counters_window.h"
#include "probe/descriptor.h"
#include "probe/testfile.h"
#include "probe/writer.h"

#define STABLE_SMALL (4 * KIB)
#define STABLE_LARGE (64 * KIB)
#define STABLE_REPEATS 4
#define DEEP_WSIZES 4
#define DEEP_REPEATS 3
#define DEEP_BYTES_MAX (4 * MIB)        /* however many repeats; and a wsize beyond 1 MiB is no Linux client's */
#define PAGE 4096U

struct run {
        const struct probe_request *request;
        struct probe_result *result;
        struct ownfile_identity identity;
        struct budget budget;
        struct nfs_options options;
        int root_fd;
        int dir_fd;
        int mountstats_fd;              /* -1: unreadable, then nothing is known of the counters */
        unsigned files;
        uint64_t seed;
};

static void run_done(struct run *run)
{
        close_descriptor(&run->root_fd);
        close_descriptor(&run->dir_fd);
        close_descriptor(&run->mountstats_fd);
}

/* ---- one workload after the other ----------------------------------------- */

static int run_file(struct run *run, const struct shape *shape, struct workload_result *ret)
{
        struct testfile file = {
                .dir_fd = run->dir_fd,
                .identity = &run->identity,
                .number = run->files,
                .seed = run->seed + run->files,
        };

        run->files++;
        int r = testfile_run(&file, shape, &run->budget, ret);
        run->result->written_bytes += ret->written_bytes;
        return r;
}

static int run_sequential(struct run *run, enum workload w, const struct shape *shape)
{
        struct workload_result *result = &run->result->results[w];
        struct counters_window window = counters_window_open(&run->request->mount, run->mountstats_fd);

        int r = run_file(run, shape, result);
        if (result->written_bytes > 0)
                counters_window_close(&window, result);
        return r;
}

static size_t large_stable_bytes(const struct run *run)
{
        uint64_t wsize = run->options.wsize_bytes ?: STABLE_LARGE;

        return (size_t)MIN(wsize, STABLE_LARGE) / PAGE * PAGE;  /* one WRITE, no page in two of them */
}

/* pieces is 0 when it is not to be done. */
static struct shape deep_shape(const struct run *run)
{
        uint64_t bytes = DEEP_WSIZES * run->options.wsize_bytes;

        if (!run->request->deep_commit || bytes == 0 || bytes > DEEP_BYTES_MAX)
                return (struct shape){ 0 };
        return (struct shape){
                .piece_bytes = (size_t)bytes,
                .pieces = (unsigned)MIN(DEEP_BYTES_MAX / bytes, DEEP_REPEATS),
                .stable = true,
                .flush_first = !run->options.sync && !run->options.noac,
        };
}

/* Adds what a further file of the commit workload did; the times of open and
 * close stay the first file's. */
static void add_file(struct workload_result *all, const struct workload_result *file)
{
        all->written_bytes += file->written_bytes;
        all->verified = all->verified && file->verified;
        all->outcome = file->outcome;
        all->error = file->error;
}

static int run_commit(struct run *run)
{
        const struct shape shapes[STABLE_SIZES] = {
                { .piece_bytes = STABLE_SMALL, .pieces = STABLE_REPEATS, .stable = true },
                { .piece_bytes = large_stable_bytes(run), .pieces = STABLE_REPEATS, .stable = true },
                deep_shape(run),
        };
        struct workload_result *all = &run->result->results[WORKLOAD_COMMIT];
        struct counters_window window = counters_window_open(&run->request->mount, run->mountstats_fd);

        for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
                struct workload_result file = { .workload = WORKLOAD_COMMIT };

                if (shapes[i].pieces == 0 || (i > 0 && shapes[i].piece_bytes <= STABLE_SMALL))
                        continue;
                int r = run_file(run, &shapes[i], &file);
                if (r < 0)
                        return r;
                run->result->stable[i] = (struct stable_latency){ shapes[i].piece_bytes, file.stable };
                if (i == 0)
                        *all = file;
                else
                        add_file(all, &file);
                if (file.outcome != OUTCOME_OK)
                        break;
        }
        if (all->written_bytes > 0)
                counters_window_close(&window, all);
        return 0;
}

static int run_one(struct run *run, enum workload w)
{
        switch (w) {
        case WORKLOAD_EDITOR_SAVE:
                return run_sequential(run, w, &(struct shape){ .piece_bytes = 8 * KIB, .pieces = 32 });
        case WORKLOAD_COPY:
                return run_sequential(run, w, &(struct shape){ .piece_bytes = 128 * KIB, .pieces = 8 });
        case WORKLOAD_COMMIT:
                return run_commit(run);
        case WORKLOAD_COUNT:
                break;
        }
        return 0;
}

/* A slow one must not leave nothing to the others: each may use an equal part of
 * the time that is left. A failure ends the series: the next workload would only
 * meet it again. */
static int run_all(struct run *run)
{
        usec_t deadline_usec = run->budget.deadline_usec;

        for (enum workload w = 0; w < WORKLOAD_COUNT; w++) {
                usec_t now = clock_monotonic_usec();
                usec_t left_usec = deadline_usec > now ? deadline_usec - now : 0;
                enum outcome o;
                int r;

                run->budget.deadline_usec = now + left_usec / (WORKLOAD_COUNT - w);
                r = run_one(run, w);
                if (r < 0)
                        return r;
                o = run->result->results[w].outcome;
                if (o != OUTCOME_OK && o != OUTCOME_TIME_BUDGET)
                        break;
        }
        run->budget.deadline_usec = deadline_usec;
        return 0;
}

/* ---- getting there ---------------------------------------------------------- */

static void set_results(struct run *run, enum outcome outcome, int error)
{
        for (enum workload w = 0; w < WORKLOAD_COUNT; w++)
                run->result->results[w] = (struct workload_result){
                        .workload = w, .outcome = outcome, .error = error,
                };
}

/* Return: whether it is held; else every workload has its outcome. */
static bool held(struct run *run, int anchor)
{
        if (anchor == ANCHOR_MOUNT_CHANGED)
                set_results(run, OUTCOME_MOUNT_CHANGED, 0);
        else if (anchor == ANCHOR_UNSAFE)
                set_results(run, OUTCOME_UNSAFE, 0);
        else if (anchor < 0)
                set_results(run, outcome_of_errno(-anchor), -anchor);
        return anchor == ANCHOR_HELD;
}

/* Leftovers that cannot be removed now are tried again by the next probe. */
static void sweep(struct run *run)
{
        int n = ownfile_sweep(&run->identity, run->dir_fd);
        if (n > 0)
                run->result->swept_files += (unsigned)n;
}

/* Takes over the words. Return: 1, or -ENOMEM. */
static int skip(struct run *run, struct text *why)
{
        run->result->state = PROBE_SKIPPED;
        run->result->reason = text_take(why);
        return run->result->reason ? 1 : -ENOMEM;
}

/* Return: 0, 1 when the probe is skipped, or -ENOMEM. */
static int attempt(struct run *run)
{
        const struct probe_request *q = run->request;
        int anchor;

        set_results(run, OUTCOME_NOT_RUN, 0);
        close_descriptor(&run->dir_fd);
        anchor = anchor_open_directory(&q->mount, run->root_fd, q->directory, &run->dir_fd);
        if (anchor == -ENOENT || anchor == -ENOTDIR) {
                struct text why = { 0 };

                text_add(&why, "no directory %s below the mount ([probe] directory)", q->directory ?: ".");
                return skip(run, &why);
        }
        if (!held(run, anchor))
                return 0;
        sweep(run);
        return run_all(run);
}

/* Return: 0, 1 when the probe is skipped, or -ENOMEM. */
static int become_named(struct run *run)
{
        int r = writer_become_named(run->request->user, &run->result->reason);

        if (r > 0)
                run->result->state = PROBE_SKIPPED;
        return r;
}

static int run_request(struct run *run)
{
        if (!held(run, anchor_open_root(&run->request->mount, &run->root_fd)))
                return 0;
        int r = become_named(run);
        if (r != 0)
                return r < 0 ? r : 0;
        r = attempt(run);
        if (r != 0 || run->result->results[WORKLOAD_EDITOR_SAVE].outcome != OUTCOME_DENIED ||
            !writer_become_owner(run->request->user, run->root_fd))
                return MIN(r, 0);
        r = attempt(run);
        return MIN(r, 0);
}

static int prepare(struct run *run)
{
        const struct probe_request *q = run->request;

        nfs_options_read(&q->mount.super, &run->options);
        run->mountstats_fd = open("/proc/self/mountstats", O_RDONLY | O_CLOEXEC);
        struct shape deep = deep_shape(run);
        run->budget = (struct budget){
                .bytes_left = q->budget_bytes + deep.piece_bytes * deep.pieces,
                .deadline_usec = clock_monotonic_usec() + MIN(q->budget_usec, USEC_PER_HOUR),
        };
        if (getrandom(&run->seed, sizeof(run->seed), GRND_NONBLOCK) != sizeof(run->seed))
                run->seed = clock_monotonic_usec();
        return ownfile_identity_self(&run->identity);
}

int workload_run(const struct probe_request *request, struct probe_result *ret)
{
        struct probe_result result = { .state = PROBE_ACTIVE, .started_usec = clock_usec(CLOCK_BOOTTIME) };
        cleanup(run_done) struct run run = {
                .request = request, .result = &result, .root_fd = -1, .dir_fd = -1, .mountstats_fd = -1,
        };

        int r = prepare(&run);
        if (r == 0)
                r = run_request(&run);
        else if (r != -ENOMEM)          /* without a name of our own nothing may be written */
                set_results(&run, OUTCOME_ERROR, -r);
        if (r == -ENOMEM) {
                probe_result_done(&result);
                return r;
        }
        *ret = result;
        return 0;
}
