/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/rules_requested.c - the rules about what was asked for. DESIGN section 6. */
#include "policy/rules.h"

#include <errno.h>
#include <string.h>

#include "policy/differences.h"
#include "policy/lint.h"
#include "policy/recommend.h"
#include "policy/sizes.h"
#include "policy/sources.h"

/* ---- invalid-option, obsolete-option: the lines themselves ----------------------- */

/* What the lint says of one kind, over all sources. */
struct faults {
        bool obsolete;                  /* the kind that is collected */
        const struct requested *first;  /* the first source that has one */
        unsigned n;
        unsigned n_guesses;
        struct text evidence;
        /* option texts: of guesses, and of what is sure */
        struct recommendation guessed;
        struct recommendation sure;
};

static void faults_done(struct faults *f)
{
        text_done(&f->evidence);
        recommendation_done(&f->guessed);
        recommendation_done(&f->sure);
}

static void text_add_fault_place(struct faults *f, const struct requested *s)
{
        if (f->n > 0)
                text_add(&f->evidence, "; ");
        if (!f->first)
                f->first = s;
        text_add_source(&f->evidence, s);
        f->n++;
}

static int fault_add(struct faults *f, const struct requested *s, const struct lint_problem *p)
{
        struct recommendation *r = p->guess ? &f->guessed : &f->sure;
        int err = 0;

        text_add_fault_place(f, s);
        text_add(&f->evidence, ": %s %s", p->option, p->words);
        f->n_guesses += p->guess;
        if (p->drop)
                err = recommend_drop(r, p->drop);
        if (err == 0 && p->set)
                err = recommend_set(r, p->set);
        return err;
}

/* "server:/x /y nfs4 udp" */
static bool is_of_type_nfs4(const struct requested *s)
{
        static const char blanks[] = " \t";
        const char *p = s->place.kind == PLACE_FSTAB && s->text ? s->text : "";

        for (unsigned column = 1; column < 3; column++) {
                p += strspn(p, blanks);
                p += strcspn(p, blanks);
        }
        p += strspn(p, blanks);
        return strcspn(p, blanks) == strlen("nfs4") && strncmp(p, "nfs4", strlen("nfs4")) == 0;
}

/* To mount.nfs the type says the version where no option does; it matters to UDP alone. */
static bool type_refuses_udp(const struct requested *s)
{
        struct nfs_options n;

        nfs_options_read(&s->options, &n);
        return n.proto == NFS_PROTO_UDP && n.version_major == 0 && is_of_type_nfs4(s);
}

static int source_lint(struct faults *f, const struct requested *s)
{
        cleanup(options_done) struct options versioned = { 0 };
        cleanup(lint_done) struct lint l = { 0 };
        const struct options *options = &s->options;
        int err = 0;

        if (type_refuses_udp(s)) {
                err = options_copy(options, &versioned);
                if (err == 0)
                        err = options_add(&versioned, "vers", "4");
                options = &versioned;
        }
        if (err == 0)
                err = lint_options(options, s->place.kind == PLACE_NFSMOUNT_CONF, &l);
        for (size_t i = 0; i < l.n_problems && err == 0; i++)
                if (l.problems[i].obsolete == f->obsolete)
                        err = fault_add(f, s, &l.problems[i]);
        return err;
}

/* A fault of the line, not of an option: a carriage return, a backslash at its end. */
static void line_lint(struct faults *f, const struct requested *s)
{
        text_add_fault_place(f, s);
        text_add(&f->evidence, " %s", s->line_problem);
        if (s->line_mended)
                text_add(&f->evidence, "; the line without that: %s", s->line_mended);
}

/* Columns that no mount call takes. An existing mount has right ones, whatever its line says. */
static void columns_lint(struct faults *f, const struct mount_facts *m, const struct requested *s)
{
        if (!strchr(m->source, ':')) {
                text_add_fault_place(f, s);
                text_add(&f->evidence, " names no server: the first column has to be HOST:/PATH, the mount is refused");
        }
        if (m->target[0] != '/') {
                text_add_fault_place(f, s);
                text_add(&f->evidence, " has a mount point that is no absolute path: the second column has to begin "
                                       "with a slash, and systemd passes over the line");
        }
}

static int faults_find(const struct observation *o, struct faults *f)
{
        for (size_t i = 0; i < o->n_requested; i++) {
                const struct requested *s = &o->requested[i];
                int err;

                if (s->is_record)
                        continue;
                if (s->line_problem && !f->obsolete)
                        line_lint(f, s);
                else if (o->only_requested && s->place.kind == PLACE_FSTAB && !f->obsolete)
                        columns_lint(f, &o->mount, s);
                err = source_lint(f, s);
                if (err < 0)
                        return err;
        }
        return 0;
}

/* Guesses reach no plan: beside anything sure they are left to the evidence. */
static void faults_take_options(struct faults *f, struct recommendation *r)
{
        struct recommendation *from = f->n_guesses == f->n ? &f->guessed : &f->sure;

        r->question = f->n_guesses == f->n;
        r->drop = TAKE(from->drop);
        r->n_drop = from->n_drop;
        r->set = TAKE(from->set);
        r->n_set = from->n_set;
        from->n_drop = from->n_set = 0;
}

static int write_fault_words(const struct faults *f, struct recommendation *r)
{
        const char *summary = "the requested options contain what no NFS mount can mean";
        const char *risk = "the next mount takes what the line says then: check with findmnt afterwards";

        if (f->obsolete) {
                summary = "the requested options contain what does nothing any more, or an old spelling";
                risk = "only the text changes, the mount stays as it is; no remount is needed";
        } else if (f->n_guesses > 0 && f->n_guesses < f->n) {
                risk = "where it is only a guess what was meant, the new line still has the fault: mend that too; the "
                       "next mount takes what the line says then: check with findmnt afterwards";
        }
        if (recommend_sentence(&r->summary, summary) < 0 || recommend_sentence(&r->risk, risk) < 0)
                return -ENOMEM;
        if (!r->question)
                return 0;
        return recommend_sentence(&r->keep, "Was something else meant? Keep the line where a kernel or a helper of "
                                            "your own knows the option: what stands there is only a guess");
}

static int faults_judge(const struct rule_context *c, bool obsolete, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        cleanup(faults_done) struct faults f = { .obsolete = obsolete };

        if (faults_find(c->o, &f) < 0)
                return -ENOMEM;
        if (f.n == 0)
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_CONFIGURED;
        r->method = METHOD_SOURCE;
        faults_take_options(&f, r);
        if (place_copy(&f.first->place, &r->place) < 0 || write_fault_words(&f, r) < 0 ||
            recommend_words(&r->evidence, &f.evidence) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

int rule_invalid_option(const struct rule_context *c, struct rule_result *ret)
{
        return faults_judge(c, false, ret);
}

int rule_obsolete_option(const struct rule_context *c, struct rule_result *ret)
{
        return faults_judge(c, true, ret);
}

/* ---- requested-drift, first-mount-wins: asked for, and not effective ------------------ */

enum cause {
        CAUSE_NONE,                     /* the server's, or intended: nothing to say */
        CAUSE_DRIFT,                    /* a remount or a new mount would bring it */
        CAUSE_SUPERBLOCK,               /* the first mount of the superblock decides: KERNEL-FACTS 3.2 */
        CAUSE_CLIENT,                   /* the first mount of the client's connection does: KERNEL-FACTS 3.1 */
};

struct drift {
        const struct requested *source; /* NULL: nobody asks for anything */
        struct difference *differences;
        size_t n;
};

static void drift_done(struct drift *d)
{
        differences_done(d->differences, d->n);
}

/* A line of its own: defaults come behind all such lines. */
static const struct requested *asking_source(const struct observation *o)
{
        const struct requested *r = source_strongest(o);

        return r && !r->is_default ? r : NULL;
}

/* The superblock's options and the mount's own. */
static int effective_options(const struct mount_facts *m, struct options *ret)
{
        cleanup(options_done) struct options all = { 0 };
        int err = options_copy(&m->super, &all);

        if (err == 0)
                err = options_merge(&all, &m->vfs);
        if (err == 0 && m->read_only) {
                options_drop(&all, "rw");
                err = options_set(&all, "ro", NULL);
        }
        if (err < 0)
                return err;
        *ret = all;
        all = (struct options){ 0 };
        return 0;
}

static int drift_find(const struct observation *o, struct drift *d)
{
        cleanup(options_done) struct options effective = { 0 };

        d->source = o->only_requested ? NULL : asking_source(o);
        if (!d->source)
                return 0;
        if (effective_options(&o->mount, &effective) < 0)
                return -ENOMEM;
        return differences_find(&d->source->options, &effective, &d->differences, &d->n);
}

static bool is_of_client(const char *key)
{
        static const char *const names[] = { "clientaddr", "max_connect", "nconnect", "resvport" };

        return WORD_IS_ONE_OF(key, names);
}

static bool is_of_superblock(const char *key)
{
        static const char *const names[] = { "bsize", "fsc", "retrans", "timeo" };

        return is_of_client(key) || WORD_IS_ONE_OF(key, names);
}

/* Asked for more than it has, and for all that is known the server sets the
 * limit: a new mount gets no more. */
static bool size_is_imposed(const struct rule_context *c, const struct requested *source, const char *key)
{
        struct direction d[DIRECTION_COUNT];
        uint64_t asked;

        if (options_u64(&source->options, key, &asked) < 0)
                return false;
        directions_read(c->o, &c->effective, d);
        for (size_t i = 0; i < DIRECTION_COUNT; i++)
                if (strcmp(d[i].name, key) == 0)
                        return asked > d[i].effective_bytes && !d[i].below_offer;
        return false;
}

static unsigned version_bits(const char *version)
{
        static const struct {
                const char *version;
                unsigned bits;
        } versions[] = {
                { "2", NFS_V2 },     { "3", NFS_V3 },     { "4", NFS_V4_0 | NFS_V4_1 | NFS_V4_2 },
                { "4.0", NFS_V4_0 }, { "4.1", NFS_V4_1 }, { "4.2", NFS_V4_2 },
        };

        for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
                if (strcmp(version, versions[i].version) == 0)
                        return versions[i].bits;
        return 0;
}

/* @text: "vers=4.2". Version 2 is what no mount.nfs of today asks for: no new mount brings it. */
static bool version_is_refused(const struct rule_context *c, const char *text)
{
        unsigned wanted = version_bits(text + strcspn(text, "=") + (strchr(text, '=') != NULL));

        if (wanted == NFS_V2)
                return true;
        if (c->o->server.versions_known && !(c->o->server.versions & wanted))
                return true;
        return c->profile && c->profile->versions && !(c->profile->versions & wanted);
}

/* One connection is all there is on UDP and with version 4.0, and sessions that span addresses came with 4.1. */
static bool is_ignored_here(const struct nfs_options *e, const char *key)
{
        bool sessions = e->version_major == 4 && e->version_minor != 0;

        if (strcmp(key, "nconnect") == 0)
                return e->proto == NFS_PROTO_UDP || (e->version_major == 4 && e->version_minor == 0);
        return strcmp(key, "max_connect") == 0 && !sessions;
}

/* keep names the option in any of its spellings. */
static bool is_kept(const struct rule_context *c, const struct difference *d)
{
        const char *const texts[] = { d->info->name, d->requested, d->effective };

        for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
                size_t n = texts[i] ? strcspn(texts[i], "=") : 0;
                char name[64] = "";     /* longer than any option's of the table */

                memcpy(name, texts[i] ? texts[i] : "", MIN(n, sizeof(name) - 1));
                if (n > 0 && mount_params_keeps(c->mount_params, name))
                        return true;
        }
        return false;
}

/* nfstuned changed that itself. */
static bool is_own_change(const struct observation *o, const char *key)
{
        const char *p = o->own_change ? o->own_change : "";
        size_t n = strlen(key);

        for (; *p; p += *p == ',') {
                size_t length = strcspn(p, ",");

                if (length == n && memcmp(p, key, n) == 0)
                        return true;
                p += length;
        }
        return false;
}

static enum cause cause_of(const struct rule_context *c, const struct drift *d, const struct difference *one)
{
        const char *key = one->info->name;

        if (is_own_change(c->o, key))
                return CAUSE_NONE;
        if (is_kept(c, one) || one->info->remount == REMOUNT_NOT_SEEN || size_is_imposed(c, d->source, key) ||
            (strcmp(key, "vers") == 0 && version_is_refused(c, one->requested)))
                return CAUSE_NONE;
        if (is_ignored_here(&c->effective, key))
                return CAUSE_NONE;
        if (is_of_client(key))
                return CAUSE_CLIENT;
        return is_of_superblock(key) && c->o->n_shares > 0 ? CAUSE_SUPERBLOCK : CAUSE_DRIFT;
}

static void text_add_difference(struct text *t, const struct difference *d, unsigned before)
{
        text_add(t, "%s%s, the mount has %s", before > 0 ? "; for " : "", d->requested,
                 d->effective ? d->effective : "nothing of the kind");
}

/* "fstab line 7 asks for rsize=65536, the mount has rsize=32768; for ...". Return:
 * how many differences there are that are drift, or that are not. */
static unsigned text_add_differences(struct text *t, const struct rule_context *c, const struct drift *d, bool drifted)
{
        unsigned n = 0;

        for (size_t i = 0; i < d->n; i++) {
                enum cause cause = cause_of(c, d, &d->differences[i]);

                if (cause == CAUSE_NONE || (cause == CAUSE_DRIFT) != drifted)
                        continue;
                if (n == 0) {
                        text_add_source(t, d->source);
                        text_add(t, " asks for ");
                }
                text_add_difference(t, &d->differences[i], n++);
        }
        if (n > 0)
                text_add(t, " (mount table)");
        return n;
}

/* Does a remount bring all of it? */
static bool all_live(const struct rule_context *c, const struct drift *d)
{
        for (size_t i = 0; i < d->n; i++)
                if (cause_of(c, d, &d->differences[i]) == CAUSE_DRIFT &&
                    d->differences[i].info->remount != REMOUNT_LIVE)
                        return false;
        return true;
}

static int write_drift_words(struct recommendation *r)
{
        const char *how = "umount and mount bring what the line asks for: that needs nobody using it";

        if (r->method == METHOD_LIVE)
                how = "mount -o remount with the options of the line brings it at once, for all mounts that share the "
                      "superblock where it is sync or ro";
        if (recommend_sentence(&r->summary, "the mount does not have what its line asks for") < 0 ||
            recommend_sentence(&r->keep, "if the mount is right as it is, edit the line: the next boot takes it") < 0)
                return -ENOMEM;
        return recommend_sentence(&r->risk, how);
}

int rule_requested_drift(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        cleanup(drift_done) struct drift d = { 0 };
        cleanup(text_done) struct text t = { 0 };

        if (drift_find(c->o, &d) < 0)
                return -ENOMEM;
        if (text_add_differences(&t, c, &d, true) == 0)
                return VERDICT_QUIET;
        text_add(&t, "; it was mounted before the line was edited, or changed by hand");
        r->confidence = CONFIDENCE_CONFIGURED;
        r->method = all_live(c, &d) ? METHOD_LIVE : METHOD_REPLACE;
        if (place_copy(&d.source->place, &r->place) < 0 || write_drift_words(r) < 0 ||
            recommend_words(&r->evidence, &t) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

static int write_first_mount_words(const struct rule_context *c, struct recommendation *r)
{
        const char *risk = "while one of the other mounts stands, no mount of this export gets another value: give "
                           "all of them the same options, or unmount all of them first; nosharecache separates the "
                           "superblock, but not the connection (nconnect, noresvport)";

        if (c->o->n_shares == 0)
                risk = "unmount all mounts of the server, or give all of them the same options; findmnt -t nfs,nfs4 "
                       "lists those of this mount namespace";
        if (recommend_sentence(&r->summary, "an earlier mount decides, not the line of this one") < 0)
                return -ENOMEM;
        return recommend_sentence(&r->risk, risk);
}

int rule_first_mount_wins(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        cleanup(drift_done) struct drift d = { 0 };
        cleanup(text_done) struct text t = { 0 };

        if (drift_find(c->o, &d) < 0)
                return -ENOMEM;
        if (text_add_differences(&t, c, &d, false) == 0)
                return VERDICT_QUIET;
        text_add_sharers(&t, c->o);
        if (c->o->n_shares == 0)
                text_add(&t, "; another mount of the same server, here or in a container, may hold the connection, or "
                             "the mount is older than the line");
        r->confidence = c->o->n_shares > 0 ? CONFIDENCE_CONFIGURED : CONFIDENCE_POSSIBLE;
        r->method = METHOD_NONE;
        if (place_copy(&d.source->place, &r->place) < 0 || write_first_mount_words(c, r) < 0 ||
            recommend_words(&r->evidence, &t) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}
