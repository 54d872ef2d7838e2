/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mount tables: recorded ones, constructed relations, hostile lines, ten thousand lines. */
#include <errno.h>
#include <time.h>

#include "policy/names.h"
#include "probe/mounttable.h"
#include "tests/unit/golden.h"

static struct mounttable parse_bytes(const char *text, size_t length)
{
        struct mounttable t = { 0 };
        FILE *f = fmemopen((void *)(uintptr_t)text, length, "r");

        ck_assert_ptr_nonnull(f);
        ck_assert_int_eq(mounttable_parse(f, &t), 0);
        fclose(f);
        return t;
}

static struct mounttable parse(const char *text)
{
        return parse_bytes(text, strlen(text));
}

/* ---- recorded ------------------------------------------------------------------ */

static void version_add(struct text *rows, const struct nfs_options *n)
{
        text_add(rows, "\t%u", n->version_major);
        if (n->version_minor >= 0)
                text_add(rows, ".%d", n->version_minor);
}

static void mount_row(const struct mount_facts *m, const char *name, size_t index, struct text *rows)
{
        struct nfs_options n;

        nfs_options_read(&m->super, &n);
        text_add(rows, "%s\t%zu\t%s\t%s\t%s\t%s\t%s", name, index, m->source, m->target, m->fstype, m->server,
                 m->export_path);
        version_add(rows, &n);
        text_add(rows, "\t%llu\t%llu\t%s\t%s\t%s", (unsigned long long)n.rsize_bytes,
                 (unsigned long long)n.wsize_bytes, proto_name(n.proto), yes_no(m->read_only), yes_no(n.sync));
        text_add(rows, "\t%llu\t%llu\t%u:%u\t%s\n", (unsigned long long)m->mount_id,
                 (unsigned long long)m->parent_id, m->device.major, m->device.minor, m->propagation);
}

static void file_rows(const char *path, const char *name, struct text *rows)
{
        struct mounttable t = { 0 };
        int r = mounttable_read(path, &t);

        ck_assert_msg(r == 0, "%s: %d", path, r);
        ck_assert_msg(t.n_lines_bad == 0, "%s: %zu bad lines", path, t.n_lines_bad);
        for (size_t i = 0; i < t.n_mounts; i++)
                mount_row(&t.mounts[i], name, i, rows);
        mounttable_done(&t);
}

START_TEST(test_recorded)
{
        static const char *const dirs[] = { "cases/mounts", "cases/mountinfo", NULL };

        golden_check("mounttable.tsv", dirs, file_rows);
}
END_TEST

START_TEST(test_own_table)
{
        struct mounttable t = { 0 };

        ck_assert_int_eq(mounttable_read("/proc/self/mountinfo", &t), 0);
        ck_assert_uint_gt(t.n_lines_total, 0);
        ck_assert_uint_eq(t.n_lines_bad, 0);
        mounttable_done(&t);
        ck_assert_int_eq(mounttable_read("/nonexistent", &t), -ENOENT);
        ck_assert_int_lt(mounttable_read("/proc", &t), 0);
}
END_TEST

/* ---- sources --------------------------------------------------------------------- */

static const struct {
        const char *raw, *server, *export_path;
} sources[] = {
        { "server:/srv", "server", "/srv" },
        { "server:/", "server", "/" },
        { "[2001:db8::1]:/x", "2001:db8::1", "/x" },
        { "[fe80::1%eth0]:/x", "fe80::1%eth0", "/x" },
        { "2001:db8::1:/x", "2001:db8::1", "/x" },
        { ":/path", "", "/path" },
        { "host:/p:with:colons", "host", "/p:with:colons" },
        { "host:/[x]:/y", "host", "/[x]:/y" },
        { "a,b:/x", "a,b", "/x" },
        { "host:pool", "host", "pool" },
        { "host:", "host", "/" },
        { "host:/my\\040data\\134", "host", "/my data\\" },
        { "\\043host:/x", "#host", "/x" },
        { "[broken:/x", "[broken", "/x" },
        { "noserver", "", "/" },
};

START_TEST(test_source)
{
        char line[256];

        snprintf(line, sizeof(line), "10 1 0:40 / /mnt rw - nfs4 %s rw,vers=4.2\n", sources[_i].raw);
        struct mounttable t = parse(line);
        ck_assert_uint_eq(t.n_mounts, 1);
        ck_assert_msg(strcmp(t.mounts[0].server, sources[_i].server) == 0, "%s: %s", sources[_i].raw,
                      t.mounts[0].server);
        ck_assert_msg(strcmp(t.mounts[0].export_path, sources[_i].export_path) == 0, "%s: %s", sources[_i].raw,
                      t.mounts[0].export_path);
        mounttable_done(&t);
}
END_TEST

/* ---- parents ---------------------------------------------------------------------- */

static const struct {
        const char *name, *text, *propagation, *place;
} parents[] = {
        { "unknown", "2 1 0:40 / /a rw - nfs h:/a rw\n", NULL, NULL },
        { "private", "1 0 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:40 / /a/b rw - nfs h:/a rw\n", "", "/a/b" },
        { "the child stands first",
          "2 1 0:40 / /a rw - nfs h:/a rw\n1 0 8:1 / / rw shared:1 - ext4 /dev/sda rw\n", "shared:1", "/a" },
        { "a slave", "1 0 8:1 / /h rw shared:2 master:1 - ext4 /dev/sda rw\n2 1 0:40 / /h/a rw - nfs h:/a rw\n",
          "shared:2 master:1", "/a" },
        { "a directory of a file system",
          "1 0 8:1 /x\\040y /h rw master:1 - ext4 /dev/sda rw\n2 1 0:40 / /h/a rw - nfs h:/a rw\n", "master:1",
          "/x y/a" },
        { "stacked", "1 0 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:40 / /a rw - nfs h:/a rw\n3 2 0:41 / /a rw shared:9 - "
          "nfs h:/b rw\n", "", "/a" },
        { "not below its parent", "1 0 8:1 / /elsewhere rw - ext4 /dev/sda rw\n2 1 0:40 / /a rw - nfs h:/a rw\n", "",
          NULL },
};

static bool same_text(const char *a, const char *b)
{
        return a && b ? strcmp(a, b) == 0 : a == b;
}

START_TEST(test_parents)
{
        struct mounttable t = parse(parents[_i].text);

        ck_assert_uint_ge(t.n_mounts, 1);
        ck_assert_msg(same_text(t.mounts[0].parent_propagation, parents[_i].propagation), "%s: propagation %s",
                      parents[_i].name, t.mounts[0].parent_propagation);
        ck_assert_msg(same_text(t.mounts[0].place_on_parent, parents[_i].place), "%s: place %s", parents[_i].name,
                      t.mounts[0].place_on_parent);
        mounttable_done(&t);
}
END_TEST

/* ---- relations -------------------------------------------------------------------- */

#define COVERED   1
#define AUTOFS    2
#define SUBMOUNTS 4
#define DELETED   8
#define DUPLICATE 16
#define READ_ONLY 32
#define ON_NFS    64

static unsigned flags_of(const struct mount_facts *m)
{
        return (m->covered ? COVERED : 0) | (m->below_autofs ? AUTOFS : 0) | (m->has_submounts ? SUBMOUNTS : 0) |
               (m->deleted ? DELETED : 0) | (m->duplicate ? DUPLICATE : 0) | (m->read_only ? READ_ONLY : 0) |
               (m->below_nfs ? ON_NFS : 0);
}

static const struct {
        const char *name, *text;
        size_t n;
        unsigned flags[3];
} relations[] = {
        { "alone",
          "1 1 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:40 / /a rw - nfs h:/a rw\n", 1, { 0 } },
        { "stacked twice: all but the top one are covered",
          "2 1 0:40 / /a rw - nfs h:/a rw\n3 2 0:41 / /a rw - nfs h:/b rw\n4 3 0:42 / /a rw - nfs h:/c rw\n",
          3, { COVERED, COVERED, 0 } },
        { "covered by a local file system",
          "2 1 0:40 / /a rw - nfs h:/a rw\n3 2 8:1 / /a rw - ext4 /dev/sda rw\n", 1, { COVERED } },
        { "a submount is not a cover",
          "2 1 0:40 / /a rw - nfs4 h:/a rw\n3 2 0:41 / /a/b rw - nfs4 h:/a/b rw\n", 2, { SUBMOUNTS, ON_NFS } },
        { "both",
          "2 1 0:40 / /a rw - nfs4 h:/a rw\n3 2 0:3 / /a/b rw - tmpfs x rw\n4 2 0:41 / /a rw - nfs4 h:/c rw\n",
          2, { COVERED | SUBMOUNTS, 0 } },
        { "the same target in another order of lines",
          "3 2 0:41 / /a rw - nfs h:/b rw\n2 1 0:40 / /a rw - nfs h:/a rw\n", 2, { 0, COVERED } },
        { "direct autofs trigger (x-systemd.automount)",
          "2 1 0:30 / /a rw - autofs systemd-1 rw,direct\n3 2 0:40 / /a rw - nfs h:/a rw\n", 1, { AUTOFS } },
        { "indirect autofs map",
          "2 1 0:30 / /misc rw - autofs /etc/auto.misc rw\n3 2 0:40 / /misc/a rw - nfs h:/a rw\n", 1, { AUTOFS } },
        { "autofs elsewhere",
          "2 1 0:30 / /misc rw - autofs /etc/auto.misc rw\n3 1 0:40 / /misc2/a rw - nfs h:/a rw\n", 1, { 0 } },
        { "a submount of a mount below autofs is not itself below",
          "2 1 0:30 / /m rw - autofs x rw\n3 2 0:40 / /m/a rw - nfs h:/a rw\n4 3 0:41 / /m/a/b rw - nfs h:/b rw\n",
          2, { AUTOFS | SUBMOUNTS, ON_NFS } },
        { "a parent that is not in the table (chroot)",
          "7 6 0:40 / / rw - nfs h:/a rw\n", 1, { 0 } },
        { "its own parent", "7 7 0:40 / / rw - nfs h:/a rw\n", 1, { 0 } },
        { "a cycle does no harm",
          "7 8 0:40 / /a rw - nfs h:/a rw\n8 7 0:41 / /a rw - nfs h:/a rw\n", 2, { COVERED, COVERED } },
        { "bind mount of the same superblock is no duplicate",
          "2 1 0:40 / /a rw - nfs h:/a rw\n3 1 0:40 / /b rw - nfs h:/a/b rw\n", 2, { 0, 0 } },
        { "same device and target twice",
          "2 1 0:40 / /a rw - nfs h:/a rw\n3 1 0:40 / /a rw - nfs h:/a rw\n", 2, { 0, DUPLICATE } },
        { "mount point removed", "2 1 0:40 / /a\\040b//deleted rw - nfs h:/a rw\n", 1, { DELETED } },
        { "read-only mount over a writable superblock", "2 1 0:40 / /a ro - nfs h:/a rw\n", 1, { READ_ONLY } },
        { "read-only superblock", "2 1 0:40 / /a rw - nfs h:/a ro\n", 1, { READ_ONLY } },
        { "/proc/mounts: parents are not judged",
          "h:/a /a nfs rw 0 0\nh:/a /a nfs rw 0 0\nh:/b /a/b nfs ro 0 0\n", 3, { 0, 0, READ_ONLY } },
};

START_TEST(test_relation)
{
        struct mounttable t = parse(relations[_i].text);

        ck_assert_msg(t.n_mounts == relations[_i].n, "%s: %zu mounts", relations[_i].name, t.n_mounts);
        for (size_t i = 0; i < t.n_mounts; i++)
                ck_assert_msg(flags_of(&t.mounts[i]) == relations[_i].flags[i], "%s: mount %zu: %u",
                              relations[_i].name, i, flags_of(&t.mounts[i]));
        mounttable_done(&t);
}
END_TEST

START_TEST(test_fields)
{
        struct mounttable t = parse("50 43 0:21 / /a\\040b//deleted rw,nosuid shared:38 master:2 - nfs "
                                    "h:/x rw,sync,context=\"a,b\",rsize=1024\n");
        const struct mount_facts *m = t.mounts;

        ck_assert_uint_eq(m->mount_id, 50);
        ck_assert_uint_eq(m->parent_id, 43);
        ck_assert(m->device.major == 0 && m->device.minor == 21);
        ck_assert_str_eq(m->target, "/a b");
        ck_assert_str_eq(m->propagation, "shared:38 master:2");
        ck_assert(options_has(&m->vfs, "nosuid") && !options_has(&m->super, "nosuid"));
        ck_assert(options_has(&m->super, "sync") && !options_has(&m->vfs, "sync"));
        ck_assert_str_eq(options_value(&m->super, "context"), "\"a,b\"");
        mounttable_done(&t);
}
END_TEST

/* Recorded in the lab: a bind mount over /mnt/v3, another of /mnt/v40. */
START_TEST(test_relations_recorded_in_the_lab)
{
        static const char *const files[] = { "6.1", "6.12" };
        char path[512];
        struct mounttable t;

        (void) snprintf(path, sizeof(path), "%s/cases/mountinfo/lab-%s.mountinfo", TEST_DATA, files[_i]);
        ck_assert_int_eq(mounttable_read(path, &t), 0);
        ck_assert_uint_eq(t.n_mounts, 7);
        ck_assert_msg(t.mounts[0].covered, "%s: the v3 mount is covered", files[_i]);
        for (size_t i = 1; i < t.n_mounts; i++)
                ck_assert_msg(!t.mounts[i].covered, "%s: %s is on top", files[_i], t.mounts[i].target);
        ck_assert_str_eq(t.mounts[5].target, t.mounts[0].target);
        ck_assert_msg(device_equal(t.mounts[5].device, t.mounts[2].device), "%s: bound over v3: v4.1's superblock", files[_i]);
        ck_assert_msg(device_equal(t.mounts[6].device, t.mounts[1].device), "%s: bound: v4.0's superblock", files[_i]);
        mounttable_done(&t);
}
END_TEST

START_TEST(test_both_lists_of_proc_mounts)
{
        struct mounttable t = parse("h:/a /a nfs4 rw,nosuid,sync,rsize=4096 0 0\n");
        cleanup_free char *vfs = options_format(&t.mounts[0].vfs), *super = options_format(&t.mounts[0].super);

        ck_assert_str_eq(vfs, "rw,nosuid,sync,rsize=4096");
        ck_assert_str_eq(super, vfs);
        mounttable_done(&t);
}
END_TEST

/* ---- hostile ------------------------------------------------------------------------- */

static const struct {
        const char *name, *text;
        size_t n, total, bad;
} hostile[] = {
        { "nothing", "\n", 0, 0, 0 },
        { "blank lines", "\n \n\n2 1 0:40 / /a rw - nfs h:/a rw\n", 1, 1, 0 },
        { "garbage first", "garbage\n\xff\xfe\n2 1 0:40 / /a rw - nfs h:/a rw\n", 1, 3, 2 },
        { "only garbage", "garbage\nmore of it here\n", 0, 2, 2 },
        { "garbage between", "2 1 0:40 / /a rw - nfs h:/a rw\ngarbage\n3 1 0:41 / /b rw - nfs h:/b rw\n", 2, 3, 1 },
        { "cut in the middle of a line", "2 1 0:40 / /a rw - nfs h:/a rw\n3 1 0:41 / /b r", 1, 2, 1 },
        { "no newline at the end", "2 1 0:40 / /a rw - nfs h:/a rw", 1, 1, 0 },
        { "open quote in the options", "2 1 0:40 / /a rw - nfs h:/a rw,context=\"a\n", 0, 1, 1 },
        { "negative number", "2 1 0:40 / /a rw - nfs h:/a rw\n-5 1 0:41 / /b rw - nfs h:/b rw\n", 1, 2, 1 },
        { "a comment in front", "# recorded on a host\n2 1 0:40 / /a rw - nfs h:/a rw\n", 1, 2, 1 },
        { "no source", "2 1 0:40 / /a rw - nfs\n3 1 0:41 / /b rw - nfs h:/b rw\n", 1, 2, 1 },
};

START_TEST(test_hostile)
{
        struct mounttable t = parse(hostile[_i].text);

        ck_assert_msg(t.n_mounts == hostile[_i].n && t.n_lines_total == hostile[_i].total &&
                              t.n_lines_bad == hostile[_i].bad,
                      "%s: %zu mounts, %zu lines, %zu bad", hostile[_i].name, t.n_mounts, t.n_lines_total,
                      t.n_lines_bad);
        mounttable_done(&t);
}
END_TEST

START_TEST(test_nul)
{
        static const char text[] = "2 1 0:40 / /a rw - nfs h:/a rw\n3 1 0:41 / /b\0 rw - nfs h:/b rw\n"
                                   "4 1 0:42 / /c rw - nfs h:/c rw\n";
        struct mounttable t = parse_bytes(text, sizeof(text) - 1);

        ck_assert_uint_eq(t.n_mounts, 2);
        ck_assert_uint_eq(t.n_lines_bad, 1);
        mounttable_done(&t);
}
END_TEST

static char *table_make(size_t n, const char *source)
{
        struct text text = { 0 };

        for (size_t i = 0; i < n; i++)
                text_add(&text, "%zu %zu 0:%zu / /srv/mount%zu rw shared:%zu - nfs4 %s:/x%zu rw,vers=4.2,rsize=8192\n",
                         i + 2, i % 7 ? i + 1 : 1, i, i, i, source, i);
        return text_take(&text);
}

START_TEST(test_many)
{
        cleanup_free char *text = table_make(10000, "server");
        struct timespec before, after;

        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
        struct mounttable t = parse(text);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
        ck_assert_uint_eq(t.n_mounts, 10000);
        double seconds = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
        /* about 0.1 s; a quadratic search would need many seconds */
        ck_assert_msg(seconds < 3, "%.2f s", seconds);
        mounttable_done(&t);
}
END_TEST

START_TEST(test_too_many)
{
        cleanup_free char *at = table_make(MOUNTTABLE_NFS_MAX, "s"), *over = table_make(MOUNTTABLE_NFS_MAX + 1, "s");
        struct mounttable t = parse(at), none = { 0 };
        FILE *f = fmemopen(over, strlen(over), "r");

        ck_assert_uint_eq(t.n_mounts, MOUNTTABLE_NFS_MAX);
        mounttable_done(&t);
        ck_assert_int_eq(mounttable_parse(f, &none), -E2BIG);
        fclose(f);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/mounttable");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_loop_test(t, test_relations_recorded_in_the_lab, 0, 2);
        tcase_add_test(t, test_recorded);
        tcase_add_test(t, test_own_table);
        tcase_add_loop_test(t, test_source, 0, ARRAY_SIZE(sources));
        tcase_add_loop_test(t, test_parents, 0, ARRAY_SIZE(parents));
        tcase_add_loop_test(t, test_relation, 0, ARRAY_SIZE(relations));
        tcase_add_test(t, test_fields);
        tcase_add_test(t, test_both_lists_of_proc_mounts);
        tcase_add_loop_test(t, test_hostile, 0, ARRAY_SIZE(hostile));
        tcase_add_test(t, test_nul);
        tcase_add_test(t, test_many);
        tcase_add_test(t, test_too_many);
        suite_add_tcase(s, t);
        return suite_run(s);
}
