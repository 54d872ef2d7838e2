/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstunectl status for a person: what stands in it, that it fits a terminal, and that names do no harm. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/status_table.h"

#define NOW_USEC (1000 * USEC_PER_DAY)
#define MOUNT(rest) "{\"version\":1,\"mode\":\"recommend\",\"stopped\":false,\"trouble\":null,\"mounts\":[{" \
                    "\"target\":\"/data\",\"mode\":\"auto-remount\",\"state\":\"advice\",\"version\":\"4.2\"," \
                    "\"rsize\":32768,\"wsize\":1048576,\"round_trip_usec\":520,\"editor_save_usec\":13100000," \
                    "\"recommendations\":2,\"questions\":1,\"plan\":true" rest "}]}"

static const struct row {
        const char *name;
        const char *json;
        const char *wanted[4];          /* parts of it */
        const char *unwanted;           /* or NULL */
} rows[] = {
        { "no mount", "{\"mode\":\"recommend\",\"mounts\":[]}", { "no NFS mount", "Mode recommend" }, "MOUNT" },
        { "a line of figures", MOUNT(""),
          { "/data                  advice       4.2     32K/1M     520 us      13.1 s   2+1?\n", "MOUNT  ",
            "EDITOR SAVE" }, "to do" },
        { "what to do", MOUNT(",\"todo\":\"nfstunectl apply /data\""), { "to do:", "nfstunectl apply /data" }, NULL },
        { "why not by itself", MOUNT(",\"refusal\":{\"name\":\"path\",\"words\":\"a database\"}"),
          { "automatic:    no: a database" }, NULL },
        { "why not yet", MOUNT(",\"refusal\":{\"name\":\"window\",\"passes\":true,\"words\":\"22:00\"}"),
          { "automatic:    not now: 22:00" }, NULL },
        { "a mount with a mode of its own", MOUNT(""), { "nothing changes by itself, but what is safe of /data.\n" },
          NULL },
        { "mounts that stay as they are",
          "{\"mode\":\"auto-remount\",\"mounts\":[{\"target\":\"/a\",\"mode\":\"recommend\"},"
          "{\"target\":\"/b\",\"mode\":\"auto-remount\"},{\"target\":\"/c\",\"mode\":\"recommend\"}]}",
          { "made by themselves, but not of /a,\n/c.\n" }, NULL },
        { "a change that was measured",
          MOUNT(",\"history\":{\"changed_usec\":86392800000000,\"verified\":true,\"persisted\":true,\"keys\":\"sync\","
                "\"median_before_usec\":400000,\"median_after_usec\":30000,\"failed_usec\":5}"),
          { "changed:", "sync 2 h ago: a save took 400 ms, now 30 ms\n" }, "failed:" },
        { "a change that a new mount loses",
          MOUNT(",\"history\":{\"changed_usec\":86399990000000,\"verified\":true,\"persisted\":false,"
                "\"keys\":\"sync\"}"), { "sync just now; ", "--persist" }, NULL },
        { "a change that was taken back",
          MOUNT(",\"history\":{\"changed_usec\":5,\"rolled_back\":true,\"failed_usec\":86140800000000,"
                "\"failed_words\":\"it was slower\"}"), { "taken back:", "3 days ago: it was slower" }, "failed:" },
        { "a change that could not be made", MOUNT(",\"history\":{\"failed_usec\":86140800000000,"
                                                   "\"failed_words\":\"it was refused\"}"),
          { "failed:", "3 days ago: it was refused" }, "taken back:" },
        { "a clock that was set back", MOUNT(",\"history\":{\"changed_usec\":96399990000000,\"keys\":\"sync\"}"),
          { "just now" }, NULL },
        { "the breaker", "{\"mode\":\"auto-remount\",\"stopped\":true,\"mounts\":[]}",
          { "Mode auto-remount", "nfstunectl resume" }, NULL },
        { "nothing can be changed", "{\"mode\":\"auto-remount\",\"trouble\":\"no\\u009b room\",\"mounts\":[]}",
          { "cannot be changed: no\\xc2\\x9b room" }, NULL },
        { "nothing is known", "{\"mounts\":[{\"target\":\"/a\",\"rsize\":null,\"history\":null,\"refusal\":null}]}",
          { "/a                     -            -            -          -           -      -\n", "Mode unknown" },
          NULL },
        { "a long mount point has its own line",
          "{\"mounts\":[{\"target\":\"/srv/projects/of/the/whole/institute\",\"state\":\"ok\"}]}",
          { "institute\n                       ok " }, NULL },
        { "a name that moves the cursor", "{\"mounts\":[{\"target\":\"/a\\u001b[2J\\nb\",\"state\":\"ok\"}]}",
          { "/a\\x1b[2J\\x0ab " }, "\033" },
};

static int print(const char *json, bool color, char *ret, size_t size)
{
        FILE *f = tmpfile();
        size_t n;
        int r;

        ck_assert_ptr_nonnull(f);
        r = status_table(f, json, NOW_USEC, color);
        rewind(f);
        n = fread(ret, 1, size - 1, f);
        ret[n] = '\0';
        (void) fclose(f);
        return r;
}

START_TEST(is_shown)
{
        const struct row *row = &rows[_i];
        char text[8192];
        int r = print(row->json, false, text, sizeof(text));

        ck_assert_msg(r == 0, "%s: %d", row->name, r);
        for (size_t i = 0; i < ARRAY_SIZE(row->wanted) && row->wanted[i]; i++)
                ck_assert_msg(strstr(text, row->wanted[i]), "%s: no \"%s\" in:\n%s", row->name, row->wanted[i], text);
        ck_assert_msg(!row->unwanted || !strstr(text, row->unwanted), "%s: %s", row->name, text);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
                ck_assert_msg(strcspn(line, "\n") <= 80, "%s: more than 80 columns:\n%s", row->name, text);
}
END_TEST

START_TEST(colors_do_not_move_columns)
{
        char plain[8192], color[8192], *to = color;

        ck_assert_int_eq(print(MOUNT(""), false, plain, sizeof(plain)), 0);
        ck_assert_int_eq(print(MOUNT(""), true, color, sizeof(color)), 0);
        ck_assert_ptr_nonnull(strchr(color, '\033'));
        for (const char *from = color; *from; from++)
                if (*from == '\033')
                        from += strcspn(from, "m");
                else
                        *to++ = *from;
        *to = '\0';
        ck_assert_str_eq(color, plain);
}
END_TEST

static const char *const unusable[] = { "", "[]", "{}", "{\"mounts\":5}", "{\"mounts\":[" };

START_TEST(other_answers_are_refused)
{
        char text[64];

        ck_assert_msg(print(unusable[_i], false, text, sizeof(text)) == -EINVAL, "%s", unusable[_i]);
        ck_assert_str_eq(text, "");
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon/status_table");
        TCase *t = tcase_create("status_table");
        SRunner *runner;
        int failed;

        tcase_add_loop_test(t, is_shown, 0, ARRAY_SIZE(rows));
        tcase_add_test(t, colors_do_not_move_columns);
        tcase_add_loop_test(t, other_answers_are_refused, 0, ARRAY_SIZE(unusable));
        suite_add_tcase(s, t);
        runner = srunner_create(s);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? 1 : 0;
}
