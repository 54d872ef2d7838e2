/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstuned(8): options in, configuration read, manager run. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/command.h"
#include "daemon/installed.h"
#include "daemon/notify.h"
#include "daemon/reload.h"
#include "probe/file.h"

/* Return: 0, or the exit status. */
static int configure(const struct manager_options *o, struct params *params)
{
        static const struct journal terminal = { .to_stderr = true };
        cleanup_free char *errors = NULL;
        int r = reload_read(o, params, &errors);

        if (r > 0 && !o->journal.to_stderr && !notify_is_service())
                journal_config_error(&terminal, errors ? errors : "", false); /* who started it by hand looks here */
        if (r > 0)
                journal_config_error(&o->journal, errors ? errors : "", false);
        else if (r < 0)
                fprintf(stderr, "nfstuned: the configuration cannot be read: %s\n", strerror(-r));
        return r > 0 ? EXIT_USAGE : r < 0 ? EXIT_FAILURE : 0;
}

/* The exit status after a few lines on standard output. */
static int printed(void)
{
        if (fflush(stdout) == 0 && !ferror(stdout))
                return EXIT_SUCCESS;
        fprintf(stderr, "nfstuned: standard output: %s\n", strerror(errno));
        return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
        struct command c = { .options = { .config_file = CONFIG_FILE_DEFAULT, .root = &probe_root_host } };
        cleanup_free char *helpers = NULL, *profiles = NULL;
        struct params params = { 0 };
        int r;

        if (files_open_standard() < 0)
                return EXIT_FAILURE;
        if (command_parse(argc, argv, &c) < 0)
                return EXIT_USAGE;
        if (c.done)
                return printed();
        helpers = installed_helpers();
        if (!helpers || installed_profiles(&profiles) < 0)
                return EXIT_FAILURE;
        c.options.helper_dir = helpers;
        c.options.build_profiles = profiles;
        c.options.journal.to_stderr |= c.check_config;
        r = configure(&c.options, &params);
        if (r != 0)
                return r;
        if (c.check_config) {
                params_done(&params);
                puts("The configuration is right.");
                return printed();
        }
        return manager_run(&c.options, &params);
}
