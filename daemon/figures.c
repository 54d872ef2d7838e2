/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An observation in words. See figures.h. */

#include "daemon/figures.h"

#include <string.h>

#include "daemon/utf8.h"
#include "policy/names.h"

void text_add_answer(struct text *t, const struct server_facts *s)
{
        switch (s->null_answer) {
        case ANSWER_OK:
                text_add(t, "answers in ");
                text_add_usec(t, s->null_median_usec);
                text_add(t, " (%u of 5 NULL calls, spread ", s->null_replies);
                text_add_usec(t, s->null_spread_usec);
                text_add(t, ")");
                return;
        case ANSWER_NONE:
                text_add(t, "gives no answer");
                break;
        case ANSWER_NOT_NFS:
                text_add(t, "is not an NFS server: something else answers");
                break;
        case ANSWER_IMPOSSIBLE:
                text_add(t, "cannot be asked");
                break;
        default:
                text_add(t, "was not asked");
        }
        if (s->detail) {
                text_add(t, " (");
                text_add_printable(t, s->detail);
                text_add(t, ")");
        }
}

void text_add_limits(struct text *t, const struct server_facts *s)
{
        if (s->limit_source == LIMIT_UNKNOWN) {
                text_add(t, "unknown");
                if (s->limit_detail) {
                        text_add(t, ": ");
                        text_add_printable(t, s->limit_detail);
                }
                return;
        }
        text_add(t, "reads up to ");
        text_add_size(t, s->read_max_bytes);
        text_add(t, ", writes up to ");
        text_add_size(t, s->write_max_bytes);
        text_add(t, " (%s)", limit_source_name(s->limit_source));
}

const char *const nfs_version_names[NFS_VERSION_BITS] = { "2", "3", "4.0", "4.1", "4.2" };

void text_add_versions(struct text *t, unsigned versions)
{
        const char *separator = "";

        for (unsigned i = 0; i < NFS_VERSION_BITS; i++)
                if (versions & (1U << i)) {
                        text_add(t, "%s%s", separator, nfs_version_names[i]);
                        separator = ", ";
                }
}

static void add_writes(struct text *t, const struct workload_result *w)
{
        text_add(t, " (%u writes: median ", w->write.n);
        text_add_usec(t, w->write.p50_usec);
        text_add(t, ", longest ");
        text_add_usec(t, w->write.max_usec);
        text_add(t, "; close ");
        text_add_usec(t, w->close_usec);
        if (w->stalls > 0) {
                text_add(t, "; %u stall%s, longest ", w->stalls, w->stalls == 1 ? "" : "s");
                text_add_usec(t, w->longest_stall_usec);
        }
        text_add(t, ")");
}

void text_add_workload(struct text *t, const struct workload_result *w)
{
        if (w->outcome == OUTCOME_NOT_RUN)
                return;
        if (w->outcome != OUTCOME_OK && w->outcome != OUTCOME_TIME_BUDGET) {
                text_add(t, "%s", outcome_name(w->outcome));
                if (w->error > 0)
                        text_add(t, " (%s)", strerrordesc_np(w->error) ? strerrordesc_np(w->error) : "unknown error");
                return;
        }
        text_add_size(t, w->written_bytes);
        text_add(t, " in ");
        text_add_usec(t, w->total_usec);
        if (w->outcome == OUTCOME_TIME_BUDGET)
                text_add(t, ", stopped by the time limit");
        if (w->write.n > 0)
                add_writes(t, w);
}

void text_add_stable(struct text *t, const struct stable_latency *s)
{
        if (s->latency.n == 0)
                return;
        text_add_size(t, s->size_bytes);
        text_add(t, " stable on the server in ");
        text_add_usec(t, s->latency.p50_usec);
        if (s->latency.n == 1) {
                text_add(t, " (tried once)");
                return;
        }
        text_add(t, " (%u times, longest ", s->latency.n);
        text_add_usec(t, s->latency.max_usec);
        text_add(t, ")");
}

static void add_permille(struct text *t, unsigned permille)
{
        text_add(t, permille % 10 > 0 ? "%u.%u %%" : "%u %%", permille / 10, permille % 10);
}

void text_add_comparison(struct text *t, const struct comparison *c)
{
        text_add(t, "saving a file took ");
        text_add_usec(t, c->before_usec);
        text_add(t, " before and ");
        text_add_usec(t, c->after_usec);
        text_add(t, " after (medians of %u pairs measured in turn: ", c->pairs);
        add_permille(t, c->ratio_permille);
        text_add(t, " of the time before, ");
        if (c->pairs < COMPARE_PAIRS_MIN) {
                text_add(t, "too few for an interval)");
                return;
        }
        text_add(t, "95 %% interval ");
        add_permille(t, c->low_permille);
        text_add(t, " to ");
        add_permille(t, c->high_permille);
        text_add(t, "%s)", c->low_permille <= 1000 && c->high_permille >= 1000 ? ", which may be chance" : "");
}

void text_add_place_line(struct text *t, const struct place *p)
{
        if (!p->file) {
                text_add(t, p->kind == PLACE_UNKNOWN ? "an unknown place" : "%s", place_kind_name(p->kind));
                return;
        }
        text_add_printable(t, p->file);
        if (p->line > 0)
                text_add(t, ", line %u", p->line);
}

static void add_option_texts(struct text *t, char *const *texts, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                text_add(t, "%s", i > 0 ? "," : "");
                text_add_printable(t, texts[i]);
        }
}

void text_add_change(struct text *t, const struct recommendation *r)
{
        if (r->n_drop > 0) {
                text_add(t, "remove ");
                add_option_texts(t, r->drop, r->n_drop);
        }
        if (r->n_set > 0) {
                text_add(t, "%s", r->n_drop > 0 ? ", write " : "add ");
                add_option_texts(t, r->set, r->n_set);
        }
}

bool is_in_plan(const struct recommendation *r, const struct plan *p)
{
        return p && p->exists && !r->question && r->confidence != CONFIDENCE_POSSIBLE &&
               (r->n_drop > 0 || r->n_set > 0);
}

/* ---- effective options --------------------------------------------------- */

static bool is_in(const char *name, const char *const *list)
{
        for (; *list; list++)
                if (strcmp(name, *list) == 0)
                        return true;
        return false;
}

static void add_option(struct text *t, const struct mount_option *o)
{
        text_add(t, ",%s", o->name);
        if (o->value)
                text_add(t, "=%s", o->value);
}

/* The members of @o that are (or are not) in @list; never ro and rw. */
static void add_options(struct text *t, const struct options *o, const char *const *list, bool wanted)
{
        static const char *const never[] = { "ro", "rw", NULL };

        for (size_t i = 0; i < o->n_items; i++)
                if (!is_in(o->items[i].name, never) && is_in(o->items[i].name, list) == wanted)
                        add_option(t, &o->items[i]);
}

char *effective_options(const struct mount_facts *m)
{
        /* fs/proc_namespace.c: show_sb_opts(), then the security module's. */
        static const char *const superblock_flags[] = { "sync", "dirsync", "mand", "lazytime", "seclabel",
                                                        "context", "fscontext", "defcontext", "rootcontext", NULL };
        static const char *const none[] = { NULL };
        struct text t = {};

        text_add(&t, m->read_only ? "ro" : "rw");
        if (options_has(&m->vfs, "vers")) { /* a table like /proc/mounts: both lists are the merged one */
                add_options(&t, &m->super, none, false);
                return text_take(&t);
        }
        add_options(&t, &m->super, superblock_flags, true);
        add_options(&t, &m->vfs, none, false);
        add_options(&t, &m->super, superblock_flags, false);
        return text_take(&t);
}

/* Appends a sentence that begins with a capital letter. */
static void add_sentence(struct text *t, const char *words)
{
        size_t start = t->length_bytes;

        text_add_printable(t, words);
        if (t->length_bytes > start && t->data[start] >= 'a' && t->data[start] <= 'z')
                t->data[start] = (char) (t->data[start] - 'a' + 'A');
}

void text_add_question(struct text *t, const struct recommendation *r)
{
        if (!r->keep || !strchr(r->keep, '?')) {
                text_add(t, "Is ");
                for (size_t i = 0; i < r->n_drop; i++) {
                        text_add(t, "%s", i > 0 ? "," : "");
                        text_add_printable(t, r->drop[i]);
                }
                text_add(t, "%s intended here? ", r->n_drop > 0 ? "" : "this");
        }
        if (r->keep)
                add_sentence(t, r->keep);
}
