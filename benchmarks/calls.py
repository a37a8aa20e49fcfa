"""What validation and assembly of one call cost: `python -m benchmarks.calls`.

A tool like most: a path parameter, four of the query with an array among them, and a tool with a
JSON body of twelve fields in three objects. The cost is from the arguments, as a client sends
them, to the request as it goes on the wire; what the network and the protocol take is not in it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool
from mcpgen_runtime.upstream.operation import SchemaStore, ToolOperation

BOUND = 50e-6
"""Seconds of the processor that an ordinary call may take."""

ROUNDS, CALLS = 50, 400
_HINTS = Hints(read_only=True, destructive=False, idempotent=True)
_TEXT = {"type": "string", "minLength": 1, "maxLength": 200}
_COUNT = {"type": "integer", "minimum": 1, "maximum": 100}

READ = Tool(
    "list_orders",
    "List orders",
    "",
    Route("GET", "/shops/{shop}/orders"),
    _HINTS,
    (
        Argument("shop", "path", _TEXT, True, style="simple"),
        Argument("state", "query", {"type": "string", "enum": ["open", "done"]}, style="form"),
        Argument("page", "query", _COUNT, style="form"),
        Argument("tags", "query", {"type": "array", "items": _TEXT}, style="form", explode=True),
        Argument("search", "query", _TEXT, style="form"),
    ),
)
READ_ARGUMENTS = {
    "shop": "gullhaven",
    "state": "open",
    "page": 3,
    "tags": ["blue", "large"],
    "search": "two tents & a stove",
}

_PLACES = [(part, name) for part in ("", "ship", "bill") for name in ("name", "street", "city")]
WRITE = Tool(
    "create_order",
    "Create order",
    "",
    Route(
        "POST",
        "/orders",
        body=Body(
            "application/json",
            True,
            {
                "type": "object",
                "required": ["name", "count"],
                "properties": {
                    **dict.fromkeys(("name", "street", "city"), _TEXT),
                    "ship": {"type": "object", "properties": dict.fromkeys(("name",), _TEXT)},
                    "bill": {"type": "object", "properties": dict.fromkeys(("name",), _TEXT)},
                    "count": _COUNT,
                },
            },
        ),
    ),
    _HINTS,
    (
        *(
            Argument(f"{part}_{name}".strip("_"), "body", _TEXT, to=(part, name) if part else None)
            for part, name in _PLACES
        ),
        Argument("count", "body", _COUNT, True),
        Argument("express", "body", {"type": "boolean"}),
        Argument("price", "body", {"type": "number", "minimum": 0}),
    ),
)
WRITE_ARGUMENTS: dict[str, Any] = {
    **{f"{part}_{name}".strip("_"): "Gullhaven 7" for part, name in _PLACES},
    "count": 2,
    "express": True,
    "price": 12.5,
}


def assembling(tool: Tool, arguments: Mapping[str, Any]) -> Callable[[], object]:
    """One call of a tool, from its arguments to its request, with everything compiled before."""
    operation = ToolOperation(tool, SchemaStore())

    def call() -> object:
        operation.refuse_invalid(arguments)
        return operation.request(arguments)

    call()
    return call


def cost(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the processor per call: those of the median round, and of the best."""
    rounds = []
    for _ in range(ROUNDS):
        before = process_time()
        for _ in range(CALLS):
            call()
        rounds.append((process_time() - before) / CALLS)
    return median(rounds), min(rounds)


def main() -> None:
    """Prints what each tool costs; fails if one costs more than the bound."""
    worst = 0.0
    for tool, arguments in ((READ, READ_ARGUMENTS), (WRITE, WRITE_ARGUMENTS)):
        middle, best = cost(assembling(tool, arguments))
        worst = max(worst, middle)
        print(f"{tool.name}: median {middle * 1e6:.1f} µs, best {best * 1e6:.1f} µs per call")
    print(f"bound: {BOUND * 1e6:.0f} µs")
    sys.exit(worst > BOUND)


if __name__ == "__main__":
    main()
