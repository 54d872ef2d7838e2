/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server that returns other bytes than were written. The content is this
 * file's own, in place of probe/pattern.c, so that it can differ at will.
 */
#include "probe/testfile.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/clock.h"
#include "probe/pattern.h"

#define SOUND UINT64_MAX

/* The seed says where the damage is. */
void pattern_fill(uint64_t seed may_be_unused, uint64_t offset_bytes may_be_unused, void *ret, size_t length_bytes)
{
        memset(ret, 'x', length_bytes);
}

bool pattern_matches(uint64_t seed, uint64_t offset_bytes, const void *data, size_t length_bytes)
{
        const char *bytes = data;

        for (size_t i = 0; i < length_bytes; i++)
                if (bytes[i] != 'x')
                        return false;
        return seed < offset_bytes || seed >= offset_bytes + length_bytes;
}

static const struct damage_row {
        const char *name;
        uint64_t damaged_byte;
        enum outcome outcome;
        size_t read_bytes;
} damage_rows[] = {
        { "sound", SOUND, OUTCOME_OK, 0 },
        { "sound, read at once", SOUND, OUTCOME_OK, 3 * 128 * KIB },
        { "the last byte, read at once", 3 * 128 * KIB - 1, OUTCOME_CORRUPT, 3 * 128 * KIB },
        { "sound, a read beyond the end", SOUND, OUTCOME_OK, MIB + 1 },
        { "the first byte", 0, OUTCOME_CORRUPT, 0 },
        { "a byte in the middle", 100000, OUTCOME_CORRUPT, 0 },
        { "the last byte", 3 * 128 * KIB - 1, OUTCOME_CORRUPT, 0 },
        { "beyond the end", 3 * 128 * KIB, OUTCOME_OK, 0 },
};

START_TEST(reads_back)
{
        const struct damage_row *row = &damage_rows[_i];
        const struct ownfile_identity id = { .machine = "m", .boot = "b", .pid = 1, .start_ticks = 1 };
        const struct shape shape = { .piece_bytes = 128 * KIB, .pieces = 3, .read_bytes = row->read_bytes };
        struct budget budget = { .bytes_left = MIB, .deadline_usec = clock_monotonic_usec() + USEC_PER_MINUTE };
        struct workload_result result = { 0 };
        char path[] = "/tmp/nfstuned-test-XXXXXX", name[NAME_MAX + 1];
        struct stat st;

        ck_assert_ptr_nonnull(mkdtemp(path));
        struct testfile file = {
                .dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .identity = &id, .seed = row->damaged_byte,
        };
        ck_assert_int_eq(testfile_run(&file, &shape, &budget, &result), 0);
        ownfile_name(&id, 0, name);
        ck_assert_msg(fstatat(file.dir_fd, name, &st, 0) < 0, "%s: the file is still there", row->name);
        close(file.dir_fd);
        ck_assert_int_eq(rmdir(path), 0);

        ck_assert_msg(result.outcome == row->outcome, "%s: outcome %d", row->name, result.outcome);
        ck_assert_msg(result.verified == (row->outcome == OUTCOME_OK), "%s: verified", row->name);
        ck_assert_msg(result.written_bytes == 3 * 128 * KIB, "%s: written", row->name);
        ck_assert_msg(budget.bytes_left == MIB - 3 * 128 * KIB, "%s: budget", row->name);
}
END_TEST

/* A mode that lets us write only: nothing said, unless it was asked for. */
static const struct unreadable_row {
        const char *name;
        bool must_verify;
        enum outcome outcome;
} unreadable_rows[] = {
        { "cannot be told", false, OUTCOME_OK },
        { "must be told", true, OUTCOME_DENIED },
};

START_TEST(cannot_be_read_back)
{
        const struct unreadable_row *row = &unreadable_rows[_i];
        const struct ownfile_identity id = { .machine = "m", .boot = "b", .pid = 1, .start_ticks = 1 };
        const struct shape shape = { .piece_bytes = 4 * KIB, .pieces = 1, .must_verify = row->must_verify };
        struct budget budget = { .bytes_left = MIB, .deadline_usec = clock_monotonic_usec() + USEC_PER_MINUTE };
        struct workload_result result = { 0 };
        char path[] = "/tmp/nfstuned-test-XXXXXX";

        ck_assert_ptr_nonnull(mkdtemp(path));
        ck_assert_int_eq(chmod(path, 0777), 0);
        struct testfile file = { .dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .identity = &id };
        if (geteuid() == 0)
                ck_assert_int_eq(seteuid(65534), 0);
        umask(0777);
        ck_assert_int_eq(testfile_run(&file, &shape, &budget, &result), 0);
        if (getuid() == 0)
                ck_assert_int_eq(seteuid(0), 0);
        close(file.dir_fd);
        ck_assert_int_eq(rmdir(path), 0);

        ck_assert_msg(result.outcome == row->outcome, "%s: outcome %d", row->name, result.outcome);
        ck_assert_msg(result.error == (row->must_verify ? EACCES : 0), "%s: errno %d", row->name, result.error);
        ck_assert_msg(!result.verified, "%s: verified", row->name);
}
END_TEST

static const struct errno_row {
        const char *name;
        int error;
        enum outcome outcome;
} errno_rows[] = {
        { "nothing", 0, OUTCOME_OK },
        { "EROFS", EROFS, OUTCOME_READ_ONLY },
        { "ENOSPC", ENOSPC, OUTCOME_NO_SPACE },
        { "EDQUOT", EDQUOT, OUTCOME_QUOTA },
        { "EACCES", EACCES, OUTCOME_DENIED },
        { "EPERM", EPERM, OUTCOME_DENIED },
        { "EEXIST", EEXIST, OUTCOME_UNSAFE },
        { "ELOOP", ELOOP, OUTCOME_UNSAFE },
        { "EXDEV", EXDEV, OUTCOME_UNSAFE },
        { "EIO", EIO, OUTCOME_ERROR },
        { "ESTALE", ESTALE, OUTCOME_ERROR },
};

START_TEST(errors)
{
        const struct errno_row *row = &errno_rows[_i];

        ck_assert_msg(outcome_of_errno(row->error) == row->outcome, "%s", row->name);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("probe/testfile");
        TCase *t = tcase_create("all");

        tcase_add_loop_test(t, reads_back, 0, ARRAY_SIZE(damage_rows));
        tcase_add_loop_test(t, cannot_be_read_back, 0, ARRAY_SIZE(unreadable_rows));
        tcase_add_loop_test(t, errors, 0, ARRAY_SIZE(errno_rows));
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
