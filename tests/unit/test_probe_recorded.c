/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A host out of files alone: what belongs together, and which files are of no use. */
#include <errno.h>
#include <fcntl.h>

#include "policy/names.h"
#include "probe/observation_json.h"
#include "probe/nfsmountconf.h"
#include "probe/recorded.h"
#include "tests/unit/golden.h"
#include "tests/unit/tree.h"

static struct recorded r;
static char *words;

static void setup(void)
{
        tree_setup();
}

static void teardown(void)
{
        recorded_done(&r);
        free(words);
        tree_teardown();
}

static void write_bytes(const char *name, const char *data, size_t length)
{
        FILE *f = fopen(tree_path(name), "w");

        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(data, 1, length, f), length);
        ck_assert_int_eq(fclose(f), 0);
}

/* Reads the files of the tree with these names, of these kinds. */
static int read_files(const struct recorded_file *files, size_t n)
{
        struct recorded_file found[8];

        ck_assert_uint_le(n, ARRAY_SIZE(found));
        for (size_t i = 0; i < n; i++) {
                const char *path = files[i].path;

                found[i] = files[i];
                if (path[0] != '/' && strcmp(path, "-") != 0)
                        found[i].path = tree_path(path);
        }
        return recorded_read(found, n, &r, &words);
}

#define READ(...) read_files((const struct recorded_file[]){ __VA_ARGS__ },                             \
                             ARRAY_SIZE(((const struct recorded_file[]){ __VA_ARGS__ })))
#define READ_OK(...)                                                                                    \
        do {                                                                                            \
                int status_ = READ(__VA_ARGS__);                                                        \
                ck_assert_msg(status_ == 0, "%d: %s", status_, words);                                  \
        } while (0)

/* ---- of no use --------------------------------------------------------------------- */

#define BLOCK "device h:/x mounted on /x with fstype nfs4 statvers=1.1\n\topts:\trw,vers=4.2\n\tage:\t7\n"
#define OPS   "\tper-op statistics\n\tREAD: 3 3 0 1 1 1 1 1 0\n"
#define INFO  "36 35 0:40 / /x rw,relatime shared:1 - nfs4 h:/x rw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255"
#define TEXT(t) t, sizeof(t) - 1

/* words: part of them; NULL: the file is of use. */
static const struct {
        const char *name;
        enum recorded_kind kind;
        const char *text;
        size_t length;
        const char *words;
} texts[] = {
        { "mounts: whole", RECORDED_MOUNTS, TEXT("h:/x /x nfs rw 0 0\n"), NULL },
        { "mounts: last newline missing", RECORDED_MOUNTS, TEXT("h:/x /x nfs rw 0 0"), NULL },
        { "mounts: cut in the options", RECORDED_MOUNTS, TEXT("h:/x /x nfs rw 0 0\nh:/y /y nfs rw,ve"), ":2: ends in" },
        { "mounts: no NFS", RECORDED_MOUNTS, TEXT("/dev/sda1 / ext4 rw 0 0\n"), NULL },
        { "mounts: something else", RECORDED_MOUNTS, TEXT("hello world\n"), "no line" },
        { "mountinfo: whole", RECORDED_MOUNTINFO, TEXT(INFO ",hard,addr=192.0.2.1\n"), NULL },
        { "mountinfo: by hand", RECORDED_MOUNTINFO, TEXT("1 1 0:40 / /a rw - nfs4 h:/x rw,vers=4.2,rsize=32768\n"),
          NULL },
        { "mountinfo: last newline missing", RECORDED_MOUNTINFO, TEXT(INFO ",hard,addr=192.0.2.1"), ":1: ends in" },
        { "mountinfo: cut, then a newline", RECORDED_MOUNTINFO, TEXT(INFO ",ha\n"), ":1: ends in" },
        { "mountinfo: cut in a size, then a newline", RECORDED_MOUNTINFO,
          TEXT("1 1 0:40 / /a rw - nfs4 h:/x rw,vers=3,rsize=32\n"), ":1: ends in" },
        { "mountinfo: second cut, then a newline", RECORDED_MOUNTINFO,
          TEXT("1 1 0:40 / /a rw - nfs h:/x rw,addr=192.0.2.1\n2 1 0:41 / /b rw - nfs h:/y rw,vers=3,rs\n"),
          ":2: ends in" },
        { "mountinfo: mounts instead", RECORDED_MOUNTINFO, TEXT("h:/x /x nfs rw 0 0\n"), NULL },
        { "mountinfo: garbage between", RECORDED_MOUNTINFO, TEXT("x\n" INFO ",addr=192.0.2.1\n"), NULL },
        { "mountstats: whole", RECORDED_MOUNTSTATS, TEXT(BLOCK OPS), NULL },
        { "mountstats: blanks at the end", RECORDED_MOUNTSTATS, TEXT(BLOCK OPS "   "), NULL },
        { "mountstats: no NFS", RECORDED_MOUNTSTATS, TEXT("device /dev/sda1 mounted on / with fstype ext4\n"), NULL },
        { "mountstats: cut in a row", RECORDED_MOUNTSTATS, TEXT(BLOCK "\tper-op statistics\n\tREAD: 3 3"),
          ":5: ends in" },
        { "mountstats: cut behind a line", RECORDED_MOUNTSTATS, TEXT(BLOCK), ":3: ends in the middle of a mount" },
        { "mountstats: second cut behind a line", RECORDED_MOUNTSTATS, TEXT(BLOCK OPS BLOCK),
          ":8: ends in the middle" },
        { "mountstats: something else", RECORDED_MOUNTSTATS, TEXT("h:/x /x nfs rw 0 0\n"), "no \"device\" line" },
        { "fstab: last newline missing", RECORDED_FSTAB, TEXT("h:/x /x nfs rw 0 0"), NULL },
        { "fstab: ends in a comment", RECORDED_FSTAB, TEXT("h:/x /x nfs rw 0 0\n# end"), NULL },
        { "fstab: cut in the options", RECORDED_FSTAB, TEXT("h:/x /x nfs rw,ha"), ":1: ends in" },
        { "fstab: comments only", RECORDED_FSTAB, TEXT("# nothing\n"), NULL },
        { "fstab: no NFS", RECORDED_FSTAB, TEXT("/dev/sda1 / ext4 rw 0 1\n"), NULL },
        { "fstab: one bad line of two", RECORDED_FSTAB, TEXT("h:/x /x nfs\nh:/y /y\n"), NULL },
        { "fstab: bad lines only", RECORDED_FSTAB, TEXT("#\none\ntwo words\n"), ":2: no line" },
        { "fstab: one NFS line, a quote left open", RECORDED_FSTAB, TEXT("one\nh:/x /x nfs ro,context=\"a 0 0\n"),
          ":2: the line has a quote" },
        { "nfsmount.conf: a section", RECORDED_NFSMOUNT_CONF, TEXT("[ NFSMount_Global_Options ]\nhard=True\n"), NULL },
        { "nfsmount.conf: comments only", RECORDED_NFSMOUNT_CONF, TEXT("#[ NFSMount_Global_Options ]\n"), NULL },
        { "nfsmount.conf: cut", RECORDED_NFSMOUNT_CONF, TEXT("[ NFSMount_Global_Options ]\nrsize=3"), ":2: ends in" },
        { "nfsmount.conf: something else", RECORDED_NFSMOUNT_CONF, TEXT("[nfsd]\nthreads=8\n"), "no section" },
        { "exports: whole", RECORDED_EXPORTS, TEXT("/srv *(rw,sync,no_subtree_check)\n"), NULL },
        { "exports: comments only", RECORDED_EXPORTS, TEXT("# /srv *(rw)\n"), NULL },
        { "exports: cut", RECORDED_EXPORTS, TEXT("/srv *(rw,sy"), ":1: ends in" },
        { "observation: cut", RECORDED_OBSERVATION, TEXT("{\"mount\":{\n\"target\":"), "line 2" },
        { "observation: something missing", RECORDED_OBSERVATION, TEXT("{\"mount\":{}}"), "target: missing" },
        { "observation: control characters in it", RECORDED_OBSERVATION, TEXT("\x1b[31m"), "\\x1b" },
        { "observation: none", RECORDED_OBSERVATION, TEXT("[]\n"), NULL },
};

/* One line that names the file. */
static void check_words(const char *name, const char *file, const char *part)
{
        ck_assert_msg(words != NULL, "%s: no words", name);
        ck_assert_msg(strncmp(words, file, strlen(file)) == 0, "%s: \"%s\"", name, words);
        ck_assert_msg(strstr(words, part) != NULL, "%s: \"%s\"", name, words);
        for (const char *c = words; *c; c++)
                ck_assert_msg((unsigned char)*c >= 0x20, "%s: control character %d", name, *c);
        ck_assert_msg(r.snapshot.n_mounts == 0 && r.findings.n_items == 0, "%s: something was written", name);
}

START_TEST(test_text)
{
        write_bytes("file", texts[_i].text, texts[_i].length);
        int status = READ({ texts[_i].kind, "file" });

        ck_assert_msg(status == (texts[_i].words ? 1 : 0), "%s: %d (%s)", texts[_i].name, status, words);
        if (texts[_i].words)
                check_words(texts[_i].name, tree_path("file"), texts[_i].words);
        else
                ck_assert_msg(words == NULL, "%s: \"%s\"", texts[_i].name, words);
}
END_TEST

/* What no kind of file may be. */
static const struct {
        const char *name, *path, *text;
        size_t length;
        const char *words;
} anything[] = {
        { "missing", "missing", NULL, 0, "No such file" },
        { "a directory", "/", NULL, 0, "directory" },
        { "below a file", "/etc/passwd/x", NULL, 0, "Not a directory" },
        { "empty", "file", TEXT(""), "empty" },
        { "blanks only", "file", TEXT(" \n\t\r\n"), "empty" },
        { "nothing", "/dev/null", NULL, 0, "empty" },
        { "zeros without end", "/dev/zero", NULL, 0, "binary" },
        { "a NUL at the end", "file", TEXT("h:/x /x nfs rw 0 0\n\0"), "binary" },
        { "a NUL in front", "file", TEXT("\0h:/x /x nfs rw 0 0\n"), "binary" },
};

START_TEST(test_anything)
{
        size_t i = (size_t)_i / RECORDED_COUNT;
        const struct recorded_file file = { (enum recorded_kind)(_i % RECORDED_COUNT), anything[i].path };

        if (anything[i].text)
                write_bytes("file", anything[i].text, anything[i].length);
        int status = read_files(&file, 1);
        ck_assert_msg(status == 1, "%s as kind %u: %d", anything[i].name, file.kind, status);
        check_words(anything[i].name, anything[i].path[0] == '/' ? anything[i].path : tree_path(anything[i].path),
                    anything[i].words);
}
END_TEST

/* The line would be of 16 GB, the file is sparse: it has to be given up early. */
START_TEST(test_endless_line)
{
        const struct recorded_file file = { (enum recorded_kind)_i, "file" };
        FILE *f = fopen(tree_path("file"), "w");
        char *piece = malloc(MIB);

        memset(piece, 'a', MIB);
        for (unsigned i = 0; i < (_i == RECORDED_OBSERVATION ? 66 : 18); i++)
                ck_assert_uint_eq(fwrite(piece, 1, MIB, f), MIB);
        free(piece);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_int_eq(truncate(tree_path("file"), (off_t)(16384 * MIB)), 0);
        ck_assert_int_eq(read_files(&file, 1), 1);
        check_words("endless", tree_path("file"), "MiB");
}
END_TEST

START_TEST(test_name_with_control_characters)
{
        ck_assert_int_eq(READ({ RECORDED_FSTAB, "/no\x1b[31m\nsuch" }), 1);
        ck_assert_str_eq(words, "/no\\x1b[31m\\x0asuch: No such file or directory");
}
END_TEST

START_TEST(test_only_once)
{
        tree_write("mountinfo", INFO ",addr=192.0.2.1\n");
        ck_assert_int_eq(READ({ RECORDED_MOUNTINFO, "mountinfo" }, { RECORDED_MOUNTINFO, "mountinfo" }), 1);
        ck_assert_ptr_nonnull(strstr(words, "second mountinfo"));
        free(words);
        ck_assert_int_eq(READ({ RECORDED_FSTAB, "-" }, { RECORDED_EXPORTS, "-" }), 1);
        ck_assert_ptr_nonnull(strstr(words, "standard input"));
}
END_TEST

/* mount(8) takes a last line without its newline, whatever its columns; a copy of it may have been cut. */
START_TEST(test_original)
{
        const struct recorded_file file = { RECORDED_FSTAB, tree_path("fstab") };

        tree_write("fstab", "h:/x /x nfs rw");
        ck_assert_int_eq(recorded_read(&file, 1, &r, &words), 1);
        free(TAKE(words));
        ck_assert_int_eq(recorded_read_originals(&file, 1, &r, &words), 0);
        ck_assert_uint_eq(r.snapshot.n_mounts, 1);
}
END_TEST

/* A good file does not save a bad one. */
START_TEST(test_one_of_two)
{
        tree_write("fstab", "h:/x /x nfs rw 0 0\n");
        ck_assert_int_eq(READ({ RECORDED_FSTAB, "fstab" }, { RECORDED_MOUNTS, "missing" }), 1);
        check_words("one of two", tree_path("missing"), "No such file");
}
END_TEST

/* ---- pipes ------------------------------------------------------------------------------- */

/* Standard input is a pipe whose other end writes slowly and in pieces. */
static void pipe_write(const char *text)
{
        int ends[2];

        ck_assert_int_eq(pipe(ends), 0);
        ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
        close(ends[0]);
        if (fork() == 0) {
                for (; *text; text++) {
                        usleep(1000);
                        if (write(ends[1], text, 1) != 1)
                                _exit(1);
                }
                _exit(0);
        }
        close(ends[1]);
}

static const char *const pipes[] = { "-", "/dev/stdin", "/dev/fd/0" };

START_TEST(test_pipe)
{
        pipe_write("h:/x /x nfs rw 0 0\n");
        READ_OK({ RECORDED_FSTAB, pipes[_i] });
        ck_assert_uint_eq(r.snapshot.n_mounts, 1);
        ck_assert_str_eq(r.snapshot.mounts[0].requested[0].place.file, _i == 0 ? "standard input" : pipes[_i]);
}
END_TEST

/* ---- what belongs together ------------------------------------------------------------------ */

static const struct observation *mount_of(const char *target)
{
        for (size_t i = 0; i < r.snapshot.n_mounts; i++)
                if (strcmp(r.snapshot.mounts[i].mount.target, target) == 0)
                        return &r.snapshot.mounts[i];
        ck_abort_msg("no mount %s", target);
}

/* "fstab:3:rw,hard;nfsmount.conf:2:rsize=32k default;" */
static char *sources(const struct observation *o)
{
        struct text t = { 0 };

        for (size_t i = 0; i < o->n_requested; i++) {
                const struct requested *q = &o->requested[i];
                cleanup_free char *options = options_format(&q->options);

                text_add(&t, "%s:%u:%s%s;", place_kind_name(q->place.kind), q->place.line, options,
                         q->is_default ? " default" : "");
        }
        return text_take(&t);
}

static void expect_sources(const char *target, const char *want)
{
        cleanup_free char *got = sources(mount_of(target));

        ck_assert_msg(strcmp(got, want) == 0, "%s: \"%s\"", target, got);
}

static void expect_options(const char *target, const char *super, const char *vfs)
{
        const struct mount_facts *m = &mount_of(target)->mount;
        cleanup_free char *s = options_format(&m->super), *v = options_format(&m->vfs);

        ck_assert_msg(strcmp(s, super) == 0, "%s: super \"%s\"", target, s);
        ck_assert_msg(strcmp(v, vfs) == 0, "%s: vfs \"%s\"", target, v);
}

#define STATS(source, target, calls)                                                            \
        "device " source " mounted on " target " with fstype nfs4 statvers=1.1\n"               \
        "\topts:\tro,vers=4.2,sec=sys\n\tage:\t9\n\tbytes:\t0 0 0 0 0 0\n\tper-op statistics\n" \
        "\tREAD: " calls " 3 0 1 1 1 1 1 0\n"

START_TEST(test_all_kinds)
{
        tree_write("mountinfo", "1 1 8:1 / / rw - ext4 /dev/sda rw\n"
                                "2 1 0:40 / /a rw - nfs4 h:/x rw,vers=4.2,addr=192.0.2.1\n"
                                "3 1 0:41 / /b rw - nfs g:/y rw,vers=3,addr=192.0.2.2\n"
                                "4 1 0:40 / /c rw - nfs4 h:/x/sub rw,vers=4.2,addr=192.0.2.1\n");
        tree_write("mountstats", STATS("h:/x", "/a", "3") STATS("g:/y", "/b", "4"));
        tree_write("fstab", "# c\nh:/x /a/ nfs sync,rsize=32768 0 0\n");
        tree_write("conf", "[ Server \"g\" ]\nrsize=32k\n[ NFSMount_Global_Options ]\nhard=True\n");
        tree_write("exports", "/x 192.0.2.0/24(rw,async)\n");
        READ_OK({ RECORDED_EXPORTS, "exports" }, { RECORDED_NFSMOUNT_CONF, "conf" }, { RECORDED_FSTAB, "fstab" },
                { RECORDED_MOUNTSTATS, "mountstats" }, { RECORDED_MOUNTINFO, "mountinfo" });
        const struct observation *o = r.snapshot.mounts;

        ck_assert_uint_eq(r.snapshot.n_mounts, 3);
        ck_assert_ptr_null(r.snapshot.kernel_release);
        ck_assert(o[0].counters.op[RPC_OP_READ].calls == 3 && o[1].counters.op[RPC_OP_READ].calls == 4);
        ck_assert(!o[2].counters.known && !o[0].only_requested && !o[0].read_ahead_known);
        ck_assert(o[0].n_shares == 1 && o[1].n_shares == 0 && o[2].n_shares == 1);
        ck_assert_str_eq(o[0].shares_superblock_with[0], "/c");
        expect_sources("/a", "fstab:2:sync,rsize=32768;nfsmount.conf:4:hard default;");
        expect_sources("/b", "nfsmount.conf:2:rsize=32k default;nfsmount.conf:4:hard default;");
        ck_assert_str_eq(o[0].requested[0].place.file, tree_path("fstab"));
        ck_assert_uint_eq(r.exports.n_entries, 1);
        ck_assert_uint_eq(r.findings.n_items, 0);
}
END_TEST

START_TEST(test_mounts_beside_mountinfo)
{
        tree_write("mounts", "h:/old /old nfs rw 0 0\n");
        tree_write("mounts2", "h:/more /more nfs rw 0 0\n");
        tree_write("mountinfo", "2 1 0:40 / /a rw - nfs4 h:/x rw,vers=4.2\n");
        READ_OK({ RECORDED_MOUNTS, "mounts" }, { RECORDED_MOUNTINFO, "mountinfo" });
        ck_assert_uint_eq(r.snapshot.n_mounts, 1);
        ck_assert_str_eq(r.snapshot.mounts[0].mount.target, "/a");
        recorded_done(&r);
        READ_OK({ RECORDED_MOUNTS, "mounts" }, { RECORDED_MOUNTS, "mounts2" });
        ck_assert_uint_eq(r.snapshot.n_mounts, 2);
        ck_assert_str_eq(r.snapshot.mounts[1].mount.target, "/more");
}
END_TEST

START_TEST(test_mountstats_alone)
{
        tree_write("mountstats", STATS("h:/x", "/a", "3") STATS("h:/x/y", "/b", "3") STATS("g:/x", "/c", "3")
                                 STATS("h:/z", "/d", "4") STATS("h:/0", "/e", "0") STATS("h:/1", "/f", "0"));
        READ_OK({ RECORDED_MOUNTSTATS, "mountstats" });
        const struct observation *o = r.snapshot.mounts;

        ck_assert_uint_eq(r.snapshot.n_mounts, 6);
        ck_assert_str_eq(o[1].mount.server, "h");
        ck_assert_str_eq(o[1].mount.export_path, "/x/y");
        ck_assert_str_eq(o[1].mount.fstype, "nfs4");
        ck_assert(o[0].mount.read_only && o[0].counters.known && !o[0].only_requested);
        expect_options("/a", "ro,vers=4.2,sec=sys", "ro,vers=4.2,sec=sys");
        /* equal figures of one server; not of another, not without any call */
        ck_assert(o[0].n_shares == 1 && o[1].n_shares == 1);
        ck_assert_str_eq(o[0].shares_superblock_with[0], "/b");
        for (size_t i = 2; i < 6; i++)
                ck_assert_msg(o[i].n_shares == 0, "%s shares", o[i].mount.target);
}
END_TEST

START_TEST(test_fstab_alone)
{
        tree_write("fstab", "h:/x /a nfs rw,rsize=32768 0 0\nh:/ro /b/ nfs4 ro,noauto,context=a\\040b 0 0\n"
                            "nfs://h:2050/p /c nfs defaults 0 0\n[2001:db8::1]:/p /d auto bg 0 0\n"
                            "one,two:/p /e nfs bg 0 0\nh:/y /a nfs soft 0 0\n");
        tree_write("conf", "[ MountPoint \"/a\" ]\nbackground=True\n");
        READ_OK({ RECORDED_FSTAB, "fstab" }, { RECORDED_NFSMOUNT_CONF, "conf" });
        const struct observation *o = r.snapshot.mounts;

        ck_assert_uint_eq(r.snapshot.n_mounts, 6);
        for (size_t i = 0; i < 6; i++)
                ck_assert_msg(o[i].only_requested && !o[i].counters.known, "%s", o[i].mount.target);
        expect_options("/a", "rw,rsize=32768", "rw");
        expect_options("/b", "ro,noauto,context=a b", "ro");
        expect_options("/c", "defaults", "");
        expect_sources("/a", "fstab:1:rw,rsize=32768;nfsmount.conf:2:bg default;");
        expect_sources("/c", "fstab:3:defaults;");
        ck_assert(o[1].mount.read_only && !o[0].mount.read_only);
        ck_assert_str_eq(o[1].mount.fstype, "nfs4");
        ck_assert_str_eq(o[2].mount.server, "h");
        ck_assert_str_eq(o[2].mount.export_path, "/p");
        ck_assert_str_eq(o[3].mount.server, "2001:db8::1");
        ck_assert_str_eq(o[3].mount.fstype, "nfs");
        ck_assert_str_eq(o[4].mount.server, "one,two");
        /* the second line for a mount point is judged as well, as itself */
        ck_assert_uint_eq(o[5].requested[0].place.line, 6);
        cleanup_free char *of_second = sources(&o[5]);
        ck_assert_str_eq(of_second, "fstab:6:soft;nfsmount.conf:2:bg default;");
}
END_TEST

START_TEST(test_lines_without_a_mount)
{
        tree_write("mounts", "h:/x /a nfs rw 0 0\n");
        tree_write("fstab", "h:/x /a nfs rw 0 0\nh:/y /b nfs noauto 0 0\nh:/z /c nfs hard 0 0\n");
        tree_write("more", "h:/z /c nfs soft 0 0\nh:/x /a nfs bg 0 0\n");
        tree_write("json", "{\"mount\":{\"target\":\"/c\",\"source\":\"h:/z\",\"fstype\":\"nfs\"}}\n");
        READ_OK({ RECORDED_MOUNTS, "mounts" }, { RECORDED_FSTAB, "fstab" }, { RECORDED_FSTAB, "more" },
                { RECORDED_OBSERVATION, "json" });
        const struct observation *o = r.snapshot.mounts;

        ck_assert_uint_eq(r.snapshot.n_mounts, 4);
        ck_assert(!o[0].only_requested && !o[1].only_requested && o[2].only_requested && o[3].only_requested);
        ck_assert_str_eq(o[1].mount.target, "/c");
        ck_assert_uint_eq(o[1].n_requested, 0);
        ck_assert_str_eq(o[2].mount.target, "/b");
        ck_assert_str_eq(o[3].requested[0].place.file, tree_path("more"));
        ck_assert_uint_eq(o[3].requested[0].place.line, 2);
}
END_TEST

START_TEST(test_sections)
{
        tree_write("conf", "[ Server \"h.example\" ]\n rsize=32k\n wsize=32k\n[ MountPoint \"/export/home\" ]\n"
                           " background=True\n[ NFSMount_Global_Options ]\nDefaultvers=4\nNfsvers=3\nro=True\n");
        READ_OK({ RECORDED_NFSMOUNT_CONF, "conf" });
        ck_assert_uint_eq(r.snapshot.n_mounts, 3);
        expect_options("every mount of server h.example", "rsize=32k,wsize=32k", "");
        expect_options("/export/home", "bg", "");
        expect_options("every NFS mount", "nfsvers=3,ro", "");
        expect_sources("every NFS mount", "nfsmount.conf:8:nfsvers=3 default;nfsmount.conf:9:ro default;");
        ck_assert_str_eq(mount_of("every mount of server h.example")->mount.server, "h.example");
        ck_assert(mount_of("every NFS mount")->mount.read_only && mount_of("/export/home")->only_requested);
}
END_TEST

/* 20,000 of them are read at once; what is left out is said. */
START_TEST(test_many_sections)
{
        struct text t = { 0 };

        for (unsigned i = 0; i < 20000; i++)
                text_add(&t, "[ MountPoint \"/m/%u\" ]\nRsize=32k\n", i);
        tree_write("conf", t.data);
        text_done(&t);
        READ_OK({ RECORDED_NFSMOUNT_CONF, "conf" });
        ck_assert_uint_eq(r.snapshot.n_mounts, NFSMOUNTCONF_LINES_MAX);
        ck_assert_str_eq(r.snapshot.mounts[NFSMOUNTCONF_LINES_MAX - 1].mount.target, "/m/1023");
        ck_assert_ptr_nonnull(r.notes);
        ck_assert_ptr_nonnull(strstr(r.notes, "18976 of it are not judged"));
}
END_TEST

START_TEST(test_observations)
{
        struct observation o = { .mount = { .target = strdup("/a"), .source = strdup("h:/x"), .fstype = strdup("nfs") },
                                 .read_ahead_known = true, .read_ahead_kib = 128 };
        cleanup_free char *json = observation_to_json(&o);
        struct text two = { 0 };

        text_add(&two, "[%s,\n%s]\n", json, json);
        tree_write("one", json);
        tree_write("two", two.data);
        READ_OK({ RECORDED_OBSERVATION, "one" }, { RECORDED_OBSERVATION, "two" });
        ck_assert_uint_eq(r.snapshot.n_mounts, 3);
        ck_assert(r.snapshot.mounts[2].read_ahead_known && r.snapshot.mounts[2].read_ahead_kib == 128);
        text_done(&two);
        observation_done(&o);
}
END_TEST

/* A bad line may be of any length, and is not quoted in full. */
START_TEST(test_many_options)
{
        struct text t = { 0 };

        text_add(&t, "h:/a /a nfs rw 0 0\nh:/b /b nfs rw");
        for (unsigned i = 0; i < OPTIONS_MAX; i++)
                text_add(&t, ",rw");
        text_add(&t, " 0 0\n");
        tree_write("fstab", t.data);
        text_done(&t);
        READ_OK({ RECORDED_FSTAB, "fstab" });
        ck_assert_uint_eq(r.findings.n_items, 1);
        ck_assert_ptr_nonnull(strstr(r.findings.items[0].evidence, "1024 options"));
        ck_assert_uint_lt(strlen(r.findings.items[0].evidence), 400);
        ck_assert_ptr_nonnull(strstr(r.findings.items[0].text, "more than once"));
}
END_TEST

START_TEST(test_flaws_of_lines)
{
        tree_write("fstab", "h:/a /a nfs rw, hard 0 0\r\nh:/b /b nfs \\\n rw,hard 0 0\nh:/c\n/dev/sdb /x\n"
                            "h:/d /d nfs rw 0 0\n");
        READ_OK({ RECORDED_FSTAB, "fstab" });
        ck_assert_uint_eq(r.snapshot.n_mounts, 3);
        ck_assert_str_eq(mount_of("/a")->requested[0].line_mended, "h:/a /a nfs rw,hard 0 0");
        ck_assert_str_eq(mount_of("/b")->requested[0].line_mended, "h:/b /b nfs rw,hard 0 0");
        ck_assert_ptr_nonnull(mount_of("/b")->requested[0].line_problem);
        ck_assert_ptr_null(mount_of("/d")->requested[0].line_problem);
        expect_options("/b", "", "");
        ck_assert_uint_eq(r.findings.n_items, 2);
        for (size_t i = 0; i < 2; i++) {
                ck_assert_int_eq(r.findings.items[i].rule, RULE_INVALID_OPTION);
                ck_assert_uint_eq(r.findings.items[i].place.line, i + 3);
                ck_assert_str_eq(r.findings.items[i].place.file, tree_path("fstab"));
        }
        ck_assert_ptr_nonnull(strstr(r.findings.items[0].evidence, "\"rw,hard 0 0\""));
}
END_TEST

/* ---- the recorded cases ----------------------------------------------------------------------- */

/* Every one is usable but the one that was cut. */
static void dir_read(const char *name, enum recorded_kind kind)
{
        cleanup_free char *below = path_join("cases", name), *dir = below ? path_join(TEST_DATA, below) : NULL;
        char **names;
        size_t n;

        ck_assert_int_eq(dir_list(dir, "", 1000, strcmp, &names, &n), 0);
        ck_assert_uint_gt(n, 0);
        for (size_t i = 0; i < n; i++) {
                cleanup_free char *path = path_join(dir, names[i]);
                int status = READ({ kind, path });

                ck_assert_msg(status == (strcmp(names[i], "02-truncated.mountinfo") == 0), "%s: %d (%s)", path,
                              status, words);
                ck_assert_msg(status == 1 || r.snapshot.n_mounts > 0, "%s: no mount", path);
                recorded_done(&r);
                free_charp(&words);
        }
        names_free(names, n);
}

START_TEST(test_cases)
{
        dir_read("mounts", RECORDED_MOUNTS);
        dir_read("mountinfo", RECORDED_MOUNTINFO);
        dir_read("mountstats", RECORDED_MOUNTSTATS);
        dir_read("fstab", RECORDED_FSTAB);
        dir_read("nfsmount", RECORDED_NFSMOUNT_CONF);
}
END_TEST

/* Mounts of one superblock print the same figures, while something is written into it. */
START_TEST(test_case_of_one_superblock)
{
        READ_OK({ RECORDED_MOUNTS, TEST_DATA "/cases/mounts/85.mounts" },
                { RECORDED_MOUNTSTATS, TEST_DATA "/cases/mountstats/85.mountstats" });
        ck_assert_uint_eq(r.snapshot.n_mounts, 3);
        for (size_t i = 0; i < 3; i++)
                ck_assert_uint_eq(r.snapshot.mounts[i].n_shares, 2);
}
END_TEST

/* ---- many ----------------------------------------------------------------------------------------- */

START_TEST(test_many)
{
        struct text info = { 0 }, stats = { 0 }, lines = { 0 };
        enum { N = 3000 };

        for (unsigned i = 0; i < N; i++) {
                unsigned k = N - 1 - i;         /* the files are in different orders */

                text_add(&info, "%u 1 0:%u / /m/%u rw - nfs4 h:/x%u rw,vers=4.2,addr=192.0.2.1\n", i + 2, i + 40, i, i);
                text_add(&stats, "device h:/x%u mounted on /m/%u with fstype nfs4 statvers=1.1\n\tage:\t%u\n"
                                 "\tper-op statistics\n", k, k, k);
                text_add(&lines, "h:/x%u /m/%u nfs rsize=%u 0 0\n", k, k, k);
        }
        tree_write("mountinfo", info.data);
        tree_write("mountstats", stats.data);
        tree_write("fstab", lines.data);
        text_done(&info);
        text_done(&stats);
        text_done(&lines);
        READ_OK({ RECORDED_MOUNTINFO, "mountinfo" }, { RECORDED_MOUNTSTATS, "mountstats" },
                { RECORDED_FSTAB, "fstab" });
        ck_assert_uint_eq(r.snapshot.n_mounts, N);
        for (unsigned i = 0; i < N; i++) {
                const struct observation *o = &r.snapshot.mounts[i];

                ck_assert_uint_eq(o->counters.age_sec, i);
                ck_assert(o->n_requested == 1 && o->requested[0].place.line == N - i && o->n_shares == 0);
        }
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/recorded");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_checked_fixture(t, setup, teardown);
        tcase_add_loop_test(t, test_text, 0, ARRAY_SIZE(texts));
        tcase_add_loop_test(t, test_anything, 0, ARRAY_SIZE(anything) * RECORDED_COUNT);
        tcase_add_loop_test(t, test_endless_line, 0, RECORDED_COUNT);
        tcase_add_test(t, test_name_with_control_characters);
        tcase_add_test(t, test_only_once);
        tcase_add_test(t, test_original);
        tcase_add_test(t, test_one_of_two);
        tcase_add_loop_test(t, test_pipe, 0, ARRAY_SIZE(pipes));
        tcase_add_test(t, test_all_kinds);
        tcase_add_test(t, test_mounts_beside_mountinfo);
        tcase_add_test(t, test_mountstats_alone);
        tcase_add_test(t, test_fstab_alone);
        tcase_add_test(t, test_lines_without_a_mount);
        tcase_add_test(t, test_sections);
        tcase_add_test(t, test_many_sections);
        tcase_add_test(t, test_observations);
        tcase_add_test(t, test_flaws_of_lines);
        tcase_add_test(t, test_many_options);
        tcase_add_test(t, test_cases);
        tcase_add_test(t, test_case_of_one_superblock);
        tcase_add_test(t, test_many);
        suite_add_tcase(s, t);
        return suite_run(s);
}
