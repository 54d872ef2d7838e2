/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/profile.c and address.c: which profile belongs to a server, and what is an address. */
#include "tests/unit/policy_world.h"

#include "policy/address.h"
#include "policy/profile.h"

/* ---- addresses ------------------------------------------------------------------ */

static const struct prefix_row {
        const char *name;
        const char *prefix;
        const char *address;
        int want;               /* 1 inside, 0 outside, -1: one of both is no address */
} prefix_rows[] = {
        { "the same", "192.0.2.7", "192.0.2.7", 1 },
        { "another", "192.0.2.7", "192.0.2.8", 0 },
        { "/24", "192.0.2.0/24", "192.0.2.255", 1 },
        { "beside /24", "192.0.2.0/24", "192.0.3.0", 0 },
        { "bits behind the prefix do not count", "192.0.2.99/24", "192.0.2.1", 1 },
        { "/8", "10.0.0.0/8", "10.255.255.255", 1 },
        { "/9, upper half", "10.128.0.0/9", "10.128.0.0", 1 },
        { "/9, lower half", "10.128.0.0/9", "10.127.255.255", 0 },
        { "/31", "192.0.2.6/31", "192.0.2.7", 1 },
        { "/32", "192.0.2.6/32", "192.0.2.7", 0 },
        { "/0", "0.0.0.0/0", "203.0.113.9", 1 },
        { "/0 is of one family", "0.0.0.0/0", "2001:db8::1", 0 },
        { "v6 the same", "2001:db8::7", "2001:0DB8:0:0:0:0:0:7", 1 },
        { "v6 /32", "2001:db8::/32", "2001:db8:ffff::1", 1 },
        { "v6 beside /32", "2001:db8::/32", "2001:db9::1", 0 },
        { "v6 /127", "2001:db8::/127", "2001:db8::1", 1 },
        { "v6 /128", "2001:db8::/128", "2001:db8::1", 0 },
        { "v6 /33", "2001:db8:8000::/33", "2001:db8:ffff::", 1 },
        { "v6 all groups", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", 1 },
        { "v6 gap of one group", "1:2:3:4:5:6::8", "1:2:3:4:5:6:0:8", 1 },
        { "v6 gap at the start", "::8", "0:0:0:0:0:0:0:8", 1 },
        { "v6 gap at the end", "1::", "1:0:0:0:0:0:0:0", 1 },
        { "v6 nothing but the gap", "::", "0:0:0:0:0:0:0:0", 1 },
        { "v6 a zone does not count", "fe80::/10", "fe80::1%eth0", 1 },
        { "v6 ends as v4", "64:ff9b::192.0.2.1", "64:ff9b::c000:201", 1 },
        { "v4 as v6 is v4", "192.0.2.0/24", "::ffff:192.0.2.1", 1 },
        { "/33", "192.0.2.0/33", "192.0.2.1", -1 },
        { "v6 /129", "2001:db8::/129", "2001:db8::", -1 },
        { "no bits", "192.0.2.0/", "192.0.2.1", -1 },
        { "bits with a sign", "192.0.2.0/+8", "192.0.2.1", -1 },
        { "bits with a zero in front", "192.0.2.0/08", "192.0.2.1", -1 },
        { "three numbers", "192.0.2", "192.0.2.1", -1 },
        { "five numbers", "192.0.2.1.1", "192.0.2.1", -1 },
        { "256", "192.0.2.256", "192.0.2.1", -1 },
        { "octal", "192.0.2.010", "192.0.2.8", -1 },
        { "a blank", "192.0.2. 1", "192.0.2.1", -1 },
        { "no number", "192.0..1", "192.0.0.1", -1 },
        { "nothing", "", "192.0.2.1", -1 },
        { "a slash alone", "/", "192.0.2.1", -1 },
        { "a name", "nas.example", "192.0.2.1", -1 },
        { "v6 seven groups", "1:2:3:4:5:6:7", "::1", -1 },
        { "v6 nine groups", "1:2:3:4:5:6:7:8:9", "::1", -1 },
        { "v6 eight groups and a gap", "1:2:3:4:5:6:7::8", "::1", -1 },
        { "v6 two gaps", "1::2::3", "::1", -1 },
        { "v6 three colons", "1:::2", "::1", -1 },
        { "v6 five digits", "12345::", "::1", -1 },
        { "v6 no digit", "g::", "::1", -1 },
        { "v6 a colon at the end", "1:2:3:4:5:6:7:", "::1", -1 },
        { "v6 a colon at the start", ":1:2:3:4:5:6:7", "::1", -1 },
        { "v6 v4 in the middle", "1:192.0.2.1::", "::1", -1 },
        { "v6 v4 too far", "1:2:3:4:5:6:7:192.0.2.1", "::1", -1 },
        { "brackets", "[::1]", "::1", -1 },
};

START_TEST(prefixes)
{
        const struct prefix_row *row = &prefix_rows[_i];
        struct address prefix, a;
        unsigned bits;
        bool good = prefix_parse(row->prefix, &prefix, &bits) == 0;
        int got = good && address_parse(row->address, &a) == 0 ? address_has_prefix(&a, &prefix, bits) : -1;

        ck_assert_msg(got == row->want, "%s: %d, want %d", row->name, got, row->want);
}
END_TEST

static const struct loopback_row {
        const char *text;
        bool want;
} loopback_rows[] = {
        { "127.0.0.1", true }, { "127.255.0.1", true }, { "::1", true }, { "localhost", true },
        { "localhost.localdomain", true }, { "::ffff:127.0.0.1", true }, { "128.0.0.1", false }, { "::2", false },
        { "localhosts", false }, { "0.0.0.0", false }, { "", false }, { NULL, false },
};

START_TEST(loopback)
{
        const struct loopback_row *row = &loopback_rows[_i];

        ck_assert_msg(address_is_loopback(row->text) == row->want, "%s", row->text ? row->text : "(null)");
}
END_TEST

/* ---- which profile ----------------------------------------------------------------- */

/* One pattern list of each kind a profile, separated by blanks, or NULL; '_' stands for a blank. */
static const struct shop_row {
        const char *name;
        const char *hosts, *addresses, *implementations;
} shop[] = {
        { "all-example", "*.example", NULL, NULL },
        { "cloud", "*.efs.*.amazonaws.com", NULL, NULL },
        { "filer", "*.lab.example nas.lab", NULL, NULL },
        { "net", NULL, "10.0.0.0/8 2001:db8::/32", NULL },
        { "net-small", NULL, "10.1.2.0/24", NULL },
        { "nowhere", NULL, NULL, NULL },
        { "second", "twice.test", NULL, "FreeBSD_*" },
        { "third", "twice.test", NULL, "NetApp_Release*" },
};

static void fill(const char *list, char ***items, size_t *n)
{
        char *copy = world_copy(list ? list : ""), *rest = copy;

        for (char *word; (word = strtok_r(rest, " ", &rest));) {
                *items = reallocarray(*items, *n + 1, sizeof(**items));
                ck_assert_ptr_nonnull(*items);
                (*items)[*n] = world_copy(word);
                for (char *c = (*items)[*n]; (c = strchr(c, '_'));)
                        *c = ' ';
                ++*n;
        }
        free(copy);
}

static struct server_profiles open_shop(void)
{
        struct server_profiles p = { .items = calloc(ARRAY_SIZE(shop), sizeof(*p.items)),
                                     .n_items = ARRAY_SIZE(shop) };

        ck_assert_ptr_nonnull(p.items);
        for (size_t i = 0; i < p.n_items; i++) {
                p.items[i].name = world_copy(shop[i].name);
                fill(shop[i].hosts, &p.items[i].hosts, &p.items[i].n_hosts);
                fill(shop[i].addresses, &p.items[i].addresses, &p.items[i].n_addresses);
                fill(shop[i].implementations, &p.items[i].implementations, &p.items[i].n_implementations);
        }
        return p;
}

static const struct find_row {
        const char *name;
        const char *host, *address, *implementation;
        const char *want;       /* NULL: none */
} find_rows[] = {
        { "nothing known", NULL, NULL, NULL, NULL },
        { "empty words", "", "", "", NULL },
        { "unknown", "nas.invalid", "203.0.113.1", "Other 1", NULL },
        { "host", "fs-1.efs.us-east-1.amazonaws.com", NULL, NULL, "cloud" },
        { "host in capitals", "FS-1.EFS.us-east-1.AmazonAWS.com", NULL, NULL, "cloud" },
        { "the pattern is the whole name", "fs-1.efs.us-east-1.amazonaws.com.evil", NULL, NULL, NULL },
        { "a star may be empty", ".efs..amazonaws.com", NULL, NULL, "cloud" },
        { "a star goes back", "a.efs.b.efs.c.amazonaws.com.amazonaws.com", NULL, NULL, "cloud" },
        { "shorter than the pattern", "efs", NULL, NULL, NULL },
        { "longest pattern of several", "nas.lab.example", NULL, NULL, "filer" },
        { "the shorter one elsewhere", "nas.office.example", NULL, NULL, "all-example" },
        { "implementation wins over the host", "nas.lab.example", NULL, "NetApp Release 9.9.1P3", "third" },
        { "an unknown implementation leaves it to the host", "nas.lab.example", NULL, "Other 1", "filer" },
        { "implementation with blanks", NULL, NULL, "FreeBSD 13.2-RELEASE releng/13.2", "second" },
        { "host wins over the address", "nas.lab.example", "10.1.1.1", NULL, "filer" },
        { "address", "nas", "10.1.1.1", NULL, "net" },
        { "longest prefix, not the longest text", "nas", "10.1.2.3", NULL, "net-small" },
        { "the address stands in the host's place", "10.1.1.1", NULL, NULL, "net" },
        { "v6", NULL, "2001:db8::5", NULL, "net" },
        { "a name where an address should be", NULL, "server", NULL, NULL },
        { "equal patterns: the first by name", "twice.test", NULL, NULL, "second" },
};

START_TEST(finds)
{
        const struct find_row *row = &find_rows[_i];
        struct server_profiles p = open_shop();
        const struct server_profile *found;

        found = profile_find(&p, row->host, row->address, row->implementation);
        ck_assert_msg(row->want ? found && strcmp(found->name, row->want) == 0 : !found, "%s: %s", row->name,
                      found ? found->name : "none");
        server_profiles_done(&p);
}
END_TEST

START_TEST(no_profiles_at_all)
{
        struct server_profiles none = { 0 };

        ck_assert_ptr_null(profile_find(&none, "a", "192.0.2.1", "b"));
        server_profiles_done(&none);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("profile");
        TCase *tc = tcase_create("profile");
        SRunner *sr = srunner_create(s);
        int failed;

        tcase_add_loop_test(tc, prefixes, 0, (int)ARRAY_SIZE(prefix_rows));
        tcase_add_loop_test(tc, loopback, 0, (int)ARRAY_SIZE(loopback_rows));
        tcase_add_loop_test(tc, finds, 0, (int)ARRAY_SIZE(find_rows));
        tcase_add_test(tc, no_profiles_at_all);
        suite_add_tcase(s, tc);
        srunner_run_all(sr, CK_NORMAL);
        failed = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failed == 0 ? 0 : 1;
}
