/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/nfsmountconf.c - nfsmount.conf, read the way nfs-utils reads it.
 */
#include "probe/nfsmountconf.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "probe/file.h"
#include "probe/lines.h"

static const char *const scope_names[NFSMOUNTCONF_SCOPE_COUNT] = {
        [NFSMOUNTCONF_MOUNTPOINT] = "MountPoint",
        [NFSMOUNTCONF_SERVER] = "Server",
        [NFSMOUNTCONF_GLOBAL] = "NFSMount_Global_Options",
};

/* The section that is being read. */
struct section {
        bool known;
        enum nfsmountconf_scope scope;
        char *argument;
};

static void section_done(struct section *s)
{
        free(s->argument);
        *s = (struct section){ 0 };
}

static bool scope_find(const char *name, size_t length, enum nfsmountconf_scope *ret)
{
        for (unsigned i = 0; i < NFSMOUNTCONF_SCOPE_COUNT; i++)
                if (strlen(scope_names[i]) == length && strncasecmp(scope_names[i], name, length) == 0) {
                        *ret = (enum nfsmountconf_scope)i;
                        return true;
                }
        return false;
}

/* "[ Name ]" or "[ Name "argument" ]"; @line starts with '['. */
static int section_read(struct section *s, const char *line, size_t length)
{
        const char *close = memchr(line, ']', length);

        section_done(s);
        if (!close)
                return 0;
        const char *name = line + 1;
        size_t name_length = (size_t)(close - name);
        const char *quote = memchr(name, '"', name_length);
        const char *argument = quote ? quote + 1 : NULL;
        if (quote) {
                const char *end = memrchr(argument, '"', (size_t)(line + length - argument));

                if (!end)
                        return 0;
                s->argument = strndup(argument, (size_t)(end - argument));
                if (!s->argument)
                        return -ENOMEM;
                name_length = (size_t)(quote - name);
        }
        blanks_trim(&name, &name_length);
        s->known = scope_find(name, name_length, &s->scope) &&
                   (s->argument != NULL) == (s->scope != NFSMOUNTCONF_GLOBAL);
        if (s->known && s->scope == NFSMOUNTCONF_MOUNTPOINT)
                trailing_slash_strip(s->argument);
        return 0;
}

static void lower(char *s)
{
        for (; *s; s++)
                *s = (char)tolower((unsigned char)*s);
}

/* nfs-utils' aliases */
static const char *alias(const char *key)
{
        if (strcmp(key, "background") == 0)
                return "bg";
        return strcmp(key, "foreground") == 0 ? "fg" : key;
}

/* mount.nfs' conf_parse_mntopts(): what "key = value" becomes on the command
 * line. "" for what becomes nothing. NULL on -ENOMEM. */
static char *option_of(const char *key, const char *value)
{
        struct text t = { 0 };
        const char *name = alias(key);

        if (strncmp(name, "default", strlen("default")) == 0)
                return strdup("");
        if (strcasecmp(value, "true") == 0) {
                text_add(&t, "%s", name);
        } else if (strcasecmp(value, "false") == 0) {
                if (strcmp(name, "bg") == 0 || strcmp(name, "fg") == 0)
                        text_add(&t, "%s", strcmp(name, "bg") == 0 ? "fg" : "bg");
                else if (strcmp(name, "sloppy") != 0)
                        text_add(&t, "no%s", name);
        } else {
                text_add(&t, "%s=%s", name, value);
        }
        return text_take(&t);
}

static void entry_done(struct nfsmountconf_entry *e)
{
        free(e->argument);
        free(e->option);
        free(e->text);
        free(e->file);
        *e = (struct nfsmountconf_entry){ 0 };
}

static bool same_text(const char *a, const char *b)
{
        return a && b ? strcasecmp(a, b) == 0 : a == b;
}

bool nfsmountconf_same_section(const struct nfsmountconf_entry *a, const struct nfsmountconf_entry *b)
{
        return a->scope == b->scope && same_text(a->argument, b->argument);
}

/* Name of an option without "no" and its value: what a later line replaces. */
static size_t option_name(const char **option)
{
        size_t length = strcspn(*option, "=");

        if (length > 2 && strncmp(*option, "no", 2) == 0) {
                *option += 2;
                length -= 2;
        }
        return length;
}

static bool same_setting(const struct nfsmountconf_entry *a, const struct nfsmountconf_entry *b)
{
        const char *x = a->option, *y = b->option;
        size_t x_length = option_name(&x), y_length = option_name(&y);

        return x_length == y_length && memcmp(x, y, x_length) == 0 && nfsmountconf_same_section(a, b);
}

static void overridden_remove(struct nfsmountconf *c, const struct nfsmountconf_entry *by)
{
        for (size_t i = 0; i < c->n_entries; i++) {
                if (!same_setting(&c->entries[i], by))
                        continue;
                entry_done(&c->entries[i]);
                memmove(&c->entries[i], &c->entries[i + 1], (c->n_entries - i - 1) * sizeof(c->entries[0]));
                c->n_entries--;
                return;
        }
}

static int entry_add(struct nfsmountconf *c, struct nfsmountconf_entry *e)
{
        overridden_remove(c, e);
        if (c->n_entries == NFSMOUNTCONF_LINES_MAX) {
                c->n_left_out++;
                return 0;
        }
        struct nfsmountconf_entry *bigger = reallocarray(c->entries, c->n_entries + 1, sizeof(*bigger));
        if (!bigger)
                return -ENOMEM;
        c->entries = bigger;
        c->entries[c->n_entries++] = *e;
        *e = (struct nfsmountconf_entry){ 0 };
        return 0;
}

/* The value: quotes around it removed, else up to a comment. */
static void value_trim(const char **value, size_t *length)
{
        blanks_trim(value, length);
        if (*length >= 2 && (*value)[0] == '"' && (*value)[*length - 1] == '"') {
                (*value)++;
                *length -= 2;
        }
}

/* @line: "key = value", trimmed. */
static int setting_read(struct nfsmountconf *c, const struct section *s, const char *line, size_t length,
                        const char *file, unsigned number)
{
        const char *equals = memchr(line, '=', length);

        if (!s->known || !equals || memchr(line, '\0', length))
                return 0;
        const char *key_text = line, *value_text = equals + 1;
        size_t key_length = (size_t)(equals - line), value_length = (size_t)(line + length - value_text);
        blanks_trim(&key_text, &key_length);
        value_trim(&value_text, &value_length);
        if (key_length == 0 || value_length == 0)
                return 0;
        cleanup_free char *key = strndup(key_text, key_length), *value = strndup(value_text, value_length);
        if (!key || !value)
                return -ENOMEM;
        lower(key);
        cleanup(entry_done) struct nfsmountconf_entry e = {
                .scope = s->scope,
                .argument = s->argument ? strdup(s->argument) : NULL,
                .option = option_of(key, value),
                .text = strndup(line, length),
                .file = strdup(file),
                .line = number,
        };
        if (!e.option || !e.text || !e.file || (s->argument && !e.argument))
                return -ENOMEM;
        return e.option[0] ? entry_add(c, &e) : 0;
}

int nfsmountconf_add(struct nfsmountconf *c, const char *text, size_t length_bytes, const char *file)
{
        struct line_reader lines = { text, text + length_bytes, 0 };
        cleanup(section_done) struct section s = { 0 };
        const char *line;
        size_t length;

        while (lines_next(&lines, &line, &length)) {
                blanks_trim(&line, &length);
                if (length == 0 || line[0] == '#' || line[0] == ';')
                        continue;
                c->n_lines++;
                int r = line[0] == '[' ? section_read(&s, line, length)
                                       : setting_read(c, &s, line, length, file, lines.number);
                if (r < 0)
                        return r;
                c->n_lines_known += s.known && (line[0] == '[' || memchr(line, '=', length));
        }
        return 0;
}

/* @r: of reading. Return: 0 or -ENOMEM. */
static int text_use(struct nfsmountconf *c, int r, const char *text, size_t length, const char *file,
                    struct text *problems)
{
        if (r == -ENOMEM)
                return r;
        if (r == 0)
                return nfsmountconf_add(c, text, length, file);
        if (r != -ENOENT)
                text_add(problems, "%s: %s\n", file, strerror(-r));
        return 0;
}

static int file_add(struct nfsmountconf *c, const char *path, struct text *problems)
{
        cleanup_free char *text = NULL;
        size_t length = 0;
        int r = file_read(path, NFSMOUNTCONF_BYTES_MAX, &text, &length);

        return text_use(c, r, text, length, path, problems);
}

static int dir_file_add(struct nfsmountconf *c, const char *dir, const char *name, struct text *problems)
{
        cleanup_free char *text = NULL, *path = path_join(dir, name);
        size_t length = 0;

        if (!path)
                return -ENOMEM;
        int r = file_read_in(dir, name, NFSMOUNTCONF_BYTES_MAX, &text, &length);
        return text_use(c, r, text, length, path, problems);
}

static int dir_add(struct nfsmountconf *c, const char *dir, struct text *problems)
{
        char **names;
        size_t n;
        int r = dir_list(dir, ".conf", NFSMOUNTCONF_FILES_MAX, strverscmp, &names, &n);

        if (r == 1)
                text_add(problems, "%s: more than %d files, the rest is not read\n", dir, NFSMOUNTCONF_FILES_MAX);
        else if (r < 0 && r != -ENOMEM)
                text_add(problems, "%s: %s\n", dir, strerror(-r));
        r = r == -ENOMEM ? r : 0;
        for (size_t i = 0; r == 0 && i < n; i++)
                r = dir_file_add(c, dir, names[i], problems);
        names_free(names, n);
        return r;
}

int nfsmountconf_read(const char *const *paths, struct nfsmountconf *ret, struct text *problems)
{
        cleanup(nfsmountconf_done) struct nfsmountconf c = { 0 };

        for (; *paths; paths++) {
                size_t length = strlen(*paths);
                bool is_dir = length > 2 && strcmp(*paths + length - 2, ".d") == 0;
                int r = is_dir ? dir_add(&c, *paths, problems) : file_add(&c, *paths, problems);

                if (r < 0)
                        return r;
        }
        if (c.n_left_out > 0)
                text_add(problems, "nfsmount.conf: more than %d settings, %zu are not read\n", NFSMOUNTCONF_LINES_MAX,
                         c.n_left_out);
        *ret = c;
        c = (struct nfsmountconf){ 0 };
        return 0;
}

bool nfsmountconf_concerns(const struct nfsmountconf_entry *e, const char *target, const char *server)
{
        switch (e->scope) {
        case NFSMOUNTCONF_MOUNTPOINT:
                return strcasecmp(e->argument, target) == 0;
        case NFSMOUNTCONF_SERVER:
                return strcasecmp(e->argument, server) == 0;
        case NFSMOUNTCONF_GLOBAL:
                return true;
        default:
                return false;
        }
}

void nfsmountconf_done(struct nfsmountconf *c)
{
        for (size_t i = 0; i < c->n_entries; i++)
                entry_done(&c->entries[i]);
        free(c->entries);
        *c = (struct nfsmountconf){ 0 };
}
