/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstunectl apply, rollback and resume: each ends with an outcome. See control_commands.h. */

#include <stdio.h>
#include <string.h>

#include "daemon/bus_client.h"
#include "daemon/control_arguments.h"
#include "daemon/control_commands.h"
#include "daemon/json_build.h"
#include "daemon/utf8.h"

#define EXIT_WORDS                                                                                      \
        "\n"                                                                                            \
        "The change goes on when nfstunectl is interrupted; nfstunectl status shows it.\n"              \
        "Only root may.\n"                                                                              \
        "\n"                                                                                            \
        "Exit status: 0 done, or armed: it holds as soon as the mount is no longer used;\n"             \
        "1 not done, with the reason: refused, busy, taken back, failed, not permitted;\n"              \
        "2 MOUNT is no NFS mount, nfstuned cannot be reached, or wrong usage.\n"

static const char apply_help[] =
        "Usage: nfstunectl apply MOUNT [--rule RULE]... [--dry-run] [--persist]\n"
        "                  [--busy wait|detach|refuse] [--json]\n"
        "\n"
        "Has nfstuned change the mount's options as nfstunectl advice says, without a\n"
        "moment in which the path is not mounted (before Linux 6.5: with one of an\n"
        "instant); measures, and takes it back when it made saving slower.\n"
        "\n"
        "  --rule RULE  only what this rule recommends; may be given several times\n"
        "  --dry-run    change nothing: show the steps, the commands to type instead, and\n"
        "               who would notice\n"
        "  --persist    write the new options where the old ones came from, so that they\n"
        "               last; with --dry-run: show the difference\n"
        "  --busy WHAT  when the mount is in use: wait (the new options hold as soon as\n"
        "               it no longer is), refuse, or detach (who has it open goes on with\n"
        "               the old one, files opened from now on are on the new one, and\n"
        "               programs that share files across both may see stale data and\n"
        "               get a lock twice)\n"
        "  --json       what became of it, as JSON (control.schema.json)\n"
        "  --help\n"
        EXIT_WORDS;

static const char rollback_help[] =
        "Usage: nfstunectl rollback MOUNT [--persist] [--json]\n"
        "\n"
        "Gives the mount the options it had before the last change that nfstuned made.\n"
        "\n"
        "  --persist  take back what --persist wrote, too\n"
        "  --json     what became of it, as JSON (control.schema.json)\n"
        "  --help\n"
        EXIT_WORDS;

static const char resume_help[] =
        "Usage: nfstunectl resume [--json]\n"
        "\n"
        "Lets automatic mode go on after it stopped because changes failed, and forgets\n"
        "which changes are not to be tried again for 7 days, and which mounts are left\n"
        "alone for so long because somebody else changed them. Only root may.\n"
        "\n"
        "  --json  what became of it, as JSON (control.schema.json)\n"
        "  --help\n"
        "\n"
        "Exit status: 0 done, 1 not done or not permitted, 2 nfstuned cannot be reached,\n"
        "or wrong usage.\n";

static const struct option apply_options[] = {
        { "rule", required_argument, NULL, OPT_CONTROL_RULE },
        { "dry-run", no_argument, NULL, OPT_CONTROL_DRY_RUN },
        { "persist", no_argument, NULL, OPT_CONTROL_PERSIST },
        { "busy", required_argument, NULL, OPT_CONTROL_BUSY },
        { "json", no_argument, NULL, OPT_CONTROL_JSON },
        { "help", no_argument, NULL, OPT_CONTROL_HELP },
        { NULL, 0, NULL, 0 },
};

static const struct option rollback_options[] = {
        { "persist", no_argument, NULL, OPT_CONTROL_PERSIST },
        { "json", no_argument, NULL, OPT_CONTROL_JSON },
        { "help", no_argument, NULL, OPT_CONTROL_HELP },
        { NULL, 0, NULL, 0 },
};

static const struct option resume_options[] = {
        { "json", no_argument, NULL, OPT_CONTROL_JSON },
        { "help", no_argument, NULL, OPT_CONTROL_HELP },
        { NULL, 0, NULL, 0 },
};

/* ---- outcomes ---------------------------------------------------------------------- */

/* "rolled-back" is what rollback is for. */
static bool is_done(enum bus_method method, const char *end)
{
        static const char *const not_done[] = { "busy", "refused", "failed" };

        return !WORD_IS_ONE_OF(end, not_done) && (method == BUS_ROLLBACK || strcmp(end, "rolled-back") != 0);
}

/* Line by line: what is shown may be the words of others. */
static void print_words(FILE *out, const char *words)
{
        while (*words) {
                size_t n = strcspn(words, "\n");
                cleanup_free char *line = strndup(words, n);
                cleanup(text_done) struct text shown = {};

                text_add_printable(&shown, line);
                fprintf(out, "%s\n", shown.data ? shown.data : "");
                words += n + (words[n] == '\n');
        }
}

static int print_outcome(const struct bus_call *call, const struct bus_reply *reply, bool json)
{
        const char *end = reply->texts[0], *words = reply->texts[1], *document = reply->texts[2];
        bool done;
        int r;

        if (!words || !document) {
                fputs("nfstunectl: the answer of nfstuned cannot be understood: is it of another version?\n", stderr);
                return EXIT_UNUSABLE;
        }
        done = is_done(call->method, end);
        if (json) {
                if (json_print_text(stdout, document, 0) == 0)
                        (void) fputc('\n', stdout);     /* output_end() looks */
        } else if (done) {
                print_words(stdout, *words ? words : end);
        } else {
                fprintf(stderr, "nfstunectl: not done (%s)%s\n", end, *words ? ":" : "");
                print_words(stderr, words);
        }
        r = output_end();
        return r != EXIT_SUCCESS ? r : done ? EXIT_SUCCESS : EXIT_NOT_DONE;
}

static int run(const struct control_command *command, struct bus_call *call, int argc, char **argv)
{
        cleanup(control_arguments_done) struct control_arguments a = {};
        cleanup(bus_reply_done) struct bus_reply reply = {};
        int status;

        if (control_arguments_read(command, argc, argv, &a, &status) < 0)
                return status;
        call->mount = a.mount;
        call->rules = a.rules;
        call->n_rules = a.n_rules;
        call->busy = a.busy;
        call->dry_run = a.dry_run;
        call->persist = a.persist;
        status = bus_client_call(call, &reply);
        return status == 0 ? print_outcome(call, &reply, a.json) : status;
}

/* ---- commands ------------------------------------------------------------------------- */

int apply_main(int argc, char **argv)
{
        static const struct control_command command = { .name = "apply", .help = apply_help, .options = apply_options,
                                                        .takes_mount = true, .needs_mount = true };
        struct bus_call call = { .method = BUS_APPLY, .progress = "applying" };

        return run(&command, &call, argc, argv);
}

int rollback_main(int argc, char **argv)
{
        static const struct control_command command = { .name = "rollback", .help = rollback_help,
                                                        .options = rollback_options, .takes_mount = true,
                                                        .needs_mount = true };
        struct bus_call call = { .method = BUS_ROLLBACK, .progress = "rolling back" };

        return run(&command, &call, argc, argv);
}

int resume_main(int argc, char **argv)
{
        static const struct control_command command = { .name = "resume", .help = resume_help,
                                                        .options = resume_options };
        struct bus_call call = { .method = BUS_RESUME, .progress = "waiting for nfstuned" };

        return run(&command, &call, argc, argv);
}
