/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child with a deadline. */
#include "probe/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/clock.h"
#include "probe/privilege.h"

#define REAP_TRIES 20                   /* after a SIGKILL */
#define REAP_PAUSE_USEC (5 * USEC_PER_MSEC)

void *child_memory_new(size_t size_bytes)
{
        void *memory = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        return memory == MAP_FAILED ? NULL : memory;
}

void child_memory_free(void *memory, size_t size_bytes)
{
        if (memory)
                (void)munmap(memory, size_bytes);
}

static usec_t time_left_usec(usec_t deadline_usec)
{
        usec_t now = clock_monotonic_usec();

        return deadline_usec > now ? deadline_usec - now : 0;
}

/* ---- in the child --------------------------------------------------------------- */

static int prepare(pid_t parent, usec_t deadline_usec)
{
        const usec_t left_usec = MAX(MIN(time_left_usec(deadline_usec), USEC_PER_DAY), 1U);     /* 0 would be none */
        const struct itimerval timer = {
                .it_value = { (time_t)(left_usec / USEC_PER_SEC), (suseconds_t)(left_usec % USEC_PER_SEC) },
        };
        sigset_t set;

        int r = privilege_follow_parent(parent);
        if (r < 0)
                return r;
        sigemptyset(&set);
        sigaddset(&set, SIGALRM);
        if (signal(SIGALRM, SIG_DFL) == SIG_ERR || sigprocmask(SIG_UNBLOCK, &set, NULL) < 0)
                return -errno;
        /* The waits of NFS end by a deadly signal only, and one that became another user can be sent none by a caller
         * without CAP_KILL. */
        if (setitimer(ITIMER_REAL, &timer, NULL) < 0)
                return -errno;
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGINT);
        sigaddset(&set, SIGHUP);
        return sigprocmask(SIG_BLOCK, &set, NULL) < 0 ? -errno : 0;
}

/* Before Linux 5.9 all are kept. */
static void close_others(int a, int b)
{
        const unsigned low = (unsigned)MIN(a, b), high = (unsigned)MAX(a, b);

        if (low > 0)
                (void)close_range(0, low - 1, 0);
        if (high - low > 1)
                (void)close_range(low + 1, high - 1, 0);
        (void)close_range(high + 1, UINT_MAX, 0);
}

/* @keep_fd: the only descriptor that it holds, or -1: all of the caller's. */
_Noreturn static void be_child(pid_t parent, int (*work)(void *shared), void *shared, usec_t deadline_usec,
                               int keep_fd, int result_fd)
{
        int r = prepare(parent, deadline_usec);

        if (keep_fd >= 0)
                close_others(keep_fd, result_fd);
        if (r == 0)
                r = work(shared);
        /* Told before the end: closing what was opened on NFS may hang. */
        _exit(write(result_fd, &r, sizeof(r)) == (ssize_t)sizeof(r) ? 0 : 1);
}

/* ---- in the caller ---------------------------------------------------------------- */

static bool reap(pid_t child)
{
        return waitpid(child, NULL, WNOHANG) != 0;      /* ECHILD: somebody else did */
}

/* Never waits long: one that hangs in the kernel belongs to nobody then. */
static void end(pid_t child)
{
        if (reap(child))
                return;
        (void)kill(child, SIGKILL);     /* it may not be ours to kill; then its own timer ends it */
        for (unsigned i = 0; i < REAP_TRIES && !reap(child); i++)
                (void)usleep(REAP_PAUSE_USEC);
}

/* Return: what the child said, -ETIMEDOUT, or -ECHILD when it ended without a word. */
static int hear(int result_fd, usec_t deadline_usec)
{
        struct pollfd p = { .fd = result_fd, .events = POLLIN };
        int n, said = 0;

        do {
                const usec_t left_usec = MIN(time_left_usec(deadline_usec), USEC_PER_DAY);

                n = poll(&p, 1, (int)((left_usec + USEC_PER_MSEC - 1) / USEC_PER_MSEC));
        } while (n < 0 && errno == EINTR);
        if (n < 0)
                return -errno;
        if (n == 0)
                return -ETIMEDOUT;
        if (read(result_fd, &said, sizeof(said)) == (ssize_t)sizeof(said))
                return said;
        return time_left_usec(deadline_usec) == 0 ? -ETIMEDOUT : -ECHILD;       /* by its timer */
}

static int run(int (*work)(void *shared), void *shared, int keep_fd, usec_t deadline_usec)
{
        const pid_t parent = getpid();
        int result[2];

        if (pipe2(result, O_CLOEXEC) < 0)
                return -errno;
        pid_t child = fork();
        if (child == 0)
                be_child(parent, work, shared, deadline_usec, keep_fd, result[1]);
        int r = child < 0 ? -errno : 0;
        (void)close(result[1]);
        if (r == 0) {
                r = hear(result[0], deadline_usec);
                end(child);
        }
        (void)close(result[0]);
        return r;
}

int child_run(int (*work)(void *shared), void *shared, usec_t deadline_usec)
{
        return run(work, shared, -1, deadline_usec);
}

int child_run_alone(int (*work)(void *shared), void *shared, int keep_fd, usec_t deadline_usec)
{
        return run(work, shared, keep_fd, deadline_usec);
}
