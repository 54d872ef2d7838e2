/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps a file in use until SIGTERM, and counts what fails.
 *
 *   busy read FILE    opens, fstats, reads a byte of, closes and stats it by its path, as fast as it goes
 *   busy write FILE   makes it, locks it, writes 4 KiB blocks one after the other, a millisecond apart; block N holds N,
 *                     as 1,024 numbers of 32 bits in the host's order; at the end fsync and close
 *
 * Prints: OPERATIONS FAILURES BYTES, and the first error in words.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct count {
        unsigned long operations, failures, bytes;
        int error;
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
        (void) number;
        stop = 1;
}

/* Is it fine? */
static int counted(struct count *c, long result)
{
        c->operations++;
        if (result >= 0)
                return 1;
        if (c->failures++ == 0)
                c->error = errno;
        return 0;
}

static void read_once(struct count *c, const char *file)
{
        struct stat st;
        char byte;
        int fd = open(file, O_RDONLY);

        if (counted(c, fd)) {
                counted(c, fstat(fd, &st));
                if (counted(c, read(fd, &byte, 1)))
                        c->bytes++;
                counted(c, close(fd));
        }
        counted(c, stat(file, &st));
}

static void write_all(struct count *c, const char *file)
{
        const struct timespec pause = { .tv_nsec = 1000000 };
        struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        uint32_t block[1024];
        int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0644);

        if (!counted(c, fd) || !counted(c, fcntl(fd, F_SETLK, &lock)))
                return;
        for (uint32_t n = 0; !stop; n++) {
                for (size_t i = 0; i < sizeof(block) / sizeof(block[0]); i++)
                        block[i] = n;
                if (counted(c, write(fd, block, sizeof(block)) == (ssize_t) sizeof(block) ? 0 : -1))
                        c->bytes += sizeof(block);
                nanosleep(&pause, NULL);
        }
        counted(c, fsync(fd));
        counted(c, close(fd));
}

int main(int argc, char **argv)
{
        struct count c = { 0 };

        if (argc != 3 || (strcmp(argv[1], "read") != 0 && strcmp(argv[1], "write") != 0)) {
                fprintf(stderr, "usage: busy read|write FILE\n");
                return 2;
        }
        signal(SIGTERM, on_signal);
        if (argv[1][0] == 'w')
                write_all(&c, argv[2]);
        else
                while (!stop)
                        read_once(&c, argv[2]);
        printf("%lu %lu %lu %s\n", c.operations, c.failures, c.bytes, c.failures ? strerror(c.error) : "-");
        return c.failures != 0;
}
