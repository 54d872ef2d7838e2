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

/* Without memory nothing is known: then it is another. */
static bool options_same(const struct options *a, const struct options *b)
{
        cleanup_free char *one = options_format(a), *other = options_format(b);

        return one && other && strcmp(one, other) == 0;
}

bool mountfacts_same(const struct mount_facts *then, const struct mount_facts *now)
{
        return then->mount_id == now->mount_id && device_equal(then->device, now->device) &&
               strcmp(then->target, now->target) == 0 && strcmp(then->source, now->source) == 0 &&
               strcmp(then->fstype, now->fstype) == 0 && options_same(&then->super, &now->super);
}
