"""The rules of one host, made from its facts."""

from __future__ import annotations

from mcpgen.conformance.checks.rule import Rule
from mcpgen.conformance.profiles import Profile


def rules_of(profile: Profile) -> tuple[Rule, ...]:
    """One rule for each fact about the host that a check can judge."""
    return ()
