/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a mount is and what was measured on it, for a person. See report_parts.h. */

#include "daemon/report_parts.h"

#include <string.h>

#include "daemon/figures.h"
#include "daemon/utf8.h"
#include "policy/names.h"

static void add_name(struct text *t, const struct observation *o)
{
        const struct place *p = o->only_requested ? observation_place(o) : NULL;

        if (p) {
                text_add_place_line(t, p);
                text_add(t, ": ");
        }
        text_add_printable(t, o->mount.target);
}

void text_add_group_names(struct text *t, const struct report_group *g)
{
        for (size_t i = 0; i < MIN(g->n_members, (size_t) NAMES_SHOWN); i++) {
                text_add(t, "%s", i > 0 ? ", " : "");
                add_name(t, group_item(g, i)->observation);
        }
        if (g->n_members > NAMES_SHOWN)
                text_add(t, " and %zu more", g->n_members - NAMES_SHOWN);
}

void say_group_title(struct page *p, const struct report_group *g)
{
        const struct observation *o = group_item(g, 0)->observation;
        struct text t = {};

        text_add(&t, "%s", p->style->bold);
        text_add_group_names(&t, g);
        text_add(&t, "%s", p->style->plain);
        if (g->n_members == 1 && o->mount.source && *o->mount.source) {
                text_add(&t, " (");
                text_add_printable(&t, o->mount.source);
                text_add(&t, ")");
        }
        page_add_text(p, 0, &t);
        if (g->n_members > 1) {
                text_add(&t, "the same advice for all of them; words and figures are those of ");
                text_add_printable(&t, o->mount.target);
                page_add_text(p, 2, &t);
        }
}

static void say_options(struct page *p, const struct observation *o)
{
        const struct mount_facts *m = &o->mount;
        struct nfs_options n;
        struct text t = {};

        nfs_options_read(&m->super, &n);
        text_add(&t, "NFS");
        if (n.version_major > 0)
                text_add(&t, n.version_minor >= 0 && n.version_major == 4 ? " %u.%d" : " %u", n.version_major,
                         n.version_minor);
        if (n.proto != NFS_PROTO_UNKNOWN)
                text_add(&t, " over %s", proto_name(n.proto));
        text_add(&t, ", %s, %s", m->read_only ? "read-only" : "read-write", n.sync ? "sync" : "async");
        if (n.rsize_bytes > 0) {
                text_add(&t, "; reads %sof ", n.wsize_bytes == n.rsize_bytes ? "and writes " : "");
                text_add_size(&t, n.rsize_bytes);
        }
        if (n.wsize_bytes > 0 && n.wsize_bytes != n.rsize_bytes) {
                text_add(&t, "%s writes of ", n.rsize_bytes > 0 ? "," : ";");
                text_add_size(&t, n.wsize_bytes);
        }
        page_add_line(p, 2, "mounted:", &t);
}

/* Only of a mount that stands alone: those of a group are named with its plan. */
static void say_sources(struct page *p, const struct observation *o)
{
        struct text t = {};

        for (size_t i = 0; i < o->n_requested; i++) {
                if (o->requested[i].is_record)
                        continue;
                text_add(&t, "%s", t.length_bytes > 0 ? "; " : "");
                text_add_place_line(&t, &o->requested[i].place);
        }
        page_add_line(p, 2, "asked for in:", &t);
        for (size_t i = 0; i < o->n_shares; i++) {
                text_add(&t, "%s", i > 0 ? ", " : "");
                text_add_printable(&t, o->shares_superblock_with[i]);
        }
        page_add_line(p, 2, "shares with:", &t);
}

static void say_server(struct page *p, const struct observation *o)
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
        page_add_line(p, 2, "server:", &t);
        text_add_limits(&t, s);
        page_add_line(p, 2, "its limits:", &t);
}

static void say_export(struct page *p, const struct export_facts *e)
{
        struct text t = {};

        if (!e->known)
                return;
        text_add(&t, "%s (", e->async ? "async" : "sync");
        text_add_place_line(&t, &e->place);
        text_add(&t, ")");
        page_add_line(p, 2, "exported:", &t);
}

static void say_liveness(struct page *p, const struct observation *o)
{
        struct text t = {};

        if (o->liveness != LIVENESS_UNRESPONSIVE)
                return;
        text_add(&t, "%sTHE SERVER DOES NOT ANSWER%s", p->style->red, p->style->plain);
        if (o->liveness_witnesses) {
                text_add(&t, ": ");
                text_add_printable(&t, o->liveness_witnesses);
        }
        page_add_line(p, 2, "liveness:", &t);
}

static void say_no_probe(struct page *p, const struct probe_result *r)
{
        struct text t = {};

        text_add(&t, r->state == PROBE_PASSIVE ? "not written to" : "%s", probe_state_name(r->state));
        if (r->reason) {
                text_add(&t, ": ");
                text_add_printable(&t, r->reason);
        }
        page_add_line(p, 2, "write test:", &t);
}

static void say_probe(struct page *p, const struct probe_result *r)
{
        struct text t = {};

        if (r->state == PROBE_NONE)
                return;
        if (r->state != PROBE_ACTIVE) {
                say_no_probe(p, r);
                return;
        }
        for (size_t i = 0; i < WORKLOAD_COUNT; i++) {
                cleanup(text_done) struct text label = {};

                text_add(&label, "%s:", workload_name((enum workload) i));
                p->t.failed |= label.failed;
                text_add_workload(&t, &r->results[i]);
                page_add_line(p, 2, label.data ? label.data : "", &t);
        }
        for (size_t i = 0; i < STABLE_SIZES; i++) {
                text_add_stable(&t, &r->stable[i]);
                page_add_line(p, 2, "stable:", &t);
        }
}

void say_mount_facts(struct page *p, const struct report_group *g)
{
        const struct observation *o = group_item(g, 0)->observation;

        if (o->only_requested)
                return;
        say_options(p, o);
        if (g->n_members == 1)
                say_sources(p, o);
        say_server(p, o);
        say_export(p, &o->export_facts);
        say_liveness(p, o);
        say_probe(p, &o->probe);
}
