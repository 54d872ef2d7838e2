/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is told of a change: to the journal, and in the same words to who waits for it. */
#include <string.h>
#include <syslog.h>

#include "daemon/applying_parts.h"
#include "daemon/control_json.h"
#include "daemon/figures.h"
#include "daemon/journal_message.h"
#include "daemon/utf8.h"

/* So many users are named; the JSON has all of them. */
#define USERS_SAID 8

/* What --busy detach means to who has the mount in use. */
#define DETACH_WORDS                                                                                         \
        "who has it in use goes on with the old one, and the two have caches of their own: files that are used " \
        "through both may look old; where the server hands out delegations, a lock that is held through the old " \
        "one can be had a second time through the new one"

/* ---- the journal ------------------------------------------------------------------------ */

static struct change_story story_of(const struct task *t, const char *words)
{
        const struct staging *s = &t->staging;
        const struct observation *o = host_find_target(&t->a->core->host, t->mount.target);

        return (struct change_story){
                .mount = &t->mount,
                .rules = t->rules ? t->rules : "",
                .method = s->method,
                .keys = &s->keys,
                .from = &s->from,
                .to = &s->to,
                .read_ahead_from_kib = s->read_ahead_from_kib,
                .read_ahead_kib = s->read_ahead_kib ? s->read_ahead_kib : s->read_ahead_from_kib,
                .shares = o ? o->shares_superblock_with : NULL,
                .n_shares = o ? o->n_shares : 0,
                .sharers = t->sharers,
                .words = words,
                .comparison = t->compared ? &t->comparison : NULL,
                .fstab = t->persisted || t->back ? NULL : t->fstab,
                .by_hand = t->back ? t->asked_back : t->by_hand,
                .persisted = t->persisted,
                .round = t->a->core->round,
        };
}

static const struct journal *journal_of(const struct task *t)
{
        return &t->a->core->options->journal;
}

void story_applied(const struct task *t)
{
        const struct change_story s = story_of(t, t->notes);

        journal_applied(journal_of(t), &s);
}

void story_armed(const struct task *t)
{
        const struct change_story s = story_of(t, t->why);

        journal_armed(journal_of(t), &s);
}

void story_verified(const struct task *t)
{
        const struct change_story s = story_of(t, t->notes);

        journal_verified(journal_of(t), &s);
}

void story_taken_back(const struct task *t)
{
        const struct change_story s = story_of(t, t->why);

        journal_rolled_back(journal_of(t), &s);
        if (t->notes)
                journal_log(journal_of(t), LOG_WARNING, "%s: not everything is as it was: %s", t->mount.target, t->notes);
}

/* It did not get as far as to be there: the way back was the helper's. */
void story_failed(const struct task *t, const char *words)
{
        struct change_story s = story_of(t, words);

        s.from = &t->staging.to;
        s.to = &t->staging.from;
        s.fstab = NULL;
        journal_rolled_back(journal_of(t), &s);
}

void story_refused(const struct task *t, const char *words)
{
        const struct change_story s = story_of(t, words);

        journal_refused(journal_of(t), &s);
}

/* ---- the same for who waits ---------------------------------------------------------------- */

static char *message_of(const struct task *t, const char *words,
                        void (*make)(struct journal_message *m, const struct change_story *s))
{
        const struct change_story s = story_of(t, words);
        struct journal_message m;
        const char *value;
        char *copy;

        make(&m, &s);
        value = message_value(&m, "MESSAGE");
        copy = value ? strdup(value) : NULL;
        journal_message_done(&m);
        return copy;
}

/* Takes @message over. What else there is to say comes in lines behind it. */
static char *with_lines(const struct task *t, char *message)
{
        cleanup(text_done) struct text words = { 0 };

        words.failed = !message;
        if (message)
                text_add_bytes(&words, message, strlen(message));
        free(message);
        if (t->busy == BUSY_DETACH && t->in_use && t->staging.method == METHOD_REPLACE && !t->persist_only)
                text_add(&words, "\nThe mount was in use: " DETACH_WORDS ".");
        if (t->persist && !t->persisted && t->edits_words)
                text_add(&words, "\nIt was not written where it comes from: %s", t->edits_words);
        if (t->back && t->notes)
                text_add(&words, "\n%s", t->notes);
        if (t->diff)
                text_add(&words, "\n%s", t->diff);
        return text_take(&words);
}

char *story_verified_words(const struct task *t)
{
        return with_lines(t, message_of(t, t->notes, message_verified));
}

char *story_taken_back_words(const struct task *t)
{
        return with_lines(t, message_of(t, t->why, message_rolled_back));
}

static void add_process(struct text *t, const struct apply_user *u)
{
        text_add_printable(t, u->command ? u->command : "?");
        text_add(t, " (process %d", u->pid);
}

static void add_user(struct text *t, const struct task *task, const struct apply_user *u)
{
        if (u->pid > 0) {
                add_process(t, u);
                text_add(t, ": ");
        }
        text_add_printable(t, u->what ? u->what : "unknown");
        if (u->pid > 0)
                text_add(t, ")");
        if (u->is_mount && !u->reached && task->staging.method == METHOD_REPLACE)
                text_add(t, " (keeps the old options)");
}

/* "firefox (process 12: file /data/x), ..." */
static void add_users(struct text *t, const struct task *task, bool mounts)
{
        size_t n = 0;

        for (size_t i = 0; i < task->n_users; i++) {
                if (task->users[i].is_mount != mounts)
                        continue;
                if (n < USERS_SAID) {
                        text_add(t, "%s", n > 0 ? ", " : "");
                        add_user(t, task, &task->users[i]);
                }
                n++;
        }
        if (n > USERS_SAID)
                text_add(t, " and %zu more", n - USERS_SAID);
}

/* "sleep (process 12), ...": a process of each mount namespace whose copy an unmount here does not reach. NULL: none is
 * known, or no memory. */
char *story_elsewhere_words(const struct task *task)
{
        cleanup(text_done) struct text t = { 0 };
        size_t n = 0;

        for (size_t i = 0; i < task->n_users; i++) {
                const struct apply_user *u = &task->users[i];

                if (!u->is_mount || u->reached || u->pid <= 0 || n++ >= USERS_SAID)
                        continue;
                text_add(&t, "%s", n > 1 ? ", " : "");
                add_process(&t, u);
                text_add(&t, ")");
        }
        if (n > USERS_SAID)
                text_add(&t, " and %zu more", n - USERS_SAID);
        return n > 0 ? text_take(&t) : NULL;
}

static bool has_users(const struct task *t, bool mounts)
{
        for (size_t i = 0; i < t->n_users; i++)
                if (t->users[i].is_mount == mounts)
                        return true;
        return false;
}

static void add_in_use(struct text *words, const struct task *t)
{
        text_add_printable(words, t->mount.target);
        text_add(words, " is in use.");
        if (has_users(t, false)) {
                text_add(words, "\nIt is used by ");
                add_users(words, t, false);
                text_add(words, ".");
        }
}

/* One file system, several mounts: a change in place is one of all of them. */
void story_announce(const struct task *t)
{
        cleanup(text_done) struct text words = { 0 };

        if (t->staging.method != METHOD_LIVE || !has_users(t, true))
                return;
        text_add_printable(&words, t->mount.target);
        text_add(&words, ": the whole file system is changed: ");
        add_users(&words, t, true);
        journal_log(journal_of(t), LOG_NOTICE, "%s.", words.data ? words.data : t->mount.target);
}

char *story_armed_words(const struct task *t)
{
        cleanup(text_done) struct text words = { 0 };
        cleanup_free char *message = message_of(t, t->why, message_armed);

        words.failed = !message;
        if (message)
                text_add_bytes(&words, message, strlen(message));
        if (has_users(t, false)) {
                text_add(&words, "\n");
                add_in_use(&words, t);
        }
        return text_take(&words);
}

char *story_busy_words(const struct task *t)
{
        cleanup(text_done) struct text words = { 0 };

        add_in_use(&words, t);
        text_add(&words, "\nNothing was changed. ");
        if (t->busy == BUSY_WAIT)
                text_add(&words, "This kernel cannot let the new mount wait beneath the old one (Linux 6.5 and newer "
                                 "can), so the change is tried again, for 10 minutes every 10 seconds, then every "
                                 "minute; \"nfstunectl status\" shows it. --busy detach does it now: " DETACH_WORDS
                                 ".");
        else
                text_add(&words, "Stop what uses it and try again; or --busy wait: it is changed when nobody uses it; "
                                 "or --busy detach: at once; " DETACH_WORDS ".");
        return text_take(&words);
}

char *story_slower_words(const struct comparison *c)
{
        cleanup(text_done) struct text words = { 0 };

        text_add(&words, "it is slower: ");
        text_add_comparison(&words, c);
        return text_take(&words);
}

char *story_persisted_words(const struct task *t)
{
        cleanup(text_done) struct text words = { 0 };

        text_add_printable(&words, t->mount.target);
        if (t->persisted && t->back)
                text_add(&words, ": the mount itself stays as it is; what was written where its options come from was "
                                 "taken back:");
        else if (t->persisted)
                text_add(&words, ": nothing to change on the mount itself; the options were written where they come "
                                 "from:");
        else
                text_add(&words, ": the options were not written where they come from");
        return with_lines(t, text_take(&words));
}

/* ---- --dry-run ---------------------------------------------------------------------------------- */

#define STEP_STAGE                                                                                           \
        "mount the export privately with the new options; compare what the kernel made of them, and read back " \
        "a file that was written through it"
#define STEP_VERIFY                                                                                         \
        "compare saving a file with the old options and the new ones, measured in turn; put the old options " \
        "back if the new ones are slower or the mount does not answer"

static const char *const replace_steps[BUSY_COUNT][3] = {
        [BUSY_WAIT] = {
                STEP_STAGE,
                "put the new mount beneath the old one, where it waits until nobody uses the old one, and unmount the "
                "old one (before Linux 6.5: over it; while it is in use nothing is changed, and it is tried again)",
                STEP_VERIFY,
        },
        [BUSY_REFUSE] = {
                STEP_STAGE,
                "if nobody uses the old mount, put the new one beneath it (before Linux 6.5: over it), and unmount "
                "the old one",
                STEP_VERIFY,
        },
        [BUSY_DETACH] = {
                STEP_STAGE,
                "put the new mount beneath the old one (before Linux 6.5: over it), and take the old one away at "
                "once: " DETACH_WORDS,
                STEP_VERIFY,
        },
};

static const char *const live_steps[] = {
        "change the options of the file system where it is mounted: for everybody at once, open files included",
        STEP_VERIFY,
};

static const char *const *steps_of(const struct task *t, size_t *ret_n)
{
        bool replaces = t->staging.method == METHOD_REPLACE;

        *ret_n = t->persist_only ? 0 : replaces ? ARRAY_SIZE(replace_steps[0]) : ARRAY_SIZE(live_steps);
        return replaces ? replace_steps[t->busy] : live_steps;
}

static void add_line(struct text *words, const char *heading, const char *text)
{
        if (text && *text)
                text_add(words, "\n%s%s", heading, text);
}

static void add_options(struct text *words, const struct task *t)
{
        const struct change_story s = story_of(t, NULL);
        struct journal_message m;

        message_applied(&m, &s);
        add_line(words, "options that go: ", message_value(&m, "NFSTUNED_DROP"));
        add_line(words, "options that come: ", message_value(&m, "NFSTUNED_SET"));
        journal_message_done(&m);
}

static void add_who_notices(struct text *words, const struct task *t)
{
        if (t->in_use || has_users(t, false)) {
                text_add(words, "\n");
                add_in_use(words, t);
        }
        if (!has_users(t, true))
                return;
        text_add(words, "\nthe same file system: ");
        add_users(words, t, true);
        if (t->staging.method == METHOD_LIVE)
                text_add(words, ": it is changed for all of them");
}

char *story_sharers_words(const struct task *t)
{
        cleanup(text_done) struct text words = { 0 };

        add_users(&words, t, true);
        return words.length_bytes > 0 ? text_take(&words) : NULL;
}

char *story_planned_words(const struct task *t)
{
        cleanup(text_done) struct text words = { 0 };
        size_t n;
        const char *const *steps = steps_of(t, &n);

        text_add_printable(&words, t->mount.target);
        text_add(&words, ": this would be done; nothing was changed");
        if (task_find(t->a, &t->mount)->step == TASK_REVEAL)
                text_add(&words, "\nThe first half is done already: a new mount waits beneath the old one.");
        add_options(&words, t);
        for (size_t i = 0; i < n; i++)
                text_add(&words, "\n  %zu. %s", i + 1, steps[i]);
        add_who_notices(&words, t);
        if (t->persist_only)
                text_add(&words, "\nNothing changes on the mount itself.");
        else
                add_line(&words, "instead, by hand: ", t->plan_text);
        add_line(&words, "--persist cannot write it: ", t->edits_words);
        add_line(&words, "--persist would write:\n", t->diff);
        return text_take(&words);
}

/* ---- JSON ----------------------------------------------------------------------------------------- */

char *story_json(const struct task *t, const char *target, const char *end, const char *words, enum refusal refusal)
{
        struct control_outcome o = { .end = end, .words = words, .target = target,
                                     .refusal = refusal == REFUSAL_NONE ? NULL : refusal_name(refusal) };

        if (!t)
                return control_json_outcome(&o);
        o.source = t->mount.source;
        o.dry_run = t->dry_run;
        o.rules = t->rules;
        o.staging = &t->staging;
        o.busy = t->in_use;
        o.elsewhere = t->elsewhere;
        o.users = t->users;
        o.n_users = t->n_users;
        o.comparison = t->compared ? &t->comparison : NULL;
        o.fstab = t->fstab;
        o.persisted = t->persisted;
        o.diff = t->diff;
        o.backups = t->backups;
        o.n_backups = t->n_backups;
        if (t->dry_run) {
                o.steps = (char *const *) steps_of(t, &o.n_steps);
                o.commands = &t->plan_text;
                o.n_commands = t->plan_text ? 1 : 0;
        }
        return control_json_outcome(&o);
}
