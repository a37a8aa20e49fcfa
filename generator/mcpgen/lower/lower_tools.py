"""Lowers all operations to tools: in worker processes, and from the build cache where unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mcpgen.cache import BuildCache, DefinitionKeys, canonical_json, hash_texts
from mcpgen.config import Config, FlattenMode
from mcpgen.diagnostics import Diagnostic, Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import TABLE
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.server import ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.descriptions import Budget
from mcpgen.lower.endpoint_parameters import EndpointParameters
from mcpgen.lower.flatten import Unsupported
from mcpgen.lower.flatten.schema_view import PREFIX
from mcpgen.lower.flatten.schema_walk import SAME_VALUE
from mcpgen.lower.tool import ToolLowering, tool_lowering
from mcpgen.parallel import WorkerPool

Order = tuple[Operation, str, str]
"""An operation, and the name and module of its tool."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Input shared by all operations of one server."""

    api: ApiDescription
    config: Config
    operations: int
    bound: EndpointParameters
    scenarios: bool


@dataclass(frozen=True, slots=True)
class LoweredTool:
    """A tool or `Unsupported`, with the diagnostics found while lowering."""

    made: ToolSpec | Unsupported
    findings: tuple[Diagnostic, ...]


_USUAL = Config()
_WRITTEN = ("spec", "root", "name", "package", "overlays", "allow_remote", "runtime", "keep_going")
"""Settings without effect on any tool; a first build writes most of them to `mcpgen.toml`."""


@dataclass(frozen=True, slots=True)
class CachedFinding:
    """A diagnostic with its code as an id, for the cache."""

    code: str
    at: Location
    message: str
    hint: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class CachedTool:
    """A tool and its diagnostics, as the cache stores them."""

    tool: ToolSpec
    findings: tuple[CachedFinding, ...]

    @classmethod
    def of(cls, tool: ToolSpec, findings: Sequence[Diagnostic]) -> CachedTool:
        """Returns the cache entry of a tool."""
        return cls(
            tool,
            tuple(
                CachedFinding(each.code.id, each.at, each.message, each.hint, each.severity)
                for each in findings
            ),
        )

    @property
    def crafted(self) -> LoweredTool:
        """Returns the lowered tool. Raises KeyError for an unknown code."""
        findings = (
            Diagnostic(TABLE[each.code], each.at, each.message, each.hint, each.severity)
            for each in self.findings
        )
        return LoweredTool(self.tool, tuple(findings))


def keys_of(common: ToolContext, budget: Budget, orders: Sequence[Order]) -> list[str]:
    """Returns a cache key per operation: a hash of the operation, reachable schemas and shared
    input."""
    api, config = common.api, common.config
    places = {path: at for path, at in config.places.items() if path[0] not in _WRITTEN}
    named = ("names", "tool_names", "operation_ids")
    usual = {name: getattr(_USUAL, name) for name in (*_WRITTEN, *named)}
    chosen = replace(config, **usual, places=places)
    schemes = dict(api.security_schemes)
    samples = dict(common.bound.samples)
    shared = hash_texts(repr((chosen, budget, samples, common.scenarios, api.servers, schemes)))
    digests = DefinitionKeys(
        {name: canonical_json(schema) for name, schema in api.definitions.items()}
    )
    return [digests.of(f"{shared} {canonical_json(order)}") for order in orders]


def lower_tools(
    common: ToolContext,
    shop: ToolLowering,
    orders: Sequence[Order],
    diagnostics: Diagnostics,
    crew: WorkerPool,
    memory: BuildCache,
) -> list[ToolSpec | Unsupported]:
    """Lowers every operation to a tool or `Unsupported`, in document order.

    Unchanged operations come from the build cache; `crew` lowers the rest in parallel.
    """
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
    """Returns the worker function of a process, for `WorkerPool.map`."""
    api, config, bound = common.api, common.config, common.bound
    scenarios = common.scenarios
    made = tool_lowering(api, config, common.operations, Diagnostics(), bound, scenarios=scenarios)
    return _crafting(made)


def _crafting(shop: ToolLowering) -> Callable[[Sequence[Order]], list[LoweredTool]]:
    """Returns a function that lowers operations and collects diagnostics per operation.

    A diagnostic of a shared definition belongs to the first operation that reaches the definition.
    The main process lowers a worker's shared definitions again, so results do not depend on
    scheduling.
    """
    found = Diagnostics()
    own = shop.telling(found)
    return lambda orders: [LoweredTool(own.tool(*order), found.take_all()) for order in orders]


def _is_worth(common: ToolContext, memory: BuildCache, orders: Sequence[Order]) -> bool:
    """True if tools are cached. Mode `nested` is not: its diagnostics come from definitions
    outside the checks."""
    is_nested = common.config.flattening.mode is FlattenMode.NESTED
    return memory.is_worth(len(orders)) and not is_nested


def _are_apart(api: ApiDescription, orders: Iterable[Order]) -> bool:
    """True if tools do not depend on their order: no argument overrides share settings, and no
    schema contains itself through `allOf`, where the first view decides."""
    if any(operation.extension.arguments for operation, _, _ in orders):
        return False
    parts = {name: set(_parts(schema.json)) for name, schema in api.definitions.items()}
    return not _has_circle(parts)


def _parts(schema: Json) -> Iterable[str]:
    """Yields the definitions that apply to the same value as a schema."""
    if not isinstance(schema, dict):
        return
    if isinstance(reference := schema.get("$ref"), str):
        yield reference.removeprefix(PREFIX)
    for keyword in SAME_VALUE & schema.keys():
        part = schema[keyword]
        for each in part if isinstance(part, list) else [part]:
            yield from _parts(each)


def _has_circle(steps: Mapping[str, set[str]]) -> bool:
    """True if a name reaches itself."""
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
