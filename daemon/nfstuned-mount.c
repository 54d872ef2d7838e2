/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nfstuned-mount - one request on standard input, one answer on standard output.
 *
 * The only program of the project with CAP_SYS_ADMIN; it may block on NFS. Its
 * own alarm ends it where nobody else does: the waits of a mount are killable
 * (KERNEL-FACTS 8.3), so the default action of SIGALRM is enough.
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/stage_request.h"
#include "probe/file.h"

#define REQUEST_MAX (1024 * KIB)
#define DEADLINE_SEC 20

/* The answer's JSON, or NULL without memory. */
static char *answer(void)
{
        cleanup_free char *request = NULL;
        cleanup_free char *error = NULL;
        cleanup(mount_facts_done) struct mount_facts m = {};
        cleanup(stage_limits_done) struct stage_limits limits = {};
        size_t length_bytes = 0;
        int r = fd_read(STDIN_FILENO, REQUEST_MAX, &request, &length_bytes);

        if (r >= 0)
                r = stage_request_from_json(request, length_bytes, &m, &error);
        if (r >= 0 && (!m.source || !m.fstype || (strcmp(m.fstype, "nfs") != 0 && strcmp(m.fstype, "nfs4") != 0)))
                return stage_error_to_json("the request names no NFS mount");
        if (r >= 0)
                r = stage_negotiate(&m, &limits, &error);
        if (r < 0)
                return stage_error_to_json(error ? error : strerror(-r));
        return stage_answer_to_json(&limits);
}

static int usage(FILE *out)
{
        fputs("Usage: nfstuned-mount [--stdio]\n\n"
              "Helper of nfstuned(8): reads one request from standard input, answers on standard\n"
              "output. Not meant to be started by hand; nfstuned-mount.socket starts it.\n",
              out);
        return out == stderr ? 2 : 0;
}

static const struct option long_options[] = {
        { "stdio", no_argument, NULL, 's' }, /* what it does anyway; spelt out in process listings */
        { "help", no_argument, NULL, 'h' },
        { "version", no_argument, NULL, 'V' },
        {},
};

int main(int argc, char **argv)
{
        cleanup_free char *line = NULL;
        int c;

        while ((c = getopt_long(argc, argv, "h", long_options, NULL)) != -1)
                switch (c) {
                case 's':
                        break;
                case 'h':
                        return usage(stdout);
                case 'V':
                        return puts("nfstuned-mount " NFSTUNED_VERSION) < 0;
                default:
                        return usage(stderr);
                }
        if (optind < argc)
                return usage(stderr);
        (void) alarm(DEADLINE_SEC); /* returns what was left of an earlier alarm: none */
        line = answer();
        return !line || puts(line) < 0 || fflush(stdout) != 0;
}
