/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds for every mount: random option strings as effective and as
 * requested ones, through every rule and the plan, and once more after the plan
 * was carried out. NFSTUNED_SEED=N repeats a failure; every message names its world.
 */
#include "tests/unit/policy_world.h"

#include "policy/canonical.h"
#include "policy/groups.h"
#include "policy/plan.h"

#define WORLDS 1500

/* ---- option strings ----------------------------------------------------------- */

/* As people write them, with what they get wrong. */
static const char *const written[] = {
        "rw", "ro", "sync", "async", "hard", "soft", "softerr", "bg", "fg", "intr", "nointr", "rsize=8192",
        "rsize=32768", "rsize=32k", "rsize=1048576", "rsize=65536", "wsize=8192", "wsize=32768", "wsize=32k",
        "wsize=1048576", "wsize=1024", "timeo=14", "timeo=600", "timeo=50", "retrans=5", "proto=tcp", "tcp", "udp",
        "proto=udp", "vers=3", "vers=4", "vers=4.0", "vers=4.2", "nfsvers=3", "nfsvers=4", "minorversion=1", "v4.1",
        "noac", "actimeo=0", "actimeo=600", "acregmin=30", "lookupcache=none", "nolock", "nocto", "nosuid", "nodev",
        "noatime", "sec=sys", "sec=krb5", "xprtsec=tls", "nconnect=4", "noresvport", "resvport", "_netdev", "noauto",
        "x-systemd.automount", "x-systemd.requires=a.service", "x-systemd.requires=b.service", "context=\"s0:c1,c2\"",
        "comment=a\\040b", "rszie=32768", "wsize=abc", "port=2049", "fsc", "local_lock=all", "defaults", "",
        "retry=3", "nofuture=5", "subtree_check", "nosharecache", "rdirplus", "noacl", "relatime",
};

static unsigned below(uint64_t *state, unsigned n)
{
        return (unsigned)(world_random(state) % n);
}

static const char *pick(uint64_t *state, const char *const *from, size_t n)
{
        return from[below(state, (unsigned)n)];
}
#define PICK(state, ...)                                                                        \
        pick((state), (const char *const[]){ __VA_ARGS__ },                                     \
             ARRAY_SIZE(((const char *const[]){ __VA_ARGS__ })))

static char *taken(struct text *t)
{
        char *s = text_take(t);

        ck_assert_ptr_nonnull(s);
        return s;
}

/* The caller frees. */
static char *random_text(uint64_t *state)
{
        struct text t = { 0 };
        unsigned n = below(state, 9);

        for (unsigned i = 0; i < n; i++)
                text_add(&t, "%s%s", i > 0 ? "," : "", pick(state, written, ARRAY_SIZE(written)));
        return taken(&t);
}

/* What fstab's \040 means. */
static char *decoded(const char *s)
{
        struct text t = { 0 };

        for (; *s; s++)
                if (strncmp(s, "\\040", 4) == 0) {
                        text_add(&t, " ");
                        s += 3;
                } else {
                        text_add_bytes(&t, s, 1);
                }
        return taken(&t);
}

static char *printed(const struct options *o)
{
        char *s = options_format(o);

        ck_assert_ptr_nonnull(s);
        return s;
}

static struct options copied(const struct options *o)
{
        struct options copy = { 0 };

        ck_assert_int_eq(options_copy(o, &copy), 0);
        return copy;
}

static bool equal_options(const struct mount_option *a, const struct mount_option *b)
{
        return strcmp(a->name, b->name) == 0 && !a->value == !b->value &&
               (!a->value || strcmp(a->value, b->value) == 0);
}

static struct options canonical(const struct options *o)
{
        struct options c = { 0 };

        ck_assert_int_eq(canonical_make(o, &c), 0);
        return c;
}

static const char *family(const char *name)
{
        const struct option_info *i = option_info(name);

        if (strcmp(name, "minorversion") == 0)
                return "vers";
        return i && strncmp(name, "x-", 2) != 0 ? i->canonical : name;
}

static bool has_family(const struct options *o, const char *name)
{
        for (size_t i = 0; i < o->n_items; i++)
                if (strcmp(family(o->items[i].name), family(name)) == 0)
                        return true;
        return false;
}

/* ---- mounting, on paper ------------------------------------------------------------ */

static uint64_t number(const struct options *canon, const char *name, uint64_t otherwise)
{
        uint64_t value;

        return options_u64(canon, name, &value) == 0 && value > 0 ? value : otherwise;
}

static const char *word(const struct options *canon, const char *name, const char *otherwise)
{
        const char *value = options_value(canon, name);

        return value ? value : otherwise;
}

static bool says(const struct options *canon, const char *name, const char *value)
{
        return strcmp(word(canon, name, ""), value) == 0;
}

static const char *version_of(const struct options *canon)
{
        const char *v = word(canon, "vers", "4.2");

        return strcmp(v, "4") == 0 ? "4.2" : v;
}

static uint64_t size_of(const struct options *canon, const char *name, uint64_t limit, bool udp, const char *version)
{
        uint64_t cap = version[0] == '2' ? 8 * KIB : udp ? 32 * KIB : MIB;
        uint64_t asked = number(canon, name, limit > 0 ? limit : MIB);

        asked = asked < 1024 ? 4096 : asked;
        if (limit > 0)
                asked = MIN(asked, limit);
        asked = MIN(asked, cap);
        return asked < 4096 ? asked : asked / 4096 * 4096;
}

static void add_attribute_times(struct text *t, const struct options *canon, bool noac)
{
        static const struct {
                const char *name;
                uint64_t fallback;
        } times[] = { { "acregmin", 3 }, { "acregmax", 60 }, { "acdirmin", 30 }, { "acdirmax", 60 } };

        for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
                uint64_t value = times[i].fallback;

                if (options_u64(canon, times[i].name, &value) < 0)
                        value = times[i].fallback;
                if (noac)
                        value = 0;
                if (value != times[i].fallback)
                        text_add(t, ",%s=%llu", times[i].name, (unsigned long long)value);
        }
}

/* What mountinfo would show of a mount with these options (KERNEL-FACTS 1.2 and 4.1). */
static char *mounted(const struct options *asked, uint64_t read_limit, uint64_t write_limit)
{
        static const char *const flags[] = { "nocto", "noacl", "nosharecache", "fsc" };
        struct options canon = canonical(asked);
        const char *version = version_of(&canon);
        bool noac = says(&canon, "ac", "noac"), udp = says(&canon, "proto", "udp");
        struct text t = { 0 };

        text_add(&t, "%s%s,vers=%s,rsize=%llu,wsize=%llu,namlen=255", options_has(asked, "ro") ? "ro" : "rw",
                 noac || says(&canon, "sync", "sync") ? ",sync" : "", version,
                 (unsigned long long)size_of(&canon, "rsize", read_limit, udp, version),
                 (unsigned long long)size_of(&canon, "wsize", write_limit, udp, version));
        add_attribute_times(&t, &canon, noac);
        text_add(&t, ",%s%s", word(&canon, "hard", "hard"), noac ? ",noac" : "");
        for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
                if (options_has(asked, flags[i]))
                        text_add(&t, ",%s", flags[i]);
        if (version[0] != '4' && options_has(asked, "nolock"))
                text_add(&t, ",nolock");
        if (options_has(asked, "noresvport") && !options_has(asked, "resvport"))
                text_add(&t, ",noresvport");
        text_add(&t, ",proto=%s", word(&canon, "proto", "tcp"));
        if (options_value(&canon, "nconnect"))
                text_add(&t, ",nconnect=%s", options_value(&canon, "nconnect"));
        text_add(&t, ",timeo=%llu,retrans=%llu,sec=%s", (unsigned long long)number(&canon, "timeo", udp ? 11 : 600),
                 (unsigned long long)number(&canon, "retrans", udp ? 3 : 2), word(&canon, "sec", "sys"));
        if (options_value(&canon, "xprtsec"))
                text_add(&t, ",xprtsec=%s", options_value(&canon, "xprtsec"));
        if (!says(&canon, "lookupcache", "") && !says(&canon, "lookupcache", "all"))
                text_add(&t, ",lookupcache=%s", options_value(&canon, "lookupcache"));
        text_add(&t, ",local_lock=%s,addr=10.0.0.1", word(&canon, "local_lock", "none"));
        options_done(&canon);
        return taken(&t);
}

/* The own line's options and what the defaults add to them, as mount.nfs does. */
static struct options asked_together(const struct world *w, const struct options *own)
{
        struct options all = own ? copied(own) : (struct options){ 0 };

        for (size_t i = 0; i < w->o.n_requested; i++) {
                const struct requested *r = &w->o.requested[i];

                for (size_t k = 0; k < r->options.n_items && r->is_default; k++)
                        if (!has_family(&all, r->options.items[k].name))
                                ck_assert_int_eq(options_add(&all, r->options.items[k].name,
                                                             r->options.items[k].value), 0);
        }
        return all;
}

static const struct requested *own_line(const struct world *w)
{
        for (size_t i = 0; i < w->o.n_requested; i++)
                if (!w->o.requested[i].is_default && !w->o.requested[i].is_record)
                        return &w->o.requested[i];
        return NULL;
}

static void set_super(struct world *w, const char *super)
{
        options_done(&w->o.mount.super);
        w->o.mount.super = world_options(super);
        free(w->o.mount.fstype);
        w->o.mount.fstype = world_copy(strstr(super, "vers=4") ? "nfs4" : "nfs");
        w->o.mount.read_only = strncmp(super, "ro", 2) == 0;
}

/* Mounts it with what is asked for now. */
static void world_mount(struct world *w, const struct options *own)
{
        struct options all = asked_together(w, own);
        char *super = mounted(&all, w->o.server.read_max_bytes, w->o.server.write_max_bytes);

        set_super(w, super);
        free(super);
        options_done(&all);
}

/* ---- random worlds ------------------------------------------------------------------- */

static const char *const targets[] = {
        "/data", "/data", "/data", "/a b", "/oradata", "/var/mail", "/var/lib/kubelet/pods/1/volumes/x",
        "/var/lib/docker/volumes/x/_data", "/", "/vmfs/volumes/1",
};

static void replace_requested_options(struct requested *r, const char *text)
{
        char *plain = decoded(text);

        free(r->options_text);
        r->options_text = world_copy(text);
        options_done(&r->options);
        r->options = world_options(plain);
        free(plain);
}

static void add_own_line(struct world *w, uint64_t *state)
{
        char *text = random_text(state);
        struct text line = { 0 };
        struct requested *r;

        if (below(state, 4) == 0) {
                r = world_source(w, PLACE_UNIT, "/etc/systemd/system/data.mount", 8, text, "");
        } else {
                char *whole;

                text_add(&line, "server:/data\t/data nfs  %s\t0 0  # mine", *text ? text : "defaults");
                whole = taken(&line);
                r = world_source(w, PLACE_FSTAB, "/etc/fstab", 7, whole, "");
                free(whole);
        }
        replace_requested_options(r, *text || r->place.kind == PLACE_UNIT ? text : "defaults");
        free(text);
}

/* One key per line, as nfsmount.conf has it; never the same key twice. */
static void add_defaults(struct world *w, uint64_t *state)
{
        unsigned n = below(state, 3), line = 3;

        for (unsigned i = 0; i < n; i++) {
                const char *text = PICK(state, "rsize=32k", "wsize=32k", "timeo=14", "soft", "bg", "proto=tcp", "intr",
                                        "nfsvers=3", "sync", "noac", "acregmin=30");
                bool there = false;

                for (size_t k = 0; k < w->o.n_requested; k++)
                        there = there || (w->o.requested[k].is_default && strcmp(w->o.requested[k].text, text) == 0);
                if (!there)
                        world_conf(w, line++, text);
        }
}

static void random_counters(struct counters *c, uint64_t *state)
{
        c->known = true;
        c->age_sec = below(state, 1000000);
        c->transport = (struct transport_counters){
                .transports = 1, .proto = NFS_PROTO_TCP, .connects = 1 + below(state, 50),
                .sends = below(state, 2000000),
                .request_usage = below(state, 20000000), .sending_usage = below(state, 20000000),
                .backlog_usage = below(state, 2000000), .max_slots = below(state, 128), .bad_xids = below(state, 100),
        };
        for (size_t i = 0; i < RPC_OP_COUNT; i++) {
                uint64_t calls = below(state, 3) ? below(state, 200000) : 0;

                c->op[i] = (struct rpc_op_counters){
                        .calls = calls, .transmissions = calls + (below(state, 3) ? 0 : below(state, 1000)),
                        .major_timeouts = below(state, 10) ? 0 : below(state, 1000), .sent_bytes = calls * 200,
                        .received_bytes = calls * (i == RPC_OP_READ ? 60000 : 200),
                        .round_trip_msec = calls * below(state, 30), .queue_msec = calls * below(state, 3),
                        .execute_msec = calls * 40,
                };
        }
        c->normal_read_bytes = c->server_read_bytes = c->op[RPC_OP_READ].calls * 60000;
        c->normal_write_bytes = c->server_write_bytes = c->op[RPC_OP_WRITE].calls * 30000;
}

static void random_measurements(struct world *w, uint64_t *state)
{
        static const uint64_t limits[] = { 8 * KIB, 32 * KIB, 128 * KIB, 256 * KIB, MIB - 100, MIB, 4 * MIB };

        if (below(state, 3))
                world_limits(w, limits[below(state, ARRAY_SIZE(limits))], limits[below(state, ARRAY_SIZE(limits))]);
        if (below(state, 2)) {
                w->o.server.versions_known = true;
                w->o.server.versions = below(state, 32);
        }
        if (below(state, 2)) {
                world_null(w, below(state, 5000) + 100);
                world_stable(w, 0, 4 * KIB, 4, below(state, 20000));
                world_stable(w, 1, 64 * KIB, 4, below(state, 20000));
                world_editor_save(w, below(state, 20000), below(state, 500000) + 1);
        }
        if (below(state, 2))
                random_counters(&w->o.counters, state);
        w->o.read_ahead_known = below(state, 2);
        w->o.read_ahead_kib = below(state, 2) ? 128 : 15360;
        if (below(state, 10) == 0)
                w->o.liveness = LIVENESS_UNRESPONSIVE;
}

static void add_profile(struct world *w, uint64_t *state)
{
        struct server_profile *p;

        if (below(state, 4))
                return;
        p = calloc(1, sizeof(*p));
        ck_assert_ptr_nonnull(p);
        *p = (struct server_profile){
                .name = world_copy("cloud"), .title = world_copy("A cloud"), .nconnect_max = below(state, 16),
                .noresvport = (enum profile_answer)below(state, PROFILE_ANSWER_COUNT),
                .transfer_max_bytes = below(state, 2) ? 0 : 256 * KIB, .versions = below(state, 2) ? 0 : NFS_V4_1,
        };
        p->hosts = calloc(1, sizeof(char *));
        ck_assert_ptr_nonnull(p->hosts);
        p->hosts[p->n_hosts++] = world_copy("serv*");
        w->p.profiles = (struct server_profiles){ .items = p, .n_items = 1 };
}

/* Mounted as its sources say now, or with something else in between. */
static void random_world(struct world *w, uint64_t *state)
{
        const char *target = pick(state, targets, ARRAY_SIZE(targets));
        struct options other;
        char *text;

        world_init(w, target, below(state, 3) ? "rw,relatime" : "rw,nosuid,nodev,noatime", "rw,vers=4.2");
        add_profile(w, state);
        random_measurements(w, state);
        if (below(state, 4))
                add_own_line(w, state);
        add_defaults(w, state);
        if (below(state, 3)) {
                world_mount(w, own_line(w) ? &own_line(w)->options : NULL);
        } else {
                text = random_text(state);
                other = world_options(text);
                world_mount(w, &other);
                if (below(state, 2))
                        world_record(w, text);
                options_done(&other);
                free(text);
        }
        w->o.mount.below_autofs = below(state, 10) == 0;
        w->o.only_requested = own_line(w) && below(state, 8) == 0;
        if (below(state, 20) == 0) {
                free(w->o.mount.server);
                w->o.mount.server = world_copy("");
        }
}

/* What a failing world is, for its message. The caller frees. */
static char *described(const struct world *w, uint64_t seed, int i)
{
        struct text t = { 0 };
        char *super = printed(&w->o.mount.super);

        text_add(&t, "seed %llu world %d: %s on %s", (unsigned long long)seed, i, super, w->o.mount.target);
        free(super);
        for (size_t k = 0; k < w->o.n_requested; k++)
                text_add(&t, "; %s asks %s", w->o.requested[k].is_record ? "record"
                         : place_kind_name(w->o.requested[k].place.kind), w->o.requested[k].options_text);
        return taken(&t);
}

/* ---- (a) parse, print, parse ---------------------------------------------------------- */

START_TEST(parse_and_print)
{
        static const char bytes[] = "ab,=\"\\ 0'4k.\t:%#";
        uint64_t seed = world_seed(), state = seed;

        for (int i = 0; i < 20000; i++) {
                char text[40], *again;
                struct options o = { 0 }, p = { 0 };
                unsigned n = below(&state, sizeof(text) - 1);

                for (unsigned k = 0; k < n; k++)
                        text[k] = bytes[below(&state, sizeof(bytes) - 1)];
                text[n] = '\0';
                if (i % 2) {
                        again = random_text(&state);
                        snprintf(text, sizeof(text), "%s", again);
                        free(again);
                }
                if (options_parse(text, strlen(text), &o) < 0)
                        continue;
                again = printed(&o);
                ck_assert_msg(strcmp(again, text) == 0, "seed %llu: \"%s\" is printed as \"%s\"",
                              (unsigned long long)seed, text, again);
                ck_assert_int_eq(options_parse(again, strlen(again), &p), 0);
                ck_assert_msg(p.n_items == o.n_items, "seed %llu: \"%s\": %zu options, then %zu",
                              (unsigned long long)seed, text, o.n_items, p.n_items);
                for (size_t k = 0; k < o.n_items; k++)
                        ck_assert_msg(equal_options(&o.items[k], &p.items[k]), "\"%s\": option %zu", text, k);
                free(again);
                options_done(&o);
                options_done(&p);
        }
}
END_TEST

/* ---- (b) a plan that was carried out leaves nothing of itself --------------------------- */

static bool in_plan(const struct recommendation *r)
{
        return r->confidence > CONFIDENCE_POSSIBLE && !r->question && r->n_drop + r->n_set > 0 &&
               (r->method == METHOD_LIVE || r->method == METHOD_REPLACE || r->method == METHOD_SOURCE);
}

/* "# in /etc/nfsmount.conf line 3: remove …; write there instead X" */
static void edit_defaults(struct world *w, const char *replacement)
{
        static const char instead[] = "; write there instead ";

        for (size_t i = w->o.n_requested; i > 0; i--) {
                struct requested *r = &w->o.requested[i - 1];
                char words[60];
                const char *at, *end, *x;

                snprintf(words, sizeof(words), "# in /etc/nfsmount.conf line %u: remove ", r->place.line);
                at = r->is_default ? strstr(replacement, words) : NULL;
                if (!at)
                        continue;
                end = at + strcspn(at, "\n");
                x = strstr(at, instead);
                if (x && x < end) {
                        char *text = strndup(x + sizeof(instead) - 1, (size_t)(end - x) - (sizeof(instead) - 1));

                        ck_assert_ptr_nonnull(text);
                        replace_requested_options(r, text);
                        free(text);
                        continue;
                }
                requested_done(r);
                memmove(r, r + 1, (w->o.n_requested - i) * sizeof(*r));
                w->o.n_requested--;
        }
}

static void forget_records(struct world *w)
{
        for (size_t i = w->o.n_requested; i > 0; i--) {
                struct requested *r = &w->o.requested[i - 1];

                if (!r->is_record)
                        continue;
                requested_done(r);
                memmove(r, r + 1, (w->o.n_requested - i) * sizeof(*r));
                w->o.n_requested--;
        }
}

static bool is_rewritten(const struct requested *r, const struct plan *p)
{
        return !r->is_default && !r->is_record && p->place.kind == r->place.kind && p->place.line == r->place.line;
}

static void carry_out(struct world *w, struct plan *p)
{
        struct options own = world_options(p->options);
        bool rewritten = false;

        if (p->replacement)
                edit_defaults(w, p->replacement);
        for (size_t i = 0; i < w->o.n_requested; i++)
                if (is_rewritten(&w->o.requested[i], p)) {
                        replace_requested_options(&w->o.requested[i], p->options);
                        rewritten = true;
                }
        if (!rewritten && own_line(w)) {
                options_done(&own);
                own = copied(&own_line(w)->options);
        }
        if (p->replacement && strstr(p->replacement, "read_ahead_kb"))
                w->o.read_ahead_kib = strtoull(strstr(p->replacement, "read_ahead_kb}=\"") + 16, NULL, 10);
        if (w->o.only_requested || p->method == METHOD_REPLACE || strstr(p->text, " from the next ")) {
                forget_records(w);
                world_mount(w, &own);
                memset(&w->o.counters.op, 0, sizeof(w->o.counters.op));
                memset(&w->o.counters.transport, 0, sizeof(w->o.counters.transport));
        } else if (p->method == METHOD_LIVE && strstr(p->text, "remount,async")) {
                forget_records(w);
                options_drop(&w->o.mount.super, "sync");
        }
        options_done(&own);
}

START_TEST(a_plan_is_enough)
{
        uint64_t seed = world_seed(), state = seed;
        unsigned planned = 0;

        for (int i = 0; i < WORLDS; i++) {
                struct world w;
                char *name;

                random_world(&w, &state);
                name = described(&w, seed, i);
                world_evaluate(&w);
                for (int round = 0; w.a.plan.exists; round++) {
                        bool was[RULE_COUNT] = { false };
                        struct plan p = w.a.plan;

                        planned++;
                        for (size_t k = 0; k < w.a.n_recommendations; k++)
                                was[w.a.recommendations[k].rule] = in_plan(&w.a.recommendations[k]);
                        w.a.plan = (struct plan){ 0 };
                        carry_out(&w, &p);
                        world_evaluate(&w);
                        for (size_t k = 0; k < w.a.n_recommendations; k++) {
                                const struct recommendation *r = &w.a.recommendations[k];

                                /* of two faults of one option the second may show when the first is mended */
                                ck_assert_msg(!in_plan(r) || !was[r->rule] || r->rule == RULE_INVALID_OPTION,
                                              "%s\nplanned \"%s\"\nreplacement: %s\nhow: %s\nand again: %s: %s (%s)",
                                              name, p.options, p.replacement ? p.replacement : "-", p.text,
                                              rule_name(r->rule), r->summary, r->evidence);
                        }
                        ck_assert_msg(round < 3, "%s: a plan behind every plan", name);
                        plan_done(&p);
                }
                free(name);
                world_done(&w);
        }
        ck_assert_uint_gt(planned, WORLDS / 4);
}
END_TEST

/* ---- (c) order says nothing ------------------------------------------------------------ */

static void shuffle(struct options *o, uint64_t *state)
{
        for (size_t i = o->n_items; i > 1; i--) {
                size_t k = below(state, (unsigned)i);
                struct mount_option x = o->items[i - 1];

                o->items[i - 1] = o->items[k];
                o->items[k] = x;
        }
}

/* Does the place in the list carry meaning? */
static bool order_matters(const struct options *o)
{
        static const char *const names[] = { "noac", "actimeo", "user", "defaults", "" };

        for (size_t i = 0; i < ARRAY_SIZE(names); i++)
                if (options_has(o, names[i]))
                        return true;
        for (size_t i = 0; i < o->n_items; i++)
                for (size_t k = 0; k < i; k++)
                        if (strcmp(family(o->items[i].name), family(o->items[k].name)) == 0)
                                return true;
        return false;
}

static int compare_words(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Rules with what they change, in an order of their own. The caller frees. */
static char *essence(const struct advice *a)
{
        struct text t = { 0 };

        for (size_t i = 0; i < a->n_recommendations; i++) {
                const struct recommendation *r = &a->recommendations[i];

                if (r->n_drop > 0)
                        qsort(r->drop, r->n_drop, sizeof(*r->drop), compare_words);
                if (r->n_set > 0)
                        qsort(r->set, r->n_set, sizeof(*r->set), compare_words);
                text_add(&t, " %s:%s", rule_name(r->rule), confidence_name(r->confidence));
                for (size_t k = 0; k < r->n_drop; k++)
                        text_add(&t, " -%s", r->drop[k]);
                for (size_t k = 0; k < r->n_set; k++)
                        text_add(&t, " +%s", r->set[k]);
        }
        return taken(&t);
}

static void check_same(const struct options *was, const struct options *is, const char *name)
{
        char *before = printed(was), *after = printed(is);

        ck_assert_msg(strcmp(before, after) == 0, "%s: the plan means %s, no longer %s", name, after, before);
        free(before);
        free(after);
}

START_TEST(order_of_options)
{
        uint64_t seed = world_seed(), state = seed;
        unsigned shuffled = 0;

        for (int i = 0; i < WORLDS; i++) {
                char *name, *before, *after;
                struct options was = { 0 }, is = { 0 }, meant, means;
                bool skip = false;
                struct world w;

                random_world(&w, &state);
                for (size_t k = 0; k < w.o.n_requested; k++)
                        skip = skip || order_matters(&w.o.requested[k].options) ||
                               strchr(w.o.requested[k].options_text, '\\');
                if (skip) {
                        world_done(&w);
                        continue;
                }
                shuffled++;
                name = described(&w, seed, i);
                world_evaluate(&w);
                before = essence(&w.a);
                if (w.a.plan.exists)
                        was = world_options(w.a.plan.options);
                shuffle(&w.o.mount.super, &state);
                for (size_t k = 0; k < w.o.n_requested; k++) {
                        struct requested *r = &w.o.requested[k];

                        shuffle(&r->options, &state);
                        free(r->options_text);
                        r->options_text = printed(&r->options);
                }
                world_evaluate(&w);
                after = essence(&w.a);
                ck_assert_msg(strcmp(before, after) == 0, "%s:\nbefore%s\nafter %s", name, before, after);
                if (w.a.plan.exists)
                        is = world_options(w.a.plan.options);
                meant = canonical(&was);
                means = canonical(&is);
                check_same(&meant, &means, name);
                options_done(&meant);
                options_done(&means);
                options_done(&was);
                options_done(&is);
                free(before);
                free(after);
                free(name);
                world_done(&w);
        }
        ck_assert_uint_gt(shuffled, WORLDS / 10);
}
END_TEST

#define MOUNTS 40

/* Number of the group of each mount, by the mount's own number. */
static void partition(const struct world *worlds, const size_t *order, size_t ret[static MOUNTS])
{
        const struct observation *o[MOUNTS];
        const struct advice *a[MOUNTS];
        struct groups g;

        for (size_t i = 0; i < MOUNTS; i++) {
                o[i] = &worlds[order[i]].o;
                a[i] = &worlds[order[i]].a;
        }
        ck_assert_int_eq(groups_make(o, a, MOUNTS, &g), 0);
        for (size_t i = 0; i < g.n_items; i++) {
                size_t least = MOUNTS;

                for (size_t k = 0; k < g.items[i].n_members; k++)
                        least = MIN(least, order[g.items[i].members[k]]);
                for (size_t k = 0; k < g.items[i].n_members; k++)
                        ret[order[g.items[i].members[k]]] = least;
        }
        groups_done(&g);
}

START_TEST(order_of_mounts)
{
        uint64_t seed = world_seed(), state = seed;

        for (int round = 0; round < 20; round++) {
                struct world worlds[MOUNTS];
                size_t order[MOUNTS], first[MOUNTS], second[MOUNTS];

                for (size_t i = 0; i < MOUNTS; i++) {
                        uint64_t of_template = seed + below(&state, 12);

                        of_template = of_template ? of_template : 1;
                        random_world(&worlds[i], &of_template);
                        worlds[i].o.mount.device.minor = below(&state, 30);
                        world_evaluate(&worlds[i]);
                        order[i] = i;
                }
                partition(worlds, order, first);
                for (size_t i = MOUNTS; i > 1; i--) {
                        size_t k = below(&state, (unsigned)i), x = order[i - 1];

                        order[i - 1] = order[k];
                        order[k] = x;
                }
                partition(worlds, order, second);
                for (size_t i = 0; i < MOUNTS; i++)
                        ck_assert_msg(first[i] == second[i], "seed %llu round %d: mount %zu: with %zu, then with %zu",
                                      (unsigned long long)seed, round, i, first[i], second[i]);
                for (size_t i = 0; i < MOUNTS; i++)
                        world_done(&worlds[i]);
        }
}
END_TEST

/* ---- (d) what a plan never does ----------------------------------------------------------- */

/* Every option of that family in a list, as one text. The caller frees. */
static char *of_family(const struct options *o, const char *name)
{
        struct text t = { 0 };

        for (size_t i = 0; i < o->n_items; i++)
                if (strcmp(family(o->items[i].name), name) == 0)
                        text_add(&t, "%s=%s ", o->items[i].name, o->items[i].value ? o->items[i].value : "");
        return taken(&t);
}

static void check_never(const struct options *before, const struct options *after, const char *name)
{
        static const char *const never[] = { "soft", "softerr", "nolock", "nocto", "async" };
        static const char *const untouched[] = { "sec", "xprtsec", "vers" };

        for (size_t i = 0; i < ARRAY_SIZE(never); i++)
                ck_assert_msg(!options_has(after, never[i]) || options_has(before, never[i]), "%s: %s", name, never[i]);
        for (size_t i = 0; i < ARRAY_SIZE(untouched); i++) {
                char *was = of_family(before, untouched[i]), *is = of_family(after, untouched[i]);

                ck_assert_msg(strcmp(was, is) == 0, "%s: %swas made %s", name, was, is);
                free(was);
                free(is);
        }
}

/* Does a recommendation of the plan name this option, or set another of its family? */
static bool is_named(const struct world *w, const char *name, enum plan_scope scope)
{
        for (size_t i = 0; i < w->a.n_recommendations; i++) {
                const struct recommendation *r = &w->a.recommendations[i];
                char *const *const lists[] = { r->drop, r->set };
                const size_t n[] = { r->n_drop, r->n_set };

                if (!in_plan(r) || (scope == PLAN_AUTOMATIC && !r->automatic))
                        continue;
                for (size_t list = 0; list < ARRAY_SIZE(lists); list++)
                        for (size_t k = 0; k < n[list]; k++) {
                                char *other = strndup(lists[list][k], strcspn(lists[list][k], "="));
                                bool same;

                                ck_assert_ptr_nonnull(other);
                                same = strcmp(family(other), family(name)) == 0;
                                free(other);
                                if (same)
                                        return true;
                        }
        }
        return false;
}

/* What the plan does not name is in both lists, the same bytes in the same order. */
static void check_untouched(const struct world *w, const struct options *before, const struct options *after,
                            enum plan_scope scope, const char *name)
{
        size_t k = 0;

        for (size_t i = 0; i < before->n_items; i++) {
                if (is_named(w, before->items[i].name, scope))
                        continue;
                while (k < after->n_items && is_named(w, after->items[k].name, scope))
                        k++;
                ck_assert_msg(k < after->n_items && equal_options(&before->items[i], &after->items[k]),
                              "%s: %s is gone, changed or moved", name, before->items[i].name);
                k++;
        }
        while (k < after->n_items && is_named(w, after->items[k].name, scope))
                k++;
        ck_assert_msg(k == after->n_items, "%s: %s is new", name, after->items[k].name);
}

static void check_plan_options(struct world *w, enum plan_scope scope, const char *name)
{
        const struct requested *own = own_line(w);
        struct options before, after;
        struct plan p;

        ck_assert_int_eq(plan_make(&w->o, w->a.recommendations, w->a.n_recommendations, scope, &p), 0);
        if (!p.exists || !own || p.place.kind != own->place.kind) {
                plan_done(&p);
                return;
        }
        before = world_options(own->options_text);
        after = world_options(p.options);
        /* what is left when nothing is */
        if (strcmp(p.options, "defaults") == 0) {
                options_done(&after);
                options_drop(&before, "defaults");
                options_drop(&before, "");
        }
        if (scope == PLAN_AUTOMATIC) {
                ck_assert_msg(p.automatic, "%s: automatic", name);
                check_never(&before, &after, name);
        }
        check_untouched(w, &before, &after, scope, name);
        options_done(&before);
        options_done(&after);
        plan_done(&p);
}

/* Where no source is rewritten the plan's options are the effective ones. */
static void check_effective_plan(struct world *w, const char *name)
{
        struct options before = copied(&w->o.mount.super), after;
        struct plan p;

        ck_assert_int_eq(plan_make(&w->o, w->a.recommendations, w->a.n_recommendations, PLAN_AUTOMATIC, &p), 0);
        if (p.exists && w->o.n_requested == 0) {
                after = world_options(p.options);
                for (size_t i = 0; i < after.n_items; i++)
                        ck_assert_msg(options_has(&before, after.items[i].name) ||
                                      options_has(&w->o.mount.vfs, after.items[i].name) ||
                                      strcmp(p.options, "defaults") == 0 ||
                                      is_named(w, after.items[i].name, PLAN_AUTOMATIC),
                                      "%s: %s is new", name, after.items[i].name);
                if (strcmp(p.options, "defaults") != 0)
                        check_never(&before, &after, name);
                options_done(&after);
        }
        options_done(&before);
        plan_done(&p);
}

START_TEST(a_plan_touches_nothing_else)
{
        uint64_t seed = world_seed(), state = seed;

        for (int i = 0; i < WORLDS; i++) {
                struct world w;
                char *name;

                random_world(&w, &state);
                name = described(&w, seed, i);
                world_evaluate(&w);
                check_plan_options(&w, PLAN_AUTOMATIC, name);
                check_plan_options(&w, PLAN_SHOWN, name);
                check_effective_plan(&w, name);
                free(name);
                world_done(&w);
        }
}
END_TEST

/* ---- (e) what is never automatic ------------------------------------------------------------ */

static bool is_owned_by_others(const struct world *w)
{
        const char *t = w->o.mount.target;

        return w->o.mount.below_autofs || !*w->o.mount.server || strcmp(t, "/") == 0 ||
               strncmp(t, "/var/lib/kubelet", 16) == 0 || strncmp(t, "/var/lib/docker", 15) == 0;
}

START_TEST(never_automatic)
{
        uint64_t seed = world_seed(), state = seed;
        unsigned automatic = 0;

        for (int i = 0; i < WORLDS; i++) {
                struct world w;
                char *name;

                random_world(&w, &state);
                name = described(&w, seed, i);
                world_evaluate(&w);
                for (size_t k = 0; k < w.a.n_recommendations; k++) {
                        const struct recommendation *r = &w.a.recommendations[k];

                        automatic += r->automatic;
                        ck_assert_msg(!r->automatic || (!r->question && r->confidence > CONFIDENCE_POSSIBLE &&
                                                        !is_owned_by_others(&w)),
                                      "%s: %s is automatic", name, rule_name(r->rule));
                }
                ck_assert_msg(!w.a.plan.automatic || !is_owned_by_others(&w), "%s: the plan is automatic", name);
                free(name);
                world_done(&w);
        }
        ck_assert_uint_gt(automatic, WORLDS / 20);
}
END_TEST

/* ---- (f) perfect mounts -------------------------------------------------------------------- */

/* A server at work without a fault: many large calls, each answered once and soon; a long
 * queue in front of WRITE is what a buffered mount looks like. */
static void healthy_counters(struct counters *c, uint64_t *state)
{
        unsigned trip = 1 + below(state, 3);

        c->known = true;
        c->age_sec = 3600 + below(state, 1000000);
        c->transport = (struct transport_counters){
                .transports = 1, .proto = NFS_PROTO_TCP, .connects = 1, .max_slots = 2 + below(state, 60),
        };
        for (size_t i = 0; i < RPC_OP_COUNT; i++) {
                bool data = i == RPC_OP_READ || i == RPC_OP_WRITE;
                uint64_t calls = data ? 1000 + below(state, 1000000) : below(state, 100);

                c->op[i] = (struct rpc_op_counters){
                        .calls = calls, .transmissions = calls,
                        .sent_bytes = calls * (i == RPC_OP_WRITE ? 600000 : 200),
                        .received_bytes = calls * (i == RPC_OP_READ ? 600000 : 200),
                        .round_trip_msec = calls * trip,
                        .queue_msec = i == RPC_OP_WRITE ? calls * below(state, 1000) : 0,
                };
                c->op[i].execute_msec = c->op[i].queue_msec + c->op[i].round_trip_msec;
                c->transport.sends += calls;
        }
        c->transport.receives = c->transport.sends;
        c->transport.request_usage = c->transport.sends;
        c->server_read_bytes = c->normal_read_bytes = c->op[RPC_OP_READ].calls * 600000;
        c->server_write_bytes = c->normal_write_bytes = c->op[RPC_OP_WRITE].calls * 600000;
}

START_TEST(perfect_mounts)
{
        static const uint64_t sizes[] = { 128 * KIB, 256 * KIB, 512 * KIB, MIB };
        uint64_t seed = world_seed(), state = seed;

        for (int i = 0; i < WORLDS; i++) {
                uint64_t size = sizes[below(&state, ARRAY_SIZE(sizes))];
                struct options nothing = { 0 };
                struct world w;
                char *name;

                world_init(&w, pick(&state, targets, ARRAY_SIZE(targets)), "rw,relatime", "rw,vers=4.2");
                world_limits(&w, size, size);
                w.o.server.versions_known = true;
                w.o.server.versions = NFS_V3 | NFS_V4_0 | NFS_V4_1 | NFS_V4_2;
                world_mount(&w, &nothing);
                if (below(&state, 2))
                        world_fstab(&w, 7, "server:/data /data nfs defaults 0 0", "defaults");
                if (below(&state, 2)) {
                        usec_t trip = 100 + below(&state, 1000);

                        world_null(&w, trip);
                        world_stable(&w, 0, 4 * KIB, 4, trip + 2500);
                        world_stable(&w, 1, 64 * KIB, 4, trip + 3000);
                        world_editor_save(&w, 20, trip + 5000);
                }
                if (below(&state, 4))
                        healthy_counters(&w.o.counters, &state);
                if (below(&state, 2)) {
                        w.o.read_ahead_known = true;
                        w.o.read_ahead_kib = size / KIB * (1 + below(&state, 15));
                }
                w.o.mount.below_autofs = below(&state, 5) == 0;
                name = described(&w, seed, i);
                world_evaluate(&w);
                ck_assert_msg(w.a.n_recommendations == 0, "%s: %s: %s", name,
                              w.a.n_recommendations ? rule_name(w.a.recommendations[0].rule) : "",
                              w.a.n_recommendations ? w.a.recommendations[0].evidence : "");
                ck_assert_msg(!w.a.plan.exists, "%s: plan", name);
                free(name);
                world_done(&w);
        }
}
END_TEST

WORLD_MAIN("policy properties", parse_and_print, a_plan_is_enough, order_of_options, order_of_mounts,
           a_plan_touches_nothing_else, never_automatic, perfect_mounts)
