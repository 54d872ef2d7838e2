/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What callers of the bus read, out of what the daemon knows. See bus_parts.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/bus_parts.h"
#include "daemon/control_json.h"
#include "daemon/report.h"

static int print_report(FILE *out, const struct report *r, const char *form)
{
        return strcmp(form, "json") == 0 ? report_json(out, r) : report_text(out, r, strcmp(form, "color") == 0);
}

static size_t collect(const struct core *c, const struct mountstate *only, struct report_item *items)
{
        size_t n = 0;

        for (size_t i = 0; i < c->host.n_states; i++) {
                const struct mountstate *s = c->host.states[i];

                if (s->judged && (!only || s == only))
                        items[n++] = (struct report_item) { .observation = s->observation, .advice = &s->advice };
        }
        return n;
}

/* Within its first seconds nfstuned waits for the servers' answers. */
static void say_unjudged(FILE *out, size_t n_states, size_t n_judged)
{
        if (n_states == 0)
                (void) fputs("There is no NFS mount on this host.\n", out);
        else if (n_judged < n_states)
                (void) fprintf(out, "%zu NFS file system%s not judged yet: nfstuned does it within 10 s.\n",
                               n_states - n_judged, n_states - n_judged == 1 ? " is" : "s are");
}

static int report_items(const struct report *whole, const char *form, size_t n_states, char **ret)
{
        bool json = strcmp(form, "json") == 0;
        cleanup_free char *text = NULL;
        size_t length_bytes;
        FILE *out = open_memstream(&text, &length_bytes);
        int r;

        if (!out)
                return -errno;
        r = json || whole->n_items > 0 ? print_report(out, whole, form) : 0;
        if (!json)
                say_unjudged(out, n_states, whole->n_items);
        if (fclose(out) != 0 && r == 0)
                r = -errno;
        if (r == 0)
                *ret = TAKE(text);
        return r;
}

int bus_report(const struct core *c, const struct mountstate *only, const char *form, char **ret)
{
        struct report_item *items = calloc(c->host.n_states + 1, sizeof(*items));
        struct report whole = { .items = items, .served = true };
        int r = -ENOMEM;

        if (items) {
                whole.n_items = collect(c, only, items);
                r = report_items(&whole, form, only ? 1 : c->host.n_states, ret);
        }
        free(items);
        return r;
}

static struct control_mount control_mount_of(const struct core *c, const struct applying *a,
                                             const struct mountstate *s)
{
        struct applying_view view = applying_look(a, s);

        return (struct control_mount) {
                .observation = s->observation,
                .advice = s->judged ? &s->advice : NULL,
                .mode = params_mode_for_mount(c->params, s->observation->mount.target),
                .activity = view.state == APPLYING_IDLE ? NULL : applying_state_name(view.state),
                .history = view.history,
                .refusal = view.refusal == REFUSAL_NONE ? NULL : refusal_name(view.refusal),
                .refusal_passes = refusal_is_passing(view.refusal),
                .refusal_by_hand = refusal_is_by_hand(view.refusal),
                .refusal_words = view.refusal_words,
        };
}

int bus_status(const struct core *c, const struct applying *a, char **ret)
{
        struct control_mount *mounts = calloc(c->host.n_states + 1, sizeof(*mounts));
        struct control_status status = {
                .mode = c->params->mode,
                .stopped = applying_is_stopped(a),
                .trouble = applying_trouble(a),
                .mounts = mounts,
                .n_mounts = c->host.n_states,
        };

        if (!mounts)
                return -ENOMEM;
        for (size_t i = 0; i < c->host.n_states; i++)
                mounts[i] = control_mount_of(c, a, c->host.states[i]);
        *ret = control_json_status(&status);
        free(mounts);
        return *ret ? 0 : -ENOMEM;
}
