/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A round as JSON, DESIGN section 12. See report.h. */

#include <errno.h>

#include "daemon/figures.h"
#include "daemon/report_groups.h"
#include "daemon/report_json_parts.h"
#include "policy/names.h"

static json_t *recommendation_to_json(const struct recommendation *r)
{
        return json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                         "rule", rule_name(r->rule),
                         "confidence", confidence_name(r->confidence),
                         "method", method_name(r->method),
                         "auto", r->automatic,
                         "urgent", r->urgent,
                         "question", r->question,
                         "drop", json_string_array(r->drop, r->n_drop),
                         "set", json_string_array(r->set, r->n_set),
                         "place", json_place(&r->place),
                         "summary", json_string_or_null(r->summary),
                         "evidence", json_string_or_null(r->evidence),
                         "gain", json_string_or_null(r->gain),
                         "keep", json_string_or_null(r->keep),
                         "risk", json_string_or_null(r->risk));
}

static json_t *cannot_tell_to_json(const struct cannot_tell *c)
{
        return json_pack("{s:s, s:o, s:o}", "rule", rule_name(c->rule), "missing", json_string_or_null(c->missing),
                         "command", json_string_or_null(c->command));
}

static json_t *plan_to_json(const struct plan *p)
{
        if (!p->exists)
                return json_null();
        return json_pack("{s:o, s:s, s:b, s:o, s:o, s:o}",
                         "options", json_string_or_null(p->options),
                         "method", method_name(p->method),
                         "auto", p->automatic,
                         "place", json_place(&p->place),
                         "replacement", json_string_or_null(p->replacement),
                         "text", json_string_or_null(p->text));
}

static json_t *recommendations_to_json(const struct advice *a)
{
        json_t *array = json_array();

        for (size_t i = 0; i < a->n_recommendations; i++)
                json_append(&array, recommendation_to_json(&a->recommendations[i]));
        return array;
}

static json_t *cannot_tells_to_json(const struct advice *a)
{
        json_t *array = json_array();

        for (size_t i = 0; i < a->n_cannot_tell; i++)
                json_append(&array, cannot_tell_to_json(&a->cannot_tell[i]));
        return array;
}

static json_t *item_to_json(const struct report_item *item)
{
        const struct observation *o = item->observation;
        cleanup_free char *options = effective_options(&o->mount);

        if (!options)
                return NULL;
        return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                         "target", json_string_or_null(o->mount.target),
                         "source", json_string_or_null(o->mount.source),
                         "fstype", json_string_or_null(o->mount.fstype),
                         "options", json_string_or_null(options),
                         "shares_superblock_with", json_string_array(o->shares_superblock_with, o->n_shares),
                         "recommendations", recommendations_to_json(item->advice),
                         "cannot_tell", cannot_tells_to_json(item->advice),
                         "plan", plan_to_json(&item->advice->plan),
                         "server", report_json_server(&o->server),
                         "export", report_json_export(&o->export_facts),
                         "probe", report_json_probe(&o->probe),
                         "liveness", report_json_liveness(o));
}

/* Mounts with the same advice: who reads a whole host starts here. */
static json_t *group_to_json(const struct report_group *g)
{
        const struct advice *a = group_item(g, 0)->advice;
        json_t *targets = json_array(), *rules = json_array();

        for (size_t i = 0; i < g->n_members; i++)
                json_append(&targets, json_string_or_null(group_item(g, i)->observation->mount.target));
        for (size_t i = 0; i < a->n_recommendations; i++)
                json_append(&rules, json_string(rule_name(a->recommendations[i].rule)));
        return json_pack("{s:o, s:o}", "targets", targets, "rules", rules);
}

/* ---- findings: about lines that no mount belongs to ------------------------------ */

/* Is the recommendation met by the plan's new text? A malformed line needs no option changed. */
static bool is_written_by(const struct recommendation *r, const struct plan *p)
{
        bool line = r->method == METHOD_SOURCE && r->n_drop + r->n_set == 0 && !r->question;

        return p->exists && p->replacement && (is_in_plan(r, p) || line);
}

/* What to do, in words that stand alone. */
static void add_advice_words(struct text *t, const struct recommendation *r, const struct plan *p)
{
        if (r->question)
                text_add(t, "%s. ", r->keep ? r->keep : "It may be intended");
        if (is_written_by(r, p)) {
                text_add(t, "Write in ");
                text_add_place_line(t, &p->place);
                text_add(t, ": %s", p->replacement);
        } else if (r->n_drop + r->n_set > 0) {
                text_add(t, "%s", r->question ? "If not: " : "");
                text_add_change(t, r);
                text_add(t, " in ");
                text_add_place_line(t, &r->place);
        } else {
                text_add(t, "%s", r->summary ? r->summary : "");
        }
}

static json_t *replacement_to_json(const struct report_item *item, size_t i)
{
        const struct advice *a = item->advice;
        bool written = i < a->n_recommendations && is_written_by(&a->recommendations[i], &a->plan);

        return json_string_or_null(written ? a->plan.replacement : NULL);
}

/* The other lines of the template, with the same advice. */
static json_t *also_to_json(const struct report_group *g, size_t recommendation)
{
        json_t *array = json_array();

        for (size_t i = 1; i < g->n_members; i++) {
                const struct observation *o = group_item(g, i)->observation;
                const struct place *p = observation_place(o);

                json_append(&array, json_pack("{s:o, s:o, s:o}",
                                              "target", json_string_or_null(o->mount.target),
                                              "place", json_place(p ? p : &(struct place) {}),
                                              "replacement", replacement_to_json(group_item(g, i), recommendation)));
        }
        return array;
}

static json_t *line_to_json(const struct report_group *g, size_t i)
{
        const struct report_item *item = group_item(g, 0);
        const struct recommendation *r = &item->advice->recommendations[i];
        const struct place *line = observation_place(item->observation);
        struct text words = {};
        cleanup_free char *text = NULL;

        add_advice_words(&words, r, &item->advice->plan);
        text = text_take(&words);
        if (!text)
                return NULL;
        return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                         "rule", rule_name(r->rule),
                         "confidence", confidence_name(r->confidence),
                         "question", r->question,
                         "target", json_string_or_null(item->observation->mount.target),
                         "place", json_place(line ? line : &r->place),
                         "drop", json_string_array(r->drop, r->n_drop),
                         "set", json_string_array(r->set, r->n_set),
                         "summary", json_string_or_null(r->summary),
                         "evidence", json_string_or_null(r->evidence),
                         "keep", json_string_or_null(r->keep),
                         "text", json_string_or_null(text),
                         "replacement", replacement_to_json(item, i),
                         "also", also_to_json(g, i));
}

static json_t *finding_to_json(const struct finding *f)
{
        return json_pack("{s:s, s:s, s:b, s:n, s:o, s:[], s:[], s:n, s:o, s:n, s:o, s:n, s:[]}",
                         "rule", rule_name(f->rule),
                         "confidence", confidence_name(CONFIDENCE_CONFIGURED),
                         "question", false,
                         "target",
                         "place", json_place(&f->place),
                         "drop",
                         "set",
                         "summary",
                         "evidence", json_string_or_null(f->evidence),
                         "keep",
                         "text", json_string_or_null(f->text),
                         "replacement",
                         "also");
}

/* ---- the whole -------------------------------------------------------------------- */

/*
 * Member by member: all of ten thousand mounts as one json_t would take more
 * memory than everything else together.
 */
struct list {
        FILE *out;
        bool begun;
};

/* Takes @member over; NULL stands for no memory. */
static int list_add(struct list *l, json_t *member)
{
        cleanup_json json_t *j = member;

        if (!j)
                return -ENOMEM;
        if (fputs(l->begun ? ",\n    " : "[\n    ", l->out) == EOF)
                return -EIO;
        l->begun = true;
        return json_print(l->out, j, 2);
}

static int list_end(struct list *l)
{
        return fputs(l->begun ? "\n  ]" : "[]", l->out) == EOF ? -EIO : 0;
}

static int print_mounts(FILE *out, const struct report *r)
{
        struct list l = { .out = out };
        int err = 0;

        for (size_t i = 0; i < r->n_items && err == 0; i++)
                if (!r->items[i].observation->only_requested)
                        err = list_add(&l, item_to_json(&r->items[i]));
        return err < 0 ? err : list_end(&l);
}

static int print_groups(FILE *out, const struct report_groups *g)
{
        struct list l = { .out = out };
        int err = 0;

        for (size_t i = 0; i < g->n_mounts && err == 0; i++)
                err = list_add(&l, group_to_json(&g->mounts[i]));
        return err < 0 ? err : list_end(&l);
}

static int print_findings(FILE *out, const struct report_groups *g, const struct findings *f)
{
        struct list l = { .out = out };
        int err = 0;

        for (size_t i = 0; i < g->n_lines && err == 0; i++) {
                const struct advice *a = group_item(&g->lines[i], 0)->advice;

                for (size_t k = 0; k < a->n_recommendations && err == 0; k++)
                        err = list_add(&l, line_to_json(&g->lines[i], k));
        }
        for (size_t i = 0; f && i < f->n_items && err == 0; i++)
                err = list_add(&l, finding_to_json(&f->items[i]));
        return err < 0 ? err : list_end(&l);
}

static int print_all(FILE *out, const struct report *r, const struct report_groups *g)
{
        int err = fputs("{\n  \"version\": 1,\n  \"mounts\": ", out) == EOF ? -EIO : print_mounts(out, r);

        if (err == 0)
                err = fputs(",\n  \"groups\": ", out) == EOF ? -EIO : print_groups(out, g);
        if (err == 0)
                err = fputs(",\n  \"findings\": ", out) == EOF ? -EIO : print_findings(out, g, r->findings);
        if (err == 0 && (fputs("\n}\n", out) == EOF || fflush(out) != 0))
                err = -EIO;
        return err;
}

int report_json(FILE *out, const struct report *r)
{
        cleanup(report_groups_done) struct report_groups g = {};
        int err = report_groups_make(r, &g);

        if (err < 0)
                return err;
        errno = 0;
        err = print_all(out, r, &g);
        return err == -EIO && errno ? -errno : err;
}

bool report_has_advice(const struct report *r)
{
        for (size_t i = 0; i < r->n_items; i++)
                if (r->items[i].advice->n_recommendations > 0)
                        return true;
        return r->findings && r->findings->n_items > 0;
}
