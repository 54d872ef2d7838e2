/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Content that can be made and known again from any place. */
#include "probe/pattern.h"

#include <check.h>
#include <string.h>

#define LENGTH 4096

START_TEST(is_known_again)
{
        uint8_t data[LENGTH];

        pattern_fill(7, 0, data, sizeof(data));
        ck_assert(pattern_matches(7, 0, data, sizeof(data)));
        ck_assert(!pattern_matches(8, 0, data, sizeof(data)));
        ck_assert(!pattern_matches(7, 8, data, sizeof(data)));
        ck_assert(pattern_matches(7, 0, data, 0));
}
END_TEST

/* Every single changed bit shows. */
START_TEST(one_bit_shows)
{
        uint8_t data[64];

        pattern_fill(7, 4096, data, sizeof(data));
        for (size_t bit = 0; bit < sizeof(data) * 8; bit++) {
                data[bit / 8] ^= (uint8_t)(1U << bit % 8);
                ck_assert_msg(!pattern_matches(7, 4096, data, sizeof(data)), "bit %zu", bit);
                data[bit / 8] ^= (uint8_t)(1U << bit % 8);
        }
        ck_assert(pattern_matches(7, 4096, data, sizeof(data)));
}
END_TEST

static const struct piece_row {
        const char *name;
        uint64_t offset;
        size_t length;
} piece_rows[] = {
        { "aligned", 8, 16 },
        { "unaligned start", 3, 13 },
        { "unaligned end", 16, 5 },
        { "within one word", 17, 3 },
        { "one byte", 4095, 1 },
        { "all", 0, LENGTH },
};

/* A piece is the same bytes as that part of the whole. */
START_TEST(pieces_fit)
{
        const struct piece_row *row = &piece_rows[_i];
        uint8_t whole[LENGTH], piece[LENGTH];

        pattern_fill(42, 0, whole, sizeof(whole));
        pattern_fill(42, row->offset, piece, row->length);
        ck_assert_msg(memcmp(whole + row->offset, piece, row->length) == 0, "%s: fill", row->name);
        ck_assert_msg(pattern_matches(42, row->offset, whole + row->offset, row->length), "%s: match", row->name);
}
END_TEST

/* Neither zeros nor a short period, which a server could compress. */
START_TEST(does_not_repeat)
{
        uint64_t words[LENGTH / 8];

        pattern_fill(0, 0, words, sizeof(words));
        for (size_t i = 0; i < ARRAY_SIZE(words); i++)
                for (size_t j = 0; j < i; j++)
                        ck_assert_uint_ne(words[i], words[j]);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/pattern");
        TCase *t = tcase_create("all");

        tcase_add_test(t, is_known_again);
        tcase_add_test(t, one_bit_shows);
        tcase_add_loop_test(t, pieces_fit, 0, ARRAY_SIZE(piece_rows));
        tcase_add_test(t, does_not_repeat);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
