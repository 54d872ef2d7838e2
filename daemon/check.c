/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstunectl check: inputs, judgement, report. See check.h. */

#include "daemon/check.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/arguments.h"
#include "daemon/config.h"
#include "daemon/installed.h"
#include "daemon/profiles.h"
#include "daemon/report.h"
#include "daemon/utf8.h"
#include "policy/evaluate.h"
#include "probe/clock.h"
#include "probe/observe.h"

/* A person wonders after this long. */
#define PROGRESS_AFTER_USEC (2 * USEC_PER_SEC)
#define PROGRESS_EVERY 256

struct check {
        const struct check_request *request;
        FILE *err;
        struct params params;
        struct recorded recorded;       /* this host's too */
        struct advice *advice;          /* one per mount of the snapshot */
        usec_t now_usec;                /* CLOCK_BOOTTIME of this host; 0: of another one */
};

static void check_done(struct check *c)
{
        for (size_t i = 0; c->advice && i < c->recorded.snapshot.n_mounts; i++)
                advice_done(&c->advice[i]);
        free(c->advice);
        recorded_done(&c->recorded);
        params_done(&c->params);
}

/* ---- words --------------------------------------------------------------------- */

static void say_lines(FILE *err, const char *prefix, const char *lines)
{
        while (*lines) {
                size_t n = strcspn(lines, "\n");
                cleanup_free char *line = strndup(lines, n);
                cleanup(text_done) struct text shown = {};

                text_add_printable(&shown, line);
                if (shown.data)
                        fprintf(err, "nfstunectl: %s%s\n", prefix, shown.data);
                lines += n + (lines[n] == '\n');
        }
}

static void say_file_problem(const struct check *c, const char *prefix, const char *file, int error)
{
        struct text t = {};

        text_add(&t, "%s: %s", file, strerror(error));
        say_lines(c->err, prefix, t.data ? t.data : strerror(ENOMEM));
        text_done(&t);
}

/* Return: the exit status. */
static int unusable(const struct check *c, const char *what, int error)
{
        fprintf(c->err, "nfstunectl: %s: %s\n", what, strerror(-error));
        return EXIT_UNUSABLE;
}

/* ---- what is intended, and what is known of servers ------------------------------ */

/* The configuration that was asked for must be right; this host's own is used as far as it can be read. */
static int read_config(struct check *c)
{
        const struct check_request *q = c->request;
        cleanup_free char *errors = NULL;
        int r = 0;

        if (q->config_file)
                r = config_read(q->config_file, true, NULL, &c->params, &errors);
        else if (q->n_files == 0)
                r = config_read(CONFIG_FILE_DEFAULT, false, config_dirs_default, &c->params, &errors);
        else
                return params_init(&c->params);
        if (r <= 0)
                return r;
        say_lines(c->err, "", errors ? errors : "the configuration is wrong");
        if (q->config_file)
                return r;
        say_lines(c->err, "", "judging without this configuration: what it says to keep is not known");
        return params_init(&c->params);
}

/* Files of another host are judged by what came with the program: an administrator's own profiles are about his
 * servers. */
static const char *const *profile_dirs(const struct check_request *q, const char *one[static 2])
{
        one[0] = q->servers_dir ? q->servers_dir : profile_dirs_default[0];
        one[1] = NULL;
        return q->servers_dir || q->n_files > 0 ? one : profile_dirs_default;
}

/* Advice without them is poorer, and not wrong: a profile never makes anything automatic. */
static int read_profiles(struct check *c)
{
        const char *one[2];
        cleanup_free char *errors = NULL, *build_dir = NULL;
        struct server_profiles profiles = {};
        const char *named = c->request->servers_dir;
        int r = named ? 0 : installed_profiles(&build_dir);

        if (named && access(named, F_OK) < 0) {
                say_file_problem(c, "server profiles are not used: ", named, errno);
                return 0;
        }
        if (r == 0)
                r = profiles_read(build_dir, profile_dirs(c->request, one), &profiles, &errors);
        if (r > 0)
                say_lines(c->err, "server profiles are not used: ", errors ? errors : "");
        if (r != 0)
                return r < 0 ? r : 0;
        server_profiles_done(&c->params.profiles);
        c->params.profiles = profiles;
        return 0;
}

/* ---- inputs ---------------------------------------------------------------------- */

static bool has_content(const char *path)
{
        struct stat st;

        return stat(path, &st) == 0 && st.st_size > 0;
}

/* Appends the lines of @from that no mount belongs to. Return: 0 or -ENOMEM. */
static int take_lines(struct snapshot *to, struct snapshot *from)
{
        struct observation *bigger = reallocarray(to->mounts, to->n_mounts + from->n_mounts + 1, sizeof(*bigger));

        if (!bigger)
                return -ENOMEM;
        to->mounts = bigger;
        for (size_t i = 0; i < from->n_mounts; i++) {
                if (!from->mounts[i].only_requested)
                        continue;
                to->mounts[to->n_mounts++] = from->mounts[i];
                from->mounts[i] = (struct observation) {};
        }
        return 0;
}

/* What fstab asks for and is not mounted now is judged as well. */
static int read_host_lines(struct check *c)
{
        const struct probe_root *root = c->request->root;
        const struct recorded_file files[] = {
                { .kind = RECORDED_MOUNTINFO, .path = root->mountinfo },
                { .kind = RECORDED_FSTAB, .path = root->fstab },
        };
        cleanup(recorded_done) struct recorded lines = {};
        cleanup_free char *error = NULL;
        int r;

        if (!has_content(root->fstab))
                return 0;
        r = recorded_read_originals(files, ARRAY_SIZE(files), &lines, &error);
        if (r > 0)
                say_lines(c->err, "", error ? error : "");
        if (r != 0)
                return r < 0 ? r : 0;
        r = take_lines(&c->recorded.snapshot, &lines.snapshot);
        if (r == 0) {
                c->recorded.findings = lines.findings;
                lines.findings = (struct findings) {};
        }
        return r;
}

/* Return: 0, or the exit status. */
static int read_host(struct check *c)
{
        cleanup_free char *problems = NULL;
        int r = observe(c->request->root, &c->recorded.snapshot, &problems);

        if (r < 0)
                return unusable(c, c->request->root->mountinfo, r);
        if (problems)
                say_lines(c->err, "", problems);
        c->now_usec = clock_usec(CLOCK_BOOTTIME);
        r = read_host_lines(c);
        return r < 0 ? unusable(c, "this host's files", r) : 0;
}

/* Return: 0, or the exit status. */
static int read_files(struct check *c)
{
        cleanup_free char *error = NULL;
        int r = recorded_read(c->request->files, c->request->n_files, &c->recorded, &error);

        if (r < 0)
                return unusable(c, "the files", r);
        if (r > 0)
                say_lines(c->err, "", error ? error : "the files cannot be used");
        if (c->recorded.notes)
                say_lines(c->err, "", c->recorded.notes);
        return r > 0 ? EXIT_UNUSABLE : 0;
}

/* ---- judgement ------------------------------------------------------------------- */

static usec_t latest_usec(const struct observation *o)
{
        return MAX(o->probe.started_usec, o->baseline.known ? o->baseline.since_usec : 0);
}

static void show_progress(const struct check *c, usec_t started_usec, size_t i, bool *shown)
{
        if (!c->request->progress || i % PROGRESS_EVERY != 0 ||
            clock_monotonic_usec() - started_usec < PROGRESS_AFTER_USEC)
                return;
        fprintf(c->err, "\rjudging: %zu of %zu mounts done ", i, c->recorded.snapshot.n_mounts);
        *shown = true;
}

static int judge_one(struct check *c, struct observation *o, struct advice *ret)
{
        int r = 0;

        if (c->recorded.exports.n_entries > 0 && !o->export_facts.known)
                r = exports_judge(&c->recorded.exports, &o->mount, &o->export_facts);
        return r < 0 ? r : evaluate(o, &c->params, c->now_usec > 0 ? c->now_usec : latest_usec(o), ret);
}

static int judge(struct check *c)
{
        struct snapshot *s = &c->recorded.snapshot;
        usec_t started_usec = clock_monotonic_usec();
        bool shown = false;
        int r = 0;

        c->advice = calloc(s->n_mounts + 1, sizeof(*c->advice));
        if (!c->advice)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_mounts && r == 0; i++) {
                r = judge_one(c, &s->mounts[i], &c->advice[i]);
                show_progress(c, started_usec, i, &shown);
        }
        if (shown)
                fprintf(c->err, "\r\033[K");
        return r < 0 ? r : exports_lint(&c->recorded.exports, &c->recorded.findings);
}

/* A mount table without its counters. */
static bool lacks_mountstats(const struct check_request *q)
{
        bool table = false;

        for (size_t i = 0; i < q->n_files; i++) {
                if (q->files[i].kind == RECORDED_MOUNTSTATS)
                        return false;
                table = table || q->files[i].kind == RECORDED_MOUNTS || q->files[i].kind == RECORDED_MOUNTINFO;
        }
        return table;
}

/* Return: the exit status. */
static int print(struct check *c, FILE *out)
{
        const struct snapshot *s = &c->recorded.snapshot;
        struct report_item *items = calloc(s->n_mounts + 1, sizeof(*items));
        const struct report report = { .items = items, .n_items = s->n_mounts, .findings = &c->recorded.findings,
                                       .lacks_mountstats = lacks_mountstats(c->request) };
        int r;

        if (!items)
                return unusable(c, "the report", -ENOMEM);
        for (size_t i = 0; i < s->n_mounts; i++)
                items[i] = (struct report_item) { .observation = &s->mounts[i], .advice = &c->advice[i] };
        r = c->request->json ? report_json(out, &report) : report_text(out, &report, c->request->color);
        if (r == 0)
                r = report_has_advice(&report);
        else
                r = unusable(c, "the report cannot be written", r);
        free(items);
        return r;
}

int check_run(const struct check_request *request, FILE *out, FILE *err)
{
        cleanup(check_done) struct check c = { .request = request, .err = err };
        int r = read_config(&c);

        if (r > 0)
                return EXIT_UNUSABLE;
        if (r == 0)
                r = read_profiles(&c);
        if (r < 0)
                return unusable(&c, "the configuration", r);
        r = request->n_files > 0 ? read_files(&c) : read_host(&c);
        if (r != 0)
                return r;
        r = judge(&c);
        return r < 0 ? unusable(&c, "the judgement", r) : print(&c, out);
}
