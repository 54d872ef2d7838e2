/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files nfstuned.conf is made of. See config.h. */

#include "daemon/config.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "daemon/config_parser.h"
#include "probe/file.h"

#define FILE_BYTES_MAX (256 * KIB)
#define DROPINS_MAX 1000

const char *const config_dirs_default[] = {
        "/usr/lib/nfstuned/conf.d",
        "/run/nfstuned/conf.d",
        NFSTUNED_SYSCONFDIR "/nfstuned/conf.d",
        NULL,
};

/* ---- files ------------------------------------------------------------------------------- */

static int read_one(struct config_parser *c, const char *path, bool may_be_missing)
{
        cleanup_free char *text = NULL;
        size_t length_bytes = 0;
        int r = config_parser_begin(c, path);

        if (r < 0)
                return r;
        r = file_read(path, FILE_BYTES_MAX, &text, &length_bytes);
        if (r == -ENOMEM || (r == -ENOENT && may_be_missing))
                return r == -ENOMEM ? r : 0;
        if (r == -EFBIG)
                config_error(c, "the file is longer than %llu KiB", FILE_BYTES_MAX / KIB);
        else if (r == -EISDIR)
                config_error(c, "this is a directory; name a file (drop-ins are read from conf.d)");
        else if (r == -EOPNOTSUPP)
                config_error(c, "this is a pipe; name a file");
        else if (r < 0)
                config_error(c, "cannot be read: %s", strerror(-r));
        return r < 0 ? 0 : config_parser_text(c, text, length_bytes);
}

struct dropin {
        char *name;             /* base name */
        const char *dir;
};

struct dropins {
        struct dropin *items;
        size_t n_items;
};

static void dropins_done(struct dropins *d)
{
        for (size_t i = 0; i < d->n_items; i++)
                free(d->items[i].name);
        free(d->items);
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

static void close_dir(DIR **d)
{
        if (*d)
                (void) closedir(*d); /* read only */
}

/* Return: 0 or a negative errno about @dir. */
static int list_dropins(struct dropins *d, const char *dir)
{
        cleanup(close_dir) DIR *stream = opendir(dir);
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

static int read_dropins(struct config_parser *c, const char *const *dirs)
{
        cleanup(dropins_done) struct dropins d = {};
        int r;

        for (; *dirs; dirs++) {
                r = config_parser_begin(c, *dirs);
                if (r == 0)
                        r = list_dropins(&d, *dirs);
                if (r == -ENOMEM)
                        return r;
                if (r < 0)
                        config_error(c, "the directory cannot be read: %s", strerror(-r));
        }
        if (d.n_items > 0)
                qsort(d.items, d.n_items, sizeof(*d.items), compare_dropins);
        for (size_t i = 0; i < d.n_items; i++) {
                cleanup_free char *path = NULL;
                struct text t = {};

                text_add(&t, "%s/%s", d.items[i].dir, d.items[i].name);
                path = text_take(&t);
                r = path ? read_one(c, path, false) : -ENOMEM;
                if (r < 0)
                        return r;
        }
        return 0;
}

/* ---- the whole ----------------------------------------------------------- */

/* Hands over the parameters or the errors. @r: what the reading returned. */
static int finish(struct config_parser *c, int r, struct params *ret, char **ret_errors)
{
        if (r == 0)
                r = config_parser_end(c, ret_errors);
        if (r == 0)
                config_parser_take(c, ret);
        return r;
}

int config_read(const char *file, bool file_must_exist, const char *const *dirs, struct params *ret, char **ret_errors)
{
        cleanup(config_parser_done) struct config_parser c = {};
        int r = params_init(&c.params);

        if (r == 0)
                r = read_one(&c, file, !file_must_exist);
        if (r == 0 && dirs)
                r = read_dropins(&c, dirs);
        return finish(&c, r, ret, ret_errors);
}

int config_parse(const char *name, const char *text, size_t length_bytes, struct params *ret, char **ret_errors)
{
        cleanup(config_parser_done) struct config_parser c = {};
        int r = params_init(&c.params);

        if (r == 0)
                r = config_parser_begin(&c, name);
        if (r == 0)
                r = config_parser_text(&c, text, length_bytes);
        return finish(&c, r, ret, ret_errors);
}
