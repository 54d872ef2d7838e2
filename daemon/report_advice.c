/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to do about the mounts of one group, for a person. See report_parts.h. */

#include "daemon/report_parts.h"

#include <string.h>

#include "daemon/figures.h"
#include "daemon/utf8.h"
#include "policy/names.h"
#include "policy/recommend.h"
#include "policy/sources.h"

/* ---- one recommendation ------------------------------------------------------ */

static void say_question(struct page *p, const struct recommendation *r)
{
        struct text t = {};

        text_add_question(&t, r);
        page_add_text(p, 4, &t);
}

static void say_change(struct page *p, const struct recommendation *r)
{
        struct text t = {};

        text_add_change(&t, r);
        page_add_line(p, 4, r->question                              ? "if not:"
                            : r->confidence == CONFIDENCE_POSSIBLE ? "perhaps:"
                                                                   : "change:", &t);
}

/* Nothing on this host is to be changed: the words are about what to look at instead. */
static bool is_outside(const struct recommendation *r)
{
        return r->n_drop + r->n_set == 0 && !r->keep &&
               (r->method == METHOD_NONE || r->method == METHOD_SERVER || r->method == METHOD_NETWORK);
}

/* Is there a finding about the very line that proves @r? */
static bool is_found(const struct recommendation *r, const struct findings *findings)
{
        for (size_t i = 0; findings && r->place.kind == PLACE_EXPORTS && i < findings->n_items; i++)
                if (findings->items[i].place.line == r->place.line && findings->items[i].rule == r->rule &&
                    place_compare(&findings->items[i].place, &r->place) == 0)
                        return true;
        return false;
}

/* The finding has the line, what it means and what to do there. */
static void say_reference(struct page *p, const struct recommendation *r, const struct observation *o)
{
        struct text t = {};

        if (o->probe.state == PROBE_ACTIVE)     /* then there are figures in it */
                page_add_words(p, 4, "evidence:", r->evidence);
        text_add_place_line(&t, &r->place);
        text_add(&t, ", below");
        page_add_line(p, 4, "see:", &t);
        page_add_words(p, 4, "exception:", r->keep);
}

static void say_details(struct page *p, const struct recommendation *r)
{
        page_add_words(p, 4, "evidence:", r->evidence);
        say_change(p, r);
        if (r->gain)
                page_add_words(p, 4, "gain:", r->gain);
        else if (r->method == METHOD_LIVE || r->method == METHOD_REPLACE)
                page_add_words(p, 4, "gain:", "not measured");
        page_add_words(p, 4, is_outside(r) ? "what helps:" : "risk:", r->risk);
        if (!r->question)
                page_add_words(p, 4, "exception:", r->keep);
}

static void say_recommendation(struct page *p, const struct recommendation *r, const struct observation *o,
                               const struct findings *findings)
{
        const char *color = r->urgent ? p->style->red : p->style->yellow;

        text_add(&p->t, "\n  %s%s%s%s (%s)\n", color, r->urgent ? "URGENT: " : "", rule_name(r->rule),
                 p->style->plain, confidence_name(r->confidence));
        if (r->question)
                say_question(p, r);
        page_add_paragraph(p, 4, r->summary);
        if (is_found(r, findings))
                say_reference(p, r, o);
        else
                say_details(p, r);
}

/* What is only possible comes after what is proved. */
void say_recommendations(struct page *p, const struct report_group *g, const struct findings *findings)
{
        const struct observation *o = group_item(g, 0)->observation;
        const struct advice *a = group_item(g, 0)->advice;

        for (size_t i = 0; i < a->n_recommendations; i++)
                if (a->recommendations[i].confidence > CONFIDENCE_POSSIBLE)
                        say_recommendation(p, &a->recommendations[i], o, findings);
        for (size_t i = 0; i < a->n_recommendations; i++)
                if (a->recommendations[i].confidence == CONFIDENCE_POSSIBLE)
                        say_recommendation(p, &a->recommendations[i], o, findings);
}

/* ---- the new lines -------------------------------------------------------------- */

static int compare_plans(const void *a, const void *b)
{
        const struct plan *p = *(const struct plan *const *) a, *q = *(const struct plan *const *) b;
        int c = place_compare(&p->place, &q->place);

        return c != 0 ? c : strcmp(p->replacement, q->replacement);
}

/* The members' plans that have a text to write, by place; several mounts may have one line in common.
 * NULL without any, or without memory (the page then says so). */
static const struct plan **collect_plans(struct page *p, const struct report_group *g, size_t *ret_n)
{
        const struct plan **plans = calloc(g->n_members, sizeof(*plans));
        size_t n = 0, kept = 0;

        *ret_n = 0;
        if (!plans) {
                p->t.failed = true;
                return NULL;
        }
        for (size_t i = 0; i < g->n_members; i++) {
                const struct plan *plan = &group_item(g, i)->advice->plan;

                if (plan->exists && plan->replacement)
                        plans[n++] = plan;
        }
        qsort(plans, n, sizeof(*plans), compare_plans);
        for (size_t i = 0; i < n; i++)
                if (kept == 0 || compare_plans(&plans[kept - 1], &plans[i]) != 0)
                        plans[kept++] = plans[i];
        *ret_n = kept;
        return plans;
}

/* The new text alone on its lines, unbroken: it is meant to be copied. */
static void say_replacement(struct page *p, const char *at)
{
        while (*at) {
                size_t n = strcspn(at, "\n");
                cleanup_free char *line = strndup(at, n);

                if (!line)
                        p->t.failed = true;
                text_add(&p->t, "%s", p->style->bold);
                text_add_printable(&p->t, line);
                text_add(&p->t, "%s\n", p->style->plain);
                at += n + (at[n] == '\n');
        }
}

/* Lines of one fstab stand together, as they will be pasted. */
static size_t count_together(const struct plan *const *plans, size_t n)
{
        size_t k = 1;

        while (k < n && plans[0]->place.kind == PLACE_FSTAB && plans[k]->place.kind == PLACE_FSTAB &&
               plans[0]->place.file && plans[k]->place.file &&
               strcmp(plans[0]->place.file, plans[k]->place.file) == 0)
                k++;
        return k;
}

/* Texts that are no line to write begin with a comment that says where they go. */
static bool names_its_place(const struct plan *plan)
{
        return !plan->place.file || plan->replacement[0] == '#';
}

static void say_where(struct page *p, const struct plan *const *plans, size_t n)
{
        const struct place *first = &plans[0]->place;
        struct text t = {};

        text_add(&p->t, "\n");
        if (names_its_place(plans[0]))
                return;
        text_add(&t, "write in ");
        text_add_printable(&t, first->file);
        if (first->line > 0)
                text_add(&t, ", line%s %u", n > 1 ? "s" : "", first->line);
        for (size_t i = 1; i < n; i++)
                text_add(&t, "%s%u", i + 1 < n ? ", " : " and ", plans[i]->place.line);
        text_add(&t, ":");
        page_add_text(p, 4, &t);
        text_add(&p->t, "\n");
}

/* Return: whether there are several lines, which stand in an fstab. */
static bool say_replacements(struct page *p, const struct report_group *g)
{
        bool lines;
        size_t n;
        const struct plan **plans = collect_plans(p, g, &n);

        for (size_t i = 0, k; i < n; i += k) {
                k = count_together(&plans[i], n - i);
                say_where(p, &plans[i], k);
                for (size_t j = i; j < i + k; j++)
                        say_replacement(p, plans[j]->replacement);
        }
        if (n > 0)
                text_add(&p->t, "\n");
        lines = n > 1 && plans[0]->place.kind == PLACE_FSTAB;
        free(plans);
        return lines;
}

/* The plan's text; of several lines, the member's own one is no special one. */
static char *plan_words(const struct plan *plan, bool lines)
{
        const char *words = plan->text ? plan->text : "", *at = NULL, *behind = words;
        cleanup(text_done) struct text t = {}, place = {};

        text_add_place(&place, &plan->place);
        if (lines && place.data)
                at = strstr(words, place.data);
        if (at && (at[place.length_bytes] < '0' || at[place.length_bytes] > '9')) {
                text_add_bytes(&t, words, (size_t) (at - words));
                text_add(&t, "the lines above");
                behind = at + place.length_bytes;
        }
        text_add(&t, "%s", behind);
        t.failed |= place.failed;
        return text_take(&t);
}

static void say_how(struct page *p, const struct report_group *g, bool lines)
{
        cleanup_free char *first = plan_words(&group_item(g, 0)->advice->plan, lines);
        cleanup(text_done) struct text words = {};
        bool same = true;

        text_add(&words, "%s", first ? first : "");
        for (size_t i = 1; i < g->n_members && same && first; i++) {
                cleanup_free char *other = plan_words(&group_item(g, i)->advice->plan, lines);

                same = other && strcmp(first, other) == 0;
                p->t.failed |= !other;
        }
        if (!same && words.length_bytes > 0)
                text_add(&words, "; likewise for the others");
        p->t.failed |= !first || words.failed;
        page_add_commands(p, 4, "how:", words.data);
}

/* What the running service can do in place of that. */
static void say_apply(struct page *p, const struct report_item *item)
{
        cleanup(text_done) struct text words = {}, target = {};

        text_add_shell_word(&target, item->observation->mount.target);
        text_add(&words, "nfstuned changes it while it is in use: nfstunectl apply --dry-run %s", target.data ? target.data : "");
        p->t.failed |= target.failed || words.failed;
        page_add_commands(p, 4, "or:", words.data);
}

static const char *method_words(enum method m, enum place_kind place, bool served)
{
        if (place == PLACE_CMDLINE)
                return " (at the next boot)";
        switch (m) {
        case METHOD_LIVE:
                return " (nothing is unmounted)";
        case METHOD_REPLACE:
                return served ? " (by hand it needs an unmount)" : " (needs an unmount)";
        case METHOD_SOURCE:
                return " (no mount changes now)";
        case METHOD_NONE:
        case METHOD_SERVER:
        case METHOD_NETWORK:
        case METHOD_COUNT:
        default:
                return "";
        }
}

void say_plan(struct page *p, const struct report_group *g, bool served)
{
        const struct report_item *first = group_item(g, 0);
        const struct plan *plan = &first->advice->plan;

        if (!plan->exists)
                return;
        text_add(&p->t, "\n  %sto do%s%s\n", p->style->green, p->style->plain,
                 method_words(plan->method, plan->place.kind, served));
        say_how(p, g, say_replacements(p, g));
        if (served && (plan->method == METHOD_LIVE || plan->method == METHOD_REPLACE))
                say_apply(p, first);
}
