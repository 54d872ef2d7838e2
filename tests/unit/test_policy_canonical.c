/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/canonical.c: what option strings mean; random ones through differences.c too. */
#include "policy/canonical.h"
#include "policy/differences.h"
#include "tests/unit/policy_world.h"

#include <errno.h>

/* The canonical form as text; the caller frees. */
static char *canonical_text(const struct options *o)
{
        struct options c;
        char *text;

        ck_assert_int_eq(canonical_make(o, &c), 0);
        text = options_format(&c);
        ck_assert_ptr_nonnull(text);
        options_done(&c);
        return text;
}

static void check_text(const char *got, const char *want, const char *name)
{
        ck_assert_msg(strcmp(got, want) == 0, "%s: got \"%s\", want \"%s\"", name, got, want);
}

START_TEST(canonical)
{
        static const struct {
                const char *text, *want;
        } rows[] = {
                { "", "" },
                { "defaults", "" },
                { ",,", "" },
                { "rw,,hard", "hard=hard,rw=rw" },
                { "hard,rw", "hard=hard,rw=rw" },
                /* versions */
                { "nfsvers=4,minorversion=1", "vers=4.1" },
                { "minorversion=1,vers=4", "vers=4.1" },
                { "vers=4.1", "vers=4.1" },
                { "v4.1", "vers=4.1" },
                { "vers=4", "vers=4" },
                { "v4", "vers=4" },
                { "vers=4,minorversion=0", "vers=4.0" },
                { "vers=4.2,minorversion=1", "vers=4.2" },
                { "minorversion=2", "vers=4.2" },
                { "vers=3,minorversion=1", "minorversion=1,vers=3" },
                { "vers=4,minorversion=7", "minorversion=7,vers=4" },
                { "v3", "vers=3" },
                { "vers=3,nfsvers=4.0", "vers=4.0" },
                { "v3=", "v3=" },
                /* attribute times */
                { "actimeo=5", "acdirmax=5,acdirmin=5,acregmax=5,acregmin=5" },
                { "actimeo=5,acregmin=3", "acdirmax=5,acdirmin=5,acregmax=5,acregmin=3" },
                { "acregmin=3,actimeo=5", "acdirmax=5,acdirmin=5,acregmax=5,acregmin=5" },
                { "actimeo=abc", "actimeo=abc" },
                { "actimeo", "actimeo" },
                { "noac", "ac=noac,acdirmax=0,acdirmin=0,acregmax=0,acregmin=0,sync=sync" },
                { "noac,ac", "ac=ac" },
                { "noac,async,actimeo=60", "ac=noac,acdirmax=0,acdirmin=0,acregmax=0,acregmin=0,sync=sync" },
                { "ac", "ac=ac" },
                /* sizes */
                { "rsize=32k,wsize=1M", "rsize=32768,wsize=1048576" },
                { "rsize=0032768", "rsize=32768" },
                { "rsize=abc", "rsize=abc" },
                { "rsize", "rsize" },
                { "rsize=1,rsize=2", "rsize=2" },
                /* transports */
                { "tcp", "proto=tcp" },
                { "proto=tcp", "proto=tcp" },
                { "proto=tcp6", "proto=tcp6" },
                { "udp,rdma", "proto=rdma" },
                { "rdma,proto=udp", "proto=udp" },
                /* flags that undo one another */
                { "soft", "hard=soft" },
                { "soft,hard", "hard=hard" },
                { "hard,soft", "hard=soft" },
                { "softerr", "hard=softerr,softreval=softreval" },
                { "softerr,nosoftreval", "hard=softerr,softreval=nosoftreval" },
                { "softerr,hard", "hard=hard" },
                { "softreval,soft", "hard=soft,softreval=softreval" },
                { "ro,rw", "rw=rw" },
                { "rw,ro", "rw=ro" },
                { "sync,async", "sync=async" },
                { "nolock,lock", "lock=lock" },
                { "resvport,noresvport", "resvport=noresvport" },
                { "bg", "fg=bg" },
                { "atime", "atime=relatime" },
                { "relatime,noatime", "atime=noatime" },
                { "strictatime", "atime=strictatime" },
                { "rdirplus=none", "rdirplus=nordirplus" },
                { "nordirplus,rdirplus=force", "rdirplus=force" },
                { "fsc", "fsc=fsc" },
                { "fsc=name", "fsc=name" },
                { "fsc,nofsc", "fsc=nofsc" },
                /* what others bring along, and what undoes it */
                { "user", "dev=nodev,exec=noexec,suid=nosuid,user=user" },
                { "user,exec", "dev=nodev,exec=exec,suid=nosuid,user=user" },
                { "exec,user", "dev=nodev,exec=noexec,suid=nosuid,user=user" },
                { "users,suid,dev", "dev=dev,exec=noexec,suid=suid,user=users" },
                { "owner", "dev=nodev,owner=owner,suid=nosuid" },
                { "nouser", "user=nouser" },
                /* two spellings of a value */
                { "lookupcache=positive", "lookupcache=pos" },
                { "sec=null", "sec=none" },
                { "fatal_neterrors=ENETUNREACH:ENETDOWN", "fatal_neterrors=ENETDOWN:ENETUNREACH" },
                /* notes, settings of others, unknown */
                { "x-gvfs-show,X-note=1,comment=systemd.automount", "" },
                { "x-systemd.automount", "x-systemd.automount=x-systemd.automount" },
                { "x-systemd.after=b,x-systemd.after=a,x-systemd.after=b", "x-systemd.after=a,x-systemd.after=b" },
                { "x-systemd.idle-timeout=1,x-systemd.idle-timeout=2", "x-systemd.idle-timeout=2" },
                { "x-mount.mkdir", "X-mount.mkdir=X-mount.mkdir" },
                { "_netdev,noauto", "_netdev=_netdev,auto=noauto" },
                { "unknown,other=5,=5", "=5,other=5,unknown" },
                { "context=\"system_u:object_r:nfs_t:s0:c1,c2\",ro",
                  "context=\"system_u:object_r:nfs_t:s0:c1,c2\",rw=ro" },
                { "nosuid=1", "nosuid=1" },
                { "sync=yes", "sync=yes" },
                /* our own spelling */
                { "hard=soft,sync=async,suid=nosuid", "hard=soft,suid=nosuid,sync=async" },
                { "dev=dev,user=user", "dev=dev,user=user" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct options o = world_options(rows[i].text);
                char *got = canonical_text(&o);

                check_text(got, rows[i].want, rows[i].text);
                free(got);
                options_done(&o);
        }
}
END_TEST

/* ---- properties --------------------------------------------------------------------- */

#define N_RANDOM 2000
#define N_FIELDS 12

static const char *pick(uint64_t *state, const char *const list[], size_t n)
{
        return list[world_random(state) % n];
}

/* A name of the table, or junk. */
static const char *random_name(uint64_t *state)
{
        static const char *const junk[] = { "junk", "rszie", "no", "x-", "X-y.z", "x-systemd.zzz", "4.1", "tcp6" };
        size_t n_rows = 0;

        while (option_info_at(n_rows))
                n_rows++;
        if (world_random(state) % 8 == 0)
                return pick(state, junk, ARRAY_SIZE(junk));
        return option_info_at(world_random(state) % n_rows)->name;
}

static void add_random_field(struct text *t, uint64_t *state)
{
        static const char *const values[] = {
                "", "0", "1", "4", "4.1", "3", "32k", "1M", "007", "-1", "abc", "\"a,b\"", "\"x=,\"", "a\\,b", "a=b",
                "krb5:sys", "null", "none", "pos", "positive", "tcp", "udp6", "soft", "noac", "async", "sync",
                "99999999999999999999",
        };
        const char *name = random_name(state);

        switch (world_random(state) % 8) {
        case 0:
                break;
        case 1: case 2: case 3:
                text_add(t, "%s", name);
                break;
        default:
                text_add(t, "%s=%s", name, pick(state, values, ARRAY_SIZE(values)));
        }
}

static struct options random_options(uint64_t *state, char **ret_text)
{
        struct text t = { 0 };
        size_t n = world_random(state) % N_FIELDS;

        for (size_t i = 0; i < n; i++) {
                if (i > 0)
                        text_add(&t, ",");
                add_random_field(&t, state);
        }
        *ret_text = text_take(&t);
        ck_assert_ptr_nonnull(*ret_text);
        return world_options(*ret_text);
}

START_TEST(random_texts)
{
        uint64_t seed = world_seed(), state = seed;

        for (int i = 0; i < N_RANDOM; i++) {
                char *text, *printed, *once, *twice;
                struct options o = random_options(&state, &text), c, again;

                printed = options_format(&o);
                check_text(printed, text, "parsed and printed");
                ck_assert_int_eq(canonical_make(&o, &c), 0);
                once = options_format(&c);
                twice = canonical_text(&c);
                ck_assert_msg(strcmp(once, twice) == 0, "seed %llu: \"%s\" is \"%s\" and then \"%s\"",
                              (unsigned long long)seed, text, once, twice);
                free(twice);

                /* printed and parsed it is the same, too */
                again = world_options(once);
                twice = canonical_text(&again);
                check_text(twice, once, text);

                options_done(&again);
                options_done(&c);
                options_done(&o);
                free(printed);
                free(text);
                free(once);
                free(twice);
        }
}
END_TEST

/* Those of which one changes another family: their order means something. */
static bool reaches_further(const char *key)
{
        static const char *const keys[] = { "actimeo", "group", "hard", "minorversion", "owner", "user" };

        for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
                if (strcmp(key, keys[i]) == 0)
                        return true;
        return false;
}

/* Leaves one option of each family. */
static void keep_one_of_each(struct options *o)
{
        struct options kept = { 0 }, seen = { 0 };

        for (size_t i = 0; i < o->n_items; i++) {
                const struct option_info *info = option_info(o->items[i].name);
                const char *key = info ? info->canonical : o->items[i].name;

                if (options_has(&seen, key) || reaches_further(key))
                        continue;
                ck_assert_int_eq(options_set(&seen, key, NULL), 0);
                ck_assert_int_eq(options_set(&kept, o->items[i].name, o->items[i].value), 0);
        }
        options_done(&seen);
        options_done(o);
        *o = kept;
}

static void shuffle(struct options *o, uint64_t *state)
{
        for (size_t i = o->n_items; i > 1; i--) {
                size_t j = world_random(state) % i;
                struct mount_option swap = o->items[i - 1];

                o->items[i - 1] = o->items[j];
                o->items[j] = swap;
        }
}

START_TEST(order_is_nothing)
{
        uint64_t seed = world_seed() + 1, state = seed;
        size_t shuffled = 0;

        for (int i = 0; i < N_RANDOM; i++) {
                char *text, *before, *after;
                struct options o = random_options(&state, &text);

                keep_one_of_each(&o);
                before = canonical_text(&o);
                shuffle(&o, &state);
                after = canonical_text(&o);
                ck_assert_msg(strcmp(before, after) == 0, "seed %llu: of \"%s\": \"%s\" and \"%s\"",
                              (unsigned long long)seed, text, before, after);
                shuffled += o.n_items > 2;
                options_done(&o);
                free(before);
                free(after);
                free(text);
        }
        ck_assert_uint_gt(shuffled, N_RANDOM / 4);
}
END_TEST

/* Whatever is asked and effective: no crash, and only families that are printed. */
START_TEST(random_differences)
{
        uint64_t seed = world_seed() + 2, state = seed;
        size_t found = 0;

        for (int i = 0; i < N_RANDOM; i++) {
                char *a, *b;
                struct options requested = random_options(&state, &a), effective = random_options(&state, &b);
                struct difference *d;
                size_t n;

                ck_assert_int_eq(differences_find(&requested, &effective, &d, &n), 0);
                for (size_t k = 0; k < n; k++) {
                        ck_assert_msg(d[k].info->reader == READER_KERNEL || d[k].info->reader == READER_VFS,
                                      "seed %llu: %s", (unsigned long long)seed, d[k].requested);
                        ck_assert_msg(!d[k].effective || strcmp(d[k].requested, d[k].effective) != 0,
                                      "seed %llu: %s is %s", (unsigned long long)seed, d[k].requested, d[k].effective);
                }
                found += n;
                differences_done(d, n);
                options_done(&requested);
                options_done(&effective);
                free(a);
                free(b);
        }
        ck_assert_uint_gt(found, 100);
}
END_TEST

WORLD_MAIN("policy canonical", canonical, random_texts, order_is_nothing, random_differences)
