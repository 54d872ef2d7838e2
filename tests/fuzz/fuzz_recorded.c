/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recorded files: the first byte is the kind of the first one; "\n====\n" separates it from an fstab. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probe/recorded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char separator[] = "\n====\n";

/* A file in memory, by a name that can be opened. Return: its descriptor. */
static int file_make(const uint8_t *data, size_t size, char *name, size_t name_size)
{
        int fd = memfd_create("recorded", MFD_CLOEXEC);

        if (fd < 0 || (size > 0 && write(fd, data, size) != (ssize_t)size))
                abort();
        snprintf(name, name_size, "/proc/self/fd/%d", fd);
        return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct recorded r = { 0 };
        char *words = NULL, first[64], second[64];

        if (size == 0)
                return 0;
        enum recorded_kind kind = (enum recorded_kind)(*data++ % RECORDED_COUNT);
        const uint8_t *cut = memmem(data, --size, separator, sizeof(separator) - 1);
        size_t n_first = cut ? (size_t)(cut - data) + 1 : size;
        const uint8_t *rest = cut ? cut + sizeof(separator) - 1 : data + size;
        int fd = file_make(data, n_first, first, sizeof(first));
        int fd_second = file_make(rest, (size_t)(data + size - rest), second, sizeof(second));
        const struct recorded_file files[] = { { kind, first }, { RECORDED_FSTAB, second } };
        int status = recorded_read(files, cut ? 2 : 1, &r, &words);

        /* one line of words, and only for a file of no use */
        if ((status == 1) != (words != NULL) || (words && (strchr(words, '\n') || r.snapshot.mounts)))
                abort();
        free(words);
        recorded_done(&r);
        close(fd);
        close(fd_second);
        return 0;
}
