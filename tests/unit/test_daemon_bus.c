/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * org.nfstuned1 on a bus of our own, called by nfstunectl itself. The daemon's insides are
 * played: what is applied is written down, probes end when the test says so.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "daemon/bus.h"
#include "daemon/probing.h"
#include "probe/clock.h"
#include "tests/unit/tree.h"

#define PATIENCE_USEC (20 * USEC_PER_SEC)
#define NOBODY 65534

static const char mountinfo[] =
        "36 1 0:40 / /data rw,relatime shared:1 - nfs4 server:/data rw,sync,vers=4.2,rsize=32768,wsize=32768,namlen=255,"
        "hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=192.0.2.2,local_lock=none,addr=192.0.2.1\n"
        "37 1 0:41 / /a\\040b rw,relatime shared:1 - nfs server:/b rw,vers=3,rsize=262144,wsize=262144,namlen=255,"
        "hard,proto=tcp,timeo=600,retrans=2,sec=sys,mountaddr=192.0.2.1,local_lock=none,addr=192.0.2.1\n";

static struct core core;
static struct params params;
static struct bus *bus;
static pid_t dbus;

/* ---- the daemon's insides ------------------------------------------------------------ */

static char wish_seen[512];             /* what applying_*() was asked for, in words */
static const struct apply_outcome usual = { .end = "verified", .words = "changed", .json = "{}" };
static const struct apply_outcome *answer = &usual;
static unsigned probes_started;
static int probe_start_result;

static void (*observer)(void *userdata, const char *target, const char *event, const char *words);
static void *observer_data;

void applying_set_observer(struct applying *a may_be_unused,
                           void (*changed)(void *userdata, const char *target, const char *event, const char *words),
                           void *userdata)
{
        observer = changed;
        observer_data = userdata;
}

struct applying_view applying_look(const struct applying *a may_be_unused, const struct mountstate *s may_be_unused)
{
        return (struct applying_view) { .state = APPLYING_IDLE };
}

const char *applying_state_name(enum applying_state s may_be_unused)
{
        return "armed";
}

bool applying_is_stopped(const struct applying *a may_be_unused)
{
        return false;
}

const char *applying_trouble(const struct applying *a may_be_unused)
{
        return NULL;
}

void applying_apply(struct applying *a may_be_unused, const struct apply_wish *w, apply_outcome_fn *done,
                    void *userdata)
{
        (void) snprintf(wish_seen, sizeof(wish_seen), "apply %s busy=%s%s%s%s", w->target, busy_mode_name(w->busy),
                        w->rules && w->rules[RULE_SYNC_CLIENT] ? " sync-client" : "", w->dry_run ? " dry" : "",
                        w->persist ? " persist" : "");
        done(userdata, answer);
}

void applying_rollback(struct applying *a may_be_unused, const char *target, bool persist, apply_outcome_fn *done,
                       void *userdata)
{
        (void) snprintf(wish_seen, sizeof(wish_seen), "rollback %s%s", target, persist ? " persist" : "");
        done(userdata, answer);
}

void applying_resume(struct applying *a may_be_unused, apply_outcome_fn *done, void *userdata)
{
        (void) snprintf(wish_seen, sizeof(wish_seen), "resume");
        done(userdata, answer);
}

int probing_start(struct core *c may_be_unused, struct mountstate *s may_be_unused,
                  enum probing_kind kind may_be_unused)
{
        probes_started++;
        return probe_start_result;
}

/* ---- a bus -------------------------------------------------------------------------------- */

/* A root without CAP_SYS_ADMIN, as in many containers, is refused as it should be. */
static const char *missing(void)
{
        if (system("command -v dbus-daemon >/dev/null 2>&1") != 0)      /* tests only */
                return "dbus-daemon is not installed";
        if (geteuid() == 0 && prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN) != 1)
                return "this root has no CAP_SYS_ADMIN";
        return NULL;
}

/* As on a host: nobody owns or calls anything but what our own policy allows. Who tests without being root may own the
 * name, too. */
static void write_config(void)
{
        char text[2048], own[128] = "";

        if (geteuid() != 0)
                (void) snprintf(own, sizeof(own), "<policy user='%u'><allow own='" BUS_NAME "'/></policy>",
                                (unsigned) geteuid());

        (void) snprintf(text, sizeof(text),
                        "<!DOCTYPE busconfig PUBLIC '-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN'"
                        " 'http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd'>\n"
                        "<busconfig><type>custom</type><listen>unix:path=%s</listen><auth>EXTERNAL</auth>\n"
                        "<policy context='default'><allow user='*'/><deny own='*'/><deny send_type='method_call'/>"
                        "<allow send_type='signal'/><allow send_requested_reply='true' send_type='method_return'/>"
                        "<allow send_requested_reply='true' send_type='error'/><allow receive_type='method_call'/>"
                        "<allow receive_type='method_return'/><allow receive_type='error'/>"
                        "<allow receive_type='signal'/><allow send_destination='org.freedesktop.DBus'/></policy>\n"
                        "<include>%s/../../etc/dbus/org.nfstuned1.conf</include>\n"
                        "%s</busconfig>\n",
                        tree_path("bus"), TEST_DATA, own);
        tree_write("bus.conf", text);
}

static void start_dbus(void)
{
        char config[PATH_MAX + 32];

        (void) snprintf(config, sizeof(config), "--config-file=%s", tree_path("bus.conf"));
        dbus = fork();
        if (dbus == 0) {
                (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
                if (!freopen(tree_path("dbus.err"), "w", stderr))       /* it cannot raise a limit in containers */
                        _exit(126);
                execlp("dbus-daemon", "dbus-daemon", "--nofork", "--nopidfile", config, (char *) NULL);
                _exit(127);
        }
        ck_assert_int_gt(dbus, 0);
}

static void stop_dbus(void)
{
        if (dbus <= 0)
                return;
        (void) kill(dbus, SIGKILL);
        (void) waitpid(dbus, NULL, 0);
        dbus = 0;
        (void) unlink(tree_path("bus"));
}

/* ---- the daemon around it ------------------------------------------------------------------ */

static struct probe_root root;
static struct manager_options options;

static void add_advice(struct mountstate *s)
{
        struct recommendation *r = calloc(1, sizeof(*r));

        ck_assert_ptr_nonnull(r);
        *r = (struct recommendation) { .rule = RULE_SYNC_CLIENT, .confidence = CONFIDENCE_OBSERVED,
                                       .method = METHOD_LIVE, .summary = strdup("every write waits") };
        s->advice = (struct advice) { .recommendations = r, .n_recommendations = 1 };
        s->judged = true;
}

static void set_up(void)
{
        static char address[PATH_MAX + 32];

        tree_setup();
        (void) chmod(tree, 0755);       /* others call too */
        (void) snprintf(address, sizeof(address), "unix:path=%s", tree_path("bus"));
        ck_assert_int_eq(setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1), 0);
        tree_write("mountinfo", mountinfo);
        write_config();
        root = probe_root_host;
        root.mountinfo = strdup(tree_path("mountinfo"));
        options = (struct manager_options) { .root = &root, .journal = { .to_stderr = true, .quiet = true } };
        ck_assert_int_eq(params_init(&params), 0);
        ck_assert_int_eq(core_init(&core, &options, &params), 0);
        ck_assert_int_eq(host_observe(&core.host, &root, NULL, 1, NULL), 0);
        ck_assert_uint_eq(core.host.n_states, 2);
        add_advice(core.host.states[0]);
}

static void tear_down(void)
{
        bus_free(bus);
        core_done(&core);
        stop_dbus();
        tree_teardown();
}

static void new_bus(void)
{
        ck_assert_int_eq(bus_new(&core, NULL, &bus), 0);
}

static void turn(void)
{
        ck_assert_int_ge(sd_event_run(core.event, 20 * USEC_PER_MSEC), 0);
}

/* ---- nfstunectl ------------------------------------------------------------------------------- */

struct called {
        pid_t pid;
        int status;
        char out[65536], err[4096];
};

static void read_back(const char *name, char *ret, size_t size)
{
        FILE *f = fopen(tree_path(name), "r");
        size_t n;

        ck_assert_ptr_nonnull(f);
        n = fread(ret, 1, size - 1, f);
        ret[n] = '\0';
        (void) fclose(f);
}

/* By a descriptor: the directory of the build need not be open to everybody. */
static pid_t start_call(uid_t uid, const char *program, const char *arguments)
{
        char line[PATH_MAX + 1024];
        int program_fd = open(program, O_RDONLY);
        pid_t pid;

        ck_assert_int_ge(program_fd, 0);
        (void) snprintf(line, sizeof(line), "exec /proc/self/fd/%d %s >%s 2>%s", program_fd, arguments, tree_path("out"),
                        tree_path("err"));
        tree_write("out", "");
        tree_write("err", "");
        (void) chmod(tree_path("out"), 0666);
        (void) chmod(tree_path("err"), 0666);
        pid = fork();
        if (pid == 0) {
                if (uid != geteuid() && setresuid(uid, uid, uid) < 0)
                        _exit(126);
                execl("/bin/sh", "sh", "-c", line, (char *) NULL);
                _exit(127);
        }
        ck_assert_int_gt(pid, 0);
        close(program_fd);
        return pid;
}

static bool call_ended(struct called *c)
{
        int status;

        if (c->pid == 0)        /* was asked before, and there is nobody to wait for twice */
                return true;
        if (waitpid(c->pid, &status, WNOHANG) != c->pid)
                return false;
        c->pid = 0;
        c->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        read_back("out", c->out, sizeof(c->out));
        read_back("err", c->err, sizeof(c->err));
        return true;
}

static void call(uid_t uid, const char *arguments, struct called *ret)
{
        usec_t start_usec = clock_monotonic_usec();

        ret->pid = start_call(uid, TEST_BUILD "/nfstunectl", arguments);
        while (!call_ended(ret)) {
                turn();
                ck_assert_msg(clock_monotonic_usec() - start_usec < PATIENCE_USEC, "no end: nfstunectl %s", arguments);
        }
}

/* Until the bus is there and knows us. */
static void call_patiently(const char *arguments, struct called *ret)
{
        usec_t start_usec = clock_monotonic_usec();

        do {
                turn();
                call(geteuid(), arguments, ret);
        } while (ret->status == 2 && clock_monotonic_usec() - start_usec < PATIENCE_USEC);
}

/* ---- what is answered ----------------------------------------------------------------------- */

static const struct answer_row {
        const char *name;
        const char *arguments;
        int status;
        const char *out, *err;          /* part of it; NULL: nothing there */
        const char *wish;               /* NULL: the daemon was not asked for a change */
        const struct apply_outcome *answer;
        uid_t uid;                      /* 0: who runs the test */
} answer_rows[] = {
        { "status", "status", 0, "/data ", NULL, NULL, NULL, 0 },
        { "status for scripts", "status --json", 0, "\"target\": \"/a b\"", NULL, NULL, NULL, 0 },
        { "advice about all", "advice", 0, "sync-client", NULL, NULL, NULL, 0 },
        { "advice says what is not judged yet", "advice", 0, "not judged yet", NULL, NULL, NULL, 0 },
        { "advice about one", "advice /data", 0, "sync-client", NULL, NULL, NULL, 0 },
        { "advice for scripts", "advice /data --json", 0, "\"rule\": \"sync-client\"", NULL, NULL, NULL, 0 },
        { "a slash at the end", "advice /data/", 0, "sync-client", NULL, NULL, NULL, 0 },
        { "advice about one that is not judged", "advice '/a b'", 1, NULL, "10 s", NULL, NULL, 0 },
        { "advice about what is no mount", "advice /dat", 2, NULL, "/dat is not the mount point", NULL, NULL, 0 },
        { "an ordinary user reads", "status", 0, "/data ", NULL, NULL, NULL, NOBODY },
        { "an ordinary user reads advice", "advice", 0, "sync-client", NULL, NULL, NULL, NOBODY },

        { "apply", "apply /data", 0, "changed", NULL, "apply /data busy=wait", NULL, 0 },
        { "a path with a blank", "apply '/a b'", 0, "changed", NULL, "apply /a b busy=wait", NULL, 0 },
        { "apply with everything", "apply /data --rule sync-client --busy detach --dry-run --persist", 0, "changed",
          NULL, "apply /data busy=detach sync-client dry persist", NULL, 0 },
        { "apply for scripts", "apply /data --json", 0, "{}\n", NULL, "apply /data busy=wait", NULL, 0 },
        { "apply to what is no mount", "apply /tmp", 2, NULL, "/tmp is not the mount point", NULL, NULL, 0 },
        { "armed is done", "apply /data", 0, "waits", NULL, "apply /data busy=wait",
          &(const struct apply_outcome) { .end = "armed", .words = "it waits", .json = "{}" }, 0 },
        { "refused", "apply /data", 1, NULL, "not done (refused)", "apply /data busy=wait",
          &(const struct apply_outcome) { .end = "refused", .words = "it is\na database", .json = "{}" }, 0 },
        { "refused for scripts", "apply /data --json", 1, "{\"end\"", NULL, "apply /data busy=wait",
          &(const struct apply_outcome) { .end = "refused", .words = "no", .json = "{\"end\":\"refused\"}" }, 0 },
        { "a change that was taken back", "apply /data", 1, NULL, "slower", "apply /data busy=wait",
          &(const struct apply_outcome) { .end = "rolled-back", .words = "it was slower", .json = "{}" }, 0 },
        { "words of others that are no UTF-8", "apply /data", 1, NULL, "bad \\xff", "apply /data busy=wait",
          &(const struct apply_outcome) { .end = "failed", .words = "bad \xff", .json = "{}" }, 0 },
        { "rollback", "rollback /data --persist", 0, "back", NULL, "rollback /data persist",
          &(const struct apply_outcome) { .end = "rolled-back", .words = "it is back", .json = "{}" }, 0 },
        { "resume", "resume", 0, "changed", NULL, "resume", NULL, 0 },

        { "an ordinary user applies", "apply /data", 1, NULL, "try sudo nfstunectl apply /data", NULL, NULL, NOBODY },
        { "an ordinary user wants to see", "apply /data --dry-run", 1, NULL, "apply /data --dry-run\n", NULL, NULL,
          NOBODY },
        { "an ordinary user applies with everything",
          "apply /data --rule sync-client --busy detach --dry-run --persist", 1, NULL,
          "apply /data --rule sync-client --dry-run --persist --busy detach\n", NULL, NULL, NOBODY },
        { "an ordinary user rolls back", "rollback '/a b'", 1, NULL, "sudo nfstunectl rollback '/a b'\n", NULL, NULL,
          NOBODY },
        { "an ordinary user rolls all back", "rollback /data --persist", 1, NULL, "rollback /data --persist\n", NULL,
          NULL, NOBODY },
        { "an ordinary user probes", "probe /data", 1, NULL, "Only root", NULL, NULL, NOBODY },
        { "an ordinary user resumes", "resume", 1, NULL, "sudo nfstunectl resume", NULL, NULL, NOBODY },
};

static void check_text(const char *name, const char *what, const char *text, const char *wanted)
{
        if (wanted)
                ck_assert_msg(strstr(text, wanted), "%s: %s is %s", name, what, text);
        else
                ck_assert_msg(*text == '\0', "%s: %s is %s", name, what, text);
}

START_TEST(answers)
{
        const struct answer_row *row = &answer_rows[_i];
        static struct called c;

        if (missing() || (row->uid && geteuid() != 0))
                return;
        start_dbus();
        new_bus();
        call_patiently("status", &c);
        if (row->answer)
                answer = row->answer;
        call(row->uid ? row->uid : geteuid(), row->arguments, &c);
        ck_assert_msg(c.status == row->status, "%s: status %d: %s", row->name, c.status, c.err);
        check_text(row->name, "standard output", c.out, row->out);
        check_text(row->name, "standard error", c.err, row->err);
        ck_assert_msg(strcmp(wish_seen, row->wish ? row->wish : "") == 0, "%s: %s", row->name, wish_seen);
}
END_TEST

/* ---- calls that nfstunectl does not make ------------------------------------------------------ */

static const struct forged_row {
        const char *name;
        const char *member, *types;
        const char *mount, *busy, *rule;
        const char *error;
} forged_rows[] = {
        { "a relative path", "Apply", "sassbb", "data", "wait", NULL, SD_BUS_ERROR_INVALID_ARGS },
        { "an empty path", "Apply", "sassbb", "", "wait", NULL, SD_BUS_ERROR_INVALID_ARGS },
        { "a slash at the end", "Apply", "sassbb", "/data/", "wait", NULL, SD_BUS_ERROR_INVALID_ARGS },
        { "a path through dots", "Apply", "sassbb", "/data/../data", "wait", NULL, BUS_ERROR_NO_SUCH_MOUNT },
        { "an over-long path", "Apply", "sassbb", "LONG", "wait", NULL, SD_BUS_ERROR_INVALID_ARGS },
        { "a directory that is no mount", "Apply", "sassbb", "/", "wait", NULL, BUS_ERROR_NO_SUCH_MOUNT },
        { "no such busy word", "Apply", "sassbb", "/data", "force", NULL, SD_BUS_ERROR_INVALID_ARGS },
        { "no such rule", "Apply", "sassbb", "/data", "wait", "rm-rf", SD_BUS_ERROR_INVALID_ARGS },
        { "a rule of an unusual length", "Apply", "sassbb", "/data", "wait", "LONG", SD_BUS_ERROR_INVALID_ARGS },
        { "wrong types", "Apply", "sb", "/data", NULL, NULL, SD_BUS_ERROR_INVALID_ARGS },
        { "no such method", "Format", "sb", "/data", NULL, NULL, SD_BUS_ERROR_UNKNOWN_METHOD },
        { "rollback of what is no mount", "Rollback", "sb", "/etc", NULL, NULL, BUS_ERROR_NO_SUCH_MOUNT },
        { "no such form", "Advice", "ss", "/data", "xml", NULL, SD_BUS_ERROR_INVALID_ARGS },
        { "no such form of a probe", "Probe", "ss", "/data", "xml", NULL, SD_BUS_ERROR_INVALID_ARGS },
        { "introspection is for everybody", "Introspect", "", NULL, NULL, NULL, NULL },
};

static char error_seen[256];
static bool replied;

static int on_reply(sd_bus_message *m, void *userdata may_be_unused, sd_bus_error *e may_be_unused)
{
        const sd_bus_error *error = sd_bus_message_get_error(m);

        replied = true;
        (void) snprintf(error_seen, sizeof(error_seen), "%s", error ? error->name : "");
        return 0;
}

static void append_forged(sd_bus_message *m, const struct forged_row *row)
{
        static char longer[8192];
        const char *mount = row->mount && strcmp(row->mount, "LONG") == 0 ? longer : row->mount;
        const char *rule = row->rule && strcmp(row->rule, "LONG") == 0 ? longer : row->rule;
        int r = 0;

        memset(longer, 'x', sizeof(longer) - 1);
        longer[0] = '/';
        if (strcmp(row->types, "sb") == 0)
                r = sd_bus_message_append(m, "sb", mount, 0);
        else if (strcmp(row->types, "ss") == 0)
                r = sd_bus_message_append(m, "ss", mount, row->busy);
        else if (*row->types && rule)
                r = sd_bus_message_append(m, "sassbb", mount, 1, rule, row->busy, 0, 0);
        else if (*row->types)
                r = sd_bus_message_append(m, "sassbb", mount, 0, row->busy, 0, 0);
        ck_assert_int_ge(r, 0);
}

START_TEST(forged_calls_change_nothing)
{
        const struct forged_row *row = &forged_rows[_i];
        bool introspect = strcmp(row->member, "Introspect") == 0;
        usec_t start_usec = clock_monotonic_usec();
        static struct called c;
        sd_bus *client = NULL;
        sd_bus_message *m = NULL;

        if (missing())
                return;
        start_dbus();
        new_bus();
        call_patiently("status", &c);
        ck_assert_int_ge(sd_bus_open_system(&client), 0);
        ck_assert_int_ge(sd_bus_attach_event(client, core.event, 0), 0);
        ck_assert_int_ge(sd_bus_message_new_method_call(client, &m, BUS_NAME, BUS_PATH,
                                                        introspect ? "org.freedesktop.DBus.Introspectable"
                                                                   : BUS_INTERFACE, row->member), 0);
        append_forged(m, row);
        ck_assert_int_ge(sd_bus_call_async(client, NULL, m, on_reply, NULL, 0), 0);
        while (!replied && clock_monotonic_usec() - start_usec < PATIENCE_USEC)
                turn();
        ck_assert_msg(replied, "%s: no reply", row->name);
        ck_assert_msg(strcmp(error_seen, row->error ? row->error : "") == 0, "%s: %s", row->name, error_seen);
        ck_assert_msg(wish_seen[0] == '\0' && probes_started == 0, "%s: something was done", row->name);
        sd_bus_message_unref(m);
        (void) sd_bus_detach_event(client);
        sd_bus_flush_close_unref(client);
}
END_TEST

/* ---- probes ---------------------------------------------------------------------------------------- */

static const struct probe_row {
        const char *name;
        int start_result;
        bool ends;
        bool gone;                      /* the mount is unmounted meanwhile */
        int status;
        const char *text;
} probe_rows[] = {
        { "a probe that ends", 0, true, false, 0, "sync-client" },
        { "one that another child delays", -EBUSY, true, false, 0, "sync-client" },
        { "a mount that goes away", 0, false, true, 2, "unmounted meanwhile" },
        { "a helper that cannot be started", -ENOENT, false, false, 1, "cannot be started" },
};

START_TEST(probes_are_waited_for)
{
        const struct probe_row *row = &probe_rows[_i];
        usec_t start_usec;
        static struct called c;

        if (missing())
                return;
        start_dbus();
        new_bus();
        call_patiently("status", &c);
        probe_start_result = row->start_result;
        c.pid = start_call(geteuid(), TEST_BUILD "/nfstunectl", "probe /data");
        start_usec = clock_monotonic_usec();
        while (probes_started < (row->start_result == -EBUSY ? 2 : 1)) {
                turn();
                ck_assert_msg(clock_monotonic_usec() - start_usec < PATIENCE_USEC, "%s: nothing started", row->name);
        }
        ck_assert_msg(!call_ended(&c) || row->start_result == -ENOENT, "%s: it did not wait: %s", row->name, c.err);
        if (row->ends) {
                bus_probe_ended(bus, core.host.states[0], PROBING_NULL);
                turn();
                ck_assert_msg(!call_ended(&c), "%s: it did not wait for the whole", row->name);
                bus_probe_ended(bus, core.host.states[0], PROBING_FULL);
        }
        if (row->gone)
                core.host.states[0]->generation += 100;
        while (!call_ended(&c)) {
                turn();
                ck_assert_msg(clock_monotonic_usec() - start_usec < PATIENCE_USEC, "%s: no end", row->name);
        }
        ck_assert_msg(c.status == row->status, "%s: status %d: %s", row->name, c.status, c.err);
        check_text(row->name, "output", row->status ? c.err : c.out, row->text);
}
END_TEST

/* ---- the bus itself ---------------------------------------------------------------------------------- */

START_TEST(a_bus_that_comes_later_and_again)
{
        static struct called c;

        if (missing())
                return;
        new_bus();
        for (int i = 0; i < 10; i++)
                turn();
        call(geteuid(), "status", &c);
        ck_assert_int_eq(c.status, 2);
        check_text("no bus", "standard error", c.err, "cannot be reached");
        for (int i = 0; i < 2; i++) {
                start_dbus();
                call_patiently("status", &c);
                ck_assert_msg(c.status == 0, "bus %d: %s", i, c.err);
                stop_dbus();
                observer(observer_data, "/data", "applied", "while it is away");
        }
}
END_TEST

START_TEST(a_service_that_does_not_run)
{
        static struct called c;
        usec_t start_usec = clock_monotonic_usec();

        if (missing())
                return;
        start_dbus();
        do
                call(geteuid(), "status", &c);
        while (strstr(c.err, "cannot be reached") && clock_monotonic_usec() - start_usec < PATIENCE_USEC);
        ck_assert_int_eq(c.status, 2);
        check_text("no service", "standard error", c.err, "systemctl start nfstuned");
}
END_TEST

static char signal_seen[128];

static int on_signal(sd_bus_message *m, void *userdata may_be_unused, sd_bus_error *e may_be_unused)
{
        const char *mount, *event, *words;

        ck_assert_int_ge(sd_bus_message_read(m, "sss", &mount, &event, &words), 0);
        (void) snprintf(signal_seen, sizeof(signal_seen), "%s %s %s", mount, event, words);
        return 0;
}

START_TEST(changes_are_signalled)
{
        usec_t start_usec = clock_monotonic_usec();
        static struct called c;
        sd_bus *client = NULL;

        if (missing())
                return;
        start_dbus();
        new_bus();
        call_patiently("status", &c);
        ck_assert_int_ge(sd_bus_open_system(&client), 0);
        ck_assert_int_ge(sd_bus_match_signal(client, NULL, BUS_NAME, BUS_PATH, BUS_INTERFACE, "Changed", on_signal,
                                             NULL), 0);
        ck_assert_int_ge(sd_bus_attach_event(client, core.event, 0), 0);
        observer(observer_data, "/data", "verified", "14 times as fast");
        while (!signal_seen[0] && clock_monotonic_usec() - start_usec < PATIENCE_USEC)
                turn();
        ck_assert_str_eq(signal_seen, "/data verified 14 times as fast");
        (void) sd_bus_detach_event(client);
        sd_bus_flush_close_unref(client);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon/bus");
        TCase *t = tcase_create("bus");
        SRunner *runner;
        int failed;

        if (missing())
                printf("SKIP: the bus: %s\n", missing());
        tcase_add_checked_fixture(t, set_up, tear_down);
        tcase_set_timeout(t, 60);
        tcase_add_loop_test(t, answers, 0, ARRAY_SIZE(answer_rows));
        tcase_add_loop_test(t, forged_calls_change_nothing, 0, ARRAY_SIZE(forged_rows));
        tcase_add_loop_test(t, probes_are_waited_for, 0, ARRAY_SIZE(probe_rows));
        tcase_add_test(t, a_bus_that_comes_later_and_again);
        tcase_add_test(t, a_service_that_does_not_run);
        tcase_add_test(t, changes_are_signalled);
        suite_add_tcase(s, t);
        runner = srunner_create(s);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? 1 : 0;
}
