/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/apply_request.h - what the daemon asks of nfstuned-mount beside the limits, and the answers.
 *
 * Layer:    daemon. External library: jansson.
 * Protocol: one JSON line with "op", end of file; one JSON line back. Whatever the request names is compared with
 *           the mount table by nfstuned-mount itself: a mount that is not NFS, another mount id, a symbolic link on the
 *           way, an option that the table does not know are refused and nothing is changed.
 */
#pragma once

#include "policy/compare.h"
#include "policy/staging.h"

enum apply_op {
        APPLY_LOOK,             /* busy? who uses it, who else has it: daemon/look.h */
        APPLY_LIVE,             /* daemon/live.h */
        APPLY_REPLACE,          /* daemon/replace.h */
        APPLY_REVEAL,           /* armed: try once more to unmount the old one */
        APPLY_RECOVER,          /* what a record says was begun: finish, undo or discard it: daemon/recover.h */
        APPLY_VERIFY,           /* the mount against a private one with the old options: daemon/verify.h */
        APPLY_PERSIST,          /* daemon/persist.h */
        APPLY_OP_COUNT
};

enum busy_mode {
        BUSY_WAIT,              /* arm: the new one waits beneath (old kernels: answer APPLY_END_BUSY) */
        BUSY_REFUSE,
        BUSY_DETACH,            /* who has it open goes on with the old one */
        BUSY_COUNT
};

/* What is edited where, whole lines. */
struct source_edit {
        enum place_kind kind;
        char *file;
        unsigned line;          /* 1-based; 0 for a drop-in that is written whole */
        char *old_text;         /* the line as it is now, without its newline; NULL: the file is new or ours */
        char *new_text;         /* the line, or the whole drop-in; NULL: the line is taken out */
        char *options;          /* fstab: the option field that libmount has to read back */
};
void source_edit_done(struct source_edit *e);
void source_edits_free(struct source_edit *edits, size_t n);

/* For the memory of what was written. NULL on -ENOMEM. */
char *source_edits_to_json(const struct source_edit *edits, size_t n) must_check;

/* Return: 0, -EINVAL or -ENOMEM. */
int source_edits_from_json(const char *text, struct source_edit **ret, size_t *ret_n) must_check;

struct apply_request {
        enum apply_op op;
        struct mount_facts mount;       /* VERIFY: the new one; RECOVER: target alone counts */
        struct staging staging;
        enum busy_mode busy;
        bool rollback;
        bool by_hand;
        bool persist;
        bool may_write;                 /* write and read back a file through the staged mount; VERIFY: run workloads */
        bool want_users;                /* LOOK: who keeps it busy */
        char *user;                     /* as in probe/request.h; NULL: auto */
        char *directory;
        usec_t budget_usec;             /* VERIFY */
        struct source_edit *edits;      /* PERSIST */
        size_t n_edits;
        bool dry_run;                   /* PERSIST: the diff alone */
};
void apply_request_done(struct apply_request *r);

enum apply_end {
        APPLY_END_DONE,         /* it holds now; RECOVER: it was finished */
        APPLY_END_ARMED,        /* the new one waits beneath */
        APPLY_END_BUSY,         /* nothing was changed */
        APPLY_END_REFUSED,      /* nothing was changed: words say why */
        APPLY_END_FAILED,       /* something went wrong in the middle, the old mount is back (or words say what is) */
        APPLY_END_NOTHING,      /* RECOVER: discarded, as it was; REVEAL: the armed state is gone;
                                 * VERIFY: somebody mounted another one */
        APPLY_END_COUNT
};

/* One process, or one mount of the superblock that others have. */
struct apply_user {
        int pid;
        char *command;          /* comm */
        char *what;             /* "working directory", "file /data/x", "mounted at /data in another namespace" */
        bool reached;           /* mounts elsewhere: an unmount here reaches it (propagation) */
        bool is_mount;          /* a mount elsewhere rather than a process that has it open here */
};

struct apply_answer {
        enum apply_end end;
        char *words;                    /* why; notes; or NULL */
        struct mount_facts mount;       /* the mount at the target now, as the mount table says; target NULL: none */
        bool busy;                      /* LOOK */
        struct apply_user *users;       /* LOOK */
        size_t n_users;
        bool elsewhere;                 /* LOOK: some copy is not reached */
        bool compared;                  /* VERIFY: @comparison is one */
        struct comparison comparison;
        char *diff;                     /* PERSIST: unified diff */
        char **backups;                 /* PERSIST: names of the backups made */
        size_t n_backups;
};
void apply_answer_done(struct apply_answer *a);

const char *apply_op_name(enum apply_op o);     /* "replace" */
const char *apply_end_name(enum apply_end e);   /* "armed" */
const char *busy_mode_name(enum busy_mode b);   /* "wait" */
int busy_mode_parse(const char *name, enum busy_mode *ret) must_check;

char *apply_request_to_json(const struct apply_request *r) must_check;

/* Unknown keys, wrong types, unknown operations, an fstype that is not NFS: -EINVAL with words.
 * Return: 0, -ENOENT when the text has no "op" (a request for limits), -EINVAL, -ENOMEM. */
int apply_request_from_json(const char *text, size_t length_bytes, struct apply_request *ret, char **ret_error)
        must_check;
char *apply_answer_to_json(const struct apply_answer *a) must_check;
int apply_answer_from_json(const char *text, size_t length_bytes, struct apply_answer *ret, char **ret_error)
        must_check;
