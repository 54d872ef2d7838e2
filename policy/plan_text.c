/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan_text.c - how to do it, in one or two sentences. See change.h. */
#include "policy/change.h"

#include <string.h>

#include "policy/recommend.h"
#include "policy/sources.h"

/* ---- remounting --------------------------------------------------------------- */

/* A remount forgets the flags that it does not repeat (KERNEL-FACTS 2.2), and refuses to be without fsc (2.1). */
static void add_flags_to_repeat(struct text *t, const struct mount_facts *m)
{
        static const char *const flags[] = { "nosuid", "nodev", "noexec", "noatime", "nodiratime", "nosymfollow" };
        const struct mount_option *fsc = options_find(&m->super, "fsc");

        for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
                if (options_has(&m->vfs, flags[i]))
                        text_add(t, ",%s", flags[i]);
        if (fsc) {
                text_add(t, ",");
                text_add_option(t, fsc);
        }
}

/* A default that mount.nfs adds to a remount, and that the kernel refuses there because
 * another value holds (KERNEL-FACTS 2.1 and 2.3). NULL: none. */
static const struct requested *default_in_the_way(const struct observation *o, const char **ret_name)
{
        static const char *const names[] = { "rsize", "wsize" };

        for (size_t i = 0; i < o->n_requested; i++)
                for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
                        uint64_t asked, holds;

                        if (o->requested[i].is_default && options_has(&o->requested[i].options, names[k]) &&
                            (options_u64(&o->requested[i].options, names[k], &asked) < 0 ||
                             options_u64(&o->mount.super, names[k], &holds) < 0 || asked != holds)) {
                                *ret_name = names[k];
                                return &o->requested[i];
                        }
                }
        return NULL;
}

/* Both source and target: then mount(8) reads no fstab, whose sizes a remount would refuse (KERNEL-FACTS 2.4). */
static void add_remount(struct text *t, const struct change *c)
{
        const struct mount_facts *m = &c->o->mount;
        cleanup(text_done) struct text options = { 0 };
        const struct requested *in_the_way;
        const char *name;

        text_add(&options, "remount,async");
        add_flags_to_repeat(&options, m);
        text_add(t, "mount -o ");
        if (options.data)
                text_add_shell_word(t, options.data);
        text_add_operands(t, (const char *const[]){ m->source, m->target, NULL });
        t->failed |= options.failed;
        in_the_way = default_in_the_way(c->o, &name);
        if (!in_the_way)
                return;
        text_add(t, " (it is refused as long as ");
        text_add_source(t, in_the_way);
        text_add(t, " asks for another %s: mount.nfs adds that to a remount; umount and mount do without)", name);
}

/* ---- editing ------------------------------------------------------------------- */

static void add_edits(struct text *t, const struct change *c)
{
        text_add(t, c->primary->place.kind == PLACE_UNIT ? "write the drop-in for " : "edit ");
        text_add_source(t, c->primary);
        for (size_t i = 0; i < c->o->n_requested; i++) {
                const struct requested *r = &c->o->requested[i];

                if (r == c->primary || !change_needs_edit(c, r))
                        continue;
                text_add(t, ", remove ");
                text_add_removed(t, c, r);
                text_add(t, " from ");
                text_add_source(t, r);
        }
}

/* Nothing is mounted like that: there is only a line to edit. */
static void add_edits_alone(struct text *t, const struct change *c)
{
        if (c->primary)
                add_edits(t, c);
        else
                text_add(t, "change it where the mount is made");
}

static void add_unmounted(struct text *t, const struct change *c)
{
        add_edits_alone(t, c);
        text_add(t, "; nothing is mounted there now, it holds from the next mount on");
}

static void add_source(struct text *t, const struct change *c)
{
        add_edits_alone(t, c);
        if (c->primary && c->primary->place.kind == PLACE_UNIT)
                text_add(t, ", then systemctl daemon-reload");
        text_add(t, "; it takes effect at the next mount; nothing needs to be remounted now");
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

/* Maps and definitions that make the mount again and again: commands here would last until then. */
static bool is_made_by_others(const struct place *p)
{
        return p->kind == PLACE_AUTOFS || p->kind == PLACE_VOLUME || p->kind == PLACE_CMDLINE;
}

static void add_elsewhere(struct text *t, const struct plan *p)
{
        text_add(t, "change the options in ");
        text_add_place(t, &p->place);
        text_add(t, " to %s; they hold from the next %s on", p->options,
                 p->place.kind == PLACE_CMDLINE ? "boot" : "mount");
}

/* ---- live ------------------------------------------------------------------------ */

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

/* The new superblock of a replaced mount has a bdi with another number. */
static void add_read_ahead(struct text *t, const struct change *c)
{
        const struct mount_facts *m = &c->o->mount;

        if (t->length_bytes > 0)
                text_add(t, "; then ");
        text_add(t, "echo %s > /sys/class/bdi/", c->read_ahead_kb);
        if (c->method != METHOD_REPLACE && (m->device.major || m->device.minor)) {
                text_add(t, "%u:%u", m->device.major, m->device.minor);
        } else {
                text_add(t, "$(mountpoint -d");
                text_add_operands(t, (const char *const[]){ m->target, NULL });
                text_add(t, ")");
        }
        text_add(t, "/read_ahead_kb takes effect at once and lasts until the next mount; so that it stays, for every "
                    "NFS mount of this host, in " READ_AHEAD_RULES_FILE ": ");
        text_add_udev_rule(t, c->read_ahead_kb);
}

/* ---- replace ---------------------------------------------------------------------- */

static void add_mount_command(struct text *t, const struct change *c, const struct plan *p)
{
        const struct mount_facts *m = &c->o->mount;

        text_add(t, "mount -t ");
        text_add_shell_word(t, m->fstype ? m->fstype : "nfs");
        text_add(t, " -o ");
        text_add_shell_word(t, p->options);
        text_add_operands(t, (const char *const[]){ m->source, m->target, NULL });
}

static void add_unmount(struct text *t, const struct change *c)
{
        text_add(t, "umount");
        text_add_operands(t, (const char *const[]){ c->o->mount.target, NULL });
}

/* mount(8) knows the options of fstab's lines, systemd those of its units. */
static void add_unmount_and_mount(struct text *t, const struct change *c, const struct requested *own)
{
        size_t n = 0;
        const char *unit = own->place.kind == PLACE_UNIT ? unit_name(own, &n) : NULL;

        if (n > 0) {
                cleanup_free char *name = strndup(unit, n);

                text_add(t, "systemctl restart");
                text_add_operands(t, (const char *const[]){ name, NULL });
                t->failed |= !name;
                return;
        }
        add_unmount(t, c);
        text_add(t, ", mount");
        text_add_operands(t, (const char *const[]){ c->o->mount.target, NULL });
}

static void add_mount_by_hand(struct text *t, const struct change *c, const struct plan *p)
{
        add_unmount(t, c);
        text_add(t, ", then ");
        add_mount_command(t, c, p);
        text_add(t, ", and the same where the mount is made");
}

static void add_replace(struct text *t, const struct change *c, const struct plan *p)
{
        const struct requested *own = source_of_mount(c->o);

        if (c->primary) {
                add_edits(t, c);
                text_add(t, own ? ", then systemctl daemon-reload, " : ", then unmount and mount anew");
        }
        if (own)
                add_unmount_and_mount(t, c, own);
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

static void add_replace_root(struct text *t, const struct change *c)
{
        add_edits_alone(t, c);
        text_add(t, "; it holds from the next boot on: the root file system cannot be unmounted");
}

/* ---- the whole ---------------------------------------------------------------------- */

static void add_steps(struct text *t, const struct change *c, const struct plan *p)
{
        if (c->o->only_requested)
                add_unmounted(t, c);
        else if (!change_edits_options(c))
                return;
        else if (is_made_by_others(&p->place))
                add_elsewhere(t, p);
        else if (c->method == METHOD_REPLACE && strcmp(c->o->mount.target, "/") == 0)
                add_replace_root(t, c);
        else if (c->method == METHOD_REPLACE)
                add_replace(t, c, p);
        else if (options_has(&c->drop, "sync"))
                add_live(t, c);
        else
                add_source(t, c);
}

int plan_write_text(const struct change *c, struct plan *p)
{
        cleanup(text_done) struct text t = { 0 };

        add_steps(&t, c, p);
        if (c->read_ahead_kb && !c->o->only_requested)
                add_read_ahead(&t, c);
        text_add_sharers(&t, c->o);
        return recommend_words(&p->text, &t);
}
