/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files nfstuned.conf is made of. See config.h. */

#include "daemon/config.h"

#include <errno.h>

#include "daemon/config_parser.h"
#include "daemon/dropins.h"

const char *const config_dirs_default[] = {
        "/usr/lib/nfstuned/conf.d",
        "/run/nfstuned/conf.d",
        NFSTUNED_SYSCONFDIR "/nfstuned/conf.d",
        NULL,
};

static int read_one(struct config_parser *c, const char *path, bool may_be_missing)
{
        config_parser_next_file(c);
        return ini_reader_file(&c->reader, path, may_be_missing);
}

static int read_dropins(struct config_parser *c, const char *const *dirs)
{
        cleanup(dropins_done) struct dropins d = {};
        int r = dropins_find(&c->reader, dirs, &d);

        for (size_t i = 0; i < d.n_items && r == 0; i++) {
                cleanup_free char *path = dropin_path(&d.items[i]);

                r = path ? read_one(c, path, false) : -ENOMEM;
        }
        return r;
}

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
        int r = config_parser_init(&c);

        if (r == 0)
                r = read_one(&c, file, !file_must_exist);
        if (r == 0 && dirs)
                r = read_dropins(&c, dirs);
        return finish(&c, r, ret, ret_errors);
}

int config_parse(const char *name, const char *text, size_t length_bytes, struct params *ret, char **ret_errors)
{
        cleanup(config_parser_done) struct config_parser c = {};
        int r = config_parser_init(&c);

        if (r == 0)
                r = ini_reader_begin(&c.reader, name);
        if (r == 0)
                r = ini_reader_text(&c.reader, text, length_bytes);
        return finish(&c, r, ret, ret_errors);
}
