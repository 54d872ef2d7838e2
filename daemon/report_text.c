/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A round for a person. See report.h.
 *
 * Everything is built in memory first. Mounts with the same advice are one
 * paragraph, the most useful first; then lines that no mount belongs to, then
 * what could not be told, and a total.
 */

#include "daemon/report_parts.h"

#include <errno.h>

#include "daemon/figures.h"
#include "policy/names.h"

/* So many mounts without advice are shown with what was measured on them. */
#define QUIET_SHOWN 8

static void say_group(struct page *p, const struct report_group *g, const struct report *report)
{
        say_group_title(p, g);
        say_mount_facts(p, g);
        say_recommendations(p, g, report->findings);
        say_plan(p, g, report->served);
}

/* ---- mounts ---------------------------------------------------------------------- */

static bool was_measured(const struct report_item *item)
{
        const struct observation *o = item->observation;

        return o->server.null_answer != ANSWER_UNTRIED || o->probe.state != PROBE_NONE;
}

/* "9 mounts: nothing to change (/a, /b, ... and 1 more)" */
static void say_quiet_line(struct page *p, const struct report_group *g)
{
        struct text t = {};

        text_add(&t, "%zu mount%s: %snothing to change%s (", g->n_members, g->n_members > 1 ? "s" : "",
                 p->style->green, p->style->plain);
        text_add_group_names(&t, g);
        text_add(&t, ")");
        page_add_text(p, 0, &t);
        text_add(&p->t, "\n");
}

static void say_quiet(struct page *p, const struct report_group *g)
{
        if (g->n_members == 0)
                return;
        for (size_t i = 0; i < g->n_members && g->n_members <= QUIET_SHOWN; i++) {
                const struct report_group one = { .items = g->items, .members = &g->members[i], .n_members = 1 };

                if (!was_measured(group_item(&one, 0)))
                        continue;
                say_group_title(p, &one);
                say_mount_facts(p, &one);
                text_add(&p->t, "\n");
        }
        say_quiet_line(p, g);
}

static int say_mounts(struct page *p, const struct report_groups *g, const struct report *report)
{
        struct report_group *groups = calloc(g->n_mounts + 1, sizeof(*groups));
        struct unknowns unknowns = {};
        int r = -ENOMEM;

        if (groups) {
                for (size_t i = 0; i < g->n_mounts; i++)
                        groups[i] = g->mounts[i];
                groups[g->n_mounts] = g->quiet;
                r = unknowns_collect(groups, g->n_mounts + 1, &unknowns);
                unknowns.lacks_mountstats = report->lacks_mountstats;
        }
        for (size_t i = 0; i < g->n_mounts && r == 0; i++) {
                say_group(p, &g->mounts[i], report);
                say_unknowns(p, &unknowns, i);
                text_add(&p->t, "\n");
        }
        if (r == 0) {
                say_quiet(p, &g->quiet);
                say_unknowns(p, &unknowns, SIZE_MAX);
        }
        free(unknowns.items);
        free(groups);
        return r;
}

/* ---- lines that no mount belongs to ---------------------------------------------- */

static void say_finding(struct page *p, const struct finding *f)
{
        struct text t = {};

        text_add(&t, "%s", p->style->bold);
        text_add_place_line(&t, &f->place);
        text_add(&t, "%s: %s%s%s", p->style->plain, p->style->yellow, rule_name(f->rule), p->style->plain);
        page_add_text(p, 0, &t);
        page_add_words(p, 4, "evidence:", f->evidence);
        page_add_commands(p, 4, "to do:", f->text);
        text_add(&p->t, "\n");
}

static int compare_findings(const void *a, const void *b)
{
        const struct finding *f = *(const struct finding *const *) a, *g = *(const struct finding *const *) b;
        int c = place_compare(&f->place, &g->place);

        return c != 0 ? c : (f > g) - (f < g);
}

/* By file and line, as in an editor. Return: 0 or -ENOMEM. */
static int say_lines(struct page *p, const struct report_groups *g, const struct report *report)
{
        const struct findings *findings = report->findings;
        size_t n = findings ? findings->n_items : 0, k = 0;
        const struct finding **sorted = calloc(n + 1, sizeof(*sorted));

        if (!sorted)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                sorted[i] = &findings->items[i];
        qsort(sorted, n, sizeof(*sorted), compare_findings);
        for (size_t i = 0; i < g->n_lines; i++) {
                const struct place *at = observation_place(group_item(&g->lines[i], 0)->observation);

                while (k < n && place_compare(&sorted[k]->place, at) <= 0)
                        say_finding(p, sorted[k++]);
                say_group(p, &g->lines[i], report);
                text_add(&p->t, "\n");
        }
        while (k < n)
                say_finding(p, sorted[k++]);
        free(sorted);
        return 0;
}

/* ---- the total ------------------------------------------------------------------- */

static size_t count_members(const struct report_group *groups, size_t n)
{
        size_t count = 0;

        for (size_t i = 0; i < n; i++)
                count += groups[i].n_members;
        return count;
}

/* "12 NFS mounts checked, advice for 3" */
static void add_count(struct text *t, const char *what, size_t n, size_t n_with_advice)
{
        if (n == 0)
                return;
        text_add(t, "%s%zu %s%s checked, ", t->length_bytes > 0 ? "; " : "", n, what, n == 1 ? "" : "s");
        if (n_with_advice == 0)
                text_add(t, "nothing to change");
        else
                text_add(t, "advice for %zu", n_with_advice);
}

static void say_total(struct page *p, const struct report_groups *g, const struct findings *findings)
{
        size_t n_mounts = count_members(g->mounts, g->n_mounts), n_lines = count_members(g->lines, g->n_lines);
        size_t n_findings = findings ? findings->n_items : 0;
        struct text t = {};

        add_count(&t, "NFS mount", n_mounts + g->quiet.n_members, n_mounts);
        add_count(&t, "NFS line", n_lines + g->n_quiet_lines, n_lines);
        if (t.length_bytes == 0 && n_findings == 0)
                text_add(&t, "No NFS mounts here");
        if (n_findings > 0)
                text_add(&t, "%s%zu other finding%s", t.length_bytes > 0 ? "; " : "", n_findings,
                         n_findings == 1 ? "" : "s");
        text_add(&t, ".");
        page_add_text(p, 0, &t);
}

int report_text(FILE *out, const struct report *report, bool color)
{
        cleanup(report_groups_done) struct report_groups g = {};
        struct page p = { .style = color ? &style_color : &style_plain };
        int r = report_groups_make(report, &g);

        if (r == 0)
                r = say_mounts(&p, &g, report);
        if (r == 0)
                r = say_lines(&p, &g, report);
        if (r == 0) {
                say_total(&p, &g, report->findings);
                r = page_print(&p, out);
        }
        text_done(&p.t);
        return r;
}
