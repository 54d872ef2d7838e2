/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an earlier run, or a helper that did not come back, left behind. */
#include <errno.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "daemon/applying_parts.h"
#include "daemon/intent.h"
#include "daemon/memory.h"
#include "daemon/state_dir.h"

bool recover_is_pending(const struct applying *a)
{
        for (const struct task *t = a->tasks; t; t = t->next)
                if (t->step == TASK_RECOVER && t->tries < RECOVER_TRIES)
                        return true;
        return false;
}

/* Without a record nothing had been begun. */
void recover_task(struct task *t)
{
        struct intent i = { 0 };

        if (t->a->state_fd >= 0 && intent_read(t->a->state_fd, t->mount.target, &i) == 0)
                t->begun = i.step != INTENT_STAGING;
        intent_done(&i);
        task_next(t, TASK_RECOVER);
}

/* ---- records ------------------------------------------------------------------------ */

static void take_over(struct task *t, struct intent *i)
{
        t->staging = i->staging;
        i->staging = (struct staging){ 0 };
        t->back = i->rollback;
        t->by_hand = i->by_hand;
        t->asked_back = i->rollback && i->by_hand;
        t->persist = i->persist;
        t->begun = i->step != INTENT_STAGING;
        t->armed_said = i->step == INTENT_ARMED;
        task_next(t, i->step == INTENT_ARMED ? TASK_REVEAL : TASK_RECOVER);
}

static void read_record(struct applying *a, struct intent *i)
{
        const struct journal *j = &a->core->options->journal;
        struct task *t;
        int r;

        if (strcmp(i->boot, a->boot) != 0) {
                r = intent_remove(a->state_fd, i->mount.target);
                journal_log(j, LOG_INFO, "%s: a change that was begun before this boot is over: it is mounted as its "
                            "source says.", i->mount.target);
                if (r < 0)
                        applying_set_trouble(a, "the record of a change that is over cannot be removed", r);
                return;
        }
        if (task_find(a, &i->mount))
                return;
        t = task_new(a, &i->mount);
        if (t)
                take_over(t, i);
        else
                applying_set_trouble(a, "the record of a change cannot be read", -ENOMEM);
}

static void read_records(struct applying *a)
{
        cleanup_free char *problems = NULL;
        struct intent *items = NULL;
        size_t n = 0;
        int r = intent_read_all(a->state_fd, &items, &n, &problems);

        if (problems)
                journal_log_lines(&a->core->options->journal, LOG_WARNING, problems);
        if (r < 0) {
                applying_set_trouble(a, "the records of changes cannot be read", r);
                return;
        }
        for (size_t i = 0; i < n; i++) {
                read_record(a, &items[i]);
                intent_done(&items[i]);
        }
        free(items);
}

/* ---- changes that were made and never verified -------------------------------------------- */

static bool wants_verification(const struct applying *a, const struct mount_history *h)
{
        return h->changed_usec && !h->verified && !h->rolled_back && h->failed_usec < h->changed_usec &&
               strcmp(h->boot, a->boot) == 0;
}

static void verify_late(struct applying *a, const struct mount_history *h)
{
        const struct observation *o = host_find_target(&a->core->host, h->target);
        struct staging s = { 0 };
        struct task *t;

        if (!o || strcmp(o->mount.source, h->source) != 0 || task_find(a, &o->mount) ||
            !history_is_own(h, a->boot, &o->mount.super) || wish_from_history(h, &s) < 0)
                return;
        t = task_new(a, &o->mount);
        if (!t) {
                staging_done(&s);
                return;
        }
        t->staging = s;
        steps_verify(t);
}

/* ---- the start ------------------------------------------------------------------------------ */

static int read_memory(struct applying *a)
{
        cleanup_free char *problem = NULL;
        struct history h = { 0 };
        int r = memory_read(a->state_fd, &h, &problem);

        if (r < 0)
                return r;
        history_done(&a->history);
        a->history = h;
        (void) history_settle(&a->history, applying_realtime());       /* the next change writes it */
        if (r == 0)
                return 0;
        /* What was done is not known: then nothing more is done unasked. */
        a->history.stopped = true;
        a->history.stopped_usec = applying_realtime();
        journal_log(&a->core->options->journal, LOG_WARNING,
                    "%s Automatic mode is stopped until \"nfstunectl resume\" is called.",
                    problem ? problem : "The record of changes cannot be read.");
        return 0;
}

static int open_state(struct applying *a)
{
        int r;

        if (a->state_fd >= 0)
                return memory_write(a->state_fd, &a->history);
        r = boot_id_read(a->boot);
        if (r >= 0)
                r = state_dir_open(&a->state_fd, &a->state_path);
        if (r < 0) {
                a->state_fd = -1;
                return r;
        }
        r = read_memory(a);
        if (r < 0) {
                close(a->state_fd);
                a->state_fd = -1;
                free(TAKE(a->state_path));
        }
        return r;
}

void recover_all(struct applying *a)
{
        int r = open_state(a);

        if (r < 0) {
                applying_set_trouble(a, "the directory for its records cannot be used", r);
                return;
        }
        free(TAKE(a->trouble));
        read_records(a);
        for (size_t i = 0; i < a->history.n_mounts; i++)
                if (wants_verification(a, &a->history.mounts[i]))
                        verify_late(a, &a->history.mounts[i]);
}
