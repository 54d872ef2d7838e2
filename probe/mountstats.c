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

#include "policy/text.h"
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

struct parser {
        struct mountstats *m;
        size_t allocated;
        bool in_block;                  /* the last entry is being filled */
        bool in_ops;                    /* after "per-op statistics" */
        struct text opts;               /* may be wrapped over several lines */
};

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

static struct mountstats_entry *current(const struct parser *p)
{
        return &p->m->entries[p->m->n_entries - 1];
}

/* mail programs and old kernels leave blanks after the commas */
static void opts_add(struct parser *p, struct cursor c)
{
        const char *word;
        size_t length;

        while (next_word(&c, &word, &length))
                text_add_bytes(&p->opts, word, length);
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
        if (!end || end == name)
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

static int block_end(struct parser *p)
{
        if (!p->in_block)
                return 0;
        p->in_block = false;
        p->in_ops = false;
        cleanup_free char *opts = text_take(&p->opts);
        if (!opts)
                return -ENOMEM;
        int r = options_parse(opts, strlen(opts), &current(p)->options);
        return r == -ENOMEM ? r : 0;    /* unreadable options: the counters are still good */
}

static int entry_add(struct parser *p, struct mountstats_entry *e)
{
        struct mountstats *m = p->m;

        if (m->n_entries == p->allocated) {
                size_t more = p->allocated ? p->allocated * 2 : 16;
                struct mountstats_entry *bigger = reallocarray(m->entries, more, sizeof(*bigger));

                if (!bigger)
                        return -ENOMEM;
                m->entries = bigger;
                p->allocated = more;
        }
        m->entries[m->n_entries++] = *e;
        p->in_block = true;
        return 0;
}

static void entry_done(struct mountstats_entry *e)
{
        free(e->source);
        free(e->target);
        free(e->fstype);
        options_done(&e->options);
        counters_done(&e->counters);
}

static unsigned statvers_minor(struct cursor c)
{
        uint64_t minor;

        return keyed_number(c, "statvers=1.", &minor) && minor < UINT_MAX ? (unsigned)minor : UINT_MAX;
}

/* "device SOURCE mounted on TARGET with fstype TYPE[ statvers=1.N]" */
static int device_read(struct parser *p, struct cursor c)
{
        const char *source, *target, *fstype;
        size_t source_length, target_length, fstype_length;

        if (!next_is(&c, "device") || !next_word(&c, &source, &source_length) || !next_is(&c, "mounted") ||
            !next_is(&c, "on") || !next_word(&c, &target, &target_length) || !next_is(&c, "with") ||
            !next_is(&c, "fstype") || !next_word(&c, &fstype, &fstype_length))
                return 0;
        if (!(fstype_length == 3 || (fstype_length == 4 && fstype[3] == '4')) || memcmp(fstype, "nfs", 3) != 0)
                return 0;
        struct mountstats_entry e = {
                .source = octal_decode(source, source_length),
                .target = octal_decode(target, target_length),
                .fstype = strndup(fstype, fstype_length),
                .counters.statvers_minor = statvers_minor(c),
        };
        int r = e.source && e.target && e.fstype ? entry_add(p, &e) : -ENOMEM;
        if (r < 0)
                entry_done(&e);
        else
                (void)deleted_strip(current(p)->target);        /* the mount table says so */
        return r;
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

static int tagged_read(struct parser *p, struct cursor c)
{
        struct counters *k = &current(p)->counters;

        if (tag_is(&c, "opts:"))
                opts_add(p, c);
        else if (tag_is(&c, "age:"))
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
        else if (tag_is(&c, "per-op statistics"))
                p->in_ops = true;
        else if (p->opts.length_bytes > 0 && p->opts.data[p->opts.length_bytes - 1] == ',')
                opts_add(p, c);
        return 0;
}

static int line_feed(struct parser *p, const char *line, size_t length)
{
        bool device = text_starts(line, length, "device ");

        blanks_trim(&line, &length);
        struct cursor c = { line, line + length };
        if (device) {
                int r = block_end(p);
                return r < 0 ? r : device_read(p, c);
        }
        if (!p->in_block || length == 0)
                return 0;
        if (p->in_ops) {
                op_read(&current(p)->counters, line, length);
                return 0;
        }
        return tagged_read(p, c);
}

static void parser_done(struct parser *p)
{
        text_done(&p->opts);
}

/* Ends the parsing; on an error nothing is left in *m. */
static int parser_end(struct parser *p, int r)
{
        if (r == 0)
                r = block_end(p);
        if (r < 0)
                mountstats_done(p->m);
        return r;
}

int mountstats_parse(const char *text, size_t length_bytes, struct mountstats *ret)
{
        struct line_reader lines = { text, text + length_bytes, 0 };
        struct mountstats m = { 0 };
        cleanup(parser_done) struct parser p = { .m = &m };
        const char *line;
        size_t length;
        int r = 0;

        while (r == 0 && lines_next(&lines, &line, &length))
                r = line_feed(&p, line, length);
        r = parser_end(&p, r);
        if (r == 0)
                *ret = m;
        return r;
}

/* ---- reading ---------------------------------------------------------------------- */

struct buffer {
        char  *data;
        size_t length;          /* filled */
        size_t size;
};

static void buffer_done(struct buffer *b)
{
        free(b->data);
}

/* Feeds the whole lines in the buffer and moves the rest to its start. */
static int buffer_feed(struct parser *p, struct buffer *b)
{
        char *last = memrchr(b->data, '\n', b->length);

        if (!last)
                return 0;
        size_t whole = (size_t)(last - b->data) + 1;
        struct line_reader lines = { b->data, b->data + whole, 0 };
        const char *line;
        size_t length;
        int r = 0;

        while (r == 0 && lines_next(&lines, &line, &length))
                r = line_feed(p, line, length);
        memmove(b->data, b->data + whole, b->length - whole);
        b->length -= whole;
        return r;
}

static int buffer_reserve(struct buffer *b)
{
        if (b->length < b->size)
                return 0;
        if (b->size >= LINE_MAX_BYTES) {
                b->length = 0;          /* no kernel wrote that line */
                return 0;
        }
        size_t size = b->size ? b->size * 2 : READ_BYTES;
        char *bigger = realloc(b->data, size);
        if (!bigger)
                return -ENOMEM;
        b->data = bigger;
        b->size = size;
        return 0;
}

static int fd_feed(struct parser *p, int fd)
{
        cleanup(buffer_done) struct buffer b = { 0 };

        for (;;) {
                int r = buffer_reserve(&b);
                if (r < 0)
                        return r;
                ssize_t n = read(fd, b.data + b.length, b.size - b.length);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        return line_feed(p, b.data, b.length);
                b.length += (size_t)n;
                r = buffer_feed(p, &b);
                if (r < 0)
                        return r;
        }
}

int mountstats_read(const char *path, struct mountstats *ret)
{
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

        if (fd < 0)
                return -errno;
        struct mountstats m = { 0 };
        cleanup(parser_done) struct parser p = { .m = &m };
        int r = parser_end(&p, fd_feed(&p, fd));
        (void)close(fd);
        if (r == 0)
                *ret = m;
        return r;
}

void mountstats_done(struct mountstats *m)
{
        for (size_t i = 0; i < m->n_entries; i++)
                entry_done(&m->entries[i]);
        free(m->entries);
        *m = (struct mountstats){ 0 };
}

/* ---- join ------------------------------------------------------------------------ */

/* A mount or a block, by what both files know of it. */
struct key {
        const char *target;
        const char *source;
        size_t index;           /* order in its file: stacked mounts have equal names */
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

static struct key *keys_sorted(struct key *keys, size_t n)
{
        if (n > 1)
                qsort(keys, n, sizeof(*keys), compare_keys);
        return keys;
}

static struct key *keys_of_entries(const struct mountstats *m)
{
        struct key *keys = calloc(m->n_entries + 1, sizeof(*keys));

        if (!keys)
                return NULL;
        for (size_t i = 0; i < m->n_entries; i++)
                keys[i] = (struct key){ m->entries[i].target, m->entries[i].source, i };
        return keys_sorted(keys, m->n_entries);
}

static struct key *keys_of_mounts(const struct snapshot *s)
{
        struct key *keys = calloc(s->n_mounts + 1, sizeof(*keys));

        if (!keys)
                return NULL;
        for (size_t i = 0; i < s->n_mounts; i++)
                keys[i] = (struct key){ s->mounts[i].mount.target, s->mounts[i].mount.source, i };
        return keys_sorted(keys, s->n_mounts);
}

static void keysp(struct key **k)
{
        free(*k);
}

static int counters_replace(struct counters *c, const struct counters *by)
{
        counters_done(c);
        return by ? counters_copy(by, c) : 0;
}

int mountstats_join(const struct mountstats *m, struct snapshot *s)
{
        cleanup(keysp) struct key *entries = keys_of_entries(m);
        cleanup(keysp) struct key *mounts = keys_of_mounts(s);
        size_t e = 0;

        if (!entries || !mounts)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_mounts; i++) {
                int order = 1;

                while (e < m->n_entries && (order = compare_names(&entries[e], &mounts[i])) < 0)
                        e++;
                bool found = e < m->n_entries && order == 0;
                int r = counters_replace(&s->mounts[mounts[i].index].counters,
                                         found ? &m->entries[entries[e].index].counters : NULL);
                if (r < 0)
                        return r;
                if (found)
                        e++;
        }
        return 0;
}
