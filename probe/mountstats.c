/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/mountstats.c - counters out of /proc/self/mountstats.
 *
 * The text is fed line by line, so that a file of many megabytes (thousands of
 * mounts) is read in one pass with a small buffer.
 */
#include "probe/mountstats.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "probe/lines.h"

/* A line longer than this is no line of a kernel. */
#define LINE_MAX_BYTES (1 * MIB)
#define READ_BYTES     (64 * KIB)

/* Positions in the events: line (nfs_iostat.h). */
#define EVENT_VFS_FSYNC 15
#define EVENT_DELAY     24
#define EVENTS          27
#define BYTES_FIELDS    8
#define OP_COLUMNS      8       /* a ninth, errors, since RPC iostats version 1.1 */
#define XPRT_NUMBERS    13      /* what is looked at; rdma has more */

/* ---- pieces of text ------------------------------------------------------- */

struct cursor {
        const char *p;
        const char *end;
};

static void skip_blanks(struct cursor *c)
{
        while (c->p < c->end && (*c->p == ' ' || *c->p == '\t'))
                c->p++;
}

/* The next number; larger ones than 64 bits can hold are the largest. */
static bool next_number(struct cursor *c, uint64_t *ret)
{
        uint64_t value = 0;
        bool overflow = false;

        skip_blanks(c);
        if (c->p == c->end || *c->p < '0' || *c->p > '9')
                return false;
        for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++)
                if (__builtin_mul_overflow(value, 10U, &value) ||
                    __builtin_add_overflow(value, (uint64_t)(*c->p - '0'), &value))
                        overflow = true;
        *ret = overflow ? UINT64_MAX : value;
        return true;
}

static size_t next_numbers(struct cursor *c, uint64_t *values, size_t max)
{
        size_t n = 0;

        while (n < max && next_number(c, &values[n]))
                n++;
        return n;
}

static bool next_word(struct cursor *c, const char **ret, size_t *ret_length)
{
        skip_blanks(c);
        const char *start = c->p;
        while (c->p < c->end && *c->p != ' ' && *c->p != '\t')
                c->p++;
        *ret = start;
        *ret_length = (size_t)(c->p - start);
        return c->p > start;
}

static bool next_is(struct cursor *c, const char *word)
{
        const char *w;
        size_t length;

        return next_word(c, &w, &length) && length == strlen(word) && memcmp(w, word, length) == 0;
}

/* Number after "@key" (which includes its '='), at the start of a field. */
static bool keyed_number(struct cursor c, const char *key, uint64_t *ret)
{
        size_t length = strlen(key);

        for (const char *at = c.p; (at = memmem(at, (size_t)(c.end - at), key, length)); at += length) {
                if (at > c.p && at[-1] != ',' && at[-1] != ' ' && at[-1] != '\t')
                        continue;
                struct cursor value = { at + length, c.end };
                return next_number(&value, ret);
        }
        return false;
}

static void add(uint64_t *sum, uint64_t value)
{
        if (__builtin_add_overflow(*sum, value, sum))
                *sum = UINT64_MAX;
}

/* ---- tagged lines ---------------------------------------------------------- */

/* mail programs and old kernels leave blanks after the commas */
static void opts_add(struct mountstats_stream *s, struct cursor c)
{
        const char *word;
        size_t length;

        while (s->options_wanted && next_word(&c, &word, &length))
                text_add_bytes(&s->opts, word, length);
}

static void age_read(struct counters *k, struct cursor c)
{
        uint64_t age;

        if (next_number(&c, &age))
                k->age_sec = age;
}

/* name='...',domain='...',date='...'; the server chooses the name, which may
 * hold commas and quotes. */
static int implementation_read(struct counters *k, struct cursor c)
{
        static const char start[] = "name='", stop[] = "',domain='";

        skip_blanks(&c);
        if (!text_starts(c.p, (size_t)(c.end - c.p), start))
                return 0;
        const char *name = c.p + strlen(start);
        const char *end = memmem(name, (size_t)(c.end - name), stop, strlen(stop));
        if (!end)
                end = memrchr(name, '\'', (size_t)(c.end - name));
        if (!end)
                end = c.end;    /* FreeBSD's name ends in a newline: the quote is on the next line */
        if (end == name)
                return 0;
        free(k->implementation);
        k->implementation = strndup(name, (size_t)(end - name));
        return k->implementation ? 0 : -ENOMEM;
}

static void caps_read(struct counters *k, struct cursor c)
{
        uint64_t size;

        if (keyed_number(c, "dtsize=", &size))
                k->dtsize_bytes = size;
}

static void lease_read(struct counters *k, struct cursor c)
{
        uint64_t time, expired;

        if (!keyed_number(c, "lease_time=", &time) || !keyed_number(c, "lease_expired=", &expired))
                return;
        k->lease_known = true;
        k->lease_time_sec = time;
        k->lease_expired_sec = expired;
}

static void events_read(struct counters *k, struct cursor c)
{
        uint64_t e[EVENTS] = { 0 };

        (void)next_numbers(&c, e, EVENTS);      /* missing ones are zero */
        k->vfs_fsync_calls = e[EVENT_VFS_FSYNC];
        k->delay_replies = e[EVENT_DELAY];
}

static void bytes_read(struct counters *k, struct cursor c)
{
        uint64_t b[BYTES_FIELDS];

        if (next_numbers(&c, b, BYTES_FIELDS) < 6)
                return;
        k->normal_read_bytes = b[0];
        k->normal_write_bytes = b[1];
        k->direct_read_bytes = b[2];
        k->direct_write_bytes = b[3];
        k->server_read_bytes = b[4];
        k->server_write_bytes = b[5];
        k->known = true;
}

/* Where the numbers of one transport stand; -1: not printed. */
struct xprt_layout {
        const char *name;
        enum nfs_proto proto;
        size_t least;           /* numbers a usable line has */
        int connects, idle, sends, slots;       /* receives, bad_xids, req, backlog follow sends;
                                                 * sending and pending follow slots */
};

static const struct xprt_layout xprt_layouts[] = {
        { "tcp",   NFS_PROTO_TCP,     10, 2,  4,  5, 10 },
        { "udp",   NFS_PROTO_UDP,     7,  -1, -1, 2, 7 },
        { "rdma",  NFS_PROTO_RDMA,    10, 2,  4,  5, -1 },
        { "local", NFS_PROTO_UNKNOWN, 9,  1,  3,  4, 9 },
};

static void xprt_add(struct transport_counters *t, const struct xprt_layout *l, const uint64_t *v, size_t n)
{
        uint64_t idle = l->idle < 0 ? 0 : v[l->idle];

        t->idle_sec = t->transports == 0 ? idle : MIN(t->idle_sec, idle);
        t->transports++;
        t->proto = l->proto;
        if (l->connects >= 0)
                add(&t->connects, v[l->connects]);
        add(&t->sends, v[l->sends]);
        add(&t->receives, v[l->sends + 1]);
        add(&t->bad_xids, v[l->sends + 2]);
        add(&t->request_usage, v[l->sends + 3]);
        add(&t->backlog_usage, v[l->sends + 4]);
        if (l->slots < 0 || n < (size_t)l->slots + 3)
                return;
        add(&t->max_slots, v[l->slots]);
        add(&t->sending_usage, v[l->slots + 1]);
        add(&t->pending_usage, v[l->slots + 2]);
}

static void xprt_read(struct counters *k, struct cursor c)
{
        const char *name;
        size_t length;
        uint64_t v[XPRT_NUMBERS];

        if (!next_word(&c, &name, &length))
                return;
        for (size_t i = 0; i < ARRAY_SIZE(xprt_layouts); i++) {
                const struct xprt_layout *l = &xprt_layouts[i];

                if (length != strlen(l->name) || memcmp(name, l->name, length) != 0)
                        continue;
                size_t n = next_numbers(&c, v, XPRT_NUMBERS);
                if (n < l->least)
                        return;
                xprt_add(&k->transport, l, v, n);
                k->known = true;
                return;
        }
}

/* ---- per-op rows -------------------------------------------------------------- */

static const struct {
        const char *name;
        enum rpc_op op;
} op_names[] = {
        { "NULL",        RPC_OP_NULL },
        { "READ",        RPC_OP_READ },
        { "READ_PLUS",   RPC_OP_READ },
        { "WRITE",       RPC_OP_WRITE },
        { "COMMIT",      RPC_OP_COMMIT },
        { "GETATTR",     RPC_OP_GETATTR },
        { "SETATTR",     RPC_OP_SETATTR },
        { "LOOKUP",      RPC_OP_LOOKUP },
        { "ACCESS",      RPC_OP_ACCESS },
        { "OPEN",        RPC_OP_OPEN },
        { "OPEN_NOATTR", RPC_OP_OPEN },
        { "CLOSE",       RPC_OP_CLOSE },
        { "CREATE",      RPC_OP_CREATE },
        { "REMOVE",      RPC_OP_REMOVE },
        { "RENAME",      RPC_OP_RENAME },
        { "READDIR",     RPC_OP_READDIR },
        { "READDIRPLUS", RPC_OP_READDIR },
        { "RENEW",       RPC_OP_RENEW },
        { "SEQUENCE",    RPC_OP_RENEW },
};

static enum rpc_op op_find(const char *name, size_t length)
{
        for (size_t i = 0; i < ARRAY_SIZE(op_names); i++)
                if (length == strlen(op_names[i].name) && memcmp(name, op_names[i].name, length) == 0)
                        return op_names[i].op;
        return RPC_OP_OTHER;
}

static void op_read(struct counters *k, const char *line, size_t length)
{
        const char *colon = memchr(line, ':', length);
        uint64_t v[OP_COLUMNS + 1] = { 0 };

        if (!colon)
                return;
        struct cursor c = { colon + 1, line + length };
        if (next_numbers(&c, v, OP_COLUMNS + 1) < OP_COLUMNS)
                return;
        struct rpc_op_counters *op = &k->op[op_find(line, (size_t)(colon - line))];
        add(&op->calls, v[0]);
        add(&op->transmissions, v[1]);
        add(&op->major_timeouts, v[2]);
        add(&op->sent_bytes, v[3]);
        add(&op->received_bytes, v[4]);
        add(&op->queue_msec, v[5]);
        add(&op->round_trip_msec, v[6]);
        add(&op->execute_msec, v[7]);
        add(&op->errors, v[8]);
        k->known = true;
}

/* ---- blocks -------------------------------------------------------------------- */

static void entry_done(struct mountstats_entry *e)
{
        free(e->source);
        free(e->target);
        free(e->fstype);
        options_done(&e->options);
        counters_done(&e->counters);
        *e = (struct mountstats_entry){ 0 };
}

/* Hands the block over. */
static int block_end(struct mountstats_stream *s)
{
        if (!s->in_block)
                return 0;
        s->in_block = false;
        s->in_ops = false;
        if (s->opts.failed)
                return -ENOMEM;
        /* unreadable options: the counters are still good */
        int r = s->options_wanted ? options_parse(s->opts.data, s->opts.length_bytes, &s->entry.options) : 0;
        s->opts.length_bytes = 0;
        if (r != -ENOMEM)
                r = s->take(s->context, &s->entry);
        entry_done(&s->entry);
        return r;
}

static unsigned statvers_minor(struct cursor c)
{
        uint64_t minor;

        return keyed_number(c, "statvers=1.", &minor) && minor < UINT_MAX ? (unsigned)minor : UINT_MAX;
}

/* "device SOURCE mounted on TARGET with fstype TYPE[ statvers=1.N]" */
static int device_read(struct mountstats_stream *s, struct cursor c)
{
        const char *source, *target, *fstype;
        size_t source_length, target_length, fstype_length;

        if (!next_is(&c, "device") || !next_word(&c, &source, &source_length) || !next_is(&c, "mounted") ||
            !next_is(&c, "on") || !next_word(&c, &target, &target_length) || !next_is(&c, "with") ||
            !next_is(&c, "fstype") || !next_word(&c, &fstype, &fstype_length))
                return 0;
        if (!(fstype_length == 3 || (fstype_length == 4 && fstype[3] == '4')) || memcmp(fstype, "nfs", 3) != 0)
                return 0;
        s->entry = (struct mountstats_entry){
                .source = octal_decode(source, source_length),
                .target = octal_decode(target, target_length),
                .fstype = strndup(fstype, fstype_length),
                .counters.statvers_minor = statvers_minor(c),
        };
        if (!s->entry.source || !s->entry.target || !s->entry.fstype)
                return -ENOMEM;
        (void)deleted_strip(s->entry.target);   /* the mount table says so */
        s->in_block = true;
        return 0;
}

/* "word:" at the start of the line; what follows is left in *@c. */
static bool tag_is(struct cursor *c, const char *tag)
{
        size_t length = strlen(tag);

        if (!text_starts(c->p, (size_t)(c->end - c->p), tag))
                return false;
        c->p += length;
        return true;
}

static int tagged_read(struct mountstats_stream *s, struct cursor c)
{
        struct counters *k = &s->entry.counters;

        if (tag_is(&c, "opts:")) {
                opts_add(s, c);
                return 0;
        }
        if (tag_is(&c, "per-op statistics")) {
                s->in_ops = true;
                s->counters_cut = false;
                return 0;
        }
        if (tag_is(&c, "age:"))
                age_read(k, c);
        else if (tag_is(&c, "impl_id:"))
                return implementation_read(k, c);
        else if (tag_is(&c, "caps:"))
                caps_read(k, c);
        else if (tag_is(&c, "nfsv4:"))
                lease_read(k, c);
        else if (tag_is(&c, "events:"))
                events_read(k, c);
        else if (tag_is(&c, "bytes:"))
                bytes_read(k, c);
        else if (tag_is(&c, "xprt:"))
                xprt_read(k, c);
        else {
                if (s->opts.length_bytes > 0 && s->opts.data[s->opts.length_bytes - 1] == ',')
                        opts_add(s, c);
                return 0;
        }
        s->counters_cut = true;
        return 0;
}

static int line_feed(struct mountstats_stream *s, const char *line, size_t length)
{
        bool device = text_starts(line, length, "device ");

        blanks_trim(&line, &length);
        struct cursor c = { line, line + length };
        if (device) {
                int r = block_end(s);

                s->n_devices++;
                s->counters_cut = false;
                return r == 0 ? device_read(s, c) : r;
        }
        if (!s->in_block || length == 0)
                return 0;
        if (s->in_ops) {
                op_read(&s->entry.counters, line, length);
                return 0;
        }
        return tagged_read(s, c);
}

/* ---- pieces of a file ------------------------------------------------------------- */

/* The beginning of a line, to be continued. */
static int rest_add(struct mountstats_stream *s, const char *data, size_t length)
{
        if (s->rest.length_bytes + length > LINE_MAX_BYTES)
                s->rest.length_bytes = 0;       /* no kernel wrote that line */
        else
                text_add_bytes(&s->rest, data, length);
        return s->rest.failed ? -ENOMEM : 0;
}

static int rest_end(struct mountstats_stream *s)
{
        if (s->rest.length_bytes == 0)
                return 0;
        int r = line_feed(s, s->rest.data, s->rest.length_bytes);
        s->rest.length_bytes = 0;
        return r;
}

int mountstats_feed(struct mountstats_stream *s, const char *data, size_t length_bytes)
{
        const char *end = data + length_bytes, *newline;
        int r = 0;

        for (; r == 0 && (newline = memchr(data, '\n', (size_t)(end - data))); data = newline + 1) {
                if (s->rest.length_bytes == 0) {
                        r = line_feed(s, data, (size_t)(newline - data));
                        continue;
                }
                r = rest_add(s, data, (size_t)(newline - data));
                if (r == 0)
                        r = rest_end(s);
        }
        return r == 0 && data < end ? rest_add(s, data, (size_t)(end - data)) : r;
}

int mountstats_end(struct mountstats_stream *s)
{
        int r = rest_end(s);

        return r == 0 ? block_end(s) : r;
}

void mountstats_stream_done(struct mountstats_stream *s)
{
        entry_done(&s->entry);
        text_done(&s->opts);
        text_done(&s->rest);
}

/* ---- all blocks of a file ---------------------------------------------------------- */

struct collection {
        struct mountstats m;
        size_t allocated;
};

static void collection_done(struct collection *c)
{
        mountstats_done(&c->m);
}

static int entry_add(void *context, struct mountstats_entry *e)
{
        struct collection *c = context;

        if (c->m.n_entries == c->allocated) {
                size_t more = c->allocated ? c->allocated * 2 : 16;
                struct mountstats_entry *bigger = reallocarray(c->m.entries, more, sizeof(*bigger));

                if (!bigger)
                        return -ENOMEM;
                c->m.entries = bigger;
                c->allocated = more;
        }
        c->m.entries[c->m.n_entries++] = *e;
        *e = (struct mountstats_entry){ 0 };
        return 0;
}

/* Ends the reading, whose status is @r, and hands the collection over. */
static int collection_end(struct collection *c, struct mountstats_stream *s, int r, struct mountstats *ret)
{
        if (r == 0)
                r = mountstats_end(s);
        if (r < 0)
                return r;
        *ret = c->m;
        c->m = (struct mountstats){ 0 };
        return 0;
}

int mountstats_parse(const char *text, size_t length_bytes, struct mountstats *ret)
{
        cleanup(collection_done) struct collection c = { 0 };
        cleanup(mountstats_stream_done) struct mountstats_stream s = {
                .take = entry_add, .context = &c, .options_wanted = true,
        };

        return collection_end(&c, &s, mountstats_feed(&s, text, length_bytes), ret);
}

void mountstats_done(struct mountstats *m)
{
        for (size_t i = 0; i < m->n_entries; i++)
                entry_done(&m->entries[i]);
        free(m->entries);
        *m = (struct mountstats){ 0 };
}

/* ---- join ------------------------------------------------------------------------ */

/* A mount, by what both files know of it. */
struct key {
        const char *target;
        const char *source;
        size_t index;           /* order in the snapshot: stacked mounts have equal names */
        size_t blocks;          /* in the first of equal names: how many of them have their block */
};

static int compare_names(const struct key *a, const struct key *b)
{
        int by_target = strcmp(a->target, b->target);

        return by_target ? by_target : strcmp(a->source, b->source);
}

static int compare_keys(const void *a, const void *b)
{
        const struct key *x = a, *y = b;
        int by_name = compare_names(x, y);

        return by_name ? by_name : (x->index > y->index) - (x->index < y->index);
}

static struct key *keys_of_mounts(const struct snapshot *s)
{
        struct key *keys = calloc(s->n_mounts + 1, sizeof(*keys));

        if (!keys)
                return NULL;
        for (size_t i = 0; i < s->n_mounts; i++)
                keys[i] = (struct key){ s->mounts[i].mount.target, s->mounts[i].mount.source, i, 0 };
        if (s->n_mounts > 1)
                qsort(keys, s->n_mounts, sizeof(*keys), compare_keys);
        return keys;
}

struct mountstats_joiner {
        struct snapshot *s;
        struct key *mounts;     /* sorted */
};

struct mountstats_joiner *mountstats_joiner_new(struct snapshot *s)
{
        struct mountstats_joiner *j = malloc(sizeof(*j));

        if (!j)
                return NULL;
        *j = (struct mountstats_joiner){ .s = s, .mounts = keys_of_mounts(s) };
        if (!j->mounts) {
                free(j);
                return NULL;
        }
        return j;
}

/* The first of the mounts with this name, or NULL. */
static struct key *first_of_name(const struct mountstats_joiner *j, const struct key *name)
{
        size_t low = 0, high = j->s->n_mounts;

        while (low < high) {
                size_t middle = low + (high - low) / 2;

                if (compare_names(&j->mounts[middle], name) < 0)
                        low = middle + 1;
                else
                        high = middle;
        }
        return low < j->s->n_mounts && compare_names(&j->mounts[low], name) == 0 ? &j->mounts[low] : NULL;
}

int mountstats_joiner_take(void *joiner, struct mountstats_entry *e)
{
        struct mountstats_joiner *j = joiner;
        const struct key name = { e->target, e->source, 0, 0 };
        struct key *first = first_of_name(j, &name);

        if (!first)
                return 0;
        const struct key *mine = first + first->blocks;
        if (mine == j->mounts + j->s->n_mounts || compare_names(mine, &name) != 0)
                return 0;
        first->blocks++;
        struct counters *c = &j->s->mounts[mine->index].counters;
        counters_done(c);
        *c = e->counters;
        e->counters = (struct counters){ 0 };
        return 0;
}

void mountstats_joiner_end(struct mountstats_joiner *j)
{
        for (size_t i = 0, n; i < j->s->n_mounts; i += n) {
                for (n = 1; i + n < j->s->n_mounts && compare_names(&j->mounts[i], &j->mounts[i + n]) == 0; n++)
                        continue;
                for (size_t k = j->mounts[i].blocks; k < n; k++)
                        counters_done(&j->s->mounts[j->mounts[i + k].index].counters);
        }
}

void mountstats_joiner_free(struct mountstats_joiner *j)
{
        if (!j)
                return;
        free(j->mounts);
        free(j);
}

static int fd_feed(struct mountstats_stream *s, int fd)
{
        cleanup_free char *data = malloc(READ_BYTES);

        if (!data)
                return -ENOMEM;
        for (;;) {
                ssize_t n = read(fd, data, READ_BYTES);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n <= 0)
                        return n < 0 ? -errno : 0;
                int r = mountstats_feed(s, data, (size_t)n);
                if (r < 0)
                        return r;
        }
}

static int fd_join(int fd, struct snapshot *snapshot)
{
        struct mountstats_joiner *j = mountstats_joiner_new(snapshot);
        cleanup(mountstats_stream_done) struct mountstats_stream s = { .take = mountstats_joiner_take, .context = j };

        if (!j)
                return -ENOMEM;
        int r = fd_feed(&s, fd);
        if (r == 0)
                r = mountstats_end(&s);
        if (r == 0)
                mountstats_joiner_end(j);
        mountstats_joiner_free(j);
        return r;
}

int mountstats_join(const char *path, struct snapshot *s)
{
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

        if (fd < 0)
                return -errno;
        int r = fd_join(fd, s);
        (void)close(fd);
        return r;
}
