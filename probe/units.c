/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/units.c - systemd mount units, read the way systemd reads them.
 */
#include "probe/units.h"

#include <errno.h>
#include <string.h>

#include "probe/file.h"
#include "probe/lines.h"

/* ---- one file's text -------------------------------------------------------- */

static int string_set(char **s, const char *value)
{
        char *copy = strdup(value);

        if (!copy)
                return -ENOMEM;
        free(*s);
        *s = copy;
        return 0;
}

/* "%%" is a percent sign (the generator writes one for "fe80::1%eth0"); other
 * specifiers do not occur in the names of network file systems. */
static void percent_decode(char *s)
{
        char *to = s;

        for (; *s; s++) {
                *to++ = *s;
                if (s[0] == '%' && s[1] == '%')
                        s++;
        }
        *to = '\0';
}

static int place_set(struct unit *u, const char *file, unsigned line)
{
        u->line = line;
        return string_set(&u->file, file);
}

static int mount_key_apply(struct unit *u, const char *key, char *value, const char *file, unsigned line)
{
        char **field = NULL;

        if (strcmp(key, "What") == 0)
                field = &u->what;
        else if (strcmp(key, "Where") == 0)
                field = &u->where;
        else if (strcmp(key, "Type") == 0)
                field = &u->type;
        else if (strcmp(key, "Options") == 0)
                field = &u->options_text;
        else
                return 0;
        if (value[0] == '\0') {
                free_charp(field);
                return 0;
        }
        percent_decode(value);
        int r = string_set(field, value);
        if (r < 0)
                return r;
        if (field == &u->where)
                trailing_slash_strip(u->where);
        if (field == &u->options_text || (field == &u->where && !u->options_text))
                return place_set(u, file, line);
        return 0;
}

enum section {
        SECTION_OTHER,
        SECTION_UNIT,
        SECTION_MOUNT,
};

static enum section section_of(const char *line)
{
        if (strcmp(line, "[Mount]") == 0)
                return SECTION_MOUNT;
        return strcmp(line, "[Unit]") == 0 ? SECTION_UNIT : SECTION_OTHER;
}

/* @line: a whole logical line, trimmed; is written to. */
static int line_apply(struct unit *u, enum section *section, char *line, const char *file, unsigned number)
{
        if (line[0] == '[') {
                *section = section_of(line);
                return 0;
        }
        char *equals = strchr(line, '=');
        if (!equals)
                return 0;
        const char *key = line, *value = equals + 1;
        size_t key_length = (size_t)(equals - line), value_length = strlen(value);
        blanks_trim(&key, &key_length);
        blanks_trim(&value, &value_length);
        line[(size_t)(key - line) + key_length] = '\0';
        if (*section == SECTION_UNIT && strcmp(key, "SourcePath") == 0)
                return string_set(&u->source_path, value);
        if (*section != SECTION_MOUNT)
                return 0;
        char *writable = line + (value - line);
        writable[value_length] = '\0';
        return mount_key_apply(u, key, writable, file, number);
}

/* A logical line in the making. */
struct joined {
        struct text text;
        unsigned first_line;    /* 0: nothing gathered yet */
};

static void joined_done(struct joined *j)
{
        text_done(&j->text);
}

static int joined_apply(struct joined *j, struct unit *u, enum section *section, const char *file)
{
        cleanup_free char *line = text_take(&j->text);
        unsigned number = j->first_line;

        j->first_line = 0;
        if (!line)
                return -ENOMEM;
        const char *start = line;
        size_t length = strlen(line);
        blanks_trim(&start, &length);
        line[(size_t)(start - line) + length] = '\0';
        return line_apply(u, section, line + (start - line), file, number);
}

/* Adds a physical line. true: it ends with a backslash, more follows. */
static bool joined_add(struct joined *j, const char *line, size_t length, unsigned number)
{
        bool more = length > 0 && line[length - 1] == '\\';

        if (j->first_line == 0)
                j->first_line = number;
        text_add_bytes(&j->text, line, length - more);
        if (more)
                text_add_bytes(&j->text, " ", 1);
        return more;
}

int unit_apply(struct unit *u, const char *text, size_t length_bytes, const char *file)
{
        struct line_reader lines = { text, text + length_bytes, 0 };
        cleanup(joined_done) struct joined j = { 0 };
        enum section section = SECTION_OTHER;
        const char *line;
        size_t length;

        while (lines_next(&lines, &line, &length)) {
                const char *trimmed = line;
                size_t trimmed_length = length;

                blanks_trim(&trimmed, &trimmed_length);
                /* comments are allowed within a continued line, too */
                if (trimmed_length > 0 && (trimmed[0] == '#' || trimmed[0] == ';'))
                        continue;
                if (memchr(line, '\0', length))
                        continue;
                if (joined_add(&j, trimmed, trimmed_length, lines.number))
                        continue;
                int r = joined_apply(&j, u, &section, file);
                if (r < 0)
                        return r;
        }
        return j.first_line ? joined_apply(&j, u, &section, file) : 0;
}

/* ---- files and directories ------------------------------------------------------ */

static bool is_one_of(const char *const *dirs, const char *dir, size_t length)
{
        for (; *dirs; dirs++)
                if (strlen(*dirs) == length && strncmp(*dirs, dir, length) == 0)
                        return true;
        return false;
}

/* Reads what a linked unit names. -ELOOP: not to be followed. */
static int link_follow(const char *const *dirs, const char *dir, const char *name, char **ret, size_t *ret_length)
{
        cleanup_free char *target = NULL;
        int r = link_read_in(dir, name, &target);

        if (r < 0)
                return r;
        if (strcmp(target, "/dev/null") == 0) {         /* masked */
                *ret_length = 0;
                *ret = strdup("");
                return *ret ? 0 : -ENOMEM;
        }
        char *slash = strrchr(target, '/');
        if (!slash)
                return file_read_in(dir, target, UNIT_BYTES_MAX, ret, ret_length);
        if (!is_one_of(dirs, target, (size_t)(slash - target)))
                return -ELOOP;
        *slash = '\0';
        return file_read_in(target, slash + 1, UNIT_BYTES_MAX, ret, ret_length);
}

static void problem_add(struct text *problems, const char *dir, const char *name, int error)
{
        if (error == -ELOOP)
                text_add(problems, "%s/%s: links to elsewhere, not read\n", dir, name);
        else
                text_add(problems, "%s/%s: %s\n", dir, name, strerror(-error));
}

/* Return: 0, -ENOMEM; what cannot be read is a problem and changes nothing. */
static int file_apply(struct unit *u, const char *const *dirs, const char *dir, const char *name,
                      struct text *problems)
{
        cleanup_free char *text = NULL, *path = path_join(dir, name);
        size_t length = 0;

        if (!path)
                return -ENOMEM;
        int r = file_read_in(dir, name, UNIT_BYTES_MAX, &text, &length);
        if (r == -ELOOP)
                r = link_follow(dirs, dir, name, &text, &length);
        if (r == -ENOMEM)
                return r;
        if (r < 0) {
                if (r != -ENOENT)
                        problem_add(problems, dir, name, r);
                return 0;
        }
        return unit_apply(u, text, length, path);
}

/* A file of a directory of the list. */
struct found {
        char *name;
        size_t dir_index;
};

struct found_list {
        struct found *items;
        size_t n;
};

static void found_done(struct found_list *l)
{
        for (size_t i = 0; i < l->n; i++)
                free(l->items[i].name);
        free(l->items);
        *l = (struct found_list){ 0 };
}

static int compare_found(const void *a, const void *b)
{
        const struct found *x = a, *y = b;
        int by_name = strcmp(x->name, y->name);

        return by_name ? by_name : (x->dir_index > y->dir_index) - (x->dir_index < y->dir_index);
}

/* Adds the names of one directory; takes them over. */
static int found_add(struct found_list *l, char **names, size_t n, size_t dir_index)
{
        struct found *bigger = reallocarray(l->items, l->n + n + 1, sizeof(*bigger));

        if (!bigger)
                return -ENOMEM;
        l->items = bigger;
        for (size_t i = 0; i < n; i++)
                bigger[l->n++] = (struct found){ TAKE(names[i]), dir_index };
        return 0;
}

/* Sorts by name and keeps the strongest of each. */
static void found_unique(struct found_list *l)
{
        size_t kept = 0;

        if (l->n == 0)
                return;
        qsort(l->items, l->n, sizeof(*l->items), compare_found);
        for (size_t i = 1; i < l->n; i++) {
                if (strcmp(l->items[i].name, l->items[kept].name) == 0)
                        free(l->items[i].name);
                else
                        l->items[++kept] = l->items[i];
        }
        l->n = kept + 1;
}

static int dir_add(struct found_list *l, const char *dir, const char *suffix, size_t max, size_t dir_index,
                   struct text *problems)
{
        char **names;
        size_t n;
        int r = dir_list(dir, suffix, max - MIN(max, l->n), strcmp, &names, &n);

        if (r == 1)
                text_add(problems, "%s: more than %zu files, the rest is not read\n", dir, max);
        else if (r == -ENOMEM)
                return r;
        else if (r < 0)
                text_add(problems, "%s: %s\n", dir, strerror(-r));
        r = found_add(l, names, n, dir_index);
        names_free(names, n);
        return r;
}

/* Merges the drop-ins of one unit; a name's strongest directory counts. */
static int dropins_apply(struct unit *u, const char *const *dirs, struct text *problems)
{
        cleanup(found_done) struct found_list l = { 0 };
        struct text name = { 0 };

        text_add(&name, "%s.d", u->name);
        cleanup_free char *subdir = text_take(&name);
        if (!subdir)
                return -ENOMEM;
        for (size_t i = 0; dirs[i]; i++) {
                cleanup_free char *dir = path_join(dirs[i], subdir);
                int r = dir ? dir_add(&l, dir, ".conf", UNIT_DROPINS_MAX, i, problems) : -ENOMEM;

                if (r < 0)
                        return r;
        }
        found_unique(&l);
        for (size_t i = 0; i < l.n; i++) {
                cleanup_free char *dir = path_join(dirs[l.items[i].dir_index], subdir);
                int r = dir ? file_apply(u, dirs, dir, l.items[i].name, problems) : -ENOMEM;

                if (r < 0)
                        return r;
        }
        return 0;
}

static bool is_file_of(const char *file, const char *dir, const char *name)
{
        size_t length = strlen(dir);

        return file && strncmp(file, dir, length) == 0 && file[length] == '/' && strcmp(file + length + 1, name) == 0;
}

static bool is_of_interest(const struct unit *u)
{
        return u->where && (!u->type || strcmp(u->type, "nfs") == 0 || strcmp(u->type, "nfs4") == 0 ||
                            strcmp(u->type, "auto") == 0);
}

static int unit_add(struct units *l, const char *const *dirs, const struct found *f, struct text *problems)
{
        cleanup(unit_done) struct unit u = { .dir_index = f->dir_index, .name = strdup(f->name) };

        if (!u.name)
                return -ENOMEM;
        int r = file_apply(&u, dirs, dirs[f->dir_index], f->name, problems);
        if (r < 0)
                return r;
        r = dropins_apply(&u, dirs, problems);
        if (r < 0 || !is_of_interest(&u))
                return r;
        u.dropin = u.options_text && !is_file_of(u.file, dirs[f->dir_index], f->name);
        struct unit *bigger = reallocarray(l->units, l->n_units + 1, sizeof(*bigger));
        if (!bigger)
                return -ENOMEM;
        l->units = bigger;
        l->units[l->n_units++] = u;
        u = (struct unit){ 0 };
        return 0;
}

int units_read(const char *const *dirs, struct units *ret, struct text *problems)
{
        cleanup(found_done) struct found_list l = { 0 };
        cleanup(units_done) struct units u = { 0 };

        for (size_t i = 0; dirs[i]; i++) {
                int r = dir_add(&l, dirs[i], ".mount", UNITS_MAX, i, problems);

                if (r < 0)
                        return r;
        }
        found_unique(&l);
        for (size_t i = 0; i < l.n; i++) {
                int r = unit_add(&u, dirs, &l.items[i], problems);

                if (r < 0)
                        return r;
        }
        *ret = u;
        u = (struct units){ 0 };
        return 0;
}

void unit_done(struct unit *u)
{
        free(u->name);
        free(u->what);
        free(u->where);
        free(u->type);
        free(u->options_text);
        free(u->source_path);
        free(u->file);
        *u = (struct unit){ 0 };
}

void units_done(struct units *u)
{
        for (size_t i = 0; i < u->n_units; i++)
                unit_done(&u->units[i]);
        free(u->units);
        *u = (struct units){ 0 };
}
