/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstuned.conf: what is accepted, what is refused, where the error is. */

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/config.h"
#include "daemon/config_value.h"
#include "daemon/utf8.h"
#include "policy/advice.h"
#include "policy/nearest.h"
#include "policy/text.h"

/* ---- accepted ---------------------------------------------------------------- */

START_TEST(defaults_are_those_of_params_init)
{
        struct params p, d;
        char *errors = NULL;

        ck_assert_int_eq(params_init(&d), 0);
        ck_assert_int_eq(config_parse("empty", "", 0, &p, &errors), 0);
        ck_assert_uint_eq(p.interval_usec, d.interval_usec);
        ck_assert_uint_eq(p.probe_bytes, d.probe_bytes);
        ck_assert_str_eq(p.probe_directory, d.probe_directory);
        ck_assert_uint_eq(p.n_mounts, 0);
        params_done(&p);
        params_done(&d);
}
END_TEST

/* Every key's default, written in a file, changes nothing. */
START_TEST(written_defaults_change_nothing)
{
        struct params p, d;
        struct text t = {};
        char *errors = NULL, *text;

        for (size_t i = 0; config_key(i).section; i++) {
                struct config_key_info k = config_key(i);

                if (k.fallback[0] && strcmp(k.section, "mount") != 0)
                        text_add(&t, "[%s]\n%s = %s\n", k.section, k.name, k.fallback);
        }
        text_add(&t, "[mount x]\npath = /x\n");
        for (size_t i = 0; config_key(i).section; i++)
                if (config_key(i).fallback[0] && strcmp(config_key(i).section, "mount") == 0)
                        text_add(&t, "%s = %s\n", config_key(i).name, config_key(i).fallback);
        text = text_take(&t);
        ck_assert_int_eq(params_init(&d), 0);
        ck_assert_msg(config_parse("defaults", text, strlen(text), &p, &errors) == 0, "%s", errors);
        ck_assert_int_eq(p.mode, d.mode);
        ck_assert_uint_eq(p.interval_usec, d.interval_usec);
        ck_assert_uint_eq(p.spread_usec, d.spread_usec);
        ck_assert_uint_eq(p.passive_interval_usec, d.passive_interval_usec);
        ck_assert_uint_eq(p.probe_bytes, d.probe_bytes);
        ck_assert_uint_eq(p.probe_time_usec, d.probe_time_usec);
        ck_assert_uint_eq(p.connect_timeout_usec, d.connect_timeout_usec);
        ck_assert_int_eq(p.active, d.active);
        ck_assert_ptr_null(p.probe_user);
        ck_assert_str_eq(p.probe_directory, d.probe_directory);
        ck_assert_uint_eq(p.apply_rules, d.apply_rules);
        ck_assert_uint_eq(p.n_windows, 0);
        ck_assert_int_eq(p.persist, d.persist);
        ck_assert_uint_eq(p.min_gain_permille, d.min_gain_permille);
        ck_assert_int_eq(p.mounts[0].export_setting, EXPORT_AUTO);
        ck_assert(!p.mounts[0].stable_storage);
        free(text);
        params_done(&p);
        params_done(&d);
}
END_TEST

static const char everything[] =
        "\xef\xbb\xbf# comment\r\n"
        "  ; indented comment\n"
        "[daemon]\r\n"
        "mode=auto-remount\n"
        "interval = 2h ; twelve times a day\n"
        "spread = 0\n"
        "passive_interval=30 s\t\n"
        "\n"
        "[ probe ]   ; blanks\n"
        "bytes = 256K\n"
        "time = 60s\n"
        "connect_timeout = 100ms\n"
        "active = no\n"
        "trials = off\n"
        "user = 1000\n"
        "directory = a/b#1\n"
        "[apply]\n"
        "rules = read-ahead  large-io-stall\n"
        "window = 22:00-06:00  12:30-24:00\n"
        "persist = yes\n"
        "min_gain = 25 %\n"
        "[mount the data]\n"
        "path = //srv/./data/\n"
        "mode = recommend\n"
        "probe = off\n"
        "keep = sync  noac\n"
        "export = async\n"
        "stable_storage = yes\n"
        "[mount b]\n"
        "path = /with a blank\n"
        "mode = auto-remount\n"
        "[daemon]\n";

START_TEST(accepts_everything)
{
        struct params p;
        char *errors = NULL;

        ck_assert_msg(config_parse("all", everything, strlen(everything), &p, &errors) == 0, "%s", errors);
        ck_assert_uint_eq(p.interval_usec, 2 * USEC_PER_HOUR);
        ck_assert_uint_eq(p.spread_usec, 0);
        ck_assert_uint_eq(p.passive_interval_usec, 30 * USEC_PER_SEC);
        ck_assert_uint_eq(p.probe_bytes, 256 * KIB);
        ck_assert_uint_eq(p.probe_time_usec, USEC_PER_MINUTE);
        ck_assert_uint_eq(p.connect_timeout_usec, 100 * USEC_PER_MSEC);
        ck_assert_int_eq(p.active, ACTIVE_NO);
        ck_assert_str_eq(p.probe_user, "1000");
        ck_assert_str_eq(p.probe_directory, "a/b#1");
        ck_assert_int_eq(p.mode, MODE_AUTO_REMOUNT);
        ck_assert_uint_eq(p.apply_rules, UINT64_C(1) << RULE_READ_AHEAD | UINT64_C(1) << RULE_LARGE_IO_STALL);
        ck_assert_uint_eq(p.n_windows, 2);
        ck_assert_uint_eq(p.windows[0].from_minute, 22 * 60);
        ck_assert_uint_eq(p.windows[0].to_minute, 6 * 60);
        ck_assert_uint_eq(p.windows[1].from_minute, 12 * 60 + 30);
        ck_assert_uint_eq(p.windows[1].to_minute, 24 * 60);
        ck_assert(p.persist);
        ck_assert_uint_eq(p.min_gain_permille, 250);
        ck_assert_uint_eq(p.n_mounts, 2);
        ck_assert_int_eq(p.mounts[0].mode, MOUNT_MODE_RECOMMEND);
        ck_assert_int_eq(p.mounts[1].mode, MOUNT_MODE_AUTO_REMOUNT);
        ck_assert_str_eq(p.mounts[0].name, "the data");
        ck_assert_str_eq(p.mounts[0].path, "/srv/data");
        ck_assert_int_eq(p.mounts[0].probe, PROBE_SETTING_OFF);
        ck_assert_uint_eq(p.mounts[0].n_keep, 2);
        ck_assert_str_eq(p.mounts[0].keep[1], "noac");
        ck_assert_int_eq(p.mounts[0].export_setting, EXPORT_ASYNC);
        ck_assert(p.mounts[0].stable_storage);
        ck_assert_str_eq(p.mounts[1].path, "/with a blank");
        ck_assert_int_eq(p.mounts[1].probe, PROBE_SETTING_DEFAULT);
        params_done(&p);
}
END_TEST

static const struct mode_row {
        const char *name;
        const char *host, *mount;       /* keys, or "" */
        enum run_mode mode;
} mode_rows[] = {
        { "nothing said", "", "", MODE_RECOMMEND },
        { "the host's", "mode = auto-remount\n", "", MODE_AUTO_REMOUNT },
        { "a mount alone", "mode = recommend\n", "mode = auto-remount\n", MODE_AUTO_REMOUNT },
        { "all but a mount", "mode = auto-remount\n", "mode = recommend\n", MODE_RECOMMEND },
};

START_TEST(the_mount_has_the_last_word)
{
        const struct mode_row *row = &mode_rows[_i];
        char text[256], *errors = NULL;
        struct params p;

        (void) snprintf(text, sizeof(text), "[daemon]\n%s[mount a]\npath = /a\n%s", row->host, row->mount);
        ck_assert_msg(config_parse("f", text, strlen(text), &p, &errors) == 0, "%s: %s", row->name, errors);
        ck_assert_msg(params_mode_for_mount(&p, "/a") == row->mode, "%s", row->name);
        params_done(&p);
}
END_TEST

/* No rule, at no time: both keys may be empty, and then mean the opposite of each other. */
START_TEST(empty_lists)
{
        static const char text[] = "[apply]\nrules =\nwindow =\n";
        char *errors = NULL;
        struct params p;

        ck_assert_msg(config_parse("f", text, strlen(text), &p, &errors) == 0, "%s", errors);
        ck_assert_uint_eq(p.apply_rules, 0);
        ck_assert(params_window_is_open(&p, 0));
        params_done(&p);
}
END_TEST

#define WINDOWS_8 \
        "00:00-01:00 02:00-03:00 04:00-05:00 06:00-07:00 08:00-09:00 10:00-11:00 12:00-13:00 22:00-06:00 "

static const struct permille_row {
        const char *name;
        const char *text;
        int result;
        uint64_t permille;
} permille_rows[] = {
        { "none", "0%", 0, 0 },
        { "no unit, but none is needed", "0", 0, 0 },
        { "all", "100%", 0, 1000 },
        { "a blank", "7 %", 0, 70 },
        { "a fraction", "2.5%", -EINVAL, 0 },
        { "no unit", "10", -EINVAL, 0 },
        { "overflow", "9999999999999999999%", -ERANGE, 0 },
};

START_TEST(percents)
{
        const struct permille_row *row = &permille_rows[_i];
        uint64_t permille = 0;

        ck_assert_msg(percent_parse(row->text, &permille) == row->result, "%s", row->name);
        ck_assert_msg(permille == row->permille || row->result < 0, "%s: %ju", row->name, (uintmax_t) permille);
}
END_TEST

/* More of them than a line of a file can hold. */
static const struct windows_row {
        const char *name;
        const char *text;
        int result;
        size_t n;
} windows_rows[] = {
        { "none", " \t", 0, 0 },
        { "the whole day", "00:00-24:00", 0, 1 },
        { "at the cap", WINDOWS_8 WINDOWS_8, 0, 16 },
        { "cap + 1", WINDOWS_8 WINDOWS_8 "08:00-09:00", -E2BIG, 99 },
        { "bad in the middle", WINDOWS_8 "bad " WINDOWS_8, -EINVAL, 99 },
};

START_TEST(many_windows)
{
        const struct windows_row *row = &windows_rows[_i];
        struct day_window windows[WINDOWS_MAX];
        const char *bad = NULL;
        size_t n = 99;

        ck_assert_msg(windows_parse(row->text, windows, &n, &bad) == row->result, "%s", row->name);
        ck_assert_msg(n == row->n, "%s: %zu", row->name, n);
        ck_assert_msg(row->result != -EINVAL || strncmp(bad, "bad ", 4) == 0, "%s: %s", row->name, bad);
}
END_TEST

/* ---- refused ------------------------------------------------------------------- */

#define LONG_50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static const struct bad_row {
        const char *name;
        const char *text;
        unsigned line;          /* 0: the error names no line */
        const char *mentions;   /* a fact the reader needs, not the wording */
} bad_rows[] = {
        { "misspelt key", "[daemon]\nintervall = 1h\n", 2, "interval?" },
        { "two letters swapped", "[probe]\nbyets = 1M\n", 2, "bytes" },
        { "key of another section", "[daemon]\nbytes = 1M\n", 2, "[probe]" },
        { "key like no other", "[daemon]\nfrobnicate = 1\n", 2, "passive_interval" },
        { "misspelt section", "\n[deamon]\n", 2, "[daemon]" },
        { "section like no other", "[global]\nx = 1\n", 1, "[probe]" },
        { "plural section", "[mounts a]\npath = /a\n", 1, "[mount NAME]" },
        { "key before a section", "interval = 1h\n", 1, "section" },
        { "mode like no other", "[daemon]\nmode = auto\n", 2, "recommend, auto-remount" },
        { "no mode", "[daemon]\nmode =\n", 2, "recommend, auto-remount" },
        { "mode like no other for a mount", "[mount a]\npath = /a\nmode = yes\n", 3, "recommend, auto-remount" },
        { "misspelt rule", "[apply]\nrules = sync-client stale-iosize\n", 2, "mean stale-io-size?" },
        { "no rule", "[apply]\nrules = all\n", 2, "\"all\" is no rule" },
        { "all allowed rules are listed", "[apply]\nrules = all\n", 2,
          "limit-below-size sync-client stale-io-size io-size-mismatch large-io-stall read-ahead" },
        { "rule that is a question", "[apply]\nrules = noac\n", 2, "noac is never applied" },
        { "rule that changes the version", "[apply]\nrules = sync-client old-version\n", 2,
          "old-version is never applied" },
        { "rule about the server", "[apply]\nrules = async-export\n", 2, "async-export is never applied" },
        { "rules with a comma", "[apply]\nrules = sync-client,read-ahead\n", 2, "sync-client,read-ahead" },
        { "window without minutes", "[apply]\nwindow = 22-06\n", 2, "22-06" },
        { "second window without an end", "[apply]\nwindow = 22:00-06:00 12:00\n", 2, "\"12:00\"" },
        { "window with one digit", "[apply]\nwindow = 6:00-07:00\n", 2, "6:00-07:00" },
        { "window after midnight's end", "[apply]\nwindow = 22:00-24:01\n", 2, "24:01" },
        { "window from midnight's end", "[apply]\nwindow = 24:00-01:00\n", 2, "24:00-01:00" },
        { "window with 60 minutes", "[apply]\nwindow = 22:60-23:00\n", 2, "22:60" },
        { "window without a minute", "[apply]\nwindow = 06:00-06:00\n", 2, "06:00-06:00" },
        { "window with something behind", "[apply]\nwindow = 06:00-07:00,08:00-09:00\n", 2, "22:00-06:00" },
        { "a blank inside a window", "[apply]\nwindow = 22:00 - 06:00\n", 2, "\"22:00\"" },
        { "persist", "[apply]\npersist = fstab\n", 2, "yes or no" },
        { "min_gain without a unit", "[apply]\nmin_gain = 10\n", 2, "% is missing" },
        { "min_gain too large", "[apply]\nmin_gain = 101%\n", 2, "100%" },
        { "min_gain negative", "[apply]\nmin_gain = -1%\n", 2, "-1%" },
        { "no min_gain", "[apply]\nmin_gain =\n", 2, "10%" },
        { "key of [apply] elsewhere", "[daemon]\npersist = yes\n", 2, "[apply]" },
        { "trials of a later version", "[probe]\ntrials = auto\n", 2, "later version" },
        { "duplicate key", "[daemon]\ninterval = 1h\nspread = 0\ninterval = 2h\n", 4, "line 2" },
        { "duplicate key, section repeated", "[daemon]\nspread = 0\n[probe]\n[daemon]\nspread = 1s\n", 5, "line 2" },
        { "duplicate key of a mount", "[mount a]\npath = /a\npath = /b\n", 3, "line 2" },
        { "continuation", "[daemon]\ninterval = 1h\n  spread = 0\n", 3, "indented" },
        { "indented with a tab", "[daemon]\n\tspread = 0\n", 2, "indented" },
        { "long line", "[probe]\ndirectory = " LONG_50 LONG_50 LONG_50 LONG_50 "\n", 2, "190" },
        { "long section name", "[mount " LONG_50 "]\npath = /a\n", 1, "49" },
        { "text behind a section", "[daemon] spread = 0\n", 1, "]" },
        { "open section", "[daemon\n", 1, "]" },
        { "no equals sign", "[daemon]\nspread\n", 2, "key = value" },
        { "colon", "[daemon]\nspread: 0\n", 2, "key = value" },
        { "no key", "[daemon]\n= 1h\n", 2, "key = value" },
        { "empty value", "[daemon]\ninterval =\n", 2, "1h" },
        { "hash comment behind a value", "[daemon]\ninterval = 1h # often\n", 2, "# often" },
        { "no unit", "[daemon]\ninterval = 60\n", 2, "unit" },
        { "unknown unit", "[daemon]\ninterval = 5m\n", 2, "min" },
        { "negative", "[daemon]\ninterval = -1h\n", 2, "-1h" },
        { "fraction", "[daemon]\ninterval = 1.5h\n", 2, "1.5h" },
        { "overflow", "[daemon]\ninterval = 99999999999999999999h\n", 2, "365 days" },
        { "overflow by the unit", "[daemon]\ninterval = 18446744073709551615d\n", 2, "365 days" },
        { "interval too short", "[daemon]\ninterval = 9s\n", 2, "10 s" },
        { "interval too long", "[daemon]\ninterval = 366d\n", 2, "365 days" },
        { "passive_interval too short", "[daemon]\npassive_interval = 999ms\n", 2, "1 s" },
        { "bytes too few", "[probe]\nbytes = 65535\n", 2, "64 KiB" },
        { "bytes too many", "[probe]\nbytes = 65M\n", 2, "64 MiB" },
        { "bytes with a word", "[probe]\nbytes = 2 megabytes\n", 2, "megabytes" },
        { "time too short", "[probe]\ntime = 999999us\n", 2, "1 s" },
        { "time too long", "[probe]\ntime = 61s\n", 2, "60 s" },
        { "connect_timeout too short", "[probe]\nconnect_timeout = 99ms\n", 2, "100 ms" },
        { "connect_timeout too long", "[probe]\nconnect_timeout = 31s\n", 2, "30 s" },
        { "active", "[probe]\nactive = maybe\n", 2, "auto, yes, no" },
        { "choice with a bar", "[probe]\nactive = auto|yes\n", 2, "auto, yes, no" },
        { "user with a blank", "[probe]\nuser = two words\n", 2, "two words" },
        { "user -1", "[probe]\nuser = 4294967295\n", 2, "4294967295" },
        { "absolute directory", "[probe]\ndirectory = /tmp\n", 2, "/tmp" },
        { "directory above", "[probe]\ndirectory = a/../../b\n", 2, ".." },
        { "relative path", "[mount a]\npath = srv\n", 2, "absolute" },
        { "path with ..", "[mount a]\npath = /srv/../data\n", 2, ".." },
        { "mount without a path", "[daemon]\n[mount a]\nkeep = sync\n", 2, "path" },
        { "mount without a name", "[mount]\npath = /a\n", 1, "NAME" },
        { "mount without anything", "[mount a]\n", 1, "path" },
        { "two mounts, one path", "[mount a]\npath = /a\n[mount b]\npath = /a/\n", 3, "[mount a]" },
        { "keep with a value", "[mount a]\npath = /a\nkeep = rsize=32768\n", 3, "rsize=32768" },
        { "mount probe", "[mount a]\npath = /a\nprobe = auto\n", 3, "passive" },
        { "mount export", "[mount a]\npath = /a\nexport = yes\n", 3, "async" },
        { "stable_storage", "[mount a]\npath = /a\nstable_storage = true\n", 3, "yes" },
        { "not UTF-8", "[daemon]\n# gr\xfc\xdf dich\n", 2, "UTF-8" },
        { "escape sequence", "[daemon]\ninterval = \033[2J\n", 2, "control" },
        { "carriage return inside", "[daemon]\nspread = 0\rmode = x\n", 2, "control" },
};

static bool names_line(const char *errors, const char *file, unsigned line)
{
        char prefix[64];

        (void) snprintf(prefix, sizeof(prefix), line > 0 ? "%s:%u: " : "%s: ", file, line);
        return strncmp(errors, prefix, strlen(prefix)) == 0;
}

START_TEST(refuses)
{
        const struct bad_row *row = &bad_rows[_i];
        struct params p;
        char *errors = NULL;
        int r = config_parse("the.conf", row->text, strlen(row->text), &p, &errors);

        ck_assert_msg(r == 1, "%s: accepted", row->name);
        ck_assert_msg(names_line(errors, "the.conf", row->line), "%s: %s", row->name, errors);
        ck_assert_msg(strstr(errors, row->mentions), "%s: \"%s\" is not in: %s", row->name, row->mentions, errors);
        ck_assert_msg(strchr(errors, '\n') == errors + strlen(errors) - 1, "%s: not one line: %s", row->name, errors);
        free(errors);
}
END_TEST

START_TEST(refuses_nul)
{
        static const char text[] = "[daemon]\nspread = 0\0\n";
        struct params p;
        char *errors = NULL;

        ck_assert_int_eq(config_parse("nul", text, sizeof(text) - 1, &p, &errors), 1);
        ck_assert(names_line(errors, "nul", 2));
        free(errors);
}
END_TEST

START_TEST(collects_all_errors)
{
        static const char text[] = "[daemon]\nx = 1\ninterval = 2h\nspread = z\n"
                                   "[nowhere]\nquiet = 1\n[probe]\nbytes = 0\n";
        struct params p;
        char *errors = NULL;

        ck_assert_int_eq(config_parse("f", text, strlen(text), &p, &errors), 1);
        ck_assert_ptr_nonnull(strstr(errors, "f:2: "));
        ck_assert_ptr_nonnull(strstr(errors, "f:4: "));
        ck_assert_ptr_nonnull(strstr(errors, "f:5: "));
        ck_assert_ptr_null(strstr(errors, "f:6: ")); /* the section was the error */
        ck_assert_ptr_nonnull(strstr(errors, "f:8: "));
        free(errors);
}
END_TEST

START_TEST(errors_are_capped)
{
        struct text t = {};
        struct params p;
        char *errors = NULL, *text;
        unsigned lines = 0;

        text_add(&t, "[daemon]\n");
        for (unsigned i = 0; i < 1000; i++)
                text_add(&t, "bad\n");
        text = text_take(&t);
        ck_assert_int_eq(config_parse("f", text, strlen(text), &p, &errors), 1);
        for (const char *s = errors; (s = strchr(s, '\n')); s++)
                lines++;
        ck_assert_uint_eq(lines, 51);
        ck_assert_ptr_nonnull(strstr(errors, "950"));
        free(text);
        free(errors);
}
END_TEST

static const struct sections_row {
        const char *name;
        unsigned n;
        int result;
} sections_rows[] = { { "at the cap", 1024, 0 }, { "cap + 1", 1025, 1 } };

START_TEST(mount_sections_are_capped)
{
        const struct sections_row *row = &sections_rows[_i];
        struct text t = {};
        struct params p;
        char *errors = NULL, *text;
        int r;

        for (unsigned i = 0; i < row->n; i++)
                text_add(&t, "[mount %u]\npath = /%u\n", i, i);
        text = text_take(&t);
        r = config_parse("f", text, strlen(text), &p, &errors);
        ck_assert_msg(r == row->result, "%s: %d %s", row->name, r, errors ? errors : "");
        if (r == 0)
                params_done(&p);
        free(text);
        free(errors);
}
END_TEST

/* ---- files ------------------------------------------------------------------------- */

static char directory[] = "/tmp/nfstuned-config-XXXXXX";

static const char *in_directory(const char *name)
{
        static char path[4][256];
        static unsigned next;
        char *p = path[next++ % 4];

        (void) snprintf(p, sizeof(path[0]), "%s/%s", directory, name);
        return p;
}

static void write_file(const char *name, const char *text)
{
        FILE *f = fopen(in_directory(name), "w");

        ck_assert_ptr_nonnull(f);
        ck_assert_int_ge(fputs(text, f), 0);
        ck_assert_int_eq(fclose(f), 0);
}

static void set_up(void)
{
        ck_assert_ptr_nonnull(mkdtemp(strcpy(directory, "/tmp/nfstuned-config-XXXXXX")));
        ck_assert_int_eq(mkdir(in_directory("usr"), 0700), 0);
        ck_assert_int_eq(mkdir(in_directory("etc"), 0700), 0);
}

static void tear_down(void)
{
        char command[300];

        (void) snprintf(command, sizeof(command), "rm -rf %s", directory);
        ck_assert_int_eq(system(command), 0);
}

static int read_all(struct params *p, char **errors)
{
        char usr[256], etc[256], missing[256];
        const char *dirs[] = { usr, missing, etc, NULL };

        (void) snprintf(usr, sizeof(usr), "%s", in_directory("usr"));
        (void) snprintf(etc, sizeof(etc), "%s", in_directory("etc"));
        (void) snprintf(missing, sizeof(missing), "%s", in_directory("missing"));
        return config_read(in_directory("main.conf"), false, dirs, p, errors);
}

START_TEST(later_wins_key_by_key)
{
        struct params p;
        char *errors = NULL;

        write_file("main.conf", "[daemon]\ninterval = 1h\nspread = 1s\n[mount a]\npath = /a\nkeep = sync\n");
        write_file("usr/20-x.conf", "[daemon]\ninterval = 2h\npassive_interval = 2s\n[mount a]\nkeep = noac sync\n");
        write_file("etc/10-y.conf", "[daemon]\ninterval = 3h\nspread = 3s\n");
        write_file("usr/30-z.conf", "[daemon]\npassive_interval = 9s\n"); /* replaced by: */
        write_file("etc/30-z.conf", "[probe]\nuser = nobody\n");
        write_file("etc/40-w.conf", "[probe]\nuser = auto\n");
        write_file("etc/no-dropin", "nonsense\n");
        write_file("etc/.hidden.conf", "nonsense\n");
        ck_assert_msg(read_all(&p, &errors) == 0, "%s", errors);
        ck_assert_uint_eq(p.interval_usec, 2 * USEC_PER_HOUR);
        ck_assert_uint_eq(p.spread_usec, 3 * USEC_PER_SEC);
        ck_assert_uint_eq(p.passive_interval_usec, 2 * USEC_PER_SEC);
        ck_assert_ptr_null(p.probe_user);
        ck_assert_uint_eq(p.n_mounts, 1);
        ck_assert_uint_eq(p.mounts[0].n_keep, 2);
        params_done(&p);
}
END_TEST

START_TEST(masked_by_dev_null)
{
        struct params p;
        char *errors = NULL;

        write_file("usr/10-x.conf", "[daemon]\ninterval = 2h\n");
        ck_assert_int_eq(symlink("/dev/null", in_directory("etc/10-x.conf")), 0);
        ck_assert_msg(read_all(&p, &errors) == 0, "%s", errors);
        ck_assert_uint_eq(p.interval_usec, USEC_PER_HOUR);
        params_done(&p);
}
END_TEST

START_TEST(errors_of_all_files)
{
        struct params p;
        char *errors = NULL;

        write_file("main.conf", "[daemon]\nx = 1\n");
        write_file("etc/10.conf", "\n[mount b]\npath = /a\n[probe]\nbytes = 1\n");
        write_file("usr/20.conf", "[mount a]\npath = /a\n");
        ck_assert_int_eq(mkdir(in_directory("etc/30.conf"), 0700), 0);
        ck_assert_int_eq(symlink("nowhere", in_directory("etc/40.conf")), 0);
        ck_assert_int_eq(read_all(&p, &errors), 1);
        ck_assert_ptr_nonnull(strstr(errors, "/main.conf:2: "));
        ck_assert_ptr_nonnull(strstr(errors, "/etc/10.conf:5: "));
        ck_assert_ptr_nonnull(strstr(errors, "/usr/20.conf:1: "));
        ck_assert_ptr_nonnull(strstr(errors, "/etc/10.conf:2;"));
        ck_assert_ptr_nonnull(strstr(errors, "/etc/30.conf: "));
        ck_assert_ptr_nonnull(strstr(errors, "/etc/40.conf: "));
        free(errors);
}
END_TEST

static const struct missing_row {
        const char *name;
        const char *file;
        bool must_exist;
        int result;
} missing_rows[] = {
        { "missing by default", "main.conf", false, 0 },
        { "missing though named", "main.conf", true, 1 },
        { "a directory", "etc", true, 1 },
        { "a directory by default", "etc", false, 1 },
        { "below a file", "plain/main.conf", true, 1 },
};

START_TEST(main_file)
{
        const struct missing_row *row = &missing_rows[_i];
        struct params p;
        char *errors = NULL;
        int r;

        write_file("plain", "");
        r = config_read(in_directory(row->file), row->must_exist, NULL, &p, &errors);
        ck_assert_msg(r == row->result, "%s: %d", row->name, r);
        if (r == 0)
                params_done(&p);
        else
                ck_assert_msg(strstr(errors, row->file), "%s: %s", row->name, errors);
        free(errors);
}
END_TEST

START_TEST(too_long_a_file)
{
        struct text t = {};
        struct params p;
        char *errors = NULL, *text;

        for (unsigned i = 0; i < 21000; i++)
                text_add(&t, "# fourteen b\n");
        text = text_take(&t);
        write_file("main.conf", text);
        ck_assert_int_eq(config_read(in_directory("main.conf"), true, NULL, &p, &errors), 1);
        ck_assert_ptr_nonnull(strstr(errors, "256 KiB"));
        free(errors);
        free(text);
}
END_TEST

/* The example file: as it is, and with every key switched on. */
START_TEST(example_file_is_valid)
{
        FILE *f = fopen(TEST_DATA "/../../etc/nfstuned.conf", "r");
        struct text t = {};
        char line[256], *text, *errors = NULL;
        struct params p;

        ck_assert_ptr_nonnull(f);
        while (fgets(line, sizeof(line), f)) {
                size_t n = strspn(line + 1, "abcdefghijklmnopqrstuvwxyz_");
                bool is_key = line[0] == '#' && n > 0 && strncmp(line + 1 + n, " = ", 3) == 0;

                text_add(&t, "%s", is_key || (line[0] == '#' && line[1] == '[') ? line + 1 : line);
        }
        (void) fclose(f);
        text = text_take(&t);
        ck_assert_msg(config_parse("example", text, strlen(text), &p, &errors) == 0, "%s", errors);
        ck_assert_uint_eq(p.n_mounts, 1);
        params_done(&p);
        free(text);
        ck_assert_int_eq(config_read(TEST_DATA "/../../etc/nfstuned.conf", true, NULL, &p, &errors), 0);
        ck_assert_uint_eq(p.n_mounts, 0);
        params_done(&p);
}
END_TEST

/* ---- words --------------------------------------------------------------------------- */

static const struct near_row {
        const char *a, *b;
        unsigned distance;
        bool near;
} near_rows[] = {
        { "mode", "mode", 0, true },     { "mdoe", "mode", 1, true },     { "", "mode", 4, false },
        { "Mode", "mode", 1, true },     { "intervall", "interval", 1, true },
                { "interval", "passive_interval", 8, false },
        { "path", "probe", 4, false },   { "connecttimeout", "connect_timeout", 1, true },
};

START_TEST(distances)
{
        const struct near_row *row = &near_rows[_i];

        ck_assert_msg(word_distance(row->a, row->b) == row->distance, "%s %s: %u", row->a, row->b,
                      word_distance(row->a, row->b));
        ck_assert_msg(word_is_near(row->a, row->b) == row->near, "%s %s", row->a, row->b);
}
END_TEST

static const struct utf8_row {
        const char *name;
        const char *text;
        bool valid;
        const char *printable;
} utf8_rows[] = {
        { "ASCII and a tab", "a b\tc", true, "a b\tc" },
        { "two, three, four bytes", "\u00e4\u20ac\U0001f600", true, "\u00e4\u20ac\U0001f600" },
        { "newline and escape", "a\n\033[2J", true, "a\\x0a\\x1b[2J" },
        { "C1", "a\xc2\x9b", true, "a\\xc2\\x9b" },
        { "overlong", "\xc0\xaf", false, "\\xc0\\xaf" },
        { "overlong, three", "\xe0\x80\xaf", false, "\\xe0\\x80\\xaf" },
        { "surrogate", "\xed\xa0\x80", false, "\\xed\\xa0\\x80" },
        { "too large", "\xf4\x90\x80\x80", false, "\\xf4\\x90\\x80\\x80" },
        { "cut short", "\xe2\x82", false, "\\xe2\\x82" },
        { "Latin-1", "gr\xfc\xdf", false, "gr\\xfc\\xdf" },
};

START_TEST(printable)
{
        const struct utf8_row *row = &utf8_rows[_i];
        struct text t = {};
        char *shown;

        ck_assert_msg(utf8_is_valid(row->text, strlen(row->text)) == row->valid, "%s", row->name);
        text_add_printable(&t, row->text);
        shown = text_take(&t);
        ck_assert_msg(strcmp(shown, row->printable) == 0, "%s: %s", row->name, shown);
        free(shown);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon_config");
        TCase *values = tcase_create("values");
        TCase *files = tcase_create("files");
        SRunner *runner = srunner_create(s);
        int failed;

        tcase_add_test(values, defaults_are_those_of_params_init);
        tcase_add_test(values, written_defaults_change_nothing);
        tcase_add_test(values, accepts_everything);
        tcase_add_loop_test(values, the_mount_has_the_last_word, 0, ARRAY_SIZE(mode_rows));
        tcase_add_test(values, empty_lists);
        tcase_add_loop_test(values, many_windows, 0, ARRAY_SIZE(windows_rows));
        tcase_add_loop_test(values, percents, 0, ARRAY_SIZE(permille_rows));
        tcase_add_loop_test(values, refuses, 0, ARRAY_SIZE(bad_rows));
        tcase_add_test(values, refuses_nul);
        tcase_add_test(values, collects_all_errors);
        tcase_add_test(values, errors_are_capped);
        tcase_add_loop_test(values, mount_sections_are_capped, 0, ARRAY_SIZE(sections_rows));
        tcase_add_loop_test(values, distances, 0, ARRAY_SIZE(near_rows));
        tcase_add_loop_test(values, printable, 0, ARRAY_SIZE(utf8_rows));
        tcase_add_test(values, example_file_is_valid);
        suite_add_tcase(s, values);
        tcase_add_checked_fixture(files, set_up, tear_down);
        tcase_add_test(files, later_wins_key_by_key);
        tcase_add_test(files, masked_by_dev_null);
        tcase_add_test(files, errors_of_all_files);
        tcase_add_loop_test(files, main_file, 0, ARRAY_SIZE(missing_rows));
        tcase_add_test(files, too_long_a_file);
        suite_add_tcase(s, files);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed > 0;
}
