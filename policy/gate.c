/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/gate.c - may this mount be changed now? See gate.h. */
#include "policy/gate.h"

#include <errno.h>
#include <string.h>

#include "policy/address.h"
#include "policy/canonical.h"
#include "policy/evaluate.h"
#include "policy/names.h"
#include "policy/paths.h"
#include "policy/recommend.h"
#include "policy/stable.h"

/* Does it forbid the change? Then with words: what, and the remedy. */
typedef bool check_fn(const struct gate_input *g, struct text *words);

static const char *target_of(const struct gate_input *g)
{
        return g->observation->mount.target;
}

static bool is_replace(const struct gate_input *g)
{
        return g->staging->method == METHOD_REPLACE;
}

static bool is_nothing(const struct gate_input *g)
{
        return g->staging->method == METHOD_NONE;
}

/* ---- to everybody ------------------------------------------------------------------ */

static bool has_submounts(const struct gate_input *g, struct text *words)
{
        if (!is_replace(g) || !g->observation->mount.has_submounts)
                return false;
        text_add(words, "other file systems are mounted below %s, and a mount with others below it is never unmounted: "
                        "\"findmnt -R", target_of(g));
        text_add_operands(words, (const char *const[]){ target_of(g), NULL });
        text_add(words, "\" lists them, umount them first (those of the same server come back by themselves)");
        return true;
}

static bool is_covered(const struct gate_input *g, struct text *words)
{
        const struct mount_facts *m = &g->observation->mount;

        if (is_nothing(g) || (!m->covered && !m->deleted))
                return false;
        if (m->deleted)
                text_add(words, "the mount point %s was removed: nobody reaches the mount by its path", m->target);
        else
                text_add(words, "another mount stands on top at %s: umount that one first, the path is not this mount",
                         m->target);
        return true;
}

static bool has_other_propagation(const struct gate_input *g, struct text *words)
{
        const char *p = g->observation->mount.propagation;
        bool receives = p && strstr(p, "master:");

        if (!is_replace(g) || !p || (!receives && !strstr(p, "unbindable")))
                return false;
        text_add(words, "%s %s, which cannot be carried over to a new mount: change it where it comes from, or "
                        "umount and mount it by hand", target_of(g),
                 receives ? "receives mounts from another mount namespace (its propagation is slave)"
                          : "is unbindable");
        return true;
}

/* The system runs from there. */
static bool is_root(const struct gate_input *g, struct text *words)
{
        static const char *const roots[] = {
                "/", "/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/run", "/sbin", "/usr", "/var",
                "/var/lib",
        };

        if (is_nothing(g) || (!is_replace(g) && g->by_hand) || !WORD_IS_ONE_OF(target_of(g), roots))
                return false;
        text_add(words, "the system runs from %s: change the options where they are written (fstab, or nfsroot= of the "
                        "kernel command line) and reboot", target_of(g));
        return true;
}

static bool source_has_automount(const struct observation *o)
{
        for (size_t i = 0; i < o->n_requested; i++)
                if (options_has(&o->requested[i].options, "x-systemd.automount"))
                        return true;
        return false;
}

static bool is_below_autofs(const struct gate_input *g, struct text *words)
{
        if (is_nothing(g) || !g->observation->mount.below_autofs)
                return false;
        text_add(words, "an automounter mounts and unmounts %s: ", target_of(g));
        if (source_has_automount(g->observation))
                text_add(words, "change the line with x-systemd.automount; the next mount takes it");
        else
                text_add(words, "change its map; the next mount takes it");
        return true;
}

static bool is_unresponsive(const struct gate_input *g, struct text *words)
{
        if (is_nothing(g) || g->observation->liveness != LIVENESS_UNRESPONSIVE)
                return false;
        text_add(words, "the server does not answer: nothing is changed until it does");
        return true;
}

static const struct recommendation *first_question(const struct gate_input *g)
{
        for (size_t i = 0; i < g->n_recommendations; i++) {
                const struct recommendation *r = &g->recommendations[i];

                if (r->question && r->confidence > CONFIDENCE_POSSIBLE &&
                    (r->method == METHOD_LIVE || r->method == METHOD_REPLACE))
                        return r;
        }
        return NULL;
}

static bool has_nothing_to_do(const struct gate_input *g, struct text *words)
{
        const struct recommendation *question = first_question(g);
        const char *rule = question ? rule_name(question->rule) : NULL;

        if (!is_nothing(g))
                return false;
        text_add(words, "nothing to change on the mount");
        if (rule) {
                text_add(words, ": %s is a question, which \"nfstunectl apply --rule %s", rule, rule);
                text_add_operands(words, (const char *const[]){ target_of(g), NULL });
                text_add(words, "\" answers");
        }
        return true;
}

/* ---- what the administrator decided ------------------------------------------------- */

static bool is_advice_only(const struct gate_input *g, struct text *words)
{
        const struct mount_params *m = params_for_mount(g->params, target_of(g));

        if (params_mode_for_mount(g->params, target_of(g)) == MODE_AUTO_REMOUNT)
                return false;
        if (m->mode == MOUNT_MODE_RECOMMEND)
                text_add(words, "mode = recommend in [mount %s]", m->name ? m->name : "");
        else
                text_add(words, "mode = recommend in [daemon]");
        text_add(words, ": \"nfstunectl apply");
        text_add_operands(words, (const char *const[]){ target_of(g), NULL });
        text_add(words, "\" does it by hand");
        return true;
}

/* Is an option, as it stands in a list, of a family that changes? */
static int is_of_a_key(const char *text, const struct options *keys)
{
        cleanup(options_done) struct options one = { 0 }, settings = { 0 };
        int r = options_add_text(&one, text);

        if (r == 0)
                r = canonical_make(&one, &settings);
        for (size_t i = 0; i < settings.n_items && r == 0; i++)
                r = options_has(keys, settings.items[i].name);
        return r;
}

/* Without memory nothing is known: then it is kept. */
static const char *kept_option(const struct mount_params *m, const struct options *keys)
{
        for (size_t i = 0; i < m->n_keep; i++)
                if (is_of_a_key(m->keep[i], keys) != 0)
                        return m->keep[i];
        return NULL;
}

static bool class_is_owned(enum path_class class)
{
        return class == PATH_KUBELET || class == PATH_CONTAINER;
}

static bool class_is_guarded(enum path_class class)
{
        return class_is_owned(class) || path_may_be_deliberate(class);
}

static bool sharer_forbids(const struct gate_input *g, const char *sharer, struct text *words)
{
        const struct mount_params *m = params_for_mount(g->params, sharer);
        const char *kept = kept_option(m, &g->staging->keys);
        enum path_class class = path_classify(sharer);
        bool recommend = params_mode_for_mount(g->params, sharer) != MODE_AUTO_REMOUNT;

        if (!recommend && !kept && !class_is_guarded(class))
                return false;
        text_add(words, "%s shares the superblock with %s and would be changed with it, ", sharer, target_of(g));
        if (recommend)
                text_add(words, "and mode = recommend holds for it");
        else if (kept)
                text_add(words, "and its [mount] section says keep = %s", kept);
        else
                text_add(words, "and looks like %s", path_class_words(class));
        text_add(words, ": nosharecache in the options of one of them separates the two");
        return true;
}

static bool has_unwilling_sharer(const struct gate_input *g, struct text *words)
{
        for (size_t i = 0; i < g->observation->n_shares; i++)
                if (sharer_forbids(g, g->observation->shares_superblock_with[i], words))
                        return true;
        return false;
}

/* ---- which recommendations are in it -------------------------------------------------- */

static const struct options read_ahead_key = { .items = &(struct mount_option){ .name = (char *)"read_ahead_kb" },
                                               .n_items = 1 };
static const struct options size_keys = { .items = (struct mount_option[]){ { .name = (char *)"rsize" },
                                                                            { .name = (char *)"wsize" } },
                                          .n_items = 2 };

static bool names_one_of(const struct recommendation *r, const struct options *keys)
{
        for (size_t i = 0; i < r->n_drop; i++)
                if (is_of_a_key(r->drop[i], keys) > 0)
                        return true;
        for (size_t i = 0; i < r->n_set; i++)
                if (is_of_a_key(r->set[i], keys) > 0)
                        return true;
        return false;
}

static bool may_be_in_a_change(const struct recommendation *r)
{
        return r->confidence > CONFIDENCE_POSSIBLE && !r->question &&
               (r->method == METHOD_LIVE || r->method == METHOD_REPLACE);
}

static bool rule_is_allowed(const struct gate_input *g, enum rule rule)
{
        return (g->params->apply_rules >> rule) & 1;
}

/* The recommendation that asks for one of these; one that may be applied by itself before others; NULL: none.
 * @allowed: only such as [apply] rules names. */
static const struct recommendation *asks_for(const struct gate_input *g, const struct options *keys, bool allowed)
{
        const struct recommendation *other = NULL;

        for (size_t i = 0; i < g->n_recommendations; i++) {
                const struct recommendation *r = &g->recommendations[i];

                if (!may_be_in_a_change(r) || !names_one_of(r, keys) || (allowed && !rule_is_allowed(g, r->rule)))
                        continue;
                if (r->automatic)
                        return r;
                other = other ? other : r;
        }
        return other;
}

typedef bool key_fn(const struct gate_input *g, const struct options *keys, struct text *words);

/* Of each key that changes, the read-ahead too; a size is named by either. */
static bool any_key(const struct gate_input *g, key_fn *forbids, struct text *words)
{
        for (size_t i = 0; i < g->staging->keys.n_items; i++) {
                struct options one = { .items = &g->staging->keys.items[i], .n_items = 1 };

                if (options_has(&size_keys, one.items[0].name))
                        one = size_keys;
                if (forbids(g, &one, words))
                        return true;
        }
        return g->staging->read_ahead_kib > 0 && forbids(g, &read_ahead_key, words);
}

static bool key_is_not_automatic(const struct gate_input *g, const struct options *keys, struct text *words)
{
        const struct recommendation *r = asks_for(g, keys, false);

        if (r && r->automatic)
                return false;
        text_add(words, "%s is never changed without being asked for", keys->items[0].name);
        if (r)
                text_add(words, " (rule %s)", rule_name(r->rule));
        text_add(words, ": \"nfstunectl apply");
        text_add_operands(words, (const char *const[]){ target_of(g), NULL });
        text_add(words, "\" does it by hand");
        return true;
}

static bool key_is_not_allowed(const struct gate_input *g, const struct options *keys, struct text *words)
{
        const struct recommendation *r = asks_for(g, keys, false);

        if (asks_for(g, keys, true) || !r)
                return false;
        text_add(words, "rules in [apply] does not name %s", rule_name(r->rule));
        return true;
}

static bool is_not_automatic(const struct gate_input *g, struct text *words)
{
        return any_key(g, key_is_not_automatic, words);
}

static bool is_not_allowed(const struct gate_input *g, struct text *words)
{
        return any_key(g, key_is_not_allowed, words);
}

/* ---- whose mount it is ------------------------------------------------------------------ */

/* Of mounts that a program made there is a record at least. Those that the kernel made where one export lies within
 * another it takes away when they are idle or the one above is unmounted, which a new mount in their place would keep
 * it from. */
static bool kernel_made_it(const struct observation *o)
{
        for (size_t i = 0; i < o->n_requested; i++)
                if (!o->requested[i].is_default)
                        return false;
        return o->mount.below_nfs;
}

static const char *owner_by_source(const struct observation *o)
{
        if (kernel_made_it(o))
                return "the kernel mounted it by itself, below another mount of the server, and unmounts it again: change "
                       "the options of that one";
        if (source_has_automount(o))
                return "systemd mounts it at the first access (x-systemd.automount): edit its line";
        for (size_t i = 0; i < o->n_requested; i++) {
                if (o->requested[i].place.kind == PLACE_AUTOFS)
                        return "an automounter's map asks for it: edit the map";
                if (o->requested[i].place.kind == PLACE_CMDLINE)
                        return "the kernel command line asks for it: edit nfsroot= there";
                if (o->requested[i].place.kind == PLACE_VOLUME)
                        return "a volume definition asks for it: edit its mountOptions";
        }
        return NULL;
}

static bool is_owned(const struct gate_input *g, struct text *words)
{
        const struct mount_facts *m = &g->observation->mount;
        const char *address = options_value(&m->super, "addr"), *owner = owner_by_source(g->observation);
        enum path_class class = path_classify(m->target);

        if (class_is_owned(class))
                text_add(words, "%s looks like %s: whoever made the mount has to change it, in the volume's definition",
                         m->target, path_class_words(class));
        else if (owner)
                text_add(words, "%s", owner);
        else if (m->server && !*m->server)
                text_add(words, "the source %s names no server: a container engine or the initramfs made the mount",
                         m->source);
        else if (address_is_loopback(address) || address_is_loopback(m->server))
                text_add(words, "the server is this host itself (%s), as with the proxies of cloud mount helpers, "
                                "which look after their mounts: \"nfstunectl apply\" does it by hand",
                         address_is_loopback(address) ? address : m->server);
        else
                return false;
        return true;
}

static bool is_guarded_path(const struct gate_input *g, struct text *words)
{
        enum path_class class = path_classify(target_of(g));

        if (!path_may_be_deliberate(class))
                return false;
        text_add(words, "%s looks like %s, whose options may be prescribed: \"nfstunectl apply\" does it by hand",
                 target_of(g), path_class_words(class));
        return true;
}

/* ---- who else has it ---------------------------------------------------------------------- */

static bool splits_superblock(const struct gate_input *g, struct text *words)
{
        const struct observation *o = g->observation;

        if (!is_replace(g) || o->n_shares == 0)
                return false;
        text_add(words, "%s shares the superblock and would keep the old one: two superblocks of one file system share "
                        "neither cache nor mmap. Mount both anew by hand, or make it one change: umount %s first",
                 o->shares_superblock_with[0], o->shares_superblock_with[0]);
        return true;
}

static bool is_elsewhere(const struct gate_input *g, struct text *words)
{
        if (!is_replace(g) || !g->elsewhere)
                return false;
        text_add(words, "another mount namespace (a container, a service) has a copy of %s that an unmount here does "
                        "not reach, and would stay on the old options", target_of(g));
        if (g->elsewhere_who)
                text_add(words, ", that of %s", g->elsewhere_who);
        text_add(words, ": restart it after \"nfstunectl apply\" by hand");
        return true;
}

static bool is_unverifiable(const struct gate_input *g, struct text *words)
{
        const char *reason = NULL;

        if (probe_may_write(g->observation, g->params, &reason))
                return false;
        text_add(words, "%s may not be written to (%s), so that nothing could prove the change: \"nfstunectl apply\" "
                        "does it by hand", target_of(g), reason ? reason : "for an unknown reason");
        return true;
}

static bool asks_to_drop_sync(const struct gate_input *g)
{
        for (size_t i = 0; i < g->n_recommendations; i++)
                if (g->recommendations[i].rule == RULE_SYNC_CLIENT)
                        return true;
        return false;
}

/* On an async export dropping sync is a question. The first probe tells, and where it looks async the next one has to
 * agree: else the sizes would be changed alone today, and sync tomorrow. */
static bool awaits_probe(const struct gate_input *g, struct text *words)
{
        const struct observation *o = g->observation;
        bool waits = o->probe.state == PROBE_NONE ||
                     (stable_look(o) == STABLE_NOT_WAITED_FOR && !stable_look_is_confirmed(o));

        if (!waits || o->export_facts.known ||
            params_for_mount(g->params, target_of(g))->export_setting != EXPORT_AUTO || !asks_to_drop_sync(g))
                return false;
        text_add(words, "whether the export is async is not known before the next probe of %s", target_of(g));
        return true;
}

/* ---- what happened before ------------------------------------------------------------------ */

static const struct mount_history *history_of(const struct gate_input *g)
{
        return history_find(g->history, target_of(g), g->observation->mount.source);
}

static void add_age(struct text *t, usec_t age)
{
        if (age < USEC_PER_MINUTE) {
                text_add(t, "just now");
                return;
        }
        text_add_usec(t, age);
        text_add(t, " ago");
}

static bool breaker_fell(const struct gate_input *g, struct text *words)
{
        if (!g->history->stopped)
                return false;
        text_add(words, "automatic changes of this host stopped ");
        add_age(words, history_age(g->history->stopped_usec, g->now_realtime_usec));
        text_add(words, ", after %u changes that failed: look at the reasons (\"nfstunectl status\"), then "
                        "\"nfstunectl resume\"", g->history->failures);
        return true;
}

static bool failed_before(const struct gate_input *g, struct text *words)
{
        const struct mount_history *m = history_of(g);
        usec_t age = m ? history_age(m->failed_usec, g->now_realtime_usec) : USEC_INFINITY;

        if (age >= HISTORY_PATIENCE_USEC ||
            (m->failed_to && history_same(m->failed_to, &g->staging->keys, &g->staging->to) == 0))
                return false;
        text_add(words, "this change failed ");
        add_age(words, age);
        text_add(words, " (%s): it is tried again after 7 days, or after \"nfstunectl resume\"",
                 m->failed_words ? m->failed_words : "the reason is not known any more");
        return true;
}

static bool changed_from_outside(const struct gate_input *g, struct text *words)
{
        const struct mount_history *m = history_of(g);
        usec_t age = m ? history_age(m->outside_usec, g->now_realtime_usec) : USEC_INFINITY;

        if (age >= HISTORY_PATIENCE_USEC)
                return false;
        text_add(words, "somebody else changed the mount ");
        add_age(words, age);
        text_add(words, ", and the administrator wins: nothing is changed for 7 days, or until \"nfstunectl resume\"");
        return true;
}

/* A reboot brought the old options back; what was proved then needs no further day. */
static bool is_repeated_after_boot(const struct gate_input *g, const struct mount_history *m)
{
        cleanup_free char *keys = options_format(&g->staging->keys);

        return keys && m->keys && m->to && m->verified && !m->rolled_back && strcmp(m->boot, g->boot) != 0 &&
               strcmp(keys, m->keys) == 0 && m->read_ahead_kib == g->staging->read_ahead_kib &&
               history_same(m->to, &g->staging->keys, &g->staging->to) == 1;
}

static bool changed_today(const struct gate_input *g, struct text *words)
{
        const struct mount_history *m = history_of(g);
        usec_t age = m ? history_age(m->changed_usec, g->now_realtime_usec) : USEC_INFINITY;

        if (age >= HISTORY_DAY_USEC || is_repeated_after_boot(g, m))
                return false;
        text_add(words, "it was changed ");
        add_age(words, age);
        text_add(words, ": a mount is changed at most once a day");
        return true;
}

static bool window_is_shut(const struct gate_input *g, struct text *words)
{
        if (params_window_is_open(g->params, g->minute_of_day))
                return false;
        text_add(words, "it is outside of the window in [apply]:");
        for (size_t i = 0; i < g->params->n_windows; i++) {
                const struct day_window *w = &g->params->windows[i];

                text_add(words, " %02u:%02u-%02u:%02u", w->from_minute / 60, w->from_minute % 60, w->to_minute / 60,
                         w->to_minute % 60);
        }
        return true;
}

/* One that cannot tell, or that is urgent, is reason enough. */
static bool gains_too_little(const struct gate_input *g, struct text *words)
{
        const struct options *keys = &g->staging->keys;
        unsigned most = 0;

        for (size_t i = 0; i < g->n_recommendations; i++) {
                const struct recommendation *r = &g->recommendations[i];

                if (!may_be_in_a_change(r) || (!names_one_of(r, keys) && !names_one_of(r, &read_ahead_key)))
                        continue;
                if (r->gain_permille == 0 || r->urgent)
                        return false;
                most = MAX(most, r->gain_permille);
        }
        if (most == 0 || most >= g->params->min_gain_permille)
                return false;
        text_add(words, "it would save at most %u.%u %% of the time, less than min_gain in [apply], %u.%u %%",
                 most / 10, most % 10, g->params->min_gain_permille / 10, g->params->min_gain_permille % 10);
        return true;
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct {
        const char *name;
        check_fn *forbids;
        bool everybody;                 /* by hand too */
        bool passing;                   /* passes by itself, or is what the administrator wants: no news */
} gates[] = {
        [REFUSAL_NONE]              = { "none",              NULL,                  true,  true  },
        [REFUSAL_SUBMOUNTS]         = { "submounts",         has_submounts,         true,  false },
        [REFUSAL_COVERED]           = { "covered",           is_covered,            true,  false },
        [REFUSAL_PROPAGATION]       = { "propagation",       has_other_propagation, true,  false },
        [REFUSAL_ROOT]              = { "root",              is_root,               true,  false },
        [REFUSAL_AUTOFS]            = { "autofs",            is_below_autofs,       true,  false },
        [REFUSAL_UNRESPONSIVE]      = { "unresponsive",      is_unresponsive,       true,  true  },
        [REFUSAL_NOTHING]           = { "nothing",           has_nothing_to_do,     true,  true  },
        [REFUSAL_MODE]              = { "mode",              is_advice_only,        false, true  },
        [REFUSAL_OWNER]             = { "owner",             is_owned,              false, false },
        [REFUSAL_PATH]              = { "path",              is_guarded_path,       false, false },
        [REFUSAL_SHARER]            = { "sharer",            has_unwilling_sharer,  false, false },
        [REFUSAL_NOT_AUTOMATIC]     = { "not-automatic",     is_not_automatic,      false, false },
        [REFUSAL_RULES]             = { "rules",             is_not_allowed,        false, true  },
        [REFUSAL_SHARED_SUPERBLOCK] = { "shared-superblock", splits_superblock,     false, false },
        [REFUSAL_ELSEWHERE]         = { "elsewhere",         is_elsewhere,          false, false },
        [REFUSAL_UNVERIFIABLE]      = { "unverifiable",      is_unverifiable,       false, false },
        [REFUSAL_BREAKER]           = { "breaker",           breaker_fell,          false, false },
        [REFUSAL_FAILED]            = { "failed",            failed_before,         false, true  },
        [REFUSAL_OUTSIDE]           = { "outside",           changed_from_outside,  false, true  },
        [REFUSAL_DAILY]             = { "daily",             changed_today,         false, true  },
        [REFUSAL_WINDOW]            = { "window",            window_is_shut,        false, true  },
        [REFUSAL_UNPROBED]          = { "unprobed",          awaits_probe,          false, true  },
        [REFUSAL_GAIN]              = { "gain",              gains_too_little,      false, true  },
};
_Static_assert(ARRAY_SIZE(gates) == REFUSAL_COUNT, "a refusal has no row");

enum refusal gate_check(const struct gate_input *g, struct text *words)
{
        for (enum refusal r = REFUSAL_NONE + 1; r < REFUSAL_COUNT; r++) {
                cleanup(text_done) struct text said = { 0 };

                if ((g->by_hand && !gates[r].everybody) || !gates[r].forbids(g, &said))
                        continue;
                if (words && said.data)
                        text_add_bytes(words, said.data, said.length_bytes);
                if (words)
                        words->failed |= said.failed;
                return r;
        }
        return REFUSAL_NONE;
}

const char *refusal_name(enum refusal r)
{
        return gates[r].name;
}

bool refusal_is_by_hand(enum refusal r)
{
        return r != REFUSAL_NONE && gates[r].everybody;
}

bool refusal_is_passing(enum refusal r)
{
        return gates[r].passing;
}
