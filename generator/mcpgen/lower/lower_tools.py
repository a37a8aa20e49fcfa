"""The tools of all operations, made by as many processes as there are.

What becomes of one operation depends on it, on the schemas it leads to and on the choices, never on
what became of another; only tools whose arguments share settings are made one after the other, here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from mcpgen.cache import BuildCache
from mcpgen.config import FlattenMode
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten import Unsupported
from mcpgen.lower.flatten.schema_view import PREFIX
from mcpgen.lower.flatten.schema_walk import SAME_VALUE
from mcpgen.lower.tool import ToolLowering, tool_lowering
from mcpgen.lower.tool_cache import CachedTool, LoweredTool, Order, ToolContext, keys_of
from mcpgen.parallel import WorkerPool


def lower_tools(
    common: ToolContext,
    shop: ToolLowering,
    orders: Sequence[Order],
    diagnostics: Diagnostics,
    crew: WorkerPool,
    memory: BuildCache,
) -> list[ToolSpec | Unsupported]:
    """The tools, or why there are none, in the order of the operations: those that nothing has
    changed of as they are remembered, the others made."""
    if not _are_apart(common.api, orders):
        return [shop.tool(*order) for order in orders]
    keys = keys_of(common, shop.budget, orders) if _is_worth(common, memory, orders) else []
    known = [memory.get(key, CachedTool) for key in keys] or [None] * len(orders)
    left = [order for order, found in zip(orders, known, strict=True) if found is None]
    made = iter(crew.map(crafter, common, left, _crafting(shop)))
    done = [found.crafted if found else next(made) for found in known]
    for key, found, one in zip(keys, known, done, strict=False):
        if found is None and isinstance(one.made, ToolSpec):
            memory.put(key, CachedTool.of(one.made, one.findings))
    for one in done:
        diagnostics.adopt(one.findings)
    return [one.made for one in done]


def crafter(common: ToolContext) -> Callable[[Sequence[Order]], list[LoweredTool]]:
    """What makes tools of operations; for `WorkerPool.divided`."""
    api, config, bound = common.api, common.config, common.bound
    scenarios = common.scenarios
    made = tool_lowering(api, config, common.operations, Diagnostics(), bound, scenarios=scenarios)
    return _crafting(made)


def _crafting(shop: ToolLowering) -> Callable[[Sequence[Order]], list[LoweredTool]]:
    """What makes tools as the workshop does, each with what was found about it.

    What is found about a definition is told with the first operation that leads to it. Who makes
    the server makes those that were made beside once more, so none of it depends on who was first.
    """
    found = Diagnostics()
    own = shop.telling(found)
    return lambda orders: [LoweredTool(own.tool(*order), found.taken()) for order in orders]


def _is_worth(common: ToolContext, memory: BuildCache, orders: Sequence[Order]) -> bool:
    """Whether tools are remembered. A nested one tells of definitions that no check leads to."""
    is_nested = common.config.flattening.mode is FlattenMode.NESTED
    return memory.is_worth(len(orders)) and not is_nested


def _are_apart(api: ApiDescription, orders: Iterable[Order]) -> bool:
    """Whether no tool depends on those before it: none shares a setting, and no schema is made of
    itself, of which the first look decides how it looks."""
    if any(operation.extension.arguments for operation, _, _ in orders):
        return False
    parts = {name: set(_parts(schema.json)) for name, schema in api.definitions.items()}
    return not _has_circle(parts)


def _parts(schema: Json) -> Iterable[str]:
    """The definitions that speak of the same value as a schema."""
    if not isinstance(schema, dict):
        return
    if isinstance(reference := schema.get("$ref"), str):
        yield reference.removeprefix(PREFIX)
    for keyword in SAME_VALUE & schema.keys():
        part = schema[keyword]
        for each in part if isinstance(part, list) else [part]:
            yield from _parts(each)


def _has_circle(steps: Mapping[str, set[str]]) -> bool:
    """Whether some name leads back to itself."""
    left = {name: {each for each in of if each in steps} for name, of in steps.items()}
    waiting = [name for name, of in left.items() if not of]
    leading: dict[str, list[str]] = {}
    for name, of in left.items():
        for each in of:
            leading.setdefault(each, []).append(name)
    while waiting:
        name = waiting.pop()
        del left[name]
        for above in leading.get(name, ()):
            left[above].discard(name)
            if not left[above]:
                waiting.append(above)
    return bool(left)
