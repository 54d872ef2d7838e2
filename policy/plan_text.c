/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan_text.c - what to write where, and how to do it. See change.h. */
#include "policy/change.h"

#include <string.h>

#include "policy/recommend.h"
#include "policy/sources.h"

/* ---- the replacement -------------------------------------------------------- */

/* The fourth column of an fstab line. NULL when there is none. */
static const char *options_column(const char *line, size_t *ret_length)
{
        static const char blanks[] = " \t";
        const char *p = line + strspn(line, blanks);

        for (unsigned column = 1; column < 4; column++) {
                p += strcspn(p, blanks);
                p += strspn(p, blanks);
        }
        *ret_length = strcspn(p, blanks);
        return *ret_length > 0 && *p != '#' ? p : NULL;
}

static void add_fstab_line(struct text *t, const struct requested *r, const char *options)
{
        size_t n;
        const char *column = options_column(r->text, &n);

        if (!column)
                return;
        text_add_bytes(t, r->text, (size_t)(column - r->text));
        text_add(t, "%s%s", options, column + n);
}

static bool has_suffix(const char *s, const char *suffix)
{
        size_t n = strlen(s), m = strlen(suffix);

        return n >= m && strcmp(s + n - m, suffix) == 0;
}

/* A single % would begin a specifier of systemd.unit(5). */
static void add_unit_value(struct text *t, const char *value)
{
        for (; *value; value++) {
                if (*value == '%')
                        text_add_bytes(t, "%", 1);
                text_add_bytes(t, value, 1);
        }
}

/* A drop-in for a unit file; a drop-in that says it already is edited in place. */
static void add_unit_text(struct text *t, const struct requested *r, const char *options)
{
        const char *file = r->place.file, *slash = file ? strrchr(file, '/') : NULL;

        if (file && has_suffix(file, ".mount"))
                text_add(t, "# /etc/systemd/system/%s.d/nfstuned.conf\n[Mount]\n", slash ? slash + 1 : file);
        else if (file)
                text_add(t, "# %s: instead of the Options= there\n", file);
        text_add(t, "Options=");
        add_unit_value(t, options);
}

/* "rsize=32768,sync": what the source says and the plan drops. */
static void add_dropped_texts(struct text *t, const struct change *c, const struct requested *r)
{
        const char *separator = "";

        for (size_t i = 0; i < r->options.n_items; i++) {
                const struct mount_option *o = &r->options.items[i];

                if (!options_has(&c->drop, o->name))
                        continue;
                text_add(t, "%s%s%s%s", separator, o->name, o->value ? "=" : "", o->value ? o->value : "");
                separator = ",";
        }
}

/* The other files, as comments: they may stand in an fstab or a unit without harm. */
static void add_other_edits(struct text *t, const struct change *c)
{
        for (size_t i = 0; i < c->o->n_requested; i++) {
                const struct requested *r = &c->o->requested[i];

                if (!change_needs_edit(c, r) || (r == c->primary && requested_is_own_line(r)))
                        continue;
                text_add(t, "%s# remove from ", t->length_bytes > 0 ? "\n" : "");
                text_add_source(t, r);
                text_add(t, ": ");
                add_dropped_texts(t, c, r);
        }
}

int plan_write_replacement(const struct change *c, struct plan *p)
{
        cleanup(text_done) struct text t = { 0 };

        if (!c->primary)
                return 0;
        if (c->primary->place.kind == PLACE_FSTAB && c->primary->text)
                add_fstab_line(&t, c->primary, p->options);
        else if (c->primary->place.kind == PLACE_UNIT)
                add_unit_text(&t, c->primary, p->options);
        add_other_edits(&t, c);
        if (t.length_bytes == 0 && !t.failed)
                return 0;
        return recommend_words(&p->replacement, &t);
}

/* ---- how to do it ------------------------------------------------------------ */

static void add_words_of_command(struct text *t, const char *const *words)
{
        for (; *words; words++) {
                text_add(t, " ");
                text_add_shell_word(t, *words);
        }
}

/* Both source and target: then mount(8) reads no fstab, whose sizes a remount would refuse (KERNEL-FACTS 2.4). */
static void add_remount(struct text *t, const struct change *c)
{
        const struct mount_facts *m = &c->o->mount;

        text_add(t, "mount -o remount,async");
        add_words_of_command(t, (const char *const[]){ m->source, m->target, NULL });
}

static void add_edits(struct text *t, const struct change *c)
{
        text_add(t, c->primary->place.kind == PLACE_UNIT ? "write the drop-in for " : "edit ");
        text_add_source(t, c->primary);
        for (size_t i = 0; i < c->o->n_requested; i++) {
                const struct requested *r = &c->o->requested[i];

                if (r == c->primary || !change_needs_edit(c, r))
                        continue;
                text_add(t, ", remove ");
                add_dropped_texts(t, c, r);
                text_add(t, " from ");
                text_add_source(t, r);
        }
}

static void add_mount_command(struct text *t, const struct change *c, const struct plan *p)
{
        const struct mount_facts *m = &c->o->mount;

        text_add(t, "mount -t %s -o", m->fstype ? m->fstype : "nfs");
        add_words_of_command(t, (const char *const[]){ p->options, m->source, m->target, NULL });
}

/* It does not come from an editable place, but there is one that is right already. */
static void add_own_line_is_right(struct text *t, const struct change *c)
{
        const struct requested *own = source_of_mount(c->o);

        if (!own)
                return;
        text_add(t, "; ");
        text_add_source(t, own);
        text_add(t, " does not ask for it and can stay as it is");
}

static void add_live(struct text *t, const struct change *c)
{
        add_remount(t, c);
        text_add(t, " takes effect at once, for open files too");
        if (c->primary) {
                text_add(t, "; so that it stays: ");
                add_edits(t, c);
                text_add(t, ", then systemctl daemon-reload");
        } else if (source_of_mount(c->o)) {
                add_own_line_is_right(t, c);
        } else {
                text_add(t, "; so that it stays, drop it where the mount is made");
        }
}

static void add_unmount_and_mount(struct text *t, const struct change *c)
{
        text_add(t, "umount");
        add_words_of_command(t, (const char *const[]){ c->o->mount.target, NULL });
        text_add(t, ", mount");
        add_words_of_command(t, (const char *const[]){ c->o->mount.target, NULL });
}

static void add_mount_by_hand(struct text *t, const struct change *c, const struct plan *p)
{
        text_add(t, "umount");
        add_words_of_command(t, (const char *const[]){ c->o->mount.target, NULL });
        text_add(t, ", then ");
        add_mount_command(t, c, p);
        text_add(t, ", and the same where the mount is made");
}

static void add_replace(struct text *t, const struct change *c, const struct plan *p)
{
        bool has_own_line = source_of_mount(c->o) != NULL;

        if (c->primary) {
                add_edits(t, c);
                text_add(t, has_own_line ? ", then systemctl daemon-reload, " : ", then unmount and mount anew");
        }
        if (has_own_line)
                add_unmount_and_mount(t, c);
        else if (!c->primary)
                add_mount_by_hand(t, c, p);
        text_add(t, " (a remount does not change it)");
        if (!c->primary)
                add_own_line_is_right(t, c);
        if (options_has(&c->drop, "sync")) {
                text_add(t, "; without an unmount, only for sync: ");
                add_remount(t, c);
        }
}

/* Maps and definitions that make the mount again and again: commands here would last until then. */
static bool is_made_by_others(const struct place *p)
{
        return p->kind == PLACE_AUTOFS || p->kind == PLACE_VOLUME || p->kind == PLACE_CMDLINE;
}

static void add_elsewhere(struct text *t, const struct plan *p)
{
        text_add(t, "change the options in ");
        text_add_place(t, &p->place);
        text_add(t, " to %s; they hold from the next mount on", p->options);
}

int plan_write_text(const struct change *c, struct plan *p)
{
        cleanup(text_done) struct text t = { 0 };

        if (is_made_by_others(&p->place))
                add_elsewhere(&t, p);
        else if (c->method == METHOD_LIVE)
                add_live(&t, c);
        else if (c->method == METHOD_REPLACE)
                add_replace(&t, c, p);
        else if (c->primary)
                add_edits(&t, c);
        text_add_sharers(&t, c->o);
        return recommend_words(&p->text, &t);
}
