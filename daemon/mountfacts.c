/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See mountfacts.h. */

#include "daemon/mountfacts.h"

#include <errno.h>
#include <string.h>

#include "probe/mounttable.h"

static int take(struct mounttable *table, size_t i, struct mount_facts *ret)
{
        *ret = table->mounts[i];
        table->mounts[i] = (struct mount_facts) {};
        return 0;
}

int mountfacts_by_id(uint64_t mount_id, struct mount_facts *ret)
{
        cleanup(mounttable_done) struct mounttable table = {};
        int r = mounttable_read("/proc/self/mountinfo", &table);

        if (r < 0)
                return r;
        for (size_t i = 0; i < table.n_mounts; i++)
                if (table.mounts[i].mount_id == mount_id)
                        return take(&table, i, ret);
        return -ENOENT;
}

int mountfacts_at(const char *target, struct mount_facts *ret)
{
        cleanup(mounttable_done) struct mounttable table = {};
        int r = mounttable_read("/proc/self/mountinfo", &table);

        if (r < 0)
                return r;
        for (size_t i = table.n_mounts; i-- > 0;)
                if (!table.mounts[i].covered && !table.mounts[i].deleted &&
                    strcmp(table.mounts[i].target, target) == 0)
                        return take(&table, i, ret);
        return -ENOENT;
}
