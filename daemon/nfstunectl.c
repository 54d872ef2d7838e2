/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstunectl(1): one command after the other. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "daemon/arguments.h"
#include "daemon/check.h"
#include "daemon/control_commands.h"
#include "daemon/explain.h"
#include "probe/file.h"

static const struct command {
        const char *name;
        int (*run)(int argc, char **argv);      /* argv[0] is the command; the exit status */
        const char *arguments;
        const char *summary;
} commands[] = {
        { "status", status_main, "", "the NFS mounts at a glance, and what to do" },
        { "advice", advice_main, "[MOUNT]", "what to change and why, with the line to write" },
        { "probe", probe_main, "MOUNT", "measure a mount now" },
        { "apply", apply_main, "MOUNT", "change a mount in use; --dry-run shows how" },
        { "rollback", rollback_main, "MOUNT", "take the last change back" },
        { "resume", resume_main, "", "let automatic mode go on after failed changes" },
        { "check", check_main, "[FILES]", "judge mounts out of files alone, of any host" },
        { "explain", explain_main, "[RULE|OPTION...]", "what a rule or an option means, when to keep it" },
};

static int help(void)
{
        puts("Usage: nfstunectl COMMAND [ARGUMENTS]\n");
        for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
                printf("  %-8s %-16s %s\n", commands[i].name, commands[i].arguments, commands[i].summary);
        puts("\n"
             "  nfstunectl COMMAND --help says more about a command.\n"
             "  nfstunectl --version, nfstunectl --help");
        return output_end();
}

static int version(void)
{
        puts("nfstunectl " NFSTUNED_VERSION);
        return output_end();
}

static int unknown(const char *word)
{
        struct nearest nearest = { .word = word };

        for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
                nearest_offer(&nearest, commands[i].name);
        if (nearest.best)
                return arguments_wrong(NULL, "there is no command %s, perhaps %s is meant", word, nearest.best);
        return arguments_wrong(NULL, "there is no %s %s", word[0] == '-' ? "option" : "command", word);
}

int main(int argc, char **argv)
{
        const char *word = argc > 1 ? argv[1] : NULL;

        if (files_open_standard() < 0)
                return EXIT_UNUSABLE;
        (void) signal(SIGPIPE, SIG_IGN);        /* a reader that went away is a write error with words */
        if (!word)
                return arguments_wrong(NULL, "a command is missing");
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
                return help();
        if (strcmp(word, "--version") == 0)
                return version();
        for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
                if (strcmp(word, commands[i].name) == 0)
                        return commands[i].run(argc - 1, argv + 1);
        return unknown(word);
}
