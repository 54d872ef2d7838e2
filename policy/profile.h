/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/profile.h - what is known of a kind of server beforehand.
 *
 * Layer:     policy types (pure). daemon/profiles.h fills it from
 *            servers.d/NAME.conf, tests fill it by hand.
 * Safety:    a profile takes advice away, adds caution, or adds advice that is
 *            never automatic; it never makes anything automatic.
 * Ownership: profiles_done() frees.
 */
#pragma once

#include "policy/base.h"

enum profile_answer {
        PROFILE_UNSAID,
        PROFILE_NO,
        PROFILE_YES,
        PROFILE_ANSWER_COUNT
};

struct server_profile {
        char *name;                     /* of the file: "efs" */
        char *title;                    /* "Amazon EFS" */
        char **hosts;                   /* host name patterns, '*' stands for anything: "*.efs.*.amazonaws.com" */
        size_t n_hosts;
        char **addresses;               /* "10.0.0.0/8", "192.0.2.7", "2001:db8::/32": only in an
                                         * administrator's own profile */
        size_t n_addresses;
        char **implementations;         /* patterns of impl_id's name: "NetApp Release*" */
        size_t n_implementations;
        uint64_t transfer_max_bytes;    /* sensible ceiling of rsize and wsize; 0: none */
        unsigned nconnect_max;          /* 0: not said */
        enum profile_answer noresvport; /* are reserved ports wrong here? */
        unsigned versions;              /* enum nfs_version_bit that it offers; 0: not said */
        enum profile_answer file_sync;  /* answers FILE_SYNC to UNSTABLE writes as a rule */
        enum profile_answer non_volatile; /* its cache survives a power cut: fast stable writes prove nothing */
        char *note;                     /* one sentence for the administrator; or NULL */
};

struct server_profiles {
        struct server_profile *items;   /* sorted by name */
        size_t n_items;
};

/* The profile of a server, or NULL. An implementation id is the server's own
 * word and wins, then the host name, then the address. Several that match: the
 * longest pattern. @host, @address, @implementation may be NULL. Borrowed. */
const struct server_profile *profile_find(const struct server_profiles *p, const char *host, const char *address,
                                          const char *implementation);

void server_profile_done(struct server_profile *p);
void server_profiles_done(struct server_profiles *p);
