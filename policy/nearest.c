/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Edit distance with neighbour swaps (optimal string alignment). See nearest.h. */

#include "policy/nearest.h"

#include <limits.h>
#include <string.h>

#define WORD_MAX 63

unsigned word_distance(const char *a, const char *b)
{
        size_t n = strlen(a), m = strlen(b);
        unsigned d[WORD_MAX + 1][WORD_MAX + 1];

        if (n > WORD_MAX || m > WORD_MAX)
                return UINT_MAX;
        for (size_t i = 0; i <= n; i++)
                d[i][0] = (unsigned) i;
        for (size_t k = 0; k <= m; k++)
                d[0][k] = (unsigned) k;
        for (size_t i = 1; i <= n; i++)
                for (size_t k = 1; k <= m; k++) {
                        unsigned best = d[i - 1][k - 1] + (a[i - 1] != b[k - 1]);

                        best = MIN(best, d[i - 1][k] + 1);
                        best = MIN(best, d[i][k - 1] + 1);
                        if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                                best = MIN(best, d[i - 2][k - 2] + 1);
                        d[i][k] = best;
                }
        return d[n][m];
}

bool word_is_near(const char *word, const char *candidate)
{
        size_t n = strlen(candidate);

        return word_distance(word, candidate) <= MAX(n / 3, (size_t) 1);
}
