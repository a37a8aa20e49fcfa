"""The rule that gives two tools the shapes that connectors of ChatGPT expect."""

from __future__ import annotations

from mcpgen.emit.literal import CallExpr
from mcpgen.emit.policy.rule_declaration import RuleDeclaration
from mcpgen.ir.server import Contract, Server

_CALLEES = {"search": "SearchShape", "fetch": "FetchShape"}


def connector(server: Server) -> RuleDeclaration | None:
    """`Connector(search=SearchShape(…), fetch=FetchShape(…))`."""
    contracts = {tool.contract.name: tool.contract for tool in server.tools if tool.contract}
    if not contracts:
        return None
    kept = [contracts[name] for name in _CALLEES if name in contracts]
    calls = tuple((each.name, _call(each)) for each in kept)
    names = ("Connector", *(_CALLEES[each.name] for each in kept))
    return RuleDeclaration(CallExpr("Connector", (), calls), {"search.connector": names})


def _call(contract: Contract) -> CallExpr:
    """`SearchShape(…)` or `FetchShape(…)`, with the configured paths."""
    said = tuple((key, path) for key, path in contract.paths.items() if path)
    more = (("metadata", contract.metadata),) if contract.metadata else ()
    return CallExpr(_CALLEES[contract.name], (), (*said, *more))
