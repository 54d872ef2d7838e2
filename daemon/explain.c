/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstunectl explain: rules and mount options in words. See explain.h. */

#include "daemon/explain.h"

#include <errno.h>
#include <string.h>

#include "daemon/arguments.h"
#include "daemon/json_build.h"
#include "daemon/paragraph.h"
#include "policy/explain.h"
#include "policy/names.h"

static const char help[] =
        "Usage: nfstunectl explain [--json] [RULE|OPTION...]\n"
        "       nfstunectl explain [--json] options\n"
        "\n"
        "Says what a rule of nfstuned or an NFS mount option means, what the kernel does\n"
        "with it, and when to keep things as they are. Without a name it lists the rules,\n"
        "with \"options\" the mount options.\n"
        "\n"
        "  --json  one JSON object per explanation\n"
        "  --help\n"
        "\n"
        "Exit status: 0, or 2 when a name is unknown.\n";

enum { OPT_JSON = 256, OPT_HELP };

static const struct option long_options[] = {
        { "json", no_argument, NULL, OPT_JSON },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
};

/* Takes @j over and ends the line. */
static int print_json(FILE *out, json_t *j)
{
        int r = json_print(out, j, 0);

        json_decref(j);
        if (r == 0 && (fputc('\n', out) == EOF || fflush(out) != 0))
                r = errno ? -errno : -EIO;
        return r;
}

/* ---- one rule ---------------------------------------------------------------------- */

static int print_rule_json(FILE *out, enum rule rule, const struct rule_help *h)
{
        return print_json(out, json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}",
                                         "version", 1,
                                         "kind", "rule",
                                         "name", rule_name(rule),
                                         "title", h->title,
                                         "fires", h->fires,
                                         "means", h->means,
                                         "change", h->change,
                                         "keep", json_string_or_null(h->keep),
                                         "see", json_string_or_null(h->see)));
}

static int print_rule(FILE *out, enum rule rule, const struct style *style)
{
        const struct rule_help *h = rule_help(rule);
        struct page p = { .style = style };

        text_add(&p.t, "%s%s%s (rule)\n", style->bold, rule_name(rule), style->plain);
        page_add_paragraph(&p, 2, h->title);
        text_add(&p.t, "\n");
        page_add_words(&p, 2, "says so if:", h->fires);
        page_add_words(&p, 2, "it means:", h->means);
        page_add_words(&p, 2, "what to do:", h->change);
        page_add_words(&p, 2, "keep it if:", h->keep);
        page_add_words(&p, 2, "see:", h->see);
        return page_print(&p, out);
}

/* ---- one option -------------------------------------------------------------------- */

static int print_option_json(FILE *out, const struct option_info *i, const char *words)
{
        return print_json(out, json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, "
                                         "s:s}",
                                         "version", 1,
                                         "kind", "option",
                                         "name", i->name,
                                         "family", i->canonical,
                                         "value", option_kind_name(i->kind),
                                         "reader", option_reader_name(i->reader),
                                         "printed", option_printed_name(i->printed),
                                         "remount", option_remount_name(i->remount),
                                         "summary", i->summary,
                                         "default", json_string_or_null(i->fallback),
                                         "unit", json_string_or_null(i->unit),
                                         "since", json_string_or_null(i->since),
                                         "until", json_string_or_null(i->until),
                                         "obsolete", json_string_or_null(i->obsolete),
                                         "detail", json_string_or_null(i->detail),
                                         "text", words));
}

/* Each line of the explanation is a paragraph; the first one is the option as it is written. */
static int print_option(FILE *out, char *words, const struct style *style)
{
        struct page p = { .style = style };

        for (char *next, *line = words; line; line = next) {
                next = strchr(line, '\n');
                if (next)
                        *next++ = '\0';
                if (line == words)
                        text_add(&p.t, "%s%s%s (mount option)\n", style->bold, line, style->plain);
                else if (*line)
                        page_add_paragraph(&p, 2, line);
                else if (next && *next)
                        text_add(&p.t, "\n");
        }
        return page_print(&p, out);
}

static int explain_option(FILE *out, const struct option_info *i, bool json, const struct style *style)
{
        struct text t = {};
        cleanup_free char *words = NULL;

        text_add_option_help(&t, i);
        words = text_take(&t);
        if (!words)
                return -ENOMEM;
        return json ? print_option_json(out, i, words) : print_option(out, words, style);
}

/* ---- by name ----------------------------------------------------------------------- */

/* "rsize=32768" is what stands in the fstab. */
static const struct option_info *find_option(const char *name)
{
        cleanup_free char *word = strndup(name, strcspn(name, "="));

        return word ? option_info(word) : NULL;
}

int explain_name(FILE *out, const char *name, bool json, bool color)
{
        const struct style *style = color ? &style_color : &style_plain;
        const struct option_info *option = find_option(name);
        enum rule rule;
        bool is_rule = rule_parse(name, &rule) == 0;
        int r = 0;

        if (!is_rule && !option)
                return 1;
        if (is_rule)
                r = json ? print_rule_json(out, rule, rule_help(rule)) : print_rule(out, rule, style);
        if (r == 0 && is_rule && option && !json && fputc('\n', out) == EOF)
                r = -EIO;
        if (r == 0 && option)
                r = explain_option(out, option, json, style);
        return r;
}

static bool is_known(const char *name)
{
        enum rule rule;

        return find_option(name) || rule_parse(name, &rule) == 0;
}

/* Return: the exit status. */
static int say_unknown(const char *name)
{
        cleanup_free char *word = strndup(name, strcspn(name, "="));
        struct nearest nearest = { .word = word ? word : name };

        if (!*nearest.word)
                return arguments_wrong("explain", "an empty name is neither a rule nor a mount option");
        for (size_t i = 0; i < RULE_COUNT; i++)
                nearest_offer(&nearest, rule_name((enum rule) i));
        for (size_t i = 0; option_info_at(i); i++)
                nearest_offer(&nearest, option_info_at(i)->name);
        if (nearest.best)
                return arguments_wrong("explain", "neither a rule nor a mount option is called %s, perhaps %s is meant",
                                       nearest.word, nearest.best);
        return arguments_wrong("explain", "neither a rule nor a mount option is called %s", nearest.word);
}

/* ---- lists --------------------------------------------------------------------------- */

static json_t *named(const char *name, const char *key, const char *words)
{
        return json_pack("{s:s, s:s}", "name", name, key, words);
}

static int list_json(FILE *out, bool options)
{
        json_t *array = json_array();

        for (size_t i = 0; options && option_info_at(i); i++)
                json_append(&array, named(option_info_at(i)->name, "summary", option_info_at(i)->summary));
        for (size_t i = 0; !options && i < RULE_COUNT; i++)
                json_append(&array, named(rule_name((enum rule) i), "title", rule_help((enum rule) i)->title));
        return print_json(out, json_pack("{s:i, s:s, s:o}", "version", 1, "kind", options ? "options" : "rules",
                                         options ? "options" : "rules", array));
}

#define NAME_COLUMNS 22

static void add_named(struct page *p, const char *name, const char *words)
{
        text_add(&p->t, "  %-*s ", NAME_COLUMNS, name);
        text_add_wrapped(&p->t, words, NAME_COLUMNS + 3, NAME_COLUMNS + 3);
}

static int list_text(FILE *out, bool options, const struct style *style)
{
        struct page p = { .style = style };

        for (size_t i = 0; options && option_info_at(i); i++)
                add_named(&p, option_info_at(i)->name, option_info_at(i)->summary);
        for (size_t i = 0; !options && i < RULE_COUNT; i++)
                add_named(&p, rule_name((enum rule) i), rule_help((enum rule) i)->title);
        text_add(&p.t, "\n%s\n", options ? "nfstunectl explain OPTION says more; nfstunectl explain lists the rules."
                                         : "nfstunectl explain RULE says more; nfstunectl explain options lists the "
                                           "mount options.");
        return page_print(&p, out);
}

/* ---- the command ----------------------------------------------------------------------- */

static int explain_all(char *const *names, size_t n, bool json, bool color)
{
        int r = 0;

        if (n == 0 || (n == 1 && strcmp(names[0], "options") == 0))
                return json ? list_json(stdout, n > 0)
                            : list_text(stdout, n > 0, color ? &style_color : &style_plain);
        for (size_t i = 0; i < n && r == 0; i++) {
                if (i > 0 && !json && putchar('\n') == EOF)
                        r = -EIO;
                if (r == 0)
                        r = explain_name(stdout, names[i], json, color);
        }
        return r;
}

int explain_main(int argc, char **argv)
{
        bool json = false;
        int option, r;

        while ((option = arguments_next("explain", argc, argv, long_options)) != -1) {
                if (option == OPT_HELP) {
                        fputs(help, stdout);
                        return output_end();
                }
                if (option == ARGUMENT_WRONG)
                        return EXIT_UNUSABLE;
                json = true;
        }
        /* All are known before the first one is printed. */
        for (int i = optind; i < argc && !(argc - optind == 1 && strcmp(argv[i], "options") == 0); i++)
                if (!is_known(argv[i]))
                        return say_unknown(argv[i]);
        errno = 0;
        r = explain_all(argv + optind, (size_t) (argc - optind), json, output_has_color());
        if (r < 0)
                fprintf(stderr, "nfstunectl: standard output: %s\n", strerror(-r));
        return r < 0 ? EXIT_UNUSABLE : EXIT_SUCCESS;
}
