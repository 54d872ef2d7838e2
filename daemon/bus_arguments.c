/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What callers of the bus say: believed only after a look. See bus_parts.h. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "daemon/arguments.h"
#include "daemon/bus_parts.h"
#include "daemon/utf8.h"
#include "policy/names.h"

/* Longer words are not even repeated. */
#define WORD_MAX 64

static const char *path_problem(const char *path)
{
        size_t n = strlen(path);

        if (n == 0)
                return "a mount point is missing";
        if (n >= PATH_MAX)
                return "that path is longer than a path can be";
        if (path[0] != '/')
                return "a mount point begins with /";
        if (n > 1 && path[n - 1] == '/')
                return "a mount point does not end in /";
        return NULL;
}

struct mountstate *bus_find_mount(const struct bus *b, const char *target, sd_bus_error *error)
{
        const char *problem = path_problem(target);
        cleanup(text_done) struct text shown = {};
        const struct observation *o;

        if (problem) {
                sd_bus_error_set(error, SD_BUS_ERROR_INVALID_ARGS, problem);
                return NULL;
        }
        o = host_find_target(&b->core->host, target);
        if (o)
                return host_find_device(&b->core->host, o->mount.device);
        text_add_printable(&shown, target);
        sd_bus_error_setf(error, BUS_ERROR_NO_SUCH_MOUNT,
                          "%s is not the mount point of an NFS mount of this host: nfstunectl status lists them",
                          shown.data ? shown.data : "this");
        return NULL;
}

int bus_check_form(const char *form, sd_bus_error *error)
{
        static const char *const forms[] = { "json", "text", "color" };

        if (WORD_IS_ONE_OF(form, forms))
                return 0;
        return sd_bus_error_set(error, SD_BUS_ERROR_INVALID_ARGS, "the form is json, text or color");
}

int bus_check_busy(const char *word, enum busy_mode *ret, sd_bus_error *error)
{
        if (busy_mode_parse(word, ret) == 0)
                return 0;
        return sd_bus_error_set(error, SD_BUS_ERROR_INVALID_ARGS,
                                "what to do when the mount is busy is wait, refuse or detach");
}

static int unknown_rule(const char *name, sd_bus_error *error)
{
        const char *nearest = strlen(name) > WORD_MAX ? NULL : nearest_rule(name);
        cleanup(text_done) struct text words = {};

        text_add(&words, "there is no rule ");
        text_add_printable(&words, strlen(name) > WORD_MAX ? "of such a length" : name);
        if (nearest)
                text_add(&words, ", perhaps %s is meant", nearest);
        else
                text_add(&words, "; nfstunectl explain lists the rules");
        return sd_bus_error_set(error, SD_BUS_ERROR_INVALID_ARGS, words.data ? words.data : "there is no such rule");
}

int bus_read_rules(sd_bus_message *call, bool rules[static RULE_COUNT], bool *ret_any, sd_bus_error *error)
{
        const char *name;
        int r = sd_bus_message_enter_container(call, SD_BUS_TYPE_ARRAY, "s");

        memset(rules, 0, RULE_COUNT * sizeof(*rules));
        *ret_any = false;
        while (r >= 0 && (r = sd_bus_message_read_basic(call, SD_BUS_TYPE_STRING, &name)) > 0) {
                enum rule rule;

                if (rule_parse(name, &rule) < 0)
                        return unknown_rule(name, error);
                rules[rule] = *ret_any = true;
        }
        return r < 0 ? r : sd_bus_message_exit_container(call);
}
