/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that say whose a file is and whether its owner lives. */
#include "probe/ownfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <systemd/sd-id128.h>
#include <unistd.h>

#include "probe/descriptor.h"
#include "probe/file.h"

#define PREFIX ".nfstuned-"
#define ID_DIGITS (SD_ID128_STRING_MAX - 1)
#define SWEEP_ENTRIES_MAX 10000
#define STAT_BYTES_MAX (4 * KIB)
#define START_TIME_FIELD 22     /* proc(5), /proc/PID/stat */

/* Makes the ids of this host unrecognisable to whoever reads the directory. */
#define APPLICATION SD_ID128_MAKE(6a,1f,3c,0e,5d,27,4b,98,a4,c1,72,0b,e9,36,8d,55)

/* @pid's start time. Return: 0 or a negative errno. */
static int start_ticks_read(const char *proc, uint64_t pid, uint64_t *ret)
{
        cleanup_free char *path = NULL;
        cleanup_free char *text = NULL;
        size_t length = 0;

        if (asprintf(&path, "%s/%" PRIu64 "/stat", proc, pid) < 0)
                return -ENOMEM;
        int r = file_read(path, STAT_BYTES_MAX, &text, &length);
        if (r < 0)
                return r;
        /* The second field is a file name in parentheses and may contain anything. */
        char *rest = strrchr(text, ')');
        if (!rest)
                return -EBADMSG;
        rest++;
        for (unsigned field = 3; field <= START_TIME_FIELD; field++) {
                char *word = NULL;

                while (!word || *word == '\0') {
                        word = strsep(&rest, " \n");
                        if (!word)
                                return -EBADMSG;
                }
                if (field == START_TIME_FIELD)
                        return u64_parse(word, ret);
        }
        return -EBADMSG;
}

int ownfile_identity_self(struct ownfile_identity *ret)
{
        struct ownfile_identity id = { .pid = (uint64_t)getpid() };
        sd_id128_t machine, boot;

        int r = sd_id128_get_machine_app_specific(APPLICATION, &machine);
        if (r < 0)
                return r;
        r = sd_id128_get_boot_app_specific(APPLICATION, &boot);
        if (r < 0)
                return r;
        r = start_ticks_read("/proc", id.pid, &id.start_ticks);
        if (r < 0)
                return r;
        sd_id128_to_string(machine, id.machine);
        sd_id128_to_string(boot, id.boot);
        *ret = id;
        return 0;
}

void ownfile_name(const struct ownfile_identity *id, unsigned n, char ret[static NAME_MAX + 1])
{
        snprintf(ret, NAME_MAX + 1, PREFIX "%s-%s-%" PRIu64 "-%" PRIu64 "-%u",
                 id->machine, id->boot, id->pid, id->start_ticks, n);
}

static bool take_text(const char **rest, const char *text)
{
        size_t length = strlen(text);

        if (strncmp(*rest, text, length) != 0)
                return false;
        *rest += length;
        return true;
}

static bool take_id(const char **rest, char ret[static ID_DIGITS + 1])
{
        if (strspn(*rest, "0123456789abcdef") != ID_DIGITS)
                return false;
        memcpy(ret, *rest, ID_DIGITS);
        ret[ID_DIGITS] = '\0';
        *rest += ID_DIGITS;
        return true;
}

static bool take_number(const char **rest, uint64_t *ret)
{
        char digits[24];
        size_t length = strspn(*rest, "0123456789");

        if (length == 0 || length >= sizeof(digits))
                return false;
        memcpy(digits, *rest, length);
        digits[length] = '\0';
        *rest += length;
        return u64_parse(digits, ret) == 0;
}

static bool parse_name(const char *name, struct ownfile_identity *ret)
{
        const char *rest = name;
        uint64_t n;

        return take_text(&rest, PREFIX) && take_id(&rest, ret->machine) &&
               take_text(&rest, "-") && take_id(&rest, ret->boot) &&
               take_text(&rest, "-") && take_number(&rest, &ret->pid) &&
               take_text(&rest, "-") && take_number(&rest, &ret->start_ticks) &&
               take_text(&rest, "-") && take_number(&rest, &n) && *rest == '\0';
}

/* In doubt it lives: /proc may hide other users' processes. */
static bool process_lives(const char *proc, uint64_t pid, uint64_t start_ticks)
{
        uint64_t found = 0;

        if (pid == 0 || pid > INT32_MAX)
                return false;
        int r = start_ticks_read(proc, pid, &found);
        if (r == 0)
                return found == start_ticks;
        if (r == -ENOENT || r == -ESRCH)
                return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
        return true;
}

bool ownfile_is_stale(const struct ownfile_identity *self, const char *proc, const char *name)
{
        struct ownfile_identity id = { 0 };

        if (!parse_name(name, &id) || strcmp(id.machine, self->machine) != 0)
                return false;
        return strcmp(id.boot, self->boot) != 0 || !process_lives(proc, id.pid, id.start_ticks);
}

/* A directory or a symlink of such a name was planted by somebody. */
static bool is_regular(int dir_fd, const char *name)
{
        struct stat st;

        return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

int ownfile_sweep(const struct ownfile_identity *self, int dir_fd)
{
        int removed = 0;
        struct dirent *entry;

        /* A descriptor of its own: closedir() closes it, and its position is not @dir_fd's. */
        int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        cleanup(close_directory) DIR *directory = fdopendir(fd);
        if (!directory) {
                int error = errno;

                close(fd);
                return -error;
        }
        for (unsigned i = 0; i < SWEEP_ENTRIES_MAX; i++) {
                errno = 0;
                entry = readdir(directory);
                if (!entry)
                        return errno ? -errno : removed;
                if (ownfile_is_stale(self, "/proc", entry->d_name) && is_regular(dir_fd, entry->d_name) &&
                    unlinkat(dir_fd, entry->d_name, 0) == 0)
                        removed++;
        }
        return removed;
}
