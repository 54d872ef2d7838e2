/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has a superblock, in a made-up /proc. */
#include "daemon/look.h"

#include <errno.h>

#include "tests/unit/processes.h"

#define OWN_TABLE                                                        \
        "20 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw\n"               \
        "40 20 0:45 / /data rw shared:30 - nfs4 server:/srv rw,vers=4.2\n"
static struct mount_facts mount = { .mount_id = 40, .device = { 0, 45 } };

static struct apply_answer look(int (*how)(const char *, const struct mount_facts *, struct apply_answer *))
{
        struct apply_answer a = {};
        int r = how(tree, &mount, &a);

        ck_assert_msg(r == 0, "%s", strerror(-r));
        return a;
}

/* ---- mounts elsewhere ----------------------------------------------------------------- */

static const struct elsewhere_row {
        const char *name;
        const char *root;               /* of the only process of the other namespace */
        const char *table;              /* as it sees it */
        bool elsewhere;
        size_t n_users;
        const char *what;               /* is in the first user's words */
} elsewhere_rows[] = {
        { "not there", "/", "60 1 254:1 / / rw master:1 - ext4 /dev/vda1 rw\n", false, 0, NULL },
        { "a peer", "/",
          "60 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw\n"
          "61 60 0:45 / /data rw shared:30 - nfs4 server:/srv rw\n", false, 1, "/data" },
        { "a slave", "/",
          "60 1 254:1 / / rw master:1 - ext4 /dev/vda1 rw\n"
          "61 60 0:45 / /data rw master:30 - nfs4 server:/srv rw\n", false, 1, "/data" },
        { "a slave that shares on", "/",
          "60 1 254:1 / / rw shared:7 master:1 - ext4 /dev/vda1 rw\n"
          "61 60 0:45 / /data rw shared:8 master:30 - nfs4 server:/srv rw\n", false, 1, "/data" },
        { "a slave of a slave", "/",
          "60 1 254:1 / / rw master:7 - ext4 /dev/vda1 rw\n"
          "61 60 0:45 / /data rw master:8 - nfs4 server:/srv rw\n", true, 1, "/data" },
        { "a group whose number starts alike", "/",
          "60 1 254:1 / / rw shared:12 - ext4 /dev/vda1 rw\n"
          "61 60 0:45 / /data rw - nfs4 server:/srv rw\n", true, 1, "/data" },
        { "private", "/",
          "60 1 254:1 / / rw - ext4 /dev/vda1 rw\n"
          "61 60 0:45 / /data rw - nfs4 server:/srv rw\n", true, 1, "/data" },
        { "a volume of a container on a root of its own", "/",
          "60 1 0:90 / / rw - overlay overlay rw\n"
          "61 60 0:45 /sub /my\\040volume rw master:30 - nfs4 server:/srv/sub rw\n", true, 1, "/my volume" },
        { "the host's root, mounted as a slave elsewhere", "/",
          "60 1 0:90 / / rw - overlay overlay rw\n"
          "61 60 254:1 / /host rw master:1 - ext4 /dev/vda1 rw\n"
          "62 61 0:45 / /host/data rw master:30 - nfs4 server:/srv rw\n", false, 1, "/host/data" },
        { "another place on a slave of the host's root", "/",
          "60 1 254:1 / / rw master:1 - ext4 /dev/vda1 rw\n"
          "61 60 0:45 / /other rw - nfs4 server:/srv rw\n", true, 1, "/other" },
        { "a directory of the host's root", "/",
          "60 1 0:90 / / rw - overlay overlay rw\n"
          "61 60 254:1 /data /data rw master:1 - ext4 /dev/vda1 rw\n"
          "62 61 0:45 / /data rw master:30 - nfs4 server:/srv rw\n", false, 1, "/data" },
        { "a slave with something mounted on it", "/",
          "60 1 254:1 / / rw master:1 - ext4 /dev/vda1 rw\n"
          "61 60 0:45 / /data rw master:30 - nfs4 server:/srv rw\n"
          "62 61 0:99 / /data/x rw - tmpfs tmpfs rw\n", true, 1, "/data" },
        { "another superblock at the same place", "/",
          "60 1 254:1 / / rw - ext4 /dev/vda1 rw\n"
          "61 60 0:450 / /data rw - nfs4 server:/srv rw\n", false, 0, NULL },
        { "seen from a changed root, which hides the parent", "/jail",
          "61 60 0:45 / /data rw - nfs4 server:/srv rw\n", true, 1, "/jail/data" },
};

START_TEST(finds_copies)
{
        const struct elsewhere_row *row = &elsewhere_rows[_i];

        add_self(OWN_TABLE);
        add_process(200, OTHER, row->root, "shell\n", row->table);
        add_process(201, OTHER, row->root, "other\n", row->table);
        struct apply_answer a = look(look_elsewhere);
        ck_assert_msg(a.elsewhere == row->elsewhere, "%s: elsewhere %d", row->name, a.elsewhere);
        ck_assert_msg(a.n_users == row->n_users, "%s: %zu users", row->name, a.n_users);
        for (size_t i = 0; i < a.n_users; i++) {
                ck_assert_msg(a.users[i].is_mount, "%s: is a mount", row->name);
                ck_assert_msg(a.users[i].reached == !row->elsewhere, "%s: reached", row->name);
                ck_assert_msg(strstr(a.users[i].what, row->what) != NULL, "%s: %s", row->name, a.users[i].what);
                ck_assert_msg(a.users[i].pid == 200, "%s: pid", row->name);
                ck_assert_msg(strcmp(a.users[i].command, "shell") == 0, "%s: %s", row->name, a.users[i].command);
        }
        apply_answer_done(&a);
}
END_TEST

START_TEST(binds_of_our_own_namespace_are_told)
{
        add_self(OWN_TABLE "41 20 0:45 /sub /bind rw - nfs4 server:/srv/sub rw\n");
        struct apply_answer a = look(look_elsewhere);
        ck_assert(!a.elsewhere);
        ck_assert_uint_eq(a.n_users, 1);
        ck_assert(a.users[0].is_mount && !a.users[0].reached);
        ck_assert_ptr_nonnull(strstr(a.users[0].what, "/bind"));
        ck_assert_str_eq(a.users[0].command, "");
        apply_answer_done(&a);
}
END_TEST

/* The one with the widest view is asked, and of two the one that is still there. */
START_TEST(the_whole_table_is_read)
{
        static const char table[] = "60 1 254:1 / / rw master:1 - ext4 /dev/vda1 rw\n"
                                    "61 60 0:45 / /data rw master:30 - nfs4 server:/srv rw\n";

        add_self(OWN_TABLE);
        add_process(150, OTHER, "/jail", "jailed\n", "");
        add_process(200, OTHER, "/", "gone\n", table);
        add_process(250, OTHER, "/", "alive\n", table);
        ck_assert_int_eq(unlink(tree_path("200/mountinfo")), 0);
        struct apply_answer a = look(look_elsewhere);
        ck_assert(!a.elsewhere);
        ck_assert_uint_eq(a.n_users, 1);
        ck_assert_int_eq(a.users[0].pid, 250);
        apply_answer_done(&a);
}
END_TEST

START_TEST(namespaces_whose_names_are_hidden)
{
        static const char table[] = "60 1 254:1 / / rw - ext4 /dev/vda1 rw\n"
                                    "61 60 0:45 / /data rw - nfs4 server:/srv rw\n";
        static const unsigned pids[] = { 100, 101, 200, 201 };
        char command[128];

        add_self(OWN_TABLE);
        add_process(101, HOST, "/", "host\n", OWN_TABLE);
        add_process(200, OTHER, "/", "shell\n", table);
        add_process(201, OTHER, "/", "other\n", table);
        snprintf(command, sizeof(command), "chmod -R a+rX '%s'", tree);
        ck_assert_int_eq(system(command), 0);
        for (size_t i = 0; i < ARRAY_SIZE(pids); i++)
                ck_assert_int_eq(chmod(tree_path(process_path(pids[i], "ns")), 0), 0);
        if (geteuid() == 0)
                ck_assert_int_eq(seteuid(65534), 0);
        struct apply_answer a = look(look_elsewhere);
        if (getuid() == 0)
                ck_assert_int_eq(seteuid(0), 0);
        for (size_t i = 0; i < ARRAY_SIZE(pids); i++)
                ck_assert_int_eq(chmod(tree_path(process_path(pids[i], "ns")), 0700), 0);
        ck_assert(a.elsewhere);
        ck_assert_uint_eq(a.n_users, 1);
        apply_answer_done(&a);
}
END_TEST

START_TEST(a_mount_that_is_gone)
{
        struct apply_answer a = {};

        add_self("20 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw\n");
        ck_assert_int_eq(look_elsewhere(tree, &mount, &a), -ENOENT);
        ck_assert_uint_eq(a.n_users, 0);
}
END_TEST

START_TEST(not_all_copies_are_named)
{
        char name[32];

        add_self(OWN_TABLE);
        for (unsigned i = 0; i < 70; i++) {
                char table[256];

                snprintf(name, sizeof(name), "mnt:[%u]", 10 + i);
                snprintf(table, sizeof(table),
                         "%u 1 254:1 / / rw %s - ext4 /dev/vda1 rw\n%u %u 0:45 / /data rw - nfs4 server:/srv rw\n",
                         1000 + 2 * i, i == 69 ? "" : "master:1", 1001 + 2 * i, 1000 + 2 * i);
                add_process(200 + i, name, "/", "shell\n", table);
        }
        struct apply_answer a = look(look_elsewhere);
        ck_assert_uint_eq(a.n_users, 64);
        ck_assert(a.elsewhere);
        apply_answer_done(&a);
}
END_TEST

/* ---- processes ---------------------------------------------------------------------------- */

static const char fdinfo_of[] = "pos:\t0\nflags:\t0100002\nmnt_id:\t%u\nino:\t7\n";

static void add_file(unsigned pid, unsigned fd, const char *path, unsigned mount_id)
{
        char name[64], text[128];

        snprintf(name, sizeof(name), "%u/fd/%u", pid, fd);
        tree_link(name, path);
        snprintf(name, sizeof(name), "%u/fdinfo/%u", pid, fd);
        snprintf(text, sizeof(text), fdinfo_of, mount_id);
        tree_write(name, text);
}

static void move_link(unsigned pid, const char *name, const char *path)
{
        const char *link = process_path(pid, name);

        ck_assert_int_eq(unlink(tree_path(link)), 0);
        tree_link(link, path);
}

static const struct user_row {
        const char *name;
        const char *link;               /* "cwd" ... or NULL */
        const char *path;
        unsigned file_mount_id;         /* of an open file at the path; 0: none */
        const char *maps;
        const char *what;               /* NULL: no user */
} user_rows[] = {
        { "nothing of it", NULL, NULL, 0, "", NULL },
        { "the root as working directory", "cwd", "/data", 0, "", "working directory /data" },
        { "a directory that was deleted", "cwd", "/data/x (deleted)", 0, "", "working directory /data/x (deleted)" },
        { "a directory whose name starts alike", "cwd", "/database", 0, "", NULL },
        { "below another NFS mount on it", "cwd", "/data/nested/x", 0, "", NULL },
        { "a bind mount", "cwd", "/bind/x", 0, "", "working directory /bind/x" },
        { "a root directory", "root", "/data/root", 0, "", "root directory /data/root" },
        { "a program", "exe", "/data/bin/tool", 0, "", "program /data/bin/tool" },
        { "an open file", NULL, "/data/x", 40, "", "file /data/x (open)" },
        { "a file of another mount at such a path", NULL, "/data/x", 20, "", NULL },
        { "a file opened through the copy of another namespace", NULL, "/x", 61, "", "file /x (open)" },
        { "a socket with a number of ours", NULL, "socket:[40]", 40, "", NULL },
        { "a mapped file", NULL, NULL, 0,
          "55d0-55d1 r--p 00000000 fe:01 12                         /usr/bin/true\n"
          "7f00-7f01 r--s 00000000 00:2d 77                         /data/lib a.so\n", "mapped file /data/lib a.so" },
        { "a mapped file of another device", NULL, NULL, 0,
          "7f00-7f01 r--s 00000000 00:45 77                         /data/lib.so\n", NULL },
        { "lines that are none", NULL, NULL, 0, "\n7f00\n00:2d\n7f00-7f01 r--s 00000000 00:2d\n", NULL },
        { "a name that would write a line of its own", "cwd", "/data/a\nb", 0, "", "working directory /data/a\\x0ab" },
};

static void users_scene(void)
{
        add_self(OWN_TABLE "41 20 0:45 /sub /bind rw - nfs4 server:/srv/sub rw\n"
                           "42 40 0:46 / /data/nested rw - nfs4 server:/srv/nested rw\n");
        add_process(200, OTHER, "/", "shell\n",
                    "60 1 254:1 / / rw - ext4 /dev/vda1 rw\n61 60 0:45 / /copy rw - nfs4 server:/srv rw\n");
        add_process(300, HOST, "/", "editor\n", "");
}

/* A new mount that waits beneath hides nothing. */
START_TEST(finds_users_of_an_armed_mount)
{
        add_self("20 1 254:1 / / rw shared:1 - ext4 /dev/vda1 rw\n"
                 "40 43 0:45 / /data rw shared:2 - nfs4 server:/srv rw\n"
                 "43 20 0:47 / /data rw shared:3 - nfs4 server:/srv rw,rsize=1048576\n");
        add_process(300, HOST, "/", "editor\n", "");
        move_link(300, "cwd", "/data/x");
        struct apply_answer a = look(look_users);
        ck_assert_uint_eq(a.n_users, 1);
        ck_assert_int_eq(a.users[0].pid, 300);
        apply_answer_done(&a);
}
END_TEST

START_TEST(finds_users)
{
        const struct user_row *row = &user_rows[_i];

        users_scene();
        if (row->link)
                move_link(300, row->link, row->path);
        if (row->file_mount_id)
                add_file(300, 3, row->path, row->file_mount_id);
        tree_write("300/maps", row->maps);
        struct apply_answer a = look(look_users);
        ck_assert_msg(a.n_users == (row->what != NULL), "%s: %zu users", row->name, a.n_users);
        if (row->what) {
                ck_assert_msg(strcmp(a.users[0].what, row->what) == 0, "%s: %s", row->name, a.users[0].what);
                ck_assert_msg(a.users[0].pid == 300 && !a.users[0].is_mount, "%s", row->name);
                ck_assert_msg(strcmp(a.users[0].command, "editor") == 0, "%s", row->name);
        }
        apply_answer_done(&a);
}
END_TEST

START_TEST(a_process_is_named_once)
{
        users_scene();
        move_link(200, "cwd", "/copy/a");
        move_link(300, "cwd", "/data/b");
        add_file(300, 3, "/data/x", 40);
        add_file(300, 4, "/bind/y", 41);
        struct apply_answer a = look(look_users);
        ck_assert_uint_eq(a.n_users, 2);
        for (size_t i = 0; i < 2; i++) {
                bool editor = a.users[i].pid == 300;

                ck_assert_ptr_nonnull(strstr(a.users[i].what, editor ? "/data/b, and 2 more" : "/copy/a"));
        }
        apply_answer_done(&a);
}
END_TEST

/* Neither ourselves, nor the kernel, nor a process that ends meanwhile. */
START_TEST(some_are_passed_over)
{
        users_scene();
        move_link(100, "cwd", "/data");
        move_link(300, "cwd", "/data");
        tree_write("300/stat", "300 (nfsv4.1-svc) S 2 0 0 0 -1 2138176 0\n");
        tree_link("400/ns/mnt", HOST);
        tree_link("400/root", "/");
        struct apply_answer a = look(look_users);
        ck_assert_uint_eq(a.n_users, 0);
        apply_answer_done(&a);
}
END_TEST

START_TEST(not_all_users_are_named)
{
        users_scene();
        for (unsigned pid = 500; pid < 570; pid++) {
                add_process(pid, HOST, "/", "reader\n", "");
                move_link(pid, "cwd", "/data");
        }
        struct apply_answer a = look(look_users);
        ck_assert_uint_eq(a.n_users, 64);
        apply_answer_done(&a);
}
END_TEST

/* Ours: nothing to find, but every kind of file is read for once. */
START_TEST(the_real_proc)
{
        const struct mount_facts none = { .mount_id = 1, .device = { 4095, 1048575 } };
        struct apply_answer a = {};
        int r = look_users("/proc", &none, &a);

        ck_assert_msg(r == 0, "%s", strerror(-r));
        ck_assert_uint_eq(a.n_users, 0);
        ck_assert_int_eq(look_elsewhere("/proc", &none, &a), -ENOENT);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("daemon/look");
        TCase *t = tcase_create("all");

        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_loop_test(t, finds_copies, 0, ARRAY_SIZE(elsewhere_rows));
        tcase_add_test(t, binds_of_our_own_namespace_are_told);
        tcase_add_test(t, the_whole_table_is_read);
        tcase_add_test(t, namespaces_whose_names_are_hidden);
        tcase_add_test(t, a_mount_that_is_gone);
        tcase_add_test(t, not_all_copies_are_named);
        tcase_add_test(t, finds_users_of_an_armed_mount);
        tcase_add_loop_test(t, finds_users, 0, ARRAY_SIZE(user_rows));
        tcase_add_test(t, a_process_is_named_once);
        tcase_add_test(t, some_are_passed_over);
        tcase_add_test(t, not_all_users_are_named);
        tcase_add_test(t, the_real_proc);
        suite_add_tcase(suite, t);

        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        int failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed != 0;
}
