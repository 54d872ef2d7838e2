/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/groups.c: many mounts, one advice; the most useful first. */
#include "tests/unit/policy_world.h"

#include "policy/groups.h"

/* A host in which every mount is one row. */
struct host {
        struct observation o[16];
        struct advice a[16];
        size_t n;
        struct groups g;
};

static struct recommendation *host_advice(struct host *h, enum rule rule, const char *drop)
{
        struct advice *a = &h->a[h->n - 1];
        struct recommendation *r;

        a->recommendations = reallocarray(a->recommendations, a->n_recommendations + 1, sizeof(*r));
        ck_assert_ptr_nonnull(a->recommendations);
        r = &a->recommendations[a->n_recommendations++];
        *r = (struct recommendation){ .rule = rule, .confidence = CONFIDENCE_CONFIGURED };
        if (drop) {
                r->drop = calloc(1, sizeof(char *));
                ck_assert_ptr_nonnull(r->drop);
                r->drop[r->n_drop++] = world_copy(drop);
        }
        return r;
}

/* @options: of its fstab line; NULL: none, then @super tells. */
static void host_mount(struct host *h, unsigned minor, const char *server, const char *options, const char *super)
{
        struct observation *o = &h->o[h->n++];

        ck_assert_uint_le(h->n, ARRAY_SIZE(h->o));
        o->mount.device.minor = minor;
        o->mount.server = world_copy(server);
        o->mount.super = world_options(super);
        if (options) {
                o->requested = calloc(1, sizeof(*o->requested));
                ck_assert_ptr_nonnull(o->requested);
                o->n_requested = 1;
                o->requested[0] = (struct requested){
                        .place.kind = PLACE_FSTAB, .options_text = world_copy(options),
                        .options = world_options(options),
                };
        }
}

/* "0,2 1": members by their numbers, groups in their order. The caller frees. */
static char *host_groups(struct host *h)
{
        const struct observation *o[ARRAY_SIZE(h->o)];
        const struct advice *a[ARRAY_SIZE(h->a)];
        struct text t = { 0 };
        char *s;

        for (size_t i = 0; i < h->n; i++) {
                o[i] = &h->o[i];
                a[i] = &h->a[i];
        }
        ck_assert_int_eq(groups_make(o, a, h->n, &h->g), 0);
        for (size_t i = 0; i < h->g.n_items; i++)
                for (size_t k = 0; k < h->g.items[i].n_members; k++)
                        text_add(&t, "%s%zu", k > 0 ? "," : i > 0 ? " " : "", h->g.items[i].members[k]);
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        groups_done(&h->g);
        return s;
}

static void host_done(struct host *h)
{
        for (size_t i = 0; i < h->n; i++) {
                observation_done(&h->o[i]);
                advice_done(&h->a[i]);
        }
        *h = (struct host){ 0 };
}

/* ---- what belongs together --------------------------------------------------------- */

/* Two mounts with advice; do they get one? */
static const struct pair_row {
        const char *name;
        struct {
                unsigned minor;
                const char *server, *options, *super, *drop;
        } a, b;
        bool together;
} pair_rows[] = {
        { "one superblock", { 50, "s", NULL, "rw,sync", "sync" }, { 50, "s", NULL, "rw,sync", "sync" }, true },
        { "one superblock, other lines", { 50, "s", "sync,bg", "rw,sync", "sync" },
          { 50, "s", "sync", "rw,sync", "sync" }, true },
        { "one superblock, other advice", { 50, "s", "sync", "rw,sync", "sync" },
          { 50, "s", "sync", "rw,sync", "rsize=1024" }, false },
        { "one template", { 50, "s", "sync,bg", "rw,sync", "sync" }, { 51, "t", "sync,bg", "rw,sync", "sync" }, true },
        { "one template, other result", { 50, "s", "sync,bg", "rw,sync,vers=3", "sync" },
          { 51, "t", "sync,bg", "rw,sync,vers=4.2", "sync" }, true },
        { "two templates", { 50, "s", "sync,bg", "rw,sync", "sync" }, { 51, "s", "sync,fg", "rw,sync", "sync" },
          false },
        { "by hand, one server", { 50, "s", NULL, "rw,sync", "sync" }, { 51, "s", NULL, "rw,sync", "sync" }, true },
        { "by hand, two servers", { 50, "s", NULL, "rw,sync", "sync" }, { 51, "t", NULL, "rw,sync", "sync" }, true },
        { "by hand, two addresses", { 50, "s", NULL, "rw,sync,addr=192.0.2.1", "sync" },
          { 51, "t", NULL, "rw,sync,addr=192.0.2.2", "sync" }, true },
        { "by hand, other options", { 50, "s", NULL, "rw,sync", "sync" }, { 51, "s", NULL, "sync,rw", "sync" }, false },
        { "a line and a mount by hand", { 50, "s", "rw,sync", "rw,sync", "sync" },
          { 51, "s", NULL, "rw,sync", "sync" }, false },
        { "devices unknown", { 0, "s", "sync,bg", "rw,sync", "sync" }, { 0, "t", "sync", "rw,sync", "sync" }, false },
        { "nothing to say", { 50, "s", "bg", "rw", NULL }, { 50, "s", "bg", "rw", NULL }, false },
};

/* What is to be done in an autofs map is not done in an fstab, nor live what needs an unmount. */
START_TEST(places_and_methods_apart)
{
        static const struct {
                const char *name;
                enum place_kind place;
                enum method method, plan_method;
                const char *want;
        } rows[] = {
                { "alike", PLACE_UNKNOWN, METHOD_LIVE, METHOD_LIVE, "0,1" },
                { "another place", PLACE_AUTOFS, METHOD_LIVE, METHOD_LIVE, "0 1" },
                { "another method", PLACE_UNKNOWN, METHOD_REPLACE, METHOD_LIVE, "0 1" },
                { "another plan", PLACE_UNKNOWN, METHOD_LIVE, METHOD_REPLACE, "0 1" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct host h = { 0 };
                struct recommendation *r;
                char *got;

                for (unsigned k = 0; k < 2; k++) {
                        host_mount(&h, 50 + k, "s", NULL, "rw,sync");
                        r = host_advice(&h, RULE_SYNC_CLIENT, "sync");
                        r->method = METHOD_LIVE;
                        h.a[k].plan.method = METHOD_LIVE;
                }
                r->place.kind = rows[i].place;
                r->method = rows[i].method;
                h.a[1].plan.method = rows[i].plan_method;
                got = host_groups(&h);
                ck_assert_msg(strcmp(got, rows[i].want) == 0, "%s: %s", rows[i].name, got);
                free(got);
                host_done(&h);
        }
}
END_TEST

/* A line that is broken without a changed option shares its words with no other. */
START_TEST(broken_lines_apart)
{
        struct host h = { 0 };
        char *got;

        for (unsigned k = 0; k < 3; k++) {
                struct recommendation *r;

                host_mount(&h, 0, "s", "bg", "rw");
                r = host_advice(&h, RULE_INVALID_OPTION, NULL);
                r->method = METHOD_SOURCE;
                r->evidence = world_copy(k < 2 ? "names no server" : "no absolute path");
        }
        got = host_groups(&h);
        ck_assert_str_eq(got, "0,1 2");
        free(got);
        host_done(&h);
}
END_TEST

START_TEST(pairs)
{
        const struct pair_row *row = &pair_rows[_i];
        struct host h = { 0 };
        char *got;

        host_mount(&h, row->a.minor, row->a.server, row->a.options, row->a.super);
        if (row->a.drop)
                host_advice(&h, RULE_SYNC_CLIENT, row->a.drop);
        host_mount(&h, row->b.minor, row->b.server, row->b.options, row->b.super);
        if (row->b.drop)
                host_advice(&h, RULE_SYNC_CLIENT, row->b.drop);
        got = host_groups(&h);
        ck_assert_msg(strcmp(got, row->together ? "0,1" : "0 1") == 0, "%s: %s", row->name, got);
        free(got);
        host_done(&h);
}
END_TEST

/* 0 and 2 share a template, 2 and 3 a superblock. */
START_TEST(chains)
{
        struct host h = { 0 };
        char *got;

        host_mount(&h, 50, "s", "sync,bg", "rw,sync");
        host_advice(&h, RULE_SYNC_CLIENT, "sync");
        host_mount(&h, 51, "s", "sync,hard", "rw,sync");
        host_advice(&h, RULE_SYNC_CLIENT, "sync");
        host_mount(&h, 52, "s", "sync,bg", "rw,sync");
        host_advice(&h, RULE_SYNC_CLIENT, "sync");
        host_mount(&h, 52, "s", "sync", "rw,sync");
        host_advice(&h, RULE_SYNC_CLIENT, "sync");
        got = host_groups(&h);
        ck_assert_str_eq(got, "0,2,3 1");
        free(got);
        host_done(&h);
}
END_TEST

/* Less sure of one than of the other: what is said of the one would be untrue of the other. */
START_TEST(confidence_is_part_of_the_advice)
{
        struct host h = { 0 };
        char *got;

        for (int i = 0; i < 2; i++) {
                host_mount(&h, 50 + (unsigned)i, "s", "rsize=1024", "rw");
                host_advice(&h, RULE_STALE_IO_SIZE, "rsize=1024")->confidence = i == 0 ? CONFIDENCE_POSSIBLE
                                                                                     : CONFIDENCE_OBSERVED;
        }
        got = host_groups(&h);
        ck_assert_str_eq(got, "1 0");
        free(got);
        host_done(&h);
}
END_TEST

/* ---- order ---------------------------------------------------------------------------- */

START_TEST(order)
{
        static const struct {
                bool quiet, urgent;
                unsigned gain_permille;
                enum confidence confidence;
        } rows[] = {
                /* 0 */ { .quiet = true },
                /* 1 */ { .confidence = CONFIDENCE_POSSIBLE },
                /* 2 */ { .confidence = CONFIDENCE_CONFIGURED },
                /* 3 */ { .gain_permille = 100, .confidence = CONFIDENCE_OBSERVED },
                /* 4 */ { .gain_permille = 900, .confidence = CONFIDENCE_CONFIGURED },
                /* 5 */ { .urgent = true, .confidence = CONFIDENCE_OBSERVED },
                /* 6 */ { .gain_permille = 100, .confidence = CONFIDENCE_MEASURED },
                /* 7 */ { .quiet = true },
                /* 8 */ { .confidence = CONFIDENCE_CONFIGURED },
        };
        struct host h = { 0 };
        char *got;

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                char options[20];

                snprintf(options, sizeof(options), "x-line=%zu", i);
                host_mount(&h, 50 + (unsigned)i, "s", options, "rw");
                if (!rows[i].quiet) {
                        struct recommendation *r = host_advice(&h, RULE_STALE_IO_SIZE, NULL);

                        r->urgent = rows[i].urgent;
                        r->gain_permille = rows[i].gain_permille;
                        r->confidence = rows[i].confidence;
                }
        }
        got = host_groups(&h);
        ck_assert_str_eq(got, "5 4 6 3 2 8 1 0 7");
        free(got);
        host_done(&h);
}
END_TEST

START_TEST(an_empty_host)
{
        struct groups g;

        ck_assert_int_eq(groups_make(NULL, NULL, 0, &g), 0);
        ck_assert_uint_eq(g.n_items, 0);
        groups_done(&g);
}
END_TEST

/* ---- many ------------------------------------------------------------------------------ */

#define MANY 10000

/* Every mount stands in exactly one group, members ascend, and it takes no time. */
START_TEST(many)
{
        struct observation *o = calloc(MANY, sizeof(*o));
        struct advice *a = calloc(MANY, sizeof(*a));
        const struct observation **op = calloc(MANY, sizeof(*op));
        const struct advice **ap = calloc(MANY, sizeof(*ap));
        bool *seen = calloc(MANY, sizeof(*seen));
        char *drop[] = { (char *)"rsize=32768" };
        struct recommendation r = {
                .rule = RULE_STALE_IO_SIZE, .confidence = CONFIDENCE_CONFIGURED, .drop = drop, .n_drop = 1,
        };
        struct groups g;
        size_t n = 0;

        ck_assert(o && a && op && ap && seen);
        for (size_t i = 0; i < MANY; i++) {
                o[i].mount.device.minor = (unsigned)(i % 3000) + 1;
                o[i].mount.server = (char *)(i % 2 ? "a" : "b");
                o[i].mount.super = i % 7 ? world_options("rw,rsize=32768") : world_options("rw,rsize=32768,hard");
                a[i].recommendations = &r;
                a[i].n_recommendations = i % 5 > 0;
                op[i] = &o[i];
                ap[i] = &a[i];
        }
        ck_assert_int_eq(groups_make(op, ap, MANY, &g), 0);
        for (size_t i = 0; i < g.n_items; i++) {
                for (size_t k = 0; k < g.items[i].n_members; k++) {
                        size_t m = g.items[i].members[k];

                        ck_assert(m < MANY && !seen[m] && (k == 0 || g.items[i].members[k - 1] < m));
                        seen[m] = true;
                        n++;
                }
                ck_assert(a[g.items[i].members[0]].n_recommendations > 0 || g.items[i].n_members == 1);
        }
        ck_assert_uint_eq(n, MANY);
        /* 2,000 quiet ones; the others are all linked, by a superblock or by two servers' two templates */
        ck_assert_uint_lt(g.n_items, MANY / 5 + 5);
        groups_done(&g);
        for (size_t i = 0; i < MANY; i++)
                options_done(&o[i].mount.super);
        free(o);
        free(a);
        free(op);
        free(ap);
        free(seen);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("policy groups");
        TCase *tc = tcase_create("groups");
        SRunner *sr;
        int failed;

        tcase_set_timeout(tc, 60);
        tcase_add_test(tc, places_and_methods_apart);
        tcase_add_test(tc, broken_lines_apart);
        tcase_add_loop_test(tc, pairs, 0, ARRAY_SIZE(pair_rows));
        tcase_add_test(tc, chains);
        tcase_add_test(tc, confidence_is_part_of_the_advice);
        tcase_add_test(tc, order);
        tcase_add_test(tc, an_empty_host);
        tcase_add_test(tc, many);
        suite_add_tcase(s, tc);
        sr = srunner_create(s);
        srunner_run_all(sr, CK_NORMAL);
        failed = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failed == 0 ? 0 : 1;
}
