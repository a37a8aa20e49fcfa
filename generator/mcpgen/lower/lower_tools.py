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
from mcpgen.lower.descriptions import DescriptionBudget
from mcpgen.lower.endpoint_parameters import EndpointParameters
from mcpgen.lower.flatten import Unsupported
from mcpgen.lower.flatten.schema_view import PREFIX, SAME_VALUE
from mcpgen.lower.tool import ToolLowering, tool_lowering
from mcpgen.parallel import WorkerPool

ToolJob = tuple[Operation, str, str]
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

    result: ToolSpec | Unsupported
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
                CachedFinding(
                    finding.code.id, finding.at, finding.message, finding.hint, finding.severity
                )
                for finding in findings
            ),
        )

    @property
    def lowered_tool(self) -> LoweredTool:
        """Returns the lowered tool. Raises KeyError for an unknown code."""
        findings = (
            Diagnostic(
                TABLE[finding.code], finding.at, finding.message, finding.hint, finding.severity
            )
            for finding in self.findings
        )
        return LoweredTool(self.tool, tuple(findings))


def cache_keys(
    context: ToolContext, budget: DescriptionBudget, jobs: Sequence[ToolJob]
) -> list[str]:
    """Returns a cache key per operation: a hash of the operation, reachable schemas and shared
    input."""
    api, config = context.api, context.config
    places = {path: at for path, at in config.locations.items() if path[0] not in _WRITTEN}
    named = ("names", "tool_names", "operation_ids")
    usual = {name: getattr(_USUAL, name) for name in (*_WRITTEN, *named)}
    relevant = replace(config, **usual, locations=places)
    schemes = dict(api.security_schemes)
    samples = dict(context.bound.samples)
    shared = hash_texts(repr((relevant, budget, samples, context.scenarios, api.servers, schemes)))
    digests = DefinitionKeys(
        {name: canonical_json(schema) for name, schema in api.definitions.items()}
    )
    return [digests.of(f"{shared} {canonical_json(job)}") for job in jobs]


def lower_tools(
    context: ToolContext,
    lowering: ToolLowering,
    jobs: Sequence[ToolJob],
    diagnostics: Diagnostics,
    pool: WorkerPool,
    build_cache: BuildCache,
) -> list[ToolSpec | Unsupported]:
    """Lowers every operation to a tool or `Unsupported`, in document order.

    Unchanged operations come from the build cache; `pool` lowers the rest in parallel.
    """
    if not _are_independent(context.api, jobs):
        return [lowering.tool(*job) for job in jobs]
    keys = (
        cache_keys(context, lowering.budget, jobs)
        if _is_cacheable(context, build_cache, jobs)
        else []
    )
    cached = [build_cache.get(key, CachedTool) for key in keys] or [None] * len(jobs)
    remaining = [job for job, hit in zip(jobs, cached, strict=True) if hit is None]
    lowered = iter(pool.map(lowering_function, context, remaining, _lowering_function(lowering)))
    results = [hit.lowered_tool if hit else next(lowered) for hit in cached]
    for key, hit, entry in zip(keys, cached, results, strict=False):
        if hit is None and isinstance(entry.result, ToolSpec):
            build_cache.put(key, CachedTool.of(entry.result, entry.findings))
    for entry in results:
        diagnostics.add_translated(entry.findings)
    return [entry.result for entry in results]


def lowering_function(context: ToolContext) -> Callable[[Sequence[ToolJob]], list[LoweredTool]]:
    """Returns the worker function of a process, for `WorkerPool.map`."""
    api, config, bound = context.api, context.config, context.bound
    scenarios = context.scenarios
    lowering = tool_lowering(
        api, config, context.operations, Diagnostics(), bound, scenarios=scenarios
    )
    return _lowering_function(lowering)


def _lowering_function(lowering: ToolLowering) -> Callable[[Sequence[ToolJob]], list[LoweredTool]]:
    """Returns a function that lowers operations and collects diagnostics per operation.

    A diagnostic of a shared definition belongs to the first operation that reaches the definition.
    The main process lowers a worker's shared definitions again, so results do not depend on
    scheduling.
    """
    diagnostics = Diagnostics()
    own = lowering.reporting_to(diagnostics)
    return lambda jobs: [LoweredTool(own.tool(*job), diagnostics.take_all()) for job in jobs]


def _is_cacheable(context: ToolContext, build_cache: BuildCache, jobs: Sequence[ToolJob]) -> bool:
    """True if tools are cached. Mode `nested` is not: its diagnostics come from definitions
    outside the checks."""
    is_nested = context.config.flattening.mode is FlattenMode.NESTED
    return build_cache.is_worth(len(jobs)) and not is_nested


def _are_independent(api: ApiDescription, jobs: Iterable[ToolJob]) -> bool:
    """True if tools do not depend on their order: no argument overrides share settings, and no
    schema contains itself through `allOf`, where the first view decides."""
    if any(operation.extension.arguments for operation, _, _ in jobs):
        return False
    parts = {
        name: set(_same_value_references(schema.json)) for name, schema in api.definitions.items()
    }
    return not _has_cycle(parts)


def _same_value_references(schema: Json) -> Iterable[str]:
    """Yields the definitions that apply to the same value as a schema."""
    if not isinstance(schema, dict):
        return
    if isinstance(reference := schema.get("$ref"), str):
        yield reference.removeprefix(PREFIX)
    for keyword in SAME_VALUE & schema.keys():
        part = schema[keyword]
        for subschema in part if isinstance(part, list) else [part]:
            yield from _same_value_references(subschema)


def _has_cycle(steps: Mapping[str, set[str]]) -> bool:
    """True if a name reaches itself."""
    remaining = {name: {target for target in of if target in steps} for name, of in steps.items()}
    waiting = [name for name, of in remaining.items() if not of]
    leading: dict[str, list[str]] = {}
    for name, of in remaining.items():
        for target in of:
            leading.setdefault(target, []).append(name)
    while waiting:
        name = waiting.pop()
        del remaining[name]
        for above in leading.get(name, ()):
            remaining[above].discard(name)
            if not remaining[above]:
                waiting.append(above)
    return bool(remaining)
