/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections and keys of nfstuned.conf. See config_parser.h. */

#include "daemon/config_parser.h"

#include <errno.h>
#include <string.h>

#include "policy/nearest.h"

#define MOUNT_SECTIONS_MAX 1024

static const char *const sections[] = { "daemon", "probe", "apply", "mount" };

/* Leaves the parameters alone. */
static void free_notes(struct config_parser *c)
{
        for (size_t i = 0; i < c->params.n_mounts; i++)
                free(c->mounts[i].file);
        free(c->mounts);
        c->mounts = NULL;
}

void config_parser_done(struct config_parser *c)
{
        free_notes(c);
        params_done(&c->params);
        ini_reader_done(&c->reader);
        *c = (struct config_parser){};
}

void config_parser_take(struct config_parser *c, struct params *ret)
{
        free_notes(c);
        *ret = c->params;
        c->params = (struct params){};
}

/* ---- words about bad values and keys ------------------------------------------- */

static void bad_value(struct config_parser *c, const struct config_key *key, const char *value, const char *why)
{
        struct text *errors = &c->reader.errors;

        if (!ini_error_bad_value(&c->reader, key->name, value, why))
                return;
        config_key_add_allowed(errors, key);
        if (key->fallback[0])
                text_add(errors, ", or remove the line for the default, %s", key->fallback);
        text_add(errors, "\n");
}

static void unknown_key(struct config_parser *c, const char *name)
{
        const struct config_key *near = config_key_nearest(c->section, name);
        cleanup_free char *shown = ini_printable(name);

        if (!shown) {
                c->reader.out_of_memory = true;
                return;
        }
        if (near && strcmp(near->section, c->section) != 0) {
                ini_error(&c->reader, "%s does not belong to [%s]; move it below [%s]", shown, c->section,
                          near->section);
                return;
        }
        if (near) {
                ini_error(&c->reader, "unknown key %s in [%s]; did you mean %s?", shown, c->section, near->name);
                return;
        }
        if (!ini_error_begin(&c->reader, c->reader.file, c->reader.line))
                return;
        text_add(&c->reader.errors, "unknown key %s in [%s]; remove it, the keys are:", shown, c->section);
        for (size_t i = 0; i < CONFIG_KEYS; i++)
                if (strcmp(config_keys[i].section, c->section) == 0)
                        text_add(&c->reader.errors, " %s", config_keys[i].name);
        text_add(&c->reader.errors, "\n");
}

/* ---- keys ------------------------------------------------------------------------ */

static int set_key(struct config_parser *c, const struct config_key *key, const char *value)
{
        bool of_mount = config_key_is_of_mount(key);
        unsigned *seen = (of_mount ? c->mounts[c->mount].seen : c->seen) + config_key_index(key);
        void *base = of_mount ? (void *) &c->params.mounts[c->mount] : &c->params;
        cleanup(text_done) struct text why = {};
        cleanup_free char *words = NULL;
        int r;

        if (*seen) {
                ini_error(&c->reader, "%s was already set in line %u; remove one of the two", key->name, *seen);
                return 0;
        }
        *seen = c->reader.line;
        r = config_key_set(key, value, base, &why);
        words = text_take(&why);
        if (r < 0 || !words)
                return -ENOMEM;
        if (r > 0) {
                bad_value(c, key, value, words);
                if (of_mount && strcmp(key->name, "path") == 0)
                        c->mounts[c->mount].path_is_bad = true;
        }
        return 0;
}

static void on_key(void *userdata, const char *name, const char *value)
{
        struct config_parser *c = userdata;
        const struct config_key *key = config_key_find(c->section, name);

        if (!key)
                unknown_key(c, name);
        else if (set_key(c, key, value) < 0)
                c->reader.out_of_memory = true;
}

/* ---- sections ---------------------------------------------------------------------- */

static int add_mount(struct config_parser *c, const char *name)
{
        struct params *p = &c->params;
        struct mount_params *mounts = reallocarray(p->mounts, p->n_mounts + 1, sizeof(*mounts));
        struct mount_section *more;

        if (!mounts)
                return -ENOMEM;
        p->mounts = mounts;
        more = reallocarray(c->mounts, p->n_mounts + 1, sizeof(*more));
        if (!more)
                return -ENOMEM;
        c->mounts = more;
        more[p->n_mounts] = (struct mount_section){ .file = strdup(c->reader.file), .line = c->reader.line };
        mounts[p->n_mounts] = (struct mount_params){ .name = strdup(name) };
        p->n_mounts++;
        return mounts[p->n_mounts - 1].name && more[p->n_mounts - 1].file ? 0 : -ENOMEM;
}

/* Drop-ins go on with a [mount NAME] of an earlier file. */
static void enter_mount(struct config_parser *c, const char *name)
{
        struct params *p = &c->params;

        if (!*name) {
                ini_error(&c->reader, "[mount] has no name; write [mount NAME], the name is free");
                return;
        }
        for (c->mount = 0; c->mount < p->n_mounts; c->mount++)
                if (strcmp(p->mounts[c->mount].name, name) == 0) {
                        c->section = "mount";
                        return;
                }
        if (p->n_mounts >= MOUNT_SECTIONS_MAX)
                ini_error(&c->reader, "more than %d [mount] sections", MOUNT_SECTIONS_MAX);
        else if (add_mount(c, name) < 0)
                c->reader.out_of_memory = true;
        else
                c->section = "mount";
}

static void unknown_section(struct config_parser *c, const char *name)
{
        cleanup_free char *shown = ini_printable(name);
        cleanup_free char *first = strndup(name, strcspn(name, " \t"));

        if (!shown || !first) {
                c->reader.out_of_memory = true;
                return;
        }
        for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
                if (word_is_near(first, sections[i])) {
                        ini_error(&c->reader, "unknown section [%s]; did you mean [%s%s]?", shown, sections[i],
                                  strcmp(sections[i], "mount") == 0 ? " NAME" : "");
                        return;
                }
        ini_error(&c->reader, "unknown section [%s]; the sections are [daemon], [probe], [apply] and [mount NAME]",
                  shown);
}

static void enter_section(struct config_parser *c, const char *name)
{
        if (strncmp(name, "mount", 5) == 0 && (!name[5] || name[5] == ' ' || name[5] == '\t')) {
                name += 5;
                enter_mount(c, name + strspn(name, " \t"));
                return;
        }
        for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
                if (strcmp(name, sections[i]) == 0 && strcmp(name, "mount") != 0) {
                        c->section = sections[i];
                        return;
                }
        unknown_section(c, name);
}

/* Sets c->section, NULL after an error. */
static void on_section(void *userdata, const char *name)
{
        struct config_parser *c = userdata;

        c->section = NULL;
        enter_section(c, name);
        c->reader.skip = !c->section;
}

/* ---- the whole -------------------------------------------------------------------------- */

int config_parser_init(struct config_parser *c)
{
        *c = (struct config_parser){
                .reader = {
                        .on_section = on_section,
                        .on_key = on_key,
                        .userdata = c,
                        .some_section = "[daemon] or another one",
                },
        };
        return params_init(&c->params);
}

void config_parser_next_file(struct config_parser *c)
{
        memset(c->seen, 0, sizeof(c->seen));
        for (size_t i = 0; i < c->params.n_mounts; i++)
                memset(c->mounts[i].seen, 0, sizeof(c->mounts[i].seen));
}

static void check_mount_sections(struct config_parser *c)
{
        const struct params *p = &c->params;
        struct text *errors = &c->reader.errors;

        for (size_t i = 0; i < p->n_mounts; i++) {
                const struct mount_section *m = &c->mounts[i];

                if (!p->mounts[i].path) {
                        if (!m->path_is_bad && ini_error_begin(&c->reader, m->file, m->line))
                                text_add(errors, "[mount %s] has no path; add path = /the/mount/point\n",
                                         p->mounts[i].name);
                        continue;
                }
                for (size_t k = 0; k < i; k++)
                        if (p->mounts[k].path && strcmp(p->mounts[k].path, p->mounts[i].path) == 0 &&
                            ini_error_begin(&c->reader, m->file, m->line))
                                text_add(errors, "[mount %s] has the path of [mount %s] in %s:%u; merge them\n",
                                         p->mounts[i].name, p->mounts[k].name, c->mounts[k].file, c->mounts[k].line);
        }
}

int config_parser_end(struct config_parser *c, char **ret_errors)
{
        check_mount_sections(c);
        return ini_reader_end(&c->reader, ret_errors);
}
