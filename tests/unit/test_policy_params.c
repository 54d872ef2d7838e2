/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/params.c: defaults and the settings of one mount. */
#include "tests/unit/policy_world.h"

START_TEST(defaults)
{
        struct params p;

        ck_assert_int_eq(params_init(&p), 0);
        ck_assert_int_eq(p.mode, MODE_RECOMMEND);
        ck_assert_uint_eq(p.interval_usec, USEC_PER_HOUR);
        ck_assert_uint_eq(p.spread_usec, 5 * USEC_PER_MINUTE);
        ck_assert_uint_eq(p.passive_interval_usec, USEC_PER_MINUTE);
        ck_assert_uint_eq(p.probe_bytes, 2 * MIB);
        ck_assert_uint_eq(p.probe_time_usec, 5 * USEC_PER_SEC);
        ck_assert_uint_eq(p.connect_timeout_usec, 3 * USEC_PER_SEC);
        ck_assert_int_eq(p.active, ACTIVE_AUTO);
        ck_assert_ptr_null(p.probe_user);
        ck_assert_str_eq(p.probe_directory, ".");
        params_done(&p);
        params_done(&p);
}
END_TEST

START_TEST(section_of_a_mount)
{
        static const struct {
                const char *path, *target;
                bool found;
        } rows[] = {
                { "/data", "/data", true },
                { "/data/", "/data", true },
                { "/data//", "/data", true },
                { "/data", "/dat", false },
                { "/data", "/data/sub", false },
                { "/", "/", true },
                { "/", "/data", false },
                { "/Data", "/data", false },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                char *keep[] = { (char *)"sync", (char *)"noac" };
                struct mount_params section = { .path = (char *)rows[i].path, .keep = keep, .n_keep = 2 };
                struct params p = { .mounts = &section, .n_mounts = 1 };
                const struct mount_params *m = params_for_mount(&p, rows[i].target);

                ck_assert_ptr_nonnull(m);
                ck_assert_msg((m == &section) == rows[i].found, "%s for %s", rows[i].path, rows[i].target);
                ck_assert_int_eq(mount_params_keeps(m, "sync"), rows[i].found);
                ck_assert(!mount_params_keeps(m, "syn"));
                if (!rows[i].found)
                        ck_assert(m->probe == PROBE_SETTING_DEFAULT && m->export_setting == EXPORT_AUTO &&
                                  !m->stable_storage && m->n_keep == 0);
        }
}
END_TEST

WORLD_MAIN("policy params", defaults, section_of_a_mount)
