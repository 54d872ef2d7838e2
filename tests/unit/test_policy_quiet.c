/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Automatic mode stays quiet: weeks of virtual time with noisy probes, restarts, reboots and clocks that jump. What the
 * daemon does is done here by hand: judge, stage, ask the gate, change, verify by pairs, keep or take back, remember.
 */
#include <limits.h>

#include "policy/compare.h"
#include "policy/stable.h"
#include "tests/unit/policy_change.h"

#define ROUNDS 1000
#define SEEDS 5
#define PAIRS 11
#define TOLERANCE_PERMILLE 100

struct scenario {
        const char *name;
        unsigned effect_permille;       /* of the change on the time of a save; 1000: none */
        unsigned noise_percent;         /* either way; and one in fifty is tenfold as well */
        usec_t round_usec;
        bool restarts;                  /* the daemon, every 50 rounds */
        unsigned reboots;               /* spread over the rounds; the old line is mounted again */
        bool clock_jumps;
        bool administrator;             /* mounts the old options again in round 300 */
        unsigned changes;               /* exactly; UINT_MAX: at most as many as the breaker lets fail */
        unsigned taken_back;            /* of these */
        bool fast;                      /* at the end */
};

static const struct scenario scenarios[] = {
        { "helps", 100, 50, USEC_PER_HOUR, false, 0, false, false, 1, 0, true },
        { "helps, with restarts", 100, 50, USEC_PER_HOUR, true, 0, false, false, 1, 0, true },
        { "helps a little", 900, 80, USEC_PER_HOUR, true, 0, false, false, 1, 0, true },
        { "does nothing", 1000, 80, USEC_PER_HOUR, true, 0, false, false, UINT_MAX, 0, true },
        { "hurts, within a week", 3000, 40, 9 * USEC_PER_MINUTE, true, 0, false, false, 1, 1, false },
        { "hurts, for weeks", 3000, 40, USEC_PER_HOUR, true, 0, false, false, HISTORY_BREAKER, HISTORY_BREAKER, false },
        { "hurts, and the clock jumps", 3000, 40, USEC_PER_HOUR, true, 0, true, false, HISTORY_BREAKER,
          HISTORY_BREAKER, false },
        { "helps, and the clock jumps", 100, 50, USEC_PER_HOUR, true, 0, true, false, 1, 0, true },
        { "helps, once per boot", 100, 50, USEC_PER_HOUR, true, 4, false, false, 5, 0, true },
        { "hurts, with reboots", 3000, 40, 9 * USEC_PER_MINUTE, true, 4, false, false, 1, 1, false },
        { "the administrator comes in between", 100, 50, USEC_PER_HOUR, true, 0, false, true, 2, 0, true },
};

struct simulation {
        const struct scenario *s;
        struct change_world c;
        uint64_t random;
        usec_t now_usec, skew_usec;
        unsigned changes, taken_back;
        usec_t changed_usec;            /* the last time */
        usec_t outside_usec;            /* by the administrator; 0: never */
};

/* ---- the world ------------------------------------------------------------------------ */

static usec_t noisy(struct simulation *sim, usec_t usec)
{
        unsigned range = 2 * sim->s->noise_percent;
        usec_t value = usec * (100 - sim->s->noise_percent + world_random(&sim->random) % (range + 1)) / 100;

        return MAX(world_random(&sim->random) % 50 ? value : 10 * value, (usec_t)1);
}

/* Now and then stable writes seem to cost a round trip, as on an async export. */
static void probe(struct simulation *sim)
{
        bool async = world_random(&sim->random) % 20 == 0;
        struct world *w = &sim->c.w;

        w->o.earlier = (struct earlier_probe){
                .awaited = true, .known = w->o.probe.state == PROBE_ACTIVE,
                .null_median_usec = w->o.server.null_median_usec, .stable_small_usec = stable_small_usec(&w->o),
        };

        world_null(w, noisy(sim, 200));
        world_stable(w, 0, 4 * KIB, 4, async ? 250 : noisy(sim, 8000));
        world_stable(w, 1, 64 * KIB, 4, async ? 800 : noisy(sim, 9000));
        world_editor_save(w, noisy(sim, 8000), noisy(sim, 256000));
        w->o.probe.stable[2].latency.n = 0;
}

/* What the kernel and the server make of the options that are asked for. */
static void mount_with(struct simulation *sim, const struct options *asked)
{
        static const char *const sizes[] = { "rsize", "wsize" };
        struct options *super = &sim->c.w.o.mount.super;

        options_done(super);
        ck_assert_int_eq(options_copy(asked, super), 0);
        for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
                if (!options_has(super, sizes[i]))
                        ck_assert_int_eq(options_set(super, sizes[i], "1048576"), 0);
        ck_assert_int_eq(options_set(super, "clientaddr", "10.0.0.2"), 0);
        ck_assert_int_eq(options_set(super, "namlen", "255"), 0);
}

static bool is_fast(const struct simulation *sim)
{
        const struct options *super = &sim->c.w.o.mount.super;

        return !options_has(super, "sync") && strcmp(options_value(super, "rsize"), "1048576") == 0;
}

/* ---- the daemon ------------------------------------------------------------------------- */

static char *copy_or_null(const char *s)
{
        return s ? world_copy(s) : NULL;
}

/* Through a file and back: nothing but the history outlives the daemon. */
static void restart(struct change_world *c)
{
        struct history copy = c->history;

        copy.mounts = calloc(copy.n_mounts + 1, sizeof(*copy.mounts));
        ck_assert_ptr_nonnull(copy.mounts);
        for (size_t i = 0; i < copy.n_mounts; i++) {
                const struct mount_history *m = &c->history.mounts[i];

                copy.mounts[i] = *m;
                copy.mounts[i].target = world_copy(m->target);
                copy.mounts[i].source = world_copy(m->source);
                copy.mounts[i].from = copy_or_null(m->from);
                copy.mounts[i].to = copy_or_null(m->to);
                copy.mounts[i].keys = copy_or_null(m->keys);
                copy.mounts[i].effective = copy_or_null(m->effective);
                copy.mounts[i].failed_to = copy_or_null(m->failed_to);
                copy.mounts[i].failed_words = copy_or_null(m->failed_words);
        }
        history_done(&c->history);
        c->history = copy;
}

static void observe(struct simulation *sim)
{
        struct change_world *c = &sim->c;
        struct mount_history *m = history_find(&c->history, "/data", "server:/data");
        bool own = m && history_is_own(m, c->g.boot, &c->w.o.mount.super);

        free(c->w.o.own_change);
        c->w.o.own_change = own && !m->rolled_back ? world_copy(m->keys) : NULL;
        if (m && m->changed_usec && !own && strcmp(m->boot, c->g.boot) == 0 && m->outside_usec == 0)
                history_outside(m, c->g.now_realtime_usec);
}

static bool is_worse(struct simulation *sim)
{
        usec_t before[PAIRS], after[PAIRS];
        struct comparison comparison;

        for (size_t i = 0; i < PAIRS; i++) {
                before[i] = noisy(sim, 256000);
                after[i] = noisy(sim, (usec_t)256 * sim->s->effect_permille);
        }
        ck_assert(compare_pairs(before, after, PAIRS, &comparison));
        return comparison_is_worse(&comparison, TOLERANCE_PERMILLE);
}

static void take_back(struct simulation *sim, struct mount_history *m)
{
        struct staging back;

        ck_assert_int_eq(staging_reverse(&sim->c.staging, &back), 0);
        mount_with(sim, &back.to);
        staging_done(&back);
        m->rolled_back = true;
        ck_assert_int_eq(history_failed(&sim->c.history, m, m->to, "slower", sim->c.g.now_realtime_usec), 0);
        sim->taken_back++;
}

static void change(struct simulation *sim)
{
        struct change_world *c = &sim->c;
        struct options before = c->w.o.mount.super;
        cleanup_free char *effective = NULL, *words = NULL;
        struct mount_history *m;

        c->w.o.mount.super = (struct options){ 0 };
        mount_with(sim, &c->staging.to);
        ck_assert_msg(staging_check(&c->staging, &before, &c->w.o.mount.super, &words) == 0, "%s: %s", sim->s->name,
                      words);
        options_done(&before);
        effective = options_format(&c->w.o.mount.super);
        ck_assert_ptr_nonnull(effective);
        m = change_world_remember(c, effective);
        ck_assert_msg(sim->changes == 0 || sim->now_usec - sim->changed_usec >= USEC_PER_DAY || sim->s->reboots > 0,
                      "%s: twice on one day", sim->s->name);
        ck_assert_msg(sim->outside_usec == 0 || sim->now_usec - sim->outside_usec >= HISTORY_PATIENCE_USEC,
                      "%s: against the administrator", sim->s->name);
        sim->changed_usec = sim->now_usec;
        sim->changes++;
        if (is_worse(sim))
                take_back(sim, m);
        else
                m->verified = true;
}

/* ---- the rounds ------------------------------------------------------------------------------ */

static void reboot(struct simulation *sim, unsigned round)
{
        static char boot[33];

        (void)snprintf(boot, sizeof(boot), "%032u", round);
        sim->c.g.boot = boot;
        change_world_effective(&sim->c, SLOW);
}

static void disturb(struct simulation *sim, unsigned round)
{
        const struct scenario *s = sim->s;

        if (s->restarts && round % 50 == 49)
                restart(&sim->c);
        if (s->reboots > 0 && round > 0 && round % (ROUNDS / (s->reboots + 1)) == 0)
                reboot(sim, round);
        if (s->administrator && round == 300) {
                change_world_effective(&sim->c, SLOW);
                sim->outside_usec = sim->now_usec;
        }
        /* two hours back, a year ahead, and right again */
        if (s->clock_jumps && round % 100 == 20)
                sim->skew_usec = (usec_t)0 - 2 * USEC_PER_HOUR;
        if (s->clock_jumps && round % 400 == 50)
                sim->skew_usec = 365 * USEC_PER_DAY;
        if (s->clock_jumps && round % 100 == 70)
                sim->skew_usec = 0;
}

static void run_round(struct simulation *sim, unsigned round)
{
        struct change_world *c = &sim->c;

        disturb(sim, round);
        sim->now_usec += sim->s->round_usec * (75 + world_random(&sim->random) % 51) / 100;
        c->g.now_realtime_usec = REALTIME + sim->now_usec + sim->skew_usec;
        (void)history_settle(&c->history, c->g.now_realtime_usec);
        probe(sim);
        observe(sim);
        change_world_judge(c, true, NULL);
        if (gate_check(&c->g, NULL) == REFUSAL_NONE)
                change(sim);
}

static void check_end(const struct simulation *sim, uint64_t seed)
{
        const struct scenario *s = sim->s;

        if (s->changes == UINT_MAX) {
                ck_assert_msg(sim->changes >= 1 && sim->changes <= HISTORY_BREAKER &&
                              sim->changes - sim->taken_back <= 1,
                              "%s, seed %llu: %u changes, %u taken back", s->name, (unsigned long long)seed,
                              sim->changes, sim->taken_back);
                return;
        }
        ck_assert_msg(sim->changes == s->changes && sim->taken_back == s->taken_back && is_fast(sim) == s->fast,
                      "%s, seed %llu: %u changes, %u taken back, %s at the end", s->name, (unsigned long long)seed,
                      sim->changes, sim->taken_back, is_fast(sim) ? "fast" : "slow");
}

START_TEST(test_quiet)
{
        for (uint64_t seed = world_seed(); seed < world_seed() + SEEDS; seed++) {
                struct simulation sim = { .s = &scenarios[_i], .random = seed };

                change_world_init(&sim.c);
                for (unsigned round = 0; round < ROUNDS; round++)
                        run_round(&sim, round);
                check_end(&sim, seed);
                change_world_done(&sim.c);
        }
}
END_TEST

CASE_MAIN("automatic mode stays quiet", { test_quiet, ARRAY_SIZE(scenarios) })
