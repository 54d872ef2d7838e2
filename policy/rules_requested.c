/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/rules_requested.c - the rules about what was asked for. DESIGN section 6. */
#include "policy/rules.h"

int rule_invalid_option(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_obsolete_option(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_requested_drift(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_first_mount_wins(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}
