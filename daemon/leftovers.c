/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the processes of our own control group of the unified hierarchy. */
#include <errno.h>
#include <string.h>

#include "daemon/leftovers.h"
#include "policy/text.h"
#include "probe/file.h"

#define CGROUP_FILE_MAX (64 * KIB)

/* The unified hierarchy's line is "0::/path". */
static char *own_group(char *text)
{
        char *save = NULL;

        for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
                if (strncmp(line, "0::", 3) == 0)
                        return line + 3;
        return NULL;
}

static int procs_read(const char *root, const char *middle, const char *group, char **ret)
{
        cleanup(text_done) struct text path = { 0 };
        cleanup_free char *name = NULL;
        size_t n;

        text_add(&path, "%s%s%s/cgroup.procs", root, middle, group);
        name = text_take(&path);
        if (!name)
                return -ENOMEM;
        return file_read(name, CGROUP_FILE_MAX, ret, &n);
}

int leftovers_count(const char *proc_cgroup, const char *cgroup_root, pid_t self, size_t *ret)
{
        cleanup_free char *text = NULL, *procs = NULL;
        const char *group;
        char *save = NULL;
        size_t n, count = 0;
        int r;

        r = file_read(proc_cgroup, CGROUP_FILE_MAX, &text, &n);
        if (r < 0)
                return r;
        group = own_group(text);
        if (!group)
                return -ENOENT;
        r = procs_read(cgroup_root, "", group, &procs);
        if (r == -ENOENT)       /* a hybrid hierarchy mounts it below */
                r = procs_read(cgroup_root, "/unified", group, &procs);
        if (r < 0)
                return r;
        for (char *line = strtok_r(procs, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
                uint64_t pid;

                if (u64_parse(line, &pid) == 0 && pid != (uint64_t) self)
                        count++;
        }
        *ret = count;
        return 0;
}
