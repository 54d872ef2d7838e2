/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of nfstunectl check. See check.h. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/arguments.h"
#include "daemon/check.h"

static const char help[] =
        "Usage: nfstunectl check [--json] [FILES] [--config FILE] [--servers DIR]\n"
        "\n"
        "Judges NFS mounts out of files, of this host or any other: needs no root, no\n"
        "running nfstuned, asks no server and writes nothing. Without FILES it reads\n"
        "those of this host.\n"
        "\n"
        "FILES, in any combination; - is standard input:\n"
        "  --mountinfo FILE      /proc/self/mountinfo: the mounts\n"
        "  --mounts FILE         /proc/mounts, or what mount(8) printed: the mounts\n"
        "  --mountstats FILE     /proc/self/mountstats: the kernel's counters\n"
        "  --fstab FILE          /etc/fstab; alone: its NFS lines are checked\n"
        "  --nfsmount-conf FILE  /etc/nfsmount.conf\n"
        "  --exports FILE        the server's /etc/exports, or what exportfs -v prints\n"
        "  --observation FILE    what nfstuned --once --observation printed\n"
        "Several --fstab, --nfsmount-conf, --exports and --observation are read in order.\n"
        "\n"
        "  --json                the report as JSON\n"
        "  --color WHEN          auto, always or never\n"
        "  --config FILE         nfstuned.conf with what is intended (keep =); for files\n"
        "                        of another host none is read unless it is given\n"
        "  --servers DIR         profiles of kinds of servers, not the installed ones\n"
        "  --help\n"
        "\n"
        "Exit status: 0 nothing to say, 1 recommendations or findings, 2 unusable input\n"
        "or wrong usage.\n";

enum {
        OPT_FILE = 256, /* and the kinds of files behind it */
        OPT_JSON = OPT_FILE + RECORDED_COUNT,
        OPT_COLOR,
        OPT_CONFIG,
        OPT_SERVERS,
        OPT_HELP,
};

static const struct option long_options[] = {
        { "mounts", required_argument, NULL, OPT_FILE + RECORDED_MOUNTS },
        { "mountinfo", required_argument, NULL, OPT_FILE + RECORDED_MOUNTINFO },
        { "mountstats", required_argument, NULL, OPT_FILE + RECORDED_MOUNTSTATS },
        { "fstab", required_argument, NULL, OPT_FILE + RECORDED_FSTAB },
        { "nfsmount-conf", required_argument, NULL, OPT_FILE + RECORDED_NFSMOUNT_CONF },
        { "exports", required_argument, NULL, OPT_FILE + RECORDED_EXPORTS },
        { "observation", required_argument, NULL, OPT_FILE + RECORDED_OBSERVATION },
        { "json", no_argument, NULL, OPT_JSON },
        { "color", required_argument, NULL, OPT_COLOR },
        { "config", required_argument, NULL, OPT_CONFIG },
        { "servers", required_argument, NULL, OPT_SERVERS },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
};

/* Return: 0, or the exit status. */
static int take_color(struct check_request *c, const char *when)
{
        if (strcmp(when, "always") == 0 || strcmp(when, "never") == 0)
                c->color = when[0] == 'a';
        else if (strcmp(when, "auto") == 0)
                c->color = output_has_color();
        else
                return arguments_wrong("check", "--color is auto, always or never, not %s", when);
        return 0;
}

/* @files has room for every argument. Return: 0, or the exit status. */
static int take_file(struct check_request *c, struct recorded_file *files, enum recorded_kind kind)
{
        for (size_t i = 0; strcmp(optarg, "-") == 0 && i < c->n_files; i++)
                if (strcmp(files[i].path, "-") == 0)
                        return arguments_wrong("check", "only one file can be standard input (-)");
        files[c->n_files++] = (struct recorded_file) { .kind = kind, .path = optarg };
        return 0;
}

/* Return: 0, or the exit status. */
static int take_option(struct check_request *c, struct recorded_file *files, int option)
{
        if (option >= OPT_FILE && option < OPT_FILE + RECORDED_COUNT)
                return take_file(c, files, (enum recorded_kind) (option - OPT_FILE));
        switch (option) {
        case OPT_JSON:    c->json = true; return 0;
        case OPT_COLOR:   return take_color(c, optarg);
        case OPT_CONFIG:  c->config_file = optarg; return 0;
        case OPT_SERVERS: c->servers_dir = optarg; return 0;
        default:          return EXIT_UNUSABLE; /* said */
        }
}

/* @files has room for every argument. Return: the exit status. */
static int run(int argc, char **argv, struct recorded_file *files)
{
        struct check_request c = { .files = files, .root = &probe_root_host, .color = output_has_color(),
                                   .progress = isatty(STDERR_FILENO) };
        int option, status = 0;

        while (status == 0 && (option = arguments_next("check", argc, argv, long_options)) != -1) {
                if (option == OPT_HELP) {
                        fputs(help, stdout);
                        return output_end();
                }
                status = take_option(&c, files, option);
        }
        if (status == 0 && optind < argc)
                status = arguments_wrong("check", "what is %s? A file is given behind the option that says its kind",
                                         argv[optind]);
        return status != 0 ? status : check_run(&c, stdout, stderr);
}

int check_main(int argc, char **argv)
{
        struct recorded_file *files = calloc((size_t) argc + 1, sizeof(*files));
        int status = files ? run(argc, argv, files) : arguments_wrong("check", "out of memory");

        free(files);
        return status;
}
