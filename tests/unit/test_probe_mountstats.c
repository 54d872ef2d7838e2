/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of recorded hosts and of every layout; the join; a thousand mounts. */
#include <errno.h>
#include <limits.h>
#include <time.h>

#include "policy/names.h"
#include "probe/mountstats.h"
#include "tests/unit/golden.h"
#include "tests/unit/tree.h"

typedef unsigned long long ull;

static struct mountstats parse(const char *text)
{
        struct mountstats m = { 0 };

        ck_assert_int_eq(mountstats_parse(text, strlen(text), &m), 0);
        return m;
}

static int collect(void *context, struct mountstats_entry *e)
{
        struct mountstats *m = context;

        m->entries = reallocarray(m->entries, m->n_entries + 1, sizeof(*m->entries));
        m->entries[m->n_entries++] = *e;
        *e = (struct mountstats_entry){ 0 };
        return 0;
}

/* The text in pieces of @size bytes, each in an allocation of its own. */
static struct mountstats parse_pieces(const char *text, size_t length, size_t size)
{
        struct mountstats m = { 0 };
        struct mountstats_stream s = { .take = collect, .context = &m, .options_wanted = true };

        for (size_t at = 0, n; at < length; at += n) {
                n = MIN(size, length - at);
                cleanup_free char *piece = malloc(n);
                memcpy(piece, text + at, n);
                ck_assert_int_eq(mountstats_feed(&s, piece, n), 0);
        }
        ck_assert_int_eq(mountstats_end(&s), 0);
        mountstats_stream_done(&s);
        return m;
}

/* ---- recorded ------------------------------------------------------------------- */

static uint64_t calls_of_all(const struct counters *c)
{
        uint64_t sum = 0;

        for (unsigned i = 0; i < RPC_OP_COUNT; i++)
                sum += c->op[i].calls;
        return sum;
}

static void entry_row(const struct mountstats_entry *e, const char *name, size_t index, struct text *rows)
{
        const struct counters *c = &e->counters;
        const struct transport_counters *t = &c->transport;
        const struct rpc_op_counters *w = &c->op[RPC_OP_WRITE];
        struct nfs_options n;

        nfs_options_read(&e->options, &n);
        text_add(rows, "%s\t%zu\t%s\t%s\t%s\t%s\t%u\t%llu", name, index, e->source, e->target, e->fstype,
                 yes_no(c->known), c->statvers_minor, (ull)c->age_sec);
        text_add(rows, "\t%llu\t%llu\t%s\t%u\t%s\t%llu\t%llu\t%llu\t%llu", (ull)n.rsize_bytes, (ull)c->dtsize_bytes,
                 yes_no(c->lease_known), t->transports, proto_name(t->proto), (ull)t->sends, (ull)t->receives,
                 (ull)t->idle_sec, (ull)t->max_slots);
        text_add(rows, "\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n", (ull)c->op[RPC_OP_READ].calls,
                 (ull)w->calls, (ull)w->sent_bytes, (ull)w->errors, (ull)c->op[RPC_OP_COMMIT].calls,
                 (ull)c->op[RPC_OP_READDIR].calls, (ull)calls_of_all(c), (ull)c->server_write_bytes,
                 (ull)c->vfs_fsync_calls);
}

static void stats_rows(const struct mountstats *m, const char *name, struct text *rows)
{
        for (size_t i = 0; i < m->n_entries; i++)
                entry_row(&m->entries[i], name, i, rows);
}

static void file_rows(const char *path, const char *name, struct text *rows)
{
        static const size_t sizes[] = { 1, 7, 4096 };
        struct mountstats m = { 0 };
        cleanup_free char *text = NULL;
        size_t length, before = rows->length_bytes;

        ck_assert_int_eq(file_read(path, MIB, &text, &length), 0);
        ck_assert_int_eq(mountstats_parse(text, length, &m), 0);
        stats_rows(&m, name, rows);
        mountstats_done(&m);
        for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
                struct text again = { 0 };

                m = parse_pieces(text, length, sizes[i]);
                stats_rows(&m, name, &again);
                cleanup_free char *same = text_take(&again);
                ck_assert_msg(strcmp(rows->data + before, same) == 0, "%s in pieces of %zu", name, sizes[i]);
                mountstats_done(&m);
        }
}

START_TEST(test_recorded)
{
        static const char *const dirs[] = { "cases/mountstats", NULL };

        golden_check("mountstats.tsv", dirs, file_rows);
}
END_TEST

/* ---- layouts ---------------------------------------------------------------------- */

#define HEAD "device h:/x mounted on /x with fstype nfs statvers=1.1\n"

static const struct {
        const char *name, *line;
        bool known;
        struct transport_counters t;
} transports[] = {
        { "tcp, 13 numbers", "\txprt:\ttcp 1 2 3 4 5 6 7 8 9 10 11 12 13\n", true,
          { .transports = 1, .proto = NFS_PROTO_TCP, .connects = 3, .idle_sec = 5, .sends = 6, .receives = 7,
            .bad_xids = 8, .request_usage = 9, .backlog_usage = 10, .max_slots = 11, .sending_usage = 12,
            .pending_usage = 13 } },
        { "tcp, 10 numbers", "\txprt:\ttcp 1 2 3 4 5 6 7 8 9 10\n", true,
          { .transports = 1, .proto = NFS_PROTO_TCP, .connects = 3, .idle_sec = 5, .sends = 6, .receives = 7,
            .bad_xids = 8, .request_usage = 9, .backlog_usage = 10 } },
        { "tcp, cut", "\txprt:\ttcp 1 2 3 4 5 6 7 8 9\n", false, { 0 } },
        { "udp, 10 numbers", "\txprt:\tudp 1 2 3 4 5 6 7 8 9 10\n", true,
          { .transports = 1, .proto = NFS_PROTO_UDP, .sends = 3, .receives = 4, .bad_xids = 5, .request_usage = 6,
            .backlog_usage = 7, .max_slots = 8, .sending_usage = 9, .pending_usage = 10 } },
        { "udp, 7 numbers", "\txprt:\tudp 1 2 3 4 5 6 7\n", true,
          { .transports = 1, .proto = NFS_PROTO_UDP, .sends = 3, .receives = 4, .bad_xids = 5, .request_usage = 6,
            .backlog_usage = 7 } },
        { "local, 12 numbers", "\txprt:\tlocal 1 2 3 4 5 6 7 8 9 10 11 12\n", true,
          { .transports = 1, .connects = 2, .idle_sec = 4, .sends = 5, .receives = 6, .bad_xids = 7,
            .request_usage = 8, .backlog_usage = 9, .max_slots = 10, .sending_usage = 11, .pending_usage = 12 } },
        { "rdma, 27 numbers",
          "\txprt:\trdma 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27\n", true,
          { .transports = 1, .proto = NFS_PROTO_RDMA, .connects = 3, .idle_sec = 5, .sends = 6, .receives = 7,
            .bad_xids = 8, .request_usage = 9, .backlog_usage = 10 } },
        { "two connections (nconnect)",
          "\txprt:\ttcp 1 2 3 4 9 6 7 8 9 10 11 12 13\n\txprt:\ttcp 1 2 3 4 5 6 7 8 9 10 11 12 13\n", true,
          { .transports = 2, .proto = NFS_PROTO_TCP, .connects = 6, .idle_sec = 5, .sends = 12, .receives = 14,
            .bad_xids = 16, .request_usage = 18, .backlog_usage = 20, .max_slots = 22, .sending_usage = 24,
            .pending_usage = 26 } },
        { "a transport of the future", "\txprt:\tquic 1 2 3 4 5 6 7 8 9 10 11 12 13\n", false, { 0 } },
        { "no numbers", "\txprt:\ttcp\n\txprt:\n", false, { 0 } },
};

START_TEST(test_transport)
{
        cleanup_free char *text = NULL;
        struct text t = { 0 };

        text_add(&t, "%s%s", HEAD, transports[_i].line);
        text = text_take(&t);
        struct mountstats m = parse(text);
        ck_assert_uint_eq(m.n_entries, 1);
        const struct transport_counters *got = &m.entries[0].counters.transport, *want = &transports[_i].t;
        ck_assert_msg(m.entries[0].counters.known == transports[_i].known, "%s", transports[_i].name);
        ck_assert_msg(got->transports == want->transports && got->proto == want->proto &&
                              got->connects == want->connects && got->idle_sec == want->idle_sec &&
                              got->sends == want->sends && got->receives == want->receives &&
                              got->bad_xids == want->bad_xids && got->request_usage == want->request_usage &&
                              got->backlog_usage == want->backlog_usage && got->max_slots == want->max_slots &&
                              got->sending_usage == want->sending_usage && got->pending_usage == want->pending_usage,
                      "%s", transports[_i].name);
        mountstats_done(&m);
}
END_TEST

START_TEST(test_modern_block)
{
        struct mountstats m = parse(
                "device h:/my\\040data mounted on /my\\040data//deleted with fstype nfs4 statvers=1.1\n"
                "\topts:\trw,sync,vers=4.2,rsize=1048576\n\tage:\t19  (time, in seconds, since mount)\n"
                "\timpl_id:\tname='Foo, 'quoted' 1.0',domain='foo.example',date='1,2'\n"
                "\tcaps:\tcaps=0x1,wtmult=512,dtsize=1048576,bsize=0,namlen=255\n"
                "\tnfsv4:\tbm0=0x1,sessions,pnfs=not configured,lease_time=90,lease_expired=7\n"
                "\tsec:\tflavor=1\n\tevents:\t0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 \n"
                "\tbytes:\t1 2 3 4 5 6 7 8 \n\tfsc:\t1 2 3 4 5\n\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
                "\tper-op statistics\n\t       WRITE: 1 2 3 4 5 6 7 8 9\n\t        OPEN: 1 1 1 1 1 1 1 1 1\n"
                "\t OPEN_NOATTR: 2 2 2 2 2 2 2 2 2\n"
                "\t    SEQUENCE: 5 5 0 0 0 0 0 0 0\n\t   READ_PLUS: 4 4 0 0 0 0 0 0 0\n"
                "\tOPEN_DOWNGRADE: 7 7 0 0 0 0 0 0 0\n\tNEW_OP: 8 8 0 0 0 0 0 0 0 0 0\n\t SHORT: 1 2 3\n\n");
        const struct counters *c = &m.entries[0].counters;
        const struct rpc_op_counters *w = &c->op[RPC_OP_WRITE];

        ck_assert_uint_eq(m.n_entries, 1);
        ck_assert_str_eq(m.entries[0].source, "h:/my data");
        ck_assert_str_eq(m.entries[0].target, "/my data");
        ck_assert(options_has(&m.entries[0].options, "sync"));
        ck_assert_uint_eq(c->age_sec, 19);
        ck_assert_str_eq(c->implementation, "Foo, 'quoted' 1.0");
        ck_assert_uint_eq(c->dtsize_bytes, 1048576);
        ck_assert(c->lease_known && c->lease_time_sec == 90 && c->lease_expired_sec == 7);
        ck_assert(c->vfs_fsync_calls == 15 && c->delay_replies == 24);
        ck_assert(c->normal_read_bytes == 1 && c->normal_write_bytes == 2 && c->direct_read_bytes == 3 &&
                  c->direct_write_bytes == 4 && c->server_read_bytes == 5 && c->server_write_bytes == 6);
        ck_assert(w->calls == 1 && w->transmissions == 2 && w->major_timeouts == 3 && w->sent_bytes == 4 &&
                  w->received_bytes == 5 && w->queue_msec == 6 && w->round_trip_msec == 7 && w->execute_msec == 8 &&
                  w->errors == 9);
        ck_assert_uint_eq(c->op[RPC_OP_OPEN].calls, 3);
        ck_assert_uint_eq(c->op[RPC_OP_RENEW].calls, 5);
        ck_assert_uint_eq(c->op[RPC_OP_READ].calls, 4);
        ck_assert_uint_eq(c->op[RPC_OP_OTHER].calls, 15);
        mountstats_done(&m);
}
END_TEST

START_TEST(test_old_block)
{
        struct mountstats m = parse("device h:/x mounted on /x with fstype nfs\n"
                                    "opts: rw,vers=3,rsize=32768,\n   wsize=32768,hard\nage: 5\n"
                                    "device h:/y mounted on /y with fstype nfs4 statvers=1.1\n"
                                    "\timpl_id:\tname='',domain='',date='0,0'\n"
                                    "\tnfsv4:\tbm0=0x1,acl=0x0\n\tevents:\t1 2 3\n");
        const struct mountstats_entry *e = m.entries;

        ck_assert_uint_eq(m.n_entries, 2);
        ck_assert_uint_eq(e[0].counters.statvers_minor, UINT_MAX);
        ck_assert_str_eq(options_value(&e[0].options, "wsize"), "32768");
        ck_assert(options_has(&e[0].options, "hard"));
        ck_assert(!e[0].counters.known && e[0].counters.age_sec == 5);
        ck_assert_ptr_null(e[1].counters.implementation);
        ck_assert(!e[1].counters.lease_known && e[1].counters.vfs_fsync_calls == 0);
        mountstats_done(&m);
}
END_TEST

/* The name of FreeBSD's server is its version string, which ends in a newline. */
START_TEST(test_implementation_with_newline)
{
        struct mountstats m = parse(HEAD "\timpl_id:\tname='FreeBSD 14.1-RELEASE\n',domain='freebsd.org',date='0,0'\n"
                                    "\tage:\t7\n");

        ck_assert_str_eq(m.entries[0].counters.implementation, "FreeBSD 14.1-RELEASE");
        ck_assert_uint_eq(m.entries[0].counters.age_sec, 7);
        mountstats_done(&m);
}
END_TEST

/* ---- hostile ------------------------------------------------------------------------ */

static const struct {
        const char *name, *text;
        size_t n;
} hostile[] = {
        { "empty", "", 0 },
        { "counters of no mount", "\tage:\t5\n\txprt:\ttcp 1 2 3 4 5 6 7 8 9 10\n", 0 },
        { "cut device lines", "device\ndevice h:/x mounted\ndevice h:/x mounted on /x with fstype\n", 0 },
        { "other file systems", "device x mounted on /x with fstype nfsd\ndevice x mounted on /y with fstype nf\n", 0 },
        { "no device mounted", "no device mounted on /x with fstype nfs\n", 0 },
        { "no newline", "device h:/x mounted on /x with fstype nfs", 1 },
        { "open quote in the options", HEAD "\topts:\trw,context=\"a\n", 1 },
        { "open implementation", HEAD "\timpl_id:\tname='\n\timpl_id:\tname='x\n\timpl_id:\n", 1 },
        { "cut lease", HEAD "\tnfsv4:\tlease_time=,lease_expired=\n", 1 },
        { "rows without names", HEAD "\tper-op statistics\n:\n: 1 2 3 4 5 6 7 8\n12\n\xff\xfe: 1 2 3 4 5 6 7 8\n", 1 },
};

START_TEST(test_hostile)
{
        struct mountstats m = parse(hostile[_i].text);

        ck_assert_msg(m.n_entries == hostile[_i].n, "%s: %zu", hostile[_i].name, m.n_entries);
        mountstats_done(&m);
}
END_TEST

START_TEST(test_huge_numbers)
{
        struct mountstats m = parse(HEAD "\tage:\t99999999999999999999\n\tper-op statistics\n"
                                         "\tLINK: 18446744073709551615 1 1 1 1 1 1 1\n"
                                         "\tMKDIR: 18446744073709551616 1 1 1 1 1 1 1\n\tNULL: -1 1 1 1 1 1 1 1\n");

        ck_assert_uint_eq(m.entries[0].counters.age_sec, UINT64_MAX);
        ck_assert_uint_eq(m.entries[0].counters.op[RPC_OP_OTHER].calls, UINT64_MAX);
        ck_assert_uint_eq(m.entries[0].counters.op[RPC_OP_OTHER].transmissions, 2);
        ck_assert_uint_eq(m.entries[0].counters.op[RPC_OP_NULL].transmissions, 0);
        mountstats_done(&m);
}
END_TEST

START_TEST(test_every_cut)
{
        cleanup_free char *text = NULL;
        size_t length;

        data_read("cases/mountstats/95.mountstats", &text, &length);
        for (size_t n = 0; n <= length; n++) {
                cleanup_free char *cut = malloc(n + 1);       /* exact size: a sanitizer sees one byte beyond */
                struct mountstats m = { 0 };

                memcpy(cut, text, n);
                ck_assert_int_eq(mountstats_parse(cut, n, &m), 0);
                mountstats_done(&m);
        }
}
END_TEST

/* ---- join --------------------------------------------------------------------------- */

static struct snapshot snapshot_make(const char *const (*names)[2], size_t n)
{
        struct snapshot s = { .mounts = calloc(n, sizeof(*s.mounts)), .n_mounts = n };

        for (size_t i = 0; i < n; i++) {
                s.mounts[i].mount.target = strdup(names[i][0]);
                s.mounts[i].mount.source = strdup(names[i][1]);
        }
        return s;
}

START_TEST(test_join)
{
        static const char *const names[][2] = {
                { "/b", "h:/b" }, { "/a", "h:/a" }, { "/a", "h:/other" }, { "/a", "h:/a" }, { "/none", "h:/none" },
                { "/a", "h:/a" },
        };
        static const uint64_t ages[] = { 5, 1, 4, 2, 0, 0 };
        struct snapshot s = snapshot_make(names, ARRAY_SIZE(names));

        tree_write("mountstats", "device h:/a mounted on /a with fstype nfs statvers=1.1\n"
                                 " age: 1\n bytes: 0 0 0 0 0 0\n"
                                 "device h:/a mounted on /a with fstype nfs statvers=1.1\n"
                                 " age: 2\n bytes: 0 0 0 0 0 0\n"
                                 "device h:/z mounted on /zzz with fstype nfs statvers=1.1\n age: 3\n"
                                 "device h:/other mounted on /a with fstype nfs statvers=1.1\n age: 4\n"
                                 "device h:/other mounted on /a with fstype nfs statvers=1.1\n age: 9\n"
                                 "device h:/b mounted on /b with fstype nfs statvers=1.1\n age: 5\n"
                                 "\timpl_id: name='x',domain='',date=''\n");
        tree_write("none", "");
        /* twice: the second time replaces */
        for (unsigned round = 0; round < 2; round++) {
                ck_assert_int_eq(mountstats_join(tree_path("mountstats"), &s), 0);
                for (size_t i = 0; i < s.n_mounts; i++)
                        ck_assert_msg(s.mounts[i].counters.age_sec == ages[i], "mount %zu: %llu", i,
                                      (ull)s.mounts[i].counters.age_sec);
        }
        ck_assert(s.mounts[1].counters.known && !s.mounts[4].counters.known && !s.mounts[5].counters.known);
        ck_assert_str_eq(s.mounts[0].counters.implementation, "x");
        ck_assert_int_eq(mountstats_join(tree_path("missing"), &s), -ENOENT);
        ck_assert_int_eq(mountstats_join("/proc", &s), -EISDIR);
        ck_assert(s.mounts[1].counters.known);
        ck_assert_int_eq(mountstats_join(tree_path("none"), &s), 0);
        ck_assert(!s.mounts[1].counters.known && s.mounts[1].counters.age_sec == 0);
        snapshot_done(&s);
}
END_TEST

/* ---- many ---------------------------------------------------------------------------- */

static void block_make(struct text *t, size_t i)
{
        text_add(t, "device server:/export/%zu mounted on /srv/mount/%zu with fstype nfs4 statvers=1.1\n", i, i);
        text_add(t, "\topts:\trw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255,acregmin=3,acregmax=60,acdirmin=30,"
                    "acdirmax=60,hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=192.0.2.1,local_lock=none\n"
                    "\tage:\t%zu\n\tbytes:\t1 2 3 4 5 6 7 8 \n\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
                    "\txprt:\ttcp 0 0 1 0 0 12755 12754 0 51500 0 32 101086 25994\n\tper-op statistics\n", i);
        for (unsigned op = 0; op < 70; op++)
                text_add(t, "\t    OPERATION%02u: 2000 2000 0 2097616000 288000 5178088 48850 5230077 0\n", op);
}

START_TEST(test_thousand_mounts)
{
        struct text t = { 0 };
        struct timespec before, after;
        struct mountstats m = { 0 };

        for (size_t i = 0; i < 1000; i++)
                block_make(&t, i);
        size_t length = t.length_bytes;
        cleanup_free char *text = text_take(&t);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
        ck_assert_int_eq(mountstats_parse(text, length, &m), 0);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
        ck_assert_uint_eq(m.n_entries, 1000);
        ck_assert_uint_eq(m.entries[999].counters.age_sec, 999);
        double msec = (double)(after.tv_sec - before.tv_sec) * 1e3 + (double)(after.tv_nsec - before.tv_nsec) / 1e6;
        printf("%zu bytes of 1000 mounts: %.1f ms\n", length, msec);
        /* the target is 50 ms without sanitizers on a quiet host */
        ck_assert_msg(msec < 1000, "%.1f ms", msec);
        mountstats_done(&m);
}
END_TEST

START_TEST(test_endless_line)
{
        struct text t = { 0 };

        for (size_t i = 0; i < 3 * MIB; i++)
                text_add_bytes(&t, "x", 1);
        text_add(&t, "\n" HEAD "\tage:\t7\n");
        struct mountstats m = parse_pieces(t.data, t.length_bytes, 64 * KIB);
        ck_assert_uint_eq(m.n_entries, 1);
        ck_assert_uint_eq(m.entries[0].counters.age_sec, 7);
        mountstats_done(&m);
        text_done(&t);
}
END_TEST

/* Where did the file end? */
static const struct {
        const char *name, *text;
        size_t n_devices;
        bool counters_cut;
} ends[] = {
        { "nothing", "", 0, false },
        { "no NFS", "device a mounted on /a with fstype ext4\n", 1, false },
        { "whole", HEAD "\tage:\t7\n\tper-op statistics\n\tREAD: 1 1 0 1 1 1 1 1\n", 1, false },
        { "options only", HEAD "\topts:\trw\n", 1, false },
        { "behind the age", HEAD "\topts:\trw\n\tage:\t7\n", 1, true },
        { "behind the transport", HEAD "\tage:\t7\n\txprt:\ttcp 1 1 1 1 1 1 1 1 1 1\n", 1, true },
        { "another device behind it", HEAD "\tage:\t7\ndevice a mounted on /a with fstype ext4\n", 2, false },
};

START_TEST(test_end)
{
        struct mountstats m = { 0 };
        struct mountstats_stream s = { .take = collect, .context = &m };

        ck_assert_int_eq(mountstats_feed(&s, ends[_i].text, strlen(ends[_i].text)), 0);
        ck_assert_int_eq(mountstats_end(&s), 0);
        ck_assert_msg(s.n_devices == ends[_i].n_devices, "%s: %zu devices", ends[_i].name, s.n_devices);
        ck_assert_msg(s.counters_cut == ends[_i].counters_cut, "%s: cut", ends[_i].name);
        for (size_t i = 0; i < m.n_entries; i++)
                ck_assert_msg(m.entries[i].options.n_items == 0, "%s: options nobody wanted", ends[_i].name);
        mountstats_stream_done(&s);
        mountstats_done(&m);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("probe/mountstats");
        TCase *t = tcase_create("all");

        tcase_set_timeout(t, 60);
        tcase_add_checked_fixture(t, tree_setup, tree_teardown);
        tcase_add_test(t, test_recorded);
        tcase_add_loop_test(t, test_transport, 0, ARRAY_SIZE(transports));
        tcase_add_test(t, test_modern_block);
        tcase_add_test(t, test_old_block);
        tcase_add_test(t, test_implementation_with_newline);
        tcase_add_loop_test(t, test_hostile, 0, ARRAY_SIZE(hostile));
        tcase_add_test(t, test_huge_numbers);
        tcase_add_test(t, test_every_cut);
        tcase_add_test(t, test_join);
        tcase_add_test(t, test_thousand_mounts);
        tcase_add_test(t, test_endless_line);
        tcase_add_loop_test(t, test_end, 0, ARRAY_SIZE(ends));
        suite_add_tcase(s, t);
        return suite_run(s);
}
