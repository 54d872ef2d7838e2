/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The life of one file of ours on somebody's server. */
#include "probe/testfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "probe/clock.h"
#include "probe/pattern.h"

#define READ_BYTES (64 * KIB)   /* of the verification */
#define READ_ALIGNMENT 4096     /* O_DIRECT of local file systems; NFS has none */

bool budget_lasts(const struct budget *b)
{
        static const int ends[] = { SIGTERM, SIGINT, SIGHUP, SIGALRM };
        sigset_t pending;

        if (clock_monotonic_usec() >= b->deadline_usec)
                return false;
        sigpending(&pending);
        for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
                if (sigismember(&pending, ends[i]))
                        return false;
        return true;
}

enum outcome outcome_of_errno(int error)
{
        switch (error) {
        case 0:
                return OUTCOME_OK;
        case EROFS:
                return OUTCOME_READ_ONLY;
        case ENOSPC:
                return OUTCOME_NO_SPACE;
        case EDQUOT:
                return OUTCOME_QUOTA;
        case EACCES:
        case EPERM:
                return OUTCOME_DENIED;
        case EEXIST:            /* O_EXCL: our name was planted */
        case ELOOP:
        case EXDEV:
                return OUTCOME_UNSAFE;
        default:
                return OUTCOME_ERROR;
        }
}

/* What one file needs while it lives. */
struct life {
        const struct testfile *file;
        const struct shape *shape;
        struct budget *budget;
        struct workload_result *result;
        char name[NAME_MAX + 1];
        uint8_t *data;                  /* the whole content, made before anything is timed */
        struct sample writes;
        struct sample stables;
};

static void life_done(struct life *l)
{
        free(l->data);
        sample_done(&l->writes);
        sample_done(&l->stables);
}

/* The first failure is the outcome; what follows from it says nothing new. */
static void fail(struct life *l, int error)
{
        if (l->result->outcome != OUTCOME_OK && l->result->outcome != OUTCOME_TIME_BUDGET)
                return;
        l->result->outcome = outcome_of_errno(error);
        l->result->error = error;
}

/* Return: 0 or a negative errno. */
static int write_all(int fd, const uint8_t *data, size_t length_bytes)
{
        while (length_bytes > 0) {
                ssize_t n = write(fd, data, length_bytes);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        return -EIO;
                data += n;
                length_bytes -= (size_t)n;
        }
        return 0;
}

/* Sends the data, so that the fsync that follows is little more than a COMMIT.
 * A `sync` mount has done all of it in write(2). */
static int flush_without_commit(int fd, size_t length_bytes)
{
        const unsigned everything = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;

        return sync_file_range(fd, 0, (off_t)length_bytes, everything) < 0 ? -errno : 0;
}

/* Return: 0 or a negative errno. */
static int write_piece(struct life *l, int fd, unsigned piece)
{
        const struct shape *s = l->shape;
        usec_t start = clock_monotonic_usec();

        int r = write_all(fd, l->data + piece * s->piece_bytes, s->piece_bytes);
        if (r < 0)
                return r;
        sample_add(&l->writes, clock_monotonic_usec() - start);
        l->result->written_bytes += s->piece_bytes;
        l->budget->bytes_left -= s->piece_bytes;
        if (!s->stable)
                return 0;

        if (s->flush_first) {
                r = flush_without_commit(fd, (piece + 1) * s->piece_bytes);
                if (r < 0)
                        return r;
                start = clock_monotonic_usec();
        }
        if (fsync(fd) < 0)
                return -errno;
        sample_add(&l->stables, clock_monotonic_usec() - start);
        return 0;
}

static void write_pieces(struct life *l, int fd)
{
        for (unsigned i = 0; i < l->shape->pieces; i++) {
                if (!budget_lasts(l->budget) || l->budget->bytes_left < l->shape->piece_bytes) {
                        l->result->outcome = OUTCOME_TIME_BUDGET;
                        return;
                }
                int r = write_piece(l, fd, i);
                if (r < 0) {
                        fail(l, -r);
                        return;
                }
        }
}

/* An `async` mount reports a full disk or quota at the close. */
static void close_timed(struct life *l, int fd)
{
        usec_t start = clock_monotonic_usec();

        if (close(fd) < 0)
                fail(l, errno);
        l->result->close_usec = clock_monotonic_usec() - start;
}

/* ---- reading back -------------------------------------------------------- */

/* O_DIRECT passes the cache by; where it does not exist, the cache is asked to
 * forget the file. */
static int open_uncached(const struct life *l)
{
        const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;

        int fd = openat(l->file->dir_fd, l->name, flags | O_DIRECT);
        if (fd >= 0 || errno != EINVAL)
                return fd;
        fd = openat(l->file->dir_fd, l->name, flags);
        if (fd >= 0)
                (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        return fd;
}

/* It cannot be told whether the bytes are equal: @error, or 0 when time was up. */
static void cannot_tell(struct life *l, int error)
{
        if (!l->shape->must_verify)
                return;
        if (error)
                fail(l, error);
        else
                l->result->outcome = OUTCOME_TIME_BUDGET;
}

/* Return: 1 equal, 0 cannot be told, -EILSEQ different. */
static int compare(struct life *l, int fd, uint8_t *buffer, size_t buffer_bytes)
{
        uint64_t done = 0;

        while (done < l->result->written_bytes) {
                if (!budget_lasts(l->budget)) {
                        cannot_tell(l, 0);
                        return 0;
                }
                ssize_t n = pread(fd, buffer, buffer_bytes, (off_t)done);
                if (n < 0) {
                        cannot_tell(l, errno);
                        return 0;
                }
                if (n == 0 || (uint64_t)n > l->result->written_bytes - done ||
                    !pattern_matches(l->file->seed, done, buffer, (size_t)n))
                        return -EILSEQ;
                done += (uint64_t)n;
        }
        return 1;
}

static int verify(struct life *l)
{
        const size_t wanted = l->shape->read_bytes ?: READ_BYTES;
        const size_t buffer_bytes = (wanted + READ_ALIGNMENT - 1) / READ_ALIGNMENT * READ_ALIGNMENT;
        cleanup_free char *buffer = aligned_alloc(READ_ALIGNMENT, buffer_bytes);

        if (!buffer)
                return -ENOMEM;
        int fd = open_uncached(l);
        if (fd < 0) {           /* a mode or mapping that lets us write only */
                cannot_tell(l, errno);
                return 0;
        }
        int r = compare(l, fd, (uint8_t *)buffer, buffer_bytes);
        close(fd);
        if (r < 0)
                l->result->outcome = OUTCOME_CORRUPT;
        l->result->verified = r > 0;
        return 0;
}

/* ---- all of it ------------------------------------------------------------ */

static int prepare(struct life *l)
{
        size_t length = l->shape->piece_bytes * l->shape->pieces;

        ownfile_name(l->file->identity, l->file->number, l->name);
        l->data = malloc(length);
        if (!l->data || sample_init(&l->writes, l->shape->pieces) < 0 || sample_init(&l->stables, l->shape->pieces) < 0)
                return -ENOMEM;
        pattern_fill(l->file->seed, 0, l->data, length);
        return 0;
}

/* Return: whether a file was created. */
static bool write_timed(struct life *l)
{
        usec_t start = clock_monotonic_usec();

        int fd = openat(l->file->dir_fd, l->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0) {
                fail(l, errno);
                return false;
        }
        l->result->open_usec = clock_monotonic_usec() - start;
        write_pieces(l, fd);
        close_timed(l, fd);
        l->result->total_usec = clock_monotonic_usec() - start;
        return true;
}

static void store_latencies(struct life *l)
{
        l->result->write = sample_latency(&l->writes);
        l->result->stable = sample_latency(&l->stables);
        l->result->stalls = sample_stalls(&l->writes, &l->result->longest_stall_usec);
}

int testfile_run(const struct testfile *f, const struct shape *shape, struct budget *budget,
                 struct workload_result *ret)
{
        cleanup(life_done) struct life l = { .file = f, .shape = shape, .budget = budget, .result = ret };

        int r = prepare(&l);
        if (r < 0)
                return r;
        if (!budget_lasts(budget)) {
                ret->outcome = OUTCOME_TIME_BUDGET;
                return 0;
        }
        ret->outcome = OUTCOME_OK;
        if (!write_timed(&l))
                return 0;
        store_latencies(&l);
        if (ret->outcome == OUTCOME_OK)
                r = verify(&l);
        if (unlinkat(f->dir_fd, l.name, 0) < 0)
                fail(&l, errno);
        return r;
}
