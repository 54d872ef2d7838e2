/* SPDX-License-Identifier: GPL-2.0-or-later */
/* servers.d/NAME.conf. See profiles.h. */

#include "daemon/profiles.h"

#include <errno.h>
#include <string.h>

#include "daemon/config_value.h"
#include "daemon/dropins.h"
#include "daemon/ini_reader.h"
#include "policy/address.h"
#include "policy/nearest.h"
#include "policy/observation.h"
#include "probe/file.h"

#define NCONNECT_MAX 16         /* NFS_MAX_CONNECTIONS of the Linux client */
#define TRANSFER_MIN (4 * KIB)
#define TRANSFER_MAX (16 * MIB)

const char *const profile_dirs_default[] = {
        NFSTUNED_LIBEXECDIR "/servers.d",
        "/run/nfstuned/servers.d",
        NFSTUNED_SYSCONFDIR "/nfstuned/servers.d",
        NULL,
};

/* Return: 0, 1 for a bad value, -ENOMEM. */
typedef int parse_fn(const char *value, void *target);

static parse_fn parse_text, parse_hosts, parse_addresses, parse_implementations, parse_transfer, parse_nconnect,
        parse_answer, parse_versions;

#define FIELD(name) offsetof(struct server_profile, name)

/* The first line of each key is read by tests/lint/drift, too. */
static const struct profile_key {
        const char *name;
        const char *allowed;
        parse_fn *parse;
        size_t offset;
} keys[] = {
        { "title",
          "what people call the server", parse_text, FIELD(title) },
        { "hosts",
          "patterns of host names separated by blanks (*.example.com)", parse_hosts, FIELD(hosts) },
        { "addresses",
          "addresses and prefixes separated by blanks (192.0.2.0/24 2001:db8::7)", parse_addresses, FIELD(addresses) },
        { "implementations",
          "patterns of the server's own name separated by | (Name 1* | Other*)", parse_implementations,
          FIELD(implementations) },
        { "transfer_max",
          "a size with K, M or G, from 4 KiB to 16 MiB", parse_transfer, FIELD(transfer_max_bytes) },
        { "nconnect_max",
          "a number from 1 to 16", parse_nconnect, FIELD(nconnect_max) },
        { "noresvport",
          "yes or no", parse_answer, FIELD(noresvport) },
        { "versions",
          "some of 3 4.0 4.1 4.2 separated by blanks", parse_versions, FIELD(versions) },
        { "file_sync",
          "yes or no", parse_answer, FIELD(file_sync) },
        { "non_volatile",
          "yes or no", parse_answer, FIELD(non_volatile) },
        { "note",
          "a sentence for the administrator", parse_text, FIELD(note) },
};

struct profile_parser {
        struct ini_reader reader;
        struct server_profiles profiles;
        unsigned seen[ARRAY_SIZE(keys)];        /* line of each key in the present file */
        unsigned section_line;                  /* 0: no [server] yet */
        struct server_profile *profile;         /* of the present file */
};

/* ---- values --------------------------------------------------------------------------- */

static int parse_text(const char *value, void *target)
{
        char **text = target;

        if (!*value)
                return 1;
        *text = strdup(value);
        return *text ? 0 : -ENOMEM;
}

struct words {
        char **items;
        size_t n_items;
};

static void words_done(struct words *w)
{
        for (size_t i = 0; i < w->n_items; i++)
                free(w->items[i]);
        free(w->items);
        *w = (struct words){};
}

/* The pieces between the characters of @separators, without outer blanks; empty ones do not count. */
static int split(const char *value, const char *separators, struct words *ret)
{
        for (size_t n; *value; value += n + (value[n] != '\0')) {
                size_t length, blanks = strspn(value, " \t");
                char **more;

                n = strcspn(value, separators);
                if (blanks >= n)
                        continue;
                for (length = n - blanks; value[blanks + length - 1] == ' ' || value[blanks + length - 1] == '\t';)
                        length--;
                more = reallocarray(ret->items, ret->n_items + 1, sizeof(*more));
                if (!more)
                        return -ENOMEM;
                ret->items = more;
                more[ret->n_items] = strndup(value + blanks, length);
                if (!more[ret->n_items])
                        return -ENOMEM;
                ret->n_items++;
        }
        return 0;
}

/* Moves the words into an array whose counter stands behind it, as the fields
 * of struct server_profile do. An empty list is one: it says that only an
 * administrator's own file can know. */
static int parse_words(const char *value, const char *separators, bool (*is_good)(const char *), char ***items,
                       size_t *n_items)
{
        cleanup(words_done) struct words w = {};
        int r = split(value, separators, &w);

        for (size_t i = 0; i < w.n_items && r == 0; i++)
                r = is_good(w.items[i]) ? 0 : 1;
        if (r != 0)
                return r;
        *items = w.items;
        *n_items = w.n_items;
        w = (struct words){};
        return 0;
}

/* A pattern of stars alone would make every server one of this kind. */
static bool says_something(const char *pattern)
{
        return pattern[strspn(pattern, "*. ")] != '\0';
}

static bool is_host_pattern(const char *pattern)
{
        return says_something(pattern) &&
               strspn(pattern, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.*") == strlen(pattern);
}

static bool is_prefix(const char *text)
{
        struct address a;
        unsigned bits;

        return prefix_parse(text, &a, &bits) == 0;
}

static int parse_hosts(const char *value, void *target)
{
        struct server_profile *p = (struct server_profile *) ((char *) target - FIELD(hosts));

        return parse_words(value, " \t", is_host_pattern, &p->hosts, &p->n_hosts);
}

static int parse_addresses(const char *value, void *target)
{
        struct server_profile *p = (struct server_profile *) ((char *) target - FIELD(addresses));

        return parse_words(value, " \t", is_prefix, &p->addresses, &p->n_addresses);
}

static int parse_implementations(const char *value, void *target)
{
        struct server_profile *p = (struct server_profile *) ((char *) target - FIELD(implementations));

        return parse_words(value, "|", says_something, &p->implementations, &p->n_implementations);
}

static int parse_transfer(const char *value, void *target)
{
        uint64_t bytes;

        if (size_parse(value, &bytes) < 0 || bytes < TRANSFER_MIN || bytes > TRANSFER_MAX)
                return 1;
        *(uint64_t *) target = bytes;
        return 0;
}

static int parse_nconnect(const char *value, void *target)
{
        uint64_t number;

        if (u64_parse(value, &number) < 0 || number < 1 || number > NCONNECT_MAX)
                return 1;
        *(unsigned *) target = (unsigned) number;
        return 0;
}

static int parse_answer(const char *value, void *target)
{
        bool yes = strcmp(value, "yes") == 0;

        if (!yes && strcmp(value, "no") != 0)
                return 1;
        *(enum profile_answer *) target = yes ? PROFILE_YES : PROFILE_NO;
        return 0;
}

static unsigned version_bit(const char *word)
{
        static const struct {
                const char *name;
                unsigned bit;
        } versions[] = { { "3", NFS_V3 }, { "4.0", NFS_V4_0 }, { "4.1", NFS_V4_1 }, { "4.2", NFS_V4_2 } };

        for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
                if (strcmp(word, versions[i].name) == 0)
                        return versions[i].bit;
        return 0;
}

static int parse_versions(const char *value, void *target)
{
        cleanup(words_done) struct words w = {};
        unsigned versions = 0;
        int r = split(value, " \t", &w);

        for (size_t i = 0; i < w.n_items && r == 0; i++) {
                r = version_bit(w.items[i]) == 0;
                versions |= version_bit(w.items[i]);
        }
        if (r == 0 && versions == 0)
                r = 1;
        if (r == 0)
                *(unsigned *) target = versions;
        return r;
}

/* ---- one file --------------------------------------------------------------------------- */

/* The name of the file without its suffix. */
static char *profile_name(const char *file_name)
{
        return strndup(file_name, strlen(file_name) - strlen(".conf"));
}

static void on_section(void *userdata, const char *name)
{
        struct profile_parser *p = userdata;
        cleanup_free char *shown = ini_printable(name);

        p->reader.skip = true;
        if (!shown)
                p->reader.out_of_memory = true;
        else if (strcmp(name, "server") != 0)
                ini_error(&p->reader, "unknown section [%s]; the only one is [server]", shown);
        else if (p->section_line > 0)
                ini_error(&p->reader, "[server] was already begun in line %u; one file describes one kind of server",
                          p->section_line);
        else
                p->reader.skip = false;
        if (p->section_line == 0)
                p->section_line = p->reader.line;
}

static void unknown_key(struct profile_parser *p, const char *name)
{
        cleanup_free char *shown = ini_printable(name);

        if (!shown) {
                p->reader.out_of_memory = true;
                return;
        }
        for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
                if (word_is_near(name, keys[i].name)) {
                        ini_error(&p->reader, "unknown key %s in [server]; did you mean %s?", shown, keys[i].name);
                        return;
                }
        if (!ini_error_begin(&p->reader, p->reader.file, p->reader.line))
                return;
        text_add(&p->reader.errors, "unknown key %s in [server]; remove it, the keys are:", shown);
        for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
                text_add(&p->reader.errors, " %s", keys[i].name);
        text_add(&p->reader.errors, "\n");
}

static void set_key(struct profile_parser *p, size_t i, const char *value)
{
        int r;

        if (p->seen[i] > 0) {
                ini_error(&p->reader, "%s was already set in line %u; remove one of the two", keys[i].name, p->seen[i]);
                return;
        }
        p->seen[i] = p->reader.line;
        r = keys[i].parse(value, (char *) p->profile + keys[i].offset);
        if (r < 0)
                p->reader.out_of_memory = true;
        else if (r > 0 && ini_error_bad_value(&p->reader, keys[i].name, value, ""))
                text_add(&p->reader.errors, "%s\n", keys[i].allowed);
}

static void on_key(void *userdata, const char *name, const char *value)
{
        struct profile_parser *p = userdata;

        for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
                if (strcmp(keys[i].name, name) == 0) {
                        set_key(p, i, value);
                        return;
                }
        unknown_key(p, name);
}

static bool was_seen(const struct profile_parser *p, size_t offset)
{
        for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
                if (keys[i].offset == offset)
                        return p->seen[i] > 0;
        return false;
}

/* What can only be seen at the end of the file. */
static void check_profile(struct profile_parser *p)
{
        struct ini_reader *r = &p->reader;

        if (!was_seen(p, FIELD(title)) && ini_error_begin(r, r->file, p->section_line))
                text_add(&r->errors, "[server] has no title; add title = what people call it\n");
        if (!was_seen(p, FIELD(hosts)) && !was_seen(p, FIELD(addresses)) && !was_seen(p, FIELD(implementations)) &&
            ini_error_begin(r, r->file, p->section_line))
                text_add(&r->errors, "[server] says no server it is about; add hosts, addresses or implementations\n");
}

/* A file without a section, /dev/null above all, takes a weaker one of its name away. */
static int read_profile(struct profile_parser *p, const struct dropin *file)
{
        cleanup(server_profile_done) struct server_profile profile = { .name = profile_name(file->name) };
        cleanup_free char *path = dropin_path(file);
        struct server_profile *more;
        int r;

        if (!profile.name || !path)
                return -ENOMEM;
        memset(p->seen, 0, sizeof(p->seen));
        p->section_line = 0;
        p->profile = &profile;
        r = ini_reader_file(&p->reader, path, false);
        p->profile = NULL;
        if (r < 0 || p->section_line == 0)
                return r;
        check_profile(p);
        more = reallocarray(p->profiles.items, p->profiles.n_items + 1, sizeof(*more));
        if (!more)
                return -ENOMEM;
        p->profiles.items = more;
        more[p->profiles.n_items++] = profile;
        profile = (struct server_profile){};
        return 0;
}

/* ---- all files ---------------------------------------------------------------------------- */

static void parser_done(struct profile_parser *p)
{
        server_profiles_done(&p->profiles);
        ini_reader_done(&p->reader);
}

/* Both lists as one, weakest first. NULL on -ENOMEM. */
static const char **all_dirs(const char *build_dir, const char *const *dirs)
{
        const char **all;
        size_t n = 0;

        while (dirs[n])
                n++;
        all = calloc(n + 2, sizeof(*all));
        if (!all)
                return NULL;
        if (build_dir)
                all[0] = build_dir;
        for (size_t i = 0; i < n; i++)
                all[i + (build_dir != NULL)] = dirs[i];
        return all;
}

static int read_files(struct profile_parser *p, const char *const *dirs)
{
        cleanup(dropins_done) struct dropins files = {};
        int r = dropins_find(&p->reader, dirs, &files);

        for (size_t i = 0; i < files.n_items && r == 0; i++)
                r = read_profile(p, &files.items[i]);
        return r;
}

int profiles_read(const char *build_dir, const char *const *dirs, struct server_profiles *ret, char **ret_errors)
{
        cleanup(parser_done) struct profile_parser p = {
                .reader = { .on_section = on_section, .on_key = on_key, .userdata = &p, .some_section = "[server]" },
        };
        const char **all = all_dirs(build_dir, dirs);
        int r = all ? read_files(&p, all) : -ENOMEM;

        free(all);
        if (r == 0)
                r = ini_reader_end(&p.reader, ret_errors);
        if (r == 0) {
                *ret = p.profiles;
                p.profiles = (struct server_profiles){};
        }
        return r;
}
