/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See readahead.h. */

#include "daemon/readahead.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon/answer.h"
#include "probe/bdi.h"
#include "probe/descriptor.h"

/* Three seconds in all. */
#define SETTLE_PAUSE_NSEC (20 * 1000 * 1000)
#define SETTLE_PAUSES     150

uint64_t read_ahead_of(struct device device)
{
        uint64_t kib = 0;

        return bdi_read_ahead("/sys", device, &kib) < 0 ? 0 : kib;
}

void read_ahead_settle(void)
{
        static const struct timespec pause = { .tv_nsec = SETTLE_PAUSE_NSEC };

        for (unsigned i = 0; i < SETTLE_PAUSES; i++) {
                (void) nanosleep(&pause, NULL); /* the event may still be on its way to udev */
                if (access("/run/udev/queue", F_OK) < 0)
                        return;
        }
}

bool read_ahead_set(struct device device, uint64_t kib, struct apply_answer *a)
{
        cleanup(close_descriptor) int fd = -1;
        char path[64], value[32];

        if (read_ahead_of(device) == kib)
                return true;
        (void) snprintf(path, sizeof(path), "/sys/class/bdi/%u:%u/read_ahead_kb", device.major, device.minor);
        (void) snprintf(value, sizeof(value), "%llu", (unsigned long long) kib);
        fd = open(path, O_WRONLY | O_CLOEXEC);
        if (fd >= 0 && write(fd, value, strlen(value)) == (ssize_t) strlen(value))
                return true;
        answer_note(a, "the read-ahead could not be set to %llu KiB (%s)", (unsigned long long) kib, strerror(errno));
        return false;
}
