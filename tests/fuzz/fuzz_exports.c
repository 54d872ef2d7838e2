/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An exports file or what exportfs -v printed, then the judgement of a mount and the lint of it. */
#include "probe/exports.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(const struct exports *e, const char *path, const char *fstype)
{
        struct mount_facts m = { .export_path = (char *)path, .fstype = (char *)fstype };
        struct export_facts f = { 0 };

        if (exports_judge(e, &m, &f) == 0)
                export_facts_done(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct findings findings = { 0 };
        struct exports e = { 0 };

        if (size <= EXPORTS_BYTES_MAX &&
            exports_parse((const char *)data, size, "/etc/exports", &e, &findings) == 0) {
                if (exports_sort(&e) < 0)
                        abort();
                judge(&e, "/srv/data", "nfs");
                judge(&e, "/", "nfs4");
                if (exports_lint(&e, &findings) < 0)
                        abort();
                exports_done(&e);
        }
        findings_done(&findings);
        return 0;
}
