/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the program finds what comes with it. See installed.h. */

#include "daemon/installed.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "policy/text.h"
#include "probe/file.h"

/* Directory of the running program; NULL on -ENOMEM, "" when it cannot be told. */
static char *own_directory(void)
{
        char *self = NULL;
        int r = link_read_in("/proc/self", "exe", &self);
        char *slash;

        if (r < 0)
                return r == -ENOMEM ? NULL : strdup("");
        slash = strrchr(self, '/');
        if (slash)
                *slash = '\0';
        return self;
}

/* Is there a helper beside the programs of @dir? Return: 0, 1 for yes, -ENOMEM. */
static int has_helpers(const char *dir)
{
        cleanup_free char *helper = path_join(dir, "nfstuned-probe");

        if (!helper)
                return -ENOMEM;
        return *dir && access(helper, X_OK) == 0;
}

char *installed_helpers(void)
{
        cleanup_free char *dir = own_directory();
        int r = dir ? has_helpers(dir) : -ENOMEM;

        if (r < 0)
                return NULL;
        return r > 0 ? TAKE(dir) : strdup(NFSTUNED_LIBEXECDIR);
}

/* Length of what stands before the last member "build": the source tree. 0: there is none. */
static size_t tree_length(const char *dir)
{
        static const char member[] = "/build";
        const size_t n = sizeof(member) - 1;
        size_t found = 0;

        for (const char *s = dir; (s = strstr(s, member)); s += n)
                if (s[n] == '/' || s[n] == '\0')
                        found = (size_t) (s - dir);
        return found;
}

int installed_profiles_beside(const char *dir, char **ret)
{
        cleanup(text_done) struct text path = {};
        size_t n = tree_length(dir);
        int r = has_helpers(dir);

        *ret = NULL;
        if (r <= 0 || n == 0)
                return r < 0 ? r : 0;
        text_add_bytes(&path, dir, n);
        text_add(&path, "/etc/servers.d");
        *ret = text_take(&path);
        if (*ret && access(*ret, R_OK | X_OK) < 0)
                free_charp(ret);
        else if (!*ret)
                return -ENOMEM;
        return 0;
}

int installed_profiles(char **ret)
{
        cleanup_free char *dir = own_directory();

        *ret = NULL;
        return dir ? installed_profiles_beside(dir, ret) : -ENOMEM;
}
