/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/params.h - what the administrator decided: the configuration as data.
 *
 * Layer:     policy types (pure). daemon/config.h fills it from files, tests
 *            fill it by hand.
 * Ownership: params_done() frees the per-mount array and every string.
 */
#pragma once

#include "policy/base.h"
#include "policy/profile.h"

enum run_mode {
        MODE_RECOMMEND,
        MODE_AUTO_REMOUNT,
        MODE_COUNT
};

enum mount_mode_setting {       /* [mount] mode */
        MOUNT_MODE_DEFAULT,     /* not said: [daemon] mode decides */
        MOUNT_MODE_RECOMMEND,
        MOUNT_MODE_AUTO_REMOUNT,
        MOUNT_MODE_COUNT
};

/* Part of a day, in minutes after midnight, local time; from > to: over midnight. */
struct day_window {
        unsigned from_minute;
        unsigned to_minute;     /* excluded */
};
#define WINDOWS_MAX 16

enum active_setting {           /* [probe] active */
        ACTIVE_AUTO,
        ACTIVE_YES,
        ACTIVE_NO,
        ACTIVE_COUNT
};

enum probe_setting {            /* [mount] probe */
        PROBE_SETTING_DEFAULT,  /* not said: [probe] active decides */
        PROBE_SETTING_ACTIVE,
        PROBE_SETTING_PASSIVE,
        PROBE_SETTING_OFF,      /* neither writes nor RPC of our own; counters only */
        PROBE_SETTING_COUNT
};

enum export_setting {           /* [mount] export */
        EXPORT_AUTO,
        EXPORT_SYNC,
        EXPORT_ASYNC,
        EXPORT_SETTING_COUNT
};

/* One [mount NAME] section. */
struct mount_params {
        char *name;
        char *path;
        enum mount_mode_setting mode;
        enum probe_setting probe;
        char **keep;            /* option names that are intended */
        size_t n_keep;
        enum export_setting export_setting;
        bool stable_storage;    /* the server's cache survives a power cut */
};

struct params {
        /* [daemon] */
        enum run_mode mode;
        usec_t interval_usec;           /* 1h */
        usec_t spread_usec;             /* 5min */
        usec_t passive_interval_usec;   /* 1min */
        /* [probe] */
        uint64_t probe_bytes;           /* 2M */
        usec_t probe_time_usec;         /* 5s */
        usec_t connect_timeout_usec;    /* 3s, for all RPC to one server in one probe: DESIGN section 4 */
        enum active_setting active;
        char *probe_user;               /* NULL: auto */
        char *probe_directory;          /* "." by default; never NULL after params_init() */
        /* [apply] */
        uint64_t apply_rules;           /* bit 1 << enum rule: may be applied in auto-remount mode */
        struct day_window windows[WINDOWS_MAX];
        size_t n_windows;               /* 0: always */
        bool persist;
        unsigned min_gain_permille;     /* 100 */
        struct mount_params *mounts;
        size_t n_mounts;
        struct server_profiles profiles;        /* servers.d */
};

/* Defaults of DESIGN section 11. Return: 0 or -ENOMEM. */
int params_init(struct params *p) must_check;
void params_done(struct params *p);

/* Settings of the mount at @target: the section whose path is equal, or the
 * built-in defaults. Never NULL; borrowed. */
const struct mount_params *params_for_mount(const struct params *p, const char *target);

/* What holds for the mount at @target: its own mode, else the host's. */
enum run_mode params_mode_for_mount(const struct params *p, const char *target);

/* Is a change allowed at this minute of the day? */
bool params_window_is_open(const struct params *p, unsigned minute_of_day);

/* Is the option named in the section's keep list? */
bool mount_params_keeps(const struct mount_params *m, const char *option_name);
