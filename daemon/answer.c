/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See answer.h. */

#include "daemon/answer.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static int add_words(struct apply_answer *a, char *first, char *second)
{
        cleanup(text_done) struct text t = {};

        text_add(&t, "%s%s%s", first ? first : "", first && second ? "; " : "", second ? second : "");
        free(first);
        free(second);
        a->words = text_take(&t);
        return a->words ? 1 : -ENOMEM;
}

int answer_end_words(struct apply_answer *a, enum apply_end end, char *words)
{
        a->end = end;
        return words ? add_words(a, words, TAKE(a->words)) : -ENOMEM;
}

int answer_end(struct apply_answer *a, enum apply_end end, const char *format, ...)
{
        char *words = NULL;
        va_list arguments;

        a->end = end;
        if (!format)
                return 1;
        va_start(arguments, format);
        if (vasprintf(&words, format, arguments) < 0)
                words = NULL;
        va_end(arguments);
        return answer_end_words(a, end, words);
}

void answer_note(struct apply_answer *a, const char *format, ...)
{
        char *words = NULL;
        va_list arguments;

        va_start(arguments, format);
        if (vasprintf(&words, format, arguments) < 0)
                words = NULL;
        va_end(arguments);
        if (words)
                (void) add_words(a, TAKE(a->words), words);
}

/* The daemon shuts its own end for writing after the request; only when it is gone the connection hangs up. */
bool answer_is_awaited(void)
{
        struct pollfd p = { .fd = STDOUT_FILENO };

        return poll(&p, 1, 0) <= 0 || !(p.revents & (POLLHUP | POLLERR));
}
