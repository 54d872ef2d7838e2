/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * servers.d: what is accepted, what is refused, which file wins; the shipped
 * profiles, and that none of them makes anything automatic.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/installed.h"
#include "daemon/profiles.h"
#include "daemon/reload.h"
#include "tests/unit/policy_world.h"

#define SHIPPED TEST_DATA "/../../etc/servers.d"

static const char *const no_dirs[] = { NULL };
static char home[64];

static const char *in_home(const char *name)
{
        static char path[4][192];
        static unsigned next;
        char *p = path[next++ % 4];

        (void) snprintf(p, sizeof(path[0]), "%s/%s", home, name);
        return p;
}

static void write_file(const char *name, const char *text, size_t length_bytes)
{
        FILE *f = fopen(in_home(name), "we");

        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(text, 1, length_bytes, f), length_bytes);
        ck_assert_int_eq(fclose(f), 0);
}

static void put(const char *name, const char *text)
{
        write_file(name, text, strlen(text));
}

static void set_up(void)
{
        ck_assert_ptr_nonnull(mkdtemp(strcpy(home, "/tmp/nfstuned-profiles-XXXXXX")));
        ck_assert_int_eq(mkdir(in_home("lib"), 0700), 0);
        ck_assert_int_eq(mkdir(in_home("etc"), 0700), 0);
}

static void tear_down(void)
{
        char command[128];

        (void) snprintf(command, sizeof(command), "rm -rf '%s'", home);
        ck_assert_int_eq(system(command), 0);
}

/* ---- one file ----------------------------------------------------------------------- */

static const char everything[] =
        "\xef\xbb\xbf# comment\r\n"
        "[server]\r\n"
        "title = A Cloud's Files ; comment\n"
        "hosts = *.files.example  old-1.example\n"
        "addresses = 192.0.2.0/24 2001:db8::/32\n"
        "implementations = Name 1.* | Other Name*|  Third \n"
        "transfer_max = 256K\n"
        "nconnect_max = 16\n"
        "noresvport = yes\n"
        "versions = 4.1 3\n"
        "file_sync = no\n"
        "non_volatile = yes\n"
        "note = One sentence, with = and # in it.\n";

static int read_home(struct server_profiles *p, char **errors)
{
        char lib[192], etc[192], missing[192];
        const char *dirs[] = { missing, etc, NULL };

        (void) snprintf(lib, sizeof(lib), "%s", in_home("lib"));
        (void) snprintf(etc, sizeof(etc), "%s", in_home("etc"));
        (void) snprintf(missing, sizeof(missing), "%s", in_home("missing"));
        return profiles_read(lib, dirs, p, errors);
}

START_TEST(reads_every_key)
{
        struct server_profiles p = { 0 };
        const struct server_profile *s;
        char *errors = NULL;

        put("etc/cloud.conf", everything);
        ck_assert_msg(read_home(&p, &errors) == 0, "%s", errors);
        ck_assert_uint_eq(p.n_items, 1);
        s = &p.items[0];
        ck_assert_str_eq(s->name, "cloud");
        ck_assert_str_eq(s->title, "A Cloud's Files");
        ck_assert_uint_eq(s->n_hosts, 2);
        ck_assert_str_eq(s->hosts[1], "old-1.example");
        ck_assert_uint_eq(s->n_addresses, 2);
        ck_assert_str_eq(s->addresses[1], "2001:db8::/32");
        ck_assert_uint_eq(s->n_implementations, 3);
        ck_assert_str_eq(s->implementations[0], "Name 1.*");
        ck_assert_str_eq(s->implementations[1], "Other Name*");
        ck_assert_str_eq(s->implementations[2], "Third");
        ck_assert_uint_eq(s->transfer_max_bytes, 256 * KIB);
        ck_assert_uint_eq(s->nconnect_max, 16);
        ck_assert_int_eq(s->noresvport, PROFILE_YES);
        ck_assert_uint_eq(s->versions, NFS_V3 | NFS_V4_1);
        ck_assert_int_eq(s->file_sync, PROFILE_NO);
        ck_assert_int_eq(s->non_volatile, PROFILE_YES);
        ck_assert_str_eq(s->note, "One sentence, with = and # in it.");
        server_profiles_done(&p);
}
END_TEST

START_TEST(what_is_not_said_is_not_known)
{
        struct server_profiles p = { 0 };
        const struct server_profile *s;
        char *errors = NULL;

        put("etc/a.conf", "[server]\ntitle = A\naddresses =\n");
        ck_assert_msg(read_home(&p, &errors) == 0, "%s", errors);
        ck_assert_uint_eq(p.n_items, 1);
        s = &p.items[0];
        ck_assert_uint_eq(s->n_hosts + s->n_addresses + s->n_implementations, 0);
        ck_assert_uint_eq(s->transfer_max_bytes + s->nconnect_max + s->versions, 0);
        ck_assert(s->noresvport == PROFILE_UNSAID && s->file_sync == PROFILE_UNSAID &&
                  s->non_volatile == PROFILE_UNSAID);
        ck_assert_ptr_null(s->note);
        server_profiles_done(&p);
}
END_TEST

#define GOOD "[server]\ntitle = A\nhosts = a\n"

static const struct bad_row {
        const char *name;
        const char *text;
        unsigned line;
        const char *mentions;
} bad_rows[] = {
        { "misspelt key", GOOD "nconect_max = 4\n", 4, "nconnect_max?" },
        { "key like no other", GOOD "frobnicate = 4\n", 4, "non_volatile" },
        { "key of nfstuned.conf", GOOD "interval = 1h\n", 4, "interval" },
        { "another section", GOOD "[mount a]\n", 4, "[server]" },
        { "a second section", GOOD "[server]\ntitle = B\n", 4, "line 1" },
        { "key before the section", "title = A\n" GOOD, 1, "[server]" },
        { "duplicate", GOOD "note = x\ntitle = B\n", 5, "line 2" },
        { "no title", "[server]\nhosts = a\n", 1, "title" },
        { "about no server", "[server]\ntitle = A\n", 1, "implementations" },
        { "empty title", "[server]\ntitle =\nhosts = a\n", 2, "title" },
        { "empty note", GOOD "note =\n", 4, "note" },
        { "a host pattern of stars", "[server]\ntitle = A\nhosts = a *.*\n", 3, "*.*" },
        { "a host with a slash", "[server]\ntitle = A\nhosts = a:/b\n", 3, "a:/b" },
        { "an implementation of stars", GOOD "implementations = * | a\n", 4, "* | a" },
        { "no address", GOOD "addresses = 192.0.2.0/24 nas\n", 4, "192.0.2.0/24" },
        { "bits too many", GOOD "addresses = 192.0.2.0/33\n", 4, "192.0.2.0/33" },
        { "transfer_max too small", GOOD "transfer_max = 4095\n", 4, "4 KiB" },
        { "transfer_max too large", GOOD "transfer_max = 17M\n", 4, "16 MiB" },
        { "transfer_max in words", GOOD "transfer_max = a lot\n", 4, "a lot" },
        { "nconnect_max 0", GOOD "nconnect_max = 0\n", 4, "16" },
        { "nconnect_max 17", GOOD "nconnect_max = 17\n", 4, "16" },
        { "nconnect_max with a sign", GOOD "nconnect_max = +4\n", 4, "+4" },
        { "noresvport", GOOD "noresvport = true\n", 4, "yes or no" },
        { "file_sync", GOOD "file_sync =\n", 4, "yes or no" },
        { "non_volatile", GOOD "non_volatile = Yes\n", 4, "yes or no" },
        { "version 2", GOOD "versions = 2 3\n", 4, "4.1" },
        { "version 4", GOOD "versions = 4\n", 4, "4.1" },
        { "no version", GOOD "versions =\n", 4, "4.1" },
        { "commas", GOOD "versions = 3,4.1\n", 4, "3,4.1" },
        { "indented", GOOD " note = x\n", 4, "indented" },
        { "no equals sign", GOOD "note\n", 4, "key = value" },
        { "not UTF-8", GOOD "note = gr\xfc\xdf dich\n", 4, "UTF-8" },
        { "escape sequence", GOOD "note = \033[2J\n", 4, "control" },
};

START_TEST(refuses)
{
        const struct bad_row *row = &bad_rows[_i];
        struct server_profiles p = { 0 };
        char *errors = NULL;
        char prefix[224];

        put("etc/bad.conf", row->text);
        ck_assert_msg(read_home(&p, &errors) == 1, "%s: accepted", row->name);
        (void) snprintf(prefix, sizeof(prefix), "%s:%u: ", in_home("etc/bad.conf"), row->line);
        ck_assert_msg(strncmp(errors, prefix, strlen(prefix)) == 0, "%s: %s", row->name, errors);
        ck_assert_msg(strstr(errors, row->mentions), "%s: \"%s\" is not in: %s", row->name, row->mentions, errors);
        ck_assert_msg(strchr(errors, '\n') == errors + strlen(errors) - 1, "%s: not one line: %s", row->name, errors);
        ck_assert_ptr_null(p.items);
        free(errors);
}
END_TEST

START_TEST(refuses_nul)
{
        static const char text[] = GOOD "note = a\0b\n";
        struct server_profiles p = { 0 };
        char *errors = NULL;

        write_file("etc/nul.conf", text, sizeof(text) - 1);
        ck_assert_int_eq(read_home(&p, &errors), 1);
        ck_assert_ptr_nonnull(strstr(errors, "nul.conf:4: "));
        free(errors);
}
END_TEST

/* ---- several files ---------------------------------------------------------------------- */

START_TEST(later_directories_replace_whole_files)
{
        struct server_profiles p = { 0 };
        char *errors = NULL;

        put("lib/b.conf", "[server]\ntitle = lib b\nhosts = b\nnote = of lib\n");
        put("lib/a.conf", "[server]\ntitle = lib a\nhosts = a\n");
        put("lib/emptied.conf", "[server]\ntitle = x\nhosts = x\n");
        put("lib/masked.conf", "[server]\ntitle = x\nhosts = x\n");
        put("lib/replaced-nonsense.conf", "nonsense\n");
        put("etc/b.conf", "[server]\ntitle = etc b\nhosts = b2\n");
        put("etc/emptied.conf", "# nothing of this here\n");
        put("etc/replaced-nonsense.conf", "");
        put("etc/README", "nonsense\n");
        put("etc/.hidden.conf", "nonsense\n");
        ck_assert_int_eq(symlink("/dev/null", in_home("etc/masked.conf")), 0);
        ck_assert_msg(read_home(&p, &errors) == 0, "%s", errors);
        ck_assert_uint_eq(p.n_items, 2);
        ck_assert_str_eq(p.items[0].name, "a");
        ck_assert_str_eq(p.items[1].name, "b");
        ck_assert_str_eq(p.items[1].title, "etc b");
        ck_assert_ptr_null(p.items[1].note);
        server_profiles_done(&p);
}
END_TEST

START_TEST(errors_of_all_files_are_told)
{
        struct server_profiles p = { 0 };
        char *errors = NULL;

        put("lib/a.conf", "[server]\nx = 1\n");
        put("lib/good.conf", GOOD);
        put("etc/b.conf", "[server]\ntitle = B\nversions = 5\n");
        ck_assert_int_eq(mkdir(in_home("etc/c.conf"), 0700), 0);
        ck_assert_int_eq(symlink("nowhere", in_home("etc/d.conf")), 0);
        ck_assert_int_eq(read_home(&p, &errors), 1);
        ck_assert_ptr_nonnull(strstr(errors, "/lib/a.conf:2: "));
        ck_assert_ptr_nonnull(strstr(errors, "/lib/a.conf:1: "));
        ck_assert_ptr_nonnull(strstr(errors, "/etc/b.conf:3: "));
        ck_assert_ptr_nonnull(strstr(errors, "/etc/c.conf: "));
        ck_assert_ptr_nonnull(strstr(errors, "/etc/d.conf: "));
        ck_assert_ptr_null(p.items);
        free(errors);
}
END_TEST

START_TEST(no_directory_is_no_error)
{
        struct server_profiles p = { 0 };
        char *errors = NULL;

        ck_assert_int_eq(profiles_read(NULL, no_dirs, &p, &errors), 0);
        ck_assert_int_eq(profiles_read(in_home("missing"), no_dirs, &p, &errors), 0);
        ck_assert_uint_eq(p.n_items, 0);
        ck_assert_ptr_null(errors);
}
END_TEST

/* ---- as a part of the configuration --------------------------------------------------------- */

START_TEST(errors_are_errors_of_the_configuration)
{
        struct params params = { 0 };
        char *errors = NULL;
        char config[192], lib[192];

        (void) snprintf(config, sizeof(config), "%s", in_home("nfstuned.conf"));
        (void) snprintf(lib, sizeof(lib), "%s", in_home("lib"));
        const struct manager_options options = { .config_file = config, .config_must_exist = true,
                                                 .build_profiles = lib,
                                                 .journal = { .to_stderr = true, .quiet = true } };
        ck_assert_ptr_nonnull(freopen("/dev/null", "we", stderr));      /* what is wrong is said there */
        put("nfstuned.conf", "[daemon]\ninterval = 2h\n");
        put("lib/a.conf", GOOD);
        ck_assert_msg(reload_read(&options, &params, &errors) == 0, "%s", errors);
        ck_assert_uint_eq(params.interval_usec, 2 * USEC_PER_HOUR);
        ck_assert_ptr_nonnull(profile_find(&params.profiles, "a", NULL, NULL));

        put("nfstuned.conf", "[daemon]\ninterval = 3h\n");
        put("lib/b.conf", GOOD "versions = 5\n");
        ck_assert_int_eq(reload_params(&options, &params), 1);
        ck_assert_uint_eq(params.interval_usec, 2 * USEC_PER_HOUR);
        ck_assert_uint_eq(params.profiles.n_items, 1);

        put("nfstuned.conf", "[daemon]\nintervall = 3h\n");
        params_done(&params);
        ck_assert_int_eq(reload_read(&options, &params, &errors), 1);
        ck_assert_ptr_nonnull(strstr(errors, "nfstuned.conf:2: "));
        ck_assert_ptr_nonnull(strstr(errors, "b.conf:4: "));
        free(errors);
}
END_TEST

/* ---- where they are --------------------------------------------------------------------------- */

static const struct beside_row {
        const char *name;
        const char *program_dir;        /* below home; a helper is put there */
        const char *tree;               /* of which etc/servers.d is made, or NULL */
        const char *want;               /* below home, or NULL */
} beside_rows[] = {
        { "build", "tree/build", "tree", "tree/etc/servers.d" },
        { "build with sanitizers", "tree/build/address", "tree", "tree/etc/servers.d" },
        { "a tree below another build", "build/tree/build", "build/tree", "build/tree/etc/servers.d" },
        { "a tree without profiles", "tree/build", NULL, NULL },
        { "helpers and program installed together", "usr/bin", "usr", NULL },
        { "not quite build", "tree/builder", "tree", NULL },
};

static void make_dirs(const char *path)
{
        char command[300];

        (void) snprintf(command, sizeof(command), "mkdir -p '%s'", in_home(path));
        ck_assert_int_eq(system(command), 0);
}

START_TEST(the_build_tree_has_its_own)
{
        const struct beside_row *row = &beside_rows[_i];
        char path[96], *found = NULL;

        make_dirs(row->program_dir);
        ck_assert_int_eq(installed_profiles_beside(in_home(row->program_dir), &found), 0);
        ck_assert_msg(!found, "%s: without a helper it is no build tree", row->name);
        (void) snprintf(path, sizeof(path), "%s/nfstuned-probe", row->program_dir);
        put(path, "");
        ck_assert_int_eq(chmod(in_home(path), 0755), 0);
        if (row->tree) {
                (void) snprintf(path, sizeof(path), "%s/etc/servers.d", row->tree);
                make_dirs(path);
        }
        ck_assert_int_eq(installed_profiles_beside(in_home(row->program_dir), &found), 0);
        ck_assert_msg(row->want ? found && strcmp(found, in_home(row->want)) == 0 : !found, "%s: %s", row->name,
                      found ? found : "none");
        free(found);
}
END_TEST

/* ---- the shipped ones ---------------------------------------------------------------------------- */

static struct server_profiles read_shipped(void)
{
        struct server_profiles p = { 0 };
        char *errors = NULL;
        int r = profiles_read(SHIPPED, no_dirs, &p, &errors);

        ck_assert_msg(r == 0, "%s", errors ? errors : strerror(-r));
        ck_assert_uint_ge(p.n_items, 10);
        return p;
}

static const struct known_row {
        const char *name;
        const char *host, *implementation;
        const char *want;
} known_rows[] = {
        { "EFS", "fs-0123abcd.efs.us-east-1.amazonaws.com", NULL, "efs" },
        { "EFS of one zone", "us-east-1a.fs-0123abcd.efs.us-east-1.amazonaws.com", NULL, "efs" },
        { "EFS in China", "fs-0123abcd.efs.cn-north-1.amazonaws.com.cn", NULL, "efs" },
        { "EFS through a TLS proxy", "127.0.0.1", NULL, NULL },
        { "Azure Files", "account.file.core.windows.net", NULL, "azure-files" },
        { "Azure Files by its private endpoint", "account.privatelink.file.core.windows.net", NULL, "azure-files" },
        { "Azure blobs are something else", "account.blob.core.windows.net", NULL, NULL },
        { "ONTAP", "filer", "NetApp Release 9.9.1P3", "ontap" },
        { "FSx for ONTAP, version 3", "svm-0a.fs-0b.fsx.eu-west-1.amazonaws.com", NULL, "fsx-ontap" },
        { "FSx for ONTAP, version 4.1", "svm-0a.fs-0b.fsx.eu-west-1.amazonaws.com", "NetApp Release 9.13.1", "ontap" },
        { "FSx for OpenZFS", "fs-0b.fsx.eu-west-1.amazonaws.com", NULL, "fsx-openzfs" },
        { "FreeBSD", "nas", "FreeBSD 13.2-RELEASE releng/13.2-n254617 GENERIC", "freebsd" },
        { "a name like another", "nas.example", "", NULL },
};

START_TEST(shipped_profiles_are_found)
{
        const struct known_row *row = &known_rows[_i];
        struct server_profiles p = read_shipped();
        const struct server_profile *found = profile_find(&p, row->host, "192.0.2.1", row->implementation);

        ck_assert_msg(row->want ? found && strcmp(found->name, row->want) == 0 : !found, "%s: %s", row->name,
                      found ? found->name : "none");
        server_profiles_done(&p);
}
END_TEST

/* What the plan might do by itself, as "rule -drop +set" lines. */
static char *automatic_part(const struct advice *a)
{
        struct text t = { 0 };
        char *s;

        for (size_t i = 0; i < a->n_recommendations; i++) {
                const struct recommendation *r = &a->recommendations[i];

                if (!r->automatic)
                        continue;
                for (size_t k = 0; k < r->n_drop; k++)
                        text_add(&t, "%s -%s\n", rule_name(r->rule), r->drop[k]);
                for (size_t k = 0; k < r->n_set; k++)
                        text_add(&t, "%s +%s\n", rule_name(r->rule), r->set[k]);
        }
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

static void check_subset(const char *with, const char *without, const char *what, const char *profile)
{
        for (const char *line = with; *line; line = strchr(line, '\n') + 1) {
                size_t n = (size_t) (strchr(line, '\n') + 1 - line);
                bool found = false;

                for (const char *w = without; *w && !found; w = strchr(w, '\n') + 1)
                        found = strncmp(w, line, n) == 0;
                ck_assert_msg(found, "%s: profile %s makes automatic: %.*s", what, profile, (int) n, line);
        }
}

static const char *const safe_options[] = {
        "rw,sync,vers=4.1,rsize=32768,wsize=32768,hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=192.0.2.9",
        "rw,vers=4.0,rsize=65536,wsize=1048576,hard,proto=tcp,timeo=600,retrans=2,sec=sys,addr=192.0.2.9",
        "rw,vers=3,rsize=1048576,wsize=1048576,soft,proto=tcp,timeo=14,retrans=2,sec=sys,addr=192.0.2.9",
        "rw,vers=3,rsize=8192,wsize=8192,hard,proto=udp,timeo=11,retrans=3,sec=sys,addr=192.0.2.9",
        "ro,vers=4.2,rsize=262144,wsize=262144,hard,proto=tcp,timeo=600,retrans=2,sec=krb5,addr=192.0.2.9",
        "rw,noac,sync,vers=3,rsize=131072,wsize=131072,acregmin=0,acregmax=0,acdirmin=0,acdirmax=0,hard,proto=tcp,"
                "timeo=600,retrans=2,sec=sys,addr=192.0.2.9",
        "rw,vers=4.1,rsize=524288,wsize=524288,hard,noresvport,proto=tcp,nconnect=8,timeo=600,addr=192.0.2.9",
};

/* What is known of the server and was measured. */
static void observe(struct world *w, unsigned variant)
{
        if (variant & 1)
                world_limits(w, variant & 2 ? 64 * KIB : MIB, variant & 4 ? 256 * KIB : MIB);
        if (variant & 2) {
                world_null(w, 500);
                world_stable(w, 0, 4 * KIB, 8, variant & 4 ? 600 : 9000);
                world_stable(w, 1, 64 * KIB, 8, variant & 4 ? 900 : 12000);
                world_editor_save(w, 5000, 200000);
        }
        if (variant & 4) {
                w->o.server.versions_known = true;
                w->o.server.versions = NFS_V3 | NFS_V4_0 | NFS_V4_1;
                w->o.read_ahead_known = true;
                w->o.read_ahead_kib = 128;
        }
}

START_TEST(no_profile_makes_anything_automatic)
{
        const char *super = safe_options[_i];
        struct server_profiles shipped = read_shipped();

        for (unsigned variant = 0; variant < 8; variant++)
                for (size_t i = 0; i < shipped.n_items; i++) {
                        struct server_profile *p = &shipped.items[i];
                        char *star[] = { world_copy("server") };
                        char **hosts = p->hosts;
                        size_t n_hosts = p->n_hosts;
                        char *with, *without;
                        struct world w;

                        world_init(&w, "/data", super[1] == 'o' ? "ro" : "rw,relatime", super);
                        world_fstab(&w, 7, "server:/data /data nfs - 0 0", super);
                        observe(&w, variant);
                        world_evaluate(&w);
                        without = automatic_part(&w.a);
                        p->hosts = star;
                        p->n_hosts = 1;
                        w.p.profiles = (struct server_profiles){ .items = p, .n_items = 1 };
                        ck_assert_ptr_eq(profile_find(&w.p.profiles, "server", NULL, NULL), p);
                        world_evaluate(&w);
                        with = automatic_part(&w.a);
                        check_subset(with, without, super, p->name);
                        w.p.profiles = (struct server_profiles){ 0 };
                        p->hosts = hosts;
                        p->n_hosts = n_hosts;
                        free(star[0]);
                        free(with);
                        free(without);
                        world_done(&w);
                }
        server_profiles_done(&shipped);
}
END_TEST

/* The comparison above would be worth nothing if nothing were automatic. */
START_TEST(something_is_automatic_without_a_profile)
{
        struct world w;
        char *without;

        world_init(&w, "/data", "rw,relatime", safe_options[0]);
        world_fstab(&w, 7, "server:/data /data nfs - 0 0", safe_options[0]);
        observe(&w, 1);
        world_evaluate(&w);
        without = automatic_part(&w.a);
        ck_assert_ptr_nonnull(strstr(without, "stale-io-size -rsize=32768\n"));
        ck_assert_ptr_nonnull(strstr(without, "sync-client -sync\n"));
        free(without);
        world_done(&w);
}
END_TEST

/* Case 67 with the profiles that come with the program. */
START_TEST(efs_without_noresvport)
{
        const struct recommendation *r;
        struct world w;

        world_init(&w, "/mnt/efs-plain", "rw,relatime",
                   "rw,vers=4.1,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,"
                   "clientaddr=192.0.2.130,local_lock=none,addr=192.0.2.131");
        free(w.o.mount.server);
        w.o.mount.server = world_copy("fs-0123abcd.efs.us-east-1.amazonaws.com");
        w.p.profiles = read_shipped();
        world_evaluate(&w);
        r = world_find(&w, RULE_RESERVED_PORT);
        ck_assert_ptr_nonnull(r);
        ck_assert(!r->automatic);
        ck_assert_str_eq(r->set[0], "noresvport");
        ck_assert_ptr_null(world_find(&w, RULE_OLD_VERSION));
        world_done(&w);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("profiles");
        TCase *tc = tcase_create("profiles");
        SRunner *sr = srunner_create(s);
        int failed;

        tcase_add_checked_fixture(tc, set_up, tear_down);
        tcase_add_test(tc, reads_every_key);
        tcase_add_test(tc, what_is_not_said_is_not_known);
        tcase_add_loop_test(tc, refuses, 0, (int) ARRAY_SIZE(bad_rows));
        tcase_add_test(tc, refuses_nul);
        tcase_add_test(tc, later_directories_replace_whole_files);
        tcase_add_test(tc, errors_of_all_files_are_told);
        tcase_add_test(tc, no_directory_is_no_error);
        tcase_add_test(tc, errors_are_errors_of_the_configuration);
        tcase_add_loop_test(tc, the_build_tree_has_its_own, 0, (int) ARRAY_SIZE(beside_rows));
        tcase_add_loop_test(tc, shipped_profiles_are_found, 0, (int) ARRAY_SIZE(known_rows));
        tcase_add_loop_test(tc, no_profile_makes_anything_automatic, 0, (int) ARRAY_SIZE(safe_options));
        tcase_add_test(tc, something_is_automatic_without_a_profile);
        tcase_add_test(tc, efs_without_noresvport);
        suite_add_tcase(s, tc);
        srunner_run_all(sr, CK_NORMAL);
        failed = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failed == 0 ? 0 : 1;
}
