/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nfstuned.conf: one table of keys, a strict line reader, inih behind it.
 *
 * inih splits "key = value" and calls back without line numbers; it joins
 * indented lines, cuts long ones and section names, and goes on after a bad
 * line. So our reader looks at every line first, keeps the section and the line
 * number itself, and hands inih only lines on which both agree.
 */

#include "daemon/config.h"

#include <dirent.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "daemon/config_value.h"
#include "daemon/nearest.h"
#include "daemon/utf8.h"
#include "policy/text.h"
#include "probe/file.h"

#define FILE_BYTES_MAX (256 * KIB)
#define LINE_BYTES_MAX 190      /* inih takes 200 with its line end and NUL */
#define SECTION_BYTES_MAX 49    /* inih cuts the rest off */
#define ERRORS_MAX 50           /* more would not be read; the count is told */
#define MOUNT_SECTIONS_MAX 1024
#define DROPINS_MAX 1000

const char *const config_dirs_default[] = {
        "/usr/lib/nfstuned/conf.d",
        "/run/nfstuned/conf.d",
        "/etc/nfstuned/conf.d",
        NULL,
};

/* ---- the table of keys --------------------------------------------------- */

struct key;

/* Writes @value to @target. Return: 0; 1 for a bad value, with words about it
 * in @why where the key's own ("allowed") do not say enough; -ENOMEM. */
typedef int parse_fn(const struct key *key, const char *value, void *target, struct text *why);

static parse_fn parse_choice, parse_flag, parse_duration, parse_size, parse_user, parse_directory, parse_path,
        parse_keep;

/* Checked, but there is nothing to store: this version knows one value only. */
#define NO_TARGET SIZE_MAX

struct key {
        const char *section;
        const char *name;
        const char *fallback;
        const char *allowed;    /* words; for parse_choice the names, by value, separated by '|' */
        const char *later;      /* a value of a later version, or NULL */
        parse_fn *parse;
        size_t offset;          /* in struct params, or in struct mount_params */
        uint64_t min, max;
};

#define GLOBAL(field) offsetof(struct params, field)
#define MOUNT(field) offsetof(struct mount_params, field)

/* One line a key: section, name and default are read by tests/lint/drift, too. */
static const struct key keys[] = {
        { "daemon", "mode", "recommend", "recommend", "auto-remount", parse_choice, GLOBAL(mode), 0, 0 },
        { "daemon", "interval", "1h", NULL, NULL, parse_duration, GLOBAL(interval_usec), 10 * USEC_PER_SEC, 365 * USEC_PER_DAY },
        { "daemon", "spread", "5min", NULL, NULL, parse_duration, GLOBAL(spread_usec), 0, USEC_PER_DAY },
        { "daemon", "passive_interval", "1min", NULL, NULL, parse_duration, GLOBAL(passive_interval_usec), USEC_PER_SEC, USEC_PER_DAY },
        { "probe", "bytes", "2M", NULL, NULL, parse_size, GLOBAL(probe_bytes), 64 * KIB, 64 * MIB },
        { "probe", "time", "5s", NULL, NULL, parse_duration, GLOBAL(probe_time_usec), USEC_PER_SEC, USEC_PER_MINUTE },
        { "probe", "connect_timeout", "3s", NULL, NULL, parse_duration, GLOBAL(connect_timeout_usec), 100 * USEC_PER_MSEC, 30 * USEC_PER_SEC },
        { "probe", "active", "auto", "auto|yes|no", NULL, parse_choice, GLOBAL(active), 0, 0 },
        { "probe", "trials", "off", "off", "auto", parse_choice, NO_TARGET, 0, 0 },
        { "probe", "user", "auto", "auto, a user's name or number", NULL, parse_user, GLOBAL(probe_user), 0, 0 },
        { "probe", "directory", ".", "a directory below the mount, without \"..\" and not absolute", NULL, parse_directory, GLOBAL(probe_directory), 0, 0 },
        { "mount", "path", "", "the absolute mount point, without \"..\"", NULL, parse_path, MOUNT(path), 0, 0 },
        { "mount", "mode", "recommend", "recommend", "auto-remount", parse_choice, NO_TARGET, 0, 0 },
        { "mount", "probe", "", "|active|passive|off", NULL, parse_choice, MOUNT(probe), 0, 0 },
        { "mount", "keep", "", "names of mount options separated by blanks, without values (keep = sync noac)", NULL, parse_keep, MOUNT(keep), 0, 0 },
        { "mount", "export", "auto", "auto|sync|async", NULL, parse_choice, MOUNT(export_setting), 0, 0 },
        { "mount", "stable_storage", "no", "yes or no", NULL, parse_flag, MOUNT(stable_storage), 0, 0 },
};

#define N_KEYS ARRAY_SIZE(keys)

struct config_key_info config_key(size_t i)
{
        if (i >= N_KEYS)
                return (struct config_key_info){};
        return (struct config_key_info){ keys[i].section, keys[i].name, keys[i].fallback };
}

static const struct {
        const char *name;
        bool later;
} sections[] = {
        { "daemon", false },
        { "probe", false },
        { "mount", false },
        { "apply", true },
};

/* ---- state ----------------------------------------------------------------- */

/* What is known of a [mount NAME] section beside its parameters. */
struct mount_section {
        char *file;             /* where it stood first, printable */
        unsigned line;
        bool path_is_bad;       /* and that was told */
        unsigned seen[N_KEYS];  /* line of each key in the present file */
};

struct config {
        struct params params;
        struct mount_section *mounts;   /* beside params.mounts */
        unsigned seen[N_KEYS];          /* line of each key outside [mount], in the present file */
        struct text errors;
        unsigned n_errors;
        bool out_of_memory;
        /* the present file */
        char *file;                     /* printable */
        const char *at, *end;
        unsigned line;
        const char *section;            /* a member of sections[], or NULL: skip keys */
        bool section_begun;             /* some header came, even a bad one */
        size_t mount;                   /* index, while section is "mount" */
};

static void config_done(struct config *c)
{
        for (size_t i = 0; i < c->params.n_mounts; i++)
                free(c->mounts[i].file);
        free(c->mounts);
        params_done(&c->params);
        text_done(&c->errors);
        free(c->file);
        *c = (struct config){};
}

/* Starts an error line. False when there are too many already. */
static bool error_begin(struct config *c, const char *file, unsigned line)
{
        if (++c->n_errors > ERRORS_MAX)
                return false;
        if (line > 0)
                text_add(&c->errors, "%s:%u: ", file, line);
        else
                text_add(&c->errors, "%s: ", file);
        return true;
}

/* One error at the present line; the pieces are literals or printable. */
static void error_here(struct config *c, const char *format, ...) printf_like(2, 3);

static void error_here(struct config *c, const char *format, ...)
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

static bool copy_string(char **target, const char *value)
{
        char *copy = strdup(value);

        if (!copy)
                return false;
        free(*target);
        *target = copy;
        return true;
}

/* ---- values ------------------------------------------------------------------ */

static bool is_word(const char *list, size_t n, const char *value)
{
        return n == strlen(value) && memcmp(list, value, n) == 0;
}

static int parse_choice(const struct key *key, const char *value, void *target, struct text *why)
{
        const char *list = key->allowed;

        if (key->later && strcmp(value, key->later) == 0) {
                text_add(why, "%s = %s comes with a later version", key->name, value);
                return 1;
        }
        for (unsigned number = 0;; number++) {
                size_t n = strcspn(list, "|");

                if (n > 0 && is_word(list, n, value)) {
                        if (target)
                                *(unsigned *) target = number; /* every enum of params.h is compatible with it */
                        return 0;
                }
                if (!list[n])
                        return 1;
                list += n + 1;
        }
}

static int parse_flag(const struct key *key, const char *value, void *target, struct text *why)
{
        bool yes = strcmp(value, "yes") == 0;

        (void) key;
        (void) why;
        if (!yes && strcmp(value, "no") != 0)
                return 1;
        *(bool *) target = yes;
        return 0;
}

static int store_in_range(const struct key *key, int r, uint64_t number, void *target)
{
        if (r < 0 || number < key->min || number > key->max)
                return 1;
        *(uint64_t *) target = number;
        return 0;
}

static int parse_duration(const struct key *key, const char *value, void *target, struct text *why)
{
        usec_t usec = 0;
        int r = duration_parse(value, &usec);

        if (r == -EINVAL && value[0] && strspn(value, "0123456789") == strlen(value))
                text_add(why, "the unit is missing");
        return store_in_range(key, r, usec, target);
}

static int parse_size(const struct key *key, const char *value, void *target, struct text *why)
{
        uint64_t bytes = 0;
        int r = size_parse(value, &bytes);

        (void) why;
        return store_in_range(key, r, bytes, target);
}

static int parse_user(const struct key *key, const char *value, void *target, struct text *why)
{
        char **user = target;

        (void) key;
        (void) why;
        if (strcmp(value, "auto") == 0) {
                free_charp(user);
                return 0;
        }
        if (!user_is_plausible(value))
                return 1;
        return copy_string(user, value) ? 0 : -ENOMEM;
}

static int parse_directory(const struct key *key, const char *value, void *target, struct text *why)
{
        (void) key;
        (void) why;
        if (!path_stays_below(value))
                return 1;
        return copy_string(target, value) ? 0 : -ENOMEM;
}

static int parse_path(const struct key *key, const char *value, void *target, struct text *why)
{
        char **path = target;
        char *normal = NULL;
        int r = path_normalize(value, &normal);

        (void) key;
        (void) why;
        if (r < 0)
                return r == -ENOMEM ? r : 1;
        free(*path);
        *path = normal;
        return 0;
}

static void free_words(char **words, size_t n)
{
        for (size_t i = 0; i < n; i++)
                free(words[i]);
        free(words);
}

/* The field is `keep`; n_keep stands beside it. */
static int parse_keep(const struct key *key, const char *value, void *target, struct text *why)
{
        struct mount_params *m = (struct mount_params *) ((char *) target - key->offset);
        char **words = NULL;
        size_t n_words = 0;

        for (size_t n; *(value += strspn(value, " \t")); value += n) {
                char **more;

                n = strcspn(value, " \t");
                if (strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789_-.") < n) {
                        text_add(why, "\"%.*s\" is no option's name", (int) n, value);
                        free_words(words, n_words);
                        return 1;
                }
                more = reallocarray(words, n_words + 1, sizeof(*words));
                if (more) {
                        words = more;
                        words[n_words] = strndup(value, n);
                }
                if (!more || !words[n_words]) {
                        free_words(words, n_words);
                        return -ENOMEM;
                }
                n_words++;
        }
        free_words(m->keep, m->n_keep);
        m->keep = words;
        m->n_keep = n_words;
        return 0;
}

/* ---- words about bad values and keys ------------------------------------------- */

static void add_allowed(struct text *t, const struct key *key)
{
        const char *list = key->allowed;

        if (key->parse == parse_duration || key->parse == parse_size) {
                void (*add)(struct text *, uint64_t) = key->parse == parse_size ? text_add_size : text_add_usec;

                text_add(t, key->parse == parse_size ? "a size with K, M or G, from " :
                                                       "a duration with us, ms, s, min, h or d, from ");
                add(t, key->min);
                text_add(t, " to ");
                add(t, key->max);
                return;
        }
        if (key->parse != parse_choice) {
                text_add(t, "%s", list);
                return;
        }
        for (list += *list == '|'; *list; list++)
                if (*list == '|')
                        text_add(t, ", ");
                else
                        text_add_bytes(t, list, 1);
}

static void bad_value(struct config *c, const struct key *key, const char *value, const char *why)
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
        add_allowed(&c->errors, key);
        if (key->fallback[0])
                text_add(&c->errors, ", or remove the line for the default, %s", key->fallback);
        text_add(&c->errors, "\n");
}

/* The key of this section closest to @name, else of another section. */
static const struct key *nearest_key(const char *section, const char *name)
{
        const struct key *best = NULL;
        unsigned best_distance = 0;

        for (size_t i = 0; i < N_KEYS; i++) {
                bool elsewhere = strcmp(keys[i].section, section) != 0;
                unsigned distance = 2 * word_distance(name, keys[i].name) + elsewhere;

                if (!word_is_near(name, keys[i].name) || (elsewhere && distance > 1))
                        continue;
                if (!best || distance < best_distance) {
                        best = &keys[i];
                        best_distance = distance;
                }
        }
        return best;
}

static void unknown_key(struct config *c, const char *name)
{
        const struct key *near = nearest_key(c->section, name);
        cleanup_free char *shown = printable(name);

        if (!shown) {
                c->out_of_memory = true;
                return;
        }
        if (near && strcmp(near->section, c->section) != 0) {
                error_here(c, "%s does not belong to [%s]; move it below [%s]", shown, c->section, near->section);
                return;
        }
        if (near) {
                error_here(c, "unknown key %s in [%s]; did you mean %s?", shown, c->section, near->name);
                return;
        }
        if (!error_begin(c, c->file, c->line))
                return;
        text_add(&c->errors, "unknown key %s in [%s]; remove it, the keys are:", shown, c->section);
        for (size_t i = 0; i < N_KEYS; i++)
                if (strcmp(keys[i].section, c->section) == 0)
                        text_add(&c->errors, " %s", keys[i].name);
        text_add(&c->errors, "\n");
}

/* ---- keys ------------------------------------------------------------------------ */

static const struct key *find_key(const char *section, const char *name)
{
        for (size_t i = 0; i < N_KEYS; i++)
                if (strcmp(keys[i].section, section) == 0 && strcmp(keys[i].name, name) == 0)
                        return &keys[i];
        return NULL;
}

static int set_key(struct config *c, const struct key *key, const char *value)
{
        bool in_mount = strcmp(key->section, "mount") == 0;
        unsigned *seen = in_mount ? &c->mounts[c->mount].seen[key - keys] : &c->seen[key - keys];
        char *base = in_mount ? (char *) &c->params.mounts[c->mount] : (char *) &c->params;
        cleanup(text_done) struct text why = {};
        cleanup_free char *words = NULL;
        int r;

        if (*seen) {
                error_here(c, "%s was already set in line %u; remove one of the two", key->name, *seen);
                return 0;
        }
        *seen = c->line;
        r = key->parse(key, value, key->offset == NO_TARGET ? NULL : base + key->offset, &why);
        words = text_take(&why);
        if (r < 0 || !words)
                return -ENOMEM;
        if (r > 0) {
                bad_value(c, key, value, words);
                if (key->parse == parse_path)
                        c->mounts[c->mount].path_is_bad = true;
        }
        return 0;
}

/* inih's convention: non-zero is good. Our errors are kept in @userdata. */
static int on_key(void *userdata, const char *section, const char *name, const char *value)
{
        struct config *c = userdata;
        const struct key *key;

        (void) section; /* cut at 49 bytes; the reader knows better */
        if (!c->section)
                return 1;
        key = find_key(c->section, name);
        if (!key)
                unknown_key(c, name);
        else if (set_key(c, key, value ? value : "") < 0)
                c->out_of_memory = true;
        return 1;
}

/* ---- sections ---------------------------------------------------------------------- */

static int add_mount(struct config *c, const char *name)
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
static void enter_mount(struct config *c, const char *name)
{
        struct params *p = &c->params;

        if (!*name) {
                error_here(c, "[mount] has no name; write [mount NAME], the name is free");
                return;
        }
        for (c->mount = 0; c->mount < p->n_mounts; c->mount++)
                if (strcmp(p->mounts[c->mount].name, name) == 0) {
                        c->section = "mount";
                        return;
                }
        if (p->n_mounts >= MOUNT_SECTIONS_MAX)
                error_here(c, "more than %d [mount] sections", MOUNT_SECTIONS_MAX);
        else if (add_mount(c, name) < 0)
                c->out_of_memory = true;
        else
                c->section = "mount";
}

static void unknown_section(struct config *c, const char *name)
{
        cleanup_free char *shown = printable(name);
        cleanup_free char *first = strndup(name, strcspn(name, " \t"));

        if (!shown || !first) {
                c->out_of_memory = true;
                return;
        }
        for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
                if (word_is_near(first, sections[i].name)) {
                        error_here(c, "unknown section [%s]; did you mean [%s%s]?", shown, sections[i].name,
                                   strcmp(sections[i].name, "mount") == 0 ? " NAME" : "");
                        return;
                }
        error_here(c, "unknown section [%s]; the sections are [daemon], [probe] and [mount NAME]", shown);
}

/* @name: without brackets and outer blanks. Sets c->section, NULL after an error. */
static void enter_section(struct config *c, const char *name)
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
                        error_here(c, "[%s] comes with a later version, this one only recommends; remove the section",
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
static void read_header(struct config *c, const char *s, size_t n)
{
        cleanup_free char *name = NULL;
        const char *close = memchr(s, ']', n);

        c->section = NULL;
        c->section_begun = true;
        if (!close || close != s + n - 1) {
                error_here(c, close ? "something stands behind the section's ]; move it to a line of its own" :
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
                error_here(c, "the section's name is longer than %d bytes; shorten it, the path has its own key",
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
static bool check_line(struct config *c, const char *s, size_t n)
{
        if (has_control(s, n)) {
                error_here(c, "a NUL byte or another control character stands in the line; this must be a text file");
                return false;
        }
        if (!utf8_is_valid(s, n)) {
                error_here(c, "the line is not UTF-8; convert the file");
                return false;
        }
        n = strip_comment(s, n);
        if (n == 0)
                return false;
        if (is_blank(s[0])) {
                error_here(c, "the line is indented, and lines cannot be continued; remove the blanks before it");
                return false;
        }
        if (n > LINE_BYTES_MAX) {
                error_here(c, "the line is longer than %d bytes; shorten it", LINE_BYTES_MAX);
                return false;
        }
        if (s[0] == '[') {
                read_header(c, s, n);
                return false;
        }
        if (!memchr(s, '=', n) || s[strcspn(s, "=:")] == ':' || s[0] == '=') {
                error_here(c, "this is no \"key = value\" line");
                return false;
        }
        if (!c->section_begun) {
                error_here(c, "the key stands before the first section; put it below [daemon], [probe] or [mount NAME]");
                return false;
        }
        return c->section != NULL;
}

/* ini_reader: the next line that is good, stripped; an empty one for the others. */
static char *read_line(char *buffer, int size, void *userdata)
{
        struct config *c = userdata;
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
                error_here(c, "the line is too long; shorten it");
                return buffer;
        }
        memcpy(buffer, start, n);
        buffer[n] = '\0';
        return buffer;
}

static void forget_seen(struct config *c)
{
        memset(c->seen, 0, sizeof(c->seen));
        for (size_t i = 0; i < c->params.n_mounts; i++)
                memset(c->mounts[i].seen, 0, sizeof(c->mounts[i].seen));
}

/* Names the file of the next errors. */
static int begin_file(struct config *c, const char *name)
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
static int parse_text(struct config *c, const char *text, size_t length_bytes)
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
                error_here(c, "this is no \"key = value\" line");
        }
        return 0;
}

/* ---- files ------------------------------------------------------------------------------- */

static int read_one(struct config *c, const char *path, bool may_be_missing)
{
        cleanup_free char *text = NULL;
        size_t length_bytes = 0;
        int r = begin_file(c, path);

        if (r < 0)
                return r;
        r = file_read(path, FILE_BYTES_MAX, &text, &length_bytes);
        if (r == -ENOMEM || (r == -ENOENT && may_be_missing))
                return r == -ENOMEM ? r : 0;
        if (r == -EFBIG)
                error_here(c, "the file is longer than %llu KiB", FILE_BYTES_MAX / KIB);
        else if (r == -EISDIR)
                error_here(c, "this is a directory; name a file (drop-ins are read from conf.d)");
        else if (r < 0)
                error_here(c, "cannot be read: %s", strerror(-r));
        return r < 0 ? 0 : parse_text(c, text, length_bytes);
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

static int read_dropins(struct config *c, const char *const *dirs)
{
        cleanup(dropins_done) struct dropins d = {};
        int r;

        for (; *dirs; dirs++) {
                r = begin_file(c, *dirs);
                if (r == 0)
                        r = list_dropins(&d, *dirs);
                if (r == -ENOMEM)
                        return r;
                if (r < 0)
                        error_here(c, "the directory cannot be read: %s", strerror(-r));
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

/* ---- the whole ------------------------------------------------------------------------------ */

static void check_mount_sections(struct config *c)
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
                                text_add(&c->errors, "[mount %s] has the same path as [mount %s] in %s:%u; merge them\n",
                                         p->mounts[i].name, p->mounts[k].name, c->mounts[k].file, c->mounts[k].line);
        }
}

/* Hands over the parameters or the errors. @r: what the reading returned. */
static int finish(struct config *c, int r, struct params *ret, char **ret_errors)
{
        if (r < 0)
                return r;
        check_mount_sections(c);
        if (c->n_errors > ERRORS_MAX)
                text_add(&c->errors, "%s: and %u more errors\n", c->file, c->n_errors - ERRORS_MAX);
        if (c->n_errors > 0) {
                *ret_errors = text_take(&c->errors);
                return *ret_errors ? 1 : -ENOMEM;
        }
        *ret = c->params;
        for (size_t i = 0; i < ret->n_mounts; i++)
                free(c->mounts[i].file);
        c->params = (struct params){};
        return 0;
}

int config_read(const char *file, bool file_must_exist, const char *const *dirs, struct params *ret, char **ret_errors)
{
        cleanup(config_done) struct config c = {};
        int r = params_init(&c.params);

        if (r == 0)
                r = read_one(&c, file, !file_must_exist);
        if (r == 0 && dirs)
                r = read_dropins(&c, dirs);
        return finish(&c, r, ret, ret_errors);
}

int config_parse(const char *name, const char *text, size_t length_bytes, struct params *ret, char **ret_errors)
{
        cleanup(config_done) struct config c = {};
        int r = params_init(&c.params);

        if (r == 0)
                r = begin_file(&c, name);
        if (r == 0)
                r = parse_text(&c, text, length_bytes);
        return finish(&c, r, ret, ret_errors);
}
