/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/liveness.c: scripts of what the witnesses say, one letter per step, and
 * weeks of a simulated client and server.
 */
#include "tests/unit/policy_world.h"

#include "policy/liveness.h"

/*
 * Letters of a script:
 *   a  a reading: two calls sent and answered            i  a reading: nothing moved
 *   s  a reading: one call sent, no reply                r  a reading: one late reply, nothing sent
 *   A  as a, and one retransmission leaves a gap         c  a reading: reconnected, one call sent again
 *   e  a reading: nothing moved, lease expired           E  as a, lease expired
 *   z  a reading: counters set up anew
 *   u  a reading without counters
 *   O  NULL ok   N  NULL unanswered   G  NULL: not NFS   X  NULL impossible   U  NULL untried
 *   K  a child is stuck   k  a child came back
 * Expected, one letter per step: . same   W went silent   B came back
 */
static const struct script {
        const char *name;
        const char *steps;
        const char *want;
} scripts[] = {
        { "a busy mount",                               "aaaaaaOaaa",    ".........." },
        { "an idle mount, for ever",                    "aiiiiiiiii",    ".........." },
        { "an idle mount while NULL fails",             "aiiiNiiiNiii",  "............" },
        { "an idle mount with a retransmission gap",    "aAiOiiiiiiii",  "............" },
        { "and NULL is impossible",                     "aXAiiiiiiiii",  "............" },
        { "gap from before the first reading",          "siiiNiiii",     "........." },
        { "silent, NULL fails",                         "asiN",          "...W" },
        { "silent, NULL says something else",           "asiG",          "...W" },
        { "one call in flight is not silence",          "asN",           "..." },
        { "NULL failed first, then silent",             "aNsi",          "...W" },
        { "silent, NULL answers: the client is stuck",  "asiOiiii",      "........" },
        { "silent, NULL untried",                       "asiUiiiiii",    ".........." },
        { "child stuck alone",                          "aKaKa",         "....." },
        { "child stuck and NULL fails",                 "aKN",           "..W" },
        { "NULL fails and then a child is stuck",       "aNK",           "..W" },
        { "child came back before NULL failed",         "aKkN",          "...." },
        { "lease expired once",                         "aeNaei",        "......" },
        { "lease expired twice, NULL fails",            "aeeN",          "...W" },
        { "lease expired twice, NULL answers",          "aeeOi",         "....." },
        { "lease expired twice, NULL impossible",       "Xaee",          "...W" },
        { "lease expired, but replies come",             "XaEEaNEE",      "........" },
        { "replies from before the failed NULL call",   "aNasi",         "....W" },
        { "in flight when NULL was answered",           "asOiN",         "....W" },
        { "counters alone need three readings",         "Xasiii",        ".....W" },
        { "counters alone, two readings",               "Xasiia",        "......" },
        { "counters alone, back by replies",            "Xasiiia",       ".....WB" },
        { "back by NULL",                               "asiNiiO",       "...W..B" },
        { "replies alone do not overrule NULL at once", "asiNra",        "...W.." },
        { "three readings with replies do",             "asiNiaaa",      "...W...B" },
        { "NULL becomes impossible, replies come",      "asiNXa",        "...W.B" },
        { "one event per outage",                       "asiNiNKeNiO",   "...W......B" },
        { "two outages",                                "asiNOasiNO",    "...WB...WB" },
        { "firewall: replies while NULL fails",         "aNaaAiiiNii",   "..........." },
        { "firewall, then really silent",               "aNaasiiiN",     ".......W." },
        { "a reconnect is not silence",                 "Xasccccc",      "........" },
        { "counters set up anew while outstanding",     "asziiiN",       "......." },
        { "counters vanish",                            "asiNuuO",       "...W..B" },
        { "first reading during an outage, v3 resends", "sNsi",          "...W" },
};

struct machine {
        struct liveness_state s;
        struct counters c;
        usec_t now;
};

static enum liveness_change reading(struct machine *m, unsigned sent, unsigned received)
{
        m->c.transport.sends += sent;
        m->c.transport.receives += received;
        return liveness_counters(&m->s, &m->c, m->now);
}

static enum liveness_change step(struct machine *m, char letter)
{
        enum liveness_change change;

        m->now += USEC_PER_MINUTE;
        m->c.lease_known = true;
        m->c.lease_expired_sec = letter == 'e' || letter == 'E' ? 30 : 0;
        m->c.known = letter != 'u';
        switch (letter) {
        case 'a':
        case 'E':
                return reading(m, 2, 2);
        case 'A':
                return reading(m, 3, 2);
        case 's':
                return reading(m, 1, 0);
        case 'r':
                return reading(m, 0, 1);
        case 'c':
                m->c.transport.connects++;
                return reading(m, 1, 0);
        case 'z':
                m->c.transport = (struct transport_counters){ .transports = 1, .sends = 1 };
                return reading(m, 0, 0);
        case 'i':
        case 'e':
        case 'u':
                return reading(m, 0, 0);
        case 'O':
                change = liveness_null(&m->s, ANSWER_OK, m->now);
                ck_assert_int_eq(m->s.verdict, LIVENESS_ALIVE);
                return change;
        case 'N':
                return liveness_null(&m->s, ANSWER_NONE, m->now);
        case 'G':
                return liveness_null(&m->s, ANSWER_NOT_NFS, m->now);
        case 'X':
                return liveness_null(&m->s, ANSWER_IMPOSSIBLE, m->now);
        case 'U':
                return liveness_null(&m->s, ANSWER_UNTRIED, m->now);
        default:
                ck_assert(letter == 'K' || letter == 'k');
                return liveness_child(&m->s, letter == 'K', m->now);
        }
}

START_TEST(scripted)
{
        for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
                const struct script *row = &scripts[i];
                struct machine m = { .now = NOW, .c.transport = { .transports = 1, .sends = 1000, .receives = 1000 } };
                char got[40] = "";

                ck_assert_msg(strlen(row->steps) == strlen(row->want), "%s: the row itself is wrong", row->name);
                for (size_t j = 0; row->steps[j]; j++)
                        got[j] = ".WB"[step(&m, row->steps[j])];
                ck_assert_msg(strcmp(got, row->want) == 0, "%s: %s gave %s, want %s", row->name, row->steps, got,
                              row->want);
        }
}
END_TEST

START_TEST(wants_null)
{
        static const struct {
                const char *steps;
                bool want;
        } rows[] = {
                { "", false },    { "aaii", false },   { "asi", true },    { "as", false }, { "asiO", false },
                { "asiN", true }, { "aK", true },      { "ae", false },    { "aee", true }, { "Xasi", false },
                { "aAi", true },  { "aAiOii", false }, { "aNaai", false },
        };

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
                struct machine m = { .now = NOW };

                for (size_t j = 0; rows[i].steps[j]; j++)
                        (void)step(&m, rows[i].steps[j]);
                ck_assert_msg(liveness_wants_null(&m.s) == rows[i].want, "after \"%s\"", rows[i].steps);
        }
}
END_TEST

START_TEST(words)
{
        struct machine m = { .now = NOW };
        char *w;

        for (const char *p = "aKsiiN"; *p; p++)
                (void)step(&m, *p);
        w = liveness_words(&m.s, m.now + 5 * USEC_PER_MINUTE);
        ck_assert_ptr_nonnull(w);
        ck_assert_msg(strstr(w, "NULL call unanswered") && strstr(w, "2 readings without a reply") &&
                              strstr(w, "process") && strstr(w, "5 min"),
                      "%s", w);
        free(w);
        m = (struct machine){ 0 };
        w = liveness_words(&m.s, NOW);
        ck_assert_str_eq(w, "");
        free(w);
}
END_TEST

/* ---- weeks of a client and a server -------------------------------------------- */

struct sim {
        struct machine m;
        uint64_t random;
        bool     up;                    /* the server answers */
        bool     null_possible;
        bool     null_blocked;          /* a firewall eats NULL calls */
        unsigned outstanding;
        unsigned downs, silences, returns;
};

/* One interval of a client: sends at random, answers when up, and a version 3
 * client sends again what is outstanding now and then. */
static void client_minute(struct sim *s)
{
        struct transport_counters *t = &s->m.c.transport;
        unsigned new_calls = world_random(&s->random) % 3 == 0 ? (unsigned)(world_random(&s->random) % 20) : 0;

        if (s->up) {
                t->sends += new_calls;
                t->receives += new_calls + s->outstanding;
                s->outstanding = 0;
                if (world_random(&s->random) % 50 == 0 && new_calls > 0)
                        t->sends++;             /* sent twice, answered once: a gap for ever */
                if (world_random(&s->random) % 20 == 0 && new_calls > 0) {
                        t->receives--;          /* in flight at the reading */
                        s->outstanding = 1;
                }
        } else {
                if (s->outstanding == 0 && new_calls > 0) {
                        s->outstanding = new_calls;
                        t->sends += new_calls;
                } else if (s->outstanding > 0 && world_random(&s->random) % 3 == 0) {
                        t->sends += s->outstanding;
                }
        }
}

static void note(struct sim *s, enum liveness_change change)
{
        s->silences += change == LIVENESS_WENT_SILENT;
        s->returns += change == LIVENESS_CAME_BACK;
}

static enum answer ask_null(const struct sim *s)
{
        if (!s->null_possible)
                return ANSWER_IMPOSSIBLE;
        return s->up && !s->null_blocked ? ANSWER_OK : ANSWER_NONE;
}

static void minute(struct sim *s, unsigned i)
{
        s->m.now += USEC_PER_MINUTE;
        client_minute(s);
        note(s, liveness_counters(&s->m.s, &s->m.c, s->m.now));
        if (i % 60 == 0 || liveness_wants_null(&s->m.s))
                note(s, liveness_null(&s->m.s, ask_null(s), s->m.now));
}

static void run(struct sim *s, uint64_t seed, unsigned outages)
{
        for (unsigned outage = 0; outage < outages; outage++) {
                unsigned quiet = 600 + (unsigned)(world_random(&s->random) % 600);

                for (unsigned i = 0; i < quiet; i++)
                        minute(s, i);
                ck_assert_msg(s->silences == s->downs && s->returns == s->downs,
                              "seed %llu: after %u outages %u silences, %u returns (NULL %d, blocked %d)",
                              (unsigned long long)seed, s->downs, s->silences, s->returns, s->null_possible,
                              s->null_blocked);
                s->up = false;
                s->downs++;
                for (unsigned i = 0; i < 120; i++)
                        minute(s, i);
                ck_assert_msg(s->silences == s->downs && s->returns == s->downs - 1,
                              "seed %llu: in outage %u %u silences, %u returns (NULL %d, blocked %d)",
                              (unsigned long long)seed, s->downs, s->silences, s->returns, s->null_possible,
                              s->null_blocked);
                s->up = true;
        }
}

START_TEST(weeks)
{
        static const struct {
                bool possible, blocked;
        } rows[] = { { true, false }, { false, false }, { true, true } };
        uint64_t seed = world_seed();

        for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
                for (unsigned world = 0; world < 10; world++) {
                        struct sim s = {
                                .m = { .now = NOW, .c = { .known = true, .transport = { .transports = 1 } } },
                                .random = seed + world * 7919,
                                .up = true,
                                .null_possible = rows[i].possible,
                                .null_blocked = rows[i].blocked,
                        };

                        run(&s, seed, 30);
                }
}
END_TEST

WORLD_MAIN("policy liveness", scripted, wants_null, words, weeks)
