/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user that the configuration names, or the owner of the mount. */
#include "probe/writer.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "policy/text.h"
#include "probe/anchor.h"
#include "probe/file.h"
#include "probe/privilege.h"

#define GROUP_OF_NOBODY 65534

static bool is_automatic(const char *user)
{
        return !user || strcmp(user, "auto") == 0;
}

/* Return: 1, or -ENOMEM. */
static int refuse(const char *user, const char *why, char **ret_words)
{
        struct text t = { 0 };

        text_add(&t, "cannot become the user %s: %s", user, why);
        *ret_words = text_take(&t);
        return *ret_words ? 1 : -ENOMEM;
}

/* By name or number. A number may be known to the server alone. */
static bool find_user(const char *name, uid_t *ret_user, gid_t *ret_group)
{
        const struct passwd *p = getpwnam(name);
        uint64_t number;

        if (!p && (u64_parse(name, &number) < 0 || number >= UINT32_MAX))       /* the last one means "no change" */
                return false;
        if (!p)
                p = getpwuid((uid_t)number);
        *ret_user = p ? p->pw_uid : (uid_t)number;
        *ret_group = p ? p->pw_gid : GROUP_OF_NOBODY;
        return true;
}

int writer_become_named(const char *user, char **ret_words)
{
        uid_t uid;
        gid_t gid;

        if (is_automatic(user))
                return 0;
        if (!find_user(user, &uid, &gid))
                return refuse(user, "no such user", ret_words);
        if (uid == geteuid())
                return 0;
        int r = privilege_become(uid, gid);
        return r < 0 ? refuse(user, strerrordesc_np(-r), ret_words) : 0;
}

bool writer_become_owner(const char *user, int root_fd)
{
        uid_t uid;
        gid_t gid;

        return geteuid() == 0 && is_automatic(user) && anchor_owner(root_fd, &uid, &gid) == 0 && uid != 0 &&
               privilege_become(uid, gid) == 0;
}
