/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/history.c - what was changed before. See history.h. */
#include "policy/history.h"

#include <errno.h>
#include <string.h>

#include "policy/canonical.h"

void mount_history_done(struct mount_history *h)
{
        free(h->target);
        free(h->source);
        free(h->from);
        free(h->to);
        free(h->keys);
        free(h->effective);
        free(h->failed_to);
        free(h->failed_words);
        free(h->written);
        *h = (struct mount_history){ 0 };
}

void history_done(struct history *h)
{
        for (size_t i = 0; i < h->n_mounts; i++)
                mount_history_done(&h->mounts[i]);
        free(h->mounts);
        *h = (struct history){ 0 };
}

struct mount_history *history_find(const struct history *h, const char *target, const char *source)
{
        for (size_t i = 0; i < h->n_mounts; i++)
                if (strcmp(h->mounts[i].target, target) == 0 && strcmp(h->mounts[i].source, source) == 0)
                        return &h->mounts[i];
        return NULL;
}

/* ---- a new one ------------------------------------------------------------------ */

static usec_t newest_event(const struct mount_history *m)
{
        return MAX(m->changed_usec, MAX(m->failed_usec, m->outside_usec));
}

static struct mount_history *oldest(const struct history *h)
{
        struct mount_history *m = &h->mounts[0];

        for (size_t i = 1; i < h->n_mounts; i++)
                if (newest_event(&h->mounts[i]) < newest_event(m))
                        m = &h->mounts[i];
        return m;
}

/* Room for one more, zeroed; NULL on -ENOMEM. */
static struct mount_history *room(struct history *h)
{
        struct mount_history *mounts;

        if (h->n_mounts >= HISTORY_MAX) {
                struct mount_history *m = oldest(h);

                mount_history_done(m);
                return m;
        }
        mounts = reallocarray(h->mounts, h->n_mounts + 1, sizeof(*mounts));
        if (!mounts)
                return NULL;
        h->mounts = mounts;
        mounts[h->n_mounts] = (struct mount_history){ 0 };
        return &mounts[h->n_mounts++];
}

struct mount_history *history_get(struct history *h, const char *target, const char *source)
{
        struct mount_history *m = history_find(h, target, source);
        cleanup_free char *own_target = NULL, *own_source = NULL;

        if (m)
                return m;
        own_target = strdup(target);
        own_source = strdup(source);
        m = own_target && own_source ? room(h) : NULL;
        if (m) {
                m->target = TAKE(own_target);
                m->source = TAKE(own_source);
        }
        return m;
}

/* ---- events --------------------------------------------------------------------- */

static void replace_string(char **into, char **with)
{
        free(*into);
        *into = TAKE(*with);
}

int history_changed(struct mount_history *m, const char *boot, const char *from, const char *to, const char *keys,
                    const char *effective, usec_t now_realtime_usec)
{
        cleanup_free char *own_from = strdup(from), *own_to = strdup(to), *own_keys = strdup(keys);
        cleanup_free char *own_effective = strdup(effective);
        size_t n = strnlen(boot, sizeof(m->boot) - 1);

        if (!own_from || !own_to || !own_keys || !own_effective)
                return -ENOMEM;
        replace_string(&m->from, &own_from);
        replace_string(&m->to, &own_to);
        replace_string(&m->keys, &own_keys);
        replace_string(&m->effective, &own_effective);
        memcpy(m->boot, boot, n);
        m->boot[n] = '\0';
        m->changed_usec = now_realtime_usec;
        m->verified = m->rolled_back = m->persisted = false;
        free(m->written);
        m->written = NULL;
        m->read_ahead_from_kib = m->read_ahead_kib = 0;
        m->median_before_usec = m->median_after_usec = 0;
        return 0;
}

/* The breaker counts even where the memory does not suffice for the words. */
int history_failed(struct history *h, struct mount_history *m, const char *to, const char *words,
                   usec_t now_realtime_usec)
{
        cleanup_free char *own_to = strdup(to), *own_words = strdup(words);

        m->failed_usec = now_realtime_usec;
        h->failures++;
        if (h->failures >= HISTORY_BREAKER && !h->stopped) {
                h->stopped = true;
                h->stopped_usec = now_realtime_usec;
        }
        if (!own_to || !own_words)
                return -ENOMEM;
        replace_string(&m->failed_to, &own_to);
        replace_string(&m->failed_words, &own_words);
        return 0;
}

void history_outside(struct mount_history *m, usec_t now_realtime_usec)
{
        m->outside_usec = now_realtime_usec;
}

static void forget_failure(struct mount_history *m)
{
        free_charp(&m->failed_to);
        free_charp(&m->failed_words);
        m->failed_usec = 0;
}

void history_resume(struct history *h)
{
        h->failures = 0;
        h->stopped = false;
        h->stopped_usec = 0;
        for (size_t i = 0; i < h->n_mounts; i++) {
                forget_failure(&h->mounts[i]);
                h->mounts[i].outside_usec = 0;
        }
}

usec_t history_age(usec_t event_realtime_usec, usec_t now_realtime_usec)
{
        if (event_realtime_usec == 0)
                return USEC_INFINITY;
        return now_realtime_usec > event_realtime_usec ? now_realtime_usec - event_realtime_usec : 0;
}

bool history_settle(struct history *h, usec_t now_realtime_usec)
{
        bool settled = false;

        for (size_t i = 0; i < h->n_mounts; i++) {
                struct mount_history *m = &h->mounts[i];
                usec_t *const times[] = { &m->changed_usec, &m->failed_usec, &m->outside_usec };

                for (size_t k = 0; k < ARRAY_SIZE(times); k++)
                        if (*times[k] > now_realtime_usec) {
                                *times[k] = now_realtime_usec;
                                settled = true;
                        }
        }
        if (h->stopped_usec > now_realtime_usec) {
                h->stopped_usec = now_realtime_usec;
                settled = true;
        }
        return settled;
}

/* ---- is it still ours? -------------------------------------------------------------- */

/* @negotiated: what was left out may be anything now. */
static int families_agree(const char *asked, const struct options *keys, const struct options *to, bool negotiated)
{
        cleanup(options_done) struct options text = { 0 }, then = { 0 }, now = { 0 };
        int r = options_parse(asked, strlen(asked), &text);

        if (r == 0)
                r = canonical_make(&text, &then);
        if (r == 0)
                r = canonical_make(to, &now);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        for (size_t i = 0; i < keys->n_items; i++) {
                const char *key = keys->items[i].name, *value = canonical_value(&then, key);

                if (!(negotiated && !value) && !values_equal(value, canonical_value(&now, key)))
                        return 0;
        }
        return 1;
}

int history_same(const char *asked_before, const struct options *keys, const struct options *to)
{
        return families_agree(asked_before, keys, to, false);
}

void history_kept(struct mount_history *m)
{
        cleanup(options_done) struct options keys = { 0 }, to = { 0 };

        m->verified = true;
        if (!m->failed_to || !m->keys || !m->to || options_parse(m->keys, strlen(m->keys), &keys) < 0 ||
            options_parse(m->to, strlen(m->to), &to) < 0)
                return;
        if (history_same(m->failed_to, &keys, &to) == 1)
                forget_failure(m);
}

bool history_is_own(const struct mount_history *m, const char *boot, const struct options *effective)
{
        const char *left = m->rolled_back ? m->from : m->effective;
        cleanup(options_done) struct options keys = { 0 };

        if (!m->keys || !left || m->changed_usec == 0 || strcmp(m->boot, boot) != 0 ||
            options_parse(m->keys, strlen(m->keys), &keys) < 0)
                return false;
        return families_agree(left, &keys, effective, m->rolled_back) == 1;
}
