/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/explain_option.c: the key facts of each explanation, none of its prose. */
#include "policy/explain.h"
#include "tests/unit/policy_world.h"

static char *help_of(const char *name)
{
        struct text t = { 0 };
        char *s;

        ck_assert_msg(option_info(name), "%s", name);
        text_add_option_help(&t, option_info(name));
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

START_TEST(facts)
{
        static const struct {
                const char *name, *has, *has_not;
        } rows[] = {
                { "rsize", "rsize=BYTES\n", "Obsolete" },
                { "rsize", "Default: none", NULL },
                { "rsize", "1 MiB", NULL },
                { "rsize", "is refused", "Same setting" },
                { "timeo", "timeo=N\n", NULL },
                { "timeo", "Default: 600 tenths of a second.", NULL },
                { "timeo", "in tenths of a second", NULL },
                { "nconnect", "1 to 16", NULL },
                { "nconnect", "takes it and changes nothing", NULL },
                { "lookupcache", "lookupcache=WORD\n", NULL },
                { "lookupcache", "Values: all, none, pos, positive.", NULL },
                { "lookupcache", "Kernel: since Linux 2.6.28.", NULL },
                { "vers", "nfsvers=, v2, v3, v4, v4.0, v4.1, v4.2", NULL },
                { "v4.1", "v4.1\n", NULL },
                { "v4.1", "as vers=", NULL },
                { "v4.1", "only a new mount changes", NULL },
                { "tcp", "as proto=", NULL },
                { "udp", "Obsolete: ", NULL },
                { "udp", "CONFIG_NFS_DISABLE_UDP_SUPPORT", NULL },
                { "intr", "until Linux 2.6.25", NULL },
                { "intr", "Obsolete: ", NULL },
                { "sync", "Default: async.", NULL },
                { "sync", "at once", NULL },
                { "sync", "Same setting: async.", NULL },
                { "async", "Same setting: sync.", NULL },
                { "soft", "Same setting: hard, softerr.", NULL },
                { "resvport", "privileged port", NULL },
                { "fsc", "fsc[=TEXT]\n", NULL },
                { "rdirplus", "rdirplus[=WORD]\n", NULL },
                { "context", "context=TEXT\n", "Values" },
                { "bg", "the kernel does nothing with it", "new mount" },
                { "x-systemd.automount", "In the mount table: never", "only a new mount" },
                { "addr", "whatever was asked for", "Default" },
                { "x-systemd.idle-timeout", "Values: seconds", NULL },
                { "x-gvfs-show", "x-NAME[=TEXT]\n", NULL },
                { "retry", "from 0 up", NULL },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                char *help = help_of(rows[i].name);

                ck_assert_msg(strstr(help, rows[i].has), "%s without \"%s\":\n%s", rows[i].name, rows[i].has, help);
                ck_assert_msg(!rows[i].has_not || !strstr(help, rows[i].has_not), "%s with \"%s\":\n%s", rows[i].name,
                              rows[i].has_not, help);
                free(help);
        }
}
END_TEST

/* Every option has an explanation of a few lines, whole lines only. */
START_TEST(all)
{
        const struct option_info *row;

        for (size_t n = 0; (row = option_info_at(n)); n++) {
                char *help = help_of(row->name);
                size_t lines = 0;

                for (const char *p = help; *p; p++)
                        lines += *p == '\n';
                ck_assert_msg(lines >= 4 && lines <= 15, "%s: %zu lines", row->name, lines);
                ck_assert_msg(strncmp(help, row->name, strlen(row->name)) == 0, "%s: begins otherwise", row->name);
                ck_assert_msg(help[strlen(help) - 1] == '\n', "%s: open end", row->name);
                ck_assert_msg(!strstr(help, "(null)") && !strstr(help, ".."), "%s:\n%s", row->name, help);
                ck_assert_msg(strstr(help, row->summary), "%s: no summary", row->name);
                free(help);
        }
}
END_TEST

/* An option takes up what the text already holds. */
START_TEST(appends)
{
        struct text t = { 0 };
        char *s;

        text_add(&t, "before\n");
        text_add_option_help(&t, option_info("sync"));
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        ck_assert_msg(strncmp(s, "before\nsync\n", 12) == 0, "%s", s);
        free(s);
}
END_TEST

WORLD_MAIN("policy explain option", facts, all, appends)
