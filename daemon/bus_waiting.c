/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that are answered later: first because the bus has to say who calls. See bus_parts.h. */
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/bus_parts.h"
#include "daemon/utf8.h"
#include "policy/names.h"
#include "policy/recommend.h"

/* ---- life --------------------------------------------------------------------------- */

static struct bus_waiting *waiting_new(struct bus *b, sd_bus_message *call)
{
        struct bus_waiting *w = calloc(1, sizeof(*w));

        if (!w)
                return NULL;
        *w = (struct bus_waiting) { .bus = b, .next = b->waiting, .call = sd_bus_message_ref(call) };
        if (w->next)
                w->next->previous = w;
        b->waiting = w;
        b->n_waiting++;
        return w;
}

static void waiting_free(struct bus_waiting *w)
{
        if (w->previous)
                w->previous->next = w->next;
        else
                w->bus->waiting = w->next;
        if (w->next)
                w->next->previous = w->previous;
        w->bus->n_waiting--;
        sd_bus_message_unref(w->call);
        free(w->target);
        free(w);
}

/* ---- answers; a caller that went away gets none ------------------------------------------- */

void bus_waiting_fail(struct bus_waiting *w, const char *name, const char *words)
{
        (void) sd_bus_reply_method_errorf(w->call, name, "%s", words);
        waiting_free(w);
}

void bus_waiting_text(struct bus_waiting *w, const char *text)
{
        (void) sd_bus_reply_method_return(w->call, "s", text);
        waiting_free(w);
}

/* What a message may hold: names of mounts and the words of others may be no UTF-8. NULL on -ENOMEM. */
static char *message_text(const char *raw)
{
        cleanup(text_done) struct text t = {};

        if (!raw)
                return strdup("");
        if (utf8_is_valid(raw, strlen(raw)))
                return strdup(raw);
        while (*raw) {
                size_t n = strcspn(raw, "\n");
                cleanup_free char *line = strndup(raw, n);

                if (!line)
                        return NULL;
                text_add_printable(&t, line);
                raw += n;
                if (*raw) {
                        text_add(&t, "\n");
                        raw++;
                }
        }
        return text_take(&t);
}

void bus_waiting_outcome(void *userdata, const struct apply_outcome *o)
{
        struct bus_waiting *w = userdata;
        cleanup_free char *words = message_text(o->words), *json = message_text(o->json);

        if (words && json)
                (void) sd_bus_reply_method_return(w->call, "sss", o->end, words, json);
        else
                (void) sd_bus_reply_method_errno(w->call, -ENOMEM, NULL);
        waiting_free(w);
}

void bus_emit_changed(const struct bus *b, const char *target, const char *event, const char *words)
{
        cleanup_free char *mount = message_text(target), *shown = message_text(words);

        /* Without memory, or with a peer that does not read: a signal is lost, and status still says it. */
        if (mount && shown)
                (void) sd_bus_emit_signal(b->connection, BUS_PATH, BUS_INTERFACE, "Changed", "sss", mount, event,
                                          shown);
}

/* ---- who calls ------------------------------------------------------------------------------ */

struct caller {
        bool known;
        uint32_t uid;
        uint32_t pid;                   /* 0: not said */
};

/* One member of the dictionary that GetConnectionCredentials gives. */
static int read_credential(sd_bus_message *m, struct caller *ret)
{
        const char *key;
        int r = sd_bus_message_read_basic(m, SD_BUS_TYPE_STRING, &key);

        if (r < 0)
                return r;
        if (strcmp(key, "UnixUserID") == 0) {
                ret->known = true;
                return sd_bus_message_read(m, "v", "u", &ret->uid);
        }
        if (strcmp(key, "ProcessID") == 0)
                return sd_bus_message_read(m, "v", "u", &ret->pid);
        return sd_bus_message_skip(m, "v");
}

static int read_caller(sd_bus_message *m, struct caller *ret)
{
        int r = sd_bus_message_enter_container(m, SD_BUS_TYPE_ARRAY, "{sv}");

        while (r >= 0 && (r = sd_bus_message_enter_container(m, SD_BUS_TYPE_DICT_ENTRY, "sv")) > 0) {
                r = read_credential(m, ret);
                if (r >= 0)
                        r = sd_bus_message_exit_container(m);
        }
        return r;
}

/* A process that asked and ended at once, leaving the connection to a child, has no rights that could be looked up. One
 * that is there but hidden (hidepid=) is believed. */
static bool is_gone(uint32_t pid)
{
        return pid > INT32_MAX || (kill((pid_t) pid, 0) < 0 && errno == ESRCH);
}

/* A root that gave CAP_SYS_ADMIN up, such as a sandboxed service, is none. The bus does not say it, and /proc says it
 * of whoever has that number now: it can take the right away, and never gives it. */
static bool gave_up(const struct caller *c)
{
        char path[64], line[256];
        unsigned long long effective = ~0ULL;
        FILE *f;

        if (c->uid != 0 || c->pid == 0)
                return false;
        (void) snprintf(path, sizeof(path), "/proc/%u/status", (unsigned) c->pid);
        f = fopen(path, "re");
        if (!f)
                return is_gone(c->pid);
        while (fgets(line, sizeof(line), f))
                if (sscanf(line, "CapEff: %llx", &effective) == 1)
                        break;
        (void) fclose(f);
        return !(effective & (1ULL << CAP_SYS_ADMIN));
}

/* Started by hand, the daemon belongs to who started it. */
static bool may_act(const struct caller *c)
{
        return c->known && (c->uid == 0 || c->uid == geteuid()) && !gave_up(c);
}

/* Behind the mount, the options of what was asked for: without --dry-run it would be another command. */
static void add_apply_options(struct text *words, sd_bus_message *call)
{
        bool rules[RULE_COUNT], any;
        int dry_run, persist;
        enum busy_mode mode;
        const char *busy;

        if (bus_read_rules(call, rules, &any, NULL) < 0 ||
            sd_bus_message_read(call, "sbb", &busy, &dry_run, &persist) < 0 || bus_check_busy(busy, &mode, NULL) < 0)
                return;
        for (size_t i = 0; i < RULE_COUNT; i++)
                if (rules[i])
                        text_add(words, " --rule %s", rule_name((enum rule) i));
        text_add(words, "%s%s", dry_run ? " --dry-run" : "", persist ? " --persist" : "");
        if (mode != BUSY_WAIT)
                text_add(words, " --busy %s", busy);
}

static void add_rollback_options(struct text *words, sd_bus_message *call)
{
        int persist;

        if (sd_bus_message_read(call, "b", &persist) >= 0 && persist)
                text_add(words, " --persist");
}

static const struct privileged {
        const char *member;
        const char *act;
        const char *command;
        bool has_mount;
        void (*add_options)(struct text *words, sd_bus_message *call);  /* behind the mount; NULL: there are none */
} privileged[] = {
        { "Probe", "have a mount probed", "probe", true, NULL },
        { "Apply", "change mounts", "apply", true, add_apply_options },
        { "Rollback", "change mounts", "rollback", true, add_rollback_options },
        { "Resume", "have automatic changes resumed", "resume", false, NULL },
};

static const struct privileged *privileged_of(sd_bus_message *call)
{
        const char *member = sd_bus_message_get_member(call);

        for (size_t i = 0; i < ARRAY_SIZE(privileged); i++)
                if (strcmp(member, privileged[i].member) == 0)
                        return &privileged[i];
        return &privileged[0];
}

/* The words that help: what to type. */
static int denied(sd_bus_message *call, sd_bus_error *error)
{
        const struct privileged *p = privileged_of(call);
        cleanup(text_done) struct text words = {};
        const char *mount = NULL;

        text_add(&words, "Only root (CAP_SYS_ADMIN) may %s: try sudo nfstunectl %s", p->act, p->command);
        if (p->has_mount && sd_bus_message_rewind(call, true) >= 0 &&
            sd_bus_message_read_basic(call, SD_BUS_TYPE_STRING, &mount) > 0 && strlen(mount) < 256) {
                cleanup(text_done) struct text word = {};

                text_add_shell_word(&word, mount);
                text_add(&words, " ");
                text_add_printable(&words, word.data);
                if (p->add_options)
                        p->add_options(&words, call);
        }
        return sd_bus_error_set(error, SD_BUS_ERROR_ACCESS_DENIED, words.data ? words.data : "Only root may do that");
}

static int on_credentials(sd_bus_message *m, void *userdata, sd_bus_error *unused may_be_unused)
{
        struct bus_waiting *w = userdata;
        sd_bus_error error = SD_BUS_ERROR_NULL;
        struct caller caller = {};
        int r;

        if (!sd_bus_message_is_method_error(m, NULL) && read_caller(m, &caller) >= 0 && may_act(&caller)) {
                r = sd_bus_message_rewind(w->call, true);
                if (r >= 0)
                        r = w->run(w, &error);
        } else {
                r = denied(w->call, &error);
        }
        if (r < 0) {
                (void) sd_bus_reply_method_errno(w->call, r, &error);
                waiting_free(w);
        }
        sd_bus_error_free(&error);
        return 0;
}

int bus_privileged(struct bus *b, sd_bus_message *call, int (*run)(struct bus_waiting *w, sd_bus_error *error),
                   sd_bus_error *error)
{
        struct bus_waiting *w;
        int r;

        if (b->n_waiting >= BUS_WAITING_MAX)
                return sd_bus_error_set(error, SD_BUS_ERROR_LIMITS_EXCEEDED,
                                        "too many others wait for an answer: try again later");
        w = waiting_new(b, call);
        if (!w)
                return -ENOMEM;
        w->run = run;
        r = sd_bus_call_method_async(b->connection, NULL, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                     "org.freedesktop.DBus", "GetConnectionCredentials", on_credentials, w, "s",
                                     sd_bus_message_get_sender(call));
        if (r < 0)
                waiting_free(w);
        return r < 0 ? r : 1;   /* answered later */
}
