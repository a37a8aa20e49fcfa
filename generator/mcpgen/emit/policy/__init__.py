"""`package/policy.py`: the middleware rules of a server."""

from __future__ import annotations

from collections.abc import Callable

from mcpgen.emit.code import SourceText, docstring, identifier, imports, literal
from mcpgen.emit.feature_declaration import RuleDeclaration
from mcpgen.emit.package_files import api_name
from mcpgen.emit.policy.access import (
    authentication,
    credentials,
    endpoint,
    features,
    roles_rule,
    scopes_rule,
    toolsets_rule,
)
from mcpgen.emit.policy.calls import (
    breaker,
    caps,
    confirmation,
    connector,
    pages,
    rate_limits,
    retries,
)
from mcpgen.emit.policy.observability import audit, correlation, metrics, registration, telemetry
from mcpgen.emit.views import PolicyView
from mcpgen.ir.server import Server

RULES: tuple[Callable[[Server], RuleDeclaration | None], ...] = (
    correlation,
    telemetry,
    metrics,
    audit,
    endpoint,
    features,
    authentication,
    roles_rule,
    scopes_rule,
    toolsets_rule,
    rate_limits,
    caps,
    pages,
    confirmation,
    connector,
    credentials,
    retries,
    breaker,
    registration,
)
"""The functions that declare each rule, or return None for a server without the rule. The first
rule stands outermost."""


def rules(server: Server) -> tuple[RuleDeclaration, ...]:
    """The rules of a server, the outermost first."""
    return tuple(rule for make in RULES if (rule := make(server)))


def policy_view(server: Server) -> PolicyView:
    """`package/policy.py` of a server with rules."""
    declared = rules(server)
    package = identifier(server.package)
    calls = tuple(rule.call for rule in declared)
    return PolicyView(
        package=package,
        summary=docstring(f"Rules for calls of the MCP server of the {api_name(server)}"),
        imports=_rule_imports(server, declared),
        rules=literal(calls, indent=4, before=len("return ")),
    )


def _rule_imports(server: Server, declared: tuple[RuleDeclaration, ...]) -> tuple[SourceText, ...]:
    """One import statement per module of the runtime, in order."""
    names: dict[str, set[str]] = {"server.middleware": {"Middleware"}}
    for rule in declared:
        for module, named in rule.imports.items():
            names.setdefault(module, set()).update(named)
    runtime = f"{server.package}._runtime"
    return tuple(imports(f"{runtime}.{module}", tuple(names[module])) for module in sorted(names))


__all__ = ["RuleDeclaration", "policy_view", "rules"]
