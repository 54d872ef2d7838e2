/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A B B A. */
#include "probe/pairs.h"

#include <sys/random.h>

#include "probe/clock.h"

#define PIECE_BYTES (8 * KIB)

struct run {
        struct testfile file;           /* number and seed are those of the next one */
        int dir_fds[2];                 /* before, after */
        struct budget *budget;
        struct pairs *pairs;
};

/* Return: 0 with a time, 1 when the outcome ends the series, or -ENOMEM. */
static int save(struct run *run, bool after, usec_t *ret_usec)
{
        const struct shape shape = { .piece_bytes = PIECE_BYTES, .pieces = PAIRS_BYTES / 2 / PIECE_BYTES };
        struct workload_result result = { .workload = WORKLOAD_EDITOR_SAVE };

        run->pairs->in_after = after;
        run->file.dir_fd = run->dir_fds[after];
        int r = testfile_run(&run->file, &shape, run->budget, &result);
        if (r < 0)
                return r;
        run->file.number++;
        run->file.seed++;
        run->pairs->outcome = result.outcome;
        run->pairs->error = result.error;
        *ret_usec = MAX(result.total_usec, 1U);
        return result.outcome == OUTCOME_OK ? 0 : 1;
}

static int save_pair(struct run *run, bool after_first, usec_t ret_usec[static 2])
{
        int r = save(run, after_first, &ret_usec[after_first]);

        return r == 0 ? save(run, !after_first, &ret_usec[!after_first]) : r;
}

/* Return: 0, or -ENOMEM. */
static int run_all(struct run *run)
{
        struct pairs *p = run->pairs;

        for (unsigned i = 0; i <= PAIRS_MAX; i++) {
                usec_t usec[2];
                int r = save_pair(run, i % 2 == 1, usec);

                if (r != 0)
                        return MIN(r, 0);
                if (i == 0)             /* the warm-up */
                        continue;
                p->before_usec[p->n] = usec[false];
                p->after_usec[p->n] = usec[true];
                p->n++;
        }
        return 0;
}

int pairs_run(int before_dir_fd, int after_dir_fd, const struct ownfile_identity *identity, struct budget *budget,
              struct pairs *ret)
{
        struct run run = {
                .file = { .identity = identity },
                .dir_fds = { before_dir_fd, after_dir_fd },
                .budget = budget,
                .pairs = ret,
        };

        *ret = (struct pairs){ 0 };
        if (getrandom(&run.file.seed, sizeof(run.file.seed), GRND_NONBLOCK) != sizeof(run.file.seed))
                run.file.seed = clock_monotonic_usec();
        int r = run_all(&run);
        if (ret->outcome == OUTCOME_TIME_BUDGET && ret->n >= PAIRS_MIN)
                ret->outcome = OUTCOME_OK;
        return r;
}
