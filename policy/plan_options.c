/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/plan_options.c - the option string that a plan results in. See change.h. */
#include "policy/change.h"

#include <errno.h>
#include <string.h>

#include "policy/sizes.h"
#include "policy/sources.h"

static int apply(const struct change *c, struct options *o)
{
        for (size_t i = 0; i < c->drop.n_items; i++)
                options_drop(o, c->drop.items[i].name);
        for (size_t i = 0; i < c->set.n_items; i++) {
                int r = options_set(o, c->set.items[i].name, c->set.items[i].value);

                if (r < 0)
                        return r;
        }
        return 0;
}

static char *format_or_defaults(const struct options *o)
{
        cleanup_free char *text = options_format(o);

        if (text && !*text)
                return strdup("defaults");
        return TAKE(text);
}

/* As the source writes them, escapes and all. */
static int options_from_text(const struct change *c, const char *text, char **ret)
{
        cleanup(options_done) struct options o = { 0 };
        int r = options_parse(text, strlen(text), &o);

        if (r == 0)
                r = apply(c, &o);
        if (r < 0)
                return r;
        *ret = format_or_defaults(&o);
        return *ret ? 0 : -ENOMEM;
}

/* What the kernel prints of its own accord, or has anyway (KERNEL-FACTS 1.2). */
static bool is_added_by_kernel(const struct mount_option *o, const struct nfs_options *effective)
{
        static const struct {
                const char *name;
                const char *value;      /* NULL: any, or none */
                bool only_tcp;
        } added[] = {
                { "rw", NULL, false },              { "relatime", NULL, false },
                { "seclabel", NULL, false },        { "hard", NULL, false },
                { "addr", NULL, false },            { "clientaddr", NULL, false },
                { "mountaddr", NULL, false },       { "mountvers", NULL, false },
                { "mountport", NULL, false },       { "mountproto", NULL, false },
                { "namlen", NULL, false },          { "fatal_neterrors", NULL, false },
                { "local_lock", "none", false },    { "port", "0", false },
                { "port", "2049", false },          { "timeo", "600", true },
                { "retrans", "2", true },
        };

        for (size_t i = 0; i < ARRAY_SIZE(added); i++)
                if (strcmp(o->name, added[i].name) == 0 && (!added[i].only_tcp || effective->proto == NFS_PROTO_TCP) &&
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

static int append_effective(const struct options *from, const struct nfs_options *effective, struct options *into)
{
        for (size_t i = 0; i < from->n_items; i++) {
                const struct mount_option *o = &from->items[i];
                int r = is_added_by_kernel(o, effective) ? 0 : options_set(into, o->name, o->value);

                if (r < 0)
                        return r;
        }
        return 0;
}

static int options_from_effective(const struct change *c, char **ret)
{
        cleanup(options_done) struct options o = { 0 };
        struct nfs_options effective;
        int r;

        nfs_options_read(&c->o->mount.super, &effective);
        r = append_effective(&c->o->mount.vfs, &effective, &o);
        if (r == 0)
                r = append_effective(&c->o->mount.super, &effective, &o);
        if (r < 0)
                return r;
        leave_out_sizes(c, &effective, &o);
        r = apply(c, &o);
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

        if (r && r->place.kind == PLACE_NFSMOUNT_CONF)
                r = source_of_mount(c->o);
        if (r && r->options_text)
                return options_from_text(c, r->options_text, &p->options);
        return options_from_effective(c, &p->options);
}
