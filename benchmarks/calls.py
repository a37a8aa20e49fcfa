"""Measures validation and request assembly of a call: `python -m benchmarks.calls`.

One tool has a path parameter and four query parameters, an array included; the other has a JSON body of
twelve fields in three objects. Measured from the arguments as a client sends them to the HTTP request,
without network and protocol.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from mcpgen_runtime.extensions import Definitions
from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool
from mcpgen_runtime.upstream.general_operation import GeneralOperation
from mcpgen_runtime.upstream.operation import ToolOperation, is_json_tool

BOUND = 50e-6
"""Processor seconds of a call."""

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


def prepare_call(tool: Tool, arguments: Mapping[str, Any]) -> Callable[[], object]:
    """A function that validates the arguments and assembles the request; schemas are compiled before."""
    kind = ToolOperation if is_json_tool(tool) else GeneralOperation
    operation = kind(tool, Definitions())

    def call() -> object:
        operation.refuse_invalid(arguments)
        return operation.request(arguments)

    call()
    return call


def cost(call: Callable[[], object]) -> tuple[float, float]:
    """Processor seconds per call of the median round and of the best round."""
    rounds = []
    for _ in range(ROUNDS):
        start = process_time()
        for _ in range(CALLS):
            call()
        rounds.append((process_time() - start) / CALLS)
    return median(rounds), min(rounds)


def main() -> None:
    """Prints a line per tool; fails if a median exceeds the bound."""
    worst = 0.0
    for tool, arguments in ((READ, READ_ARGUMENTS), (WRITE, WRITE_ARGUMENTS)):
        middle, best = cost(prepare_call(tool, arguments))
        worst = max(worst, middle)
        print(f"{tool.name}: median {middle * 1e6:.1f} µs, best {best * 1e6:.1f} µs per call")
    print(f"bound: {BOUND * 1e6:.0f} µs")
    sys.exit(worst > BOUND)


if __name__ == "__main__":
    main()
