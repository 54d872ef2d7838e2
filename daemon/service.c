/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals, timers and the mount table's watch; each handler does its work and returns 0. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <syslog.h>
#include <unistd.h>

#include "daemon/agenda.h"
#include "daemon/applying.h"
#include "daemon/bus.h"
#include "daemon/leftovers.h"
#include "daemon/mountwatch.h"
#include "daemon/notify.h"
#include "daemon/reload.h"
#include "daemon/round.h"
#include "daemon/service.h"

/* The sources of requested options have no watch: they are read again after
 * this long at the latest. */
#define OBSERVE_EVERY_USEC (5 * USEC_PER_MINUTE)
/* The first word on a mount waits this long for the server's answers, and for
 * its first probe when that comes as soon, so that it carries figures; DESIGN
 * section 11 allows 10 s. */
#define FIRST_WORD_USEC (8 * USEC_PER_SEC)
#define TIMER_ACCURACY_USEC (100 * USEC_PER_MSEC)

struct service {
        struct core *core;
        struct applying *applying;
        struct bus *bus;
        struct mountwatch *watch;
        sd_event_source *round_timer;
        sd_event_source *probe_timer;
        sd_event_source *watch_io;
        usec_t round_every_usec;
        bool   observe_due;             /* the mount table or the configuration changed */
        usec_t observed_usec;
        usec_t quiet_said_usec;         /* the daily line; 0: never */
        char  *problems;                /* the last ones that were logged */
};

static const struct journal *journal_of(const struct service *v)
{
        return &v->core->options->journal;
}

static void service_done(struct service *v)
{
        applying_free(v->applying);
        bus_free(v->bus);
        sd_event_source_disable_unref(v->watch_io);
        sd_event_source_disable_unref(v->probe_timer);
        sd_event_source_disable_unref(v->round_timer);
        mountwatch_free(v->watch);
        free(v->problems);
}

/* A timer that cannot be armed would be a daemon that looks healthy and does
 * nothing: the service ends and is started anew. */
static void arm(struct service *v, sd_event_source *timer, usec_t when_usec)
{
        int r = sd_event_source_set_time(timer, when_usec);

        if (r >= 0)
                r = sd_event_source_set_enabled(timer, when_usec == USEC_INFINITY ? SD_EVENT_OFF : SD_EVENT_ONESHOT);
        if (r >= 0)
                return;
        journal_log(journal_of(v), LOG_CRIT, "A timer cannot be armed: %s", strerror(-r));
        (void) sd_event_exit(v->core->event, EXIT_FAILURE);
}

static void start_due(struct service *v)
{
        agenda_start_due(v->core);
        arm(v, v->probe_timer, agenda_next_usec(v->core));
}

/* ---- a round ------------------------------------------------------------------ */

/* Unreadable sources of requested options, said once, not in every round. */
static void log_problems(struct service *v, char *problems)
{
        if (problems && (!v->problems || strcmp(problems, v->problems) != 0))
                journal_log_lines(journal_of(v), LOG_WARNING, problems);
        free(v->problems);
        v->problems = problems;
}

static int observe_all(struct service *v)
{
        struct core *c = v->core;
        char *problems = NULL;
        int r = host_observe(&c->host, c->options->root, NULL, core_now(c), &problems);

        if (r < 0) {
                free(problems);
                return r;
        }
        log_problems(v, problems);
        v->observe_due = false;
        v->observed_usec = core_now(c);
        return 0;
}

static void read_world(struct service *v)
{
        struct core *c = v->core;
        bool all = v->observe_due || core_now(c) - v->observed_usec >= OBSERVE_EVERY_USEC;
        int r = all ? observe_all(v) : host_read_counters(&c->host, c->options->root);

        if (r >= 0)
                return;
        /* The next round tries again. Until then what was read last stands, but for
         * the counters: read twice, they would be those of a silent server. */
        host_forget_counters(&c->host);
        journal_log(journal_of(v), LOG_ERR, "The %s cannot be read: %s", all ? "mount table" : "mounts' counters",
                    strerror(-r));
}

static bool may_judge(const struct service *v, const struct mountstate *s)
{
        usec_t latest_usec = s->seen_usec + FIRST_WORD_USEC;

        return s->judged || core_now(v->core) >= latest_usec ||
               (s->answered && (s->probed || s->first_probe_usec > latest_usec));
}

static void say_quiet(struct service *v, const struct round_summary *sum)
{
        struct core *c = v->core;
        usec_t now = core_now(c);

        if (c->host.n_states == 0 || !sum->all_probed || sum->n_with_advice > 0 || sum->n_unresponsive > 0)
                return;
        if (v->quiet_said_usec && now - v->quiet_said_usec < USEC_PER_DAY)
                return;
        journal_nothing_to_change(journal_of(v), c->host.n_states);
        v->quiet_said_usec = now;
}

static void tell(struct service *v)
{
        const struct core *c = v->core;
        struct round_summary sum = round_summarize(c);
        unsigned n_stuck = pool_count_stuck(c->pool);

        say_quiet(v, &sum);
        notify_status("%zu NFS file system%s, %zu with recommendations, %zu not answering, %u probe%s stuck",
                      c->host.n_states, c->host.n_states == 1 ? "" : "s", sum.n_with_advice, sum.n_unresponsive,
                      n_stuck, n_stuck == 1 ? "" : "s");
}

/* The next round, or earlier the moment when a mount has waited long enough for
 * its first word. */
static usec_t next_round_usec(const struct service *v)
{
        usec_t now = core_now(v->core), next = now + v->round_every_usec;

        for (size_t i = 0; i < v->core->host.n_states; i++) {
                const struct mountstate *s = v->core->host.states[i];

                if (!s->judged && s->seen_usec + FIRST_WORD_USEC > now)
                        next = MIN(next, s->seen_usec + FIRST_WORD_USEC);
        }
        return next;
}

static void judge(struct service *v, struct mountstate *s)
{
        if (!may_judge(v, s))
                return;
        round_judge(v->core, s);
        applying_consider(v->applying, s);
}

static void do_round(struct service *v)
{
        struct core *c = v->core;

        c->round++;
        read_world(v);
        applying_observed(v->applying);
        agenda_welcome(c);
        round_take_counters(c, v->round_every_usec / 2);
        start_due(v);
        for (size_t i = 0; i < c->host.n_states; i++)
                judge(v, c->host.states[i]);
        tell(v);
        arm(v, v->round_timer, next_round_usec(v));
        notify_watchdog();
}

/* ---- handlers ------------------------------------------------------------------ */

static void on_ended(struct core *c, struct mountstate *s, enum probing_kind kind)
{
        struct service *v = c->owner;

        judge(v, s);
        if (kind == PROBING_FULL)
                journal_probe(&c->options->journal, s->observation, c->round);
        bus_probe_ended(v->bus, s, kind);
        tell(v);
        /* A recovery makes a new date. */
        arm(v, v->probe_timer, agenda_next_usec(c));
}

/* The watch may be late, and a change in place is none that it sees. */
static void on_own_change(struct core *c)
{
        struct service *v = c->owner;

        v->observe_due = true;
        if (v->round_timer)
                arm(v, v->round_timer, core_now(c));
}

static void on_sources_changed(struct core *c)
{
        struct service *v = c->owner;

        bus_reload_systemd(v->bus);
        on_own_change(c);
}

static int on_round(sd_event_source *s may_be_unused, uint64_t usec may_be_unused, void *userdata)
{
        do_round(userdata);
        return 0;
}

static int on_probe(sd_event_source *s may_be_unused, uint64_t usec may_be_unused, void *userdata)
{
        start_due(userdata);
        return 0;
}

/* Storms of mounts are one round: the source is rate limited, and here all
 * changes are taken at once. */
static int on_mounts_changed(sd_event_source *s may_be_unused, int fd may_be_unused, uint32_t events may_be_unused,
                             void *userdata)
{
        struct service *v = userdata;

        if (mountwatch_drain(v->watch)) {
                v->observe_due = true;
                do_round(v);
        }
        return 0;
}

static int on_stop(sd_event_source *s may_be_unused, const struct signalfd_siginfo *si may_be_unused, void *userdata)
{
        struct service *v = userdata;

        notify_stopping();
        v->round_timer = sd_event_source_disable_unref(v->round_timer);
        v->probe_timer = sd_event_source_disable_unref(v->probe_timer);
        v->watch_io = sd_event_source_disable_unref(v->watch_io);
        core_stop(v->core, EXIT_SUCCESS);
        return 0;
}

static usec_t round_every(const struct params *p)
{
        usec_t watchdog = notify_watchdog_usec();

        return watchdog ? MIN(p->passive_interval_usec, watchdog / 3) : p->passive_interval_usec;
}

static void reload(struct service *v)
{
        cleanup_notify_reload struct notify_reload reloading may_be_unused = notify_reload_begin();

        if (reload_params(v->core->options, v->core->params) != 0)
                return;
        v->round_every_usec = round_every(v->core->params);
        v->observe_due = true;
        agenda_reloaded(v->core);
        applying_reloaded(v->applying);
        do_round(v);
}

static int on_hangup(sd_event_source *s may_be_unused, const struct signalfd_siginfo *si may_be_unused, void *userdata)
{
        struct service *v = userdata;

        if (!v->core->stopping)         /* a stop has begun: its timers are gone, and systemd waits for no reload */
                reload(v);
        return 0;
}

/* ---- start ---------------------------------------------------------------------- */

static int add_timer(struct service *v, const char *name, usec_t when_usec, sd_event_time_handler_t handler,
                     sd_event_source **ret)
{
        int r = sd_event_add_time(v->core->event, ret, CLOCK_BOOTTIME, when_usec, TIMER_ACCURACY_USEC, handler, v);

        if (r < 0)
                return r;
        (void) sd_event_source_set_description(*ret, name);
        return sd_event_source_set_exit_on_failure(*ret, true);
}

/* Floating: it lives as long as the loop. Before everything else in a turn. */
static int add_signal(struct service *v, int number, const char *name, sd_event_signal_handler_t handler)
{
        sd_event_source *s = NULL;
        int r = sd_event_add_signal(v->core->event, &s, number, handler, v);

        if (r < 0)
                return r;
        (void) sd_event_source_set_description(s, name);
        (void) sd_event_source_set_exit_on_failure(s, true);
        r = sd_event_source_set_priority(s, SD_EVENT_PRIORITY_IMPORTANT);
        if (r >= 0)
                r = sd_event_source_set_floating(s, true);
        sd_event_source_unref(s);
        return r;
}

static int add_watch(struct service *v)
{
        int r = mountwatch_new(&v->watch);

        if (r < 0)
                return r;
        r = sd_event_add_io(v->core->event, &v->watch_io, mountwatch_fd(v->watch), EPOLLIN, on_mounts_changed, v);
        if (r < 0)
                return r;
        (void) sd_event_source_set_description(v->watch_io, "mount-table");
        (void) sd_event_source_set_exit_on_failure(v->watch_io, true);
        return sd_event_source_set_ratelimit(v->watch_io, USEC_PER_SEC, 5);
}

static int add_sources(struct service *v)
{
        usec_t now = core_now(v->core);
        int r = add_signal(v, SIGTERM, "stop", on_stop);

        if (r >= 0)
                r = add_signal(v, SIGINT, "interrupt", on_stop);
        if (r >= 0)
                r = add_signal(v, SIGHUP, "reload", on_hangup);
        if (r >= 0)
                r = add_watch(v);
        if (r >= 0)
                r = add_timer(v, "round", now, on_round, &v->round_timer);
        if (r >= 0)
                r = add_timer(v, "probes", USEC_INFINITY, on_probe, &v->probe_timer);
        return r;
}

static void log_started(const struct service *v)
{
        size_t leftovers = 0;
        int r = 0;

        /* By hand the group holds the whole login session. */
        if (notify_is_service())
                r = leftovers_count("/proc/self/cgroup", "/sys/fs/cgroup", getpid(), &leftovers);
        if (r < 0)
                journal_log(journal_of(v), LOG_DEBUG, "The own control group cannot be read: %s", strerror(-r));
        journal_started(journal_of(v), v->core->host.n_states, leftovers,
                        v->core->params->mode == MODE_AUTO_REMOUNT ? "auto-remount" : "recommend");
}

int service_run(struct core *c)
{
        cleanup(service_done) struct service v = { .core = c, .round_every_usec = round_every(c->params) };
        int r;

        c->ended = on_ended;
        c->mounts_changed = on_own_change;
        c->sources_changed = on_sources_changed;
        c->owner = &v;
        r = observe_all(&v);
        if (r < 0) {
                journal_log(journal_of(&v), LOG_ERR, "The mount table cannot be read: %s", strerror(-r));
                return EXIT_FAILURE;
        }
        r = add_sources(&v);
        if (r >= 0)
                r = applying_new(c, &v.applying);
        if (r >= 0)
                r = bus_new(c, v.applying, &v.bus);
        if (r < 0) {
                journal_log(journal_of(&v), LOG_ERR, "The event loop cannot be set up: %s", strerror(-r));
                return EXIT_FAILURE;
        }
        notify_ready();
        log_started(&v);
        r = sd_event_loop(c->event);
        if (r < 0)
                journal_log(journal_of(&v), LOG_ERR, "The event loop failed: %s", strerror(-r));
        return r < 0 ? EXIT_FAILURE : r;
}
