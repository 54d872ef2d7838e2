/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/sources.c - who asks for an option. See sources.h. */
#include "policy/sources.h"

#include <errno.h>
#include <string.h>

const struct requested *source_naming(const struct observation *o, const char *name)
{
        for (size_t i = 0; i < o->n_requested; i++)
                if (options_has(&o->requested[i].options, name))
                        return &o->requested[i];
        return NULL;
}

static bool names_any(const struct requested *r, const struct options *options)
{
        for (size_t i = 0; i < options->n_items; i++)
                if (options_has(&r->options, options->items[i].name))
                        return true;
        return false;
}

/* @options: NULL for whatever it names. */
static const struct requested *editable_naming(const struct observation *o, const struct options *options)
{
        for (size_t i = 0; i < o->n_requested; i++)
                if (!o->requested[i].is_record && (!options || names_any(&o->requested[i], options)))
                        return &o->requested[i];
        return NULL;
}

const struct requested *source_strongest(const struct observation *o)
{
        return editable_naming(o, NULL);
}

const struct requested *source_to_edit(const struct observation *o, const char *name)
{
        struct mount_option option = { .name = (char *)name };

        return editable_naming(o, &(struct options){ .items = &option, .n_items = 1 });
}

const struct requested *source_of_mount(const struct observation *o)
{
        for (size_t i = 0; i < o->n_requested; i++) {
                const struct requested *r = &o->requested[i];

                if (!r->is_record && (r->place.kind == PLACE_FSTAB || r->place.kind == PLACE_UNIT))
                        return r;
        }
        return NULL;
}

void text_add_place(struct text *t, const struct place *p)
{
        if (p->kind == PLACE_CMDLINE)
                text_add(t, "the kernel command line");
        else if (p->kind == PLACE_FSTAB && (!p->file || strcmp(p->file, "/etc/fstab") == 0))
                text_add(t, "fstab");
        else if (p->file)
                text_add(t, "%s", p->file);
        else if (p->kind == PLACE_AUTOFS)
                text_add(t, "the autofs map");
        else if (p->kind == PLACE_VOLUME)
                text_add(t, "the volume's definition (StorageClass, PersistentVolume, compose file)");
        else
                text_add(t, "an unknown place");
        if (p->line > 0)
                text_add(t, " line %u", p->line);
}

void text_add_source(struct text *t, const struct requested *r)
{
        if (r->is_record)
                text_add(t, "the record of the mount call (utab)");
        else
                text_add_place(t, &r->place);
}

int option_texts_parse(char *const *texts, size_t n, struct options *ret)
{
        cleanup(options_done) struct options o = { 0 };

        for (size_t i = 0; i < n; i++)
                if (options_add_text(&o, texts[i]) < 0)
                        return -ENOMEM;
        *ret = o;
        o = (struct options){ 0 };
        return 0;
}

int place_of_options(const struct observation *o, enum path_class class, const struct options *options,
                     struct place *ret)
{
        const struct requested *source = editable_naming(o, options);

        if (source)
                return place_copy(&source->place, ret);
        *ret = (struct place){ .kind = PLACE_UNKNOWN };
        if (strcmp(o->mount.target, "/") == 0)
                ret->kind = PLACE_CMDLINE;      /* an NFS root is mounted before any file could ask for it */
        else if (o->mount.below_autofs)
                ret->kind = PLACE_AUTOFS;
        else if (class == PATH_KUBELET || class == PATH_CONTAINER || (o->mount.server && !*o->mount.server))
                ret->kind = PLACE_VOLUME;       /* ":/path" is how container engines mount their volumes */
        return 0;
}
