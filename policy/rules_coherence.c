/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_coherence.c - the rules about sync, caches and what others see. DESIGN section 6.
 *
 * Such a setting costs time with every call, and may be what makes programs on
 * several hosts work at all: where that is likely it is asked about.
 */
#include "policy/rules.h"

#include <errno.h>
#include <string.h>

#include "policy/address.h"
#include "policy/counter_means.h"
#include "policy/names.h"
#include "policy/recommend.h"
#include "policy/sources.h"
#include "policy/stable.h"

/* ---- words that the rules share --------------------------------------------- */

static const struct requested *source_naming_any(const struct observation *o, const char *const *names)
{
        for (; *names; names++) {
                const struct requested *r = source_naming(o, *names);

                if (r)
                        return r;
        }
        return NULL;
}

/* "the mount is rw,sync (mount table); fstab line 7 asks for it" */
static void add_origin(struct text *t, const struct rule_context *c, const char *setting, const char *const *names)
{
        const struct requested *source = source_naming_any(c->o, names);

        if (c->o->only_requested) {
                if (source)
                        text_add_source(t, source);
                else
                        text_add(t, "a line");
                text_add(t, " asks for %s", setting);
                return;
        }
        text_add(t, "the mount is %s (mount table)", setting);
        if (source) {
                text_add(t, "; ");
                text_add_source(t, source);
                text_add(t, " asks for it");
        }
}

/* What speaks for keeping such a setting at a path of that class. */
static const char *class_reason(enum path_class class)
{
        switch (class) {
        case PATH_DATABASE:
                return "a database's vendor may prescribe it";
        case PATH_ORACLE:
                return "Oracle prescribes mount options for them and checks some of them at run time";
        case PATH_HYPERVISOR:
                return "the hypervisor's vendor may prescribe it";
        case PATH_STORAGE_DRIVER:
                return "the driver may set it for a reason";
        case PATH_MAIL_SPOOL:
                return "mail servers that share a spool need to see each other's changes at once";
        case PATH_CLUSTER:
                return "hosts that share it may need to see each other's changes at once, and vendors' guides listed "
                       "it";
        case PATH_ORDINARY:
        case PATH_KUBELET:
        case PATH_CONTAINER:
        case PATH_CLASS_COUNT:
                break;
        }
        return "";
}

/* "is noac intended here? The path looks like a mail spool: mail servers ... at once. " */
static void add_question(struct text *t, const struct rule_context *c, const char *setting)
{
        text_add(t, "is %s intended here? ", setting);
        if (path_may_be_deliberate(c->path_class))
                text_add(t, "The path looks like %s: %s. ", path_class_words(c->path_class),
                         class_reason(c->path_class));
}

/* ---- sync-client ----------------------------------------------------------- */

static const char *const sync_names[] = { "sync", NULL };

/* noac brings sync with it, and the kernel puts it back: dropping sync alone does nothing. */
static bool sync_is_chosen(const struct rule_context *c)
{
        return c->effective.sync && !c->effective.noac && !c->o->mount.read_only &&
               !mount_params_keeps(c->mount_params, "sync");
}

/* The administrator's word, then the server's own, then what the probe looks like. */
static bool export_is_believed_async(const struct rule_context *c)
{
        if (c->mount_params->export_setting != EXPORT_AUTO)
                return c->mount_params->export_setting == EXPORT_ASYNC;
        if (c->o->export_facts.known)
                return c->o->export_facts.async;
        return !c->mount_params->stable_storage && stable_look(c->o) == STABLE_NOT_WAITED_FOR;
}

static const char *look_words(enum stable_look look)
{
        switch (look) {
        case STABLE_STORED:
                return "the export looks sync (probe)";
        case STABLE_NOT_WAITED_FOR:
                return "the export looks async or has a non-volatile cache (probe)";
        case STABLE_UNKNOWN:
                break;
        }
        return "whether the export is sync is not known";
}

static void add_export(struct text *t, const struct rule_context *c)
{
        enum export_setting setting = c->mount_params->export_setting;
        const struct export_facts *facts = &c->o->export_facts;

        if (setting != EXPORT_AUTO) {
                text_add(t, "the export is %s (configuration)", setting == EXPORT_SYNC ? "sync" : "async");
        } else if (facts->known) {
                text_add(t, "the export is %s (", facts->async ? "async" : "sync");
                text_add_place(t, &facts->place);
                text_add(t, ")");
        } else {
                text_add(t, "%s", look_words(stable_look(c->o)));
        }
}

static int write_sync_evidence(const struct rule_context *c, struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        add_origin(&t, c, c->o->only_requested ? "sync" : "rw,sync", sync_names);
        text_add(&t, "; ");
        add_export(&t, c);
        text_add_sharers(&t, c->o);
        return recommend_words(&r->evidence, &t);
}

static bool save_is_measured(const struct observation *o)
{
        const struct workload_result *w = &o->probe.results[WORKLOAD_EDITOR_SAVE];

        return o->probe.state == PROBE_ACTIVE && (w->outcome == OUTCOME_OK || w->outcome == OUTCOME_TIME_BUDGET) &&
               w->write.n > 0 && w->written_bytes > 0 && w->total_usec > 0;
}

/* What the mount waits for once, at close, when it is async: a COMMIT, or the
 * slowest stable write that was seen. 0: not measured. */
static usec_t commit_usec(const struct probe_result *p)
{
        for (size_t i = STABLE_SIZES; i > 0; i--)
                if (p->stable[i - 1].latency.n > 0)
                        return p->stable[i - 1].latency.p50_usec;
        return 0;
}

/* The best that an async mount could make of the save. */
struct bound {
        usec_t commit_usec;
        usec_t trip_usec;       /* 0: not measured */
        usec_t best_usec;       /* both together; 0: not known, or not below what was measured */
};

static struct bound save_bound(const struct observation *o)
{
        struct bound b = {
                .commit_usec = commit_usec(&o->probe),
                .trip_usec = o->server.null_replies > 0 ? o->server.null_median_usec : 0,
        };
        usec_t best = b.commit_usec + b.trip_usec;

        if (b.commit_usec > 0 && best < o->probe.results[WORKLOAD_EDITOR_SAVE].total_usec)
                b.best_usec = best;
        return b;
}

static void add_bound(struct text *t, const struct bound *b)
{
        text_add(t, "at best about one round trip plus one COMMIT");
        if (b->best_usec == 0)
                return;
        text_add(t, ", ");
        text_add_usec(t, b->best_usec);
        text_add(t, " (");
        if (b->trip_usec > 0) {
                text_add_usec(t, b->trip_usec);
                text_add(t, " and ");
        }
        text_add_usec(t, b->commit_usec);
        text_add(t, ", probe): an upper bound, not a trial");
}

/* An upper bound from the probe that ran while the mount was sync. */
static int write_sync_gain(const struct rule_context *c, struct recommendation *r)
{
        const struct workload_result *w = &c->o->probe.results[WORKLOAD_EDITOR_SAVE];
        cleanup(text_done) struct text t = { 0 };
        struct bound b;

        if (!save_is_measured(c->o))
                return 0;
        b = save_bound(c->o);
        if (b.best_usec > 0)
                r->gain_permille = (unsigned)(1000 * (w->total_usec - b.best_usec) / w->total_usec);
        text_add(&t, "each 8 KiB write waits ");
        text_add_usec(&t, w->write.p50_usec);
        text_add(&t, " for stable storage now (");
        text_add_size(&t, w->written_bytes);
        text_add(&t, " in ");
        text_add_usec(&t, w->total_usec);
        text_add(&t, "); async waits once, at close: ");
        add_bound(&t, &b);
        return recommend_words(&r->gain, &t);
}

static bool path_is_owned(enum path_class class)
{
        return class == PATH_KUBELET || class == PATH_CONTAINER;
}

/* The change reaches all mounts of the superblock. Return: the first of the others whose path is of that kind, or
 * NULL. */
static const char *sharer_that(const struct observation *o, bool (*is)(enum path_class class))
{
        for (size_t i = 0; i < o->n_shares; i++)
                if (is(path_classify(o->shares_superblock_with[i])))
                        return o->shares_superblock_with[i];
        return NULL;
}

/* A gateway's near end (HDFS, MapR, object stores): a program of this host that may need its writes in order, and
 * memory of this host to take them. A helper's proxy is none: the server is behind it. */
static bool server_is_a_local_program(const struct rule_context *c)
{
        bool local = address_is_loopback(c->effective.address) || address_is_loopback(c->o->mount.server);

        return local && (c->effective.port == 0 || c->effective.port == 2049);
}

static int write_sync_keep(const struct rule_context *c, struct recommendation *r)
{
        const char *sharer = sharer_that(c->o, path_may_be_deliberate);
        cleanup(text_done) struct text t = { 0 };

        if (r->question)
                add_question(&t, c, "sync");
        if (sharer)
                text_add(&t, "%s shares the superblock, so that it would lose sync too, and looks like %s. ", sharer,
                         path_class_words(path_classify(sharer)));
        if (server_is_a_local_program(c))
                text_add(&t, "The server is this host: the guides of gateways to other storage (HDFS) ask for sync, so "
                             "that writes reach them in order. ");
        if (export_is_believed_async(c))
                text_add(&t, "An async export keeps no promise at close() either, and sync at least takes every write "
                             "off this client at once. ");
        text_add(&t, "%s sync where another host reads a file while it is being written",
                 r->question ? "Keep" : "keep");
        return recommend_words(&r->keep, &t);
}

static int write_sync_risk(const struct rule_context *c, struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        text_add(&t,
                 "close() and fsync() still wait until the server has the data%s; given up: data of a file that is "
                 "not closed yet is lost when this client crashes, and a program that does not check the result of "
                 "close() misses a late error",
                 export_is_believed_async(c) ? "" : " on stable storage, as long as the export is sync");
        return recommend_words(&r->risk, &t);
}

int rule_sync_client(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;

        if (!sync_is_chosen(c))
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_CONFIGURED;
        r->method = METHOD_LIVE;
        r->question = export_is_believed_async(c) || path_may_be_deliberate(c->path_class) ||
                      sharer_that(c->o, path_may_be_deliberate) || server_is_a_local_program(c);
        r->automatic = !r->question && !sharer_that(c->o, path_is_owned);
        if (recommend_drop(r, "sync") < 0 || recommend_place(r, c) < 0 ||
            recommend_sentence(&r->summary, "sync makes every write wait for the server's stable storage") < 0 ||
            write_sync_evidence(c, r) < 0 || write_sync_gain(c, r) < 0 || write_sync_keep(c, r) < 0 ||
            write_sync_risk(c, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

/* ---- noac, actimeo=0, lookupcache=none ---------------------------------------- */

/* A cache that was switched off. Always a question: nobody writes it by habit. */
struct cache_setting {
        const char *setting;            /* "noac" */
        const char *const *names;       /* options that say it */
        enum rpc_op op;                 /* the calls that it adds most of */
        const char *summary;
        const char *note;               /* more evidence, or NULL */
        const char *keep;
        const char *risk;
};

/* "GETATTR is 900 of 1200 calls so far, 0.4 ms each (mountstats)" */
static void add_calls(struct text *t, const struct counters *counters, enum rpc_op op)
{
        const struct rpc_op_counters *calls = &counters->op[op];
        uint64_t total = 0;

        if (!counters->known || calls->calls == 0)
                return;
        for (size_t i = 0; i < RPC_OP_COUNT; i++)
                total = add_saturated(total, counters->op[i].calls);
        text_add(t, "; %s is %llu of %llu calls so far, ", rpc_op_name(op), (unsigned long long)calls->calls,
                 (unsigned long long)total);
        text_add_usec(t, mean_of_msec_usec(calls->round_trip_msec, calls->calls));
        text_add(t, " each (mountstats)");
}

static int write_cache_evidence(const struct rule_context *c, const struct cache_setting *s, struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        add_origin(&t, c, s->setting, s->names);
        if (s->note)
                text_add(&t, "; %s", s->note);
        if (c->o->mount.read_only)
                text_add(&t, "; the mount is read-only, and every look at a file still asks the server");
        add_calls(&t, &c->o->counters, s->op);
        text_add_sharers(&t, c->o);
        return recommend_words(&r->evidence, &t);
}

static int write_cache_words(const struct rule_context *c, const struct cache_setting *s, struct recommendation *r)
{
        cleanup(text_done) struct text keep = { 0 };

        add_question(&keep, c, s->setting);
        text_add(&keep, "%s", s->keep);
        if (recommend_sentence(&r->summary, s->summary) < 0 || recommend_words(&r->keep, &keep) < 0 ||
            recommend_replace_risk(r, c, s->risk) < 0)
                return -ENOMEM;
        return write_cache_evidence(c, s, r);
}

static int ask_about(const struct rule_context *c, const struct cache_setting *s, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;

        if (keeps_any(c, s->names))
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_CONFIGURED;
        r->method = METHOD_REPLACE;
        r->question = true;
        if (recommend_drop_options(r, c->o, s->names) < 0 || recommend_place(r, c) < 0 ||
            write_cache_words(c, s, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

#define SEEN_LATER                                                                                           \
        "given up: changes of other hosts are then seen at the next open() or after up to 60 s, and new or " \
        "removed names after up to 60 s; "

int rule_noac(const struct rule_context *c, struct rule_result *ret)
{
        static const char *const names[] = { "noac", NULL };
        static const struct cache_setting noac = {
                .setting = "noac",
                .names = names,
                .op = RPC_OP_GETATTR,
                .summary = "noac asks the server at every look at a file, and makes every write wait for its stable "
                           "storage",
                .note = "it brings sync and attribute timeouts of 0, which go with it unless they are asked for too",
                .keep = "Keep noac if programs on several hosts work on the same files here without locks, or if their "
                        "documentation demands it: MPI-IO does, and Oracle for some files of a cluster, though not for "
                        "backups and Data Pump",
                .risk = SEEN_LATER "actimeo=1 is a middle way for other hosts' changes, without the slow writes",
        };

        return c->effective.noac ? ask_about(c, &noac, ret) : VERDICT_QUIET;
}

/* Are all four attribute timeouts said, and 0? What stands last counts. */
static bool attribute_timeouts_are_zero(const struct options *o)
{
        static const char *const names[] = { "acregmin", "acregmax", "acdirmin", "acdirmax" };
        bool zero[ARRAY_SIZE(names)] = { false };
        bool all = true;

        for (size_t i = 0; i < o->n_items; i++)
                for (size_t k = 0; k < ARRAY_SIZE(names); k++)
                        if (strcmp(o->items[i].name, names[k]) == 0 || strcmp(o->items[i].name, "actimeo") == 0)
                                zero[k] = o->items[i].value && strcmp(o->items[i].value, "0") == 0;
        for (size_t k = 0; k < ARRAY_SIZE(names); k++)
                all = all && zero[k];
        return all;
}

int rule_attribute_cache_off(const struct rule_context *c, struct rule_result *ret)
{
        static const char *const names[] = { "actimeo", "acregmin", "acregmax", "acdirmin", "acdirmax", NULL };
        static const struct cache_setting off = {
                .setting = "actimeo=0",
                .names = names,
                .op = RPC_OP_GETATTR,
                .summary = "actimeo=0 asks the server at every look at a file",
                .note = "that is, all four attribute timeouts are 0",
                .keep = "Keep it if programs on several hosts follow each other's changes here without opening the "
                        "files again, or if a vendor prescribes it for what lives here",
                .risk = SEEN_LATER "actimeo=1 is a middle way",
        };

        /* noac says all of it, and Oracle's files do not open without it. */
        if (c->effective.noac || c->path_class == PATH_ORACLE || !attribute_timeouts_are_zero(&c->o->mount.super))
                return VERDICT_QUIET;
        return ask_about(c, &off, ret);
}

int rule_lookupcache_none(const struct rule_context *c, struct rule_result *ret)
{
        static const char *const names[] = { "lookupcache", NULL };
        static const struct cache_setting none = {
                .setting = "lookupcache=none",
                .names = names,
                .op = RPC_OP_LOOKUP,
                .summary = "lookupcache=none asks the server for every name on the way to a file, each time",
                .keep = "Keep it if it cured stale file handles, or new files that this host saw too late",
                .risk = "given up: names that another host made or removed may be seen up to 60 s late (acdirmax); "
                        "lookupcache=pos, or acdirmin=1 and acdirmax=1 where new names come late, are middle ways that "
                        "cost less",
        };
        const char *value = options_value(&c->o->mount.super, "lookupcache");

        return value && strcmp(value, "none") == 0 ? ask_about(c, &none, ret) : VERDICT_QUIET;
}
