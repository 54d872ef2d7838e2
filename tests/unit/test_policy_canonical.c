/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/canonical.c: what option strings mean, and what of them does not hold. */
#include "policy/canonical.h"
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

START_TEST(equal)
{
        static const struct {
                const char *a, *b;
                bool want;
        } rows[] = {
                { "", "defaults", true },
                { "nfsvers=4,minorversion=1,tcp", "proto=tcp,v4.1", true },
                { "rw,hard,async", "", true },
                { "timeo=600,retrans=2", "", true },
                { "timeo=600", "timeo=14", false },
                { "timeo=14", "", false },
                { "udp,timeo=11,retrans=3", "proto=udp", true },
                { "udp,timeo=600", "proto=udp", false },
                { "rsize=32768", "", false },
                { "rsize=32k", "rsize=32768", true },
                { "actimeo=0,sync", "noac", false },
                { "soft", "hard", false },
                { "noac", "noac,async", true },
                { "x-gvfs-show", "", true },
                { "x-systemd.after=a,x-systemd.after=b", "x-systemd.after=b,x-systemd.after=a", true },
                { "x-systemd.after=a,x-systemd.after=b", "x-systemd.after=b", false },
                { "unknown", "", false },
                { "unknown", "unknown=1", false },
                { "nconnect=1", "", true },
                { "relatime", "", true },
                { "vers=4", "vers=4.2", false },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct options a = world_options(rows[i].a), b = world_options(rows[i].b);
                bool there = !rows[i].want, back = !rows[i].want;

                ck_assert_int_eq(canonical_equal(&a, &b, &there), 0);
                ck_assert_int_eq(canonical_equal(&b, &a, &back), 0);
                ck_assert_msg(there == rows[i].want && back == rows[i].want, "\"%s\" and \"%s\"", rows[i].a, rows[i].b);
                options_done(&a);
                options_done(&b);
        }
}
END_TEST

/* "rsize=1048576:rsize=524288 sync:-"; the caller frees. */
static char *differences_text(const struct options *requested, const struct options *effective)
{
        struct text t = { 0 };
        struct difference *d;
        size_t n;
        char *text;

        ck_assert_int_eq(differences_find(requested, effective, &d, &n), 0);
        for (size_t i = 0; i < n; i++) {
                ck_assert_ptr_nonnull(d[i].info);
                ck_assert_str_eq(d[i].info->canonical, d[i].info->name);
                text_add(&t, "%s%s:%s", i > 0 ? " " : "", d[i].requested, d[i].effective ? d[i].effective : "-");
        }
        differences_done(d, n);
        text = text_take(&t);
        ck_assert_ptr_nonnull(text);
        return text;
}

#define V42 "rw,relatime,rw,vers=4.2,rsize=524288,wsize=524288,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys," \
            "clientaddr=10.0.0.2,local_lock=none,addr=10.0.0.1"
#define V3  "rw,relatime,rw,vers=3,rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,"     \
            "mountaddr=10.0.0.1,mountvers=3,mountport=20048,mountproto=udp,local_lock=none,addr=10.0.0.1"

START_TEST(differences)
{
        static const struct {
                const char *name, *requested, *effective, *want;
        } rows[] = {
                { "nothing asked", "defaults", V42, "" },
                { "everything as asked", "vers=4.2,rsize=524288,hard,proto=tcp,timeo=600,sec=sys,rw,async", V42, "" },
                /* sizes */
                { "server's limit", "rsize=1048576", V42, "rsize=1048576:rsize=524288" },
                { "both directions", "rsize=1M,wsize=32768", V42,
                  "rsize=1048576:rsize=524288 wsize=32768:wsize=524288" },
                { "page rounding", "rsize=1000000", "vers=4.2,rsize=999424", "" },
                { "rounding of 64 KiB pages", "rsize=1000000", "vers=4.2,rsize=983040", "" },
                { "no rounding", "rsize=1000000", "vers=4.2,rsize=524288", "rsize=1000000:rsize=524288" },
                { "below the minimum", "rsize=512", "vers=4.2,rsize=4096", "" },
                { "above the client's maximum", "rsize=4194304", "vers=4.2,rsize=1048576", "" },
                { "udp's cap", "rsize=65536", "vers=3,rsize=32768,proto=udp", "" },
                { "udp's power of two", "rsize=12000", "vers=3,rsize=8192,proto=udp", "" },
                { "version 2's cap", "rsize=32768", "vers=2,rsize=8192,proto=udp", "" },
                { "zero is negotiation", "rsize=0", V42, "" },
                { "suffix", "rsize=512k", V42, "" },
                { "no size", "rsize=abc,wsize", V42, "" },
                /* versions */
                { "any 4.N", "vers=4", V42, "" },
                { "any 4.N is not 3", "vers=4", V3, "vers=4:vers=3" },
                { "two options", "nfsvers=4,minorversion=2", V42, "" },
                { "lower minor", "vers=4.1", V42, "vers=4.1:vers=4.2" },
                { "type nfs4 with minorversion", "minorversion=1", V42, "vers=4.1:vers=4.2" },
                { "old kernel's 4.0", "vers=4.0", "rw,vers=4,minorversion=0", "" },
                { "old kernel's bare 4", "vers=4.0", "rw,vers=4", "" },
                { "old kernel's bare 4 is no 4.1", "vers=4.1", "rw,vers=4", "vers=4.1:vers=4" },
                { "impossible version", "vers=5", V42, "" },
                { "old kernel's v3", "vers=3,udp", "rw,v3,rsize=8192,wsize=8192,hard,udp,lock,addr=server", "" },
                { "old kernel's udp", "tcp,nolock", "rw,v3,rsize=8192,wsize=8192,hard,udp,lock,addr=server",
                  "nolock:lock proto=tcp:proto=udp" },
                /* transport */
                { "tcp6 is tcp", "tcp", "vers=4.2,proto=tcp6", "" },
                { "tcp is tcp6", "proto=tcp6", "vers=4.2,proto=tcp", "" },
                { "rdma is not tcp", "rdma", V42, "proto=rdma:proto=tcp" },
                { "udp is not tcp", "udp", V42, "proto=udp:proto=tcp" },
                { "nconnect absent", "nconnect=4", V42, "nconnect=4:-" },
                { "nconnect of the first mount", "nconnect=4", "nconnect=8," V42, "nconnect=4:nconnect=8" },
                { "nconnect holds", "nconnect=4", "nconnect=4," V42, "" },
                { "nconnect=1 is the default", "nconnect=1", V42, "" },
                { "noresvport absent", "noresvport", V42, "noresvport:-" },
                { "noresvport holds", "noresvport", V42 ",noresvport", "" },
                { "resvport is the default", "resvport", V42, "" },
                { "resvport does not hold", "resvport", V42 ",noresvport", "resvport:noresvport" },
                { "port 2049 is not printed", "port=2049", V42, "" },
                { "port", "port=20490", V42, "port=20490:-" },
                { "xprtsec", "xprtsec=tls", V42, "xprtsec=tls:-" },
                { "max_connect on version 3", "max_connect=4", V3, "" },
                { "max_connect on version 4", "max_connect=4", V42, "max_connect=4:-" },
                /* waiting */
                { "timeo holds", "timeo=14", "vers=3,timeo=14", "" },
                { "timeo with a zero in front", "timeo=014", "vers=3,timeo=14", "" },
                { "timeo of another mount", "timeo=14,retrans=5", V42, "retrans=5:retrans=2 timeo=14:timeo=600" },
                { "hard", "hard", V42, "" },
                { "soft", "soft", V42, "soft:hard" },
                { "soft holds", "soft", "vers=4.2,soft", "" },
                { "softerr", "softerr", "vers=4.2,softerr,softreval", "" },
                { "hard asked, softerr holds", "hard", "vers=4.2,softerr,softreval", "hard:softerr" },
                /* sync and caches */
                { "sync absent", "sync", V42, "sync:-" },
                { "sync holds", "sync", "sync," V42, "" },
                { "async asked", "async", "sync," V42, "async:sync" },
                { "async on noac", "noac,async",
                  "rw,sync,vers=4.2,noac,acregmin=0,acregmax=0,acdirmin=0,acdirmax=0", "" },
                { "noac absent says it once", "noac", V42, "noac:-" },
                { "actimeo", "actimeo=5", V42, "acdirmax=5:- acdirmin=5:- acregmax=5:- acregmin=5:-" },
                { "actimeo holds", "actimeo=5", "acregmin=5,acregmax=5,acdirmin=5,acdirmax=5," V42, "" },
                { "default times are not printed", "acregmin=3,acregmax=60,acdirmin=30,acdirmax=60", V42, "" },
                { "actimeo=60 prints two", "actimeo=60", "acregmin=60,acdirmin=60," V42, "" },
                { "lookupcache", "lookupcache=positive", "lookupcache=pos," V42, "" },
                { "lookupcache absent", "lookupcache=none", V42, "lookupcache=none:-" },
                { "lookupcache=all is the default", "lookupcache=all", V42, "" },
                { "fsc's name is not printed by 6.1", "fsc=abc", "fsc," V42, "" },
                { "fsc absent", "fsc", V42, "fsc:-" },
                { "nofsc is the default", "nofsc", V42, "" },
                { "write=lazy is the default", "write=lazy", V42, "" },
                { "write=eager", "write=eager", V42, "write=eager:-" },
                { "rdirplus=none", "rdirplus=none", "nordirplus," V42, "" },
                { "nordirplus absent", "nordirplus", V42, "nordirplus:-" },
                /* security */
                { "sec of a list", "sec=krb5p:sys", V42, "" },
                { "sec outside the list", "sec=krb5p:krb5", V42, "sec=krb5p:krb5:sec=sys" },
                { "sec=none prints null", "sec=none", "vers=3,sec=null", "" },
                /* options without a use in that version */
                { "nolock on version 4", "nolock,noacl,local_lock=all,mountproto=tcp", V42, "" },
                { "nolock on version 3", "nolock", V3, "nolock:-" },
                { "nolock makes both local", "nolock,local_lock=none", "vers=3,nolock,local_lock=all", "" },
                { "clientaddr on version 3", "clientaddr=10.0.0.9", V3, "" },
                { "mountproto", "mountproto=tcp", V3, "mountproto=tcp:mountproto=udp" },
                { "mountport holds", "mountport=20048", V3, "" },
                /* never printed, by others, unknown, dead */
                { "never printed", "bg,retry=5,sloppy,mounthost=x,trunkdiscovery,intr,nointr", V42, "" },
                { "read by others", "_netdev,noauto,nofail,x-systemd.automount,user=user,comment=x", V42, "" },
                { "unknown", "unknown,forcerdirplus,other=5", V42, "" },
                { "mand is gone", "mand", V42, "" },
                { "addr", "addr=server", V42, "" },
                { "hidden", "cert_serial=5", "cert_serial=<redacted>," V42, "" },
                { "fatal_neterrors on an old kernel", "fatal_neterrors=none", V42, "" },
                { "fatal_neterrors=default", "fatal_neterrors=default", "fatal_neterrors=none," V42, "" },
                { "fatal_neterrors", "fatal_neterrors=ENETUNREACH:ENETDOWN", "fatal_neterrors=none," V42,
                  "fatal_neterrors=ENETDOWN:ENETUNREACH:fatal_neterrors=none" },
                /* flags of the mount */
                { "ro on the mount only", "ro", "ro,relatime,rw,vers=4.2", "" },
                { "ro on the superblock only", "ro", "rw,relatime,ro,vers=4.2", "" },
                { "rw asked, ro holds", "rw", "ro,relatime,rw,vers=4.2", "rw:ro" },
                { "ro absent", "ro", V42, "ro:rw" },
                { "nosuid", "nosuid,nodev", "rw,nosuid,relatime,rw,vers=3", "nodev:-" },
                { "user brings three", "user", "rw,nosuid,nodev,noexec,relatime,rw,vers=3", "" },
                { "noatime", "noatime", V42, "noatime:relatime" },
                { "noatime holds", "noatime", "rw,noatime,rw,vers=4.2", "" },
                { "strictatime prints nothing", "strictatime", "rw,rw,vers=4.2", "" },
                { "strictatime does not hold", "strictatime", V42, "strictatime:relatime" },
                { "quoted context", "context=\"system_u:object_r:nfs_t:s0\"",
                  "context=system_u:object_r:nfs_t:s0," V42, "" },
                { "other context", "context=a", "context=b," V42, "context=a:context=b" },
                { "context without SELinux", "context=a", V42, "" },
                { "flag with a value", "sync=1,nosuid=1", V42, "" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct options requested = world_options(rows[i].requested);
                struct options effective = world_options(rows[i].effective);
                char *got = differences_text(&requested, &effective);

                check_text(got, rows[i].want, rows[i].name);
                free(got);
                options_done(&requested);
                options_done(&effective);
        }
}
END_TEST

/* What holds cannot differ from itself. */
START_TEST(itself)
{
        static const char *const texts[] = {
                V3, V42, "rw,v3,rsize=8192,wsize=8192,hard,udp,lock,addr=server",
                "ro,nosuid,noexec,noatime,ro,sync,vers=4.1,rsize=1048332,wsize=1047532,namlen=255,acregmin=0,"
                "acregmax=0,acdirmin=0,acdirmax=0,soft,noac,nosharecache,noresvport,proto=tcp6,nconnect=4,"
                "max_connect=2,port=20490,timeo=14,retrans=3,sec=krb5p,xprtsec=mtls,clientaddr=fd00::2,fsc,"
                "lookupcache=none,local_lock=none,noalignwrite,write=wait,addr=fd00::1",
        };

        for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
                struct options o = world_options(texts[i]);
                char *got = differences_text(&o, &o);

                check_text(got, "", texts[i]);
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
                bool same = false;

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
                ck_assert_int_eq(canonical_equal(&o, &again, &same), 0);
                ck_assert_msg(same, "seed %llu: \"%s\" does not mean \"%s\"", (unsigned long long)seed, text, once);

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

WORLD_MAIN("policy canonical", canonical, equal, differences, itself, random_texts, order_is_nothing,
           random_differences)
