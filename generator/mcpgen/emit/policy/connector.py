"""The rule that gives two tools the shape that connectors of ChatGPT expect."""

from __future__ import annotations

from mcpgen.emit.literal import Call
from mcpgen.emit.policy.declared import Declared
from mcpgen.ir.server import Contract, Server

_CALLEES = {"search": "Search", "fetch": "Fetch"}


def connector(server: Server) -> Declared | None:
    """`Connector(search=Search(…), fetch=Fetch(…))`."""
    contracts = {tool.contract.name: tool.contract for tool in server.tools if tool.contract}
    if not contracts:
        return None
    kept = [contracts[name] for name in _CALLEES if name in contracts]
    calls = tuple((each.name, _call(each)) for each in kept)
    names = ("Connector", *(_CALLEES[each.name] for each in kept))
    return Declared(Call("Connector", (), calls), {"connector": names})


def _call(contract: Contract) -> Call:
    """`Search(…)` or `Fetch(…)`, with the paths that are said."""
    said = tuple((key, path) for key, path in contract.paths.items() if path)
    more = (("metadata", contract.metadata),) if contract.metadata else ()
    return Call(_CALLEES[contract.name], (), (*said, *more))
