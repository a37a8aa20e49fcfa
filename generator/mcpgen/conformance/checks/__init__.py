"""The table of checks, in the order of a report.

A check consists of a row in `RULES` with its judge, texts in the TOML file of the same name, and a
server in `tests/broken/` that violates the requirement.
"""

from mcpgen.conformance.checks import (
    all_hosts,
    authorization,
    experience_workspace,
    intrusive,
    jsonrpc,
    latency,
    lifecycle,
    messages,
    prompts,
    resources,
    revision_2026_07_28,
    run_checks,
    security,
    stdio,
    tool_calls,
    tools_list,
    transport,
)
from mcpgen.conformance.checks.check_def import CheckDef
from mcpgen.conformance.checks.run_checks import HOST_CHECKS
from mcpgen.conformance.model import Check
from mcpgen.conformance.official.scenarios import CHECKS as OFFICIAL_CHECKS

PAGES = (
    lifecycle,
    revision_2026_07_28,
    transport,
    jsonrpc,
    tools_list,
    all_hosts,
    tool_calls,
    resources,
    prompts,
    messages,
    security,
    authorization,
    intrusive,
    experience_workspace,
    latency,
    stdio,
)

RULES: tuple[CheckDef, ...] = tuple(rule for page in PAGES for rule in page.RULES)
"""Every check with a judge."""

TABLE: dict[str, Check] = {
    check.id: check
    for check in (
        *(rule.check for rule in RULES),
        *HOST_CHECKS.values(),
        *run_checks.CHECKS,
        *OFFICIAL_CHECKS.values(),
    )
}
"""Every check by id: judged checks, host facts, checks about a run, the official suite."""
