/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/base.h - the few macros and scalar types that every layer shares.
 *
 * Layer:   policy types (header only; everybody may include it).
 *
 * Error convention of the whole project: 0 is success, a negative errno is
 * fatal for the operation and is forwarded untouched, a positive value is a
 * documented outcome that the direct caller handles.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Microseconds. A point in time is CLOCK_BOOTTIME unless a name says
 * otherwise; a duration carries the same unit. */
typedef uint64_t usec_t;
#define USEC_PER_MSEC 1000ULL
#define USEC_PER_SEC  1000000ULL
#define USEC_PER_MINUTE (60 * USEC_PER_SEC)
#define USEC_PER_HOUR   (60 * USEC_PER_MINUTE)
#define USEC_PER_DAY    (24 * USEC_PER_HOUR)
#define USEC_INFINITY   UINT64_MAX

#define KIB 1024ULL
#define MIB (1024ULL * KIB)

#define must_check       __attribute__((warn_unused_result))
#define printf_like(f, a) __attribute__((format(printf, f, a)))
#define cleanup(fn)      __attribute__((cleanup(fn)))
#define may_be_unused    __attribute__((unused))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Moves ownership out of a variable: the value is returned, the variable is
 * left zero, so that its cleanup does nothing. */
#define TAKE(var)                               \
        ({                                      \
                __auto_type take_old_ = (var);  \
                (var) = NULL;                   \
                take_old_;                      \
        })

static inline void free_charp(char **p)
{
        free(*p);
        *p = NULL;
}
#define cleanup_free cleanup(free_charp)
