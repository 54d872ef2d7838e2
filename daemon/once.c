/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All mounts at once, each with its own deadline, then one report. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "daemon/command.h"
#include "daemon/once.h"
#include "daemon/probing.h"
#include "daemon/report.h"
#include "daemon/round.h"
#include "policy/evaluate.h"
#include "policy/text.h"

#define TICK_USEC (100 * USEC_PER_MSEC)
/* A person wonders after this long. */
#define PROGRESS_AFTER_USEC (2 * USEC_PER_SEC)

/* The timer's; the core reports through its own states (probed). */
struct once {
        struct core *core;
        usec_t started_usec;
        bool progress;                  /* standard error is a terminal */
        bool progress_shown;
        bool interrupted;
};

static bool is_nfs_mount(const struct snapshot *s, const char *target)
{
        for (size_t i = 0; i < s->n_mounts; i++)
                if (host_target_equal(s->mounts[i].mount.target, target))
                        return true;
        return false;
}

static bool targets_are_mounts(const struct core *c)
{
        bool good = true;

        for (const char *const *t = c->options->targets; t && *t; t++) {
                if (is_nfs_mount(&c->host.snapshot, *t))
                        continue;
                fprintf(stderr, "nfstuned: %s is not the mount point of an NFS mount of this host\n", *t);
                good = false;
        }
        return good;
}

/* What will be written, before it is. */
static void announce(const struct core *c, const struct mountstate *s)
{
        cleanup(text_done) struct text words = { 0 };
        cleanup_free char *reason = NULL, *line = NULL;
        const char *directory = c->params->probe_directory;

        if (c->options->passive || c->options->json || !probe_may_ask(s->observation, c->params))
                return;
        text_add(&words, "%s: ", s->observation->mount.target);
        if (probing_may_write(c, s, &reason)) {
                bool below = directory && strcmp(directory, ".") != 0;

                text_add(&words, "will write at most ");
                text_add_size(&words, c->params->probe_bytes);
                text_add(&words, " to %s%s%s/.nfstuned-* and remove it", s->observation->mount.target,
                         below ? "/" : "", below ? directory : "");
        } else {
                text_add(&words, "will write nothing: %s", reason ? reason : "out of memory");
        }
        line = text_take(&words);
        if (line)
                journal_log(&c->options->journal, LOG_NOTICE, "%s", line);
}

/* Starts what is not started. Return: how many have not ended. */
static size_t start_due(struct once *o)
{
        struct core *c = o->core;
        size_t open = 0;

        for (size_t i = 0; i < c->host.n_states; i++) {
                struct mountstate *s = c->host.states[i];
                int r = 0;

                if (s->ask_due)
                        r = probing_start(c, s, PROBING_FULL);
                if (r == 0) {
                        s->ask_due = false;
                } else if (r != -EAGAIN && r != -EBUSY) {
                        journal_log(&c->options->journal, LOG_ERR, "nfstuned: %s: nfstuned-probe cannot be started: %s",
                                    s->observation->mount.target, strerror(-r));
                        mountstate_set_probe(s, PROBE_SKIPPED, "nfstuned-probe cannot be started");
                        s->ask_due = false;
                        s->probed = true;
                }
                open += !s->probed;
        }
        return open;
}

static void show_progress(struct once *o, size_t open)
{
        size_t n = o->core->host.n_states;

        if (!o->progress || core_now(o->core) - o->started_usec < PROGRESS_AFTER_USEC)
                return;
        fprintf(stderr, "\rprobing: %zu of %zu mounts done ", n - open, n);
        o->progress_shown = true;
}

static int on_tick(sd_event_source *s, uint64_t usec may_be_unused, void *userdata)
{
        struct once *o = userdata;
        size_t open;

        if (o->interrupted)
                return 0;
        open = start_due(o);
        if (open == 0)
                return sd_event_exit(o->core->event, 0);
        show_progress(o, open);
        if (sd_event_source_set_time_relative(s, TICK_USEC) < 0)
                return sd_event_exit(o->core->event, EXIT_FAILURE);
        return sd_event_source_set_enabled(s, SD_EVENT_ONESHOT);
}

static void on_ended(struct core *c, struct mountstate *s may_be_unused, enum probing_kind kind may_be_unused)
{
        for (size_t i = 0; i < c->host.n_states; i++)
                if (!c->host.states[i]->probed)
                        return;
        (void) sd_event_exit(c->event, 0);      /* fails only when it is exiting already */
}

static int on_signal(sd_event_source *s may_be_unused, const struct signalfd_siginfo *si may_be_unused, void *userdata)
{
        struct once *o = userdata;

        o->interrupted = true;
        core_stop(o->core, EXIT_FAILURE);
        return 0;
}

static int add_sources(struct once *o)
{
        static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
        struct sigaction now;
        int r = 0;

        /* Floating sources: the loop keeps them, and here a failing handler ends it.
         * What nohup(1) or a shell without job control ignores stays ignored. */
        for (size_t i = 0; i < ARRAY_SIZE(numbers) && r >= 0; i++)
                if (sigaction(numbers[i], NULL, &now) < 0 || now.sa_handler != SIG_IGN)
                        r = sd_event_add_signal(o->core->event, NULL, numbers[i], on_signal, o);
        return r;
}

static int add_tick(struct once *o, sd_event_source **ret)
{
        int r = sd_event_add_time(o->core->event, ret, CLOCK_MONOTONIC, 0, 10 * USEC_PER_MSEC, on_tick, o);

        if (r < 0)
                return r;
        (void) sd_event_source_set_description(*ret, "once-tick");
        return sd_event_source_set_exit_on_failure(*ret, true);
}

static int probe_all(struct once *o)
{
        sd_event_source *tick = NULL;
        int r = add_sources(o);

        if (r >= 0)
                r = add_tick(o, &tick);
        if (r >= 0)
                r = sd_event_loop(o->core->event);
        sd_event_source_disable_unref(tick);
        if (o->progress_shown)
                fprintf(stderr, "\r\033[K");
        return r;
}

static int report(const struct core *c)
{
        struct report_item *items = calloc(c->host.n_states + 1, sizeof(*items));
        struct report whole = { .items = items };
        int r;

        if (!items)
                return -ENOMEM;
        for (size_t i = 0; i < c->host.n_states; i++)
                if (c->host.states[i]->judged)
                        items[whole.n_items++] = (struct report_item) { .observation = c->host.states[i]->observation,
                                                            .advice = &c->host.states[i]->advice };
        if (c->options->observation)
                r = report_observations(stdout, &whole);
        else if (c->options->json)
                r = report_json(stdout, &whole);
        else if (c->host.n_states == 0)
                r = puts("There is no NFS mount on this host: nothing to do.") < 0 ? -errno : 0;
        else
                r = report_text(stdout, &whole, isatty(STDOUT_FILENO));
        free(items);
        if (r == 0 && fflush(stdout) != 0)
                r = -errno;
        return r;
}

static int observe_first(struct core *c)
{
        cleanup_free char *problems = NULL;
        int r = host_observe(&c->host, c->options->root, c->options->targets, core_now(c), &problems);

        if (r < 0) {
                fprintf(stderr, "nfstuned: the mount table cannot be read: %s\n", strerror(-r));
                return r;
        }
        if (problems)
                journal_log_lines(&c->options->journal, LOG_WARNING, problems);
        return 0;
}

static void prepare(struct core *c)
{
        round_take_counters(c, 0);
        for (size_t i = 0; i < c->host.n_states; i++) {
                struct mountstate *s = c->host.states[i];

                s->ask_due = probe_may_ask(s->observation, c->params);
                s->probed = !s->ask_due;
                announce(c, s);
        }
}

int once_run(struct core *c)
{
        struct once o = { .core = c, .progress = isatty(STDERR_FILENO) };
        int r;

        c->ended = on_ended;
        r = observe_first(c);
        if (r < 0)
                return EXIT_FAILURE;
        if (!targets_are_mounts(c))
                return EXIT_USAGE;
        o.started_usec = core_now(c);
        prepare(c);
        r = probe_all(&o);
        if (o.interrupted || r != 0)
                return EXIT_FAILURE;
        if (host_read_counters(&c->host, c->options->root) == 0)
                round_take_counters(c, 0);
        for (size_t i = 0; i < c->host.n_states; i++)
                round_judge(c, c->host.states[i]);
        r = report(c);
        if (r < 0)
                fprintf(stderr, "nfstuned: the report cannot be written: %s\n", strerror(-r));
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
