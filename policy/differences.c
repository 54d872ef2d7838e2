/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/differences.c - what was asked for and does not hold. See differences.h.
 * What the kernel prints: KERNEL-FACTS 1.2; what it makes of sizes: 4.1.
 */
#include "policy/differences.h"

#include <errno.h>
#include <string.h>

#include "policy/canonical.h"
#include "policy/sizes.h"

/* ---- does the effective value fulfil the requested one? ------------------------------ */

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
        return values_equal(requested, effective) || (strcmp(requested, "4.0") == 0 && strcmp(effective, "4") == 0);
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
        if (values_equal(requested, effective))
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

/* ---- what can be judged at all --------------------------------------------------------- */

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
                return values_equal(value, "2049") || values_equal(value, "0");
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

        return WORD_IS_ONE_OF(key, parts) && values_equal(options_value(wanted, "ac"), "noac") &&
               !values_equal(options_value(holds, "ac"), "noac");
}

static bool is_different(const struct option_info *info, const char *value, const struct options *wanted,
                         const struct options *holds)
{
        const struct mount_option *effective = options_find(holds, info->name);

        if (!is_judged(info, value, wanted, holds) || is_part_of_noac(info->name, wanted, holds))
                return false;
        if (effective)
                return !fulfils(info, value, effective->value, holds);
        return !absence_tells_nothing(info, value) && !fulfils(info, value, canonical_fallback(holds, info), holds);
}

/* ---- the list --------------------------------------------------------------------------- */

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
