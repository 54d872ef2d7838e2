/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/groups.c - a whole host: one advice for many mounts. See groups.h.
 *
 * Equal mounts are neighbours after sorting, once by superblock and once by template; two
 * sorted passes join them, whichever of the two they have in common.
 */
#include "policy/groups.h"

#include <errno.h>
#include <string.h>

#include "policy/digest.h"
#include "policy/sources.h"

struct entry {
        size_t index;
        const struct observation *o;
        const struct advice *a;
        uint64_t advice_digest;
        char *template;         /* what asks for the options: equal texts, one template */
        uint64_t template_digest;
};

/* ---- keys ------------------------------------------------------------------ */

/* Equal digests are compared in full. */
static uint64_t digest_advice(const struct advice *a)
{
        uint64_t digest = DIGEST_START;

        for (size_t i = 0; i < a->n_recommendations; i++) {
                const struct recommendation *r = &a->recommendations[i];

                digest = digest_number(digest, r->rule);
                digest = digest_number(digest, r->confidence);
                digest = digest_number(digest, r->method);
                digest = digest_number(digest, r->place.kind);
                digest = digest_strings(digest_strings(digest, r->drop, r->n_drop), r->set, r->n_set);
        }
        return digest_number(digest, a->plan.method);
}

/* What differs from server to server, whoever asked for the rest. */
static bool is_address(const struct mount_option *o)
{
        static const char *const names[] = { "addr", "clientaddr", "mountaddr", "mountport" };

        return WORD_IS_ONE_OF(o->name, names);
}

/* NULL on -ENOMEM. */
static char *template_of(const struct observation *o)
{
        const struct requested *r = source_strongest(o);
        const struct options *super = &o->mount.super;
        cleanup(text_done) struct text t = { 0 };

        if (r) {
                text_add(&t, "source %s", r->options_text ? r->options_text : "");
                return text_take(&t);
        }
        text_add(&t, "effective");
        for (size_t i = 0; i < super->n_items; i++) {
                if (is_address(&super->items[i]))
                        continue;
                text_add(&t, ",");
                text_add_option(&t, &super->items[i]);
        }
        return text_take(&t);
}

/* ---- comparing ---------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
        return (a > b) - (a < b);
}

static int compare_texts(char *const *a, size_t n_a, char *const *b, size_t n_b)
{
        int r = compare_numbers(n_a, n_b);

        for (size_t i = 0; i < n_a && r == 0; i++)
                r = strcmp(a[i], b[i]);
        return r;
}

/* Two broken lines are broken each in its own way. */
static bool is_about_one_line(const struct recommendation *r)
{
        return r->method == METHOD_SOURCE && r->n_drop + r->n_set == 0;
}

static int compare_recommendations(const struct recommendation *a, const struct recommendation *b)
{
        int r = compare_numbers(a->rule, b->rule);

        if (r == 0)
                r = compare_numbers(a->confidence, b->confidence);
        if (r == 0)
                r = compare_numbers(a->method, b->method);
        /* what has to be done in an autofs map is not done in an fstab */
        if (r == 0)
                r = compare_numbers(a->place.kind, b->place.kind);
        if (r == 0)
                r = compare_texts(a->drop, a->n_drop, b->drop, b->n_drop);
        if (r == 0)
                r = compare_texts(a->set, a->n_set, b->set, b->n_set);
        return r || !is_about_one_line(a) ? r : strcmp(a->evidence, b->evidence);
}

/* 0: the same advice. */
static int compare_advice(const struct entry *a, const struct entry *b)
{
        int r = compare_numbers(a->advice_digest, b->advice_digest);

        if (r == 0)
                r = compare_numbers(a->a->n_recommendations, b->a->n_recommendations);
        if (r == 0)
                r = compare_numbers(a->a->plan.method, b->a->plan.method);
        for (size_t i = 0; i < a->a->n_recommendations && r == 0; i++)
                r = compare_recommendations(&a->a->recommendations[i], &b->a->recommendations[i]);
        return r;
}

static int compare_superblock(const struct entry *a, const struct entry *b)
{
        int r = compare_numbers(a->o->mount.device.major, b->o->mount.device.major);

        if (r == 0)
                r = compare_numbers(a->o->mount.device.minor, b->o->mount.device.minor);
        return r ? r : compare_advice(a, b);
}

static int compare_template(const struct entry *a, const struct entry *b)
{
        int r = compare_numbers(a->template_digest, b->template_digest);

        if (r == 0)
                r = strcmp(a->template, b->template);
        return r ? r : compare_advice(a, b);
}

static int order_by_superblock(const void *a, const void *b)
{
        int r = compare_superblock(a, b);

        return r ? r : compare_numbers(((const struct entry *)a)->index, ((const struct entry *)b)->index);
}

static int order_by_template(const void *a, const void *b)
{
        int r = compare_template(a, b);

        return r ? r : compare_numbers(((const struct entry *)a)->index, ((const struct entry *)b)->index);
}

/* ---- joining -------------------------------------------------------------------- */

static bool has_device(const struct entry *e)
{
        return e->o->mount.device.major != 0 || e->o->mount.device.minor != 0;
}

static bool same_superblock(const struct entry *a, const struct entry *b)
{
        return has_device(a) && compare_superblock(a, b) == 0;
}

static bool same_template(const struct entry *a, const struct entry *b)
{
        return compare_template(a, b) == 0;
}

/* @leaders[i] is the leader of mount i; the way to the first of them is shortened. */
static size_t first_of(size_t *leaders, size_t i)
{
        while (leaders[i] != i) {
                leaders[i] = leaders[leaders[i]];
                i = leaders[i];
        }
        return i;
}

/* The smaller index leads. */
static void join(size_t *leaders, size_t a, size_t b)
{
        a = first_of(leaders, a);
        b = first_of(leaders, b);
        leaders[MAX(a, b)] = MIN(a, b);
}

static void join_neighbours(const struct entry *e, size_t n, bool same(const struct entry *, const struct entry *),
                            size_t *leaders)
{
        for (size_t i = 1; i < n; i++)
                if (e[i].a->n_recommendations > 0 && same(&e[i - 1], &e[i]))
                        join(leaders, e[i - 1].index, e[i].index);
}

/* ---- order of groups --------------------------------------------------------------- */

struct weight {
        bool urgent;
        unsigned gain_permille;
        int confidence;         /* -1: quiet */
};

static void weigh(const struct advice *a, struct weight *w)
{
        for (size_t i = 0; i < a->n_recommendations; i++) {
                const struct recommendation *r = &a->recommendations[i];

                w->urgent = w->urgent || r->urgent;
                w->gain_permille = MAX(w->gain_permille, r->gain_permille);
                w->confidence = MAX(w->confidence, (int)r->confidence);
        }
}

/* A group in the making. */
struct ranked {
        struct group group;
        struct weight weight;
};

static int order_by_weight(const void *a, const void *b)
{
        const struct ranked *x = a, *y = b;

        if ((x->weight.confidence < 0) != (y->weight.confidence < 0))
                return x->weight.confidence < 0 ? 1 : -1;
        if (x->weight.urgent != y->weight.urgent)
                return x->weight.urgent ? -1 : 1;
        if (x->weight.gain_permille != y->weight.gain_permille)
                return x->weight.gain_permille > y->weight.gain_permille ? -1 : 1;
        if (x->weight.confidence != y->weight.confidence)
                return x->weight.confidence > y->weight.confidence ? -1 : 1;
        return compare_numbers(x->group.members[0], y->group.members[0]);
}

/* ---- the whole ------------------------------------------------------------------------ */

static void entries_free(struct entry *e, size_t n)
{
        for (size_t i = 0; e && i < n; i++)
                free(e[i].template);
        free(e);
}

static int entries_make(const struct observation *const *o, const struct advice *const *a, size_t n, struct entry *e)
{
        for (size_t i = 0; i < n; i++) {
                e[i] = (struct entry){
                        .index = i, .o = o[i], .a = a[i], .advice_digest = digest_advice(a[i]),
                        .template = template_of(o[i]),
                };
                if (!e[i].template)
                        return -ENOMEM;
                e[i].template_digest = digest_string(DIGEST_START, e[i].template);
        }
        return 0;
}

/* On return every element of @leaders is the first member of its group. */
static void find_leaders(struct entry *e, size_t n, size_t *leaders)
{
        for (size_t i = 0; i < n; i++)
                leaders[i] = i;
        qsort(e, n, sizeof(*e), order_by_superblock);
        join_neighbours(e, n, same_superblock, leaders);
        qsort(e, n, sizeof(*e), order_by_template);
        join_neighbours(e, n, same_template, leaders);
        for (size_t i = 0; i < n; i++)
                leaders[i] = first_of(leaders, i);
}

static void ranked_free(struct ranked *r, size_t n)
{
        for (size_t i = 0; r && i < n; i++)
                free(r[i].group.members);
        free(r);
}

/* One group per leader, in the order of leaders; @ret has room for @n. */
static int collect(const size_t *leaders, const struct advice *const *a, size_t n, struct ranked *ret, size_t *ret_n)
{
        cleanup_free char *memory = calloc(n, 2 * sizeof(size_t));
        size_t *count = (size_t *)(void *)memory, *group_of;

        if (!memory)
                return -ENOMEM;
        group_of = count + n;
        for (size_t i = 0; i < n; i++)
                count[leaders[i]]++;
        for (size_t i = 0; i < n; i++) {
                struct ranked *g;

                if (leaders[i] == i) {
                        group_of[i] = (*ret_n)++;
                        g = &ret[group_of[i]];
                        g->weight.confidence = -1;
                        g->group.members = calloc(count[i], sizeof(size_t));
                        if (!g->group.members)
                                return -ENOMEM;
                }
                g = &ret[group_of[leaders[i]]];
                g->group.members[g->group.n_members++] = i;
                weigh(a[i], &g->weight);
        }
        return 0;
}

static int rank(const size_t *leaders, const struct advice *const *a, size_t n, struct groups *ret)
{
        struct ranked *ranked = calloc(n, sizeof(*ranked));
        struct group *items = calloc(n, sizeof(*items));
        size_t n_groups = 0;

        if (!ranked || !items || collect(leaders, a, n, ranked, &n_groups) < 0) {
                ranked_free(ranked, n_groups);
                free(items);
                return -ENOMEM;
        }
        qsort(ranked, n_groups, sizeof(*ranked), order_by_weight);
        for (size_t i = 0; i < n_groups; i++)
                items[i] = ranked[i].group;
        free(ranked);
        *ret = (struct groups){ .items = items, .n_items = n_groups };
        return 0;
}

int groups_make(const struct observation *const *o, const struct advice *const *a, size_t n, struct groups *ret)
{
        struct entry *e;
        size_t *leaders;
        int r = -ENOMEM;

        *ret = (struct groups){ 0 };
        if (n == 0)
                return 0;
        e = calloc(n, sizeof(*e));
        leaders = calloc(n, sizeof(*leaders));
        if (e && leaders)
                r = entries_make(o, a, n, e);
        if (r == 0) {
                find_leaders(e, n, leaders);
                r = rank(leaders, a, n, ret);
        }
        entries_free(e, n);
        free(leaders);
        return r;
}

void groups_done(struct groups *g)
{
        for (size_t i = 0; i < g->n_items; i++)
                free(g->items[i].members);
        free(g->items);
        *g = (struct groups){ 0 };
}
