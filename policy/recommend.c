/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/recommend.c - what every rule does when it writes. See recommend.h. */
#include "policy/recommend.h"

#include <errno.h>
#include <string.h>

#include "policy/sources.h"

static int append(char ***list, size_t *n, const char *text)
{
        char **longer;

        for (size_t i = 0; i < *n; i++)
                if (strcmp((*list)[i], text) == 0)
                        return 0;
        longer = reallocarray(*list, *n + 1, sizeof(*longer));
        if (!longer)
                return -ENOMEM;
        *list = longer;
        longer[*n] = strdup(text);
        if (!longer[*n])
                return -ENOMEM;
        ++*n;
        return 0;
}

int recommend_drop(struct recommendation *r, const char *text)
{
        return append(&r->drop, &r->n_drop, text);
}

int recommend_set(struct recommendation *r, const char *text)
{
        return append(&r->set, &r->n_set, text);
}

int recommend_drop_written(struct recommendation *r, const struct mount_option *option)
{
        cleanup(text_done) struct text t = { 0 };
        cleanup_free char *words = NULL;

        text_add_option(&t, option);
        words = text_take(&t);
        return words ? recommend_drop(r, words) : -ENOMEM;
}

int recommend_drop_option(struct recommendation *r, const struct observation *o, const char *name)
{
        const struct requested *place = source_to_edit(o, name);
        const struct mount_option *option = options_find(place ? &place->options : &o->mount.super, name);

        return option ? recommend_drop_written(r, option) : 0;
}

int recommend_drop_options(struct recommendation *r, const struct observation *o, const char *const *names)
{
        bool written = false;
        int err = 0;

        for (const char *const *name = names; *name; name++)
                written = written || source_to_edit(o, *name);
        for (const char *const *name = names; *name && err == 0; name++)
                if (!written || source_to_edit(o, *name))
                        err = recommend_drop_option(r, o, *name);
        return err;
}

int recommend_place(struct recommendation *r, const struct rule_context *c)
{
        const struct requested *own = source_of_mount(c->o);
        cleanup(options_done) struct options dropped = { 0 };
        int err;

        if (r->n_drop == 0 && own)
                return place_copy(&own->place, &r->place);
        err = option_texts_parse(r->drop, r->n_drop, &dropped);
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
        text_add(&command, "nfstuned --once");
        text_add_operands(&command, (const char *const[]){ c->o->mount.target, NULL });
        ret->cannot_tell.missing = text_take(&what);
        ret->cannot_tell.command = text_take(&command);
        return ret->cannot_tell.missing && ret->cannot_tell.command ? VERDICT_CANNOT_TELL : -ENOMEM;
}

void text_add_joined(struct text *t, char *const *texts, size_t n)
{
        for (size_t i = 0; i < n; i++)
                text_add(t, "%s%s", i > 0 ? "," : "", texts[i]);
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

int recommend_replace_risk(struct recommendation *r, const struct rule_context *c, const char *words)
{
        cleanup(text_done) struct text t = { 0 };

        text_add(&t, "%s", words);
        if (!c->o->only_requested)
                text_add(&t, "; by hand the change needs an unmount, so programs have to leave the mount");
        return recommend_words(&r->risk, &t);
}

bool keeps_any(const struct rule_context *c, const char *const *names)
{
        for (; *names; names++)
                if (mount_params_keeps(c->mount_params, *names))
                        return true;
        return false;
}

void text_add_operands(struct text *t, const char *const *words)
{
        bool option_like = false;

        for (const char *const *word = words; *word; word++)
                option_like |= (*word)[0] == '-';
        text_add(t, "%s", option_like ? " --" : "");
        for (; *words; words++) {
                text_add(t, " ");
                text_add_shell_word(t, *words);
        }
}
