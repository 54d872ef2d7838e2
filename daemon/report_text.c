/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A round for a person. See report.h.
 *
 * Everything is built in memory first; paragraphs are broken at WIDTH columns,
 * except the line that is to be written somewhere, which stays in one piece.
 */

#include "daemon/report.h"

#include <errno.h>
#include <string.h>

#include "daemon/figures.h"
#include "daemon/utf8.h"
#include "policy/names.h"

#define WIDTH 96
#define LABEL_WIDTH 14

struct style {
        const char *bold, *red, *yellow, *green, *plain;
};

static const struct style style_plain = { "", "", "", "", "" };
static const struct style style_color = { "\033[1m", "\033[1;31m", "\033[1;33m", "\033[1;32m", "\033[0m" };

struct page {
        struct text t;
        const struct style *style;
};

/* ---- paragraphs ------------------------------------------------------------ */

/* Columns that @n bytes take: a byte that continues a character takes none. */
static size_t columns(const char *s, size_t n)
{
        size_t count = 0;

        for (size_t i = 0; i < n; i++)
                count += ((unsigned char) s[i] & 0xc0) != 0x80;
        return count;
}

/* Appends @words from column @column on, broken between words; further lines
 * are indented by @indent. Ends the line. */
static void add_wrapped(struct text *t, const char *words, size_t column, size_t indent)
{
        bool first = true;

        for (size_t n; *(words += strspn(words, " \n")); words += n) {
                n = strcspn(words, " \n");
                if (!first && column + 1 + columns(words, n) > WIDTH) {
                        text_add(t, "\n%*s", (int) indent, "");
                        column = indent;
                } else if (!first) {
                        text_add(t, " ");
                        column++;
                }
                text_add_bytes(t, words, n);
                column += columns(words, n);
                first = false;
        }
        text_add(t, "\n");
}

/* "  label:      words", wrapped. Consumes @words; nothing for an empty one. */
static void add_line(struct page *r, size_t indent, const char *label, struct text *words)
{
        size_t column = indent + LABEL_WIDTH;

        if (words->failed)
                r->t.failed = true;
        if (words->length_bytes > 0) {
                text_add(&r->t, "%*s%-*s", (int) indent, "", LABEL_WIDTH, label);
                add_wrapped(&r->t, words->data, column, column);
        }
        text_done(words);
}

static void add_words(struct page *r, size_t indent, const char *label, const char *words)
{
        struct text t = {};

        text_add_printable(&t, words);
        add_line(r, indent, label, &t);
}

/* ---- what the mount is --------------------------------------------------------- */

static void say_options(struct page *r, const struct mount_facts *m)
{
        struct nfs_options n;
        struct text t = {};

        nfs_options_read(&m->super, &n);
        text_add(&t, "NFS ");
        if (n.version_major > 0)
                text_add(&t, n.version_minor >= 0 && n.version_major == 4 ? "%u.%d" : "%u", n.version_major,
                         n.version_minor);
        text_add(&t, " over %s, %s, %s", proto_name(n.proto), m->read_only ? "read-only" : "read-write",
                 n.sync ? "sync" : "async");
        if (n.rsize_bytes > 0) {
                text_add(&t, "; reads of ");
                text_add_size(&t, n.rsize_bytes);
        }
        if (n.wsize_bytes > 0) {
                text_add(&t, ", writes of ");
                text_add_size(&t, n.wsize_bytes);
        }
        add_line(r, 2, "mounted:", &t);
}

static void say_sources(struct page *r, const struct observation *o)
{
        struct text t = {};

        for (size_t i = 0; i < o->n_requested; i++) {
                if (o->requested[i].is_record)
                        continue;
                if (t.length_bytes > 0)
                        text_add(&t, "; ");
                text_add_place_line(&t, &o->requested[i].place);
        }
        add_line(r, 2, "asked for in:", &t);
        for (size_t i = 0; i < o->n_shares; i++) {
                text_add(&t, "%s", i > 0 ? ", " : "");
                text_add_printable(&t, o->shares_superblock_with[i]);
        }
        add_line(r, 2, "shares with:", &t);
}

static void say_server(struct page *r, const struct observation *o)
{
        const struct server_facts *s = &o->server;
        struct text t = {};

        if (s->null_answer == ANSWER_UNTRIED)
                return;
        text_add_answer(&t, s);
        if (s->versions_known) {
                text_add(&t, "; offers NFS ");
                text_add_versions(&t, s->versions);
        }
        add_line(r, 2, "server:", &t);
        text_add_limits(&t, s);
        add_line(r, 2, "its limits:", &t);
}

static void say_liveness(struct page *r, const struct observation *o)
{
        struct text t = {};

        if (o->liveness != LIVENESS_UNRESPONSIVE)
                return;
        text_add(&t, "%sTHE SERVER DOES NOT ANSWER%s", r->style->red, r->style->plain);
        if (o->liveness_witnesses) {
                text_add(&t, ": ");
                text_add_printable(&t, o->liveness_witnesses);
        }
        add_line(r, 2, "liveness:", &t);
}

static void say_probe(struct page *r, const struct probe_result *p)
{
        struct text t = {};

        if (p->state == PROBE_NONE)
                return;
        if (p->state != PROBE_ACTIVE) {
                text_add(&t, p->state == PROBE_PASSIVE ? "not written to" : "%s", probe_state_name(p->state));
                if (p->reason) {
                        text_add(&t, ": ");
                        text_add_printable(&t, p->reason);
                }
                add_line(r, 2, "write test:", &t);
                return;
        }
        for (size_t i = 0; i < WORKLOAD_COUNT; i++) {
                struct text label = {};
                char *name;

                text_add(&label, "%s:", workload_name((enum workload) i));
                name = text_take(&label);
                text_add_workload(&t, &p->results[i]);
                if (name)
                        add_line(r, 2, name, &t);
                else
                        r->t.failed = true;
                text_done(&t);
                free(name);
        }
        for (size_t i = 0; i < STABLE_SIZES; i++) {
                text_add_stable(&t, &p->stable[i]);
                add_line(r, 2, "stable:", &t);
        }
}

/* ---- what to do -------------------------------------------------------------------- */

static void say_recommendation(struct page *r, const struct recommendation *rec)
{
        const char *color = rec->urgent ? r->style->red : r->style->yellow;
        struct text t = {};

        text_add(&r->t, "\n  %s%s%s%s (%s)\n", color, rec->urgent ? "URGENT: " : "", rule_name(rec->rule),
                 r->style->plain,
                 confidence_name(rec->confidence));
        text_add_printable(&t, rec->summary);
        if (t.length_bytes > 0) {
                text_add(&r->t, "    ");
                add_wrapped(&r->t, t.data, 4, 4);
        }
        r->t.failed |= t.failed;
        text_done(&t);
        add_words(r, 4, "evidence:", rec->evidence);
        add_words(r, 4, "gain:", rec->gain ? rec->gain : "not known");
        add_words(r, 4, "risk:", rec->risk);
}

/* The new text alone on its lines, unbroken: it is meant to be copied. */
static void say_replacement(struct page *r, const struct plan *p)
{
        const char *at = p->replacement;

        if (!at)
                return;
        text_add(&r->t, "\n    %s", p->place.file ? "write in " : "");
        text_add_place_line(&r->t, &p->place);
        text_add(&r->t, ":\n\n");
        while (*at) {
                size_t n = strcspn(at, "\n");
                char *line = strndup(at, n);

                if (!line)
                        r->t.failed = true;
                text_add(&r->t, "%s", r->style->bold);
                text_add_printable(&r->t, line);
                text_add(&r->t, "%s\n", r->style->plain);
                free(line);
                at += n + (at[n] == '\n');
        }
}

static void say_plan(struct page *r, const struct plan *p)
{
        if (!p->exists)
                return;
        text_add(&r->t, "\n  %sto do%s (%s)\n", r->style->green, r->style->plain, method_name(p->method));
        say_replacement(r, p);
        if (p->replacement)
                text_add(&r->t, "\n");
        add_words(r, 4, "how:", p->text);
}

static void say_cannot_tell(struct page *r, const struct advice *a)
{
        struct text t = {};

        for (size_t i = 0; i < a->n_cannot_tell; i++) {
                const struct cannot_tell *c = &a->cannot_tell[i];

                text_add(&r->t, "%s    ", i > 0 ? "" : "\n  cannot tell yet\n");
                text_add(&t, "%s: missing: ", rule_name(c->rule));
                text_add_printable(&t, c->missing);
                if (c->command && c->command[0]) {
                        text_add(&t, "; to see: ");
                        text_add_printable(&t, c->command);
                }
                r->t.failed |= t.failed;
                add_wrapped(&r->t, t.data ? t.data : "", 4, 8);
                text_done(&t);
        }
}

static void say_mount(struct page *r, const struct report_item *item)
{
        const struct observation *o = item->observation;
        const struct advice *a = item->advice;

        text_add(&r->t, "%s", r->style->bold);
        text_add_printable(&r->t, o->mount.target);
        text_add(&r->t, "%s  (", r->style->plain);
        text_add_printable(&r->t, o->mount.source);
        text_add(&r->t, ")\n");
        say_options(r, &o->mount);
        say_sources(r, o);
        say_server(r, o);
        say_liveness(r, o);
        say_probe(r, &o->probe);
        for (size_t i = 0; i < a->n_recommendations; i++)
                say_recommendation(r, &a->recommendations[i]);
        say_plan(r, &a->plan);
        say_cannot_tell(r, a);
        if (a->n_recommendations == 0)
                text_add(&r->t, "\n  %snothing to change%s\n", r->style->green, r->style->plain);
        text_add(&r->t, "\n");
}

static void say_total(struct page *r, const struct report_item *items, size_t n)
{
        size_t n_with_advice = 0;

        for (size_t i = 0; i < n; i++)
                n_with_advice += items[i].advice->n_recommendations > 0;
        if (n == 0)
                text_add(&r->t, "No NFS mounts here.\n");
        else if (n_with_advice == 0)
                text_add(&r->t, "%zu NFS mount%s checked, nothing to change.\n", n, n == 1 ? "" : "s");
        else
                text_add(&r->t, "%zu NFS mount%s checked, advice for %zu.\n", n, n == 1 ? "" : "s", n_with_advice);
}

int report_text(FILE *out, const struct report *report, bool color)
{
        struct page r = { .style = color ? &style_color : &style_plain };
        cleanup_free char *whole = NULL;

        for (size_t i = 0; i < report->n_items; i++)
                say_mount(&r, &report->items[i]);
        say_total(&r, report->items, report->n_items);
        whole = text_take(&r.t);
        if (!whole)
                return -ENOMEM;
        errno = 0;
        if (fputs(whole, out) == EOF || fflush(out) != 0)
                return errno ? -errno : -EIO;
        return 0;
}
