/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/canonical.c - option strings in one spelling, and what of them does not
 * hold. See canonical.h. The order of effects is the kernel's: KERNEL-FACTS 1.2
 * (printed), 2.2 (noac and sync), 4.1 (sizes).
 */
#include "policy/canonical.h"

#include <errno.h>
#include <string.h>

#include "policy/sizes.h"
#include "policy/text.h"

static bool is_equal(const char *a, const char *b)
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

/* "hard=soft": a flag in our own spelling. */
static bool is_canonical_flag(const struct option_info *info, const char *value)
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
                if (strcmp(o->items[i].name, key) == 0 && is_equal(o->items[i].value, value))
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

        if (!is_equal(options_value(o, "ac"), "noac"))
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

static const char *fallback_of(const struct option_info *info, const struct options *canonical)
{
        if (strcmp(info->name, "timeo") == 0 && is_udp(canonical))
                return "11";
        if (strcmp(info->name, "retrans") == 0 && is_udp(canonical))
                return "3";
        return info->fallback;
}

/* Is each setting of @a in @b, said or by default? */
static bool is_covered(const struct options *a, const struct options *b)
{
        for (size_t i = 0; i < a->n_items; i++) {
                const struct mount_option *item = &a->items[i];
                const struct option_info *info = option_info(item->name);

                if (has_setting(b, item->name, item->value))
                        continue;
                if (!info || options_has(b, item->name) || !item->value ||
                    !is_equal(fallback_of(info, b), item->value))
                        return false;
        }
        return true;
}

int canonical_equal(const struct options *a, const struct options *b, bool *ret)
{
        cleanup(options_done) struct options x = { 0 }, y = { 0 };
        int r = canonical_make(a, &x);

        if (r == 0)
                r = canonical_make(b, &y);
        if (r < 0)
                return r;
        *ret = is_covered(&x, &y) && is_covered(&y, &x);
        return 0;
}

/* ---- differences: does the effective value fulfil the requested one? ------------------- */

/* 0 leaves the size to negotiation. */
static bool size_fulfils(const char *requested, const char *effective, const struct options *holds)
{
        struct nfs_options transport;
        uint64_t want, have;

        if (option_value_u64(requested, &want) < 0 || option_value_u64(effective, &have) < 0 || want == 0)
                return true;
        nfs_options_read(holds, &transport);
        return size_comes_from(have, want, &transport);
}

/* "4" asks for any 4.N; kernels that printed a bare "4" meant 4.0. */
static bool version_fulfils(const char *requested, const char *effective)
{
        if (strcmp(requested, "4") == 0)
                return *effective == '4';
        return is_equal(requested, effective) || (strcmp(requested, "4.0") == 0 && strcmp(effective, "4") == 0);
}

/* tcp6 is tcp to an IPv6 address. */
static bool transport_fulfils(const char *requested, const char *effective)
{
        size_t n = strcspn(requested, "6"), m = strcspn(effective, "6");

        return n == m && strncmp(requested, effective, n) == 0;
}

static bool list_fulfils(const char *list, const char *effective)
{
        size_t length = strlen(effective);

        for (; *list; list += *list == ':') {
                size_t n = strcspn(list, ":");

                if (n == length && strncmp(list, effective, n) == 0)
                        return true;
                list += n;
        }
        return false;
}

/* LSMs print the value without the quotes unless it has a comma. */
static bool text_fulfils(const char *requested, const char *effective)
{
        while (*requested || *effective) {
                if (*requested == '"')
                        requested++;
                else if (*effective == '"')
                        effective++;
                else if (*requested++ != *effective++)
                        return false;
        }
        return true;
}

static bool number_fulfils(const char *requested, const char *effective)
{
        uint64_t a, b;

        return option_value_u64(requested, &a) == 0 && option_value_u64(effective, &b) == 0 && a == b;
}

static bool fulfils(const struct option_info *info, const char *requested, const char *effective,
                    const struct options *holds)
{
        if (is_equal(requested, effective))
                return true;
        if (!requested || !effective)
                return false;
        if (info->kind == OPTION_SIZE && strcmp(info->name, "bsize") != 0)
                return size_fulfils(requested, effective, holds);
        if (info->kind == OPTION_NUMBER)
                return number_fulfils(requested, effective);
        if (strcmp(info->name, "vers") == 0)
                return version_fulfils(requested, effective);
        if (strcmp(info->name, "proto") == 0 || strcmp(info->name, "mountproto") == 0)
                return transport_fulfils(requested, effective);
        if (strcmp(info->name, "sec") == 0)
                return list_fulfils(requested, effective);
        /* Linux 6.1 does not print the name */
        if (strcmp(info->name, "fsc") == 0)
                return strcmp(requested, "nofsc") != 0 && strcmp(effective, "nofsc") != 0;
        return info->kind == OPTION_TEXT && text_fulfils(requested, effective);
}

/* ---- differences: what can be judged at all ----------------------------------------------- */

/* Does the kernel ever print a member of the family? Mostly the first one that is asked. */
static bool is_printed_family(const struct option_info *info)
{
        const struct option_info *member;

        if (info->printed != PRINTED_NEVER)
                return true;
        for (size_t i = 0; (member = option_info_at(i)); i++)
                if (member->printed != PRINTED_NEVER && strcmp(member->canonical, info->name) == 0)
                        return true;
        return false;
}

/* The row of the flag that holds ("soft" of "hard=soft"), else the family's own. */
static const struct option_info *member_of(const struct option_info *info, const char *value)
{
        const struct option_info *member = value ? option_info(value) : NULL;

        return member && strcmp(member->canonical, info->name) == 0 ? member : info;
}

/* nfs(5)'s sections: options of other versions are parsed and have no effect. */
static bool has_use(const char *key, const struct options *holds)
{
        static const char *const until_3[] = {
                "acl", "local_lock", "lock", "mountaddr", "mountport", "mountproto", "mountvers", "posix",
        };
        static const char *const from_4[] = { "clientaddr", "max_connect", "migration" };
        const char *version = options_value(holds, "vers");

        if (!version)
                return true;
        return *version == '4' ? !WORD_IS_ONE_OF(key, until_3)
                               : !WORD_IS_ONE_OF(key, from_4);
}

/* libmount leaves SELinux contexts out where SELinux is off. */
static bool absence_tells_nothing(const struct option_info *info, const char *value)
{
        static const char *const contexts[] = { "context", "defcontext", "fscontext", "rootcontext" };

        if (strcmp(info->name, "port") == 0)
                return is_equal(value, "2049") || is_equal(value, "0");
        return info->printed == PRINTED_ALWAYS || member_of(info, value)->printed == PRINTED_NEVER ||
               WORD_IS_ONE_OF(info->name, contexts);
}

/* mount.nfs writes addr; the kernel hides serial numbers. */
static bool is_comparable(const char *key)
{
        static const char *const others[] = { "addr", "cert_serial", "privkey_serial" };

        return !WORD_IS_ONE_OF(key, others);
}

/* With any other value the mount would have failed. */
static bool is_valid(const struct option_info *info, const char *value)
{
        if (!value)
                return false;
        if (info->kind == OPTION_FLAG)
                return is_canonical_flag(info, value);
        return info->kind == OPTION_FLAG_OR_TEXT || option_value_is_valid(info, value);
}

static bool is_judged(const struct option_info *info, const char *value, const struct options *wanted,
                      const struct options *holds)
{
        if ((info->reader != READER_KERNEL && info->reader != READER_VFS) || info->until)
                return false;
        if (!is_valid(info, value) || !is_printed_family(info) || !is_comparable(info->name) ||
            !has_use(info->name, holds))
                return false;
        /* lock and nolock override it */
        if (strcmp(info->name, "local_lock") == 0 && options_has(wanted, "lock"))
                return false;
        /* printed as one of the two that it stands for */
        return strcmp(info->name, "fatal_neterrors") != 0 || strcmp(value, "default") != 0;
}

/* What noac brings needs no word of its own when noac itself does not hold. */
static bool is_part_of_noac(const char *key, const struct options *wanted, const struct options *holds)
{
        static const char *const parts[] = { "acdirmax", "acdirmin", "acregmax", "acregmin", "sync" };

        return WORD_IS_ONE_OF(key, parts) && is_equal(options_value(wanted, "ac"), "noac") &&
               !is_equal(options_value(holds, "ac"), "noac");
}

static bool is_different(const struct option_info *info, const char *value, const struct options *wanted,
                         const struct options *holds)
{
        const struct mount_option *effective = options_find(holds, info->name);

        if (!is_judged(info, value, wanted, holds) || is_part_of_noac(info->name, wanted, holds))
                return false;
        if (effective)
                return !fulfils(info, value, effective->value, holds);
        return !absence_tells_nothing(info, value) && !fulfils(info, value, fallback_of(info, holds), holds);
}

/* ---- differences: the list ------------------------------------------------------------------ */

/* As one would write it: "soft" for hard=soft, "fsc" for fsc=fsc. */
static char *plain_text(const struct option_info *info, const char *value)
{
        cleanup(text_done) struct text t = { 0 };
        bool flag = value && (info->kind == OPTION_FLAG || info->kind == OPTION_FLAG_OR_TEXT);

        if (flag && (member_of(info, value) != info || strcmp(value, info->name) == 0))
                text_add(&t, "%s", value);
        else
                text_add_option(&t, &(struct mount_option){ .name = (char *)info->name, .value = (char *)value });
        return text_take(&t);
}

static void difference_done(struct difference *d)
{
        free(d->requested);
        free(d->effective);
}

void differences_done(struct difference *d, size_t n)
{
        for (size_t i = 0; i < n; i++)
                difference_done(&d[i]);
        free(d);
}

static int difference_make(const struct option_info *info, const char *value, const struct options *holds,
                           struct difference *ret)
{
        const struct mount_option *effective = options_find(holds, info->name);
        struct difference d = { .info = info, .requested = plain_text(info, value) };

        if (d.requested && effective)
                d.effective = plain_text(info, effective->value);
        if (!d.requested || (effective && !d.effective)) {
                difference_done(&d);
                return -ENOMEM;
        }
        *ret = d;
        return 0;
}

static int collect(const struct options *wanted, const struct options *holds, struct difference *d, size_t *n)
{
        for (size_t i = 0; i < wanted->n_items; i++) {
                const struct mount_option *item = &wanted->items[i];
                const struct option_info *info = option_info(item->name);
                int r;

                if (!info || !is_different(info, item->value, wanted, holds))
                        continue;
                r = difference_make(info, item->value, holds, &d[*n]);
                if (r < 0)
                        return r;
                ++*n;
        }
        return 0;
}

static int effective_make(const struct options *effective, struct options *ret)
{
        int r = canonical_make(effective, ret);

        return r == 0 && options_has(effective, "ro") ? options_set(ret, "rw", "ro") : r;
}

int differences_find(const struct options *requested, const struct options *effective, struct difference **ret,
                     size_t *ret_n)
{
        cleanup(options_done) struct options wanted = { 0 }, holds = { 0 };
        struct difference *d;
        size_t n = 0;
        int r = canonical_make(requested, &wanted);

        if (r == 0)
                r = effective_make(effective, &holds);
        if (r < 0)
                return r;
        d = calloc(MAX(wanted.n_items, (size_t)1), sizeof(*d));
        r = d ? collect(&wanted, &holds, d, &n) : -ENOMEM;
        if (r < 0) {
                differences_done(d, n);
                return r;
        }
        *ret = d;
        *ret_n = n;
        return 0;
}
