"""An answer from which a contract can take all of its parts."""

from __future__ import annotations

from mcpgen.ir.server import Contract
from mcpgen.ir.source import Json


def connector_response(contract: Contract) -> Json:
    """The least answer that has something at every path of a contract."""
    whole: dict[str, Json] = {}
    paths = {key: path for key, path in contract.paths.items() if path and key != "results"}
    for path in (*paths.values(), *contract.metadata):
        _put(whole, path.split("."))
    if contract.name != "search":
        return whole
    answer: Json = [whole]
    for step in reversed(contract.paths["results"].split(".") if contract.paths["results"] else []):
        answer = {step: answer}
    return answer


def _put(tree: dict[str, Json], steps: list[str]) -> None:
    for step in steps[:-1]:
        inner = tree.get(step)
        if not isinstance(inner, dict):
            inner = tree[step] = {}
        tree = inner
    tree.setdefault(steps[-1], "sample")
