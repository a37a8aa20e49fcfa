"""What is remembered of an operation, and the key that stands for all it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mcpgen.cache import DefinitionKeys, canonical_json, hash_texts
from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostic, Location, Severity
from mcpgen.diagnostics.codes import TABLE
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.description_budget import Budget
from mcpgen.lower.flatten import Unsupported
from mcpgen.lower.policy.endpoint_parameters import EndpointParameters

Order = tuple[Operation, str, str]
"""An operation with the name and the module of its tool."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What the tools of one server are made with."""

    api: ApiDescription
    config: Config
    operations: int
    bound: EndpointParameters
    scenarios: bool


@dataclass(frozen=True, slots=True)
class LoweredTool:
    """What became of an operation, and what was found about it."""

    made: ToolSpec | Unsupported
    findings: tuple[Diagnostic, ...]


_USUAL = Config()
_WRITTEN = (
    "spec",
    "root",
    "name",
    "package",
    "overlays",
    "allow_remote",
    "runtime",
    "fast_path",
    "keep_going",
)
"""Choices that no tool depends on, most of which a first build writes down."""


@dataclass(frozen=True, slots=True)
class CachedFinding:
    """A diagnostic, its code by its id."""

    code: str
    at: Location
    message: str
    hint: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class CachedTool:
    """A tool, and what was found when it was made."""

    tool: ToolSpec
    findings: tuple[CachedFinding, ...]

    @classmethod
    def of(cls, tool: ToolSpec, findings: Sequence[Diagnostic]) -> CachedTool:
        """A tool with its findings, as they are kept."""
        return cls(
            tool,
            tuple(
                CachedFinding(each.code.id, each.at, each.message, each.hint, each.severity)
                for each in findings
            ),
        )

    @property
    def crafted(self) -> LoweredTool:
        """What became of the operation. Raises KeyError for a code that there is not."""
        findings = (
            Diagnostic(TABLE[each.code], each.at, each.message, each.hint, each.severity)
            for each in self.findings
        )
        return LoweredTool(self.tool, tuple(findings))


def keys_of(common: ToolContext, budget: Budget, orders: Sequence[Order]) -> list[str]:
    """A key for each operation: over itself, the schemas it leads to, and all that tools share."""
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
