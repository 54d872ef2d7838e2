/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joining a new mount table to the old states. Nothing is moved before everything is allocated. */
#include <errno.h>
#include <string.h>

#include "daemon/host.h"
#include "probe/observe.h"

/* One mount that could stand for its superblock. */
struct candidate {
        uint64_t key;
        unsigned demerit;
        size_t index;                   /* in the snapshot */
        struct mountstate *state;       /* the old one, or a new one */
        bool is_new;
};

uint64_t host_key(struct device d)
{
        return (uint64_t) d.major << 32 | d.minor;
}

static unsigned demerit(const struct mount_facts *m)
{
        return (m->deleted ? 4U : 0U) + (m->duplicate ? 2U : 0U) + (m->below_autofs ? 1U : 0U);
}

static size_t length_without_slashes(const char *path)
{
        size_t n = strlen(path);

        while (n > 1 && path[n - 1] == '/')
                n--;
        return n;
}

bool host_target_equal(const char *target, const char *wanted)
{
        size_t n = length_without_slashes(target);

        return n == length_without_slashes(wanted) && memcmp(target, wanted, n) == 0;
}

static bool is_wanted(const struct mount_facts *m, const char *const *targets)
{
        if (!targets)
                return true;
        for (; *targets; targets++)
                if (host_target_equal(m->target, *targets))
                        return true;
        return false;
}

static int by_preference(const void *va, const void *vb)
{
        const struct candidate *a = va, *b = vb;

        if (a->key != b->key)
                return a->key < b->key ? -1 : 1;
        if (a->demerit != b->demerit)
                return a->demerit < b->demerit ? -1 : 1;
        return a->index < b->index ? -1 : a->index > b->index;
}

static int by_index(const void *va, const void *vb)
{
        const struct candidate *a = va, *b = vb;

        return a->index < b->index ? -1 : a->index > b->index;
}

static int state_by_key(const void *va, const void *vb)
{
        const struct mountstate *const *a = va, *const *b = vb;

        return (*a)->key < (*b)->key ? -1 : (*a)->key > (*b)->key;
}

/* One candidate per superblock, the best, in the order of the table. */
static size_t choose(const struct snapshot *s, const char *const *targets, struct candidate *c)
{
        size_t n = 0, kept = 0;

        for (size_t i = 0; i < s->n_mounts; i++) {
                const struct mount_facts *m = &s->mounts[i].mount;

                if (!m->covered && is_wanted(m, targets))
                        c[n++] = (struct candidate) { .key = host_key(m->device), .demerit = demerit(m), .index = i };
        }
        qsort(c, n, sizeof(*c), by_preference);
        for (size_t i = 0; i < n; i++)
                if (kept == 0 || c[kept - 1].key != c[i].key)
                        c[kept++] = c[i];
        qsort(c, kept, sizeof(*c), by_index);
        return kept;
}

/* Device numbers are used again: another source or counters that began anew
 * belong to another superblock. */
static bool is_same(const struct mountstate *old, const struct observation *o)
{
        const struct observation *was = old->observation;

        if (strcmp(was->mount.source, o->mount.source) != 0)
                return false;
        return !was->counters.known || !o->counters.known || o->counters.age_sec >= was->counters.age_sec;
}

static int find_states(const struct host *h, const struct snapshot *s, struct candidate *c, size_t n)
{
        cleanup_free char *memory = calloc(h->n_states + 1, sizeof(struct mountstate *));
        struct mountstate **sorted = (struct mountstate **) (void *) memory;

        if (!memory)
                return -ENOMEM;
        if (h->n_states)
                memcpy(sorted, h->states, h->n_states * sizeof(*sorted));
        qsort(sorted, h->n_states, sizeof(*sorted), state_by_key);
        for (size_t i = 0; i < n; i++) {
                const struct mountstate wanted = { .key = c[i].key }, *key = &wanted;
                struct mountstate **found = bsearch(&key, sorted, h->n_states, sizeof(*sorted), state_by_key);

                if (found && is_same(*found, &s->mounts[c[i].index]))
                        c[i].state = *found;
        }
        return 0;
}

static int create_states(struct candidate *c, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                if (c[i].state)
                        continue;
                c[i].state = calloc(1, sizeof(struct mountstate));
                if (!c[i].state)
                        return -ENOMEM;
                c[i].is_new = true;
        }
        return 0;
}

static void ghost_done(struct ghost *g)
{
        free(g->target);
        free(g->source);
        *g = (struct ghost) { 0 };
}

/* Out of memory: then it is forgotten. */
static void remember_ghost(struct host *h, const struct mountstate *s, usec_t now_usec)
{
        struct ghost *g = &h->ghosts[h->next_ghost];

        ghost_done(g);
        g->target = strdup(s->observation->mount.target);
        g->source = strdup(s->observation->mount.source);
        if (!g->target || !g->source) {
                ghost_done(g);
                return;
        }
        g->ledger = s->ledger;
        g->deep_commit_usec = s->deep_commit_usec;
        g->gone_usec = now_usec;
        h->next_ghost = (h->next_ghost + 1) % GHOSTS_MAX;
}

static void revive_ghost(struct host *h, struct mountstate *s, usec_t now_usec)
{
        const struct mount_facts *m = &s->observation->mount;

        for (size_t i = 0; i < GHOSTS_MAX; i++) {
                struct ghost *g = &h->ghosts[i];

                if (!g->target || strcmp(g->target, m->target) != 0 || strcmp(g->source, m->source) != 0)
                        continue;
                if (now_usec - g->gone_usec < USEC_PER_DAY) {
                        s->ledger = g->ledger;
                        s->deep_commit_usec = g->deep_commit_usec;
                }
                ghost_done(g);
                return;
        }
}

/* What was learnt by asking and trying moves to the new observation. */
static void carry_over(struct mountstate *s, struct observation *o)
{
        struct observation *old = s->observation;

        o->server = old->server;
        old->server = (struct server_facts) { 0 };
        o->probe = old->probe;
        old->probe = (struct probe_result) { 0 };
        o->liveness = old->liveness;
        o->liveness_witnesses = TAKE(old->liveness_witnesses);
        s->observation = o;
}

static void start_life(struct host *h, struct mountstate *s, struct observation *o, uint64_t key, usec_t now_usec)
{
        s->key = key;
        s->generation = ++h->generations;
        s->observation = o;
        s->seen_usec = now_usec;
        revive_ghost(h, s, now_usec);
}

/* A mount that got another superblock while its old one is mounted elsewhere still is a ghost, too. */
static void retire(struct host *h, const struct snapshot *s, const struct candidate *c, size_t n, usec_t now_usec)
{
        for (size_t i = 0; i < h->n_states; i++)
                h->states[i]->stays = false;
        for (size_t i = 0; i < n; i++) {
                c[i].state->stays = true;
                if (!c[i].is_new &&
                    strcmp(c[i].state->observation->mount.target, s->mounts[c[i].index].mount.target) != 0)
                        remember_ghost(h, c[i].state, now_usec);
        }
        for (size_t i = 0; i < h->n_states; i++) {
                if (h->states[i]->stays)
                        continue;
                remember_ghost(h, h->states[i], now_usec);
                mountstate_free(h->states[i]);
        }
}

static void commit(struct host *h, struct snapshot *s, const struct candidate *c, size_t n,
                   struct mountstate **states, usec_t now_usec)
{
        retire(h, s, c, n, now_usec);
        for (size_t i = 0; i < n; i++) {
                struct observation *o = &s->mounts[c[i].index];

                states[i] = c[i].state;
                if (c[i].is_new)
                        start_life(h, c[i].state, o, c[i].key, now_usec);
                else
                        carry_over(c[i].state, o);
                /* It stands for its superblock now: the upper one of two equal mounts at one place. */
                o->mount.duplicate = false;
        }
        free(h->states);
        h->states = states;
        h->n_states = n;
        snapshot_done(&h->snapshot);
        h->snapshot = *s;
        *s = (struct snapshot) { 0 };
}

int host_replace(struct host *h, struct snapshot *snapshot, const char *const *targets, usec_t now_usec)
{
        struct candidate *c = calloc(snapshot->n_mounts + 1, sizeof(*c));
        struct mountstate **states = calloc(snapshot->n_mounts + 1, sizeof(struct mountstate *));
        size_t n = 0;
        int r = -ENOMEM;

        if (c && states) {
                n = choose(snapshot, targets, c);
                r = find_states(h, snapshot, c, n);
                if (r == 0)
                        r = create_states(c, n);
        }
        if (r == 0) {
                commit(h, snapshot, c, n, states, now_usec);
        } else {
                for (size_t i = 0; i < n; i++)
                        if (c[i].is_new)
                                mountstate_free(c[i].state);
                free(states);
        }
        free(c);
        return r;
}

int host_observe(struct host *h, const struct probe_root *root, const char *const *targets, usec_t now_usec,
                 char **ret_problems)
{
        cleanup(snapshot_done) struct snapshot s = { 0 };
        int r = observe(root, &s, ret_problems);

        return r < 0 ? r : host_replace(h, &s, targets, now_usec);
}

int host_read_counters(struct host *h, const struct probe_root *root)
{
        return observe_counters(root, &h->snapshot);
}

void host_forget_counters(struct host *h)
{
        for (size_t i = 0; i < h->snapshot.n_mounts; i++)
                h->snapshot.mounts[i].counters.known = false;
}

struct mountstate *host_find_device(const struct host *h, struct device d)
{
        for (size_t i = 0; i < h->n_states; i++)
                if (h->states[i]->key == host_key(d))
                        return h->states[i];
        return NULL;
}

struct observation *host_find_target(const struct host *h, const char *target)
{
        for (size_t i = 0; i < h->snapshot.n_mounts; i++) {
                const struct mount_facts *m = &h->snapshot.mounts[i].mount;

                if (!m->covered && !m->deleted && host_target_equal(m->target, target))
                        return &h->snapshot.mounts[i];
        }
        return NULL;
}

struct mountstate *host_find(const struct host *h, uint64_t key, uint64_t generation)
{
        for (size_t i = 0; i < h->n_states; i++)
                if (h->states[i]->key == key && h->states[i]->generation == generation)
                        return h->states[i];
        return NULL;
}

void host_done(struct host *h)
{
        for (size_t i = 0; i < h->n_states; i++)
                mountstate_free(h->states[i]);
        free(h->states);
        for (size_t i = 0; i < GHOSTS_MAX; i++)
                ghost_done(&h->ghosts[i]);
        snapshot_done(&h->snapshot);
        *h = (struct host) { 0 };
}
