"""`policy.py` in the package of a project: the middleware rules of the server."""

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

RULE_FUNCTIONS: tuple[Callable[[Server], RuleDeclaration | None], ...] = (
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
"""Functions that declare a rule each, or return None for a server without the rule. The order is that
of the middleware: a rule wraps all rules after it."""


def rules(server: Server) -> tuple[RuleDeclaration, ...]:
    """The declared rules of a server, in the order of `RULE_FUNCTIONS`."""
    return tuple(rule for declare in RULE_FUNCTIONS if (rule := declare(server)))


def policy_view(server: Server) -> PolicyView:
    """The view of `policy.py` of a server with rules."""
    declarations = rules(server)
    package = identifier(server.package)
    calls = tuple(rule.call for rule in declarations)
    return PolicyView(
        package=package,
        summary=docstring(f"Rules for calls of the MCP server of the {api_name(server)}"),
        imports=_rule_imports(server, declarations),
        rules=literal(calls, indent=4, before=len("return ")),
    )


def _rule_imports(
    server: Server, declarations: tuple[RuleDeclaration, ...]
) -> tuple[SourceText, ...]:
    """One import statement per module of the runtime, sorted by module."""
    # `Middleware` is in the return type of the generated function.
    names: dict[str, set[str]] = {"server.middleware": {"Middleware"}}
    for rule in declarations:
        for module, imported in rule.imports.items():
            names.setdefault(module, set()).update(imported)
    runtime = f"{server.package}._runtime"
    return tuple(imports(f"{runtime}.{module}", tuple(names[module])) for module in sorted(names))


__all__ = ["RuleDeclaration", "policy_view", "rules"]
