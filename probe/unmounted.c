/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe/unmounted.c - what is asked for and not mounted, as observations. See unmounted.h. */
#include "probe/unmounted.h"

#include <errno.h>
#include <string.h>

#include "policy/text.h"
#include "probe/lines.h"
#include "probe/mounttable.h"

/* nfs://HOST[:PORT]/PATH, which mount.nfs understands. */
static int url_split(struct mount_facts *m)
{
        const char *host = m->source + strlen("nfs://"), *path = strchrnul(host, '/');
        const char *close = host[0] == '[' ? memchr(host, ']', (size_t)(path - host)) : NULL;
        const char *colon = memchr(host, ':', (size_t)(path - host));

        m->server = close ? strndup(host + 1, (size_t)(close - host) - 1)
                          : strndup(host, (size_t)((colon ? colon : path) - host));
        m->export_path = strdup(*path ? path : "/");
        return m->server && m->export_path ? 0 : -ENOMEM;
}

/* @flag: "ro", "rw" or NULL. */
static int facts_end(struct mount_facts *m, const char *fstype, const char *flag)
{
        m->fstype = strdup(fstype);
        m->propagation = strdup("");
        if (!m->fstype || !m->propagation || (flag && options_set(&m->vfs, flag, NULL) < 0))
                return -ENOMEM;
        return strncmp(m->source, "nfs://", strlen("nfs://")) == 0 ? url_split(m) : mount_source_split(m);
}

static int line_facts(const struct fstab_entry *e, struct mount_facts *m)
{
        struct nfs_options n;

        nfs_options_read(&e->options, &n);
        m->read_only = n.read_only;
        m->target = strdup(e->target);
        m->source = strdup(e->source);
        if (!m->target || !m->source || options_copy(&e->options, &m->super) < 0)
                return -ENOMEM;
        trailing_slash_strip(m->target);
        return facts_end(m, strcmp(e->fstype, "nfs4") == 0 ? "nfs4" : "nfs",
                         n.read_only ? "ro" : options_has(&e->options, "rw") ? "rw" : NULL);
}

int unmounted_line(const struct requested_sources *s, const struct fstab_entry *e, const char *file,
                   struct observation *o)
{
        int r = line_facts(e, &o->mount);

        o->only_requested = true;
        return r < 0 ? r : requested_of_line(s, e, file, &o->mount, &o->requested, &o->n_requested);
}

static int section_facts(const struct nfsmountconf_entry *e, struct mount_facts *m)
{
        cleanup(text_done) struct text target = { 0 }, source = { 0 };

        switch (e->scope) {
        case NFSMOUNTCONF_MOUNTPOINT:
                text_add(&target, "%s", e->argument);
                break;
        case NFSMOUNTCONF_SERVER:
                text_add(&target, "every mount of server %s", e->argument);
                text_add(&source, strchr(e->argument, ':') ? "[%s]:/" : "%s:/", e->argument);
                break;
        case NFSMOUNTCONF_GLOBAL:
        default:
                text_add(&target, "every NFS mount");
        }
        m->target = text_take(&target);
        m->source = text_take(&source);
        return m->target && m->source ? facts_end(m, "nfs", NULL) : -ENOMEM;
}

static int section_options(struct observation *o)
{
        struct nfs_options n;
        int r = 0;

        for (size_t i = 0; r == 0 && i < o->n_requested; i++)
                r = options_merge(&o->mount.super, &o->requested[i].options);
        nfs_options_read(&o->mount.super, &n);
        o->mount.read_only = n.read_only;
        return r;
}

int unmounted_section(const struct requested_sources *s, const struct nfsmountconf_entry *section,
                      struct observation *o)
{
        int r = section_facts(section, &o->mount);

        o->only_requested = true;
        if (r == 0)
                r = requested_of_section(s, section, &o->requested, &o->n_requested);
        return r < 0 ? r : section_options(o);
}
