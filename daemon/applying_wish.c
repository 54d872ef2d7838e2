/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From advice to what is to be done: options, words about it, and the edits that make it last. */
#include <errno.h>
#include <string.h>

#include "daemon/applying_parts.h"
#include "daemon/persist.h"
#include "daemon/source_edit.h"
#include "policy/names.h"
#include "policy/option_table.h"
#include "policy/plan.h"

/* ---- what was chosen ---------------------------------------------------------------- */

/* Does it count for automatic mode, or for a wish? To name a rule by hand answers its question. */
static bool wish_takes(const struct recommendation *r, bool only_automatic, const bool *rules)
{
        return r->confidence > CONFIDENCE_POSSIBLE && (r->automatic || !only_automatic) &&
               (!r->question || (rules && !only_automatic)) &&
               (r->method == METHOD_LIVE || r->method == METHOD_REPLACE || r->method == METHOD_SOURCE) &&
               (!rules || rules[r->rule]);
}

static char *names_of(const struct recommendation *r, size_t n)
{
        cleanup(text_done) struct text names = { 0 };

        for (size_t i = 0; i < n; i++)
                text_add(&names, "%s%s", i > 0 ? " " : "", rule_name(r[i].rule));
        return text_take(&names);
}

/* Where the options come from can often not be written: then words say so, and the change is made all the same. */
static int fill_edits(struct task *t, const struct observation *o, const struct plan *p)
{
        int r;

        if (!p->exists || (!t->persist && !t->dry_run))
                return 0;
        r = persist_edits(o, p, &t->edits, &t->n_edits, &t->edits_words);
        return r < 0 ? r : 0;
}

static int fill_plan(struct task *t, const struct observation *o, const struct recommendation *chosen, size_t n)
{
        cleanup(plan_done) struct plan p = { 0 };
        int r = plan_make(o, chosen, n, t->by_hand ? PLAN_SHOWN : PLAN_AUTOMATIC, &p);

        if (r == 0)
                r = fill_edits(t, o, &p);
        if (r < 0)
                return r;
        t->plan_text = TAKE(p.text);
        if (p.place.kind == PLACE_FSTAB)
                t->fstab = TAKE(p.replacement);
        return 0;
}

int wish_fill(struct task *t, const struct observation *o, const struct advice *advice, const bool *rules)
{
        struct recommendation *chosen = calloc(advice->n_recommendations + 1, sizeof(*chosen));
        size_t n = 0;
        int r = chosen ? 0 : -ENOMEM;

        /* Borrowed, not copied. */
        for (size_t i = 0; chosen && i < advice->n_recommendations; i++)
                if (wish_takes(&advice->recommendations[i], !t->by_hand, rules)) {
                        chosen[n] = advice->recommendations[i];
                        chosen[n++].question = false;
                }
        if (r == 0)
                r = staging_make(o, advice->recommendations, advice->n_recommendations, !t->by_hand, rules,
                                 &t->staging);
        if (r == 0)
                r = fill_plan(t, o, chosen, n);
        if (r == 0) {
                t->rules = names_of(chosen, n);
                r = t->rules ? 0 : -ENOMEM;
        }
        free(chosen);
        return r;
}

/* ---- what was changed before ----------------------------------------------------------- */

static int parse(const char *text, struct options *ret)
{
        return text ? options_parse(text, strlen(text), ret) : 0;
}

/* Only these can be changed in a living superblock: policy/staging.h. */
static enum method method_of(const struct options *keys)
{
        for (size_t i = 0; i < keys->n_items; i++)
                if (strcmp(keys->items[i].name, "sync") != 0)
                        return METHOD_REPLACE;
        return METHOD_LIVE;
}

int wish_from_history(const struct mount_history *h, struct staging *ret)
{
        cleanup(staging_done) struct staging s = { .read_ahead_kib = h->read_ahead_kib,
                                                   .read_ahead_from_kib = h->read_ahead_from_kib };
        int r = parse(h->keys, &s.keys);

        if (r == 0)
                r = parse(h->from, &s.from);
        if (r == 0)
                r = parse(h->to, &s.to);
        if (r < 0)
                return r == -ENOMEM ? r : -EINVAL;
        s.method = method_of(&s.keys);
        *ret = s;
        s = (struct staging){ 0 };
        return 0;
}

/* ---- to make it last, afterwards ----------------------------------------------------------- */

static bool is_key(const struct options *keys, const struct mount_option *o)
{
        const struct option_info *info = option_info(o->name);

        return options_has(keys, info ? info->canonical : o->name);
}

static void texts_free(char **texts, size_t n)
{
        for (size_t i = 0; i < n; i++)
                free(texts[i]);
        free(texts);
}

/* The options of @o that belong to @keys, as they are written. Return: 0 or -ENOMEM. */
static int texts_of(const struct options *o, const struct options *keys, char ***ret, size_t *ret_n)
{
        char **texts = calloc(o->n_items + 1, sizeof(char *));
        size_t n = 0;

        for (size_t i = 0; texts && i < o->n_items; i++) {
                cleanup(text_done) struct text one = { 0 };

                if (!is_key(keys, &o->items[i]))
                        continue;
                text_add_option(&one, &o->items[i]);
                texts[n] = text_take(&one);
                if (!texts[n++]) {
                        texts_free(texts, n);
                        return -ENOMEM;
                }
        }
        if (!texts)
                return -ENOMEM;
        *ret = texts;
        *ret_n = n;
        return 0;
}

int wish_written_back(struct task *t, const char *written)
{
        struct source_edit *edits = NULL;
        size_t n = 0;
        int r = source_edits_from_json(written, &edits, &n);

        t->edits = r == 0 ? calloc(n + 1, sizeof(*t->edits)) : NULL;
        if (r == 0 && !t->edits)
                r = -ENOMEM;
        while (r == 0 && t->n_edits < n) {
                r = persist_reverse(&edits[t->n_edits], &t->edits[t->n_edits]);
                t->n_edits += r == 0;
        }
        source_edits_free(edits, n);
        return r;
}

int wish_lasting(struct task *t, const struct observation *o)
{
        struct recommendation r = { .rule = RULE_STALE_IO_SIZE, .confidence = CONFIDENCE_CONFIGURED,
                                    .method = METHOD_REPLACE, .automatic = true };
        int result = texts_of(&t->staging.from, &t->staging.keys, &r.drop, &r.n_drop);

        if (result == 0)
                result = texts_of(&t->staging.to, &t->staging.keys, &r.set, &r.n_set);
        if (result == 0)
                result = fill_plan(t, o, &r, 1);
        texts_free(r.drop, r.n_drop);
        texts_free(r.set, r.n_set);
        return result;
}
