/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See live.h. Each step returns 0 to go on, 1 when the answer is written, or a negative errno. */

#include "daemon/live.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>

#include "daemon/answer.h"
#include "daemon/fscontext.h"
#include "daemon/mountfacts.h"
#include "daemon/mountpoint.h"
#include "daemon/readahead.h"
#include "daemon/state_dir.h"
#include "probe/anchor.h"
#include "probe/clock.h"
#include "probe/descriptor.h"

/* What of the superblock's flags is to change; "" where nothing is. */
static const char *wanted_flag(const struct staging *s, const struct options *now)
{
        bool is = options_has(now, "sync"), wanted = options_has(&s->to, "sync");

        return is == wanted ? "" : wanted ? "sync" : "async";
}

static int refuse_others(const struct staging *s, struct apply_answer *a, const char *target)
{
        for (size_t i = 0; i < s->keys.n_items; i++)
                if (strcmp(s->keys.items[i].name, "sync") != 0)
                        return answer_end(a, APPLY_END_REFUSED, "%s: %s cannot be changed on a mount in use", target,
                                          s->keys.items[i].name);
        return 0;
}

/* fsc has to be said again, or the kernel sees a difference (KERNEL-FACTS 2.1). */
static int repeated_options(const struct options *now, struct options *ret)
{
        const struct mount_option *fsc = options_find(now, "fsc");

        return fsc ? options_add(ret, fsc->name, fsc->value) : 0;
}

/* ---- the old way: mount(2) replaces every flag, so every flag is said ------------------ */

static int remount_flags(const struct mount_facts *m, const char *flag, unsigned long *ret)
{
        static const struct {
                const char *name;
                unsigned long flag;
        } flags[] = {
                { "ro", MS_RDONLY },           { "nosuid", MS_NOSUID },         { "nodev", MS_NODEV },
                { "noexec", MS_NOEXEC },       { "noatime", MS_NOATIME },       { "nodiratime", MS_NODIRATIME },
                { "relatime", MS_RELATIME },   { "nosymfollow", 256 /* MS_NOSYMFOLLOW, Linux 5.10 */ },
        };

        /* One call sets both; where they differ it would change one of them. */
        if (options_has(&m->vfs, "ro") != options_has(&m->super, "ro") || options_has(&m->super, "noac"))
                return -EOPNOTSUPP;
        *ret = MS_REMOUNT | (strcmp(flag, "sync") == 0 ? MS_SYNCHRONOUS : 0);
        for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
                if (options_has(&m->vfs, flags[i].name))
                        *ret |= flags[i].flag;
        if (!options_has(&m->vfs, "noatime") && !options_has(&m->vfs, "relatime"))
                *ret |= MS_STRICTATIME;
        return 0;
}

static int remount(const struct mount_facts *m, const char *name, const char *flag)
{
        unsigned long flags;
        int e = remount_flags(m, flag, &flags);

        if (e < 0)
                return e;
        return mount("none", name, NULL, flags, NULL) < 0 ? -errno : 0;
}

/* ---- the change --------------------------------------------------------------------------- */

struct living {
        const struct apply_request *request;
        int state_fd;
        struct apply_answer *answer;
        struct mountpoint place;
        struct mount_facts old;
};

static void living_done(struct living *l)
{
        mount_facts_done(&l->old);
        mountpoint_done(&l->place);
}

static int find(struct living *l, int *ret_fd)
{
        const struct mount_facts *asked = &l->request->mount;
        char *words = NULL;
        int e = mountpoint_open(asked->target, &l->place, &words);

        if (e > 0)
                return answer_end_words(l->answer, APPLY_END_REFUSED, words);
        if (e == 0)
                e = mountpoint_enter(&l->place);
        if (e == 0)
                e = mountfacts_by_id(asked->mount_id, &l->old);
        if (e < 0 && e != -ENOENT)
                return e;
        if (e == 0 && mountfacts_same(asked, &l->old))
                e = anchor_open_root(&l->old, ret_fd);
        else
                e = ANCHOR_MOUNT_CHANGED;
        if (e > 0)
                return answer_end(l->answer, APPLY_END_REFUSED, "%s: the mount is not the one that was looked at any more",
                                  asked->target);
        return e;
}

static int record(struct living *l, enum intent_step step)
{
        struct intent i = {
                .step = step,
                .mount = l->old,
                .staging = l->request->staging,
                .rollback = l->request->rollback,
                .by_hand = l->request->by_hand,
                .persist = l->request->persist,
                .started_realtime_usec = clock_usec(CLOCK_REALTIME),
        };
        int e = boot_id_read(i.boot);

        if (e == 0)
                e = intent_write(l->state_fd, &i);
        if (e == 0)
                return 0;
        return answer_end(l->answer, APPLY_END_REFUSED, "%s: the record of what is to be done cannot be written (%s)",
                          l->old.target, strerror(-e));
}

static int change_flag(struct living *l, int root_fd, const char *flag)
{
        cleanup(options_done) struct options repeat = {};
        cleanup_free char *words = NULL;
        int e = repeated_options(&l->old.super, &repeat), again;

        if (e < 0)
                return e;
        e = fscontext_reconfigure(root_fd, flag, &repeat, &words);
        if (e == 0 || e == -ENOMEM)
                return e;
        again = e == -EINVAL || e == -EOPNOTSUPP || e == -ENOSYS ? remount(&l->old, l->place.name, flag) : e;
        if (again == 0) {
                answer_note(l->answer, "fsconfig was refused (%s); a remount without options did it", words);
                return 0;
        }
        return answer_end(l->answer, APPLY_END_REFUSED, "%s: %s", l->old.target, words);
}

/* As wanted, and nothing else has changed? */
static int check(struct living *l)
{
        cleanup_free char *words = NULL;
        int e = mountfacts_by_id(l->old.mount_id, &l->answer->mount);

        if (e < 0)
                return e;
        if (l->request->staging.keys.n_items == 0)
                return 0;
        e = staging_check(&l->request->staging, &l->old.super, &l->answer->mount.super, &words);
        return e > 0 ? answer_end(l->answer, APPLY_END_FAILED, "%s: %s", l->old.target, words) : e;
}

static int set_read_ahead(struct living *l)
{
        uint64_t kib = l->request->staging.read_ahead_kib;

        if (!kib || read_ahead_set(l->old.device, kib, l->answer) || l->request->staging.keys.n_items > 0)
                return 0;
        return answer_end(l->answer, APPLY_END_REFUSED, NULL);
}

static int run(struct living *l)
{
        cleanup(close_descriptor) int root_fd = -1;
        const char *flag;
        int e = refuse_others(&l->request->staging, l->answer, l->request->mount.target);

        if (e == 0)
                e = find(l, &root_fd);
        if (e != 0)
                return e;
        flag = wanted_flag(&l->request->staging, &l->old.super);
        if (!answer_is_awaited())
                return answer_end(l->answer, APPLY_END_REFUSED, "%s: nobody waits for the answer any more", l->old.target);
        e = record(l, INTENT_LIVE);
        if (e == 0 && *flag)
                e = change_flag(l, root_fd, flag);
        if (e == 0)
                e = set_read_ahead(l);
        if (e == 0)
                e = check(l);
        if (e == 0)
                e = record(l, INTENT_DONE);
        return e == 0 ? answer_end(l->answer, APPLY_END_DONE, NULL) : e;
}

int live_run(const struct apply_request *request, int state_fd, struct apply_answer *ret)
{
        cleanup(living_done) struct living l = {
                .request = request, .state_fd = state_fd, .answer = ret,
                .place = { .namespace_fd = -1, .parent_fd = -1 },
        };
        int e = run(&l);

        if (e < 0 && e != -ENOMEM)
                e = answer_end(ret, APPLY_END_FAILED, "%s: %s", request->mount.target, strerror(-e));
        if (l.old.target && ret->end == APPLY_END_REFUSED && intent_remove(state_fd, l.old.target) < 0)
                answer_note(ret, "its record could not be removed");
        return e == -ENOMEM ? e : 0;
}

int live_recover(const struct intent *i, int state_fd, struct apply_answer *ret)
{
        cleanup_free char *words = NULL;
        int e = mountfacts_by_id(i->mount.mount_id, &ret->mount);

        if (e < 0 && e != -ENOENT)
                return e;
        if (e == 0 && i->staging.keys.n_items > 0)
                e = staging_check(&i->staging, &i->mount.super, &ret->mount.super, &words);
        if (e == 0)
                return answer_end(ret, APPLY_END_DONE, NULL);
        if (e < 0 && e != -ENOENT)
                return e;
        e = intent_remove(state_fd, i->mount.target);
        if (e < 0)
                answer_note(ret, "its record could not be removed (%s)", strerror(-e));
        return answer_end(ret, APPLY_END_NOTHING, "%s: the change was interrupted before it was made", i->mount.target);
}
