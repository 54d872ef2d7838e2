/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/recommend.c - what every rule does when it writes. See recommend.h. */
#include "policy/recommend.h"

#include <errno.h>
#include <string.h>

#include "policy/sources.h"

int recommend_drop(struct recommendation *r, const char *text)
{
        char **drop;

        for (size_t i = 0; i < r->n_drop; i++)
                if (strcmp(r->drop[i], text) == 0)
                        return 0;
        drop = reallocarray(r->drop, r->n_drop + 1, sizeof(*drop));
        if (!drop)
                return -ENOMEM;
        r->drop = drop;
        drop[r->n_drop] = strdup(text);
        if (!drop[r->n_drop])
                return -ENOMEM;
        r->n_drop++;
        return 0;
}

int recommend_drop_option(struct recommendation *r, const struct observation *o, const char *name)
{
        const struct requested *place = source_to_edit(o, name);
        const struct mount_option *option = options_find(place ? &place->options : &o->mount.super, name);
        cleanup(text_done) struct text t = { 0 };
        cleanup_free char *words = NULL;

        if (!option)
                return 0;
        text_add(&t, "%s%s%s", option->name, option->value ? "=" : "", option->value ? option->value : "");
        words = text_take(&t);
        return words ? recommend_drop(r, words) : -ENOMEM;
}

int recommend_place(struct recommendation *r, const struct rule_context *c)
{
        cleanup(options_done) struct options dropped = { 0 };
        int err = option_texts_parse(r->drop, r->n_drop, &dropped);

        return err < 0 ? err : place_of_options(c->o, c->path_class, &dropped, &r->place);
}

int recommend_words(char **field, struct text *t)
{
        *field = text_take(t);
        return *field ? 0 : -ENOMEM;
}

int recommend_sentence(char **field, const char *sentence)
{
        *field = strdup(sentence);
        return *field ? 0 : -ENOMEM;
}

int cannot_tell(const struct rule_context *c, const char *missing, const char *reason, struct rule_result *ret)
{
        cleanup(text_done) struct text what = { 0 }, command = { 0 };

        text_add(&what, "%s%s%s", missing, reason ? ": " : "", reason ? reason : "");
        text_add(&command, "nfstuned --once ");
        text_add_shell_word(&command, c->o->mount.target);
        ret->cannot_tell.missing = text_take(&what);
        ret->cannot_tell.command = text_take(&command);
        return ret->cannot_tell.missing && ret->cannot_tell.command ? VERDICT_CANNOT_TELL : -ENOMEM;
}

void text_add_sharers(struct text *t, const struct observation *o)
{
        for (size_t i = 0; i < o->n_shares; i++) {
                text_add(t, "%s", i > 0 ? ", " : "; the same superblock is mounted at ");
                text_add_shell_word(t, o->shares_superblock_with[i]);
        }
}

void text_add_shell_word(struct text *t, const char *word)
{
        static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,=-";

        if (*word && word[strspn(word, plain)] == '\0') {
                text_add(t, "%s", word);
                return;
        }
        text_add(t, "'");
        for (; *word; word++) {
                if (*word == '\'')
                        text_add(t, "'\\''");
                else
                        text_add_bytes(t, word, 1);
        }
        text_add(t, "'");
}
