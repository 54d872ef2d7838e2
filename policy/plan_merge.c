/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/plan_merge.c - what all recommendations together want. See change.h.
 *
 * Each family of options (soft and hard, vers= and nfsvers=) is decided once, by the recommendation that is the
 * surest; of equally sure ones by the first, since rules come in the order of urgency. What only mends the
 * spelling yields to what decides the value.
 */
#include "policy/change.h"

#include <errno.h>
#include <string.h>

#include "policy/option_table.h"

void change_done(struct change *c)
{
        options_done(&c->drop);
        options_done(&c->repair);
        options_done(&c->set);
        options_done(&c->respell);
}

bool change_edits_options(const struct change *c)
{
        return c->drop.n_items + c->repair.n_items + c->set.n_items + c->respell.n_items > 0 || c->mends_line;
}

/* ---- options and their families ----------------------------------------------- */

/* A row for a prefix ("x-systemd.") is no family: those options live side by side. */
static bool is_prefix_row(const struct option_info *i)
{
        size_t n = strlen(i->name);

        return n > 0 && (i->name[n - 1] == '.' || i->name[n - 1] == '-');
}

static const char *family(const char *name)
{
        const struct option_info *i = option_info(name);

        if (strcmp(name, "minorversion") == 0)
                return "vers";
        return i && !is_prefix_row(i) ? i->canonical : name;
}

/* Of the mount program's and systemd's options several of one name may be meant. */
static bool stands_alone(const char *name)
{
        const struct option_info *i = option_info(name);

        return !i || (i->reader != READER_SYSTEMD && i->reader != READER_MOUNT);
}

/* One character of a text; \040 is a blank. */
static char next_decoded(const char **p)
{
        const char *s = *p;
        bool octal = s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' && s[3] >= '0' &&
                     s[3] <= '7';

        *p += octal ? 4 : 1;
        return octal ? (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0')) : *s;
}

static bool same_text(const char *a, const char *b)
{
        while (*a && *b)
                if (next_decoded(&a) != next_decoded(&b))
                        return false;
        return !*a && !*b;
}

bool same_option(const struct mount_option *a, const struct mount_option *b)
{
        return same_text(a->name, b->name) && !a->value == !b->value && (!a->value || same_text(a->value, b->value));
}

/* Numbers are relative to the transport (timeo), so only flags and words count. */
bool setting_is_default(const struct mount_option *s)
{
        const struct option_info *i = option_info(s->name), *head = i ? option_info(i->canonical) : NULL;
        const char *value = s->value;

        if (!head || !head->fallback || (i->kind != OPTION_FLAG && i->kind != OPTION_WORD))
                return false;
        if (!value)
                value = i->canonical_value ? i->canonical_value : s->name;
        return strcmp(value, head->fallback) == 0;
}

static bool has_option(const struct options *o, const struct mount_option *option)
{
        for (size_t i = 0; i < o->n_items; i++)
                if (same_option(&o->items[i], option))
                        return true;
        return false;
}

bool change_takes(const struct change *c, const struct mount_option *o)
{
        return options_has(&c->drop, o->name) || has_option(&c->repair, o);
}

static const struct mount_option *find_family(const struct options *o, size_t n, const char *name)
{
        const char *wanted = family(name);

        for (size_t i = 0; i < n; i++)
                if (strcmp(family(o->items[i].name), wanted) == 0)
                        return &o->items[i];
        return NULL;
}

/* softerr in the own line hides soft in nfsmount.conf: both have to go. */
bool change_uncovers(const struct change *c, const struct mount_option *o)
{
        return find_family(&c->drop, c->drop.n_items, o->name) && stands_alone(o->name) && !setting_is_default(o);
}

static bool is_mended_in(const struct change *c, const struct options *list, const struct mount_option *setting)
{
        for (size_t i = 0; i < list->n_items; i++)
                if (strcmp(family(list->items[i].name), family(setting->name)) == 0 && change_takes(c, &list->items[i]))
                        return true;
        return false;
}

const struct mount_option *change_setting(const struct change *c, const struct options *list,
                                          const struct mount_option *o)
{
        const struct mount_option *s = find_family(&c->set, c->set.n_items, o->name);

        if (!s) {
                s = find_family(&c->respell, c->respell.n_items, o->name);
                if (!s || !is_mended_in(c, list, s))
                        return NULL;
        }
        return stands_alone(s->name) || change_takes(c, o) || same_option(s, o) ? s : NULL;
}

size_t place_of_setting(const struct change *c, const struct mount_option *setting, const struct options *list)
{
        const char *wanted = family(setting->name);
        size_t place = list->n_items;

        for (size_t i = list->n_items; i > 0; i--) {
                const struct mount_option *o = &list->items[i - 1];

                if (strcmp(family(o->name), wanted) != 0 || change_setting(c, list, o) != setting)
                        continue;
                if (same_option(o, setting))
                        return i - 1;
                place = i - 1;
        }
        return place;
}

/* ---- merging --------------------------------------------------------------------- */

/* Replace does what live does, and live makes more true than an edited file. */
static enum method stronger(enum method a, enum method b)
{
        static const unsigned rank[METHOD_COUNT] = { [METHOD_SOURCE] = 1, [METHOD_LIVE] = 2, [METHOD_REPLACE] = 3 };

        return rank[a] >= rank[b] ? a : b;
}

/* It is about what is written, not about what the mount does. */
static bool mends_spelling(const struct recommendation *r)
{
        return r->rule == RULE_INVALID_OPTION || r->rule == RULE_OBSOLETE_OPTION;
}

static bool mends_line(const struct change *c, const struct recommendation *r)
{
        for (size_t i = 0; i < c->o->n_requested && r->rule == RULE_INVALID_OPTION; i++)
                if (c->o->requested[i].line_mended)
                        return true;
        return false;
}

static bool belongs_in_plan(const struct change *c, const struct recommendation *r, enum plan_scope scope)
{
        return r->confidence > CONFIDENCE_POSSIBLE && !r->question && (scope == PLAN_SHOWN || r->automatic) &&
               (r->method == METHOD_LIVE || r->method == METHOD_REPLACE || r->method == METHOD_SOURCE) &&
               (r->n_drop + r->n_set > 0 || mends_line(c, r));
}

static int add_drop(struct change *c, const struct recommendation *r, const struct mount_option *option, bool *ret_used)
{
        struct options *into = mends_spelling(r) ? &c->repair : &c->drop;

        if (find_family(&c->set, c->set.n_items, option->name) && !mends_spelling(r))
                return 0;
        *ret_used = true;
        return has_option(into, option) ? 0 : options_add(into, option->name, option->value);
}

/* @n_before: what was dropped before this recommendation came. */
static int add_setting(struct change *c, const struct recommendation *r, const struct mount_option *option,
                       size_t n_before, bool *ret_used)
{
        struct options *into = mends_spelling(r) ? &c->respell : &c->set;
        const struct mount_option *decided = find_family(&c->set, c->set.n_items, option->name);

        if (!decided)
                decided = find_family(into, into->n_items, option->name);
        if (decided)
                *ret_used = *ret_used || same_option(decided, option);
        if (decided || find_family(&c->drop, n_before, option->name))
                return 0;
        *ret_used = true;
        return options_add(into, option->name, option->value);
}

static int add_settings(struct change *c, const struct recommendation *r, size_t n_before, bool *ret_used)
{
        static const char read_ahead[] = "read_ahead_kb=";
        cleanup(options_done) struct options set = { 0 };

        for (size_t i = 0; i < r->n_set; i++) {
                if (strncmp(r->set[i], read_ahead, sizeof(read_ahead) - 1) == 0) {
                        if (!c->read_ahead_kb)
                                c->read_ahead_kb = r->set[i] + sizeof(read_ahead) - 1;
                        *ret_used = true;
                } else if (options_add_text(&set, r->set[i]) < 0) {
                        return -ENOMEM;
                }
        }
        for (size_t i = 0; i < set.n_items; i++)
                if (add_setting(c, r, &set.items[i], n_before, ret_used) < 0)
                        return -ENOMEM;
        return 0;
}

static int add_recommendation(struct change *c, const struct recommendation *r)
{
        cleanup(options_done) struct options drop = { 0 };
        size_t n_before = c->drop.n_items;
        bool used = false;

        for (size_t i = 0; i < r->n_drop; i++)
                if (options_add_text(&drop, r->drop[i]) < 0)
                        return -ENOMEM;
        for (size_t i = 0; i < drop.n_items; i++)
                if (add_drop(c, r, &drop.items[i], &used) < 0)
                        return -ENOMEM;
        if (add_settings(c, r, n_before, &used) < 0)
                return -ENOMEM;
        if (mends_line(c, r))
                used = c->mends_line = true;
        if (used) {
                c->method = stronger(c->method, r->method);
                c->automatic = c->automatic && r->automatic;
        }
        return 0;
}

int change_merge(struct change *c, const struct recommendation *r, size_t n, enum plan_scope scope)
{
        c->automatic = true;
        for (int spelling = 0; spelling < 2; spelling++)
                for (enum confidence k = CONFIDENCE_COUNT; k > CONFIDENCE_POSSIBLE; k--)
                        for (size_t i = 0; i < n; i++)
                                if (r[i].confidence == k && mends_spelling(&r[i]) == (spelling == 1) &&
                                    belongs_in_plan(c, &r[i], scope) && add_recommendation(c, &r[i]) < 0)
                                        return -ENOMEM;
        return 0;
}
