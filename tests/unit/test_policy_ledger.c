/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/ledger.c: said when it appears, changes or ends, and once a day. */
#include "tests/unit/policy_world.h"

#include "policy/ledger.h"

static struct advice none(void)
{
        return (struct advice){ 0 };
}

static struct advice with(struct recommendation *r)
{
        return (struct advice){ .recommendations = r, .n_recommendations = 1 };
}

static void check_news(struct ledger *l, const struct advice *a, usec_t now, int want, const char *name)
{
        struct news_item items[RULE_COUNT];
        size_t n = ledger_update(l, a, now, items);

        if (want < 0)
                ck_assert_msg(n == 0, "%s: %zu items, kind %d", name, n, (int)items[0].kind);
        else
                ck_assert_msg(n == 1 && (int)items[0].kind == want, "%s: %zu items, kind %d", name, n,
                              n ? (int)items[0].kind : -1);
}

START_TEST(life_of_a_recommendation)
{
        char *drop[] = { (char *)"sync" };
        struct recommendation r = {
                .rule = RULE_SYNC_CLIENT, .confidence = CONFIDENCE_CONFIGURED, .drop = drop, .n_drop = 1
        };
        struct advice fires = with(&r), quiet = none();
        struct ledger l = { 0 };
        usec_t t = NOW;

        check_news(&l, &quiet, t, -1, "never fired");
        check_news(&l, &fires, t, NEWS_APPEARED, "first");
        check_news(&l, &fires, t + 1, -1, "again at once");
        check_news(&l, &fires, t + USEC_PER_DAY - 1, -1, "a little less than a day");
        check_news(&l, &fires, t + USEC_PER_DAY, NEWS_REPEATED, "a day");
        check_news(&l, &fires, t + USEC_PER_DAY + 1, -1, "after the repetition");
        check_news(&l, &quiet, t + 2 * USEC_PER_DAY, NEWS_RESOLVED, "resolved");
        check_news(&l, &quiet, t + 2 * USEC_PER_DAY + 1, -1, "resolved once");
        check_news(&l, &fires, t + 3 * USEC_PER_DAY, NEWS_APPEARED, "appears anew");
        check_news(&l, &fires, t, -1, "time that went back repeats nothing");
}
END_TEST

START_TEST(what_counts_as_a_change)
{
        char *sync[] = { (char *)"sync" }, *both[] = { (char *)"sync", (char *)"rsize=1" },
             *other[] = { (char *)"noac" };
        char *glued[] = { (char *)"syncr", (char *)"size=1" };
        const struct recommendation base = {
                .rule = RULE_STALE_IO_SIZE, .confidence = CONFIDENCE_CONFIGURED, .drop = both, .n_drop = 2,
                .place = { PLACE_FSTAB, (char *)"/etc/fstab", 7 }, .summary = (char *)"a", .evidence = (char *)"b",
        };
        struct row {
                const char *name;
                struct recommendation r;
                bool changed;
        } rows[11];
        size_t n = 0;

#define ROW(what, is_changed, ...)                              \
        do {                                                    \
                struct recommendation r = base;                 \
                                                                \
                __VA_ARGS__;                                    \
                rows[n++] = (struct row){ what, r, is_changed };\
        } while (0)
        ROW("nothing", false, (void)0);
        ROW("words", false, r.summary = (char *)"x"; r.evidence = (char *)"y"; r.gain = (char *)"z";
            r.risk = (char *)"q");
        ROW("confidence", true, r.confidence = CONFIDENCE_OBSERVED);
        ROW("fewer drops", true, r.drop = sync; r.n_drop = 1);
        ROW("other drops", true, r.drop = other; r.n_drop = 1);
        ROW("drops split elsewhere", true, r.drop = glued);
        ROW("set", true, r.set = sync; r.n_set = 1);
        ROW("kind of place", true, r.place.kind = PLACE_UNIT);
        ROW("file", true, r.place.file = (char *)"/etc/fstab2");
        ROW("no file", true, r.place.file = NULL);
        ROW("line", true, r.place.line = 8);
#undef ROW
        ck_assert_uint_eq(n, ARRAY_SIZE(rows));
        for (size_t i = 0; i < n; i++) {
                struct recommendation before = base;
                struct advice a = with(&before), b = with(&rows[i].r);
                struct ledger l = { 0 };

                check_news(&l, &a, NOW, NEWS_APPEARED, rows[i].name);
                check_news(&l, &b, NOW + 1, rows[i].changed ? NEWS_CHANGED : -1, rows[i].name);
                check_news(&l, &b, NOW + 2, -1, rows[i].name);
        }
}
END_TEST

START_TEST(undecided_is_not_resolved)
{
        struct recommendation r = { .rule = RULE_ASYNC_EXPORT };
        struct recommendation dead = { .rule = RULE_UNRESPONSIVE };
        struct cannot_tell t = { .rule = RULE_ASYNC_EXPORT }, other = { .rule = RULE_SYNC_CLIENT };
        struct advice fires = with(&r), quiet = none(), unresponsive = with(&dead);
        struct advice undecided = { .cannot_tell = &t, .n_cannot_tell = 1 };
        struct advice unrelated = { .cannot_tell = &other, .n_cannot_tell = 1 };
        struct ledger l = { 0 };

        check_news(&l, &fires, NOW, NEWS_APPEARED, "appears");
        check_news(&l, &undecided, NOW + 1, -1, "no probe this time");
        check_news(&l, &unresponsive, NOW + 2, -1, "the server is away");
        check_news(&l, &fires, NOW + 3, -1, "back, as before");
        check_news(&l, &unrelated, NOW + 4, NEWS_RESOLVED, "another rule cannot tell");
        check_news(&l, &quiet, NOW + 5, -1, "resolved once");
        check_news(&l, &unresponsive, NOW + 6, -1, "unresponsive has events of its own");
        check_news(&l, &quiet, NOW + 7, -1, "and is not resolved here");
}
END_TEST

START_TEST(several_at_once)
{
        struct recommendation r[2] = { { .rule = RULE_SYNC_CLIENT }, { .rule = RULE_STALE_IO_SIZE } };
        struct advice both = { .recommendations = r, .n_recommendations = 2 },
                      one = { .recommendations = r, .n_recommendations = 1 };
        struct news_item items[RULE_COUNT];
        struct ledger l = { 0 };

        ck_assert_uint_eq(ledger_update(&l, &both, NOW, items), 2);
        ck_assert_ptr_eq(items[0].recommendation, &r[0]);
        ck_assert_ptr_eq(items[1].recommendation, &r[1]);
        ck_assert_uint_eq(ledger_update(&l, &one, NOW + 1, items), 1);
        ck_assert_int_eq(items[0].kind, NEWS_RESOLVED);
        ck_assert_int_eq(items[0].rule, RULE_STALE_IO_SIZE);
        ck_assert_ptr_null(items[0].recommendation);
}
END_TEST

/* Six weeks of rounds: a standing recommendation is said once a day, and every
 * appearance has one end. */
START_TEST(weeks)
{
        uint64_t seed = world_seed(), state = seed;

        for (int mount = 0; mount < 20; mount++) {
                struct recommendation r = { .rule = RULE_SYNC_CLIENT };
                struct advice fires = with(&r), quiet = none();
                unsigned said = 0, appeared = 0, resolved = 0;
                usec_t now = NOW, last = 0, end = NOW + 42 * USEC_PER_DAY;
                struct ledger l = { 0 };
                bool firing = true;

                while (now < end) {
                        struct news_item items[RULE_COUNT];
                        size_t n = ledger_update(&l, firing ? &fires : &quiet, now, items);

                        for (size_t i = 0; i < n; i++) {
                                appeared += items[i].kind == NEWS_APPEARED;
                                resolved += items[i].kind == NEWS_RESOLVED;
                                ck_assert_msg(items[i].kind != NEWS_REPEATED || now - last >= USEC_PER_DAY,
                                              "seed %llu: too soon", (unsigned long long)seed);
                                last = now;
                        }
                        said += (unsigned)n;
                        ck_assert_msg(!firing || now - last < USEC_PER_DAY + USEC_PER_HOUR * 2, "seed %llu: forgotten",
                                      (unsigned long long)seed);
                        now += USEC_PER_HOUR * 3 / 4 + world_random(&state) % (USEC_PER_HOUR / 2);
                        if (mount > 0 && world_random(&state) % 200 == 0)
                                firing = !firing;
                }
                ck_assert_msg(appeared == resolved + (firing || l.entry[RULE_SYNC_CLIENT].standing),
                              "seed %llu: %u appeared, %u resolved", (unsigned long long)seed, appeared, resolved);
                if (mount == 0)
                        ck_assert_msg(said >= 40 && said <= 42, "seed %llu: said %u times", (unsigned long long)seed,
                                      said);
        }
}
END_TEST

WORLD_MAIN("policy ledger", life_of_a_recommendation, what_counts_as_a_change, undecided_is_not_resolved,
           several_at_once, weeks)
