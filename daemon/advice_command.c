/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstunectl advice and nfstunectl probe: both print a report. See control_commands.h. */

#include <stdio.h>

#include "daemon/bus_client.h"
#include "daemon/control_arguments.h"
#include "daemon/control_commands.h"

static const char advice_help[] =
        "Usage: nfstunectl advice [MOUNT] [--json] [--color WHEN]\n"
        "\n"
        "What nfstuned would change and why, with what it measured and the exact line to\n"
        "write; of all NFS mounts, or of one.\n"
        "\n"
        "  --json        as JSON (check.schema.json)\n"
        "  --color WHEN  auto, always or never\n"
        "  --help\n"
        "\n"
        "Exit status: 0 it was printed, 1 nfstuned has not judged the mount yet, 2 MOUNT\n"
        "is no NFS mount, nfstuned cannot be reached, or the usage is wrong.\n";

static const char probe_help[] =
        "Usage: nfstunectl probe MOUNT [--json] [--color WHEN]\n"
        "\n"
        "Has nfstuned probe the mount now and prints what it found, with the advice.\n"
        "Where the configuration allows it, this writes a few MiB to the mount and\n"
        "removes them ([probe] in nfstuned.conf). Only root may.\n"
        "\n"
        "  --json        as JSON (check.schema.json)\n"
        "  --color WHEN  auto, always or never\n"
        "  --help\n"
        "\n"
        "Exit status: 0 it was probed, 1 it was not, 2 MOUNT is no NFS mount, nfstuned\n"
        "cannot be reached, or the usage is wrong.\n";

static const struct option long_options[] = {
        { "json", no_argument, NULL, OPT_CONTROL_JSON },
        { "color", required_argument, NULL, OPT_CONTROL_COLOR },
        { "help", no_argument, NULL, OPT_CONTROL_HELP },
        { NULL, 0, NULL, 0 },
};

static int run(const struct control_command *command, enum bus_method method, const char *progress, int argc,
               char **argv)
{
        cleanup(control_arguments_done) struct control_arguments a = {};
        cleanup(bus_reply_done) struct bus_reply reply = {};
        struct bus_call call = { .method = method, .progress = progress };
        int status;

        if (control_arguments_read(command, argc, argv, &a, &status) < 0)
                return status;
        call.mount = a.mount ? a.mount : "";
        call.form = a.json ? "json" : a.color ? "color" : "text";
        status = bus_client_call(&call, &reply);
        if (status != 0)
                return status;
        (void) fputs(reply.texts[0], stdout);   /* output_end() looks */
        return output_end();
}

int advice_main(int argc, char **argv)
{
        static const struct control_command command = { .name = "advice", .help = advice_help,
                                                        .options = long_options, .takes_mount = true };

        return run(&command, BUS_ADVICE, "waiting for nfstuned", argc, argv);
}

int probe_main(int argc, char **argv)
{
        static const struct control_command command = { .name = "probe", .help = probe_help, .options = long_options,
                                                        .takes_mount = true, .needs_mount = true };

        return run(&command, BUS_PROBE, "probing", argc, argv);
}
