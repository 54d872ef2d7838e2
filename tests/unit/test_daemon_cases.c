/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every recorded public case against what a perfect advisor says of it.
 *
 * tests/data/cases/expected.tsv and expected-fstab.tsv as they were handed over; a
 * row is printed per case and view. Where an expectation is believed to be wrong the row
 * stands in disputed[] with the reason: it is judged and printed all the same.
 */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "daemon/profiles.h"
#include "policy/evaluate.h"
#include "policy/names.h"
#include "policy/text.h"
#include "probe/file.h"
#include "probe/lines.h"
#include "probe/recorded.h"
#include "tests/unit/golden.h"

#define COLUMNS_MAX 9
#define NOW (400 * USEC_PER_DAY)

static const char cases_dir[] = TEST_DATA "/cases";
static const char profiles_dir[] = TEST_DATA "/../../etc/servers.d";

/* ---- the tables ------------------------------------------------------------- */

/* One line of a .tsv, split in place. */
struct row {
        char *column[COLUMNS_MAX];
        size_t n_columns;
};

struct table {
        char *text;
        struct row *rows;       /* without the heading */
        size_t n_rows;
};

static void table_done(struct table *t)
{
        free(t->rows);
        free(t->text);
        *t = (struct table){ 0 };
}

static void table_read(const char *name, struct table *t)
{
        cleanup_free char *path = path_join(cases_dir, name);
        char *line, *rest;
        size_t length;

        ck_assert_int_eq(file_read(path, MIB, &t->text, &length), 0);
        rest = t->text;
        for (size_t i = 0; (line = strsep(&rest, "\n")); i++) {
                struct row row = { 0 };

                if (i == 0 || !*line)
                        continue;
                while (line && row.n_columns < COLUMNS_MAX)
                        row.column[row.n_columns++] = strsep(&line, "\t");
                t->rows = reallocarray(t->rows, t->n_rows + 1, sizeof(*t->rows));
                ck_assert_ptr_nonnull(t->rows);
                t->rows[t->n_rows++] = row;
        }
}

/* Is the rule in a list like "noac,soft-mount"? A name that is no rule fails the test. */
static bool lists(const char *list, enum rule rule)
{
        bool found = false;
        enum rule listed;

        if (strcmp(list, "-") == 0 || strcmp(list, "none") == 0)
                return false;
        cleanup_free char *copy = strdup(list);
        char *rest = copy, *name;
        while ((name = strsep(&rest, ","))) {
                ck_assert_msg(rule_parse(name, &listed) == 0, "no rule is called %s", name);
                found |= listed == rule;
        }
        return found;
}

/* ---- what the policy says ------------------------------------------------------ */

/* Where an advice has to send people: "the advice must name the right place, and differ with it". */
static const struct {
        const char *key;                /* number and mount point */
        enum place_kind kind;
} places[] = {
        { "22 /", PLACE_CMDLINE },
        { "27 /", PLACE_CMDLINE },
        { "28 /", PLACE_CMDLINE },
        { "30 /var/lib/docker/volumes/project_root/_data", PLACE_VOLUME },
        { "03 /networkdrive", PLACE_UNKNOWN },
};

/* Everything said of one mount or line. */
struct said {
        const struct recommendation *by_rule[RULE_COUNT];
        bool finding[RULE_COUNT];
};

static bool fires(const struct said *s, enum rule rule)
{
        return s->by_rule[rule] || s->finding[rule];
}

static void add_said(struct text *t, const struct said *s)
{
        bool any = false;

        for (enum rule rule = 0; rule < RULE_COUNT; rule++) {
                if (!fires(s, rule))
                        continue;
                text_add(t, "%s%s(%s%s)", any ? " " : "", rule_name(rule),
                         s->by_rule[rule] ? confidence_name(s->by_rule[rule]->confidence) : "finding",
                         s->by_rule[rule] && s->by_rule[rule]->question ? "?" : "");
                any = true;
        }
        if (!any)
                text_add(t, "-");
}

static bool says_twice(const char *evidence)
{
        cleanup_free char *copy = strdup(evidence);
        char *rest = copy, *clause;

        while ((clause = strsep(&rest, ";")))
                if (rest && strlen(clause) > 3 && strstr(rest, clause))
                        return true;
        return false;
}

/* The question comes first, and once. */
static void judge_words(const struct recommendation *r, struct text *wrong)
{
        const char *asked = r->keep ? strchr(r->keep, '?') : NULL;

        if (strchr(r->summary, '?'))
                text_add(wrong, " [%s asks in its summary]", rule_name(r->rule));
        if (asked && strcspn(r->keep, ".;?") < (size_t) (asked - r->keep))
                text_add(wrong, " [%s asks too late]", rule_name(r->rule));
        if (says_twice(r->evidence))
                text_add(wrong, " [%s says the same twice: %s]", rule_name(r->rule), r->evidence);
}

/* What is wrong with it, in words; empty: nothing. */
static void judge_row(const struct said *s, const char *must, const char *may, const char *must_not, struct text *wrong)
{
        for (enum rule rule = 0; rule < RULE_COUNT; rule++) {
                const struct recommendation *r = s->by_rule[rule];

                if (r)
                        judge_words(r, wrong);
                if (lists(must, rule) && !fires(s, rule))
                        text_add(wrong, " [%s is missing]", rule_name(rule));
                if (lists(must_not, rule) && fires(s, rule))
                        text_add(wrong, " [%s must not fire]", rule_name(rule));
                if (lists(may, rule) && fires(s, rule) && (!r || r->confidence != CONFIDENCE_POSSIBLE))
                        text_add(wrong, " [%s only as possible]", rule_name(rule));
                if (r && (r->question || r->confidence == CONFIDENCE_POSSIBLE) && r->automatic)
                        text_add(wrong, " [%s must not be automatic]", rule_name(rule));
        }
        /* cases 48 and 52: a coherence setting is asked about, never ordered away */
        for (enum rule rule = RULE_NOAC; rule <= RULE_LOOKUPCACHE_NONE; rule++)
                if (s->by_rule[rule] && !s->by_rule[rule]->question)
                        text_add(wrong, " [%s must be a question]", rule_name(rule));
}

/* The true cause, where counters could show it. */
static void judge_cause(const struct said *s, const char *first, const char *not, struct text *wrong)
{
        static const enum rule causes[] = { RULE_SERVER_STORAGE, RULE_NETWORK };

        for (size_t i = 0; i < ARRAY_SIZE(causes); i++) {
                const char *name = rule_name(causes[i]);

                if (strcmp(first, name) == 0 && !s->by_rule[causes[i]])
                        text_add(wrong, " [%s is the cause]", name);
                if (strstr(not, name) && s->by_rule[causes[i]])
                        text_add(wrong, " [%s is not the cause]", name);
        }
}

static void judge_place(const struct said *s, const char *key, struct text *wrong)
{
        const struct recommendation *r = s->by_rule[RULE_STALE_IO_SIZE];

        for (size_t i = 0; i < ARRAY_SIZE(places); i++)
                if (strcmp(places[i].key, key) == 0 && (!r || r->place.kind != places[i].kind))
                        text_add(wrong, " [the place is %s]", place_kind_name(places[i].kind));
}

struct world {
        struct params params;
        struct recorded recorded;
        struct advice *advice;          /* one per observation */
};

static void world_done(struct world *w)
{
        for (size_t i = 0; i < w->recorded.snapshot.n_mounts; i++)
                advice_done(&w->advice[i]);
        free(w->advice);
        recorded_done(&w->recorded);
        params_done(&w->params);
}

static void world_read(struct world *w, const struct recorded_file *files, size_t n, const char *name)
{
        static const char *const dirs[] = { profiles_dir, NULL };
        cleanup_free char *error = NULL;

        ck_assert_int_eq(params_init(&w->params), 0);
        ck_assert_msg(profiles_read(NULL, dirs, &w->params.profiles, &error) == 0, "profiles: %s", error);
        ck_assert_uint_gt(w->params.profiles.n_items, 0);
        ck_assert_msg(recorded_read(files, n, &w->recorded, &error) == 0, "%s: %s", name, error ? error : "");
        w->advice = calloc(w->recorded.snapshot.n_mounts + 1, sizeof(*w->advice));
        ck_assert_ptr_nonnull(w->advice);
        for (size_t i = 0; i < w->recorded.snapshot.n_mounts; i++)
                ck_assert_int_eq(evaluate(&w->recorded.snapshot.mounts[i], &w->params, NOW, &w->advice[i]), 0);
}

static void said_take(const struct advice *a, struct said *s)
{
        for (size_t i = 0; i < a->n_recommendations; i++)
                s->by_rule[a->recommendations[i].rule] = &a->recommendations[i];
}

/* ---- disputed rows -------------------------------------------------------------- */

static const struct disputed {
        const char *key;                /* "NN /mount/point", "fstab NN:line" */
        const char *reason;
} disputed[] = {
        { "", "" },
};

static const char *dispute(const char *key)
{
        for (size_t i = 0; i < ARRAY_SIZE(disputed); i++)
                if (strcmp(disputed[i].key, key) == 0 && *key)
                        return disputed[i].reason;
        return NULL;
}

/* Prints the row; counts what is wrong and not disputed. */
static unsigned row_print(const char *key, const struct said *s, struct text *wrong)
{
        const char *reason = dispute(key);
        cleanup(text_done) struct text said = { 0 };

        ck_assert(!wrong->failed);
        add_said(&said, s);
        printf("%-9s %-40s %s%s%s%s\n", wrong->length_bytes == 0 ? "ok" : reason ? "DISPUTED" : "WRONG", key, said.data,
               wrong->length_bytes > 0 ? wrong->data : "", reason ? ": " : "", reason ? reason : "");
        return wrong->length_bytes > 0 && !reason;
}

/* ---- mounts ----------------------------------------------------------------------- */

/* One way in which a case was recorded. */
struct view {
        enum recorded_kind table_kind;
        const char *suffix;             /* of directory and file: "mounts" */
};

static const struct view views[] = {
        { RECORDED_MOUNTS,    "mounts" },
        { RECORDED_MOUNTINFO, "mountinfo" },
        /* alone: in case 88 the two files were scrubbed differently and cannot be joined */
        { RECORDED_MOUNTSTATS, "mountstats" },
};

/* ".../mounts/02.mounts" */
static char *case_path(const char *kind, const char *number)
{
        char *path;

        ck_assert_int_gt(asprintf(&path, "%s/%s/%s.%s", cases_dir, kind, number, kind), 0);
        return path;
}

static char *case_pattern(const char *number)
{
        cleanup_free char *any = NULL;

        ck_assert_int_gt(asprintf(&any, "%s*", number), 0);
        return case_path("mountstats", any);
}

/* 68a and 68b are two recordings of one case. Return: number of them; @path is the chosen one. */
static size_t stats_path(const char *number, size_t which, char **path)
{
        cleanup_free char *pattern = case_pattern(number);
        glob_t g;
        size_t n = glob(pattern, 0, NULL, &g) == 0 ? g.gl_pathc : 0;

        *path = which < n ? strdup(g.gl_pathv[which]) : NULL;
        if (n > 0)
                globfree(&g);
        return n;
}

static bool file_exists(const char *path)
{
        cleanup_free char *text = NULL;
        size_t length;

        return file_read(path, MIB, &text, &length) == 0;
}

/* Judges the rows of one case against one view; returns the number of wrong rows. */
static unsigned case_judge(const struct table *t, const char *number, const struct view *v, const char *stats,
                           bool *found)
{
        bool alone = v->table_kind == RECORDED_MOUNTSTATS;
        cleanup_free char *table = alone ? stats ? strdup(stats) : NULL : case_path(v->suffix, number);
        struct recorded_file files[2] = { { v->table_kind, table }, { RECORDED_MOUNTSTATS, stats } };
        cleanup(world_done) struct world w = { 0 };
        unsigned wrong_rows = 0;

        if (!table || !file_exists(table))
                return 0;
        world_read(&w, files, stats && !alone ? 2 : 1, table);
        for (size_t i = 0; i < t->n_rows; i++) {
                const struct row *row = &t->rows[i];
                cleanup_free char *target = NULL, *key = NULL;

                if (strcmp(row->column[0], number) != 0)
                        continue;
                target = octal_decode(row->column[1], strlen(row->column[1]));
                ck_assert_int_gt(asprintf(&key, "%s %s", number, row->column[1]), 0);
                for (size_t k = 0; k < w.recorded.snapshot.n_mounts; k++) {
                        const struct observation *o = &w.recorded.snapshot.mounts[k];
                        cleanup(text_done) struct text wrong = { 0 };
                        struct said said = { 0 };

                        if (strcmp(o->mount.target, target) != 0 || o->mount.covered || o->mount.duplicate)
                                continue;
                        found[i] = true;
                        said_take(&w.advice[k], &said);
                        judge_row(&said, row->column[3], row->column[4], row->column[5], &wrong);
                        judge_place(&said, key, &wrong);
                        if (o->counters.known)
                                judge_cause(&said, row->column[6], row->column[7], &wrong);
                        wrong_rows += row_print(key, &said, &wrong);
                        break;
                }
        }
        return wrong_rows;
}

static unsigned case_judge_views(const struct table *t, const char *number, bool *found)
{
        unsigned wrong_rows = 0;

        for (size_t v = 0; v < ARRAY_SIZE(views); v++) {
                size_t n = 1;

                for (size_t which = 0; which < n; which++) {
                        cleanup_free char *stats = NULL;

                        n = stats_path(number, which, &stats);
                        n = MAX(n, 1U);
                        wrong_rows += case_judge(t, number, &views[v], stats, found);
                }
        }
        return wrong_rows;
}

START_TEST(recorded_mounts)
{
        cleanup(table_done) struct table t = { 0 };
        unsigned wrong = 0, missing = 0;
        const char *last = "";
        bool *found;

        table_read("expected.tsv", &t);
        ck_assert_uint_ge(t.n_rows, 72);
        found = calloc(t.n_rows, sizeof(*found));
        ck_assert_ptr_nonnull(found);
        for (size_t i = 0; i < t.n_rows; i++) {
                ck_assert_msg(t.rows[i].n_columns == COLUMNS_MAX, "expected.tsv row %zu: columns", i + 2);
                if (strcmp(t.rows[i].column[0], last) == 0)
                        continue;
                last = t.rows[i].column[0];
                wrong += case_judge_views(&t, last, found);
        }
        for (size_t i = 0; i < t.n_rows; i++) {
                if (found[i])
                        continue;
                /* -hosts is the trigger of an automounter's map, no NFS mount: nothing can be said of it */
                if (strcmp(t.rows[i].column[1], "/autofsmp") == 0) {
                        printf("%-9s %s %s: no NFS mount, nothing said\n", "ok", t.rows[i].column[0],
                               t.rows[i].column[1]);
                        continue;
                }
                printf("%-9s %s %s\n", "MISSING", t.rows[i].column[0], t.rows[i].column[1]);
                missing++;
        }
        free(found);
        fflush(stdout);
        ck_assert_msg(wrong == 0 && missing == 0, "%u rows are wrong, %u are missing", wrong, missing);
}
END_TEST

/* ---- fstab -------------------------------------------------------------------------- */

/* Line numbers of the table that are not those of the file. */
static unsigned corrected_line(const char *file, unsigned line)
{
        static const struct {
                const char *file;
                unsigned table, really;
        } corrections[] = {
                { "03", 8, 9 },
                { "05", 7, 8 },
        };

        for (size_t i = 0; i < ARRAY_SIZE(corrections); i++)
                if (strcmp(corrections[i].file, file) == 0 && corrections[i].table == line)
                        return corrections[i].really;
        return line;
}

static void said_of_line(const struct world *w, unsigned line, struct said *s)
{
        for (size_t i = 0; i < w->recorded.snapshot.n_mounts; i++) {
                const struct observation *o = &w->recorded.snapshot.mounts[i];

                if (o->n_requested > 0 && o->requested[0].place.line == line)
                        said_take(&w->advice[i], s);
        }
        for (size_t i = 0; i < w->recorded.findings.n_items; i++)
                if (w->recorded.findings.items[i].place.line == line)
                        s->finding[w->recorded.findings.items[i].rule] = true;
}

static unsigned fstab_row_judge(const struct row *row)
{
        cleanup_free char *path = case_path("fstab", row->column[0]), *key = NULL;
        struct recorded_file file = { RECORDED_FSTAB, path };
        cleanup(world_done) struct world w = { 0 };
        cleanup(text_done) struct text wrong = { 0 };
        struct said said = { 0 };
        unsigned line;

        ck_assert_int_eq(sscanf(row->column[1], "%u", &line), 1);
        line = corrected_line(row->column[0], line);
        ck_assert_int_gt(asprintf(&key, "fstab %s:%u %s", row->column[0], line, row->column[2]), 0);
        world_read(&w, &file, 1, path);
        said_of_line(&w, line, &said);
        judge_row(&said, row->column[3], row->column[4], row->column[5], &wrong);
        return row_print(key, &said, &wrong);
}

START_TEST(recorded_fstabs)
{
        cleanup(table_done) struct table t = { 0 };
        unsigned wrong = 0;

        table_read("expected-fstab.tsv", &t);
        ck_assert_uint_ge(t.n_rows, 30);
        for (size_t i = 0; i < t.n_rows; i++)
                wrong += fstab_row_judge(&t.rows[i]);
        fflush(stdout);
        ck_assert_msg(wrong == 0, "%u rows are wrong", wrong);
}
END_TEST

/* Case 18: "the next line is a finding too". */
START_TEST(continuation_is_a_finding)
{
        cleanup_free char *path = case_path("fstab", "18");
        struct recorded_file file = { RECORDED_FSTAB, path };
        cleanup(world_done) struct world w = { 0 };
        struct said said = { 0 };

        world_read(&w, &file, 1, path);
        said_of_line(&w, 2, &said);
        ck_assert(fires(&said, RULE_INVALID_OPTION));
}
END_TEST

int main(void)
{
        Suite *s = suite_create("recorded cases");
        TCase *t = tcase_create("cases");

        tcase_set_timeout(t, 60);
        tcase_add_test(t, recorded_mounts);
        tcase_add_test(t, recorded_fstabs);
        tcase_add_test(t, continuation_is_a_finding);
        suite_add_tcase(s, t);
        return suite_run(s);
}
