/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for a terminal. See paragraph.h. */

#include "daemon/paragraph.h"

#include <errno.h>
#include <string.h>

#include "daemon/utf8.h"

#define LABEL_COLUMNS 14

const struct style style_plain = { "", "", "", "", "" };
const struct style style_color = { "\033[1m", "\033[1;31m", "\033[1;33m", "\033[1;32m", "\033[0m" };

/* Columns that @n bytes take: a byte that continues a character takes none. */
static size_t columns(const char *s, size_t n)
{
        size_t count = 0;

        for (size_t i = 0; i < n; i++)
                count += ((unsigned char) s[i] & 0xc0) != 0x80;
        return count;
}

void text_add_wrapped(struct text *t, const char *words, size_t column, size_t indent)
{
        bool first = true;

        for (size_t n; *(words += strspn(words, " \n")); words += n) {
                n = strcspn(words, " \n");
                if (!first && column + 1 + columns(words, n) > PAGE_COLUMNS) {
                        text_add(t, "\n%*s", (int) indent, "");
                        column = indent;
                } else if (!first) {
                        text_add(t, " ");
                        column++;
                }
                text_add_bytes(t, words, n);
                column += columns(words, n);
                first = false;
        }
        text_add(t, "\n");
}

void page_add_line(struct page *p, size_t indent, const char *label, struct text *words)
{
        size_t column = indent + LABEL_COLUMNS;

        p->t.failed |= words->failed;
        if (words->length_bytes > 0) {
                text_add(&p->t, "%*s%-*s", (int) indent, "", LABEL_COLUMNS, label);
                text_add_wrapped(&p->t, words->data, column, column);
        }
        text_done(words);
}

void page_add_words(struct page *p, size_t indent, const char *label, const char *words)
{
        struct text t = {};

        text_add_printable(&t, words);
        page_add_line(p, indent, label, &t);
}

void page_add_text(struct page *p, size_t indent, struct text *words)
{
        p->t.failed |= words->failed;
        if (words->length_bytes > 0) {
                text_add(&p->t, "%*s", (int) indent, "");
                text_add_wrapped(&p->t, words->data, indent, indent);
        }
        text_done(words);
}

void page_add_paragraph(struct page *p, size_t indent, const char *words)
{
        struct text t = {};

        text_add_printable(&t, words);
        page_add_text(p, indent, &t);
}

int page_print(struct page *p, FILE *out)
{
        cleanup_free char *whole = text_take(&p->t);

        if (!whole)
                return -ENOMEM;
        errno = 0;
        if (fputs(whole, out) == EOF || fflush(out) != 0)
                return errno ? -errno : -EIO;
        return 0;
}
