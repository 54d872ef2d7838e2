/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/bdi.c - /sys/class/bdi.
 */
#include "probe/bdi.h"

#include <errno.h>
#include <string.h>

#include "policy/text.h"
#include "probe/file.h"

#define BDI_BYTES_MAX 64

int bdi_read_ahead(const char *sys, struct device device, uint64_t *ret_kib)
{
        struct text path_text = { 0 };

        text_add(&path_text, "%s/class/bdi/%u:%u/read_ahead_kb", sys, device.major, device.minor);
        cleanup_free char *path = text_take(&path_text);
        cleanup_free char *value = NULL;
        size_t length;
        if (!path)
                return -ENOMEM;
        int r = file_read(path, BDI_BYTES_MAX, &value, &length);
        if (r < 0)
                return r;
        value[strcspn(value, "\n")] = '\0';
        return u64_parse(value, ret_kib);
}
