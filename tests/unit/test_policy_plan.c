/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan*.c: one change that keeps everything else as the administrator wrote it. */
#include "tests/unit/policy_world.h"

#include "policy/plan.h"

#define OLD4 "rw,sync,vers=4.2,rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys," \
             "clientaddr=10.0.0.2,local_lock=none,addr=10.0.0.1"

/* ---- the fstab line ---------------------------------------------------------- */

static const struct fstab_row {
        const char *name;
        const char *line;
        const char *options;
        const char *want_options;
        const char *want_line;          /* NULL: no replacement */
} fstab_rows[] = {
        { "plain", "server:/data /data nfs sync,rsize=32768,wsize=32768 0 0", "sync,rsize=32768,wsize=32768",
          "defaults", "server:/data /data nfs defaults 0 0" },
        { "others keep their order", "server:/data /data nfs bg,sync,vers=4,rsize=32768,noatime,wsize=32768,nosuid 0 0",
          "bg,sync,vers=4,rsize=32768,noatime,wsize=32768,nosuid", "bg,vers=4,noatime,nosuid",
          "server:/data /data nfs bg,vers=4,noatime,nosuid 0 0" },
        { "columns and comment",
          "  server:/data\t\t/data   nfs4\tsync,nodev,rsize=32768,wsize=32768,rw  0\t2   # old, sync",
          "sync,nodev,rsize=32768,wsize=32768,rw", "nodev,rw",
          "  server:/data\t\t/data   nfs4\tnodev,rw  0\t2   # old, sync" },
        { "no dump and pass", "server:/data /data nfs sync,rsize=32768,wsize=32768", "sync,rsize=32768,wsize=32768",
          "defaults", "server:/data /data nfs defaults" },
        { "escapes stay", "server:/a\\040b /data nfs sync,rsize=32768,wsize=32768,comment=a\\040b 0 0",
          "sync,rsize=32768,wsize=32768,comment=a\\040b", "comment=a\\040b",
          "server:/a\\040b /data nfs comment=a\\040b 0 0" },
        { "said twice", "server:/data /data nfs rsize=8192,sync,rsize=32768,wsize=32768,hard 0 0",
          "rsize=8192,sync,rsize=32768,wsize=32768,hard", "hard", "server:/data /data nfs hard 0 0" },
        { "empty fields stay", "server:/data /data nfs hard,,sync,rsize=32768,wsize=32768,nosuid 0 0",
          "hard,,sync,rsize=32768,wsize=32768,nosuid", "hard,,nosuid", "server:/data /data nfs hard,,nosuid 0 0" },
        { "quoted commas", "server:/data /data nfs sync,context=\"s0:c1,c2\",rsize=32768,wsize=32768 0 0",
          "sync,context=\"s0:c1,c2\",rsize=32768,wsize=32768", "context=\"s0:c1,c2\"",
          "server:/data /data nfs context=\"s0:c1,c2\" 0 0" },
        { "only sync is in it", "server:/data /data nfs sync,hard 0 0", "sync,hard", "hard",
          "server:/data /data nfs hard 0 0" },
};

START_TEST(fstab_lines)
{
        for (size_t i = 0; i < ARRAY_SIZE(fstab_rows); i++) {
                const struct fstab_row *row = &fstab_rows[i];
                const struct plan *p;
                struct world w;

                world_init(&w, "/data", "rw,relatime", OLD4);
                world_fstab(&w, 12, row->line, row->options);
                world_limits(&w, MIB, MIB);
                world_evaluate(&w);
                p = &w.a.plan;
                ck_assert_msg(p->exists && p->method == METHOD_REPLACE, "%s: method", row->name);
                ck_assert_msg(strcmp(p->options, row->want_options) == 0, "%s: options %s", row->name, p->options);
                ck_assert_msg(p->place.kind == PLACE_FSTAB && p->place.line == 12, "%s: place", row->name);
                ck_assert_msg(p->replacement && strcmp(p->replacement, row->want_line) == 0, "%s: line \"%s\"",
                              row->name, p->replacement ? p->replacement : "(null)");
                ck_assert_msg(strstr(p->text, "fstab line 12") && strstr(p->text, "umount /data"), "%s: %s", row->name,
                              p->text);
                world_done(&w);
        }
}
END_TEST

START_TEST(live_names_source_and_target)
{
        struct world w;

        world_init(&w, "/my data", "rw", "rw,sync,vers=4.2,rsize=1048576,wsize=1048576,proto=tcp");
        world_fstab(&w, 3, "server:/data /my\\040data nfs sync 0 0", "sync");
        world_evaluate(&w);
        ck_assert_int_eq(w.a.plan.method, METHOD_LIVE);
        ck_assert_ptr_nonnull(strstr(w.a.plan.text, "mount -o remount,async server:/data '/my data'"));
        ck_assert_ptr_nonnull(strstr(w.a.plan.text, "fstab line 3"));
        ck_assert_str_eq(w.a.plan.replacement, "server:/data /my\\040data nfs defaults 0 0");
        world_done(&w);
}
END_TEST

/* ---- other places --------------------------------------------------------------- */

START_TEST(two_places)
{
        const struct plan *p;
        struct world w;

        world_init(&w, "/data", "rw", OLD4);
        world_fstab(&w, 2, "server:/data /data nfs sync,bg 0 0", "sync,bg");
        world_conf(&w, 9, "rsize=32k,wsize=32k");
        world_evaluate(&w);
        p = &w.a.plan;
        ck_assert_int_eq(p->place.kind, PLACE_FSTAB);
        ck_assert_str_eq(p->options, "bg");
        ck_assert_ptr_nonnull(strstr(p->text, "fstab line 2"));
        ck_assert_ptr_nonnull(strstr(p->text, "/etc/nfsmount.conf line 9"));
        ck_assert_ptr_nonnull(strstr(p->replacement, "server:/data /data nfs bg 0 0\n# "));
        ck_assert_ptr_nonnull(strstr(p->replacement, "rsize=32k,wsize=32k"));
        world_done(&w);
}
END_TEST

/* Whatever comes first in the list, the administrator's own line is rewritten,
 * and a file that does not ask for it is not mentioned. */
START_TEST(only_what_asks_for_it)
{
        struct world w;

        world_init(&w, "/data", "rw", OLD4);
        world_conf(&w, 9, "rsize=32k,wsize=32k");
        world_source(&w, PLACE_NFSMOUNT_CONF, "/etc/nfsmount.conf.d/tcp.conf", 1, "proto=tcp", "proto=tcp");
        world_fstab(&w, 2, "server:/data /data nfs sync,bg 0 0", "sync,bg");
        world_evaluate(&w);
        ck_assert_int_eq(w.a.plan.place.kind, PLACE_FSTAB);
        ck_assert_ptr_nonnull(strstr(w.a.plan.replacement, "/etc/nfsmount.conf line 9"));
        ck_assert_ptr_null(strstr(w.a.plan.replacement, "tcp.conf"));
        ck_assert_ptr_null(strstr(w.a.plan.text, "tcp.conf"));
        world_done(&w);
}
END_TEST

/* Of two sizes that were asked for together none stays behind. */
START_TEST(sizes_go_together)
{
        struct world w;

        world_init(&w, "/data", "rw", "rw,vers=4.2,rsize=32768,wsize=32768,proto=tcp");
        world_record(&w, "rsize=32768,wsize=32768");
        world_limits(&w, MIB, 32 * KIB);
        world_evaluate(&w);
        ck_assert_str_eq(w.a.plan.options, "vers=4.2");
        world_done(&w);
}
END_TEST

START_TEST(a_default_behind_the_line_is_named_too)
{
        struct world w;

        world_init(&w, "/data", "rw", "rw,vers=4.2,rsize=32768,wsize=32768,proto=tcp");
        world_fstab(&w, 2, "server:/data /data nfs rsize=32768,wsize=32768 0 0", "rsize=32768,wsize=32768");
        world_conf(&w, 9, "rsize=8k");
        world_evaluate(&w);
        ck_assert_str_eq(w.a.plan.options, "defaults");
        ck_assert_ptr_nonnull(strstr(w.a.plan.text, "/etc/nfsmount.conf line 9"));
        world_done(&w);
}
END_TEST

START_TEST(defaults_only)
{
        const struct plan *p;
        struct world w;

        world_init(&w, "/data", "rw", "rw,vers=4.2,rsize=32768,wsize=32768,proto=tcp");
        world_fstab(&w, 2, "server:/data /data nfs bg,hard 0 0", "bg,hard");
        world_conf(&w, 9, "rsize=32k,wsize=32k");
        world_evaluate(&w);
        p = &w.a.plan;
        ck_assert_int_eq(p->place.kind, PLACE_NFSMOUNT_CONF);
        ck_assert_uint_eq(p->place.line, 9);
        ck_assert_str_eq(p->options, "bg,hard");
        ck_assert_ptr_nonnull(strstr(p->replacement, "/etc/nfsmount.conf line 9: remove rsize=32k,wsize=32k"));
        ck_assert_ptr_nonnull(strstr(p->text, "umount /data, mount /data"));
        world_done(&w);
}
END_TEST

START_TEST(units)
{
        static const struct {
                const char *name, *file, *want;
        } rows[] = {
                { "unit file", "/etc/systemd/system/data.mount",
                  "# /etc/systemd/system/data.mount.d/nfstuned.conf\n[Mount]\nOptions=bg" },
                { "vendor's unit", "/usr/lib/systemd/system/data.mount",
                  "# /etc/systemd/system/data.mount.d/nfstuned.conf\n[Mount]\nOptions=bg" },
                { "drop-in", "/etc/systemd/system/data.mount.d/zz.conf",
                  "# /etc/systemd/system/data.mount.d/zz.conf: instead of the Options= there\nOptions=bg" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", OLD4);
                world_source(&w, PLACE_UNIT, rows[i].file, 8, "sync,rsize=32768,wsize=32768,bg",
                             "sync,rsize=32768,wsize=32768,bg");
                world_evaluate(&w);
                ck_assert_msg(w.a.plan.place.kind == PLACE_UNIT, "%s", rows[i].name);
                ck_assert_msg(strcmp(w.a.plan.replacement, rows[i].want) == 0, "%s: %s", rows[i].name,
                              w.a.plan.replacement);
                ck_assert_msg(strstr(w.a.plan.text, "daemon-reload") != NULL, "%s: %s", rows[i].name, w.a.plan.text);
                world_done(&w);
        }
}
END_TEST

/* What is written as %% in a unit is read as one percent sign. */
START_TEST(percent_in_a_unit)
{
        static const char options[] = "sync,clientaddr=fe80::1%eth0";
        struct world w;

        world_init(&w, "/data", "rw", OLD4);
        world_source(&w, PLACE_UNIT, "/etc/systemd/system/data.mount", 8, options, options);
        world_evaluate(&w);
        ck_assert_str_eq(w.a.plan.options, "clientaddr=fe80::1%eth0");
        ck_assert_ptr_nonnull(strstr(w.a.plan.replacement, "\nOptions=clientaddr=fe80::1%%eth0"));
        world_done(&w);
}
END_TEST

START_TEST(made_by_others)
{
        static const struct {
                const char *name;
                enum place_kind kind;
                const char *file, *options, *want;
        } rows[] = {
                { "autofs map", PLACE_AUTOFS, "/etc/auto.data", "fstype=nfs,sync,rsize=32768,wsize=32768",
                  "fstype=nfs" },
                { "kernel command line", PLACE_CMDLINE, "/proc/cmdline", "sync,rsize=32768,wsize=32768,nolock",
                  "nolock" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct world w;

                world_init(&w, "/data", "rw", OLD4);
                world_source(&w, rows[i].kind, rows[i].file, 5, rows[i].options, rows[i].options);
                world_evaluate(&w);
                ck_assert_msg(w.a.plan.place.kind == rows[i].kind, "%s", rows[i].name);
                ck_assert_msg(strcmp(w.a.plan.options, rows[i].want) == 0, "%s: %s", rows[i].name, w.a.plan.options);
                ck_assert_msg(!strstr(w.a.plan.text, "umount"), "%s: %s", rows[i].name, w.a.plan.text);
                world_done(&w);
        }
}
END_TEST

/* ---- mounted by hand --------------------------------------------------------------- */

static const struct hand_row {
        const char *name, *vfs, *super;
        uint64_t limit;
        const char *want;
} hand_rows[] = {
        { "the kernel's additions go", "rw,relatime", OLD4, MIB, "vers=4.2,sec=sys" },
        { "flags of the mount stay", "rw,nosuid,nodev,noatime", OLD4, MIB,
          "nosuid,nodev,noatime,vers=4.2,sec=sys" },
        { "v3", "rw,relatime",
          "rw,sync,vers=3,rsize=32768,wsize=32768,namlen=255,soft,nolock,proto=tcp,timeo=50,retrans=5,sec=sys,"
          "mountaddr=10.0.0.1,mountvers=3,mountport=20048,mountproto=udp,local_lock=all,addr=10.0.0.1",
          MIB, "vers=3,nolock,proto=tcp,retrans=5,sec=sys,local_lock=all" },
        { "negotiated sizes are not written down", "rw",
          "rw,sync,vers=4.2,rsize=1048576,wsize=1048576,hard,proto=tcp,timeo=600,retrans=2,sec=sys", 0,
          "vers=4.2,sec=sys" },
        { "negotiated below the maximum", "rw",
          "rw,sync,vers=4.2,rsize=131072,wsize=131072,hard,proto=tcp,timeo=600,retrans=2,sec=sys", 128 * KIB,
          "vers=4.2,sec=sys" },
        { "sizes of unknown origin stay", "rw",
          "rw,sync,vers=4.2,rsize=131072,wsize=131072,hard,proto=tcp,timeo=600,retrans=2,sec=sys", 0,
          "vers=4.2,rsize=131072,wsize=131072,sec=sys" },
        { "another port stays", "rw", "rw,sync,vers=4.2,rsize=1048576,wsize=1048576,proto=tcp,port=2050", 0,
          "vers=4.2,port=2050" },
        { "the usual port goes", "rw", "rw,sync,vers=3,rsize=1048576,wsize=1048576,proto=tcp,port=2049", 0,
          "vers=3,proto=tcp" },
        { "timers that udp had stay", "rw", "rw,sync,vers=3,rsize=32768,wsize=32768,proto=udp,timeo=600,retrans=2", 0,
          "vers=3,timeo=600,retrans=2" },
        { "options of the future", "rw",
          "rw,sync,seclabel,vers=4.2,rsize=1048576,wsize=1048576,proto=tcp,xprtsec=tls,fatal_neterrors=none,write="
          "eager",
          0, "vers=4.2,xprtsec=tls,write=eager" },
        { "nothing left", "rw", "rw,sync,rsize=1048576,wsize=1048576", 0, "defaults" },
};

START_TEST(mounted_by_hand)
{
        for (size_t i = 0; i < ARRAY_SIZE(hand_rows); i++) {
                const struct plan *p;
                struct world w;

                world_init(&w, "/data", hand_rows[i].vfs, hand_rows[i].super);
                if (hand_rows[i].limit > 0)
                        world_limits(&w, hand_rows[i].limit, hand_rows[i].limit);
                world_evaluate(&w);
                p = &w.a.plan;
                ck_assert_msg(p->exists && p->place.kind == PLACE_UNKNOWN && !p->replacement, "%s", hand_rows[i].name);
                ck_assert_msg(strcmp(p->options, hand_rows[i].want) == 0, "%s: %s", hand_rows[i].name, p->options);
                if (p->method == METHOD_REPLACE)
                        ck_assert_msg(strstr(p->text, p->options) && strstr(p->text, "umount /data"), "%s: %s",
                                      hand_rows[i].name, p->text);
                else
                        ck_assert_msg(strstr(p->text, "mount -o remount,async server:/data /data") != NULL, "%s: %s",
                                      hand_rows[i].name, p->text);
                world_done(&w);
        }
}
END_TEST

/* The line was cleaned already, or never asked for it: nothing to edit. */
START_TEST(own_line_is_right_already)
{
        struct world w;

        world_init(&w, "/data", "rw", "rw,vers=4.2,rsize=32768,wsize=32768,hard,proto=tcp,timeo=600,retrans=2");
        world_fstab(&w, 2, "server:/data /data nfs bg 0 0", "bg");
        world_record(&w, "rw,rsize=32768,wsize=32768");
        world_evaluate(&w);
        ck_assert_int_eq(w.a.plan.place.kind, PLACE_UNKNOWN);
        ck_assert_str_eq(w.a.plan.options, "vers=4.2");
        ck_assert_ptr_nonnull(strstr(w.a.plan.text, "umount /data, mount /data"));
        ck_assert_ptr_nonnull(strstr(w.a.plan.text, "fstab line 2"));
        world_done(&w);
}
END_TEST

/* ---- what belongs into a plan --------------------------------------------------------- */

START_TEST(selection)
{
        static const struct {
                const char *name;
                enum confidence confidence;
                enum method method;
                bool with_set;
                bool want;
        } rows[] = {
                { "possible", CONFIDENCE_POSSIBLE, METHOD_REPLACE, false, false },
                { "server", CONFIDENCE_MEASURED, METHOD_SERVER, false, false },
                { "none", CONFIDENCE_OBSERVED, METHOD_NONE, false, false },
                { "source", CONFIDENCE_CONFIGURED, METHOD_SOURCE, false, true },
                { "live", CONFIDENCE_CONFIGURED, METHOD_LIVE, false, true },
                { "replace", CONFIDENCE_CONFIGURED, METHOD_REPLACE, true, true },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                char *drop[] = { (char *)"sync" }, *set[] = { (char *)"rsize=65536", (char *)"nconnect=4" };
                const struct recommendation r = {
                        .confidence = rows[i].confidence, .method = rows[i].method,
                        .drop = drop, .n_drop = 1, .set = set, .n_set = rows[i].with_set ? 2 : 0,
                };
                struct plan p;
                struct world w;

                world_init(&w, "/data", "rw", OLD4);
                world_fstab(&w, 1, "server:/data /data nfs rsize=32768,sync,bg 0 0", "rsize=32768,sync,bg");
                ck_assert_int_eq(plan_make(&w.o, &r, 1, PLAN_SHOWN, &p), 0);
                ck_assert_msg(p.exists == rows[i].want, "%s", rows[i].name);
                if (p.exists) {
                        ck_assert_msg(p.method == rows[i].method, "%s: method", rows[i].name);
                        ck_assert_msg(strcmp(p.options,
                                             rows[i].with_set ? "rsize=65536,bg,nconnect=4" : "rsize=32768,bg") == 0,
                                      "%s: %s", rows[i].name, p.options);
                }
                plan_done(&p);
                world_done(&w);
        }
}
END_TEST

START_TEST(nothing)
{
        struct plan p;
        struct world w;

        world_init(&w, "/data", "rw", OLD4);
        ck_assert_int_eq(plan_make(&w.o, NULL, 0, PLAN_SHOWN, &p), 0);
        ck_assert(!p.exists && !p.options && !p.text && !p.replacement);
        plan_done(&p);
        world_done(&w);
}
END_TEST

WORLD_MAIN("policy plan", fstab_lines, live_names_source_and_target, two_places, only_what_asks_for_it,
           sizes_go_together, a_default_behind_the_line_is_named_too, defaults_only, units, percent_in_a_unit, made_by_others,
           mounted_by_hand, own_line_is_right_already, selection, nothing)
