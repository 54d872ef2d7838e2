/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a plan to the bytes of the files, and back. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/xattr.h>

#include "daemon/persist.h"
#include "policy/plan.h"
#include "probe/requested.h"
#include "tests/unit/records.h"

/* ---- a mount and its sources ------------------------------------------------------------- */

struct world {
        struct observation o;
        struct requested_sources *sources;
        struct plan plan;
        struct apply_request request;
        char *words;                    /* of persist_edits() */
        int result;
};

static char *copy(const char *s)
{
        char *c = s ? strdup(s) : NULL;

        ck_assert(!s || c);
        return c;
}

static void world_done(struct world *w)
{
        observation_done(&w->o);
        requested_sources_free(w->sources);
        plan_done(&w->plan);
        apply_request_done(&w->request);
        free(w->words);
}

/* fstab and nfsmount.conf as they are in the tree. */
static void world_read(struct world *w, const char *target)
{
        w->o.mount = mount_make(target);
        w->sources = requested_sources_new();
        ck_assert_ptr_nonnull(w->sources);
        if (tree_has("etc/fstab")) {
                cleanup_free char *text = tree_read("etc/fstab");
                cleanup(fstab_done) struct fstab f = { 0 };

                ck_assert_int_eq(fstab_parse(text, strlen(text), &f), 0);
                ck_assert_int_eq(requested_sources_fstab(w->sources, &f, "/etc/fstab"), 0);
        }
        if (tree_has("etc/nfsmount.conf")) {
                cleanup_free char *text = tree_read("etc/nfsmount.conf");

                ck_assert_int_eq(requested_sources_conf(w->sources, text, strlen(text), "/etc/nfsmount.conf"), 0);
        }
        requested_sources_sort(w->sources);
        ck_assert_int_eq(requested_find(w->sources, &w->o.mount, &w->o.requested, &w->o.n_requested), 0);
}

static void world_unit(struct world *w, const char *file, unsigned line, const char *options)
{
        w->o.mount = mount_make("/srv/data");
        w->o.requested = calloc(1, sizeof(*w->o.requested));
        ck_assert_ptr_nonnull(w->o.requested);
        w->o.n_requested = 1;
        w->o.requested[0] = (struct requested){ .place = { PLACE_UNIT, copy(file), line }, .text = copy(options),
                                                .options_text = copy(options) };
        options_of(&w->o.requested[0].options, options);
}

/* A plan that takes out sync and the sizes. */
static void world_plan(struct world *w)
{
        static char sync[] = "sync", rsize[] = "rsize=32768", wsize[] = "wsize=32768";
        char *drop[] = { sync, rsize, wsize };
        struct recommendation r = { .rule = RULE_STALE_IO_SIZE, .confidence = CONFIDENCE_CONFIGURED,
                                    .method = METHOD_REPLACE, .automatic = true, .drop = drop, .n_drop = 3 };
        struct apply_request *q = &w->request;

        ck_assert_int_eq(plan_make(&w->o, &r, 1, PLAN_AUTOMATIC, &w->plan), 0);
        w->result = persist_edits(&w->o, &w->plan, &q->edits, &q->n_edits, &w->words);
        ck_assert((w->result == 1) == (w->words != NULL));
        q->op = APPLY_PERSIST;
        q->mount = mount_make(w->o.mount.target);
}

/* As it travels to the helper. */
static void request_run(const struct apply_request *q, struct apply_answer *ret)
{
        cleanup(apply_request_done) struct apply_request there = { 0 };
        cleanup_free char *text = apply_request_to_json(q), *words = NULL;
        int r = apply_request_from_json(text, strlen(text), &there, &words);

        ck_assert_msg(r == 0, "%s", words);
        ck_assert_int_eq(persist_run(tree, &there, ret), 0);
}

/* The same with old and new exchanged. */
static void request_reverse(struct apply_request *q)
{
        for (size_t i = 0; i < q->n_edits; i++) {
                struct source_edit back = { 0 };

                ck_assert_int_eq(persist_reverse(&q->edits[i], &back), 0);
                source_edit_done(&q->edits[i]);
                q->edits[i] = back;
        }
}

static void expect_end(const struct apply_answer *a, enum apply_end end, const char *name)
{
        ck_assert_msg(a->end == end, "%s: %s (%s)", name, apply_end_name(a->end), a->words);
}

/* No temporary file, no lock. */
static void expect_tidy(const char *dir)
{
        char pattern[PATH_MAX];
        struct stat st;

        snprintf(pattern, sizeof(pattern), "%s/%s/.fstab.nfstuned-%d", tree, dir, (int)getpid());
        ck_assert_int_eq(lstat(pattern, &st), -1);
        ck_assert(!tree_has("etc/fstab~") && !tree_has("etc/fstab.lock"));
}

/* ---- fstab -------------------------------------------------------------------------------- */

#define OTHERS "# a comment\n\nUUID=1234\t/\text4\terrors=remount-ro 0 1\n"
#define DATA   "server:/srv/data /srv/data "

static const struct {
        const char *name, *target, *before, *after;
} lines[] = {
        { "blanks", "/srv/data", OTHERS DATA "nfs4 rw,sync,rsize=32768,wsize=32768,noatime 0 0\n",
          OTHERS DATA "nfs4 rw,noatime 0 0\n" },
        { "tabs", "/srv/data", "server:/srv/data\t\t/srv/data\tnfs4\t\tsync,nofail\t0\t0\n" OTHERS,
          "server:/srv/data\t\t/srv/data\tnfs4\t\tnofail\t0\t0\n" OTHERS },
        { "a comment behind", "/srv/data", DATA "nfs4 sync,nofail 0 0 # by hand\n" OTHERS,
          DATA "nfs4 nofail 0 0 # by hand\n" OTHERS },
        { "blanks before and behind", "/srv/data", "  " DATA " nfs4  sync,nofail  0  0  \n",
          "  " DATA " nfs4  nofail  0  0  \n" },
        { "escapes", "/srv/a b", OTHERS "server:/srv/data /srv/a\\040b nfs sync,x-note=a\\040b 0 0\n",
          OTHERS "server:/srv/data /srv/a\\040b nfs x-note=a\\040b 0 0\n" },
        { "a backslash", "/srv/a\\b", "server:/srv/data /srv/a\\134b nfs sync,hard 0 0\n",
          "server:/srv/data /srv/a\\134b nfs hard 0 0\n" },
        { "nothing is left", "/srv/data", DATA "nfs4 sync 0 0\n", DATA "nfs4 defaults 0 0\n" },
        { "two lines for one server", "/srv/data",
          "server:/srv/other /srv/other nfs4 sync,rsize=32768 0 0\n" DATA "nfs4 sync,rsize=32768 0 0\n",
          "server:/srv/other /srv/other nfs4 sync,rsize=32768 0 0\n" DATA "nfs4 defaults 0 0\n" },
        { "without the last two columns", "/srv/data", OTHERS DATA "nfs4 sync,noatime\n" OTHERS,
          OTHERS DATA "nfs4 noatime\n" OTHERS },
        { "without the last column", "/srv/data", DATA "nfs4 sync,noatime 0\n", DATA "nfs4 noatime 0\n" },
        { "no newline at the end", "/srv/data", OTHERS DATA "nfs4 sync,noatime 0 0", OTHERS DATA "nfs4 noatime 0 0" },
        { "no newline, two columns", "/srv/data", DATA "nfs4 sync,noatime", DATA "nfs4 noatime" },
        { "others end in carriage returns", "/srv/data", "# dos\r\n\r\n" DATA "nfs4 sync,noatime 0 0\n# end\r\n",
          "# dos\r\n\r\n" DATA "nfs4 noatime 0 0\n# end\r\n" },
        { "others are broken", "/srv/data", "nonsense\n/dev/sda1\n" DATA "nfs4 sync,noatime 0 0\nmore nonsense\n",
          "nonsense\n/dev/sda1\n" DATA "nfs4 noatime 0 0\nmore nonsense\n" },
        { "bytes that are no text", "/srv/data", "# \xff\xfe \x01\n" DATA "nfs4 sync,noatime 0 0\n",
          "# \xff\xfe \x01\n" DATA "nfs4 noatime 0 0\n" },
        { "the same line as a comment", "/srv/data", "#" DATA "nfs4 sync,noatime 0 0\n" DATA "nfs4 sync,noatime 0 0\n",
          "#" DATA "nfs4 sync,noatime 0 0\n" DATA "nfs4 noatime 0 0\n" },
};

/* Forth, the difference, and back to the same bytes. */
START_TEST(test_fstab)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, back = { 0 };
        const char *name = lines[_i].name;
        unsigned minus = 0, plus = 0;

        tree_write("etc/fstab", lines[_i].before);
        world_read(&w, lines[_i].target);
        ck_assert_msg(w.o.n_requested == 1, "%s: %zu sources", name, w.o.n_requested);
        world_plan(&w);
        ck_assert_msg(w.result == 0 && w.request.n_edits == 1, "%s: %s", name, w.words);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_DONE, name);
        expect_file("etc/fstab", lines[_i].after);
        expect_file("etc/fstab.nfstuned-backup", lines[_i].before);
        ck_assert_msg(a.n_backups == 1 && strcmp(a.backups[0], "/etc/fstab.nfstuned-backup") == 0, "%s", name);
        for (const char *line = strstr(a.diff, "@@ "); line; line = strchr(line + 1, '\n')) {
                minus += line[1] == '-';
                plus += line[1] == '+';
        }
        ck_assert_msg(minus == 1 && plus == 1, "%s:\n%s", name, a.diff);
        expect_tidy("etc");
        request_reverse(&w.request);
        request_run(&w.request, &back);
        expect_end(&back, APPLY_END_DONE, name);
        expect_file("etc/fstab", lines[_i].before);
}
END_TEST

/* The carriage return is in the options; the advice mends that, so it is gone afterwards. */
START_TEST(test_carriage_return)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, back = { 0 };

        tree_write("etc/fstab", "# dos\r\n" DATA "nfs4 sync,noatime\r\n# end\r\n");
        world_read(&w, "/srv/data");
        world_plan(&w);
        ck_assert_int_eq(w.result, 0);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_DONE, "carriage return");
        expect_file("etc/fstab", "# dos\r\n" DATA "nfs4 noatime\n# end\r\n");
        request_reverse(&w.request);
        request_run(&w.request, &back);
        expect_end(&back, APPLY_END_DONE, "back");
        expect_file("etc/fstab", "# dos\r\n" DATA "nfs4 sync,noatime\r\n# end\r\n");
}
END_TEST

#define LINE  DATA "nfs4 sync,noatime 0 0\n"
#define AFTER DATA "nfs4 noatime 0 0\n"

/* Read as OTHERS LINE; meanwhile it became something else. */
static const struct {
        const char *name, *now, *then;
        enum apply_end end;
} races[] = {
        { "a line was added above", "# new\n" OTHERS LINE, "# new\n" OTHERS AFTER, APPLY_END_DONE },
        { "a line was taken out above", LINE OTHERS, AFTER OTHERS, APPLY_END_DONE },
        { "another line changed", "# x\n" LINE "# y\n", "# x\n" AFTER "# y\n", APPLY_END_DONE },
        { "the line changed", OTHERS DATA "nfs4 sync,noatime,hard 0 0\n", NULL, APPLY_END_REFUSED },
        { "a blank changed", OTHERS DATA "nfs4  sync,noatime 0 0\n", NULL, APPLY_END_REFUSED },
        { "a longer line", OTHERS DATA "nfs4 sync,noatime 0 0 # more\n", NULL, APPLY_END_REFUSED },
        { "it moved and is there twice", "# new\n" LINE OTHERS LINE, NULL, APPLY_END_REFUSED },
        { "it is gone", OTHERS, NULL, APPLY_END_REFUSED },
        { "the file is empty", "", NULL, APPLY_END_REFUSED },
        { "it was done already", OTHERS AFTER, OTHERS AFTER, APPLY_END_DONE },
};

START_TEST(test_race)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 };

        tree_write("etc/fstab", OTHERS LINE);
        world_read(&w, "/srv/data");
        world_plan(&w);
        tree_write("etc/fstab", races[_i].now);
        request_run(&w.request, &a);
        expect_end(&a, races[_i].end, races[_i].name);
        expect_file("etc/fstab", races[_i].then ? races[_i].then : races[_i].now);
        ck_assert_msg((a.words != NULL) == (races[_i].end != APPLY_END_DONE || !*a.diff), "%s", races[_i].name);
        ck_assert_msg(tree_has("etc/fstab.nfstuned-backup") == (a.n_backups == 1), "%s", races[_i].name);
        expect_tidy("etc");
}
END_TEST

START_TEST(test_dry_run)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 };

        tree_write("etc/fstab", OTHERS LINE "# end\n");
        world_read(&w, "/srv/data");
        world_plan(&w);
        w.request.dry_run = true;
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_DONE, "dry run");
        ck_assert_str_eq(a.diff, "--- /etc/fstab\n+++ /etc/fstab\n@@ -1,5 +1,5 @@\n # a comment\n \n"
                                 " UUID=1234\t/\text4\terrors=remount-ro 0 1\n-" LINE "+" AFTER " # end\n");
        expect_file("etc/fstab", OTHERS LINE "# end\n");
        ck_assert(a.n_backups == 0 && !tree_has("etc/fstab.nfstuned-backup"));
}
END_TEST

START_TEST(test_mode_and_label)
{
        static const char label[] = "system_u:object_r:etc_t:s0";
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 };
        char now[64] = "";
        struct stat st;
        bool labelled;

        tree_write("etc/fstab", OTHERS LINE);
        ck_assert_int_eq(chmod(tree_path("etc/fstab"), 0640), 0);
        /* where the file system or the rights allow one */
        labelled = setxattr(tree_path("etc/fstab"), "security.selinux", label, sizeof(label), 0) == 0;
        world_read(&w, "/srv/data");
        world_plan(&w);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_DONE, "mode");
        ck_assert_int_eq(stat(tree_path("etc/fstab"), &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0640);
        ck_assert_uint_eq(st.st_uid, geteuid());
        if (labelled) {
                ck_assert_int_eq(getxattr(tree_path("etc/fstab"), "security.selinux", now, sizeof(now)), sizeof(label));
                ck_assert_str_eq(now, label);
        }
}
END_TEST

/* A file size limit stands for a full disk. */
START_TEST(test_full_disk)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 };
        struct rlimit limit;

        tree_write("etc/fstab", OTHERS LINE);
        world_read(&w, "/srv/data");
        world_plan(&w);
        (void)signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
        limit.rlim_cur = 20;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_REFUSED, "full disk");
        ck_assert(a.words && strstr(a.words, "/etc/fstab") && strstr(a.words, "nothing was written"));
        expect_file("etc/fstab", OTHERS LINE);
        ck_assert(!tree_has("etc/fstab.nfstuned-backup"));
        expect_tidy("etc");
}
END_TEST

START_TEST(test_links_refused)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, b = { 0 };

        tree_write("etc/fstab", OTHERS LINE);
        world_read(&w, "/srv/data");
        world_plan(&w);
        ck_assert_int_eq(rename(tree_path("etc/fstab"), tree_path("etc/real")), 0);
        tree_link("etc/fstab", "real");
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_REFUSED, "a link");
        ck_assert(strstr(a.words, "symbolic link"));
        expect_file("etc/real", OTHERS LINE);
        ck_assert_int_eq(rename(tree_path("etc"), tree_path("other")), 0);
        tree_link("etc", "other");
        ck_assert_int_eq(unlink(tree_path("other/fstab")), 0);
        ck_assert_int_eq(rename(tree_path("other/real"), tree_path("other/fstab")), 0);
        request_run(&w.request, &b);
        expect_end(&b, APPLY_END_REFUSED, "a link above");
        expect_file("other/fstab", OTHERS LINE);
}
END_TEST

START_TEST(test_file_of_others)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 };

        if (geteuid() != 0)
                return;                 /* cannot give files away */
        tree_write("etc/fstab", OTHERS LINE);
        world_read(&w, "/srv/data");
        world_plan(&w);
        ck_assert_int_eq(chown(tree_path("etc/fstab"), 1, 1), 0);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_REFUSED, "owner");
        expect_file("etc/fstab", OTHERS LINE);
}
END_TEST

/* ---- what is never written --------------------------------------------------------------------- */

#define FSTAB   "/etc/fstab"
#define SYSTEM  "/etc/systemd/system/"
#define OURS    ".d/50-nfstuned.conf"
#define SYNC    DATA "nfs4 sync,noatime 0 0"
#define SECTION "[Mount]\nOptions=rw\n"

static const struct {
        const char *name;
        enum place_kind kind;
        const char *file;
        unsigned line;
        const char *old_text, *new_text;
} forged[] = {
        { "another file", PLACE_FSTAB, "/etc/passwd", 1, SYNC, DATA "nfs4 rw" },
        { "another target", PLACE_FSTAB, FSTAB, 1, SYNC, "server:/srv/data /etc nfs4 rw" },
        { "another source", PLACE_FSTAB, FSTAB, 1, SYNC, "evil:/srv/data /srv/data nfs4 rw" },
        { "another mount", PLACE_FSTAB, FSTAB, 1, "server:/o /srv/other nfs4 sync", "server:/o /srv/other nfs4 rw" },
        { "another type", PLACE_FSTAB, FSTAB, 1, SYNC, DATA "fuse rw" },
        { "two lines", PLACE_FSTAB, FSTAB, 1, SYNC, DATA "nfs4 rw\n/dev/sdb /x ext4 suid" },
        { "no line", PLACE_FSTAB, FSTAB, 1, SYNC, NULL },
        { "a service", PLACE_UNIT, SYSTEM "x.service" OURS, 0, NULL, SECTION },
        { "a unit file", PLACE_UNIT, SYSTEM "x.mount", 0, NULL, SECTION },
        { "a unit below usr", PLACE_UNIT, "/usr/lib/systemd/system/x.mount" OURS, 0, NULL, SECTION },
        { "a drop-in of another name", PLACE_UNIT, SYSTEM "x.mount.d/override.conf", 0, NULL, SECTION },
        { "a drop-in with more in it", PLACE_UNIT, SYSTEM "x.mount" OURS, 0, NULL, SECTION "What=/dev/sda\n" },
        { "another section", PLACE_UNIT, SYSTEM "x.mount" OURS, 0, NULL, "[Unit]\nOnFailure=x.service\n" },
        { "a line that becomes two", PLACE_UNIT, SYSTEM "x.mount.d/y.conf", 1, "Options=sync",
          "Options=rw\nOptions=suid" },
        { "a snippet of others", PLACE_NFSMOUNT_CONF, "/etc/nfsmount.conf.d/other.conf", 0, NULL,
          "[ MountPoint \"/x\" ]\nrsize=1" },
        { "a global snippet", PLACE_NFSMOUNT_CONF, "/etc/nfsmount.conf.d/nfstuned.conf", 0, NULL,
          "[ NFSMount_Global_Options ]\nrsize=1" },
        { "a map", PLACE_AUTOFS, "/etc/auto.nfs", 1, "a", "b" },
};

START_TEST(test_forged)
{
        cleanup(source_edit_done) struct source_edit edit = {
                .kind = forged[_i].kind, .file = copy(forged[_i].file), .line = forged[_i].line,
                .old_text = copy(forged[_i].old_text), .new_text = copy(forged[_i].new_text),
        };
        struct apply_request q = { .op = APPLY_PERSIST, .mount = { .target = (char[]){ "/srv/data" } }, .edits = &edit,
                                   .n_edits = 1 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 };

        tree_write("etc/fstab", OTHERS LINE);
        tree_write("etc/passwd", LINE);
        tree_write("etc/systemd/system/x.mount.d/y.conf", "Options=sync\n");
        ck_assert_int_eq(persist_run(tree, &q, &a), 0);
        expect_end(&a, APPLY_END_REFUSED, forged[_i].name);
        ck_assert_msg(strstr(a.words, "never writes"), "%s: %s", forged[_i].name, a.words);
        expect_file("etc/fstab", OTHERS LINE);
        expect_file("etc/passwd", LINE);
        expect_file("etc/systemd/system/x.mount.d/y.conf", "Options=sync\n");
        ck_assert_msg(!tree_has("etc/systemd/system/x.mount.d/50-nfstuned.conf"), "%s", forged[_i].name);
        ck_assert_msg(!tree_has("etc/nfsmount.conf.d"), "%s", forged[_i].name);
}
END_TEST

/* A new line that says other options than the daemon meant. */
START_TEST(test_read_back)
{
        struct source_edit edit = { PLACE_FSTAB, (char[]){ "/etc/fstab" }, 4, (char[]){ DATA "nfs4 sync,noatime 0 0" },
                                    (char[]){ DATA "nfs4 suid 0 0" }, (char[]){ "noatime" } };
        struct apply_request q = { .op = APPLY_PERSIST, .mount = { .target = (char[]){ "/srv/data" } }, .edits = &edit,
                                   .n_edits = 1 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 };

        tree_write("etc/fstab", OTHERS LINE);
        ck_assert_int_eq(persist_run(tree, &q, &a), 0);
        expect_end(&a, APPLY_END_REFUSED, "read back");
        expect_file("etc/fstab", OTHERS LINE);
        expect_tidy("etc");
}
END_TEST

/* ---- units ----------------------------------------------------------------------------------------- */

#define DROPIN "etc/systemd/system/srv-data.mount.d/50-nfstuned.conf"

static const char *const unit_files[] = {
        "/etc/systemd/system/srv-data.mount",
        "/usr/lib/systemd/system/srv-data.mount",
        "/run/systemd/transient/srv-data.mount",
        "/usr/lib/systemd/system/srv-data.mount.d/10-vendor.conf",
};

START_TEST(test_unit)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, again = { 0 }, back = { 0 };
        struct stat st;

        tree_write("etc/systemd/system/other.mount", "");
        (void)umask(0077);
        world_unit(&w, unit_files[_i], 5, "sync,rsize=32768,x-note=50%,noatime");
        world_plan(&w);
        ck_assert_msg(w.result == 0, "%s: %s", unit_files[_i], w.words);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_DONE, unit_files[_i]);
        expect_file(DROPIN, OWN_FILE_HEADER "[Mount]\nOptions=x-note=50%%,noatime\n");
        ck_assert_int_eq(stat(tree_path("etc/systemd/system/srv-data.mount.d"), &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0755);
        ck_assert_int_eq(stat(tree_path(DROPIN), &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0644);
        ck_assert(strstr(a.diff, "--- /dev/null\n+++ /" DROPIN "\n@@ -0,0 +1,3 @@\n"));
        ck_assert_uint_eq(a.n_backups, 0);
        request_run(&w.request, &again);        /* ours: written again */
        expect_end(&again, APPLY_END_DONE, unit_files[_i]);
        request_reverse(&w.request);
        request_run(&w.request, &back);
        expect_end(&back, APPLY_END_DONE, unit_files[_i]);
        ck_assert(!tree_has(DROPIN));
}
END_TEST

START_TEST(test_unit_of_others_there)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 };

        tree_write(DROPIN, "[Mount]\nTimeoutSec=5\n");
        world_unit(&w, unit_files[0], 5, "sync,noatime");
        world_plan(&w);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_REFUSED, "a drop-in of our name that is not ours");
        expect_file(DROPIN, "[Mount]\nTimeoutSec=5\n");
}
END_TEST

/* Somebody added to ours: it is not removed. */
START_TEST(test_unit_edited)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, back = { 0 };
        static const char edited[] = OWN_FILE_HEADER "[Mount]\nOptions=noatime\nTimeoutSec=5\n";

        tree_write("etc/systemd/system/other.mount", "");
        world_unit(&w, unit_files[0], 5, "sync,noatime");
        world_plan(&w);
        request_run(&w.request, &a);
        tree_write(DROPIN, edited);
        request_reverse(&w.request);
        request_run(&w.request, &back);
        expect_end(&back, APPLY_END_REFUSED, "edited");
        expect_file(DROPIN, edited);
}
END_TEST

static const struct {
        const char *name, *before, *after;
        enum apply_end end;
} dropins[] = {
        { "plain", "[Mount]\nOptions=sync,noatime\n", "[Mount]\nOptions=noatime\n", APPLY_END_DONE },
        { "blanks", "[Mount]\n Options =  sync,noatime \n# x\n", "[Mount]\n Options =  noatime \n# x\n",
          APPLY_END_DONE },
        { "no newline", "[Mount]\nOptions=sync,noatime", "[Mount]\nOptions=noatime", APPLY_END_DONE },
        { "changed", "[Mount]\nOptions=sync,noatime,hard\n", "[Mount]\nOptions=sync,noatime,hard\n",
          APPLY_END_REFUSED },
        { "continued", "[Mount]\nOptions=sync,\\\nnoatime\n", "[Mount]\nOptions=sync,\\\nnoatime\n",
          APPLY_END_REFUSED },
};

/* What "systemctl edit" made is edited in place: it comes after ours. */
START_TEST(test_dropin)
{
        static const char file[] = "etc/systemd/system/srv-data.mount.d/override.conf";
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, back = { 0 };

        tree_write(file, dropins[_i].before);
        world_unit(&w, "/etc/systemd/system/srv-data.mount.d/override.conf", 2, "sync,noatime");
        world_plan(&w);
        ck_assert_int_eq(w.result, 0);
        request_run(&w.request, &a);
        expect_end(&a, dropins[_i].end, dropins[_i].name);
        expect_file(file, dropins[_i].after);
        if (dropins[_i].end != APPLY_END_DONE)
                return;
        request_reverse(&w.request);
        request_run(&w.request, &back);
        expect_end(&back, APPLY_END_DONE, dropins[_i].name);
        expect_file(file, dropins[_i].before);
}
END_TEST

/* ---- nfsmount.conf ------------------------------------------------------------------------------------ */

#define CONF    "etc/nfsmount.conf"
#define SNIPPET "etc/nfsmount.conf.d/nfstuned.conf"

START_TEST(test_conf_of_this_mount)
{
        static const char before[] = "[ NFSMount_Global_Options ]\nHard=True\n[ MountPoint \"/srv/data\" ]\n"
                                     "\tRsize = 32768\nWsize=32k\nSync=True\nAcl=False\n"
                                     "[ MountPoint \"/other\" ]\nSync=True\n";
        static const char after[] = "[ NFSMount_Global_Options ]\nHard=True\n[ MountPoint \"/srv/data\" ]\n"
                                    "\t# Rsize = 32768\n# Wsize=32k\n# Sync=True\nAcl=False\n"
                                    "[ MountPoint \"/other\" ]\nSync=True\n";
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, back = { 0 };

        tree_write("etc/fstab", DATA "nfs4 defaults 0 0\n");
        tree_write(CONF, before);
        world_read(&w, "/srv/data");
        world_plan(&w);
        ck_assert_msg(w.result == 0, "%s", w.words);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_DONE, "of this mount");
        expect_file(CONF, after);
        expect_file("etc/fstab", DATA "nfs4 defaults 0 0\n");
        request_reverse(&w.request);
        request_run(&w.request, &back);
        expect_end(&back, APPLY_END_DONE, "back");
        expect_file(CONF, before);
}
END_TEST

/* Others go by the global line: it stays, and is hidden for this mount. */
START_TEST(test_conf_of_all)
{
        static const char before[] = "[ NFSMount_Global_Options ]\nRsize=32768\nWsize=32768\n";
        static const char section[] = "[ MountPoint \"/srv/data\" ]\n";
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, again = { 0 }, back = { 0 };
        cleanup(nfsmountconf_done) struct nfsmountconf c = { 0 };

        tree_write("etc/fstab", DATA "nfs4 sync 0 0\n");
        tree_write(CONF, before);
        world_read(&w, "/srv/data");
        world_plan(&w);
        ck_assert_msg(w.result == 0, "%s", w.words);
        ck_assert_uint_eq(w.request.n_edits, 2);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_DONE, "of all");
        expect_file(CONF, before);
        expect_file("etc/fstab", DATA "nfs4 defaults 0 0\n");
        cleanup_free char *snippet = tree_read(SNIPPET);
        ck_assert(strstr(snippet, section) && strstr(snippet, "rsize=1048576\n") && strstr(snippet, "wsize=1048576\n"));
        ck_assert_int_eq(nfsmountconf_add(&c, snippet, strlen(snippet), SNIPPET), 0);
        ck_assert_uint_eq(c.n_entries, 2);
        ck_assert(c.entries[0].scope == NFSMOUNTCONF_MOUNTPOINT && strcmp(c.entries[0].option, "rsize=1048576") == 0);
        request_run(&w.request, &again);
        expect_end(&again, APPLY_END_DONE, "again");
        expect_file(SNIPPET, snippet);
        request_reverse(&w.request);
        request_run(&w.request, &back);
        expect_end(&back, APPLY_END_DONE, "back");
        ck_assert(!tree_has(SNIPPET));
        expect_file("etc/fstab", DATA "nfs4 sync 0 0\n");
}
END_TEST

/* A second mount's section in our snippet stays. */
START_TEST(test_conf_two_mounts)
{
        static const char other[] = OWN_FILE_HEADER "[ MountPoint \"/other\" ]\nrsize=1048576\n";
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 }, back = { 0 };

        tree_write("etc/fstab", DATA "nfs4 defaults 0 0\n");
        tree_write(CONF, "[ NFSMount_Global_Options ]\nRsize=32768\n");
        tree_write(SNIPPET, other);
        world_read(&w, "/srv/data");
        world_plan(&w);
        ck_assert_msg(w.result == 0, "%s", w.words);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_DONE, "two");
        cleanup_free char *both = tree_read(SNIPPET);
        ck_assert(strncmp(both, other, sizeof(other) - 1) == 0 && strstr(both, "\"/srv/data\""));
        request_reverse(&w.request);
        request_run(&w.request, &back);
        expect_end(&back, APPLY_END_DONE, "back");
        expect_file(SNIPPET, other);
}
END_TEST

/* ---- what cannot be written ------------------------------------------------------------------------------ */

static const struct {
        const char *name;
        struct requested r;
        const char *words;
} unwritable[] = {
        { "autofs", { .place = { PLACE_AUTOFS, (char[]){ "/etc/auto.nfs" }, 3 } }, "automounter" },
        { "kernel command line", { .place = { PLACE_CMDLINE, (char[]){ "/proc/cmdline" }, 1 } }, "command line" },
        { "volume", { .place = { PLACE_VOLUME, NULL, 0 } }, "volume" },
        { "generated from elsewhere", { .place = { PLACE_UNIT, (char[]){ "/etc/foo.conf" }, 0 }, .is_generated = true },
          "generated" },
        { "an fstab line that is gone", { .place = { PLACE_FSTAB, (char[]){ "/etc/fstab" }, 0 }, .is_generated = true },
          "daemon-reload" },
        { "a drop-in after ours",
          { .place = { PLACE_UNIT, (char[]){ "/usr/lib/systemd/system/a.mount.d/90-x.conf" }, 2 } }, "drop-in" },
        { "a record alone", { .place = { PLACE_UNKNOWN, (char[]){ "/run/mount/utab" }, 1 }, .is_record = true },
          "by hand" },
        { "sync for all mounts",
          { .place = { PLACE_NFSMOUNT_CONF, (char[]){ "/etc/nfsmount.conf" }, 2 }, .is_default = true,
            .section = (char[]){ "[ NFSMount_Global_Options ]" } }, "other mounts" },
};

START_TEST(test_unwritable)
{
        cleanup(world_done) struct world w = { 0 };
        struct requested *r = calloc(1, sizeof(*r));

        ck_assert_ptr_nonnull(r);
        *r = unwritable[_i].r;
        r->place.file = copy(r->place.file);
        r->section = copy(r->section);
        r->text = copy("sync");
        r->options_text = copy("sync");
        options_of(&r->options, "sync");
        w.o.mount = mount_make("/srv/data");
        w.o.requested = r;
        w.o.n_requested = 1;
        world_plan(&w);
        ck_assert_msg(w.result == 1 && w.request.n_edits == 0, "%s", unwritable[_i].name);
        ck_assert_msg(strstr(w.words, unwritable[_i].words), "%s: %s", unwritable[_i].name, w.words);
}
END_TEST

/* Somebody made the mount sync by hand; its line is right. */
START_TEST(test_nothing_to_write)
{
        cleanup(world_done) struct world w = { 0 };
        cleanup(apply_answer_done) struct apply_answer a = { 0 };

        tree_write("etc/fstab", DATA "nfs4 noatime 0 0\n");
        world_read(&w, "/srv/data");
        world_plan(&w);
        ck_assert_msg(w.result == 0 && w.request.n_edits == 0, "%s", w.words);
        request_run(&w.request, &a);
        expect_end(&a, APPLY_END_NOTHING, "nothing");
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon/persist");
        TCase *t = tcase_create("all");

        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_loop_test(t, test_fstab, 0, ARRAY_SIZE(lines));
        tcase_add_test(t, test_carriage_return);
        tcase_add_loop_test(t, test_race, 0, ARRAY_SIZE(races));
        tcase_add_test(t, test_dry_run);
        tcase_add_test(t, test_mode_and_label);
        tcase_add_test(t, test_full_disk);
        tcase_add_test(t, test_links_refused);
        tcase_add_test(t, test_file_of_others);
        tcase_add_loop_test(t, test_forged, 0, ARRAY_SIZE(forged));
        tcase_add_test(t, test_read_back);
        tcase_add_loop_test(t, test_unit, 0, ARRAY_SIZE(unit_files));
        tcase_add_test(t, test_unit_of_others_there);
        tcase_add_test(t, test_unit_edited);
        tcase_add_loop_test(t, test_dropin, 0, ARRAY_SIZE(dropins));
        tcase_add_test(t, test_conf_of_this_mount);
        tcase_add_test(t, test_conf_of_all);
        tcase_add_test(t, test_conf_two_mounts);
        tcase_add_loop_test(t, test_unwritable, 0, ARRAY_SIZE(unwritable));
        tcase_add_test(t, test_nothing_to_write);
        suite_add_tcase(s, t);
        return suite_run(s);
}
