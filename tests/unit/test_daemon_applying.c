/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes from the wish to the end, with a played nfstuned-mount: what it is asked for, what is told, what is
 * remembered. The journal is a double: the names of the events, in order.
 */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/applying_parts.h"
#include "daemon/intent.h"
#include "daemon/memory.h"
#include "daemon/round.h"
#include "daemon/state_dir.h"
#include "probe/clock.h"
#include "probe/file.h"
#include "probe/observe.h"
#include "tests/unit/tree.h"

#define PATIENCE_USEC (20 * USEC_PER_SEC)

/* ---- the journal's double ------------------------------------------------------------ */

static char told[4096];

static void tell(const char *word)
{
        size_t n = strlen(told);

        ck_assert_uint_lt(n + strlen(word) + 2, sizeof(told));
        snprintf(told + n, sizeof(told) - n, "%s%s", n > 0 ? " " : "", word);
}

#define DOUBLE(event, word)                                                                                   \
        void journal_##event(const struct journal *j may_be_unused, const struct change_story *s may_be_unused) \
        {                                                                                                     \
                ck_assert_ptr_nonnull(s->mount->target);                                                      \
                tell(word);                                                                                   \
        }
DOUBLE(applied, "applied")
DOUBLE(armed, "armed")
DOUBLE(verified, "verified")
DOUBLE(rolled_back, "rolled-back")
DOUBLE(refused, "refused")

void journal_recommendation(const struct journal *j may_be_unused, const struct observation *o may_be_unused,
                            const struct recommendation *r may_be_unused, const struct plan *plan may_be_unused,
                            uint64_t round may_be_unused)
{
}

void journal_resolved(const struct journal *j may_be_unused, const struct observation *o may_be_unused,
                      enum rule rule may_be_unused, uint64_t round may_be_unused)
{
}

void journal_unresponsive(const struct journal *j may_be_unused, const struct observation *o may_be_unused,
                          uint64_t round may_be_unused)
{
}

void journal_recovered(const struct journal *j may_be_unused, const struct observation *o may_be_unused,
                       usec_t silent_usec may_be_unused, uint64_t round may_be_unused)
{
}

static char logged[16384];

void journal_log(const struct journal *j may_be_unused, int priority may_be_unused, const char *format, ...)
{
        size_t n = strlen(logged);
        va_list args;

        va_start(args, format);
        (void) vsnprintf(logged + n, sizeof(logged) - n, format, args);
        va_end(args);
        n = strlen(logged);
        snprintf(logged + n, sizeof(logged) - n, "\n");
}

void journal_log_lines(const struct journal *j, int priority, const char *lines)
{
        journal_log(j, priority, "%s", lines);
}

/* ---- a host ------------------------------------------------------------------------------ */

#define TAIL "namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=192.0.2.1,local_lock=none,addr=192.0.2.2"
#define SLOW "rw,sync,vers=4.2,rsize=32768,wsize=32768," TAIL
#define FAST "rw,vers=4.2,rsize=1048576,wsize=1048576," TAIL
#define SYNC "rw,sync,vers=4.2,rsize=1048576,wsize=1048576," TAIL
#define NOAC "rw,sync,vers=4.2,rsize=32768,wsize=32768,acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,noac," TAIL
#define ROOT_LINE "1 0 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
#define OLD_LINE ROOT_LINE "40 1 0:50 / /data rw,relatime shared:1 - nfs4 server:/data " SLOW "\n"
#define NEW_LINE ROOT_LINE "60 1 0:60 / /data rw,relatime shared:1 - nfs4 server:/data " FAST "\n"
#define BACK_LINE ROOT_LINE "70 1 0:70 / /data rw,relatime shared:1 - nfs4 server:/data " SLOW "\n"
#define LIVE_LINE ROOT_LINE "40 1 0:50 / /data rw,relatime shared:1 - nfs4 server:/data " FAST "\n"
#define NOAC_LINE ROOT_LINE "40 1 0:50 / /data rw,relatime shared:1 - nfs4 server:/data " NOAC "\n"
#define SYNC_LINE ROOT_LINE "40 1 0:50 / /data rw,relatime shared:1 - nfs4 server:/data " SYNC "\n"
#define ARMED_LINE ROOT_LINE "60 1 0:60 / /data rw,relatime shared:1 - nfs4 server:/data " FAST "\n" \
        "40 60 0:50 / /data rw,relatime shared:1 - nfs4 server:/data " SLOW "\n"

/* Plays nfstuned-mount: the answer that is prepared for the first, second ... request of its kind, else the last one; it
 * may change the mount table, and may be killed. */
static const char helper[] =
        "#!/bin/sh\n"
        "d=${0%/*}\n"
        "request=$(cat)\n"
        "op=$(printf %s \"$request\" | sed 's/.*\"op\": *\"\\([a-z]*\\)\".*/\\1/')\n"
        "echo $op >>$d/ops\n"
        "printf '%s\\n' \"$request\" >>$d/requests\n"
        "n=$(grep -c \"^$op\\$\" $d/ops)\n"
        "while [ $n -gt 1 ] && [ ! -e $d/$op.$n ]; do n=$((n - 1)); done\n"
        "[ -e $d/$op.$n.mountinfo ] && cp $d/$op.$n.mountinfo $d/mountinfo\n"
        "[ -e $d/$op.$n.die ] && kill -9 $$\n"
        "cat $d/$op.$n\n";

static const char *const none[] = { NULL };

/* Lives as long as the test, in contrast to tree_path(). */
static const char *keep(const char *name)
{
        static char paths[8][PATH_MAX];
        static unsigned n;

        ck_assert_uint_lt(n, ARRAY_SIZE(paths));
        snprintf(paths[n], sizeof(paths[0]), "%s", tree_path(name));
        return paths[n++];
}

static struct world {
        struct probe_root root;
        struct manager_options options;
        struct params params;
        struct core core;
        struct applying *applying;
        bool dirty;
        char ends[256];
        char words[8192];
        char json[16384];
} w;

static void on_own_change(struct core *c may_be_unused)
{
        w.dirty = true;
}

static void on_sources_changed(struct core *c may_be_unused)
{
        tell("reload");
        w.dirty = true;
}

static void on_outcome(void *userdata may_be_unused, const struct apply_outcome *o)
{
        size_t n = strlen(w.ends);

        snprintf(w.ends + n, sizeof(w.ends) - n, "%s%s", n > 0 ? " " : "", o->end);
        snprintf(w.words, sizeof(w.words), "%s", o->words);
        snprintf(w.json, sizeof(w.json), "%s", o->json);
}

static void open_applying(void)
{
        ck_assert_int_eq(applying_new(&w.core, &w.applying), 0);
        w.applying->pace = (struct applying_pace){ .again_usec = 20 * USEC_PER_MSEC, .patience_usec = USEC_PER_SEC,
                                                   .quick_usec = 30 * USEC_PER_MSEC, .quick_for_usec = USEC_PER_HOUR,
                                                   .slow_usec = USEC_PER_SEC };
}

static void setup(void)
{
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGCHLD);
        ck_assert_int_eq(sigprocmask(SIG_BLOCK, &set, NULL), 0);
        tree_setup();
        tree_write("nfstuned-mount", helper);
        ck_assert_int_eq(chmod(tree_path("nfstuned-mount"), 0755), 0);
        tree_write("mountinfo", OLD_LINE);
        tree_write("fstab", "server:/data /data nfs4 sync,rsize=32768,wsize=32768 0 0\n");
        tree_write("mountstats", "");
        tree_write("utab", "");
        tree_write("cmdline", "");
        tree_write("ops", "");
        ck_assert_int_eq(setenv("STATE_DIRECTORY", tree_path("state"), 1), 0);
        w.root = (struct probe_root){ .mountinfo = keep("mountinfo"), .mountstats = keep("mountstats"),
                                      .fstab = keep("fstab"), .utab = keep("utab"),
                                      .cmdline = keep("cmdline"), .sys = tree, .unit_dirs = none,
                                      .nfsmount_confs = none };
        w.options = (struct manager_options){ .helper_dir = tree, .root = &w.root };
        ck_assert_int_eq(params_init(&w.params), 0);
        w.params.mode = MODE_AUTO_REMOUNT;
        w.params.passive_interval_usec = 50 * USEC_PER_MSEC;
        ck_assert_int_eq(core_init(&w.core, &w.options, &w.params), 0);
        w.core.may_stage = true;
        w.core.mounts_changed = on_own_change;
        w.core.sources_changed = on_sources_changed;
        ck_assert_int_eq(host_observe(&w.core.host, &w.root, NULL, core_now(&w.core), NULL), 0);
        open_applying();
}

static void teardown(void)
{
        applying_free(w.applying);
        core_done(&w.core);
        tree_teardown();
}

/* What a probe would have found. */
static void know(struct mountstate *s)
{
        struct observation *o = s->observation;

        o->server.null_answer = ANSWER_OK;
        o->server.limit_source = LIMIT_V4_ATTRIBUTES;
        o->server.read_max_bytes = o->server.write_max_bytes = MIB;
        o->liveness = LIVENESS_ALIVE;
        o->probe.state = PROBE_PASSIVE;
        s->answered = s->probed = true;
}

static void round_here(bool consider)
{
        w.dirty = false;
        w.core.round++;
        ck_assert_int_eq(host_observe(&w.core.host, &w.root, NULL, core_now(&w.core), NULL), 0);
        applying_observed(w.applying);
        for (size_t i = 0; i < w.core.host.n_states; i++) {
                know(w.core.host.states[i]);
                round_judge(&w.core, w.core.host.states[i]);
                if (consider)
                        applying_consider(w.applying, w.core.host.states[i]);
        }
}

/* Turns the loop until nothing more is to be done (armed and waiting ones do not count), or for @usec. */
static void settle(usec_t usec)
{
        usec_t end = clock_monotonic_usec() + (usec ? usec : PATIENCE_USEC);

        for (;;) {
                bool busy = w.dirty;

                for (const struct task *t = w.applying->tasks; t; t = t->next)
                        busy |= t->job || (!t->waiting && t->step != TASK_REVEAL);
                if ((!busy && !usec) || clock_monotonic_usec() >= end)
                        break;
                ck_assert_int_ge(sd_event_run(w.core.event, 10 * USEC_PER_MSEC), 0);
                if (w.dirty)
                        round_here(false);
        }
        ck_assert_msg(usec || clock_monotonic_usec() < end, "it does not end: told \"%s\", logged\n%s", told, logged);
}

/* ---- answers -------------------------------------------------------------------------------- */

struct reply {
        const char *op;
        enum apply_end end;
        const char *mountinfo;          /* the mount table from now on; NULL: as it is */
        bool busy;
        bool elsewhere;
        bool dies;
        usec_t after_usec;              /* against 1000 us before; 0: not compared */
        const char *words;
        const char *diff;
};

static const struct mount_facts *mount_now(const char *mountinfo, struct snapshot *s)
{
        tree_write("mountinfo.played", mountinfo);
        const struct probe_root root = { .mountinfo = tree_path("mountinfo.played"),
                                         .mountstats = w.root.mountstats, .fstab = w.root.fstab, .utab = w.root.utab,
                                         .cmdline = w.root.cmdline, .sys = tree, .unit_dirs = none,
                                         .nfsmount_confs = none };

        ck_assert_int_eq(observe(&root, s, NULL), 0);
        for (size_t i = s->n_mounts; i > 0; i--)
                if (!s->mounts[i - 1].mount.covered)
                        return &s->mounts[i - 1].mount;
        ck_abort_msg("no mount");
}

static void put_text(const char *op, unsigned number, const char *suffix, const char *text)
{
        char name[64];

        snprintf(name, sizeof(name), "%s.%u%s", op, number, suffix);
        tree_write(name, text);
}

static void put_reply(const struct reply *r, unsigned number, const char **mountinfo)
{
        cleanup(snapshot_done) struct snapshot s = { 0 };
        struct apply_answer a = { .end = r->end, .busy = r->busy, .elsewhere = r->elsewhere, .words = (char *) r->words,
                                  .diff = (char *) r->diff };
        struct apply_user user = { .pid = 12, .command = (char *) "reader", .what = (char *) "file /data/x" };
        cleanup_free char *json = NULL;
        char line[16384];
        usec_t before[8], after[8];

        if (r->mountinfo) {
                *mountinfo = r->mountinfo;
                put_text(r->op, number, ".mountinfo", r->mountinfo);
        }
        a.mount = *mount_now(*mountinfo, &s);
        if (r->busy) {
                a.users = &user;
                a.n_users = 1;
        }
        for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
                before[i] = 1000 + i;
                after[i] = r->after_usec + i;
        }
        a.compared = r->after_usec && compare_pairs(before, after, ARRAY_SIZE(before), &a.comparison);
        if (r->dies)
                put_text(r->op, number, ".die", "");
        json = apply_answer_to_json(&a);
        ck_assert_ptr_nonnull(json);
        snprintf(line, sizeof(line), "%s\n", json);
        put_text(r->op, number, "", line);
}

#define REPLIES_MAX 8

static void put_replies(const struct reply *r, const char *mountinfo)
{
        unsigned numbers[REPLIES_MAX] = { 0 };

        for (size_t i = 0; i < REPLIES_MAX && r[i].op; i++) {
                unsigned number = 1;

                for (size_t k = 0; k < i; k++)
                        number += strcmp(r[k].op, r[i].op) == 0;
                numbers[i] = number;
                put_reply(&r[i], numbers[i], &mountinfo);
        }
}

static const char *ops(void)
{
        static char joined[512];
        cleanup_free char *text = NULL;
        size_t n;

        ck_assert_int_eq(file_read(tree_path("ops"), MIB, &text, &n), 0);
        snprintf(joined, sizeof(joined), "%s", text);
        for (char *p = joined; *p; p++)
                if (*p == '\n')
                        *p = p[1] ? ' ' : '\0';
        return joined;
}

static const struct mount_history *remembered(void)
{
        return history_find(&w.applying->history, "/data", "server:/data");
}

static size_t n_records(void)
{
        struct intent *items = NULL;
        cleanup_free char *problems = NULL;
        size_t n = 0;

        ck_assert_int_eq(intent_read_all(w.applying->state_fd, &items, &n, &problems), 0);
        ck_assert_ptr_null(problems);
        for (size_t i = 0; i < n; i++)
                intent_done(&items[i]);
        free(items);
        return n;
}

/* As the helper would have left it. */
static void put_record(enum intent_step step, const char *boot, bool back)
{
        cleanup(intent_done) struct intent i = { .step = step, .rollback = back, .started_realtime_usec = 1 };
        const struct observation *o = host_find_target(&w.core.host, "/data");

        ck_assert_ptr_nonnull(o);
        memcpy(i.boot, boot, sizeof(i.boot));
        ck_assert_int_eq(mount_facts_copy(&o->mount, &i.mount), 0);
        i.staging.method = METHOD_REPLACE;
        ck_assert_int_eq(options_parse("rsize,sync,wsize", 16, &i.staging.keys), 0);
        ck_assert_int_eq(options_parse(SLOW, strlen(SLOW), &i.staging.from), 0);
        ck_assert_int_eq(options_parse("rw,vers=4.2," TAIL, strlen("rw,vers=4.2," TAIL), &i.staging.to), 0);
        i.new_mount_id = 60;
        i.new_device = (struct device){ 0, 60 };
        ck_assert_int_eq(intent_write(w.applying->state_fd, &i), 0);
}

/* ---- one change of automatic mode ------------------------------------------------------------- */

static const struct row {
        const char *name;
        const char *mountinfo;          /* NULL: the slow mount */
        struct reply replies[REPLIES_MAX];
        const char *ops;                /* what was asked, in order */
        const char *told;               /* events in the journal */
        unsigned failures;
        bool kept;
        bool record;                    /* the helper had moved something when it died */
} rows[] = {
        { .name = "what helps is kept",
          .replies = { { "look" }, { "replace", .mountinfo = NEW_LINE }, { "verify", .after_usec = 200 } },
          .ops = "look replace verify", .told = "applied verified", .kept = true },
        { .name = "what is as good is kept",
          .replies = { { "look" }, { "replace", .mountinfo = NEW_LINE }, { "verify", .after_usec = 1050 } },
          .ops = "look replace verify", .told = "applied verified", .kept = true },
        { .name = "what cannot be compared is kept when it answers",
          .replies = { { "look" }, { "replace", .mountinfo = NEW_LINE }, { "verify" } },
          .ops = "look replace verify", .told = "applied verified", .kept = true },
        { .name = "sync alone is changed in place", .mountinfo = SYNC_LINE,
          .replies = { { "look" }, { "live", .mountinfo = LIVE_LINE }, { "verify", .after_usec = 200 } },
          .ops = "look live verify", .told = "applied verified", .kept = true },
        { .name = "in place whoever uses it", .mountinfo = SYNC_LINE,
          .replies = { { "look", .busy = true }, { "live", .mountinfo = LIVE_LINE }, { "verify", .after_usec = 200 } },
          .ops = "look live verify", .told = "applied verified", .kept = true },
        { .name = "what is slower is taken back",
          .replies = { { "look" }, { "replace", .mountinfo = NEW_LINE }, { "verify", .after_usec = 1500 },
                       { "replace", .mountinfo = BACK_LINE } },
          .ops = "look replace verify replace", .told = "applied rolled-back", .failures = 1 },
        { .name = "what does not answer is taken back",
          .replies = { { "look" }, { "replace", .mountinfo = NEW_LINE },
                       { "verify", APPLY_END_FAILED, .words = "it does not answer" },
                       { "replace", .mountinfo = BACK_LINE } },
          .ops = "look replace verify replace", .told = "applied rolled-back", .failures = 1 },
        { .name = "a verification that is lost is repeated",
          .replies = { { "look" }, { "replace", .mountinfo = NEW_LINE }, { "verify", .dies = true },
                       { "verify", .after_usec = 200 } },
          .ops = "look replace verify verify", .told = "applied verified", .kept = true },
        { .name = "lost twice, it is taken back",
          .replies = { { "look" }, { "replace", .mountinfo = NEW_LINE }, { "verify", .dies = true },
                       { "replace", .mountinfo = BACK_LINE } },
          .ops = "look replace verify verify replace", .told = "applied rolled-back", .failures = 1 },
        { .name = "the way back is refused",
          .replies = { { "look" }, { "replace", .mountinfo = NEW_LINE }, { "verify", .after_usec = 1500 },
                       { "replace", APPLY_END_REFUSED, .words = "the server says no" } },
          .ops = "look replace verify replace", .told = "applied", .failures = 1 },
        { .name = "a busy mount is left in peace",
          .replies = { { "look", .busy = true } }, .ops = "look", .told = "" },
        { .name = "busy at the last moment",
          .replies = { { "look" }, { "replace", APPLY_END_BUSY } }, .ops = "look replace", .told = "" },
        { .name = "copies elsewhere forbid it",
          .replies = { { "look", .elsewhere = true } }, .ops = "look", .told = "refused" },
        { .name = "the helper refuses",
          .replies = { { "look" }, { "replace", APPLY_END_REFUSED, .words = "mount.nfs: access denied" } },
          .ops = "look replace", .told = "refused" },
        { .name = "it failed in the middle, and the old one is back",
          .replies = { { "look" }, { "replace", APPLY_END_FAILED, .words = "move_mount: out of space" } },
          .ops = "look replace", .told = "rolled-back", .failures = 1 },
        { .name = "the look is lost",
          .replies = { { "look", .dies = true } }, .ops = "look", .told = "refused" },
        { .name = "the helper is killed and the change is finished",
          .replies = { { "look" }, { "replace", .dies = true }, { "recover", .mountinfo = NEW_LINE },
                       { "verify", .after_usec = 200 } },
          .ops = "look replace recover verify", .told = "applied verified", .kept = true, .record = true },
        { .name = "the helper is killed and the change is undone",
          .replies = { { "look" }, { "replace", .dies = true }, { "recover", APPLY_END_NOTHING } },
          .ops = "look replace recover", .told = "refused rolled-back", .failures = 1, .record = true },
        { .name = "the helper is killed before it began",
          .replies = { { "look" }, { "replace", .dies = true }, { "recover", APPLY_END_NOTHING } },
          .ops = "look replace recover", .told = "refused" },
        { .name = "armed, and revealed when it is free",
          .replies = { { "look" }, { "replace", APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                       { "reveal", APPLY_END_ARMED }, { "reveal", .mountinfo = NEW_LINE },
                       { "verify", .after_usec = 200 } },
          .ops = "look replace reveal reveal verify", .told = "armed applied verified", .kept = true },
        { .name = "armed, and unmounted by hand",
          .replies = { { "look" }, { "replace", APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                       { "reveal", APPLY_END_NOTHING, .mountinfo = BACK_LINE } },
          .ops = "look replace reveal", .told = "armed" },
        { .name = "the helper is killed and leaves an armed mount",
          .replies = { { "look" }, { "replace", .dies = true }, { "recover", APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                       { "reveal", .mountinfo = NEW_LINE }, { "verify", .after_usec = 200 } },
          .ops = "look replace recover reveal verify", .told = "armed applied verified", .kept = true, .record = true },
};

static bool has_armed(void)
{
        for (const struct task *t = w.applying->tasks; t; t = t->next)
                if (t->step == TASK_REVEAL)
                        return true;
        return false;
}

static void settle_armed(void)
{
        settle(0);
        for (unsigned i = 0; i < 100 && has_armed(); i++)
                settle(50 * USEC_PER_MSEC);
        settle(0);
}

START_TEST(one_change_of_automatic_mode)
{
        const struct row *row = &rows[_i];
        const struct mount_history *h;

        if (row->mountinfo)
                tree_write("mountinfo", row->mountinfo);
        put_replies(row->replies, row->mountinfo ? row->mountinfo : OLD_LINE);
        round_here(true);
        if (row->record)
                put_record(INTENT_BENEATH, w.applying->boot, false);
        settle_armed();
        ck_assert_msg(strcmp(ops(), row->ops) == 0, "%s: asked \"%s\"\n%s", row->name, ops(), logged);
        ck_assert_msg(strcmp(told, row->told) == 0, "%s: told \"%s\"\n%s", row->name, told, logged);
        ck_assert_msg(w.applying->history.failures == row->failures, "%s: %u failures", row->name,
                      w.applying->history.failures);
        h = remembered();
        ck_assert_msg((h && h->verified && !h->rolled_back) == row->kept, "%s: kept", row->name);
        ck_assert_msg(n_records() == 0, "%s: a record is left", row->name);
        /* Nothing more happens, however often it is judged, and nobody takes it for somebody else's. */
        for (unsigned i = 0; i < 3; i++) {
                round_here(true);
                settle(0);
        }
        if (row->kept || row->failures)
                ck_assert_msg(strcmp(ops(), row->ops) == 0, "%s: again \"%s\"\n%s", row->name, ops(), logged);
        ck_assert_msg(!strstr(logged, "not by nfstuned"), "%s: %s", row->name, logged);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("daemon/applying");
        TCase *c = tcase_create("applying");
        SRunner *runner;
        int failed;

        tcase_add_checked_fixture(c, setup, teardown);
        tcase_set_timeout(c, 60);
        tcase_add_loop_test(c, one_change_of_automatic_mode, 0, (int) ARRAY_SIZE(rows));
        suite_add_tcase(suite, c);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
