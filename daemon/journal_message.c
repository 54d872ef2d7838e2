/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an event says. See journal_message.h. */

#include "daemon/journal_message.h"

#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "daemon/figures.h"
#include "daemon/journal_parts.h"
#include "daemon/utf8.h"
#include "policy/names.h"
#include "policy/text.h"

/* The names and ids never change; systemd/nfstuned.catalog explains each
 * (tests/lint/drift compares). */
static const struct {
        const char *name;
        int priority;
        sd_id128_t id;
} events[EVENT_COUNT] = {
        [EVENT_STARTED] = { "started", LOG_INFO, SD_ID128_MAKE(22,15,6d,0f,c6,16,41,b1,95,3c,a0,85,a4,40,bb,14) },
        [EVENT_RECOMMENDATION] = { "recommendation", LOG_NOTICE,
                                   SD_ID128_MAKE(90,fb,c8,2c,f0,b2,4a,2c,90,bc,a8,8f,e5,2c,2c,88) },
        [EVENT_RESOLVED] = { "resolved", LOG_NOTICE, SD_ID128_MAKE(20,07,9e,33,83,76,42,fd,a1,2e,a6,0f,84,22,d3,18) },
        [EVENT_PROBE] = { "probe", LOG_DEBUG, SD_ID128_MAKE(ac,c6,20,15,dd,ac,47,17,98,2b,0a,1d,f7,72,f4,11) },
        [EVENT_UNRESPONSIVE] = { "unresponsive", LOG_WARNING,
                                 SD_ID128_MAKE(15,7e,95,ed,2b,b5,4a,d1,b6,57,20,7d,61,73,ea,ba) },
        [EVENT_RECOVERED] = { "recovered", LOG_NOTICE, SD_ID128_MAKE(bd,91,18,43,d3,f3,47,f1,97,30,5a,f0,53,6e,99,8a) },
        [EVENT_CONFIG_ERROR] = { "config-error", LOG_ERR,
                                 SD_ID128_MAKE(27,fb,fd,08,ae,ce,49,cd,88,e0,59,29,50,df,b4,80) },
        [EVENT_APPLIED] = { "applied", LOG_NOTICE, SD_ID128_MAKE(a1,fc,9e,fc,22,c7,4a,6e,92,30,21,e4,6a,4a,8e,63) },
        [EVENT_ARMED] = { "armed", LOG_NOTICE, SD_ID128_MAKE(23,1c,a0,fd,c7,ff,48,45,81,50,ae,63,5b,d9,64,9f) },
        [EVENT_VERIFIED] = { "verified", LOG_NOTICE, SD_ID128_MAKE(c5,ec,63,41,0e,a1,43,22,a6,5d,d8,3c,44,61,b5,2f) },
        [EVENT_ROLLED_BACK] = { "rolled-back", LOG_WARNING,
                                SD_ID128_MAKE(51,17,30,0f,c9,3c,47,18,81,e6,c8,9a,2c,66,02,8a) },
        [EVENT_REFUSED] = { "refused", LOG_WARNING, SD_ID128_MAKE(e0,62,44,01,1b,45,46,7c,8f,d4,9f,d4,61,eb,8f,87) },
        [EVENT_NOTHING_TO_CHANGE] = { "nothing-to-change", LOG_INFO,
                                      SD_ID128_MAKE(f0,cc,d6,5a,26,91,42,68,b6,44,b4,79,1a,b2,e5,36) },
};

const char *event_name(enum event e)
{
        return (size_t) e < EVENT_COUNT ? events[e].name : "invalid";
}

sd_id128_t event_message_id(enum event e)
{
        return (size_t) e < EVENT_COUNT ? events[e].id : SD_ID128_NULL;
}

int event_priority(enum event e)
{
        return events[e].priority;
}

void journal_message_done(struct journal_message *m)
{
        for (size_t i = 0; i < m->n_fields; i++)
                free(m->fields[i].value);
        *m = (struct journal_message){};
}

const char *message_value(const struct journal_message *m, const char *name)
{
        for (size_t i = 0; i < m->n_fields; i++)
                if (strcmp(m->fields[i].name, name) == 0)
                        return m->fields[i].value;
        return NULL;
}

/* ---- fields --------------------------------------------------------------- */

void message_add_text(struct journal_message *m, const char *name, struct text *value)
{
        char *characters = text_take(value);

        if (!characters || m->n_fields >= JOURNAL_FIELDS_MAX) {
                m->failed = true;
                free(characters);
                return;
        }
        m->fields[m->n_fields++] = (struct journal_field){ name, characters };
}

void message_add(struct journal_message *m, const char *name, const char *value)
{
        struct text t = {};

        if (value)
                text_add_bytes(&t, value, strlen(value));
        message_add_text(m, name, &t);
}

void message_add_number(struct journal_message *m, const char *name, uint64_t value)
{
        struct text t = {};

        text_add(&t, "%llu", (unsigned long long) value);
        message_add_text(m, name, &t);
}

static void add_list(struct journal_message *m, const char *name, const char *separator, char *const *items, size_t n)
{
        struct text t = {};

        for (size_t i = 0; i < n; i++)
                text_add(&t, "%s%s", i > 0 ? separator : "", items[i]);
        message_add_text(m, name, &t);
}

/* Empties *m and sets what each event has. */
static void message_begin(struct journal_message *m, enum event e, int priority)
{
        char id[SD_ID128_STRING_MAX];

        *m = (struct journal_message){ .priority = priority };
        message_add(m, "MESSAGE_ID", sd_id128_to_string(events[e].id, id));
        message_add_number(m, "PRIORITY", (uint64_t) priority);
        message_add(m, "NFSTUNED_EVENT", events[e].name);
}

void message_begin_mount(struct journal_message *m, enum event e, int priority, const struct mount_facts *mount,
                         uint64_t round)
{
        message_begin(m, e, priority);
        message_add(m, "NFSTUNED_MOUNT", mount->target);
        message_add(m, "NFSTUNED_SOURCE", mount->source);
        message_add(m, "NFSTUNED_SERVER", mount->server);
        message_add_number(m, "NFSTUNED_ROUND", round);
}

void message_add_shares(struct journal_message *m, char *const *shares, size_t n)
{
        add_list(m, "NFSTUNED_SHARES", " ", shares, n);
}

static void begin_observed(struct journal_message *m, enum event e, int priority, const struct observation *o,
                           uint64_t round)
{
        message_begin_mount(m, e, priority, &o->mount, round);
        message_add_shares(m, o->shares_superblock_with, o->n_shares);
}

/* "/etc/fstab:7" */
static void add_place(struct journal_message *m, const struct place *p)
{
        struct text t = {};

        if (p && p->file) {
                text_add(&t, "%s", p->file);
                if (p->line > 0)
                        text_add(&t, ":%u", p->line);
        }
        message_add_text(m, "NFSTUNED_PLACE", &t);
}

/* Adds the effective value of the option that @change ("rsize=32768") is about, once. */
static void add_effective(struct text *t, const struct options *effective, const char *change)
{
        size_t n = strcspn(change, "=");

        for (size_t i = effective->n_items; i-- > 0;) {
                const struct mount_option *o = &effective->items[i];
                struct text one = {};
                char *words;

                if (strlen(o->name) != n || memcmp(o->name, change, n) != 0)
                        continue;
                text_add(&one, o->value ? "%s=%s" : "%s", o->name, o->value);
                words = text_take(&one);
                if (!words)
                        t->failed = true;
                else if (!t->data || !strstr(t->data, words)) /* names are distinct enough for this */
                        text_add(t, "%s%s", t->length_bytes > 0 ? "," : "", words);
                free(words);
                return;
        }
}

static void add_current(struct journal_message *m, const struct observation *o, const struct recommendation *r)
{
        struct text t = {};

        for (size_t i = 0; i < r->n_drop; i++)
                add_effective(&t, &o->mount.super, r->drop[i]);
        for (size_t i = 0; i < r->n_set; i++)
                add_effective(&t, &o->mount.super, r->set[i]);
        message_add_text(m, "NFSTUNED_CURRENT", &t);
}

/* ---- sentences -------------------------------------------------------------- */

void say_mount(struct text *t, const struct mount_facts *mount)
{
        text_add_printable(t, mount->target);
        text_add(t, " (");
        text_add_printable(t, mount->source);
        text_add(t, ")");
}

void say_clause(struct text *t, const char *lead, const char *clause)
{
        size_t n = clause ? strlen(clause) : 0;
        char *copy;

        while (n > 0 && (clause[n - 1] == '.' || clause[n - 1] == ' ' || clause[n - 1] == '\n'))
                n--;
        if (n == 0)
                return;
        copy = strndup(clause, n);
        if (!copy) {
                t->failed = true;
                return;
        }
        text_add(t, "; %s", lead);
        text_add_printable(t, copy);
        free(copy);
}

/* The case for keeping comes before anything that is said against the setting. */
static void say_question(struct text *t, const struct recommendation *r)
{
        struct text question = {};
        char *words;

        text_add_question(&question, r);
        words = text_take(&question);
        if (!words)
                t->failed = true;
        say_clause(t, "", words);
        free(words);
}

static bool is_fstab_line(const struct plan *plan)
{
        return plan && plan->exists && plan->place.kind == PLACE_FSTAB && plan->replacement;
}

/* How to do it; ends the sentence. */
static void say_how(struct text *t, const struct recommendation *r, const struct plan *plan)
{
        if (!is_in_plan(r, plan)) {
                if (r->question && r->n_drop + r->n_set > 0) {
                        text_add(t, "; if not: ");
                        text_add_change(t, r);
                }
                say_clause(t, "", r->risk);
                text_add(t, ".");
        } else if (is_fstab_line(plan)) {
                text_add(t, "; write in ");
                text_add_place_line(t, &plan->place);
                text_add(t, ": ");
                text_add_printable(t, plan->replacement); /* last, so that it can be copied */
        } else {
                say_clause(t, "to do: ", plan->text);
                text_add(t, ".");
        }
}

void message_recommendation(struct journal_message *m, const struct observation *o, const struct recommendation *r,
                            const struct plan *plan, uint64_t round)
{
        int priority = r->urgent ? LOG_ERR : events[EVENT_RECOMMENDATION].priority;
        bool in_plan = is_in_plan(r, plan);
        struct text t = {};

        begin_observed(m, EVENT_RECOMMENDATION, priority, o, round);
        message_add(m, "NFSTUNED_RULE", rule_name(r->rule));
        message_add(m, "NFSTUNED_CONFIDENCE", confidence_name(r->confidence));
        message_add(m, "NFSTUNED_METHOD", method_name(r->method));
        add_current(m, o, r);
        message_add(m, "NFSTUNED_PROPOSED", in_plan ? plan->options : NULL);
        add_list(m, "NFSTUNED_DROP", ",", r->drop, r->n_drop);
        add_list(m, "NFSTUNED_SET", ",", r->set, r->n_set);
        message_add(m, "NFSTUNED_GAIN", r->gain);
        message_add(m, "NFSTUNED_EVIDENCE", r->evidence);
        message_add(m, "NFSTUNED_KEEP", r->keep);
        message_add(m, "NFSTUNED_FSTAB", in_plan && is_fstab_line(plan) ? plan->replacement : NULL);
        add_place(m, &r->place);

        say_mount(&t, &o->mount);
        text_add(&t, ": %s (%s)", rule_name(r->rule), confidence_name(r->confidence));
        if (r->question)
                say_question(&t, r);
        say_clause(&t, "", r->summary);
        say_clause(&t, "", r->evidence);
        if (r->gain)
                say_clause(&t, "gain: ", r->gain);
        say_how(&t, r, plan);
        message_add_text(m, "MESSAGE", &t);
}

void message_resolved(struct journal_message *m, const struct observation *o, enum rule rule, uint64_t round)
{
        struct text t = {};

        begin_observed(m, EVENT_RESOLVED, events[EVENT_RESOLVED].priority, o, round);
        message_add(m, "NFSTUNED_RULE", rule_name(rule));
        say_mount(&t, &o->mount);
        text_add(&t, ": %s no longer applies.", rule_name(rule));
        message_add_text(m, "MESSAGE", &t);
}

/* Everything the probe measured, as clauses. */
static void say_probe(struct text *t, const struct observation *o)
{
        const struct probe_result *p = &o->probe;

        text_add(t, "the server ");
        text_add_answer(t, &o->server);
        if (p->state != PROBE_ACTIVE) {
                text_add(t, "; write test: %s", probe_state_name(p->state));
                say_clause(t, "", p->reason);
                return;
        }
        for (size_t i = 0; i < WORKLOAD_COUNT; i++) {
                if (p->results[i].outcome == OUTCOME_NOT_RUN)
                        continue;
                text_add(t, "; %s: ", workload_name((enum workload) i));
                text_add_workload(t, &p->results[i]);
        }
        for (size_t i = 0; i < STABLE_SIZES; i++)
                if (p->stable[i].latency.n > 0) {
                        text_add(t, "; ");
                        text_add_stable(t, &p->stable[i]);
                }
}

void message_probe(struct journal_message *m, const struct observation *o, uint64_t round)
{
        struct text figures = {};
        struct text t = {};

        begin_observed(m, EVENT_PROBE, events[EVENT_PROBE].priority, o, round);
        say_probe(&figures, o);
        say_mount(&t, &o->mount);
        text_add(&t, ": %s.", figures.data ? figures.data : "");
        t.failed |= figures.failed;
        message_add_text(m, "NFSTUNED_EVIDENCE", &figures);
        message_add_text(m, "MESSAGE", &t);
}

void message_unresponsive(struct journal_message *m, const struct observation *o, uint64_t round)
{
        struct text t = {};

        begin_observed(m, EVENT_UNRESPONSIVE, events[EVENT_UNRESPONSIVE].priority, o, round);
        message_add(m, "NFSTUNED_RULE", rule_name(RULE_UNRESPONSIVE));
        message_add(m, "NFSTUNED_EVIDENCE", o->liveness_witnesses);
        say_mount(&t, &o->mount);
        text_add(&t, ": the server does not answer");
        say_clause(&t, "", o->liveness_witnesses);
        text_add(&t, "; programs that use the mount wait until it does, nfstuned leaves it alone meanwhile.");
        message_add_text(m, "MESSAGE", &t);
}

void message_recovered(struct journal_message *m, const struct observation *o, usec_t silent_usec, uint64_t round)
{
        struct text t = {};

        begin_observed(m, EVENT_RECOVERED, events[EVENT_RECOVERED].priority, o, round);
        message_add(m, "NFSTUNED_RULE", rule_name(RULE_UNRESPONSIVE));
        say_mount(&t, &o->mount);
        text_add(&t, ": the server answers again, after ");
        text_add_usec(&t, silent_usec);
        text_add(&t, ".");
        message_add_text(m, "MESSAGE", &t);
}

/* ---- events of the service ------------------------------------------------------ */

/* Splits "FILE:LINE: words" or "FILE: words"; *ret_line is 0 in the latter.
 * Returns the length of FILE, 0 when it has neither form. */
static size_t error_file_length(const char *error, unsigned *ret_line)
{
        const char *colon = strstr(error, ": ");
        const char *digits = colon;

        *ret_line = 0;
        if (!colon)
                return 0;
        while (digits > error && digits[-1] >= '0' && digits[-1] <= '9')
                digits--;
        if (digits == colon || digits == error || digits[-1] != ':' || sscanf(digits, "%u", ret_line) != 1)
                return (size_t) (colon - error);
        return (size_t) (digits - 1 - error);
}

void message_config_error(struct journal_message *m, const char *error, bool old_kept)
{
        struct text t = {};
        unsigned line;
        size_t n = error_file_length(error, &line);

        message_begin(m, EVENT_CONFIG_ERROR, events[EVENT_CONFIG_ERROR].priority);
        text_add_bytes(&t, error, n);
        message_add_text(m, "CONFIG_FILE", &t);
        if (line > 0)
                message_add_number(m, "CONFIG_LINE", line);
        text_add_printable(&t, error);
        if (old_kept)
                text_add(&t, " (the configuration read before stays in force)");
        message_add_text(m, "MESSAGE", &t);
}

static void say_count(struct text *t, size_t n, const char *one, const char *many)
{
        text_add(t, "%zu %s", n, n == 1 ? one : many);
}

void message_started(struct journal_message *m, size_t n_mounts, size_t n_leftover_children, const char *mode)
{
        struct text t = {};

        message_begin(m, EVENT_STARTED, events[EVENT_STARTED].priority);
        text_add(&t, "nfstuned " NFSTUNED_VERSION " started: ");
        say_count(&t, n_mounts, "NFS mount", "NFS mounts");
        text_add(&t, ", mode %s", mode);
        if (n_leftover_children > 0) {
                text_add(&t, ", ");
                say_count(&t, n_leftover_children, "probe of an earlier run is", "probes of an earlier run are");
                text_add(&t, " still stuck");
        }
        text_add(&t, ".");
        message_add_text(m, "MESSAGE", &t);
}

void message_nothing_to_change(struct journal_message *m, size_t n_mounts)
{
        struct text t = {};

        message_begin(m, EVENT_NOTHING_TO_CHANGE, events[EVENT_NOTHING_TO_CHANGE].priority);
        say_count(&t, n_mounts, "NFS mount", "NFS mounts");
        text_add(&t, " checked, nothing to change.");
        message_add_text(m, "MESSAGE", &t);
}
