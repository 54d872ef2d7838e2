/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read everything, then swap. */
#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "daemon/profiles.h"
#include "daemon/reload.h"
#include "policy/text.h"

/* What came with the program: the weakest of profile_dirs_default alone. */
static int read_profiles(const struct manager_options *options, struct server_profiles *ret, char **ret_errors)
{
        const char *const shipped[] = { profile_dirs_default[0], NULL };
        const char *const *dirs = options->config_must_exist ? shipped : profile_dirs_default;

        return profiles_read(options->build_profiles, dirs, ret, ret_errors);
}

/* NULL on -ENOMEM. */
static char *both(const char *a, const char *b)
{
        struct text t = {};

        text_add(&t, "%s%s", a ? a : "", b ? b : "");
        return text_take(&t);
}

int reload_read(const struct manager_options *options, struct params *ret, char **ret_errors)
{
        const char *const *dirs = options->config_must_exist ? NULL : config_dirs_default;
        cleanup_free char *config_errors = NULL, *profile_errors = NULL;
        cleanup(server_profiles_done) struct server_profiles profiles = {};
        cleanup(params_done) struct params params = {};
        int r = config_read(options->config_file, options->config_must_exist, dirs, &params, &config_errors);
        int p = r < 0 ? r : read_profiles(options, &profiles, &profile_errors);

        if (r < 0 || p < 0)
                return r < 0 ? r : p;
        if (r > 0 || p > 0) {
                *ret_errors = both(config_errors, profile_errors);
                return *ret_errors ? 1 : -ENOMEM;
        }
        params.profiles = profiles;
        *ret = params;
        profiles = (struct server_profiles){};
        params = (struct params){};
        return 0;
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
