"""The table of checks, page by page in the order of a report.

A check is one function and one row in the module of its page, and one broken server in
`tests/broken/`.
"""

from mcpgen.conformance.checks import (
    all_hosts,
    all_hosts_limits,
    batches,
    experience_workspace,
    headers,
    intrusive,
    jsonrpc,
    latency,
    lifecycle,
    messages,
    notifications,
    oauth_metadata,
    pagination,
    prompts,
    reachability,
    resources,
    revision_2026_07_28,
    run_checks,
    security,
    sessions,
    startup,
    streams,
    tokens,
    tool_errors,
    tool_results,
    tools_list,
    transport,
)
from mcpgen.conformance.checks.check_def import CheckDef
from mcpgen.conformance.hosts.checks import CHECKS as HOST_CHECKS
from mcpgen.conformance.model import Check
from mcpgen.conformance.official.scenarios import CHECKS as OFFICIAL_CHECKS

PAGES = (
    reachability,
    lifecycle,
    sessions,
    revision_2026_07_28,
    headers,
    transport,
    streams,
    batches,
    jsonrpc,
    tools_list,
    pagination,
    all_hosts,
    all_hosts_limits,
    tool_results,
    tool_errors,
    resources,
    prompts,
    notifications,
    messages,
    security,
    tokens,
    oauth_metadata,
    intrusive,
    experience_workspace,
    latency,
)

RULES: tuple[CheckDef, ...] = tuple(rule for page in PAGES for rule in page.RULES)
"""Every check with its judge."""

TABLE: dict[str, Check] = {
    check.id: check
    for check in (
        *(rule.check for rule in RULES),
        *HOST_CHECKS.values(),
        *startup.CHECKS,
        *run_checks.CHECKS,
        *OFFICIAL_CHECKS.values(),
    )
}
"""Every check by its id, also those that facts about hosts, trials and the official suite make."""
