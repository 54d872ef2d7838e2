/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/options.c: option strings as lists, and back without loss. */
#include "tests/unit/policy_world.h"

#include <errno.h>

static void check_format(const struct options *o, const char *want, const char *name)
{
        char *got = options_format(o);

        ck_assert_msg(got && strcmp(got, want) == 0, "%s: got \"%s\", want \"%s\"", name, got ? got : "(null)", want);
        free(got);
}

START_TEST(round_trip)
{
        static const struct {
                const char *text;
                size_t n;
        } rows[] = {
                { "", 0 },
                { "rw", 1 },
                { "defaults", 1 },
                { ",", 2 },
                { ",,", 3 },
                { "rw,,sync", 3 },
                { ",rw", 2 },
                { "rw,", 2 },
                { "rsize=32768,wsize=32768", 2 },
                { "rsize=", 1 },
                { "=", 1 },
                { "=5", 1 },
                { "a=b=c", 1 },
                { "context=\"system_u:object_r:nfs_t:s0:c1,c2\",rw", 2 },
                { "\"a,b\"", 1 },
                { "a\\,b,c", 2 },
                { "x=\\\",y", 2 },
                { "sync,async,sync", 3 },
                { "addr=[fe80::1%eth0]", 1 },
                { "x-systemd.after=a\\040b.service,comment=systemd.automount", 2 },
                { " rw , sync ", 2 },
                { "fatal_neterrors=ENETDOWN:ENETUNREACH,xprtsec=tls,nobody-knows-this", 3 },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct options o = world_options(rows[i].text), copy;

                ck_assert_msg(o.n_items == rows[i].n, "\"%s\": %zu items, want %zu", rows[i].text, o.n_items,
                              rows[i].n);
                check_format(&o, rows[i].text, rows[i].text);
                ck_assert_int_eq(options_copy(&o, &copy), 0);
                check_format(&copy, rows[i].text, rows[i].text);
                options_done(&copy);
                options_done(&o);
        }
}
END_TEST

START_TEST(random_round_trip)
{
        static const char letters[] = "ab=,,\"\\ =rsize1";
        uint64_t seed = world_seed(), state = seed;

        for (int i = 0; i < 20000; i++) {
                char text[40] = "";
                size_t n = world_random(&state) % sizeof(text);
                struct options o;
                int r;

                for (size_t j = 0; j < n; j++)
                        text[j] = letters[world_random(&state) % (sizeof(letters) - 1)];
                text[n < sizeof(text) ? n : n - 1] = '\0';
                r = options_parse(text, strlen(text), &o);
                ck_assert_msg(r == 0 || r == -EINVAL, "seed %llu: \"%s\": %d", (unsigned long long)seed, text, r);
                if (r < 0)
                        continue;
                check_format(&o, text, text);
                options_done(&o);
        }
}
END_TEST

START_TEST(refused)
{
        static const struct {
                const char *name;
                const char *text;
                size_t n;
                int want;
        } rows[] = {
                { "embedded NUL", "rw\0sync", 7, -EINVAL },
                { "open quote", "context=\"a,b", 12, -EINVAL },
                { "quote at the end", "a\"", 2, -EINVAL },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct options o = { .n_items = 77 };

                ck_assert_msg(options_parse(rows[i].text, rows[i].n, &o) == rows[i].want, "%s", rows[i].name);
                ck_assert_msg(o.n_items == 77, "%s: written on failure", rows[i].name);
        }
}
END_TEST

START_TEST(capped)
{
        char text[2 * (OPTIONS_MAX + 1)];
        struct options o;

        for (size_t i = 0; i < OPTIONS_MAX + 1; i++) {
                text[2 * i] = 'a';
                text[2 * i + 1] = ',';
        }
        ck_assert_int_eq(options_parse(text, 2 * OPTIONS_MAX - 1, &o), 0);
        ck_assert_uint_eq(o.n_items, OPTIONS_MAX);
        options_done(&o);
        ck_assert_int_eq(options_parse(text, 2 * OPTIONS_MAX + 1, &o), -E2BIG);
}
END_TEST

START_TEST(only_the_given_bytes)
{
        struct options o;

        ck_assert_int_eq(options_parse("rw,sync,junk", 7, &o), 0);
        check_format(&o, "rw,sync", "length");
        options_done(&o);
        ck_assert_int_eq(options_parse(NULL, 0, &o), 0);
        ck_assert_uint_eq(o.n_items, 0);
}
END_TEST

START_TEST(last_one_wins)
{
        struct options o = world_options("rsize=1,ro,rsize=32k,rsize,wsize=");

        ck_assert(options_has(&o, "ro"));
        ck_assert(!options_has(&o, "r"));
        ck_assert(!options_has(&o, "RO"));
        ck_assert_ptr_null(options_value(&o, "rsize"));
        ck_assert_str_eq(options_value(&o, "wsize"), "");
        ck_assert_ptr_null(options_find(&o, "absent"));
        options_done(&o);
}
END_TEST

START_TEST(numbers)
{
        static const struct {
                const char *text;
                int want;
                uint64_t value;
        } rows[] = {
                { "n=0", 0, 0 },
                { "n=32768", 0, 32768 },
                { "n=32k", 0, 32768 },
                { "n=1M", 0, MIB },
                { "n=1g", 0, 1024 * MIB },
                { "n=18446744073709551615", 0, UINT64_MAX },
                { "n=18446744073709551616", -ERANGE, 0 },
                { "n=18446744073709551615k", -ERANGE, 0 },
                { "n=", -EINVAL, 0 },
                { "n", -EINVAL, 0 },
                { "n=-1", -EINVAL, 0 },
                { "n=+1", -EINVAL, 0 },
                { "n= 1", -EINVAL, 0 },
                { "n=0x8000", -EINVAL, 0 },
                { "n=1kb", -EINVAL, 0 },
                { "n=k", -EINVAL, 0 },
                { "m=1", -ENOENT, 0 },
                { "n=1,n=2", 0, 2 },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct options o = world_options(rows[i].text);
                uint64_t value = 77;
                int r = options_u64(&o, "n", &value);

                ck_assert_msg(r == rows[i].want, "%s: %d, want %d", rows[i].text, r, rows[i].want);
                ck_assert_msg(value == (r == 0 ? rows[i].value : 77), "%s: value %llu", rows[i].text,
                              (unsigned long long)value);
                options_done(&o);
        }
}
END_TEST

START_TEST(dropping)
{
        static const struct {
                const char *text, *drop, *want;
        } rows[] = {
                { "rw,sync,hard", "sync", "rw,hard" },
                { "sync", "sync", "" },
                { "rw,,sync", "sync", "rw," },
                { "rsize=1,rw,rsize=2", "rsize", "rw" },
                { "rsize=1,rw,rsize=2", "rsize=2", "rsize=1,rw,rsize=2" },
                { "rsize=32768", "rsize=3276", "rsize=32768" },
                { "sync=,sync", "sync", "" },
                { "sync=,sync", "sync=", "sync=,sync" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct options o = world_options(rows[i].text);
                size_t before = o.n_items, n;

                n = options_drop(&o, rows[i].drop);
                ck_assert_msg(n == before - o.n_items, "%s: count", rows[i].text);
                check_format(&o, rows[i].want, rows[i].text);
                options_done(&o);
        }
}
END_TEST

START_TEST(setting)
{
        static const struct {
                const char *text, *name, *value, *want;
        } rows[] = {
                { "", "rw", NULL, "rw" },
                { "rw", "rsize", "5", "rw,rsize=5" },
                { "rsize=1,rw", "rsize", "5", "rsize=5,rw" },
                { "rsize=1,rw,rsize=2,hard", "rsize", "5", "rw,rsize=5,hard" },
                { "rsize=1", "rsize", NULL, "rsize" },
                { "rsize", "rsize", "", "rsize=" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct options o = world_options(rows[i].text);

                ck_assert_int_eq(options_set(&o, rows[i].name, rows[i].value), 0);
                check_format(&o, rows[i].want, rows[i].text);
                options_done(&o);
        }
}
END_TEST

START_TEST(meaning)
{
        static const struct {
                const char *text;
                struct nfs_options want;
        } rows[] = {
                { "", { .version_minor = -1 } },
                { "vers=4.2", { .version_major = 4, .version_minor = 2 } },
                { "vers=4", { .version_major = 4, .version_minor = -1 } },
                { "vers=4,minorversion=1", { .version_major = 4, .version_minor = 1 } },
                { "minorversion=0,nfsvers=4", { .version_major = 4, .version_minor = 0 } },
                { "vers=4.2,minorversion=1", { .version_major = 4, .version_minor = 2 } },
                { "v3", { .version_major = 3, .version_minor = -1 } },
                { "v4.1", { .version_major = 4, .version_minor = 1 } },
                { "vers=3,minorversion=1", { .version_major = 3, .version_minor = -1 } },
                { "vers=5", { .version_minor = -1 } },
                { "vers=4.9", { .version_minor = -1 } },
                { "verbose", { .version_minor = -1 } },
                { "vers=3,nfsvers=4.0", { .version_major = 4, .version_minor = 0 } },
                { "rsize=32k,wsize=1048576",
                  { .version_minor = -1, .rsize_bytes = 32768, .wsize_bytes = MIB } },
                { "rsize=x,wsize=-1", { .version_minor = -1 } },
                { "proto=tcp6", { .version_minor = -1, .proto = NFS_PROTO_TCP } },
                { "udp", { .version_minor = -1, .proto = NFS_PROTO_UDP } },
                { "udp,proto=rdma", { .version_minor = -1, .proto = NFS_PROTO_RDMA } },
                { "mountproto=udp", { .version_minor = -1 } },
                { "port=20049", { .version_minor = -1, .port = 20049 } },
                { "port=70000", { .version_minor = -1 } },
                { "ro,rw", { .version_minor = -1 } },
                { "rw,ro", { .version_minor = -1, .read_only = true } },
                { "sync", { .version_minor = -1, .sync = true } },
                { "sync,async", { .version_minor = -1 } },
                { "noac,noacl", { .version_minor = -1, .noac = true } },
                { "noacl", { .version_minor = -1 } },
                { "noac,ac", { .version_minor = -1 } },
                { "hard,softerr", { .version_minor = -1, .soft = true } },
                { "soft,hard", { .version_minor = -1 } },
                { "softreval", { .version_minor = -1 } },
                { "nosharecache", { .version_minor = -1, .nosharecache = true } },
                { "addr=10.0.0.1,sec=krb5p,xprtsec=tls",
                  { .version_minor = -1, .address = "10.0.0.1", .security = "krb5p", .transport_security = "tls" } },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                const struct nfs_options *w = &rows[i].want;
                struct options o = world_options(rows[i].text);
                struct nfs_options got;

                nfs_options_read(&o, &got);
#define SAME(field, format) \
                ck_assert_msg(got.field == w->field, "%s: " #field " " format, rows[i].text, got.field)
                SAME(version_major, "%u");
                SAME(version_minor, "%d");
                SAME(proto, "%d");
                SAME(port, "%u");
                SAME(read_only, "%d");
                SAME(sync, "%d");
                SAME(noac, "%d");
                SAME(soft, "%d");
                SAME(nosharecache, "%d");
#undef SAME
                ck_assert_msg(got.rsize_bytes == w->rsize_bytes && got.wsize_bytes == w->wsize_bytes, "%s: sizes",
                              rows[i].text);
                ck_assert_pstr_eq(got.address, w->address);
                ck_assert_pstr_eq(got.security, w->security);
                ck_assert_pstr_eq(got.transport_security, w->transport_security);
                options_done(&o);
        }
}
END_TEST

WORLD_MAIN("policy options", round_trip, random_round_trip, refused, capped, only_the_given_bytes, last_one_wins,
           numbers, dropping, setting, meaning)
