/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One call of the running nfstuned, with a progress line for a person. See bus_client.h. */

#include "daemon/bus_client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "daemon/bus.h"
#include "daemon/control_arguments.h"
#include "daemon/utf8.h"
#include "probe/clock.h"

/* A person wonders after this long. */
#define PROGRESS_AFTER_USEC (2 * USEC_PER_SEC)
#define PROGRESS_EVERY_USEC USEC_PER_SEC

void bus_reply_done(struct bus_reply *r)
{
        for (size_t i = 0; i < BUS_REPLY_TEXTS; i++)
                free(r->texts[i]);
        *r = (struct bus_reply) {};
}

/* ---- trouble ---------------------------------------------------------------------- */

static int say(int status, const char *words)
{
        cleanup(text_done) struct text shown = {};

        text_add_printable(&shown, words);
        fprintf(stderr, "nfstunectl: %s\n", shown.data ? shown.data : "out of memory");
        return status;
}

static int say_no_bus(int error)
{
        cleanup(text_done) struct text words = {};

        text_add(&words, "the D-Bus system bus cannot be reached (%s), and with it nfstuned; nfstunectl check and "
                         "nfstuned --once work without it", strerror(error));
        return say(EXIT_UNUSABLE, words.data ? words.data : "no D-Bus");
}

static bool begins_with(const char *name, const char *prefix)
{
        return strncmp(name, prefix, strlen(prefix)) == 0;
}

static int say_error(const sd_bus_error *e)
{
        static const char *const absent[] = { SD_BUS_ERROR_SERVICE_UNKNOWN, SD_BUS_ERROR_NAME_HAS_NO_OWNER };
        static const char *const ended[] = { SD_BUS_ERROR_NO_REPLY, SD_BUS_ERROR_DISCONNECTED };
        static const char *const unusable[] = { SD_BUS_ERROR_INVALID_ARGS, BUS_ERROR_NO_SUCH_MOUNT };
        const char *words = e->message && *e->message ? e->message : e->name;

        if (WORD_IS_ONE_OF(e->name, absent) || begins_with(e->name, "org.freedesktop.DBus.Error.Spawn") ||
            begins_with(e->name, "org.freedesktop.systemd1"))
                return say(EXIT_UNUSABLE, "nfstuned is not running: sudo systemctl start nfstuned");
        if (WORD_IS_ONE_OF(e->name, ended))
                return say(EXIT_UNUSABLE, "nfstuned ended before it answered: journalctl -u nfstuned says why; what it "
                                          "had begun is finished or undone at its next start");
        if (strcmp(e->name, SD_BUS_ERROR_UNKNOWN_METHOD) == 0)
                return say(EXIT_UNUSABLE, "the running nfstuned is of another version: sudo systemctl restart nfstuned");
        return say(WORD_IS_ONE_OF(e->name, unusable) ? EXIT_UNUSABLE : EXIT_NOT_DONE, words);
}

static int say_errno(int error)
{
        cleanup(text_done) struct text words = {};

        text_add(&words, "nfstuned cannot be asked: %s", strerror(error));
        return say(EXIT_UNUSABLE, words.data ? words.data : "out of memory");
}

/* ---- the question -------------------------------------------------------------------- */

static int append_apply(sd_bus_message *m, const struct bus_call *c)
{
        int r = sd_bus_message_append(m, "s", c->mount);

        if (r >= 0)
                r = sd_bus_message_open_container(m, SD_BUS_TYPE_ARRAY, "s");
        for (size_t i = 0; i < c->n_rules && r >= 0; i++)
                r = sd_bus_message_append(m, "s", c->rules[i]);
        if (r >= 0)
                r = sd_bus_message_close_container(m);
        if (r >= 0)
                r = sd_bus_message_append(m, "sbb", c->busy, (int) c->dry_run, (int) c->persist);
        return r;
}

static int append(sd_bus_message *m, const struct bus_call *c)
{
        switch (c->method) {
        case BUS_ADVICE:
        case BUS_PROBE:    return sd_bus_message_append(m, "ss", c->mount, c->form);
        case BUS_APPLY:    return append_apply(m, c);
        case BUS_ROLLBACK: return sd_bus_message_append(m, "sb", c->mount, (int) c->persist);
        default:           return 0;
        }
}

static int new_call(sd_bus *bus, const struct bus_call *c, sd_bus_message **ret)
{
        static const char *const members[] = { "Status", "Advice", "Probe", "Apply", "Rollback", "Resume" };
        int r = sd_bus_message_new_method_call(bus, ret, BUS_NAME, BUS_PATH, BUS_INTERFACE, members[c->method]);

        /* Who has stopped nfstuned does not want it started by a question. */
        if (r >= 0)
                r = sd_bus_message_set_auto_start(*ret, false);
        return r < 0 ? r : append(*ret, c);
}

/* ---- the answer ------------------------------------------------------------------------ */

struct waiting {
        const struct bus_call *call;
        struct bus_reply *reply;
        bool done;
        sd_bus_message *error;          /* said when the progress line is gone */
        int failed;                     /* errno of reading the reply */
};

static int read_texts(sd_bus_message *m, struct bus_reply *ret)
{
        for (size_t i = 0; i < BUS_REPLY_TEXTS; i++) {
                const char *text;
                int r = sd_bus_message_read_basic(m, SD_BUS_TYPE_STRING, &text);

                if (r < 0)
                        return r;
                if (r == 0)
                        return i > 0 ? 0 : -EBADMSG;
                ret->texts[i] = strdup(text);
                if (!ret->texts[i])
                        return -ENOMEM;
                if (sd_bus_message_at_end(m, true) > 0)
                        return 0;
        }
        return 0;
}

static int on_reply(sd_bus_message *m, void *userdata, sd_bus_error *unused may_be_unused)
{
        struct waiting *w = userdata;
        const sd_bus_error *e = sd_bus_message_get_error(m);
        int r = e ? 0 : read_texts(m, w->reply);

        w->done = true;
        w->error = e ? sd_bus_message_ref(m) : NULL;
        w->failed = r;
        return 0;
}

static void show_progress(const struct waiting *w, usec_t since_usec, bool *shown)
{
        usec_t usec = clock_monotonic_usec() - since_usec;

        if (!w->call->progress || usec < PROGRESS_AFTER_USEC || !isatty(STDERR_FILENO))
                return;
        fprintf(stderr, "\r%s: %llu s ", w->call->progress, (unsigned long long) (usec / USEC_PER_SEC));
        *shown = true;
}

static int wait_for_reply(sd_bus *bus, struct waiting *w)
{
        usec_t since_usec = clock_monotonic_usec();
        bool shown = false;
        int r = 0;

        while (!w->done && r >= 0) {
                r = sd_bus_process(bus, NULL);
                if (r != 0)
                        continue;
                r = sd_bus_wait(bus, PROGRESS_EVERY_USEC);
                if (r == -EINTR)        /* stopped and continued */
                        r = 0;
                show_progress(w, since_usec, &shown);
        }
        if (shown)
                fprintf(stderr, "\r\033[K");
        return w->done ? 0 : r;
}

static int send_and_wait(sd_bus *bus, const struct bus_call *call, struct bus_reply *ret)
{
        struct waiting w = { .call = call, .reply = ret };
        sd_bus_message *m = NULL;
        int r = new_call(bus, call, &m);

        /* A change may take as long as it takes; when nfstuned ends, the bus says so. */
        if (r >= 0)
                r = sd_bus_call_async(bus, NULL, m, on_reply, &w, USEC_INFINITY);
        if (r >= 0)
                r = wait_for_reply(bus, &w);
        sd_bus_message_unref(m);
        if (w.error)
                r = say_error(sd_bus_message_get_error(w.error));
        else if (r < 0 || w.failed < 0)
                r = say_errno(r < 0 ? -r : -w.failed);
        sd_bus_message_unref(w.error);
        return r;
}

int bus_client_call(const struct bus_call *call, struct bus_reply *ret)
{
        sd_bus *bus = NULL;
        int r = sd_bus_open_system(&bus), status;

        if (r < 0)
                return say_no_bus(-r);
        status = send_and_wait(bus, call, ret);
        sd_bus_flush_close_unref(bus);
        if (status != 0)
                bus_reply_done(ret);
        return status;
}
