/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Observations there and back: random ones, strings of any bytes, and what must be refused. */
#include <errno.h>
#include <limits.h>
#include <time.h>

#include "policy/names.h"
#include "probe/json.h"
#include "probe/mounttable.h"
#include "probe/observation_json.h"
#include "tests/unit/golden.h"

/* ---- random observations ---------------------------------------------------------- */

static uint64_t state;

/* splitmix64: the same numbers on every host */
static uint64_t next(void)
{
        uint64_t z = state += 0x9e3779b97f4a7c15ULL;

        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
}

static unsigned below(unsigned n)
{
        return (unsigned)(next() % n);
}

/* All magnitudes, the largest that JSON can hold as well. */
static uint64_t number(void)
{
        return below(20) ? next() >> (1 + below(63)) : INT64_MAX;
}

static bool flag(void)
{
        return below(2);
}

/* Any bytes but NUL, with a liking for those that need care. */
static char *string(void)
{
        static const char care[] = "\\\\x\"\n\t/\x7f\x80\xbf\xc0\xc3\xe2\x82\xac\xed\xa0\xf0\x9f\x98\x80\xf5\xff";
        size_t n = below(24);
        char *s = malloc(n + 1);

        for (size_t i = 0; i < n; i++)
                s[i] = below(2) ? care[below(sizeof(care) - 1)] : (char)(1 + below(255));
        s[n] = '\0';
        return s;
}

static char *string_or_null(void)
{
        return flag() ? string() : NULL;
}

static void options(struct options *o)
{
        static const char *const texts[] = { "", "rw", "rw,,rsize=32768", "context=\"a,b\",x=", "\xff\\,y=\x80" };
        const char *text = texts[below(ARRAY_SIZE(texts))];

        ck_assert_int_eq(options_parse(text, strlen(text), o), 0);
}

static void op(struct rpc_op_counters *c)
{
        *c = (struct rpc_op_counters){ number(), number(), number(), number(), number(),
                                       number(), number(), number(), number() };
}

static void latency(struct latency *l)
{
        *l = (struct latency){ (unsigned)next(), number(), number(), number() };
}

static void mount(struct mount_facts *m)
{
        *m = (struct mount_facts){
                .mount_id = number(), .parent_id = number(), .device = { (unsigned)next(), (unsigned)next() },
                .target = string(), .source = string(), .server = string(), .export_path = string(),
                .fstype = string(), .propagation = string(), .read_only = flag(), .covered = flag(),
                .below_autofs = flag(), .below_nfs = flag(), .has_submounts = flag(), .deleted = flag(), .duplicate = flag(),
        };
        options(&m->vfs);
        options(&m->super);
}

static void counters(struct counters *c)
{
        *c = (struct counters){
                .known = flag(), .statvers_minor = flag() ? UINT_MAX : 1, .age_sec = number(),
                .dtsize_bytes = number(), .lease_known = flag(), .lease_time_sec = number(),
                .lease_expired_sec = number(), .implementation = string_or_null(), .normal_read_bytes = number(),
                .normal_write_bytes = number(), .direct_read_bytes = number(), .direct_write_bytes = number(),
                .server_read_bytes = number(), .server_write_bytes = number(), .vfs_fsync_calls = number(),
                .delay_replies = number(),
                .transport = { below(17), below(4), number(), number(), number(), number(), number(), number(),
                               number(), number(), number(), number() },
        };
        for (unsigned i = 0; i < RPC_OP_COUNT; i++)
                if (flag())
                        op(&c->op[i]);
}

static void server(struct server_facts *s)
{
        *s = (struct server_facts){
                .null_answer = below(ANSWER_COUNT), .null_replies = below(6), .null_median_usec = number(),
                .null_spread_usec = number(), .detail = string_or_null(), .versions_known = flag(),
                .versions = below(32), .limit_source = below(LIMIT_SOURCE_COUNT), .read_max_bytes = number(),
                .write_max_bytes = number(), .limit_detail = string_or_null(),
        };
}

static void result(struct workload_result *w, unsigned which)
{
        *w = (struct workload_result){
                .workload = which, .outcome = below(OUTCOME_COUNT), .error = (int)below(200) - 100,
                .written_bytes = number(), .open_usec = number(), .close_usec = number(), .total_usec = number(),
                .stalls = (unsigned)next(), .longest_stall_usec = number(), .verified = flag(),
                .counters_known = flag(),
        };
        latency(&w->write);
        latency(&w->stable);
        op(&w->write_calls);
        op(&w->commit_calls);
}

static void probe(struct probe_result *p)
{
        *p = (struct probe_result){
                .state = below(PROBE_STATE_COUNT), .reason = string_or_null(), .written_bytes = number(),
                .swept_files = (unsigned)next(), .started_usec = number(),
        };
        for (unsigned i = 0; i < WORKLOAD_COUNT; i++)
                result(&p->results[i], i);
        for (unsigned i = 0; i < STABLE_SIZES; i++) {
                p->stable[i].size_bytes = number();
                latency(&p->stable[i].latency);
        }
}

static void requested(struct requested *r)
{
        *r = (struct requested){
                .place = { below(PLACE_KIND_COUNT), string_or_null(), (unsigned)next() }, .text = string_or_null(),
                .options_text = string_or_null(), .is_default = flag(), .is_record = flag(),
                .is_generated = flag(), .section = string_or_null(), .line_problem = string_or_null(),
                .line_mended = string_or_null(),
        };
        options(&r->options);
}

static void beside(struct observation *o)
{
        o->connection = (struct connection_facts){ flag(), number(), number(), number() };
        o->export_facts = (struct export_facts){
                .known = flag(), .async = flag(), .place = { PLACE_EXPORTS, string_or_null(), (unsigned)next() },
                .text = string_or_null(),
        };
        o->earlier = (struct earlier_probe){ flag(), flag(), number(), number() };
        o->baseline = (struct baseline_facts){
                .known = flag(), .workload = below(WORKLOAD_COUNT), .samples = (unsigned)next(),
                .median_usec = number(), .deviation_usec = number(), .recent_samples = (unsigned)next(),
                .recent_median_usec = number(), .since_usec = number(), .grown = string_or_null(),
        };
        o->n_trials = below(4);
        o->trials = calloc(4, sizeof(*o->trials));
        for (size_t i = 0; i < o->n_trials; i++)
                o->trials[i] = (struct trial_facts){
                        .workload = below(WORKLOAD_COUNT), .options = string_or_null(), .pairs = (unsigned)next(),
                        .ratio_permille = (unsigned)next(), .ratio_low_permille = (unsigned)next(),
                        .ratio_high_permille = (unsigned)next(),
                };
}

static struct observation observation(void)
{
        struct observation o = {
                .n_requested = below(4), .n_shares = below(4), .read_ahead_known = flag(), .async_export_stands = flag(),
                .only_requested = flag(), .read_ahead_kib = number(), .liveness = below(LIVENESS_COUNT), .liveness_witnesses = string_or_null(),
        };

        mount(&o.mount);
        o.requested = calloc(4, sizeof(*o.requested));
        for (size_t i = 0; i < o.n_requested; i++)
                requested(&o.requested[i]);
        o.shares_superblock_with = calloc(4, sizeof(*o.shares_superblock_with));
        for (size_t i = 0; i < o.n_shares; i++)
                o.shares_superblock_with[i] = string();
        counters(&o.counters);
        server(&o.server);
        probe(&o.probe);
        beside(&o);
        return o;
}

/* ---- comparison: by hand, so that a member that the tables lack is noticed ------------ */

static unsigned long long seed;

#define SAME(a, b, field) \
        ck_assert_msg((a)->field == (b)->field, "seed %llu: " #field " differs", seed)
#define SAME_STRING(a, b, field)                                                                \
        ck_assert_msg((a)->field && (b)->field ? strcmp((a)->field, (b)->field) == 0            \
                                               : (a)->field == (b)->field,                      \
                      "seed %llu: " #field " differs: \"%s\" \"%s\"", seed, (a)->field, (b)->field)
/* structs of numbers without padding */
#define SAME_BYTES(a, b, field) \
        ck_assert_msg(memcmp(&(a)->field, &(b)->field, sizeof((a)->field)) == 0, "seed %llu: " #field " differs", seed)

static void same_options(const struct options *a, const struct options *b)
{
        cleanup_free char *x = options_format(a), *y = options_format(b);

        ck_assert_msg(strcmp(x, y) == 0, "seed %llu: options", seed);
        SAME(a, b, n_items);
}

static void same_latency(const struct latency *a, const struct latency *b)
{
        SAME(a, b, n);
        SAME(a, b, p50_usec);
        SAME(a, b, p99_usec);
        SAME(a, b, max_usec);
}

static void same_mount(const struct mount_facts *a, const struct mount_facts *b)
{
        SAME(a, b, mount_id);
        SAME(a, b, parent_id);
        SAME_BYTES(a, b, device);
        SAME_STRING(a, b, target);
        SAME_STRING(a, b, source);
        SAME_STRING(a, b, server);
        SAME_STRING(a, b, export_path);
        SAME_STRING(a, b, fstype);
        SAME_STRING(a, b, propagation);
        SAME(a, b, read_only);
        SAME(a, b, covered);
        SAME(a, b, below_autofs);
        SAME(a, b, below_nfs);
        SAME(a, b, has_submounts);
        SAME(a, b, deleted);
        SAME(a, b, duplicate);
        same_options(&a->vfs, &b->vfs);
        same_options(&a->super, &b->super);
}

static void same_counters(const struct counters *a, const struct counters *b)
{
        SAME(a, b, known);
        SAME(a, b, statvers_minor);
        SAME(a, b, age_sec);
        SAME(a, b, dtsize_bytes);
        SAME(a, b, lease_known);
        SAME(a, b, lease_time_sec);
        SAME(a, b, lease_expired_sec);
        SAME_STRING(a, b, implementation);
        SAME(a, b, normal_read_bytes);
        SAME(a, b, normal_write_bytes);
        SAME(a, b, direct_read_bytes);
        SAME(a, b, direct_write_bytes);
        SAME(a, b, server_read_bytes);
        SAME(a, b, server_write_bytes);
        SAME(a, b, vfs_fsync_calls);
        SAME(a, b, delay_replies);
        SAME_BYTES(a, b, transport);
        SAME_BYTES(a, b, op);
}

static void same_server(const struct server_facts *a, const struct server_facts *b)
{
        SAME(a, b, null_answer);
        SAME(a, b, null_replies);
        SAME(a, b, null_median_usec);
        SAME(a, b, null_spread_usec);
        SAME_STRING(a, b, detail);
        SAME(a, b, versions_known);
        SAME(a, b, versions);
        SAME(a, b, limit_source);
        SAME(a, b, read_max_bytes);
        SAME(a, b, write_max_bytes);
        SAME_STRING(a, b, limit_detail);
}

static void same_result(const struct workload_result *a, const struct workload_result *b)
{
        SAME(a, b, workload);
        SAME(a, b, outcome);
        SAME(a, b, error);
        SAME(a, b, written_bytes);
        SAME(a, b, open_usec);
        SAME(a, b, close_usec);
        SAME(a, b, total_usec);
        SAME(a, b, stalls);
        SAME(a, b, longest_stall_usec);
        SAME(a, b, verified);
        SAME(a, b, counters_known);
        SAME_BYTES(a, b, write_calls);
        SAME_BYTES(a, b, commit_calls);
        same_latency(&a->write, &b->write);
        same_latency(&a->stable, &b->stable);
}

static void same_probe(const struct probe_result *a, const struct probe_result *b)
{
        SAME(a, b, state);
        SAME_STRING(a, b, reason);
        SAME(a, b, written_bytes);
        SAME(a, b, swept_files);
        SAME(a, b, started_usec);
        for (unsigned i = 0; i < WORKLOAD_COUNT; i++)
                same_result(&a->results[i], &b->results[i]);
        for (unsigned i = 0; i < STABLE_SIZES; i++) {
                SAME(a, b, stable[i].size_bytes);
                same_latency(&a->stable[i].latency, &b->stable[i].latency);
        }
}

static void same_requested(const struct requested *a, const struct requested *b)
{
        SAME(a, b, place.kind);
        SAME_STRING(a, b, place.file);
        SAME(a, b, place.line);
        SAME_STRING(a, b, text);
        SAME_STRING(a, b, options_text);
        SAME(a, b, is_default);
        SAME(a, b, is_record);
        SAME(a, b, is_generated);
        SAME_STRING(a, b, section);
        SAME_STRING(a, b, line_problem);
        SAME_STRING(a, b, line_mended);
        same_options(&a->options, &b->options);
}

static void same_trial(const struct trial_facts *a, const struct trial_facts *b)
{
        SAME(a, b, workload);
        SAME_STRING(a, b, options);
        SAME(a, b, pairs);
        SAME(a, b, ratio_permille);
        SAME(a, b, ratio_low_permille);
        SAME(a, b, ratio_high_permille);
}

static void same_beside(const struct observation *a, const struct observation *b)
{
        SAME(a, b, connection.known);
        SAME(a, b, connection.sent_segments);
        SAME(a, b, connection.retransmitted_segments);
        SAME(a, b, connection.round_trip_usec);
        SAME(a, b, export_facts.known);
        SAME(a, b, export_facts.async);
        SAME(a, b, export_facts.place.kind);
        SAME_STRING(a, b, export_facts.place.file);
        SAME(a, b, export_facts.place.line);
        SAME_STRING(a, b, export_facts.text);
        SAME(a, b, earlier.awaited);
        SAME(a, b, earlier.known);
        SAME(a, b, earlier.null_median_usec);
        SAME(a, b, earlier.stable_small_usec);
        SAME(a, b, baseline.known);
        SAME(a, b, baseline.workload);
        SAME(a, b, baseline.samples);
        SAME(a, b, baseline.median_usec);
        SAME(a, b, baseline.deviation_usec);
        SAME(a, b, baseline.recent_samples);
        SAME(a, b, baseline.recent_median_usec);
        SAME(a, b, baseline.since_usec);
        SAME_STRING(a, b, baseline.grown);
        SAME(a, b, n_trials);
        for (size_t i = 0; i < a->n_trials; i++)
                same_trial(&a->trials[i], &b->trials[i]);
}

static void same_observation(const struct observation *a, const struct observation *b)
{
        same_mount(&a->mount, &b->mount);
        SAME(a, b, n_requested);
        for (size_t i = 0; i < a->n_requested; i++)
                same_requested(&a->requested[i], &b->requested[i]);
        SAME(a, b, n_shares);
        for (size_t i = 0; i < a->n_shares; i++)
                SAME_STRING(a, b, shares_superblock_with[i]);
        SAME(a, b, only_requested);
        same_beside(a, b);
        SAME(a, b, read_ahead_known);
        SAME(a, b, async_export_stands);
        SAME(a, b, read_ahead_kib);
        same_counters(&a->counters, &b->counters);
        same_server(&a->server, &b->server);
        same_probe(&a->probe, &b->probe);
        SAME(a, b, liveness);
        SAME_STRING(a, b, liveness_witnesses);
}

START_TEST(test_random)
{
        for (unsigned i = 0; i < 300; i++) {
                seed = (unsigned long long)_i * 1000 + i;
                state = seed;
                struct observation o = observation(), back = { 0 };
                cleanup_free char *text = observation_to_json(&o);

                ck_assert_ptr_nonnull(text);
                ck_assert_msg(!strchr(text, '\n'), "seed %llu: a newline", seed);
                int r = observation_from_json(text, strlen(text), &back, NULL);
                ck_assert_msg(r == 0, "seed %llu: %d\n%s", seed, r, text);
                same_observation(&o, &back);
                observation_done(&o);
                observation_done(&back);
        }
}
END_TEST

START_TEST(test_parts)
{
        for (seed = 0; seed < 100; seed++) {
                state = seed;
                struct observation o = observation();
                struct server_facts s;
                struct probe_result p;

                server(&s);
                probe(&p);
                cleanup_free char *server_text = server_part_to_json(&s), *probe_text = probe_part_to_json(&p);
                ck_assert_int_eq(observation_apply_part(&o, server_text, strlen(server_text), NULL), 0);
                ck_assert_int_eq(observation_apply_part(&o, probe_text, strlen(probe_text), NULL), 0);
                same_server(&s, &o.server);
                same_probe(&p, &o.probe);
                server_facts_done(&s);
                probe_result_done(&p);
                observation_done(&o);
        }
}
END_TEST

/* ---- strings ---------------------------------------------------------------------------- */

static const struct {
        const char *bytes, *json;       /* json: as in the text of the file */
} strings[] = {
        { "", "\"\"" },
        { "/srv/data", "\"/srv/data\"" },
        { "a b\"c", "\"a b\\\"c\"" },
        { "gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\"" },
        { "a\\b", "\"a\\\\x5cb\"" },
        { "\\x41", "\"\\\\x5cx41\"" },
        { "\xff", "\"\\\\xff\"" },
        { "\xc3", "\"\\\\xc3\"" },
        { "\xc3(", "\"\\\\xc3(\"" },
        { "\xc0\x80", "\"\\\\xc0\\\\x80\"" },           /* overlong */
        { "\xed\xa0\x80", "\"\\\\xed\\\\xa0\\\\x80\"" }, /* surrogate */
        { "\xf4\x90\x80\x80", "\"\\\\xf4\\\\x90\\\\x80\\\\x80\"" },
        { "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"" },
};

START_TEST(test_string)
{
        cleanup(json_refp) json_t *j = str_to_json(strings[_i].bytes);
        cleanup_free char *text = json_dumps(j, JSON_ENCODE_ANY), *back = NULL;
        struct json_reader r = { 0 };

        ck_assert_msg(strcmp(text, strings[_i].json) == 0, "%s: %s", strings[_i].json, text);
        ck_assert_int_eq(str_from_json(&r, "key", j, &back), 0);
        ck_assert_str_eq(back, strings[_i].bytes);
}
END_TEST

static const char *const bad_strings[] = { "\\", "a\\", "\\x", "\\x4", "\\xg0", "\\x00", "\\n", "\\X41", "\\xAB" };

START_TEST(test_bad_string)
{
        cleanup(json_refp) json_t *j = json_string(bad_strings[_i]);
        char *back = NULL;
        struct json_reader r = { 0 };

        ck_assert_msg(str_from_json(&r, "key", j, &back) == -EINVAL, "%s", bad_strings[_i]);
        ck_assert_ptr_nonnull(r.error);
        free(r.error);
}
END_TEST

START_TEST(test_string_cap)
{
        for (size_t n = JSON_STRING_BYTES_MAX; n <= JSON_STRING_BYTES_MAX + 1; n++) {
                cleanup_free char *s = malloc(n + 1), *back = NULL;
                struct json_reader r = { 0 };

                memset(s, 'a', n);
                s[n] = '\0';
                cleanup(json_refp) json_t *j = json_string(s);
                ck_assert_int_eq(str_from_json(&r, "key", j, &back), n > JSON_STRING_BYTES_MAX ? -EINVAL : 0);
                free(r.error);
        }
}
END_TEST

/* ---- what must be refused --------------------------------------------------------------- */

#define MOUNT "\"mount\":{\"target\":\"/t\",\"source\":\"h:/s\",\"fstype\":\"nfs4\""

static const struct {
        const char *name, *text;
        int result;
} texts[] = {
        { "least", "{" MOUNT "}}", 0 },
        { "unknown members are ignored", "{\"new\":[1],\"shape\":{}," MOUNT ",\"colour\":\"red\"}}", 0 },
        { "a newline behind it", "{" MOUNT "}}\n", 0 },
        { "empty", "", -EINVAL },
        { "an array", "[]", -EINVAL },
        { "a number", "1", -EINVAL },
        { "not JSON", "{" MOUNT "}", -EINVAL },
        { "two objects", "{" MOUNT "}}{}", -EINVAL },
        { "no mount", "{}", -EINVAL },
        { "mount of another type", "{\"mount\":[]}", -EINVAL },
        { "no target", "{\"mount\":{\"source\":\"h:/s\",\"fstype\":\"nfs4\"}}", -EINVAL },
        { "target null", "{\"mount\":{\"target\":null,\"source\":\"h:/s\",\"fstype\":\"nfs4\"}}", -EINVAL },
        { "member twice", "{" MOUNT ",\"target\":\"/u\"}}", -EINVAL },
        { "number as string", "{" MOUNT ",\"mount_id\":\"1\"}}", -EINVAL },
        { "real number", "{" MOUNT ",\"mount_id\":1.5}}", -EINVAL },
        { "negative number", "{" MOUNT ",\"mount_id\":-1}}", -EINVAL },
        { "largest number", "{" MOUNT ",\"mount_id\":9223372036854775807}}", 0 },
        { "larger number", "{" MOUNT ",\"mount_id\":9223372036854775808}}", -EINVAL },
        { "unsigned", "{" MOUNT ",\"device\":{\"major\":4294967295}}}", 0 },
        { "too large for unsigned", "{" MOUNT ",\"device\":{\"major\":4294967296}}}", -EINVAL },
        { "number for a boolean", "{" MOUNT ",\"covered\":1}}", -EINVAL },
        { "options of another type", "{" MOUNT ",\"super\":[]}}", -EINVAL },
        { "options with an open quote", "{" MOUNT ",\"super\":\"a=\\\"b\"}}", -EINVAL },
        { "unknown name", "{" MOUNT "},\"liveness\":\"undead\"}", -EINVAL },
        { "name of another type", "{" MOUNT "},\"liveness\":1}", -EINVAL },
        { "known name", "{" MOUNT "},\"liveness\":\"alive\"}", 0 },
        { "requested of another type", "{" MOUNT "},\"requested\":{}}", -EINVAL },
        { "requested member", "{" MOUNT "},\"requested\":[1]}", -EINVAL },
        { "requested, second bad", "{" MOUNT "},\"requested\":[{\"text\":\"a\"},{\"text\":1}]}", -EINVAL },
        { "trials member", "{" MOUNT "},\"trials\":[1]}", -EINVAL },
        { "trials, second bad", "{" MOUNT "},\"trials\":[{\"options\":\"a\"},{\"pairs\":\"1\"}]}", -EINVAL },
        { "trials", "{" MOUNT "},\"trials\":[{\"options\":\"rsize=65536\",\"pairs\":11}]}", 0 },
        { "export of another type", "{" MOUNT "},\"export_facts\":[]}", -EINVAL },
        { "baseline with an unknown workload", "{" MOUNT "},\"baseline\":{\"workload\":\"sleep\"}}", -EINVAL },
        { "shares member", "{" MOUNT "},\"shares_superblock_with\":[null]}", -EINVAL },
        { "unknown operation", "{" MOUNT "},\"counters\":{\"op\":{\"FLY\":{}}}}", -EINVAL },
        { "operation of another type", "{" MOUNT "},\"counters\":{\"op\":{\"WRITE\":1}}}", -EINVAL },
        { "unknown version", "{" MOUNT "},\"server\":{\"versions\":[\"5\"]}}", -EINVAL },
        { "version as number", "{" MOUNT "},\"server\":{\"versions\":[3]}}", -EINVAL },
        { "versions", "{" MOUNT "},\"server\":{\"versions\":[\"3\",\"4.2\"]}}", 0 },
        { "workload twice",
          "{" MOUNT "},\"probe\":{\"results\":[{\"workload\":\"copy\"},{\"workload\":\"copy\"}]}}", -EINVAL },
        { "too many sizes", "{" MOUNT "},\"probe\":{\"stable\":[{},{},{},{}]}}", -EINVAL },
        { "NUL in a string", "{" MOUNT ",\"server\":\"a\\u0000b\"}}", -EINVAL },
        { "not UTF-8", "{" MOUNT ",\"server\":\"\xff\"}}", -EINVAL },
        { "lone surrogate", "{" MOUNT ",\"server\":\"\\ud800\"}}", -EINVAL },
        { "bad escape", "{" MOUNT ",\"server\":\"\\\\q\"}}", -EINVAL },
};

/* One observation or an array of them; n: how many, words: part of the reason. */
static const struct {
        const char *name, *text;
        int result;
        size_t n;
        const char *words;
} lists[] = {
        { "one", "{" MOUNT "}}\n", 0, 1, NULL },
        { "two", "[{" MOUNT "}},\n{" MOUNT "}}]", 0, 2, NULL },
        { "none", "[]", 0, 0, NULL },
        { "empty", "", -EINVAL, 0, "line 1" },
        { "cut", "[{" MOUNT "}},\n{" MOUNT, -EINVAL, 0, "line 2" },
        { "second bad", "[{" MOUNT "}},{}]", -EINVAL, 0, "observation 2: mount: missing" },
        { "second no object", "[{" MOUNT "}},1]", -EINVAL, 0, "observation 2:" },
        { "one bad", "{}", -EINVAL, 0, "mount: missing" },
        { "a number", "1", -EINVAL, 0, "line 1" },
        { "an array in an array", "[[]]", -EINVAL, 0, "observation 1:" },
};

START_TEST(test_list)
{
        struct snapshot s = { 0 };
        cleanup_free char *words = NULL;
        int r = observations_from_json(lists[_i].text, strlen(lists[_i].text), &s, &words);

        ck_assert_msg(r == lists[_i].result, "%s: %d (%s)", lists[_i].name, r, words);
        ck_assert_msg(s.n_mounts == lists[_i].n, "%s: %zu", lists[_i].name, s.n_mounts);
        ck_assert_msg(!lists[_i].words || (words && strstr(words, lists[_i].words)), "%s: \"%s\"", lists[_i].name,
                      words);
        snapshot_done(&s);
}
END_TEST

START_TEST(test_text)
{
        struct observation o = { 0 };
        char *words = NULL;
        int r = observation_from_json(texts[_i].text, strlen(texts[_i].text), &o, &words);

        ck_assert_msg(r == texts[_i].result, "%s: %d (%s)", texts[_i].name, r, words);
        ck_assert_msg((words != NULL) == (r == -EINVAL), "%s: words", texts[_i].name);
        if (r == 0) {
                ck_assert_str_eq(o.mount.server, "");
                ck_assert_str_eq(o.mount.export_path, "/");
                ck_assert_str_eq(o.mount.propagation, "");
        }
        observation_done(&o);
        free(words);
}
END_TEST

START_TEST(test_array_cap)
{
        for (size_t n = JSON_ARRAY_MAX; n <= JSON_ARRAY_MAX + 1; n++) {
                struct text t = { 0 };
                struct observation o = { 0 };

                text_add(&t, "{" MOUNT "},\"shares_superblock_with\":[\"\"");
                for (size_t i = 1; i < n; i++)
                        text_add_bytes(&t, ",\"\"", 3);
                text_add(&t, "]}");
                size_t length = t.length_bytes;
                cleanup_free char *text = text_take(&t);
                int r = observation_from_json(text, length, &o, NULL);
                ck_assert_msg(r == (n > JSON_ARRAY_MAX ? -EINVAL : 0), "%zu: %d", n, r);
                observation_done(&o);
        }
}
END_TEST

START_TEST(test_saturation)
{
        struct observation o = { .mount = { .target = strdup("/t"), .source = strdup("h:/s"), .fstype = strdup("nfs") },
                                 .read_ahead_kib = UINT64_MAX };
        struct observation back = { 0 };
        cleanup_free char *text = observation_to_json(&o);

        ck_assert_int_eq(observation_from_json(text, strlen(text), &back, NULL), 0);
        ck_assert_uint_eq(back.read_ahead_kib, INT64_MAX);
        observation_done(&o);
        observation_done(&back);
}
END_TEST

static const struct {
        const char *name, *text;
} bad_parts[] = {
        { "no part", "{}" },
        { "unknown part", "{\"part\":\"weather\",\"weather\":{}}" },
        { "part without its member", "{\"part\":\"server\"}" },
        { "the other member", "{\"part\":\"server\",\"probe\":{}}" },
        { "wrong type within", "{\"part\":\"server\",\"server\":{\"detail\":\"new\",\"null_replies\":\"many\"}}" },
        { "part of another type", "{\"part\":1}" },
        { "cut", "{\"part\":\"probe\",\"probe\":{\"reason\":\"new\"" },
};

START_TEST(test_bad_part)
{
        struct observation o = { .server.detail = strdup("old"), .probe.reason = strdup("old") };
        char *words = NULL;

        ck_assert_msg(observation_apply_part(&o, bad_parts[_i].text, strlen(bad_parts[_i].text), &words) == -EINVAL,
                      "%s", bad_parts[_i].name);
        ck_assert_ptr_nonnull(words);
        ck_assert_str_eq(o.server.detail, "old");
        ck_assert_str_eq(o.probe.reason, "old");
        free(words);
        observation_done(&o);
}
END_TEST

/* Every mount of every recorded host, through JSON. */
static void recorded_check(const char *path, const char *name)
{
        struct mounttable t = { 0 };

        ck_assert_msg(mounttable_read(path, &t) == 0, "%s", name);
        for (size_t i = 0; i < t.n_mounts; i++) {
                struct observation o = { .mount = t.mounts[i] }, back = { 0 };
                cleanup_free char *text = observation_to_json(&o);

                for (unsigned w = 0; w < WORKLOAD_COUNT; w++)
                        o.probe.results[w].workload = w;
                ck_assert_int_eq(observation_from_json(text, strlen(text), &back, NULL), 0);
                same_observation(&o, &back);
                observation_done(&back);
        }
        mounttable_done(&t);
}

START_TEST(test_recorded)
{
        for (unsigned i = 0; i < 2; i++) {
                cleanup_free char *dir = path_join(TEST_DATA, i ? "cases/mountinfo" : "cases/mounts");
                char **names;
                size_t n;

                ck_assert_int_eq(dir_list(dir, "", 1000, strcmp, &names, &n), 0);
                for (size_t k = 0; k < n; k++) {
                        cleanup_free char *path = path_join(dir, names[k]);
                        recorded_check(path, names[k]);
                }
                names_free(names, n);
        }
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/observation_json");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_loop_test(t, test_random, 0, 5);
        tcase_add_test(t, test_parts);
        tcase_add_loop_test(t, test_string, 0, ARRAY_SIZE(strings));
        tcase_add_loop_test(t, test_bad_string, 0, ARRAY_SIZE(bad_strings));
        tcase_add_test(t, test_string_cap);
        tcase_add_loop_test(t, test_list, 0, ARRAY_SIZE(lists));
        tcase_add_loop_test(t, test_text, 0, ARRAY_SIZE(texts));
        tcase_add_test(t, test_array_cap);
        tcase_add_test(t, test_saturation);
        tcase_add_loop_test(t, test_bad_part, 0, ARRAY_SIZE(bad_parts));
        tcase_add_test(t, test_recorded);
        suite_add_tcase(s, t);
        return suite_run(s);
}
