/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nfstuned's command line: which options go together. */
#include <check.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/command.h"

static const struct row {
        const char *name;
        const char *arguments[6];
        int r;
        bool once, json, observation, quiet;
} rows[] = {
        { "the service", { NULL }, 0, false, false, false, false },
        { "a round", { "--once" }, 0, true, false, false, false },
        { "its report as JSON", { "--once", "--json" }, 0, true, true, false, true },
        { "its observations", { "--once", "--observation" }, 0, true, false, true, false },
        { "observations without writing, of one mount", { "--once", "--passive", "--observation", "/data" }, 0, true,
          false, true, false },
        { "observations without a round", { "--observation" }, -EINVAL, false, false, false, false },
        { "JSON without a round", { "--json" }, -EINVAL, false, false, false, false },
        { "both documents", { "--once", "--json", "--observation" }, -EINVAL, false, false, false, false },
        { "a mount without a round", { "/data" }, -EINVAL, false, false, false, false },
        { "a value that is not wanted", { "--once", "--observation=file" }, -EINVAL, false, false, false, false },
        { "a value that is missing", { "--config" }, -EINVAL, false, false, false, false },
        { "a misspelt option", { "--once", "--pasive" }, -EINVAL, false, false, false, false },
        { "a letter", { "-x" }, -EINVAL, false, false, false, false },
};

/* One line that ends with where the help is. */
static void assert_remedy(const char *name, FILE *said)
{
        char words[512] = "";

        (void) fseek(said, 0, SEEK_SET);
        ck_assert_msg(fgets(words, sizeof(words), said), "%s: nothing is said", name);
        ck_assert_msg(strstr(words, "; see ") && strstr(words, " --help\n"), "%s: %s", name, words);
        ck_assert_msg(!fgets(words, sizeof(words), said), "%s: one line more: %s", name, words);
}

START_TEST(parsed)
{
        const struct row *row = &rows[_i];
        char *argv[ARRAY_SIZE(row->arguments) + 2] = { (char *) "nfstuned" };
        FILE *said = tmpfile();
        struct command c = {};
        int argc = 1;

        ck_assert(said && dup2(fileno(said), STDERR_FILENO) >= 0);
        while (row->arguments[argc - 1]) {
                argv[argc] = (char *) row->arguments[argc - 1];
                argc++;
        }
        ck_assert_msg(command_parse(argc, argv, &c) == row->r, "%s", row->name);
        if (row->r < 0) {
                assert_remedy(row->name, said);
                return;
        }
        ck_assert_msg(c.options.once == row->once && c.options.json == row->json &&
                              c.options.observation == row->observation && c.options.journal.quiet == row->quiet,
                      "%s", row->name);
}
END_TEST

int main(void)
{
        Suite *s = suite_create("daemon_command");
        TCase *t = tcase_create("command");
        SRunner *runner = srunner_create(s);
        int failed;

        tcase_add_loop_test(t, parsed, 0, ARRAY_SIZE(rows));
        suite_add_tcase(s, t);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed > 0;
}
