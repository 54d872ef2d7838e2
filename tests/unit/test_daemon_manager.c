/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole daemon over recorded files and played helpers: one round as JSON,
 * and some seconds of the service. The journal is a double: one line per event.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "daemon/apply_request.h"
#include "daemon/check.h"
#include "daemon/manager.h"
#include "policy/names.h"
#include "probe/file.h"
#include "probe/observation_json.h"
#include "probe/observe.h"

#define PATIENCE_USEC (20 * USEC_PER_SEC)

/* ---- the journal's double: standard error, one event a line --------------------- */

void journal_recommendation(const struct journal *j may_be_unused, const struct observation *o,
                            const struct recommendation *r, const struct plan *plan may_be_unused,
                            uint64_t round may_be_unused)
{
        fprintf(stderr, "recommendation %s %s %s\n", o->mount.target, rule_name(r->rule),
                confidence_name(r->confidence));
}

void journal_resolved(const struct journal *j may_be_unused, const struct observation *o, enum rule rule,
                      uint64_t round may_be_unused)
{
        fprintf(stderr, "resolved %s %s\n", o->mount.target, rule_name(rule));
}

void journal_probe(const struct journal *j may_be_unused, const struct observation *o, uint64_t round may_be_unused)
{
        fprintf(stderr, "probe %s %s\n", o->mount.target, probe_state_name(o->probe.state));
}

void journal_unresponsive(const struct journal *j may_be_unused, const struct observation *o,
                          uint64_t round may_be_unused)
{
        fprintf(stderr, "unresponsive %s\n", o->mount.target);
}

void journal_recovered(const struct journal *j may_be_unused, const struct observation *o,
                       usec_t silent_usec may_be_unused, uint64_t round may_be_unused)
{
        fprintf(stderr, "recovered %s\n", o->mount.target);
}

void journal_config_error(const struct journal *j may_be_unused, const char *errors, bool old_kept)
{
        fprintf(stderr, "config-error %s %s\n", old_kept ? "kept" : "refused", errors);
}

void journal_started(const struct journal *j may_be_unused, size_t n_mounts, size_t n_leftover_children may_be_unused,
                     const char *mode)
{
        fprintf(stderr, "started %zu %s\n", n_mounts, mode);
}

void journal_nothing_to_change(const struct journal *j may_be_unused, size_t n_mounts)
{
        fprintf(stderr, "nothing-to-change %zu\n", n_mounts);
}

static void tell_change(const char *event, const struct change_story *s)
{
        fprintf(stderr, "%s %s\n", event, s->mount->target);
}

void journal_applied(const struct journal *j may_be_unused, const struct change_story *s)
{
        tell_change("applied", s);
}

void journal_armed(const struct journal *j may_be_unused, const struct change_story *s)
{
        tell_change("armed", s);
}

void journal_verified(const struct journal *j may_be_unused, const struct change_story *s)
{
        tell_change("verified", s);
}

void journal_rolled_back(const struct journal *j may_be_unused, const struct change_story *s)
{
        tell_change("rolled-back", s);
}

void journal_refused(const struct journal *j may_be_unused, const struct change_story *s)
{
        tell_change("refused", s);
}

void journal_log(const struct journal *j may_be_unused, int priority, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        fprintf(stderr, "log %d ", priority);
        vfprintf(stderr, format, args);
        fputc('\n', stderr);
        va_end(args);
}

void journal_log_lines(const struct journal *j, int priority, const char *lines)
{
        journal_log(j, priority, "%s", lines);
}

/* ---- a host in a directory -------------------------------------------------------- */

static char home[64];

/* Lives until seven more were asked for. */
static const char *at(const char *name)
{
        static char paths[8][128];
        static unsigned next;
        char *path = paths[next++ % ARRAY_SIZE(paths)];

        snprintf(path, sizeof(paths[0]), "%s/%s", home, name);
        return path;
}

static void put(const char *name, const char *text)
{
        FILE *f = fopen(at(name), "we");

        ck_assert_ptr_nonnull(f);
        ck_assert_int_ge(fputs(text, f), 0);
        ck_assert_int_eq(fclose(f), 0);
}

static char *get(const char *name)
{
        char *text = NULL;
        size_t n;

        return file_read(at(name), MIB, &text, &n) == 0 ? text : strdup("");
}

/* Plays nfstuned-probe: the answer is that of the mount's name, dead or data,
 * to a request that may write or not. */
static const char helper[] =
        "#!/bin/sh\n"
        "d=${0%/*}\n"
        "request=$(cat)\n"
        "printf '%s\\n' \"$request\" >> $d/requests\n"
        "case $request in *'\"/dead\"'*) m=dead ;; *) m=data ;; esac\n"
        "cat $d/answer-$m\n"
        "case $request in *'\"write\":true'*|*'\"write\": true'*) cat $d/probe-$m ;; esac\n"
        "[ -e $d/deaf-$m ] && trap '' TERM\n"
        "[ -e $d/hang-$m ] && exec sleep 60\n"
        "exit 0\n";

#define DATA_OPTIONS "rw,sync,vers=4.2,rsize=32768,wsize=32768,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys," \
        "clientaddr=192.0.2.1,local_lock=none,addr=192.0.2.2"
#define GOOD_OPTIONS "rw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys," \
        "clientaddr=192.0.2.1,local_lock=none,addr=192.0.2.3"
#define DATA_LINE "40 1 0:50 / /data rw,relatime shared:1 - nfs4 server:/data " DATA_OPTIONS "\n"
#define GOOD_LINE "41 1 0:51 / /good rw,relatime shared:1 - nfs4 other:/good " GOOD_OPTIONS "\n"
#define DEAD_LINE "42 1 0:52 / /dead rw,relatime shared:1 - nfs4 lost:/dead " GOOD_OPTIONS "\n"
#define ROOT_LINE "1 0 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"

static void put_server(const char *name, enum answer answer, enum limit_source source)
{
        struct server_facts f = { .null_answer = answer, .null_replies = answer == ANSWER_OK ? 5 : 0,
                                  .null_median_usec = 500, .versions_known = answer == ANSWER_OK,
                                  .versions = NFS_V4_1 | NFS_V4_2, .limit_source = source,
                                  .read_max_bytes = source ? MIB : 0, .write_max_bytes = source ? MIB : 0 };
        char *json = server_part_to_json(&f);
        char line[4096];

        ck_assert_ptr_nonnull(json);
        snprintf(line, sizeof(line), "%s\n", json);
        put(name, line);
        free(json);
}

static void put_probe(const char *name, enum probe_state state)
{
        struct probe_result p = { .state = state };
        char *json = probe_part_to_json(&p);
        char line[16384];

        ck_assert_ptr_nonnull(json);
        snprintf(line, sizeof(line), "%s\n", json);
        put(name, line);
        free(json);
}

static void setup(void)
{
        strcpy(home, "/tmp/nfstuned-manager-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(home));
        put("nfstuned-probe", helper);
        ck_assert_int_eq(chmod(at("nfstuned-probe"), 0755), 0);
        put("mountinfo", ROOT_LINE DATA_LINE);
        put("fstab", "server:/data /data nfs4 sync,rsize=32768,wsize=32768,bg,intr 0 0\n");
        put("mountstats", "");
        put("utab", "");
        put("cmdline", "");
        put_server("answer-data", ANSWER_OK, LIMIT_V4_ATTRIBUTES);
        put_server("answer-dead", ANSWER_NONE, LIMIT_UNKNOWN);
        put_probe("probe-data", PROBE_ACTIVE);
        put("probe-dead", "");
        put("requests", "");
        put("good.conf", "[daemon]\nspread = 0\n");
        /* Neither this host's records nor its bus. */
        ck_assert_int_eq(setenv("STATE_DIRECTORY", at("state"), 1), 0);
        ck_assert_int_eq(setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/nfstuned", 1), 0);
        put("bad.conf", "[daemon]\nsprad = 0\n");
}

static void teardown(void)
{
        char command[128];

        snprintf(command, sizeof(command), "rm -rf '%s'", home);
        ck_assert_int_eq(system(command), 0);
}

/* ---- running ------------------------------------------------------------------------ */

struct run {
        bool once;
        bool passive;
        bool observation;               /* instead of the report */
        const char *target;
        const char *socket;
        const char *helper_dir;         /* NULL: home */
        usec_t spread_usec;
        usec_t time_usec;               /* that a helper has; 0: 50 ms */
};

static void redirect(int to, const char *name)
{
        int fd = open(at(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        if (fd < 0 || dup2(fd, to) < 0)
                _exit(99);
}

static int run_here(const struct run *run)
{
        static const char *const none[] = { NULL };
        const struct probe_root root = { .mountinfo = at("mountinfo"), .mountstats = at("mountstats"),
                                         .fstab = at("fstab"), .utab = at("utab"), .cmdline = at("cmdline"),
                                         .sys = home, .unit_dirs = none, .nfsmount_confs = none };
        const char *const targets[] = { run->target, NULL };
        const struct manager_options options = {
                .config_file = strdup(at("live.conf")), .config_must_exist = true, .once = run->once,
                .json = run->once && !run->observation, .observation = run->observation,
                .passive = run->passive, .targets = run->target ? targets : NULL,
                .helper_dir = run->helper_dir ? run->helper_dir : home, .mount_socket = run->socket, .root = &root,
                .journal = { .to_stderr = true },
        };
        struct params params;
        int status;

        if (!options.config_file || params_init(&params) < 0)
                _exit(98);
        params.spread_usec = run->spread_usec;
        params.passive_interval_usec = 200 * USEC_PER_MSEC;
        params.connect_timeout_usec = 50 * USEC_PER_MSEC;
        params.probe_time_usec = run->time_usec ? run->time_usec : 50 * USEC_PER_MSEC;
        status = manager_run(&options, &params);
        free((char *) options.config_file);
        return status;
}

static pid_t start(const struct run *run)
{
        pid_t pid;

        fflush(NULL);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                (void) signal(SIGHUP, SIG_DFL); /* nohup(1) is respected */
                redirect(STDOUT_FILENO, "stdout");
                redirect(STDERR_FILENO, "stderr");
                setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
                exit(run_here(run));
        }
        return pid;
}

static int finish(pid_t pid)
{
        int status;

        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(WIFEXITED(status));
        return WEXITSTATUS(status);
}

/* ---- one round ----------------------------------------------------------------------- */

static json_t *report_of(const struct run *run)
{
        int status = finish(start(run));
        char *out = get("stdout");
        char *err = get("stderr");
        json_t *j = json_loads(out, 0, NULL);

        ck_assert_msg(status == 0, "status %d: %s", status, err);
        ck_assert_msg(j != NULL, "no JSON: %s", out);
        ck_assert_int_eq(json_integer_value(json_object_get(j, "version")), 1);
        free(out);
        free(err);
        return j;
}

static const char *confidence_of(json_t *report, const char *rule)
{
        json_t *mount = json_array_get(json_object_get(report, "mounts"), 0), *r;
        size_t i;

        json_array_foreach(json_object_get(mount, "recommendations"), i, r)
                if (strcmp(json_string_value(json_object_get(r, "rule")), rule) == 0)
                        return json_string_value(json_object_get(r, "confidence"));
        return "none";
}

static size_t n_mounts(json_t *report)
{
        return json_array_size(json_object_get(report, "mounts"));
}

START_TEST(once_probes_and_reports)
{
        const struct run run = { .once = true };
        json_t *report = report_of(&run);
        char *requests = get("requests");

        ck_assert_uint_eq(n_mounts(report), 1);
        ck_assert_str_eq(confidence_of(report, "stale-io-size"), "configured");
        ck_assert_str_ne(confidence_of(report, "sync-client"), "none");
        ck_assert_ptr_nonnull(strstr(requests, "true"));
        free(requests);
        json_decref(report);
}
END_TEST

static json_t *check_of(const char *observations, int *ret_status)
{
        const struct recorded_file file = { RECORDED_OBSERVATION, at(observations) };
        const struct check_request request = { .files = &file, .n_files = 1, .servers_dir = at("servers.d"), .json = true };
        char *text = NULL;
        size_t n;
        FILE *out = open_memstream(&text, &n);
        json_t *report;

        *ret_status = check_run(&request, out, stderr);
        ck_assert_int_eq(fclose(out), 0);
        report = json_loads(text, 0, NULL);
        free(text);
        return report;
}

/* What one host saw is judged alike on another one. */
START_TEST(once_tells_what_it_saw)
{
        const struct run report_run = { .once = true }, observe_run = { .once = true, .observation = true };
        json_t *report, *check;
        int status;
        char *out;

        ck_assert_int_eq(mkdir(at("servers.d"), 0700), 0);
        put("mountinfo", _i == 0 ? ROOT_LINE DATA_LINE GOOD_LINE : ROOT_LINE);
        report = report_of(&report_run);
        status = finish(start(&observe_run));
        ck_assert_int_eq(status, 0);
        out = get("stdout");
        ck_assert_msg(strncmp(out, "[", 1) == 0 && !strstr(out, "recommendations"), "%s", out);
        free(out);
        check = check_of("stdout", &status);
        ck_assert_int_eq(status, _i == 0);
        ck_assert_uint_eq(n_mounts(check), _i == 0 ? 2 : 0);
        for (size_t i = 0; i < n_mounts(check); i++) {
                json_t *here = json_array_get(json_object_get(report, "mounts"), i);
                json_t *there = json_array_get(json_object_get(check, "mounts"), i);
                char *text = json_dumps(there, 0);

                ck_assert_msg(json_equal(here, there), "%s", text);
                free(text);
        }
        json_decref(report);
        json_decref(check);
}
END_TEST

START_TEST(once_passive_asks_for_no_write)
{
        const struct run run = { .once = true, .passive = true };
        json_t *report = report_of(&run);
        char *requests = get("requests"), *json;
        json_t *request = json_loads(requests, JSON_DISABLE_EOF_CHECK, NULL);

        ck_assert_str_eq(confidence_of(report, "stale-io-size"), "configured");
        ck_assert_ptr_nonnull(request);
        json = json_dumps(json_object_get(request, "write"), JSON_ENCODE_ANY);
        ck_assert(!json || strcmp(json, "false") == 0);
        ck_assert_ptr_nonnull(json_object_get(request, "passive_reason"));
        free(json);
        free(requests);
        json_decref(request);
        json_decref(report);
}
END_TEST

START_TEST(once_without_nfs_says_so_and_succeeds)
{
        const struct run run = { .once = true };
        json_t *report;

        put("mountinfo", ROOT_LINE);
        report = report_of(&run);
        ck_assert(json_is_array(json_object_get(report, "mounts")));
        ck_assert_uint_eq(n_mounts(report), 0);
        ck_assert_uint_eq(json_array_size(json_object_get(report, "findings")), 0);
        json_decref(report);
}
END_TEST

START_TEST(once_judges_only_what_was_asked_for)
{
        const struct run run = { .once = true, .target = "/good/" };
        json_t *report;

        put("mountinfo", ROOT_LINE DATA_LINE GOOD_LINE);
        report = report_of(&run);
        ck_assert_uint_eq(n_mounts(report), 1);
        ck_assert_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(report, "mounts"), 0),
                                                           "target")), "/good");
        json_decref(report);
}
END_TEST

START_TEST(once_refuses_what_is_no_nfs_mount)
{
        const struct run run = { .once = true, .target = "/" };
        char *out, *requests;

        ck_assert_int_eq(finish(start(&run)), 2);
        out = get("stdout");
        requests = get("requests");
        ck_assert_str_eq(out, "");
        ck_assert_str_eq(requests, "");
        free(out);
        free(requests);
}
END_TEST

static const struct broken_row {
        const char *name;
        bool hangs;
        const char *helper_dir;
        const char *answer;             /* NULL: the good one */
} broken_rows[] = {
        { "the helper hangs", true, NULL, NULL },
        { "there is no helper", false, "/nonexistent", NULL },
        { "the helper says nonsense", false, NULL, "{\"part\":\"server\",\"null_answer\":7}\n\x01\n[]\n" },
        { "the helper says nothing", false, NULL, "" },
        { "half a line", false, NULL, "{\"part\":\"ser" },
};

START_TEST(once_reports_whatever_the_helper_does)
{
        const struct broken_row *row = &broken_rows[_i];
        const struct run run = { .once = true, .passive = true, .helper_dir = row->helper_dir };
        json_t *report;

        if (row->hangs)
                put("hang-data", "");
        if (row->answer)
                put("answer-data", row->answer);
        report = report_of(&run);
        ck_assert_msg(n_mounts(report) == 1, "%s", row->name);
        ck_assert_msg(strcmp(confidence_of(report, "stale-io-size"), "configured") == 0, "%s: %s", row->name,
                      confidence_of(report, "stale-io-size"));
        json_decref(report);
}
END_TEST

/* ---- the program -------------------------------------------------------------------------- */

static const struct command_row {
        const char *name;
        const char *arguments;          /* to the shell */
        int status;
} command_rows[] = {
        { "version", "--version", 0 },
        { "a full disk", "--version >/dev/full", 1 },
        { "closed output", "--help >&-", 1 },
        { "closed output of a report", "--once --json --passive >&-", 1 },
        { "closed output of observations", "--once --observation --passive >&-", 1 },
        { "a right configuration, a full disk", "--check-config --config /dev/null >/dev/full", 1 },
        { "everything closed", "--check-config --config /dev/zero <&- >&- 2>&-", 2 },
        { "a pipe is no configuration", "--check-config --config /dev/stdin", 2 },
};

START_TEST(the_exit_status_tells_what_became_of_the_output)
{
        const struct command_row *row = &command_rows[_i];
        char command[512];
        int status;

        snprintf(command, sizeof(command), "{ echo | " TEST_BUILD "/nfstuned %s; } >/dev/null 2>&1", row->arguments);
        status = system(command);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == row->status, "%s: %d", row->name, status);
}
END_TEST

/* ---- the service ----------------------------------------------------------------------- */

static unsigned count(const char *file, const char *what)
{
        char *text = get(file);
        unsigned n = 0;

        for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
                n++;
        free(text);
        return n;
}

static usec_t now_usec(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (usec_t) t.tv_sec * USEC_PER_SEC + (usec_t) t.tv_nsec / 1000;
}

static void wait_for(const char *file, const char *what, unsigned times)
{
        usec_t start_usec = now_usec();

        while (count(file, what) < times && now_usec() - start_usec < PATIENCE_USEC)
                usleep(20000);
        if (count(file, what) < times) {
                char *text = get(file);

                ck_abort_msg("\"%s\" did not come %u times:\n%s", what, times, text);
        }
}

static int stop(pid_t pid)
{
        usec_t start_usec = now_usec();
        int status;

        ck_assert_int_eq(kill(pid, SIGTERM), 0);
        status = finish(pid);
        ck_assert_uint_lt(now_usec() - start_usec, USEC_PER_SEC);
        return status;
}

START_TEST(each_recommendation_is_said_once)
{
        const struct run run = { 0 };
        pid_t pid = start(&run);

        wait_for("stderr", "probe /data active", 1);
        usleep(700000);                 /* three more rounds */
        ck_assert_int_eq(stop(pid), 0);
        ck_assert_uint_eq(count("stderr", "started 1 recommend"), 1);
        ck_assert_uint_eq(count("stderr", "recommendation /data stale-io-size configured"), 1);
        ck_assert_uint_eq(count("stderr", "recommendation /data sync-client"), 1);
        ck_assert_uint_eq(count("stderr", "recommendation /data stale-io-size"), 1);
        ck_assert_uint_eq(count("stderr", "resolved"), 0);
        ck_assert_uint_eq(count("stderr", "nothing-to-change"), 0);
}
END_TEST

START_TEST(a_host_without_fault_gets_one_line)
{
        const struct run run = { 0 };
        pid_t pid;

        put("mountinfo", ROOT_LINE GOOD_LINE);
        put("fstab", "other:/good /good nfs4 defaults 0 0\n");
        pid = start(&run);
        wait_for("stderr", "nothing-to-change 1", 1);
        usleep(700000);
        ck_assert_int_eq(stop(pid), 0);
        ck_assert_uint_eq(count("stderr", "nothing-to-change"), 1);
        ck_assert_uint_eq(count("stderr", "recommendation"), 0);
}
END_TEST

START_TEST(a_dead_server_is_said_once_and_disturbs_nobody)
{
        const struct run run = { .spread_usec = USEC_PER_HOUR };
        pid_t pid;

        put("mountinfo", ROOT_LINE DEAD_LINE DATA_LINE);
        put("hang-dead", "");
        pid = start(&run);
        wait_for("stderr", "recommendation /data stale-io-size", 1);
        ck_assert_uint_eq(count("stderr", "unresponsive /dead"), 0);    /* it took no deadline */
        wait_for("stderr", "unresponsive /dead", 1);
        put_server("answer-dead", ANSWER_OK, LIMIT_V4_ATTRIBUTES);
        ck_assert_int_eq(unlink(at("hang-dead")), 0);
        wait_for("stderr", "recovered /dead", 1);
        usleep(500000);
        ck_assert_int_eq(stop(pid), 0);
        ck_assert_uint_eq(count("stderr", "unresponsive /dead"), 1);
        ck_assert_uint_eq(count("stderr", "recovered /dead"), 1);
        ck_assert_uint_eq(count("stderr", "/good"), 0);
}
END_TEST

START_TEST(stopping_does_not_wait_for_a_child)
{
        const struct run run = { .spread_usec = USEC_PER_HOUR, .time_usec = USEC_PER_HOUR };
        pid_t pid;

        put("hang-data", "");
        pid = start(&run);
        wait_for("requests", "/data", 1);
        ck_assert_int_eq(stop(pid), 0);
}
END_TEST

/* ---- notifications ------------------------------------------------------------------------ */

static int notify_socket(void)
{
        struct sockaddr_un a = { .sun_family = AF_UNIX };
        const struct timeval patience = { .tv_sec = 10 };
        int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        ck_assert_int_ge(fd, 0);
        strcpy(a.sun_path, at("notify"));
        ck_assert_int_eq(bind(fd, (const struct sockaddr *) &a, sizeof(a)), 0);
        ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
        ck_assert_int_eq(setenv("NOTIFY_SOCKET", a.sun_path, 1), 0);
        return fd;
}

/* Skips others; returns false when it does not come. */
static bool hears(int fd, const char *what, const char *and_also)
{
        char message[2048];
        ssize_t n;

        while ((n = recv(fd, message, sizeof(message) - 1, 0)) >= 0) {
                message[n] = '\0';
                if (strstr(message, what))
                        return !and_also || strstr(message, and_also);
        }
        return false;
}

/* What comes while a stop waits for a child. */
START_TEST(a_reload_during_the_stop_is_too_late)
{
        const struct run run = { .spread_usec = USEC_PER_HOUR, .time_usec = USEC_PER_HOUR };
        char *good = get("good.conf");
        pid_t pid;

        put("live.conf", good);
        free(good);
        put("hang-data", "");
        put("deaf-data", "");
        pid = start(&run);
        wait_for("requests", "/data", 1);
        ck_assert_int_eq(kill(pid, SIGTERM), 0);
        usleep(200000);
        ck_assert_int_eq(kill(pid, SIGHUP), 0);
        ck_assert_int_eq(finish(pid), 0);
        ck_assert_uint_eq(count("stderr", "log "), 0);
}
END_TEST

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP };

/* Not killed by it: the helper is asked to end first and removes its files. */
START_TEST(once_ends_by_itself_when_a_signal_comes)
{
        const struct run run = { .once = true, .time_usec = USEC_PER_HOUR };
        pid_t pid;

        put("hang-data", "");
        pid = start(&run);
        wait_for("requests", "/data", 1);
        ck_assert_int_eq(kill(pid, ending_signals[_i]), 0);
        ck_assert_int_eq(finish(pid), 1);
}
END_TEST

#define DEAD_COUNTERS(sends) "device lost:/dead mounted on /dead with fstype nfs4 statvers=1.1\n" \
        "\tage:\t100\n\tbytes:\t0 0 0 0 0 0 0 0\n\txprt:\ttcp 700 0 1 0 0 " sends " 10 0 10 0 2 0 0\n"

/* One unanswered request, seen by every one of them, is not silence for an hour. */
START_TEST(a_storm_of_reloads_is_no_silence)
{
        const struct run run = { .spread_usec = USEC_PER_HOUR };
        int fd = notify_socket();
        pid_t pid;

        put("live.conf", "[daemon]\nspread = 1h\npassive_interval = 1h\n");
        put("mountinfo", ROOT_LINE DEAD_LINE);
        put("fstab", "");
        put("mountstats", DEAD_COUNTERS("10"));
        pid = start(&run);
        wait_for("requests", "/dead", 1);
        usleep(300000);                 /* the answer: none */
        for (unsigned i = 0; i < 5; i++) {
                ck_assert_int_eq(kill(pid, SIGHUP), 0);
                ck_assert(hears(fd, "RELOADING=1", NULL));
                ck_assert(hears(fd, "STATUS=", NULL));
                put("mountstats", DEAD_COUNTERS("11"));
        }
        ck_assert_int_eq(stop(pid), 0);
        ck_assert_uint_eq(count("stderr", "unresponsive"), 0);
        close(fd);
}
END_TEST

/* A request was under way when the counters were read last. They cannot be read
 * again: that is not three times the same reading. */
START_TEST(unreadable_counters_are_no_silence)
{
        const struct run run = { .spread_usec = USEC_PER_HOUR };
        int fd = notify_socket();
        pid_t pid;

        put("mountinfo", ROOT_LINE DEAD_LINE);
        put("fstab", "");
        put("mountstats", DEAD_COUNTERS("10"));
        put_server("answer-dead", ANSWER_IMPOSSIBLE, LIMIT_V4_ATTRIBUTES);
        put("live.conf", "[daemon]\nspread = 1h\npassive_interval = 1s\n");
        pid = start(&run);
        wait_for("requests", "/dead", 1);
        usleep(300000);
        put("mountstats", DEAD_COUNTERS("11"));
        ck_assert_int_eq(kill(pid, SIGHUP), 0);
        ck_assert(hears(fd, "RELOADING=1", NULL));
        ck_assert(hears(fd, "WATCHDOG=1", NULL));
        ck_assert(hears(fd, "WATCHDOG=1", NULL));       /* the reading of the next round */
        ck_assert_int_eq(unlink(at("mountstats")), 0);
        wait_for("stderr", "counters cannot be read", 4);
        ck_assert_int_eq(stop(pid), 0);
        ck_assert_uint_eq(count("stderr", "unresponsive"), 0);
        close(fd);
}
END_TEST

/* ---- a unit for staged mounts ------------------------------------------------------------ */

#define STAGED "{\"rsize\":1048576,\"wsize\":1048576,\"options\":\"rw\"}"

static void serve_stage(int fd, const char *answer)
{
        for (;;) {
                int client = accept(fd, NULL, NULL);
                char buffer[4096];

                while (read(client, buffer, sizeof(buffer)) > 0)
                        ;
                put("staged", "once\n");
                if (write(client, answer, strlen(answer)) < 0)
                        _exit(1);
                close(client);
        }
}

static pid_t start_stage(const char *path, const char *answer)
{
        struct sockaddr_un a = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        pid_t pid;

        ck_assert_int_ge(fd, 0);
        memcpy(a.sun_path, path, strlen(path) + 1);
        ck_assert_int_eq(bind(fd, (const struct sockaddr *) &a, sizeof(a)), 0);
        ck_assert_int_eq(listen(fd, 5), 0);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                serve_stage(fd, answer);
        close(fd);
        return pid;
}

START_TEST(a_limit_that_is_not_told_is_tried_with_a_private_mount)
{
        /* Nothing says that the sizes are pinned: only the limit can. */
        char *socket_path = strdup(at("mount.sock"));
        const struct run run = { .once = true, .passive = true, .socket = socket_path };
        json_t *report;
        pid_t unit = start_stage(run.socket, STAGED "\n");

        put("fstab", "");
        put_server("answer-data", ANSWER_OK, LIMIT_UNKNOWN);
        report = report_of(&run);
        ck_assert_uint_eq(count("staged", "once"), 1);
        ck_assert_str_ne(confidence_of(report, "stale-io-size"), "none");
        ck_assert_str_ne(confidence_of(report, "stale-io-size"), "possible");
        kill(unit, SIGKILL);
        waitpid(unit, NULL, 0);
        json_decref(report);
        free(socket_path);
}
END_TEST

static const struct staged_row {
        const char *name;
        const char *answer;
} staged_rows[] = {
        { "half an answer", "{\"rsize\":10" },
        { "without its newline", STAGED },
        { "nothing", "" },
        { "an error", "{\"error\":\"access denied\"}\n" },
        { "nonsense", "\x01\n" },
};

START_TEST(whatever_the_unit_says_the_limit_stays_unknown)
{
        const struct staged_row *row = &staged_rows[_i];
        char *socket_path = strdup(at("mount.sock"));
        const struct run run = { .once = true, .passive = true, .socket = socket_path };
        pid_t unit = start_stage(run.socket, row->answer);
        json_t *report, *server;

        put_server("answer-data", ANSWER_OK, LIMIT_UNKNOWN);
        report = report_of(&run);
        server = json_object_get(json_array_get(json_object_get(report, "mounts"), 0), "server");
        ck_assert_msg(json_is_null(json_object_get(server, "read_max_bytes")), "%s: a limit", row->name);
        ck_assert_msg(json_is_string(json_object_get(server, "limit_detail")), "%s: no reason", row->name);
        kill(unit, SIGKILL);
        waitpid(unit, NULL, 0);
        json_decref(report);
        free(socket_path);
}
END_TEST

/* ---- a change ---------------------------------------------------------------------------------- */

/* Plays nfstuned-mount: to each operation its answer, and a replaced mount is in the mount table. */
static const char mount_helper[] =
        "#!/bin/sh\n"
        "d=${0%/*}\n"
        "op=$(sed 's/.*\"op\": *\"\\([a-z]*\\)\".*/\\1/')\n"
        "echo $op >> $d/ops\n"
        "[ $op = replace ] && cp $d/mountinfo-new $d/mountinfo\n"
        "cat $d/answer-$op\n";

static void put_change(const char *name, const char *mountinfo)
{
        static const char *const none[] = { NULL };
        const struct probe_root root = { .mountinfo = at(mountinfo), .mountstats = at("mountstats"),
                                         .fstab = at("fstab"), .utab = at("utab"), .cmdline = at("cmdline"),
                                         .sys = home, .unit_dirs = none, .nfsmount_confs = none };
        struct snapshot s = { 0 };
        struct apply_answer a = { .end = APPLY_END_DONE };
        char line[16384], *json;

        ck_assert_int_eq(observe(&root, &s, NULL), 0);
        ck_assert_uint_eq(s.n_mounts, 1);
        a.mount = s.mounts[0].mount;
        json = apply_answer_to_json(&a);
        ck_assert_ptr_nonnull(json);
        snprintf(line, sizeof(line), "%s\n", json);
        put(name, line);
        free(json);
        snapshot_done(&s);
}

#define NEW_DATA_LINE "60 1 0:60 / /data rw,relatime shared:1 - nfs4 server:/data rw,vers=4.2,rsize=1048576,"         \
        "wsize=1048576,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=192.0.2.1,local_lock=none," \
        "addr=192.0.2.2\n"

START_TEST(a_reload_to_auto_remount_tells_the_story)
{
        const struct run run = { 0 };
        char *ops;
        pid_t pid;

        if (geteuid() != 0)     /* started by hand, only root's daemon changes mounts */
                return;
        put("nfstuned-mount", mount_helper);
        ck_assert_int_eq(chmod(at("nfstuned-mount"), 0755), 0);
        put("mountinfo-new", ROOT_LINE NEW_DATA_LINE);
        put_change("answer-look", "mountinfo");
        put_change("answer-replace", "mountinfo-new");
        put_change("answer-verify", "mountinfo-new");
        put("live.conf", "[daemon]\nspread = 0\nmode = auto-remount\n");
        pid = start(&run);
        wait_for("stderr", "probe /data active", 1);
        ck_assert_uint_eq(count("stderr", "applied"), 0);
        ck_assert_int_eq(kill(pid, SIGHUP), 0);
        wait_for("stderr", "verified /data", 1);
        wait_for("stderr", "resolved /data stale-io-size", 1);
        wait_for("stderr", "resolved /data sync-client", 1);
        ck_assert_int_eq(stop(pid), 0);
        ck_assert_uint_eq(count("stderr", "applied /data"), 1);
        ck_assert_uint_eq(count("stderr", "refused"), 0);
        ops = get("ops");
        ck_assert_str_eq(ops, "look\nreplace\nverify\n");
        free(ops);
}
END_TEST

/* ---- reload --------------------------------------------------------------------------------- */

static const struct reload_row {
        const char *name;
        const char *config;
        unsigned errors;
} reload_rows[] = {
        { "good", "good.conf", 0 },
        { "bad", "bad.conf", 1 },
};

START_TEST(reload_is_announced_and_ends_ready)
{
        const struct reload_row *row = &reload_rows[_i];
        const struct run run = { .spread_usec = USEC_PER_HOUR };
        int fd = notify_socket();
        char *text = get(row->config);
        pid_t pid;

        put("live.conf", text);
        free(text);
        pid = start(&run);
        ck_assert_msg(hears(fd, "READY=1", NULL), "%s: not ready", row->name);
        ck_assert_msg(hears(fd, "STATUS=", NULL), "%s: no status", row->name);
        ck_assert_msg(hears(fd, "WATCHDOG=1", NULL), "%s: watchdog not fed", row->name);
        for (unsigned i = 1; i <= 2; i++) {
                ck_assert_int_eq(kill(pid, SIGHUP), 0);
                ck_assert_msg(hears(fd, "RELOADING=1", "MONOTONIC_USEC="), "%s: reload %u", row->name, i);
                ck_assert_msg(hears(fd, "READY=1", NULL), "%s: not ready after reload %u", row->name, i);
        }
        ck_assert_int_eq(kill(pid, SIGTERM), 0);
        ck_assert_msg(hears(fd, "STOPPING=1", NULL), "%s: stopping", row->name);
        ck_assert_int_eq(finish(pid), 0);
        ck_assert_msg(count("stderr", "config-error kept") == 2 * row->errors, "%s: errors", row->name);
        close(fd);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("daemon/manager");
        TCase *c = tcase_create("manager");
        SRunner *runner;
        int failed;

        tcase_add_checked_fixture(c, setup, teardown);
        tcase_set_timeout(c, 60);
        tcase_add_test(c, once_probes_and_reports);
        tcase_add_loop_test(c, once_tells_what_it_saw, 0, 2);
        tcase_add_test(c, once_passive_asks_for_no_write);
        tcase_add_test(c, once_without_nfs_says_so_and_succeeds);
        tcase_add_test(c, once_judges_only_what_was_asked_for);
        tcase_add_test(c, once_refuses_what_is_no_nfs_mount);
        tcase_add_loop_test(c, once_reports_whatever_the_helper_does, 0, (int) ARRAY_SIZE(broken_rows));
        tcase_add_loop_test(c, the_exit_status_tells_what_became_of_the_output, 0, (int) ARRAY_SIZE(command_rows));
        tcase_add_test(c, each_recommendation_is_said_once);
        tcase_add_test(c, a_host_without_fault_gets_one_line);
        tcase_add_test(c, a_dead_server_is_said_once_and_disturbs_nobody);
        tcase_add_test(c, stopping_does_not_wait_for_a_child);
        tcase_add_test(c, a_limit_that_is_not_told_is_tried_with_a_private_mount);
        tcase_add_loop_test(c, whatever_the_unit_says_the_limit_stays_unknown, 0, (int) ARRAY_SIZE(staged_rows));
        tcase_add_test(c, a_reload_during_the_stop_is_too_late);
        tcase_add_test(c, a_storm_of_reloads_is_no_silence);
        tcase_add_test(c, unreadable_counters_are_no_silence);
        tcase_add_loop_test(c, once_ends_by_itself_when_a_signal_comes, 0, (int) ARRAY_SIZE(ending_signals));
        tcase_add_test(c, a_reload_to_auto_remount_tells_the_story);
        tcase_add_loop_test(c, reload_is_announced_and_ends_ready, 0, (int) ARRAY_SIZE(reload_rows));
        suite_add_tcase(suite, c);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
