/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/lint.c: what people write into option lists, and what a perfect list must not be told.
 */
#include "tests/unit/policy_case.h"

#include "policy/lint.h"
#include "policy/option_table.h"

/* "invalid: OPTION -DROP +SET ?; obsolete: ..."; '?' marks a guess, '-' alone that the option itself goes. */
static char *summary(const struct lint *l)
{
        struct text t = { 0 };
        char *s;

        for (size_t i = 0; i < l->n_problems; i++) {
                const struct lint_problem *p = &l->problems[i];

                text_add(&t, "%s%s: %s", i > 0 ? "; " : "", p->obsolete ? "obsolete" : "invalid", p->option);
                if (p->drop)
                        text_add(&t, " -%s", strcmp(p->drop, p->option) == 0 ? "" : p->drop);
                if (p->set)
                        text_add(&t, " +%s", p->set);
                if (p->guess)
                        text_add(&t, " ?");
        }
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

static const struct {
        const char *name;
        const char *options;
        const char *want;
        const char *word;               /* in the words of the first problem; or NULL */
} rows[] = {
        /* nothing to say */
        { "no options", "", "", NULL },
        { "defaults", "defaults", "", NULL },
        { "defaults and more", "defaults,ro", "", NULL },
        { "usual", "rw,hard,vers=4.2,proto=tcp,timeo=600,retrans=2,sec=sys,_netdev,nofail", "", NULL },
        { "background", "bg,retry=20", "", NULL },
        { "retry in minutes", "defaults,bg,retry=3600,noauto,x-systemd.automount", "", NULL },
        { "a size with a suffix", "rsize=32k,wsize=1m",
          "invalid: rsize=32k - +rsize=32768; invalid: wsize=1m - +wsize=1048576", "nfsmount.conf" },
        { "no shared cache", "nosharecache", "", NULL },
        { "a cache by name", "fsc=lustre", "", NULL },
        { "a cache", "fsc", "", NULL },
        { "async is the default", "async", "", NULL },
        { "encrypted", "xprtsec=tls,_netdev", "", NULL },
        { "an option of the future", "fatal_neterrors=none,write=eager,max_connect=4", "", NULL },
        { "a vendor's flag", "forcerdirplus", "", NULL },
        { "an unknown flag far from any", "zzyzx", "", NULL },
        { "an unknown value far from any", "frobnicate=7", "", NULL },
        { "an empty field", "rw,,hard", "", NULL },
        { "a comma at the end", "rw,hard,", "", NULL },
        { "systemd's options add up",
          "x-systemd.requires=a.service,x-systemd.requires=b.service,x-systemd.automount", "",
          NULL },
        { "other programs' options", "x-gvfs-show,x-gvfs-name=a,comment=one,comment=two", "", NULL },
        { "several flavours", "sec=krb5p:krb5i:krb5", "", NULL },
        { "bounds in order", "acregmin=3,acregmax=60,acdirmin=30,acdirmax=60", "", NULL },
        { "one bound alone", "acregmax=1", "", NULL },
        { "a bound behind actimeo", "actimeo=60,acregmin=3", "", NULL },
        { "a vendor's noac with zero times", "noac,actimeo=0", "", NULL },
        { "version by one name", "nfsvers=3,tcp", "", NULL },
        { "mountd by udp, nfs by tcp", "vers=3,proto=tcp,mountproto=udp,mountvers=3", "", NULL },
        { "atime words", "noatime,nodiratime,nosuid,nodev,noexec", "", NULL },
        { "v3 options on v4", "vers=4.2,nolock,noacl", "", NULL },
        { "a context with a comma", "context=\"system_u:object_r:nfs_t:s0:c1,c2\",rw", "", NULL },

        /* values */
        { "no number", "rsize=32768,wsize=abc", "invalid: wsize=abc -", "number" },
        { "retrans is no number", "retrans=abc", "invalid: retrans=abc -", "number" },
        { "no time-out", "timeo=0", "invalid: timeo=0 -", "refused" },
        { "port too large: nothing better is known", "port=70000", "invalid: port=70000 ?", "65535" },
        { "no transport", "proto=sctp", "invalid: proto=sctp -", "rdma" },
        { "a transport misspelt", "proto=tpc", "invalid: proto=tpc - +proto=tcp ?", NULL },
        { "no flavour: never weaker", "sec=foo", "invalid: sec=foo ?", "krb5" },
        { "a flavour misspelt", "sec=kbr5p", "invalid: sec=kbr5p - +sec=krb5p ?", NULL },
        { "no look-up cache", "lookupcache=most", "invalid: lookupcache=most -", "pos" },
        { "a size without a value", "rsize", "invalid: rsize -", "value" },
        { "a flag with a value", "hard=yes", "invalid: hard=yes -", "no value" },
        { "cifs's version", "vers=3.0", "invalid: vers=3.0 -", "cifs" },
        { "a version that is none", "vers=5", "invalid: vers=5 -", "4.2" },
        { "retry is taken lightly", "retry=abc", "invalid: retry=abc -", "default" },
        { "sloppy passes over", "sloppy,wsize=abc", "invalid: wsize=abc -", "sloppy" },

        /* names */
        { "letters swapped", "rszie=32768", "invalid: rszie=32768 - +rsize=32768 ?", "rsize" },
        { "a letter missing", "noatme", "invalid: noatme - +noatime ?", NULL },
        { "an underscore too many", "no_lock", "invalid: no_lock - +nolock ?", NULL },
        { "misspelt, and no value either", "rszie", "invalid: rszie - ?", NULL },
        { "capitals", "Hard", "invalid: Hard - +hard", "small letters" },
        { "capitals and a value", "RSIZE=65536", "invalid: RSIZE=65536 - +rsize=65536", NULL },
        { "systemd's option misspelt", "x-systemd.automont", "invalid: x-systemd.automont - +x-systemd.automount ?",
          NULL },
        { "no name", "rw,=5", "invalid: =5 -", NULL },
        { "of the export", "rw,no_root_squash", "invalid: no_root_squash -", "export" },
        { "more of the export", "root_squash,insecure,subtree_check,no_subtree_check,wdelay,fsid=0,anonuid=99,crossmnt,"
                                "all_squash",
          "invalid: root_squash -; invalid: insecure -; invalid: subtree_check -; invalid: no_subtree_check -; "
          "invalid: wdelay -; invalid: fsid=0 -; invalid: anonuid=99 -; invalid: crossmnt -; invalid: all_squash -",
          "export" },
        { "of vfat", "uid=1000,gid=1000,umask=022", "invalid: uid=1000 -; invalid: gid=1000 -; invalid: umask=022 -",
          "vfat" },
        { "of cifs", "credentials=/root/c", "invalid: credentials=/root/c -", "cifs" },
        { "a password is not repeated", "password=secret", "invalid: password -", "cifs" },
        { "of ext4", "commit=30,data=ordered,barrier=1,errors=remount-ro,discard,noquota",
          "invalid: commit=30 -; invalid: data=ordered -; invalid: barrier=1 -; invalid: errors=remount-ro -; "
          "invalid: discard -; invalid: noquota -", "ext4" },

        /* the same again */
        { "twice, different", "rsize=1024,rsize=1048576,wsize=1024", "invalid: rsize=1024 - +rsize=1048576", "holds" },
        { "twice, the same", "rsize=32768,rsize=32768", "invalid: rsize=32768 - +rsize=32768", "2 times" },
        { "three times", "timeo=1,timeo=2,timeo=600", "invalid: timeo=1 - +timeo=600", "3 times" },
        { "the last is no value", "rsize=1024,rsize=2048,rsize=abc",
          "invalid: rsize=1024 - +rsize=2048; invalid: rsize=abc -", NULL },
        { "a flag twice", "hard,hard", "invalid: hard - +hard", NULL },

        /* contradictions */
        { "reserved port", "resvport,noresvport", "invalid: resvport -", "noresvport" },
        { "soft and hard", "soft,hard", "invalid: soft -", "hard" },
        { "softerr and soft", "softerr,soft", "invalid: softerr -", "soft" },
        { "sync and async", "sync,async", "invalid: sync -", "async" },
        { "ro and rw", "ro,rw", "invalid: ro -", NULL },
        { "nolock and lock", "nolock,lock", "invalid: nolock -", NULL },
        { "tcp and udp", "tcp,proto=udp", "invalid: tcp -", "proto=udp" },
        { "tcp said twice", "tcp,proto=tcp", "invalid: tcp -", "same" },
        { "two versions: which one?", "nfsvers=4,vers=3", "invalid: nfsvers=4 - ?", "only one" },
        { "a version said twice", "nfsvers=3,vers=3", "invalid: nfsvers=3 -", "only one" },
        { "one option, two versions", "vers=3,vers=4.2", "invalid: vers=3 - +vers=4.2 ?", "only one" },
        { "a kind of security alone", "hard,krb5p", "invalid: krb5p - +sec=krb5p ?", "sec=krb5p" },
        { "a time twice beside noac", "noac,actimeo=600,actimeo=600", "invalid: actimeo=600 -; invalid: actimeo=600 -",
          "noac" },
        { "times beside noac", "noac,actimeo=600", "invalid: actimeo=600 -", "noac" },
        { "times before noac", "actimeo=600,noac", "invalid: actimeo=600 -", "noac" },
        { "one time beside noac", "noac,acregmin=60", "invalid: acregmin=60 -", "noac" },
        { "noac that does not hold", "noac,ac,actimeo=600", "invalid: noac -", "ac" },
        { "async beside noac", "noac,async", "invalid: async -", "sync" },
        { "actimeo behind a bound", "acregmin=3,actimeo=60", "invalid: acregmin=3 -", "actimeo=60" },
        { "lower bound above the upper", "acregmin=60,acregmax=3", "invalid: acregmin=60 - ?", "acregmax=3" },
        { "lower bound behind", "acdirmax=3,acdirmin=60", "invalid: acdirmin=60 - ?", "acdirmax=3" },
        { "version 4 over udp", "vers=4.1,proto=udp", "invalid: proto=udp - ?", "UDP" },

        /* what has had its day */
        { "intr", "intr", "obsolete: intr -", "2.6.25" },
        { "nointr", "nointr", "obsolete: nointr -", NULL },
        { "the old habit", "hard,intr,rsize=8192,wsize=8192,timeo=14", "obsolete: intr -", NULL },
        { "minorversion", "nfsvers=4,minorversion=1", "obsolete: minorversion=1 - +nfsvers=4.1", "nfsvers=4.1" },
        { "minorversion, new name", "rw,vers=4,minorversion=1,hard", "obsolete: minorversion=1 - +vers=4.1", NULL },
        { "minorversion with the flag", "v4,minorversion=2", "obsolete: v4 -; obsolete: minorversion=2 - +vers=4.2",
          NULL },
        { "minorversion alone", "minorversion=1", "obsolete: minorversion=1 - +vers=4.1", NULL },
        { "minorversion beside a full version", "vers=4.2,minorversion=1", "obsolete: minorversion=1 -", "nothing" },
        { "version 2", "vers=2", "obsolete: vers=2 -", NULL },
        { "version 2 as a flag", "v2", "obsolete: v2 -", NULL },
        { "udp is another rule's", "udp,vers=3", "", NULL },

        /* several */
        { "order of the options", "intr,wsize=abc,soft,hard",
          "obsolete: intr -; invalid: wsize=abc -; invalid: soft -", NULL },
};

START_TEST(test_row)
{
        struct options o = world_options(rows[_i].options);
        struct lint l = { 0 };
        cleanup_free char *got = NULL;

        ck_assert_int_eq(lint_options(&o, false, &l), 0);
        got = summary(&l);
        ck_assert_msg(strcmp(got, rows[_i].want) == 0, "%s: %s\nwant \"%s\"\ngot  \"%s\"", rows[_i].name,
                      rows[_i].options, rows[_i].want, got);
        if (rows[_i].word)
                ck_assert_msg(strstr(l.problems[0].words, rows[_i].word), "%s: \"%s\"", rows[_i].name,
                              l.problems[0].words);
        for (size_t i = 0; i < l.n_problems; i++)
                ck_assert_msg(*l.problems[i].words && !strchr(l.problems[i].words, '\n'), "%s: words", rows[_i].name);
        lint_done(&l);
        options_done(&o);
}
END_TEST

/* What sure problems propose leaves nothing sure to say. */
START_TEST(test_proposal_holds)
{
        struct options o = world_options(rows[_i].options);
        struct lint l = { 0 }, again = { 0 };

        ck_assert_int_eq(lint_options(&o, false, &l), 0);
        for (size_t i = 0; i < l.n_problems; i++) {
                if (l.problems[i].guess || !l.problems[i].drop)
                        continue;
                struct options drop = world_options(l.problems[i].drop);
                options_drop(&o, drop.items[0].name);
                options_done(&drop);
        }
        for (size_t i = 0; i < l.n_problems; i++) {
                if (l.problems[i].guess || !l.problems[i].set)
                        continue;
                struct options set = world_options(l.problems[i].set);
                ck_assert_int_eq(options_set(&o, set.items[0].name, set.items[0].value), 0);
                options_done(&set);
        }
        ck_assert_int_eq(lint_options(&o, false, &again), 0);
        for (size_t i = 0; i < again.n_problems; i++)
                ck_assert_msg(again.problems[i].guess, "%s: then %s %s", rows[_i].name, again.problems[i].option,
                              again.problems[i].words);
        lint_done(&l);
        lint_done(&again);
        options_done(&o);
}
END_TEST

/* mount.nfs writes them out where they come from nfsmount.conf. */
START_TEST(test_suffix_in_nfsmount_conf)
{
        struct options o = world_options("rsize=32k");
        struct lint l = { 0 };

        ck_assert_int_eq(lint_options(&o, true, &l), 0);
        ck_assert_uint_eq(l.n_problems, 0);
        lint_done(&l);
        options_done(&o);
}
END_TEST

/* Every known option with its default is fine alone. */
START_TEST(test_known_options)
{
        const struct option_info *info;

        for (size_t i = 0; (info = option_info_at(i)); i++) {
                struct options o = { 0 };
                struct lint l = { 0 };

                if (info->obsolete || info->kind != OPTION_FLAG)
                        continue;
                ck_assert_int_eq(options_set(&o, info->name, NULL), 0);
                ck_assert_int_eq(lint_options(&o, false, &l), 0);
                ck_assert_msg(l.n_problems == 0, "%s: %s", info->name, l.n_problems ? l.problems[0].words : "");
                lint_done(&l);
                options_done(&o);
        }
}
END_TEST

CASE_MAIN("policy lint", { test_row, ARRAY_SIZE(rows) }, { test_proposal_holds, ARRAY_SIZE(rows) },
          { test_suffix_in_nfsmount_conf, 1 }, { test_known_options, 1 })
