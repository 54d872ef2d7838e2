/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tests/unit/policy_change.h - a mount that automatic mode may change, and all that the gate looks at.
 *
 * Header only, like policy_world.h.
 */
#pragma once

#include "policy/gate.h"
#include "tests/unit/policy_case.h"

#define REALTIME (20000 * USEC_PER_DAY)
#define BOOT_1 "11111111111111111111111111111111"
#define BOOT_2 "22222222222222222222222222222222"
#define REST ",hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=10.0.0.2,local_lock=none,addr=10.0.0.1"
#define SLOW "rw,sync,vers=4.2,rsize=32768,wsize=32768,namlen=255" REST
#define FAST "rw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255" REST

/* The first story in auto-remount mode, after a first probe. */
struct change_world {
        struct world w;
        struct staging staging;
        struct history history;
        struct gate_input g;
};

static inline void change_world_init(struct change_world *c)
{
        world_init(&c->w, "/data", "rw,relatime", SLOW);
        c->w.p.mode = MODE_AUTO_REMOUNT;
        world_fstab(&c->w, 7, "server:/data /data nfs sync,rsize=32768,wsize=32768 0 0",
                    "sync,rsize=32768,wsize=32768");
        world_limits(&c->w, MIB, MIB);
        world_null(&c->w, 200);
        world_stable(&c->w, 0, 4 * KIB, 4, 8000);
        world_stable(&c->w, 1, 64 * KIB, 4, 9000);
        c->staging = (struct staging){ 0 };
        c->history = (struct history){ 0 };
        c->g = (struct gate_input){ .boot = BOOT_1, .now_realtime_usec = REALTIME, .minute_of_day = 600 };
}

/* Judges the observation as it is now. @rules: as in staging_make(). */
static inline void change_world_judge(struct change_world *c, bool only_automatic, const bool *rules)
{
        staging_done(&c->staging);
        world_evaluate(&c->w);
        ck_assert_int_eq(staging_make(&c->w.o, c->w.a.recommendations, c->w.a.n_recommendations, only_automatic,
                                      rules, &c->staging), 0);
        c->g.observation = &c->w.o;
        c->g.params = &c->w.p;
        c->g.recommendations = c->w.a.recommendations;
        c->g.n_recommendations = c->w.a.n_recommendations;
        c->g.staging = &c->staging;
        c->g.history = &c->history;
}

/* Remembers the change that was judged. */
static inline struct mount_history *change_world_remember(struct change_world *c, const char *effective)
{
        struct mount_history *m = history_get(&c->history, c->w.o.mount.target, c->w.o.mount.source);
        cleanup_free char *from = options_format(&c->staging.from), *to = options_format(&c->staging.to);
        cleanup_free char *keys = options_format(&c->staging.keys);

        ck_assert(m && from && to && keys);
        ck_assert_int_eq(history_changed(m, c->g.boot, from, to, keys, effective, c->g.now_realtime_usec), 0);
        return m;
}

static inline void change_world_effective(struct change_world *c, const char *super)
{
        options_done(&c->w.o.mount.super);
        c->w.o.mount.super = world_options(super);
}

static inline void change_world_share(struct change_world *c, const char *target)
{
        c->w.o.shares_superblock_with = calloc(1, sizeof(char *));
        ck_assert_ptr_nonnull(c->w.o.shares_superblock_with);
        c->w.o.shares_superblock_with[0] = world_copy(target);
        c->w.o.n_shares = 1;
}

static inline void change_world_done(struct change_world *c)
{
        staging_done(&c->staging);
        history_done(&c->history);
        world_done(&c->w);
}
