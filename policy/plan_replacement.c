/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan_replacement.c - what to write where. See change.h. */
#include "policy/change.h"

#include <string.h>

#include "policy/recommend.h"
#include "policy/sources.h"

/* ---- fstab ------------------------------------------------------------------ */

static const char blanks[] = " \t";

const char *fstab_options_column(const char *line, size_t *ret_length)
{
        const char *p = line + strspn(line, blanks);

        for (unsigned column = 1; column < 4; column++) {
                p += strcspn(p, blanks);
                p += strspn(p, blanks);
        }
        *ret_length = strcspn(p, blanks);
        return *ret_length > 0 && *p != '#' ? p : NULL;
}

/* The end of the third column; NULL when there is none. */
static const char *end_of_type_column(const char *line)
{
        const char *p = line + strspn(line, blanks);

        for (unsigned column = 1;; column++) {
                size_t n = strcspn(p, blanks);

                if (n == 0)
                        return NULL;
                if (column == 3)
                        return p + n;
                p += n;
                p += strspn(p, blanks);
        }
}

void text_add_fstab_line(struct text *t, const struct requested *r, const char *options)
{
        const char *line = r->line_mended ? r->line_mended : r->text;
        size_t n = 0;
        const char *column = fstab_options_column(line, &n), *type_end = end_of_type_column(line);

        if (column) {
                text_add_bytes(t, line, (size_t)(column - line));
                text_add(t, "%s%s", options, column + n);
        } else if (type_end) {
                text_add_bytes(t, line, (size_t)(type_end - line));
                text_add(t, " %s%s", options, type_end);
        }
}

/* A # begins a comment only where it is the first of a line. */
void text_add_escaped(struct text *t, const char *s)
{
        for (const char *first = s; *s; s++)
                if (strchr(" \t\n\\", *s) || (*s == '#' && s == first))
                        text_add(t, "\\%03o", (unsigned)*s);
                else
                        text_add_bytes(t, s, 1);
}

/* Names come from files of anybody: what is one line stays one, and in a comment all of it stays comment. */
static void add_one_line(struct text *t, const struct text *line)
{
        for (size_t i = 0; i < line->length_bytes; i++)
                if (line->data[i] == '\n')
                        text_add(t, "\\012");
                else
                        text_add_bytes(t, &line->data[i], 1);
        t->failed |= line->failed;
}

/* For a mount whose options stand in defaults only, which serve other mounts too. */
static void add_new_fstab_line(struct text *t, const struct change *c, const char *options)
{
        const struct mount_facts *m = &c->o->mount;

        text_add(t, "\n# and a line of its own in /etc/fstab:\n");
        text_add_escaped(t, m->source);
        text_add(t, " ");
        text_add_escaped(t, m->target);
        text_add(t, " %s ", m->fstype ? m->fstype : "nfs");
        text_add_escaped(t, options);
        text_add(t, " 0 0");
}

/* ---- units -------------------------------------------------------------------- */

static bool has_suffix(const char *s, size_t n, const char *suffix)
{
        size_t m = strlen(suffix);

        return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

/* "/etc/systemd/system/data.mount", or a drop-in "…/data.mount.d/zz.conf" */
const char *unit_name(const struct requested *r, size_t *ret_length)
{
        const char *file = r->place.file ? r->place.file : "", *slash = strrchr(file, '/'), *name;
        size_t n;

        name = slash ? slash + 1 : file;
        n = strlen(name);
        if (!has_suffix(name, n, ".mount") && slash) {
                for (name = slash; name > file && name[-1] != '/';)
                        name--;
                n = (size_t)(slash - name);
                n = has_suffix(name, n, ".mount.d") ? n - strlen(".d") : 0;
        }
        *ret_length = has_suffix(name, n, ".mount") ? n : 0;
        return name;
}

void text_add_unit_options(struct text *t, const char *options)
{
        text_add(t, "Options=");
        for (; *options; options++)
                text_add(t, *options == '%' ? "%%%%" : "%c", *options);
}

/* A drop-in for a unit file; a drop-in that says it already is edited in place. */
static void add_unit_text(struct text *t, const struct requested *r, const char *options)
{
        const char *file = r->place.file, *slash = file ? strrchr(file, '/') : NULL;
        bool is_unit = file && has_suffix(file, strlen(file), ".mount");
        cleanup(text_done) struct text comment = { 0 }, setting = { 0 };

        if (is_unit)
                text_add(&comment, "# /etc/systemd/system/%s.d/50-nfstuned.conf", slash ? slash + 1 : file);
        else if (file)
                text_add(&comment, "# %s: instead of the Options= there", file);
        add_one_line(t, &comment);
        text_add(t, "%s%s", file ? "\n" : "", is_unit ? "[Mount]\n" : "");
        text_add_unit_options(&setting, options);
        add_one_line(t, &setting);
}

/* ---- what others make ------------------------------------------------------------ */

static const char *or_defaults(const char *options)
{
        return options && *options ? options : "defaults";
}

/* The whole argument: everything up to the first comma is server and directory. */
static void add_nfsroot(struct text *t, const struct requested *r, const char *options)
{
        static const char name[] = "nfsroot=";

        if (!r->text || strncmp(r->text, name, sizeof(name) - 1) != 0)
                return;
        text_add_bytes(t, r->text, strcspn(r->text, ","));
        if (strcmp(options, "defaults") != 0)
                text_add(t, ",%s", options);
}

static const char *last_component(const char *path)
{
        const char *slash = strrchr(path, '/');

        return slash && slash[1] ? slash + 1 : path;
}

/* "take out rsize=32768,sync; add nconnect=4" */
static void add_wishes(struct text *t, const struct change *c)
{
        const struct options *const gone[] = { &c->drop, &c->repair };
        const char *separator = "take out ";

        for (size_t list = 0; list < ARRAY_SIZE(gone); list++)
                for (size_t i = 0; i < gone[list]->n_items; i++, separator = ",") {
                        text_add(t, "%s", separator);
                        text_add_option(t, &gone[list]->items[i]);
                }
        separator = *separator == ',' ? "; add " : "add ";
        for (size_t i = 0; i < c->set.n_items; i++)
                if (!setting_is_default(&c->set.items[i])) {
                        text_add(t, "%s", separator);
                        text_add_option(t, &c->set.items[i]);
                        separator = ",";
                }
}

/* Maps, definitions and a command line that was not read have a form of their own: before and after, to be found in
 * them. */
static void add_note(struct text *t, const struct change *c, const struct plan *p)
{
        const char *target = c->o->mount.target;

        text_add(t, "# in ");
        text_add_place(t, &p->place);
        if (p->place.kind == PLACE_AUTOFS)
                text_add(t, ", key \"%s\" (\"%s\" in a direct map)", last_component(target), target);
        else if (p->place.kind == PLACE_CMDLINE)
                text_add(t, ", the options of nfsroot=");
        else
                text_add(t, ", mountOptions or the o= option of the volume");
        text_add(t, ": ");
        if (c->primary)
                text_add(t, "%s becomes %s", or_defaults(c->primary->options_text), p->options);
        else
                add_wishes(t, c);
}

/* ---- the whole --------------------------------------------------------------------- */

void text_add_removed(struct text *t, const struct change *c, const struct requested *r)
{
        const char *separator = "";

        for (size_t i = 0; i < r->options.n_items; i++) {
                if (!change_removes(c, r, i))
                        continue;
                text_add(t, "%s", separator);
                text_add_option(t, &r->options.items[i]);
                separator = ",";
        }
}

/* ---- the other files, as comments: they may stand in an fstab or a unit without harm ---- */

static bool goes_entirely(const struct change *c, const struct requested *r)
{
        for (size_t i = 0; i < r->options.n_items; i++)
                if (!change_removes(c, r, i))
                        return false;
        return true;
}

/* "remove Rsize=32k": the line itself where nothing of it stays. */
static void add_removal(struct text *t, const struct change *c, const struct requested *r)
{
        text_add(t, "# in ");
        text_add_source(t, r);
        if (r->section)
                text_add(t, ", section %s", r->section);
        text_add(t, ": remove ");
        if (r->text && r->place.kind == PLACE_NFSMOUNT_CONF && goes_entirely(c, r))
                text_add(t, "%s", r->text);
        else
                text_add_removed(t, c, r);
}

/* Only the spelling is mended: it stays where it is. */
static void add_respelling(struct text *t, const struct change *c, const struct requested *r)
{
        const char *separator = "; write there instead ";

        for (size_t i = 0; i < c->respell.n_items; i++) {
                const struct mount_option *s = &c->respell.items[i];

                if (place_of_setting(c, s, &r->options) == r->options.n_items)
                        continue;
                text_add(t, "%s", separator);
                text_add_option(t, s);
                separator = ", ";
        }
}

static void add_other_edits(struct text *t, const struct change *c)
{
        for (size_t i = 0; i < c->o->n_requested; i++) {
                const struct requested *r = &c->o->requested[i];
                cleanup(text_done) struct text line = { 0 };

                if (!change_needs_edit(c, r) || (r == c->primary && !r->is_default))
                        continue;
                text_add(t, "%s", t->length_bytes > 0 ? "\n" : "");
                add_removal(&line, c, r);
                add_respelling(&line, c, r);
                add_one_line(t, &line);
        }
}

/* /proc/fs/nfsfs/volumes lists the superblocks of NFS: nobody else's device is touched. */
void text_add_udev_rule(struct text *t, const char *read_ahead_kb)
{
        text_add(t,
                 "ACTION==\"add\", SUBSYSTEM==\"bdi\", PROGRAM=\"/bin/grep -q ' %%k ' /proc/fs/nfsfs/volumes\", "
                 "ATTR{read_ahead_kb}=\"%s\"",
                 read_ahead_kb);
}

static void add_read_ahead_rule(struct text *t, const struct change *c)
{
        if (t->length_bytes > 0)
                text_add(t, "\n# in " READ_AHEAD_RULES_FILE ": ");
        text_add_udev_rule(t, c->read_ahead_kb);
}

static void add_primary(struct text *t, const struct change *c, const struct plan *p)
{
        const struct requested *r = c->primary;
        cleanup(text_done) struct text line = { 0 };

        if (r && r->place.kind == PLACE_FSTAB && r->text)
                text_add_fstab_line(&line, r, p->options);
        else if (r && r->place.kind == PLACE_UNIT)
                add_unit_text(t, r, p->options);
        else if (r && r->place.kind == PLACE_CMDLINE)
                add_nfsroot(&line, r, p->options);
        else if (p->place.kind == PLACE_AUTOFS || p->place.kind == PLACE_VOLUME || p->place.kind == PLACE_CMDLINE)
                add_note(&line, c, p);
        add_one_line(t, &line);
}

bool change_needs_own_line(const struct change *c)
{
        return c->primary && c->primary->is_default && !source_of_mount(c->o) && change_writes_settings(c);
}

int plan_write_replacement(const struct change *c, struct plan *p)
{
        cleanup(text_done) struct text t = { 0 };

        if (change_edits_options(c)) {
                add_primary(&t, c, p);
                add_other_edits(&t, c);
                if (change_needs_own_line(c))
                        add_new_fstab_line(&t, c, p->options);
        }
        if (c->read_ahead_kb)
                add_read_ahead_rule(&t, c);
        if (t.length_bytes == 0 && !t.failed)
                return 0;
        return recommend_words(&p->replacement, &t);
}
