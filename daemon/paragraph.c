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

static void add_word(struct text *t, const char *word, size_t n)
{
        text_add_bytes(t, word, n);
        for (size_t i = t->failed ? n : 0; i < n; i++)
                if (word[i] == PAGE_GLUE)
                        t->data[t->length_bytes - n + i] = ' ';
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
                add_word(t, words, n);
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

/* ---- commands -------------------------------------------------------------------- */

/* Length of the word as a shell reads it: a blank in quotes belongs to it. A quote without an end is an apostrophe. */
static size_t shell_word_length(const char *word)
{
        char quote = '\0';
        size_t n = 0;

        for (; word[n] && (quote || word[n] != ' '); n++) {
                if (quote)
                        quote = word[n] == quote ? '\0' : quote;
                else if (word[n] == '\'' || word[n] == '"')
                        quote = word[n];
                else if (word[n] == '\\' && word[n + 1])
                        n++;
        }
        return quote ? strcspn(word, " ") : n;
}

/* Does a command begin with @word? Return: NULL, or the characters of which the last one of a command is followed by
 * words again. A rule of udev is full of commas. */
static const char *command_ends(const char *words, const char *word, size_t n)
{
        static const char *const programs[] = { "mount", "umount", "systemctl", "echo", "exportfs",
                                                "nfstunectl" };
        size_t before = (size_t) (word - words);

        if (before >= 2 && !strchr(",;:", word[-2]) && (before < 5 || memcmp(word - 5, "then ", 5) != 0))
                return NULL;
        if (strncmp(word, "ACTION==", 8) == 0)
                return ";";
        for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
                if (strlen(programs[i]) == n && memcmp(word, programs[i], n) == 0)
                        return ",;.";
        return NULL;
}

/* Joins what belongs together with PAGE_GLUE. */
static void glue_commands(char *words)
{
        const char *ends = NULL;        /* not NULL: the word before belongs to a command */

        for (char *word = words; *(word += strspn(word, " "));) {
                bool goes_on = ends && *word != '(' && strncmp(word, "takes ", 6) != 0;
                size_t n = goes_on || *word == '\'' ? shell_word_length(word) : strcspn(word, " ");

                if (goes_on)
                        word[-1] = PAGE_GLUE;
                for (size_t i = 0; i < n; i++)
                        if (word[i] == ' ')
                                word[i] = PAGE_GLUE;
                if (!goes_on)
                        ends = command_ends(words, word, n);
                if (ends && strchr(ends, word[n - 1]))
                        ends = NULL;
                word += n;
        }
}

void page_add_commands(struct page *p, size_t indent, const char *label, const char *words)
{
        struct text t = {};

        text_add_printable(&t, words);
        if (t.data)
                glue_commands(t.data);
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
