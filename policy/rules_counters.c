/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/rules_counters.c - the rules that read the kernel's counters. DESIGN section 6. */
#include "policy/rules.h"

int rule_retransmissions(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_single_connection(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_read_ahead(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_small_files(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_network(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}
