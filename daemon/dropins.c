/* SPDX-License-Identifier: GPL-2.0-or-later */
/* *.conf files of several directories. See dropins.h. */

#include "daemon/dropins.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "probe/descriptor.h"
#include "probe/file.h"

#define DROPINS_MAX 1000

void dropins_done(struct dropins *d)
{
        for (size_t i = 0; i < d->n_items; i++)
                free(d->items[i].name);
        free(d->items);
        *d = (struct dropins){};
}

char *dropin_path(const struct dropin *d)
{
        return path_join(d->dir, d->name);
}

static bool is_dropin(const char *name)
{
        size_t n = strlen(name);

        return name[0] != '.' && n > 5 && strcmp(name + n - 5, ".conf") == 0;
}

static int add_dropin(struct dropins *d, const char *dir, const char *name)
{
        struct dropin *more;

        for (size_t i = 0; i < d->n_items; i++)
                if (strcmp(d->items[i].name, name) == 0) {
                        d->items[i].dir = dir;
                        return 0;
                }
        if (d->n_items >= DROPINS_MAX)
                return -E2BIG;
        more = reallocarray(d->items, d->n_items + 1, sizeof(*more));
        if (!more)
                return -ENOMEM;
        d->items = more;
        more[d->n_items] = (struct dropin){ strdup(name), dir };
        if (!more[d->n_items].name)
                return -ENOMEM;
        d->n_items++;
        return 0;
}

/* Return: 0 or a negative errno about @dir. */
static int list_dropins(struct dropins *d, const char *dir)
{
        cleanup(close_directory) DIR *stream = opendir(dir);
        const struct dirent *entry;

        if (!stream)
                return errno == ENOENT ? 0 : -errno;
        while ((errno = 0, entry = readdir(stream))) {
                int r = is_dropin(entry->d_name) ? add_dropin(d, dir, entry->d_name) : 0;

                if (r < 0)
                        return r;
        }
        return -errno;
}

static int compare_dropins(const void *a, const void *b)
{
        return strcmp(((const struct dropin *) a)->name, ((const struct dropin *) b)->name);
}

int dropins_find(struct ini_reader *r, const char *const *dirs, struct dropins *ret)
{
        for (; *dirs; dirs++) {
                int err = ini_reader_begin(r, *dirs);

                if (err == 0)
                        err = list_dropins(ret, *dirs);
                if (err == -ENOMEM)
                        return err;
                if (err < 0)
                        ini_error(r, "the directory cannot be read: %s", strerror(-err));
        }
        if (ret->n_items > 0)
                qsort(ret->items, ret->n_items, sizeof(*ret->items), compare_dropins);
        return 0;
}
