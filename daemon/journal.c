/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends what journal_message.c says. See journal.h. */

#include "daemon/journal.h"

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <syslog.h>
#include <systemd/sd-journal.h>

#include "daemon/journal_message.h"
#include "daemon/utf8.h"
#include "policy/text.h"

/* What is logged where there is no memory for the message itself. */
static void send_out_of_memory(void)
{
        static char message[] = "MESSAGE=Out of memory: an event could not be logged.";
        static char priority[] = "PRIORITY=3";
        const struct iovec iov[] = {
                { message, sizeof(message) - 1 },
                { priority, sizeof(priority) - 1 },
        };

        (void) sd_journal_sendv(iov, ARRAY_SIZE(iov)); /* nobody is left to be told */
}

/* One vector a field: a newline in a value cannot begin another field. */
static void send_to_journal(const struct journal_message *m)
{
        struct iovec iov[JOURNAL_FIELDS_MAX];
        char *owned[JOURNAL_FIELDS_MAX] = {};
        bool failed = m->failed;

        for (size_t i = 0; i < m->n_fields; i++) {
                struct text t = {};

                text_add(&t, "%s=", m->fields[i].name);
                text_add_bytes(&t, m->fields[i].value, strlen(m->fields[i].value));
                iov[i].iov_len = t.length_bytes;
                iov[i].iov_base = owned[i] = text_take(&t);
                failed |= !owned[i];
        }
        if (failed)
                send_out_of_memory();
        else
                (void) sd_journal_sendv(iov, (int) m->n_fields); /* without a journal there is no place to say so */
        for (size_t i = 0; i < m->n_fields; i++)
                free(owned[i]);
}

/* Consumes @m. */
static void send_message(const struct journal *j, struct journal_message *m)
{
        const char *message = message_value(m, "MESSAGE");

        if (j->quiet && m->priority > LOG_WARNING) {
                journal_message_done(m);
                return;
        }
        if (!j->to_stderr)
                send_to_journal(m);
        else if (m->priority < LOG_DEBUG) /* for people */
                (void) fprintf(stderr, "%s\n", message ? message : "Out of memory: an event could not be shown.");
        journal_message_done(m);
}

void journal_recommendation(const struct journal *j, const struct observation *o, const struct recommendation *r,
                            const struct plan *plan, uint64_t round)
{
        struct journal_message m;

        message_recommendation(&m, o, r, plan, round);
        send_message(j, &m);
}

void journal_resolved(const struct journal *j, const struct observation *o, enum rule rule, uint64_t round)
{
        struct journal_message m;

        message_resolved(&m, o, rule, round);
        send_message(j, &m);
}

void journal_probe(const struct journal *j, const struct observation *o, uint64_t round)
{
        struct journal_message m;

        message_probe(&m, o, round);
        send_message(j, &m);
}

void journal_unresponsive(const struct journal *j, const struct observation *o, uint64_t round)
{
        struct journal_message m;

        message_unresponsive(&m, o, round);
        send_message(j, &m);
}

void journal_recovered(const struct journal *j, const struct observation *o, usec_t silent_usec, uint64_t round)
{
        struct journal_message m;

        message_recovered(&m, o, silent_usec, round);
        send_message(j, &m);
}

void journal_config_error(const struct journal *j, const char *errors, bool old_kept)
{
        while (*errors) {
                size_t n = strcspn(errors, "\n");
                char *line = n > 0 ? strndup(errors, n) : NULL;

                if (n > 0 && !line)
                        send_out_of_memory();
                if (line) {
                        struct journal_message m;

                        message_config_error(&m, line, old_kept);
                        send_message(j, &m);
                }
                free(line);
                errors += n + (errors[n] == '\n');
        }
}

void journal_started(const struct journal *j, size_t n_mounts, size_t n_leftover_children, const char *mode)
{
        struct journal_message m;

        message_started(&m, n_mounts, n_leftover_children, mode);
        send_message(j, &m);
}

void journal_nothing_to_change(const struct journal *j, size_t n_mounts)
{
        struct journal_message m;

        message_nothing_to_change(&m, n_mounts);
        send_message(j, &m);
}

void journal_applied(const struct journal *j, const struct change_story *s)
{
        struct journal_message m;

        message_applied(&m, s);
        send_message(j, &m);
}

void journal_armed(const struct journal *j, const struct change_story *s)
{
        struct journal_message m;

        message_armed(&m, s);
        send_message(j, &m);
}

void journal_verified(const struct journal *j, const struct change_story *s)
{
        struct journal_message m;

        message_verified(&m, s);
        send_message(j, &m);
}

void journal_rolled_back(const struct journal *j, const struct change_story *s)
{
        struct journal_message m;

        message_rolled_back(&m, s);
        send_message(j, &m);
}

void journal_refused(const struct journal *j, const struct change_story *s)
{
        struct journal_message m;

        message_refused(&m, s);
        send_message(j, &m);
}

void journal_log(const struct journal *j, int priority, const char *format, ...)
{
        struct journal_message m = { .priority = priority };
        cleanup_free char *raw = NULL;
        struct text message = {};
        struct text number = {};
        va_list arguments;

        va_start(arguments, format);
        if (vasprintf(&raw, format, arguments) < 0)
                raw = NULL;
        va_end(arguments);
        text_add_printable(&message, raw);
        text_add(&number, "%d", priority);
        m.fields[0] = (struct journal_field){ "MESSAGE", text_take(&message) };
        m.fields[1] = (struct journal_field){ "PRIORITY", text_take(&number) };
        m.failed = !raw || !m.fields[0].value || !m.fields[1].value;
        m.n_fields = m.failed ? 0 : 2;
        if (m.failed) {
                free(m.fields[0].value);
                free(m.fields[1].value);
        }
        send_message(j, &m);
}

void journal_log_lines(const struct journal *j, int priority, const char *lines)
{
        while (*lines) {
                size_t n = strcspn(lines, "\n");

                if (n > 0)
                        journal_log(j, priority, "%.*s", (int) n, lines);
                lines += n + (lines[n] == '\n');
        }
}
