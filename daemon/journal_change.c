/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a change of a mount. See journal_message.h. */

#include <string.h>

#include "daemon/figures.h"
#include "daemon/journal_parts.h"
#include "daemon/utf8.h"
#include "policy/canonical.h"
#include "policy/names.h"

/* ---- what changes ------------------------------------------------------------- */

static const char *family_of(const char *name)
{
        const struct option_info *info = option_info(name);

        return info ? info->canonical : name;
}

static bool has_option(const struct options *list, const struct mount_option *option)
{
        for (size_t i = 0; list && i < list->n_items; i++)
                if (strcmp(list->items[i].name, option->name) == 0 &&
                    values_equal(list->items[i].value, option->value))
                        return true;
        return false;
}

/* Appends the options of @list that belong to the family @key and are not in @except (NULL: all of them).
 * Returns whether @list says anything about the family. */
static bool add_family(struct text *t, const struct options *list, const char *key, const struct options *except)
{
        bool found = false;

        for (size_t i = 0; list && i < list->n_items; i++) {
                const struct mount_option *o = &list->items[i];

                if (strcmp(family_of(o->name), key) != 0)
                        continue;
                found = true;
                if (has_option(except, o))
                        continue;
                text_add(t, "%s", t->length_bytes > 0 ? "," : "");
                text_add_option(t, o);
        }
        return found;
}

static void add_read_ahead(struct text *t, uint64_t kib)
{
        if (kib > 0)
                text_add(t, "%sread_ahead_kb=%llu", t->length_bytes > 0 ? "," : "", (unsigned long long) kib);
}

/* One field: what @list has in the changed families. */
static void add_changed(struct journal_message *m, const char *name, const struct change_story *s,
                        const struct options *list, const struct options *except, uint64_t read_ahead_kib)
{
        struct text t = {};

        for (size_t i = 0; s->keys && i < s->keys->n_items; i++)
                (void) add_family(&t, list, s->keys->items[i].name, except);
        if (s->read_ahead_kib != s->read_ahead_from_kib)
                add_read_ahead(&t, read_ahead_kib);
        message_add_text(m, name, &t);
}

static void add_comparison(struct journal_message *m, const struct comparison *c)
{
        struct text gain = {};

        if (c)
                text_add_comparison(&gain, c);
        message_add_text(m, "NFSTUNED_GAIN", &gain);
        if (!c)
                return;
        message_add_number(m, "NFSTUNED_BEFORE_USEC", c->before_usec);
        message_add_number(m, "NFSTUNED_AFTER_USEC", c->after_usec);
        message_add_number(m, "NFSTUNED_RATIO_PERMILLE", c->ratio_permille);
        if (c->pairs < COMPARE_PAIRS_MIN)
                return;
        message_add_number(m, "NFSTUNED_RATIO_LOW_PERMILLE", c->low_permille);
        message_add_number(m, "NFSTUNED_RATIO_HIGH_PERMILLE", c->high_permille);
}

/* @words: the field that the story's own words are. */
static void begin_change(struct journal_message *m, enum event e, const struct change_story *s, const char *words)
{
        message_begin_mount(m, e, event_priority(e), s->mount, s->round);
        message_add_shares(m, s->shares, s->n_shares);
        message_add(m, "NFSTUNED_RULE", s->rules);
        message_add(m, "NFSTUNED_METHOD", method_name(s->method));
        add_changed(m, "NFSTUNED_CURRENT", s, s->from, NULL, s->read_ahead_from_kib);
        add_changed(m, "NFSTUNED_PROPOSED", s, s->to, NULL, s->read_ahead_kib);
        add_changed(m, "NFSTUNED_DROP", s, s->from, s->to, s->read_ahead_from_kib);
        add_changed(m, "NFSTUNED_SET", s, s->to, s->from, s->read_ahead_kib);
        add_comparison(m, s->comparison);
        message_add(m, words, s->words);
        message_add(m, "NFSTUNED_FSTAB", s->fstab);
}

/* ---- sentences ------------------------------------------------------------------- */

/* What holds in a family that the options say nothing about. */
static void say_left_out(struct text *t, struct text *negotiated, const char *key)
{
        const struct option_info *info = option_info(key);
        const char *fallback = info ? info->fallback : NULL;

        if (!fallback)
                text_add(negotiated, "%s%s", negotiated->length_bytes > 0 ? " and " : "", key);
        else if (is_canonical_flag(info, fallback))
                text_add(t, "%s%s", t->length_bytes > 0 ? "," : "", fallback);
        else
                text_add(t, "%s%s=%s", t->length_bytes > 0 ? "," : "", key, fallback);
}

/* "async, rsize and wsize negotiated"; "other options" where none are known. */
static void say_options(struct text *t, const struct change_story *s, const struct options *list,
                        uint64_t read_ahead_kib)
{
        cleanup(text_done) struct text negotiated = {};
        struct text said = {};
        cleanup_free char *words = NULL;

        for (size_t i = 0; s->keys && list && i < s->keys->n_items; i++)
                if (!add_family(&said, list, s->keys->items[i].name, NULL))
                        say_left_out(&said, &negotiated, s->keys->items[i].name);
        if (negotiated.length_bytes > 0)
                text_add(&said, "%s%s negotiated", said.length_bytes > 0 ? ", " : "", negotiated.data);
        if (s->read_ahead_kib != s->read_ahead_from_kib && read_ahead_kib > 0)
                text_add(&said, "%sread-ahead %llu KiB", said.length_bytes > 0 ? ", " : "",
                         (unsigned long long) read_ahead_kib);
        words = text_take(&said);
        t->failed |= negotiated.failed || !words;
        text_add_printable(t, words && words[0] ? words : "other options");
}

static void say_to(struct text *t, const struct change_story *s)
{
        say_options(t, s, s->to, s->read_ahead_kib);
}

static void say_from(struct text *t, const struct change_story *s)
{
        say_options(t, s, s->from, s->read_ahead_from_kib);
}

/* " (sync-client, stale-io-size)" or " (asked for by hand)" */
static void say_reason(struct text *t, const struct change_story *s)
{
        const char *separator = " (";

        for (const char *rule = s->rules ? s->rules : ""; *(rule += strspn(rule, " ")); rule += strcspn(rule, " ")) {
                text_add(t, "%s%.*s", separator, (int) strcspn(rule, " "), rule);
                separator = ", ";
        }
        if (s->by_hand)
                text_add(t, "%sasked for by hand", separator);
        if (s->by_hand || separator[0] == ',')
                text_add(t, ")");
}

/* What is changed in place is changed for all of them. */
static void say_sharers(struct text *t, const struct change_story *s)
{
        if (s->method == METHOD_LIVE)
                say_clause(t, "the same holds for every mount of the file system: ", s->sharers);
}

/* Where somebody asked for it, that is why, and it was said. */
static void say_why_back(struct text *t, const struct change_story *s)
{
        if (!s->by_hand)
                say_clause(t, "", s->words);
}

static void say_comparison(struct text *t, const struct change_story *s)
{
        if (!s->comparison)
                return;
        text_add(t, "; ");
        text_add_comparison(t, s->comparison);
}

/* Ends the sentence. */
static void say_how_it_lasts(struct text *t, const struct change_story *s)
{
        if (s->persisted) {
                text_add(t, "; the next mount has these options, too.");
        } else if (s->fstab) {
                text_add(t, "; to keep it after the next mount or boot, write in /etc/fstab: ");
                text_add_printable(t, s->fstab); /* last, so that it can be copied */
        } else {
                text_add(t, "; the next mount or boot has the options of before again.");
        }
}

void message_applied(struct journal_message *m, const struct change_story *s)
{
        struct text t = {};

        begin_change(m, EVENT_APPLIED, s, "NFSTUNED_EVIDENCE");
        say_mount(&t, s->mount);
        text_add(&t, ": changed to ");
        say_to(&t, s);
        text_add(&t, ", before: ");
        say_from(&t, s);
        say_reason(&t, s);
        text_add(&t, "%s", s->method == METHOD_REPLACE ? "; a new mount took the place of the old one" :
                                                         "; changed in place, without a new mount");
        say_sharers(&t, s);
        say_clause(&t, "", s->words);
        say_comparison(&t, s);
        text_add(&t, "; it is checked now, and taken back where it is worse.");
        message_add_text(m, "MESSAGE", &t);
}

void message_armed(struct journal_message *m, const struct change_story *s)
{
        struct text t = {};

        begin_change(m, EVENT_ARMED, s, "NFSTUNED_EVIDENCE");
        say_mount(&t, s->mount);
        text_add(&t, ": is in use; a new mount with ");
        say_to(&t, s);
        text_add(&t, " instead of ");
        say_from(&t, s);
        say_reason(&t, s);
        text_add(&t, " waits beneath it and takes over when nobody uses the old one any more");
        say_why_back(&t, s);
        text_add(&t, "; nothing is to be done.");
        message_add_text(m, "MESSAGE", &t);
}

void message_verified(struct journal_message *m, const struct change_story *s)
{
        struct text t = {};

        begin_change(m, EVENT_VERIFIED, s, "NFSTUNED_EVIDENCE");
        say_mount(&t, s->mount);
        text_add(&t, ": keeps ");
        say_to(&t, s);
        text_add(&t, ", before: ");
        say_from(&t, s);
        say_reason(&t, s);
        say_comparison(&t, s);
        say_clause(&t, "", s->words);
        say_how_it_lasts(&t, s);
        message_add_text(m, "MESSAGE", &t);
}

void message_rolled_back(struct journal_message *m, const struct change_story *s)
{
        struct text t = {};

        begin_change(m, EVENT_ROLLED_BACK, s, "NFSTUNED_REASON");
        say_mount(&t, s->mount);
        text_add(&t, ": has ");
        say_to(&t, s);
        text_add(&t, " again; taken back: ");
        say_from(&t, s);
        say_reason(&t, s);
        say_sharers(&t, s);
        say_why_back(&t, s);            /* with the figures, where they are why */
        if (!s->by_hand)
                text_add(&t, "; it is not tried again by itself for 7 days");
        text_add(&t, ".");
        message_add_text(m, "MESSAGE", &t);
}

void message_refused(struct journal_message *m, const struct change_story *s)
{
        struct text t = {};

        begin_change(m, EVENT_REFUSED, s, "NFSTUNED_REASON");
        say_mount(&t, s->mount);
        text_add(&t, ": was not changed");
        if (s->to) {
                text_add(&t, " to ");
                say_to(&t, s);
        }
        say_reason(&t, s);
        say_clause(&t, "", s->words);
        text_add(&t, ".");
        message_add_text(m, "MESSAGE", &t);
}
