/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command lines of the commands that ask nfstuned. See control_arguments.h. */

#include "daemon/control_arguments.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/apply_request.h"
#include "policy/names.h"

void control_arguments_done(struct control_arguments *a)
{
        free(a->mount);
        free(a->rules);
        *a = (struct control_arguments) {};
}

/* ---- options; each returns 0 or the exit status ---------------------------------------- */

static int take_color(const char *command, const char *when, bool *ret)
{
        if (strcmp(when, "auto") == 0)
                *ret = output_has_color();
        else if (strcmp(when, "always") == 0)
                *ret = true;
        else if (strcmp(when, "never") == 0)
                *ret = false;
        else
                return arguments_wrong(command, "--color is auto, always or never, not %s", when);
        return 0;
}

static int take_busy(const char *command, const char *word, const char **ret)
{
        enum busy_mode mode;

        if (busy_mode_parse(word, &mode) < 0)
                return arguments_wrong(command, "--busy is wait, detach or refuse, not %s", word);
        *ret = word;
        return 0;
}

static int take_rule(const char *command, const char *name, struct control_arguments *a)
{
        const char *nearest;
        enum rule rule;

        if (rule_parse(name, &rule) == 0) {
                a->rules[a->n_rules++] = name;
                return 0;
        }
        nearest = nearest_rule(name);
        if (nearest)
                return arguments_wrong(command, "there is no rule %s, perhaps %s is meant", name, nearest);
        return arguments_wrong(command, "there is no rule %s; nfstunectl explain lists the rules", name);
}

static int take_option(const char *command, int option, struct control_arguments *a)
{
        switch (option) {
        case OPT_CONTROL_JSON:    a->json = true; return 0;
        case OPT_CONTROL_DRY_RUN: a->dry_run = true; return 0;
        case OPT_CONTROL_PERSIST: a->persist = true; return 0;
        case OPT_CONTROL_COLOR:   return take_color(command, optarg, &a->color);
        case OPT_CONTROL_BUSY:    return take_busy(command, optarg, &a->busy);
        case OPT_CONTROL_RULE:    return take_rule(command, optarg, a);
        default:                  return EXIT_UNUSABLE; /* said */
        }
}

/* ---- the mount point -------------------------------------------------------------------- */

/* Appends the components of @path. Return: whether none was "..". */
static bool add_components(struct text *t, const char *path)
{
        while (*(path += strspn(path, "/"))) {
                size_t n = strcspn(path, "/");

                if (n == 2 && memcmp(path, "..", 2) == 0)
                        return false;
                if (n != 1 || *path != '.') {
                        text_add(t, "/");
                        text_add_bytes(t, path, n);
                }
                path += n;
        }
        return true;
}

char *mount_point_of(const char *typed, const char *directory, const char **ret_problem)
{
        cleanup(text_done) struct text t = {};

        *ret_problem = NULL;
        if (!*typed)
                *ret_problem = "an empty mount point";
        else if (*typed != '/' && !directory)
                *ret_problem = "the current directory is not known: write the mount point from / on";
        else if ((*typed != '/' && !add_components(&t, directory)) || !add_components(&t, typed))
                *ret_problem = "write the mount point without ..";
        if (*ret_problem)
                return NULL;
        if (t.length_bytes == 0)
                text_add(&t, "/");
        return text_take(&t);
}

/* Return: 0 or the exit status. */
static int take_mount(const struct control_command *c, int argc, char **argv, struct control_arguments *a)
{
        cleanup_free char *directory = NULL;
        const char *problem;

        if (optind >= argc)
                return c->needs_mount ? arguments_wrong(c->name, "a mount point is missing") : 0;
        if (!c->takes_mount || argc - optind > 1)
                return arguments_wrong(c->name, "what is %s?", argv[c->takes_mount ? optind + 1 : optind]);
        directory = argv[optind][0] == '/' ? NULL : getcwd(NULL, 0);
        a->mount = mount_point_of(argv[optind], directory, &problem);
        if (a->mount)
                return 0;
        return arguments_wrong(c->name, "%s", problem ? problem : "out of memory");
}

int control_arguments_read(const struct control_command *c, int argc, char **argv, struct control_arguments *ret,
                           int *ret_status)
{
        struct control_arguments a = { .rules = calloc((size_t) argc + 1, sizeof(*a.rules)), .busy = "wait",
                                       .color = output_has_color() };
        int option, status = a.rules ? 0 : arguments_wrong(c->name, "out of memory");

        while (status == 0 && (option = arguments_next(c->name, argc, argv, c->options)) != -1) {
                if (option == OPT_CONTROL_HELP) {
                        fputs(c->help, stdout);
                        *ret_status = output_end();
                        control_arguments_done(&a);
                        return -1;
                }
                status = take_option(c->name, option, &a);
        }
        if (status == 0)
                status = take_mount(c, argc, argv, &a);
        if (status != 0) {
                control_arguments_done(&a);
                *ret_status = status;
                return -1;
        }
        *ret = a;
        return 0;
}
