/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Status and outcomes as JSON. See control_json.h. */

#include "daemon/control_json.h"

#include <errno.h>
#include <string.h>

#include "daemon/control_words.h"
#include "daemon/json_build.h"
#include "policy/names.h"

static const char *run_mode_name(enum run_mode m)
{
        return m == MODE_AUTO_REMOUNT ? "auto-remount" : "recommend";
}

static json_t *text_to_json(struct text *t)
{
        cleanup_free char *words = text_take(t);

        if (!words)
                return NULL;
        return json_string_or_null(*words ? words : NULL);
}

/* ---- one mount ------------------------------------------------------------------ */

static json_t *version_to_json(const struct nfs_options *o)
{
        struct text t = {};

        if (o->version_major == 4 && o->version_minor >= 0)
                text_add(&t, "4.%d", o->version_minor);
        else if (o->version_major > 0)
                text_add(&t, "%u", o->version_major);
        return text_to_json(&t);
}

static json_t *editor_save_to_json(const struct probe_result *p)
{
        const struct workload_result *w = &p->results[WORKLOAD_EDITOR_SAVE];

        return json_number_if(p->state == PROBE_ACTIVE && w->outcome == OUTCOME_OK, w->total_usec);
}

static json_t *history_to_json(const struct mount_history *h)
{
        if (!h)
                return json_null();
        return json_pack("{s:o, s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                         "changed_usec", json_number_if(h->changed_usec > 0, h->changed_usec),
                         "verified", h->verified,
                         "rolled_back", h->rolled_back,
                         "persisted", h->persisted,
                         "keys", json_string_or_null(h->keys),
                         "from", json_string_or_null(h->from),
                         "to", json_string_or_null(h->to),
                         "median_before_usec", json_number_if(h->median_before_usec > 0, h->median_before_usec),
                         "median_after_usec", json_number_if(h->median_after_usec > 0, h->median_after_usec),
                         "failed_usec", json_number_if(h->failed_usec > 0, h->failed_usec),
                         "failed_to", json_string_or_null(h->failed_to),
                         "failed_words", json_string_or_null(h->failed_words),
                         "outside_usec", json_number_if(h->outside_usec > 0, h->outside_usec));
}

static json_t *refusal_to_json(const struct control_mount *m)
{
        if (!m->refusal)
                return json_null();
        return json_pack("{s:s, s:b, s:o}", "name", m->refusal, "passes", m->refusal_passes, "words",
                         json_string_or_null(m->refusal_words));
}

static json_t *todo_to_json(const struct control_mount *m)
{
        struct text t = {};

        control_add_todo(&t, m);
        return text_to_json(&t);
}

static json_t *mount_to_json(const struct control_mount *m)
{
        const struct observation *o = m->observation;
        struct control_count n = control_count(m->advice);
        struct nfs_options options;

        nfs_options_read(&o->mount.super, &options);
        return json_pack("{s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:b, s:o, s:o, s:o, s:o}",
                         "target", json_string_or_null(o->mount.target),
                         "source", json_string_or_null(o->mount.source),
                         "fstype", json_string_or_null(o->mount.fstype),
                         "mode", run_mode_name(m->mode),
                         "state", control_state(m),
                         "version", version_to_json(&options),
                         "rsize", json_number_if(options.rsize_bytes > 0, options.rsize_bytes),
                         "wsize", json_number_if(options.wsize_bytes > 0, options.wsize_bytes),
                         "round_trip_usec", json_number_if(o->server.null_answer == ANSWER_OK,
                                                           o->server.null_median_usec),
                         "editor_save_usec", editor_save_to_json(&o->probe),
                         "recommendations", (int) n.recommendations,
                         "questions", (int) n.questions,
                         "plan", m->advice && m->advice->plan.exists,
                         "todo", todo_to_json(m),
                         "history", history_to_json(m->history),
                         "refusal", refusal_to_json(m),
                         "shares_superblock_with", json_string_array(o->shares_superblock_with, o->n_shares));
}

/* ---- the whole -------------------------------------------------------------------- */

/* Mount by mount, as in report_json.c. */
static int print_mounts(FILE *out, const struct control_status *s)
{
        int r = 0;

        for (size_t i = 0; i < s->n_mounts && r == 0; i++) {
                cleanup_json json_t *j = mount_to_json(&s->mounts[i]);

                if (fputs(i > 0 ? ",\n    " : "\n    ", out) == EOF)
                        return -EIO;
                r = json_print(out, j, 2);
        }
        return r;
}

static int print_status(FILE *out, const struct control_status *s)
{
        cleanup_json json_t *trouble = json_string_or_null(s->trouble);
        int r;

        if (fprintf(out, "{\n  \"version\": 1,\n  \"mode\": \"%s\",\n  \"stopped\": %s,\n  \"trouble\": ",
                    run_mode_name(s->mode), s->stopped ? "true" : "false") < 0)
                return -EIO;
        r = json_print(out, trouble, 1);
        if (r == 0 && fputs(",\n  \"mounts\": [", out) == EOF)
                r = -EIO;
        if (r == 0)
                r = print_mounts(out, s);
        if (r == 0 && fputs(s->n_mounts > 0 ? "\n  ]\n}\n" : "]\n}\n", out) == EOF)
                r = -EIO;
        return r;
}

char *control_json_status(const struct control_status *s)
{
        cleanup_free char *text = NULL;
        size_t length_bytes;
        FILE *out = open_memstream(&text, &length_bytes);
        int r;

        if (!out)
                return NULL;
        r = print_status(out, s);
        if (fclose(out) != 0)
                r = -ENOMEM;
        return r == 0 ? TAKE(text) : NULL;
}

/* ---- outcomes ------------------------------------------------------------------------ */

static json_t *rules_to_json(const char *rules)
{
        json_t *array = json_array();

        while (rules && *rules) {
                size_t n = strcspn(rules, " ");

                if (n > 0)
                        json_append(&array, json_stringn(rules, n));
                rules += n + (rules[n] == ' ');
        }
        return array;
}

static json_t *keys_to_json(const struct staging *s)
{
        json_t *array = json_array();

        for (size_t i = 0; s && i < s->keys.n_items; i++)
                json_append(&array, json_string_or_null(s->keys.items[i].name));
        return array;
}

static json_t *options_to_json(const struct options *o)
{
        cleanup_free char *text = options_format(o);

        return text ? json_string_or_null(text) : NULL;
}

static json_t *change_to_json(const struct staging *s)
{
        if (!s)
                return json_null();
        return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}",
                         "method", method_name(s->method),
                         "keys", keys_to_json(s),
                         "from", options_to_json(&s->from),
                         "to", options_to_json(&s->to),
                         "read_ahead_from_kib", json_number_if(s->read_ahead_from_kib > 0, s->read_ahead_from_kib),
                         "read_ahead_kib", json_number_if(s->read_ahead_kib > 0, s->read_ahead_kib));
}

static json_t *users_to_json(const struct control_outcome *o)
{
        json_t *array = json_array();

        for (size_t i = 0; i < o->n_users; i++) {
                const struct apply_user *u = &o->users[i];

                json_append(&array, json_pack("{s:o, s:o, s:o, s:b, s:b}",
                                              "pid", json_number_if(u->pid > 0, (uint64_t) MAX(u->pid, 0)),
                                              "command", json_string_or_null(u->command),
                                              "what", json_string_or_null(u->what),
                                              "is_mount", u->is_mount,
                                              "reached", u->reached));
        }
        return array;
}

static json_t *comparison_to_json(const struct comparison *c)
{
        if (!c)
                return json_null();
        return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}",
                         "pairs", (int) c->pairs,
                         "before_usec", json_number(c->before_usec),
                         "after_usec", json_number(c->after_usec),
                         "ratio_permille", json_number(c->ratio_permille),
                         "low_permille", json_number_if(c->pairs >= COMPARE_PAIRS_MIN, c->low_permille),
                         "high_permille", json_number_if(c->pairs >= COMPARE_PAIRS_MIN, c->high_permille));
}

static json_t *outcome_to_json(const struct control_outcome *o)
{
        return json_pack("{s:i, s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:b, s:o, s:o}",
                         "version", 1,
                         "end", o->end,
                         "words", json_string_or_null(o->words),
                         "target", json_string_or_null(o->target),
                         "source", json_string_or_null(o->source),
                         "dry_run", o->dry_run,
                         "rules", rules_to_json(o->rules),
                         "change", change_to_json(o->staging),
                         "refusal", json_string_or_null(o->refusal),
                         "steps", json_string_array(o->steps, o->n_steps),
                         "commands", json_string_array(o->commands, o->n_commands),
                         "busy", o->busy,
                         "elsewhere", o->elsewhere,
                         "users", users_to_json(o),
                         "comparison", comparison_to_json(o->comparison),
                         "fstab", json_string_or_null(o->fstab),
                         "persisted", o->persisted,
                         "diff", json_string_or_null(o->diff),
                         "backups", json_string_array(o->backups, o->n_backups));
}

char *control_json_outcome(const struct control_outcome *o)
{
        cleanup_json json_t *j = outcome_to_json(o);

        return j ? json_dumps(j, JSON_INDENT(2)) : NULL;
}
