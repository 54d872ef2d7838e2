/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/staging.c - from present and wanted options to what has to be done. See staging.h.
 *
 * What the kernel prints, takes and adds: KERNEL-FACTS 1.2, 2 and 4.1.
 */
#include "policy/staging.h"

#include <errno.h>
#include <string.h>

#include "policy/canonical.h"
#include "policy/change.h"
#include "policy/differences.h"
#include "policy/sizes.h"
#include "policy/sources.h"

void staging_done(struct staging *s)
{
        options_done(&s->keys);
        options_done(&s->from);
        options_done(&s->to);
        *s = (struct staging){ 0 };
}

/* ---- the options that make the mount as it is now --------------------------------- */

/* Is it printed, and found out or filled in by the kernel itself? */
static bool is_filled_in(const char *name)
{
        static const char *const names[] = {
                "cert_serial", "clientaddr", "namlen", "privkey_serial", "relatime", "rw", "seclabel",
        };

        return WORD_IS_ONE_OF(name, names);
}

static bool is_of_mountd(const char *name)
{
        static const char *const names[] = { "mountaddr", "mountport", "mountproto", "mountvers" };

        return WORD_IS_ONE_OF(name, names);
}

/* How the kernel prints that it does not know. */
static bool is_unknown_value(const struct mount_option *o)
{
        static const char *const words[] = { "unspecified", "auto", "unknown" };

        return o->value && WORD_IS_ONE_OF(o->value, words);
}

/* Port 0 is "ask rpcbind", and 2049 what is tried anyway. Any other one was asked for, or a tunnel ends there. */
static bool port_is_wanted(const struct observation *o, const struct mount_option *port)
{
        uint64_t number;

        if (!port->value || option_value_u64(port->value, &number) < 0 || number == 0)
                return false;
        return source_naming(o, port->name) || (strcmp(port->name, "port") == 0 && number != NFS_PORT);
}

/* nolock brings local_lock=all with it. */
static bool local_lock_is_wanted(const struct observation *o, const struct mount_option *lock)
{
        return lock->value && strcmp(lock->value, "none") != 0 &&
               !(strcmp(lock->value, "all") == 0 && options_has(&o->mount.super, "nolock"));
}

/* A size that a session imposes would be rounded down when somebody asked for it. */
static bool size_can_be_asked(const struct mount_option *size, const struct nfs_options *effective)
{
        uint64_t bytes;

        return size->value && option_value_u64(size->value, &bytes) == 0 && size_comes_from(bytes, bytes, effective);
}

static bool is_asked_again(const struct observation *o, const struct mount_option *option,
                           const struct nfs_options *effective)
{
        if (is_filled_in(option->name) || is_unknown_value(option))
                return false;
        if (strcmp(option->name, "port") == 0 || strcmp(option->name, "mountport") == 0)
                return port_is_wanted(o, option);
        if (strcmp(option->name, "local_lock") == 0)
                return local_lock_is_wanted(o, option);
        if (strcmp(option->name, "rsize") == 0 || strcmp(option->name, "wsize") == 0)
                return size_can_be_asked(option, effective);
        return true;
}

static int options_from_effective(const struct observation *o, struct options *ret)
{
        struct nfs_options effective;
        int r = 0;

        nfs_options_read(&o->mount.super, &effective);
        for (size_t i = 0; i < o->mount.super.n_items && r == 0; i++) {
                const struct mount_option *option = &o->mount.super.items[i];

                if (is_asked_again(o, option, &effective))
                        r = options_set(ret, option->name, option->value);
        }
        return r;
}

/* ---- what the change makes of them ---------------------------------------------------- */

struct work {
        const struct observation *o;
        struct change change;
        struct options before;          /* canonical: what holds now */
        struct staging s;
};

static void work_done(struct work *w)
{
        change_done(&w->change);
        options_done(&w->before);
        staging_done(&w->s);
}

static void remove_family(struct options *o, const char *key)
{
        const struct option_info *row;

        (void)options_drop(o, key);
        for (size_t i = 0; (row = option_info_at(i)); i++)
                if (strcmp(row->canonical, key) == 0)
                        (void)options_drop(o, row->name);
        if (strcmp(key, "vers") == 0)
                (void)options_drop(o, "minorversion");
}

/* "hard", "soft" for hard=soft; nothing is added for what holds anyway. */
static int add_canonical(struct options *o, const char *key, const char *value)
{
        const struct option_info *info = option_info(key);

        if (info && values_equal(value, info->fallback))
                return 0;
        if (info && value && is_canonical_flag(info, value))
                return options_set(o, value, NULL);
        return options_set(o, key, value);
}

/* What the strongest source says of the family when all that is dropped is gone from it. */
static int take_back_from(struct work *w, const struct requested *r, const char *key, bool *ret_found)
{
        cleanup(options_done) struct options left = { 0 }, canonical = { 0 };
        int err = 0;

        for (size_t i = 0; i < r->options.n_items && err == 0; i++)
                if (!change_takes(&w->change, &r->options.items[i]))
                        err = options_add(&left, r->options.items[i].name, r->options.items[i].value);
        if (err == 0)
                err = canonical_make(&left, &canonical);
        if (err < 0)
                return err;
        *ret_found = options_has(&canonical, key);
        return *ret_found ? add_canonical(&w->s.to, key, options_value(&canonical, key)) : 0;
}

/* noac brings sync and four zeros: they go with it, unless somebody asks for them too. */
static int release_implied(struct work *w, const char *key)
{
        bool found = false;
        int r = 0;

        remove_family(&w->s.to, key);
        for (size_t i = 0; i < w->o->n_requested && r == 0 && !found; i++)
                r = take_back_from(w, &w->o->requested[i], key, &found);
        return r;
}

static const char *family_of(const char *name)
{
        const struct option_info *info = option_info(name);

        return strcmp(name, "minorversion") == 0 ? "vers" : info ? info->canonical : name;
}

static bool is_size(const char *key)
{
        return strcmp(key, "rsize") == 0 || strcmp(key, "wsize") == 0;
}

/* Of sizes even that is a change that brings the same again. */
static int release(struct work *w, const char *key)
{
        remove_family(&w->s.to, key);
        return is_size(key) ? options_set(&w->s.keys, key, NULL) : 0;
}

static int release_dropped(struct work *w, const struct mount_option *dropped)
{
        struct options one = { .items = (struct mount_option *)dropped, .n_items = 1 };
        cleanup(options_done) struct options settings = { 0 };
        const char *own = family_of(dropped->name);
        int r = canonical_make(&one, &settings);
        bool holds;

        if (r < 0)
                return r;
        holds = values_equal(canonical_value(&w->before, own), options_value(&settings, own));
        for (size_t i = 0; i < settings.n_items && r == 0; i++) {
                const char *key = settings.items[i].name;

                if (strcmp(key, own) == 0 || !options_has(&settings, own))
                        r = release(w, key);
                else if (holds)
                        r = release_implied(w, key);
        }
        return r;
}

/* ---- what hangs on something else ----------------------------------------------------- */

static bool is_changed(const struct work *w, const char *key)
{
        return options_has(&w->s.keys, key);
}

/* What one direction may still have of the server's limit of old times goes with the other one's. */
static int release_size_above_limit(struct work *w)
{
        struct direction d[DIRECTION_COUNT];
        struct nfs_options effective;
        int r = 0;

        if (!is_changed(w, "rsize") && !is_changed(w, "wsize"))
                return 0;
        nfs_options_read(&w->o->mount.super, &effective);
        directions_read(w->o, &effective, d);
        for (size_t i = 0; i < DIRECTION_COUNT && r == 0; i++)
                if (d[i].limit_bytes > 0 && d[i].effective_bytes > d[i].limit_bytes && !is_changed(w, d[i].name))
                        r = release(w, d[i].name);
        return r;
}

/* The kernel wants the family of the address in the name of the transport. */
static int spell_transport(struct work *w)
{
        const char *address = options_value(&w->s.to, "addr"), *proto = options_value(&w->s.to, "proto");
        bool six = address && strchr(address, ':');
        cleanup(text_done) struct text t = { 0 };
        cleanup_free char *word = NULL;

        if (!proto)
                proto = "tcp";
        text_add_bytes(&t, proto, strcspn(proto, "6"));
        text_add(&t, "%s", six ? "6" : "");
        word = text_take(&t);
        if (!word)
                return -ENOMEM;
        remove_family(&w->s.to, "proto");
        return options_set(&w->s.to, "proto", word);
}

/* Times and sizes of UDP are none for TCP. */
static int release_udp(struct work *w)
{
        static const char *const names[] = { "mountproto", "retrans", "rsize", "timeo", "wsize" };
        int r = 0;

        for (size_t i = 0; i < ARRAY_SIZE(names) && r == 0; i++)
                if (!source_naming(w->o, names[i]) && options_has(&w->s.to, names[i]))
                        r = release(w, names[i]);
        return r;
}

static int follow_transport(struct work *w)
{
        cleanup(options_done) struct options to = { 0 };
        const char *before = options_value(&w->before, "proto");
        int r = canonical_make(&w->s.to, &to);

        if (r < 0 || !before || values_equal(before, options_value(&to, "proto")))
                return r;
        if (strncmp(before, "udp", 3) == 0)
                r = release_udp(w);
        return r < 0 ? r : spell_transport(w);
}

/* mount.nfs tries one version after the other; the kernel takes 3 when nothing is said. */
static const char *best_version(const struct server_facts *server)
{
        static const struct {
                unsigned bit;
                const char *name;
        } versions[] = { { NFS_V4_2, "4.2" }, { NFS_V4_1, "4.1" }, { NFS_V4_0, "4.0" }, { NFS_V3, "3" } };

        for (size_t i = 0; i < ARRAY_SIZE(versions) && server->versions_known; i++)
                if (server->versions & versions[i].bit)
                        return versions[i].name;
        return "4.2";
}

static int follow_version(struct work *w)
{
        if (options_has(&w->s.to, "vers") || options_has(&w->s.to, "nfsvers") || !options_has(&w->before, "vers"))
                return 0;
        if (!source_naming(w->o, "mountvers"))
                (void)options_drop(&w->s.to, "mountvers");
        return options_set(&w->s.to, "vers", best_version(&w->o->server));
}

/* ---- what is set ------------------------------------------------------------------------- */

/* Is all of it asked for already, in whatever spelling? Return: 1, 0 or -ENOMEM. */
static int has_all(const struct options *to, const struct options *settings)
{
        cleanup(options_done) struct options canonical = { 0 };
        int r = canonical_make(to, &canonical);

        if (r < 0)
                return r;
        for (size_t i = 0; i < settings->n_items; i++)
                if (!values_equal(canonical_value(&canonical, settings->items[i].name), settings->items[i].value))
                        return 0;
        return 1;
}

static int take_setting(struct work *w, const struct mount_option *setting)
{
        struct options one = { .items = (struct mount_option *)setting, .n_items = 1 };
        cleanup(options_done) struct options settings = { 0 };
        int r = canonical_make(&one, &settings);

        if (r == 0)
                r = has_all(&w->s.to, &settings);
        if (r != 0)
                return MIN(r, 0);
        for (size_t i = 0; i < settings.n_items; i++)
                remove_family(&w->s.to, settings.items[i].name);
        return setting_is_default(setting) ? 0 : options_set(&w->s.to, setting->name, setting->value);
}

static int make_wanted(struct work *w)
{
        int r = options_copy(&w->s.from, &w->s.to);

        for (size_t i = 0; i < w->change.drop.n_items && r == 0; i++)
                r = release_dropped(w, &w->change.drop.items[i]);
        for (size_t i = 0; i < w->change.set.n_items && r == 0; i++)
                r = take_setting(w, &w->change.set.items[i]);
        if (r == 0)
                r = release_size_above_limit(w);
        if (r == 0)
                r = follow_transport(w);
        return r < 0 ? r : follow_version(w);
}

/* ---- keys and method --------------------------------------------------------------------- */

static bool is_compared(const char *key)
{
        return strcmp(key, "rw") == 0 || (!is_filled_in(key) && !is_of_mountd(key));
}

static int add_differing_keys(const struct options *list, const struct options *a, const struct options *b,
                              struct options *keys)
{
        int r = 0;

        for (size_t i = 0; i < list->n_items && r == 0; i++) {
                const char *key = list->items[i].name;

                if (is_compared(key) && !values_equal(canonical_value(a, key), canonical_value(b, key)))
                        r = options_set(keys, key, NULL);
        }
        return r;
}

static int compare_keys(const void *a, const void *b)
{
        return strcmp(((const struct mount_option *)a)->name, ((const struct mount_option *)b)->name);
}

/* What was dropped and then set is judged by its value. */
static void forget_set_again(struct staging *s)
{
        for (size_t i = 0; i < s->to.n_items; i++)
                (void)options_drop(&s->keys, s->to.items[i].name);
}

static int find_keys(struct staging *s)
{
        cleanup(options_done) struct options from = { 0 }, to = { 0 };
        int r = canonical_make(&s->from, &from);

        forget_set_again(s);
        if (r == 0)
                r = canonical_make(&s->to, &to);
        if (r == 0)
                r = add_differing_keys(&from, &from, &to, &s->keys);
        if (r == 0)
                r = add_differing_keys(&to, &from, &to, &s->keys);
        if (s->keys.n_items > 1)
                qsort(s->keys.items, s->keys.n_items, sizeof(s->keys.items[0]), compare_keys);
        return r;
}

/* Of the superblock, not of one mount: sync and async. */
static bool is_live(const char *key)
{
        const struct option_info *info = option_info(key);

        return info && info->reader == READER_KERNEL && info->remount == REMOUNT_LIVE;
}

static enum method method_of(const struct staging *s)
{
        for (size_t i = 0; i < s->keys.n_items; i++)
                if (!is_live(s->keys.items[i].name))
                        return METHOD_REPLACE;
        return s->keys.n_items > 0 || s->read_ahead_kib > 0 ? METHOD_LIVE : METHOD_NONE;
}

static void read_read_ahead(struct work *w)
{
        uint64_t kib;

        w->s.read_ahead_from_kib = w->o->read_ahead_known ? w->o->read_ahead_kib : 0;
        if (!w->change.read_ahead_kb || option_value_u64(w->change.read_ahead_kb, &kib) < 0)
                return;
        if (!w->o->read_ahead_known || kib != w->o->read_ahead_kib)
                w->s.read_ahead_kib = kib;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Those whose rule was named. To name a rule by hand answers its question. Borrows. */
static int choose(const struct recommendation *r, size_t n, bool only_automatic, const bool *rules,
                  struct recommendation **ret, size_t *ret_n)
{
        struct recommendation *chosen = calloc(MAX(n, (size_t)1), sizeof(*chosen));
        size_t k = 0;

        if (!chosen)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                if ((r[i].method != METHOD_LIVE && r[i].method != METHOD_REPLACE) || (rules && !rules[r[i].rule]))
                        continue;
                chosen[k] = r[i];
                chosen[k].question = r[i].question && (only_automatic || !rules);
                k++;
        }
        *ret = chosen;
        *ret_n = k;
        return 0;
}

static void free_chosen(struct recommendation **r)
{
        free(*r);
}

int staging_make(const struct observation *o, const struct recommendation *r, size_t n, bool only_automatic,
                 const bool *rules, struct staging *ret)
{
        cleanup(free_chosen) struct recommendation *chosen = NULL;
        cleanup(work_done) struct work w = { .o = o, .change = { .o = o, .method = METHOD_NONE } };
        int err = choose(r, n, only_automatic, rules, &chosen, &n);

        *ret = (struct staging){ 0 };
        if (err == 0)
                err = change_merge(&w.change, chosen, n, only_automatic ? PLAN_AUTOMATIC : PLAN_SHOWN);
        if (err == 0)
                err = canonical_make(&o->mount.super, &w.before);
        if (err == 0)
                err = options_from_effective(o, &w.s.from);
        if (err == 0)
                err = make_wanted(&w);
        if (err == 0)
                err = find_keys(&w.s);
        if (err < 0)
                return err;
        read_read_ahead(&w);
        w.s.method = method_of(&w.s);
        *ret = w.s;
        w.s = (struct staging){ 0 };
        return 0;
}

int staging_reverse(const struct staging *s, struct staging *ret)
{
        cleanup(staging_done) struct staging back = { .method = s->method };
        int r = options_copy(&s->keys, &back.keys);

        *ret = (struct staging){ 0 };
        if (r == 0)
                r = options_copy(&s->to, &back.from);
        if (r == 0)
                r = options_copy(&s->from, &back.to);
        if (r < 0)
                return r;
        back.read_ahead_from_kib = s->read_ahead_kib;
        back.read_ahead_kib = s->read_ahead_kib > 0 ? s->read_ahead_from_kib : 0;
        *ret = back;
        back = (struct staging){ 0 };
        return 0;
}

/* ---- is it what was wanted? ------------------------------------------------------------------ */

/* Asked for, and something else holds. */
static int check_asked(const struct staging *s, const struct options *effective, struct text *words)
{
        struct difference *d;
        size_t n;
        int r = differences_find(&s->to, effective, &d, &n);

        if (r < 0)
                return r;
        for (size_t i = 0; i < n; i++) {
                if (!is_compared(d[i].info->name))
                        continue;
                text_add_clause(words);
                text_add(words, "%s was asked for, the mount has %s", d[i].requested,
                         d[i].effective ? d[i].effective : "nothing of the kind");
        }
        differences_done(d, n);
        return 0;
}

static void add_value(struct text *t, const char *key, const char *value)
{
        const struct option_info *info = option_info(key);

        if (!value)
                text_add(t, "no %s", key);
        else if (info && is_canonical_flag(info, value))
                text_add(t, "%s", value);
        else
                text_add(t, "%s=%s", key, value);
}

struct comparing {
        const struct staging *s;
        struct options to, before, now; /* canonical */
        bool changed;
};

static void comparing_done(struct comparing *c)
{
        options_done(&c->to);
        options_done(&c->before);
        options_done(&c->now);
}

/* What was dropped may be what the server gives anyway, or what holds by default. */
static bool may_stay(const struct comparing *c, const char *key)
{
        const struct option_info *info = option_info(key);

        return is_size(key) || (info && values_equal(canonical_value(&c->before, key),
                                                     canonical_fallback(&c->now, info)));
}

/* local_lock= and what else comes with another version is no surprise. */
static bool comes_with_version(const struct comparing *c, const char *key)
{
        static const char *const names[] = { "acl", "local_lock", "lock", "port", "softreval" };

        return options_has(&c->s->keys, "vers") && WORD_IS_ONE_OF(key, names);
}

static void check_family(struct comparing *c, const char *key, struct text *words)
{
        const char *before = canonical_value(&c->before, key), *now = canonical_value(&c->now, key);
        bool same = values_equal(before, now), is_key = options_has(&c->s->keys, key);

        if (!is_compared(key) || comes_with_version(c, key))
                return;
        c->changed |= is_key && !same;
        if (is_key ? !same || options_has(&c->to, key) || may_stay(c, key) : same)
                return;
        text_add_clause(words);
        add_value(words, key, now);
        text_add(words, is_key ? " stays, which was to go" : " is new, which was not to change: before it was ");
        if (!is_key)
                add_value(words, key, before);
}

static void check_families(struct comparing *c, struct text *words)
{
        for (size_t i = 0; i < c->before.n_items; i++)
                check_family(c, c->before.items[i].name, words);
        for (size_t i = 0; i < c->now.n_items; i++)
                if (!options_has(&c->before, c->now.items[i].name))
                        check_family(c, c->now.items[i].name, words);
}

/* "nothing would change: rsize=32768, wsize=32768 again" */
static void add_nothing(const struct comparing *c, struct text *words)
{
        text_add(words, "nothing would change: ");
        for (size_t i = 0; i < c->s->keys.n_items; i++) {
                const char *key = c->s->keys.items[i].name;

                text_add(words, "%s", i > 0 ? ", " : "");
                add_value(words, key, canonical_value(&c->now, key));
        }
        text_add(words, " %s what the server gives this client", c->s->keys.n_items == 1 ? "is" : "are");
}

static int compare(struct comparing *c, const struct options *before, const struct options *effective,
                   struct text *words)
{
        int r = canonical_make(&c->s->to, &c->to);

        if (r == 0)
                r = canonical_make(before, &c->before);
        if (r == 0)
                r = canonical_make(effective, &c->now);
        if (r == 0)
                r = check_asked(c->s, effective, words);
        if (r < 0)
                return r;
        check_families(c, words);
        if (words->length_bytes == 0 && !c->changed && c->s->keys.n_items > 0)
                add_nothing(c, words);
        return 0;
}

int staging_check(const struct staging *s, const struct options *before, const struct options *effective,
                  char **ret_words)
{
        cleanup(comparing_done) struct comparing c = { .s = s };
        cleanup(text_done) struct text words = { 0 };
        int r = compare(&c, before, effective, &words);

        *ret_words = NULL;
        if (r < 0)
                return r;
        if (words.length_bytes == 0 && !words.failed)
                return 0;
        *ret_words = text_take(&words);
        return *ret_words ? 1 : -ENOMEM;
}
