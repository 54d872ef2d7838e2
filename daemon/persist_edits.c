/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/persist_edits.c - from a plan to what is written where.
 *
 * Units:    a unit file is never edited, its Options= are said anew in a drop-in below /etc: of several assignments
 *           the last one counts (systemd reads the option string as one value, it does not append), so it has to hold
 *           all options. A drop-in below /etc that says Options= already is edited in place.
 * Defaults: nfsmount.conf may speak of this mount alone (MountPoint): then the line is commented out or exchanged. Else
 *           other mounts go by it, too, and it stays: a MountPoint section of our own hides it for this mount.
 *           mount.nfs reads that section first and passes over what was said before, "noX" hiding "X" and back.
 */
#include "daemon/persist.h"

#include <errno.h>
#include <string.h>

#include "policy/option_table.h"
#include "policy/recommend.h"
#include "policy/sources.h"

/* nfs(5): the largest size that the kernel takes; the server lowers it to what it can do. */
#define SIZE_LARGEST "1048576"

/* All that is gathered. */
struct gathered {
        const struct observation *o;
        struct source_edit *edits;
        size_t n_edits;
        struct text snippet;            /* settings of the MountPoint section */
        struct text why;                /* why it cannot be done */
};

static void gathered_done(struct gathered *g)
{
        for (size_t i = 0; i < g->n_edits; i++)
                source_edit_done(&g->edits[i]);
        free(g->edits);
        text_done(&g->snippet);
        text_done(&g->why);
}

static bool starts(const char *s, const char *prefix)
{
        return s && strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Return: 0 or -ENOMEM. Strings are copied; the text of *new_text is taken. */
static int edit_add(struct gathered *g, const struct place *at, const char *old_text, struct text *new_text,
                    const char *options)
{
        struct source_edit *e = &g->edits[g->n_edits++];        /* there is room for one per source, and the snippet */

        *e = (struct source_edit){
                .kind = at->kind,
                .line = at->line,
                .file = strdup(at->file),
                .old_text = old_text ? strdup(old_text) : NULL,
                .new_text = text_take(new_text),
                .options = options ? strdup(options) : NULL,
        };
        return e->file && e->new_text && (e->old_text || !old_text) && (e->options || !options) ? 0 : -ENOMEM;
}

/* ---- what cannot be written -------------------------------------------------------------- */

static void cannot(struct gathered *g, const char *reason)
{
        text_add_clause(&g->why);
        text_add(&g->why, "%s", reason);
}

static void cannot_place(struct gathered *g, const struct place *p)
{
        switch (p->kind) {
        case PLACE_AUTOFS:
                cannot(g, "the options come from an automounter's map, which nfstuned does not write: change them "
                          "there");
                return;
        case PLACE_CMDLINE:
                cannot(g, "the options come from the kernel's command line: change nfsroot= in the boot loader's "
                          "configuration");
                return;
        case PLACE_VOLUME:
                cannot(g, "the options come from the definition of a volume: change them there");
                return;
        default:
                cannot(g, "it is not known where the options come from (the mount may have been made by hand): change "
                          "them where the mount is made");
        }
}

/* ---- fstab ----------------------------------------------------------------------------------- */

static int fstab_edit(struct gathered *g, const struct requested *r, const struct plan_edit *e)
{
        struct text line = { 0 };

        if (r->is_generated || !r->text || r->place.line == 0 || !e->line || !*e->line) {
                cannot(g, "systemd still has a unit of an fstab line that is not there any more (systemctl "
                          "daemon-reload makes it forget)");
                return 0;
        }
        if (strchr(e->line, '\n')) {
                cannot(g, "the new options hold a line break, which an fstab cannot");
                return 0;
        }
        text_add(&line, "%s", e->line);
        return edit_add(g, &r->place, r->text, &line, *e->options ? e->options : "defaults");
}

/* ---- units ------------------------------------------------------------------------------------- */

static bool is_dropin(const char *file)
{
        size_t n = strlen(file);

        return n > 5 && strcmp(file + n - 5, ".conf") == 0;
}

static int dropin_edit(struct gathered *g, const char *name, size_t length, const char *options)
{
        cleanup(text_done) struct text file = { 0 };
        struct text all = { 0 };

        text_add(&file, "/etc/systemd/system/");
        text_add_bytes(&file, name, length);
        text_add(&file, ".d/" OWN_DROPIN);
        text_add(&all, OWN_FILE_HEADER "[Mount]\n");
        text_add_unit_options(&all, options);
        text_add(&all, "\n");
        if (file.failed) {
                text_done(&all);
                return -ENOMEM;
        }
        return edit_add(g, &(struct place){ .kind = PLACE_UNIT, .file = file.data }, NULL, &all, NULL);
}

static int unit_edit(struct gathered *g, const struct requested *r, const struct plan_edit *e)
{
        const char *file = r->place.file ? r->place.file : "", *base = strrchr(file, '/');
        size_t length = 0;
        const char *name = unit_name(r, &length);

        if (r->is_generated || length == 0) {
                cannot(g, "the unit is generated from a file that nfstuned does not know: change the options there");
                return 0;
        }
        if (strchr(e->options, '\n') || strchr(e->options, '\\')) {
                cannot(g, "the options of the unit hold a line break or a backslash: change them by hand");
                return 0;
        }
        if (is_dropin(file) && starts(file, "/etc/systemd/system/") && r->text && r->place.line > 0) {
                cleanup(text_done) struct text now = { 0 };
                struct text then = { 0 };

                text_add_unit_options(&now, r->text);
                text_add_unit_options(&then, e->options);
                if (now.failed) {
                        text_done(&then);
                        return -ENOMEM;
                }
                return edit_add(g, &r->place, now.data, &then, NULL);
        }
        if (is_dropin(file) && strcmp(base + 1, OWN_DROPIN) >= 0) {
                cannot(g, "a drop-in that comes after nfstuned's own says the options: change them there");
                return 0;
        }
        return dropin_edit(g, name, length, e->options);
}

/* ---- nfsmount.conf --------------------------------------------------------------------------------- */

/* "noac" is "Ac=False" there. NULL: it is said as it is. */
static const char *inverted(const char *name)
{
        return strncmp(name, "no", 2) == 0 && option_info(name + 2) ? name + 2 : NULL;
}

static void add_conf_setting(struct text *t, const struct mount_option *o)
{
        if (o->value)
                text_add(t, "%s=%s", o->name, o->value);
        else if (inverted(o->name))
                text_add(t, "%s=False", inverted(o->name));
        else
                text_add(t, "%s=True", o->name);
}

/* A line that speaks of this mount alone. Commented out rather than taken out: so the way back finds its place. */
static int conf_line_edit(struct gathered *g, const struct requested *r, const struct plan_edit *e)
{
        cleanup(options_done) struct options left = { 0 };
        struct text line = { 0 };
        int err = options_parse(e->options, strlen(e->options), &left);

        if (err == -ENOMEM)
                return err;
        if (!starts(r->place.file, "/etc/") || !r->text || err < 0 || left.n_items > 1) {
                cannot(g, "a line of nfsmount.conf has to change that nfstuned cannot write: see the advice for it");
                return 0;
        }
        if (left.n_items == 0)
                text_add(&line, "# %s", r->text);
        else
                add_conf_setting(&line, &left.items[0]);
        return edit_add(g, &r->place, r->text, &line, NULL);
}

/* What hides a default for this mount. false: nothing does. */
static bool add_hiding(struct text *t, const struct mount_option *o)
{
        const struct option_info *i = option_info(o->name), *head = i ? option_info(i->canonical) : NULL;
        cleanup(text_done) struct text negated = { 0 };

        if (strcmp(o->name, "rsize") == 0 || strcmp(o->name, "wsize") == 0) {
                text_add(t, "%s=" SIZE_LARGEST "\n", o->name);
                return true;
        }
        if (o->value && head && head->fallback && strcmp(i->name, i->canonical) == 0) {
                text_add(t, "%s=%s\n", o->name, head->fallback);
                return true;
        }
        text_add(&negated, "no%s", o->name);
        if (!o->value && inverted(o->name))
                text_add(t, "%s=True\n", inverted(o->name));
        else if (!o->value && negated.data && option_info(negated.data))
                text_add(t, "%s=False\n", o->name);
        else
                return negated.failed;          /* told as -ENOMEM at the end */
        t->failed |= negated.failed;
        return true;
}

/* A line that other mounts go by, too. */
static void default_hide(struct gathered *g, const struct requested *r)
{
        for (size_t i = 0; i < r->options.n_items; i++) {
                if (add_hiding(&g->snippet, &r->options.items[i]))
                        continue;
                text_add_clause(&g->why);
                text_add_source(&g->why, r);
                text_add(&g->why, " asks for ");
                text_add_option(&g->why, &r->options.items[i]);
                text_add(&g->why, " on other mounts as well, and cannot be undone for one of them: take it out by "
                                  "hand, or leave it");
        }
}

static bool is_of_this_mount(const struct requested *r)
{
        const char *s = r->section ? r->section + strspn(r->section, "[ \t") : "";

        return strncasecmp(s, "MountPoint", strlen("MountPoint")) == 0;
}

static int conf_edit(struct gathered *g, const struct requested *r, const struct plan_edit *e)
{
        if (is_of_this_mount(r))
                return conf_line_edit(g, r, e);
        default_hide(g, r);
        return 0;
}

/* One section for all of them. */
static int snippet_edit(struct gathered *g)
{
        const char *target = g->o->mount.target;
        struct text block = { 0 };

        if (g->snippet.length_bytes == 0 && !g->snippet.failed)
                return 0;
        if (g->snippet.failed)
                return -ENOMEM;
        if (strpbrk(target, "\"]\n")) {
                cannot(g, "nfsmount.conf cannot name a mount point with a quote, a bracket or a line break in it");
                return 0;
        }
        text_add(&block, "[ MountPoint \"%s\" ]\n", target);
        text_add_bytes(&block, g->snippet.data, g->snippet.length_bytes - 1);   /* without the last newline */
        struct place place = { .kind = PLACE_NFSMOUNT_CONF, .file = (char[]){ OWN_SNIPPET } };
        return edit_add(g, &place, NULL, &block, NULL);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static int source_add(struct gathered *g, const struct plan_edit *e)
{
        const struct requested *r = &g->o->requested[e->source];

        switch (r->place.kind) {
        case PLACE_FSTAB:
                return fstab_edit(g, r, e);
        case PLACE_UNIT:
                return unit_edit(g, r, e);
        case PLACE_NFSMOUNT_CONF:
                return conf_edit(g, r, e);
        default:
                cannot_place(g, &r->place);
                return 0;
        }
}

static int gather(struct gathered *g, const struct plan *plan)
{
        int r = 0;

        if (!plan->exists)
                return 0;
        g->edits = calloc(plan->n_edits + 1, sizeof(*g->edits));
        if (!g->edits)
                return -ENOMEM;
        if (plan->needs_line)
                cannot(g, "this mount has no line of its own to write the options into: see the advice for one");
        else if (plan->n_edits == 0 && plan->place.kind == PLACE_UNKNOWN && plan->place.file)
                cannot(g, "the read-ahead is no mount option: see the advice for a udev rule");
        else if (plan->n_edits == 0 && !source_of_mount(g->o))  /* else its line is right as it is */
                cannot_place(g, &plan->place);
        for (size_t i = 0; i < plan->n_edits && r == 0; i++)
                r = source_add(g, &plan->edits[i]);
        return r < 0 ? r : snippet_edit(g);
}

int persist_edits(const struct observation *o, const struct plan *plan, struct source_edit **ret, size_t *ret_n,
                  char **ret_words)
{
        cleanup(gathered_done) struct gathered g = { .o = o };
        int r = gather(&g, plan);

        *ret = NULL;
        *ret_n = 0;
        *ret_words = NULL;
        if (r < 0)
                return r;
        if (g.why.length_bytes > 0 || g.why.failed) {
                *ret_words = text_take(&g.why);
                return *ret_words ? 1 : -ENOMEM;
        }
        *ret = TAKE(g.edits);
        *ret_n = g.n_edits;
        g.n_edits = 0;
        return 0;
}
