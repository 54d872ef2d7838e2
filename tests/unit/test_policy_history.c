/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/history.c: what is remembered of changes. */
#include "policy/history.h"
#include "tests/unit/policy_case.h"

#define BOOT "0123456789abcdef0123456789abcdef"
#define OTHER_BOOT "f123456789abcdef0123456789abcdef"
#define T (1000 * USEC_PER_DAY)

static struct mount_history *changed(struct history *h, usec_t when)
{
        struct mount_history *m = history_get(h, "/data", "server:/data");

        ck_assert_ptr_nonnull(m);
        ck_assert_int_eq(history_changed(m, BOOT, "sync,vers=4.2,rsize=32768,hard", "vers=4.2,hard", "rsize,sync",
                                         "rw,vers=4.2,rsize=1048576,hard", when), 0);
        return m;
}

START_TEST(test_found_again)
{
        struct history h = { 0 };
        struct mount_history *m;

        ck_assert_ptr_null(history_find(&h, "/data", "server:/data"));
        changed(&h, T);
        m = history_find(&h, "/data", "server:/data");
        ck_assert_ptr_nonnull(m);
        ck_assert_ptr_eq(history_get(&h, "/data", "server:/data"), m);
        ck_assert_str_eq(m->boot, BOOT);
        ck_assert_str_eq(m->keys, "rsize,sync");
        ck_assert_ptr_null(history_find(&h, "/data", "server:/other"));
        ck_assert_ptr_null(history_find(&h, "/other", "server:/data"));
        history_done(&h);
        ck_assert_uint_eq(h.n_mounts, 0);
}
END_TEST

/* What is known of the change before says nothing of the next one. */
START_TEST(test_next_change)
{
        struct history h = { 0 };
        struct mount_history *m = changed(&h, T);

        m->verified = m->rolled_back = m->persisted = true;
        m->median_before_usec = m->median_after_usec = 5;
        m->read_ahead_kib = m->read_ahead_from_kib = 128;
        changed(&h, T + 1);
        ck_assert(!m->verified && !m->rolled_back && !m->persisted);
        ck_assert_uint_eq(m->median_before_usec + m->median_after_usec + m->read_ahead_kib + m->read_ahead_from_kib,
                          0);
        ck_assert_uint_eq(m->changed_usec, T + 1);
        /* no boot id overflows */
        ck_assert_int_eq(history_changed(m, BOOT BOOT, "", "", "", "", T), 0);
        ck_assert_str_eq(m->boot, BOOT);
        history_done(&h);
}
END_TEST

/* Who has made it again by hand has taken the failure back; another change's failure stays. */
static const struct kept_row {
        const char *name;
        const char *failed_to;
        bool remembered;
} kept_rows[] = {
        { "nothing failed", NULL, false },
        { "the same change failed", "rw,vers=4.2,nosuid", false },
        { "another one failed", "rw,sync,vers=4.2", true },
};

START_TEST(test_kept)
{
        const struct kept_row *row = &kept_rows[_i];
        struct history h = { 0 };
        struct mount_history *m = changed(&h, T);

        ck_assert_int_eq(history_changed(m, BOOT, "rw,sync,vers=4.2", "rw,vers=4.2", "sync", "rw,vers=4.2", T), 0);
        if (row->failed_to)
                ck_assert_int_eq(history_failed(&h, m, row->failed_to, "taken back by hand", T), 0);
        history_outside(m, T);
        history_kept(m);
        ck_assert(m->verified);
        ck_assert_msg((m->failed_usec != 0) == row->remembered, "%s", row->name);
        ck_assert_msg((m->failed_to && m->failed_words) == row->remembered, "%s", row->name);
        ck_assert_uint_eq(m->outside_usec, T);
        history_done(&h);
}
END_TEST

START_TEST(test_breaker_and_resume)
{
        struct history h = { 0 };
        struct mount_history *m = changed(&h, T);

        ck_assert_int_eq(history_failed(&h, m, "vers=4.2", "slower", T), 0);
        ck_assert(!h.stopped);
        ck_assert_str_eq(m->failed_to, "vers=4.2");
        ck_assert_str_eq(m->failed_words, "slower");
        ck_assert_int_eq(history_failed(&h, m, "vers=4.1", "refused", T + 5), 0);
        ck_assert(h.stopped);
        ck_assert_uint_eq(h.stopped_usec, T + 5);
        ck_assert_int_eq(history_failed(&h, m, "vers=4.1", "refused", T + 9), 0);
        ck_assert_uint_eq(h.stopped_usec, T + 5);
        history_outside(m, T + 7);
        history_resume(&h);
        ck_assert(!h.stopped && h.failures == 0 && h.stopped_usec == 0);
        ck_assert(m->failed_usec == 0 && !m->failed_to && !m->failed_words && m->outside_usec == 0);
        ck_assert_uint_eq(m->changed_usec, T);
        history_done(&h);
}
END_TEST

START_TEST(test_oldest_is_given_up)
{
        struct history h = { 0 };

        for (unsigned i = 0; i < HISTORY_MAX; i++) {
                char target[40];
                struct mount_history *m;

                (void)snprintf(target, sizeof(target), "/%u", i);
                m = history_get(&h, target, "server:/data");
                ck_assert_ptr_nonnull(m);
                m->changed_usec = T + i;
        }
        history_outside(history_find(&h, "/0", "server:/data"), 2 * T);
        ck_assert_ptr_nonnull(history_get(&h, "/new", "server:/data"));
        ck_assert_uint_eq(h.n_mounts, HISTORY_MAX);
        ck_assert_ptr_nonnull(history_find(&h, "/0", "server:/data"));
        ck_assert_ptr_null(history_find(&h, "/1", "server:/data"));
        ck_assert_ptr_nonnull(history_find(&h, "/2", "server:/data"));
        ck_assert_uint_eq(history_find(&h, "/new", "server:/data")->changed_usec, 0);
        history_done(&h);
}
END_TEST

static const struct {
        const char *name;
        usec_t event, now, age;
} ages[] = {
        { "never", 0, T, USEC_INFINITY },
        { "yesterday", T, T + USEC_PER_DAY, USEC_PER_DAY },
        { "now", T, T, 0 },
        { "in the future", T + USEC_PER_DAY, T, 0 },
};

START_TEST(test_age)
{
        ck_assert_msg(history_age(ages[_i].event, ages[_i].now) == ages[_i].age, "%s", ages[_i].name);
}
END_TEST

/* A clock that was a year ahead when something failed, and is right again. */
START_TEST(test_clock_set_back)
{
        struct history h = { 0 };
        struct mount_history *m = changed(&h, T + 365 * USEC_PER_DAY);

        ck_assert_int_eq(history_failed(&h, m, "", "", T + 365 * USEC_PER_DAY), 0);
        ck_assert(history_settle(&h, T));
        ck_assert_uint_eq(m->changed_usec, T);
        ck_assert_uint_eq(m->failed_usec, T);
        ck_assert_uint_eq(m->outside_usec, 0);
        ck_assert(!history_settle(&h, T + 1));
        ck_assert_uint_eq(history_age(m->failed_usec, T + 8 * USEC_PER_DAY), 8 * USEC_PER_DAY);
        history_done(&h);
}
END_TEST

static const struct {
        const char *name;
        const char *boot;
        bool rolled_back;
        const char *effective;
        bool own;
} owned[] = {
        { "as it was left", BOOT, false, "rw,vers=4.2,rsize=1048576,hard", true },
        { "something else is different", BOOT, false, "ro,vers=4.2,rsize=1048576,soft,clientaddr=1", true },
        { "sync is back", BOOT, false, "rw,sync,vers=4.2,rsize=1048576,hard", false },
        { "another size", BOOT, false, "rw,vers=4.2,rsize=32768,hard", false },
        { "another boot", OTHER_BOOT, false, "rw,vers=4.2,rsize=1048576,hard", false },
        { "no boot", "", false, "rw,vers=4.2,rsize=1048576,hard", false },
        { "rolled back", BOOT, true, "rw,sync,vers=4.2,rsize=32768,hard", true },
        { "rolled back, and yet there", BOOT, true, "rw,vers=4.2,rsize=1048576,hard", false },
};

START_TEST(test_own)
{
        struct options effective = world_options(owned[_i].effective);
        struct history h = { 0 };
        struct mount_history *m = changed(&h, T);

        m->rolled_back = owned[_i].rolled_back;
        ck_assert_msg(history_is_own(m, owned[_i].boot, &effective) == owned[_i].own, "%s", owned[_i].name);
        options_done(&effective);
        history_done(&h);
}
END_TEST

START_TEST(test_own_of_nothing)
{
        struct options effective = world_options("rw,vers=4.2");
        struct mount_history m = { 0 };

        ck_assert(!history_is_own(&m, "", &effective));
        options_done(&effective);
}
END_TEST

static const struct {
        const char *name;
        const char *then, *keys, *now;
        int same;
} asked[] = {
        { "the same", "vers=4.2,hard", "rsize,sync", "vers=4.2,hard", 1 },
        { "another spelling", "nfsvers=4.2,tcp", "vers,proto", "vers=4.2,proto=tcp", 1 },
        { "what holds anyway", "vers=4.2", "hard,sync", "vers=4.2,hard,async", 1 },
        { "only elsewhere", "vers=4.2,addr=10.0.0.1", "sync", "vers=4.2,addr=10.0.0.7", 1 },
        { "no less", "vers=4.2", "rsize", "vers=4.2,rsize=65536", 0 },
        { "another value", "rsize=32768", "rsize", "rsize=65536", 0 },
        { "not readable", "context=\"a", "sync", "", 0 },
};

START_TEST(test_same)
{
        struct options keys = world_options(asked[_i].keys), now = world_options(asked[_i].now);

        ck_assert_msg(history_same(asked[_i].then, &keys, &now) == asked[_i].same, "%s", asked[_i].name);
        options_done(&keys);
        options_done(&now);
}
END_TEST

CASE_MAIN("policy history",
          { test_found_again, 1 },
          { test_next_change, 1 },
          { test_kept, ARRAY_SIZE(kept_rows) },
          { test_breaker_and_resume, 1 },
          { test_oldest_is_given_up, 1 },
          { test_age, ARRAY_SIZE(ages) },
          { test_clock_set_back, 1 },
          { test_own, ARRAY_SIZE(owned) },
          { test_own_of_nothing, 1 },
          { test_same, ARRAY_SIZE(asked) })
