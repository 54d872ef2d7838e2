/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_transport.c: real mount lines of public cases, and the conditions
 * of DESIGN section 6, above all what must not be said.
 */
#include "tests/unit/policy_world.h"

#include "policy/sources.h"

static const enum rule transport_rules[] = {
        RULE_SOFT_MOUNT, RULE_UDP_TRANSPORT, RULE_SHORT_TIMEOUT, RULE_RESERVED_PORT, RULE_OLD_VERSION,
};

static const struct rule_row {
        const char *name;
        const char *source;             /* "server:/data" */
        const char *target;
        const char *vfs;
        const char *super;
        const char *fstab;              /* options, or NULL; of line 7 */
        const char *want;               /* "rule:confidence" with a '?' behind a question */
        const char *drops;              /* of the first, comma-separated */
        enum place_kind place;          /* of the first; PLACE_KIND_COUNT: any */
} rows[] = {
        /* ---- as found in the field: the number is the case's ---- */
        { "02 vers=4 and minorversion=0", "hostname1:/shared_dir1", "/shared/dir1", "rw,nosuid,relatime",
          "rw,sync,vers=4,rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,port=0,timeo=600,retrans=2,sec=sys,"
          "clientaddr=192.0.2.16,minorversion=0,local_lock=none,addr=192.0.2.91", NULL,
          "old-version:possible?", "vers=4,minorversion=0", PLACE_UNKNOWN },
        { "02 version 3", "hostname2:/shared/some/dir2", "/shared/dir2", "rw,nosuid,relatime",
          "rw,sync,vers=3,rsize=32768,wsize=32768,namlen=255,hard,nolock,noacl,proto=tcp,timeo=600,retrans=2,sec=sys,"
          "mountaddr=192.0.2.108,mountvers=3,mountport=300,mountproto=tcp,local_lock=all,addr=192.0.2.202", NULL, "",
          NULL, 0 },
        { "03 mountproto=udp is not proto=udp", "server.example:/srv/data", "/networkdrive", "rw,relatime",
          "rw,vers=3,rsize=8192,wsize=8192,namlen=255,hard,proto=tcp,timeo=14,retrans=2,sec=sys,mountaddr=192.0.2.1,"
          "mountvers=3,mountport=40551,mountproto=udp,local_lock=none,addr=192.0.2.1", NULL,
          "short-timeout:configured", "timeo=14", PLACE_UNKNOWN },
        { "05", "server.example:/srv/data", "/mnt/data", "rw,nosuid,nodev,noexec,noatime",
          "rw,vers=3,rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,mountvers=3,"
          "mountproto=tcp,addr=192.0.2.4", NULL, "", NULL, 0 },
        { "12 timeo=14 is long for udp, and too short for what comes after it", "server.example:/mnt/home", "/home",
          "rw", "rw,vers=3,rsize=8192,wsize=8192,hard,intr,proto=udp,timeo=14,retrans=3,addr=192.0.2.60", NULL,
          "udp-transport:configured", "proto=udp,timeo=14", PLACE_UNKNOWN },
        { "18 addr= as a name", "server-s.example:/exported/joe", "/u/joe", "rw",
          "rw,vers=3,rsize=32768,wsize=32768,hard,intr,proto=udp,timeo=7,retrans=3,addr=server-s.example", NULL,
          "udp-transport:configured", "proto=udp,timeo=7", PLACE_UNKNOWN },
        { "18 to the own host", "localhost:/home/test", "/mnt", "rw",
          "rw,vers=3,rsize=32768,wsize=32768,hard,intr,proto=udp,timeo=7,retrans=3,addr=localhost", NULL,
          "udp-transport:possible", "proto=udp,timeo=7", PLACE_UNKNOWN },
        { "20 udp as a flag", "cs:/export/apt1", "/apt1/cs", "rw,nosuid",
          "rw,v3,rsize=32768,wsize=32768,hard,intr,udp,lock,addr=cs", NULL, "udp-transport:configured", "udp",
          PLACE_UNKNOWN },
        { "22 version 2 on udp", "/dev/root", "/", "rw",
          "rw,vers=2,rsize=4096,wsize=4096,hard,nolock,proto=udp,timeo=11,retrans=2,addr=192.0.2.1", NULL,
          "udp-transport:configured old-version:possible?", "proto=udp,timeo=11", PLACE_KIND_COUNT },
        { "23 version 2 on tcp", "server2.example:/var/mail/", "/misc/mail", "rw,relatime",
          "rw,vers=2,rsize=8192,wsize=8192,namlen=255,hard,proto=tcp,timeo=14,retrans=2,sec=sys,mountaddr=192.0.2.158,"
          "mountvers=1,mountport=32777,mountproto=udp,local_lock=none,addr=192.0.2.158", NULL,
          "short-timeout:configured old-version:possible?", "timeo=14", PLACE_UNKNOWN },
        { "25 an initramfs mounter's own timeo=7", "server.example:/srv/ltsp/images", "/root/run/nfs", "ro,relatime",
          "ro,vers=3,rsize=32768,wsize=32768,namlen=255,hard,nolock,proto=tcp,timeo=7,retrans=3,sec=sys,"
          "local_lock=all,addr=192.0.2.67", NULL, "short-timeout:possible", "timeo=7", PLACE_UNKNOWN },
        { "27 nfsroot on udp", "192.0.2.50:/srv/tftpboot/rpi", "/", "rw,relatime",
          "rw,vers=3,rsize=4096,wsize=4096,namlen=255,hard,nolock,proto=udp,timeo=11,retrans=3,sec=sys,"
          "mountaddr=192.0.2.50,mountvers=3,mountproto=udp,local_lock=all,addr=192.0.2.50", NULL,
          "udp-transport:configured", "proto=udp,timeo=11", PLACE_CMDLINE },
        { "32 vagrant", "192.0.2.1:/Users/dev/project", "/vagrant", "rw,relatime",
          "rw,vers=3,rsize=32768,wsize=32768,namlen=255,acregmin=1,acregmax=1,acdirmin=1,acdirmax=1,hard,nolock,"
          "proto=udp,timeo=11,retrans=3,sec=sys,mountaddr=192.0.2.1,mountvers=3,mountproto=udp,local_lock=all,"
          "addr=192.0.2.1", NULL, "udp-transport:configured", "proto=udp,timeo=11", PLACE_UNKNOWN },
        { "45 vers=4.0", "nfs-ha.example:/NW1/sapmntsid", "/sapmnt/NW1", "rw,relatime",
          "rw,sync,vers=4.0,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,"
          "clientaddr=192.0.2.51,local_lock=none,addr=192.0.2.52", NULL, "old-version:possible?", "vers=4.0",
          PLACE_UNKNOWN },
        { "53 soft and short", "nfs.octopus.svc.example:/", "/octopus", "rw,relatime",
          "rw,vers=4.1,rsize=1048576,wsize=1048576,namlen=255,soft,proto=tcp,timeo=50,retrans=4,sec=sys,"
          "clientaddr=192.0.2.71,lookupcache=none,local_lock=none,addr=192.0.2.72", NULL,
          "soft-mount:configured short-timeout:configured", "soft", PLACE_UNKNOWN },
        { "55 a hypervisor's soft, and 10 s are no short time", "192.0.2.95:/srv/xen/uuid", "/run/sr-mount/uuid",
          "rw,relatime",
          "rw,vers=3,rsize=131072,wsize=131072,namlen=255,acdirmin=0,acdirmax=0,soft,proto=tcp,timeo=100,retrans=3,"
          "sec=sys,mountaddr=192.0.2.95,mountvers=3,mountport=20048,mountproto=tcp,local_lock=none,addr=192.0.2.95",
          NULL, "soft-mount:possible?", "soft", PLACE_UNKNOWN },
        { "62 krb5 on version 3", "server.example:/home", "/home", "rw,nosuid,nodev,relatime",
          "rw,vers=3,rsize=1048576,wsize=1048576,namlen=255,hard,nolock,proto=tcp,timeo=600,retrans=2,sec=krb5,"
          "mountaddr=192.0.2.120,mountvers=3,mountport=40531,mountproto=tcp,local_lock=all,addr=192.0.2.120", NULL, "",
          NULL, 0 },
        { "67 a TLS proxy", "127.0.0.1:/", "/var/atlassian/application-data/jira/data", "rw,relatime",
          "rw,vers=4.1,rsize=1048576,wsize=1048576,namlen=255,hard,noresvport,proto=tcp,port=20283,timeo=600,retrans=2,"
          "sec=sys,clientaddr=127.0.0.1,local_lock=none,addr=127.0.0.1", NULL, "", NULL, 0 },
        { "67 a cloud's file service", "fs-0123abcd.efs.us-east-1.amazonaws.com:/", "/mnt/efs-plain", "rw,relatime",
          "rw,vers=4.1,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,"
          "clientaddr=192.0.2.130,local_lock=none,addr=192.0.2.131", NULL, "reserved-port:configured", "",
          PLACE_UNKNOWN },
        { "68 vers=4.0", "192.168.122.27:/exports", "/mnt/nfsv4.0", "rw,relatime",
          "rw,vers=4.0,rsize=262144,wsize=262144,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,"
          "clientaddr=192.168.122.17,local_lock=none,addr=192.168.122.27", NULL, "old-version:possible?", "vers=4.0",
          PLACE_UNKNOWN },
        { "77 udp to the own host", "localhost:/srv/nfs", "/home/u/nfs3u", "rw,relatime",
          "rw,vers=3,rsize=32768,wsize=32768,namlen=255,hard,proto=udp,timeo=11,retrans=3,sec=sys,mountaddr=127.0.0.1,"
          "mountvers=3,mountport=47875,mountproto=udp,local_lock=none,addr=127.0.0.1", NULL, "udp-transport:possible",
          "proto=udp,timeo=11", PLACE_UNKNOWN },
        { "78 read-only softerr", "192.0.2.158:/mnt/tank/media/Music", "/media/music", "ro,relatime",
          "ro,vers=4.2,rsize=1048576,wsize=1048576,namlen=255,softerr,softreval,fatal_neterrors=none,proto=tcp,"
          "timeo=100,retrans=2,sec=sys,clientaddr=192.0.2.31,local_lock=none,addr=192.0.2.158", NULL, "", NULL, 0 },
        { "87 vers=4 and minorversion=0", "0.0.0.0:/data/", "/mnt", "rw,relatime",
          "rw,vers=4,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,port=0,timeo=600,retrans=2,sec=sys,"
          "clientaddr=0.0.0.0,minorversion=0,local_lock=none,addr=0.0.0.0", NULL, "old-version:possible?",
          "vers=4,minorversion=0", PLACE_UNKNOWN },

        /* ---- udp-transport ---- */
        { "fstab's own spelling is dropped", "s:/d", "/d", "rw", "rw,vers=3,proto=udp,timeo=11,addr=192.0.2.1",
          "rw,udp,vers=3", "udp-transport:configured", "udp", PLACE_FSTAB },
        { "and its timeo with it", "s:/d", "/d", "rw", "rw,vers=3,proto=udp,timeo=11,addr=192.0.2.1",
          "proto=udp,timeo=11,retrans=3", "udp-transport:configured", "proto=udp,timeo=11", PLACE_FSTAB },
        { "but not a long one", "s:/d", "/d", "rw", "rw,vers=3,proto=udp,timeo=300,addr=192.0.2.1",
          "proto=udp,timeo=300", "udp-transport:configured", "proto=udp", PLACE_FSTAB },
        { "sizes of UDP's time go with it", "s:/d", "/d", "rw",
          "rw,vers=3,proto=udp,rsize=32768,wsize=32768,timeo=300,addr=192.0.2.1", "proto=udp,rsize=32768,wsize=65536",
          "udp-transport:configured", "proto=udp,rsize=32768", PLACE_FSTAB },
        { "rdma", "s:/d", "/d", "rw", "rw,vers=3,proto=rdma,port=20049,timeo=600,addr=192.0.2.1", NULL, "", NULL, 0 },
        { "udp6", "s:/d", "/d", "rw", "rw,vers=3,proto=udp6,timeo=300,addr=2001:db8::1", NULL,
          "udp-transport:configured", "proto=udp6", PLACE_UNKNOWN },

        /* ---- soft-mount ---- */
        { "softerr that nobody wrote", "s:/d", "/d", "rw", "rw,vers=4.2,softerr,softreval,proto=tcp,timeo=600", NULL,
          "soft-mount:configured", "softerr,softreval", 0 },
        { "soft beside a softreval of its own", "s:/d", "/d", "rw", "rw,vers=4.2,soft,softreval,proto=tcp,timeo=600", NULL,
          "soft-mount:configured", "soft", 0 },
        { "softerr", "s:/d", "/d", "rw", "rw,vers=4.2,softerr,softreval,proto=tcp,timeo=600,addr=192.0.2.1", "softerr",
          "soft-mount:configured", "softerr", PLACE_FSTAB },
        { "softreval alone", "s:/d", "/d", "rw", "rw,vers=4.2,hard,softreval,proto=tcp,timeo=600", NULL, "", NULL, 0 },
        { "a read-only mount of a writable superblock", "s:/d", "/d", "ro", "rw,vers=4.2,soft,proto=tcp,timeo=600",
          NULL, "", NULL, 0 },
        { "a database: asked", "s:/d", "/var/lib/mysql", "rw", "rw,vers=4.2,soft,proto=tcp,timeo=600", NULL,
          "soft-mount:configured?", "soft", PLACE_UNKNOWN },
        { "a mail spool: asked", "s:/d", "/var/mail", "rw", "rw,vers=4.2,soft,proto=tcp,timeo=600", NULL,
          "soft-mount:configured?", "soft", PLACE_UNKNOWN },
        { "a storage driver: perhaps", "s:/d", "/var/lib/cinder/mnt/1", "rw", "rw,vers=4.2,soft,proto=tcp,timeo=600",
          NULL, "soft-mount:possible?", "soft", PLACE_UNKNOWN },
        { "the last one counts", "s:/d", "/d", "rw", "rw,vers=4.2,soft,hard,proto=tcp,timeo=600", NULL, "", NULL, 0 },

        /* ---- short-timeout ---- */
        { "99", "s:/d", "/d", "rw", "rw,vers=4.2,hard,proto=tcp,timeo=99,addr=192.0.2.1", "timeo=99",
          "short-timeout:configured", "timeo=99", PLACE_FSTAB },
        { "100", "s:/d", "/d", "rw", "rw,vers=4.2,hard,proto=tcp,timeo=100,addr=192.0.2.1", "timeo=100", "", NULL, 0 },
        { "0 is the default", "s:/d", "/d", "rw", "rw,vers=4.2,hard,proto=tcp,timeo=0", NULL, "", NULL, 0 },
        { "no number", "s:/d", "/d", "rw", "rw,vers=4.2,hard,proto=tcp,timeo=1O", NULL, "", NULL, 0 },
        { "longer than any number", "s:/d", "/d", "rw", "rw,vers=4.2,proto=tcp,timeo=99999999999999999999999", NULL, "",
          NULL, 0 },
        { "7 that somebody wrote", "s:/d", "/d", "rw", "rw,vers=3,hard,proto=tcp,timeo=7", "timeo=7",
          "short-timeout:configured", "timeo=7", PLACE_FSTAB },
        { "11 that nobody wrote", "s:/d", "/d", "rw", "rw,vers=3,hard,proto=tcp,timeo=11", "defaults",
          "short-timeout:possible", "timeo=11", PLACE_UNKNOWN },
        { "8 is nobody's default", "s:/d", "/d", "rw", "rw,vers=3,hard,proto=tcp,timeo=8", NULL,
          "short-timeout:configured", "timeo=8", PLACE_UNKNOWN },
        { "the line was mended meanwhile", "s:/d", "/d", "rw", "rw,vers=3,hard,proto=tcp,timeo=14", "timeo=600",
          "short-timeout:configured", "timeo=14", PLACE_FSTAB },
        { "failing fast on a read-only soft mount", "s:/d", "/d", "ro", "ro,vers=4.2,soft,proto=tcp,timeo=30",
          "timeo=30", "short-timeout:possible?", "timeo=30", PLACE_FSTAB },

        /* ---- old-version ---- */
        { "nfsvers and minorversion in fstab", "s:/d", "/d", "rw", "rw,vers=4.0,proto=tcp,timeo=600,addr=192.0.2.1",
          "nfsvers=4,minorversion=0", "old-version:possible?", "nfsvers=4,minorversion=0", PLACE_FSTAB },
        { "v4.0 as a flag in fstab", "s:/d", "/d", "rw", "rw,vers=4.0,proto=tcp,timeo=600,addr=192.0.2.1", "v4.0",
          "old-version:possible?", "v4.0", PLACE_FSTAB },
        { "fstab meanwhile says 4.2", "s:/d", "/d", "rw", "rw,vers=4.0,proto=tcp,timeo=600,addr=192.0.2.1", "vers=4.2",
          "old-version:possible?", "vers=4.0", PLACE_FSTAB },
        { "the minor version is not known", "s:/d", "/d", "rw", "rw,vers=4,proto=tcp,timeo=600", NULL, "", NULL, 0 },
        { "4.1", "s:/d", "/d", "rw", "rw,vers=4.1,proto=tcp,timeo=600", NULL, "", NULL, 0 },
};

static void be_mounted_from(struct world *w, const char *source)
{
        const char *colon = strstr(source, ":/");

        free(w->o.mount.source);
        free(w->o.mount.server);
        w->o.mount.source = world_copy(source);
        w->o.mount.server = colon ? strndup(source, (size_t)(colon - source)) : world_copy("");
        ck_assert_ptr_nonnull(w->o.mount.server);
}

/* The profile that the last case needs. */
static void know_a_cloud(struct world *w)
{
        struct server_profile *p = calloc(1, sizeof(*p));

        ck_assert_ptr_nonnull(p);
        p->name = world_copy("cloud");
        p->title = world_copy("A Cloud");
        p->hosts = calloc(1, sizeof(*p->hosts));
        ck_assert_ptr_nonnull(p->hosts);
        p->hosts[0] = world_copy("*.efs.*.amazonaws.com");
        p->n_hosts = 1;
        p->noresvport = PROFILE_YES;
        p->versions = NFS_V4_0 | NFS_V4_1;
        w->p.profiles = (struct server_profiles){ .items = p, .n_items = 1 };
}

static bool is_transport_rule(enum rule rule)
{
        for (size_t i = 0; i < ARRAY_SIZE(transport_rules); i++)
                if (transport_rules[i] == rule)
                        return true;
        return false;
}

/* What every one of them is and says. */
static void check_complete(const struct world *w, const struct recommendation *r, const char *name)
{
        ck_assert_msg(r->summary && *r->summary && r->evidence && *r->evidence && r->risk && *r->risk && r->keep &&
                      *r->keep, "%s: %s says too little", name, rule_name(r->rule));
        ck_assert_msg(!r->automatic && !r->urgent, "%s: %s is automatic or urgent", name, rule_name(r->rule));
        ck_assert_msg(!r->gain, "%s: %s promises %s", name, rule_name(r->rule), r->gain);
        ck_assert_msg(r->method == (w->o.only_requested ? METHOD_SOURCE : METHOD_REPLACE), "%s: method", name);
}

static char *transport_summary(const struct world *w, const char *name, const struct recommendation **ret_first)
{
        struct text t = { 0 };
        char *s;

        *ret_first = NULL;
        for (size_t i = 0; i < w->a.n_recommendations; i++) {
                const struct recommendation *r = &w->a.recommendations[i];

                if (!is_transport_rule(r->rule))
                        continue;
                check_complete(w, r, name);
                text_add(&t, "%s%s:%s%s", *ret_first ? " " : "", rule_name(r->rule), confidence_name(r->confidence),
                         r->question ? "?" : "");
                *ret_first = *ret_first ? *ret_first : r;
        }
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

static void check_row(const struct rule_row *row, struct world *w)
{
        const struct recommendation *first;
        char *got;

        world_evaluate(w);
        got = transport_summary(w, row->name, &first);
        ck_assert_msg(strcmp(got, row->want) == 0, "%s: got \"%s\", want \"%s\"", row->name, got, row->want);
        if (first) {
                char *drops = world_drops(first);

                ck_assert_msg(strcmp(drops, row->drops) == 0, "%s: drops %s", row->name, drops);
                ck_assert_msg(row->place == PLACE_KIND_COUNT || first->place.kind == row->place, "%s: place %s",
                              row->name, place_kind_name(first->place.kind));
                free(drops);
        }
        free(got);
}

START_TEST(lines)
{
        const struct rule_row *row = &rows[_i];
        struct world w;

        world_init(&w, row->target, row->vfs, row->super);
        be_mounted_from(&w, row->source);
        know_a_cloud(&w);
        if (row->fstab)
                world_fstab(&w, 7, "server:/data /data nfs - 0 0", row->fstab);
        check_row(row, &w);
        world_done(&w);
}
END_TEST

/* ---- lines of fstab that nothing is mounted from -------------------------------------- */

static const struct rule_row unmounted_rows[] = {
        { "the old habit, proto not said", "s:/d", "/home", "rw", NULL, "rsize=8192,wsize=8192,timeo=14,intr",
          "short-timeout:configured", "timeo=14", PLACE_FSTAB },
        { "soft in a template", "s:/d", "/home", "rw", NULL, "noacl,nocto,_netdev,bg,soft,rsize=32768",
          "soft-mount:configured", "soft", PLACE_FSTAB },
        { "udp on both sides", "192.0.2.2:/habinat", "/habinat", "rw", NULL,
          "rw,hard,vers=3,proto=udp,mountvers=3,mountproto=udp,timeo=11,retrans=3", "udp-transport:configured",
          "proto=udp,timeo=11", PLACE_FSTAB },
        { "vers=4 negotiates its minor version", "s:/d", "/d", "rw", NULL, "vers=4", "", NULL, 0 },
        { "nfsvers=4,minorversion=1", "s:/d", "/d", "rw", NULL, "nfsvers=4,minorversion=1", "", NULL, 0 },
        { "vers=4.0", "s:/d", "/d", "rw", NULL, "vers=4.0", "old-version:possible?", "vers=4.0", PLACE_FSTAB },
        { "vers=2", "s:/d", "/d", "rw", NULL, "vers=2,proto=tcp", "old-version:possible?", "vers=2", PLACE_FSTAB },
        { "a cloud's file service", "fs-1.efs.eu-west-1.amazonaws.com:/", "/d", "rw", NULL, "nfsvers=4.1,_netdev",
          "reserved-port:configured", "", PLACE_FSTAB },
        { "with noresvport", "fs-1.efs.eu-west-1.amazonaws.com:/", "/d", "rw", NULL, "nfsvers=4.1,noresvport", "", NULL,
          0 },
        { "with resvport", "fs-1.efs.eu-west-1.amazonaws.com:/", "/d", "rw", NULL, "nfsvers=4.1,resvport",
          "reserved-port:configured", "resvport", PLACE_FSTAB },
};

START_TEST(unmounted_lines)
{
        const struct rule_row *row = &unmounted_rows[_i];
        struct world w;

        world_init(&w, row->target, row->vfs, row->fstab);
        be_mounted_from(&w, row->source);
        know_a_cloud(&w);
        w.o.only_requested = true;
        world_fstab(&w, 7, "server:/data /data nfs - 0 0", row->fstab);
        check_row(row, &w);
        world_done(&w);
}
END_TEST

/* ---- keep ------------------------------------------------------------------------------- */

static const struct keep_row {
        const char *keep;
        const char *super;
        enum rule rule;
} keep_rows[] = {
        { "proto", "rw,vers=3,proto=udp,timeo=11", RULE_UDP_TRANSPORT },
        { "udp", "rw,vers=3,proto=udp,timeo=11", RULE_UDP_TRANSPORT },
        { "soft", "rw,vers=4.2,soft,proto=tcp,timeo=600", RULE_SOFT_MOUNT },
        { "softerr", "rw,vers=4.2,softerr,proto=tcp,timeo=600", RULE_SOFT_MOUNT },
        { "timeo", "rw,vers=4.2,hard,proto=tcp,timeo=14", RULE_SHORT_TIMEOUT },
        { "vers", "rw,vers=4.0,hard,proto=tcp,timeo=600", RULE_OLD_VERSION },
        { "nfsvers", "rw,vers=4.0,hard,proto=tcp,timeo=600", RULE_OLD_VERSION },
        { "minorversion", "rw,vers=4.0,hard,proto=tcp,timeo=600", RULE_OLD_VERSION },
        { "noresvport", "rw,vers=4.1,hard,proto=tcp,timeo=600", RULE_RESERVED_PORT },
        { "resvport", "rw,vers=4.1,hard,proto=tcp,timeo=600", RULE_RESERVED_PORT },
};

START_TEST(kept_options_are_left_alone)
{
        const struct keep_row *row = &keep_rows[_i];
        struct world w;

        world_init(&w, "/d", "rw", row->super);
        if (row->rule == RULE_RESERVED_PORT)
                be_mounted_from(&w, "fs-1.efs.eu-west-1.amazonaws.com:/");
        know_a_cloud(&w);
        world_evaluate(&w);
        ck_assert_msg(world_find(&w, row->rule), "%s: does not fire without keep", row->keep);
        world_keep(&w, row->keep);
        world_evaluate(&w);
        ck_assert_msg(!world_find(&w, row->rule), "keep = %s: fires", row->keep);
        world_done(&w);
}
END_TEST

/* udp is kept away from TCP's time-outs: what stays short by intention stays. */
START_TEST(a_kept_timeo_outlives_udp)
{
        struct world w;
        char *drops;

        world_init(&w, "/d", "rw", "rw,vers=3,proto=udp,timeo=11");
        world_keep(&w, "timeo");
        world_evaluate(&w);
        ck_assert_ptr_nonnull(world_find(&w, RULE_UDP_TRANSPORT));
        drops = world_drops(world_find(&w, RULE_UDP_TRANSPORT));
        ck_assert_str_eq(drops, "proto=udp");
        free(drops);
        world_done(&w);
}
END_TEST

/* ---- versions of the server ---------------------------------------------------------------- */

static const struct version_row {
        const char *name;
        const char *super;
        bool known;
        unsigned offered;
        unsigned profile;               /* versions of the profile; 0: not said */
        int want;                       /* confidence, or -1: quiet */
} version_rows[] = {
        { "4.0, nothing known", "rw,vers=4.0,proto=tcp", false, 0, 0, CONFIDENCE_POSSIBLE },
        { "4.0, nothing better offered", "rw,vers=4.0,proto=tcp", true, NFS_V3 | NFS_V4_0, 0, -1 },
        { "4.0, 4.1 offered", "rw,vers=4.0,proto=tcp", true, NFS_V4_0 | NFS_V4_1, 0, CONFIDENCE_OBSERVED },
        { "4.0, only 4.2 offered", "rw,vers=4.0,proto=tcp", true, NFS_V4_2, 0, CONFIDENCE_OBSERVED },
        { "2, only 2 offered", "rw,vers=2,proto=tcp", true, NFS_V2, 0, -1 },
        { "2, 3 offered", "rw,vers=2,proto=tcp", true, NFS_V2 | NFS_V3, 0, CONFIDENCE_OBSERVED },
        { "3, everything offered", "rw,vers=3,proto=tcp", true, NFS_V3 | NFS_V4_0 | NFS_V4_1 | NFS_V4_2, 0, -1 },
        { "4.1, 4.2 offered", "rw,vers=4.1,proto=tcp", true, NFS_V4_1 | NFS_V4_2, 0, -1 },
        { "4.0 is the profile's highest", "rw,vers=4.0,proto=tcp", false, 0, NFS_V3 | NFS_V4_0, -1 },
        { "4.0, the profile has 4.1", "rw,vers=4.0,proto=tcp", false, 0, NFS_V4_0 | NFS_V4_1, CONFIDENCE_POSSIBLE },
        { "the profile takes advice away even so", "rw,vers=4.0,proto=tcp", true, NFS_V4_0 | NFS_V4_1,
          NFS_V3 | NFS_V4_0, -1 },
};

START_TEST(versions)
{
        const struct version_row *row = &version_rows[_i];
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/d", "rw", row->super);
        be_mounted_from(&w, "fs-1.efs.eu-west-1.amazonaws.com:/");
        know_a_cloud(&w);
        w.p.profiles.items[0].versions = row->profile;
        w.o.server.versions_known = row->known;
        w.o.server.versions = row->offered;
        world_evaluate(&w);
        r = world_find(&w, RULE_OLD_VERSION);
        ck_assert_msg((r ? (int)r->confidence : -1) == row->want, "%s: %s", row->name,
                      r ? confidence_name(r->confidence) : "quiet");
        ck_assert_msg(!r || r->question, "%s: no question", row->name);
        ck_assert_msg(!r || r->n_set == 0, "%s: sets something", row->name);
        ck_assert_msg(!r || strstr(r->summary, strstr(row->super, "vers=2") ? "version 2" : "4.0"), "%s: %s", row->name,
                      r->summary);
        world_done(&w);
}
END_TEST

/* ---- reserved-port -------------------------------------------------------------------------- */

START_TEST(noresvport_needs_a_profile_that_says_yes)
{
        static const enum profile_answer answers[] = { PROFILE_UNSAID, PROFILE_NO, PROFILE_YES };

        for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
                const struct recommendation *r;
                struct world w;

                world_init(&w, "/d", "rw", "rw,vers=4.1,hard,proto=tcp,timeo=600,addr=192.0.2.1");
                be_mounted_from(&w, "fs-1.efs.eu-west-1.amazonaws.com:/");
                know_a_cloud(&w);
                w.p.profiles.items[0].noresvport = answers[i];
                world_evaluate(&w);
                r = world_find(&w, RULE_RESERVED_PORT);
                ck_assert_int_eq(r != NULL, answers[i] == PROFILE_YES);
                if (r) {
                        ck_assert_uint_eq(r->n_set, 1);
                        ck_assert_str_eq(r->set[0], "noresvport");
                        ck_assert_ptr_nonnull(strstr(r->evidence, "A Cloud"));
                }
                world_done(&w);
        }
}
END_TEST

/* The proxy's server may well be known by its implementation id. */
START_TEST(a_proxy_makes_its_own_connection)
{
        static const struct {
                const char *where;
                bool fires;
        } ports[] = {
                { "port=20049,addr=127.0.0.1", false }, { "port=20049,addr=::1", false },
                { "port=2049,addr=127.0.0.1", true },   { "addr=127.0.0.1", true },
                { "port=20049,addr=192.0.2.1", true },
        };

        for (size_t i = 0; i < ARRAY_SIZE(ports); i++) {
                char super[100];
                struct world w;

                (void) snprintf(super, sizeof(super), "rw,vers=4.1,hard,proto=tcp,timeo=600,%s", ports[i].where);
                world_init(&w, "/d", "rw", super);
                know_a_cloud(&w);
                free(w.p.profiles.items[0].hosts[0]);
                w.p.profiles.items[0].hosts[0] = world_copy("server");
                world_evaluate(&w);
                ck_assert_msg((world_find(&w, RULE_RESERVED_PORT) != NULL) == ports[i].fires, "%s", ports[i].where);
                world_done(&w);
        }
}
END_TEST

int main(void)
{
        Suite *s = suite_create("rules_transport");
        TCase *tc = tcase_create("rules_transport");
        SRunner *sr = srunner_create(s);
        int failed;

        tcase_add_loop_test(tc, lines, 0, (int)ARRAY_SIZE(rows));
        tcase_add_loop_test(tc, unmounted_lines, 0, (int)ARRAY_SIZE(unmounted_rows));
        tcase_add_loop_test(tc, kept_options_are_left_alone, 0, (int)ARRAY_SIZE(keep_rows));
        tcase_add_loop_test(tc, versions, 0, (int)ARRAY_SIZE(version_rows));
        tcase_add_test(tc, a_kept_timeo_outlives_udp);
        tcase_add_test(tc, noresvport_needs_a_profile_that_says_yes);
        tcase_add_test(tc, a_proxy_makes_its_own_connection);
        suite_add_tcase(s, tc);
        srunner_run_all(sr, CK_NORMAL);
        failed = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failed == 0 ? 0 : 1;
}
