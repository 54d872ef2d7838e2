/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/idle.h - is a mount in use?
 *
 * Layer: nfstuned-mount only. Asks no server: umount2(MNT_EXPIRE), whose mark is taken away before and after
 * (KERNEL-FACTS 0). Users in other mount namespaces are not seen.
 */
#pragma once

#include "daemon/apply_request.h"

/* Sets a->busy. A mount that is not there as @m says: end REFUSED with words. Return: 0, 1 when the end is written, or
 * a negative errno. */
int idle_test(const struct mount_facts *m, struct apply_answer *a) must_check;
