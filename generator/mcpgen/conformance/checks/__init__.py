"""The table of checks, page by page in the order of a report.

A check is one function and one row in the module of its page, and one broken server in
`tests/broken/`.
"""

from mcpgen.conformance.checks import (
    jsonrpc,
    lifecycle,
    modern,
    reach,
    security,
    tool_errors,
    tool_results,
    tools_list,
    transport,
    trial,
    universal,
)
from mcpgen.conformance.checks.rule import Rule
from mcpgen.conformance.model import Check

PAGES = (
    reach,
    lifecycle,
    modern,
    transport,
    jsonrpc,
    tools_list,
    universal,
    tool_results,
    tool_errors,
    security,
)

RULES: tuple[Rule, ...] = tuple(rule for page in PAGES for rule in page.RULES)
"""Every check with its judge."""

TABLE: dict[str, Check] = {
    check.id: check for check in (*(rule.check for rule in RULES), *trial.CHECKS)
}
"""Every check by its id, also those that only a trial can make."""
