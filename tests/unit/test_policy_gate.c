/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/gate.c: what forbids a change, and to whom. */
#include "tests/unit/policy_change.h"

/* ---- what stands against it -------------------------------------------------------- */

typedef void spoil_fn(struct change_world *c);

static void nothing(struct change_world *c)
{
        (void)c;
}

static void submounts(struct change_world *c)
{
        c->w.o.mount.has_submounts = true;
}

static void covered(struct change_world *c)
{
        c->w.o.mount.covered = true;
}

static void removed(struct change_world *c)
{
        c->w.o.mount.deleted = true;
}

static void propagation(struct change_world *c, const char *words)
{
        free(c->w.o.mount.propagation);
        c->w.o.mount.propagation = world_copy(words);
}

static void shared(struct change_world *c)
{
        propagation(c, "shared:12");
}

static void slave(struct change_world *c)
{
        propagation(c, "shared:12 master:3");
}

static void unbindable(struct change_world *c)
{
        propagation(c, "unbindable");
}

static void at(struct change_world *c, const char *target)
{
        free(c->w.o.mount.target);
        c->w.o.mount.target = world_copy(target);
}

static void at_root(struct change_world *c)
{
        at(c, "/");
}

static void at_usr(struct change_world *c)
{
        at(c, "/usr");
}

static void at_opt(struct change_world *c)
{
        at(c, "/opt");
}

static void at_kubelet(struct change_world *c)
{
        at(c, "/var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/data");
}

static void at_mysql(struct change_world *c)
{
        at(c, "/srv/mysql");
}

static void autofs(struct change_world *c)
{
        c->w.o.mount.below_autofs = true;
}

static void automount_line(struct change_world *c)
{
        world_fstab(&c->w, 9, "a line", "x-systemd.automount");
}

static void from_map(struct change_world *c)
{
        world_source(&c->w, PLACE_AUTOFS, "/etc/auto.data", 3, "a line", "sync");
}

static void below_nfs(struct change_world *c)
{
        c->w.o.mount.below_nfs = true;
}

static void without_source(struct change_world *c)
{
        below_nfs(c);
        while (c->w.o.n_requested > 0)
                requested_done(&c->w.o.requested[--c->w.o.n_requested]);
}

static void only_defaults(struct change_world *c)
{
        without_source(c);
        world_conf(&c->w, 3, "sync");
}

static void from_volume(struct change_world *c)
{
        world_source(&c->w, PLACE_VOLUME, NULL, 0, "a line", "sync");
}

static void from_kernel(struct change_world *c)
{
        world_source(&c->w, PLACE_CMDLINE, NULL, 0, "nfsroot=", "sync");
}

static void unresponsive(struct change_world *c)
{
        c->w.o.liveness = LIVENESS_UNRESPONSIVE;
}

static void already_fast(struct change_world *c)
{
        change_world_effective(c, FAST);
}

static void all_wrong_and_fast(struct change_world *c)
{
        already_fast(c);
        submounts(c);
        autofs(c);
        unresponsive(c);
}

static void recommend_mode(struct change_world *c)
{
        c->w.p.mode = MODE_RECOMMEND;
}

static void recommend_here(struct change_world *c)
{
        world_section(&c->w)->mode = MOUNT_MODE_RECOMMEND;
}

static void only_here(struct change_world *c)
{
        recommend_mode(c);
        world_section(&c->w)->mode = MOUNT_MODE_AUTO_REMOUNT;
}

static void sharer(struct change_world *c)
{
        change_world_share(c, "/other");
}

static struct mount_params *section_of_sharer(struct change_world *c)
{
        struct mount_params *m = world_section(&c->w);

        free(m->path);
        m->path = world_copy("/other");
        sharer(c);
        return m;
}

static void sharer_recommends(struct change_world *c)
{
        section_of_sharer(c)->mode = MOUNT_MODE_RECOMMEND;
}

static void sharer_keeps(struct change_world *c)
{
        (void)section_of_sharer(c);
        world_keep(&c->w, "sync");
}

static void sharer_keeps_another(struct change_world *c)
{
        (void)section_of_sharer(c);
        world_keep(&c->w, "timeo");
}

static void sharer_is_a_database(struct change_world *c)
{
        change_world_share(c, "/srv/mysql");
}

static void elsewhere(struct change_world *c)
{
        c->g.elsewhere = true;
        c->g.elsewhere_who = "sleep (process 12)";
}

static void no_rules(struct change_world *c)
{
        c->w.p.apply_rules = 0;
}

static void one_rule(struct change_world *c)
{
        c->w.p.apply_rules = UINT64_C(1) << RULE_SYNC_CLIENT;
}

static void server_is(struct change_world *c, const char *server)
{
        free(c->w.o.mount.server);
        c->w.o.mount.server = world_copy(server);
}

static void tunnel(struct change_world *c)
{
        server_is(c, "127.0.0.2");
}

static void tunnel_6(struct change_world *c)
{
        server_is(c, "::1");
}

static void no_server(struct change_world *c)
{
        server_is(c, "");
}

static void probe_off(struct change_world *c)
{
        world_section(&c->w)->probe = PROBE_SETTING_OFF;
}

static void probe_passive(struct change_world *c)
{
        world_section(&c->w)->probe = PROBE_SETTING_PASSIVE;
}

static void never_active(struct change_world *c)
{
        c->w.p.active = ACTIVE_NO;
}

static void unprobed(struct change_world *c)
{
        c->w.o.probe.state = PROBE_NONE;
}

static void unprobed_but_said(struct change_world *c)
{
        unprobed(c);
        world_section(&c->w)->export_setting = EXPORT_SYNC;
}

static void looks_async_once(struct change_world *c)
{
        world_stable(&c->w, 0, 4 * KIB, 4, 250);
        world_stable(&c->w, 1, 64 * KIB, 4, 300);
        c->w.o.earlier = (struct earlier_probe){ .awaited = true, .known = true, .null_median_usec = 200,
                                                 .stable_small_usec = 8000 };
}

static void looks_async_twice(struct change_world *c)
{
        looks_async_once(c);
        c->w.o.earlier.stable_small_usec = 250;
}

static void stopped(struct change_world *c)
{
        c->history.stopped = true;
        c->history.failures = 2;
        c->history.stopped_usec = REALTIME - USEC_PER_HOUR;
}

static void shut(struct change_world *c)
{
        c->w.p.windows[0] = (struct day_window){ 22 * 60, 6 * 60 };
        c->w.p.n_windows = 1;
}

static void open_at_night(struct change_world *c)
{
        shut(c);
        c->g.minute_of_day = 5;
}

static void little_gain(struct change_world *c)
{
        for (size_t i = 0; i < c->w.a.n_recommendations; i++)
                c->w.a.recommendations[i].gain_permille = 15;
}

static void one_gain_unknown(struct change_world *c)
{
        little_gain(c);
        c->w.a.recommendations[0].gain_permille = 0;
}

static void urgent(struct change_world *c)
{
        little_gain(c);
        c->w.a.recommendations[0].urgent = true;
}

static void much_gain(struct change_world *c)
{
        little_gain(c);
        c->w.a.recommendations[0].gain_permille = 900;
}

static void nothing_automatic(struct change_world *c)
{
        for (size_t i = 0; i < c->w.a.n_recommendations; i++)
                c->w.a.recommendations[i].automatic = false;
}

enum kind { ALL, LIVE };

static const struct {
        const char *name;
        spoil_fn *before;               /* it is judged */
        spoil_fn *after;                /* or NULL */
        enum kind kind;                 /* of the change: the whole plan, or sync alone */
        enum refusal automatic, by_hand;
        const char *said;               /* is in the words of the first of the two; or NULL */
} rows[] = {
        { "may be changed", nothing, NULL, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "may be changed live", nothing, NULL, LIVE, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "mounts below it", submounts, NULL, ALL, REFUSAL_SUBMOUNTS, REFUSAL_SUBMOUNTS, "findmnt -R /data" },
        { "mounts below it, live", submounts, NULL, LIVE, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "covered", nothing, covered, ALL, REFUSAL_COVERED, REFUSAL_COVERED, "on top at /data" },
        { "covered, live", nothing, covered, LIVE, REFUSAL_COVERED, REFUSAL_COVERED, NULL },
        { "its directory is gone", nothing, removed, LIVE, REFUSAL_COVERED, REFUSAL_COVERED, "removed" },
        { "shared as systemd does", shared, NULL, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "slave", slave, NULL, ALL, REFUSAL_PROPAGATION, REFUSAL_PROPAGATION, "slave" },
        { "unbindable", unbindable, NULL, ALL, REFUSAL_PROPAGATION, REFUSAL_PROPAGATION, "unbindable" },
        { "slave, live", slave, NULL, LIVE, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "root", nothing, at_root, ALL, REFUSAL_ROOT, REFUSAL_ROOT, "the system runs from /:" },
        { "root, live", nothing, at_root, LIVE, REFUSAL_ROOT, REFUSAL_NONE, NULL },
        { "/usr", at_usr, NULL, ALL, REFUSAL_ROOT, REFUSAL_ROOT, "/usr" },
        { "/opt", at_opt, NULL, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "automounter", nothing, autofs, ALL, REFUSAL_AUTOFS, REFUSAL_AUTOFS, "map" },
        { "automounter, live", nothing, autofs, LIVE, REFUSAL_AUTOFS, REFUSAL_AUTOFS, NULL },
        { "silent server", nothing, unresponsive, ALL, REFUSAL_UNRESPONSIVE, REFUSAL_UNRESPONSIVE, NULL },
        { "silent server, live", nothing, unresponsive, LIVE, REFUSAL_UNRESPONSIVE, REFUSAL_UNRESPONSIVE, NULL },
        { "nothing to do", already_fast, NULL, ALL, REFUSAL_NOTHING, REFUSAL_NOTHING, NULL },
        { "nothing to do, whatever else", all_wrong_and_fast, NULL, ALL, REFUSAL_NOTHING, REFUSAL_NOTHING, NULL },
        { "recommend", recommend_mode, NULL, ALL, REFUSAL_MODE, REFUSAL_NONE, "[daemon]" },
        { "recommend here", recommend_here, NULL, ALL, REFUSAL_MODE, REFUSAL_NONE, "[mount " },
        { "automatic here", only_here, NULL, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "another mount recommends", sharer_recommends, NULL, LIVE, REFUSAL_SHARER, REFUSAL_NONE, "/other shares" },
        { "another mount keeps it", sharer_keeps, NULL, LIVE, REFUSAL_SHARER, REFUSAL_NONE, "keep = sync" },
        { "another mount keeps something else", sharer_keeps_another, NULL, LIVE, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "another mount is a database's", nothing, sharer_is_a_database, LIVE, REFUSAL_SHARER, REFUSAL_NONE,
          "/srv/mysql" },
        { "another mount only, live", sharer, NULL, LIVE, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "another mount only", sharer, NULL, ALL, REFUSAL_SHARED_SUPERBLOCK, REFUSAL_NONE, "/other" },
        { "not automatic", nothing, nothing_automatic, ALL, REFUSAL_NOT_AUTOMATIC, REFUSAL_NONE, "rsize" },
        { "no rules", no_rules, NULL, ALL, REFUSAL_RULES, REFUSAL_NONE, "stale-io-size" },
        { "one rule of two", one_rule, NULL, ALL, REFUSAL_RULES, REFUSAL_NONE, "stale-io-size" },
        { "one rule of one", one_rule, NULL, LIVE, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "kubelet", nothing, at_kubelet, ALL, REFUSAL_OWNER, REFUSAL_NONE, "kubelet" },
        { "tunnel", nothing, tunnel, ALL, REFUSAL_OWNER, REFUSAL_NONE, "this host itself" },
        { "tunnel, IPv6", nothing, tunnel_6, ALL, REFUSAL_OWNER, REFUSAL_NONE, NULL },
        { "no server", nothing, no_server, ALL, REFUSAL_OWNER, REFUSAL_NONE, NULL },
        { "automount line", nothing, automount_line, ALL, REFUSAL_OWNER, REFUSAL_NONE, "x-systemd.automount" },
        { "map", nothing, from_map, ALL, REFUSAL_OWNER, REFUSAL_NONE, "map" },
        { "a mount below another, from fstab", nothing, below_nfs, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "mounted by the kernel", nothing, without_source, ALL, REFUSAL_OWNER, REFUSAL_NONE, "the kernel" },
        { "mounted by the kernel, with defaults", nothing, only_defaults, ALL, REFUSAL_OWNER, REFUSAL_NONE,
          "the kernel" },
        { "volume", nothing, from_volume, ALL, REFUSAL_OWNER, REFUSAL_NONE, "volume" },
        { "kernel command line", nothing, from_kernel, ALL, REFUSAL_OWNER, REFUSAL_NONE, "nfsroot" },
        { "database", nothing, at_mysql, ALL, REFUSAL_PATH, REFUSAL_NONE, "database" },
        { "copies elsewhere", elsewhere, NULL, ALL, REFUSAL_ELSEWHERE, REFUSAL_NONE, "that of sleep (process 12)" },
        { "copies elsewhere, live", elsewhere, NULL, LIVE, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "probe off", probe_off, NULL, ALL, REFUSAL_UNVERIFIABLE, REFUSAL_NONE, "probe = off" },
        { "probe passive", probe_passive, NULL, ALL, REFUSAL_UNVERIFIABLE, REFUSAL_NONE, "probe = passive" },
        { "never active", never_active, NULL, LIVE, REFUSAL_UNVERIFIABLE, REFUSAL_NONE, NULL },
        { "not probed yet", unprobed, NULL, LIVE, REFUSAL_UNPROBED, REFUSAL_NONE, NULL },
        { "not probed, but the export is known", unprobed_but_said, NULL, LIVE, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "looks async, for the first time", looks_async_once, NULL, ALL, REFUSAL_UNPROBED, REFUSAL_NONE, "async" },
        { "looks async, again", looks_async_twice, NULL, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "breaker", stopped, NULL, ALL, REFUSAL_BREAKER, REFUSAL_NONE, "nfstunectl resume" },
        { "window", shut, NULL, ALL, REFUSAL_WINDOW, REFUSAL_NONE, "22:00-06:00" },
        { "open window", open_at_night, NULL, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "little gain", nothing, little_gain, ALL, REFUSAL_GAIN, REFUSAL_NONE, "1.5 %" },
        { "much gain", nothing, much_gain, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "unknown gain", nothing, one_gain_unknown, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
        { "little gain, but urgent", nothing, urgent, ALL, REFUSAL_NONE, REFUSAL_NONE, NULL },
};

static void check(struct change_world *c, enum refusal want, const char *said, const char *name)
{
        cleanup(text_done) struct text words = { 0 };
        enum refusal r = gate_check(&c->g, &words);

        ck_assert_msg(r == want, "%s: %s, not %s: %s", name, refusal_name(r), refusal_name(want),
                      words.data ? words.data : "");
        ck_assert_msg((r == REFUSAL_NONE) == (words.length_bytes == 0), "%s: words", name);
        ck_assert_msg(!said || (words.data && strstr(words.data, said)), "%s: %s", name,
                      words.data ? words.data : "");
        ck_assert_msg(gate_check(&c->g, NULL) == want, "%s: without words", name);
}

START_TEST(test_gate)
{
        bool rules[RULE_COUNT] = { [RULE_SYNC_CLIENT] = true };
        struct change_world c;

        change_world_init(&c);
        rows[_i].before(&c);
        change_world_judge(&c, true, rows[_i].kind == LIVE ? rules : NULL);
        if (rows[_i].after)
                rows[_i].after(&c);
        check(&c, rows[_i].automatic, rows[_i].said, rows[_i].name);
        c.g.by_hand = true;
        check(&c, rows[_i].by_hand, NULL, rows[_i].name);
        change_world_done(&c);
}
END_TEST

/* ---- what happened before ------------------------------------------------------------- */

struct past {
        const char *name;
        usec_t changed_ago, failed_ago, outside_ago;    /* 0: never */
        const char *failed_to;          /* NULL: what is wanted now */
        const char *boot;               /* of the change; NULL: this one */
        bool verified, rolled_back, other_keys;
        enum refusal want;
        const char *said;
};

#define DAYS(n) ((n) * USEC_PER_DAY)
#define HOURS(n) ((n) * USEC_PER_HOUR)

static const struct past pasts[] = {
        { "changed today", HOURS(3), 0, 0, NULL, NULL, true, false, false, REFUSAL_DAILY, "3 h ago" },
        { "changed yesterday", DAYS(1), 0, 0, NULL, NULL, true, false, false, REFUSAL_NONE, NULL },
        { "the same after a reboot", HOURS(3), 0, 0, NULL, BOOT_2, true, false, false, REFUSAL_NONE, NULL },
        { "another one after a reboot", HOURS(3), 0, 0, NULL, BOOT_2, true, false, true, REFUSAL_DAILY, NULL },
        { "the same after a reboot, never proved", HOURS(3), 0, 0, NULL, BOOT_2, false, false, false, REFUSAL_DAILY,
          NULL },
        { "the same after a reboot, taken back", HOURS(3), 0, 0, NULL, BOOT_2, true, true, false, REFUSAL_DAILY,
          NULL },
        { "failed", DAYS(2), DAYS(2), 0, NULL, NULL, false, true, false, REFUSAL_FAILED, "it was slower" },
        { "failed long ago", DAYS(8), DAYS(7), 0, NULL, NULL, false, true, false, REFUSAL_NONE, NULL },
        { "another one failed", DAYS(2), DAYS(2), 0, "vers=4.2,sync,rsize=65536,hard", NULL, false, true, false,
          REFUSAL_NONE, NULL },
        { "the administrator", 0, 0, DAYS(6), NULL, NULL, false, false, false, REFUSAL_OUTSIDE, "6 days ago" },
        { "the administrator, long ago", 0, 0, DAYS(7), NULL, NULL, false, false, false, REFUSAL_NONE, NULL },
        { "a clock set back by two hours", (usec_t)-HOURS(2), 0, 0, NULL, NULL, true, false, false, REFUSAL_DAILY,
          "just now" },
        { "failed, and the clock set back", (usec_t)-HOURS(2), (usec_t)-HOURS(2), 0, NULL, NULL, false, true, false,
          REFUSAL_FAILED, "just now" },
        { "a clock that jumped by a year", DAYS(365), DAYS(365), DAYS(365), NULL, NULL, false, true, false,
          REFUSAL_NONE, NULL },
};

static void remember(struct change_world *c, const struct past *p)
{
        struct mount_history *m = history_get(&c->history, "/data", "server:/data");
        cleanup_free char *to = options_format(&c->staging.to);

        ck_assert(m && to);
        if (p->changed_ago) {
                c->g.boot = p->boot ? p->boot : BOOT_1;
                m = change_world_remember(c, FAST);
                c->g.boot = BOOT_1;
                m->changed_usec = REALTIME - p->changed_ago;
                m->verified = p->verified;
                m->rolled_back = p->rolled_back;
        }
        if (p->other_keys) {
                free(m->keys);
                m->keys = world_copy("sync");
        }
        if (p->failed_ago)
                ck_assert_int_eq(history_failed(&c->history, m, p->failed_to ? p->failed_to : to, "it was slower",
                                                REALTIME - p->failed_ago), 0);
        if (p->outside_ago)
                history_outside(m, REALTIME - p->outside_ago);
}

START_TEST(test_past)
{
        const struct past *p = &pasts[_i];
        struct change_world c;

        change_world_init(&c);
        change_world_judge(&c, true, NULL);
        remember(&c, p);
        check(&c, p->want, p->said, p->name);
        c.g.by_hand = true;
        check(&c, REFUSAL_NONE, NULL, p->name);
        change_world_done(&c);
}
END_TEST

/* A part of what failed is no better. */
START_TEST(test_part_of_what_failed)
{
        bool rules[RULE_COUNT] = { [RULE_SYNC_CLIENT] = true };
        struct change_world c;

        change_world_init(&c);
        change_world_judge(&c, true, NULL);
        remember(&c, &(struct past){ .failed_ago = DAYS(1) });
        change_world_judge(&c, true, rules);
        check(&c, REFUSAL_FAILED, NULL, "sync alone");
        change_world_done(&c);
}
END_TEST

/* What holds for days is said before what the next probe ends. */
START_TEST(test_the_lasting_one)
{
        struct change_world c;

        change_world_init(&c);
        unprobed(&c);
        change_world_judge(&c, true, NULL);
        check(&c, REFUSAL_UNPROBED, NULL, "before it failed");
        remember(&c, &(struct past){ .failed_ago = DAYS(1) });
        check(&c, REFUSAL_FAILED, NULL, "after it failed");
        change_world_done(&c);
}
END_TEST

/* By hand a question may be answered; nobody is told that all is well where one is open. */
START_TEST(test_open_question)
{
        struct change_world c;

        change_world_init(&c);
        change_world_effective(&c, "rw,sync,noac,acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,vers=4.2,rsize=1048576,"
                                   "wsize=1048576" REST);
        c.g.by_hand = true;
        change_world_judge(&c, false, NULL);
        check(&c, REFUSAL_NOTHING, "--rule noac", "noac");
        change_world_done(&c);
}
END_TEST

START_TEST(test_names)
{
        for (enum refusal r = REFUSAL_NONE; r < REFUSAL_COUNT; r++) {
                ck_assert_ptr_nonnull(refusal_name(r));
                for (enum refusal other = REFUSAL_NONE; other < r; other++)
                        ck_assert_str_ne(refusal_name(r), refusal_name(other));
        }
        ck_assert_str_eq(refusal_name(REFUSAL_SHARED_SUPERBLOCK), "shared-superblock");
        ck_assert(refusal_is_passing(REFUSAL_WINDOW) && refusal_is_passing(REFUSAL_DAILY) &&
                  refusal_is_passing(REFUSAL_FAILED) && refusal_is_passing(REFUSAL_MODE));
        ck_assert(!refusal_is_passing(REFUSAL_SHARER) && !refusal_is_passing(REFUSAL_SUBMOUNTS) &&
                  !refusal_is_passing(REFUSAL_BREAKER));
}
END_TEST

CASE_MAIN("policy gate",
          { test_gate, ARRAY_SIZE(rows) },
          { test_past, ARRAY_SIZE(pasts) },
          { test_part_of_what_failed, 1 },
          { test_the_lasting_one, 1 },
          { test_open_question, 1 },
          { test_names, 1 })
