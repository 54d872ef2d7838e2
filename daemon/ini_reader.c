/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A strict line reader with inih behind it. See ini_reader.h.
 *
 * inih splits "key = value" and calls back without line numbers; it joins
 * indented lines, cuts long ones and section names, and goes on after a bad
 * line. So our reader looks at every line first, keeps the section and the line
 * number itself, and hands inih only lines on which both agree.
 */

#include "daemon/ini_reader.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "daemon/utf8.h"
#include "probe/file.h"

#define FILE_BYTES_MAX (256 * KIB)
#define LINE_BYTES_MAX 190      /* inih takes 200 with its line end and NUL */
#define SECTION_BYTES_MAX 49    /* inih cuts the rest off */
#define ERRORS_MAX 50           /* more would not be read; the count is told */

void ini_reader_done(struct ini_reader *r)
{
        text_done(&r->errors);
        free(r->file);
        *r = (struct ini_reader){};
}

/* ---- errors ---------------------------------------------------------------------------- */

char *ini_printable(const char *raw)
{
        struct text t = {};

        text_add_printable(&t, raw);
        return text_take(&t);
}

bool ini_error_begin(struct ini_reader *r, const char *file, unsigned line)
{
        if (++r->n_errors > ERRORS_MAX)
                return false;
        if (line > 0)
                text_add(&r->errors, "%s:%u: ", file, line);
        else
                text_add(&r->errors, "%s: ", file);
        return true;
}

void ini_error(struct ini_reader *r, const char *format, ...)
{
        char words[512];
        va_list arguments;

        if (!ini_error_begin(r, r->file, r->line))
                return;
        va_start(arguments, format);
        (void) vsnprintf(words, sizeof(words), format, arguments); /* a cut message is better than none */
        va_end(arguments);
        text_add(&r->errors, "%s\n", words);
}

bool ini_error_bad_value(struct ini_reader *r, const char *name, const char *value, const char *why)
{
        cleanup_free char *shown = ini_printable(value);

        r->out_of_memory |= !shown;
        if (!shown || !ini_error_begin(r, r->file, r->line))
                return false;
        if (why[0])
                text_add(&r->errors, "%s", why);
        else if (value[0])
                text_add(&r->errors, "bad value \"%s\" for %s", shown, name);
        else
                text_add(&r->errors, "%s has no value", name);
        text_add(&r->errors, "; write ");
        return true;
}

/* ---- lines ------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
        return c == ' ' || c == '\t';
}

/* Length without the comment and the blanks before it. */
static size_t strip_comment(const char *s, size_t n)
{
        size_t start = 0;

        while (start < n && is_blank(s[start]))
                start++;
        if (start < n && (s[start] == ';' || s[start] == '#'))
                return 0;
        for (size_t i = 1; i < n; i++)
                if (s[i] == ';' && is_blank(s[i - 1]))
                        n = i;
        while (n > 0 && is_blank(s[n - 1]))
                n--;
        return n;
}

static bool has_control(const char *s, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (((unsigned char) s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7f)
                        return true;
        return false;
}

/* "[name]" and nothing behind it. */
static void read_header(struct ini_reader *r, const char *s, size_t n)
{
        cleanup_free char *name = NULL;
        const char *close = memchr(s, ']', n);

        r->skip = true;
        r->section_begun = true;
        if (!close || close != s + n - 1) {
                ini_error(r, close ? "something stands behind the section's ]; move it to a line of its own" :
                                      "the section's ] is missing");
                return;
        }
        s++;
        n -= 2;
        while (n > 0 && is_blank(s[0])) {
                s++;
                n--;
        }
        while (n > 0 && is_blank(s[n - 1]))
                n--;
        if (n > SECTION_BYTES_MAX) {
                ini_error(r, "the section's name is longer than %d bytes; shorten it, the path has its own key",
                          SECTION_BYTES_MAX);
                return;
        }
        name = strndup(s, n);
        if (!name)
                r->out_of_memory = true;
        else
                r->on_section(r->userdata, name);
}

/* May inih have this line? Errors are told here. */
static bool check_line(struct ini_reader *r, const char *s, size_t n)
{
        if (has_control(s, n)) {
                ini_error(r, "a NUL byte or another control character stands in the line; this must be a text file");
                return false;
        }
        if (!utf8_is_valid(s, n)) {
                ini_error(r, "the line is not UTF-8; convert the file");
                return false;
        }
        n = strip_comment(s, n);
        if (n == 0)
                return false;
        if (is_blank(s[0])) {
                ini_error(r, "the line is indented, and lines cannot be continued; remove the blanks before it");
                return false;
        }
        if (n > LINE_BYTES_MAX) {
                ini_error(r, "the line is longer than %d bytes; shorten it", LINE_BYTES_MAX);
                return false;
        }
        if (s[0] == '[') {
                read_header(r, s, n);
                return false;
        }
        if (!memchr(s, '=', n) || s[strcspn(s, "=:")] == ':' || s[0] == '=') {
                ini_error(r, "this is no \"key = value\" line");
                return false;
        }
        if (!r->section_begun) {
                ini_error(r, "the key stands before the first section; put it below %s", r->some_section);
                return false;
        }
        return !r->skip;
}

/* ini_reader: the next line that is good, stripped; an empty one for the others. */
static char *read_line(char *buffer, int size, void *userdata)
{
        struct ini_reader *r = userdata;
        const char *start = r->at;
        const char *newline;
        size_t n;

        if (r->at == r->end || r->out_of_memory)
                return NULL;
        newline = memchr(start, '\n', (size_t) (r->end - start));
        n = (size_t) ((newline ? newline : r->end) - start);
        r->at = newline ? newline + 1 : r->end;
        r->line++;
        if (n > 0 && start[n - 1] == '\r')
                n--;
        buffer[0] = '\0';
        if (!check_line(r, start, n))
                return buffer;
        n = strip_comment(start, n);
        if (n >= (size_t) size) {
                ini_error(r, "the line is too long; shorten it");
                return buffer;
        }
        memcpy(buffer, start, n);
        buffer[n] = '\0';
        return buffer;
}

/* inih's convention: non-zero is good. Our errors are kept in @userdata. */
static int on_key(void *userdata, const char *section, const char *name, const char *value)
{
        struct ini_reader *r = userdata;

        (void) section; /* cut at 49 bytes; the reader knows better */
        if (!r->skip)
                r->on_key(r->userdata, name, value ? value : "");
        return 1;
}

/* ---- files ------------------------------------------------------------------------------- */

int ini_reader_begin(struct ini_reader *r, const char *name)
{
        char *shown = ini_printable(name);

        if (!shown)
                return -ENOMEM;
        free(r->file);
        r->file = shown;
        r->line = 0;
        r->skip = true;
        r->section_begun = false;
        return 0;
}

int ini_reader_text(struct ini_reader *r, const char *text, size_t length_bytes)
{
        unsigned errors_before = r->n_errors;
        int err;

        r->at = text;
        r->end = text + length_bytes;
        if (length_bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
                r->at += 3; /* some editors write a byte order mark */
        err = ini_parse_stream(read_line, r, on_key, r);
        if (r->out_of_memory || err == -2)
                return -ENOMEM;
        if (err != 0 && r->n_errors == errors_before) {
                r->line = err > 0 ? (unsigned) err : 0;
                ini_error(r, "this is no \"key = value\" line");
        }
        return 0;
}

int ini_reader_file(struct ini_reader *r, const char *path, bool may_be_missing)
{
        cleanup_free char *text = NULL;
        size_t length_bytes = 0;
        int err = ini_reader_begin(r, path);

        if (err < 0)
                return err;
        err = file_read(path, FILE_BYTES_MAX, &text, &length_bytes);
        if (err == -ENOMEM || (err == -ENOENT && may_be_missing))
                return err == -ENOMEM ? err : 0;
        if (err == -EFBIG)
                ini_error(r, "the file is longer than %llu KiB", FILE_BYTES_MAX / KIB);
        else if (err == -EISDIR)
                ini_error(r, "this is a directory; name a file");
        else if (err == -EOPNOTSUPP)
                ini_error(r, "this is a pipe; name a file");
        else if (err < 0)
                ini_error(r, "cannot be read: %s", strerror(-err));
        return err < 0 ? 0 : ini_reader_text(r, text, length_bytes);
}

int ini_reader_end(struct ini_reader *r, char **ret_errors)
{
        if (r->n_errors == 0)
                return 0;
        if (r->n_errors > ERRORS_MAX)
                text_add(&r->errors, "%s: and %u more errors\n", r->file, r->n_errors - ERRORS_MAX);
        *ret_errors = text_take(&r->errors);
        return *ret_errors ? 1 : -ENOMEM;
}
