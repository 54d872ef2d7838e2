/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/differences.c: what was asked for and does not hold. */
#include "policy/differences.h"
#include "tests/unit/policy_world.h"

static void check_text(const char *got, const char *want, const char *name)
{
        ck_assert_msg(strcmp(got, want) == 0, "%s: got \"%s\", want \"%s\"", name, got, want);
}

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

WORLD_MAIN("policy differences", differences, itself)
