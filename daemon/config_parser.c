/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A strict line reader with inih behind it. See config_parser.h.
 *
 * inih splits "key = value" and calls back without line numbers; it joins
 * indented lines, cuts long ones and section names, and goes on after a bad
 * line. So our reader looks at every line first, keeps the section and the line
 * number itself, and hands inih only lines on which both agree.
 */

#include "daemon/config_parser.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "policy/nearest.h"
#include "daemon/utf8.h"

#define LINE_BYTES_MAX 190      /* inih takes 200 with its line end and NUL */
#define SECTION_BYTES_MAX 49    /* inih cuts the rest off */
#define ERRORS_MAX 50           /* more would not be read; the count is told */
#define MOUNT_SECTIONS_MAX 1024

static const struct {
        const char *name;
        bool later;
} sections[] = {
        { "daemon", false },
        { "probe", false },
        { "mount", false },
        { "apply", true },
};

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
        text_done(&c->errors);
        free(c->file);
        *c = (struct config_parser){};
}

void config_parser_take(struct config_parser *c, struct params *ret)
{
        free_notes(c);
        *ret = c->params;
        c->params = (struct params){};
}

/* Starts an error line. False when there are too many already. */
static bool error_begin(struct config_parser *c, const char *file, unsigned line)
{
        if (++c->n_errors > ERRORS_MAX)
                return false;
        if (line > 0)
                text_add(&c->errors, "%s:%u: ", file, line);
        else
                text_add(&c->errors, "%s: ", file);
        return true;
}

void config_error(struct config_parser *c, const char *format, ...)
{
        char words[512];
        va_list arguments;

        if (!error_begin(c, c->file, c->line))
                return;
        va_start(arguments, format);
        (void) vsnprintf(words, sizeof(words), format, arguments); /* a cut message is better than none */
        va_end(arguments);
        text_add(&c->errors, "%s\n", words);
}

static char *printable(const char *raw)
{
        struct text t = {};

        text_add_printable(&t, raw);
        return text_take(&t);
}

/* ---- words about bad values and keys ------------------------------------------- */

static void bad_value(struct config_parser *c, const struct config_key *key, const char *value, const char *why)
{
        cleanup_free char *shown = printable(value);

        if (!shown) {
                c->out_of_memory = true;
                return;
        }
        if (!error_begin(c, c->file, c->line))
                return;
        if (why[0])
                text_add(&c->errors, "%s", why);
        else if (value[0])
                text_add(&c->errors, "bad value \"%s\" for %s", shown, key->name);
        else
                text_add(&c->errors, "%s has no value", key->name);
        text_add(&c->errors, "; write ");
        config_key_add_allowed(&c->errors, key);
        if (key->fallback[0])
                text_add(&c->errors, ", or remove the line for the default, %s", key->fallback);
        text_add(&c->errors, "\n");
}

static void unknown_key(struct config_parser *c, const char *name)
{
        const struct config_key *near = config_key_nearest(c->section, name);
        cleanup_free char *shown = printable(name);

        if (!shown) {
                c->out_of_memory = true;
                return;
        }
        if (near && strcmp(near->section, c->section) != 0) {
                config_error(c, "%s does not belong to [%s]; move it below [%s]", shown, c->section, near->section);
                return;
        }
        if (near) {
                config_error(c, "unknown key %s in [%s]; did you mean %s?", shown, c->section, near->name);
                return;
        }
        if (!error_begin(c, c->file, c->line))
                return;
        text_add(&c->errors, "unknown key %s in [%s]; remove it, the keys are:", shown, c->section);
        for (size_t i = 0; i < CONFIG_KEYS; i++)
                if (strcmp(config_keys[i].section, c->section) == 0)
                        text_add(&c->errors, " %s", config_keys[i].name);
        text_add(&c->errors, "\n");
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
                config_error(c, "%s was already set in line %u; remove one of the two", key->name, *seen);
                return 0;
        }
        *seen = c->line;
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

/* inih's convention: non-zero is good. Our errors are kept in @userdata. */
static int on_key(void *userdata, const char *section, const char *name, const char *value)
{
        struct config_parser *c = userdata;
        const struct config_key *key;

        (void) section; /* cut at 49 bytes; the reader knows better */
        if (!c->section)
                return 1;
        key = config_key_find(c->section, name);
        if (!key)
                unknown_key(c, name);
        else if (set_key(c, key, value ? value : "") < 0)
                c->out_of_memory = true;
        return 1;
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
        more[p->n_mounts] = (struct mount_section){ .file = strdup(c->file), .line = c->line };
        mounts[p->n_mounts] = (struct mount_params){ .name = strdup(name) };
        p->n_mounts++;
        return mounts[p->n_mounts - 1].name && more[p->n_mounts - 1].file ? 0 : -ENOMEM;
}

/* Drop-ins go on with a [mount NAME] of an earlier file. */
static void enter_mount(struct config_parser *c, const char *name)
{
        struct params *p = &c->params;

        if (!*name) {
                config_error(c, "[mount] has no name; write [mount NAME], the name is free");
                return;
        }
        for (c->mount = 0; c->mount < p->n_mounts; c->mount++)
                if (strcmp(p->mounts[c->mount].name, name) == 0) {
                        c->section = "mount";
                        return;
                }
        if (p->n_mounts >= MOUNT_SECTIONS_MAX)
                config_error(c, "more than %d [mount] sections", MOUNT_SECTIONS_MAX);
        else if (add_mount(c, name) < 0)
                c->out_of_memory = true;
        else
                c->section = "mount";
}

static void unknown_section(struct config_parser *c, const char *name)
{
        cleanup_free char *shown = printable(name);
        cleanup_free char *first = strndup(name, strcspn(name, " \t"));

        if (!shown || !first) {
                c->out_of_memory = true;
                return;
        }
        for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
                if (word_is_near(first, sections[i].name)) {
                        config_error(c, "unknown section [%s]; did you mean [%s%s]?", shown, sections[i].name,
                                   strcmp(sections[i].name, "mount") == 0 ? " NAME" : "");
                        return;
                }
        config_error(c, "unknown section [%s]; the sections are [daemon], [probe] and [mount NAME]", shown);
}

/* @name: without brackets and outer blanks. Sets c->section, NULL after an error. */
static void enter_section(struct config_parser *c, const char *name)
{
        c->section = NULL;
        c->section_begun = true;
        if (strncmp(name, "mount", 5) == 0 && (!name[5] || name[5] == ' ' || name[5] == '\t')) {
                name += 5;
                enter_mount(c, name + strspn(name, " \t"));
                return;
        }
        for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
                if (strcmp(name, sections[i].name) != 0 || strcmp(name, "mount") == 0)
                        continue;
                if (sections[i].later)
                        config_error(c, "[%s] comes with a later version, this one only recommends; remove the section",
                                   name);
                else
                        c->section = sections[i].name;
                return;
        }
        unknown_section(c, name);
}

/* ---- the reader ----------------------------------------------------------------------- */

static bool is_blank(char c)
{
        return c == ' ' || c == '\t';
}

/* Length without the comment and the blanks before it. */
static size_t strip_comment(const char *s, size_t n)
{
        size_t start = 0;

        while (start < n && is_blank(s[start]))
                start++;
        if (start < n && (s[start] == ';' || s[start] == '#'))
                return 0;
        for (size_t i = 1; i < n; i++)
                if (s[i] == ';' && is_blank(s[i - 1]))
                        n = i;
        while (n > 0 && is_blank(s[n - 1]))
                n--;
        return n;
}

static bool has_control(const char *s, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (((unsigned char) s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7f)
                        return true;
        return false;
}

/* "[name]" and nothing behind it. */
static void read_header(struct config_parser *c, const char *s, size_t n)
{
        cleanup_free char *name = NULL;
        const char *close = memchr(s, ']', n);

        c->section = NULL;
        c->section_begun = true;
        if (!close || close != s + n - 1) {
                config_error(c, close ? "something stands behind the section's ]; move it to a line of its own" :
                                      "the section's ] is missing");
                return;
        }
        s++;
        n -= 2;
        while (n > 0 && is_blank(s[0])) {
                s++;
                n--;
        }
        while (n > 0 && is_blank(s[n - 1]))
                n--;
        if (n > SECTION_BYTES_MAX) {
                config_error(c, "the section's name is longer than %d bytes; shorten it, the path has its own key",
                           SECTION_BYTES_MAX);
                return;
        }
        name = strndup(s, n);
        if (!name)
                c->out_of_memory = true;
        else
                enter_section(c, name);
}

/* May inih have this line? Errors are told here. */
static bool check_line(struct config_parser *c, const char *s, size_t n)
{
        if (has_control(s, n)) {
                config_error(c, "a NUL byte or another control character stands in the line; this must be a text file");
                return false;
        }
        if (!utf8_is_valid(s, n)) {
                config_error(c, "the line is not UTF-8; convert the file");
                return false;
        }
        n = strip_comment(s, n);
        if (n == 0)
                return false;
        if (is_blank(s[0])) {
                config_error(c, "the line is indented, and lines cannot be continued; remove the blanks before it");
                return false;
        }
        if (n > LINE_BYTES_MAX) {
                config_error(c, "the line is longer than %d bytes; shorten it", LINE_BYTES_MAX);
                return false;
        }
        if (s[0] == '[') {
                read_header(c, s, n);
                return false;
        }
        if (!memchr(s, '=', n) || s[strcspn(s, "=:")] == ':' || s[0] == '=') {
                config_error(c, "this is no \"key = value\" line");
                return false;
        }
        if (!c->section_begun) {
                config_error(c, "the key stands before the first section; put it below [daemon] or another one");
                return false;
        }
        return c->section != NULL;
}

/* ini_reader: the next line that is good, stripped; an empty one for the others. */
static char *read_line(char *buffer, int size, void *userdata)
{
        struct config_parser *c = userdata;
        const char *start = c->at;
        const char *newline;
        size_t n;

        if (c->at == c->end || c->out_of_memory)
                return NULL;
        newline = memchr(start, '\n', (size_t) (c->end - start));
        n = (size_t) ((newline ? newline : c->end) - start);
        c->at = newline ? newline + 1 : c->end;
        c->line++;
        if (n > 0 && start[n - 1] == '\r')
                n--;
        buffer[0] = '\0';
        if (!check_line(c, start, n))
                return buffer;
        n = strip_comment(start, n);
        if (n >= (size_t) size) {
                config_error(c, "the line is too long; shorten it");
                return buffer;
        }
        memcpy(buffer, start, n);
        buffer[n] = '\0';
        return buffer;
}

static void forget_seen(struct config_parser *c)
{
        memset(c->seen, 0, sizeof(c->seen));
        for (size_t i = 0; i < c->params.n_mounts; i++)
                memset(c->mounts[i].seen, 0, sizeof(c->mounts[i].seen));
}

/* Names the file of the next errors. */
int config_parser_begin(struct config_parser *c, const char *name)
{
        char *shown = printable(name);

        if (!shown)
                return -ENOMEM;
        free(c->file);
        c->file = shown;
        c->line = 0;
        c->section = NULL;
        c->section_begun = false;
        forget_seen(c);
        return 0;
}

/* @text must be followed by a NUL. */
int config_parser_text(struct config_parser *c, const char *text, size_t length_bytes)
{
        unsigned errors_before = c->n_errors;
        int r;

        c->at = text;
        c->end = text + length_bytes;
        if (length_bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
                c->at += 3; /* some editors write a byte order mark */
        r = ini_parse_stream(read_line, c, on_key, c);
        if (c->out_of_memory || r == -2)
                return -ENOMEM;
        if (r != 0 && c->n_errors == errors_before) {
                c->line = r > 0 ? (unsigned) r : 0;
                config_error(c, "this is no \"key = value\" line");
        }
        return 0;
}

static void check_mount_sections(struct config_parser *c)
{
        const struct params *p = &c->params;

        for (size_t i = 0; i < p->n_mounts; i++) {
                const struct mount_section *m = &c->mounts[i];

                if (!p->mounts[i].path) {
                        if (!m->path_is_bad && error_begin(c, m->file, m->line))
                                text_add(&c->errors, "[mount %s] has no path; add path = /the/mount/point\n",
                                         p->mounts[i].name);
                        continue;
                }
                for (size_t k = 0; k < i; k++)
                        if (p->mounts[k].path && strcmp(p->mounts[k].path, p->mounts[i].path) == 0 &&
                            error_begin(c, m->file, m->line))
                                text_add(&c->errors, "[mount %s] has the path of [mount %s] in %s:%u; merge them\n",
                                         p->mounts[i].name, p->mounts[k].name, c->mounts[k].file, c->mounts[k].line);
        }
}

int config_parser_end(struct config_parser *c, char **ret_errors)
{
        check_mount_sections(c);
        if (c->n_errors == 0)
                return 0;
        if (c->n_errors > ERRORS_MAX)
                text_add(&c->errors, "%s: and %u more errors\n", c->file, c->n_errors - ERRORS_MAX);
        *ret_errors = text_take(&c->errors);
        return *ret_errors ? 1 : -ENOMEM;
}
