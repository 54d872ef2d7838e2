/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An option string through everything that reads one. Up to the first newline
 * it is what was asked for, behind it what is effective.
 */
#include <string.h>

#include "policy/canonical.h"
#include "policy/differences.h"
#include "policy/lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Printing gives back what was read: every plan rests on it. */
static void round_trip(const struct options *o, const char *text, size_t length)
{
        cleanup_free char *printed = options_format(o);

        if (printed && (strlen(printed) != length || memcmp(printed, text, length) != 0))
                abort();
}

static void judge(const struct options *asked, const struct options *effective, bool newline)
{
        struct options canonical = { 0 };
        struct difference *d = NULL;
        struct lint lint = { 0 };
        struct nfs_options n;
        size_t n_d = 0;

        nfs_options_read(asked, &n);
        if (canonical_make(asked, &canonical) == 0)
                options_done(&canonical);
        if (differences_find(asked, effective, &d, &n_d) == 0)
                differences_done(d, n_d);
        if (lint_options(asked, newline, &lint) == 0)
                lint_done(&lint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        const char *text = (const char *)data, *newline = size > 0 ? memchr(text, '\n', size) : NULL;
        size_t n = newline ? (size_t)(newline - text) : size;
        struct options asked = { 0 }, effective = { 0 };

        if (options_parse(text, n, &asked) == 0) {
                round_trip(&asked, text, n);
                if (newline && options_parse(newline + 1, size - n - 1, &effective) < 0)
                        effective = (struct options){ 0 };
                judge(&asked, &effective, newline != NULL);
        }
        options_done(&asked);
        options_done(&effective);
        return 0;
}
