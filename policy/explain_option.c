/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/explain_option.c - what an option means, one paragraph per line. See explain.h. */
#include "policy/explain.h"

#include <inttypes.h>
#include <string.h>

/* The row of the whole family: its words hold for a spelling without words of its own. */
static const struct option_info *family_of(const struct option_info *i)
{
        const struct option_info *family = option_info(i->canonical);

        return family ? family : i;
}

static bool is_prefix(const struct option_info *i)
{
        return strcmp(i->name, "x-") == 0 || strcmp(i->name, "X-") == 0;
}

static void add_words(struct text *t, const struct option_info *i)
{
        for (const char *const *w = i->words; *w; w++)
                text_add(t, "%s%s", w == i->words ? "" : ", ", *w);
}

/* ---- lines ---------------------------------------------------------------------- */

/* "rsize=BYTES", "rdirplus[=WORD]" */
static void add_synopsis(struct text *t, const struct option_info *i)
{
        text_add(t, "%s", i->name);
        if (is_prefix(i))
                text_add(t, "NAME[=TEXT]");
        else if (i->kind == OPTION_FLAG_OR_TEXT)
                text_add(t, "[=");
        else if (i->kind != OPTION_FLAG)
                text_add(t, "=");
        if (i->words)
                text_add(t, "WORD");
        else if (i->kind == OPTION_SIZE)
                text_add(t, "BYTES");
        else if (i->kind == OPTION_NUMBER)
                text_add(t, "N");
        else if (i->kind != OPTION_FLAG && !is_prefix(i))
                text_add(t, "TEXT");
        text_add(t, "%s\n", i->kind == OPTION_FLAG_OR_TEXT && !is_prefix(i) ? "]" : "");
}

static void add_number(struct text *t, const struct option_info *i)
{
        if (i->max == 0)
                text_add(t, "from %" PRIu64 " up", i->min);
        else if (i->max >= INT32_MAX)
                text_add(t, "a whole number from %" PRIu64 " up", i->min);
        else
                text_add(t, "%" PRIu64 " to %" PRIu64, i->min, i->max);
}

static void add_values(struct text *t, const struct option_info *i)
{
        if (i->kind == OPTION_FLAG || is_prefix(i) || (i->kind != OPTION_NUMBER && !i->words && !i->unit))
                return;
        text_add(t, "Values: ");
        if (i->words)
                add_words(t, i);
        else if (i->kind == OPTION_NUMBER)
                add_number(t, i);
        else if (i->kind == OPTION_SIZE)
                text_add(t, "a whole number");
        if (i->unit)
                text_add(t, "%s%s", i->kind == OPTION_TEXT ? "" : ", in ", i->unit);
        text_add(t, ".\n");
}

static void add_default(struct text *t, const struct option_info *i)
{
        bool with_unit = i->kind == OPTION_NUMBER && i->unit;

        if (i->fallback)
                text_add(t, "Default: %s%s%s.\n", i->fallback, with_unit ? " " : "", with_unit ? i->unit : "");
        else if (family_of(i)->printed == PRINTED_ALWAYS && i->kind != OPTION_TEXT)
                text_add(t, "Default: none; client and server agree on it.\n");
}

/* "Same setting: nfsvers=, v3, v4. The last one written counts." */
static void add_family(struct text *t, const struct option_info *i)
{
        const struct option_info *other;
        bool any = false;

        for (size_t n = 0; (other = option_info_at(n)); n++) {
                if (other == i || strcmp(other->canonical, i->canonical) != 0)
                        continue;
                text_add(t, "%s%s%s", any ? ", " : "Same setting: ", other->name,
                         other->kind == OPTION_FLAG || other->kind == OPTION_FLAG_OR_TEXT ? "" : "=");
                any = true;
        }
        if (any)
                text_add(t, ". The last one written counts.\n");
}

static bool reaches_kernel(const struct option_info *i)
{
        return i->reader == READER_KERNEL || i->reader == READER_VFS;
}

static void add_printed(struct text *t, const struct option_info *i)
{
        const struct option_info *family = family_of(i);

        if (!reaches_kernel(i))
                text_add(t, "In the mount table: never; the kernel does nothing with it.\n");
        else if (i->printed == PRINTED_ALWAYS)
                text_add(t, "In the mount table: the value that holds, whatever was asked for.\n");
        else if (i->printed == PRINTED_WHEN_SET)
                text_add(t, "In the mount table: when it is in effect and not the default.\n");
        else if (family != i && family->printed == PRINTED_ALWAYS && family->kind != OPTION_FLAG)
                text_add(t, "In the mount table: as %s=.\n", family->name);
        else
                text_add(t, "In the mount table: never.\n");
}

static void add_remount(struct text *t, const struct option_info *i)
{
        static const char *const words[] = {
                [REMOUNT_LIVE] = "a remount changes it at once",
                [REMOUNT_REFUSED] = "a remount that asks for another value is refused",
                [REMOUNT_IGNORED] = "a remount takes it and changes nothing",
                [REMOUNT_NOT_SEEN] = "a remount changes nothing about it",
        };
        bool by_new_mount = reaches_kernel(i) && !i->until &&
                            (i->remount == REMOUNT_REFUSED || i->remount == REMOUNT_IGNORED);

        text_add(t, "Remount: %s%s.\n", words[i->remount], by_new_mount ? "; only a new mount changes it" : "");
}

static void add_kernels(struct text *t, const struct option_info *i)
{
        if (i->since)
                text_add(t, "Kernel: since Linux %s.\n", i->since);
        if (i->until)
                text_add(t, "Kernel: has an effect until Linux %s only.\n", i->until);
}

void text_add_option_help(struct text *t, const struct option_info *i)
{
        const char *detail = i->detail ? i->detail : family_of(i)->detail;

        add_synopsis(t, i);
        text_add(t, "%s\n", i->summary);
        add_values(t, i);
        add_default(t, i);
        add_family(t, i);
        add_printed(t, i);
        add_remount(t, i);
        add_kernels(t, i);
        if (i->obsolete)
                text_add(t, "Obsolete: %s.\n", i->obsolete);
        if (detail)
                text_add(t, "\n%s\n", detail);
}
