/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of each event, without a journal. */

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "daemon/journal_message.h"
#include "policy/names.h"

#define FSTAB_LINE "server:/data\t/data\tnfs\trw,bg\t0 0"

/* A string that may be the value of a char *; static at file scope. */
#define TEXT(s) ((char[]){ s })

static char *drop[] = { TEXT("rsize=32768"), TEXT("wsize=32768"), TEXT("rsize=32768") };
static char *set[] = { TEXT("async") };

static const struct recommendation stale = {
        .rule = RULE_STALE_IO_SIZE,
        .confidence = CONFIDENCE_CONFIGURED,
        .method = METHOD_REPLACE,
        .automatic = true,
        .drop = drop,
        .n_drop = 3,
        .place = { .kind = PLACE_FSTAB, .file = TEXT("/etc/fstab"), .line = 7 },
        .summary = TEXT("the sizes are pinned."),
        .evidence = TEXT("fstab says 32 KiB, the server offers 1 MiB"),
        .gain = NULL,
        .risk = TEXT("none known"),
};

static const struct recommendation sync_client = {
        .rule = RULE_SYNC_CLIENT,
        .confidence = CONFIDENCE_OBSERVED,
        .method = METHOD_LIVE,
        .set = set,
        .n_set = 1,
        .place = { .kind = PLACE_FSTAB, .file = TEXT("/etc/fstab"), .line = 7 },
        .summary = TEXT("each write waits for the server's disk"),
        .evidence = TEXT("32 writes of 8 KiB took 1.3 s"),
        .gain = TEXT("about 10 times"),
};

static const struct recommendation async_export = {
        .rule = RULE_ASYNC_EXPORT,
        .confidence = CONFIDENCE_POSSIBLE,
        .method = METHOD_SERVER,
        .summary = TEXT("stable writes cost a round trip"),
        .risk = TEXT("data can be lost"),
};

static char *noac[] = { TEXT("noac") };

static const struct recommendation deliberate = {
        .rule = RULE_NOAC,
        .confidence = CONFIDENCE_CONFIGURED,
        .method = METHOD_REPLACE,
        .question = true,
        .drop = noac,
        .n_drop = 1,
        .summary = TEXT("no attribute is cached"),
        .keep = TEXT("keep it for a database of several hosts"),
        .risk = TEXT("others' changes are seen later"),
};

static const struct plan plan = {
        .exists = true,
        .method = METHOD_REPLACE,
        .options = TEXT("rw,bg"),
        .place = { .kind = PLACE_FSTAB, .file = TEXT("/etc/fstab"), .line = 7 },
        .replacement = TEXT(FSTAB_LINE),
        .text = TEXT("Write the line and mount anew."),
};

static const struct plan unit_plan = {
        .exists = true,
        .method = METHOD_REPLACE,
        .options = TEXT("rw,bg"),
        .place = { .kind = PLACE_UNIT, .file = TEXT("/etc/systemd/system/data.mount") },
        .replacement = TEXT("[Mount]\nOptions=rw,bg\n"),
        .text = TEXT("Write the drop-in and mount anew."),
};

static const struct plan no_plan = {};

static const char options[] = "rw,sync,vers=4.2,rsize=32768,wsize=32768,proto=tcp";

static char *shares[] = { TEXT("/other"), TEXT("/third") };

static const struct observation template = {
        .mount = { .source = TEXT("server:/data"), .server = TEXT("server"), .fstype = TEXT("nfs4") },
        .shares_superblock_with = shares,
        .n_shares = 2,
        .liveness_witnesses = TEXT("NULL call unanswered"),
};

static void set_up_observation(struct observation *o, const char *target)
{
        *o = template;
        o->mount.target = (char *) target;
        ck_assert_int_eq(options_parse(options, strlen(options), &o->mount.super), 0);
}

static const struct row {
        const char *name;
        const struct recommendation *recommendation;
        const struct plan *plan;
        bool urgent;
        const char *priority;
        const char *current, *proposed, *drop, *set, *gain, *fstab, *place;
        const char *message_has, *message_lacks;
} rows[] = {
        { "replace by fstab", &stale, &plan, false, "5", "rsize=32768,wsize=32768", "rw,bg",
          "rsize=32768,wsize=32768,rsize=32768", "",
          "", FSTAB_LINE, "/etc/fstab:7", "/etc/fstab, line 7: " FSTAB_LINE, "gain" },
        { "urgent", &stale, &plan, true, "3", "rsize=32768,wsize=32768", "rw,bg",
          "rsize=32768,wsize=32768,rsize=32768", "", "",
          FSTAB_LINE, "/etc/fstab:7", FSTAB_LINE, "gain" },
        { "without a plan", &stale, &no_plan, false, "5", "rsize=32768,wsize=32768", "",
          "rsize=32768,wsize=32768,rsize=32768", "", "",
          "", "/etc/fstab:7", "none known", FSTAB_LINE },
        { "plan is NULL", &stale, NULL, false, "5", "rsize=32768,wsize=32768", "",
          "rsize=32768,wsize=32768,rsize=32768", "", "",
          "", "/etc/fstab:7", "none known", FSTAB_LINE },
        { "live", &sync_client, &plan, false, "5", "", "rw,bg", "", "async", "about 10 times", FSTAB_LINE,
          "/etc/fstab:7",
          "about 10 times", ".." },
        { "server", &async_export, &plan, false, "5", "", "", "", "", "", "", "", "data can be lost", FSTAB_LINE },
        { "a question", &deliberate, &no_plan, false, "5", "", "", "noac", "", "", "", "",
          "Is noac intended here? Keep it for a database of several hosts; no attribute is cached; if not: remove noac; "
          "others' changes", "to do" },
        { "unit", &sync_client, &unit_plan, false, "5", "", "rw,bg", "", "async", "about 10 times", "", "/etc/fstab:7",
          "Write the drop-in and mount anew.", "Options=" },
};

/* @value: NULL for a field that must not be there. */
static void assert_value(const char *name, const struct journal_message *m, const char *field, const char *value)
{
        const char *is = message_value(m, field);

        ck_assert_msg(value ? is && strcmp(is, value) == 0 : !is, "%s: %s is \"%s\", not \"%s\"", name, field,
                      is ? is : "missing", value ? value : "missing");
}

static void assert_field(const struct row *row, const struct journal_message *m, const char *field, const char *value)
{
        assert_value(row->name, m, field, value);
}

/* One line that begins with the mount. @lacks: NULL or what must not stand there. */
static void assert_message(const char *name, const struct journal_message *m, const char *has, const char *lacks)
{
        const char *message = message_value(m, "MESSAGE");

        ck_assert_msg(strncmp(message, "/data ", 6) == 0, "%s: %s", name, message);
        ck_assert_msg(strstr(message, has), "%s: no \"%s\" in: %s", name, has, message);
        ck_assert_msg(!lacks || !strstr(message, lacks), "%s: \"%s\" in: %s", name, lacks, message);
        ck_assert_msg(!strchr(message, '\n'), "%s: several lines: %s", name, message);
}

START_TEST(recommendation_has_all_fields)
{
        const struct row *row = &rows[_i];
        struct recommendation r = *row->recommendation;
        struct journal_message m;
        struct observation o;

        r.urgent = row->urgent;
        set_up_observation(&o, "/data");
        message_recommendation(&m, &o, &r, row->plan, 12);
        ck_assert(!m.failed);
        assert_field(row, &m, "NFSTUNED_EVENT", "recommendation");
        assert_field(row, &m, "MESSAGE_ID", "90fbc82cf0b24a2c90bca88fe52c2c88");
        assert_field(row, &m, "PRIORITY", row->priority);
        assert_field(row, &m, "NFSTUNED_MOUNT", "/data");
        assert_field(row, &m, "NFSTUNED_SOURCE", "server:/data");
        assert_field(row, &m, "NFSTUNED_SERVER", "server");
        assert_field(row, &m, "NFSTUNED_SHARES", "/other /third");
        assert_field(row, &m, "NFSTUNED_ROUND", "12");
        assert_field(row, &m, "NFSTUNED_CURRENT", row->current);
        assert_field(row, &m, "NFSTUNED_PROPOSED", row->proposed);
        assert_field(row, &m, "NFSTUNED_DROP", row->drop);
        assert_field(row, &m, "NFSTUNED_SET", row->set);
        assert_field(row, &m, "NFSTUNED_GAIN", row->gain);
        assert_field(row, &m, "NFSTUNED_EVIDENCE", r.evidence ? r.evidence : "");
        assert_field(row, &m, "NFSTUNED_KEEP", r.keep ? r.keep : "");
        assert_field(row, &m, "NFSTUNED_FSTAB", row->fstab);
        assert_field(row, &m, "NFSTUNED_PLACE", row->place);
        ck_assert_ptr_nonnull(message_value(&m, "NFSTUNED_RULE"));
        ck_assert_ptr_nonnull(message_value(&m, "NFSTUNED_CONFIDENCE"));
        ck_assert_ptr_nonnull(message_value(&m, "NFSTUNED_METHOD"));
        assert_message(row->name, &m, row->message_has, row->message_lacks);
        journal_message_done(&m);
        options_done(&o.mount.super);
}
END_TEST

/* ---- changes ---------------------------------------------------------------------- */

typedef void say_change_fn(struct journal_message *m, const struct change_story *s);

static const struct comparison faster = {
        .pairs = 11, .before_usec = 1300000, .after_usec = 91000, .ratio_permille = 70, .low_permille = 65,
        .high_permille = 81,
};
static const struct comparison equal = {
        .pairs = 6, .before_usec = 50000, .after_usec = 51000, .ratio_permille = 1020, .low_permille = 990,
        .high_permille = 1070,
};
static const struct comparison few = {
        .pairs = 5, .before_usec = 50000, .after_usec = 90000, .ratio_permille = 1800, .low_permille = 0,
        .high_permille = UINT_MAX,
};

/* What is asked for now and then; the keys are families. */
#define OLD "rw,vers=4.2,rsize=32768,wsize=32768,sync,proto=tcp"
#define NEW "rw,vers=4.2,async,proto=tcp"
#define KEYS "rsize,wsize,sync"
#define RULES "sync-client stale-io-size"
#define SHARERS "also mounted at /b, sh (process 7: mounted at /c in another mount namespace)"
static char *const sharing[] = { TEXT("/b"), TEXT("/c") };

static const struct change_row {
        const char *name;
        say_change_fn *say;
        const char *keys, *from, *to;   /* NULL: not known */
        struct change_story story;      /* the rest of it */
        const char *priority, *current, *proposed, *drop, *set;
        const char *words_field;        /* where the story's words are */
        const char *message_has, *message_lacks;
} change_rows[] = {
        { "applied", message_applied, KEYS, OLD, NEW, { .rules = RULES, .method = METHOD_REPLACE, .fstab = FSTAB_LINE },
          "5", "rsize=32768,wsize=32768,sync", "async", "rsize=32768,wsize=32768,sync", "async", "NFSTUNED_EVIDENCE",
          "async, rsize and wsize negotiated, before: rsize=32768,wsize=32768,sync (sync-client, stale-io-size)",
          FSTAB_LINE },
        { "applied in place", message_applied, "sync", OLD, NEW,
          { .rules = "sync-client", .method = METHOD_LIVE, .words = "/b shares the superblock." },
          "5", "sync", "async", "sync", "async", "NFSTUNED_EVIDENCE", "/b shares the superblock; ", "took the place" },
        { "applied in place, others have it too", message_applied, "sync", OLD, NEW,
          { .rules = "sync-client", .method = METHOD_LIVE, .shares = sharing, .n_shares = 2, .sharers = SHARERS },
          "5", "sync", "async", "sync", "async", "NFSTUNED_EVIDENCE",
          "without a new mount; the same holds for every mount of the file system: " SHARERS "; ", "took the place" },
        { "taken back in place, others have it too", message_rolled_back, "sync", NEW, OLD,
          { .rules = "sync-client", .method = METHOD_LIVE, .shares = sharing, .n_shares = 2, .sharers = SHARERS },
          "4", "async", "sync", "async", "sync", "NFSTUNED_REASON",
          "; the same holds for every mount of the file system: " SHARERS "; ", "took the place" },
        { "a new mount is nobody else's", message_applied, "sync", OLD, NEW,
          { .rules = "sync-client", .method = METHOD_REPLACE, .shares = sharing, .n_shares = 2, .sharers = SHARERS },
          "5", "sync", "async", "sync", "async", "NFSTUNED_EVIDENCE", "took the place", SHARERS },
        { "the default is not written out", message_applied, "sync,hard,timeo", "sync,soft,timeo=10", "rw",
          { .method = METHOD_REPLACE, .by_hand = true },
          "5", "sync,soft,timeo=10", "", "sync,soft,timeo=10", "", "NFSTUNED_EVIDENCE",
          "async,hard,timeo=600, before: sync,soft,timeo=10 (asked for by hand)", "negotiated" },
        { "what both have is no change", message_applied, "rsize,wsize", "rsize=8192,wsize=4096",
          "rsize=8192,wsize=8192", { .method = METHOD_REPLACE, .rules = "io-size-mismatch" },
          "5", "rsize=8192,wsize=4096", "rsize=8192,wsize=8192", "wsize=4096", "wsize=8192", "NFSTUNED_EVIDENCE",
          "rsize=8192,wsize=8192", "negotiated" },
        { "read-ahead alone", message_applied, "", OLD, OLD,
          { .method = METHOD_LIVE, .rules = "read-ahead", .read_ahead_from_kib = 128, .read_ahead_kib = 4096 },
          "5", "read_ahead_kb=128", "read_ahead_kb=4096", "read_ahead_kb=128", "read_ahead_kb=4096",
          "NFSTUNED_EVIDENCE", "read-ahead 4096 KiB, before: read-ahead 128 KiB", "other options" },
        { "read-ahead stays", message_applied, "sync", OLD, NEW,
          { .method = METHOD_LIVE, .rules = "sync-client", .read_ahead_from_kib = 128, .read_ahead_kib = 128 },
          "5", "sync", "async", "sync", "async", "NFSTUNED_EVIDENCE", "async", "128" },
        { "armed", message_armed, KEYS, OLD, NEW,
          { .rules = RULES, .method = METHOD_REPLACE, .words = "vim (4711) has a file open" },
          "5", "rsize=32768,wsize=32768,sync", "async", "rsize=32768,wsize=32768,sync", "async", "NFSTUNED_EVIDENCE",
          "vim (4711)", "changed" },
        { "verified, faster", message_verified, KEYS, OLD, NEW,
          { .rules = RULES, .method = METHOD_REPLACE, .comparison = &faster, .fstab = FSTAB_LINE },
          "5", "rsize=32768,wsize=32768,sync", "async", "rsize=32768,wsize=32768,sync", "async", "NFSTUNED_EVIDENCE",
          "1.3 s before and 91 ms after (medians of 11 pairs measured in turn: 7 % of the time before, 95 % interval "
          "6.5 % to 8.1 %); to keep it after the next mount or boot, write in /etc/fstab: " FSTAB_LINE, "chance" },
        { "verified, no difference, persisted", message_verified, KEYS, OLD, NEW,
          { .rules = RULES, .method = METHOD_REPLACE, .comparison = &equal, .fstab = FSTAB_LINE, .persisted = true },
          "5", "rsize=32768,wsize=32768,sync", "async", "rsize=32768,wsize=32768,sync", "async", "NFSTUNED_EVIDENCE",
          "95 % interval 99 % to 107 %, which may be chance", FSTAB_LINE },
        { "verified, not measured", message_verified, KEYS, OLD, NEW,
          { .rules = RULES, .method = METHOD_REPLACE, .words = "not compared: the server refuses a second mount" },
          "5", "rsize=32768,wsize=32768,sync", "async", "rsize=32768,wsize=32768,sync", "async", "NFSTUNED_EVIDENCE",
          "the server refuses", "saving a file" },
        { "rolled back", message_rolled_back, KEYS, NEW, OLD,
          { .rules = RULES, .method = METHOD_REPLACE, .comparison = &few, .words = "it is slower: 2 s after." },
          "4", "async", "rsize=32768,wsize=32768,sync", "async", "rsize=32768,wsize=32768,sync", "NFSTUNED_REASON",
          "; it is slower: 2 s after; it is not tried again by itself for 7 days", "too few" },
        { "rolled back by hand", message_rolled_back, KEYS, NEW, OLD,
          { .rules = "", .method = METHOD_REPLACE, .by_hand = true, .words = "asked for by hand" },
          "4", "async", "rsize=32768,wsize=32768,sync", "async", "rsize=32768,wsize=32768,sync", "NFSTUNED_REASON",
          "(asked for by hand).", "7 days" },
        { "refused", message_refused, KEYS, OLD, NEW,
          { .rules = RULES, .method = METHOD_REPLACE, .words = "/data/sub is mounted below it" },
          "4", "rsize=32768,wsize=32768,sync", "async", "rsize=32768,wsize=32768,sync", "async", "NFSTUNED_REASON",
          "not changed to async, rsize and wsize negotiated (sync-client, stale-io-size); /data/sub is", "before" },
        { "refused, nothing known", message_refused, NULL, NULL, NULL,
          { .rules = NULL, .words = "forged\n\033[2J" },
          "4", "", "", "", "", "NFSTUNED_REASON", "was not changed; forged\\x0a\\x1b[2J.", " to " },
};

static const struct options *parse_list(const char *text, struct options *list)
{
        if (!text)
                return NULL;
        ck_assert_int_eq(options_parse(text, strlen(text), list), 0);
        return list;
}

static void assert_number(const char *name, const struct journal_message *m, const char *field, bool there,
                          uint64_t number)
{
        char digits[32];

        (void) snprintf(digits, sizeof(digits), "%ju", (uintmax_t) number);
        assert_value(name, m, field, there ? digits : NULL);
}

static void assert_comparison(const struct change_row *row, const struct journal_message *m)
{
        const struct comparison none = {}, *c = row->story.comparison ? row->story.comparison : &none;
        bool measured = row->story.comparison, certain = c->pairs >= COMPARE_PAIRS_MIN;

        assert_number(row->name, m, "NFSTUNED_BEFORE_USEC", measured, c->before_usec);
        assert_number(row->name, m, "NFSTUNED_AFTER_USEC", measured, c->after_usec);
        assert_number(row->name, m, "NFSTUNED_RATIO_PERMILLE", measured, c->ratio_permille);
        assert_number(row->name, m, "NFSTUNED_RATIO_LOW_PERMILLE", certain, c->low_permille);
        assert_number(row->name, m, "NFSTUNED_RATIO_HIGH_PERMILLE", certain, c->high_permille);
        ck_assert_msg(measured == (message_value(m, "NFSTUNED_GAIN")[0] != '\0'), "%s: gain", row->name);
}

START_TEST(change_has_all_fields)
{
        static const char *const words_fields[] = { "NFSTUNED_EVIDENCE", "NFSTUNED_REASON" };
        const struct change_row *row = &change_rows[_i];
        struct options keys = {}, from = {}, to = {};
        struct change_story s = row->story;
        struct journal_message m;
        struct observation o;

        set_up_observation(&o, "/data");
        s.mount = &o.mount;
        s.keys = parse_list(row->keys, &keys);
        s.from = parse_list(row->from, &from);
        s.to = parse_list(row->to, &to);
        s.round = 7;
        row->say(&m, &s);
        ck_assert(!m.failed);
        assert_value(row->name, &m, "PRIORITY", row->priority);
        assert_value(row->name, &m, "NFSTUNED_MOUNT", "/data");
        assert_value(row->name, &m, "NFSTUNED_SOURCE", "server:/data");
        assert_value(row->name, &m, "NFSTUNED_SERVER", "server");
        assert_value(row->name, &m, "NFSTUNED_ROUND", "7");
        assert_value(row->name, &m, "NFSTUNED_SHARES", s.n_shares > 0 ? "/b /c" : "");
        assert_value(row->name, &m, "NFSTUNED_RULE", s.rules ? s.rules : "");
        assert_value(row->name, &m, "NFSTUNED_METHOD", method_name(s.method));
        assert_value(row->name, &m, "NFSTUNED_CURRENT", row->current);
        assert_value(row->name, &m, "NFSTUNED_PROPOSED", row->proposed);
        assert_value(row->name, &m, "NFSTUNED_DROP", row->drop);
        assert_value(row->name, &m, "NFSTUNED_SET", row->set);
        assert_value(row->name, &m, "NFSTUNED_FSTAB", s.fstab ? s.fstab : "");
        for (size_t i = 0; i < ARRAY_SIZE(words_fields); i++)
                assert_value(row->name, &m, words_fields[i], strcmp(words_fields[i], row->words_field) != 0 ? NULL :
                             s.words ? s.words : "");
        assert_comparison(row, &m);
        assert_message(row->name, &m, row->message_has, row->message_lacks);
        journal_message_done(&m);
        options_done(&keys);
        options_done(&from);
        options_done(&to);
        options_done(&o.mount.super);
}
END_TEST

/* A name is data: exact in its field, harmless in the sentence. */
START_TEST(names_forge_nothing)
{
        static const char evil[] = "/data\nPRIORITY=0\nNFSTUNED_RULE=x\033[2J\xff";
        struct journal_message m;
        struct observation o;
        unsigned priorities = 0;

        set_up_observation(&o, evil);
        message_unresponsive(&m, &o, 1);
        ck_assert_str_eq(message_value(&m, "NFSTUNED_MOUNT"), evil);
        ck_assert_ptr_null(strpbrk(message_value(&m, "MESSAGE"), "\n\033\xff"));
        for (size_t i = 0; i < m.n_fields; i++) {
                priorities += strcmp(m.fields[i].name, "PRIORITY") == 0;
                ck_assert_msg(strspn(m.fields[i].name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(m.fields[i].name), "%s",
                              m.fields[i].name);
        }
        ck_assert_uint_eq(priorities, 1);
        journal_message_done(&m);
        options_done(&o.mount.super);
}
END_TEST

static void say_change(say_change_fn *say, struct journal_message *m, const struct observation *o)
{
        const struct change_story s = { .mount = &o->mount, .rules = "sync-client", .words = "a word" };

        say(m, &s);
}

static void say(enum event e, struct journal_message *m, const struct observation *o)
{
        switch (e) {
        case EVENT_STARTED: message_started(m, 3, 1, "recommend"); return;
        case EVENT_RECOMMENDATION: message_recommendation(m, o, &stale, &plan, 1); return;
        case EVENT_RESOLVED: message_resolved(m, o, RULE_SYNC_CLIENT, 1); return;
        case EVENT_PROBE: message_probe(m, o, 1); return;
        case EVENT_UNRESPONSIVE: message_unresponsive(m, o, 1); return;
        case EVENT_RECOVERED: message_recovered(m, o, 90 * USEC_PER_SEC, 1); return;
        case EVENT_CONFIG_ERROR: message_config_error(m, "/etc/x.conf:3: bad", true); return;
        case EVENT_APPLIED: say_change(message_applied, m, o); return;
        case EVENT_ARMED: say_change(message_armed, m, o); return;
        case EVENT_VERIFIED: say_change(message_verified, m, o); return;
        case EVENT_ROLLED_BACK: say_change(message_rolled_back, m, o); return;
        case EVENT_REFUSED: say_change(message_refused, m, o); return;
        default: message_nothing_to_change(m, 2);
        }
}

static const struct event_row {
        const char *name;
        int priority;
        const char *message_has;
} event_rows[EVENT_COUNT] = {
        [EVENT_STARTED] = { "started", LOG_INFO, "3 NFS mounts" },
        [EVENT_RECOMMENDATION] = { "recommendation", LOG_NOTICE, "stale-io-size" },
        [EVENT_RESOLVED] = { "resolved", LOG_NOTICE, "sync-client" },
        [EVENT_PROBE] = { "probe", LOG_DEBUG, "/data" },
        [EVENT_UNRESPONSIVE] = { "unresponsive", LOG_WARNING, "NULL call unanswered" },
        [EVENT_RECOVERED] = { "recovered", LOG_NOTICE, "90 s" },
        [EVENT_CONFIG_ERROR] = { "config-error", LOG_ERR, "/etc/x.conf:3: bad" },
        [EVENT_APPLIED] = { "applied", LOG_NOTICE, "sync-client" },
        [EVENT_ARMED] = { "armed", LOG_NOTICE, "waits" },
        [EVENT_VERIFIED] = { "verified", LOG_NOTICE, "sync-client" },
        [EVENT_ROLLED_BACK] = { "rolled-back", LOG_WARNING, "a word" },
        [EVENT_REFUSED] = { "refused", LOG_WARNING, "a word" },
        [EVENT_NOTHING_TO_CHANGE] = { "nothing-to-change", LOG_INFO, "2 NFS mounts" },
};

START_TEST(each_event)
{
        const struct event_row *row = &event_rows[_i];
        char id[SD_ID128_STRING_MAX];
        struct journal_message m;
        struct observation o;

        set_up_observation(&o, "/data");
        say((enum event) _i, &m, &o);
        ck_assert(!m.failed);
        ck_assert_str_eq(event_name((enum event) _i), row->name);
        ck_assert_str_eq(message_value(&m, "NFSTUNED_EVENT"), row->name);
        ck_assert_str_eq(message_value(&m, "MESSAGE_ID"), sd_id128_to_string(event_message_id((enum event) _i), id));
        ck_assert_msg(m.priority == row->priority, "%s: priority %d", row->name, m.priority);
        ck_assert_msg(strstr(message_value(&m, "MESSAGE"), row->message_has), "%s: %s", row->name,
                      message_value(&m, "MESSAGE"));
        journal_message_done(&m);
        options_done(&o.mount.super);
}
END_TEST

START_TEST(ids_differ)
{
        for (int a = 0; a < EVENT_COUNT; a++)
                for (int b = 0; b < a; b++)
                        ck_assert_msg(!sd_id128_equal(event_message_id((enum event) a),
                                                      event_message_id((enum event) b)),
                                      "%s and %s", event_name((enum event) a), event_name((enum event) b));
        ck_assert(sd_id128_is_null(event_message_id(EVENT_COUNT)));
}
END_TEST

static const struct config_row {
        const char *name;
        const char *error;
        const char *file;
        const char *line;       /* NULL: no such field */
} config_rows[] = {
        { "file and line", "/etc/nfstuned/nfstuned.conf:12: bad value", "/etc/nfstuned/nfstuned.conf", "12" },
        { "file only", "/etc/nfstuned: this is a directory", "/etc/nfstuned", NULL },
        { "colon in the name", "/etc/a:b.conf:3: bad: worse", "/etc/a:b.conf", "3" },
        { "number in the name", "/etc/a:1: gone", "/etc/a", "1" },
        { "neither", "out of luck", "", NULL },
};

START_TEST(config_error_names_file_and_line)
{
        const struct config_row *row = &config_rows[_i];
        struct journal_message m;
        const char *line;

        message_config_error(&m, row->error, false);
        line = message_value(&m, "CONFIG_LINE");
        ck_assert_msg(strcmp(message_value(&m, "CONFIG_FILE"), row->file) == 0, "%s: %s", row->name,
                      message_value(&m, "CONFIG_FILE"));
        ck_assert_msg(row->line ? line && strcmp(line, row->line) == 0 : !line, "%s: %s", row->name, line ? line :
                      "none");
        journal_message_done(&m);
}
END_TEST

static const struct stderr_row {
        const char *name;
        bool quiet;
        const char *expected;
} stderr_rows[] = {
        { "for people", false, "2 NFS mounts checked, nothing to change.\nfirst\\x1b\nboth\n" },
        { "quiet", true, "both\n" },
};

START_TEST(standard_error)
{
        const struct stderr_row *row = &stderr_rows[_i];
        struct journal j = { .to_stderr = true, .quiet = row->quiet };
        char said[256] = "";
        int ends[2];

        ck_assert_int_eq(pipe(ends), 0);
        ck_assert_int_ge(dup2(ends[1], STDERR_FILENO), 0);
        journal_nothing_to_change(&j, 2);
        journal_log(&j, LOG_INFO, "%s\033", "first");
        journal_log(&j, LOG_DEBUG, "for nobody");
        journal_log(&j, LOG_WARNING, "both");
        ck_assert_int_ge(read(ends[0], said, sizeof(said) - 1), 0);
        ck_assert_msg(strcmp(said, row->expected) == 0, "%s: %s", row->name, said);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon_journal");
        TCase *t = tcase_create("journal");
        SRunner *runner = srunner_create(s);
        int failed;

        tcase_add_loop_test(t, recommendation_has_all_fields, 0, ARRAY_SIZE(rows));
        tcase_add_loop_test(t, change_has_all_fields, 0, ARRAY_SIZE(change_rows));
        tcase_add_test(t, names_forge_nothing);
        tcase_add_loop_test(t, each_event, 0, EVENT_COUNT);
        tcase_add_test(t, ids_differ);
        tcase_add_loop_test(t, config_error_names_file_and_line, 0, ARRAY_SIZE(config_rows));
        tcase_add_loop_test(t, standard_error, 0, ARRAY_SIZE(stderr_rows));
        suite_add_tcase(s, t);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed > 0;
}
