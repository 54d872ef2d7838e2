/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/option_table.c, option_rows.c: the rows agree with one another; names and values are judged. */
#include "policy/option_table.h"
#include "tests/unit/policy_world.h"

/* The flag @flag in the family of @row. */
static bool is_member(const struct option_info *row, const char *flag)
{
        const struct option_info *member = option_info(flag);

        return member && strcmp(member->canonical, row->canonical) == 0;
}

static bool fallback_is_valid(const struct option_info *row)
{
        const struct option_info *family = option_info(row->canonical);

        if (family->kind == OPTION_FLAG || family->kind == OPTION_FLAG_OR_TEXT)
                return is_member(row, row->fallback);
        return option_value_is_valid(family, row->fallback);
}

START_TEST(consistent)
{
        const struct option_info *row, *before = NULL;
        size_t n = 0;

        for (; (row = option_info_at(n)); n++) {
                const struct option_info *family = option_info(row->canonical);

                ck_assert_msg(!before || strcmp(before->name, row->name) < 0, "order of %s", row->name);
                ck_assert_msg(option_info(row->name) == row, "%s: not found", row->name);
                ck_assert_msg(row->summary && strlen(row->summary) > 5 && strlen(row->summary) < 160, "%s: summary",
                              row->name);
                ck_assert_msg(row->summary[strlen(row->summary) - 1] == '.', "%s: no sentence", row->name);
                ck_assert_msg(!row->detail || row->detail[strlen(row->detail) - 1] == '.', "%s: detail", row->name);
                ck_assert_msg(family && strcmp(family->canonical, family->name) == 0, "%s: family", row->name);
                ck_assert_msg(row->kind == OPTION_FLAG || row->kind == OPTION_FLAG_OR_TEXT ||
                              family->kind == row->kind, "%s: kind", row->name);
                ck_assert_msg(row->kind != OPTION_FLAG || row->canonical_value, "%s: stands for nothing", row->name);
                ck_assert_msg((row->kind != OPTION_WORD) || row->words, "%s: words", row->name);
                ck_assert_msg(!row->fallback || fallback_is_valid(row), "%s: fallback %s", row->name, row->fallback);
                ck_assert_pstr_eq(row->fallback, row->kind == OPTION_NUMBER ? row->fallback : family->fallback);
                ck_assert_msg(row->max == 0 || row->min <= row->max, "%s: range", row->name);
                ck_assert_msg(row->reader < READER_COUNT && row->kind < OPTION_KIND_COUNT, "%s: enums", row->name);
                ck_assert_msg(row->reader == READER_KERNEL || row->reader == READER_VFS ||
                              row->printed == PRINTED_NEVER, "%s: printed", row->name);
                before = row;
        }
        ck_assert_uint_gt(n, 150);
        ck_assert_ptr_null(option_info_at(n + 1));
}
END_TEST

/* A name that begins with "no" undoes another one, or has nothing to undo. */
START_TEST(opposites)
{
        const struct option_info *row;
        size_t pairs = 0;

        for (size_t n = 0; (row = option_info_at(n)); n++) {
                const struct option_info *positive = option_info(row->name + 2);

                if (strncmp(row->name, "no", 2) != 0 || !positive)
                        continue;
                ck_assert_msg(strcmp(positive->canonical, row->canonical) == 0, "%s and %s", row->name, positive->name);
                pairs++;
        }
        ck_assert_uint_ge(pairs, 25);
}
END_TEST

START_TEST(families)
{
        static const struct {
                const char *name, *canonical, *value;
        } rows[] = {
                { "nfsvers", "vers", NULL },
                { "v4.1", "vers", "4.1" },
                { "v3", "vers", "3" },
                { "tcp", "proto", "tcp" },
                { "udp", "proto", "udp" },
                { "rdma", "proto", "rdma" },
                { "soft", "hard", "soft" },
                { "softerr", "hard", "softerr" },
                { "hard", "hard", "hard" },
                { "nosuid", "suid", "nosuid" },
                { "async", "sync", "async" },
                { "noac", "ac", "noac" },
                { "bg", "fg", "bg" },
                { "ro", "rw", "ro" },
                { "users", "user", "users" },
                { "noatime", "atime", "noatime" },
                { "norelatime", "atime", "relatime" },
                { "nofsc", "fsc", "nofsc" },
                { "x-mount.mkdir", "X-mount.mkdir", "X-mount.mkdir" },
                { "x-systemd.automount", "x-systemd.automount", "x-systemd.automount" },
                { "x-gvfs-show", "x-", NULL },
                { "X-anything", "X-", NULL },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                const struct option_info *row = option_info(rows[i].name);

                ck_assert_msg(row && strcmp(row->canonical, rows[i].canonical) == 0, "%s", rows[i].name);
                ck_assert_pstr_eq(row->canonical_value, rows[i].value);
        }
}
END_TEST

/* KERNEL-FACTS 1.2 and 2: what a plan relies on. */
START_TEST(kernel)
{
        static const struct {
                const char *name;
                enum option_printed printed;
                enum option_remount remount;
        } rows[] = {
                { "sync", PRINTED_WHEN_SET, REMOUNT_LIVE },
                { "async", PRINTED_NEVER, REMOUNT_LIVE },
                { "ro", PRINTED_WHEN_SET, REMOUNT_LIVE },
                { "rsize", PRINTED_ALWAYS, REMOUNT_REFUSED },
                { "wsize", PRINTED_ALWAYS, REMOUNT_REFUSED },
                { "vers", PRINTED_ALWAYS, REMOUNT_REFUSED },
                { "timeo", PRINTED_ALWAYS, REMOUNT_REFUSED },
                { "soft", PRINTED_WHEN_SET, REMOUNT_REFUSED },
                { "hard", PRINTED_ALWAYS, REMOUNT_REFUSED },
                { "noac", PRINTED_WHEN_SET, REMOUNT_REFUSED },
                { "actimeo", PRINTED_NEVER, REMOUNT_REFUSED },
                { "proto", PRINTED_ALWAYS, REMOUNT_IGNORED },
                { "nconnect", PRINTED_WHEN_SET, REMOUNT_IGNORED },
                { "xprtsec", PRINTED_WHEN_SET, REMOUNT_IGNORED },
                { "noresvport", PRINTED_WHEN_SET, REMOUNT_REFUSED },
                { "retry", PRINTED_NEVER, REMOUNT_IGNORED },
                { "context", PRINTED_WHEN_SET, REMOUNT_REFUSED },
                { "_netdev", PRINTED_NEVER, REMOUNT_NOT_SEEN },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                const struct option_info *row = option_info(rows[i].name);

                ck_assert_msg(row && row->printed == rows[i].printed, "%s: printed", rows[i].name);
                ck_assert_msg(row->remount == rows[i].remount, "%s: remount", rows[i].name);
        }
}
END_TEST

START_TEST(unknown)
{
        static const char *const names[] = {
                "", "rszie", "RSIZE", "rsize=", "subtree_check", "forcerdirplus", "x-systemd.automont", "x", "v5",
        };

        for (size_t i = 0; i < ARRAY_SIZE(names); i++)
                ck_assert_msg(!option_info(names[i]), "\"%s\" is known", names[i]);
}
END_TEST

/* A line of these has details: nfstunectl explain is asked about them. */
START_TEST(explained)
{
        static const char *const names[] = {
                "_netdev", "ac", "acdirmax", "acdirmin", "acregmax", "acregmin", "actimeo", "async", "bg", "fsc",
                "hard", "intr", "local_lock", "lookupcache", "max_connect", "minorversion", "nconnect", "noac",
                "noatime", "nocto", "nolock", "nordirplus", "noresvport", "nosharecache", "proto", "retrans", "retry",
                "rsize", "sec", "soft", "softerr", "sync", "timeo", "vers", "write", "wsize", "x-systemd.automount",
                "xprtsec",
        };

        for (size_t i = 0; i < ARRAY_SIZE(names); i++)
                ck_assert_msg(option_info(names[i]) && option_info(names[i])->detail, "%s", names[i]);
}
END_TEST

START_TEST(nearest)
{
        static const struct {
                const char *name, *want;
        } rows[] = {
                { "rszie", "rsize" },
                { "wszie", "wsize" },
                { "rsize", "rsize" },
                { "tiemo", "timeo" },
                { "nolcok", "nolock" },
                { "nconect", "nconnect" },
                { "x-systemd.automont", "x-systemd.automount" },
                { "noresvports", "noresvport" },
                { "lookup_cache", "lookupcache" },
                { "mountprot", "mountport" },           /* as near as mountproto: the first in the alphabet */
                { "netdev", "_netdev" },
                { "Sync", "sync" },
                { "completely-else", NULL },
                { "", NULL },
                { "nobody-knows-this-one-that-is-longer-than-any-name-a-mount-option-ever-had", NULL },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                const char *got = option_nearest(rows[i].name);

                ck_assert_msg(got == rows[i].want || (got && rows[i].want && strcmp(got, rows[i].want) == 0),
                              "%s: got %s, want %s", rows[i].name, got ? got : "none",
                              rows[i].want ? rows[i].want : "none");
        }
}
END_TEST

START_TEST(values)
{
        static const struct {
                const char *name, *value;
                bool want;
        } rows[] = {
                { "sync", NULL, true },
                { "sync", "", false },
                { "sync", "1", false },
                { "rsize", NULL, false },
                { "rsize", "", false },
                { "rsize", "abc", false },
                { "rsize", "-1", false },
                { "rsize", "0", true },
                { "rsize", "512", true },
                { "rsize", "1000000", true },
                { "rsize", "32k", true },
                { "rsize", "1M", true },
                { "rsize", "8388608", true },
                { "rsize", "4g", false },
                { "rsize", "4294967295", true },
                { "rsize", "4294967296", false },
                { "timeo", "600", true },
                { "timeo", "0", false },
                { "timeo", "6k", false },
                { "timeo", "60s", false },
                { "timeo", "2147483647", true },
                { "timeo", "2147483648", false },
                { "retrans", "0", true },
                { "nconnect", "0", false },
                { "nconnect", "1", true },
                { "nconnect", "16", true },
                { "nconnect", "17", false },
                { "max_connect", "17", false },
                { "port", "0", true },
                { "port", "65535", true },
                { "port", "65536", false },
                { "retry", "99999999", true },
                { "actimeo", "600", true },
                { "actimeo", "-1", false },
                { "mountvers", "4", false },
                { "minorversion", "2", true },
                { "minorversion", "3", false },
                { "vers", "4.2", true },
                { "vers", "4.3", false },
                { "nfsvers", "4", true },
                { "vers", "", false },
                { "proto", "tcp6", true },
                { "proto", "sctp", false },
                { "mountproto", "rdma", false },
                { "sec", "sys", true },
                { "sec", "krb5p:krb5i:krb5", true },
                { "sec", "krb5:", true },
                { "sec", ":", false },
                { "sec", "", false },
                { "sec", "krb5:kerberos", false },
                { "sec", "krb", false },
                { "lookupcache", "pos", true },
                { "lookupcache", "positive", true },
                { "lookupcache", "positiv", false },
                { "local_lock", "all", true },
                { "write", "eager", true },
                { "xprtsec", "mtls", true },
                { "fatal_neterrors", "ENETDOWN:ENETUNREACH", true },
                { "fatal_neterrors", "ENETDOWN", false },
                { "fsc", NULL, true },
                { "fsc", "name", true },
                { "fsc", "", false },
                { "rdirplus", NULL, true },
                { "rdirplus", "force", true },
                { "rdirplus", "always", false },
                { "context", "\"a,b\"", true },
                { "context", NULL, false },
                { "x-gvfs-show", NULL, true },
                { "x-gvfs-name", "a", true },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
                ck_assert_msg(option_value_is_valid(option_info(rows[i].name), rows[i].value) == rows[i].want, "%s=%s",
                              rows[i].name, rows[i].value ? rows[i].value : "(none)");
}
END_TEST

START_TEST(suffixes)
{
        ck_assert(option_size_has_suffix(option_info("rsize"), "32k"));
        ck_assert(!option_size_has_suffix(option_info("rsize"), "32768"));
        ck_assert(!option_size_has_suffix(option_info("rsize"), "abc"));
        ck_assert(!option_size_has_suffix(option_info("sec"), "krb5k"));
}
END_TEST

WORLD_MAIN("policy option table", consistent, opposites, families, kernel, unknown, explained, nearest, values,
           suffixes)
