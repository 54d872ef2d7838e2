/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/params.c - what the administrator decided. See params.h. */
#include "policy/params.h"

#include <errno.h>
#include <string.h>

#include "policy/advice.h"

/* DESIGN section 11: stale-io-size io-size-mismatch limit-below-size sync-client read-ahead. */
static const uint64_t apply_rules_default = UINT64_C(1) << RULE_STALE_IO_SIZE | UINT64_C(1) << RULE_IO_SIZE_MISMATCH |
                                            UINT64_C(1) << RULE_LIMIT_BELOW_SIZE | UINT64_C(1) << RULE_SYNC_CLIENT |
                                            UINT64_C(1) << RULE_READ_AHEAD;

int params_init(struct params *p)
{
        *p = (struct params){
                .mode = MODE_RECOMMEND,
                .interval_usec = USEC_PER_HOUR,
                .spread_usec = 5 * USEC_PER_MINUTE,
                .passive_interval_usec = USEC_PER_MINUTE,
                .probe_bytes = 2 * MIB,
                .probe_time_usec = 5 * USEC_PER_SEC,
                .connect_timeout_usec = 3 * USEC_PER_SEC,
                .active = ACTIVE_AUTO,
                .probe_directory = strdup("."),
                .apply_rules = apply_rules_default,
                .min_gain_permille = 100,
        };
        return p->probe_directory ? 0 : -ENOMEM;
}

static void mount_params_done(struct mount_params *m)
{
        for (size_t i = 0; i < m->n_keep; i++)
                free(m->keep[i]);
        free(m->keep);
        free(m->name);
        free(m->path);
        *m = (struct mount_params){ 0 };
}

void params_done(struct params *p)
{
        for (size_t i = 0; i < p->n_mounts; i++)
                mount_params_done(&p->mounts[i]);
        free(p->mounts);
        server_profiles_done(&p->profiles);
        free(p->probe_user);
        free(p->probe_directory);
        *p = (struct params){ 0 };
}

/* "/srv/data/" names the same mount as "/srv/data"; people write both. */
static size_t path_length(const char *path)
{
        size_t n = strlen(path);

        while (n > 1 && path[n - 1] == '/')
                n--;
        return n;
}

const struct mount_params *params_for_mount(const struct params *p, const char *target)
{
        static const struct mount_params defaults = { 0 };
        size_t n = path_length(target);

        for (size_t i = 0; i < p->n_mounts; i++) {
                const char *path = p->mounts[i].path;

                if (path && path_length(path) == n && memcmp(path, target, n) == 0)
                        return &p->mounts[i];
        }
        return &defaults;
}

bool mount_params_keeps(const struct mount_params *m, const char *option_name)
{
        for (size_t i = 0; i < m->n_keep; i++)
                if (strcmp(m->keep[i], option_name) == 0)
                        return true;
        return false;
}

enum run_mode params_mode_for_mount(const struct params *p, const char *target)
{
        switch (params_for_mount(p, target)->mode) {
        case MOUNT_MODE_RECOMMEND:
                return MODE_RECOMMEND;
        case MOUNT_MODE_AUTO_REMOUNT:
                return MODE_AUTO_REMOUNT;
        default:
                return p->mode;
        }
}

bool params_window_is_open(const struct params *p, unsigned minute_of_day)
{
        for (size_t i = 0; i < p->n_windows; i++) {
                const struct day_window *w = &p->windows[i];
                bool after = minute_of_day >= w->from_minute, before = minute_of_day < w->to_minute;

                if (w->from_minute <= w->to_minute ? after && before : after || before)
                        return true;
        }
        return p->n_windows == 0;
}
