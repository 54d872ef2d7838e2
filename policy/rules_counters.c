/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_counters.c - the rules that read the kernel's counters. DESIGN section 6.
 *
 * What recorded mounts teach: the cheap calls tell the way to the server; a long
 * queue of WRITEs is a healthy buffered mount's; the time of a large READ or
 * WRITE is its size; a few calls are no sample.
 */
#include "policy/rules.h"

#include <errno.h>
#include <string.h>

#include "policy/counter_means.h"
#include "policy/recommend.h"
#include "policy/sizes.h"

/* Fewer are no sample of a loss that is counted per thousand. */
#define LOSS_SAMPLE_MIN 10000

/* More than one lost of a thousand is worth a look, one of a hundred dominates. */
#define LOSS_NOTICED 1000
#define LOSS_DOMINATES 100

/* One of @one_in lost, in a sample that is one? */
static bool loses(uint64_t lost, uint64_t sent, uint64_t one_in)
{
        return sent >= LOSS_SAMPLE_MIN && lost >= sent / one_in;
}

static bool connection_loses(const struct rule_context *c, uint64_t one_in)
{
        const struct connection_facts *f = &c->o->connection;

        return f->known && loses(f->retransmitted_segments, f->sent_segments, one_in);
}

static void add_segments(struct text *t, const struct connection_facts *f)
{
        text_add_clause(t);
        text_add(t, "%llu of %llu TCP segments of the mount's connection were sent again (",
                 (unsigned long long)f->retransmitted_segments, (unsigned long long)f->sent_segments);
        text_add_percent(t, f->retransmitted_segments, f->sent_segments);
        text_add(t, ", sock_diag)");
}

/* ---- retransmissions --------------------------------------------------------- */

/* What one reconnect sends again at most, where the kernel does not print its slots. */
#define SLOTS_USUAL 64

/* Over all kinds of calls. */
struct resent {
        uint64_t calls;
        uint64_t again;                 /* transmissions beyond the first */
        uint64_t major_timeouts;
};

static struct resent resent_read(const struct counters *k)
{
        struct resent s = { 0 };

        for (size_t i = 0; i < RPC_OP_COUNT; i++) {
                const struct rpc_op_counters *op = &k->op[i];

                if (!rpc_op_is_sound(op))
                        continue;
                s.calls = add_saturated(s.calls, op->calls);
                s.again = add_saturated(s.again, op->transmissions - op->calls);
                s.major_timeouts = add_saturated(s.major_timeouts, op->major_timeouts);
        }
        return s;
}

/* A sleeping, idle or restarted server drops the connection, and the calls in
 * flight are sent again over the next one: no more than the slots hold. More
 * reconnects than time-outs are a sleeping server's; after a restart every call
 * in flight has timed out, and none of the first replies comes late. */
static bool reconnects_explain(const struct transport_counters *t, const struct resent *s)
{
        uint64_t slots = t->transports > 0 && t->max_slots > 0 ? t->max_slots / t->transports : SLOTS_USUAL;
        uint64_t reconnects = t->connects > t->transports ? t->connects - t->transports : 0;

        return reconnects > 0 && (reconnects > s->major_timeouts || t->bad_xids == 0) &&
               s->again / reconnects <= slots;
}

static bool calls_are_lost(const struct counters *k, const struct resent *s)
{
        return k->known && loses(s->again, s->calls, LOSS_NOTICED) &&
               (s->major_timeouts > 0 || k->transport.bad_xids > 0) && !reconnects_explain(&k->transport, s);
}

static void add_resent(struct text *t, const struct counters *k, const struct resent *s)
{
        text_add(t, "%llu of %llu calls were sent again (", (unsigned long long)s->again,
                 (unsigned long long)s->calls);
        text_add_percent(t, s->again, s->calls);
        text_add(t,
                 "), with %llu major time-outs and %llu replies that nobody waited for any more; connected %llu times",
                 (unsigned long long)s->major_timeouts, (unsigned long long)k->transport.bad_xids,
                 (unsigned long long)k->transport.connects);
        text_add_since_mount(t, k);
}

static int write_retransmissions(const struct rule_context *c, const struct resent *s, bool calls, bool segments,
                                 struct recommendation *r)
{
        static const char risk[] =
                "no mount option repairs this: look at link errors, duplex and MTU along the way (ip -s link, switch "
                "ports) and at the load and the number of threads of the server; a larger timeo only hides it";
        cleanup(text_done) struct text t = { 0 };

        if (calls)
                add_resent(&t, &c->o->counters, s);
        if (segments)
                add_segments(&t, &c->o->connection);
        if (recommend_words(&r->evidence, &t) < 0 || recommend_sentence(&r->risk, risk) < 0)
                return -ENOMEM;
        return recommend_sentence(&r->summary,
                                  segments ? "packets are lost between this host and the server"
                                           : "the server's replies come too late or are lost: calls are sent again");
}

int rule_retransmissions(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct resent s = resent_read(&c->o->counters);
        bool calls = calls_are_lost(&c->o->counters, &s);
        bool segments = connection_loses(c, LOSS_NOTICED);

        if (!calls && !segments)
                return c->o->counters.known ? VERDICT_QUIET : judge_without_counters(c, ret);
        r->confidence = CONFIDENCE_OBSERVED;
        r->method = METHOD_NETWORK;
        return write_retransmissions(c, &s, calls, segments, r) < 0 ? -ENOMEM : VERDICT_FIRES;
}

/* ---- single-connection --------------------------------------------------------- */

#define QUEUE_CALLS_MIN 10000
#define QUEUE_USEC_MIN USEC_PER_MSEC
#define WAITING_MIN 2
#define NCONNECT_USUAL 4

/* Where more connections are possible, wanted and not there yet. */
static bool could_have_more(const struct rule_context *c)
{
        const struct nfs_options *e = &c->effective;
        bool version = e->version_major == 3 || (e->version_major == 4 && e->version_minor >= 1);
        bool krb5 = e->security && strncmp(e->security, "krb5", strlen("krb5")) == 0;

        return version && !krb5 && e->proto == NFS_PROTO_TCP && !server_is_loopback(c) &&
               !options_has(&c->o->mount.super, "nconnect") && !mount_params_keeps(c->mount_params, "nconnect") &&
               !(c->profile && c->profile->nconnect_max == 1);
}

/* Mean length of the two queues before the wire. */
static uint64_t waiting(const struct transport_counters *t)
{
        return t->sends > 0 ? add_saturated(t->sending_usage, t->backlog_usage) / t->sends : 0;
}

/* WRITEs queue on every healthy mount; calls that ask for an attribute only where
 * there is no way past what is being sent, or while the server was away: one such
 * hour outweighs a year of quick calls in the mean. */
static bool cheap_calls_queue(const struct counters *k, const struct cheap_calls *cheap)
{
        return k->transport.transports == 1 && cheap->calls >= QUEUE_CALLS_MIN && cheap->major_timeouts == 0 &&
               cheap->queue_usec >= MAX(cheap->mean_usec, QUEUE_USEC_MIN) && waiting(&k->transport) >= WAITING_MIN;
}

static int set_nconnect(const struct rule_context *c, struct recommendation *r)
{
        unsigned n = NCONNECT_USUAL;
        cleanup(text_done) struct text t = { 0 };
        cleanup_free char *option = NULL;

        if (c->profile && c->profile->nconnect_max > 0)
                n = MIN(n, c->profile->nconnect_max);
        text_add(&t, "nconnect=%u", n);
        option = text_take(&t);
        return option && recommend_set(r, option) == 0 ? recommend_place(r, c) : -ENOMEM;
}

static int write_single_connection(const struct rule_context *c, const struct cheap_calls *cheap,
                                   struct recommendation *r)
{
        static const char keep[] =
                "keep one connection where the link itself is full: more connections do not widen it";
        cleanup(text_done) struct text evidence = { 0 }, risk = { 0 };

        text_add(&evidence, "GETATTR, ACCESS and LOOKUP wait ");
        text_add_usec(&evidence, cheap->queue_usec);
        text_add(&evidence, " before they are sent and ");
        text_add_usec(&evidence, cheap->mean_usec);
        text_add(&evidence,
                 " for the reply (means of %llu calls); %llu requests wait for the one connection on average",
                 (unsigned long long)cheap->calls, (unsigned long long)waiting(&c->o->counters.transport));
        text_add_since_mount(&evidence, &c->o->counters);
        text_add(&risk,
                 "the gain is not measured and cannot be tried beside the mount; needs Linux 5.3 on this host; the "
                 "first mount of a server decides for all mounts of it with the same version: all of them have to be "
                 "unmounted (programs have to leave) before one is mounted again, else nothing changes");
        text_add_sharers(&risk, c->o);
        if (recommend_sentence(&r->summary, "requests queue for the mount's one connection") < 0 ||
            recommend_words(&r->evidence, &evidence) < 0 || recommend_sentence(&r->keep, keep) < 0)
                return -ENOMEM;
        return recommend_words(&r->risk, &risk);
}

int rule_single_connection(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct cheap_calls cheap = cheap_calls_read(&c->o->counters);

        if (!could_have_more(c))
                return VERDICT_QUIET;
        if (!c->o->counters.known)
                return judge_without_counters(c, ret);
        if (!cheap_calls_queue(&c->o->counters, &cheap))
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_OBSERVED;
        r->method = METHOD_REPLACE;
        return set_nconnect(c, r) < 0 || write_single_connection(c, &cheap, r) < 0 ? -ENOMEM : VERDICT_FIRES;
}

/* ---- read-ahead ------------------------------------------------------------------ */

/* VM_READAHEAD_PAGES, the kernel's default since 5.4. */
#define READ_AHEAD_DEFAULT_KIB 128
#define READ_CALLS_MIN 10000
#define READ_BYTES_MIN (64 * KIB)
#define READS_DOMINATE 4

#define TRIAL_PREFIX "read_ahead_kb="

/* The read-ahead that was tried, or NULL: a trial of something else. */
static const char *tried_kib(const struct trial_facts *t)
{
        const size_t prefix = strlen(TRIAL_PREFIX);
        const char *kib = t->options ? t->options + MIN(strlen(t->options), prefix) : "";

        return *kib && strncmp(t->options, TRIAL_PREFIX, prefix) == 0 && kib[strspn(kib, "0123456789")] == '\0' ? kib
                                                                                                              : NULL;
}

static bool is_present_read_ahead(const struct observation *o, const char *kib)
{
        return o->read_ahead_known && strtoull(kib, NULL, 10) == o->read_ahead_kib;
}

static const struct trial_facts *best_trial(const struct observation *o, bool *ret_tried)
{
        const struct trial_facts *best = NULL;

        *ret_tried = false;
        for (size_t i = 0; i < o->n_trials; i++) {
                const struct trial_facts *t = &o->trials[i];
                const char *kib = tried_kib(t);

                *ret_tried = *ret_tried || kib;
                if (kib && !is_present_read_ahead(o, kib) && t->ratio_high_permille < TRIAL_FASTER_PERMILLE &&
                    (!best || t->ratio_permille < best->ratio_permille))
                        best = t;
        }
        return best;
}

/* Large reads, and little else. */
static bool reads_dominate(const struct counters *k)
{
        const struct rpc_op_counters *read = &k->op[RPC_OP_READ];

        return read->calls >= READ_CALLS_MIN && rpc_op_is_sound(read) &&
               read->received_bytes / read->calls >= READ_BYTES_MIN &&
               k->server_read_bytes / READS_DOMINATE >= k->server_write_bytes;
}

/* sysfs knows; without the device the daemon finds it. */
static int cannot_tell_read_ahead(const struct rule_context *c, struct rule_result *ret)
{
        const struct device *d = &c->o->mount.device;
        cleanup(text_done) struct text t = { 0 };
        int r = cannot_tell(c, "the mount's read-ahead (read_ahead_kb)", NULL, ret);

        if (r < 0 || (d->major == 0 && d->minor == 0))
                return r;
        free(ret->cannot_tell.command);
        text_add(&t, "cat /sys/class/bdi/%u:%u/read_ahead_kb", d->major, d->minor);
        ret->cannot_tell.command = text_take(&t);
        return ret->cannot_tell.command ? r : -ENOMEM;
}

static void add_reads(struct text *t, const struct counters *k)
{
        const struct rpc_op_counters *read = &k->op[RPC_OP_READ];

        text_add_clause(t);
        text_add_mean_size(t, k->server_read_bytes);
        text_add(t, " were read and ");
        text_add_mean_size(t, k->server_write_bytes);
        text_add(t, " written, in %llu READs of ", (unsigned long long)read->calls);
        text_add_mean_size(t, read->received_bytes / read->calls);
        text_add_since_mount(t, k);
}

static const char keep_read_ahead[] =
        "keep it where nfsrahead or a udev rule sets it on purpose (not visible here), and where small random reads "
        "matter more: read-ahead makes them fetch what nobody wants";

static int write_read_ahead_guess(const struct rule_context *c, struct recommendation *r)
{
        cleanup(text_done) struct text evidence = { 0 }, risk = { 0 };

        text_add(&evidence, "read_ahead_kb is %d, the kernel's default, while one READ can carry ",
                 READ_AHEAD_DEFAULT_KIB);
        text_add_size(&evidence, c->effective.rsize_bytes);
        add_reads(&evidence, &c->o->counters);
        text_add(&risk,
                 "nothing is measured: try it first, reading a large file that is not in the cache with %d and with "
                 "%llu in /sys/class/bdi/%u:%u/read_ahead_kb in turn; more is not better, far above a few MiB it gets "
                 "slower again; nfs.conf's nfsrahead or a udev rule makes it last",
                 READ_AHEAD_DEFAULT_KIB, (unsigned long long)(c->effective.rsize_bytes / KIB),
                 c->o->mount.device.major, c->o->mount.device.minor);
        if (recommend_sentence(&r->summary, "sequential reads may wait for a small read-ahead") < 0 ||
            recommend_words(&r->evidence, &evidence) < 0 || recommend_words(&r->risk, &risk) < 0)
                return -ENOMEM;
        return recommend_sentence(&r->keep, keep_read_ahead);
}

static int fires_unmeasured(const struct rule_context *c, struct recommendation *r)
{
        r->confidence = CONFIDENCE_POSSIBLE;
        r->method = METHOD_LIVE;
        return write_read_ahead_guess(c, r) < 0 ? -ENOMEM : VERDICT_FIRES;
}

static void add_permille(struct text *t, unsigned permille)
{
        text_add(t, "%u", permille / 10);
        if (permille % 10 > 0)
                text_add(t, ".%u", permille % 10);
        text_add(t, " %%");
}

static int write_read_ahead_trial(const struct trial_facts *trial, struct recommendation *r)
{
        static const char risk[] =
                "read-ahead takes memory per open file; a mount made anew starts with the default: a udev rule for the "
                "bdi device or nfsrahead makes it last";
        cleanup(text_done) struct text evidence = { 0 }, gain = { 0 };

        text_add(&evidence, "with %s reading takes ", trial->options);
        add_permille(&evidence, trial->ratio_permille);
        text_add(&evidence, " of the present time, 95 %% interval ");
        add_permille(&evidence, trial->ratio_low_permille);
        text_add(&evidence, " to ");
        add_permille(&evidence, trial->ratio_high_permille);
        text_add(&evidence, " (trial, %u pairs)", trial->pairs);
        text_add(&gain, "sequential reads take at least ");
        add_permille(&gain, 1000 - trial->ratio_high_permille);
        text_add(&gain, " less time (trial)");
        if (recommend_sentence(&r->summary, "sequential reads wait for a small read-ahead") < 0 ||
            recommend_words(&r->evidence, &evidence) < 0 || recommend_words(&r->gain, &gain) < 0 ||
            recommend_sentence(&r->risk, risk) < 0)
                return -ENOMEM;
        return recommend_sentence(&r->keep, keep_read_ahead);
}

static int fires_measured(const struct trial_facts *trial, struct recommendation *r)
{
        r->confidence = CONFIDENCE_MEASURED;
        r->method = METHOD_LIVE;
        r->automatic = true;
        r->gain_permille = trial->ratio_permille < 1000 ? 1000 - trial->ratio_permille : 0;
        if (recommend_set(r, trial->options) < 0)
                return -ENOMEM;
        return write_read_ahead_trial(trial, r) < 0 ? -ENOMEM : VERDICT_FIRES;
}

int rule_read_ahead(const struct rule_context *c, struct rule_result *ret)
{
        const struct observation *o = c->o;
        bool large = c->effective.rsize_bytes > READ_AHEAD_DEFAULT_KIB * KIB, tried;
        const struct trial_facts *trial = best_trial(o, &tried);

        if (o->only_requested || mount_params_keeps(c->mount_params, "read_ahead_kb"))
                return VERDICT_QUIET;
        if (tried)
                return trial ? fires_measured(trial, &ret->recommendation) : VERDICT_QUIET;
        if (!large || (o->read_ahead_known && o->read_ahead_kib != READ_AHEAD_DEFAULT_KIB))
                return VERDICT_QUIET;
        if (o->counters.known && !reads_dominate(&o->counters))
                return VERDICT_QUIET;
        /* Without counters nobody knows whether it matters: one question at a time. */
        if (!o->counters.known && (o->read_ahead_known || o->probe.state == PROBE_ACTIVE))
                return judge_without_counters(c, ret);
        return o->read_ahead_known ? fires_unmeasured(c, &ret->recommendation) : cannot_tell_read_ahead(c, ret);
}

/* ---- small-files ------------------------------------------------------------------- */

#define FILES_MIN 1000
#define SMALL_FILE_BYTES (64 * KIB)

/* Below this nobody waits for a file. */
#define FILE_COST_USEC_MIN (2 * USEC_PER_MSEC)

/* What is called per file, whatever its size. */
static const enum rpc_op file_ops[] = {
        RPC_OP_LOOKUP, RPC_OP_OPEN, RPC_OP_CREATE, RPC_OP_SETATTR, RPC_OP_CLOSE, RPC_OP_REMOVE,
};

struct file_cost {
        uint64_t files;                 /* opened (v4) or created */
        uint64_t calls;                 /* per-file calls together, and at most one LOOKUP per file */
        uint64_t calls_msec;            /* their round trips */
        uint64_t all_msec;              /* every call's round trip */
        uint64_t data_bytes;            /* read and written */
};

static uint64_t part_of(uint64_t sum, uint64_t part, uint64_t whole)
{
        double share = (double)sum * ((double)part / (double)whole);

        return share >= (double)sum ? sum : (uint64_t)share;
}

/* Most LOOKUPs are no file's: find and stat ask for names too, and version 3 opens files without a call. */
static struct file_cost file_cost_read(const struct counters *k)
{
        struct file_cost f = {
                .files = add_saturated(k->op[RPC_OP_OPEN].calls, k->op[RPC_OP_CREATE].calls),
                .data_bytes = add_saturated(k->server_read_bytes, k->server_write_bytes),
        };

        for (size_t i = 0; i < ARRAY_SIZE(file_ops); i++) {
                const struct rpc_op_counters *op = &k->op[file_ops[i]];

                uint64_t calls = file_ops[i] == RPC_OP_LOOKUP ? MIN(op->calls, f.files) : op->calls;

                if (!rpc_op_is_sound(op) || calls == 0)
                        continue;
                f.calls = add_saturated(f.calls, calls);
                f.calls_msec = add_saturated(f.calls_msec, part_of(op->round_trip_msec, calls, op->calls));
        }
        for (size_t i = 0; i < RPC_OP_COUNT; i++)
                if (i != RPC_OP_NULL && i != RPC_OP_RENEW && rpc_op_is_sound(&k->op[i]))
                        f.all_msec = add_saturated(f.all_msec, k->op[i].round_trip_msec);
        return f;
}

/* Little data per file, and most of the time waited for is per file. */
static bool files_dominate(const struct file_cost *f)
{
        return f->files >= FILES_MIN && f->data_bytes / f->files < SMALL_FILE_BYTES &&
               f->calls_msec > f->all_msec / 2 &&
               mean_of_msec_usec(f->calls_msec, f->files) >= FILE_COST_USEC_MIN;
}

static int write_small_files(const struct rule_context *c, const struct file_cost *f, struct recommendation *r)
{
        static const char risk[] =
                "no transfer size helps; what helps are fewer round trips: one archive instead of many files, "
                "version 4 with delegations where one host uses the files, a longer actimeo where nobody else changes "
                "them, and several files at a time";
        cleanup(text_done) struct text t = { 0 };

        text_add(&t, "%llu files were opened or created, with ", (unsigned long long)f->files);
        text_add_mean_size(&t, f->data_bytes / f->files);
        text_add(&t, " of data each; a file costs ");
        text_add_usec(&t, mean_of_msec_usec(f->calls_msec, f->files));
        text_add(&t, " in %.1f calls (LOOKUP, OPEN, CREATE, SETATTR, CLOSE, REMOVE), ",
                 (double)f->calls / (double)f->files);
        text_add_percent(&t, f->calls_msec, f->all_msec);
        text_add(&t, " of the time that calls wait for the server");
        text_add_since_mount(&t, &c->o->counters);
        if (recommend_sentence(&r->summary, "many small files: the calls per file take the time, not the data") < 0 ||
            recommend_words(&r->evidence, &t) < 0)
                return -ENOMEM;
        return recommend_sentence(&r->risk, risk);
}

int rule_small_files(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct file_cost f = file_cost_read(&c->o->counters);

        if (!c->o->counters.known)
                return judge_without_counters(c, ret);
        if (!files_dominate(&f))
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_OBSERVED;
        r->method = METHOD_NONE;
        return write_small_files(c, &f, r) < 0 ? -ENOMEM : VERDICT_FIRES;
}

/* ---- network ------------------------------------------------------------------------- */

#define FLOOR_USEC_MIN (10 * USEC_PER_MSEC)
#define FLOOR_CALLS_MIN 50
#define FLOOR_KINDS_MIN 2
#define FLOOR_SPREAD 2

/* A few waits for a disk that had gone to sleep make any mean of few calls: those have to agree. */
#define FLOOR_SAMPLE 1000

/* NULL is called from user space, where a slow or busy host adds to it, and makes it jump; distance does not. */
#define NULL_USEC_MIN (20 * USEC_PER_MSEC)

/* LOOKUP, CREATE, WRITE; OPEN, WRITE, CLOSE. */
#define ROUND_TRIPS_PER_FILE 3

struct network_look {
        usec_t floor_usec;              /* of the cheap calls; 0: they do not show a slow way */
        usec_t null_usec;               /* of NULL; the same */
        bool loses;
};

static bool is_near(const struct counters *k, enum rpc_op op, usec_t floor_usec)
{
        return rpc_op_mean_usec(&k->op[op]) / FAR_ABOVE < floor_usec;
}

/* Are the kinds near enough to one another to be one floor? */
static bool kinds_agree(const struct cheap_calls *cheap)
{
        usec_t room = cheap->calls < FLOOR_SAMPLE ? cheap->least_usec / 4 : cheap->least_usec * (FLOOR_SPREAD - 1);

        return cheap->most_usec - cheap->least_usec <= room;
}

/* A NULL, or TCP itself, goes there and back in much less time. */
static bool way_is_quicker(const struct observation *o, usec_t floor_usec)
{
        const struct connection_facts *f = &o->connection;

        return (null_is_known(&o->server) && o->server.null_median_usec < floor_usec / FLOOR_SPREAD) ||
               (f->known && f->round_trip_usec > 0 && f->round_trip_usec < floor_usec / FLOOR_SPREAD);
}

/* The same floor under every kind of call is the way to the server, unless
 * something else takes the same way quicker. */
static usec_t network_floor_usec(const struct observation *o)
{
        const struct counters *k = &o->counters;
        struct cheap_calls cheap = cheap_calls_read(k);

        if (!k->known || cheap.calls < FLOOR_CALLS_MIN || cheap.kinds < FLOOR_KINDS_MIN ||
            cheap.least_usec < FLOOR_USEC_MIN || !kinds_agree(&cheap) || way_is_quicker(o, cheap.least_usec) ||
            !is_near(k, RPC_OP_COMMIT, cheap.least_usec) || !is_near(k, RPC_OP_WRITE, cheap.least_usec))
                return 0;
        return cheap.least_usec;
}

/* A stable write or one of the kernel's own cheap calls takes the same way: one that is quicker shows that it
 * was this host that kept NULL waiting. */
static bool something_is_quicker(const struct observation *o, usec_t null_usec)
{
        struct cheap_calls cheap = cheap_calls_read(&o->counters);

        for (size_t i = 0; i < STABLE_SIZES; i++)
                if (o->probe.stable[i].latency.n > 0 && o->probe.stable[i].latency.p50_usec < null_usec)
                        return true;
        return o->counters.known && cheap.kinds > 0 && cheap.least_usec < null_usec / FLOOR_SPREAD;
}

static usec_t slow_null_usec(const struct observation *o)
{
        const struct server_facts *s = &o->server;

        if (o->earlier.awaited && (!o->earlier.known || o->earlier.null_median_usec < NULL_USEC_MIN))
                return 0;
        return null_is_known(s) && s->null_median_usec >= NULL_USEC_MIN &&
               s->null_spread_usec <= s->null_median_usec / 2 && !something_is_quicker(o, s->null_median_usec)
                       ? s->null_median_usec : 0;
}

static int write_network_evidence(const struct rule_context *c, const struct network_look *look,
                                  struct recommendation *r)
{
        cleanup(text_done) struct text t = { 0 };

        if (look->floor_usec > 0) {
                text_add_cheap_calls(&t, &c->o->counters);
                text_add_since_mount(&t, &c->o->counters);
        }
        if (look->null_usec > 0) {
                text_add_clause(&t);
                text_add(&t, "a NULL call takes ");
                text_add_usec(&t, look->null_usec);
                text_add(&t, " (median of %u, probe)", c->o->server.null_replies);
        }
        if (look->loses)
                add_segments(&t, &c->o->connection);
        return recommend_words(&r->evidence, &t);
}

static int write_network_words(const struct rule_context *c, const struct network_look *look, struct recommendation *r)
{
        usec_t trip = look->floor_usec > 0 ? look->floor_usec : look->null_usec;
        cleanup(text_done) struct text summary = { 0 }, risk = { 0 };

        if (trip > 0) {
                text_add(&summary, "every call waits ");
                text_add_usec(&summary, trip);
                text_add(&summary, " for the way to the server and back");
                text_add(&risk,
                         "no mount option shortens a round trip: a new small file needs at least %d of them (%s), ",
                         ROUND_TRIPS_PER_FILE,
                         c->effective.version_major >= 4 ? "OPEN, WRITE, CLOSE" : "LOOKUP, CREATE, WRITE");
                text_add_usec(&risk, ROUND_TRIPS_PER_FILE * trip);
                text_add(&risk, " here; what helps is a nearer server, fewer and larger files, or several at a time");
        } else {
                text_add(&summary, "packets are lost on the way to the server");
                text_add(&risk, "no mount option repairs a lossy link: look at link errors, duplex and MTU along the "
                                "way (ip -s link, switch ports)");
        }
        if (recommend_words(&r->summary, &summary) < 0 || recommend_words(&r->risk, &risk) < 0)
                return -ENOMEM;
        return write_network_evidence(c, look, r);
}

int rule_network(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        struct network_look look = {
                .floor_usec = network_floor_usec(c->o),
                .null_usec = slow_null_usec(c->o),
                .loses = connection_loses(c, LOSS_DOMINATES),
        };

        if (server_is_loopback(c) && !server_is_proxied(c))
                return VERDICT_QUIET;
        if (look.floor_usec == 0 && look.null_usec == 0 && !look.loses)
                return c->o->counters.known ? VERDICT_QUIET : judge_without_counters(c, ret);
        r->confidence = CONFIDENCE_OBSERVED;
        r->method = METHOD_NETWORK;
        return write_network_words(c, &look, r) < 0 ? -ENOMEM : VERDICT_FIRES;
}
