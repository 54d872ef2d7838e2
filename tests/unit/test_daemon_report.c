/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A round as JSON (read back) and as text. */

#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "daemon/figures.h"
#include "daemon/report.h"

#define FSTAB_LINE \
        "server:/data\t/data\tnfs\tbg,vers=4.2,nosuid,nodev,noexec,x-systemd.device-timeout=30s,comment=a-long-one-indeed\t0 0"

/* A string that may be the value of a char *; static at file scope. */
#define TEXT(s) ((char[]){ s })

static char *drop[] = { TEXT("rsize=32768"), TEXT("wsize=32768") };
static char *shares[] = { TEXT("/other") };

static struct recommendation recommendations[] = {
        {
                .rule = RULE_STALE_IO_SIZE,
                .confidence = CONFIDENCE_CONFIGURED,
                .method = METHOD_REPLACE,
                .automatic = true,
                .urgent = true,
                .drop = drop,
                .n_drop = 2,
                .place = { .kind = PLACE_FSTAB, .file = TEXT("/etc/fstab"), .line = 7 },
                .summary = TEXT("rsize and wsize are pinned below what the server offers"),
                .evidence = TEXT("fstab line 7 asks for 32 KiB each; the server offers 1 MiB (FSINFO), and so would a "
                                 "mount without the two options be given 1 MiB"),
                .risk = TEXT("none known"),
        },
};

static struct cannot_tell cannot_tell[] = {
        { .rule = RULE_ASYNC_EXPORT, .missing = TEXT("a probe"), .command = TEXT("nfstuned --once /data") },
        { .rule = RULE_LIMIT_BELOW_SIZE, .missing = TEXT("the server's limit") },
};

static const struct advice full_advice = {
        .recommendations = recommendations,
        .n_recommendations = 1,
        .cannot_tell = cannot_tell,
        .n_cannot_tell = 2,
        .plan = {
                .exists = true,
                .method = METHOD_REPLACE,
                .options = TEXT("bg,vers=4.2"),
                .place = { .kind = PLACE_FSTAB, .file = TEXT("/etc/fstab"), .line = 7 },
                .replacement = TEXT(FSTAB_LINE),
                .text = TEXT("Write the line, then mount anew at a quiet moment: umount /data && mount /data."),
        },
};

static const struct advice no_advice = {};

static const struct observation measured = {
        .mount = { .source = TEXT("server:/data"), .server = TEXT("server"), .fstype = TEXT("nfs4") },
        .shares_superblock_with = shares,
        .n_shares = 1,
        .server = {
                .null_answer = ANSWER_OK,
                .null_replies = 5,
                .null_median_usec = 512,
                .null_spread_usec = 40,
                .versions_known = true,
                .versions = NFS_V3 | NFS_V4_1 | NFS_V4_2,
                .limit_source = LIMIT_V4_ATTRIBUTES,
                .read_max_bytes = MIB,
                .write_max_bytes = MIB,
        },
        .probe = {
                .state = PROBE_ACTIVE,
                .results = {
                        [WORKLOAD_EDITOR_SAVE] = {
                                .workload = WORKLOAD_EDITOR_SAVE,
                                .outcome = OUTCOME_OK,
                                .written_bytes = 256 * KIB,
                                .open_usec = 900,
                                .write = { .n = 32, .p50_usec = 5100, .p99_usec = 9000, .max_usec = 9000 },
                                .close_usec = 6000,
                                .total_usec = 170000,
                                .verified = true,
                        },
                        [WORKLOAD_COPY] = { .workload = WORKLOAD_COPY, .outcome = OUTCOME_NO_SPACE, .error = ENOSPC },
                },
                .stable = { { .size_bytes = 4 * KIB, .latency = { .n = 4, .p50_usec = 5200, .p99_usec = 6000,
                                                                  .max_usec = 6000 } } },
                .written_bytes = 260 * KIB,
        },
        .liveness = LIVENESS_ALIVE,
};

static void fill(struct observation *o, const char *target, const char *vfs, const char *super)
{
        o->mount.target = (char *) target;
        ck_assert_int_eq(options_parse(vfs, strlen(vfs), &o->mount.vfs), 0);
        ck_assert_int_eq(options_parse(super, strlen(super), &o->mount.super), 0);
}

static void empty(struct observation *o)
{
        options_done(&o->mount.vfs);
        options_done(&o->mount.super);
}

static char *json_text(const struct report *r)
{
        char *text = NULL;
        size_t length_bytes = 0;
        FILE *out = open_memstream(&text, &length_bytes);

        ck_assert_int_eq(report_json(out, r), 0);
        ck_assert_int_eq(fclose(out), 0);
        ck_assert_int_eq(text[length_bytes - 1], '\n');
        return text;
}

static json_t *report_as_json(const struct report *r)
{
        char *text = json_text(r);
        json_t *root = json_loads(text, 0, NULL);

        ck_assert_msg(root != NULL, "no JSON: %s", text);
        free(text);
        return root;
}

static json_t *as_json(const struct report_item *items, size_t n)
{
        return report_as_json(&(struct report) { .items = items, .n_items = n });
}

static const char *string_of(json_t *object, const char *key)
{
        json_t *value = json_object_get(object, key);

        ck_assert_msg(json_is_string(value), "%s is no string", key);
        return json_string_value(value);
}

static json_int_t integer_of(json_t *object, const char *key)
{
        json_t *value = json_object_get(object, key);

        ck_assert_msg(json_is_integer(value), "%s is no integer", key);
        return json_integer_value(value);
}

START_TEST(json_has_the_documented_form)
{
        struct observation o = measured;
        struct report_item item = { &o, &full_advice };
        json_t *root, *mount, *r, *plan, *probe, *workload, *stable;

        fill(&o, "/data", "rw,nosuid,relatime", "rw,sync,vers=4.2,rsize=32768,wsize=32768,proto=tcp");
        root = as_json(&item, 1);
        ck_assert_int_eq(integer_of(root, "version"), 1);
        ck_assert_uint_eq(json_array_size(json_object_get(root, "mounts")), 1);
        ck_assert(json_is_array(json_object_get(root, "findings")));
        mount = json_array_get(json_object_get(root, "mounts"), 0);
        ck_assert_str_eq(string_of(mount, "target"), "/data");
        ck_assert_str_eq(string_of(mount, "source"), "server:/data");
        ck_assert_str_eq(string_of(mount, "fstype"), "nfs4");
        ck_assert_str_eq(string_of(mount, "options"),
                         "rw,sync,nosuid,relatime,vers=4.2,rsize=32768,wsize=32768,proto=tcp");
        ck_assert_str_eq(json_string_value(json_array_get(json_object_get(mount, "shares_superblock_with"), 0)),
                         "/other");

        r = json_array_get(json_object_get(mount, "recommendations"), 0);
        ck_assert_str_eq(string_of(r, "rule"), "stale-io-size");
        ck_assert_str_eq(string_of(r, "confidence"), "configured");
        ck_assert_str_eq(string_of(r, "method"), "replace");
        ck_assert(json_is_true(json_object_get(r, "auto")));
        ck_assert_str_eq(json_string_value(json_array_get(json_object_get(r, "drop"), 1)), "wsize=32768");
        ck_assert_uint_eq(json_array_size(json_object_get(r, "set")), 0);
        ck_assert(json_is_array(json_object_get(r, "set")));
        ck_assert_str_eq(string_of(json_object_get(r, "place"), "kind"), "fstab");
        ck_assert_int_eq(integer_of(json_object_get(r, "place"), "line"), 7);
        ck_assert(json_is_false(json_object_get(r, "question")));
        ck_assert(json_is_null(json_object_get(r, "gain")));
        ck_assert(json_is_null(json_object_get(r, "keep")));
        ck_assert_str_eq(string_of(r, "risk"), "none known");

        r = json_array_get(json_object_get(mount, "cannot_tell"), 0);
        ck_assert_str_eq(string_of(r, "rule"), "async-export");
        ck_assert_str_eq(string_of(r, "missing"), "a probe");

        plan = json_object_get(mount, "plan");
        ck_assert_str_eq(string_of(plan, "options"), "bg,vers=4.2");
        ck_assert_str_eq(string_of(plan, "replacement"), FSTAB_LINE);
        ck_assert(json_is_false(json_object_get(plan, "auto")));
        ck_assert(json_is_null(json_object_get(mount, "export")));
        ck_assert_str_eq(string_of(json_object_get(plan, "place"), "file"), "/etc/fstab");

        ck_assert_int_eq(integer_of(json_object_get(mount, "server"), "median_usec"), 512);
        ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(mount, "server"), "versions")), 3);
        probe = json_object_get(mount, "probe");
        ck_assert_str_eq(string_of(probe, "state"), "active");
        ck_assert_uint_eq(json_array_size(json_object_get(probe, "workloads")), 2);
        workload = json_array_get(json_object_get(probe, "workloads"), 0);
        ck_assert_str_eq(string_of(workload, "workload"), "editor-save");
        ck_assert_int_eq(integer_of(workload, "total_usec"), 170000);
        ck_assert_int_eq(integer_of(json_object_get(workload, "write"), "p50_usec"), 5100);
        workload = json_array_get(json_object_get(probe, "workloads"), 1);
        ck_assert_str_eq(string_of(workload, "outcome"), "no-space");
        ck_assert(json_is_null(json_object_get(workload, "write")));
        stable = json_array_get(json_object_get(probe, "stable"), 0);
        ck_assert_int_eq(integer_of(stable, "size_bytes"), 4096);
        ck_assert_str_eq(string_of(json_object_get(mount, "liveness"), "state"), "alive");
        json_decref(root);
        empty(&o);
}
END_TEST

START_TEST(json_of_nothing)
{
        struct observation o = { .mount = { .fstype = TEXT("nfs") } };
        struct report_item item = { &o, &no_advice };
        json_t *root = as_json(NULL, 0), *mount;

        ck_assert_uint_eq(json_array_size(json_object_get(root, "mounts")), 0);
        json_decref(root);

        root = as_json(&item, 1);
        mount = json_array_get(json_object_get(root, "mounts"), 0);
        ck_assert(json_is_null(json_object_get(mount, "plan")));
        ck_assert(json_is_null(json_object_get(json_object_get(mount, "server"), "median_usec")));
        ck_assert(json_is_null(json_object_get(json_object_get(mount, "server"), "read_max_bytes")));
        ck_assert(json_is_null(json_object_get(json_object_get(mount, "server"), "versions")));
        json_decref(root);
}
END_TEST

START_TEST(json_of_a_name_that_is_no_text)
{
        struct observation o = measured;
        struct report_item item = { &o, &no_advice };
        json_t *root;

        fill(&o, "/gr\xfc\xdf\n", "rw", "rw");
        root = as_json(&item, 1);
        ck_assert_str_eq(string_of(json_array_get(json_object_get(root, "mounts"), 0), "target"), "/gr\\xfc\\xdf\\x0a");
        json_decref(root);
        empty(&o);
}
END_TEST

/* /dev/full fails when it is flushed, not before. */
START_TEST(write_errors_are_told)
{
        struct observation o = measured;
        struct report_item item = { &o, &full_advice };
        const struct report one = { .items = &item, .n_items = 1 };
        FILE *full = fopen("/dev/full", "w");

        ck_assert_ptr_nonnull(full);
        fill(&o, "/data", "rw", "rw");
        ck_assert_int_eq(_i == 0 ? report_json(full, &one) : report_text(full, &one, false), -ENOSPC);
        (void) fclose(full);
        empty(&o);
}
END_TEST

/* ---- text ------------------------------------------------------------------------ */

static char *report_as_text(const struct report *r, bool color)
{
        char *text = NULL;
        size_t length_bytes = 0;
        FILE *out = open_memstream(&text, &length_bytes);

        ck_assert_int_eq(report_text(out, r, color), 0);
        ck_assert_int_eq(fclose(out), 0);
        return text;
}

static char *as_text(const struct report_item *items, size_t n, bool color)
{
        return report_as_text(&(struct report) { .items = items, .n_items = n }, color);
}

/* What would turn or move what stands around it: escaped in the document, whole for who reads it as JSON. */
static const struct {
        const char *name, *target, *never, *want_json, *want_text;
} mark_rows[] = {
        { "escape sequence", "/a\033[31m", "\033", "/a\\u001B[31m", "/a\\x1b[31m" },
        { "DEL", "/a\x7f", "\x7f", "/a\\u007F", "/a\\x7f" },
        { "C1", "/a\xc2\x9b" "31m", "\xc2\x9b", "/a\\u009B31m", "/a\\xc2\\x9b31m" },
        { "right to left", "/a\xe2\x80\xae" "b", "\xe2\x80\xae", "/a\\u202Eb", "/a\\xe2\\x80\\xaeb" },
        { "isolate", "/a\xe2\x81\xa6" "b", "\xe2\x81\xa6", "/a\\u2066b", "/a\\xe2\\x81\\xa6b" },
        { "Arabic mark", "/a\xd8\x9c" "b", "\xd8\x9c", "/a\\u061Cb", "/a\\xd8\\x9cb" },
        { "line separator", "/a\xe2\x80\xa8" "b", "\xe2\x80\xa8", "/a\\u2028b", "/a\\xe2\\x80\\xa8b" },
        { "letters are not touched", "/gr\u00fc\u00df\u0627\u20ac\U0001f600", "\\u",
          "gr\u00fc\u00df\u0627\u20ac\U0001f600", "gr\u00fc\u00df\u0627\u20ac\U0001f600" },
};

START_TEST(names_move_no_terminal)
{
        for (int json = 0; json < 2; json++) {
                const char *want = json ? mark_rows[_i].want_json : mark_rows[_i].want_text;
                struct observation o = measured;
                struct report_item item = { &o, &no_advice };
                char *out;

                fill(&o, mark_rows[_i].target, "rw", "rw");
                out = json ? json_text(&(struct report) { .items = &item, .n_items = 1 }) : as_text(&item, 1, false);
                ck_assert_msg(!strstr(out, mark_rows[_i].never) && strstr(out, want), "%s: %s", mark_rows[_i].name,
                              out);
                free(out);
                empty(&o);
        }
}
END_TEST

START_TEST(text_has_the_facts)
{
        static const char *const facts[] = {
                "/data", "server:/data", "4.2", "32 KiB", "sync", "512 us", "1 MiB", "3, 4.1, 4.2", "editor-save",
                        "170 ms",
                "5.1 ms", "no-space", "stale-io-size", "configured", "URGENT", "not measured", "none known",
                        "/etc/fstab, line 7",
                "\n" FSTAB_LINE "\n", "async-export", "nfstuned --once /data", "/other", "limit-below-size",
        };
        struct observation o = measured;
        struct report_item item = { &o, &full_advice };
        char *text;

        fill(&o, "/data", "rw,nosuid,relatime", "rw,sync,vers=4.2,rsize=32768,wsize=32768,proto=tcp");
        text = as_text(&item, 1, false);
        for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
                ck_assert_msg(strstr(text, facts[i]), "\"%s\" is not in:\n%s", facts[i], text);
        ck_assert_ptr_null(strstr(text, "nothing to change"));
        ck_assert_ptr_null(strchr(text, '\033'));
        if (getenv("SHOW"))
                (void) fputs(text, stdout);
        /* Everything but the line to write fits. */
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
                ck_assert_msg(strlen(line) <= 80 || strcmp(line, FSTAB_LINE) == 0, "too long: %s", line);
        free(text);
        empty(&o);
}
END_TEST

START_TEST(text_of_a_quiet_host)
{
        struct observation o = measured;
        struct report_item item = { &o, &no_advice };
        char *text;

        fill(&o, "/data\033[2J\nroot:", "rw", "rw,vers=3");
        text = as_text(&item, 1, false);
        ck_assert_ptr_nonnull(strstr(text, "nothing to change"));
        ck_assert_ptr_null(strchr(text, '\033'));
        ck_assert_ptr_null(strstr(text, "\nroot:"));
        free(text);
        text = as_text(&item, 1, true);
        ck_assert_ptr_nonnull(strstr(text, "\033["));
        free(text);
        text = as_text(NULL, 0, false);
        ck_assert_ptr_nonnull(strstr(text, "No NFS mounts"));
        free(text);
        empty(&o);
}
END_TEST

/* ---- a whole host ------------------------------------------------------------------ */

#define MANY 100

/* Mounts or lines of one template: same advice, each with a line of its own. */
struct many {
        struct observation observations[MANY];
        struct advice advice[MANY];
        struct report_item items[MANY];
        struct requested requested[MANY];
        char names[MANY][32], lines[MANY][64];
};

static struct many *many_make(size_t n, bool only_requested)
{
        struct many *m = calloc(1, sizeof(*m));

        ck_assert_ptr_nonnull(m);
        for (size_t i = 0; i < n; i++) {
                struct observation *o = &m->observations[i];

                (void) snprintf(m->names[i], sizeof(m->names[i]), "/data/%03zu", i);
                (void) snprintf(m->lines[i], sizeof(m->lines[i]), "server:/data/%03zu /data/%03zu nfs bg 0 0", i, i);
                m->advice[i] = full_advice;
                m->advice[i].plan.place.line = (unsigned) i + 1;
                m->advice[i].plan.replacement = m->lines[i];
                m->requested[i] = (struct requested) { .place = { .kind = PLACE_FSTAB, .file = (char *) "/etc/fstab",
                                                                  .line = (unsigned) i + 1 } };
                o->mount.source = (char *) "server:/data";
                o->mount.server = (char *) "server";
                o->mount.fstype = (char *) "nfs";
                o->only_requested = only_requested;
                o->requested = &m->requested[i];
                o->n_requested = 1;
                fill(o, m->names[i], "rw", "rw,vers=3,rsize=32768,wsize=32768,proto=tcp");
                m->items[i] = (struct report_item) { o, &m->advice[i] };
        }
        return m;
}

static void many_free(struct many *m)
{
        for (size_t i = 0; i < MANY; i++)
                empty(&m->observations[i]);
        free(m);
}

static size_t count(const char *text, const char *what)
{
        size_t n = 0;

        while ((text = strstr(text, what))) {
                text += strlen(what);
                n++;
        }
        return n;
}

START_TEST(text_of_many_mounts_with_one_advice)
{
        struct many *m = many_make(MANY, false);
        char *text = as_text(m->items, MANY, false);
        const char *at = text;

        ck_assert_uint_eq(count(text, "stale-io-size"), 1);
        ck_assert_uint_eq(count(text, "nfstuned --once"), 1);
        ck_assert_msg(strstr(text, "/data/007 and 92") != NULL, "%.300s", text);
        ck_assert_ptr_null(strstr(text, "/data/008,"));
        ck_assert_ptr_nonnull(strstr(text, "for 100 mounts: a probe"));
        ck_assert_ptr_nonnull(strstr(text, "advice for 100"));
        for (size_t i = 0; i < MANY; i++) { /* all new lines, in their order and in one piece */
                char line[80];

                (void) snprintf(line, sizeof(line), "%s\n", m->lines[i]);
                at = strstr(at, line);
                ck_assert_msg(at != NULL, "%s is missing or out of order", m->lines[i]);
                at += strlen(line);
                ck_assert_msg(i + 1 == MANY || strncmp(at, "server:/data/", 13) == 0, "not in one piece: %.30s", at);
        }
        free(text);
        many_free(m);
}
END_TEST

START_TEST(text_says_the_same_lack_once)
{
        struct many *m = many_make(3, false);
        char *text;

        m->advice[0].n_recommendations = m->advice[1].n_recommendations = m->advice[2].n_recommendations = 0;
        m->advice[0].plan = m->advice[1].plan = m->advice[2].plan = (struct plan) {};
        text = as_text(m->items, 3, false);
        ck_assert_uint_eq(count(text, "a probe"), 1);
        ck_assert_ptr_nonnull(strstr(text, "for 3 mounts: a probe"));
        ck_assert_ptr_nonnull(strstr(text, "3 mounts: nothing to change"));
        free(text);
        many_free(m);
}
END_TEST

static struct recommendation question = {
        .rule = RULE_NOAC,
        .confidence = CONFIDENCE_CONFIGURED,
        .method = METHOD_REPLACE,
        .question = true,
        .drop = drop,
        .n_drop = 1,
        .summary = TEXT("THE SUMMARY"),
        .evidence = TEXT("THE EVIDENCE"),
        .keep = TEXT("keep it where THE CASE holds"),
        .risk = TEXT("THE RISK"),
};

static const struct advice question_advice = { .recommendations = &question, .n_recommendations = 1 };

START_TEST(text_of_a_question_has_the_case_for_keeping_first)
{
        struct observation o = measured;
        struct report_item item = { &o, &question_advice };
        const char *intended, *keep;
        char *text;

        fill(&o, "/data", "rw", "rw,noac");
        text = as_text(&item, 1, false);
        intended = strstr(text, "intended here?");
        keep = strstr(text, "THE CASE");
        ck_assert_msg(intended && keep && intended < keep && keep < strstr(text, "THE SUMMARY"), "%s", text);
        ck_assert_uint_eq(count(text, "THE CASE"), 1);
        ck_assert_ptr_null(strstr(text, "to do"));
        free(text);
        empty(&o);
}
END_TEST

static struct recommendation guess_and_rest[] = {
        { .rule = RULE_STALE_IO_SIZE, .confidence = CONFIDENCE_POSSIBLE, .method = METHOD_REPLACE, .drop = drop,
          .n_drop = 1, .summary = TEXT("THE GUESS"), .keep = TEXT("THE CASE"), .risk = TEXT("THE RISK") },
        { .rule = RULE_NETWORK, .confidence = CONFIDENCE_OBSERVED, .method = METHOD_NETWORK,
          .summary = TEXT("THE FACT"), .risk = TEXT("CABLES") },
};

static const struct advice guess_and_rest_advice = {
        .recommendations = guess_and_rest,
        .n_recommendations = 2,
        .plan = { .exists = true, .method = METHOD_REPLACE, .options = TEXT("rw"),
                  .place = { .kind = PLACE_UNIT, .file = TEXT("/etc/systemd/system/data.mount"), .line = 4 },
                  .replacement = TEXT("# /etc/systemd/system/data.mount.d/50-nfstuned.conf\n[Mount]"),
                  .text = TEXT("THE WAY") },
};

START_TEST(text_puts_what_is_proved_first)
{
        struct observation o = { .mount = measured.mount };
        struct report_item item = { &o, &guess_and_rest_advice };
        char *text;

        fill(&o, "/data", "rw", "rw");
        text = as_text(&item, 1, false);
        ck_assert_msg(strstr(text, "THE FACT") < strstr(text, "THE GUESS"), "%s", text);
        ck_assert_msg(strstr(text, "perhaps:") && !strstr(text, "change:"), "a guess is no order: %s", text);
        ck_assert_msg(strstr(text, "what helps:   CABLES") && count(text, "risk:") == 1, "%s", text);
        ck_assert_msg(!strstr(text, "write in"), "the text says itself where it goes: %s", text);
        ck_assert_msg(strstr(text, "needs an unmount") && !strstr(text, "replace"), "%s", text);
        ck_assert_msg(strstr(text, "NFS, read-write"), "no version is known: %s", text);
        ck_assert_msg(!strstr(text, "nfstunectl apply"), "nobody is there who could do it: %s", text);
        free(text);
        text = report_as_text(&(struct report) { .items = &item, .n_items = 1, .served = true }, false);
        ck_assert_msg(strstr(text, "nfstunectl apply --dry-run /data\n"), "%s", text);
        free(text);
        empty(&o);
}
END_TEST

START_TEST(json_of_groups)
{
        struct many *m = many_make(MANY, false);
        json_t *root, *groups, *group;

        m->advice[1] = no_advice;
        m->advice[2] = question_advice;
        root = as_json(m->items, MANY);
        ck_assert_uint_eq(json_array_size(json_object_get(root, "mounts")), MANY);
        ck_assert_str_eq(string_of(json_array_get(json_object_get(root, "mounts"), 1), "target"), "/data/001");
        groups = json_object_get(root, "groups");
        ck_assert_uint_eq(json_array_size(groups), 2);  /* the quiet one is none */
        group = json_array_get(groups, 0);              /* urgent */
        ck_assert_uint_eq(json_array_size(json_object_get(group, "targets")), MANY - 2);
        ck_assert_str_eq(json_string_value(json_array_get(json_object_get(group, "rules"), 0)), "stale-io-size");
        group = json_array_get(groups, 1);
        ck_assert_str_eq(json_string_value(json_array_get(json_object_get(group, "targets"), 0)), "/data/002");
        json_decref(root);
        many_free(m);
}
END_TEST

/* ---- lines that no mount belongs to --------------------------------------------------- */

static struct finding finding_items[] = {
        { .rule = RULE_ASYNC_EXPORT, .place = { .kind = PLACE_EXPORTS, .file = TEXT("/etc/exports"), .line = 9 },
          .evidence = TEXT("/data *(rw,async)"), .text = TEXT("export it sync") },
        { .rule = RULE_INVALID_OPTION, .place = { .kind = PLACE_EXPORTS, .file = TEXT("/etc/exports"), .line = 2 },
          .evidence = TEXT("/data *(rx)"), .text = TEXT("write rw") },
};
static const struct findings findings = { finding_items, 2 };

START_TEST(json_of_lines)
{
        struct many *m = many_make(MANY, true);
        json_t *root = report_as_json(&(struct report) { .items = m->items, .n_items = 3, .findings = &findings });
        json_t *array = json_object_get(root, "findings"), *f = json_array_get(array, 0), *also;

        ck_assert_uint_eq(json_array_size(json_object_get(root, "mounts")), 0);
        ck_assert_uint_eq(json_array_size(json_object_get(root, "groups")), 0);
        ck_assert_uint_eq(json_array_size(array), 3);
        ck_assert_str_eq(string_of(f, "rule"), "stale-io-size");
        ck_assert_str_eq(string_of(f, "target"), "/data/000");
        ck_assert_int_eq(integer_of(json_object_get(f, "place"), "line"), 1);
        ck_assert_ptr_nonnull(strstr(string_of(f, "text"), m->lines[0]));
        ck_assert_str_eq(string_of(f, "replacement"), m->lines[0]);
        also = json_object_get(f, "also");
        ck_assert_str_eq(string_of(json_array_get(also, 1), "replacement"), m->lines[2]);
        ck_assert_uint_eq(json_array_size(also), 2);
        ck_assert_str_eq(string_of(json_array_get(also, 1), "target"), "/data/002");
        ck_assert_int_eq(integer_of(json_object_get(json_array_get(also, 1), "place"), "line"), 3);

        f = json_array_get(array, 1);
        ck_assert_str_eq(string_of(f, "rule"), "async-export");
        ck_assert_str_eq(string_of(f, "confidence"), "configured");
        ck_assert_str_eq(string_of(json_object_get(f, "place"), "kind"), "exports");
        ck_assert(json_is_null(json_object_get(f, "target")));
        ck_assert_str_eq(string_of(f, "text"), "export it sync");
        ck_assert(json_is_null(json_object_get(f, "replacement")));
        json_decref(root);
        many_free(m);
}
END_TEST

/* What is asked has no new line. */
START_TEST(json_of_a_question_about_a_line)
{
        struct many *m = many_make(1, true);
        json_t *root, *f;

        m->advice[0] = question_advice;
        root = as_json(m->items, 1);
        f = json_array_get(json_object_get(root, "findings"), 0);
        ck_assert(json_is_true(json_object_get(f, "question")));
        ck_assert(json_is_null(json_object_get(f, "replacement")));
        json_decref(root);
        many_free(m);
}
END_TEST

static const struct how_row {
        const char *name;
        const char *first, *second;     /* the plans' texts of line 1 and line 2; of line 1 alone without the second */
        const char *want, *never;
} how_rows[] = {
        { "one line keeps its number", "edit fstab line 1; at once", NULL, "how:          edit fstab line 1; at once\n",
          "lines above" },
        { "several lines", "edit fstab line 1; at once", "edit fstab line 2; at once",
          "how:          edit the lines above; at once\n", "line 1;" },
        { "the rest differs", "edit fstab line 1, then umount /a", "edit fstab line 2, then umount /b",
          "edit the lines above, then umount /a; likewise for the others\n", "fstab line 1," },
        { "another line of a longer number", "edit fstab line 12", "edit fstab line 12", "edit fstab line 12\n",
          "lines above2" },
        { "nothing is said of the place", "mount anew", "mount anew", "how:          mount anew\n", "likewise" },
};

START_TEST(text_of_the_way)
{
        const struct how_row *row = &how_rows[_i];
        struct many *m = many_make(2, true);
        char *text;

        m->advice[0].plan.text = (char *) row->first;
        m->advice[1].plan.text = (char *) row->second;
        text = as_text(m->items, row->second ? 2 : 1, false);
        ck_assert_msg(strstr(text, row->want) && !strstr(text, row->never), "%s: %s", row->name, text);
        free(text);
        many_free(m);
}
END_TEST

/* In one piece although the line is full. */
static const struct piece_row {
        const char *name;
        const char *text, *piece;
} piece_rows[] = {
        { "a quoted name", "edit fstab line 1, then look, and look again, at '/a directory with blanks' there",
          "'/a directory with blanks'" },
        { "two blanks in a name", "look at '/a  b'", "'/a  b'" },
        { "a quote in a name", "edit fstab line 1, then look and look again, see '/it'\\''s a directory with' that",
          "'/it'\\''s a directory with'" },
        { "a command", "edit fstab line 1, then systemctl daemon-reload, umount /a, "
          "mount -t nfs4 -o rw,vers=4.2,rsize=65536 -- server:/some/where '/a b' (a remount does not change it)",
          "mount -t nfs4 -o rw,vers=4.2,rsize=65536 -- server:/some/where '/a b'" },
        { "a command begins", "mount -o remount,async,nosuid,nodev,noexec,noatime server:/some/where /data takes effect at "
          "once", "mount -o remount,async,nosuid,nodev,noexec,noatime server:/some/where /data" },
        { "a command in a command", "this takes quite some words until it comes; then echo 1024 > "
          "/sys/class/bdi/$(mountpoint -d '/a b')/read_ahead_kb takes effect at once",
          "echo 1024 > /sys/class/bdi/$(mountpoint -d '/a b')/read_ahead_kb" },
        { "a rule of udev", "so that it stays, in /etc/udev/rules.d/99-nfs.rules: ACTION==\"add\", SUBSYSTEM==\"bdi\", "
          "PROGRAM=\"/bin/grep -q ' %k ' /proc/fs/nfsfs/volumes\", ATTR{read_ahead_kb}=\"1024\"; and so on",
          "ACTION==\"add\", SUBSYSTEM==\"bdi\", PROGRAM=\"/bin/grep -q ' %k ' /proc/fs/nfsfs/volumes\", "
          "ATTR{read_ahead_kb}=\"1024\"" },
};

START_TEST(text_to_copy_is_in_one_piece)
{
        const struct piece_row *row = &piece_rows[_i];
        struct many *m = many_make(1, true);
        char *text;

        m->advice[0].plan.text = (char *) row->text;
        text = as_text(m->items, 1, false);
        ck_assert_msg(strstr(text, row->piece) != NULL, "%s: %s", row->name, text);
        free(text);
        many_free(m);
}
END_TEST

/* Prose goes on being broken. */
START_TEST(text_with_an_apostrophe_is_broken)
{
        struct many *m = many_make(1, true);
        char *text;

        m->advice[0].plan.text = TEXT("it is the server's own 'business, and the mount is nobody's: mount anew at a quiet "
                                      "moment; the rest of the sentence is as long as it takes for a second line");
        text = as_text(m->items, 1, false);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
                ck_assert_msg(strlen(line) <= 80, "too long: %s", line);
        free(text);
        many_free(m);
}
END_TEST

START_TEST(text_of_a_line_without_source)
{
        struct many *m = many_make(1, true);
        char *text;

        m->observations[0].mount.source = TEXT("");
        text = as_text(m->items, 1, false);
        ck_assert_msg(!strstr(text, "()"), "%s", text);
        free(text);
        many_free(m);
}
END_TEST

static struct recommendation async_export = {
        .rule = RULE_ASYNC_EXPORT,
        .confidence = CONFIDENCE_CONFIGURED,
        .method = METHOD_SERVER,
        .place = { .kind = PLACE_EXPORTS, .file = TEXT("/etc/exports"), .line = 9 },
        .summary = TEXT("THE SUMMARY"),
        .evidence = TEXT("THE EVIDENCE"),
        .keep = TEXT("THE CASE"),
        .risk = TEXT("THE RISK"),
};

static const struct advice async_export_advice = { .recommendations = &async_export, .n_recommendations = 1 };

static const struct export_row {
        const char *name;
        unsigned line;                  /* that proves it */
        enum probe_state probe;
        size_t n_findings;
        bool told, evidence;            /* by the mount */
} export_rows[] = {
        { "the line has a finding", 9, PROBE_NONE, 2, false, false },
        { "and there are figures", 9, PROBE_ACTIVE, 2, false, true },
        { "another line", 8, PROBE_NONE, 2, true, true },
        { "a finding of another rule", 2, PROBE_NONE, 2, true, true },
        { "no findings", 9, PROBE_NONE, 0, true, true },
};

START_TEST(text_tells_an_export_once)
{
        const struct export_row *row = &export_rows[_i];
        const struct findings some = { finding_items, row->n_findings };
        struct observation o = { .mount = measured.mount, .probe = { .state = row->probe } };
        struct report_item item = { &o, &async_export_advice };
        char *text;

        fill(&o, "/data", "rw", "rw");
        async_export.place.line = row->line;
        text = report_as_text(&(struct report) { .items = &item, .n_items = 1, .findings = &some }, false);
        ck_assert_msg(strstr(text, "THE SUMMARY") && strstr(text, "THE CASE"), "%s: %s", row->name, text);
        ck_assert_msg(!!strstr(text, "THE RISK") == row->told, "%s: %s", row->name, text);
        ck_assert_msg(!!strstr(text, "THE EVIDENCE") == row->evidence, "%s: %s", row->name, text);
        ck_assert_msg(!!strstr(text, "/etc/exports, line 9, below") == !row->told, "%s: %s", row->name, text);
        ck_assert_msg(count(text, "export it sync") == (row->n_findings > 0), "%s: %s", row->name, text);
        free(text);
        empty(&o);
}
END_TEST

START_TEST(text_of_lines_is_by_file_and_line)
{
        struct many *m = many_make(MANY, true);
        char *text = report_as_text(&(struct report) { .items = m->items, .n_items = 3, .findings = &findings }, false);
        const char *second = strstr(text, "/etc/exports, line 2"), *ninth = strstr(text, "/etc/exports, line 9");
        const char *fstab = strstr(text, "/etc/fstab, line 1");

        ck_assert_msg(second && ninth && fstab && second < ninth && ninth < fstab, "%s", text);
        ck_assert_ptr_nonnull(strstr(text, "export it sync"));
        ck_assert_ptr_nonnull(strstr(text, "/data/002"));
        ck_assert_ptr_nonnull(strstr(text, "write in /etc/fstab, lines 1, 2 and 3:"));
        ck_assert_ptr_null(strstr(text, "mounted:"));
        ck_assert_ptr_null(strstr(text, "No NFS mounts"));
        free(text);
        many_free(m);
}
END_TEST

static const struct speaks_row {
        const char *name;
        size_t n_mounts, n_findings;
        bool advice;
        bool expected;
} speaks_rows[] = {
        { "nothing at all", 0, 0, false, false },
        { "a quiet mount", 1, 0, false, false },
        { "a mount with advice", 1, 0, true, true },
        { "a finding alone", 0, 1, false, true },
};

START_TEST(has_advice)
{
        const struct speaks_row *row = &speaks_rows[_i];
        struct observation o = measured;
        const struct report_item item = { &o, row->advice ? &full_advice : &no_advice };
        const struct findings some = { finding_items, row->n_findings };
        const struct report r = { .items = &item, .n_items = row->n_mounts,
                                  .findings = row->n_findings > 0 ? &some : NULL };

        ck_assert_msg(report_has_advice(&r) == row->expected, "%s", row->name);
}
END_TEST

/* ---- options ------------------------------------------------------------------------ */

static const struct options_row {
        const char *name;
        const char *vfs, *super;
        bool read_only;
        const char *effective;
} options_rows[] = {
        { "flags of the superblock come first", "rw,nosuid,relatime", "rw,sync,vers=4.2", false,
          "rw,sync,nosuid,relatime,vers=4.2" },
        { "a read-only bind mount", "ro,relatime", "rw,vers=3", true, "ro,relatime,vers=3" },
        { "a read-only superblock", "rw,relatime", "ro,vers=3", true, "ro,relatime,vers=3" },
        { "security modules", "rw,noatime", "rw,seclabel,vers=4.1,sec=krb5", false,
          "rw,seclabel,noatime,vers=4.1,sec=krb5" },
        { "both lists merged already", "rw,sync,noatime,vers=3,addr=192.0.2.1",
          "rw,sync,noatime,vers=3,addr=192.0.2.1", false,
          "rw,sync,noatime,vers=3,addr=192.0.2.1" },
};

START_TEST(effective)
{
        const struct options_row *row = &options_rows[_i];
        struct observation o = {};
        char *options;

        fill(&o, "/x", row->vfs, row->super);
        o.mount.read_only = row->read_only;
        options = effective_options(&o.mount);
        ck_assert_msg(strcmp(options, row->effective) == 0, "%s: %s", row->name, options);
        free(options);
        empty(&o);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon_report");
        TCase *t = tcase_create("report");
        SRunner *runner = srunner_create(s);
        int failed;

        tcase_add_test(t, json_has_the_documented_form);
        tcase_add_test(t, json_of_nothing);
        tcase_add_test(t, json_of_a_name_that_is_no_text);
        tcase_add_loop_test(t, write_errors_are_told, 0, 2);
        tcase_add_loop_test(t, names_move_no_terminal, 0, ARRAY_SIZE(mark_rows));
        tcase_add_test(t, text_has_the_facts);
        tcase_add_test(t, text_of_a_quiet_host);
        tcase_add_test(t, text_of_many_mounts_with_one_advice);
        tcase_add_test(t, text_says_the_same_lack_once);
        tcase_add_test(t, text_of_a_question_has_the_case_for_keeping_first);
        tcase_add_test(t, text_puts_what_is_proved_first);
        tcase_add_test(t, json_of_groups);
        tcase_add_test(t, json_of_lines);
        tcase_add_test(t, json_of_a_question_about_a_line);
        tcase_add_test(t, text_of_lines_is_by_file_and_line);
        tcase_add_test(t, text_of_a_line_without_source);
        tcase_add_loop_test(t, text_of_the_way, 0, ARRAY_SIZE(how_rows));
        tcase_add_loop_test(t, text_to_copy_is_in_one_piece, 0, ARRAY_SIZE(piece_rows));
        tcase_add_test(t, text_with_an_apostrophe_is_broken);
        tcase_add_loop_test(t, text_tells_an_export_once, 0, ARRAY_SIZE(export_rows));
        tcase_add_loop_test(t, has_advice, 0, ARRAY_SIZE(speaks_rows));
        tcase_add_loop_test(t, effective, 0, ARRAY_SIZE(options_rows));
        suite_add_tcase(s, t);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed > 0;
}
