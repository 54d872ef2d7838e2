/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstuned(8): options in, configuration read, manager run. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/manager.h"
#include "daemon/notify.h"
#include "daemon/reload.h"
#include "policy/text.h"

#define EXIT_USAGE 2
#define MOUNT_SOCKET "/run/nfstuned/mount.sock"

static const char help[] =
        "Usage: nfstuned [--config FILE] [--foreground]\n"
        "       nfstuned --once [--passive] [--json] [--config FILE] [MOUNT...]\n"
        "       nfstuned --check-config [--config FILE]\n"
        "\n"
        "Watches the NFS mounts of this host and says what would make them faster.\n"
        "\n"
        "  --once          one round over all NFS mounts (or the given ones), a report, the end\n"
        "  --passive       write nothing to any mount: counters and questions to the servers only\n"
        "  --json          the report of --once as JSON\n"
        "  --foreground    log to standard error instead of the journal\n"
        "  --config FILE   only this file instead of " CONFIG_FILE_DEFAULT " and the drop-ins\n"
        "  --check-config  check the configuration, name all errors, do nothing else\n"
        "  --version, --help\n"
        "\n"
        "Exit status: 0 it ran (with or without recommendations), 1 it failed,\n"
        "2 wrong options, wrong configuration, or a MOUNT that is no NFS mount.\n";

struct command {
        struct manager_options options;
        bool check_config;
        bool done;                      /* --help, --version */
        bool foreground;
};

enum { OPT_ONCE = 256, OPT_PASSIVE, OPT_JSON, OPT_FOREGROUND, OPT_CONFIG, OPT_CHECK_CONFIG, OPT_VERSION, OPT_HELP };

static const struct option long_options[] = {
        { "once", no_argument, NULL, OPT_ONCE },
        { "passive", no_argument, NULL, OPT_PASSIVE },
        { "json", no_argument, NULL, OPT_JSON },
        { "foreground", no_argument, NULL, OPT_FOREGROUND },
        { "config", required_argument, NULL, OPT_CONFIG },
        { "check-config", no_argument, NULL, OPT_CHECK_CONFIG },
        { "version", no_argument, NULL, OPT_VERSION },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
};

static int usage(const char *words)
{
        fprintf(stderr, "nfstuned: %s; see nfstuned --help\n", words);
        return -EINVAL;
}

static int take_option(struct command *c, int option)
{
        struct manager_options *o = &c->options;

        switch (option) {
        case OPT_ONCE:         o->once = true; return 0;
        case OPT_PASSIVE:      o->passive = true; return 0;
        case OPT_JSON:         o->json = true; return 0;
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
        default:               return -EINVAL;         /* getopt_long has said why */
        }
}

static int parse(struct command *c, int argc, char **argv)
{
        struct manager_options *o = &c->options;
        int option, r = 0;

        while (r == 0 && !c->done && (option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
                r = take_option(c, option);
        if (r < 0 || c->done)
                return r;
        if (optind < argc && !o->once)
                return usage("mount points are given with --once only");
        if ((o->json || o->passive) && !o->once)
                return usage("--json and --passive belong to --once");
        if (optind < argc)
                o->targets = (const char *const *) argv + optind;
        o->journal = (struct journal) { .to_stderr = o->once || c->foreground, .quiet = o->json };
        /* The socket belongs to the installed service; by hand we are the parent. */
        o->mount_socket = notify_is_service() && !o->once ? MOUNT_SOCKET : NULL;
        return 0;
}

/* Beside ourselves when run from the build tree, else where they are installed.
 * NULL on -ENOMEM. */
static char *find_helpers(void)
{
        cleanup(text_done) struct text path = { 0 };
        char self[4096];
        ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
        char *slash;

        self[n > 0 ? n : 0] = '\0';
        slash = strrchr(self, '/');
        if (slash) {
                *slash = '\0';
                text_add(&path, "%s/nfstuned-probe", self);
                if (path.data && access(path.data, X_OK) == 0)
                        return strdup(self);
        }
        return strdup(NFSTUNED_LIBEXECDIR);
}

/* Return: 0, or the exit status. */
static int configure(const struct manager_options *o, struct params *params)
{
        cleanup_free char *errors = NULL;
        int r = reload_read(o, params, &errors);

        if (r > 0)
                journal_config_error(&o->journal, errors ? errors : "", false);
        else if (r < 0)
                fprintf(stderr, "nfstuned: the configuration cannot be read: %s\n", strerror(-r));
        return r > 0 ? EXIT_USAGE : r < 0 ? EXIT_FAILURE : 0;
}

int main(int argc, char **argv)
{
        struct command c = { .options = { .config_file = CONFIG_FILE_DEFAULT, .root = &probe_root_host } };
        cleanup_free char *helpers = NULL;
        struct params params = { 0 };
        int r;

        if (parse(&c, argc, argv) < 0)
                return EXIT_USAGE;
        if (c.done)
                return EXIT_SUCCESS;
        c.options.journal.to_stderr |= c.check_config;
        r = configure(&c.options, &params);
        if (r != 0)
                return r;
        if (c.check_config) {
                params_done(&params);
                puts("The configuration is right.");
                return EXIT_SUCCESS;
        }
        helpers = find_helpers();
        if (!helpers) {
                params_done(&params);
                return EXIT_FAILURE;
        }
        c.options.helper_dir = helpers;
        return manager_run(&c.options, &params);
}
