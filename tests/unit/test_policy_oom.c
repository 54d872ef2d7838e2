/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every allocation of an evaluation fails once: the answer is -ENOMEM, the
 * advice is empty and nothing leaks.
 *
 * The allocator is glibc's under our names; under AddressSanitizer, which has
 * one of its own, there is nothing to do.
 */
#include "tests/unit/policy_world.h"

#include <errno.h>

#include "policy/gate.h"
#include "policy/groups.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_OWN_ALLOCATOR 0
#endif
#endif
#ifndef HAVE_OWN_ALLOCATOR
#define HAVE_OWN_ALLOCATOR 1
#endif

#if HAVE_OWN_ALLOCATOR

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void __libc_free(void *p);

static bool counting;
static unsigned left;           /* allocations that succeed before one fails */
static long balance;            /* blocks allocated and not freed while counting */

static bool refuse(void)
{
        return counting && left-- == 0;
}

void *malloc(size_t size)
{
        if (refuse())
                return NULL;
        balance += counting;
        return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
        if (refuse())
                return NULL;
        balance += counting;
        return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
        if (refuse())
                return NULL;
        balance += counting && !p;
        return __libc_realloc(p, size);
}

/* glibc's own one reaches its realloc without asking for ours. */
void *reallocarray(void *p, size_t n, size_t size)
{
        size_t bytes;

        if (__builtin_mul_overflow(n, size, &bytes))
                return NULL;
        return realloc(p, bytes);
}

void free(void *p)
{
        balance -= counting && p;
        __libc_free(p);
}

/* A world in which every rule has much to say. */
static void eventful_world(struct world *w, int variant)
{
        world_init(w, "/my data", "rw,nosuid,relatime",
                   variant == 1 ? "rw,sync,vers=4.2,rsize=1048576,wsize=32768,proto=tcp"
                                : "rw,sync,vers=4.2,rsize=32768,wsize=16384,hard,proto=tcp,timeo=600,retrans=2");
        world_limits(w, variant == 1 ? 64 * KIB : MIB, MIB);
        if (variant == 4) {
                world_fstab(w, 7, "server:/data /my\\040data nfs soft,nfsvers=4,intr,minorversion=1,rsize=8k 0 0",
                            "soft,nfsvers=4,intr,minorversion=1,rsize=8k");
                world_conf(w, 4, "soft");
        } else if (variant != 2) {
                world_fstab(w, 7, "server:/data /my\\040data nfs bg,sync,rsize=32768 0 0", "bg,sync,rsize=32768");
        }
        world_conf(w, 3, "wsize=16k");
        w->o.shares_superblock_with = calloc(1, sizeof(char *));
        w->o.shares_superblock_with[0] = world_copy("/other");
        w->o.n_shares = 1;
        world_null(w, 500);
        world_editor_save(w, 10900, 350000);
        world_stable(w, 0, 4 * KIB, 4, 600);
        world_stable(w, 1, 64 * KIB, 4, 600);
        if (variant == 3) {
                w->o.liveness = LIVENESS_UNRESPONSIVE;
                w->o.liveness_witnesses = world_copy("NULL call unanswered");
        }
}

START_TEST(evaluation)
{
        for (int variant = 0; variant < 5; variant++)
                for (unsigned i = 0;; i++) {
                        struct advice a;
                        struct world w;
                        int r;

                        eventful_world(&w, variant);
                        balance = 0;
                        left = i;
                        counting = true;
                        r = evaluate(&w.o, &w.p, NOW, &a);
                        counting = false;
                        if (r == 0) {
                                ck_assert_msg(i > 20, "only %u allocations: is this test awake?", i);
                                advice_done(&a);
                                world_done(&w);
                                break;
                        }
                        ck_assert_msg(r == -ENOMEM, "allocation %u of variant %d: %d", i, variant, r);
                        ck_assert_msg(a.n_recommendations == 0 && !a.recommendations && !a.plan.options,
                                      "allocation %u of variant %d: something is left", i, variant);
                        ck_assert_msg(balance == 0, "allocation %u of variant %d: %ld blocks leaked", i, variant,
                                      balance);
                        world_done(&w);
                }
}
END_TEST

START_TEST(groups)
{
        struct world w[2];
        const struct observation *const o[] = { &w[0].o, &w[1].o };
        const struct advice *const a[] = { &w[0].a, &w[1].a };

        for (int i = 0; i < 2; i++) {
                eventful_world(&w[i], 2 * i);
                world_evaluate(&w[i]);
        }
        for (unsigned i = 0;; i++) {
                struct groups g;
                int r;

                balance = 0;
                left = i;
                counting = true;
                r = groups_make(o, a, 2, &g);
                counting = false;
                if (r == 0) {
                        ck_assert_uint_gt(i, 5);
                        groups_done(&g);
                        break;
                }
                ck_assert_msg(r == -ENOMEM && balance == 0 && g.n_items == 0, "allocation %u: %d, %ld blocks leaked", i, r,
                              balance);
        }
        for (int i = 0; i < 2; i++)
                world_done(&w[i]);
}
END_TEST

/* From the mount to the change, back, and the look at what came out. */
static int stage(const struct world *w, struct history *h, char **ret_words)
{
        cleanup(staging_done) struct staging s = { 0 }, back = { 0 };
        const struct gate_input g = {
                .observation = &w->o, .params = &w->p, .recommendations = w->a.recommendations,
                .n_recommendations = w->a.n_recommendations, .staging = &s, .history = h, .boot = "1",
                .now_realtime_usec = 1,
        };
        struct mount_history *m;
        int r = staging_make(&w->o, w->a.recommendations, w->a.n_recommendations, false, NULL, &s);

        if (r == 0)
                r = staging_reverse(&s, &back);
        if (r == 0)
                r = staging_check(&s, &w->o.mount.super, &w->o.mount.super, ret_words);
        if (r < 0)
                return r;
        (void)gate_check(&g, NULL);
        m = history_get(h, w->o.mount.target, w->o.mount.source);
        r = m ? history_changed(m, "1", "sync", "", "sync", "rw", 1) : -ENOMEM;
        return r < 0 ? r : history_failed(h, m, "", "slower", 2);
}

START_TEST(staging)
{
        for (unsigned i = 0;; i++) {
                struct history h = { 0 };
                char *words = NULL;
                struct world w;
                int r;

                eventful_world(&w, 0);
                w.p.mode = MODE_AUTO_REMOUNT;
                world_evaluate(&w);
                balance = 0;
                left = i;
                counting = true;
                r = stage(&w, &h, &words);
                history_done(&h);
                free(words);
                counting = false;
                ck_assert_msg(balance == 0, "allocation %u: %ld blocks leaked", i, balance);
                ck_assert_msg(r == 0 || r == -ENOMEM, "allocation %u: %d", i, r);
                world_done(&w);
                /* the gate goes on without memory, and refuses: the end is where nothing was refused any more */
                if (left <= i) {
                        ck_assert_uint_gt(i, 100);
                        break;
                }
        }
}
END_TEST

START_TEST(options)
{
        for (unsigned i = 0;; i++) {
                struct options o = { 0 }, copy = { 0 };
                char *text = NULL;
                int r;

                balance = 0;
                left = i;
                counting = true;
                r = options_parse("a=1,b,c=\"x,y\",a=2", 17, &o);
                if (r == 0)
                        r = options_set(&o, "a", "3");
                if (r == 0)
                        r = options_copy(&o, &copy);
                if (r == 0)
                        r = (text = options_format(&copy)) ? 0 : -ENOMEM;
                options_done(&o);
                options_done(&copy);
                counting = false;
                ck_assert_msg(balance == (text != NULL), "allocation %u: %ld blocks leaked", i, balance);
                ck_assert_msg(r == 0 || r == -ENOMEM, "allocation %u: %d", i, r);
                if (r == 0) {
                        ck_assert_str_eq(text, "b,c=\"x,y\",a=3");
                        free(text);
                        ck_assert_uint_gt(i, 10);
                        break;
                }
        }
}
END_TEST

WORLD_MAIN("policy out of memory", evaluation, groups, staging, options)

#else

int main(void)
{
        return 0;
}

#endif
