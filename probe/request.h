/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/request.h - what the daemon asks of nfstuned-probe.
 *
 * Layer:    probe (jansson only in request.c).
 * Protocol: one JSON line on standard input, then end of file. The helper
 *           answers with one JSON line per finished part on standard output
 *           (observation_json.h), the server part first and at once, so that it
 *           survives a helper that is killed later. Exit status 0 when every
 *           part asked for was printed.
 */
#pragma once

#include "policy/observation.h"

struct probe_request {
        struct mount_facts mount;       /* owned */
        bool ask_server;                /* NULL, versions, limits */
        bool ask_limits;                /* transfer limits too (else NULL and versions only) */
        bool write;                     /* run the short workloads */
        char *passive_reason;           /* words, when !write; or NULL */
        bool deep_commit;               /* also COMMIT of 4 x wsize, once a day */
        uint64_t budget_bytes;
        usec_t   budget_usec;           /* for the workloads */
        usec_t   connect_timeout_usec;  /* for all RPCs together */
        char    *user;                  /* NULL: auto */
        char    *directory;             /* below the mount */
};

char *probe_request_to_json(const struct probe_request *r) must_check;
int probe_request_from_json(const char *text, size_t length_bytes, struct probe_request *ret,
                            char **ret_error) must_check;
void probe_request_done(struct probe_request *r);
