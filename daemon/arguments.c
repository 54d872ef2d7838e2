/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines of nfstuned and nfstunectl. See arguments.h. */

#include "daemon/arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/utf8.h"
#include "policy/names.h"
#include "policy/nearest.h"

int arguments_wrong(const char *command, const char *format, ...)
{
        cleanup_free char *raw = NULL;
        cleanup(text_done) struct text shown = {};
        va_list list;
        int n;

        va_start(list, format);
        n = vasprintf(&raw, format, list);
        va_end(list);
        if (n < 0)
                raw = NULL;
        text_add_printable(&shown, raw ? raw : "out of memory");
        fprintf(stderr, "%s: %s; see %s %s%s--help\n", program_invocation_short_name,
                shown.data ? shown.data : "out of memory", program_invocation_short_name, command ? command : "",
                command ? " " : "");
        return EXIT_UNUSABLE;
}

void nearest_offer(struct nearest *n, const char *candidate)
{
        unsigned distance = word_distance(n->word, candidate);

        if (word_is_near(n->word, candidate) && (!n->best || distance < n->distance)) {
                n->best = candidate;
                n->distance = distance;
        }
}

const char *nearest_rule(const char *word)
{
        struct nearest nearest = { .word = word };

        for (size_t i = 0; i < RULE_COUNT; i++)
                nearest_offer(&nearest, rule_name((enum rule) i));
        return nearest.best;
}

/* @argument: "--mountz=file", as it was given. */
static void say_unknown_option(const char *command, const char *argument, const struct option *options)
{
        size_t dashes = strspn(argument, "-"), n = strcspn(argument, "=");
        cleanup_free char *given = strndup(argument, n);
        struct nearest nearest = { .word = given ? given + dashes : "" };

        for (; options->name; options++)
                nearest_offer(&nearest, options->name);
        if (nearest.best)
                (void) arguments_wrong(command, "there is no option %s, perhaps --%s is meant", given, nearest.best);
        else
                (void) arguments_wrong(command, "there is no option %s", given ? given : argument);
}

int arguments_next(const char *command, int argc, char **argv, const struct option *options)
{
        int at = optind > 0 ? optind : 1, option;

        opterr = 0;
        option = getopt_long(argc, argv, ":", options, NULL);
        if (option == ':') {
                (void) arguments_wrong(command, "option %s needs a value", argv[optind - 1]);
                return ARGUMENT_WRONG;
        }
        if (option != '?')
                return option;
        if (optopt >= 256) /* a known one that takes no value */
                (void) arguments_wrong(command, "option %s takes no value", argv[optind - 1]);
        else    /* inside of a group of letters optind has not moved yet */
                say_unknown_option(command, argv[optind > at ? optind - 1 : optind], options);
        return ARGUMENT_WRONG;
}

bool output_has_color(void)
{
        const char *no_color = getenv("NO_COLOR"); /* no-color.org */
        const char *term = getenv("TERM");

        return isatty(STDOUT_FILENO) && !(no_color && no_color[0]) && term && strcmp(term, "dumb") != 0;
}

int output_end(void)
{
        errno = 0;
        if (fflush(stdout) == 0 && !ferror(stdout))
                return EXIT_SUCCESS;
        fprintf(stderr, "nfstunectl: standard output: %s\n", strerror(errno ? errno : EIO));
        return EXIT_UNUSABLE;
}
