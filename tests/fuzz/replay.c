/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tests/fuzz/replay.c - feeds stored inputs to a fuzzer's entry, without a fuzzer.
 *
 * Each file of the directories given is fed as a whole and cut at up to 64
 * places: a parser has to stand every half of its input. The input lies in an
 * allocation of its exact size, so that a sanitizer sees a read beyond it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/file.h"

#define CUTS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int feed(const char *text, size_t length)
{
        uint8_t *exact = malloc(length ? length : 1);

        if (!exact)
                return -ENOMEM;
        memcpy(exact, text, length);
        (void)LLVMFuzzerTestOneInput(exact, length);    /* 0 by convention */
        free(exact);
        return 0;
}

static int file_feed(const char *dir, const char *name)
{
        cleanup_free char *text = NULL;
        size_t length;
        int r = file_read_in(dir, name, 16 * MIB, &text, &length);

        for (size_t i = 1; r == 0 && i <= CUTS; i++)
                r = feed(text, length * i / CUTS);
        if (r < 0)
                fprintf(stderr, "%s/%s: %s\n", dir, name, strerror(-r));
        return r;
}

/* Return: number of files, or a negative errno. An empty corpus is an error. */
static int dir_feed(const char *dir)
{
        char **names;
        size_t n;
        int r = dir_list(dir, "", 100000, strcmp, &names, &n);

        for (size_t i = 0; r == 0 && i < n; i++)
                r = file_feed(dir, names[i]);
        names_free(names, n);
        if (r == 0 && n == 0)
                r = -ENOENT;
        return r < 0 ? r : (int)n;
}

int main(int argc, char **argv)
{
        for (int i = 1; i < argc; i++) {
                int n = dir_feed(argv[i]);

                if (n < 0) {
                        fprintf(stderr, "%s: %s\n", argv[i], strerror(-n));
                        return EXIT_FAILURE;
                }
                printf("%s: %d files\n", argv[i], n);
        }
        return EXIT_SUCCESS;
}
