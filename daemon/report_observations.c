/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was judged, to be judged again elsewhere. See report.h. */

#include <errno.h>

#include "daemon/json_build.h"
#include "daemon/report.h"
#include "probe/observation_json.h"

static int print_one(FILE *out, const struct observation *o, bool first)
{
        cleanup_free char *text = observation_to_json(o);

        if (!text)
                return -ENOMEM;
        if (fputs(first ? "\n" : ",\n", out) == EOF)
                return errno ? -errno : -EIO;
        return json_print_text(out, text, 0);
}

int report_observations(FILE *out, const struct report *r)
{
        int err = 0;

        errno = 0;
        if (fputs("[", out) == EOF)
                return errno ? -errno : -EIO;
        for (size_t i = 0; i < r->n_items && err == 0; i++)
                err = print_one(out, r->items[i].observation, i == 0);
        if (err == 0 && (fputs(r->n_items > 0 ? "\n]\n" : "]\n", out) == EOF || fflush(out) != 0))
                err = errno ? -errno : -EIO;
        return err;
}
