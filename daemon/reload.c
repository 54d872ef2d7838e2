/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read everything, then swap. */
#include <string.h>
#include <syslog.h>

#include "daemon/reload.h"

int reload_read(const struct manager_options *options, struct params *ret, char **ret_errors)
{
        const char *const *dirs = options->config_must_exist ? NULL : config_dirs_default;

        return config_read(options->config_file, options->config_must_exist, dirs, ret, ret_errors);
}

int reload_params(const struct manager_options *options, struct params *params)
{
        cleanup_free char *errors = NULL;
        struct params fresh = { 0 };
        int r = reload_read(options, &fresh, &errors);

        if (r > 0) {
                journal_config_error(&options->journal, errors ? errors : "", true);
                return 1;
        }
        if (r < 0) {
                journal_log(&options->journal, LOG_ERR, "The configuration was not read: %s; the old one is kept",
                            strerror(-r));
                return r;
        }
        params_done(params);
        *params = fresh;
        return 0;
}
