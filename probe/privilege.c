/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Capabilities, user and the tie to the parent. */
#include "probe/privilege.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BIT(capability) (1U << (capability))

/* DAC_READ_SEARCH: reach a mount below somebody's private directory.
 * NET_BIND_SERVICE: exports want a port below 1024.
 * SETUID, SETGID: become the owner of the mount where root is squashed. */
#define KEPT (BIT(CAP_DAC_READ_SEARCH) | BIT(CAP_NET_BIND_SERVICE) | BIT(CAP_SETUID) | BIT(CAP_SETGID))

int privilege_follow_parent(pid_t parent)
{
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
                return -errno;
        /* It may have ended before the kernel was told. */
        return getppid() == parent ? 0 : -ESRCH;
}

static int keep_capabilities(uint32_t kept)
{
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

        if (syscall(SYS_capget, &header, data) < 0)
                return -errno;
        for (size_t i = 0; i < ARRAY_SIZE(data); i++) {
                data[i].permitted &= i == 0 ? kept : 0;
                data[i].effective = data[i].permitted;
                data[i].inheritable = 0;
        }
        return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

int privilege_reduce(void)
{
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
            prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 ||
            prctl(PR_SET_DUMPABLE, 0) < 0)
                return -errno;
        return keep_capabilities(KEPT);
}

int privilege_become(uid_t user, gid_t group)
{
        pid_t parent = getppid();

        if (setgroups(0, NULL) < 0 || setresgid(group, group, group) < 0 || setresuid(user, user, user) < 0)
                return -errno;
        return privilege_follow_parent(parent);
}
