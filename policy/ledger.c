/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/ledger.c - which recommendations are news. See ledger.h. */
#include "policy/ledger.h"

#include "policy/digest.h"

static uint64_t digest_recommendation(const struct recommendation *r)
{
        uint64_t digest = digest_number(DIGEST_START, r->confidence);

        digest = digest_strings(digest, r->drop, r->n_drop);
        digest = digest_strings(digest, r->set, r->n_set);
        digest = digest_number(digest, r->place.kind);
        digest = digest_string(digest, r->place.file);
        return digest_number(digest, r->place.line);
}

static const struct recommendation *find(const struct advice *a, enum rule rule)
{
        for (size_t i = 0; i < a->n_recommendations; i++)
                if (a->recommendations[i].rule == rule)
                        return &a->recommendations[i];
        return NULL;
}

static bool is_undecided(const struct advice *a, enum rule rule)
{
        for (size_t i = 0; i < a->n_cannot_tell; i++)
                if (a->cannot_tell[i].rule == rule)
                        return true;
        return find(a, RULE_UNRESPONSIVE) != NULL;
}

/* Is a standing or new recommendation worth a line now? */
static bool is_news(const struct ledger_entry *e, uint64_t digest, usec_t now_usec, enum news *ret)
{
        if (!e->standing)
                *ret = NEWS_APPEARED;
        else if (e->digest != digest)
                *ret = NEWS_CHANGED;
        else if (now_usec >= e->said_usec && now_usec - e->said_usec >= USEC_PER_DAY)
                *ret = NEWS_REPEATED;
        else
                return false;
        return true;
}

size_t ledger_update(struct ledger *l, const struct advice *a, usec_t now_usec,
                     struct news_item items[static RULE_COUNT])
{
        size_t n = 0;

        for (enum rule rule = 0; rule < RULE_COUNT; rule++) {
                struct ledger_entry *e = &l->entry[rule];
                const struct recommendation *r = find(a, rule);
                enum news kind;

                if (rule == RULE_UNRESPONSIVE)
                        continue;
                if (r) {
                        uint64_t digest = digest_recommendation(r);

                        if (!is_news(e, digest, now_usec, &kind))
                                continue;
                        *e = (struct ledger_entry){ .standing = true, .digest = digest, .said_usec = now_usec };
                        items[n++] = (struct news_item){ .kind = kind, .rule = rule, .recommendation = r };
                } else if (e->standing && !is_undecided(a, rule)) {
                        *e = (struct ledger_entry){ 0 };
                        items[n++] = (struct news_item){ .kind = NEWS_RESOLVED, .rule = rule };
                }
        }
        return n;
}
