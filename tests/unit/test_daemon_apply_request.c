/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests to nfstuned-mount: there and back, and what is refused unseen. */
#include <errno.h>
#include <limits.h>

#include "daemon/apply_request.h"
#include "tests/unit/records.h"

static char *copy(const char *s)
{
        char *c = strdup(s);

        ck_assert_ptr_nonnull(c);
        return c;
}

static struct apply_request request_make(void)
{
        struct apply_request r = {
                .op = APPLY_PERSIST, .mount = mount_make("/srv/a b\xff"), .staging = staging_of(), .busy = BUSY_DETACH,
                .by_hand = true, .may_write = true, .user = copy("nobody"), .directory = copy("sub/dir"),
                .budget_usec = 20 * USEC_PER_SEC, .dry_run = true,
        };

        r.edits = calloc(2, sizeof(*r.edits));
        ck_assert_ptr_nonnull(r.edits);
        r.n_edits = 2;
        r.edits[0] = (struct source_edit){ .kind = PLACE_FSTAB, .file = copy("/etc/fstab"), .line = 7,
                                           .old_text = copy("a\t/b nfs sync"), .new_text = copy("a\t/b nfs \\040"),
                                           .options = copy("defaults") };
        r.edits[1] = (struct source_edit){ .kind = PLACE_UNIT, .file = copy("/etc/systemd/system/x.mount.d/y.conf"),
                                           .new_text = copy("[Mount]\nOptions=rw\n") };
        return r;
}

START_TEST(test_there_and_back)
{
        cleanup(apply_request_done) struct apply_request r = request_make(), back = { 0 };
        cleanup_free char *text = apply_request_to_json(&r), *words = NULL;

        ck_assert_ptr_nonnull(text);
        ck_assert_ptr_null(strchr(text, '\n'));
        int status = apply_request_from_json(text, strlen(text), &back, &words);
        ck_assert_msg(status == 0, "%s", words);
        ck_assert_int_eq(back.op, APPLY_PERSIST);
        ck_assert_str_eq(back.mount.target, "/srv/a b\xff");
        ck_assert_uint_eq(back.mount.mount_id, 71);
        expect_same_staging(&back.staging);
        ck_assert_int_eq(back.busy, BUSY_DETACH);
        ck_assert(back.by_hand && back.may_write && back.dry_run);
        ck_assert(!back.rollback && !back.persist && !back.want_users);
        ck_assert_str_eq(back.user, "nobody");
        ck_assert_str_eq(back.directory, "sub/dir");
        ck_assert_uint_eq(back.budget_usec, 20 * USEC_PER_SEC);
        ck_assert_uint_eq(back.n_edits, 2);
        ck_assert_int_eq(back.edits[0].kind, PLACE_FSTAB);
        ck_assert_uint_eq(back.edits[0].line, 7);
        ck_assert_str_eq(back.edits[0].old_text, "a\t/b nfs sync");
        ck_assert_str_eq(back.edits[0].new_text, "a\t/b nfs \\040");
        ck_assert_str_eq(back.edits[0].options, "defaults");
        ck_assert_ptr_null(back.edits[1].old_text);
        ck_assert_str_eq(back.edits[1].new_text, "[Mount]\nOptions=rw\n");
}
END_TEST

START_TEST(test_each_op)
{
        cleanup(apply_request_done) struct apply_request r = { .op = (enum apply_op)_i, .mount = mount_make("/t") };
        cleanup(apply_request_done) struct apply_request back = { 0 };
        cleanup_free char *text = apply_request_to_json(&r);

        ck_assert_int_eq(apply_request_from_json(text, strlen(text), &back, NULL), 0);
        ck_assert_msg(back.op == r.op, "%s", apply_op_name(r.op));
}
END_TEST

/* What is recovered is found by its mount point. */
START_TEST(test_target_alone)
{
        cleanup(apply_request_done) struct apply_request r = { .op = APPLY_RECOVER, .mount.target = copy("/t") };
        cleanup(apply_request_done) struct apply_request back = { 0 };
        cleanup_free char *text = apply_request_to_json(&r), *again = NULL;

        ck_assert_int_eq(apply_request_from_json(text, strlen(text), &back, NULL), 0);
        ck_assert_str_eq(back.mount.target, "/t");
        apply_request_done(&back);
        r.op = APPLY_REPLACE;
        again = apply_request_to_json(&r);
        ck_assert_int_eq(apply_request_from_json(again, strlen(again), &back, NULL), -EINVAL);
}
END_TEST

#define MOUNT_AT(target, fstype) "\"mount\":{\"target\":\"" target "\",\"source\":\"h:/s\",\"fstype\":\"" fstype "\"}"
#define MOUNT MOUNT_AT("/t", "nfs4")
#define REPLACE "{\"op\":\"replace\"," MOUNT
#define STAGING(to) REPLACE ",\"staging\":{\"method\":\"replace\",\"keys\":\"sync\",\"from\":\"rw\",\"to\":\"" to "\"}}"
#define EDIT(kind, file, old) \
        "{\"op\":\"persist\"," MOUNT ",\"edits\":[{\"kind\":\"" kind "\",\"file\":\"" file "\",\"old_text\":" old "}]}"
#define ONE_EDIT "{\"kind\":\"fstab\",\"file\":\"/etc/fstab\",\"old_text\":\"x\"}"

static const struct {
        const char *name, *text;
        int result;
} texts[] = {
        { "least", REPLACE "}", 0 },
        { "a request for limits", "{" MOUNT "}", -ENOENT },
        { "unknown op", "{\"op\":\"format\"," MOUNT "}", -EINVAL },
        { "op as a number", "{\"op\":2," MOUNT "}", -EINVAL },
        { "op null", "{\"op\":null," MOUNT "}", -EINVAL },
        { "no mount", "{\"op\":\"look\"}", -EINVAL },
        { "mount as a string", "{\"op\":\"look\",\"mount\":\"/t\"}", -EINVAL },
        { "op twice", "{\"op\":\"look\",\"op\":\"replace\"," MOUNT "}", -EINVAL },
        { "unknown key", REPLACE ",\"shell\":\"sh\"}", -EINVAL },
        { "unknown key of the mount",
          "{\"op\":\"look\",\"mount\":{\"target\":\"/t\",\"source\":\"h:/s\",\"fstype\":\"nfs\",\"x\":1}}", -EINVAL },
        { "unknown key of the staging", REPLACE ",\"staging\":{\"x\":1}}", -EINVAL },
        { "unknown key of the device",
          "{\"op\":\"look\",\"mount\":{\"target\":\"/t\",\"source\":\"h:/s\",\"fstype\":\"nfs\",\"device\":{\"x\":1}}}",
          -EINVAL },
        { "unknown key of an edit",
          "{\"op\":\"persist\"," MOUNT ",\"edits\":[{\"kind\":\"fstab\",\"file\":\"/etc/fstab\",\"old_text\":\"x\","
          "\"x\":1}]}", -EINVAL },
        { "another file system", "{\"op\":\"replace\"," MOUNT_AT("/t", "ext4") "}", -EINVAL },
        { "nfsd", "{\"op\":\"replace\"," MOUNT_AT("/t", "nfsd") "}", -EINVAL },
        { "version 3", "{\"op\":\"replace\"," MOUNT_AT("/t", "nfs") "}", 0 },
        { "relative target", "{\"op\":\"replace\"," MOUNT_AT("t", "nfs") "}", -EINVAL },
        { "empty target", "{\"op\":\"replace\"," MOUNT_AT("", "nfs") "}", -EINVAL },
        { "target with ..", "{\"op\":\"replace\"," MOUNT_AT("/t/../etc", "nfs") "}", -EINVAL },
        { "target that ends in ..", "{\"op\":\"replace\"," MOUNT_AT("/t/..", "nfs") "}", -EINVAL },
        { "target with .", "{\"op\":\"replace\"," MOUNT_AT("/./t", "nfs") "}", -EINVAL },
        { "target with //", "{\"op\":\"replace\"," MOUNT_AT("/t//u", "nfs") "}", -EINVAL },
        { "target with a slash at its end", "{\"op\":\"replace\"," MOUNT_AT("/t/", "nfs") "}", -EINVAL },
        { "target with dots in a name", "{\"op\":\"replace\"," MOUNT_AT("/..t/...", "nfs") "}", 0 },
        { "the root", "{\"op\":\"replace\"," MOUNT_AT("/", "nfs") "}", 0 },
        { "a NUL in the target", "{\"op\":\"replace\"," MOUNT_AT("/t\\u0000x", "nfs") "}", -EINVAL },
        { "a NUL by our own escape", "{\"op\":\"replace\"," MOUNT_AT("/t\\\\x00x", "nfs") "}", -EINVAL },
        { "options of the kernel", STAGING("rw,nosuid,vers=4.2,rsize=65536,addr=1.2.3.4,sec=krb5p"), 0 },
        { "a label", STAGING("rw,context=\\\"system_u:object_r:nfs_t:s0:c1,c2\\\""), 0 },
        { "another module's label", STAGING("smackfsdef=x"), 0 },
        { "an unknown option", STAGING("rw,frobnicate"), -EINVAL },
        { "an option of mount.nfs", STAGING("rw,bg"), -EINVAL },
        { "retry", STAGING("retry=0"), -EINVAL },
        { "an option of mount", STAGING("rw,_netdev"), -EINVAL },
        { "bind", STAGING("bind"), -EINVAL },
        { "an option of systemd", STAGING("x-systemd.automount"), -EINVAL },
        { "an x- option", STAGING("x-helper=sh"), -EINVAL },
        { "an empty option", STAGING("rw,,sync"), -EINVAL },
        { "an unknown option in from", REPLACE ",\"staging\":{\"from\":\"frobnicate\"}}", -EINVAL },
        { "a superblock of its own", REPLACE ",\"staging\":{\"keys\":\"sharecache\",\"to\":\"nosharecache\"}}",
          -EINVAL },
        { "an unknown key", REPLACE ",\"staging\":{\"keys\":\"frobnicate\"}}", -EINVAL },
        { "options as an array", REPLACE ",\"staging\":{\"to\":[\"rw\"]}}", -EINVAL },
        { "an open quote", STAGING("context=\\\"x"), -EINVAL },
        { "method of the server", REPLACE ",\"staging\":{\"method\":\"server\"}}", -EINVAL },
        { "unknown method", REPLACE ",\"staging\":{\"method\":\"magic\"}}", -EINVAL },
        { "a huge read-ahead", REPLACE ",\"staging\":{\"read_ahead_kib\":9000000000000000000}}", -EINVAL },
        { "beyond 64 bits", REPLACE ",\"budget_usec\":99999999999999999999}", -EINVAL },
        { "a long budget", REPLACE ",\"budget_usec\":9000000000000000000}", -EINVAL },
        { "a negative budget", REPLACE ",\"budget_usec\":-1}", -EINVAL },
        { "a budget with a fraction", REPLACE ",\"budget_usec\":1.5}", -EINVAL },
        { "unknown busy", REPLACE ",\"busy\":\"kill\"}", -EINVAL },
        { "a flag as a word", REPLACE ",\"rollback\":\"yes\"}", -EINVAL },
        { "directory above", REPLACE ",\"directory\":\"../x\"}", -EINVAL },
        { "directory above in the middle", REPLACE ",\"directory\":\"a/../../x\"}", -EINVAL },
        { "absolute directory", REPLACE ",\"directory\":\"/etc\"}", -EINVAL },
        { "directory", REPLACE ",\"directory\":\"a/b/\"}", 0 },
        { "the mount itself", REPLACE ",\"directory\":\".\"}", 0 },
        { "edits of another op", REPLACE ",\"edits\":[" ONE_EDIT "]}", -EINVAL },
        { "an edit", EDIT("fstab", "/etc/fstab", "\"x\""), 0 },
        { "an edit of a map", EDIT("autofs", "/etc/auto.nfs", "\"x\""), -EINVAL },
        { "an edit of an unknown kind", EDIT("passwd", "/etc/passwd", "\"x\""), -EINVAL },
        { "an edit of a relative file", EDIT("fstab", "etc/fstab", "\"x\""), -EINVAL },
        { "an edit behind ..", EDIT("fstab", "/etc/../root/x", "\"x\""), -EINVAL },
        { "an edit with a number", EDIT("fstab", "/etc/fstab", "7"), -EINVAL },
        { "an edit of nothing",
          "{\"op\":\"persist\"," MOUNT ",\"edits\":[{\"kind\":\"fstab\",\"file\":\"/etc/fstab\"}]}", -EINVAL },
        { "an edit without a file", "{\"op\":\"persist\"," MOUNT ",\"edits\":[{\"kind\":\"fstab\",\"old_text\":\"\"}]}",
          -EINVAL },
        { "edits as an object", "{\"op\":\"persist\"," MOUNT ",\"edits\":{}}", -EINVAL },
        { "no edits", "{\"op\":\"persist\"," MOUNT ",\"edits\":[]}", 0 },
        { "8 edits", "{\"op\":\"persist\"," MOUNT ",\"edits\":[" ONE_EDIT "," ONE_EDIT "," ONE_EDIT "," ONE_EDIT ","
                     ONE_EDIT "," ONE_EDIT "," ONE_EDIT "," ONE_EDIT "]}", 0 },
        { "9 edits", "{\"op\":\"persist\"," MOUNT ",\"edits\":[" ONE_EDIT "," ONE_EDIT "," ONE_EDIT "," ONE_EDIT ","
                     ONE_EDIT "," ONE_EDIT "," ONE_EDIT "," ONE_EDIT "," ONE_EDIT "]}", -EINVAL },
        { "an array", "[]", -EINVAL },
        { "empty", "", -EINVAL },
        { "cut", REPLACE, -EINVAL },
        { "two objects", REPLACE "}{}", -EINVAL },
};

START_TEST(test_text)
{
        cleanup(apply_request_done) struct apply_request r = { 0 };
        cleanup_free char *words = NULL;
        int result = apply_request_from_json(texts[_i].text, strlen(texts[_i].text), &r, &words);

        ck_assert_msg(result == texts[_i].result, "%s: %d (%s)", texts[_i].name, result, words);
        ck_assert_msg((words != NULL) == (result == -EINVAL), "%s: words", texts[_i].name);
        if (result < 0)
                ck_assert_msg(!r.mount.target && !r.edits, "%s: left something behind", texts[_i].name);
}
END_TEST

/* A byte at the end that is none of the text. */
START_TEST(test_bytes_behind)
{
        static const char text[] = REPLACE "}\0{}";
        cleanup(apply_request_done) struct apply_request r = { 0 };

        ck_assert_int_eq(apply_request_from_json(text, sizeof(text) - 1, &r, NULL), -EINVAL);
}
END_TEST

static const struct {
        const char *name;
        size_t length;
        enum { TARGET, EDIT_TEXT, SUPER } where;
        int result;
} lengths[] = {
        { "a target of 4096 bytes", 4096, TARGET, 0 },       { "a target of 4097 bytes", 4097, TARGET, -EINVAL },
        { "a line of 4096 bytes", 4096, EDIT_TEXT, 0 },      { "a line of 4097 bytes", 4097, EDIT_TEXT, -EINVAL },
        { "options of 4096 bytes", 4096, SUPER, 0 },         { "options of 4097 bytes", 4097, SUPER, -EINVAL },
};

START_TEST(test_length)
{
        cleanup(apply_request_done) struct apply_request r = request_make(), back = { 0 };
        char *s = malloc(lengths[_i].length + 1);

        ck_assert_ptr_nonnull(s);
        memset(s, 'x', lengths[_i].length);
        s[0] = '/';
        s[lengths[_i].length] = '\0';
        if (lengths[_i].where == TARGET) {
                free(r.mount.target);
                r.mount.target = s;
        } else if (lengths[_i].where == EDIT_TEXT) {
                free(r.edits[0].old_text);
                r.edits[0].old_text = s;
        } else {
                options_done(&r.mount.super);
                options_of(&r.mount.super, s);
                free(s);
        }
        cleanup_free char *text = apply_request_to_json(&r), *words = NULL;
        int result = apply_request_from_json(text, strlen(text), &back, &words);
        ck_assert_msg(result == lengths[_i].result, "%s: %d (%s)", lengths[_i].name, result, words);
}
END_TEST

/* ---- answers ----------------------------------------------------------------------------- */

START_TEST(test_answer_there_and_back)
{
        cleanup(apply_answer_done) struct apply_answer a = {
                .end = APPLY_END_BUSY, .words = copy("why \xff not"), .mount = mount_make("/t"), .busy = true,
                .elsewhere = true, .compared = true, .comparison = { 7, 5000, 400, 80, 75, UINT_MAX },
                .diff = copy("--- a\n+++ b\n"),
        };
        cleanup(apply_answer_done) struct apply_answer back = { 0 };

        a.users = calloc(2, sizeof(*a.users));
        a.backups = calloc(1, sizeof(*a.backups));
        ck_assert(a.users && a.backups);
        a.n_users = 2;
        a.n_backups = 1;
        a.users[0] = (struct apply_user){ 17, copy("ba\tsh"), copy("working directory"), false, false };
        a.users[1] = (struct apply_user){ 0, NULL, copy("mounted at /t in another namespace"), true, true };
        a.backups[0] = copy("/etc/fstab.nfstuned-backup");
        cleanup_free char *text = apply_answer_to_json(&a);
        ck_assert(text && !strchr(text, '\n'));
        ck_assert_int_eq(apply_answer_from_json(text, strlen(text), &back, NULL), 0);
        ck_assert_int_eq(back.end, APPLY_END_BUSY);
        ck_assert_str_eq(back.words, "why \xff not");
        ck_assert_str_eq(back.mount.target, "/t");
        ck_assert(back.busy && back.elsewhere && back.compared);
        ck_assert_int_eq(memcmp(&back.comparison, &a.comparison, sizeof(a.comparison)), 0);
        ck_assert_uint_eq(back.n_users, 2);
        ck_assert(back.users[0].pid == 17 && !back.users[0].is_mount && !back.users[0].reached);
        ck_assert_str_eq(back.users[0].command, "ba\tsh");
        ck_assert(back.users[1].is_mount && back.users[1].reached && !back.users[1].command);
        ck_assert_str_eq(back.diff, "--- a\n+++ b\n");
        ck_assert_uint_eq(back.n_backups, 1);
        ck_assert_str_eq(back.backups[0], "/etc/fstab.nfstuned-backup");
}
END_TEST

START_TEST(test_each_end)
{
        cleanup(apply_answer_done) struct apply_answer a = { .end = (enum apply_end)_i }, back = { 0 };
        cleanup_free char *text = apply_answer_to_json(&a);

        ck_assert_int_eq(apply_answer_from_json(text, strlen(text), &back, NULL), 0);
        ck_assert_msg(back.end == a.end, "%s", apply_end_name(a.end));
        ck_assert(!back.mount.target && !back.words && !back.diff && back.n_users == 0 && back.n_backups == 0);
}
END_TEST

static const struct {
        const char *name, *text;
        int result;
} answers[] = {
        { "least", "{\"end\":\"done\"}", 0 },
        { "from a later one", "{\"end\":\"done\",\"more\":1}", 0 },
        { "no end", "{}", -EINVAL },
        { "unknown end", "{\"end\":\"fine\"}", -EINVAL },
        { "half a mount", "{\"end\":\"done\",\"mount\":{\"target\":\"/t\"}}", -EINVAL },
        { "users as a word", "{\"end\":\"done\",\"users\":\"all\"}", -EINVAL },
        { "a user as a word", "{\"end\":\"done\",\"users\":[\"bash\"]}", -EINVAL },
        { "a user with a word as pid", "{\"end\":\"done\",\"users\":[{\"command\":\"a\"},{\"pid\":\"1\"}]}", -EINVAL },
        { "a number as backup", "{\"end\":\"done\",\"backups\":[\"a\",1]}", -EINVAL },
        { "empty", "", -EINVAL },
};

START_TEST(test_answer_text)
{
        cleanup(apply_answer_done) struct apply_answer a = { 0 };
        cleanup_free char *words = NULL;
        int result = apply_answer_from_json(answers[_i].text, strlen(answers[_i].text), &a, &words);

        ck_assert_msg(result == answers[_i].result, "%s: %d (%s)", answers[_i].name, result, words);
}
END_TEST

START_TEST(test_busy_names)
{
        enum busy_mode b = BUSY_COUNT;

        ck_assert_int_eq(busy_mode_parse(busy_mode_name((enum busy_mode)_i), &b), 0);
        ck_assert_int_eq(b, _i);
        ck_assert_int_eq(busy_mode_parse("kill", &b), -EINVAL);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon/apply_request");
        TCase *t = tcase_create("all");

        tcase_add_test(t, test_there_and_back);
        tcase_add_loop_test(t, test_each_op, 0, APPLY_OP_COUNT);
        tcase_add_test(t, test_target_alone);
        tcase_add_loop_test(t, test_text, 0, ARRAY_SIZE(texts));
        tcase_add_test(t, test_bytes_behind);
        tcase_add_loop_test(t, test_length, 0, ARRAY_SIZE(lengths));
        tcase_add_test(t, test_answer_there_and_back);
        tcase_add_loop_test(t, test_each_end, 0, APPLY_END_COUNT);
        tcase_add_loop_test(t, test_answer_text, 0, ARRAY_SIZE(answers));
        tcase_add_loop_test(t, test_busy_names, 0, BUSY_COUNT);
        suite_add_tcase(s, t);
        return suite_run(s);
}
