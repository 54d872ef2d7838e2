/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each reading of the mount table against the one before it: whose change is that? */
#include <string.h>
#include <syslog.h>

#include "daemon/applying_parts.h"
#include "policy/digest.h"
#include "policy/text.h"

/* ---- seats ------------------------------------------------------------------------ */

static bool seat_is(const struct seat *s, const struct mount_facts *m)
{
        return strcmp(s->target, m->target) == 0 && strcmp(s->source, m->source) == 0;
}

/* From @from on, and round. Return: the index, or n_seats. */
static size_t seat_index(const struct applying *a, size_t from, const struct mount_facts *m)
{
        for (size_t i = 0; i < a->n_seats; i++) {
                size_t at = (from + i) % a->n_seats;

                if (seat_is(a->seats[at], m))
                        return at;
        }
        return a->n_seats;
}

struct seat *seat_find(const struct applying *a, const struct mount_facts *m)
{
        size_t i = seat_index(a, 0, m);

        return i < a->n_seats ? a->seats[i] : NULL;
}

static void seat_free(struct seat *s)
{
        if (!s)
                return;
        free(s->target);
        free(s->source);
        free(s->refusal_words);
        free(s);
}

static struct seat *seat_new(const struct mount_facts *m)
{
        struct seat *s = calloc(1, sizeof(*s));

        if (!s)
                return NULL;
        s->target = strdup(m->target);
        s->source = strdup(m->source);
        if (s->target && s->source)
                return s;
        seat_free(s);
        return NULL;
}

struct seat *seat_get(struct applying *a, const struct mount_facts *m)
{
        size_t i = seat_index(a, a->next_seat, m);
        struct seat **bigger, *s;

        if (i < a->n_seats) {
                a->next_seat = i + 1;
                return a->seats[i];
        }
        s = seat_new(m);
        bigger = s ? reallocarray(a->seats, a->n_seats + 1, sizeof(struct seat *)) : NULL;
        if (!bigger) {
                seat_free(s);
                return NULL;
        }
        a->seats = bigger;
        a->seats[a->n_seats++] = s;
        return s;
}

void seats_free(struct applying *a)
{
        for (size_t i = 0; i < a->n_seats; i++)
                seat_free(a->seats[i]);
        free(a->seats);
        a->seats = NULL;
        a->n_seats = 0;
}

/* Mounts that went away are remembered for a day: whoever mounts one anew with other options wanted them. */
static void seats_prune(struct applying *a)
{
        usec_t now = core_now(a->core);
        size_t kept = 0;

        for (size_t i = 0; i < a->n_seats; i++) {
                struct seat *s = a->seats[i];
                bool old = !s->here && (a->n_seats > SEATS_MAX || now - s->gone_usec >= USEC_PER_DAY);

                if (old)
                        seat_free(s);
                else
                        a->seats[kept++] = s;
        }
        a->n_seats = kept;
        a->next_seat = 0;
}

void seats_expect(struct applying *a, const struct mount_facts *m)
{
        for (size_t i = 0; i < a->n_seats; i++)
                if (device_equal(a->seats[i]->device, m->device) || strcmp(a->seats[i]->target, m->target) == 0)
                        a->seats[i]->ours = true;
}

/* ---- a reading ---------------------------------------------------------------------- */

/* What another address of the same server changes, and what comes from the network, is nobody's wish. */
static uint64_t digest_options(uint64_t digest, const struct options *o)
{
        static const char *const passing[] = {
                "addr", "clientaddr", "mountaddr", "mountport", "mountproto", "mountvers",
        };

        for (size_t i = 0; i < o->n_items; i++) {
                if (WORD_IS_ONE_OF(o->items[i].name, passing))
                        continue;
                digest = digest_string(digest, o->items[i].name);
                digest = digest_string(digest, o->items[i].value);
        }
        return digest_number(digest, o->n_items);
}

static uint64_t digest_effective(const struct mount_facts *m)
{
        return digest_options(digest_options(DIGEST_START, &m->vfs), &m->super);
}

/* What people write; records and generated units follow from it, at their own time. */
static uint64_t digest_requested(const struct observation *o)
{
        uint64_t digest = DIGEST_START;

        for (size_t i = 0; i < o->n_requested; i++) {
                const struct requested *r = &o->requested[i];

                if (r->is_record || r->is_generated)
                        continue;
                digest = digest_string(digest, r->place.file);
                digest = digest_string(digest, r->text);
        }
        return digest;
}

/* Is what changes there being changed by ourselves at this moment? */
static bool is_being_changed(const struct applying *a, const struct mount_facts *m)
{
        for (const struct task *t = a->tasks; t; t = t->next)
                if ((t->step == TASK_CHANGE || t->step == TASK_REVEAL || t->step == TASK_RECOVER) &&
                    (device_equal(t->mount.device, m->device) || strcmp(t->mount.target, m->target) == 0))
                        return true;
        return false;
}

static bool is_persisting(const struct applying *a)
{
        for (const struct task *t = a->tasks; t; t = t->next)
                if (t->step == TASK_PERSIST && !t->dry_run)
                        return true;
        return false;
}

/* Who lets us change mounts wants to know why this one is left alone. */
static void somebody_else(struct applying *a, const struct mount_facts *m, const char *words)
{
        if (params_mode_for_mount(a->core->params, m->target) == MODE_AUTO_REMOUNT)
                journal_log(&a->core->options->journal, LOG_NOTICE,
                            "%s: %s, not by nfstuned: automatic changes of this mount wait for 7 days.", m->target,
                            words);
        remember_outside(a, m, words);
}

/* What was changed while nobody watched, in this boot. An outside change that is remembered is no news. */
static void compare_with_history(struct applying *a, const struct mount_facts *m)
{
        const struct mount_history *h = history_find(&a->history, m->target, m->source);

        if (!h || h->changed_usec == 0 || strcmp(h->boot, a->boot) != 0 || h->outside_usec >= h->changed_usec ||
            history_is_own(h, a->boot, &m->super))
                return;
        somebody_else(a, m, "its options were changed while nfstuned did not run");
}

static const char *difference(const struct seat *s, uint64_t effective_digest, uint64_t requested_digest,
                              bool sources_ours)
{
        if (s->effective_digest != effective_digest)
                return "its options were changed";
        if (s->requested_digest != requested_digest && !sources_ours)
                return "the options that are asked for were edited";
        return NULL;
}

static void read_seat(struct applying *a, struct seat *s, const struct observation *o, bool sources_ours)
{
        const struct mount_facts *m = &o->mount;
        uint64_t effective = digest_effective(m), requested = digest_requested(o);
        const char *words = s->known ? difference(s, effective, requested, sources_ours) : NULL;

        s->here = true;
        if (!s->known && !s->ours)
                compare_with_history(a, m);
        else if (words && !s->ours && !is_being_changed(a, m))
                somebody_else(a, m, words);
        s->known = true;
        s->ours = false;
        s->mount_id = m->mount_id;
        s->device = m->device;
        s->effective_digest = effective;
        s->requested_digest = requested;
}

static void read_seats(struct applying *a)
{
        const struct snapshot *snapshot = &a->core->host.snapshot;
        bool sources_ours = a->sources_ours || is_persisting(a);
        usec_t now = core_now(a->core);

        for (size_t i = 0; i < a->n_seats; i++) {
                if (a->seats[i]->here)
                        a->seats[i]->gone_usec = now;
                a->seats[i]->here = false;
        }
        a->next_seat = 0;
        for (size_t i = 0; i < snapshot->n_mounts; i++) {
                const struct observation *o = &snapshot->mounts[i];
                struct seat *s = o->mount.covered || o->mount.deleted ? NULL : seat_get(a, &o->mount);

                if (s)
                        read_seat(a, s, o, sources_ours);
        }
        a->sources_ours = false;
        seats_prune(a);
}

/* ---- own changes in the observations ---------------------------------------------------- */

static void set_own_change(struct observation *o, const char *keys)
{
        if (!o->own_change)
                o->own_change = strdup(keys);   /* without memory: a drift is told that is none */
}

/* A live change holds for every mount of the superblock. */
static void mark_sharers(const struct applying *a, const struct observation *changed)
{
        struct snapshot *s = &a->core->host.snapshot;

        for (size_t i = 0; i < s->n_mounts; i++)
                if (device_equal(s->mounts[i].mount.device, changed->mount.device))
                        set_own_change(&s->mounts[i], changed->own_change);
}

static void mark_own_changes(const struct applying *a)
{
        struct snapshot *s = &a->core->host.snapshot;

        for (size_t i = 0; a->history.n_mounts > 0 && i < s->n_mounts; i++) {
                struct observation *o = &s->mounts[i];
                const struct mount_history *h = history_find(&a->history, o->mount.target, o->mount.source);

                if (!h || h->changed_usec == 0 || h->rolled_back || !h->keys || *h->keys == '\0' ||
                    !history_is_own(h, a->boot, &o->mount.super))
                        continue;
                set_own_change(o, h->keys);
                if (o->own_change)
                        mark_sharers(a, o);
        }
}

/* ---- armed ones ------------------------------------------------------------------------------ */

/* Has somebody else unmounted the old one, or mounted something? Then it need not wait. */
static void look_at_armed(struct applying *a)
{
        for (struct task *t = a->tasks; t; t = t->next) {
                const struct observation *o = host_find_target(&a->core->host, t->mount.target);

                if (t->step == TASK_REVEAL && (!o || o->mount.mount_id != t->mount.mount_id))
                        t->when_usec = 0;
        }
        applying_arm(a);
}

void applying_observed(struct applying *a)
{
        if (history_settle(&a->history, applying_realtime()) && a->state_fd >= 0)
                (void) remember_save(a);        /* it says so itself */
        mark_own_changes(a);
        look_at_armed(a);
        /* Until the records of an earlier run are dealt with, nobody knows whose change what is. */
        if (!recover_is_pending(a))
                read_seats(a);
}
