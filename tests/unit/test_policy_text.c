/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/text.c: the growing string and its words for sizes and times. */
#include "tests/unit/policy_world.h"

static void check_taken(struct text *t, const char *want, const char *name)
{
        char *got = text_take(t);

        ck_assert_msg(got && strcmp(got, want) == 0, "%s: got \"%s\", want \"%s\"", name, got ? got : "(null)", want);
        ck_assert_msg(!t->data && t->length_bytes == 0, "%s: not left empty", name);
        free(got);
}

START_TEST(sizes)
{
        static const struct {
                uint64_t bytes;
                const char *want;
        } rows[] = {
                { 0, "0 bytes" },
                { 1000, "1000 bytes" },
                { 1024, "1 KiB" },
                { 8192, "8 KiB" },
                { 32768, "32 KiB" },
                { MIB, "1 MiB" },
                { MIB + KIB, "1025 KiB" },
                { MIB - 1, "1048575 bytes" },
                { 4 * MIB, "4 MiB" },
                { UINT64_MAX, "18446744073709551615 bytes" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct text t = { 0 };

                text_add_size(&t, rows[i].bytes);
                check_taken(&t, rows[i].want, rows[i].want);
        }
}
END_TEST

START_TEST(durations)
{
        static const struct {
                usec_t usec;
                const char *want;
        } rows[] = {
                { 0, "0 us" },
                { 850, "850 us" },
                { 999, "999 us" },
                { 1000, "1 ms" },
                { 5240, "5.2 ms" },
                { 10900, "10.9 ms" },
                { 99960, "100 ms" },
                { 350000, "350 ms" },
                { 999499, "999 ms" },
                { 999500, "1 s" },
                { 13100000, "13.1 s" },
                { 75 * USEC_PER_SEC, "75 s" },
                { 119 * USEC_PER_SEC, "119 s" },
                { 3 * USEC_PER_MINUTE, "3 min" },
                { 150 * USEC_PER_SEC, "2.5 min" },
                { 3 * USEC_PER_HOUR, "3 h" },
                { 3 * USEC_PER_DAY, "3 days" },
                { USEC_INFINITY, "for ever" },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct text t = { 0 };

                text_add_usec(&t, rows[i].usec);
                check_taken(&t, rows[i].want, rows[i].want);
        }
}
END_TEST

START_TEST(empty_and_growing)
{
        struct text t = { 0 };

        check_taken(&t, "", "empty");
        text_add(&t, "%s", "");
        check_taken(&t, "", "nothing added");
        for (int i = 0; i < 1000; i++)
                text_add(&t, "%d,", i % 10);
        ck_assert_uint_eq(t.length_bytes, 2000);
        ck_assert_int_eq(t.data[2000], '\0');
        text_add_bytes(&t, "a\0b", 3);
        ck_assert_uint_eq(t.length_bytes, 2003);
        ck_assert_mem_eq(t.data + 2000, "a\0b", 4);
        text_done(&t);
        ck_assert_ptr_null(t.data);
}
END_TEST

START_TEST(failure_is_sticky)
{
        struct text t = { 0 };

        text_add(&t, "kept");
        text_add_bytes(&t, "", SIZE_MAX);       /* no room for it anywhere */
        ck_assert(t.failed);
        text_add(&t, "more");
        ck_assert_ptr_null(text_take(&t));
        ck_assert(!t.failed);
        text_add(&t, "new");
        check_taken(&t, "new", "after a failure");
}
END_TEST

WORLD_MAIN("policy text", sizes, durations, empty_and_growing, failure_is_sticky)
