/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/rules_transport.c - the rules about protocol, version, time-outs and ports. DESIGN section 6.
 *
 * All of them need a new mount, and none is ever automatic: what a firewall, an
 * old server or a program's handling of errors asks for cannot be seen from here.
 */
#include "policy/rules.h"

#include <errno.h>
#include <string.h>

#include "policy/recommend.h"
#include "policy/sizes.h"
#include "policy/sources.h"

/* ---- which option, and who asks for it ------------------------------------- */

typedef bool option_test(const struct mount_option *o);

static bool any_option(const struct options *options, option_test *is)
{
        for (size_t i = 0; i < options->n_items; i++)
                if (is(&options->items[i]))
                        return true;
        return false;
}

/* The strongest source that says so; NULL: none known. */
static const struct requested *source_saying(const struct observation *o, option_test *is, bool editable)
{
        for (size_t i = 0; i < o->n_requested; i++)
                if (!(editable && o->requested[i].is_record) && any_option(&o->requested[i].options, is))
                        return &o->requested[i];
        return NULL;
}

static int drop_from(struct recommendation *r, const struct options *options, option_test *is)
{
        for (size_t i = 0; i < options->n_items; i++) {
                int err = is(&options->items[i]) ? recommend_drop_written(r, &options->items[i]) : 0;

                if (err < 0)
                        return err;
        }
        return 0;
}

/* As @source spells it, else as it is effective. */
static int drop_as_written(struct recommendation *r, const struct rule_context *c, const struct requested *source,
                           option_test *is)
{
        return drop_from(r, source ? &source->options : &c->o->mount.super, is);
}

static int drop_saying(struct recommendation *r, const struct rule_context *c, option_test *is)
{
        return drop_as_written(r, c, source_saying(c->o, is, true), is);
}

/* "; fstab line 7 asks for it", or that nobody known does. */
static void add_asker(struct text *t, const struct requested *source)
{
        if (!source) {
                text_add(t, "; nothing known asks for it");
                return;
        }
        text_add(t, "; ");
        text_add_source(t, source);
        text_add(t, " asks for it");
}

static void add_who_asks(struct text *t, const struct rule_context *c, option_test *is)
{
        add_asker(t, source_saying(c->o, is, false));
}

/* Below ten seconds a busy server is asked again although it is at work (nfs(5)). */
#define TIMEO_SHORT 100U

/* Tenths of a second; 0 when it is no number, which is the default for the kernel. */
static unsigned timeo_of(const struct mount_option *o)
{
        unsigned value = 0;

        if (strcmp(o->name, "timeo") != 0 || !o->value)
                return 0;
        for (const char *s = o->value; *s; s++) {
                if (*s < '0' || *s > '9')
                        return 0;
                value = MIN(value * 10 + (unsigned)(*s - '0'), TIMEO_SHORT);
        }
        return value;
}

static bool says_short_timeo(const struct mount_option *o)
{
        return timeo_of(o) > 0 && timeo_of(o) < TIMEO_SHORT;
}

/* Where the effective options were read. */
static const char *table_name(const struct rule_context *c)
{
        return c->o->only_requested ? "not mounted now" : "mount table";
}

/* ---- udp-transport ----------------------------------------------------------- */

static bool says_udp(const struct mount_option *o)
{
        if (!o->value)
                return strcmp(o->name, "udp") == 0 || strcmp(o->name, "udp6") == 0;
        return strcmp(o->name, "proto") == 0 && (strcmp(o->value, "udp") == 0 || strcmp(o->value, "udp6") == 0);
}

/* A time-out on the scale of UDP would be far too short on TCP: it goes with it. */
static int drop_udp_timeout(struct recommendation *r, const struct rule_context *c)
{
        if (!any_option(&c->o->mount.super, says_short_timeo) || KEEPS(c, "timeo"))
                return 0;
        return source_saying(c->o, says_short_timeo, true) || !source_of_mount(c->o) ?
               drop_saying(r, c, says_short_timeo) : 0;
}

/* So would sizes of UDP's time: its own cap of 32 KiB was the most that could be asked for. */
static int drop_udp_sizes(struct recommendation *r, const struct rule_context *c)
{
        struct direction d[DIRECTION_COUNT];
        int err = 0;

        directions_read(c->o, &c->effective, d);
        for (size_t i = 0; i < DIRECTION_COUNT && err == 0; i++)
                if (d[i].place && d[i].asked_bytes <= OLD_HABIT_BYTES &&
                    !mount_params_keeps(c->mount_params, d[i].name))
                        err = recommend_drop_option(r, c->o, d[i].name);
        return err;
}

static int write_udp_words(const struct rule_context *c, struct recommendation *r)
{
        static const char risk[] =
                "a server or firewall that lets only UDP through (some very old servers) refuses the mount: whether "
                "this server offers NFS over TCP cannot be seen from here, try it at another mount point first";
        static const char keep[] =
                "keep UDP only where the server has no TCP";
        static const char loopback[] =
                "keep UDP where this is a test of UDP: on the way to this host itself nothing is lost";
        cleanup(text_done) struct text t = { 0 };

        text_add(&t, "proto=udp (%s)", table_name(c));
        add_who_asks(&t, c, says_udp);
        text_add(&t, "; UDP sends a request of up to 32 KiB as many fragments and repeats all of it when one is lost, "
                     "and its checksums are too weak for the 16-bit packet ids that wrap within seconds at 1 Gbit/s "
                     "(nfs(5), \"Using NFS over UDP on high-speed links\": silent data corruption)");
        if (server_is_loopback(c))
                text_add(&t, "; the server is this host, where that hardly matters");
        text_add_sharers(&t, c->o);
        return recommend_sentence(&r->summary, "NFS over UDP is slow as soon as a packet is lost, and can corrupt data "
                                               "on fast networks; TCP is the default") < 0 ||
               recommend_words(&r->evidence, &t) < 0 ||
               recommend_sentence(&r->keep, server_is_loopback(c) ? loopback : keep) < 0 ||
               recommend_replace_risk(r, c, risk) < 0 ? -ENOMEM : 0;
}

int rule_udp_transport(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;

        if (c->effective.proto != NFS_PROTO_UDP || KEEPS(c, "proto", "udp"))
                return VERDICT_QUIET;
        r->confidence = server_is_loopback(c) ? CONFIDENCE_POSSIBLE : CONFIDENCE_CONFIGURED;
        r->method = METHOD_REPLACE;
        if (drop_saying(r, c, says_udp) < 0 || drop_udp_timeout(r, c) < 0 || drop_udp_sizes(r, c) < 0 ||
            recommend_place(r, c) < 0 || write_udp_words(c, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

/* ---- soft-mount -------------------------------------------------------------- */

static bool says_soft(const struct mount_option *o)
{
        return !o->value && (strcmp(o->name, "soft") == 0 || strcmp(o->name, "softerr") == 0);
}

static bool says_softreval(const struct mount_option *o)
{
        return !o->value && strcmp(o->name, "softreval") == 0;
}

/* softerr brings it, and it goes with it unless somebody asks for it too. */
static int drop_softreval(struct recommendation *r, const struct rule_context *c)
{
        if (!options_has(&c->o->mount.super, "softerr") || source_of_mount(c->o) || KEEPS(c, "softreval"))
                return 0;
        return drop_saying(r, c, says_softreval);
}

/* Their vendors prescribe soft: a hung storage must not hang the whole host. */
static bool soft_is_prescribed(enum path_class class)
{
        return class == PATH_HYPERVISOR || class == PATH_STORAGE_DRIVER;
}

static int write_soft_words(const struct rule_context *c, struct recommendation *r)
{
        static const char risk[] =
                "with hard, programs wait until the server is back instead of failing, and cannot always be killed "
                "meanwhile";
        static const char keep[] =
                "soft where every program that writes here checks the result of write(), fsync() and close() and "
                "failing is better than waiting";
        static const char prescribed[] =
                "it where the vendor of this storage prescribes soft: what uses it copes with errors and must not hang";
        cleanup(text_done) struct text summary = { 0 }, t = { 0 }, asked = { 0 };
        const char *name = options_has(&c->o->mount.super, "softerr") ? "softerr" : "soft";

        text_add(&summary, "%s gives up when the server does not answer in time: data being written is lost, and only "
                           "programs that check for errors notice", name);
        text_add(&t, "the mount is rw,%s (%s)", name, table_name(c));
        add_who_asks(&t, c, says_soft);
        text_add_sharers(&t, c->o);
        if (r->question)
                text_add(&asked, "is %s intended here? The path looks like %s. ", name,
                         path_class_words(c->path_class));
        text_add(&asked, "%s %s", r->question ? "Keep" : "keep",
                 soft_is_prescribed(c->path_class) ? prescribed : keep);
        return recommend_words(&r->summary, &summary) < 0 || recommend_words(&r->evidence, &t) < 0 ||
               recommend_words(&r->keep, &asked) < 0 || recommend_replace_risk(r, c, risk) < 0 ? -ENOMEM : 0;
}

int rule_soft_mount(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;

        if (!c->effective.soft || c->effective.read_only || c->o->mount.read_only || KEEPS(c, "soft", "softerr"))
                return VERDICT_QUIET;
        r->confidence = soft_is_prescribed(c->path_class) ? CONFIDENCE_POSSIBLE : CONFIDENCE_CONFIGURED;
        r->method = METHOD_REPLACE;
        r->question = path_may_be_deliberate(c->path_class);
        if (drop_saying(r, c, says_soft) < 0 || drop_softreval(r, c) < 0 || recommend_place(r, c) < 0 ||
            write_soft_words(c, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

/* ---- short-timeout ----------------------------------------------------------- */

/* klibc's nfsmount and nfsroot put UDP's defaults into TCP mounts; nobody wrote them. */
static bool is_mounters_default(const struct rule_context *c, unsigned timeo)
{
        return (timeo == 7 || timeo == 11) && !source_saying(c->o, says_short_timeo, false);
}

static bool fails_fast_by_choice(const struct rule_context *c)
{
        return c->effective.soft && (c->effective.read_only || c->o->mount.read_only);
}

static int write_timeout_words(const struct rule_context *c, unsigned timeo, struct recommendation *r)
{
        static const char risk[] =
                "without timeo a lost server is noticed after 60 s instead; for a hard mount that changes no result";
        static const char fast[] =
                "keep it where reads from this read-only soft mount shall fail fast";
        static const char keep[] =
                "keep it where a fail-over of the server was tuned to it";
        cleanup(text_done) struct text summary = { 0 }, t = { 0 };

        text_add(&summary, "timeo=%u repeats requests after %u.%u s although nothing was lost: a busy server gets them "
                           "twice", timeo, timeo / 10, timeo % 10);
        text_add(&t, "timeo=%u tenths of a second on %s (%s), whose default is 600, a minute", timeo,
                 c->effective.proto == NFS_PROTO_RDMA ? "RDMA" : "TCP", table_name(c));
        add_who_asks(&t, c, says_short_timeo);
        if (is_mounters_default(c, timeo))
                text_add(&t, ", and it is what some mounters of an initramfs set by themselves");
        text_add(&t, "; the transport itself sends lost packets again");
        text_add_sharers(&t, c->o);
        return recommend_words(&r->summary, &summary) < 0 || recommend_words(&r->evidence, &t) < 0 ||
               recommend_sentence(&r->keep, fails_fast_by_choice(c) ? fast : keep) < 0 ||
               recommend_replace_risk(r, c, risk) < 0 ? -ENOMEM : 0;
}

int rule_short_timeout(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        const struct mount_option *option = options_find(&c->o->mount.super, "timeo");
        unsigned timeo = option ? timeo_of(option) : 0;

        if (c->effective.proto == NFS_PROTO_UDP || timeo == 0 || timeo >= TIMEO_SHORT || KEEPS(c, "timeo"))
                return VERDICT_QUIET;
        r->question = fails_fast_by_choice(c);
        r->confidence = is_mounters_default(c, timeo) || r->question ? CONFIDENCE_POSSIBLE : CONFIDENCE_CONFIGURED;
        r->method = METHOD_REPLACE;
        if (drop_saying(r, c, says_short_timeo) < 0 || recommend_place(r, c) < 0 ||
            write_timeout_words(c, timeo, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

/* ---- old-version ------------------------------------------------------------- */

static bool says_version(const struct mount_option *o)
{
        if (o->value)
                return strcmp(o->name, "vers") == 0 || strcmp(o->name, "nfsvers") == 0 ||
                       strcmp(o->name, "minorversion") == 0;
        return o->name[0] == 'v' && o->name[1] >= '2' && o->name[1] <= '4' &&
               (o->name[2] == '\0' || o->name[2] == '.');
}

/* What would be better than the version in use; 0: it is no old one. */
static unsigned better_versions(const struct nfs_options *effective)
{
        if (effective->version_major == 2)
                return NFS_V3 | NFS_V4_0 | NFS_V4_1 | NFS_V4_2;
        return effective->version_major == 4 && effective->version_minor == 0 ? NFS_V4_1 | NFS_V4_2 : 0;
}

/* The strongest source that asks for the version in use; NULL: none known. */
static const struct requested *version_source(const struct rule_context *c, bool editable)
{
        for (size_t i = 0; i < c->o->n_requested; i++) {
                const struct requested *source = &c->o->requested[i];
                struct nfs_options asked;

                nfs_options_read(&source->options, &asked);
                if (!(editable && source->is_record) && asked.version_major == c->effective.version_major &&
                    asked.version_minor == c->effective.version_minor)
                        return source;
        }
        return NULL;
}

static void add_versions(struct text *t, unsigned versions)
{
        static const struct {
                unsigned bit;
                const char *name;
        } names[] = { { NFS_V3, "3" }, { NFS_V4_0, "4.0" }, { NFS_V4_1, "4.1" }, { NFS_V4_2, "4.2" } };
        const char *separator = " ";

        for (size_t i = 0; i < ARRAY_SIZE(names); i++)
                if (versions & names[i].bit) {
                        text_add(t, "%s%s", separator, names[i].name);
                        separator = ", ";
                }
}

/* "; the server offers 4.1, 4.2 (it was asked)" */
static void add_offer(struct text *t, const struct rule_context *c)
{
        if (c->o->server.versions_known) {
                text_add(t, "; the server offers");
                add_versions(t, c->o->server.versions);
                text_add(t, " (it was asked)");
        } else if (c->profile && c->profile->versions) {
                text_add(t, "; %s offers", c->profile->title);
                add_versions(t, c->profile->versions);
                text_add(t, " (server profile %s)", c->profile->name);
        } else {
                text_add(t, "; which versions the server offers is not known");
        }
}

static int write_version_words(const struct rule_context *c, struct recommendation *r)
{
        static const char risk_2[] =
                "version 4 has other locking, user names (id mapping) and paths of exports than 2 and 3; with "
                "Kerberos, test that tickets still work; locks do not survive the change";
        static const char risk_4_0[] =
                "locks do not survive the change; with Kerberos, test that tickets still work";
        static const char old_2[] =
                "keep version 2 only where the server knows nothing else: it ends files at 2 GiB, transfers at 8 KiB "
                "and makes every write synchronous";
        static const char old_4_0[] =
                "keep 4.0 where the server's 4.1 is known to be bad, or where both sides were chosen to be 4.0";
        static const char summary_2[] = "NFS version 2 is obsolete";
        static const char summary_4_0[] = "NFS version 4.0 lacks the sessions of 4.1";
        bool two = c->effective.version_major == 2;
        cleanup(text_done) struct text t = { 0 };

        text_add(&t, "version %s (%s)", two ? "2" : "4.0", table_name(c));
        add_asker(&t, version_source(c, false));
        add_offer(&t, c);
        text_add(&t, "; %s", two ? "current Linux kernels no longer have version 2" :
                 "4.1 has sessions: a repeated request is recognised, and several connections are possible");
        text_add_sharers(&t, c->o);
        return recommend_sentence(&r->summary, two ? summary_2 : summary_4_0) < 0 ||
               recommend_words(&r->evidence, &t) < 0 || recommend_sentence(&r->keep, two ? old_2 : old_4_0) < 0 ||
               recommend_replace_risk(r, c, two ? risk_2 : risk_4_0) < 0 ? -ENOMEM : 0;
}

int rule_old_version(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;
        unsigned better = better_versions(&c->effective);
        bool known = c->o->server.versions_known;

        if (better == 0 || KEEPS(c, "vers", "nfsvers", "minorversion") ||
            (known && !(c->o->server.versions & better)) ||
            (c->profile && c->profile->versions && !(c->profile->versions & better)))
                return VERDICT_QUIET;
        r->confidence = known ? CONFIDENCE_OBSERVED : CONFIDENCE_POSSIBLE;
        r->method = METHOD_REPLACE;
        r->question = true;
        if (drop_as_written(r, c, version_source(c, true), says_version) < 0 || recommend_place(r, c) < 0 ||
            write_version_words(c, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}

/* ---- reserved-port ------------------------------------------------------------ */

static bool says_resvport(const struct mount_option *o)
{
        return !o->value && strcmp(o->name, "resvport") == 0;
}

static bool says_noresvport(const struct mount_option *o)
{
        return !o->value && strcmp(o->name, "noresvport") == 0;
}

static int write_port_words(const struct rule_context *c, struct recommendation *r)
{
        static const char risk[] =
                "an export with the option secure, the default of Linux servers, refuses clients without a reserved "
                "port; all mounts from the same server share the connection of the first "
                "one, so all of them have to be unmounted first";
        cleanup(text_done) struct text summary = { 0 }, t = { 0 };

        text_add(&summary, "without noresvport the mount can hang after a lost connection to %s", c->profile->title);
        text_add(&t, "noresvport is absent (%s) and the server is %s (server profile %s)", table_name(c),
                 c->profile->title, c->profile->name);
        text_add(&t, ", which wants it: with a reserved port the client reconnects from the same port, and load "
                     "balancers and address translation may take that for the dead connection");
        text_add_sharers(&t, c->o);
        return recommend_words(&r->summary, &summary) < 0 || recommend_words(&r->evidence, &t) < 0 ||
               recommend_sentence(&r->keep, "keep reserved ports where a firewall lets only those through") < 0 ||
               recommend_replace_risk(r, c, risk) < 0 ? -ENOMEM : 0;
}

int rule_reserved_port(const struct rule_context *c, struct rule_result *ret)
{
        struct recommendation *r = &ret->recommendation;

        if (!c->profile || c->profile->noresvport != PROFILE_YES || server_is_proxied(c) ||
            KEEPS(c, "resvport", "noresvport") || any_option(&c->o->mount.super, says_noresvport) ||
            source_saying(c->o, says_noresvport, false))
                return VERDICT_QUIET;
        r->confidence = CONFIDENCE_CONFIGURED;
        r->method = METHOD_REPLACE;
        if (drop_saying(r, c, says_resvport) < 0 || recommend_set(r, "noresvport") < 0 || recommend_place(r, c) < 0 ||
            write_port_words(c, r) < 0)
                return -ENOMEM;
        return VERDICT_FIRES;
}
