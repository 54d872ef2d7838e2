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
        { "empty fields alone", "server:/data /data nfs ,sync,,rsize=32768,wsize=32768 0 0",
          ",sync,,rsize=32768,wsize=32768", "defaults", "server:/data /data nfs defaults 0 0" },
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

/* A newline in a name must not end the comment: the rest would be a line of the administrator's file. */
static const struct one_line_row {
        const char *name;
        enum place_kind kind;
        const char *file, *target, *options;
        unsigned newlines;
} one_line_rows[] = {
        { "autofs map", PLACE_AUTOFS, "/etc/auto.data", "/a\nevil", "sync,rsize=32768", 0 },
        { "autofs map's name", PLACE_AUTOFS, "/etc/auto\nevil", "/a", "sync,rsize=32768", 0 },
        { "an option in a map", PLACE_AUTOFS, "/etc/auto.data", "/a", "sync,rsize=32768,context=a\nevil", 0 },
        { "drop-in", PLACE_UNIT, "/etc/systemd/system/a.mount.d/x\nevil", "/a", "sync,rsize=32768", 1 },
        { "unit", PLACE_UNIT, "/etc/systemd/system/a\nevil.mount", "/a", "sync,rsize=32768", 2 },
        { "an option in a unit", PLACE_UNIT, "/etc/systemd/system/a.mount", "/a", "sync,rsize=32768,context=a\nevil",
          2 },
        { "nfsmount.conf", PLACE_NFSMOUNT_CONF, "/etc/nfsmount.conf.d/x\nevil", "/a", "sync,rsize=32768", 0 },
};

START_TEST(comments_are_one_line)
{
        const struct one_line_row *row = &one_line_rows[_i];
        unsigned newlines = 0;
        struct world w;

        world_init(&w, row->target, "rw", OLD4);
        if (row->kind == PLACE_NFSMOUNT_CONF)
                world_fstab(&w, 2, "server:/data /a nfs bg 0 0", "bg");
        world_source(&w, row->kind, row->file, 8, row->options, row->options);
        w.o.requested[w.o.n_requested - 1].is_default = row->kind == PLACE_NFSMOUNT_CONF;
        world_evaluate(&w);
        ck_assert_msg(w.a.plan.exists && w.a.plan.replacement, "%s: none", row->name);
        for (const char *c = w.a.plan.replacement; *c; c++)
                newlines += *c == '\n';
        ck_assert_msg(newlines == row->newlines && !strstr(w.a.plan.replacement, "\nevil") &&
                      strstr(w.a.plan.replacement, "\\012evil"), "%s: %s", row->name, w.a.plan.replacement);
        world_done(&w);
}
END_TEST

START_TEST(units)
{
        static const struct {
                const char *name, *file, *want;
        } rows[] = {
                { "unit file", "/etc/systemd/system/data.mount",
                  "# /etc/systemd/system/data.mount.d/50-nfstuned.conf\n[Mount]\nOptions=bg" },
                { "vendor's unit", "/usr/lib/systemd/system/data.mount",
                  "# /etc/systemd/system/data.mount.d/50-nfstuned.conf\n[Mount]\nOptions=bg" },
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

/* Names of servers and types come from files of anybody, and the commands are pasted by root. */
static const struct {
        const char *name, *source, *fstype, *super, *want;
} hostile_rows[] = {
        { "a source that is an option, mounted anew", "-o:/x", "nfs4", "rw,vers=4.2,rsize=32768,wsize=32768,soft",
          "-- -o:/x /data, and" },
        { "a source that is an option, remounted", "-o:/x", "nfs4", "rw,sync,vers=4.2",
          "mount -o remount,async -- -o:/x /data" },
        { "a source with a command", "s:/$(x)", "nfs4", "rw,sync,vers=4.2", "mount -o remount,async 's:/$(x)' /data" },
        { "a type with a command", "s:/d", "nfs;x", "rw,vers=4.2,rsize=32768,wsize=32768,soft", "mount -t 'nfs;x' -o " },
};

START_TEST(names_are_no_commands)
{
        struct world w;

        world_init(&w, "/data", "rw", hostile_rows[_i].super);
        free(w.o.mount.source);
        w.o.mount.source = world_copy(hostile_rows[_i].source);
        free(w.o.mount.fstype);
        w.o.mount.fstype = world_copy(hostile_rows[_i].fstype);
        world_evaluate(&w);
        ck_assert_msg(w.a.plan.exists && strstr(w.a.plan.text, hostile_rows[_i].want), "%s: %s", hostile_rows[_i].name,
                      w.a.plan.exists ? w.a.plan.text : "no plan");
        world_done(&w);
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

/* ---- conflicts ------------------------------------------------------------------------- */

struct wish {
        enum rule rule;
        enum confidence confidence;
        enum method method;
        bool automatic;
        const char *drop, *set;         /* separated by blanks; NULL: none */
};

static size_t split(const char *words, char ***ret)
{
        size_t n = 0;

        *ret = NULL;
        while (words && *words) {
                size_t length = strcspn(words, " ");

                *ret = reallocarray(*ret, n + 1, sizeof(char *));
                ck_assert_ptr_nonnull(*ret);
                (*ret)[n++] = strndup(words, length);
                words += length + (words[length] == ' ');
        }
        return n;
}

static struct plan plan_of(struct world *w, const struct wish *wishes, size_t n, enum plan_scope scope)
{
        struct recommendation r[4] = { 0 };
        struct plan p;

        ck_assert_uint_le(n, ARRAY_SIZE(r));
        for (size_t i = 0; i < n; i++) {
                r[i] = (struct recommendation){
                        .rule = wishes[i].rule, .confidence = wishes[i].confidence, .method = wishes[i].method,
                        .automatic = wishes[i].automatic,
                };
                r[i].n_drop = split(wishes[i].drop, &r[i].drop);
                r[i].n_set = split(wishes[i].set, &r[i].set);
        }
        ck_assert_int_eq(plan_make(&w->o, r, n, scope, &p), 0);
        for (size_t i = 0; i < n; i++)
                recommendation_done(&r[i]);
        return p;
}

#define STALE(d)       { RULE_STALE_IO_SIZE, CONFIDENCE_CONFIGURED, METHOD_REPLACE, true, d, NULL }
#define STALL(d, s)    { RULE_LARGE_IO_STALL, CONFIDENCE_MEASURED, METHOD_REPLACE, true, d, s }
#define URGENT(d)      { RULE_LIMIT_BELOW_SIZE, CONFIDENCE_OBSERVED, METHOD_REPLACE, true, d, NULL }
#define INVALID(d, s)  { RULE_INVALID_OPTION, CONFIDENCE_CONFIGURED, METHOD_SOURCE, false, d, s }
#define OBSOLETE(d, s) { RULE_OBSOLETE_OPTION, CONFIDENCE_CONFIGURED, METHOD_SOURCE, false, d, s }
#define REPLACE(d, s)  { RULE_SINGLE_CONNECTION, CONFIDENCE_OBSERVED, METHOD_REPLACE, false, d, s }

static const struct conflict_row {
        const char *name;
        const char *written;            /* of the fstab line */
        struct wish wishes[4];
        const char *want;
        enum method method;
        bool automatic;
} conflict_rows[] = {
        { "a measured size beats dropping it", "rsize=32768,wsize=32768,bg",
          { STALE("rsize=32768 wsize=32768"), STALL("rsize=32768 wsize=32768", "rsize=65536 wsize=65536") },
          "rsize=65536,wsize=65536,bg", METHOD_REPLACE, true },
        { "of equally sure ones the first", "nconnect=2",
          { REPLACE("nconnect=2", "nconnect=4"), REPLACE("nconnect=2", "nconnect=8") }, "nconnect=4", METHOD_REPLACE,
          false },
        { "the surer one, wherever it stands", "rsize=8192",
          { { RULE_STALE_IO_SIZE, CONFIDENCE_CONFIGURED, METHOD_REPLACE, true, NULL, "rsize=65536" },
            STALL("rsize=8192", "rsize=131072") }, "rsize=131072", METHOD_REPLACE, true },
        { "what must go is not set", "rsize=1048576,bg",
          { URGENT("rsize=1048576"),
            { RULE_IO_SIZE_MISMATCH, CONFIDENCE_CONFIGURED, METHOD_REPLACE, true, "rsize=1048576", "rsize=65536" } },
          "bg", METHOD_REPLACE, true },
        { "both drop", "rsize=8192,wsize=8192,sync",
          { STALE("rsize=8192"), URGENT("rsize=8192 wsize=8192") }, "sync", METHOD_REPLACE, true },
        { "one of two duplicates", "rsize=1024,rsize=1048576,wsize=1024", { INVALID("rsize=1024", "rsize=1048576") },
          "rsize=1048576,wsize=1024", METHOD_SOURCE, false },
        { "the same twice", "bg,hard,bg", { INVALID("bg", "bg") }, "hard,bg", METHOD_SOURCE, false },
        { "only the text that is named", "rsize=1024,rsize=1048576", { INVALID("rsize=1024", NULL) }, "rsize=1048576",
          METHOD_SOURCE, false },
        { "a value decides over a spelling", "rsize=1024,rsize=32768,bg",
          { INVALID("rsize=1024", "rsize=32768"), STALE("rsize=32768") }, "bg", METHOD_REPLACE, false },
        { "soft beside hard", "soft,hard,bg", { INVALID("soft", NULL) }, "hard,bg", METHOD_SOURCE, false },
        { "the old spelling's place", "bg,nfsvers=4,hard,minorversion=1,nosuid",
          { OBSOLETE("nfsvers=4 minorversion=1", "vers=4.1") }, "bg,vers=4.1,hard,nosuid", METHOD_SOURCE, false },
        { "a newer version in the place of an old spelling", "nfsvers=4,minorversion=0,bg",
          { OBSOLETE("nfsvers=4 minorversion=0", "vers=4.0"), REPLACE("nfsvers=4 minorversion=0", "vers=4.2") },
          "vers=4.2,bg", METHOD_REPLACE, false },
        { "hard is not spelt out", "bg,soft,nosuid", { REPLACE("soft", "hard") }, "bg,nosuid", METHOD_REPLACE, false },
        { "nor async", "sync", { { RULE_SYNC_CLIENT, CONFIDENCE_CONFIGURED, METHOD_LIVE, true, "sync", "async" } },
          "defaults", METHOD_LIVE, true },
        { "nor tcp", "udp,bg", { REPLACE("udp", "proto=tcp") }, "bg", METHOD_REPLACE, false },
        { "hard that stands there stays", "soft,bg,hard", { REPLACE("soft", "hard") }, "bg,hard", METHOD_REPLACE,
          false },
        { "of the other name", "resvport,bg", { REPLACE(NULL, "noresvport") }, "noresvport,bg", METHOD_REPLACE, false },
        { "new at the end", "bg,hard", { REPLACE(NULL, "nconnect=4") }, "bg,hard,nconnect=4", METHOD_REPLACE, false },
        { "there already", "bg,nconnect=4,hard", { REPLACE(NULL, "nconnect=4") }, "bg,nconnect=4,hard", METHOD_REPLACE,
          false },
        { "systemd's may stand there several times", "x-systemd.requires=a,x-systemd.requires=b",
          { OBSOLETE("x-systemd.requires=a", "x-systemd.requires=c") }, "x-systemd.requires=c,x-systemd.requires=b",
          METHOD_SOURCE, false },
        { "a blank is escaped", "bg", { REPLACE(NULL, "comment=a\tb") }, "bg,comment=a\\011b", METHOD_REPLACE, false },
        { "an escaped text is found", "comment=a\\040b,bg", { INVALID("comment=a\\040b", NULL) }, "bg", METHOD_SOURCE,
          false },
        { "a mixed plan is not automatic", "sync,soft",
          { { RULE_SOFT_MOUNT, CONFIDENCE_CONFIGURED, METHOD_REPLACE, false, "soft", NULL },
            { RULE_SYNC_CLIENT, CONFIDENCE_CONFIGURED, METHOD_LIVE, true, "sync", NULL } }, "defaults", METHOD_REPLACE,
          false },
        { "who lost does not count", "rsize=8192",
          { STALL("rsize=8192", "rsize=65536"), REPLACE(NULL, "rsize=1048576") }, "rsize=65536", METHOD_REPLACE, true },
};

static size_t count_wishes(const struct wish *wishes)
{
        size_t n = 0;

        while (n < 4 && wishes[n].method != METHOD_NONE)
                n++;
        return n;
}

START_TEST(conflicts)
{
        const struct conflict_row *row = &conflict_rows[_i];
        char line[200];
        struct plan p;
        struct world w;

        world_init(&w, "/data", "rw", OLD4);
        snprintf(line, sizeof(line), "server:/data /data nfs %s 0 0", row->written);
        world_fstab(&w, 7, line, row->written);
        p = plan_of(&w, row->wishes, count_wishes(row->wishes), PLAN_SHOWN);
        ck_assert_msg(p.exists && strcmp(p.options, row->want) == 0, "%s: %s", row->name, p.options);
        ck_assert_msg(p.method == row->method, "%s: method %s", row->name, method_name(p.method));
        ck_assert_msg(p.automatic == row->automatic, "%s: automatic", row->name);
        snprintf(line, sizeof(line), "server:/data /data nfs %s 0 0", row->want);
        ck_assert_msg(strcmp(p.replacement, line) == 0, "%s: %s", row->name, p.replacement);
        plan_done(&p);
        world_done(&w);
}
END_TEST

/* A default of nfsmount.conf that the line hides must not come to light. */
START_TEST(a_default_that_was_hidden)
{
        static const struct wish soft = REPLACE("softerr", NULL);
        struct plan p;
        struct world w;

        world_init(&w, "/data", "rw", OLD4);
        world_fstab(&w, 7, "server:/data /data nfs softerr,bg 0 0", "softerr,bg");
        world_conf(&w, 3, "soft");
        world_conf(&w, 4, "hard");
        p = plan_of(&w, &soft, 1, PLAN_SHOWN);
        ck_assert_str_eq(p.options, "bg");
        ck_assert_ptr_nonnull(strstr(p.replacement, "# in /etc/nfsmount.conf line 3: remove soft"));
        ck_assert_ptr_null(strstr(p.replacement, "line 4"));
        plan_done(&p);
        world_done(&w);
}
END_TEST

START_TEST(automatic_part)
{
        static const struct wish wishes[] = {
                { RULE_SOFT_MOUNT, CONFIDENCE_CONFIGURED, METHOD_REPLACE, false, "soft", NULL },
                { RULE_SYNC_CLIENT, CONFIDENCE_CONFIGURED, METHOD_LIVE, true, "sync", NULL },
        };
        struct plan p;
        struct world w;

        world_init(&w, "/data", "rw", OLD4);
        world_fstab(&w, 7, "server:/data /data nfs sync,soft 0 0", "sync,soft");
        p = plan_of(&w, wishes, 2, PLAN_AUTOMATIC);
        ck_assert_str_eq(p.options, "soft");
        ck_assert(p.automatic && p.method == METHOD_LIVE);
        plan_done(&p);
        p = plan_of(&w, wishes, 1, PLAN_AUTOMATIC);
        ck_assert(!p.exists);
        plan_done(&p);
        world_done(&w);
}
END_TEST

/* ---- places, once more -------------------------------------------------------------------- */

/* One wish that drops sync and the sizes, and sets nconnect where @set says so. */
#define SOURCE(k, f, t, ...) { .kind = PLACE_##k, .file = f, .text = t, .options = __VA_ARGS__ }
#define FSTAB(t, ...) SOURCE(FSTAB, "/etc/fstab", t, __VA_ARGS__)
#define CONF(t, ...)  SOURCE(NFSMOUNT_CONF, "/etc/nfsmount.conf", t, __VA_ARGS__)

static const struct place_row {
        const char *name;
        const char *target;             /* NULL: /data */
        const char *super;              /* NULL: OLD4 */
        struct {
                enum place_kind kind;
                const char *file, *text, *options, *mended, *section;
        } sources[2];
        struct wish wish;
        bool only_requested, below_autofs;
        const char *want_replacement;   /* NULL: none */
        const char *want_text, *never_text;     /* parts; NULL: any, none */
} place_rows[] = {
        { .name = "a line without options gets them", .sources = { FSTAB("s:/d /d nfs", "") },
          .wish = REPLACE(NULL, "nconnect=4"), .want_replacement = "s:/d /d nfs nconnect=4" },
        { .name = "the same before a comment",
          .sources = { FSTAB("s:/d /d nfs  # mine", "") }, .wish = REPLACE(NULL, "nconnect=4"),
          .want_replacement = "s:/d /d nfs nconnect=4  # mine" },
        { .name = "a mended line is the base",
          .sources = { FSTAB("s:/d /d nfs bg,sync\r", "bg,sync\r", .mended = "s:/d /d nfs bg,sync") },
          .wish = INVALID("sync", NULL), .want_replacement = "s:/d /d nfs bg", .want_text = "fstab line 7" },
        { .name = "nothing but the line is broken",
          .sources = { FSTAB("s:/d /d nfs bg 0 0\r", "bg", .mended = "s:/d /d nfs bg 0 0") },
          .wish = INVALID(NULL, NULL), .want_replacement = "s:/d /d nfs bg 0 0",
          .want_text = "nothing needs to be remounted now" },
        { .name = "a spelling needs no remount",
          .sources = { FSTAB("s:/d /d nfs bg,intr", "bg,intr") }, .wish = OBSOLETE("intr", NULL),
          .want_replacement = "s:/d /d nfs bg",
          .want_text = "edit fstab line 7; it takes effect at the next mount; nothing needs to be remounted now",
          .never_text = "umount" },
        { .name = "nothing is mounted",
          .sources = { FSTAB("s:/d /d nfs bg,sync,rsize=1024", "bg,sync,rsize=1024") },
          .wish = REPLACE("sync rsize=1024", NULL), .only_requested = true, .want_replacement = "s:/d /d nfs bg",
          .want_text = "edit fstab line 7", .never_text = "umount" },
        { .name = "a section of nfsmount.conf",
          .sources = { CONF("Rsize=32k", "rsize=32k", .section = "[ Server \"server\" ]") },
          .wish = STALE("rsize=32k"),
          .want_replacement = "# in /etc/nfsmount.conf line 7, section [ Server \"server\" ]: remove Rsize=32k",
          .want_text = "unmount and mount anew" },
        { .name = "a spelling in nfsmount.conf",
          .sources = { CONF("Proto=TCP", "proto=TCP"),
                       FSTAB("s:/d /d nfs bg", "bg") },
          .wish = OBSOLETE("proto=TCP", "proto=tcp"),
          .want_replacement = "# in /etc/nfsmount.conf line 7: remove Proto=TCP; write there instead proto=tcp" },
        { .name = "a setting of its own", .target = "/my data",
          .sources = { CONF("Nconnect=2", "nconnect=2") },
          .super = "rw,vers=4.2,rsize=1048576,wsize=1048576,hard,proto=tcp,nconnect=2,timeo=600,retrans=2,sec=sys",
          .wish = REPLACE("nconnect=2", "nconnect=4"),
          .want_replacement = "# in /etc/nfsmount.conf line 7: remove Nconnect=2\n"
                              "# and a line of its own in /etc/fstab:\n"
                              "server:/data /my\\040data nfs4 vers=4.2,nconnect=4,sec=sys 0 0" },
        { .name = "the own line takes the setting",
          .sources = { CONF("Nconnect=2", "nconnect=2"),
                       FSTAB("s:/d /d nfs bg", "bg") },
          .wish = REPLACE("nconnect=2", "nconnect=4"),
          .want_replacement = "s:/d /d nfs bg,nconnect=4\n# in /etc/nfsmount.conf line 7: remove Nconnect=2" },
        { .name = "nfsroot", .target = "/",
          .sources = { SOURCE(CMDLINE, "/proc/cmdline", "nfsroot=10.0.0.1:/r,rsize=4096,nolock", "rsize=4096,nolock") },
          .wish = STALE("rsize=4096"), .want_replacement = "nfsroot=10.0.0.1:/r,nolock", .want_text = "next boot",
          .never_text = "umount" },
        { .name = "nfsroot without options", .target = "/",
          .sources = { SOURCE(CMDLINE, "/proc/cmdline", "nfsroot=10.0.0.1:/r,rsize=4096", "rsize=4096") },
          .wish = STALE("rsize=4096"), .want_replacement = "nfsroot=10.0.0.1:/r" },
        { .name = "an autofs map",
          .sources = { SOURCE(AUTOFS, "/etc/auto.data", "data -sync,bg s:/d", "sync,bg") },
          .wish = REPLACE("sync", NULL), .below_autofs = true,
          .want_replacement = "# in /etc/auto.data line 7, key \"data\" (\"/data\" in a direct map): "
                              "sync,bg becomes bg", .never_text = "umount" },
        { .name = "an autofs map that is not known", .wish = REPLACE("sync", "nconnect=4"), .below_autofs = true,
          .want_replacement = "# in the autofs map, key \"data\" (\"/data\" in a direct map): take out sync; "
                              "add nconnect=4" },
        { .name = "a volume", .target = "/var/lib/kubelet/pods/1/v", .wish = REPLACE("sync rsize=32768", NULL),
          .want_replacement = "# in the volume's definition (StorageClass, PersistentVolume, compose file), "
                              "mountOptions or the o= option of the volume: take out sync,rsize=32768",
          .never_text = "umount" },
        { .name = "a kernel command line that is not known", .target = "/", .wish = REPLACE("sync", NULL),
          .want_replacement = "# in the kernel command line, the options of nfsroot=: take out sync",
          .want_text = "next boot", .never_text = "umount" },
        { .name = "the root file system", .target = "/",
          .sources = { FSTAB("s:/d / nfs soft,bg", "soft,bg") }, .wish = REPLACE("soft", NULL),
          .want_replacement = "s:/d / nfs bg", .want_text = "next boot", .never_text = "umount" },
        { .name = "a unit is restarted",
          .sources = { SOURCE(UNIT, "/etc/systemd/system/data.mount.d/10.conf", "soft,bg", "soft,bg") },
          .wish = REPLACE("soft", NULL),
          .want_replacement = "# /etc/systemd/system/data.mount.d/10.conf: instead of the Options= there\nOptions=bg",
          .want_text = "systemctl restart data.mount", .never_text = "umount" },
        { .name = "a file's name is data, not a command",
          .sources = { SOURCE(UNIT, "/etc/systemd/system/it's;x.mount", "soft,bg", "soft,bg") },
          .wish = REPLACE("soft", NULL),
          .want_replacement = "# /etc/systemd/system/it's;x.mount.d/50-nfstuned.conf\n[Mount]\nOptions=bg",
          .want_text = "systemctl restart 'it'\\''s;x.mount'" },
        { .name = "a unit that looks like an option",
          .sources = { SOURCE(UNIT, "/etc/systemd/system/-x.mount", "soft,bg", "soft,bg") },
          .wish = REPLACE("soft", NULL),
          .want_replacement = "# /etc/systemd/system/-x.mount.d/50-nfstuned.conf\n[Mount]\nOptions=bg",
          .want_text = "systemctl restart -- -x.mount" },
};

START_TEST(places)
{
        const struct place_row *row = &place_rows[_i];
        struct plan p;
        struct world w;

        world_init(&w, row->target ? row->target : "/data", "rw", row->super ? row->super : OLD4);
        w.o.only_requested = row->only_requested;
        w.o.mount.below_autofs = row->below_autofs;
        for (size_t i = 0; i < 2 && row->sources[i].text; i++) {
                struct requested *r = world_source(&w, row->sources[i].kind, row->sources[i].file, 7,
                                                   row->sources[i].text, row->sources[i].options);

                r->is_default = row->sources[i].kind == PLACE_NFSMOUNT_CONF;
                if (row->sources[i].mended)
                        r->line_mended = world_copy(row->sources[i].mended);
                if (row->sources[i].section)
                        r->section = world_copy(row->sources[i].section);
        }
        p = plan_of(&w, &row->wish, 1, PLAN_SHOWN);
        ck_assert_msg(p.exists && *p.options && *p.text, "%s: plan", row->name);
        ck_assert_msg(p.replacement && strcmp(p.replacement, row->want_replacement) == 0, "%s: %s", row->name,
                      p.replacement ? p.replacement : "(null)");
        ck_assert_msg(!row->want_text || strstr(p.text, row->want_text), "%s: %s", row->name, p.text);
        ck_assert_msg(!row->never_text || !strstr(p.text, row->never_text), "%s: %s", row->name, p.text);
        plan_done(&p);
        world_done(&w);
}
END_TEST

/* ---- commands that do what they say ----------------------------------------------------------- */

static const struct live_row {
        const char *name, *vfs, *super;
        const char *conf;               /* NULL: none */
        const char *want, *also;        /* parts of the text */
} live_rows[] = {
        { "plain", "rw,relatime", "rw,sync,vers=4.2,rsize=1048576", NULL,
          "mount -o remount,async server:/data /data", "" },
        { "flags are repeated", "rw,nosuid,nodev,noatime", "rw,sync,vers=4.2,rsize=1048576", NULL,
          "mount -o remount,async,nosuid,nodev,noatime server:/data /data", "" },
        { "fsc is repeated", "rw", "rw,sync,vers=4.2,rsize=1048576,fsc", NULL,
          "mount -o remount,async,fsc server:/data /data", "" },
        { "with its name", "rw", "rw,sync,vers=4.2,fsc=tag", NULL,
          "mount -o remount,async,fsc=tag server:/data /data", "" },
        { "a default in the way", "rw", "rw,sync,vers=4.2,rsize=1048576", "rsize=32k", "refused",
          "/etc/nfsmount.conf line 9" },
        { "a default that holds", "rw", "rw,sync,vers=4.2,rsize=32768", "rsize=32k",
          "mount -o remount,async server:/data /data takes effect", "" },
};

START_TEST(remounts)
{
        static const struct wish sync = { RULE_SYNC_CLIENT, CONFIDENCE_CONFIGURED, METHOD_LIVE, true, "sync", NULL };
        const struct live_row *row = &live_rows[_i];
        struct plan p;
        struct world w;

        world_init(&w, "/data", row->vfs, row->super);
        if (row->conf)
                world_conf(&w, 9, row->conf);
        p = plan_of(&w, &sync, 1, PLAN_SHOWN);
        ck_assert_msg(strstr(p.text, row->want) && strstr(p.text, row->also), "%s: %s", row->name, p.text);
        plan_done(&p);
        world_done(&w);
}
END_TEST

/* What is proposed is read back with the escapes of fstab(5). */
static const struct new_line_row {
        const char *name, *target, *source, *want;
} new_line_rows[] = {
        { "nothing to escape", "/data", "server:/data", "\nserver:/data /data nfs4 " },
        { "a blank, a tab, a newline", "/my data\t\n", "server:/data", "\nserver:/data /my\\040data\\011\\012 nfs4 " },
        { "a backslash", "/my\\040data", "server:/data", "\nserver:/data /my\\134040data nfs4 " },
        { "a comment's sign in front", "/data", "#server:/data", "\n\\043server:/data /data nfs4 " },
        { "a comment's sign elsewhere", "/data#1", "server:/#", "\nserver:/# /data#1 nfs4 " },
};

START_TEST(new_lines)
{
        static const struct wish wish = REPLACE("nconnect=2", "nconnect=4");
        const struct new_line_row *row = &new_line_rows[_i];
        struct plan p;
        struct world w;

        world_init(&w, row->target, "rw", "rw,vers=4.2,hard,proto=tcp,nconnect=2,timeo=600,retrans=2,sec=sys");
        free(w.o.mount.source);
        w.o.mount.source = world_copy(row->source);
        world_conf(&w, 9, "nconnect=2");
        p = plan_of(&w, &wish, 1, PLAN_SHOWN);
        ck_assert_msg(p.replacement && strstr(p.replacement, row->want), "%s: %s", row->name,
                      p.replacement ? p.replacement : "none");
        plan_done(&p);
        world_done(&w);
}
END_TEST

/* It is no mount option: it never gets into the string. */
START_TEST(read_ahead)
{
        static const struct wish wishes[] = {
                { RULE_READ_AHEAD, CONFIDENCE_MEASURED, METHOD_LIVE, true, NULL, "read_ahead_kb=4096" },
                REPLACE("sync", NULL),
        };
        static const char both[] = "server:/data /data nfs bg 0 0\n# in /etc/udev/";
        struct plan p;
        struct world w;

        world_init(&w, "/data", "rw", OLD4);
        world_fstab(&w, 7, "server:/data /data nfs sync,bg 0 0", "sync,bg");
        p = plan_of(&w, wishes, 1, PLAN_SHOWN);
        ck_assert(p.exists && p.automatic && p.method == METHOD_LIVE);
        ck_assert_str_eq(p.options, "sync,bg");
        ck_assert_ptr_nonnull(strstr(p.text, "echo 4096 > /sys/class/bdi/0:50/read_ahead_kb"));
        ck_assert_ptr_nonnull(strstr(p.text, p.replacement));
        ck_assert_ptr_nonnull(strstr(p.replacement, "SUBSYSTEM==\"bdi\""));
        ck_assert_ptr_nonnull(strstr(p.replacement, "ATTR{read_ahead_kb}=\"4096\""));
        ck_assert_ptr_null(strstr(p.text, "remount"));
        plan_done(&p);
        /* a new mount has a new bdi */
        p = plan_of(&w, wishes, 2, PLAN_SHOWN);
        ck_assert_str_eq(p.options, "bg");
        ck_assert_ptr_nonnull(strstr(p.text, "/sys/class/bdi/$(mountpoint -d /data)/read_ahead_kb"));
        ck_assert_int_eq(strncmp(p.replacement, both, strlen(both)), 0);
        plan_done(&p);
        world_done(&w);
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

static void add_loop(Suite *s, const char *name, const TTest *test, size_t n)
{
        TCase *tc = tcase_create(name);

        tcase_add_loop_test(tc, test, 0, (int)n);
        suite_add_tcase(s, tc);
}

int main(void)
{
        const TTest *const tests[] = {
                fstab_lines, live_names_source_and_target, two_places, only_what_asks_for_it, sizes_go_together,
                a_default_behind_the_line_is_named_too, defaults_only, units, percent_in_a_unit, made_by_others,
                mounted_by_hand, own_line_is_right_already, selection, a_default_that_was_hidden, automatic_part,
                read_ahead, nothing,
        };
        Suite *s = suite_create("policy plan");
        TCase *tc = tcase_create("plan");
        SRunner *sr;
        int failed;

        for (size_t i = 0; i < ARRAY_SIZE(tests); i++)
                tcase_add_test(tc, tests[i]);
        suite_add_tcase(s, tc);
        add_loop(s, "conflicts", conflicts, ARRAY_SIZE(conflict_rows));
        add_loop(s, "places", places, ARRAY_SIZE(place_rows));
        add_loop(s, "names are no commands", names_are_no_commands, ARRAY_SIZE(hostile_rows));
        add_loop(s, "new lines", new_lines, ARRAY_SIZE(new_line_rows));
        add_loop(s, "comments are one line", comments_are_one_line, ARRAY_SIZE(one_line_rows));
        add_loop(s, "remounts", remounts, ARRAY_SIZE(live_rows));
        sr = srunner_create(s);
        srunner_run_all(sr, CK_NORMAL);
        failed = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failed == 0 ? 0 : 1;
}
