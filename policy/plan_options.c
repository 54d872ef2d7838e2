/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan_options.c - the option string that a plan results in. See change.h. */
#include "policy/change.h"

#include <errno.h>
#include <string.h>

#include "policy/sizes.h"
#include "policy/sources.h"
#include "policy/text.h"

/* As an fstab needs it: a blank would end the column. */
int options_add_written(struct options *o, const struct mount_option *setting, bool escape)
{
        cleanup(text_done) struct text t = { 0 };
        cleanup_free char *text = NULL;

        if (!escape || !setting->value)
                return options_add(o, setting->name, setting->value);
        text_add_escaped(&t, setting->value);
        text = text_take(&t);
        return text ? options_add(o, setting->name, text) : -ENOMEM;
}

/* What becomes of option @i. */
static int apply_to_option(const struct change *c, const struct options *from, size_t i, bool escape,
                           struct options *into)
{
        const struct mount_option *o = &from->items[i], *setting = change_setting(c, from, o);

        if (!setting)
                return change_takes(c, o) ? 0 : options_add(into, o->name, o->value);
        if (place_of_setting(c, setting, from) != i)
                return 0;
        if (same_option(o, setting))
                return options_add(into, o->name, o->value);
        return setting_is_default(setting) ? 0 : options_add_written(into, setting, escape);
}

static int apply(const struct change *c, const struct options *from, bool escape, struct options *into)
{
        int r = 0;

        for (size_t i = 0; i < from->n_items && r == 0; i++)
                r = apply_to_option(c, from, i, escape, into);
        for (size_t i = 0; i < c->set.n_items && r == 0; i++) {
                const struct mount_option *setting = &c->set.items[i];

                if (place_of_setting(c, setting, from) == from->n_items && !setting_is_default(setting))
                        r = options_add_written(into, setting, escape);
        }
        return r;
}

static char *format_or_defaults(const struct options *o)
{
        cleanup_free char *text = options_format(o);

        if (text && !text[strspn(text, ",")])   /* no options, or only the empty ones of a line with ",," */
                return strdup("defaults");
        return TAKE(text);
}

/* As the source writes them, escapes and all. */
static int options_from_source(const struct change *c, const struct requested *r, char **ret)
{
        cleanup(options_done) struct options written = { 0 }, o = { 0 };
        size_t n = r->options_text ? strlen(r->options_text) : 0;
        const char *text = r->options_text;
        int err = 0;

        if (r->place.kind == PLACE_FSTAB && r->line_mended)
                text = fstab_options_column(r->line_mended, &n);
        if (text)
                err = options_parse(text, n, &written);
        /* the escapes hide what only the decoded form can be parsed as */
        if (err < 0 && err != -ENOMEM)
                err = options_copy(&r->options, &written);
        if (err == 0)
                err = apply(c, &written, r->place.kind == PLACE_FSTAB, &o);
        if (err < 0)
                return err;
        *ret = format_or_defaults(&o);
        return *ret ? 0 : -ENOMEM;
}

/* What the kernel prints of its own accord, or has anyway (KERNEL-FACTS 1.2). */
static bool is_added_by_kernel(const struct mount_option *o, const struct nfs_options *effective)
{
        static const struct {
                const char *name;
                const char *value;      /* NULL: any, or none */
                enum { ALWAYS, ON_TCP, ON_VERSION_4, WITH_NOAC } when;
        } added[] = {
                { "rw", NULL, ALWAYS },              { "relatime", NULL, ALWAYS },
                { "seclabel", NULL, ALWAYS },        { "hard", NULL, ALWAYS },
                { "addr", NULL, ALWAYS },            { "clientaddr", NULL, ALWAYS },
                { "mountaddr", NULL, ALWAYS },       { "mountvers", NULL, ALWAYS },
                { "mountport", NULL, ALWAYS },       { "mountproto", NULL, ALWAYS },
                { "namlen", NULL, ALWAYS },          { "fatal_neterrors", NULL, ALWAYS },
                { "local_lock", "none", ALWAYS },    { "port", "0", ALWAYS },
                { "port", "2049", ALWAYS },          { "timeo", "600", ON_TCP },
                { "retrans", "2", ON_TCP },          { "proto", "tcp", ON_VERSION_4 },
                { "sync", NULL, WITH_NOAC },         { "acregmin", "0", WITH_NOAC },
                { "acregmax", "0", WITH_NOAC },      { "acdirmin", "0", WITH_NOAC },
                { "acdirmax", "0", WITH_NOAC },
        };
        const bool holds[] = {
                [ALWAYS] = true,
                [ON_TCP] = effective->proto == NFS_PROTO_TCP,
                [ON_VERSION_4] = effective->version_major == 4,
                [WITH_NOAC] = effective->noac,
        };

        for (size_t i = 0; i < ARRAY_SIZE(added); i++)
                if (strcmp(o->name, added[i].name) == 0 && holds[added[i].when] &&
                    (!added[i].value || (o->value && strcmp(o->value, added[i].value) == 0)))
                        return true;
        return false;
}

/* Sizes that were negotiated would be pinned by writing them down, and of two
 * sizes that go together one must not stay behind. */
static void leave_out_sizes(const struct change *c, const struct nfs_options *effective, struct options *o)
{
        bool dropped = options_has(&c->drop, "rsize") || options_has(&c->drop, "wsize");
        struct direction d[DIRECTION_COUNT];

        directions_read(c->o, effective, d);
        for (size_t i = 0; i < DIRECTION_COUNT; i++)
                if (dropped || direction_is_negotiated(&d[i]))
                        options_drop(o, d[i].name);
}

/* The kernel may print another word of the family than the one that goes. */
static int append_effective(const struct change *c, const struct options *from, const struct nfs_options *effective,
                            struct options *into)
{
        for (size_t i = 0; i < from->n_items; i++) {
                const struct mount_option *o = &from->items[i];
                bool goes = is_added_by_kernel(o, effective) || (change_uncovers(c, o) && !change_setting(c, from, o));
                int r = goes ? 0 : options_set(into, o->name, o->value);

                if (r < 0)
                        return r;
        }
        return 0;
}

static int options_from_effective(const struct change *c, char **ret)
{
        cleanup(options_done) struct options now = { 0 }, o = { 0 };
        struct nfs_options effective;
        int r;

        nfs_options_read(&c->o->mount.super, &effective);
        r = append_effective(c, &c->o->mount.vfs, &effective, &now);
        if (r == 0)
                r = append_effective(c, &c->o->mount.super, &effective, &now);
        if (r < 0)
                return r;
        leave_out_sizes(c, &effective, &now);
        r = apply(c, &now, false, &o);
        if (r < 0)
                return r;
        *ret = format_or_defaults(&o);
        return *ret ? 0 : -ENOMEM;
}

/* The text of the source that is rewritten; of the administrator's own line when
 * the change belongs into defaults; otherwise what is effective now. */
int plan_write_options(const struct change *c, struct plan *p)
{
        const struct requested *r = c->primary;

        if ((r && r->is_default) || !change_edits_options(c))
                r = source_of_mount(c->o);
        if (r && r->options_text)
                return options_from_source(c, r, &p->options);
        return options_from_effective(c, &p->options);
}
