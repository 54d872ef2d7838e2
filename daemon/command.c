/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of nfstuned, and what they mean together. */
#include <errno.h>
#include <stdio.h>

#include "daemon/arguments.h"
#include "daemon/command.h"
#include "daemon/notify.h"

#define MOUNT_SOCKET "/run/nfstuned/mount.sock"

static const char help[] =
        "Usage: nfstuned [--config FILE] [--foreground]\n"
        "       nfstuned --once [--passive] [--json | --observation] [--config FILE]\n"
        "                [MOUNT...]\n"
        "       nfstuned --check-config [--config FILE]\n"
        "\n"
        "Watches the NFS mounts of this host and says what would make them faster.\n"
        "\n"
        "  --once          one round over all NFS mounts (or the given ones), a report\n"
        "  --passive       write nothing to any mount: counters and questions only\n"
        "  --json          the report of --once as JSON\n"
        "  --observation   what --once saw and measured, as JSON, instead of the report:\n"
        "                  nfstunectl check --observation judges it on any host\n"
        "  --foreground    log to standard error instead of the journal\n"
        "  --config FILE   only this file instead of " CONFIG_FILE_DEFAULT " and the drop-ins\n"
        "  --check-config  check the configuration, name all errors, do nothing else\n"
        "  --version, --help\n"
        "\n"
        "Exit status: 0 it ran (with or without recommendations), 1 it failed,\n"
        "2 wrong options, wrong configuration, or a MOUNT that is no NFS mount.\n";

enum {
        OPT_ONCE = 256,
        OPT_PASSIVE,
        OPT_JSON,
        OPT_OBSERVATION,
        OPT_FOREGROUND,
        OPT_CONFIG,
        OPT_CHECK_CONFIG,
        OPT_VERSION,
        OPT_HELP,
};

static const struct option long_options[] = {
        { "once", no_argument, NULL, OPT_ONCE },
        { "passive", no_argument, NULL, OPT_PASSIVE },
        { "json", no_argument, NULL, OPT_JSON },
        { "observation", no_argument, NULL, OPT_OBSERVATION },
        { "foreground", no_argument, NULL, OPT_FOREGROUND },
        { "config", required_argument, NULL, OPT_CONFIG },
        { "check-config", no_argument, NULL, OPT_CHECK_CONFIG },
        { "version", no_argument, NULL, OPT_VERSION },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
};

static int usage(const char *words)
{
        (void) arguments_wrong(NULL, "%s", words);
        return -EINVAL;
}

static int take_option(struct command *c, int option)
{
        struct manager_options *o = &c->options;

        switch (option) {
        case OPT_ONCE:         o->once = true; return 0;
        case OPT_PASSIVE:      o->passive = true; return 0;
        case OPT_JSON:         o->json = true; return 0;
        case OPT_OBSERVATION:  o->observation = true; return 0;
        case OPT_FOREGROUND:   c->foreground = true; return 0;
        case OPT_CHECK_CONFIG: c->check_config = true; return 0;
        case OPT_CONFIG:
                o->config_file = optarg;
                o->config_must_exist = true;
                return 0;
        case OPT_VERSION:
                puts("nfstuned " NFSTUNED_VERSION);
                c->done = true;
                return 0;
        case OPT_HELP:
                fputs(help, stdout);
                c->done = true;
                return 0;
        default:               return -EINVAL;         /* arguments_next() has said why */
        }
}

int command_parse(int argc, char **argv, struct command *ret)
{
        struct command *c = ret;
        struct manager_options *o = &c->options;
        int option, r = 0;

        while (r == 0 && !c->done && (option = arguments_next(NULL, argc, argv, long_options)) != -1)
                r = take_option(c, option);
        if (r < 0 || c->done)
                return r;
        if (optind < argc && !o->once)
                return usage("mount points are given with --once only");
        if ((o->json || o->observation || o->passive) && !o->once)
                return usage("--json, --observation and --passive belong to --once");
        if (o->json && o->observation)
                return usage("--json prints the report, --observation what it was made from: only one of them");
        if (optind < argc)
                o->targets = (const char *const *) argv + optind;
        o->journal = (struct journal) { .to_stderr = o->once || c->foreground, .quiet = o->json };
        /* The socket belongs to the installed service; by hand we are the parent. */
        o->mount_socket = notify_is_service() && !o->once ? MOUNT_SOCKET : NULL;
        return 0;
}
