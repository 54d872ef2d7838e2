/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/profile.c - what is known of a kind of server. See profile.h. */
#include "policy/profile.h"

#include <string.h>

#include "policy/address.h"

static bool same_letter(char a, char b)
{
        return strncasecmp(&a, &b, 1) == 0;
}

/* '*' is any run of characters. After a mismatch the last '*' takes one more. */
static bool matches(const char *pattern, const char *text)
{
        const char *star = NULL, *resume = NULL;

        while (*text) {
                if (*pattern == '*') {
                        star = ++pattern;
                        resume = text;
                } else if (*pattern && same_letter(*pattern, *text)) {
                        pattern++;
                        text++;
                } else if (star) {
                        pattern = star;
                        text = ++resume;
                } else {
                        return false;
                }
        }
        return pattern[strspn(pattern, "*")] == '\0';
}

/* Length of the longest pattern that matches; 0: none. */
static size_t longest_match(char *const *patterns, size_t n, const char *text)
{
        size_t best = 0;

        for (size_t i = 0; i < n; i++)
                if (strlen(patterns[i]) > best && matches(patterns[i], text))
                        best = strlen(patterns[i]);
        return best;
}

/* The same for prefixes, in bits; one more, for "/0" is a match too. */
static size_t longest_prefix(const struct server_profile *p, const struct address *a)
{
        size_t best = 0;

        for (size_t i = 0; i < p->n_addresses; i++) {
                struct address prefix;
                unsigned bits;

                if (prefix_parse(p->addresses[i], &prefix, &bits) == 0 && bits + 1U > best &&
                    address_has_prefix(a, &prefix, bits))
                        best = bits + 1U;
        }
        return best;
}

static size_t match_implementation(const struct server_profile *p, const void *text)
{
        return longest_match(p->implementations, p->n_implementations, text);
}

static size_t match_host(const struct server_profile *p, const void *text)
{
        return longest_match(p->hosts, p->n_hosts, text);
}

static size_t match_address(const struct server_profile *p, const void *address)
{
        return longest_prefix(p, address);
}

static const struct server_profile *best_match(const struct server_profiles *p,
                                               size_t (*match)(const struct server_profile *, const void *),
                                               const void *wanted)
{
        const struct server_profile *best = NULL;
        size_t length = 0;

        for (size_t i = 0; i < p->n_items; i++) {
                size_t n = match(&p->items[i], wanted);

                if (n > length) {
                        best = &p->items[i];
                        length = n;
                }
        }
        return best;
}

const struct server_profile *profile_find(const struct server_profiles *p, const char *host, const char *address,
                                          const char *implementation)
{
        const struct server_profile *found = NULL;
        struct address a;

        if (implementation && *implementation)
                found = best_match(p, match_implementation, implementation);
        if (!found && host && *host)
                found = best_match(p, match_host, host);
        /* a line of fstab names the address in the host's place */
        if (!found && ((address && address_parse(address, &a) == 0) || (host && address_parse(host, &a) == 0)))
                found = best_match(p, match_address, &a);
        return found;
}

static void free_words(char **words, size_t n)
{
        for (size_t i = 0; i < n; i++)
                free(words[i]);
        free(words);
}

void server_profile_done(struct server_profile *p)
{
        free_words(p->hosts, p->n_hosts);
        free_words(p->addresses, p->n_addresses);
        free_words(p->implementations, p->n_implementations);
        free(p->name);
        free(p->title);
        free(p->note);
        *p = (struct server_profile){ 0 };
}

void server_profiles_done(struct server_profiles *p)
{
        for (size_t i = 0; i < p->n_items; i++)
                server_profile_done(&p->items[i]);
        free(p->items);
        *p = (struct server_profiles){ 0 };
}
