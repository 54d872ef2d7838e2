/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record of a change under way, and the memory of earlier ones, as files: what is read is written and read again. */
#include <fcntl.h>
#include <unistd.h>

#include "daemon/intent.h"
#include "daemon/memory.h"
#include "probe/descriptor.h"

#define RECORD "intent-0000000000000001.json"
#define MEMORY "changes.json"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void file_make(int dir, const char *name, const uint8_t *data, size_t size)
{
        cleanup(close_descriptor) int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        if (fd < 0 || write(fd, data, size) != (ssize_t)size)
                abort();
}

static void records_feed(int dir)
{
        struct intent *all = NULL;
        cleanup_free char *problems = NULL;
        size_t n = 0;

        if (intent_read_all(dir, &all, &n, &problems) < 0)
                abort();
        for (size_t i = 0; i < n; i++) {
                cleanup(intent_done) struct intent again = { 0 };

                if (intent_write(dir, &all[i]) < 0 || intent_read(dir, all[i].mount.target, &again) < 0 ||
                    intent_remove(dir, all[i].mount.target) < 0)
                        abort();
                intent_done(&all[i]);
        }
        free(all);
}

static void memory_feed(int dir)
{
        cleanup(history_done) struct history h = { 0 }, again = { 0 };
        cleanup_free char *problem = NULL, *second = NULL;
        int r = memory_read(dir, &h, &problem);

        if (r < 0 || (r == 1) != (problem != NULL) || (r == 1 && !h.stopped) || h.n_mounts > HISTORY_MAX)
                abort();
        if (r == 0 && (memory_write(dir, &h) < 0 || memory_read(dir, &again, &second) != 0 ||
                       again.n_mounts != h.n_mounts))
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        char path[] = "/tmp/nfstuned-fuzz.XXXXXX";
        cleanup(close_descriptor) int dir = -1;

        if (!mkdtemp(path) || (dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
                abort();
        file_make(dir, RECORD, data, size);
        records_feed(dir);
        file_make(dir, MEMORY, data, size);
        memory_feed(dir);
        (void)unlinkat(dir, RECORD, 0);
        (void)unlinkat(dir, MEMORY, 0);
        (void)unlinkat(dir, MEMORY ".damaged", 0);
        if (rmdir(path) < 0)
                abort();
        return 0;
}
