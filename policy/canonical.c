/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/canonical.c - option strings in one spelling. See canonical.h. The order
 * of effects is the kernel's: KERNEL-FACTS 2.2 (noac and sync).
 */
#include "policy/canonical.h"

#include <errno.h>
#include <string.h>

#include "policy/text.h"

bool values_equal(const char *a, const char *b)
{
        return a == b || (a && b && strcmp(a, b) == 0);
}

/* ---- one option: family and value ------------------------------------------------ */

struct setting {
        const struct option_info *info; /* NULL: unknown name */
        const char *key;
        const char *value;              /* borrowed, or written_out; NULL: none */
        char *written_out;
};

static void setting_done(struct setting *s)
{
        free(s->written_out);
}

/* Two spellings of one value. */
static const char *common_spelling(const char *key, const char *value)
{
        static const struct {
                const char *key, *value, *common;
        } spellings[] = {
                { "fatal_neterrors", "ENETUNREACH:ENETDOWN", "ENETDOWN:ENETUNREACH" },
                { "lookupcache", "positive", "pos" },
                { "rdirplus", "none", "nordirplus" },
                { "sec", "null", "none" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
                if (strcmp(key, spellings[i].key) == 0 && strcmp(value, spellings[i].value) == 0)
                        return spellings[i].common;
        return value;
}

bool is_canonical_flag(const struct option_info *info, const char *value)
{
        const struct option_info *flag = option_info(value);

        return flag && flag->kind == OPTION_FLAG && strcmp(flag->canonical, info->name) == 0;
}

/* 32k is 32768. What is no size stays as it is. */
static int write_out_size(const struct mount_option *item, struct setting *s)
{
        cleanup(text_done) struct text t = { 0 };
        uint64_t bytes;

        if (option_value_u64(item->value, &bytes) < 0)
                return 0;
        text_add(&t, "%llu", (unsigned long long)bytes);
        s->written_out = text_take(&t);
        if (!s->written_out)
                return -ENOMEM;
        s->value = s->written_out;
        return 0;
}

static int setting_read(const struct mount_option *item, struct setting *ret)
{
        const struct option_info *info = option_info(item->name);

        *ret = (struct setting){ .info = info, .key = item->name, .value = item->value };
        if (!info)
                return 0;
        if (!item->value) {
                ret->key = info->canonical;
                ret->value = info->canonical_value;
                return 0;
        }
        if (info->kind == OPTION_FLAG) {
                /* the kernel refuses "nosuid=1": the name stays, so that nobody takes it for a setting */
                if (!is_canonical_flag(info, item->value))
                        ret->info = NULL;
                return 0;
        }
        ret->key = info->canonical;
        ret->value = common_spelling(ret->key, item->value);
        return info->kind == OPTION_SIZE ? write_out_size(item, ret) : 0;
}

static bool carries_a_setting(const struct mount_option *item, const struct setting *s)
{
        static const char *const notes[] = { "X-", "comment", "defaults", "x-" };

        if (!s->info)
                return *item->name || item->value;
        return !WORD_IS_ONE_OF(s->info->name, notes);
}

/* ---- the list -------------------------------------------------------------------- */

/* systemd takes all of several. */
static bool may_repeat(const struct setting *s)
{
        return s->info && s->info->reader == READER_SYSTEMD && s->info->kind == OPTION_TEXT && !s->info->unit;
}

static bool has_setting(const struct options *o, const char *key, const char *value)
{
        for (size_t i = 0; i < o->n_items; i++)
                if (strcmp(o->items[i].name, key) == 0 && values_equal(o->items[i].value, value))
                        return true;
        return false;
}

static int put(struct options *o, const struct setting *s)
{
        if (!may_repeat(s))
                return options_set(o, s->key, s->value);
        return has_setting(o, s->key, s->value) ? 0 : options_add(o, s->key, s->value);
}

struct pair {
        const char *key, *value;
};

static int set_all(struct options *o, const struct pair *pairs, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                int r = options_set(o, pairs[i].key, pairs[i].value);

                if (r < 0)
                        return r;
        }
        return 0;
}

/* ---- what one option brings along ---------------------------------------------------- */

static int set_attribute_times(struct options *o, const char *seconds)
{
        const struct pair times[] = {
                { "acdirmax", seconds }, { "acdirmin", seconds }, { "acregmax", seconds }, { "acregmin", seconds },
        };

        return set_all(o, times, ARRAY_SIZE(times));
}

static bool is_actimeo(const struct setting *s)
{
        return s->info && strcmp(s->key, "actimeo") == 0 && option_value_is_valid(s->info, s->value);
}

/* Only what stands after it can undo it. */
static int imply(struct options *o, const char *flag)
{
        static const struct {
                const char *flag;
                struct pair pair;
        } implied[] = {
                { "group",   { "dev",       "nodev"     } }, { "group",   { "suid",      "nosuid"    } },
                { "owner",   { "dev",       "nodev"     } }, { "owner",   { "suid",      "nosuid"    } },
                { "softerr", { "softreval", "softreval" } },
                { "user",    { "dev",       "nodev"     } }, { "user",    { "exec",      "noexec"    } },
                { "user",    { "suid",      "nosuid"    } },
                { "users",   { "dev",       "nodev"     } }, { "users",   { "exec",      "noexec"    } },
                { "users",   { "suid",      "nosuid"    } },
        };

        if (strcmp(flag, "hard") == 0)
                options_drop(o, "softreval");
        for (size_t i = 0; i < ARRAY_SIZE(implied); i++)
                if (strcmp(flag, implied[i].flag) == 0) {
                        int r = set_all(o, &implied[i].pair, 1);

                        if (r < 0)
                                return r;
                }
        return 0;
}

static int take(struct options *o, const struct mount_option *item)
{
        cleanup(setting_done) struct setting s = { 0 };
        int r = setting_read(item, &s);

        if (r < 0 || !carries_a_setting(item, &s))
                return r;
        if (is_actimeo(&s))
                return set_attribute_times(o, s.value);
        r = put(o, &s);
        /* our own spelling has everything spelt out already */
        return r < 0 || item->value ? r : imply(o, item->name);
}

/* The kernel looks at noac when all options are read. */
static int finish_noac(struct options *o)
{
        int r;

        if (!values_equal(options_value(o, "ac"), "noac"))
                return 0;
        r = options_set(o, "sync", "sync");
        return r < 0 ? r : set_attribute_times(o, "0");
}

static int finish_version(struct options *o)
{
        const char *version = options_value(o, "vers"), *minor = options_value(o, "minorversion");
        char joined[] = "4.N";

        if (!minor || !option_value_is_valid(option_info("minorversion"), minor) || minor[1] != '\0')
                return 0;
        if (version && *version != '4')
                return 0;
        joined[2] = *minor;
        options_drop(o, "minorversion");
        return version && version[1] ? 0 : options_set(o, "vers", joined);
}

static int compare_settings(const void *a, const void *b)
{
        const struct mount_option *x = a, *y = b;
        int r = strcmp(x->name, y->name);

        return r != 0 ? r : strcmp(x->value ? x->value : "", y->value ? y->value : "");
}

int canonical_make(const struct options *o, struct options *ret)
{
        cleanup(options_done) struct options c = { 0 };
        int r = 0;

        for (size_t i = 0; i < o->n_items && r == 0; i++)
                r = take(&c, &o->items[i]);
        if (r == 0)
                r = finish_noac(&c);
        if (r == 0)
                r = finish_version(&c);
        if (r < 0)
                return r;
        if (c.n_items > 0)
                qsort(c.items, c.n_items, sizeof(c.items[0]), compare_settings);
        *ret = c;
        c = (struct options){ 0 };
        return 0;
}

/* ---- what holds when nothing is said ------------------------------------------------ */

static bool is_udp(const struct options *canonical)
{
        const char *proto = options_value(canonical, "proto");

        return proto && strncmp(proto, "udp", 3) == 0;
}

const char *canonical_fallback(const struct options *canonical, const struct option_info *info)
{
        if (strcmp(info->name, "timeo") == 0 && is_udp(canonical))
                return "11";
        if (strcmp(info->name, "retrans") == 0 && is_udp(canonical))
                return "3";
        return info->fallback;
}

const char *canonical_value(const struct options *canonical, const char *key)
{
        const struct mount_option *said = options_find(canonical, key);
        const struct option_info *info = option_info(key);

        if (said)
                return said->value;
        return info ? canonical_fallback(canonical, info) : NULL;
}
