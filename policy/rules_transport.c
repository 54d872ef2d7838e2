/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/rules_transport.c - the rules about protocol, version, time-outs and ports. DESIGN section 6. */
#include "policy/rules.h"

int rule_udp_transport(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_soft_mount(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_short_timeout(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_old_version(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}

int rule_reserved_port(const struct rule_context *c may_be_unused, struct rule_result *ret may_be_unused)
{
        return VERDICT_QUIET;
}
