/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is remembered of a change, in memory and on disk. */
#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "daemon/applying_parts.h"
#include "daemon/intent.h"
#include "daemon/memory.h"
#include "policy/text.h"

/* ---- the state directory ---------------------------------------------------------- */

void applying_set_trouble(struct applying *a, const char *what, int error)
{
        cleanup(text_done) struct text words = { 0 };
        bool news = a->trouble == NULL;

        text_add(&words, "No mount is changed: %s: %s. ", what, strerror(-error));
        if (a->state_path)
                text_add(&words, "The records are kept in %s. ", a->state_path);
        text_add(&words, "It is tried again within an hour and at each reload.");
        free(a->trouble);
        a->trouble = text_take(&words);
        if (!a->trouble)
                a->trouble = strdup("No mount is changed: out of memory.");
        a->trouble_retry_usec = core_now(a->core) + TROUBLE_RETRY_USEC;
        if (news)
                journal_log(&a->core->options->journal, LOG_ERR, "%s", a->trouble ? a->trouble : what);
        applying_arm(a);
}

bool remember_save(struct applying *a)
{
        int r = a->state_fd < 0 ? -ENOENT : memory_write(a->state_fd, &a->history);

        if (r < 0)
                applying_set_trouble(a, "what was changed cannot be recorded", r);
        return r >= 0;
}

void forget_intent(struct task *t)
{
        struct applying *a = t->a;
        int r = a->state_fd < 0 ? 0 : intent_remove(a->state_fd, t->mount.target);

        if (r < 0)
                applying_set_trouble(a, "the record of a change that is over cannot be removed", r);
}

/* ---- the breaker --------------------------------------------------------------------- */

static void say_stopped(struct applying *a)
{
        static const char words[] = "Two changes failed: automatic mode changes no further mount of this host until "
                                    "\"nfstunectl resume\" is called; changes by hand are possible.";

        journal_log(&a->core->options->journal, LOG_WARNING, "%s", words);
        applying_tell(a, "", "stopped", words);
}

/* ---- one change -------------------------------------------------------------------------- */

static struct mount_history *entry_of(struct task *t)
{
        struct mount_history *m = history_get(&t->a->history, t->mount.target, t->mount.source);

        if (!m)
                applying_set_trouble(t->a, "a change cannot be remembered", -ENOMEM);
        return m;
}

static bool record(struct task *t, int r)
{
        if (r < 0) {
                applying_set_trouble(t->a, "a change cannot be remembered", r);
                return false;
        }
        if (!remember_save(t->a))
                return false;
        forget_intent(t);
        return true;
}

static int note_changed(struct task *t, struct mount_history *m)
{
        cleanup_free char *from = options_format(&t->staging.from), *to = options_format(&t->staging.to);
        cleanup_free char *keys = options_format(&t->staging.keys), *effective = options_format(&t->mount.super);
        int r;

        if (!from || !to || !keys || !effective)
                return -ENOMEM;
        r = history_changed(m, t->a->boot, from, to, keys, effective, applying_realtime());
        if (r < 0)
                return r;
        m->read_ahead_from_kib = t->staging.read_ahead_from_kib;
        m->read_ahead_kib = t->staging.read_ahead_kib;
        return 0;
}

bool remember_changed(struct task *t)
{
        struct mount_history *m = entry_of(t);

        return m && record(t, note_changed(t, m));
}

/* Taken back on request: automatic mode leaves that change alone, but nothing went wrong. */
static int note_unwanted(struct mount_history *m, const char *to)
{
        char *options = strdup(to), *words = strdup("it was taken back by hand");

        if (!options || !words) {
                free(options);
                free(words);
                return -ENOMEM;
        }
        free(m->failed_to);
        free(m->failed_words);
        m->failed_to = options;
        m->failed_words = words;
        m->failed_usec = applying_realtime();
        return 0;
}

static int note_failed(struct task *t, struct mount_history *m, const char *to, const char *words)
{
        bool stopped = t->a->history.stopped;
        int r = history_failed(&t->a->history, m, to, words, applying_realtime());

        if (r == 0 && t->a->history.stopped && !stopped)
                say_stopped(t->a);
        return r;
}

bool remember_back(struct task *t)
{
        /* On the way back, where it comes from is what was tried. */
        cleanup_free char *tried = options_format(&t->staging.from), *effective = options_format(&t->mount.super);
        struct mount_history *m = entry_of(t);
        int r;

        if (!m)
                return false;
        if (!tried || !effective)
                return record(t, -ENOMEM);
        r = t->asked_back ? note_unwanted(m, tried) : note_failed(t, m, tried, t->why ? t->why : "it was taken back");
        if (r < 0)
                return record(t, r);
        m->rolled_back = true;
        m->verified = false;
        free(m->effective);
        m->effective = TAKE(effective);
        return record(t, 0);
}

bool remember_failed(struct task *t, const char *words)
{
        cleanup_free char *tried = options_format(t->back ? &t->staging.from : &t->staging.to);
        struct mount_history *m = entry_of(t);

        return m && record(t, tried ? note_failed(t, m, tried, words) : -ENOMEM);
}

bool remember_kept(struct task *t)
{
        struct mount_history *m = entry_of(t);

        if (!m)
                return false;
        history_kept(m);
        m->median_before_usec = t->compared ? t->comparison.before_usec : 0;
        m->median_after_usec = t->compared ? t->comparison.after_usec : 0;
        return remember_save(t->a);
}

bool remember_persisted(struct task *t)
{
        struct mount_history *m = entry_of(t);

        if (!m)
                return false;
        m->persisted = !t->back;
        free(m->written);
        m->written = t->back ? NULL : source_edits_to_json(t->edits, t->n_edits);
        if (!t->back && !m->written)
                applying_set_trouble(t->a, "what was written cannot be remembered", -ENOMEM);
        return remember_save(t->a);
}

/* ---- somebody else's change ------------------------------------------------------------------ */

void remember_outside(struct applying *a, const struct mount_facts *m, const char *words)
{
        struct mount_history *h = history_get(&a->history, m->target, m->source);

        if (!h) {
                applying_set_trouble(a, "a change by somebody else cannot be remembered", -ENOMEM);
                return;
        }
        history_outside(h, applying_realtime());
        (void) remember_save(a);        /* it has said so */
        applying_tell(a, m->target, "outside", words);
}
