/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tests/unit/policy_world.h - observations built from the lines people know.
 *
 * Header only, because a policy test links libpolicy.a and nothing else of ours.
 */
#pragma once

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "policy/evaluate.h"
#include "policy/names.h"
#include "policy/text.h"

#define NOW (100 * USEC_PER_DAY)

struct world {
        struct observation o;
        struct params p;
        struct advice a;
};

static inline char *world_copy(const char *s)
{
        char *copy = strdup(s);

        ck_assert_ptr_nonnull(copy);
        return copy;
}

static inline struct options world_options(const char *text)
{
        struct options o = { 0 };

        ck_assert_msg(options_parse(text, strlen(text), &o) == 0, "options %s", text);
        return o;
}

/* A mount of server:/data at @target. */
static inline void world_init(struct world *w, const char *target, const char *vfs, const char *super)
{
        *w = (struct world){ 0 };
        ck_assert_int_eq(params_init(&w->p), 0);
        w->o.mount = (struct mount_facts){
                .mount_id = 30, .parent_id = 1, .device = { 0, 50 },
                .target = world_copy(target),
                .source = world_copy("server:/data"),
                .server = world_copy("server"),
                .export_path = world_copy("/data"),
                .fstype = world_copy(strstr(super, "vers=4") ? "nfs4" : "nfs"),
                .vfs = world_options(vfs),
                .super = world_options(super),
                .propagation = world_copy(""),
        };
        w->o.mount.read_only = strncmp(vfs, "ro", 2) == 0 || strncmp(super, "ro", 2) == 0;
        w->o.liveness = LIVENESS_ALIVE;
}

static inline void world_done(struct world *w)
{
        advice_done(&w->a);
        observation_done(&w->o);
        params_done(&w->p);
}

static inline struct requested *world_source(struct world *w, enum place_kind kind, const char *file, unsigned line,
                                             const char *text, const char *options)
{
        struct requested *r;

        w->o.requested = reallocarray(w->o.requested, w->o.n_requested + 1, sizeof(*r));
        ck_assert_ptr_nonnull(w->o.requested);
        r = &w->o.requested[w->o.n_requested++];
        *r = (struct requested){
                .place = { .kind = kind, .file = file ? world_copy(file) : NULL, .line = line },
                .text = world_copy(text),
                .options_text = world_copy(options),
                .options = world_options(options),
        };
        return r;
}

/* @options: the fourth column of @line. */
static inline void world_fstab(struct world *w, unsigned number, const char *line, const char *options)
{
        world_source(w, PLACE_FSTAB, "/etc/fstab", number, line, options);
}

static inline void world_conf(struct world *w, unsigned number, const char *options)
{
        world_source(w, PLACE_NFSMOUNT_CONF, "/etc/nfsmount.conf", number, options, options)->is_default = true;
}

static inline void world_record(struct world *w, const char *options)
{
        world_source(w, PLACE_UNKNOWN, "/run/mount/utab", 0, options, options)->is_record = true;
}

static inline void world_limits(struct world *w, uint64_t read_bytes, uint64_t write_bytes)
{
        w->o.server.limit_source = LIMIT_FSINFO;
        w->o.server.read_max_bytes = read_bytes;
        w->o.server.write_max_bytes = write_bytes;
}

static inline void world_null(struct world *w, usec_t median_usec)
{
        w->o.server.null_answer = ANSWER_OK;
        w->o.server.null_replies = 5;
        w->o.server.null_median_usec = median_usec;
}

static inline void world_stable(struct world *w, size_t i, uint64_t size_bytes, unsigned n, usec_t p50_usec)
{
        w->o.probe.state = PROBE_ACTIVE;
        w->o.probe.stable[i] = (struct stable_latency){
                .size_bytes = size_bytes,
                .latency = { .n = n, .p50_usec = p50_usec, .p99_usec = p50_usec, .max_usec = p50_usec },
        };
}

static inline void world_editor_save(struct world *w, usec_t write_usec, usec_t total_usec)
{
        w->o.probe.state = PROBE_ACTIVE;
        w->o.probe.results[WORKLOAD_EDITOR_SAVE] = (struct workload_result){
                .workload = WORKLOAD_EDITOR_SAVE, .outcome = OUTCOME_OK, .written_bytes = 256 * KIB,
                .write = { .n = 32, .p50_usec = write_usec, .p99_usec = write_usec, .max_usec = write_usec },
                .total_usec = total_usec,
        };
}

/* A [mount] section for the target, to be filled in. */
static inline struct mount_params *world_section(struct world *w)
{
        if (w->p.n_mounts == 0) {
                w->p.mounts = calloc(1, sizeof(*w->p.mounts));
                ck_assert_ptr_nonnull(w->p.mounts);
                w->p.n_mounts = 1;
                w->p.mounts[0].path = world_copy(w->o.mount.target);
        }
        return &w->p.mounts[0];
}

static inline void world_keep(struct world *w, const char *name)
{
        struct mount_params *m = world_section(w);

        m->keep = reallocarray(m->keep, m->n_keep + 1, sizeof(*m->keep));
        ck_assert_ptr_nonnull(m->keep);
        m->keep[m->n_keep++] = world_copy(name);
}

static inline void world_evaluate(struct world *w)
{
        advice_done(&w->a);
        ck_assert_int_eq(evaluate(&w->o, &w->p, NOW, &w->a), 0);
}

static inline const struct recommendation *world_find(const struct world *w, enum rule rule)
{
        for (size_t i = 0; i < w->a.n_recommendations; i++)
                if (w->a.recommendations[i].rule == rule)
                        return &w->a.recommendations[i];
        return NULL;
}

static inline const struct cannot_tell *world_undecided(const struct world *w, enum rule rule)
{
        for (size_t i = 0; i < w->a.n_cannot_tell; i++)
                if (w->a.cannot_tell[i].rule == rule)
                        return &w->a.cannot_tell[i];
        return NULL;
}

/* Like "sync-client:configured stale-io-size:configured"; the caller frees. */
static inline char *world_summary(const struct world *w)
{
        struct text t = { 0 };
        char *s;

        for (size_t i = 0; i < w->a.n_recommendations; i++)
                text_add(&t, "%s%s:%s", i > 0 ? " " : "", rule_name(w->a.recommendations[i].rule),
                         confidence_name(w->a.recommendations[i].confidence));
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

/* Comma-separated drop list; the caller frees. */
static inline char *world_drops(const struct recommendation *r)
{
        struct text t = { 0 };
        char *s;

        for (size_t i = 0; i < r->n_drop; i++)
                text_add(&t, "%s%s", i > 0 ? "," : "", r->drop[i]);
        s = text_take(&t);
        ck_assert_ptr_nonnull(s);
        return s;
}

/* xorshift64: the same worlds for the same seed everywhere. */
static inline uint64_t world_random(uint64_t *state)
{
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        return *state;
}

/* NFSTUNED_SEED=N in the environment repeats a failure. */
static inline uint64_t world_seed(void)
{
        const char *given = getenv("NFSTUNED_SEED");
        uint64_t seed = given ? strtoull(given, NULL, 0) : 0x5eed2049ULL;

        return seed ? seed : 1;
}

static inline int world_run(const char *name, const TTest *const *tests, size_t n)
{
        Suite *s = suite_create(name);
        SRunner *sr;
        int failed;

        for (size_t i = 0; i < n; i++) {
                TCase *tc = tcase_create(tests[i]->name);

                tcase_set_timeout(tc, 60);
                tcase_add_test(tc, tests[i]);
                suite_add_tcase(s, tc);
        }
        sr = srunner_create(s);
        srunner_run_all(sr, CK_NORMAL);
        failed = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failed == 0 ? 0 : 1;
}
#define WORLD_MAIN(name, ...)                                                           \
        int main(void)                                                                  \
        {                                                                               \
                const TTest *const tests[] = { __VA_ARGS__ };                           \
                                                                                        \
                return world_run(name, tests, ARRAY_SIZE(tests));                       \
        }
