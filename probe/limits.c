/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What both ways of asking for transfer limits do with their result. */
#include "probe/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* The Linux client takes no notice of a smaller rtmax (nfs_server_set_fsinfo). */
#define LIMIT_MIN 512

int limits_unknown(struct server_facts *ret, const char *format, ...)
{
        char *words = NULL;
        va_list args;

        va_start(args, format);
        int n = vasprintf(&words, format, args);
        va_end(args);
        if (n < 0)
                return -ENOMEM;
        free(ret->limit_detail);
        ret->limit_detail = words;
        ret->limit_source = LIMIT_UNKNOWN;
        return 0;
}

int limits_store(enum limit_source source, uint64_t read_max, uint64_t write_max, struct server_facts *ret)
{
        if (read_max < LIMIT_MIN || write_max < LIMIT_MIN)
                return limits_unknown(ret, "the server names no usable limit (%" PRIu64 " and %" PRIu64 " bytes)",
                                      read_max, write_max);
        ret->limit_source = source;
        ret->read_max_bytes = read_max;
        ret->write_max_bytes = write_max;
        return 0;
}
