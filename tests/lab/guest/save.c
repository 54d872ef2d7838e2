/* Save a file as an editor does, without an interpreter's noise: create, write in blocks, close.
 * Prints four times in milliseconds: all of it, open, the longest write, close.
 * usage: save FILE KIB [BLOCK_BYTES] */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void) {
        struct timespec ts;

        clock_gettime(CLOCK_MONOTONIC, &ts);
        return (double) ts.tv_sec * 1e3 + (double) ts.tv_nsec / 1e6;
}

static int complain(const char *what) {
        fprintf(stderr, "save: %s: %s\n", what, strerror(errno));
        return 1;
}

int main(int argc, char **argv) {
        size_t left, block = argc > 3 ? strtoul(argv[3], NULL, 10) : 8192;
        double start, opened, before, after, closing, longest = 0;
        char *buffer;
        int fd;

        if (argc < 3 || block == 0) {
                fprintf(stderr, "usage: save FILE KIB [BLOCK_BYTES]\n");
                return 2;
        }
        left = strtoul(argv[2], NULL, 10) * 1024;
        buffer = malloc(block);
        if (!buffer)
                return complain("malloc");
        memset(buffer, 'x', block);

        start = now_ms();
        fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (fd < 0)
                return complain("open");
        opened = before = now_ms();
        while (left > 0) {
                ssize_t n = write(fd, buffer, left < block ? left : block);

                if (n < 0)
                        return complain("write");
                left -= (size_t) n;
                after = now_ms();
                if (after - before > longest)
                        longest = after - before;
                before = after;
        }
        closing = now_ms();
        if (close(fd) < 0)
                return complain("close");
        after = now_ms();
        printf("%.3f %.3f %.3f %.3f\n", after - start, opened - start, longest, after - closing);
        free(buffer);
        return 0;
}
