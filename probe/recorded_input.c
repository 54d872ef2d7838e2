/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/recorded_input.c - reads in pieces and judges every piece.
 */
#include "probe/recorded_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/lines.h"

#define PIECE_BYTES (64 * KIB)

/* What is known of the bytes so far. */
struct progress {
        uint64_t total_bytes;
        unsigned line;                  /* number of the line that is being read */
        size_t line_bytes;              /* of it so far */
        bool line_visible;              /* it has more than blanks */
        bool visible;                   /* anything has */
};

static void closep(int *fd)
{
        if (*fd > STDIN_FILENO)
                (void)close(*fd);       /* only read from */
}

char *recorded_shown(const char *text)
{
        struct text t = { 0 };

        for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
                if (*p < 0x20 || *p == 0x7f)
                        text_add(&t, "\\x%02x", *p);
                else
                        text_add_bytes(&t, (const char *)p, 1);
        }
        return text_take(&t);
}

int recorded_unusable(const struct recorded_input *in, unsigned line, const char *format, ...)
{
        char *words = NULL;
        va_list arguments;

        va_start(arguments, format);
        int n = vasprintf(&words, format, arguments);
        va_end(arguments);
        if (n < 0)
                return -ENOMEM;
        cleanup_free char *shown = recorded_shown(words);       /* a parser may have quoted the file */
        free(words);
        if (!shown)
                return -ENOMEM;
        if (line)
                text_add(in->error, "%s:%u: %s", in->shown, line, shown);
        else
                text_add(in->error, "%s: %s", in->shown, shown);
        return in->error->failed ? -ENOMEM : 1;
}

static bool has_visible(const char *data, size_t length)
{
        blanks_trim(&data, &length);
        return length > 0;
}

static int line_judge(const struct recorded_input *in, struct progress *p, const char *data, size_t length)
{
        p->line_bytes += length;
        if (p->line_bytes > in->line_cap_bytes)
                return recorded_unusable(in, p->line, "a line of more than %llu MiB: no such file, or a damaged one",
                                         (unsigned long long)(in->line_cap_bytes / MIB));
        if (!p->line_visible)
                p->line_visible = has_visible(data, length);
        return 0;
}

static int piece_judge(const struct recorded_input *in, struct progress *p, const char *data, size_t length)
{
        const char *end = data + length, *newline;

        p->total_bytes += length;
        if (p->total_bytes > in->cap_bytes)
                return recorded_unusable(in, 0, "longer than the %llu MiB that such a file may have",
                                         (unsigned long long)(in->cap_bytes / MIB));
        if (memchr(data, '\0', length))
                return recorded_unusable(in, 0, "binary, not text: is it the right file?");
        for (; (newline = memchr(data, '\n', (size_t)(end - data))); data = newline + 1) {
                int r = line_judge(in, p, data, (size_t)(newline - data));

                if (r != 0)
                        return r;
                p->visible |= p->line_visible;
                p->line_visible = false;
                p->line_bytes = 0;
                p->line++;
        }
        int r = line_judge(in, p, data, (size_t)(end - data));
        p->visible |= p->line_visible;
        return r;
}

/* A named pipe and what the shell makes of <(command) wait for their writer: no O_NONBLOCK. */
static int input_open(const struct recorded_input *in, int *ret)
{
        bool standard = strcmp(in->path, "-") == 0;
        cleanup(closep) int fd = standard ? STDIN_FILENO : open(in->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return recorded_unusable(in, 0, "%s", strerror(errno));
        if (S_ISDIR(st.st_mode))
                return recorded_unusable(in, 0, "a directory: name a file in it");
        if (S_ISBLK(st.st_mode))
                return recorded_unusable(in, 0, "a disk, not a file");
        *ret = fd;
        fd = -1;
        return 0;
}

static int fd_stream(const struct recorded_input *in, int fd, struct progress *p, recorded_take_fn *take,
                     void *context)
{
        cleanup_free char *data = malloc(PIECE_BYTES);

        if (!data)
                return -ENOMEM;
        for (;;) {
                ssize_t n = read(fd, data, PIECE_BYTES);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return recorded_unusable(in, 0, "%s", strerror(errno));
                if (n == 0)
                        return 0;
                int r = piece_judge(in, p, data, (size_t)n);
                if (r == 0)
                        r = take(context, data, (size_t)n);
                if (r != 0)
                        return r;
        }
}

int recorded_input_stream(const struct recorded_input *in, recorded_take_fn *take, void *context,
                          struct recorded_end *ret_end)
{
        struct progress p = { .line = 1 };
        cleanup(closep) int fd = -1;
        int r = input_open(in, &fd);

        if (r == 0)
                r = fd_stream(in, fd, &p, take, context);
        if (r == 0 && !p.visible)
                r = recorded_unusable(in, 0, "empty: was it copied before anything was in it?");
        if (r != 0)
                return r;
        *ret_end = (struct recorded_end){ .line = p.line, .open = p.line_visible };
        return 0;
}

static int text_append(void *context, const char *data, size_t length)
{
        struct text *t = context;

        text_add_bytes(t, data, length);
        return t->failed ? -ENOMEM : 0;
}

int recorded_input_text(const struct recorded_input *in, struct text *ret, struct recorded_end *ret_end)
{
        cleanup(text_done) struct text t = { 0 };
        int r = recorded_input_stream(in, text_append, &t, ret_end);

        if (r != 0)
                return r;
        *ret = t;
        t = (struct text){ 0 };
        return 0;
}
