/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of nfstuned.conf. See config_keys.h. */

#include "daemon/config_keys.h"

#include <errno.h>
#include <string.h>

#include "daemon/config.h"
#include "daemon/config_value.h"
#include "policy/advice.h"
#include "policy/names.h"
#include "policy/nearest.h"

static config_parse_fn parse_choice, parse_flag, parse_duration, parse_size, parse_user, parse_directory, parse_path,
        parse_keep, parse_rules, parse_windows, parse_percent;

/* Checked, but there is nothing to store: this version knows one value only. */
#define NO_TARGET SIZE_MAX

#define GLOBAL(field) offsetof(struct params, field)
#define MOUNT(field) offsetof(struct mount_params, field)

/* The first line of each key, section, name and default, is read by tests/lint/drift, too. */
const struct config_key config_keys[CONFIG_KEYS] = {
        { "daemon", "mode", "recommend",
          "recommend|auto-remount", NULL, parse_choice, GLOBAL(mode), 0, 0 },
        { "daemon", "interval", "1h",
          NULL, NULL, parse_duration, GLOBAL(interval_usec), 10 * USEC_PER_SEC, 365 * USEC_PER_DAY },
        { "daemon", "spread", "5min",
          NULL, NULL, parse_duration, GLOBAL(spread_usec), 0, USEC_PER_DAY },
        { "daemon", "passive_interval", "1min",
          NULL, NULL, parse_duration, GLOBAL(passive_interval_usec), USEC_PER_SEC, USEC_PER_DAY },
        { "probe", "bytes", "2M",
          NULL, NULL, parse_size, GLOBAL(probe_bytes), 64 * KIB, 64 * MIB },
        { "probe", "time", "5s",
          NULL, NULL, parse_duration, GLOBAL(probe_time_usec), USEC_PER_SEC, USEC_PER_MINUTE },
        { "probe", "connect_timeout", "3s",
          NULL, NULL, parse_duration, GLOBAL(connect_timeout_usec), 100 * USEC_PER_MSEC, 30 * USEC_PER_SEC },
        { "probe", "active", "auto",
          "auto|yes|no", NULL, parse_choice, GLOBAL(active), 0, 0 },
        { "probe", "trials", "off",
          "off", "auto", parse_choice, NO_TARGET, 0, 0 },
        { "probe", "user", "auto",
          "auto, a user's name or number", NULL, parse_user, GLOBAL(probe_user), 0, 0 },
        { "probe", "directory", ".",
          "a directory below the mount, without \"..\" and not absolute", NULL, parse_directory,
                  GLOBAL(probe_directory), 0, 0 },
        { "apply", "rules", "stale-io-size io-size-mismatch limit-below-size sync-client read-ahead",
          NULL, NULL, parse_rules, GLOBAL(apply_rules), 0, 0 },
        { "apply", "window", "",
          "parts of a day as 22:00-06:00, separated by blanks, or nothing for always", NULL, parse_windows,
                  GLOBAL(windows), 0, 0 },
        { "apply", "persist", "no",
          "yes or no", NULL, parse_flag, GLOBAL(persist), 0, 0 },
        { "apply", "min_gain", "10%",
          "a share from 0% to 100%", NULL, parse_percent, GLOBAL(min_gain_permille), 0, 1000 },
        { "mount", "path", "",
          "the absolute mount point, without \"..\"", NULL, parse_path, MOUNT(path), 0, 0 },
        { "mount", "mode", "",
          "|recommend|auto-remount", NULL, parse_choice, MOUNT(mode), 0, 0 },
        { "mount", "probe", "",
          "|active|passive|off", NULL, parse_choice, MOUNT(probe), 0, 0 },
        { "mount", "keep", "",
          "names of mount options separated by blanks, without values (keep = sync noac)", NULL, parse_keep,
                  MOUNT(keep), 0, 0 },
        { "mount", "export", "auto",
          "auto|sync|async", NULL, parse_choice, MOUNT(export_setting), 0, 0 },
        { "mount", "stable_storage", "no",
          "yes or no", NULL, parse_flag, MOUNT(stable_storage), 0, 0 },
};

/* Those whose change may ever be made without asking: a change of options that nobody can have wanted otherwise (the
 * fields `automatic` of policy/rules_*.c). */
static const enum rule appliable[] = {
        RULE_LIMIT_BELOW_SIZE, RULE_SYNC_CLIENT,     RULE_STALE_IO_SIZE,
        RULE_IO_SIZE_MISMATCH, RULE_LARGE_IO_STALL,  RULE_READ_AHEAD,
};

struct config_key_info config_key(size_t i)
{
        if (i >= CONFIG_KEYS)
                return (struct config_key_info){};
        return (struct config_key_info){ config_keys[i].section, config_keys[i].name, config_keys[i].fallback };
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

static bool is_word(const char *list, size_t n, const char *value)
{
        return n == strlen(value) && memcmp(list, value, n) == 0;
}

static int parse_choice(const struct config_key *key, const char *value, void *target, struct text *why)
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

static int parse_flag(const struct config_key *key, const char *value, void *target, struct text *why)
{
        bool yes = strcmp(value, "yes") == 0;

        (void) key;
        (void) why;
        if (!yes && strcmp(value, "no") != 0)
                return 1;
        *(bool *) target = yes;
        return 0;
}

static int store_in_range(const struct config_key *key, int r, uint64_t number, void *target)
{
        if (r < 0 || number < key->min || number > key->max)
                return 1;
        *(uint64_t *) target = number;
        return 0;
}

static int parse_duration(const struct config_key *key, const char *value, void *target, struct text *why)
{
        usec_t usec = 0;
        int r = duration_parse(value, &usec);

        if (r == -EINVAL && value[0] && strspn(value, "0123456789") == strlen(value))
                text_add(why, "the unit is missing");
        return store_in_range(key, r, usec, target);
}

static int parse_size(const struct config_key *key, const char *value, void *target, struct text *why)
{
        uint64_t bytes = 0;
        int r = size_parse(value, &bytes);

        (void) why;
        return store_in_range(key, r, bytes, target);
}

static int parse_user(const struct config_key *key, const char *value, void *target, struct text *why)
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

static int parse_directory(const struct config_key *key, const char *value, void *target, struct text *why)
{
        (void) key;
        (void) why;
        if (!path_stays_below(value))
                return 1;
        return copy_string(target, value) ? 0 : -ENOMEM;
}

static int parse_path(const struct config_key *key, const char *value, void *target, struct text *why)
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
static int parse_keep(const struct config_key *key, const char *value, void *target, struct text *why)
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

static bool is_appliable(const char *name, enum rule *ret)
{
        for (size_t i = 0; i < ARRAY_SIZE(appliable); i++)
                if (strcmp(rule_name(appliable[i]), name) == 0) {
                        *ret = appliable[i];
                        return true;
                }
        return false;
}

static void say_not_appliable(struct text *why, const char *word)
{
        enum rule rule;

        if (rule_parse(word, &rule) == 0) {
                text_add(why, "%s is never applied by itself", word);
                return;
        }
        text_add(why, "\"%s\" is no rule", word);
        for (size_t i = 0; i < ARRAY_SIZE(appliable); i++)
                if (word_is_near(word, rule_name(appliable[i]))) {
                        text_add(why, ", did you mean %s?", rule_name(appliable[i]));
                        return;
                }
}

/* No rule at all is a choice, too: nothing is applied by itself. */
static int parse_rules(const struct config_key *key, const char *value, void *target, struct text *why)
{
        uint64_t rules = 0;

        (void) key;
        for (size_t n; *(value += strspn(value, " \t")); value += n) {
                cleanup_free char *word = strndup(value, n = strcspn(value, " \t"));
                enum rule rule;

                if (!word)
                        return -ENOMEM;
                if (!is_appliable(word, &rule)) {
                        say_not_appliable(why, word);
                        return 1;
                }
                rules |= UINT64_C(1) << rule;
        }
        *(uint64_t *) target = rules;
        return 0;
}

/* The field is `windows`; n_windows stands beside it. */
static int parse_windows(const struct config_key *key, const char *value, void *target, struct text *why)
{
        struct params *p = (struct params *) ((char *) target - key->offset);
        const char *bad = "";
        int r = windows_parse(value, p->windows, &p->n_windows, &bad);

        if (r == -EINVAL)
                text_add(why, "\"%.*s\" is no part of a day", (int) strcspn(bad, " \t"), bad);
        else if (r < 0)
                text_add(why, "%s has more than %d parts", key->name, WINDOWS_MAX);
        return r < 0 ? 1 : 0;
}

static int parse_percent(const struct config_key *key, const char *value, void *target, struct text *why)
{
        uint64_t permille = 0;
        int r = percent_parse(value, &permille);

        if (r == -EINVAL && value[0] && strspn(value, "0123456789") == strlen(value))
                text_add(why, "the %% is missing");
        if (store_in_range(key, r, permille, &permille) != 0)
                return 1;
        *(unsigned *) target = (unsigned) permille;
        return 0;
}

static void add_appliable(struct text *t)
{
        text_add(t, "some of these, separated by blanks, or nothing:");
        for (size_t i = 0; i < ARRAY_SIZE(appliable); i++)
                text_add(t, " %s", rule_name(appliable[i]));
}

void config_key_add_allowed(struct text *t, const struct config_key *key)
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
        if (key->parse == parse_rules) {
                add_appliable(t);
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

/* The key of this section closest to @name, else of another section. */
const struct config_key *config_key_nearest(const char *section, const char *name)
{
        const struct config_key *best = NULL;
        unsigned best_distance = 0;

        for (size_t i = 0; i < CONFIG_KEYS; i++) {
                bool elsewhere = strcmp(config_keys[i].section, section) != 0;
                unsigned distance = 2 * word_distance(name, config_keys[i].name) + elsewhere;

                if (!word_is_near(name, config_keys[i].name) || (elsewhere && distance > 1))
                        continue;
                if (!best || distance < best_distance) {
                        best = &config_keys[i];
                        best_distance = distance;
                }
        }
        return best;
}

const struct config_key *config_key_find(const char *section, const char *name)
{
        for (size_t i = 0; i < CONFIG_KEYS; i++)
                if (strcmp(config_keys[i].section, section) == 0 && strcmp(config_keys[i].name, name) == 0)
                        return &config_keys[i];
        return NULL;
}

bool config_key_is_of_mount(const struct config_key *key)
{
        return strcmp(key->section, "mount") == 0;
}

int config_key_set(const struct config_key *key, const char *value, void *base, struct text *why)
{
        return key->parse(key, value, key->offset == NO_TARGET ? NULL : (char *) base + key->offset, why);
}
