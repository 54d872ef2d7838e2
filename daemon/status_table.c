/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line for each mount, below it what to do; at the end what holds for all. See status_table.h. */

#include "daemon/status_table.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "daemon/paragraph.h"
#include "daemon/utf8.h"

/* All of them and a blank behind each are PAGE_COLUMNS. A longer mount point has a line of its own. */
#define MOUNT_COLUMNS 22
#define STATE_COLUMNS 12
#define EXCEPTIONS_SHOWN 4
#define ROW "%-4s %9s %10s %11s %6s"

struct table {
        struct page page;
        usec_t now_usec;
};

/* ---- reading ------------------------------------------------------------------------- */

static const char *string_of(const json_t *object, const char *key)
{
        return json_string_value(json_object_get(object, key));
}

static usec_t number_of(const json_t *object, const char *key)
{
        const json_t *j = json_object_get(object, key);
        json_int_t n = json_integer_value(j);

        return n > 0 ? (usec_t) n : 0;
}

static bool is_true(const json_t *object, const char *key)
{
        return json_is_true(json_object_get(object, key));
}

/* ---- cells --------------------------------------------------------------------------- */

static void add_short_size(struct text *t, usec_t bytes)
{
        if (bytes == 0)
                text_add(t, "?");
        else if (bytes % MIB == 0)
                text_add(t, "%lluM", (unsigned long long) (bytes / MIB));
        else if (bytes % KIB == 0)
                text_add(t, "%lluK", (unsigned long long) (bytes / KIB));
        else
                text_add(t, "%llu", (unsigned long long) bytes);
}

static void add_sizes(struct text *t, const json_t *mount)
{
        usec_t read = number_of(mount, "rsize"), write = number_of(mount, "wsize");

        if (read == 0 && write == 0) {
                text_add(t, "-");
                return;
        }
        add_short_size(t, read);
        text_add(t, "/");
        add_short_size(t, write);
}

static void add_time(struct text *t, usec_t usec)
{
        if (usec > 0)
                text_add_usec(t, usec);
        else
                text_add(t, "-");
}

/* "2", "1?": a question, "2+1?". */
static void add_advice(struct text *t, const json_t *mount)
{
        unsigned long long n = number_of(mount, "recommendations"), questions = number_of(mount, "questions");

        if (n > 0)
                text_add(t, "%llu", n);
        if (questions > 0)
                text_add(t, "%s%llu?", n > 0 ? "+" : "", questions);
        if (n + questions == 0)
                text_add(t, "-");
}

static const char *state_color(const struct style *s, const char *state)
{
        if (strcmp(state, "unresponsive") == 0)
                return s->red;
        return strcmp(state, "ok") == 0 ? s->green : s->yellow;
}

static const char *data_of(const struct text *t)
{
        return t->data ? t->data : "";
}

/* ---- rows ------------------------------------------------------------------------------ */

static void add_target(struct table *table, const char *target)
{
        struct text *t = &table->page.t;
        size_t start = t->length_bytes, columns;

        text_add_printable(t, target);
        columns = t->length_bytes - start;      /* bytes: of other scripts too many, then the row begins a line */
        if (columns > MOUNT_COLUMNS) {
                text_add(t, "\n");
                columns = 0;
        }
        text_add(t, "%*s", (int) (MOUNT_COLUMNS + 1 - columns), "");
}

static void add_row(struct table *table, const json_t *mount)
{
        const char *state = string_of(mount, "state"), *target = string_of(mount, "target");
        const char *version = string_of(mount, "version");
        const struct style *style = table->page.style;
        cleanup(text_done) struct text sizes = {}, round_trip = {}, save = {}, advice = {};

        state = state ? state : "-";
        add_target(table, target ? target : "-");
        add_sizes(&sizes, mount);
        add_time(&round_trip, number_of(mount, "round_trip_usec"));
        add_time(&save, number_of(mount, "editor_save_usec"));
        add_advice(&advice, mount);
        table->page.t.failed |= sizes.failed || round_trip.failed || save.failed || advice.failed;
        text_add(&table->page.t, "%s%-*s%s " ROW "\n", state_color(style, state), STATE_COLUMNS, state, style->plain,
                 version ? version : "-", data_of(&sizes), data_of(&round_trip), data_of(&save), data_of(&advice));
}

static void add_ago(const struct table *table, struct text *t, usec_t when_usec)
{
        usec_t ago = table->now_usec > when_usec ? table->now_usec - when_usec : 0;

        if (ago < USEC_PER_MINUTE)
                text_add(t, "just now");
        else if (ago < USEC_PER_HOUR)
                text_add(t, "%llu min ago", ago / USEC_PER_MINUTE);
        else if (ago < USEC_PER_DAY)
                text_add(t, "%llu h ago", ago / USEC_PER_HOUR);
        else
                text_add(t, "%llu day%s ago", ago / USEC_PER_DAY, ago < 2 * USEC_PER_DAY ? "" : "s");
}

/* The last change, and what it brought. */
static void add_changed(struct table *table, const json_t *history)
{
        usec_t changed = number_of(history, "changed_usec"), before = number_of(history, "median_before_usec");
        usec_t after = number_of(history, "median_after_usec");
        const char *keys = string_of(history, "keys");
        struct text t = {};

        if (changed == 0 || is_true(history, "rolled_back"))
                return;
        text_add_printable(&t, keys);
        text_add(&t, " ");
        add_ago(table, &t, changed);
        if (before > 0 && after > 0) {
                text_add(&t, ": a save took ");
                text_add_usec(&t, before);
                text_add(&t, ", now ");
                text_add_usec(&t, after);
        }
        if (!is_true(history, "verified"))
                text_add(&t, "; not verified yet");
        else if (!is_true(history, "persisted"))
                text_add(&t, "; the next mount has the old options again, unless nfstunectl apply --persist writes the new ones");
        page_add_line(&table->page, 2, "changed:", &t);
}

static void add_failed(struct table *table, const json_t *history)
{
        usec_t failed = number_of(history, "failed_usec");
        const char *words = string_of(history, "failed_words");
        struct text t = {};

        if (failed == 0 || failed < number_of(history, "changed_usec"))
                return;
        add_ago(table, &t, failed);
        if (words) {
                text_add(&t, ": ");
                text_add_printable(&t, words);
        }
        page_add_line(&table->page, 2, is_true(history, "rolled_back") ? "taken back:" : "failed:", &t);
}

/* Why automatic mode leaves the mount as it is. */
static void add_refusal(struct table *table, const json_t *refusal)
{
        const char *words = string_of(refusal, "words");
        struct text t = {};

        if (!words)
                return;
        text_add(&t, is_true(refusal, "passes") ? "not now: " : "no: ");
        text_add_printable(&t, words);
        page_add_line(&table->page, 2, "automatic:", &t);
}

static void add_mount(struct table *table, const json_t *mount)
{
        const json_t *history = json_object_get(mount, "history"), *refusal = json_object_get(mount, "refusal");
        const char *mode = string_of(mount, "mode");

        add_row(table, mount);
        page_add_words(&table->page, 2, "to do:", string_of(mount, "todo"));
        if (json_is_object(refusal) && mode && strcmp(mode, "auto-remount") == 0 && is_true(mount, "plan"))
                add_refusal(table, refusal);
        if (json_is_object(history)) {
                add_changed(table, history);
                add_failed(table, history);
        }
}

/* ---- the whole --------------------------------------------------------------------------- */

/* Mounts whose own mode is not the host's: ", but of /scratch, /home and 3 more" */
static void add_exceptions(struct text *t, const json_t *mounts, const char *mode, const char *before)
{
        size_t i, n = 0;
        json_t *mount;

        json_array_foreach(mounts, i, mount) {
                const char *own = string_of(mount, "mode"), *target = string_of(mount, "target");

                if (!own || !target || strcmp(own, mode) == 0)
                        continue;
                if (n < EXCEPTIONS_SHOWN) {
                        text_add(t, "%s", n == 0 ? before : ", ");
                        text_add_printable(t, target);
                }
                n++;
        }
        if (n > EXCEPTIONS_SHOWN)
                text_add(t, " and %zu more", n - EXCEPTIONS_SHOWN);
}

static void add_end(struct table *table, const json_t *status)
{
        const char *mode = string_of(status, "mode"), *trouble = string_of(status, "trouble");
        bool automatic = mode && strcmp(mode, "auto-remount") == 0;
        struct text t = {};

        text_add(&table->page.t, "\n");
        text_add(&t, "Mode %s: ", mode ? mode : "unknown");
        if (is_true(status, "stopped")) {
                text_add(&t, "%sstopped after changes that failed; journalctl -u nfstuned says why, "
                             "nfstunectl resume goes on.%s", table->page.style->red, table->page.style->plain);
        } else {
                text_add(&t, automatic ? "changes that are safe are made by themselves" : "nothing changes by itself");
                add_exceptions(&t, json_object_get(status, "mounts"), mode ? mode : "",
                               automatic ? ", but not of " : ", but what is safe of ");
                text_add(&t, ".");
        }
        page_add_text(&table->page, 0, &t);
        if (!trouble)
                return;
        text_add(&t, "Mounts cannot be changed: ");
        text_add_printable(&t, trouble);
        page_add_text(&table->page, 0, &t);
}

static int print(FILE *out, const json_t *status, const json_t *mounts, struct table *table)
{
        struct page *p = &table->page;
        size_t i;
        json_t *mount;

        if (json_array_size(mounts) == 0)
                text_add(&p->t, "There is no NFS mount on this host.\n");
        else
                text_add(&p->t, "%s%-*s %-*s " ROW "%s\n", p->style->bold, MOUNT_COLUMNS, "MOUNT", STATE_COLUMNS,
                         "STATE", "VERS", "R/W SIZE", "ROUND TRIP", "EDITOR SAVE", "ADVICE", p->style->plain);
        json_array_foreach(mounts, i, mount)
                add_mount(table, mount);
        add_end(table, status);
        return page_print(p, out);
}

int status_table(FILE *out, const char *json, usec_t now_realtime_usec, bool color)
{
        struct table table = { .page.style = color ? &style_color : &style_plain, .now_usec = now_realtime_usec };
        json_t *status = json_loads(json, 0, NULL), *mounts = json_object_get(status, "mounts");
        int r = json_is_array(mounts) ? print(out, status, mounts, &table) : -EINVAL;

        text_done(&table.page.t);
        json_decref(status);
        return r;
}
