/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/exports.c and exports_lint.c: which entry a mount belongs to, and what is wrong with the entries themselves.
 */
#include "tests/unit/policy_case.h"

#include "policy/exports.h"

/* "PATH CLIENT OPTIONS"; "-" for nothing, a '!' in front for a complete entry, a '^' for the blank. */
static void entry_add(struct exports *e, const char *text, unsigned line)
{
        struct export_entry x = { .complete = *text == '!', .blank_before_options = *text == '^' };
        const char *path = text + strcspn(text, "/"), *client = strchr(path, ' ') + 1, *options = strchr(client,
        ' ') + 1;

        ck_assert_ptr_nonnull(x.path = strndup(path, (size_t)(client - path - 1)));
        ck_assert_ptr_nonnull(x.client = *client == '-' ? strdup("") : strndup(client, (size_t)(options - client - 1)));
        if (*options != '-')
                x.options = world_options(options);
        x.place = (struct place){ .kind = PLACE_EXPORTS, .file = world_copy("/etc/exports"), .line = line };
        x.text = world_copy(path);
        if ((e->n_entries & (e->n_entries - 1)) == 0) {        /* it doubles: there may be thousands */
                e->entries = reallocarray(e->entries, 2 * e->n_entries + 1, sizeof(x));
                ck_assert_ptr_nonnull(e->entries);
        }
        e->entries[e->n_entries++] = x;
}

#define ENTRIES 6

/* ---- judging --------------------------------------------------------------------- */

struct judge_row {
        const char *name;
        const char *path;               /* of the mount */
        const char *super;
        const char *entries[ENTRIES];
        const char *want;               /* "sync", "async", "unknown" */
        unsigned line;                  /* of the entry that proves it: its number */
};

#define V3 "rw,vers=3,addr=198.51.100.1"
#define V4 "rw,vers=4.2,clientaddr=192.0.2.7,addr=198.51.100.1"

static const struct judge_row judge_rows[] = {
        { "nothing is exported", "/data", V3, { NULL }, "unknown", 0 },
        { "sync", "/data", V3, { "/data * rw,sync" }, "sync", 1 },
        { "async", "/data", V3, { "/data * rw,async" }, "async", 1 },
        { "the last one holds", "/data", V3, { "/data * async,rw,sync" }, "sync", 1 },
        { "sync by default", "/data", V3, { "/data * rw" }, "sync", 1 },
        { "no options", "/data", V3, { "/data * -" }, "sync", 1 },
        { "everybody", "/data", V3, { "/data - async" }, "async", 1 },
        { "another path", "/data", V3, { "/other * async" }, "unknown", 0 },
        { "a path that only begins so", "/database", V3, { "/data * async" }, "unknown", 0 },
        { "below an export", "/data/a/b", V3, { "/data * async" }, "async", 1 },
        { "above an export", "/", V3, { "/data * async" }, "unknown", 0 },
        { "the longest path", "/data/a/b", V3, { "/data * async", "/data/a * sync", "/ * async" }, "sync", 2 },
        { "the root export", "/data", V3, { "/ * async" }, "async", 1 },
        { "a slash at the mount's end", "/data/", V3, { "/data * async" }, "async", 1 },
        { "a name may be this client", "/data", V3, { "/data other.example async" }, "async", 1 },
        { "names disagree", "/data", V3, { "/data a.example async", "/data b.example sync" }, "unknown", 0 },
        { "names agree", "/data", V3, { "/data a.example async", "/data b.example async" }, "async", 1 },
        { "a name may come before everybody", "/data", V3, { "/data a.example async", "/data * sync" }, "unknown", 0 },
        { "a network may hold, address unknown", "/data", V3, { "/data 192.0.2.0/24 async", "/data * sync" }, "unknown",
          0 },

        { "in the network", "/data", V4, { "/data 192.0.2.0/24 async", "/data * sync" }, "async", 1 },
        { "in the network, order is nothing", "/data", V4, { "/data * sync", "/data 192.0.2.0/24 async" }, "async", 2 },
        { "in the network by mask", "/data", V4, { "/data 192.0.2.0/255.255.255.0 async", "/data * sync" }, "async",
          1 },
        { "a mask with a hole is a name", "/data", V4, { "/data 192.0.2.0/255.0.255.0 async", "/data * sync" },
          "unknown", 0 },
        { "not in the network", "/data", V4, { "/data 203.0.113.0/24 async", "/data * sync" }, "sync", 2 },
        { "in no network", "/data", V4, { "/data 203.0.113.0/24 async" }, "unknown", 0 },
        { "the host before its network", "/data", V4, { "/data 192.0.2.0/24 async", "/data 192.0.2.7 sync" }, "sync",
          2 },
        { "a name may come before the network", "/data", V4, { "/data 192.0.2.0/24 async", "/data a.example sync" },
          "unknown", 0 },
        { "the network before a pattern", "/data", V4, { "/data 192.0.2.0/24 async", "/data *.example sync" }, "async",
          1 },
        { "another host's deeper export", "/data/a", V4, { "/data/a 203.0.113.9 async", "/data * sync" }, "sync", 2 },
        { "sixth version of IP", "/data", "rw,vers=4.2,clientaddr=2001:db8::7",
          { "/data 2001:db8::/32 async", "/data * sync" }, "async", 1 },
        { "no address told", "/data", "rw,vers=4.2,clientaddr=0.0.0.0",
          { "/data 192.0.2.0/24 async", "/data * sync" }, "unknown", 0 },

        { "below the root of version 4", "/data", V4, { "/export * sync,fsid=0", "/export/data * async" }, "async", 2 },
        { "fsid=root", "/data", V4, { "/export * sync,fsid=root", "/export/data * async" }, "async", 2 },
        { "the root of version 4 itself", "/", V4, { "/export * async,fsid=0" }, "async", 1 },
        { "the same path elsewhere is another", "/data", V4, { "/export * sync,fsid=0", "/data * async" }, "sync", 1 },
        { "version 3 has real paths", "/data", V3, { "/export * sync,fsid=0", "/data * async" }, "async", 2 },
        { "version 4 without a root", "/export/data", V4, { "/export/data * async" }, "async", 1 },
        { "another client's root", "/data", V4, { "/export 203.0.113.0/24 sync,fsid=0", "/data * async" }, "async", 2 },
        { "two roots that disagree", "/data", V4, { "/a x.example sync,fsid=0", "/b y.example async,fsid=0" },
          "unknown",
          0 },
        { "the slash is the root", "/data", V4, { "/ * sync,fsid=0", "/data * async" }, "async", 2 },
        { "the server's own entries", "/data", V4, { "!/ * ro,sync,v4root,fsid=0", "!/data * async" }, "async", 2 },
        { "only the server's own entries", "/data", V4, { "!/ * ro,sync,v4root,fsid=0" }, "unknown", 0 },
        { "the first of two for one client, others between", "/data", V3,
          { "/data * sync", "/other * async", "/data a.example sync", "/data * async" }, "sync", 1 },
        { "the first of two that say the same in the file's order", "/data", V3,
          { "/data z.example sync", "/data a.example sync" }, "sync", 1 },
        { "a path that sorts between an export and what is below it", "/data/a", V3,
          { "/data * async", "/data-old * sync", "/data.d * sync", "/data/a/b * sync" }, "async", 1 },
        { "the first of two for one client", "/data", V3, { "/data * sync", "/data * async" }, "sync", 1 },
};

static void judge_mount(struct mount_facts *m, const struct judge_row *row)
{
        *m = (struct mount_facts){
                .export_path = world_copy(row->path),
                .fstype = world_copy(strstr(row->super, "vers=4") ? "nfs4" : "nfs"),
                .super = world_options(row->super),
        };
}

static void judged(struct exports *e, const struct mount_facts *m, struct export_facts *f)
{
        ck_assert_int_eq(exports_sort(e), 0);
        ck_assert_int_eq(exports_judge(e, m, f), 0);
}

START_TEST(test_judge)
{
        const struct judge_row *row = &judge_rows[_i];
        struct export_facts f = { 0 };
        struct exports e = { 0 };
        struct mount_facts m;
        const char *got;

        judge_mount(&m, row);
        for (unsigned i = 0; i < ENTRIES && row->entries[i]; i++)
                entry_add(&e, row->entries[i], i + 1);
        judged(&e, &m, &f);
        got = !f.known ? "unknown" : f.async ? "async" : "sync";
        ck_assert_msg(strcmp(got, row->want) == 0, "%s: want %s, got %s", row->name, row->want, got);
        ck_assert_msg(f.place.line == row->line, "%s: line %u", row->name, f.place.line);
        if (f.known)
                ck_assert_msg(f.text && f.place.kind == PLACE_EXPORTS, "%s: no text", row->name);
        else
                ck_assert_msg(!f.text && !f.async, "%s: says something", row->name);
        export_facts_done(&f);
        exports_done(&e);
        mount_facts_done(&m);
}
END_TEST

/* Each root is looked at for each mount: a file of nothing else must not take the square of its length. */
START_TEST(test_many_roots)
{
        static const struct roots_row {
                const char *name;
                unsigned n;
                bool known;
        } rows[] = { { "as many as anybody has", 64, true }, { "no server has so many", 65, false } };
        static const struct judge_row mount = { "", "/data", V4, { NULL }, "", 0 };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct export_facts f = { 0 };
                struct exports e = { 0 };
                struct mount_facts m;

                judge_mount(&m, &mount);
                for (unsigned line = 1; line <= rows[i].n; line++) {
                        char entry[64];

                        ck_assert_int_gt(snprintf(entry, sizeof(entry), "/root%u * sync,fsid=0", line), 0);
                        entry_add(&e, entry, line);
                }
                judged(&e, &m, &f);
                ck_assert_msg(f.known == rows[i].known, "%s", rows[i].name);
                export_facts_done(&f);
                exports_done(&e);
                mount_facts_done(&m);
        }
}
END_TEST

/* Walking through all entries for each mount, both of these took minutes: the test would be ended. */
START_TEST(test_many_entries)
{
        static const struct entries_row {
                const char *name;
                const char *before;             /* of the mount's path: the number */
                const char *behind;
                const char *super;
        } rows[] = {
                { "a path each", "/srv/p", "/home", V3 },
                { "below a root", "/p", "", V4 },
        };
        enum { N = 40000 };

        const struct entries_row *row = &rows[_i];
        struct exports e = { 0 };
        char text[64];

        entry_add(&e, "/srv * ro,sync,fsid=0", 1);
        for (unsigned i = 0; i < N; i++) {
                ck_assert_int_gt(snprintf(text, sizeof(text), "/srv/p%u * rw,async", i), 0);
                entry_add(&e, text, i + 2);
        }
        ck_assert_int_eq(exports_sort(&e), 0);
        for (unsigned i = 0; i < N; i++) {
                struct judge_row mount = { .path = text, .super = row->super };
                struct export_facts f = { 0 };
                struct mount_facts m;

                ck_assert_int_gt(snprintf(text, sizeof(text), "%s%u%s", row->before, i, row->behind), 0);
                judge_mount(&m, &mount);
                ck_assert_int_eq(exports_judge(&e, &m, &f), 0);
                ck_assert_msg(f.known && f.async && f.place.line == i + 2, "%s: %u", row->name, i);
                export_facts_done(&f);
                mount_facts_done(&m);
        }
        exports_done(&e);
}
END_TEST

START_TEST(test_default_is_named)
{
        static const struct judge_row said = { "", "/data", V3, { NULL }, "", 0 };
        struct export_facts f = { 0 };
        struct exports e = { 0 };
        struct mount_facts m;

        judge_mount(&m, &said);
        entry_add(&e, "/data * rw", 1);
        judged(&e, &m, &f);
        ck_assert_msg(strstr(f.text, "default"), "%s", f.text);
        export_facts_done(&f);
        exports_done(&e);
        mount_facts_done(&m);
}
END_TEST

/* ---- lint ---------------------------------------------------------------------------- */

static const struct {
        const char *name;
        const char *entries[ENTRIES];   /* "=" in front: on the line of the one before */
        const char *want;               /* "rule:line rule:line" */
        const char *word;               /* in the evidence of the first; or NULL */
} lint_rows[] = {
        { "a good line", { "/data 192.0.2.0/24 rw,sync,no_subtree_check" }, "", NULL },
        { "every option of exports(5)",
          { "/data * rw,wdelay,no_wdelay,nohide,crossmnt,subtree_check,insecure_locks,mountpoint=/data,fsid=1,"
            "refer=/a@h,replicas=/a@h,pnfs,no_pnfs,security_label,reexport=auto-fsidnum,root_squash,no_root_squash,"
            "all_squash,anonuid=99,anongid=-2,sec=krb5p,xprtsec=tls,secure,insecure,no_acl,nordirplus" }, "", NULL },
        { "async", { "/data * rw,async,no_subtree_check" }, "async-export:1", "/data * rw,async" },
        { "async, undone", { "/data * async,rw,sync,no_subtree_check" }, "", NULL },
        { "async, and read-only", { "/data * ro,async,no_subtree_check" }, "", NULL },
        { "async, and read-only by default", { "/data * async,no_subtree_check" }, "", NULL },
        { "async, written with Kerberos", { "/data * async,no_subtree_check,sec=krb5,rw,sec=sys,ro" }, "async-export:1",
          NULL },
        { "async for some of a line",
          { "/data a rw,async,no_subtree_check", "=/data b rw,no_subtree_check",
            "=/data c rw,async,no_subtree_check" },
          "async-export:1", "same for c" },
        { "no choice", { "/data * rw" }, "obsolete-option:1", "1.1.0" },
        { "no choice, once a line", { "/data a rw", "=/data b ro", "/srv c ro" }, "obsolete-option:1 obsolete-option:3",
          NULL },
        { "exportfs leaves subtree_check out", { "!/data * rw,sync,wdelay,hide,root_squash" }, "", NULL },
        { "the client's options", { "/data * rw,hard,rsize=8192,no_subtree_check" },
          "invalid-option:1 invalid-option:1", "client" },
        { "the client's options for a whole line",
          { "/data a rw,noatime,no_subtree_check", "=/data b rw,noatime,no_subtree_check" }, "invalid-option:1",
            "noatime" },
        { "misspelt", { "/data * rw,no_root_sqash,no_subtree_check" }, "invalid-option:1", "no_root_squash" },
        { "unknown and far from any", { "/data * rw,zzyzx,no_subtree_check" }, "", NULL },
        { "BSD's", { "/data * alldirs,maproot=root,network,no_subtree_check" }, "", NULL },
        { "no number", { "/data * anonuid=nobody,no_subtree_check" }, "invalid-option:1", "anonuid=nobody" },
        { "the blank", { "/data host no_subtree_check", "^=/data - rw,no_subtree_check" }, "invalid-option:1",
          "blank" },
        { "twice", { "/data a rw,no_subtree_check", "/srv a rw,no_subtree_check", "/data a ro,no_subtree_check" },
          "invalid-option:3", "line 1" },
        { "twice for two clients", { "/data a rw,no_subtree_check", "/data b ro,no_subtree_check" }, "", NULL },
        { "security is no business of ours", { "/data * rw,no_root_squash,insecure,no_subtree_check" }, "", NULL },
        { "the server's own entries", { "!/ * ro,root_squash,async,v4root,fsid=0" }, "", NULL },
        { "an empty field", { "/data * rw,,no_subtree_check," }, "", NULL },
};

START_TEST(test_lint)
{
        struct exports e = { 0 };
        struct findings f = { 0 };
        struct text t = { 0 };
        cleanup_free char *got = NULL;
        unsigned line = 0;

        for (unsigned i = 0; i < ENTRIES && lint_rows[_i].entries[i]; i++) {
                if (!strchr(lint_rows[_i].entries[i], '=') ||
                    strcspn(lint_rows[_i].entries[i], "=") > strcspn(lint_rows[_i].entries[i], "/"))
                        line = i + 1;
                entry_add(&e, lint_rows[_i].entries[i], line);
        }
        ck_assert_int_eq(exports_lint(&e, &f), 0);
        for (size_t i = 0; i < f.n_items; i++)
                text_add(&t, "%s%s:%u", i > 0 ? " " : "", rule_name(f.items[i].rule), f.items[i].place.line);
        got = text_take(&t);
        ck_assert_ptr_nonnull(got);
        ck_assert_msg(strcmp(got, lint_rows[_i].want) == 0, "%s: want \"%s\", got \"%s\": %s", lint_rows[_i].name,
                      lint_rows[_i].want, got, f.n_items ? f.items[0].evidence : "");
        if (lint_rows[_i].word)
                ck_assert_msg(strstr(f.items[0].evidence, lint_rows[_i].word), "%s: %s", lint_rows[_i].name,
                              f.items[0].evidence);
        for (size_t i = 0; i < f.n_items; i++)
                ck_assert_msg(*f.items[i].text && f.items[i].place.kind == PLACE_EXPORTS, "%s", lint_rows[_i].name);
        findings_done(&f);
        exports_done(&e);
}
END_TEST

CASE_MAIN("policy exports", { test_judge, ARRAY_SIZE(judge_rows) }, { test_default_is_named, 1 },
          { test_many_roots, 1 }, { test_many_entries, 2 }, { test_lint, ARRAY_SIZE(lint_rows) })
