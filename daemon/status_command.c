/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstunectl status. See control_commands.h. */

#include <stdio.h>
#include <string.h>

#include "daemon/bus_client.h"
#include "daemon/control_arguments.h"
#include "daemon/control_commands.h"
#include "daemon/status_table.h"
#include "probe/clock.h"

static const char help[] =
        "Usage: nfstunectl status [--json] [--color WHEN]\n"
        "\n"
        "What nfstuned knows of the NFS mounts of this host, and what to do about each.\n"
        "\n"
        "  --json        as JSON (control.schema.json)\n"
        "  --color WHEN  auto, always or never\n"
        "  --help\n"
        "\n"
        "STATE        ok, advice, unresponsive, new (not judged yet), or what is being\n"
        "             done: waiting, changing, armed, verifying, rolling-back\n"
        "R/W SIZE     rsize and wsize\n"
        "ROUND TRIP   a question to the server, median\n"
        "EDITOR SAVE  a small file saved as an editor does it, when last probed\n"
        "ADVICE       number of recommendations; with ?: of questions\n"
        "\n"
        "Exit status: 0, or 2 when nfstuned cannot be reached or the usage is wrong.\n";

static const struct option long_options[] = {
        { "json", no_argument, NULL, OPT_CONTROL_JSON },
        { "color", required_argument, NULL, OPT_CONTROL_COLOR },
        { "help", no_argument, NULL, OPT_CONTROL_HELP },
        { NULL, 0, NULL, 0 },
};

static int print(const struct control_arguments *a, const char *json)
{
        int r;

        if (a->json) {
                (void) fputs(json, stdout);     /* output_end() looks */
                return output_end();
        }
        r = status_table(stdout, json, clock_usec(CLOCK_REALTIME), a->color);
        if (r == 0)
                return output_end();
        fprintf(stderr, "nfstunectl: the answer of nfstuned cannot be shown: %s\n", strerror(-r));
        return EXIT_UNUSABLE;
}

int status_main(int argc, char **argv)
{
        static const struct control_command command = { .name = "status", .help = help, .options = long_options };
        static const struct bus_call call = { .method = BUS_STATUS, .progress = "waiting for nfstuned" };
        cleanup(control_arguments_done) struct control_arguments a = {};
        cleanup(bus_reply_done) struct bus_reply reply = {};
        int status;

        if (control_arguments_read(&command, argc, argv, &a, &status) < 0)
                return status;
        status = bus_client_call(&call, &reply);
        return status == 0 ? print(&a, reply.texts[0]) : status;
}
