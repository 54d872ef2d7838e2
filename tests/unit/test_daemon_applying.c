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
                if (s->sharers)                                                                               \
                        tell("(shared)");                                                                     \
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

/* Plays nfstuned-mount: the answer that is prepared for the first, second ... request of its kind,
        else the last one; it
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
        "cat $d/$op.$n 2>/dev/null\n";

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
                        busy |= t->job || (!t->since_usec && t->step != TASK_REVEAL);
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
        bool shared;                    /* another mount has the superblock */
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
        struct apply_answer a = { .end = r->end, .busy = r->busy, .elsewhere = r->elsewhere,
                .words = (char *) r->words,
                                  .diff = (char *) r->diff };
        struct apply_user user = { .pid = 12, .command = (char *) "reader", .what = (char *) "file /data/x" };
        struct apply_user sharer = { .what = (char *) "also mounted at /other", .is_mount = true };
        cleanup_free char *json = NULL;
        char line[16384];
        usec_t before[8], after[8];

        if (r->mountinfo) {
                *mountinfo = r->mountinfo;
                put_text(r->op, number, ".mountinfo", r->mountinfo);
        }
        a.mount = *mount_now(*mountinfo, &s);
        if (r->busy || r->shared) {
                a.users = r->busy ? &user : &sharer;
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
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look replace verify", .told = "applied verified", .kept = true },
        { .name = "what is as good is kept",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 1050 } },
          .ops = "look replace verify", .told = "applied verified", .kept = true },
        { .name = "what cannot be compared is kept when it answers",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE }, { .op = "verify" } },
          .ops = "look replace verify", .told = "applied verified", .kept = true },
        { .name = "sync alone is changed in place", .mountinfo = SYNC_LINE,
          .replies = { { .op = "look" }, { .op = "live", .mountinfo = LIVE_LINE },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look live verify", .told = "applied verified", .kept = true },
        { .name = "in place whoever uses it", .mountinfo = SYNC_LINE,
          .replies = { { .op = "look", .busy = true }, { .op = "live", .mountinfo = LIVE_LINE },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look live verify", .told = "applied verified", .kept = true },
        { .name = "what is slower is taken back",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 1500 },
                       { .op = "replace", .mountinfo = BACK_LINE } },
          .ops = "look replace verify replace", .told = "applied rolled-back", .failures = 1 },
        { .name = "what does not answer is taken back",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .end = APPLY_END_FAILED, .words = "it does not answer" },
                       { .op = "replace", .mountinfo = BACK_LINE } },
          .ops = "look replace verify replace", .told = "applied rolled-back", .failures = 1 },
        { .name = "a verification that is lost is repeated",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE }, { .op = "verify", .dies = true },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look replace verify verify", .told = "applied verified", .kept = true },
        { .name = "lost twice, it is taken back",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE }, { .op = "verify", .dies = true },
                       { .op = "replace", .mountinfo = BACK_LINE } },
          .ops = "look replace verify verify replace", .told = "applied rolled-back", .failures = 1 },
        { .name = "the way back is refused",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 1500 },
                       { .op = "replace", .end = APPLY_END_REFUSED, .words = "the server says no" } },
          .ops = "look replace verify replace", .told = "applied", .failures = 1 },
        { .name = "a busy mount is left in peace",
          .replies = { { .op = "look", .busy = true } }, .ops = "look", .told = "" },
        { .name = "busy at the last moment",
          .replies = { { .op = "look" },
                       { .op = "replace", .end = APPLY_END_BUSY } }, .ops = "look replace", .told = "" },
        { .name = "copies elsewhere forbid it",
          .replies = { { .op = "look", .elsewhere = true } }, .ops = "look", .told = "refused" },
        { .name = "the helper refuses",
          .replies = { { .op = "look" },
                       { .op = "replace", .end = APPLY_END_REFUSED, .words = "mount.nfs: access denied" } },
          .ops = "look replace", .told = "refused" },
        { .name = "it failed in the middle, and the old one is back",
          .replies = { { .op = "look" },
                       { .op = "replace", .end = APPLY_END_FAILED, .words = "move_mount: out of space" } },
          .ops = "look replace", .told = "rolled-back", .failures = 1 },
        { .name = "the look is lost",
          .replies = { { .op = "look", .dies = true } }, .ops = "look", .told = "refused" },
        { .name = "the helper is killed and the change is finished",
          .replies = { { .op = "look" }, { .op = "replace", .dies = true },
                       { .op = "recover", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look replace recover verify", .told = "applied verified", .kept = true, .record = true },
        { .name = "the helper is killed and the change is undone",
          .replies = { { .op = "look" }, { .op = "replace", .dies = true },
                       { .op = "recover", .end = APPLY_END_NOTHING } },
          .ops = "look replace recover", .told = "rolled-back", .failures = 1, .record = true },
        { .name = "the helper is killed before it began",
          .replies = { { .op = "look" }, { .op = "replace", .dies = true },
                       { .op = "recover", .end = APPLY_END_NOTHING } },
          .ops = "look replace recover", .told = "refused" },
        { .name = "armed, and revealed when it is free",
          .replies = { { .op = "look" }, { .op = "replace", .end = APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                       { .op = "reveal", .end = APPLY_END_ARMED }, { .op = "reveal", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look replace reveal reveal verify", .told = "armed applied verified", .kept = true },
        { .name = "armed, and unmounted by hand",
          .replies = { { .op = "look" }, { .op = "replace", .end = APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                       { .op = "reveal", .end = APPLY_END_NOTHING, .mountinfo = BACK_LINE } },
          .ops = "look replace reveal", .told = "armed" },
        { .name = "in place, and something else changed with it", .mountinfo = SYNC_LINE,
          .replies = { { .op = "look" },
                       { .op = "live", .end = APPLY_END_FAILED, .mountinfo = LIVE_LINE, .words = "rsize is new" },
                       { .op = "live", .mountinfo = SYNC_LINE } },
          .ops = "look live live", .told = "rolled-back", .failures = 1 },
        { .name = "in place, and nothing changed", .mountinfo = SYNC_LINE,
          .replies = { { .op = "look" }, { .op = "live", .end = APPLY_END_FAILED, .words = "sync stays" } },
          .ops = "look live", .told = "rolled-back", .failures = 1 },
        { .name = "it failed in the middle, and has to be recovered",
          .replies = { { .op = "look" }, { .op = "replace", .end = APPLY_END_FAILED, .words = "out of space" },
                       { .op = "recover", .mountinfo = NEW_LINE }, { .op = "verify", .after_usec = 200 } },
          .ops = "look replace recover verify", .told = "applied verified", .kept = true, .record = true },
        { .name = "the helper is killed and leaves an armed mount",
          .replies = { { .op = "look" }, { .op = "replace", .dies = true },
                       { .op = "recover", .end = APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                       { .op = "reveal", .mountinfo = NEW_LINE }, { .op = "verify", .after_usec = 200 } },
          .ops = "look replace recover reveal verify", .told = "armed applied verified",
          .kept = true, .record = true },
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
        ck_assert_msg(!strstr(logged, "when nfstuned ended"), "%s: %s", row->name, logged);
}
END_TEST

/* ---- by hand --------------------------------------------------------------------------------- */

#define GOOD_FSTAB "server:/data /data nfs4 defaults 0 0\n"
#define CHILD_LINE "41 40 0:51 / /data/below rw,relatime shared:1 - nfs4 server:/below " FAST "\n"

static const struct hand_row {
        const char *name;
        const char *mountinfo;
        const char *fstab;
        enum busy_mode busy;
        bool dry_run;
        bool persist;
        struct reply replies[REPLIES_MAX];
        const char *ops;
        const char *ends;
        const char *told;
        const char *words;              /* a key fact; or NULL */
        const char *lacks;              /* what would be wrong; or NULL */
} hand_rows[] = {
        { .name = "what helps is kept",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look replace verify", .ends = "verified", .told = "applied verified", .words = "saving a file" },
        { .name = "what is slower is taken back",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 1500 },
                       { .op = "replace", .mountinfo = BACK_LINE } },
          .ops = "look replace verify replace", .ends = "rolled-back", .told = "applied rolled-back",
          .words = "slower" },
        { .name = "and what the way back could not keep is told",
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 1500 },
                       { .op = "replace", .mountinfo = BACK_LINE, .words = "its own flags are lost" } },
          .ops = "look replace verify replace", .ends = "rolled-back", .told = "applied rolled-back",
          .words = "own flags are lost" },
        { .name = "--busy refuse", .busy = BUSY_REFUSE,
          .replies = { { .op = "look", .busy = true } },
                       .ops = "look", .ends = "busy", .told = "", .words = "reader" },
        { .name = "--busy wait: armed", .busy = BUSY_WAIT,
          .replies = { { .op = "look", .busy = true },
                       { .op = "replace", .end = APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                       { .op = "reveal", .end = APPLY_END_ARMED }, { .op = "reveal", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look replace reveal reveal verify", .ends = "armed", .told = "armed applied verified",
          .words = "reader" },
        { .name = "--busy wait before Linux 6.5", .busy = BUSY_WAIT,
          .replies = { { .op = "look", .busy = true }, { .op = "replace", .end = APPLY_END_BUSY },
                       { .op = "look", .busy = true }, { .op = "look" },
                       { .op = "replace", .mountinfo = NEW_LINE }, { .op = "verify", .after_usec = 200 } },
          .ops = "look replace look look replace verify", .ends = "busy", .told = "applied verified",
          .words = "tried again" },
        { .name = "--busy detach", .busy = BUSY_DETACH,
          .replies = { { .op = "look", .busy = true }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look replace verify", .ends = "verified", .told = "applied verified",
          .words = "caches of their own" },
        { .name = "--dry-run --busy detach", .busy = BUSY_DETACH, .dry_run = true,
          .replies = { { .op = "look", .busy = true }, { .op = "persist" } },
          .ops = "look persist", .ends = "planned", .told = "", .words = "take the old one away at once",
          .lacks = "waits until" },
        { .name = "copies elsewhere do not forbid it",
          .replies = { { .op = "look", .elsewhere = true }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 200 } },
          .ops = "look replace verify", .ends = "verified", .told = "applied verified" },
        { .name = "--dry-run", .dry_run = true,
          .replies = { { .op = "look", .busy = true }, { .op = "persist", .diff = "-old line" } },
          .ops = "look persist", .ends = "planned", .told = "", .words = "-old line", .lacks = "at once" },
        { .name = "--dry-run: a new mount is not the others'", .dry_run = true,
          .replies = { { .op = "look", .shared = true }, { .op = "persist" } },
          .ops = "look persist", .ends = "planned", .told = "", .words = "keeps the old options", .lacks = "all of them" },
        { .name = "--dry-run: what is changed in place is the others', too", .mountinfo = SYNC_LINE, .dry_run = true,
          .replies = { { .op = "look", .shared = true }, { .op = "persist" } },
          .ops = "look persist", .ends = "planned", .told = "", .words = "/other: it is changed for all of them",
          .lacks = "keeps the old options" },
        { .name = "others who have it are told of", .mountinfo = SYNC_LINE,
          .replies = { { .op = "look", .shared = true }, { .op = "live", .mountinfo = LIVE_LINE },
                       { .op = "verify", .after_usec = 1500 }, { .op = "live", .mountinfo = SYNC_LINE } },
          .ops = "look live verify live", .ends = "rolled-back", .told = "applied (shared) rolled-back (shared)",
          .words = "/other" },
        { .name = "--persist", .persist = true,
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 200 },
                       { .op = "persist", .diff = "-old line" } },
          .ops = "look replace verify persist", .ends = "verified", .told = "applied reload verified",
          .words = "-old line" },
        { .name = "--persist is refused", .persist = true,
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .after_usec = 200 },
                       { .op = "persist", .end = APPLY_END_REFUSED, .words = "fstab was edited meanwhile" } },
          .ops = "look replace verify persist", .ends = "verified", .told = "applied verified",
          .words = "edited meanwhile" },
        { .name = "a slower one is not made to last", .persist = true,
          .replies = { { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                       { .op = "verify", .end = APPLY_END_FAILED },
                       { .op = "replace", .mountinfo = BACK_LINE } },
          .ops = "look replace verify replace", .ends = "rolled-back", .told = "applied rolled-back" },
        { .name = "the helper refuses",
          .replies = { { .op = "look" },
                       { .op = "replace", .end = APPLY_END_REFUSED, .words = "access denied by server" } },
          .ops = "look replace", .ends = "refused", .told = "", .words = "access denied by server" },
        { .name = "it fails in the middle",
          .replies = { { .op = "look" }, { .op = "replace", .end = APPLY_END_FAILED, .words = "no space" } },
          .ops = "look replace", .ends = "failed", .told = "rolled-back", .words = "no space" },
        { .name = "mounts below it", .mountinfo = OLD_LINE CHILD_LINE, .ops = "", .ends = "refused", .told = "" },
        { .name = "nothing to do", .mountinfo = NEW_LINE, .fstab = GOOD_FSTAB, .ops = "", .ends = "nothing",
                .told = "" },
        { .name = "no such mount", .mountinfo = ROOT_LINE, .ops = "", .ends = "refused", .told = "" },
        { .name = "no noise where the mount is gone meanwhile",
          .replies = { { .op = "look", .end = APPLY_END_REFUSED, .words = "another mount is there" } },
          .ops = "look", .ends = "refused", .told = "", .words = "another mount" },
};

static void apply(enum busy_mode busy, bool dry_run, bool persist)
{
        const struct apply_wish wish = { .target = "/data/", .busy = busy, .dry_run = dry_run, .persist = persist };

        applying_apply(w.applying, &wish, on_outcome, NULL);
}

static bool has_tasks(void)
{
        return w.applying->tasks != NULL;
}

static void settle_all(void)
{
        settle(0);
        for (unsigned i = 0; i < 100 && has_tasks(); i++)
                settle(50 * USEC_PER_MSEC);
        ck_assert_msg(!has_tasks(), "it does not end: told \"%s\", asked \"%s\", logged\n%s", told, ops(), logged);
}

START_TEST(one_wish_by_hand)
{
        const struct hand_row *row = &hand_rows[_i];

        w.params.mode = MODE_RECOMMEND;
        if (row->mountinfo)
                tree_write("mountinfo", row->mountinfo);
        if (row->fstab)
                tree_write("fstab", row->fstab);
        put_replies(row->replies, OLD_LINE);
        round_here(true);
        apply(row->busy, row->dry_run, row->persist);
        settle_all();
        ck_assert_msg(strcmp(ops(), row->ops) == 0, "%s: asked \"%s\"\n%s", row->name, ops(), logged);
        ck_assert_msg(strcmp(w.ends, row->ends) == 0, "%s: \"%s\": %s", row->name, w.ends, w.words);
        ck_assert_msg(strcmp(told, row->told) == 0, "%s: told \"%s\"", row->name, told);
        ck_assert_msg(!row->words || strstr(w.words, row->words), "%s: %s", row->name, w.words);
        ck_assert_msg(!row->lacks || !strstr(w.words, row->lacks), "%s: %s", row->name, w.words);
        ck_assert_msg(strlen(w.words) > 10, "%s: no words", row->name);
        ck_assert_msg(strstr(w.json, "\"end\""), "%s: %s", row->name, w.json);
        ck_assert_msg(n_records() == 0, "%s: a record is left", row->name);
        if (row->persist && strstr(row->told, "reload"))
                ck_assert_msg(remembered() && remembered()->persisted, "%s: not persisted", row->name);
}
END_TEST

START_TEST(who_keeps_an_armed_one_waiting_is_told)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look" }, { .op = "replace", .end = APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                { .op = "look", .busy = true }, { .op = "persist", .diff = "-old line" },
                { .op = "reveal", .mountinfo = NEW_LINE }, { .op = "verify", .after_usec = 200 },
        };

        put_replies(replies, OLD_LINE);
        round_here(true);
        settle(0);
        ck_assert_str_eq(told, "armed");
        round_here(false);
        apply(BUSY_WAIT, true, false);
        settle(0);
        ck_assert_str_eq(w.ends, "planned");
        ck_assert_ptr_nonnull(strstr(w.words, "waits beneath"));
        ck_assert_ptr_nonnull(strstr(w.words, "reader"));
        w.ends[0] = '\0';
        applying_rollback(w.applying, "/data", false, on_outcome, NULL);
        ck_assert_str_eq(w.ends, "refused");
        settle_all();
        ck_assert_str_eq(told, "armed applied verified");
}
END_TEST

START_TEST(what_is_mounted_anew_before_it_was_verified_is_left_alone)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                { .op = "verify", .end = APPLY_END_NOTHING, .words = "another mount", .mountinfo = BACK_LINE },
        };

        put_replies(replies, OLD_LINE);
        round_here(true);
        settle(0);
        for (unsigned i = 0; i < 3; i++) {
                round_here(true);
                settle(0);
        }
        ck_assert_str_eq(ops(), "look replace verify");
        ck_assert_str_eq(told, "applied");
        ck_assert_uint_eq(w.applying->history.failures, 0);
        ck_assert_uint_ne(remembered()->outside_usec, 0);
}
END_TEST

/* The record of a change that could not be remembered stays; it tells nothing of the way back. */
START_TEST(a_refused_way_back_is_not_taken_for_one_that_was_made)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE },
                { .op = "verify", .end = APPLY_END_FAILED, .words = "it does not answer" },
                { .op = "replace", .end = APPLY_END_REFUSED, .words = "the disk is full" },
                { .op = "recover", .mountinfo = NEW_LINE },
        };

        put_replies(replies, OLD_LINE);
        round_here(true);
        while (strcmp(told, "applied") != 0)
                ck_assert_int_ge(sd_event_run(w.core.event, PATIENCE_USEC), 0);
        put_record(INTENT_DONE, w.applying->boot, false);
        settle(0);
        ck_assert_str_eq(ops(), "look replace verify replace");
        ck_assert_str_eq(told, "applied");
        ck_assert_uint_eq(w.applying->history.failures, 1);
        ck_assert(!remembered()->rolled_back);
}
END_TEST

START_TEST(what_is_lost_over_and_over_is_told_once)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look" }, { .op = "replace", .end = APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                { .op = "reveal", .dies = true }, { .op = "recover", .dies = true },
        };
        const char *first, failed[] = "nfstuned-mount failed";

        put_replies(replies, OLD_LINE);
        round_here(true);
        for (unsigned i = 0; i < 10; i++)
                settle(50 * USEC_PER_MSEC);
        first = strstr(logged, failed);
        ck_assert_ptr_nonnull(first);
        ck_assert_msg(!strstr(first + 1, failed), "%s", logged);
        ck_assert_ptr_nonnull(strstr(ops(), "recover recover"));
}
END_TEST

static char heard_words[1024];

static void hear_words(void *unused may_be_unused, const char *target may_be_unused, const char *event may_be_unused,
                       const char *words)
{
        snprintf(heard_words, sizeof(heard_words), "%s", words);
}

/* Processes and their files, lines of /etc: not for everybody on the bus. */
START_TEST(everybody_hears_the_first_line_alone)
{
        static const struct reply replies[REPLIES_MAX] = { { .op = "look", .busy = true } };

        applying_set_observer(w.applying, hear_words, NULL);
        put_replies(replies, OLD_LINE);
        round_here(false);
        apply(BUSY_REFUSE, false, false);
        settle(0);
        ck_assert_ptr_nonnull(strstr(w.words, "reader"));
        ck_assert_str_eq(heard_words, "/data is in use.");
}
END_TEST

static void change_it(void)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE }, { .op = "verify", .after_usec = 200 },
                { .op = "replace", .mountinfo = BACK_LINE }, { .op = "persist", .diff = "-old line" },
        };

        put_replies(replies, OLD_LINE);
        round_here(false);
        apply(BUSY_WAIT, false, false);
        settle_all();
        ck_assert_str_eq(w.ends, "verified");
        round_here(false);
        w.ends[0] = told[0] = '\0';
        tree_write("ops", "");
        /* Of the played answers the next is for the way back. */
        ck_assert_int_eq(rename(tree_path("replace.2"), tree_path("replace.1")), 0);
        ck_assert_int_eq(rename(tree_path("replace.2.mountinfo"), tree_path("replace.1.mountinfo")), 0);
}

START_TEST(a_change_is_taken_back_by_hand)
{
        const struct mount_history *h;

        w.params.mode = MODE_RECOMMEND;
        change_it();
        applying_rollback(w.applying, "/data", _i == 1, on_outcome, NULL);
        settle_all();
        ck_assert_str_eq(w.ends, "rolled-back");
        ck_assert_str_eq(ops(), _i == 1 ? "look replace persist" : "look replace");
        ck_assert_str_eq(told, _i == 1 ? "rolled-back reload" : "rolled-back");
        h = remembered();
        ck_assert(h && h->rolled_back && !h->verified);
        ck_assert_uint_eq(w.applying->history.failures, 0);
        /* Who took it back does not want it again by itself. */
        w.params.mode = MODE_AUTO_REMOUNT;
        round_here(true);
        settle(0);
        ck_assert_str_eq(ops(), _i == 1 ? "look replace persist" : "look replace");
        applying_rollback(w.applying, "/data", false, on_outcome, NULL);
        ck_assert_str_eq(w.ends, "rolled-back nothing");
}
END_TEST

/* The last edit that nfstuned-mount was asked for. */
static void last_edit(struct apply_request *ret)
{
        cleanup_free char *requests = NULL;
        char *line;
        size_t n;

        ck_assert_int_eq(file_read(tree_path("requests"), MIB, &requests, &n), 0);
        ck_assert(n > 0);
        requests[n - 1] = '\0';
        line = strrchr(requests, '\n');
        ck_assert_ptr_nonnull(line);
        ck_assert_int_eq(apply_request_from_json(line + 1, strlen(line + 1), ret, NULL), 0);
        ck_assert_uint_eq(ret->n_edits, 1);
}

/* At once, and in two steps; the plan for the old options would have another order. */
START_TEST(what_was_written_is_taken_back_as_it_was)
{
        static const char line[] = "server:/data\t/data nfs4 wsize=32768,sync,nosuid,rsize=32768  0 0 # old";
        cleanup(apply_request_done) struct apply_request there = { 0 }, back = { 0 };

        w.params.mode = MODE_RECOMMEND;
        tree_write("fstab", line);
        change_it();
        apply(BUSY_WAIT, false, true);
        settle_all();
        last_edit(&there);
        ck_assert_str_eq(there.edits[0].old_text, line);
        ck_assert_ptr_nonnull(remembered()->written);
        if (_i == 1) {
                applying_rollback(w.applying, "/data", false, on_outcome, NULL);
                settle_all();
        }
        applying_rollback(w.applying, "/data", true, on_outcome, NULL);
        settle_all();
        last_edit(&back);
        ck_assert_str_eq(back.edits[0].new_text, line);
        ck_assert_str_eq(back.edits[0].old_text, there.edits[0].new_text);
        ck_assert_str_eq(back.edits[0].options, "wsize=32768,sync,nosuid,rsize=32768");
        ck_assert_str_eq(w.ends, _i == 1 ? "persisted rolled-back persisted" : "persisted rolled-back");
        ck_assert(!remembered()->persisted && !remembered()->written);
        applying_rollback(w.applying, "/data", true, on_outcome, NULL);
        ck_assert_msg(strcmp(strrchr(w.ends, ' '), " nothing") == 0, "%s", w.ends);
}
END_TEST

START_TEST(what_somebody_else_changed_since_is_not_taken_back)
{
        change_it();
        tree_write("mountinfo", BACK_LINE);
        round_here(false);
        applying_rollback(w.applying, "/data", false, on_outcome, NULL);
        ck_assert_str_eq(w.ends, "nothing");
        ck_assert_str_eq(ops(), "");
}
END_TEST

START_TEST(a_kept_change_is_made_to_last_later)
{
        w.params.mode = MODE_RECOMMEND;
        change_it();
        apply(BUSY_WAIT, false, true);
        settle_all();
        ck_assert_msg(strcmp(w.ends, "persisted") == 0, "%s: %s", w.ends, w.words);
        ck_assert_str_eq(ops(), "persist");
        ck_assert(remembered()->persisted);
        apply(BUSY_WAIT, false, false);
        ck_assert_str_eq(w.ends, "persisted nothing");
}
END_TEST

/* The mount that stands for the superblock is another one. */
START_TEST(each_mount_of_a_superblock_can_be_named)
{
        static const struct reply replies[REPLIES_MAX] = { { .op = "look" }, { .op = "live", .mountinfo = LIVE_LINE },
                                                           { .op = "verify", .after_usec = 200 } };
        const struct apply_wish wish = { .target = "/other" };
        cleanup_free char *requests = NULL;
        size_t n;

        w.params.mode = MODE_RECOMMEND;
        tree_write("mountinfo", SYNC_LINE "41 1 0:50 / /other rw,relatime shared:1 - nfs4 server:/data " SYNC "\n");
        put_replies(replies, SYNC_LINE);
        round_here(false);
        applying_apply(w.applying, &wish, on_outcome, NULL);
        settle_all();
        ck_assert_msg(strcmp(w.ends, "verified") == 0, "%s: %s", w.ends, w.words);
        ck_assert_int_eq(file_read(tree_path("requests"), MIB, &requests, &n), 0);
        ck_assert_ptr_nonnull(strstr(requests, "/other"));
}
END_TEST

START_TEST(a_second_wish_does_not_disturb_the_first)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE }, { .op = "verify", .after_usec = 200 } };

        w.params.mode = MODE_RECOMMEND;
        put_replies(replies, OLD_LINE);
        round_here(false);
        apply(BUSY_WAIT, false, false);
        apply(BUSY_WAIT, false, false);
        ck_assert_str_eq(w.ends, "refused");
        settle_all();
        ck_assert_str_eq(w.ends, "refused verified");
        ck_assert_str_eq(ops(), "look replace verify");
}
END_TEST

START_TEST(who_waits_is_told_when_the_daemon_ends)
{
        static const struct reply replies[REPLIES_MAX] = { { .op = "look" } };

        put_replies(replies, OLD_LINE);
        round_here(false);
        apply(BUSY_WAIT, false, false);
        settle(10 * USEC_PER_MSEC);
        applying_free(w.applying);
        w.applying = NULL;
        ck_assert_str_eq(w.ends, "failed");
}
END_TEST

static void on_other_job(void *userdata, enum job_end end may_be_unused, const char *answer may_be_unused,
                         size_t n may_be_unused, const char *words may_be_unused)
{
        *(bool *) userdata = true;
}

START_TEST(a_probe_of_the_same_file_system_goes_first)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE }, { .op = "verify", .after_usec = 200 } };
        static const char *const argv[] = { "/bin/sleep", "0.3", NULL };
        bool ended = false;
        const struct job job = { .key = host_key((struct device){ 0, 50 }), .argv = argv, .done = on_other_job,
                                 .deadline_usec = PATIENCE_USEC, .userdata = &ended };

        put_replies(replies, OLD_LINE);
        round_here(false);
        ck_assert_int_eq(pool_start(w.core.pool, &job), 0);
        apply(BUSY_WAIT, false, false);
        while (!ended) {
                ck_assert_str_eq(ops(), "");
                ck_assert_int_ge(sd_event_run(w.core.event, 10 * USEC_PER_MSEC), 0);
        }
        settle_all();
        ck_assert_str_eq(w.ends, "verified");
}
END_TEST

/* ---- somebody else's changes --------------------------------------------------------------------- */

#define NOATIME_LINE ROOT_LINE "40 1 0:50 / /data rw,noatime shared:1 - nfs4 server:/data " SLOW "\n"
#define ANEW_LINE ROOT_LINE "44 1 0:54 / /data rw,relatime shared:1 - nfs4 server:/data " SLOW "\n"
#define ANEW_OTHER_LINE ROOT_LINE "44 1 0:54 / /data rw,relatime shared:1 - nfs4 server:/data " FAST "\n"
#define MOVED_SERVER_LINE ROOT_LINE "44 1 0:54 / /data rw,relatime shared:1 - nfs4 server:/data rw,sync,vers=4.2," \
        "rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=192.0.2.9," \
        "local_lock=none,addr=192.0.2.7\n"

static const struct outside_row {
        const char *name;
        const char *between;            /* or NULL */
        const char *mountinfo;          /* or NULL */
        const char *fstab;              /* or NULL */
        bool outside;
} outside_rows[] = {
        { "nothing happened", NULL, NULL, NULL, false },
        { "remounted without sync", NULL, LIVE_LINE, NULL, true },
        { "remounted with noatime", NULL, NOATIME_LINE, NULL, true },
        { "unmounted and mounted as before", ROOT_LINE, ANEW_LINE, NULL, false },
        { "unmounted and mounted otherwise", ROOT_LINE, ANEW_OTHER_LINE, NULL, true },
        { "mounted as before, from another address", ROOT_LINE, MOVED_SERVER_LINE, NULL, false },
        { "unmounted", NULL, ROOT_LINE, NULL, false },
        { "its line was edited", NULL, NULL, "server:/data /data nfs4 sync,rsize=65536,wsize=65536 0 0\n", true },
        { "another line was edited", NULL, NULL,
          "# a comment\nserver:/data /data nfs4 sync,rsize=32768,wsize=32768 0 0\nserver:/x /x nfs4 sync 0 0\n",
                  false },
};

START_TEST(changes_by_somebody_else_are_remembered)
{
        const struct outside_row *row = &outside_rows[_i];
        const struct mount_history *h;

        round_here(false);
        round_here(false);
        if (row->between) {
                tree_write("mountinfo", row->between);
                round_here(false);
        }
        if (row->mountinfo)
                tree_write("mountinfo", row->mountinfo);
        if (row->fstab)
                tree_write("fstab", row->fstab);
        round_here(true);
        settle(0);
        h = remembered();
        ck_assert_msg((h && h->outside_usec) == row->outside, "%s: %s", row->name, logged);
        ck_assert_msg(!row->outside || strcmp(ops(), "") == 0, "%s: changed all the same: %s", row->name, ops());
}
END_TEST

static void start_anew(void)
{
        applying_free(w.applying);
        host_done(&w.core.host);
        ck_assert_int_eq(host_observe(&w.core.host, &w.root, NULL, core_now(&w.core), NULL), 0);
        open_applying();
        round_here(false);
        settle(0);
        round_here(false);
}

static const struct {
        const char *name;
        const char *mountinfo;
        bool outside;
} restart_rows[] = {
        { "as it was left", NEW_LINE, false },
        { "as before the change", BACK_LINE, true },
        { "its options dropped again", ROOT_LINE, false },
};

START_TEST(a_restart_knows_what_is_its_own)
{
        const struct mount_history *h;

        change_it();
        tree_write("mountinfo", restart_rows[_i].mountinfo);
        start_anew();
        h = remembered();
        ck_assert_ptr_nonnull(h);
        ck_assert_msg((h->outside_usec != 0) == restart_rows[_i].outside, "%s: %s", restart_rows[_i].name, logged);
        if (_i == 0)
                ck_assert_ptr_nonnull(host_find_target(&w.core.host, "/data")->own_change);
        start_anew();
        ck_assert_str_eq(ops(), "");
}
END_TEST

/* ---- records of an earlier run ------------------------------------------------------------------------ */

static const struct record_row {
        const char *name;
        enum intent_step step;
        bool back;
        bool other_boot;
        const char *mountinfo;
        struct reply replies[REPLIES_MAX];
        const char *ops;
        const char *told;
        bool kept;
} record_rows[] = {
        { "of another boot: discarded", INTENT_SWAP, false, true, OLD_LINE, { { .op = NULL } }, "", "", false },
        { "nothing was moved", INTENT_STAGING, false, false, OLD_LINE, { { .op = "recover",
          .end = APPLY_END_NOTHING } }, "recover", "",
          false },
        { "finished", INTENT_BENEATH, false, false, OLD_LINE,
          { { .op = "recover", .mountinfo = NEW_LINE },
            { .op = "verify", .after_usec = 200 } }, "recover verify", "applied verified",
          true },
        { "done and not remembered", INTENT_DONE, false, false, NEW_LINE,
          { { .op = "recover" }, { .op = "verify", .after_usec = 200 } },
            "recover verify", "applied verified", true },
        { "armed stays armed", INTENT_ARMED, false, false, ARMED_LINE,
          { { .op = "reveal", .end = APPLY_END_ARMED }, { .op = "reveal", .mountinfo = NEW_LINE },
            { .op = "verify", .after_usec = 200 } },
          "reveal reveal verify", "applied verified", true },
        { "found armed", INTENT_BENEATH, false, false, ARMED_LINE,
          { { .op = "recover", .end = APPLY_END_ARMED }, { .op = "reveal", .mountinfo = NEW_LINE },
            { .op = "verify", .after_usec = 200 } },
          "recover reveal verify", "armed applied verified", true },
        { "a way back that was finished", INTENT_DONE, true, false, BACK_LINE, { { .op = "recover" } },
          "recover", "rolled-back",
          false },
        { "a way back that was not begun", INTENT_STAGING, true, false, OLD_LINE,
          { { .op = "recover", .end = APPLY_END_NOTHING },
            { .op = "replace", .mountinfo = BACK_LINE } }, "recover replace", "rolled-back",
          false },
        { "recovery is tried again", INTENT_SWAP, false, false, OLD_LINE,
          { { .op = "recover", .dies = true }, { .op = "recover", .end = APPLY_END_FAILED },
            { .op = "recover", .mountinfo = NEW_LINE },
            { .op = "verify", .after_usec = 200 } }, "recover recover recover verify",
          "applied verified", true },
};

START_TEST(records_of_an_earlier_run)
{
        static const char other[33] = "0123456789abcdef0123456789abcdef";
        const struct record_row *row = &record_rows[_i];
        const struct mount_history *h;

        w.params.mode = MODE_RECOMMEND;
        put_replies(row->replies, row->mountinfo);
        tree_write("mountinfo", OLD_LINE);
        round_here(false);
        put_record(row->step, row->other_boot ? other : w.applying->boot, row->back);
        tree_write("mountinfo", row->mountinfo);
        start_anew();
        settle_all();
        ck_assert_msg(strcmp(ops(), row->ops) == 0, "%s: asked \"%s\"\n%s", row->name, ops(), logged);
        ck_assert_msg(strcmp(told, row->told) == 0, "%s: told \"%s\"", row->name, told);
        ck_assert_msg(*told || strstr(logged, "/data: a change "), "%s: nobody is told", row->name);
        ck_assert_msg(n_records() == 0, "%s: a record is left", row->name);
        h = remembered();
        ck_assert_msg((h && h->verified) == row->kept, "%s: kept", row->name);
        ck_assert_msg(!h || !h->outside_usec, "%s: taken for somebody else's", row->name);
}
END_TEST

/* Nothing is changed by itself as long as it is not known what was begun. */
START_TEST(records_come_before_automatic_changes)
{
        static const struct reply replies[REPLIES_MAX] = { { .op = "recover",
                .end = APPLY_END_FAILED, .words = "no" }, { .op = "look" },
                                                           { .op = "replace", .end = APPLY_END_REFUSED } };

        put_replies(replies, OLD_LINE);
        round_here(false);
        put_record(INTENT_SWAP, w.applying->boot, false);
        start_anew();
        for (unsigned i = 0; i < 3; i++) {
                round_here(true);
                settle(20 * USEC_PER_MSEC);
        }
        ck_assert_msg(!strstr(ops(), "look"), "%s", ops());
        ck_assert_uint_eq(n_records(), 1);
        ck_assert_int_eq(applying_look(w.applying, w.core.host.states[0]).state, APPLYING_CHANGING);
}
END_TEST

START_TEST(a_change_that_was_not_verified_is_verified_after_a_restart)
{
        static const struct reply replies[REPLIES_MAX] = { { .op = "verify", .after_usec = 200 } };
        struct mount_history *h;

        change_it();
        h = history_find(&w.applying->history, "/data", "server:/data");
        ck_assert_ptr_nonnull(h);
        h->verified = false;
        ck_assert_int_eq(memory_write(w.applying->state_fd, &w.applying->history), 0);
        put_replies(replies, NEW_LINE);
        start_anew();
        settle_all();
        ck_assert_str_eq(ops(), "verify");
        ck_assert_str_eq(told, "verified");
        ck_assert(remembered()->verified);
}
END_TEST

/* ---- the breaker, refusals, trouble ---------------------------------------------------------------------- */

START_TEST(two_failures_stop_automatic_mode_until_resume)
{
        static const struct reply replies[REPLIES_MAX] = { { .op = "look" },
                                                           { .op = "replace", .end = APPLY_END_FAILED,
                                                           .words = "no space" } };

        w.applying->history.failures = 1;
        put_replies(replies, OLD_LINE);
        round_here(true);
        settle(0);
        ck_assert_str_eq(told, "rolled-back");
        ck_assert(applying_is_stopped(w.applying));
        ck_assert_ptr_nonnull(strstr(logged, "resume"));
        start_anew();
        ck_assert(applying_is_stopped(w.applying));
        round_here(true);
        settle(0);
        ck_assert_str_eq(ops(), "look replace");
        ck_assert_int_eq(applying_look(w.applying, w.core.host.states[0]).refusal, REFUSAL_BREAKER);
        applying_resume(w.applying, on_outcome, NULL);
        ck_assert_str_eq(w.ends, "resumed");
        ck_assert(!applying_is_stopped(w.applying));
        round_here(true);
        settle(0);
        ck_assert_str_eq(ops(), "look replace look replace");
}
END_TEST

/* What was found busy by a look costs nothing; what was staged for nothing is not staged in each round. */
static const struct busy_row {
        const char *name;
        struct reply replies[REPLIES_MAX];
        const char *ops;
} busy_rows[] = {
        { "by the look", { { .op = "look", .busy = true } }, "look look" },
        { "at the last moment", { { .op = "look" }, { .op = "replace", .end = APPLY_END_BUSY } }, "look replace" },
};

START_TEST(a_busy_mount_is_tried_again_at_its_price)
{
        const struct busy_row *row = &busy_rows[_i];

        put_replies(row->replies, OLD_LINE);
        round_here(true);
        settle(0);
        settle(2 * w.params.passive_interval_usec);
        round_here(true);
        settle(0);
        ck_assert_msg(strcmp(ops(), row->ops) == 0, "%s: asked \"%s\"", row->name, ops());
        ck_assert_int_eq(applying_look(w.applying, w.core.host.states[0]).state, APPLYING_WAITING);
}
END_TEST

START_TEST(a_refusal_is_logged_once)
{
        w.params.apply_rules = UINT64_C(1) << RULE_STALE_IO_SIZE;       /* nothing may be changed in place */
        tree_write("mountinfo", OLD_LINE CHILD_LINE);
        for (unsigned i = 0; i < 5; i++) {
                round_here(true);
                settle(0);
        }
        ck_assert_str_eq(told, "refused");
        ck_assert_str_eq(ops(), "");
        ck_assert_int_eq(applying_look(w.applying, w.core.host.states[0]).refusal, REFUSAL_SUBMOUNTS);
        ck_assert_ptr_nonnull(applying_look(w.applying, w.core.host.states[0]).refusal_words);
}
END_TEST

START_TEST(recommend_mode_changes_and_refuses_nothing)
{
        w.params.mode = MODE_RECOMMEND;
        if (_i == 1)
                tree_write("mountinfo", OLD_LINE CHILD_LINE);
        round_here(true);
        settle(0);
        ck_assert_str_eq(told, "");
        ck_assert_str_eq(ops(), "");
        ck_assert_int_eq(applying_look(w.applying, w.core.host.states[0]).state, APPLYING_IDLE);
}
END_TEST

#define HALF "rw,vers=4.2,rsize=32768,wsize=32768," TAIL
#define OLD_MOUNT "40 1 0:50 / /data rw,relatime shared:1 - nfs4 server:/data " SLOW "\n"
#define HALF_MOUNT "40 1 0:50 / /data rw,relatime shared:1 - nfs4 server:/data " HALF "\n"

/* What forbids a new mount does not forbid to change the old one. */
static const struct live_row {
        const char *name;
        const char *mountinfo;
        struct reply replies[REPLIES_MAX];
        const char *ops;
} live_rows[] = {
        { .name = "a mount below", .mountinfo = ROOT_LINE CHILD_LINE OLD_MOUNT,
          .replies = { { .op = "look" }, { .op = "live", .mountinfo = ROOT_LINE CHILD_LINE HALF_MOUNT },
                       { .op = "verify", .after_usec = 200 } }, .ops = "look live verify" },
        { .name = "a copy elsewhere", .mountinfo = OLD_LINE,
          .replies = { { .op = "look", .elsewhere = true }, { .op = "look", .elsewhere = true },
                       { .op = "live", .mountinfo = ROOT_LINE HALF_MOUNT }, { .op = "verify", .after_usec = 200 } },
          .ops = "look look live verify" },
};

START_TEST(what_may_not_be_replaced_becomes_async)
{
        const struct live_row *row = &live_rows[_i];

        tree_write("mountinfo", row->mountinfo);
        put_replies(row->replies, row->mountinfo);
        for (unsigned i = 0; i < 4; i++) {
                round_here(true);
                settle(0);
        }
        ck_assert_msg(strcmp(ops(), row->ops) == 0, "%s: asked \"%s\"\n%s", row->name, ops(), logged);
        ck_assert_msg(strcmp(told, "refused applied verified") == 0, "%s: told \"%s\"\n%s", row->name, told, logged);
        ck_assert_msg(remembered(), "%s: %s", row->name, logged);
        ck_assert_msg(remembered()->keys, "%s: %s", row->name, logged);
        ck_assert_str_eq(remembered()->keys, "sync");
}
END_TEST

START_TEST(a_busy_mount_waits_and_is_looked_at_again)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look", .busy = true }, { .op = "look", .busy = true }, { .op = "look" },
                { .op = "replace", .mountinfo = NEW_LINE }, { .op = "verify", .after_usec = 200 } };

        put_replies(replies, OLD_LINE);
        w.params.passive_interval_usec = USEC_PER_HOUR;
        round_here(true);
        settle(0);
        ck_assert_int_eq(applying_look(w.applying, w.core.host.states[0]).state, APPLYING_WAITING);
        round_here(true);               /* too early */
        settle(0);
        ck_assert_str_eq(ops(), "look");
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_uint_gt(w.applying->seats[0]->replace.next_usec, clock_monotonic_usec());
                w.applying->seats[0]->replace.next_usec = 0; /* an hour later */
                round_here(true);
                settle(0);
        }
        ck_assert_str_eq(ops(), "look look look replace verify");
        ck_assert_str_eq(told, "applied verified");
        ck_assert_int_eq(applying_look(w.applying, w.core.host.states[0]).state, APPLYING_IDLE);
}
END_TEST

START_TEST(without_its_directory_nothing_is_changed)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look" }, { .op = "replace", .mountinfo = NEW_LINE }, { .op = "verify", .after_usec = 200 } };

        tree_write("occupied", "");
        ck_assert_int_eq(setenv("STATE_DIRECTORY", tree_path("occupied"), 1), 0);
        put_replies(replies, OLD_LINE);
        start_anew();
        ck_assert_ptr_nonnull(applying_trouble(w.applying));
        round_here(true);
        apply(BUSY_WAIT, false, false);
        settle(0);
        ck_assert_str_eq(w.ends, "refused");
        ck_assert_str_eq(ops(), "");
        ck_assert_int_eq(setenv("STATE_DIRECTORY", tree_path("state"), 1), 0);
        applying_reloaded(w.applying);
        ck_assert_ptr_null(applying_trouble(w.applying));
        round_here(true);
        settle(0);
        ck_assert_str_eq(told, "applied verified");
}
END_TEST

START_TEST(a_damaged_memory_stops_automatic_mode)
{
        applying_free(w.applying);
        tree_write("state/changes.json", "{");
        open_applying();
        ck_assert(applying_is_stopped(w.applying));
        ck_assert_ptr_null(applying_trouble(w.applying));
        round_here(true);
        settle(0);
        ck_assert_str_eq(ops(), "");
}
END_TEST

/* The events as the observer hears them. */
static char heard[512];

static void hear(void *userdata may_be_unused, const char *target, const char *event, const char *words)
{
        size_t n = strlen(heard);

        ck_assert_ptr_nonnull(words);
        snprintf(heard + n, sizeof(heard) - n, "%s%s:%s", n > 0 ? " " : "", target, event);
}

START_TEST(the_observer_hears_of_each_state)
{
        static const struct reply replies[REPLIES_MAX] = {
                { .op = "look" }, { .op = "replace", .end = APPLY_END_ARMED, .mountinfo = ARMED_LINE },
                { .op = "reveal", .mountinfo = NEW_LINE },
                { .op = "verify", .after_usec = 1500 }, { .op = "replace", .mountinfo = BACK_LINE } };

        applying_set_observer(w.applying, hear, NULL);
        put_replies(replies, OLD_LINE);
        round_here(true);
        settle(0);
        ck_assert_int_eq(applying_look(w.applying, w.core.host.states[0]).state, APPLYING_ARMED);
        ck_assert_uint_eq(w.core.host.n_states, 1);
        settle_all();
        ck_assert_str_eq(heard, "/data:armed /data:applied /data:rolling-back /data:rolled-back");
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
        tcase_add_loop_test(c, one_wish_by_hand, 0, (int) ARRAY_SIZE(hand_rows));
        tcase_add_test(c, who_keeps_an_armed_one_waiting_is_told);
        tcase_add_test(c, what_is_mounted_anew_before_it_was_verified_is_left_alone);
        tcase_add_test(c, a_refused_way_back_is_not_taken_for_one_that_was_made);
        tcase_add_test(c, what_is_lost_over_and_over_is_told_once);
        tcase_add_test(c, everybody_hears_the_first_line_alone);
        tcase_add_loop_test(c, a_change_is_taken_back_by_hand, 0, 2);
        tcase_add_loop_test(c, what_was_written_is_taken_back_as_it_was, 0, 2);
        tcase_add_test(c, what_somebody_else_changed_since_is_not_taken_back);
        tcase_add_test(c, a_kept_change_is_made_to_last_later);
        tcase_add_test(c, each_mount_of_a_superblock_can_be_named);
        tcase_add_test(c, a_second_wish_does_not_disturb_the_first);
        tcase_add_test(c, who_waits_is_told_when_the_daemon_ends);
        tcase_add_test(c, a_probe_of_the_same_file_system_goes_first);
        tcase_add_loop_test(c, changes_by_somebody_else_are_remembered, 0, (int) ARRAY_SIZE(outside_rows));
        tcase_add_loop_test(c, a_restart_knows_what_is_its_own, 0, (int) ARRAY_SIZE(restart_rows));
        tcase_add_loop_test(c, records_of_an_earlier_run, 0, (int) ARRAY_SIZE(record_rows));
        tcase_add_test(c, records_come_before_automatic_changes);
        tcase_add_test(c, a_change_that_was_not_verified_is_verified_after_a_restart);
        tcase_add_test(c, two_failures_stop_automatic_mode_until_resume);
        tcase_add_loop_test(c, a_busy_mount_is_tried_again_at_its_price, 0, ARRAY_SIZE(busy_rows));
        tcase_add_test(c, a_refusal_is_logged_once);
        tcase_add_loop_test(c, recommend_mode_changes_and_refuses_nothing, 0, 2);
        tcase_add_loop_test(c, what_may_not_be_replaced_becomes_async, 0, ARRAY_SIZE(live_rows));
        tcase_add_test(c, a_busy_mount_waits_and_is_looked_at_again);
        tcase_add_test(c, without_its_directory_nothing_is_changed);
        tcase_add_test(c, a_damaged_memory_stops_automatic_mode);
        tcase_add_test(c, the_observer_hears_of_each_state);
        suite_add_tcase(suite, c);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
