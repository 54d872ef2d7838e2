/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/cmdline.c - the one parameter that makes an NFS root.
 */
#include "probe/cmdline.h"

#include <errno.h>
#include <string.h>

#include "probe/file.h"
#include "probe/lines.h"

#define CMDLINE_BYTES_MAX (64 * KIB)

static const char *word_end(const char *p, const char *end)
{
        bool quoted = false;

        for (; p < end; p++) {
                if (*p == '"')
                        quoted = !quoted;
                else if (!quoted && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\0'))
                        break;
        }
        return p;
}

/* @word: "nfsroot=...". The options begin at the first comma: a root directory
 * cannot hold one. */
static int nfsroot_read(const char *word, size_t length, struct nfsroot *n)
{
        const char *comma = memchr(word, ',', length);
        const char *options = comma ? comma + 1 : word + length;

        nfsroot_done(n);
        n->text = strndup(word, length);
        n->options_text = strndup(options, (size_t)(word + length - options));
        n->found = true;
        return n->text && n->options_text ? 0 : -ENOMEM;
}

int cmdline_parse(const char *text, size_t length_bytes, struct nfsroot *ret)
{
        cleanup(nfsroot_done) struct nfsroot n = { 0 };
        const char *end = text + length_bytes;

        for (const char *word = text; word < end;) {
                const char *stop = word_end(word, end);
                size_t length = (size_t)(stop - word);

                if (text_starts(word, length, "nfsroot=")) {
                        int r = nfsroot_read(word, length, &n);

                        if (r < 0)
                                return r;
                }
                word = stop < end ? stop + 1 : end;
        }
        *ret = n;
        n = (struct nfsroot){ 0 };
        return 0;
}

int cmdline_read(const char *path, struct nfsroot *ret)
{
        cleanup_free char *text = NULL;
        size_t length;
        int r = file_read(path, CMDLINE_BYTES_MAX, &text, &length);

        return r < 0 ? r : cmdline_parse(text, length, ret);
}

void nfsroot_done(struct nfsroot *n)
{
        free(n->text);
        free(n->options_text);
        *n = (struct nfsroot){ 0 };
}
