"""The table of checks, page by page in the order of a report.

A check is one function and one row in the module of its page, and one broken server in
`tests/broken/`.
"""

from mcpgen.conformance.checks import (
    abuse,
    batches,
    challenges,
    headers,
    jsonrpc,
    judging,
    latency,
    lifecycle,
    messages,
    modern,
    notices,
    paging,
    prompts,
    reach,
    resources,
    security,
    sessions,
    streams,
    tokens,
    tool_errors,
    tool_results,
    tools_list,
    transport,
    trial,
    universal,
    universal_sizes,
    workspace,
)
from mcpgen.conformance.checks.rule import Rule
from mcpgen.conformance.hosts.table import CHECKS as HOST_CHECKS
from mcpgen.conformance.model import Check
from mcpgen.conformance.official.scenarios import CHECKS as OFFICIAL_CHECKS

PAGES = (
    reach,
    lifecycle,
    sessions,
    modern,
    headers,
    transport,
    streams,
    batches,
    jsonrpc,
    tools_list,
    paging,
    universal,
    universal_sizes,
    tool_results,
    tool_errors,
    resources,
    prompts,
    notices,
    messages,
    security,
    tokens,
    challenges,
    abuse,
    workspace,
    latency,
)

RULES: tuple[Rule, ...] = tuple(rule for page in PAGES for rule in page.RULES)
"""Every check with its judge."""

TABLE: dict[str, Check] = {
    check.id: check
    for check in (
        *(rule.check for rule in RULES),
        *HOST_CHECKS.values(),
        *trial.CHECKS,
        *judging.CHECKS,
        *OFFICIAL_CHECKS.values(),
    )
}
"""Every check by its id, also those that facts about hosts, trials and the official suite make."""
